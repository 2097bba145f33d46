//! A real server on a port, for one test.

use std::net::SocketAddr;
use std::path::Path;
use std::thread::JoinHandle;

use croupier_games::GAMES;
use croupier_server::{Server, Settings};
use tokio::net::TcpListener;
use tokio::sync::oneshot;

/// A server that runs.
pub(crate) struct Hall {
    pub(crate) address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Hall {
    /// A server that keeps its tables here.
    pub(crate) fn open(data: &Path) -> Hall {
        Hall::with(Settings::new(GAMES.clone(), data.to_owned()))
    }

    /// A server with these settings, on a free port.
    pub(crate) fn with(settings: Settings) -> Hall {
        Hall::at(settings, SocketAddr::from(([127, 0, 0, 1], 0)))
    }

    /// A server that listens at this address.
    pub(crate) fn at(settings: Settings, address: SocketAddr) -> Hall {
        let (told, heard) = std::sync::mpsc::channel();
        let (stop, stopped) = oneshot::channel();
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Runtime::new().expect("a runtime");
            runtime.block_on(async {
                let listener = TcpListener::bind(address).await.expect("a port");
                let address = listener.local_addr().expect("an address");
                let server = Server::open(settings, listener).expect("a folder");
                told.send(address).expect("somebody waits for it");
                let stop = async {
                    let _ = stopped.await;
                };
                server.serve(stop).await.expect("it serves");
            });
        });
        Hall {
            address: heard.recv().expect("it has begun"),
            stop: Some(stop),
            thread: Some(thread),
        }
    }

    /// Ends the server, as Ctrl-C would.
    pub(crate) fn close(mut self) {
        self.end();
    }

    fn end(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            let ended = thread.join();
            assert!(
                ended.is_ok() || std::thread::panicking(),
                "the server panicked"
            );
        }
    }
}

impl Drop for Hall {
    fn drop(&mut self) {
        self.end();
    }
}
