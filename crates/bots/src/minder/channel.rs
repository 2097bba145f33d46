//! Messages between referee and minder: JSON in packets, with open files attached.

use std::io::{self, IoSlice, IoSliceMut};
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd};

use nix::errno::Errno;
use nix::sys::socket::{ControlMessage, ControlMessageOwned, MsgFlags, UnixAddr, recvmsg, sendmsg};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Room for the largest message to a minder, and to a referee. Both ends are ours, and no message is near
/// that.
pub(super) const TO_MINDER: usize = 256 << 10;
pub(super) const TO_REFEREE: usize = 4 << 10;

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

/// Waits for a message, for which there is this room; none when nobody is at the other end.
pub(super) fn receive<T: DeserializeOwned>(
    channel: &impl AsRawFd,
    room: &mut [u8],
) -> io::Result<Option<(T, Vec<OwnedFd>)>> {
    let mut rights = nix::cmsg_space!([i32; 3]);
    let mut parts = [IoSliceMut::new(room)];
    let flags = MsgFlags::MSG_CMSG_CLOEXEC;
    let received = loop {
        match recvmsg::<UnixAddr>(channel.as_raw_fd(), &mut parts, Some(&mut rights), flags) {
            Err(Errno::EINTR) => {}
            Err(Errno::ECONNRESET) => return Ok(None),
            other => break other?,
        }
    };
    let (length, flags) = (received.bytes, received.flags);
    if length == 0 {
        return Ok(None);
    }
    let mut files = Vec::new();
    let lost = |_| io::Error::other("files got lost on the way: too many are open");
    for message in received.cmsgs().map_err(lost)? {
        if let ControlMessageOwned::ScmRights(fds) = message {
            files.extend(fds.into_iter().map(owned));
        }
    }
    if flags.contains(MsgFlags::MSG_TRUNC) {
        return Err(io::Error::other("a message is too long"));
    }
    Ok(Some((serde_json::from_slice(&room[..length])?, files)))
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
