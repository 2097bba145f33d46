/* Holds much memory in children, and stops and goes on without pause, of which whoever minds it is
 * told each time. */
#include "table.h"
int main(void) {
    pid_t parent = getpid();
    asked();
    alarm(200);
    hold_much();
    if (fork() == 0) {
        alarm(200);
        for (;;) {
            kill(parent, SIGSTOP);
            kill(parent, SIGCONT);
        }
    }
    for (;;)
        pause();
}
