/* Holds much memory in children, and stops and goes on without pause, of which whoever minds it is
 * told each time. */
#include "table.h"
static char *volatile mine;
int main(void) {
    pid_t parent = getpid();
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
    if (fork() == 0) {
        alarm(60);
        for (;;) {
            kill(parent, SIGSTOP);
            kill(parent, SIGCONT);
        }
    }
    for (;;)
        pause();
}
