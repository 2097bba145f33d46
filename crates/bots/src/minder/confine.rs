//! What holds the processes of a bot.
//!
//! What its minder can live with it takes on itself, once, and its children inherit it: a namespace,
//! no privileges to gain, the filter of system calls. What would bind the minder's hands — limits,
//! the files that may be opened — is put on each process between its birth and its program.
//!
//! Everything here fails closed: what cannot be enforced is an error with the reason.

use std::cell::Cell;
use std::fs;
use std::io::Read as _;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use landlock::{
    ABI, Access, AccessFs, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset, RulesetAttr,
    RulesetCreatedAttr,
};
use nix::errno::Errno;
use nix::fcntl::{OFlag, open};
use nix::mount::{MsFlags, mount};
use nix::sched::{CloneFlags, unshare};
use nix::sys::prctl;
use nix::sys::resource::{Resource, getrlimit};
use nix::sys::stat::Mode;
use nix::sys::wait::{Id, WaitPidFlag, waitid, waitpid};
use nix::unistd::{Pid, getgid, getpid, getuid};
use seccompiler::apply_filter;

use super::cgroup::Cgroup;
use super::family::{self, Told};
use super::inside::{INIT, READY};
use super::launch::Launch;
use super::{ARGUMENT, Job, calls};
use crate::Tier;

/// What a strictly held program may read: the system's programs and libraries, and nothing that
/// tells of people or of other processes.
pub(crate) const SYSTEM: &[&str] = &[
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
    // Without it Node.js does not start.
    "/etc/ssl/openssl.cnf",
    "/dev/urandom",
    "/dev/random",
    "/dev/zero",
];

/// What it may write to besides its folder.
const SINK: &str = "/dev/null";

/// What is in force for all processes of a bot together.
pub(super) struct Confinement {
    /// The first process of the bot's own namespace, which is ours.
    init: Option<Child>,
    inits: Option<Inits>,
    /// Our own children.
    children: Told,
    /// The control group in which we and the bot are, if we may have one.
    pub(super) group: Option<Cgroup>,
    /// The bot's folder, if that is a file system of its own.
    folder: Option<OwnedFd>,
}

/// What the kernel tells of the first process of the bot's own namespace.
struct Inits {
    children: Told,
    stat: Told,
    /// Its own processor time when its account was last read, and what that showed. As long as it has not run,
    /// it has buried nobody.
    account: Cell<(Duration, Duration)>,
}

impl Confinement {
    /// Puts in force what the job asks for, or says what is missing; and gets ready to put the
    /// rest on each process.
    pub(super) fn prepare(job: &Job) -> Result<(Confinement, Launch), String> {
        prctl::set_child_subreaper(true).map_err(because("adopt what it leaves behind"))?;
        let (is_held, is_strict) = (job.tier != Tier::None, job.tier == Tier::Strict);
        if is_held {
            prctl::set_no_new_privs().map_err(because("renounce privileges"))?;
            renounce_capabilities().map_err(because("renounce the capabilities of root"))?;
            go_first();
            keep_files_to_itself()?;
        }
        let group = is_held.then(|| Cgroup::join(&job.limits)).flatten();
        if is_strict {
            leave_the_world()?;
        }
        let folder = job.room.and_then(|room| own_folder(job, room).ok());
        let init = is_strict.then(begin_a_world).transpose()?;
        let told = because("hear of its processes");
        let inits = init.as_ref().map(|init| {
            let init = Pid::from_raw(init.id() as i32);
            let children = Told::children(init)?;
            let stat = Told::stat(init)?;
            let account = Cell::default();
            Ok(Inits {
                children,
                stat,
                account,
            })
        });
        let inits = inits.transpose().map_err(&told)?;
        let children = Told::children(getpid()).map_err(&told)?;
        let limits = if is_held { limits(job)? } else { Vec::new() };
        let files = is_strict.then(|| files(job)).transpose()?;
        if is_strict {
            let filters = calls::filters().map_err(because("write a filter of calls"))?;
            for filter in &filters {
                apply_filter(filter).map_err(because("filter calls"))?;
            }
        }
        let mut launch = Launch::new(job, limits, files).map_err(because("be started"))?;
        launch.rehearse().map_err(|error| error.to_string())?;
        if is_held {
            // Through us the bot could reach what it is started from.
            prctl::set_dumpable(false).map_err(because("be out of its reach"))?;
        }
        let confinement = Confinement {
            init,
            inits,
            children,
            group,
            folder,
        };
        Ok((confinement, launch))
    }

