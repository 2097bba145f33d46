//! The system calls that a strictly held program may make.
//!
//! What programs are known to need is allowed; what is known and forbidden gets EPERM. Everything
//! else gets ENOSYS, as from a kernel that does not have it: calls that are newer than these lists,
//! those of other processor modes (x32 calls are the ordinary ones with a bit set in the number),
//! and `clone3`, whose flags lie in memory where no filter can look. A C library then takes the
//! older call.

use std::collections::BTreeMap;

use libc::*;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, TargetArch,
};

/// What is allowed, by subject.
const ALLOWED: &[&[c_long]] = &[
    // Files and folders: which of them is for Landlock to say.
    &[
        SYS_chdir,
        SYS_close,
        SYS_close_range,
        SYS_copy_file_range,
        SYS_dup,
        SYS_dup3,
        SYS_faccessat,
        SYS_faccessat2,
        SYS_fadvise64,
        SYS_fallocate,
        SYS_fchdir,
        SYS_fcntl,
        SYS_fdatasync,
        SYS_fgetxattr,
        SYS_flistxattr,
        SYS_flock,
        SYS_fstat,
        SYS_fstatfs,
        SYS_fsync,
        SYS_ftruncate,
        SYS_getcwd,
        SYS_getdents64,
        SYS_getxattr,
        SYS_inotify_init1,
        SYS_inotify_rm_watch,
        SYS_ioctl,
        SYS_lgetxattr,
        SYS_linkat,
        SYS_listxattr,
        SYS_llistxattr,
        SYS_lseek,
        SYS_mkdirat,
        SYS_mknodat,
        SYS_newfstatat,
        SYS_openat,
        SYS_openat2,
        SYS_pread64,
        SYS_preadv,
        SYS_preadv2,
        SYS_pwrite64,
        SYS_pwritev,
        SYS_pwritev2,
        SYS_read,
        SYS_readahead,
        SYS_readlinkat,
        SYS_readv,
        SYS_renameat,
        SYS_renameat2,
        SYS_sendfile,
        SYS_splice,
        SYS_statfs,
        SYS_statx,
        SYS_symlinkat,
        SYS_sync,
        SYS_sync_file_range,
        SYS_syncfs,
        SYS_tee,
        SYS_truncate,
        SYS_umask,
        SYS_unlinkat,
        SYS_vmsplice,
        SYS_write,
        SYS_writev,
    ],
    // Pipes, pairs of sockets, and waiting.
    &[
        SYS_epoll_create1,
        SYS_epoll_ctl,
        SYS_epoll_pwait,
        SYS_epoll_pwait2,
        SYS_eventfd2,
        SYS_getpeername,
        SYS_getsockname,
        SYS_getsockopt,
        SYS_pipe2,
        SYS_ppoll,
        SYS_pselect6,
        SYS_recvfrom,
        SYS_recvmmsg,
        SYS_recvmsg,
        SYS_sendmmsg,
        SYS_sendmsg,
        SYS_sendto,
        SYS_setsockopt,
        SYS_shutdown,
        SYS_signalfd4,
        SYS_socketpair,
        SYS_timerfd_create,
        SYS_timerfd_gettime,
        SYS_timerfd_settime,
    ],
    // Memory.
    &[
        SYS_brk,
        SYS_get_mempolicy,
        SYS_madvise,
        SYS_mbind,
        SYS_membarrier,
        SYS_mincore,
        SYS_mlock,
        SYS_mlock2,
        SYS_mlockall,
        SYS_mmap,
        SYS_mprotect,
        SYS_mremap,
        SYS_msync,
        SYS_munlock,
        SYS_munlockall,
        SYS_munmap,
        SYS_pkey_alloc,
        SYS_pkey_free,
        SYS_pkey_mprotect,
        SYS_set_mempolicy,
    ],
    // Processes, threads and signals. There is nobody in its namespace but its own.
    &[
        SYS_capget,
        SYS_capset,
        SYS_clone,
        SYS_execve,
        SYS_execveat,
        SYS_exit,
        SYS_exit_group,
        SYS_futex,
        SYS_futex_waitv,
        SYS_get_robust_list,
        SYS_getcpu,
        SYS_getegid,
        SYS_geteuid,
        SYS_getgid,
        SYS_getgroups,
        SYS_getpgid,
        SYS_getpid,
        SYS_getppid,
        SYS_getpriority,
        SYS_getresgid,
        SYS_getresuid,
        SYS_getrlimit,
        SYS_getrusage,
        SYS_getsid,
        SYS_gettid,
        SYS_getuid,
        SYS_ioprio_get,
        SYS_ioprio_set,
        SYS_kill,
        SYS_landlock_add_rule,
        SYS_landlock_create_ruleset,
        SYS_landlock_restrict_self,
        SYS_personality,
        SYS_pidfd_open,
        SYS_pidfd_send_signal,
        SYS_prctl,
        SYS_prlimit64,
        SYS_restart_syscall,
        SYS_rseq,
        SYS_rt_sigaction,
        SYS_rt_sigpending,
        SYS_rt_sigprocmask,
        SYS_rt_sigqueueinfo,
        SYS_rt_sigreturn,
        SYS_rt_sigsuspend,
        SYS_rt_sigtimedwait,
        SYS_rt_tgsigqueueinfo,
        SYS_sched_get_priority_max,
        SYS_sched_get_priority_min,
        SYS_sched_getaffinity,
        SYS_sched_getattr,
        SYS_sched_getparam,
        SYS_sched_getscheduler,
        SYS_sched_rr_get_interval,
        SYS_sched_setaffinity,
        SYS_sched_setattr,
        SYS_sched_setparam,
        SYS_sched_setscheduler,
        SYS_sched_yield,
        SYS_seccomp,
        SYS_set_robust_list,
        SYS_set_tid_address,
        SYS_setfsgid,
        SYS_setfsuid,
        SYS_setgid,
        SYS_setgroups,
        SYS_setpgid,
        SYS_setpriority,
        SYS_setregid,
        SYS_setresgid,
        SYS_setresuid,
        SYS_setreuid,
        SYS_setrlimit,
        SYS_setsid,
        SYS_setuid,
        SYS_sigaltstack,
        SYS_tgkill,
        SYS_tkill,
        SYS_wait4,
        SYS_waitid,
    ],
    // Time, chance and the machine.
    &[
        SYS_clock_getres,
        SYS_clock_gettime,
        SYS_clock_nanosleep,
        SYS_getitimer,
        SYS_getrandom,
        SYS_gettimeofday,
        SYS_nanosleep,
        SYS_setitimer,
        SYS_sysinfo,
        SYS_timer_create,
        SYS_timer_delete,
        SYS_timer_getoverrun,
        SYS_timer_gettime,
        SYS_timer_settime,
        SYS_times,
        SYS_uname,
    ],
    OLDER_ALLOWED,
];

