/* Changes what those after it would inherit of what runs beside it, and looks for what others changed. */
#include "table.h"
#include "siblings.h"
#include <sched.h>
#include <sys/resource.h>
static void change(pid_t other) {
    struct rlimit none = {0, 0};
    cpu_set_t cores;
    prlimit(other, RLIMIT_NOFILE, &none, NULL);
    prlimit(other, RLIMIT_STACK, &none, NULL);
    setpriority(PRIO_PROCESS, other, 19);
    CPU_ZERO(&cores);
    CPU_SET(0, &cores);
    sched_setaffinity(other, sizeof cores, &cores);
}
int main(void) {
    struct rlimit files, stack;
    asked();
    getrlimit(RLIMIT_NOFILE, &files);
    getrlimit(RLIMIT_STACK, &stack);
    if (files.rlim_cur == 0 || stack.rlim_cur == 0 || getpriority(PRIO_PROCESS, 0) == 19)
        breach("what another decision has changed");
    for_siblings(change);
    return play_on();
}
