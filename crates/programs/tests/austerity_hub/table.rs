//! A table for the hub: a folder with a deck and with players written for the occasion, and a
//! look around afterwards whether anybody is still there.

use std::ffi::OsStr;
use std::fs;
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use tempfile::TempDir;

/// No game here takes longer; a hub that does hangs.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// The variable by which everybody at a table is recognised: it is inherited.
const TABLE: &str = "AUSTERITY_TABLE";

/// What players are written with: `until_asked` returns at `dowhat`, `until_eog` takes wilds
/// until the game is over. A player that is not told that the game is over ends with status 9.
const MANNERS: &str = r#"#!/bin/sh
until_asked() {
    while read -r line; do
        case $line in dowhat) return ;; eog) exit 0 ;; esac
    done
    exit 9
}
until_eog() {
    while read -r line; do
        case $line in dowhat) echo wild ;; eog) return ;; esac
    done
    exit 9
}
cd "$(dirname "$0")"
"#;

/// A program cannot be started while somebody has it open for writing, as a child has for a
/// moment that is born while another thread writes it.
static BIRTHS: Mutex<()> = Mutex::new(());

fn no_births() -> MutexGuard<'static, ()> {
    BIRTHS.lock().unwrap_or_else(PoisonError::into_inner)
}

pub(crate) struct Table {
    folder: TempDir,
}

/// A hub at work.
pub(crate) struct Hub<'a> {
    table: &'a Table,
    process: Child,
    begun: Instant,
    out: JoinHandle<Vec<u8>>,
    err: JoinHandle<Vec<u8>>,
}

/// What came of a hub.
#[derive(Debug)]
pub(crate) struct Ended {
    /// Its exit status; none if a signal killed it.
    pub(crate) status: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
    pub(crate) took: Duration,
}

impl Table {
    pub(crate) fn new() -> Table {
        Table {
            folder: TempDir::new().unwrap(),
        }
    }

    /// A table with a deck of four gifts.
    pub(crate) fn with_gifts() -> Table {
        let table = Table::new();
        table.file("deck", super::GIFT.repeat(4));
        table
    }

    /// The place of a file in the table's folder.
    pub(crate) fn path(&self, name: impl AsRef<OsStr>) -> PathBuf {
        self.folder.path().join(name.as_ref())
    }

    pub(crate) fn file(&self, name: impl AsRef<OsStr>, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        let _quiet = no_births();
        fs::write(&path, text).unwrap();
        path
    }

    /// Writes a player: a shell script in which `until_asked` and `until_eog` can be used.
    pub(crate) fn player(&self, name: impl AsRef<OsStr>, script: &str) -> PathBuf {
        let path = self.file(name, format!("{MANNERS}{script}\n"));
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    /// The command of a hub in the table's folder.
    pub(crate) fn command(&self, arguments: &[impl AsRef<OsStr>]) -> Command {
        self.command_of(env!("CARGO_BIN_EXE_austerity"), arguments)
    }

    /// The command of another program there.
    pub(crate) fn command_of(&self, program: &str, arguments: &[impl AsRef<OsStr>]) -> Command {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(self.folder.path());
        command
    }

    pub(crate) fn start(&self, arguments: &[impl AsRef<OsStr>]) -> Hub<'_> {
        self.start_command(&mut self.command(arguments))
    }

    pub(crate) fn start_command(&self, command: &mut Command) -> Hub<'_> {
        command
            .env(TABLE, self.folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let begun = Instant::now();
        let mut process = {
            let _quiet = no_births();
            command.spawn().unwrap()
        };
        Hub {
            out: collect(process.stdout.take().unwrap()),
            err: collect(process.stderr.take().unwrap()),
            table: self,
            process,
            begun,
        }
    }

    /// Runs a hub to its end.
    pub(crate) fn play(&self, arguments: &[impl AsRef<OsStr>]) -> Ended {
        self.start(arguments).end()
    }

    /// The same with the four gifts of the deck and a target of 2 points.
    pub(crate) fn play_for_gifts(&self, players: &[impl AsRef<OsStr>]) -> Ended {
        let setup = ["3", "2", "deck"].map(OsStr::new);
        let players = players.iter().map(AsRef::as_ref);
        self.play(&setup.into_iter().chain(players).collect::<Vec<_>>())
    }

    /// Waits until a player has made this file.
    pub(crate) fn wait_for(&self, name: &str) {
        let begun = Instant::now();
        while !self.path(name).exists() {
            assert!(begun.elapsed() < PATIENCE, "there is no {name}");
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// The processes that were started at this table and have not ended.
    pub(crate) fn still_there(&self) -> Vec<String> {
        let mark = [
            TABLE.as_bytes(),
            b"=",
            self.folder.path().as_os_str().as_bytes(),
        ]
        .concat();
        let processes = fs::read_dir("/proc").unwrap().flatten();
        let ours = processes.filter(|process| {
            let environment = fs::read(process.path().join("environ")).unwrap_or_default();
            environment
                .split(|&byte| byte == 0)
                .any(|entry| entry == mark)
        });
        let told = ours.map(|process| told(&process.path()));
        told.collect()
    }
}

/// How a process was called.
fn told(process: &Path) -> String {
    let line = fs::read(process.join("cmdline")).unwrap_or_default();
    String::from_utf8_lossy(&line).replace('\0', " ")
}

impl Hub<'_> {
    pub(crate) fn send(&self, signal: Signal) {
        kill(Pid::from_raw(self.process.id() as i32), signal).unwrap();
    }

    /// Waits until the hub has said what it does about a signal.
    pub(crate) fn wait_until_it_catches(&self, signal: Signal) {
        let status = format!("/proc/{}/status", self.process.id());
        let catches = || {
            let status = fs::read_to_string(&status).unwrap_or_default();
            let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
            let caught = caught.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
            caught.is_some_and(|mask| mask >> (signal as i32 - 1) & 1 == 1)
        };
        while !catches() {
            assert!(
                self.begun.elapsed() < PATIENCE,
                "it does not catch {signal}"
            );
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// Waits until the hub has ended, and looks around whether anybody is left.
    pub(crate) fn end(mut self) -> Ended {
        let status = loop {
            match self.process.try_wait().unwrap() {
                Some(status) => break status,
                None if self.begun.elapsed() > PATIENCE => {
                    self.process.kill().unwrap();
                    panic!("the hub hangs");
                }
                None => thread::sleep(Duration::from_millis(1)),
            }
        };
        let took = self.begun.elapsed();
        assert_eq!(
            self.table.still_there(),
            Vec::<String>::new(),
            "left behind"
        );
        let text = |bytes: JoinHandle<Vec<u8>>| String::from_utf8(bytes.join().unwrap()).unwrap();
        Ended {
            status: status.code(),
            out: text(self.out),
            err: text(self.err),
            took,
        }
    }
}

/// Reads all that comes, so that nobody has to wait for a reader.
fn collect(mut from: impl Read + Send + 'static) -> JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut all = Vec::new();
        from.read_to_end(&mut all).unwrap();
        all
    })
}

impl Ended {
    /// Compares status and both outputs at once.
    #[track_caller]
    pub(crate) fn is(&self, status: i32, out: &str, err: &str) {
        let seen = (self.status, self.out.as_str(), self.err.as_str());
        assert_eq!(seen, (Some(status), out, err));
    }
}
