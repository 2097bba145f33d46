//! What a minder takes on itself and on the bot's processes before they run.
//!
//! Limits are taken by the minder itself, once: its children inherit them. What would bind the
//! minder's own hands — the files it may open, the calls it may make — is put on each process
//! between its birth and its program.
//!
//! Everything here fails closed: what cannot be enforced is an error with the reason.

use std::collections::BTreeMap;
use std::ffi::{CString, OsStr};
use std::fs;
use std::io::{self, Read as _};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use landlock::{
    ABI, Access, AccessFs, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset, RulesetAttr,
    RulesetCreated, RulesetCreatedAttr,
};
use nix::errno::Errno;
use nix::sched::{CloneFlags, unshare};
use nix::sys::prctl;
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use nix::sys::wait::{Id, WaitPidFlag, waitid};
use nix::unistd::{Pid, execve, getgid, getuid};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, TargetArch, apply_filter,
};

use super::inside::{INIT, READY};
use super::{ARGUMENT, Orders};
use crate::Tier;

/// What a strictly held program may read: the system's programs and libraries, and nothing that
/// tells of people or of other processes.
const SYSTEM: &[&str] = &[
    "/usr",
    "/bin",
    "/lib",
    "/lib32",
    "/lib64",
    "/sbin",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/alternatives",
    "/etc/localtime",
    "/dev/urandom",
    "/dev/random",
    "/dev/zero",
];

/// What it may write to besides its folder.
const SINK: &str = "/dev/null";

/// What is in force for the processes of a bot.
pub(super) struct Confinement {
    strict: Option<Strict>,
}

struct Strict {
    files: RulesetCreated,
    calls: Vec<BpfProgram>,
    init: Child,
}

impl Confinement {
    /// Puts in force what the orders ask for, or says what is missing.
    pub(super) fn prepare(orders: &Orders) -> Result<Confinement, String> {
        prctl::set_child_subreaper(true).map_err(because("adopt what it leaves behind"))?;
        if orders.tier != Tier::None {
            go_first();
            keep_files_to_itself()?;
            limit(orders)?;
        }
        let strict = match orders.tier {
            Tier::None | Tier::Limits => None,
            Tier::Strict => Some(Strict {
                init: leave_the_world()?,
                files: files(orders)?,
                calls: calls()?,
            }),
        };
        if orders.tier != Tier::None {
            dam(orders, strict.is_some())?;
        }
        Ok(Confinement { strict })
    }

    /// Has the rest put in force in the process that this command will start.
    pub(super) fn apply_to(&self, command: &mut Command) -> io::Result<()> {
        let Some(strict) = &self.strict else {
            return Ok(());
        };
        let mut files = Some(strict.files.try_clone()?);
        let calls = strict.calls.clone();
        let start = Start::of(command)?;
        let confine = move || {
            let files = files
                .take()
                .ok_or_else(|| io::Error::other("already started"))?;
            let restricted = files.restrict_self().map_err(io::Error::other)?;
            if restricted.ruleset != landlock::RulesetStatus::FullyEnforced {
                return Err(io::Error::other("Landlock is not fully enforced"));
            }
            for program in &calls {
                apply_filter(program).map_err(io::Error::other)?;
            }
            start.start()
        };
        // SAFETY: a minder has one thread, so its child may do all that it could do itself.
        #[expect(unsafe_code, reason = "this is what runs between fork and exec")]
        unsafe {
            command.pre_exec(confine);
        }
        Ok(())
    }

    /// The first process of the bot's own namespace, which is ours.
    pub(super) fn init(&self) -> Option<Pid> {
        let strict = self.strict.as_ref();
        strict.map(|strict| Pid::from_raw(strict.init.id() as i32))
    }

    /// Whether something of the bot is left when its main process has ended. Orphans are children
    /// of the minder, or of the first process of their namespace.
    pub(super) fn has_orphans(&self) -> bool {
        match self.init() {
            None => {
                let flags = WaitPidFlag::WEXITED | WaitPidFlag::WNOHANG | WaitPidFlag::WNOWAIT;
                waitid(Id::All, flags) != Err(Errno::ECHILD)
            }
            Some(init) => {
                let orphans = fs::read_to_string(format!("/proc/{init}/task/{init}/children"));
                orphans.is_ok_and(|list| !list.trim().is_empty())
            }
        }
    }
}

