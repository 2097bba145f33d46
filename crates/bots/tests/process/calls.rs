//! What the kernel answers to a strictly held program.

use croupier_bots::{Limits, Tier};

use crate::place::{Place, printed};

/// What is unknown does not exist; what is known and forbidden is refused; what is needed works.
#[test]
fn calls_are_allowed_by_name_and_all_others_do_not_exist() {
    let text = r#"
        #include <errno.h>
        #include <fcntl.h>
        #include <sched.h>
        #include <signal.h>
        #include <stdio.h>
        #include <string.h>
        #include <sys/socket.h>
        #include <sys/syscall.h>
        #include <unistd.h>
        static void tell(const char *what, long answer) {
            printf("%s: %s\n", what, answer >= 0 ? "ok" : strerrorname_np(errno));
            fflush(stdout);
        }
        int main(int count, char **words) {
            int pair[2], flags = 0, file = open("/usr/bin/env", O_RDONLY);
            char none[256] = {0};
            tell("nothing", syscall(9999));
            tell("a negative number", syscall(-7));
        #ifdef __x86_64__
            tell("x32", syscall(0x40000000 | SYS_getpid));
            tell("x32 open", syscall(0x40000000 | SYS_open, "/", O_RDONLY));
        #endif
            tell("clone3", syscall(435, none, 88));
            tell("clone", syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0));
            tell("socket", socket(AF_UNIX, SOCK_STREAM, 0));
            tell("stream pair", socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair));
            tell("datagram pair", socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, pair));
            tell("raw pair", socketpair(AF_UNIX, SOCK_RAW, 0, pair));
            tell("connect", syscall(SYS_connect, 0, none, 16));
            tell("ptrace", syscall(SYS_ptrace, 0, 0, 0, 0));
            tell("bpf", syscall(SYS_bpf, 0, none, 0));
            tell("memfd", syscall(SYS_memfd_create, "x", 0));
            tell("attributes", syscall(SYS_ioctl, file, 0x40086602, &flags));
            tell("open", file);
        }
    "#;
    let expected = "\
nothing: ENOSYS
a negative number: ENOSYS
x32: ENOSYS
x32 open: ENOSYS
clone3: ENOSYS
clone: EPERM
socket: EPERM
stream pair: ok
datagram pair: EPERM
raw pair: EPERM
connect: EPERM
ptrace: EPERM
bpf: EPERM
memfd: EPERM
attributes: EPERM
open: ok
";
    let place = Place::new();
    let run = place.run(Tier::Strict, Limits::default(), &place.c("calls", text));
    let expected: String = expected
        .split_inclusive('\n')
        .filter(|line| cfg!(target_arch = "x86_64") || !line.starts_with("x32"))
        .collect();
    assert_eq!(printed(&run), expected);
}
