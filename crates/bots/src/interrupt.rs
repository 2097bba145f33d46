//! Signals that ask a program to stop.

use std::fs;
use std::io::{self, Write as _};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use croupier_core::Cancel;
use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use signal_hook::consts::SIGINT;
use signal_hook::{flag, low_level::pipe};

/// How long after the first Ctrl-C a second one is taken for the same: a shell or `timeout` may
/// tell the program and then its whole group.
const SAME_CTRL_C: Duration = Duration::from_millis(500);

/// Somebody wants to stop: a [`Cancel`] for those who look and an open file for those who wait.
#[derive(Clone, Debug)]
pub struct Interrupt {
    cancel: Cancel,
    end: Arc<OwnedFd>,
    wish: Arc<UnixStream>,
}

impl Interrupt {
    /// An interrupt that is raised by hand, for one table among others.
    pub fn new() -> io::Result<Interrupt> {
        let (end, wish) = UnixStream::pair()?;
        Ok(Interrupt {
            cancel: Cancel::new(),
            end: Arc::new(end.into()),
            wish: Arc::new(wish),
        })
    }

    /// Takes these signals for such a wish from now on.
    pub fn install(signals: &[i32]) -> io::Result<Interrupt> {
        let interrupt = Interrupt::new()?;
        for &signal in signals {
            flag::register(signal, interrupt.cancel.flag())?;
            pipe::register(signal, interrupt.wish.try_clone()?)?;
        }
        // A signal that came between the two is known to those who look and not to those who wait.
        if interrupt.is_raised() {
            interrupt.raise();
        }
        Ok(interrupt)
    }

    /// Takes the first Ctrl-C for such a wish, so that what is finished is kept; the second one ends
    /// the program on the spot.
    pub fn on_ctrl_c() -> io::Result<Interrupt> {
        // The wish comes first: from the first of these lines on a signal does not end us any more, and
        // none may be lost.
        let interrupt = Interrupt::install(&[SIGINT])?;
        let second = Arc::new(AtomicBool::new(false));
        flag::register_conditional_shutdown(SIGINT, 130, Arc::clone(&second))?;
        let first = interrupt.clone();
        thread::Builder::new().spawn(move || {
            let mut end = [PollFd::new(first.end(), PollFlags::POLLIN)];
            while poll(&mut end, PollTimeout::NONE) == Err(Errno::EINTR) {}
            thread::sleep(SAME_CTRL_C);
            second.store(true, Ordering::Relaxed);
        })?;
        Ok(interrupt)
    }

    /// Wants to stop.
    pub fn raise(&self) {
        self.cancel.cancel();
        // If the pipe is full, it is readable already.
        let _ = (&*self.wish).write(&[0]);
    }

    /// What becomes readable, and stays so.
    pub fn end(&self) -> BorrowedFd<'_> {
        self.end.as_fd()
    }

    /// What is cancelled with it.
    pub fn cancel(&self) -> &Cancel {
        &self.cancel
    }

    /// Whether somebody wants to stop.
    pub fn is_raised(&self) -> bool {
        self.cancel.is_cancelled()
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
