/* Traces a process of its own, and reads the memory of one without tracing it. */
#include "table.h"
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/wait.h>
int main(void) {
    int mine = 1, copy = 0;
    struct iovec here = {&copy, sizeof copy}, there = {&mine, sizeof mine};
    asked();
    pid_t child = fork();
    if (child == 0) {
        pause();
        _exit(0);
    }
    if (ptrace(PTRACE_ATTACH, child, 0, 0) == 0 || ptrace(PTRACE_SEIZE, child, 0, 0) == 0)
        breach("tracing");
    if (process_vm_readv(child, &here, 1, &there, 1, 0) > 0)
        breach("the memory of another process");
    if (ptrace(PTRACE_TRACEME, 0, 0, 0) == 0)
        breach("being traced");
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    return play_on();
}
