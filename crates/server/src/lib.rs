//! The web table: people play, look on and look back in a browser.
//!
//! The server is a thin layer over the kernel and holds no rules: a table steps a game from outside,
//! shows what a seat or an onlooker may see as the game draws it, and takes moves as text. Pages are
//! rendered here and made lively by a few small scripts; everything is inside the program.
//!
//! - `safety`: who may ask for what, before any page is looked for;
//! - `person`: who asks; there are no accounts;
//! - `tables`: games in progress, kept on the disk before they are shown;
//! - `programs`: foreign programs at tables; `booking`: tables for a command line;
//! - `shelf`: contests and records in folders; `contests`: how they stand, every fault in them;
//! - `replay`: recorded games, and what the expert thinks of them;
//! - `war`: War to watch, and how long it takes;
//! - `pages`: what a person sees; `socket`: how it stays up to date; `assets`: scripts and styles;
//! - `api`: the same as JSON;
//! - `routes`: what can be asked for, in one list; `connections`: how many, and how they end.

mod api;
mod assets;
mod booking;
mod connections;
mod contests;
mod faults;
mod files;
mod pages;
mod person;
mod programs;
mod refusal;
mod replay;
mod routes;
mod safety;
mod shelf;
mod socket;
mod tables;
mod war;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::from_fn_with_state;
use croupier_core::Registry;
use tokio::net::TcpListener;
use tokio::sync::watch;

pub use booking::{Booked, Booking};
pub use contests::Umpire;
pub use programs::Guest;
pub use routes::Route;
pub use safety::{BadUrl, PublicUrl, is_host_name, is_loopback};
pub use tables::keeps_tables;

use contests::Contests;
use replay::Replays;
use routes::Routes;
use safety::Gate;
use shelf::Shelf;
use tables::Tables;
use tables::think::Pool;
use war::Simulations;

/// The style sheet with which games are drawn, for pages that are kept as files.
pub const DRAWN: &str = include_str!("../assets/table.css");

/// No request is longer, but for a record that somebody drops.
const LONGEST_BODY: usize = 256 << 10;

/// How often is looked for programs that nobody needs any more.
const ROUND: Duration = Duration::from_secs(60);

/// What a server is to be.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The games that are offered.
    pub games: Registry,
    /// The folder in which tables are kept.
    pub data: PathBuf,
    /// What contest pages have to know about the games; contests of other games are not shown.
    pub umpires: Vec<Umpire>,
    /// Folders in which contests and records are looked for.
    pub folders: Vec<PathBuf>,
    /// Names besides `localhost` under which the server is asked for.
    pub hosts: Vec<String>,
    /// The address that a proxy gives it.
    pub public_url: Option<PublicUrl>,
    /// The programs that may sit at tables.
    pub programs: Vec<Guest>,
    /// The most tables at one time.
    pub most_tables: usize,
    /// The most connections at one time.
    pub most_connections: usize,
    /// On how many threads built-in players and programs think.
    pub threads: usize,
}

impl Settings {
    /// A server for these games that keeps its tables in this folder, and is asked for from this
    /// machine.
    pub fn new(games: Registry, data: PathBuf) -> Settings {
        Settings {
            games,
            data,
            umpires: Vec::new(),
            folders: Vec::new(),
            hosts: Vec::new(),
            public_url: None,
            programs: Vec::new(),
            most_tables: 2000,
            most_connections: 8192,
            threads: std::thread::available_parallelism().map_or(1, usize::from),
        }
    }

    /// The same for a process that may have so many files open: connections and tables are files, and
    /// some have to be left for contests, records and programs.
    pub fn within(self, files: usize) -> Settings {
        Settings {
            most_tables: self.most_tables.min(files / 4).max(1),
            most_connections: self.most_connections.min(files / 2).max(1),
            ..self
        }
    }
}

/// What all pages share.
pub(crate) struct Room {
    pub(crate) games: Registry,
    pub(crate) gate: Gate,
    pub(crate) tables: Arc<Tables>,
    pub(crate) shelf: Arc<Shelf>,
    pub(crate) replays: Replays,
    pub(crate) simulations: Simulations,
    pub(crate) contests: Contests,
    /// The port, which is part of the cookie's name: ports of a machine share their cookies.
    port: u16,
    /// Becomes true when the server is about to end.
    pub(crate) closing: watch::Receiver<bool>,
}

