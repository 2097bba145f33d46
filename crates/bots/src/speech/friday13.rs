//! Friday the 13th's own protocol: a process for every turn, which changes the state file.
//!
//! The file is only ever a copy. The referee keeps the state, writes it down for the program, and
//! looks at what the program has made of it: either that is one turn by the rules, and then it is
//! made in the referee's own state too, or it is a foul and forgotten.

use std::time::Duration;

use croupier_core::{Foul, FoulKind, Heard, NoMove, Player, Seat, Seed, Turn};
use croupier_games::friday13::{Breach, Friday13, Move, Placing, Setup, State, TurnMade};

use super::{Hosted, Seating, own_foul, void};
use crate::fault::{Bytes, Exchange, blame, with_errors};
use crate::{Bot, Folder, Left, MachineFault, Silence, Speech};

/// The name of the file, which some programs know by heart.
const FILE: &str = "game_state.txt";

impl Hosted for Friday13 {
    /// The file shows all cards, and nothing else is left in the folder between two turns.
    const SPEECH: Speech = Speech::Own;
    const QUESTIONS_STAND_ALONE: bool = true;
    const FOLDER: Folder = Folder::Own;

    fn in_its_own_speech(bot: Bot, seating: Seating, setup: &Setup) -> Box<dyn Player<Friday13>> {
        Box::new(FilePlayer {
            bot,
            seating,
            file: StateFile::new(FILE, setup, Placing::Strict),
        })
    }
}

/// A state file and what a program is told with it.
#[derive(Clone, Debug)]
pub struct StateFile {
    name: String,
    arguments: Vec<String>,
    threshold: u32,
    placing: Placing,
}

/// What came of a turn that a program was to make.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The turn, or the rule that was broken.
    pub turn: Result<TurnMade, Foul>,
    /// What the program was given and what it left.
    pub exchange: Exchange,
    /// Whether somebody wanted to stop before the program had ended, so that nothing counts.
    pub interrupted: bool,
}

impl StateFile {
    /// A file with this name in the folder of the program, for a match with this setup.
    pub fn new(name: &str, setup: &Setup, placing: Placing) -> StateFile {
        let mut arguments = vec![name.to_owned()];
        arguments.extend(setup.program_arguments());
        StateFile {
            name: name.to_owned(),
            arguments,
            threshold: setup.threshold,
            placing,
        }
    }

    /// The same for a program that has words of its own before the usual arguments.
    pub fn after(mut self, words: impl IntoIterator<Item = String>) -> StateFile {
        self.arguments.splice(..0, words);
        self
    }

    /// Writes a state down where the program would find it, whatever is there now.
    pub fn leave(&self, bot: &Bot, state: &State) -> Result<(), MachineFault> {
        bot.put(&self.name, state.to_string().as_bytes())
    }

    /// Has the program make the turn that is due in this state, within this time.
    pub fn ask(
        &self,
        bot: &mut Bot,
        before: &State,
        time: Duration,
    ) -> Result<Asked, MachineFault> {
        let question = before.to_string().into_bytes();
        // Blanks are free, but not without end.
        let most = 4 * question.len() + (64 << 10);
        let (run, left) = bot.run_on_file(&self.name, &question, most, &self.arguments, time)?;
        let interrupted = run.silence == Some(Silence::Interrupted);
        let read = self.read(before, &left);
        let answer = match left {
            Left::Contents(bytes) => bytes,
            _ => Vec::new(),
        };
        let exchange = Exchange {
            arguments: self.arguments.clone(),
            file: Some(self.name.clone()),
            input: Bytes(question),
            answer: Bytes(answer),
            errors: run.errors.text(),
            took: run.took,
            ended: run.ended.clone(),
            legal: Vec::new(),
        };
        let turn = match (run.silence, read) {
            // A readable change stands, whatever became of the program.
            (None, Ok(turn)) => Ok(turn),
            (None, Err(foul)) if foul.kind == FoulKind::Illegal => Err(foul),
            (silence, read) => {
                let unreadable = read.err().map(|foul| foul.detail).unwrap_or_default();
                let (silence, ended) = (silence.as_ref(), run.ended.as_ref());
                let foul = blame(silence, ended, bot.limits(), time, &unreadable);
                Err(with_errors(foul, &exchange.errors))
            }
        };
        Ok(Asked {
            turn,
            exchange,
            interrupted,
        })
    }

    /// The turn that leads from one state to what a program has left of it.
    fn read(&self, before: &State, left: &Left) -> Result<TurnMade, Foul> {
        let foul = |kind, detail| Foul { kind, detail };
        let malformed = |what: &str| foul(FoulKind::Malformed, format!("{}: {what}", self.name));
        let after = match left {
            Left::Contents(bytes) => {
                State::parse(bytes).map_err(|error| malformed(&error.to_string()))?
            }
            Left::TooLong => return Err(malformed("the file is too long for a state")),
            Left::Nothing => return Err(malformed("the file is gone")),
            Left::Unreadable(reason) => {
                return Err(malformed(&format!("the file cannot be read: {reason}")));
            }
        };
        let turn = before.verify(&after, self.threshold, self.placing);
        turn.map_err(|breach| {
            let kind = match breach {
                Breach::Unchanged => FoulKind::Malformed,
                _ => FoulKind::Illegal,
            };
            foul(kind, breach.to_string())
        })
    }
}

/// Asks the program.
#[derive(Debug)]
struct FilePlayer {
    bot: Bot,
    seating: Seating,
    file: StateFile,
}

impl Player<Friday13> for FilePlayer {
    fn start(&mut self, _: Seat, _: Seed) {
        self.seating.start();
    }

    fn decide(&mut self, turn: &Turn<'_, Friday13>) -> Result<Move, NoMove> {
        let state = turn.open().state();
        let time = self.seating.time();
        let Asked {
            turn: made,
            mut exchange,
            interrupted,
        } = self.file.ask(&mut self.bot, &state, time).map_err(void)?;
        if interrupted {
            return Err(NoMove::Stopped);
        }
        self.seating.spend(exchange.took);
        let legal = turn.legal_moves();
        exchange.legal = legal.iter().map(ToString::to_string).collect();
        self.seating.last = exchange;
        match made {
            Ok(TurnMade::Laid { laid, .. }) => Ok(laid),
            Ok(TurnMade::Passed) => Err(NoMove::Foul(Foul {
                kind: FoulKind::Illegal,
                detail: Breach::NoCard.to_string(),
            })),
            Err(foul) => Err(NoMove::Foul(foul)),
        }
    }

    fn clock(&self) -> Option<Duration> {
        Some(self.seating.time())
    }

    fn listens(&self) -> bool {
        true
    }

    fn hear(&mut self, heard: &Heard<'_, Friday13>) {
        if let Some(foul) = own_foul(heard) {
            self.seating
                .note(foul, &self.bot.program().source, Speech::Own);
        }
    }
}
