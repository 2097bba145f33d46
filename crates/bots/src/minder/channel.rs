//! Messages between referee and minder: JSON in packets, with open files attached.

use std::io::{self, IoSlice, IoSliceMut};
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd};

use nix::errno::Errno;
use nix::sys::socket::{ControlMessage, ControlMessageOwned, MsgFlags, UnixAddr, recvmsg, sendmsg};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// The largest message; both ends are ours, and none is near it.
const LARGEST: usize = 256 << 10;

/// Sends a message and copies of these files.
pub(super) fn send<T: Serialize>(
    channel: &impl AsRawFd,
    message: &T,
    files: &[BorrowedFd<'_>],
) -> io::Result<()> {
    let text = serde_json::to_vec(message)?;
    let files: Vec<i32> = files.iter().map(AsRawFd::as_raw_fd).collect();
    let rights = [ControlMessage::ScmRights(&files)];
    let rights = if files.is_empty() {
        &rights[..0]
    } else {
        &rights[..]
    };
    let parts = [IoSlice::new(&text)];
    let flags = MsgFlags::MSG_NOSIGNAL;
    again(|| sendmsg::<UnixAddr>(channel.as_raw_fd(), &parts, rights, flags, None))?;
    Ok(())
}

/// Waits for a message; none when nobody is at the other end.
pub(super) fn receive<T: DeserializeOwned>(
    channel: &impl AsRawFd,
) -> io::Result<Option<(T, Vec<OwnedFd>)>> {
    let mut text = vec![0; 4096];
    let mut rights = nix::cmsg_space!([i32; 3]);
    // Messages are short, except the first; the length of what waits is asked for first, so that
    // a long one is not cut off.
    let waiting = again(|| {
        let mut probe = [0; 0];
        let flags = MsgFlags::MSG_PEEK | MsgFlags::MSG_TRUNC;
        nix::sys::socket::recv(channel.as_raw_fd(), &mut probe, flags)
    });
    match waiting {
        Ok(0) => return Ok(None),
        Ok(length) if length > LARGEST => return Err(io::Error::other("a message is too long")),
        Ok(length) => text.resize(length, 0),
        Err(error) if error.raw_os_error() == Some(Errno::ECONNRESET as i32) => return Ok(None),
        Err(error) => return Err(error),
    }
    let mut parts = [IoSliceMut::new(&mut text)];
    let flags = MsgFlags::MSG_CMSG_CLOEXEC;
    let received = loop {
        match recvmsg::<UnixAddr>(channel.as_raw_fd(), &mut parts, Some(&mut rights), flags) {
            Err(Errno::EINTR) => {}
            other => break other?,
        }
    };
    let mut files = Vec::new();
    let lost = |_| io::Error::other("files got lost on the way: too many are open");
    for message in received.cmsgs().map_err(lost)? {
        if let ControlMessageOwned::ScmRights(fds) = message {
            files.extend(fds.into_iter().map(owned));
        }
    }
    let length = received.bytes;
    Ok(Some((serde_json::from_slice(&text[..length])?, files)))
}

fn again<T>(call: impl Fn() -> nix::Result<T>) -> io::Result<T> {
    loop {
        match call() {
            Err(Errno::EINTR) => {}
            other => return other.map_err(io::Error::from),
        }
    }
}

fn owned(fd: i32) -> OwnedFd {
    // SAFETY: the kernel has just made this descriptor for us, so nobody else owns it.
    #[expect(
        unsafe_code,
        reason = "the only way to own a descriptor that came in a message"
    )]
    unsafe {
        OwnedFd::from_raw_fd(fd)
    }
}
