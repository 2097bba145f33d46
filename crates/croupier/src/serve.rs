//! `croupier serve`: the web table.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::{Command as Process, Stdio};

use clap::{Arg, ArgAction, ArgMatches, Command, ValueHint, value_parser};
use croupier_bots::{Entries, Hosted, Preparation, Speech, Tier};
use croupier_console::{Failure, print};
use croupier_server::{Guest, PublicUrl, Server, Settings, is_host_name, is_loopback};
use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use tokio::signal::unix::{SignalKind, signal};

use crate::house;
use crate::offer::Offers;
use crate::style::BOLD;
use crate::table;

/// How long threads that still think when the server ends are waited for.
const FAREWELL: std::time::Duration = std::time::Duration::from_millis(300);

/// The command.
pub(crate) fn command() -> Command {
    Command::new("serve")
        .about("Opens the web table: people play, look on and look back in a browser")
        .after_help(
            "Example:\n  croupier serve --open\n  croupier serve results --open\n  croupier serve \
             --program mine=intensity:./mybot",
        )
        .arg(
            Arg::new("folder")
                .value_name("DIR")
                .action(ArgAction::Append)
                .value_parser(value_parser!(PathBuf))
                .value_hint(ValueHint::DirPath)
                .help("A folder with contests and records to be shown"),
        )
        .arg(
            Arg::new("listen")
                .long("listen")
                .value_name("ADDRESS:PORT")
                .value_parser(listening)
                .default_value("127.0.0.1:8080")
                .help("Where to listen; 0.0.0.0:8080 lets other machines in"),
        )
        .arg(
            Arg::new("host")
                .long("host")
                .value_name("NAME")
                .action(ArgAction::Append)
                .value_parser(host_name)
                .help("A name under which browsers ask for it, besides localhost and addresses"),
        )
        .arg(
            Arg::new("public-url")
                .long("public-url")
                .value_name("URL")
                .value_parser(value_parser!(PublicUrl))
                .help("The address that a proxy gives it, for links and secure cookies"),
        )
        .arg(
            Arg::new("program")
                .long("program")
                .value_name("NAME=GAME:PATH")
                .action(ArgAction::Append)
                .value_parser(value_parser!(Named))
                .help("A program that may sit at tables; json: before the path speaks JSON lines"),
        )
        .arg(
            Arg::new("open")
                .long("open")
                .action(ArgAction::SetTrue)
                .help("Open the browser"),
        )
        .arg(
            Arg::new("data")
                .long("data")
                .value_name("DIR")
                .value_parser(value_parser!(PathBuf))
                .value_hint(ValueHint::DirPath)
                .help("Keep the tables in this folder [default: in the user's data folder]"),
        )
        .args(house::flags(Tier::Limits))
}

/// Where to listen. Names are not looked up, but everybody knows the one of this machine.
fn listening(text: &str) -> Result<SocketAddr, String> {
    let local = text.strip_prefix("localhost:");
    let address = local.map_or(text.to_owned(), |port| format!("127.0.0.1:{port}"));
    let parsed = address.parse();
    parsed
        .map_err(|_| "it is like 127.0.0.1:8080, or 0.0.0.0:8080 for other machines too".to_owned())
}

fn host_name(text: &str) -> Result<String, String> {
    match is_host_name(text) {
        true => Ok(text.to_owned()),
        false => Err("a host is named as in cards.example.org, without a port".to_owned()),
    }
}

/// A program as it is named on the command line.
#[derive(Clone, Debug)]
pub(crate) struct Named {
    pub(crate) name: String,
    pub(crate) game: String,
    pub(crate) path: PathBuf,
    pub(crate) speech: Speech,
}

impl std::str::FromStr for Named {
    type Err = String;

    fn from_str(text: &str) -> Result<Named, String> {
        let wrong = || format!("'{text}' is no program: NAME=GAME:PATH, as in mine=uno:./mine.so");
        let (name, rest) = text.split_once('=').ok_or_else(wrong)?;
        let (game, path) = rest.split_once(':').ok_or_else(wrong)?;
        let (speech, path) = match path.strip_prefix("json:") {
            Some(path) => (Speech::Json, path),
            None => (Speech::Own, path),
        };
        if name.trim().is_empty() || path.is_empty() {
            return Err(wrong());
        }
        Ok(Named {
            name: name.trim().to_owned(),
            game: game.to_owned(),
            path: PathBuf::from(path),
            speech,
        })
    }
}

/// Gets a program ready to sit at tables of its game.
pub(crate) fn guest<G: Hosted>(named: &Named, matches: &ArgMatches) -> Result<Guest, Failure> {
    let Named {
        name, path, speech, ..
    } = named;
    let house = house::read_uninterrupted(matches, Tier::Limits, G::DECISION)?;
    let entries = Entries::of([path.as_path()]);
    let preparation = Preparation::new(&house, &entries);
    let program = table::prepare::<G>(path, *speech, &preparation)?;
    Ok(Guest::new::<G>(name.clone(), program, *speech, house))
}

/// Serves until Ctrl-C or SIGTERM.
pub(crate) fn serve(games: &Offers, matches: &ArgMatches) -> Result<(), Failure> {
    let address: SocketAddr = *matches.get_one("listen").expect("it has a default");
    let settings = settings(games, matches)?;
    let data = settings.data.display().to_string();
    run(
        settings,
        address,
        matches.get_flag("open"),
        async |_, url| {
            print(&format!(
                "{BOLD}Croupier{BOLD:#} is at {url}\nTables are kept in {data}; Ctrl-C ends it.\n"
            ))?;
            Ok(url)
        },
    )
}

