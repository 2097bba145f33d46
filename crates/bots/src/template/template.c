/* Forks for every start that is asked for. The protocol, and why it is done like this, is in minder/template.rs.
 *
 * Linked into a program that is compiled from source, it stops before any code of the program. As a library
 * (AS_A_LIBRARY) it is called by an interpreter that has read its program. Python alone could do it too, but every
 * page that a template writes to between two forks costs a fault and a copy: about fifty in Python, five in C.
 *
 * Nothing here calls the C library: a program may bring functions of its own under any name. */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>

/* What is not given is zero. */
#define call(...) call_up_to_six(__VA_ARGS__, 0, 0, 0, 0, 0, 0)
#define call_up_to_six(number, a, b, c, d, e, f, ...) \
    call_with(number, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))

#define CONTROL 3 /* where the minder is, if this is to be a template */
#define MAGIC "croupier-template-1"

static long call_with(long number, long a, long b, long c, long d, long e, long f) {
#if defined __x86_64__
    long result;
    register long r10 __asm__("r10") = d, r8 __asm__("r8") = e, r9 __asm__("r9") = f;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    return result;
#elif defined __aarch64__
    register long x8 __asm__("x8") = number, x0 __asm__("x0") = a, x1 __asm__("x1") = b;
    register long x2 __asm__("x2") = c, x3 __asm__("x3") = d, x4 __asm__("x4") = e, x5 __asm__("x5") = f;
    __asm__ volatile("svc 0"
                     : "+r"(x0)
                     : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
                     : "memory");
    return x0;
#else
#error "not known of this processor"
#endif
}

static void tell(char what, long error) {
    struct { unsigned char what, error, nothing[6]; unsigned long long time; } said;
    struct { long seconds, nanoseconds; } now = {0, 0};
    call(SYS_clock_gettime, 1 /* CLOCK_MONOTONIC */, &now);
    said.what = (unsigned char)what;
    said.error = (unsigned char)-error;
    said.time = now.seconds * 1000000000ull + now.nanoseconds;
    call(SYS_sendto, CONTROL, &said, sizeof said, MSG_NOSIGNAL);
}

/* The child that was asked for becomes like a process that has just been started. */
static void begin(const int *files, const char *folder, void *robust, size_t robust_size) {
    long wrong = call(SYS_setpgid, 0, 0);
    for (int file = 0; file < 3 && wrong >= 0; file++)
        wrong = call(SYS_dup3, files[file], file);
    if (wrong >= 0)
        wrong = call(SYS_set_robust_list, robust, robust_size);
    if (wrong >= 0)
        wrong = call(SYS_prctl, PR_SET_DUMPABLE, 1);
    if (wrong >= 0 && (wrong = call(SYS_chdir, folder)) < 0) {
        tell('d', wrong);
        call(SYS_exit_group, 127);
    }
    tell(wrong < 0 ? 'f' : 's', wrong);
    if (wrong < 0)
        call(SYS_exit_group, 127);
    call(SYS_close, CONTROL);
}

/* What an interpreter wants to have called around a fork. */
struct hooks {
    void (*before)(void), (*in_parent)(void), (*in_child)(void);
};

/* Waits until a start is asked for, and returns in the process that is to be it. Returns at once, with no, if
 * this is to be no template. */
