//! Connections: how many there may be, how long they may take to ask, and how they end.

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::AsyncWriteExt as _;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;

use crate::refusal::NO_ROOM;

/// How long a connection may take for the head of a request, also between requests.
const PATIENCE: Duration = Duration::from_secs(20);

/// The most bytes of a request's head.
const LONGEST_HEAD: usize = 32 << 10;

/// The most header lines.
const MOST_HEADERS: usize = 64;

/// How long answers that are under way when the server ends may take.
const FAREWELL: Duration = Duration::from_millis(1200);

/// How long nothing is accepted when the machine has no file left for another connection.
const BREATH: Duration = Duration::from_millis(100);

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
        tokio::spawn(async move {
            attend(stream, app, end).await;
            drop(place);
        });
    }
    drop(listener);
    ending.send_replace(true);
    // When every place is free again, every connection has ended.
    let all = room.acquire_many(u32::try_from(most).unwrap_or(u32::MAX));
    let _ = tokio::time::timeout(FAREWELL, all).await;
}

async fn turn_away(mut stream: TcpStream) {
    let said = stream.write_all(NO_ROOM);
    let _ = tokio::time::timeout(Duration::from_secs(1), said).await;
}

async fn attend(stream: TcpStream, app: Router, mut end: tokio::sync::watch::Receiver<bool>) {
    // An answer is written whole; waiting for more would only delay it.
    let _ = stream.set_nodelay(true);
    let service = TowerToHyperService::new(app);
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