    /// The first process of the bot's own namespace, which is ours.
    pub(super) fn init(&self) -> Option<Pid> {
        let init = self.init.as_ref();
        init.map(|init| Pid::from_raw(init.id() as i32))
    }

    /// The bot's folder, if that is a file system of its own.
    pub(super) fn folder(&self) -> Option<BorrowedFd<'_>> {
        self.folder.as_ref().map(AsFd::as_fd)
    }

    /// Whether something of the bot but its template is left when its main process has ended. Orphans
    /// are children of the minder, or of the first process of their namespace.
    pub(super) fn has_orphans(&self, template: Option<Pid>) -> bool {
        let init = self.init();
        if init.is_none() && template.is_none() {
            let flags = WaitPidFlag::WEXITED | WaitPidFlag::WNOHANG | WaitPidFlag::WNOWAIT;
            return waitid(Id::All, flags) != Err(Errno::ECHILD);
        }
        let is_orphan = |child: Pid| Some(child) != init && Some(child) != template;
        let lists = [
            Some(&self.children),
            self.inits.as_ref().map(|told| &told.children),
        ];
        let mut children = lists.into_iter().flatten().flat_map(Told::pids);
        children.any(is_orphan)
    }

    /// The processor time of those whom the first process of their namespace has buried.
    pub(super) fn buried_by_init(&self) -> Duration {
        let (Some(init), Some(told)) = (self.init(), &self.inits) else {
            return Duration::ZERO;
        };
        let own = family::cpu(init);
        let (own_before, buried_before) = told.account.get();
        if own == own_before {
            return buried_before;
        }
        let buried = family::buried_by(&told.stat);
        told.account.set((own, buried));
        buried
    }
}

impl Drop for Confinement {
    /// With the first process of a namespace all others in it go. It is gone last, after those that
    /// are our own children and for us to bury.
    fn drop(&mut self) {
        if let Some(init) = &mut self.init {
            drop(init.stdin.take());
            while waitpid(None, None).is_ok() {}
        }
    }
}

/// Turns an error into a reason, as in "it cannot …".
fn because<E: std::fmt::Display>(what: &str) -> impl Fn(E) -> String + '_ {
    move |error| format!("it cannot {what}: {error}")
}

/// The capabilities of root with which a program gets round what it is held by, by their numbers.
const RENOUNCED: [u32; 4] = [
    9,  // CAP_LINUX_IMMUTABLE: it could make a file that nobody removes before that is undone
    19, // CAP_SYS_PTRACE: it could reach its template
    23, // CAP_SYS_NICE: it could run before its minder, and before everything else
    24, // CAP_SYS_RESOURCE: it could raise its limits
];

