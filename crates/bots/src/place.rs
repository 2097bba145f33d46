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
        stay_on(&[here])?;
    }
    Ok(())
}

/// Where one of several threads runs that play match after match.
#[derive(Debug)]
pub struct Place {
    /// All cores that the thread had when it began.
    cores: Vec<usize>,
    own: usize,
    is_on_own: bool,
}

impl Place {
    /// The place of the thread with this number, which is the one that asks; it may still be anywhere.
    pub fn of(thread: usize) -> io::Result<Place> {
        let cores = allowed()?;
        let own = cores.get(thread % cores.len().max(1)).copied();
        Ok(Place {
            own: own.ok_or(io::ErrorKind::NotFound)?,
            cores,
            is_on_own: false,
        })
    }

    /// Keeps the thread on a core of its own while it plays with programs, where several threads share
    /// the cores evenly; and lets it run on any core while it does not, so that no core is idle.
    pub fn stay_on_own(&mut self, stays: bool) -> io::Result<()> {
        if self.is_on_own != stays {
            let own = [self.own];
            stay_on(if stays { &own } else { &self.cores })?;
            self.is_on_own = stays;
        }
        Ok(())
    }
}

/// The cores on which this thread may run.
fn allowed() -> io::Result<Vec<usize>> {
    let set = sched_getaffinity(Pid::from_raw(0))?;
    let cores = (0..CpuSet::count()).filter(|&core| set.is_set(core).unwrap_or(false));
    Ok(cores.collect())
}

fn stay_on(cores: &[usize]) -> io::Result<()> {
    let mut only = CpuSet::new();
    cores.iter().try_for_each(|&core| only.set(core))?;
    Ok(sched_setaffinity(Pid::from_raw(0), &only)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_is_bound_to_one_core_with_programs_and_to_none_without() {
        std::thread::spawn(|| {
            let all = allowed().expect("there are cores");
            let mut place = Place::of(all.len() + 1).expect("there is a core");
            for _ in 0..2 {
                place.stay_on_own(true).expect("it may run there");
                assert_eq!(allowed().expect("there is one"), [all[1 % all.len()]]);
                place.stay_on_own(false).expect("it may run everywhere");
                assert_eq!(allowed().expect("there are cores"), all);
            }
        })
        .join()
        .expect("the thread ends");
    }
}
