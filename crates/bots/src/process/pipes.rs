//! What goes through the pipes of a process: its input, its output and its standard error.

use std::os::fd::OwnedFd;

use nix::errno::Errno;

use super::Process;

/// What waits to be read by a process that does not read. Beyond this its input is closed.
const UNREAD: usize = 4 << 20;

/// How much is read from a pipe at a time, and how often at most when nobody writes any more: no pipe
/// holds more.
const CHUNK: usize = 4 << 10;
const FULL_PIPE: usize = 256;

impl Process {
    /// Sends as much as the process takes now; the rest follows while it is listened to. What a
    /// process does not read is its own loss.
    pub fn send(&mut self, bytes: &[u8]) {
        let taken = match self.unsent.is_empty() {
            true => self.write(bytes),
            false => 0,
        };
        self.unsent.extend_from_slice(&bytes[taken..]);
        if self.unsent.len() > UNREAD {
            // Better an input that ends too early than one with holes in it.
            self.unsent.clear();
            self.stdin = None;
        }
    }

    /// Closes the standard input, once all is sent.
    pub fn close_input(&mut self) {
        self.closing = true;
        if self.unsent.is_empty() {
            self.stdin = None;
        }
    }

    /// Sends what the process has not taken yet, as far as it takes it now.
    pub(super) fn send_the_rest(&mut self) {
        let mut unsent = std::mem::take(&mut self.unsent);
        let taken = self.write(&unsent);
        unsent.drain(..taken);
        self.unsent = unsent;
        if self.closing {
            self.close_input();
        }
    }

    /// Reads what an ended process has still written to its standard error.
    pub(crate) fn read_last_words(&mut self) {
        for _ in 0..FULL_PIPE {
            if !self.read_errors() {
                break;
            }
        }
    }

    /// Reads what an ended process has left in its pipes, as far as it may be long.
    pub(super) fn read_what_is_left(&mut self) {
        for _ in 0..FULL_PIPE {
            if self.output.len() > self.limits.output || !self.read_output() {
                break;
            }
        }
        self.read_last_words();
    }

    /// Reads some output; false if there is none now.
    pub(super) fn read_output(&mut self) -> bool {
        let mut chunk = [0; CHUNK];
        let Some(length) = read(&mut self.stdout, &mut chunk) else {
            self.stdout = None;
            return false;
        };
        self.output.extend_from_slice(&chunk[..length]);
        length > 0
    }

    /// The same for the standard error.
    pub(super) fn read_errors(&mut self) -> bool {
        let mut chunk = [0; CHUNK];
        let Some(length) = read(&mut self.stderr, &mut chunk) else {
            self.stderr = None;
            return false;
        };
        self.errors.add(&chunk[..length]);
        length > 0
    }

    /// Takes the output that has been read.
    pub(crate) fn take_output(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.output)
    }

    /// Writes what can be written now; returns how much needs no more attention.
    fn write(&mut self, bytes: &[u8]) -> usize {
        let Some(stdin) = &self.stdin else {
            return bytes.len();
        };
        match nix::unistd::write(stdin, bytes) {
            Ok(taken) => taken,
            Err(Errno::EAGAIN | Errno::EINTR) => 0,
            Err(_) => {
                // Nobody reads any more; whether that matters shows when an answer is due.
                self.stdin = None;
                bytes.len()
            }
        }
    }
}

/// How much was read, possibly nothing; none at the end of the file.
fn read(end: &mut Option<OwnedFd>, chunk: &mut [u8]) -> Option<usize> {
    match nix::unistd::read(end.as_ref()?, chunk) {
        Ok(0) => None,
        Ok(length) => Some(length),
        Err(Errno::EAGAIN | Errno::EINTR) => Some(0),
        Err(_) => None,
    }
}
