//! Games by name, with everything in them as text and JSON.
//!
//! The command line, the replay of records and the protocol for programs do not know the types of
//! any game. They find a game in the [`Registry`] and get it as an [`AnyGame`].

use std::borrow::Cow;
use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::offered::read_setup;
use crate::record::Replaying;
use crate::{
    Audience, BadPlayer, BadSetup, Cancel, Company, Drawing, Drawn, Event, Foul, Game, Header,
    Markup, Moment, NoMove, Observer, Offered, Options, Outcome, Player, Profile, REVIEWER,
    Reading, Record, ReplayError, Scene, Seat, Seed, Step, Stepper, Strength, Thought, Turn,
    Verdict, aftermath, built_in, judge, play, replay,
};

/// The games that are offered, in the order in which they are listed.
#[derive(Clone, Debug)]
pub struct Registry(pub Cow<'static, [Entry]>);

impl Registry {
    /// The game with this name.
    pub fn find(&self, name: &str) -> Option<&Entry> {
        self.0.iter().find(|entry| entry.profile.name == name)
    }

    /// The names of all games, in order.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.0.iter().map(|entry| entry.profile.name)
    }

    /// The game as far as it was recorded, to be played on.
    pub fn resume(&self, reading: &Reading) -> Result<Box<dyn AnyGame>, ReplayError> {
        let header = reading.header().ok_or(ReplayError::Empty)?;
        let entry = self.find(&header.game);
        let entry = entry.ok_or_else(|| ReplayError::UnknownGame(header.game.clone()))?;
        (entry.resume)(header, reading.events())
    }
}

/// One game that is offered.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// What the game says about itself.
    pub profile: &'static Profile,
    /// The built-in players with whom a person plays unless it names others.
    pub opponents: &'static [&'static str],
    /// What the game's own scores are called: `penalty points`.
    pub score: &'static str,
    players: fn() -> Vec<(&'static str, &'static str)>,
    strength: fn(&str) -> Option<Strength>,
    setup: fn(&Options) -> Result<Value, BadSetup>,
    deal: fn(&Value, Seed) -> Made<dyn AnyGame>,
    resume: fn(&Header, &[Event]) -> Resumed,
    replay: fn(&Record) -> Result<Outcome, ReplayError>,
    table: fn(&Value, &[&str]) -> Made<dyn HouseTable>,
    in_words: fn(&str) -> Option<String>,
    picture: fn() -> Markup,
    legend: fn() -> Markup,
}

type Made<T> = Result<Box<T>, BadSetup>;
type Resumed = Result<Box<dyn AnyGame>, ReplayError>;

impl Entry {
    /// The entry for the game `G`.
    pub const fn of<G: Drawn>() -> Entry {
        Entry {
            profile: &G::PROFILE,
            opponents: G::OPPONENTS,
            score: G::SCORE,
            players: || G::PLAYERS.iter().map(|p| (p.name, p.about)).collect(),
            strength: |name| {
                let mut players = G::PLAYERS.iter();
                players.find(|p| p.name == name).map(|p| p.strength)
            },
            setup: |options| G::setup(options).map(|setup| to_json(&setup)),
            deal: |setup, seed| Ok(Box::new(Dealt::<G>::deal(read_setup::<G>(setup)?, seed))),
            resume: |header, events| Ok(Box::new(Dealt::<G>::resume(header, events)?)),
            replay: |record| replay::<G, _>(record, |_| Ok(())),
            table: |setup, players| Ok(Box::new(Seated::<G>::new(setup, players)?)),
            in_words: |choice| choice.parse().ok().map(G::in_words),
            picture: G::picture,
            legend: G::legend,
        }
    }

    /// Name and description of each player that comes with the game.
    pub fn players(&self) -> Vec<(&'static str, &'static str)> {
        (self.players)()
    }

    /// How strong a player is that comes with the game.
    pub fn strength(&self, player: &str) -> Option<Strength> {
        (self.strength)(player)
    }

    /// The setup that these options describe, as JSON.
    pub fn setup(&self, options: &Options) -> Result<Value, BadSetup> {
        (self.setup)(options)
    }

    /// Deals a game.
    pub fn deal(&self, setup: &Value, seed: Seed) -> Result<Box<dyn AnyGame>, BadSetup> {
        (self.deal)(setup, seed)
    }

    /// Plays a recorded game again.
    pub(crate) fn replay(&self, record: &Record) -> Result<Outcome, ReplayError> {
        (self.replay)(record)
    }

    /// A table at which players that come with the game take the seats in this order.
    pub fn table(&self, setup: &Value, players: &[&str]) -> Result<Box<dyn HouseTable>, BadSetup> {
        (self.table)(setup, players)
    }

