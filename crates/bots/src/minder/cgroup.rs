//! A control group for a bot and its minder, where we may make one (cgroups, version 2).
//!
//! What the minder can only find out by looking from time to time, the kernel knows at every moment
//! for the whole group: who is in it, the processor time of all who are or were, their memory, their
//! number. Nobody leaves a group without the right to write to the files of another one.
//!
//! A group is made beside the one that we are in ourselves, as a group with processes in it cannot
//! have groups with limits below. Root may do that, and whoever was given that part of the tree, as
//! systemd does for everything below a user's own service manager. Memory and number of processes
//! are counted where those controllers are enabled there. What is not there is looked after as
//! without a group.
//!
//! The minder joins the group once, and its children are born in it: to move a process is slow.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process;
use std::thread;
use std::time::Duration;

use nix::unistd::Pid;

use crate::Limits;

/// How our groups are called; the number of the minder follows.
const KIND: &str = "croupier-bot-";

/// What a minder takes itself, and how many processes more than it may have a bot can start before
/// the kernel refuses it another one, if it has not been killed before.
const MINDERS_MEMORY: u64 = 32 << 20;
const ROOM: u64 = 64;

/// How long the dead are given to leave a group.
const MOMENT: Duration = Duration::from_millis(1);

/// A group with a minder and all processes of its bot.
pub(super) struct Cgroup(PathBuf);

impl Cgroup {
    /// Makes a group with these limits and joins it, if we may.
    pub(super) fn join(limits: &Limits) -> Option<Cgroup> {
        let place = place()?;
        sweep(&place);
        let group = Cgroup(place.join(format!("{KIND}{}", process::id())));
        fs::create_dir(&group.0).ok()?;
        // Where the controllers are not enabled there are no such files.
        let most = [
            ("memory.max", limits.memory.saturating_add(MINDERS_MEMORY)),
            ("memory.swap.max", 0),
            ("pids.max", u64::from(limits.processes) + ROOM),
        ];
        for (file, most) in most
            .into_iter()
            .filter(|(file, _)| group.0.join(file).exists())
        {
            let _ = fs::write(group.0.join(file), most.to_string());
        }
        if fs::write(group.0.join("cgroup.procs"), "0").is_err() || group.cpu().is_none() {
            let _ = fs::remove_dir(&group.0);
            return None;
        }
        Some(group)
    }

    /// What the kernel counts in this group.
    pub(super) fn counted(&self) -> Vec<String> {
        let counted = [
            ("cpu.stat", "processor time"),
            ("memory.max", "memory"),
            ("pids.max", "processes"),
        ];
        let counted = counted
            .into_iter()
            .filter(|(file, _)| self.0.join(file).exists());
        counted.map(|(_, what)| what.to_owned()).collect()
    }

    /// All processes in the group.
    pub(super) fn members(&self) -> Vec<Pid> {
        let list = fs::read_to_string(self.0.join("cgroup.procs")).unwrap_or_default();
        let pids = list.lines().flat_map(str::parse);
        pids.map(Pid::from_raw).collect()
    }

    /// The processor time of all who are in the group and of all who were.
    pub(super) fn cpu(&self) -> Option<Duration> {
        self.number("cpu.stat", "usage_usec")
            .map(Duration::from_micros)
    }

    /// How often the kernel has killed somebody because the group had too much memory.
    pub(super) fn killed_for_memory(&self) -> u64 {
        self.number("memory.events", "oom_kill").unwrap_or(0)
    }

    fn number(&self, file: &str, name: &str) -> Option<u64> {
        let text = fs::read_to_string(self.0.join(file)).ok()?;
        let mut lines = text.lines().filter_map(|line| line.split_once(' '));
        lines.find(|(key, _)| *key == name)?.1.parse().ok()
    }
}

/// Removes the group of a minder that has ended, if it had one.
pub(super) fn remove(minder: Pid) {
    let Some(place) = place() else { return };
    let group = place.join(format!("{KIND}{minder}"));
    // The dead leave it a moment after they were buried. What stays is removed by the next one.
    for _ in 0..20 {
        match fs::remove_dir(&group) {
            Err(error) if error.kind() == io::ErrorKind::ResourceBusy => thread::sleep(MOMENT),
            _ => return,
        }
    }
}

/// Where groups of bots are made: beside our own.
fn place() -> Option<PathBuf> {
    let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
    let ours = groups.lines().find_map(|line| line.strip_prefix("0::/"))?;
    let roots = ["/sys/fs/cgroup", "/sys/fs/cgroup/unified"].map(Path::new);
    let root = roots
        .into_iter()
        .find(|root| root.join("cgroup.procs").exists())?;
    // Nothing is beside the root.
    let beside = (!ours.is_empty()).then(|| root.join(ours))?;
    beside.parent().map(Path::to_owned)
}

/// Removes what is left of minders that were killed. The kernel does not remove a group with
/// somebody in it.
fn sweep(place: &Path) {
    for entry in fs::read_dir(place).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let minder = name.to_str().and_then(|name| name.strip_prefix(KIND));
        if minder.is_some_and(|minder| !Path::new("/proc").join(minder).exists()) {
            let _ = fs::remove_dir(entry.path());
        }
    }
}
