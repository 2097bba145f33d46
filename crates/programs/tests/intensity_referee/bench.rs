//! A folder to write programs in, and the referee run in it.

use std::fs::{self, Permissions};
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};

use tempfile::TempDir;

/// A file that is being written cannot be started, and whoever is born while it is written holds
/// it open for a moment: so nobody is born meanwhile.
static WRITING_OR_STARTING: Mutex<()> = Mutex::new(());

/// A folder of programs. The name of a file in it is enough to name a program.
pub(crate) struct Bench(TempDir);

/// What came of a run of the referee.
pub(crate) struct Told {
    pub(crate) status: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Bench {
    pub(crate) fn new() -> Bench {
        Bench(tempfile::tempdir().unwrap())
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    /// Where the referee makes its temporary folders.
    fn temporary(&self) -> PathBuf {
        self.path().join("tmp")
    }

    /// Writes a file, such as a program in C.
    pub(crate) fn write(&self, name: &str, text: &str) {
        let _alone = WRITING_OR_STARTING
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        fs::write(self.path().join(name), text).unwrap();
    }

    /// Writes a program that can be started.
    pub(crate) fn program(&self, name: &str, text: &str) {
        self.write(name, text);
        let executable = Permissions::from_mode(0o755);
        fs::set_permissions(self.path().join(name), executable).unwrap();
    }

    /// Starts the referee.
    pub(crate) fn start(&self, arguments: &[&str]) -> Child {
        let temporary = self.temporary();
        fs::create_dir_all(&temporary).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_intensity_referee"));
        command
            .args(arguments)
            .current_dir(self.path())
            .env("XDG_CACHE_HOME", self.path().join("cache"))
            .env("TMPDIR", &temporary)
            .env("LC_ALL", "C")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let _alone = WRITING_OR_STARTING
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        command.spawn().unwrap()
    }

    /// Runs the referee to its end.
    pub(crate) fn run(&self, arguments: &[&str], input: &str) -> Told {
        let mut referee = self.start(arguments);
        // Who refuses to play reads nothing.
        let _ = referee.stdin.take().unwrap().write_all(input.as_bytes());
        self.end(referee)
    }

    /// Waits for the referee, after which nothing may be left of it: no process and no folder.
    pub(crate) fn end(&self, referee: Child) -> Told {
        let output = referee.wait_with_output().unwrap();
        assert_eq!(self.processes(), Vec::<String>::new());
        assert_eq!(
            fs::read_dir(self.temporary()).unwrap().count(),
            0,
            "no scraps"
        );
        Told {
            status: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// What the referee prints of a game that it finishes.
    pub(crate) fn game(&self, arguments: &[&str]) -> String {
        let told = self.run(&[&["--seed", "7"], arguments].concat(), "");
        assert_eq!(told.stderr, "", "{arguments:?}");
        assert_eq!(told.status, Some(0), "{arguments:?}");
        told.stdout
    }

    /// What the referee says when it does not begin: with status 2, and nothing is dealt.
    pub(crate) fn refused(&self, arguments: &[&str]) -> String {
        let told = self.run(arguments, "");
        assert_eq!(told.status, Some(2), "{arguments:?}: {}", told.stderr);
        assert_eq!(told.stdout, "", "{arguments:?}");
        told.stderr
    }

    /// Processes that were started here: this folder is on their command line, or, for the
    /// referee's own, in their environment.
    fn processes(&self) -> Vec<String> {
        let mark = self.path().to_str().unwrap();
        let has_mark = |bytes: &[u8]| {
            bytes
                .windows(mark.len())
                .any(|part| part == mark.as_bytes())
        };
        let mut found = Vec::new();
        for process in fs::read_dir("/proc").unwrap().flatten() {
            let read = |file| fs::read(process.path().join(file)).unwrap_or_default();
            let line = read("cmdline");
            if has_mark(&line) || has_mark(&read("environ")) {
                found.push(String::from_utf8_lossy(&line).replace('\0', " "));
            }
        }
        found
    }
}

/// A program for the shell that plays its lowest legal card, after it has done what `first` says.
/// There, `$1` is the question and `$2` the number of cards in hand.
pub(crate) fn plays_low(name: &str, first: &str) -> String {
    const PLAYER: &str = r#"#!/bin/sh
set -- $(cat)
FIRST
case $1 in
0) echo 'NAME' ;;
1) echo $2 $3 $4 ;;
2)
    held=$2 laid=$3 hand= lead= calf=
    shift 4
    while [ $held -gt 0 ]; do hand="$hand $1" held=$((held - 1)); shift; done
    if [ $laid -gt 0 ]; then lead=${1%?}; shift $laid; fi
    while [ $# -gt 6 ]; do [ ${1%?} = 3 ] && calf=seen; shift; done
    for card in $hand; do
        case $lead$calf/${card%?} in
        1*/1 | 2*/2 | 3*/3 | 4*/4 | /[124] | seen/?) break ;;
        esac
    done
    echo $card
    ;;
esac
"#;
    PLAYER.replace("NAME", name).replace("FIRST", first)
}

/// The lines that tell of fouls, with what is told below them.
pub(crate) fn fouls(told: &str) -> String {
    let lines = told.lines();
    let fouls = lines.filter(|line| line.starts_with("Foul by ") || line.starts_with("    "));
    fouls.map(|line| format!("{line}\n")).collect()
}

/// The names in a summary, in alphabetical order.
pub(crate) fn names(summary: &str) -> Vec<&str> {
    let mut names: Vec<_> = summary
        .lines()
        .map(|line| line.split('\t').nth(1).unwrap())
        .collect();
    names.sort_unstable();
    names
}
