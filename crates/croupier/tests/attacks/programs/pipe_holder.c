/* Ends well without an answer; its grandchild keeps the pipe open. */
#include "table.h"
int main(void) {
    asked();
    if (fork() == 0) {
        setsid();
        if (fork() == 0)
            for (;;)
                pause();
        _exit(0);
    }
    return 0;
}
