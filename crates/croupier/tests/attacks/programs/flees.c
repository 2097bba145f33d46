/* Leaves a process behind that flees: into a child in a session of its own, and on from there,
 * without pause, so that whoever looks for it finds where it was. */
#include "table.h"
#include <time.h>
int main(void) {
    asked();
    if (fork() == 0) {
        time_t begun = time(NULL);
        while (time(NULL) < begun + 60) {
            setsid();
            if (fork() != 0)
                _exit(0);
        }
        _exit(0);
    }
    return play_on();
}