/// What becomes of a process when it is confined.
///
/// A command that is prepared like ours would have the C library start it, which takes any text
/// for a shell script; what starts must not depend on the tier.
struct Start {
    program: CString,
    words: Vec<CString>,
    environment: Vec<CString>,
}

impl Start {
    fn of(command: &Command) -> io::Result<Start> {
        let text = |text: &OsStr| CString::new(text.as_bytes()).map_err(io::Error::from);
        let words = std::iter::once(command.get_program()).chain(command.get_args());
        let setting = |(name, value): (&OsStr, Option<&OsStr>)| {
            let setting = [name, value?].join(OsStr::new("="));
            Some(text(&setting))
        };
        Ok(Start {
            program: text(command.get_program())?,
            words: words.map(text).collect::<Result<_, _>>()?,
            environment: command
                .get_envs()
                .filter_map(setting)
                .collect::<Result<_, _>>()?,
        })
    }

    fn start(&self) -> io::Result<()> {
        match execve(&self.program, &self.words, &self.environment) {
            Ok(never) => match never {},
            Err(error) => Err(error.into()),
        }
    }
}

/// Turns an error into a reason, as in "it cannot …".
fn because<E: std::fmt::Display>(what: &str) -> impl Fn(E) -> String + '_ {
    move |error| format!("it cannot {what}: {error}")
}

/// Has all files closed that whoever started us left open, before a program of the bot runs.
fn keep_files_to_itself() -> Result<(), String> {
    let flags = libc::CLOSE_RANGE_CLOEXEC as i32;
    // SAFETY: no file is closed in this process; only what happens to files at exec changes.
    #[expect(unsafe_code, reason = "there is no safe call for all files at once")]
    let done = unsafe { libc::close_range(3, libc::c_uint::MAX, flags) };
    Errno::result(done)
        .map(drop)
        .map_err(because("keep open files to itself"))
}

/// Has the minder run before all others, so that processes that multiply cannot keep it from
/// killing them. Its children do not inherit this. Only root may have it; everybody else has a
/// [`dam`].
fn go_first() {
    // SAFETY: a plain value that the kernel reads.
    #[expect(unsafe_code, reason = "there is no safe call for this")]
    unsafe {
        let mut first: libc::sched_param = std::mem::zeroed();
        first.sched_priority = 1;
        libc::sched_setscheduler(0, libc::SCHED_FIFO | libc::SCHED_RESET_ON_FORK, &first);
    }
}

/// How many processes more than it may have a bot can start before the kernel refuses it another
/// one, if the minder has not killed it before: in a world of its own, and where all processes of
/// the user count and need room to multiply as well.
const ROOM_ALONE: u64 = 64;
const ROOM_AMONG_OTHERS: u64 = 1024;

/// Keeps a bot that multiplies from filling the machine. The kernel does not count for root.
fn dam(orders: &Orders, alone: bool) -> Result<(), String> {
    if getuid().is_root() {
        return Ok(());
    }
    let others = match alone {
        // The minder and the first process of the namespace.
        true => 2 + ROOM_ALONE,
        false => tasks_of_user() + ROOM_AMONG_OTHERS,
    };
    let what = "limit processes";
    let (soft, hard) = getrlimit(Resource::RLIMIT_NPROC).map_err(because(what))?;
    let most = others + u64::from(orders.limits.processes);
    setrlimit(Resource::RLIMIT_NPROC, soft.min(most), hard.min(most)).map_err(because(what))
}

/// How many processes and threads the user has who runs this.
fn tasks_of_user() -> u64 {
    let user = getuid().as_raw();
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let of_user = processes.filter(|process| {
        let owner = process.metadata().map(|file| file.uid());
        owner.is_ok_and(|owner| owner == user)
    });
    let tasks = of_user.filter_map(|process| fs::read_dir(process.path().join("task")).ok());
    tasks.map(|tasks| tasks.count() as u64).sum()
}

