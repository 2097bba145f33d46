//! The processes below a process: counted, measured, killed to the last.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io;
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::time::{ClockId, clock_gettime};
use nix::unistd::{Pid, SysconfVar, sysconf};

use super::HowEnded;

/// The processes below `root`, found through the kernel's lists of children: all of them, or more
/// than `enough`.
///
/// A process that is born while the lists are read may be missed; it is found the next time.
pub(super) fn below(root: Pid, except: &[Pid], enough: usize) -> Vec<Pid> {
    let mut found = Vec::new();
    let mut parents = vec![root];
    while let Some(parent) = parents.pop()
        && found.len() <= enough
    {
        for child in children(parent) {
            if !except.contains(&child) {
                found.push(child);
            }
            parents.push(child);
        }
    }
    found
}

/// The processor time of a process at this moment.
pub(super) fn cpu(pid: Pid) -> Duration {
    let clock = ClockId::pid_cpu_clock_id(pid);
    let time = clock.and_then(clock_gettime);
    time.map_or(Duration::ZERO, Duration::from)
}

fn children(parent: Pid) -> Vec<Pid> {
    let Ok(threads) = fs::read_dir(format!("/proc/{parent}/task")) else {
        return Vec::new();
    };
    let threads = threads.flatten();
    let lists =
        threads.filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    lists.flat_map(|list| pids(&list)).collect()
}

fn pids(list: &str) -> Vec<Pid> {
    let pids = list.split_whitespace().flat_map(str::parse);
    pids.map(Pid::from_raw).collect()
}

/// What the kernel tells of a process, kept open: opening it costs more than reading it again.
pub(super) struct Told(File);

impl Told {
    /// The children of a process with one thread.
    pub(super) fn children(parent: Pid) -> io::Result<Told> {
        File::open(format!("/proc/{parent}/task/{parent}/children")).map(Told)
    }

    /// How a process is, and what it has used.
    pub(super) fn stat(pid: Pid) -> io::Result<Told> {
        File::open(format!("/proc/{pid}/stat")).map(Told)
    }

    /// The limits of a process.
    pub(super) fn limits(pid: Pid) -> io::Result<Told> {
        File::open(format!("/proc/{pid}/limits")).map(Told)
    }

    /// The processes in a list, or the first of them if it is very long.
    pub(super) fn pids(&self) -> Vec<Pid> {
        pids(&self.text())
    }

    /// What it tells now, or the beginning of it if that is very long.
    pub(super) fn text(&self) -> String {
        let mut text = [0; 2048];
        let length = self.0.read_at(&mut text, 0).unwrap_or(0);
        String::from_utf8_lossy(&text[..length]).into_owned()
    }
}

/// A child of ours that has ended and was waited for.
pub(super) struct Buried {
    pub(super) pid: Pid,
    pub(super) how: HowEnded,
    /// The most memory that it or one of the children that it had buried itself had, in bytes.
    pub(super) peak_memory: u64,
    /// The processor time of all of these.
    pub(super) cpu: Duration,
}

/// The next child that has ended, if there is one.
pub(super) fn bury_any() -> Option<Buried> {
    wait(-1, libc::WNOHANG)
}

/// Waits until this child has ended.
pub(super) fn bury(child: Pid) -> Option<Buried> {
    wait(child.as_raw(), 0)
}

fn wait(which: i32, flags: i32) -> Option<Buried> {
    let (mut status, mut pid);
    let mut usage: libc::rusage;
    loop {
        status = 0;
        // SAFETY: both are plain values that the kernel fills in.
        #[expect(unsafe_code, reason = "there is no safe wait that tells what was used")]
        unsafe {
            usage = std::mem::zeroed();
            pid = libc::wait4(which, &mut status, flags, &mut usage);
        }
        if pid <= 0 {
            return None;
        }
        // Who asks to be traced by its parent makes us hear of its stops too.
        if !libc::WIFSTOPPED(status) {
            break;
        }
    }
    let time = |time: libc::timeval| {
        Duration::from_secs(time.tv_sec as u64) + Duration::from_micros(time.tv_usec as u64)
    };
    Some(Buried {
        pid: Pid::from_raw(pid),
        how: if libc::WIFSIGNALED(status) {
            HowEnded::Signal(libc::WTERMSIG(status))
        } else {
            HowEnded::Status(libc::WEXITSTATUS(status))
        },
        peak_memory: usage.ru_maxrss as u64 * 1024,
        cpu: time(usage.ru_utime) + time(usage.ru_stime),
    })
}

/// Processes that hold an end of one of these pipes, except those that run the same program as we
/// do: they are our own, about to become something else.
pub(super) fn holders(pipes: &[u64]) -> Vec<Pid> {
    let names: Vec<String> = pipes.iter().map(|pipe| format!("pipe:[{pipe}]")).collect();
    let ours = fs::read_link("/proc/self/exe").ok();
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    processes
        .filter(|process| fs::read_link(process.path().join("exe")).ok() != ours)
        .filter(|process| {
            let files = fs::read_dir(process.path().join("fd"));
            files.into_iter().flatten().flatten().any(|file| {
                let target = fs::read_link(file.path()).unwrap_or_default();
                names.iter().any(|name| target.as_os_str() == name.as_str())
            })
        })
        .flat_map(|process| process.file_name().to_str()?.parse().ok())
        .map(Pid::from_raw)
        .collect()
}