/// Serves at this address until Ctrl-C or SIGTERM. `begin` is told the address of the lobby and gives
/// that of the page with which to begin; a browser is opened there if it is wanted.
pub(crate) fn run(
    settings: Settings,
    address: SocketAddr,
    is_opened: bool,
    begin: impl AsyncFnOnce(&Server, String) -> Result<String, Failure>,
) -> Result<(), Failure> {
    let data = settings.data.clone();
    let public = settings.public_url.clone();
    let settings = settings.within(raise_file_limit());
    let runtime = Runtime::new().map_err(|error| Failure::machine("start the server", &error))?;
    let served = runtime.block_on(async {
        let listener = TcpListener::bind(address).await.map_err(|error| {
            Failure::Usage(format!("cannot listen at {address}: {error}; see --listen"))
        })?;
        let machine = |error: std::io::Error| Failure::machine("start the server", &error);
        let local = listener.local_addr().map_err(machine)?;
        let (mut interrupt, mut terminate) = (
            signal(SignalKind::interrupt()).map_err(machine)?,
            signal(SignalKind::terminate()).map_err(machine)?,
        );
        let server = Server::open(settings, listener).map_err(|error| {
            let folder = data.display();
            Failure::Usage(format!(
                "cannot keep tables in {folder}: {error}; see --data"
            ))
        })?;
        let url = match &public {
            Some(url) => format!("{}/", url.as_str()),
            None => format!("http://{}/", named(local)),
        };
        let url = begin(&server, url).await?;
        if !is_loopback(local.ip()) {
            let past = match public {
                Some(_) => format!(" past the proxy, at {local}"),
                None => String::new(),
            };
            print(&format!(
                "Other machines can reach it{past}, without encryption.\n"
            ))?;
        }
        if is_opened {
            open(&url);
        }
        let stop = async {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
            }
        };
        server.serve(stop).await.map_err(machine)
    });
    runtime.shutdown_timeout(FAREWELL);
    served
}

fn settings(games: &Offers, matches: &ArgMatches) -> Result<Settings, Failure> {
    let data = match matches.get_one::<PathBuf>("data") {
        Some(folder) => folder.clone(),
        None => tables_folder()?,
    };
    let mut programs: Vec<Guest> = Vec::new();
    for named in matches.get_many::<Named>("program").unwrap_or_default() {
        let same = |guest: &Guest| guest.name == named.name && guest.game == named.game;
        if programs.iter().any(same) {
            return Err(Failure::Usage(format!(
                "two programs for {} are named '{}'",
                named.game, named.name
            )));
        }
        let game = games.decided(&named.game)?;
        programs.push(game.commands.guest(named, matches)?);
    }
    let hosts = matches.get_many::<String>("host").unwrap_or_default();
    let folders = matches.get_many::<PathBuf>("folder").unwrap_or_default();
    let folders: Vec<PathBuf> = folders.cloned().collect();
    for folder in &folders {
        std::fs::read_dir(folder).map_err(|error| {
            let folder = folder.display();
            Failure::Usage(format!("cannot look for contests in {folder}: {error}"))
        })?;
    }
    Ok(Settings {
        folders,
        umpires: games.umpires(),
        hosts: hosts.cloned().collect(),
        public_url: matches.get_one::<PublicUrl>("public-url").cloned(),
        programs,
        ..Settings::new(games.registry(), data)
    })
}

/// The folder in which tables are kept unless another one is named.
pub(crate) fn tables_folder() -> Result<PathBuf, Failure> {
    Ok(data_folder()?.join("tables"))
}

/// The folder for data of the user: `$XDG_DATA_HOME/croupier`, usually `~/.local/share/croupier`.
fn data_folder() -> Result<PathBuf, Failure> {
    let given = std::env::var_os("XDG_DATA_HOME").map(PathBuf::from);
    let given = given.filter(|folder| folder.is_absolute());
    let home = || std::env::var_os("HOME").map(|home| Path::new(&home).join(".local/share"));
    let folder = given.or_else(home).ok_or_else(|| {
        Failure::Usage("there is no home folder to keep tables in; see --data".to_owned())
    })?;
    Ok(folder.join("croupier"))
}

/// An address as a browser is told it: one that stands for all of them is this machine.
fn named(local: SocketAddr) -> SocketAddr {
    let ip = match local.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, local.port())
}

/// Lets this process have as many files open as it ever may, and tells how many that are.
fn raise_file_limit() -> usize {
    use nix::sys::resource::{Resource, getrlimit, setrlimit};
    let Ok((now, most)) = getrlimit(Resource::RLIMIT_NOFILE) else {
        return usize::MAX;
    };
    let raised = setrlimit(Resource::RLIMIT_NOFILE, most, most);
    let files = if raised.is_ok() { most } else { now };
    usize::try_from(files).unwrap_or(usize::MAX)
}

/// Opens the browser, if there is one; the address has been printed anyway.
fn open(url: &str) {
    let mut browser = Process::new("xdg-open");
    let browser = browser.arg(url).stdin(Stdio::null());
    let _ = browser.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
}
