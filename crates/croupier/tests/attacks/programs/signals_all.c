/* Signals every process there is, but only where its parent cannot be seen; there every process
 * is meant to be its own. */
#include "table.h"
#include <sys/resource.h>
#include <sys/wait.h>
int main(void) {
    asked();
    if (getppid() != 0) {
        breach("its parent");
        return 0;
    }
    for (int pid = 2; pid < 70000; pid++) {
        struct rlimit limit;
        if (pid == getpid())
            continue;
        if (kill(pid, 0) == 0 || kill(-pid, 0) == 0)
            if (pid != getpgrp())
                breach("a process to signal");
        if (prlimit(pid, RLIMIT_NOFILE, NULL, &limit) == 0)
            breach("the limits of another process");
    }
    kill(1, SIGKILL);
    kill(1, SIGSTOP);
    signal(SIGTERM, SIG_IGN);
    kill(-1, SIGTERM);
    kill(-1, SIGKILL);
    return play_on();
}
