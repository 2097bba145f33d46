/* Answers and ends well; its grandchild keeps the pipe open. */
#include "table.h"
#include <sys/wait.h>
int main(void) {
    asked();
    answer();
    if (fork() == 0) {
        setsid();
        if (fork() == 0)
            for (;;)
                pause();
        _exit(0);
    }
    wait(NULL);
    return 0;
}