/// Has no program that is started from here have these capabilities, which root's would have. We keep
/// them ourselves.
fn renounce_capabilities() -> nix::Result<()> {
    #[repr(C)]
    struct Header {
        version: u32,
        pid: i32,
    }
    #[derive(Clone, Copy, Default)]
    #[repr(C)]
    struct Sets {
        effective: u32,
        permitted: u32,
        inheritable: u32,
    }
    let third_version = 0x2008_0522;
    let mut header = Header {
        version: third_version,
        pid: 0,
    };
    let mut sets = [Sets::default(); 2];
    // SAFETY: the kernel reads and fills in plain values, whose form this version of the calls has; only
    // what the programs that are started from here may have changes.
    #[expect(unsafe_code, reason = "there are no safe calls for these")]
    unsafe {
        Errno::result(libc::syscall(libc::SYS_capget, &mut header, &mut sets))?;
        for number in RENOUNCED {
            let capability = libc::c_ulong::from(number);
            if libc::prctl(libc::PR_CAPBSET_READ, capability) == 1 && getuid().is_root() {
                Errno::result(libc::prctl(libc::PR_CAPBSET_DROP, capability))?;
            }
            sets[0].inheritable &= !(1 << number);
        }
        Errno::result(libc::syscall(libc::SYS_capset, &mut header, &sets)).map(drop)
    }
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
fn dam(job: &Job) -> Result<Option<u64>, String> {
    if getuid().is_root() {
        return Ok(None);
    }
    let others = match job.tier {
        // The minder, the first process of the namespace, and a template.
        Tier::Strict => 3 + ROOM_ALONE,
        Tier::None | Tier::Limits => tasks_of_user() + ROOM_AMONG_OTHERS,
    };
    let (_, hard) = getrlimit(Resource::RLIMIT_NPROC).map_err(because("limit processes"))?;
    Ok(Some(hard.min(others + u64::from(job.limits.processes))))
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
fn limits(job: &Job) -> Result<Vec<(Resource, u64)>, String> {
    let limits = &job.limits;
    let data = (!job.is_sanitized).then_some((Resource::RLIMIT_DATA, limits.memory));
    let processes = dam(job)?.map(|most| (Resource::RLIMIT_NPROC, most));
    let always = [
        (Resource::RLIMIT_CORE, 0),
        (Resource::RLIMIT_NOFILE, limits.files),
        (Resource::RLIMIT_FSIZE, limits.file_size),
        // Some users may have their processes run before others.
        (Resource::RLIMIT_RTPRIO, 0),
        (Resource::RLIMIT_NICE, 0),
    ];
    Ok(always.into_iter().chain(data).chain(processes).collect())
}

/// Moves into namespaces in which there is nothing: no other process, no network, no privilege
/// that means anything outside.
fn leave_the_world() -> Result<(), String> {
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
    map("gid_map", &format!("1000 {group} 1"))
}

/// Makes the bot's folder a file system of its own, in memory, that has room for so much. Nobody else sees it
/// there, and whoever fills it has filled nothing but that. Not every machine lets us.
fn own_folder(job: &Job, room: u64) -> nix::Result<OwnedFd> {
    unshare(CloneFlags::CLONE_NEWNS)?;
    let options = format!("mode=700,size={room},nr_inodes={MOST_FILES}");
    let flags = MsFlags::MS_NOSUID | MsFlags::MS_NODEV;
    mount(
        Some("croupier"),
        job.folder.as_os_str(),
        Some("tmpfs"),
        flags,
        Some(options.as_str()),
    )?;
    let how = OFlag::O_PATH | OFlag::O_DIRECTORY | OFlag::O_CLOEXEC;
    open(job.folder.as_os_str(), how, Mode::empty())
}

/// How many files there can be in such a folder.
const MOST_FILES: u32 = 8192;

/// Starts the first process of our new world.
fn begin_a_world() -> Result<Child, String> {
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
fn files(job: &Job) -> Result<OwnedFd, String> {
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
    for path in &job.readable {
        allow(Path::new(path), read)?;
    }
    allow(Path::new(SINK), AccessFs::ReadFile | AccessFs::WriteFile)?;
    let folder = if job.may_write {
        read | AccessFs::WriteFile
            | AccessFs::MakeReg
            | AccessFs::RemoveFile
            | AccessFs::Truncate
            | AccessFs::ReadDir
    } else {
        read
    };
    allow(Path::new(&job.folder), folder)?;
    let rules: Option<OwnedFd> = rules.into();
    rules.ok_or_else(|| "it cannot restrict files: this kernel has no Landlock".to_owned())
}