/// Limits that the kernel keeps for every process by itself.
fn limit(orders: &Orders) -> Result<(), String> {
    let limits = &orders.limits;
    let data = (!orders.is_sanitized).then_some((Resource::RLIMIT_DATA, limits.memory));
    let wanted = [
        (Resource::RLIMIT_CORE, 0),
        (Resource::RLIMIT_NOFILE, limits.files),
        (Resource::RLIMIT_FSIZE, limits.file_size),
    ];
    for (resource, most) in wanted.into_iter().chain(data) {
        let what = format!("limit {resource:?}");
        setrlimit(resource, most, most).map_err(because(&what))?;
    }
    Ok(())
}

/// Moves into namespaces in which there is nothing: no other process, no network, no privilege
/// that means anything outside. Returns the first process of the new world.
fn leave_the_world() -> Result<Child, String> {
    let (user, group) = (getuid(), getgid());
    let spaces = CloneFlags::CLONE_NEWUSER
        | CloneFlags::CLONE_NEWPID
        | CloneFlags::CLONE_NEWNET
        | CloneFlags::CLONE_NEWIPC
        | CloneFlags::CLONE_NEWUTS;
    unshare(spaces).map_err(because("make namespaces"))?;
    // An ordinary user inside, so that whatever is started loses the privileges of the maker.
    let map = |file: &str, text: &str| {
        fs::write(format!("/proc/self/{file}"), text).map_err(because("map users"))
    };
    map("setgroups", "deny")?;
    map("uid_map", &format!("1000 {user} 1"))?;
    map("gid_map", &format!("1000 {group} 1"))?;
    let mut init = Command::new("/proc/self/exe")
        .args([ARGUMENT, INIT])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(because("start a process in its namespace"))?;
    // An orphan that came before it is ready would never be buried.
    let mut ready = [0];
    let told = init
        .stdout
        .take()
        .map(|mut told| told.read_exact(&mut ready));
    match told {
        Some(Ok(())) if ready == [READY] => Ok(init),
        _ => Err("the first process of its namespace does not start".to_owned()),
    }
}

/// The files that may be opened, as a hard requirement.
fn files(orders: &Orders) -> Result<RulesetCreated, String> {
    let abi = ABI::V3;
    let refused = because("restrict files with Landlock");
    let refused = |error: landlock::RulesetError| refused(error);
    let mut rules = Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::from_all(abi))
        .and_then(Ruleset::create)
        .map_err(refused)?;
    let mut allow = |path: &Path, access| {
        let Ok(place) = PathFd::new(path) else {
            return Ok(());
        };
        let access = if path.is_dir() {
            access
        } else {
            access & AccessFs::from_file(abi)
        };
        (&mut rules)
            .add_rule(PathBeneath::new(place, access))
            .map(drop)
            .map_err(refused)
    };
    let read = AccessFs::from_read(abi);
    for path in SYSTEM {
        allow(Path::new(path), read)?;
    }
    for path in &orders.readable {
        allow(Path::new(path), read)?;
    }
    allow(Path::new(SINK), AccessFs::ReadFile | AccessFs::WriteFile)?;
    let folder = if orders.may_write {
        read | AccessFs::WriteFile
            | AccessFs::MakeReg
            | AccessFs::RemoveFile
            | AccessFs::Truncate
            | AccessFs::ReadDir
    } else {
        read
    };
    allow(Path::new(&orders.folder), folder)?;
    Ok(rules)
}

