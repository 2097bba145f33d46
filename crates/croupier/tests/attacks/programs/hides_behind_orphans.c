/* Holds much memory in children, and has orphans die without pause, so that whoever minds it has
 * no time to look. */
#include "table.h"
#include <sys/wait.h>
int main(void) {
    asked();
    alarm(200);
    hold_much();
    for (;;) {
        pid_t child = fork();
        if (child == 0) {
            fork();
            _exit(0);
        }
        waitpid(child, NULL, 0);
    }
}
