/* Tries to get into the processes beside it: by tracing, through their memory, through their files. */
#include "table.h"
#include "siblings.h"
#include <sys/ptrace.h>
#include <sys/uio.h>
static int mine = 1;
static void reach(pid_t other) {
    char path[64], byte = 1;
    struct iovec here = {&byte, 1}, there = {&mine, 1};
    if (ptrace(PTRACE_SEIZE, other, 0, 0) == 0 || ptrace(PTRACE_ATTACH, other, 0, 0) == 0)
        breach("tracing the template");
    if (process_vm_readv(other, &here, 1, &there, 1, 0) > 0)
        breach("reading the template");
    if (process_vm_writev(other, &here, 1, &there, 1, 0) > 0)
        breach("writing to the template");
    snprintf(path, sizeof path, "/proc/%d/mem", other);
    if (open(path, O_RDWR) >= 0 || open(path, O_RDONLY) >= 0)
        breach("the memory of the template");
    snprintf(path, sizeof path, "/proc/%d/fd/3", other);
    if (open(path, O_RDWR) >= 0)
        breach("a file of the template");
    int process = syscall(SYS_pidfd_open, other, 0);
    for (int file = 0; process >= 0 && file < 16; file++)
        if (syscall(SYS_pidfd_getfd, process, file, 0) >= 0)
            breach("a descriptor of the template");
    close(process);
    if (syscall(SYS_kcmp, getpid(), other, 1, 0, 0) == 0)
        breach("sharing memory with the template");
}
int main(void) {
    asked();
    for_siblings(reach);
    for (int file = 3; file < 1024; file++)
        if (fcntl(file, F_GETFD) >= 0)
            breach("a descriptor that is not its own");
    char line[512], access[8];
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps && fgets(line, sizeof line, maps))
        if (sscanf(line, "%*s %7s", access) == 1 && access[3] == 's' && access[1] == 'w')
            breach("shared memory");
    return play_on();
}
