//! `friday13 play --me P`: a whole match over a file that several programs share, with no arbiter.
//!
//! Every program looks at the file again and again, and only the one whose turn it is writes. It
//! writes beside the file and then puts the new one in its place, so nobody sees half a state of
//! ours. Others may write as they like: what cannot be read, or is no state of this game, may be
//! half a file and is looked at again, until it has stayed the same for too long.
//!
//! ```text
//!             our turn: we move                the end is seen
//!           ┌───────────────┐              ┌──────────────────────┐
//!           ▼               │              │                      ▼
//!   a round is played ──────┴──── nobody can lay a card    the next round: the
//!           ▲                                              program in chair 1 deals
//!           └──────────────────────────────────────────────────── ┘
//! ```
//!
//! Nobody can lay a card when all hands are empty, or when others have put a colour on a second
//! pile and there is none left for the cards in hand.
//!
//! The file does not say which round it shows. A state with cards in hand that cannot follow from
//! the last one seen belongs to the next round, whose predecessor's end was then missed.

use std::io::{self, Write as _};
use std::path::PathBuf;
use std::thread::sleep;
use std::time::{Duration, Instant};

use clap::ArgMatches;
use croupier_console::{Failure, print, seed};
use croupier_core::{Rng, Seat, Seed};
use croupier_games::friday13::report::{self, Language};
use croupier_games::friday13::{Friday13, Setup, State, View};

use crate::mind::Mind;
use crate::single::make_move;
use crate::{file, language, mind, refusal, replace, setup};

/// How often the file is looked at.
const LOOK: Duration = Duration::from_millis(10);

/// How long a file may stay something else than a state of this game.
const PATIENCE: Duration = Duration::from_secs(2);

/// Plays a whole match.
pub(crate) fn play(matches: &ArgMatches) -> Result<(), Failure> {
    let rounds = matches.get_one::<u32>("rounds").copied().unwrap_or(3);
    let setup = setup(matches, rounds)?;
    let me = matches.get_one::<u32>("me").map_or(0, |&me| me as usize);
    if me > setup.players {
        return Err(Failure::Usage(format!(
            "--me {me} is no chair at a table of {}",
            setup.players
        )));
    }
    let seed = seed(matches)?;
    let length = |name| matches.get_one(name).copied().unwrap_or_default();
    let mut table = Table {
        file: file(matches)?,
        lenient: matches.get_flag("lenient"),
        mind: mind(matches),
        language: language(matches),
        time_limit: length("time-limit"),
        pause: length("pause"),
        rng: seed.player(Seat::from(me - 1)).rng(),
        seed,
        me: me - 1,
        round: 0,
        seen: None,
        points: vec![0; setup.players],
        setup,
    };
    table.play()
}

/// The match as far as we know it.
struct Table {
    file: PathBuf,
    setup: Setup,
    lenient: bool,
    mind: Mind,
    language: Language,
    time_limit: Duration,
    pause: Duration,
    seed: Seed,
    rng: Rng,
    /// Our chair in the first round, from 0.
    me: usize,
    /// The round, from 0.
    round: u32,
    /// The last state of this round that we have seen with cards in hand.
    seen: Option<State>,
    /// The points of the rounds that are over, by the chairs of the first round.
    points: Vec<i64>,
}

/// What is in the file.
enum Look {
    Missing,
    /// Perhaps half a file.
    Bad(String),
    Good(State),
}

