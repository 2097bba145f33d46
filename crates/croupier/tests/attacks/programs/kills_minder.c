/* Kills its parent, which is not its own, and sleeps; so does a child that has left the group. */
#include "table.h"
int main(void) {
    asked();
    if (getppid() == 0)
        return play_on();
    pid_t parent = getppid();
    if (fork() == 0) {
        setsid();
        for (;;)
            pause();
    }
    kill(parent, SIGKILL);
    for (;;)
        pause();
}
