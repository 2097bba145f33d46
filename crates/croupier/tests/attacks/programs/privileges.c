/* Becomes somebody else, makes a world of its own, loads what only root may load. */
#include "table.h"
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
int main(void) {
    asked();
    if (getuid() == 0 || geteuid() == 0 || setuid(0) == 0 || setgid(0) == 0)
        breach("being root");
    if (unshare(CLONE_NEWUSER) == 0 || unshare(CLONE_NEWNS) == 0)
        breach("a namespace");
    pid_t child = syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0);
    if (child == 0)
        _exit(0);
    if (child > 0)
        breach("a child in a namespace");
    if (mount("none", "/tmp", "tmpfs", 0, NULL) == 0 || chroot("/usr") == 0)
        breach("other files");
    if (prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1)
        breach("privileges to gain");
    return play_on();
}
