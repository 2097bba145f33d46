/* Linked into programs that are compiled from source: stops before any code of the program, and forks for
 * every start that is asked for. The protocol, and why it is done like this, is in minder/template.rs.
 *
 * Nothing here calls the C library: a program may bring functions of its own under any name. */
#define _GNU_SOURCE
#include <features.h>
#if !defined __GLIBC__ || !__GLIBC_PREREQ(2, 34)
#error "known of newer versions of the GNU C library alone"
#endif
#include <errno.h>
#include <sched.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#define CONTROL 3 /* where the minder is, if this is to be a template */
#define MAGIC "croupier-template-1"

static long call(long number, long a, long b, long c, long d, long e) {
#if defined __x86_64__
    long result;
    register long r10 __asm__("r10") = d, r8 __asm__("r8") = e;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8)
                     : "rcx", "r11", "memory");
    return result;
#elif defined __aarch64__
    register long x8 __asm__("x8") = number, x0 __asm__("x0") = a, x1 __asm__("x1") = b;
    register long x2 __asm__("x2") = c, x3 __asm__("x3") = d, x4 __asm__("x4") = e;
    __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4) : "memory");
    return x0;
#else
#error "not known of this processor"
#endif
}

static void tell(char what, long error) {
    struct { unsigned char what, error, nothing[6]; unsigned long long time; } said;
    struct { long seconds, nanoseconds; } now = {0, 0};
    call(SYS_clock_gettime, 1 /* CLOCK_MONOTONIC */, (long)&now, 0, 0, 0);
    said.what = (unsigned char)what;
    said.error = (unsigned char)-error;
    said.time = now.seconds * 1000000000ull + now.nanoseconds;
    call(SYS_sendto, CONTROL, (long)&said, sizeof said, MSG_NOSIGNAL, 0);
}

/* The child that was asked for becomes like a process that has just been started. */
static void begin(const int *files, const char *folder, void *robust, size_t robust_size) {
    long wrong = call(SYS_setpgid, 0, 0, 0, 0, 0);
    for (int file = 0; file < 3 && wrong >= 0; file++)
        wrong = call(SYS_dup3, files[file], file, 0, 0, 0);
    if (wrong >= 0)
        wrong = call(SYS_set_robust_list, (long)robust, (long)robust_size, 0, 0, 0);
    if (wrong >= 0)
        wrong = call(SYS_prctl, PR_SET_DUMPABLE, 1, 0, 0, 0);
    if (wrong >= 0 && (wrong = call(SYS_chdir, (long)folder, 0, 0, 0, 0)) < 0) {
        tell('d', wrong);
        call(SYS_exit_group, 127, 0, 0, 0, 0);
    }
    tell(wrong < 0 ? 'f' : 's', wrong);
    if (wrong < 0)
        call(SYS_exit_group, 127, 0, 0, 0, 0);
    call(SYS_close_range, CONTROL, ~0U, 0, 0, 0);
}

static void serve(void) {
    static char hello[sizeof MAGIC + 4096];
    long length = call(SYS_recvfrom, CONTROL, (long)hello, sizeof hello - 1, MSG_DONTWAIT, 0);
    if (length < (long)sizeof MAGIC)
        return; /* an ordinary start */
    for (size_t i = 0; i < sizeof MAGIC; i++)
        if (hello[i] != MAGIC[i])
            return;
    const char *folder = hello + sizeof MAGIC;
    /* The thread's number and its list of locks are the C library's, and it expects them to be kept. */
    int *number = 0;
    void *robust = 0;
    size_t robust_size = 0;
    if (call(SYS_prctl, PR_GET_TID_ADDRESS, (long)&number, 0, 0, 0) < 0 || !number
        || *number != call(SYS_gettid, 0, 0, 0, 0, 0)
        || call(SYS_get_robust_list, 0, (long)&robust, (long)&robust_size, 0, 0) < 0
        || call(SYS_prctl, PR_SET_DUMPABLE, 0, 0, 0, 0) < 0)
        call(SYS_exit_group, 1, 0, 0, 0, 0);
    tell('r', 0);
    for (;;) {
        char byte;
        struct iovec part = {&byte, 1};
        union {
            struct cmsghdr head;
            char room[CMSG_SPACE(3 * sizeof(int))];
        } rights;
        struct msghdr request = {0, 0, &part, 1, rights.room, sizeof rights.room, 0};
        long got = call(SYS_recvmsg, CONTROL, (long)&request, MSG_CMSG_CLOEXEC, 0, 0);
        if (got == -EINTR)
            continue;
        if (got <= 0)
            call(SYS_exit_group, 0, 0, 0, 0, 0);
        long child = -EMFILE;
        if (request.msg_controllen >= CMSG_LEN(3 * sizeof(int)) && !(request.msg_flags & MSG_CTRUNC)) {
            long flags = CLONE_PARENT | CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID | 17 /* SIGCHLD */;
#if defined __x86_64__
            child = call(SYS_clone, flags, 0, 0, (long)number, 0);
#else
            child = call(SYS_clone, flags, 0, 0, 0, (long)number);
#endif
            if (child == 0) {
                begin((int *)CMSG_DATA(&rights.head), folder, robust, robust_size);
                return;
            }
        }
        if (child < 0)
            tell('f', child);
        call(SYS_close_range, CONTROL + 1, ~0U, 0, 0, 0);
    }
}

__attribute__((used, section(".preinit_array"))) static void (*const before_all)(void) = serve;