impl Room {
    /// The name of the cookie with a person's secret.
    pub(crate) fn cookie_name(&self) -> String {
        // With the prefix, browsers take the cookie from this host alone, and from no subdomain's page.
        let prefix = match self.gate.is_secure() {
            true => "__Host-",
            false => "",
        };
        format!("{prefix}croupier-{}", self.port)
    }
}

/// A server that is ready to be asked.
pub struct Server {
    room: Arc<Room>,
    closing: watch::Sender<bool>,
    listener: TcpListener,
    most_connections: usize,
}

impl Server {
    /// A server that listens there. Tables of earlier days are set up again.
    ///
    /// # Errors
    /// If the folder for the tables cannot be used.
    pub fn open(settings: Settings, listener: TcpListener) -> io::Result<Server> {
        let pool = Arc::new(Pool::new(settings.threads.max(1), settings.programs));
        let tables = Tables::open(
            &settings.data,
            settings.games.clone(),
            pool,
            settings.most_tables,
        )?;
        let (closing, is_closing) = watch::channel(false);
        let room = Room {
            games: settings.games,
            gate: Gate::new(&settings.hosts, settings.public_url),
            replays: Replays::new(Arc::clone(tables.pool())),
            simulations: Simulations::new(Arc::clone(tables.pool())),
            tables: Arc::new(tables),
            shelf: Arc::new(Shelf::new(settings.folders)),
            contests: Contests::new(settings.umpires),
            port: listener.local_addr()?.port(),
            closing: is_closing,
        };
        Ok(Server {
            room: Arc::new(room),
            closing,
            listener,
            most_connections: settings.most_connections,
        })
    }

    /// The address, without the host, of the page about the contest in this folder.
    pub fn path_of(&self, folder: &Path) -> Option<String> {
        let name = self.room.shelf.name_of(folder)?;
        Some(format!("/contest/{}", contests::segment(&name)))
    }

    /// Knows whether anybody looks at a contest, also while the server serves.
    pub fn onlookers(&self) -> Onlookers {
        Onlookers(Arc::clone(&self.room))
    }

    /// Answers until `stop` comes; then ends streams, sockets and thoughts. All tables are on the
    /// disk at any time.
    pub async fn serve(self, stop: impl Future<Output = ()>) -> io::Result<()> {
        let Server {
            room,
            closing,
            listener,
            most_connections,
        } = self;
        room.tables.set_up();
        let app = router(&room);
        let tables = Arc::clone(&room.tables);
        let rounds = tokio::spawn(async move {
            loop {
                tokio::time::sleep(ROUND).await;
                let tables = Arc::clone(&tables);
                // A program may take its time to go.
                let _ = tokio::task::spawn_blocking(move || tables.rest()).await;
            }
        });
        let stop = async {
            stop.await;
            closing.send_replace(true);
            room.tables.pool().close();
        };
        connections::accept(listener, app, most_connections, stop).await;
        rounds.abort();
        Ok(())
    }
}

/// Those who look at contests.
pub struct Onlookers(Arc<Room>);

impl Onlookers {
    /// Whether somebody has asked for a contest in the last few seconds.
    pub fn any(&self) -> bool {
        self.0.contests.is_watched()
    }
}

fn all_routes() -> Routes {
    let parts = [
        pages::routes,
        replay::routes,
        war::routes,
        contests::routes,
        socket::routes,
        api::routes,
    ];
    let assets = Routes::new().get("/assets/{hash}/{name}", assets::show);
    parts.iter().fold(assets, |routes, part| part(routes))
}

/// Everything that a server can be asked for.
pub fn routes() -> Vec<Route> {
    all_routes().list()
}

/// All pages, behind the gate.
fn router(room: &Arc<Room>) -> Router {
    let pages = all_routes()
        .router()
        .layer(DefaultBodyLimit::max(LONGEST_BODY))
        .with_state(Arc::clone(room));
    // A service inside another: the gate is passed before any page is looked for.
    Router::new()
        .fallback_service(pages)
        .layer(from_fn_with_state(Arc::clone(room), safety::guard))
}
