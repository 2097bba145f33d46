/* Reads what /proc tells of the referee and of everybody else. */
#include "table.h"
#include <dirent.h>
int main(void) {
    char path[64];
    asked();
    if (opendir("/proc") || open("/proc/self/status", O_RDONLY) >= 0)
        breach("the list of processes");
    const char *kinds[] = {"environ", "stat"};
    for (int pid = 1; pid < 40000; pid++)
        for (int kind = 0; kind < 2; kind++) {
            snprintf(path, sizeof path, "/proc/%d/%s", pid, kinds[kind]);
            if (open(path, O_RDONLY) >= 0)
                breach(path);
        }
    return play_on();
}
