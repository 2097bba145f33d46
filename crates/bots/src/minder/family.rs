//! The processes below a process: counted, measured, killed to the last.

use std::fs;
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::{Pid, SysconfVar, sysconf};

/// All processes below `root`, found through the kernel's lists of children.
///
/// A process that is born while the lists are read may be missed; it is found the next time.
pub(super) fn below(root: Pid, except: Option<Pid>) -> Vec<Pid> {
    let mut found = Vec::new();
    let mut parents = vec![root];
    while let Some(parent) = parents.pop() {
        for child in children(parent) {
            if Some(child) != except {
                found.push(child);
            }
            parents.push(child);
        }
    }
    found
}

fn children(parent: Pid) -> Vec<Pid> {
    let Ok(threads) = fs::read_dir(format!("/proc/{parent}/task")) else {
        return Vec::new();
    };
    let lists = threads.flatten().filter_map(|thread| {
        let path = thread.path().join("children");
        fs::read_to_string(path).ok()
    });
    lists
        .flat_map(|list| {
            let pids: Vec<i32> = list.split_whitespace().flat_map(str::parse).collect();
            pids
        })
        .map(Pid::from_raw)
        .collect()
}

/// What a family of processes holds and has used at this moment.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Holding {
    /// Bytes of memory.
    pub(super) memory: u64,
    /// Processes and threads.
    pub(super) tasks: u32,
    /// Processor time.
    pub(super) cpu: Duration,
    /// Time for which they could have run but did not.
    pub(super) kept_waiting: Duration,
}

/// What these processes hold; those that have ended in the meantime hold nothing.
pub(super) fn holding(family: &[Pid]) -> Holding {
    let mut all = Holding::default();
    for pid in family {
        let page = sysconf(SysconfVar::PAGE_SIZE)
            .ok()
            .flatten()
            .unwrap_or(4096) as u64;
        all.memory += page * second_word(&format!("/proc/{pid}/statm")).unwrap_or(0);
        for thread in fs::read_dir(format!("/proc/{pid}/task"))
            .into_iter()
            .flatten()
            .flatten()
        {
            all.tasks += 1;
            let schedule = fs::read_to_string(thread.path().join("schedstat")).unwrap_or_default();
            let mut words = schedule
                .split_whitespace()
                .map(|word| word.parse().unwrap_or(0));
            all.cpu += Duration::from_nanos(words.next().unwrap_or(0));
            all.kept_waiting += Duration::from_nanos(words.next().unwrap_or(0));
        }
    }
    all
}

fn second_word(path: &str) -> Option<u64> {
    fs::read_to_string(path)
        .ok()?
        .split_whitespace()
        .nth(1)?
        .parse()
        .ok()
}

/// Kills all processes below `root` and returns how many there were. All are stopped before any
/// is killed: what is stopped cannot have children any more.
pub(super) fn kill_all(root: Pid, except: Option<Pid>) -> u32 {
    let mut stopped: Vec<Pid> = Vec::new();
    loop {
        let mut new: Vec<Pid> = below(root, except);
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
    stopped.len() as u32
}

/// Whether a process has ended and only waits to be buried.
fn is_dead(pid: Pid) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let state = stat
        .rsplit(')')
        .next()
        .and_then(|rest| rest.split_whitespace().next());
    matches!(state, None | Some("Z" | "X"))
}