/// The older forms of some of these, without which newer processors came.
#[cfg(target_arch = "x86_64")]
const OLDER_ALLOWED: &[c_long] = &[
    SYS_access,
    SYS_alarm,
    SYS_arch_prctl,
    SYS_creat,
    SYS_dup2,
    SYS_epoll_create,
    SYS_epoll_wait,
    SYS_eventfd,
    SYS_fork,
    SYS_getdents,
    SYS_getpgrp,
    SYS_inotify_init,
    SYS_link,
    SYS_lstat,
    SYS_mkdir,
    SYS_mknod,
    SYS_open,
    SYS_pause,
    SYS_pipe,
    SYS_poll,
    SYS_readlink,
    SYS_rename,
    SYS_rmdir,
    SYS_select,
    SYS_signalfd,
    SYS_stat,
    SYS_symlink,
    SYS_time,
    SYS_unlink,
    SYS_vfork,
];
#[cfg(not(target_arch = "x86_64"))]
const OLDER_ALLOWED: &[c_long] = &[];

/// What is known and forbidden, by what it would reach.
const FORBIDDEN: &[&[c_long]] = &[
    // What a file of somebody else is like, and what happens in somebody else's folder: Landlock lets both pass.
    &[
        SYS_inotify_add_watch,
        SYS_fchmod,
        SYS_fchmodat,
        SYS_fchown,
        SYS_fchownat,
        SYS_fremovexattr,
        SYS_fsetxattr,
        SYS_lremovexattr,
        SYS_lsetxattr,
        SYS_removexattr,
        SYS_setxattr,
        SYS_utimensat,
        // fchmodat2, setxattrat, removexattrat and file_setattr: too new to have a name here
        // everywhere, with one number on every processor.
        452,
        463,
        466,
        469,
    ],
    // Memory where no process seems to hold it.
    &[
        SYS_memfd_create,
        SYS_memfd_secret,
        SYS_mq_getsetattr,
        SYS_mq_notify,
        SYS_mq_open,
        SYS_mq_timedreceive,
        SYS_mq_timedsend,
        SYS_mq_unlink,
        SYS_msgctl,
        SYS_msgget,
        SYS_msgrcv,
        SYS_msgsnd,
        SYS_semctl,
        SYS_semget,
        SYS_semop,
        SYS_semtimedop,
        SYS_shmat,
        SYS_shmctl,
        SYS_shmdt,
        SYS_shmget,
    ],
    // The network, and whoever listens on a socket in a folder.
    &[
        SYS_accept,
        SYS_accept4,
        SYS_bind,
        SYS_connect,
        SYS_listen,
        SYS_socket,
    ],
    // Other processes.
    &[
        SYS_kcmp,
        SYS_migrate_pages,
        SYS_move_pages,
        SYS_pidfd_getfd,
        SYS_process_madvise,
        SYS_process_mrelease,
        SYS_process_vm_readv,
        SYS_process_vm_writev,
        SYS_ptrace,
    ],
    // Another view of the machine.
    &[
        SYS_chroot,
        SYS_fsconfig,
        SYS_fsmount,
        SYS_fsopen,
        SYS_fspick,
        SYS_mount,
        SYS_mount_setattr,
        SYS_move_mount,
        SYS_name_to_handle_at,
        SYS_open_by_handle_at,
        SYS_open_tree,
        SYS_pivot_root,
        SYS_setns,
        SYS_umount2,
        SYS_unshare,
    ],
    // The machine itself, and the less trodden paths of its kernel.
    &[
        SYS_acct,
        SYS_add_key,
        SYS_adjtimex,
        SYS_bpf,
        SYS_clock_adjtime,
        SYS_clock_settime,
        SYS_delete_module,
        SYS_fanotify_init,
        SYS_fanotify_mark,
        SYS_finit_module,
        SYS_init_module,
        SYS_io_uring_enter,
        SYS_io_uring_register,
        SYS_io_uring_setup,
        SYS_kexec_load,
        SYS_keyctl,
        SYS_perf_event_open,
        SYS_quotactl,
        SYS_quotactl_fd,
        SYS_reboot,
        SYS_request_key,
        SYS_setdomainname,
        SYS_sethostname,
        SYS_settimeofday,
        SYS_swapoff,
        SYS_swapon,
        SYS_syslog,
        SYS_userfaultfd,
        SYS_vhangup,
    ],
    OLDER_FORBIDDEN,
];