static int wait_for_a_start(void (*get_ready)(void), const struct hooks *hooks) {
    static char hello[sizeof MAGIC + 4096];
    long length = call(SYS_recvfrom, CONTROL, hello, sizeof hello - 1, MSG_DONTWAIT);
    if (length < (long)sizeof MAGIC)
        return 0;
    for (size_t i = 0; i < sizeof MAGIC; i++)
        if (hello[i] != MAGIC[i])
            return 0;
    const char *folder = hello + sizeof MAGIC;
    /* The thread's number and its list of locks are the C library's, and it expects them to be kept. */
    int *number = 0;
    void *robust = 0;
    size_t robust_size = 0;
    if (call(SYS_prctl, PR_GET_TID_ADDRESS, &number) < 0 || !number
        || *number != call(SYS_gettid)
        || call(SYS_get_robust_list, 0, &robust, &robust_size) < 0
        || call(SYS_prctl, PR_SET_DUMPABLE, 0) < 0)
        call(SYS_exit_group, 1);
    if (get_ready)
        get_ready();
    tell('r', 0);
    for (;;) {
        char byte;
        struct iovec part = {&byte, 1};
        union {
            struct cmsghdr head;
            char room[CMSG_SPACE(3 * sizeof(int))];
        } rights;
        struct msghdr request = {0, 0, &part, 1, rights.room, sizeof rights.room, 0};
        long got = call(SYS_recvmsg, CONTROL, &request, MSG_CMSG_CLOEXEC);
        if (got == -EINTR)
            continue;
        if (got <= 0)
            call(SYS_exit_group, 0);
        const int *files = (int *)CMSG_DATA(&rights.head);
        long child = -EMFILE, count = 0;
        if (request.msg_controllen >= CMSG_LEN(0))
            count = (rights.head.cmsg_len - CMSG_LEN(0)) / sizeof(int);
        if (count == 3 && !(request.msg_flags & MSG_CTRUNC)) {
            if (hooks)
                hooks->before();
            long flags = CLONE_PARENT | CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID | 17 /* SIGCHLD */;
#if defined __x86_64__
            child = call(SYS_clone, flags, 0, 0, number);
#else
            child = call(SYS_clone, flags, 0, 0, 0, number);
#endif
            if (hooks)
                (child ? hooks->in_parent : hooks->in_child)();
            if (child == 0)
                begin(files, folder, robust, robust_size);
        }
        if (child < 0)
            tell('f', child);
        /* One by one: close_range would look through the whole table of files, which costs more than these. */
        while (count > 0)
            call(SYS_close, files[--count]);
        if (child == 0)
            return 1;
    }
}

#ifdef AS_A_LIBRARY

int croupier_template(const struct hooks *hooks) { return wait_for_a_start(0, hooks); }

#else

#include <features.h>
#if !defined __GLIBC__ || !__GLIBC_PREREQ(2, 34)
#error "known of newer versions of the GNU C library alone"
#endif
#include <link.h>
#include <sys/mman.h>

#define HUGE 0x200000ul
#define MOST (8 * HUGE)

extern const ElfW(Ehdr) __ehdr_start;

/* Code and constants, which no process writes to, are put into huge pages where the kernel has them: a fork
 * then copies an entry for each and finds them again without a fault. The linker leaves room for it. */
static void take_huge_pages(void) {
    const ElfW(Phdr) *part = (const void *)((const char *)&__ehdr_start + __ehdr_start.e_phoff);
    for (int i = 0; i < __ehdr_start.e_phnum; i++, part++) {
        unsigned long start = part->p_vaddr, size = (part->p_memsz + HUGE - 1) / HUGE * HUGE;
        if (part->p_type != PT_LOAD || part->p_flags & PF_W || start % HUGE || size > MOST)
            continue;
        int may = PROT_READ | (part->p_flags & PF_X ? PROT_EXEC : 0), own = MAP_PRIVATE | MAP_ANONYMOUS;
        long room = call(SYS_mmap, 0, size + HUGE, PROT_READ | PROT_WRITE, own, -1);
        if (room < 0 && room > -4096)
            return;
        long copy = (room + HUGE - 1) / HUGE * HUGE;
        call(SYS_madvise, copy, size, MADV_HUGEPAGE);
        /* No function of the C library may be made of this. */
        for (unsigned long byte = 0; byte < part->p_memsz; byte++)
            ((volatile char *)copy)[byte] = ((const char *)start)[byte];
        if (call(SYS_mprotect, copy, size, may) == 0)
            call(SYS_mremap, copy, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, start);
        call(SYS_munmap, room, size + HUGE);
    }
}

static void before_all(void) { wait_for_a_start(take_huge_pages, 0); }

__attribute__((used, section(".preinit_array"))) static void (*const first)(void) = before_all;

#endif
