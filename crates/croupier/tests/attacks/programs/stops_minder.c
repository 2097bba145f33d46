/* Stops its parent again and again, and never answers. */
#include "table.h"
int main(void) {
    asked();
    if (getppid() == 0)
        return play_on();
    pid_t parent = getppid();
    for (int i = 0; i < 20000; i++) {
        if (getppid() == parent)
            kill(parent, SIGSTOP);
        usleep(1000);
    }
    return 0;
}
