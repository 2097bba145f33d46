/* Holds much memory in children, and has orphans die without pause, so that whoever minds it has
 * no time to look. */
#include "table.h"
#include <sys/wait.h>
static char *volatile mine;
int main(void) {
    asked();
    alarm(60);
    for (int child = 0; child < 3; child++)
        if (fork() == 0) {
            alarm(60);
            mine = malloc(40 << 20);
            memset(mine, 1, 40 << 20);
            for (;;)
                pause();
        }
    for (;;) {
        pid_t child = fork();
        if (child == 0) {
            fork();
            _exit(0);
        }
        waitpid(child, NULL, 0);
    }
}