    /// A move in words, as they follow a player's name; none if it is no move of this game.
    pub fn in_words(&self, choice: &str) -> Option<String> {
        (self.in_words)(choice)
    }

    /// A small picture of the game, for a list of games.
    pub fn picture(&self) -> Markup {
        (self.picture)()
    }

    /// What there is on the table and what it means, for a page with the rules; nothing if the game
    /// does not say.
    pub fn legend(&self) -> Markup {
        (self.legend)()
    }
}

/// A table with built-in players, at which deal after deal is played at full speed.
pub trait HouseTable: Send {
    /// Plays a deal; also tells how many decisions were made in it.
    fn play(&mut self, seed: Seed) -> (Outcome, u64);
}

struct Seated<G: Offered> {
    setup: G::Setup,
    players: Vec<Box<dyn Player<G>>>,
}

impl<G: Offered> Seated<G> {
    fn new(setup: &Value, names: &[&str]) -> Result<Seated<G>, BadSetup> {
        let setup = read_setup::<G>(setup)?;
        let seats = G::deal(&setup, Seed(0)).seats();
        if names.len() != seats {
            return Err(BadSetup::Players {
                title: G::PROFILE.title,
                seats,
                players: names.len(),
            });
        }
        let players = names.iter().map(|name| built_in(name));
        let players = players.collect::<Result<_, _>>()?;
        Ok(Seated { setup, players })
    }
}

impl<G: Offered> HouseTable for Seated<G> {
    fn play(&mut self, seed: Seed) -> (Outcome, u64) {
        let mut decisions = Decisions(0);
        let outcome = play::<G, _, _>(&self.setup, seed, &mut self.players, &mut decisions)
            .expect("built-in players neither fail nor stop the game");
        (outcome, decisions.0)
    }
}

/// Counts what is decided.
struct Decisions(u64);

impl<G: Game> Observer<G> for Decisions {
    const CURIOUS: bool = false;

    #[inline]
    fn see(&mut self, _: &G, moment: &Moment<'_, G>) -> ControlFlow<()> {
        self.0 += u64::from(matches!(moment, Moment::Played(..) | Moment::Fouled(..)));
        ControlFlow::Continue(())
    }
}

/// A game that has been dealt, with moves as text and views as JSON.
///
/// It remembers what was played, so that it can be written down at any time and brought back by
/// [`Registry::resume`], and can be told to anybody as far as that one may hear it.
pub trait AnyGame: Send + Sync {
    /// How many seats the table has.
    fn seats(&self) -> usize;
    /// Whose turn it is; nobody's when the game is over.
    fn to_move(&self) -> Option<Seat>;
    /// All legal moves of the seat to move.
    fn legal(&self) -> Vec<String>;
    /// A move of this turn in words, as [`Drawn::recalled`] says it; none if it is no move of this game.
    fn recalled(&self, choice: &str) -> Option<String>;
    /// Makes a move for the seat to move; the game is as it was if that fails.
    fn play(&mut self, choice: &str) -> Result<(), PlayError>;
    /// The seat to move has fouled: does what the house does about it, and gives the move made in its
    /// place, if one was. See [`Game::foul`].
    ///
    /// # Panics
    /// If the game is over.
    fn foul(&mut self, foul: Foul) -> Option<String>;
    /// What `seat` sees.
    fn view(&self, seat: Seat) -> Value;
    /// What everybody sees, also somebody without a seat.
    fn open(&self) -> Value;
    /// Draws what this audience sees, with the names of this company.
    fn drawn(&self, audience: Audience, company: Company<'_>) -> Drawing;
    /// Scores and places as they stand.
    fn outcome(&self) -> Outcome;
    /// A copy, to be played on for itself.
    fn copy(&self) -> Box<dyn AnyGame>;
    /// How many moves and fouls there were so far.
    fn steps(&self) -> usize;
    /// The game as it stood after so many of its moves and fouls; as it stands now if there were fewer.
    fn after(&self, steps: usize) -> Box<dyn AnyGame>;
    /// What came of each move and foul after the first `since` ones, in sentences to this company, as it
    /// shows in what this seat sees, or, for somebody who may know everything, in what the seat sees
    /// that moves.
    fn told(&self, seen_by: Option<Seat>, company: Company<'_>, since: usize) -> Vec<Vec<String>>;
    /// What has to be known to deal it again, with these names of the players.
    fn header(&self, players: Vec<String>) -> Header;
    /// What was played so far and the end, if it has come, as this audience may hear it. The lines
    /// for the [referee](Audience::Referee) after the [`header`](AnyGame::header) are a record.
    fn events(&self, audience: Audience) -> Vec<Event>;
    /// Asks a player that comes with the game what it would do in this turn, until it is cancelled.
    fn ask(&self, player: &str, chance: Seed, cancel: &Cancel) -> Result<Advice, NoAdvice>;
    /// Asks the expert, with these of its options, what it thinks of a move in this turn, until it is
    /// cancelled. Nothing if there is no choice. See [`judge`].
    fn judge(
        &self,
        options: &str,
        choice: &str,
        cancel: &Cancel,
    ) -> Result<Option<Verdict>, NoAdvice>;
}

/// What a player would do in a turn.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Advice {
    /// The move it would make.
    #[serde(rename = "move")]
    pub choice: String,
    /// What it thinks of every legal move, the best first; nothing if it does not weigh moves.
    pub thoughts: Vec<Thought<String>>,
}

/// Why a player gives no advice.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoAdvice {
    /// There is no such player.
    #[error(transparent)]
    Player(#[from] BadPlayer),
    /// The game is over.
    #[error("the game is over")]
    Over,
    /// Somebody cancelled the question.
    #[error("the question was cancelled")]
    Cancelled,
    /// It is asked about something that is no legal move.
    #[error("that is no legal move")]
    Illegal,
}

/// Why a move given as text was not made.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PlayError {
    /// No move of this game is written like this.
    #[error("'{0}' is not a move of this game")]
    Unreadable(String),
    /// The rules do not allow it; the text is the rule that it breaks.
    #[error("{0}")]
    Illegal(String),
    /// The game is over.
    #[error("the game is over")]
    Over,
}