#[cfg(target_arch = "x86_64")]
const OLDER_FORBIDDEN: &[c_long] = &[
    SYS_chmod,
    SYS_chown,
    SYS_futimesat,
    SYS_ioperm,
    SYS_iopl,
    SYS_kexec_file_load,
    SYS_lchown,
    SYS_modify_ldt,
    SYS_utime,
    SYS_utimes,
];
#[cfg(not(target_arch = "x86_64"))]
const OLDER_FORBIDDEN: &[c_long] = &[];

/// The namespaces that no process may make for a child.
const NAMESPACES: [c_int; 7] = [
    CLONE_NEWCGROUP,
    CLONE_NEWIPC,
    CLONE_NEWNET,
    CLONE_NEWNS,
    CLONE_NEWPID,
    CLONE_NEWUSER,
    CLONE_NEWUTS,
];

/// What changes the attributes of a file that is only open for reading: FS_IOC_SETFLAGS and
/// FS_IOC_FSSETXATTR.
const SET_ATTRIBUTES: [u64; 2] = [0x4008_6602, 0x401c_5820];

/// The filters, in the order in which they are to be installed: where both refuse a call, the error
/// of the one that came last counts.
pub(super) fn filters() -> Result<[BpfProgram; 2], seccompiler::BackendError> {
    let always = |calls: &[&[c_long]]| -> BTreeMap<i64, Vec<SeccompRule>> {
        let calls = calls.concat().into_iter();
        calls.map(|call| (call, Vec::new())).collect()
    };
    let mut forbidden = always(FORBIDDEN);
    let any = |conditions: Vec<Result<SeccompCondition, _>>| {
        let rules = conditions.into_iter();
        rules
            .map(|condition| SeccompRule::new(vec![condition?]))
            .collect::<Result<Vec<_>, _>>()
    };
    let argument = |number, compare, value| {
        SeccompCondition::new(number, SeccompCmpArgLen::Dword, compare, value)
    };
    let bits = NAMESPACES.map(|flag| u64::from(flag as u32));
    let namespaces = bits.map(|bits| argument(0, SeccompCmpOp::MaskedEq(bits), bits));
    forbidden.insert(SYS_clone, any(namespaces.into())?);
    let attributes = SET_ATTRIBUTES.map(|request| argument(1, SeccompCmpOp::Eq, request));
    forbidden.insert(SYS_ioctl, any(attributes.into())?);
    // With a pair of datagram sockets one could still write to a socket in a folder.
    let datagrams = [SOCK_DGRAM, SOCK_RAW].map(|kind| kind as u64);
    let mut pairs: Vec<_> = datagrams
        .map(|kind| argument(1, SeccompCmpOp::MaskedEq(0xf), kind))
        .into();
    pairs.push(argument(0, SeccompCmpOp::Ne, AF_UNIX as u64));
    forbidden.insert(SYS_socketpair, any(pairs)?);

    let (allow, unknown, refused) = (
        SeccompAction::Allow,
        SeccompAction::Errno(ENOSYS as u32),
        SeccompAction::Errno(EPERM as u32),
    );
    let machine = TargetArch::try_from(std::env::consts::ARCH)?;
    let known = SeccompFilter::new(always(ALLOWED), unknown, allow.clone(), machine)?;
    let forbidden = SeccompFilter::new(forbidden, allow, refused, machine)?;
    Ok([known.try_into()?, forbidden.try_into()?])
}