/// What a family of processes holds and has used at this moment.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Holding {
    /// Bytes of memory.
    pub(super) memory: u64,
    /// How many of these are tables in which the kernel keeps where pages lie: who only reads, here and there
    /// in a vast space, has hardly any pages of its own, and as many tables as it likes.
    pub(super) tables: u64,
    /// Processor time.
    pub(super) cpu: Duration,
    /// The time that the task with most of it has had on a processor and in the queue for one.
    pub(super) longest: Duration,
}

/// How many processes and threads these are.
pub(super) fn tasks(family: &[Pid]) -> usize {
    let threads = |&pid: &Pid| stat(pid).get(17)?.parse().ok();
    family
        .iter()
        .map(|pid| threads(pid).unwrap_or(0).max(1))
        .sum()
}

/// What these processes hold; those that have ended in the meantime hold nothing.
pub(super) fn holding(family: &[Pid]) -> Holding {
    let mut all = Holding::default();
    for pid in family {
        let status = fs::read(format!("/proc/{pid}/status")).unwrap_or_default();
        let status = String::from_utf8_lossy(&status);
        let tables = kilobytes(&status, "VmPTE:").unwrap_or(0);
        all.memory += kilobytes(&status, "VmRSS:").unwrap_or(0) + tables;
        all.tables += tables;
        let mut running = Duration::ZERO;
        for thread in fs::read_dir(format!("/proc/{pid}/task"))
            .into_iter()
            .flatten()
            .flatten()
        {
            let schedule = fs::read_to_string(thread.path().join("schedstat")).unwrap_or_default();
            let mut words = schedule
                .split_whitespace()
                .map(|word| word.parse().unwrap_or(0));
            let ran = Duration::from_nanos(words.next().unwrap_or(0));
            let queued = Duration::from_nanos(words.next().unwrap_or(0));
            all.longest = all.longest.max(ran + queued);
            running += ran;
        }
        all.cpu += running.max(ticks(&stat(*pid), 0..4));
    }
    all
}

/// The processor time of the children that a process has buried.
pub(super) fn buried_by(stat: &Told) -> Duration {
    ticks(&after_the_name(&stat.text()), 2..4)
}

/// What a process has used of the processor, to a hundredth of a second: in user mode and in the
/// kernel, with its threads that are gone; and the same of the children that it has buried.
fn ticks(words: &[String], which: Range<usize>) -> Duration {
    let ticks = words.iter().skip(11).take(4);
    let ticks = ticks.map(|word| word.parse::<u64>().unwrap_or(0));
    let ticks: u64 = ticks.skip(which.start).take(which.len()).sum();
    let second = sysconf(SysconfVar::CLK_TCK).ok().flatten().unwrap_or(100) as u64;
    Duration::from_millis(ticks * 1000 / second.max(1))
}

/// The memory of these processes, where each has its share of what several have in common.
pub(super) fn fair_memory(family: &[Pid]) -> u64 {
    let fair = |pid: &Pid| {
        let whole = holding(std::slice::from_ref(pid));
        let text = fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).ok();
        let share = text.and_then(|text| kilobytes(&text, "Pss:"));
        share.map_or(whole.memory, |share| share + whole.tables)
    };
    family.iter().map(fair).sum()
}

/// What stands behind this name, in bytes.
fn kilobytes(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    let kilobytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes * 1024)
}

/// Kills all processes of a family, which is looked for again until nobody new is found, and
/// returns them. All are stopped before any is killed: what is stopped cannot have children any
/// more.
pub(super) fn kill_all(family: impl Fn() -> Vec<Pid>) -> BTreeSet<Pid> {
    let mut stopped = BTreeSet::new();
    loop {
        let mut new = family();
        new.retain(|pid| !stopped.contains(pid) && !is_dead(*pid));
        if new.is_empty() {
            break;
        }
        for &pid in &new {
            let _ = kill(pid, Signal::SIGSTOP);
        }
        stopped.extend(new);
    }
    for &pid in &stopped {
        let _ = kill(pid, Signal::SIGKILL);
    }
    stopped
}

/// Whether a process has ended and only waits to be buried.
fn is_dead(pid: Pid) -> bool {
    let words = stat(pid);
    matches!(words.first().map(String::as_str), None | Some("Z" | "X"))
}

/// Whether a process was stopped.
pub(super) fn is_stopped(pid: Pid) -> bool {
    let words = stat(pid);
    matches!(words.first().map(String::as_str), Some("T" | "t"))
}

/// What the kernel tells of a process after its name, which may hold anything: its state first.
fn stat(pid: Pid) -> Vec<String> {
    let stat = fs::read(format!("/proc/{pid}/stat")).unwrap_or_default();
    after_the_name(&String::from_utf8_lossy(&stat))
}

fn after_the_name(stat: &str) -> Vec<String> {
    let rest = stat.rsplit_once(')').map_or("", |(_, rest)| rest);
    rest.split_whitespace().map(str::to_owned).collect()
}
