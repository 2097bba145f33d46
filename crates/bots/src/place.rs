//! Where the processes of a match run.

use std::io;

use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
use nix::unistd::Pid;

/// Keeps this thread, and every process that is started from it, on the core on which it runs now.
///
/// In a match one waits while the other thinks, so a second core adds nothing but the way to it:
/// waking a process on the same core is up to ten times as fast.
pub fn stay_on_one_core() -> io::Result<()> {
    let here = nix::sched::sched_getcpu()?;
    if allowed()?.contains(&here) {
        stay_on(here)?;
    }
    Ok(())
}

/// The same for one of several threads with a match each: they share the cores evenly.
pub fn stay_on_own_core(thread: usize) -> io::Result<()> {
    let cores = allowed()?;
    match cores.len() {
        0 => Ok(()),
        count => stay_on(cores[thread % count]),
    }
}

/// The cores on which this thread may run.
fn allowed() -> io::Result<Vec<usize>> {
    let set = sched_getaffinity(Pid::from_raw(0))?;
    let cores = (0..CpuSet::count()).filter(|&core| set.is_set(core).unwrap_or(false));
    Ok(cores.collect())
}

fn stay_on(core: usize) -> io::Result<()> {
    let mut only = CpuSet::new();
    only.set(core)?;
    Ok(sched_setaffinity(Pid::from_raw(0), &only)?)
}
