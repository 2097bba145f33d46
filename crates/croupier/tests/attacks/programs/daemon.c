/* Leaves a process in a session of its own, with no parent left and nothing of its files, and
 * plays on. */
#include "table.h"
#include <sys/wait.h>
int main(void) {
    asked();
    if (fork() == 0) {
        setsid();
        if (fork() == 0) {
            setsid();
            for (int number = 1; number < 65; number++)
                signal(number, SIG_IGN);
            for (int file = 0; file < 3; file++)
                close(file);
            for (;;)
                pause();
        }
        _exit(0);
    }
    wait(NULL);
    return play_on();
}
