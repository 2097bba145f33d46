//! Signals that ask a program to stop.

use std::fs;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use signal_hook::consts::SIGINT;
use signal_hook::{flag, low_level::pipe};

/// How long after the first Ctrl-C a second one is taken for the same: a shell or `timeout` may
/// tell the program and then its whole group.
const SAME_CTRL_C: Duration = Duration::from_millis(500);

/// Somebody wants to stop: a flag for those who look and an open file for those who wait.
#[derive(Clone, Debug)]
pub struct Interrupt {
    raised: Arc<AtomicBool>,
    end: Arc<OwnedFd>,
}

impl Interrupt {
    /// Takes these signals for such a wish from now on.
    pub fn install(signals: &[i32]) -> io::Result<Interrupt> {
        let raised = Arc::new(AtomicBool::new(false));
        let (end, wish) = UnixStream::pair()?;
        for &signal in signals {
            flag::register(signal, Arc::clone(&raised))?;
            pipe::register(signal, wish.try_clone()?)?;
        }
        Ok(Interrupt {
            raised,
            end: Arc::new(end.into()),
        })
    }

    /// Takes the first Ctrl-C for such a wish, so that what is finished is kept, and does `then`; the
    /// second one ends the program on the spot.
    pub fn on_ctrl_c(then: fn()) -> io::Result<Interrupt> {
        let second = Arc::new(AtomicBool::new(false));
        flag::register_conditional_shutdown(SIGINT, 130, Arc::clone(&second))?;
        let interrupt = Interrupt::install(&[SIGINT])?;
        let first = interrupt.clone();
        thread::Builder::new().spawn(move || {
            let mut end = [PollFd::new(first.end(), PollFlags::POLLIN)];
            while poll(&mut end, PollTimeout::NONE) == Err(Errno::EINTR) {}
            then();
            thread::sleep(SAME_CTRL_C);
            second.store(true, Ordering::Relaxed);
        })?;
        Ok(interrupt)
    }

    /// What becomes readable, and stays so.
    pub fn end(&self) -> BorrowedFd<'_> {
        self.end.as_fd()
    }

    /// What turns true.
    pub fn flag(&self) -> &AtomicBool {
        &self.raised
    }

    /// Whether somebody wants to stop.
    pub fn is_raised(&self) -> bool {
        self.raised.load(Ordering::Relaxed)
    }

    /// Waits until this can be done with a file at once, such as writing a few lines to it; false
    /// if somebody wants to stop first.
    pub fn leaves_time_for(&self, what: PollFlags, file: BorrowedFd<'_>) -> bool {
        loop {
            let mut ends = [
                PollFd::new(file, what),
                PollFd::new(self.end(), PollFlags::POLLIN),
            ];
            match poll(&mut ends, PollTimeout::NONE) {
                Err(Errno::EINTR) => {}
                // What cannot be waited for is tried, and shows then what is wrong with it.
                Err(_) => return true,
                Ok(_) => return ends[0].any().unwrap_or(true),
            }
        }
    }
}

/// Whether whoever started this program wants it to ignore a signal, as `nohup` does.
pub fn is_ignored(signal: i32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    ignored.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}
