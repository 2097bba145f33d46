//! Connections: how many there may be, how long they may take to ask, and how they end.

use std::future::Future;
use std::io;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::Router;
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Sleep, sleep};
use tower::ServiceExt as _;

use crate::refusal::NO_ROOM;

/// How long a connection may take for the head of a request, also between requests.
const PATIENCE: Duration = Duration::from_secs(20);

/// The most bytes of a request's head.
const LONGEST_HEAD: usize = 32 << 10;

/// The most header lines.
const MOST_HEADERS: usize = 64;

/// How long somebody may take none of what is sent to it.
const SLOWEST_READER: Duration = Duration::from_secs(30);

/// How long answers that are under way when the server ends may take.
const FAREWELL: Duration = Duration::from_millis(1200);

/// How long nothing is accepted when the machine has no file left for another connection.
const BREATH: Duration = Duration::from_millis(100);

/// A place among the connections. A connection that becomes a socket keeps it: whoever attends to the
/// socket holds it as long.
#[derive(Clone)]
pub(crate) struct Place(#[expect(dead_code, reason = "held, not used")] Arc<OwnedSemaphorePermit>);

/// Accepts connections until `stop` comes, and then sees off those that are open.
pub(crate) async fn accept(
    listener: TcpListener,
    app: Router,
    most: usize,
    stop: impl Future<Output = ()>,
) {
    let room = Arc::new(Semaphore::new(most));
    let (ending, end) = tokio::sync::watch::channel(false);
    let mut stop = pin!(stop);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut stop => break,
        };
        let Ok((stream, _)) = accepted else {
            tokio::time::sleep(BREATH).await;
            continue;
        };
        let Ok(place) = Arc::clone(&room).try_acquire_owned() else {
            tokio::spawn(turn_away(stream));
            continue;
        };
        let (app, end) = (app.clone(), end.clone());
        tokio::spawn(attend(stream, app, Place(Arc::new(place)), end));
    }
    drop(listener);
    ending.send_replace(true);
    // When every place is free again, every connection has ended.
    let all = room.acquire_many(u32::try_from(most).unwrap_or(u32::MAX));
    let _ = tokio::time::timeout(FAREWELL, all).await;
}

async fn turn_away(mut stream: TcpStream) {
    let said = async {
        stream.write_all(NO_ROOM).await?;
        stream.shutdown().await?;
        // What is closed with something unread in it takes the answer back.
        let mut unread = [0; 4 << 10];
        while stream.read(&mut unread).await? > 0 {}
        io::Result::Ok(())
    };
    let _ = tokio::time::timeout(Duration::from_secs(1), said).await;
}

async fn attend(
    stream: TcpStream,
    app: Router,
    place: Place,
    mut end: tokio::sync::watch::Receiver<bool>,
) {
    // An answer is written whole; waiting for more would only delay it.
    let _ = stream.set_nodelay(true);
    let stream = Read::by(stream, SLOWEST_READER);
    let service =
        TowerToHyperService::new(app.map_request(move |mut request: Request<Incoming>| {
            request.extensions_mut().insert(place.clone());
            request
        }));
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(PATIENCE)
        .max_headers(MOST_HEADERS)
        .max_buf_size(LONGEST_HEAD)
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades();
    let mut connection = pin!(connection);
    tokio::select! {
        _ = connection.as_mut() => return,
        () = crate::socket::closed(&mut end) => {}
    }
    connection.as_mut().graceful_shutdown();
    let _ = connection.await;
}

/// A stream that fails when the other side takes nothing of what is written for too long. Without that,
/// an answer would wait in memory as long as its reader likes.
struct Read<S> {
    stream: S,
    patience: Duration,
    /// Until when the other side has to take something, if it does not take anything now.
    stalled: Option<Pin<Box<Sleep>>>,
}

impl<S> Read<S> {
    fn by(stream: S, patience: Duration) -> Read<S> {
        Read {
            stream,
            patience,
            stalled: None,
        }
    }

    /// What came of an attempt to write, or that it takes too long.
    fn in_time<T>(
        &mut self,
        context: &mut Context<'_>,
        written: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.stalled = None;
            return written;
        }
        let patience = self.patience;
        let stalled = self
            .stalled
            .get_or_insert_with(|| Box::pin(sleep(patience)));
        ready!(stalled.as_mut().poll(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Read<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, into)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Read<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.in_time(context, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, parts);
        self.in_time(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let written = Pin::new(&mut self.stream).poll_flush(context);
        self.in_time(context, written)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let written = Pin::new(&mut self.stream).poll_shutdown(context);
        self.in_time(context, written)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn who_takes_nothing_is_given_up() {
        let (own, mut other) = tokio::io::duplex(4);
        let mut stream = Read::by(own, Duration::from_millis(50));
        stream.write_all(&[7; 4]).await.expect("there is room");
        let stalled = stream.write_all(&[7; 4]).await.expect_err("nobody reads");
        assert_eq!(stalled.kind(), io::ErrorKind::TimedOut);
        // Who reads again is not held to be gone.
        let mut part = [0; 4];
        let read = other.read_exact(&mut part).await;
        read.expect("what was written");
        stream
            .write_all(&[7; 4])
            .await
            .expect("there is room again");
    }
}
