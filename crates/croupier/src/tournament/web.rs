//! `croupier tournament --web`: the contest in a browser while it runs.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;
use std::time::Duration;

use croupier_console::Failure;
use croupier_server::{Onlookers, Server, Settings};
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use tokio::sync::oneshot;

use crate::offer::Offers;

/// Where the server listens, unless another is there already.
const PORT: u16 = 8080;

/// So long is waited at the end for pages that are open: they ask every two seconds.
const FAREWELL: Duration = Duration::from_millis(2_500);

/// The wish to see a contest in a browser, and a folder for what is kept only so long.
pub(crate) struct Web {
    settings: Settings,
    passing: TempDir,
}

/// A server that shows the contest.
pub(super) struct Showing {
    /// The address of the contest's page.
    pub(super) url: String,
    onlookers: Onlookers,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
    _web: Web,
}

fn machine(error: std::io::Error) -> Failure {
    Failure::machine("show the contest", &error)
}

impl Web {
    /// What is needed to show contests of these games.
    pub(super) fn new(games: &Offers) -> Result<Web, Failure> {
        let passing = tempfile::tempdir().map_err(machine)?;
        let data = passing.path().join("tables");
        Ok(Web {
            settings: Settings {
                umpires: games.umpires(),
                // The cores and the files are for those who play in the contest.
                threads: 1,
                most_tables: 16,
                most_connections: 256,
                ..Settings::new(games.registry(), data)
            },
            passing,
        })
    }

    /// A folder for a contest that nobody wants to keep.
    pub(super) fn folder(&self, game: &str) -> PathBuf {
        self.passing.path().join(game)
    }

    /// Shows the contest in this folder, on this machine alone.
    pub(super) fn show(self, folder: &Path) -> Result<Showing, Failure> {
        let settings = Settings {
            folders: vec![folder.to_owned()],
            ..self.settings.clone()
        };
        let runtime = Runtime::new().map_err(machine)?;
        let listener = runtime.block_on(async {
            match TcpListener::bind((Ipv4Addr::LOCALHOST, PORT)).await {
                Ok(listener) => Ok(listener),
                Err(_) => TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await,
            }
        });
        let listener = listener.map_err(machine)?;
        let address: SocketAddr = listener.local_addr().map_err(machine)?;
        let server = {
            let _inside = runtime.enter();
            Server::open(settings, listener).map_err(machine)?
        };
        let path = server.path_of(folder).unwrap_or_else(|| "/".to_owned());
        let onlookers = server.onlookers();
        let (stop, stopped) = oneshot::channel();
        let thread = std::thread::spawn(move || {
            let stopped = async {
                let _ = stopped.await;
            };
            // Nobody who looks on is a reason to end a contest.
            let _ = runtime.block_on(server.serve(stopped));
            runtime.shutdown_background();
        });
        Ok(Showing {
            url: format!("http://{address}{path}"),
            onlookers,
            stop: Some(stop),
            thread: Some(thread),
            _web: self,
        })
    }
}

impl Showing {
    /// Lets those who look on see the end.
    pub(super) fn end(self) {
        if self.onlookers.any() {
            std::thread::sleep(FAREWELL);
        }
    }
}

impl Drop for Showing {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