/// The calls that are refused: whatever reaches the network, other processes, or the kernel's
/// less trodden paths; and what Landlock lets pass, to change what a file of somebody else is like
/// or to keep memory where no process seems to hold it.
fn calls() -> Result<Vec<BpfProgram>, String> {
    let mut refused = vec![
        libc::SYS_fchmod,
        libc::SYS_fchmodat,
        libc::SYS_fchmodat2,
        libc::SYS_fchown,
        libc::SYS_fchownat,
        libc::SYS_utimensat,
        libc::SYS_setxattr,
        libc::SYS_lsetxattr,
        libc::SYS_fsetxattr,
        libc::SYS_removexattr,
        libc::SYS_lremovexattr,
        libc::SYS_fremovexattr,
        libc::SYS_memfd_create,
        libc::SYS_memfd_secret,
        libc::SYS_socket,
        libc::SYS_ptrace,
        libc::SYS_process_vm_readv,
        libc::SYS_process_vm_writev,
        libc::SYS_pidfd_getfd,
        libc::SYS_kcmp,
        libc::SYS_unshare,
        libc::SYS_setns,
        libc::SYS_mount,
        libc::SYS_umount2,
        libc::SYS_pivot_root,
        libc::SYS_chroot,
        libc::SYS_fsopen,
        libc::SYS_fsmount,
        libc::SYS_move_mount,
        libc::SYS_open_tree,
        libc::SYS_open_by_handle_at,
        libc::SYS_bpf,
        libc::SYS_perf_event_open,
        libc::SYS_userfaultfd,
        libc::SYS_io_uring_setup,
        libc::SYS_io_uring_enter,
        libc::SYS_io_uring_register,
        libc::SYS_add_key,
        libc::SYS_request_key,
        libc::SYS_keyctl,
        libc::SYS_init_module,
        libc::SYS_finit_module,
        libc::SYS_delete_module,
        libc::SYS_kexec_load,
        libc::SYS_reboot,
        libc::SYS_swapon,
        libc::SYS_swapoff,
        libc::SYS_acct,
        libc::SYS_quotactl,
        libc::SYS_syslog,
        libc::SYS_settimeofday,
        libc::SYS_clock_settime,
        libc::SYS_mq_open,
        libc::SYS_msgget,
        libc::SYS_shmget,
        libc::SYS_semget,
    ];
    // Newer processors came without these older forms.
    #[cfg(target_arch = "x86_64")]
    refused.extend([
        libc::SYS_chmod,
        libc::SYS_chown,
        libc::SYS_lchown,
        libc::SYS_utime,
        libc::SYS_utimes,
        libc::SYS_futimesat,
    ]);
    // The same again in calls that are too new to have a name here: setxattrat, removexattrat and
    // file_setattr, which have one number on every processor.
    refused.extend([463, 466, 469]);
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> =
        refused.into_iter().map(|call| (call, Vec::new())).collect();
    let flag = |flag: CloneFlags| {
        let bits = flag.bits() as u32 as u64;
        let condition = SeccompCondition::new(
            0,
            SeccompCmpArgLen::Qword,
            SeccompCmpOp::MaskedEq(bits),
            bits,
        );
        condition.and_then(|condition| SeccompRule::new(vec![condition]))
    };
    let spaces = [
        CloneFlags::CLONE_NEWUSER,
        CloneFlags::CLONE_NEWPID,
        CloneFlags::CLONE_NEWNET,
        CloneFlags::CLONE_NEWNS,
        CloneFlags::CLONE_NEWIPC,
        CloneFlags::CLONE_NEWUTS,
        CloneFlags::CLONE_NEWCGROUP,
    ];
    let spaces: Result<Vec<_>, _> = spaces.into_iter().map(flag).collect();
    rules.insert(libc::SYS_clone, spaces.map_err(because("write a filter"))?);
    // The flags of the newer call lie in memory, where a filter cannot look: say that it is not
    // there, and the C library takes the older one.
    let newer = BTreeMap::from([(libc::SYS_clone3, Vec::new())]);
    Ok(vec![
        filter(rules, libc::EPERM)?,
        filter(newer, libc::ENOSYS)?,
    ])
}

fn filter(rules: BTreeMap<i64, Vec<SeccompRule>>, answer: i32) -> Result<BpfProgram, String> {
    let machine = TargetArch::try_from(std::env::consts::ARCH)
        .map_err(because("filter calls on this processor"))?;
    let answer = SeccompAction::Errno(answer as u32);
    SeccompFilter::new(rules, SeccompAction::Allow, answer, machine)
        .and_then(BpfProgram::try_from)
        .map_err(because("write a filter of calls"))
}
