//! A state file with programs around it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use croupier_core::Seed;
use croupier_games::friday13::{Friday13, Placing, Setup, State, Terms, TurnMade, report};

use crate::PROGRAM;

/// A folder with a state file, and the parameters of its game.
pub(crate) struct Table {
    pub(crate) folder: tempfile::TempDir,
    pub(crate) setup: Setup,
}

impl Table {
    pub(crate) fn new(terms: Terms) -> Table {
        Table {
            folder: tempfile::tempdir().unwrap(),
            setup: Setup::try_from(terms).unwrap(),
        }
    }

    pub(crate) fn file(&self) -> PathBuf {
        self.folder.path().join("game_state.txt")
    }

    pub(crate) fn text(&self) -> String {
        fs::read_to_string(self.file()).unwrap()
    }

    pub(crate) fn state(&self) -> State {
        self.text().parse().unwrap()
    }

    pub(crate) fn write(&self, text: &str) {
        fs::write(self.file(), text).unwrap();
    }

    /// A program of the tournament, ready to be started.
    pub(crate) fn program(&self, program: &Path, options: &str) -> Command {
        let mut command = Command::new(program);
        command
            .args(options.split_whitespace())
            .arg("game_state.txt")
            .args(self.setup.program_arguments())
            .current_dir(self.folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    pub(crate) fn ours(&self, options: &str) -> Command {
        self.program(Path::new(PROGRAM), &format!("play {options}"))
    }

    /// Plays a round with these programs in turn, checking every turn; the number of turns.
    pub(crate) fn round(&self, seed: u64, programs: &[(&Path, &str)]) -> usize {
        let mut state = Friday13::opening(&self.setup, Seed(seed), 0);
        self.write(&state.to_string());
        let mut turns = 0;
        while !state.is_final() {
            let (program, options) = programs[state.active % programs.len()];
            let output = self.program(program, options).output().unwrap();
            assert!(output.status.success(), "{output:?}");
            let after = self.state();
            let turn = state.verify(&after, self.setup.threshold, Placing::Strict);
            assert!(
                matches!(turn, Ok(TurnMade::Laid { .. })),
                "{turn:?}\n{state}"
            );
            if program == Path::new(PROGRAM) {
                let score = report::score(&after, report::Language::Polish);
                let score = if after.is_final() {
                    score
                } else {
                    String::new()
                };
                assert_eq!(String::from_utf8(output.stdout).unwrap(), score);
            }
            state = after;
            turns += 1;
        }
        turns
    }
}

pub(crate) fn original(players: usize) -> Terms {
    Terms {
        players,
        ..Terms::default()
    }
}

/// Two players, one green of value 4, one blue of value 9.
pub(crate) fn tiny(threshold: u32) -> Terms {
    Terms {
        players: 2,
        colours: 1,
        greens: 1,
        values: vec![9],
        threshold,
        ..Terms::default()
    }
}