/// A dealt game with its moves. It keeps the methods of [`AnyGame`] apart from those of the same
/// name in [`Game`].
#[derive(Clone)]
struct Dealt<G: Game> {
    setup: G::Setup,
    seed: Seed,
    stepper: Stepper<G>,
    steps: Vec<Step<G::Move>>,
}

impl<G: Game> Dealt<G> {
    fn deal(setup: G::Setup, seed: Seed) -> Dealt<G> {
        Dealt {
            stepper: Stepper::deal(&setup, seed),
            setup,
            seed,
            steps: Vec::new(),
        }
    }

    fn resume(header: &Header, events: &[Event]) -> Result<Dealt<G>, ReplayError> {
        let mut replaying = Replaying::<G>::of(header)?;
        let mut dealt = Dealt::deal(read_setup::<G>(&header.setup)?, header.seed);
        for event in events {
            dealt.steps.extend(replaying.take(event)?);
        }
        dealt.stepper = replaying.stepper;
        Ok(dealt)
    }
}

impl<G: Game> Dealt<G> {
    /// Makes a step again that was made from here before.
    fn follow(&mut self, step: &Step<G::Move>) {
        let answer = match step {
            Step::Played(_, choice) => Ok(*choice),
            Step::Fouled(_, foul, _) => Err(NoMove::Foul(foul.clone())),
        };
        let step = self.stepper.answer(answer);
        let step = step.expect("what was answered once is answered again");
        self.steps.push(step);
    }
}