impl Table {
    fn play(&mut self) -> Result<(), Failure> {
        let mut content = None;
        let mut changed = Instant::now();
        while self.round < self.setup.rounds {
            let now = self.read()?;
            if now != content {
                content = now;
                changed = Instant::now();
            }
            let acted = match self.look(content.as_deref()) {
                // Whoever deals a round has it begun; nobody can play on with one that is lost.
                Look::Missing if self.seen.is_some() && changed.elapsed() > PATIENCE => {
                    return Err(Failure::Usage(format!(
                        "{} is gone in the middle of round {} of {}: nobody can play on without it",
                        self.file.display(),
                        self.round + 1,
                        self.setup.rounds
                    )));
                }
                Look::Missing => self.deal_if_due()?,
                Look::Bad(reason) if changed.elapsed() > PATIENCE => {
                    let file = self.file.display();
                    return Err(Failure::Usage(format!("{file}: {reason}")));
                }
                Look::Bad(_) => false,
                Look::Good(state) if state.is_stuck() => self.end(&state)?,
                Look::Good(state) => self.turn(state, content.as_deref())?,
            };
            if acted {
                changed = Instant::now();
            } else if changed.elapsed() > self.time_limit {
                let what = match content {
                    Some(_) => "nothing has happened in",
                    None => "nobody has written",
                };
                return Err(Failure::Machine(format!(
                    "{what} {} for {:?}: giving up in round {} of {}",
                    self.file.display(),
                    self.time_limit,
                    self.round + 1,
                    self.setup.rounds
                )));
            } else {
                sleep(LOOK);
            }
        }
        print(&report::totals(&self.points, self.language))
    }

    fn read(&self) -> Result<Option<Vec<u8>>, Failure> {
        match std::fs::read(&self.file) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(Failure::machine(
                format_args!("read {}", self.file.display()),
                &error,
            )),
        }
    }

    fn look(&self, content: Option<&[u8]>) -> Look {
        let Some(bytes) = content else {
            return Look::Missing;
        };
        match State::parse(bytes) {
            Err(error) => Look::Bad(error.to_string()),
            Ok(state) => match refusal(&state, &self.setup, self.lenient) {
                Some(reason) => Look::Bad(reason),
                None => Look::Good(state),
            },
        }
    }

    /// Our chair in this round, from 0.
    fn chair(&self) -> usize {
        let players = self.setup.players;
        (self.me + players - self.round as usize % players) % players
    }

    /// Shuffles and deals if nothing of this round has been seen and that is up to us.
    fn deal_if_due(&mut self) -> Result<bool, Failure> {
        let due = self.seen.is_none() && self.chair() == 0;
        if due {
            replace(
                &self.file,
                &Friday13::opening(&self.setup, self.seed, self.round),
            )?;
        }
        Ok(due)
    }

    /// The end of this round, or of the one before if nothing of this one has been seen.
    fn end(&mut self, state: &State) -> Result<bool, Failure> {
        let first = self.round == 0 && !state.is_final();
        if self.seen.is_none() && !first {
            return self.deal_if_due();
        }
        if !state.is_final() {
            let _ = writeln!(
                io::stderr(),
                "friday13: nobody can lay a card: the round is over"
            );
        }
        print(&report::score(state, self.language))?;
        let players = self.setup.players;
        for (chair, points) in state.scores().points.into_iter().enumerate() {
            self.points[(chair + self.round as usize) % players] += points;
        }
        self.next_round();
        if self.round < self.setup.rounds && self.chair() == 0 {
            sleep(self.pause);
        }
        Ok(true)
    }

    fn next_round(&mut self) {
        self.round += 1;
        self.seen = None;
    }

    /// A state with cards in hand; if it is our turn, we move.
    fn turn(&mut self, state: State, content: Option<&[u8]>) -> Result<bool, Failure> {
        let followed = |seen: &State| seen.may_lead_to(&state);
        if !self.seen.as_ref().is_none_or(followed) {
            let _ = writeln!(
                io::stderr(),
                "friday13: the end of round {} was not seen: the totals lack its points",
                self.round + 1
            );
            self.next_round();
            return Ok(true);
        }
        let chair = self.chair();
        if state.active != chair {
            self.seen = Some(state);
            return Ok(false);
        }
        let players = self.setup.players;
        let by_chair = |chair: usize| self.points[(chair + self.round as usize) % players];
        let points = (0..players).map(by_chair).collect();
        let view = View::of(&state, &self.setup, chair, self.round + 1, points);
        let mut after = state;
        make_move(&mut after, &view, &self.setup, self.mind, &mut self.rng);
        // Somebody who writes out of turn has been faster: look again.
        if self.read()?.as_deref() != content {
            return Ok(false);
        }
        replace(&self.file, &after)?;
        self.seen = Some(after.clone());
        if after.is_stuck() {
            self.end(&after)?;
        }
        Ok(true)
    }
}