impl<G: Drawn> AnyGame for Dealt<G> {
    fn seats(&self) -> usize {
        self.stepper.game().seats()
    }
    fn to_move(&self) -> Option<Seat> {
        self.stepper.game().to_move()
    }
    fn legal(&self) -> Vec<String> {
        let moves = self.stepper.game().legal_moves();
        moves.iter().map(ToString::to_string).collect()
    }
    fn recalled(&self, choice: &str) -> Option<String> {
        let choice = choice.parse().ok()?;
        Some(G::recalled(&self.stepper.game().open(), choice))
    }
    fn play(&mut self, text: &str) -> Result<(), PlayError> {
        let unreadable = || PlayError::Unreadable(text.to_owned());
        let choice: G::Move = text.parse().map_err(|_| unreadable())?;
        let turn = self.stepper.turn();
        let turn = turn.ok_or(PlayError::Over)?;
        turn.check(choice)
            .map_err(|rule| PlayError::Illegal(rule.to_string()))?;
        let step = self.stepper.answer(Ok(choice));
        self.steps.push(step.expect("the move has been checked"));
        Ok(())
    }
    fn foul(&mut self, foul: Foul) -> Option<String> {
        let step = self.stepper.answer(Err(NoMove::Foul(foul)));
        let step = step.expect("a foul does not end a game");
        let instead = match &step {
            Step::Fouled(_, _, instead) => instead.map(|instead| instead.to_string()),
            Step::Played(..) => None,
        };
        self.steps.push(step);
        instead
    }
    fn view(&self, seat: Seat) -> Value {
        to_json(&self.stepper.game().view(seat))
    }
    fn open(&self) -> Value {
        to_json(&self.stepper.game().open())
    }
    fn drawn(&self, audience: Audience, company: Company<'_>) -> Drawing {
        G::drawn(&Scene::of(self.stepper.game(), audience, company))
    }
    fn outcome(&self) -> Outcome {
        self.stepper.game().outcome()
    }
    fn copy(&self) -> Box<dyn AnyGame> {
        Box::new(self.clone())
    }
    fn steps(&self) -> usize {
        self.steps.len()
    }
    fn after(&self, steps: usize) -> Box<dyn AnyGame> {
        if steps >= self.steps.len() {
            return self.copy();
        }
        let mut earlier = Dealt::<G>::deal(self.setup.clone(), self.seed);
        for step in &self.steps[..steps] {
            earlier.follow(step);
        }
        Box::new(earlier)
    }
    fn told(&self, seen_by: Option<Seat>, company: Company<'_>, since: usize) -> Vec<Vec<String>> {
        let audience = seen_by.map_or(Audience::Referee, Audience::Seat);
        let (before, told) = self.steps.split_at(since.min(self.steps.len()));
        if told.is_empty() {
            return Vec::new();
        }
        let mut again = Dealt::<G>::deal(self.setup.clone(), self.seed);
        before.iter().for_each(|step| again.follow(step));
        let told = told.iter().map(|step| {
            let game = again.stepper.game();
            // Who may know everything looks over the shoulder of the one who moves.
            let viewer = seen_by.or(game.to_move());
            let viewer = viewer.expect("a step is somebody's");
            let before = game.view(viewer);
            again.follow(step);
            let after = again.stepper.game().view(viewer);
            let heard = step.moment::<G>().heard_by(audience);
            let heard = heard.expect("everybody hears that a move was made");
            aftermath::<G>(&heard, &before, &after, company)
        });
        told.collect()
    }
    fn header(&self, players: Vec<String>) -> Header {
        Header::new::<G>(&self.setup, self.seed, players)
    }
    fn events(&self, audience: Audience) -> Vec<Event> {
        let outcome = self.stepper.outcome();
        let over = outcome.as_ref().map(Moment::<G>::Over);
        let moments = self.steps.iter().map(Step::moment).chain(over);
        let heard = moments.filter_map(|moment| moment.heard_by(audience));
        heard.map(|event| event.map(ToString::to_string)).collect()
    }
    fn ask(&self, player: &str, chance: Seed, cancel: &Cancel) -> Result<Advice, NoAdvice> {
        let turn = Turn::of(self.stepper.game()).ok_or(NoAdvice::Over)?;
        let turn = turn.cancelled_by(cancel);
        let mut player = built_in::<G>(player)?;
        player.start(turn.seat(), chance.player(turn.seat()));
        let choice = player.decide(&turn);
        let thoughts = all_thoughts(&player, &turn, usize::MAX);
        match choice {
            Ok(choice) if !cancel.is_cancelled() => Ok(Advice {
                choice: choice.to_string(),
                thoughts: thoughts
                    .iter()
                    .map(|t| t.map(ToString::to_string))
                    .collect(),
            }),
            _ => Err(NoAdvice::Cancelled),
        }
    }
    fn judge(
        &self,
        options: &str,
        choice: &str,
        cancel: &Cancel,
    ) -> Result<Option<Verdict>, NoAdvice> {
        let turn = Turn::of(self.stepper.game()).ok_or(NoAdvice::Over)?;
        let turn = turn.cancelled_by(cancel);
        let mut expert = built_in::<G>(&format!("{REVIEWER}:{options}"))?;
        let choice = choice.parse().ok().filter(|&own| turn.check(own).is_ok());
        let choice = choice.ok_or(NoAdvice::Illegal)?;
        let verdict = judge(&mut expert, &turn, choice);
        match cancel.is_cancelled() {
            true => Err(NoAdvice::Cancelled),
            false => Ok(verdict.map(|verdict| verdict.map(ToString::to_string))),
        }
    }
}

/// What a player that has just decided thinks of up to `most` legal moves, also of those to which it
/// gave no thought; nothing if it does not weigh moves.
pub fn all_thoughts<G: Game>(
    player: &impl Player<G>,
    turn: &Turn<'_, G>,
    most: usize,
) -> Vec<Thought<G::Move>> {
    let mut thoughts = player.thoughts().to_vec();
    let Some(best) = thoughts.first().map(|thought| thought.choice) else {
        return thoughts;
    };
    thoughts.truncate(most);
    let mut others = turn.legal_moves();
    let is_known = |choice: G::Move| move |known: &Thought<_>| known.choice == choice;
    others.retain(|&choice| !thoughts.iter().any(is_known(choice)));
    others.truncate(most - thoughts.len());
    if !others.is_empty() {
        let judged = player.judge(turn, &others);
        thoughts.extend(judged.into_iter().filter(|other| other.choice != best));
    }
    thoughts
}

pub(crate) fn to_json<T: serde::Serialize>(value: &T) -> Value {
    serde_json::to_value(value).expect("setups and views have string keys and plain values")
}
