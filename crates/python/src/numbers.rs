//! Games as numbers: one table, or thousands of games at once.

use std::sync::atomic::{AtomicU64, Ordering};

use croupier_core::{Drawn, Encoded, Outcome, Rng, Seat, Seed, Shape};
use rayon::ThreadPool;
use serde_json::Value;

/// An action that is not legal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum NoAction {
    /// The game is over.
    Over,
    /// There are not so many actions.
    Unknown { action: i64, actions: usize },
    /// The rules do not allow it; with the rule that it breaks, if there is one.
    Illegal { action: i64, rule: String },
}

impl std::fmt::Display for NoAction {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NoAction::Over => f.write_str("the game is over"),
            NoAction::Unknown { action, actions } => {
                let last = actions.saturating_sub(1);
                write!(f, "there is no action {action}: they are 0 to {last}")
            }
            NoAction::Illegal { action, rule } => write!(f, "action {action} is illegal: {rule}"),
        }
    }
}

/// What each seat gets at the end of a game: 1 for the first place, -1 for the last, and what lies
/// between for those between; the sum is always 0.
pub(crate) fn rewards(outcome: &Outcome) -> impl Iterator<Item = f64> {
    let most = (outcome.places.len().max(2) - 1) as f64;
    let points = outcome.points().into_iter();
    points.map(move |points| 2.0 * points / most - 1.0)
}

/// A table at which game after game is played by actions.
pub(crate) trait AnyTable: Send {
    /// How many seats it has.
    fn seats(&self) -> usize;
    /// How many actions there are, and how many numbers are observed.
    fn shape(&self) -> (usize, usize);
    /// Deals a new game.
    fn deal(&mut self, seed: Seed);
    /// The seed of the game and the actions that were taken in it; none if none was dealt.
    fn played(&self) -> Option<(Seed, &[u32])>;
    /// Whose turn it is.
    fn to_move(&self) -> Option<usize>;
    /// Takes an action; the game is as it was if that fails.
    fn play(&mut self, action: i64) -> Result<(), NoAction>;
    /// Writes what a seat observes, and the actions that it may take now; both must be zero before.
    fn observe(&self, seat: usize, observation: &mut [f32], mask: &mut [i8]);
    /// How it ended, or stands.
    fn outcome(&self) -> Option<Outcome>;
    /// What everybody sees.
    fn open(&self) -> Value;
}

pub(crate) struct Tabled<G: Encoded> {
    setup: G::Setup,
    seats: usize,
    actions: usize,
    numbers: usize,
    dealt: Option<(Seed, G)>,
    played: Vec<u32>,
}

impl<G: Encoded> Tabled<G> {
    pub(crate) fn new(setup: G::Setup, shape: &Shape) -> Tabled<G> {
        Tabled {
            seats: G::deal(&setup, Seed(0)).seats(),
            setup,
            actions: shape.actions,
            numbers: shape.numbers(),
            dealt: None,
            played: Vec::new(),
        }
    }
}

impl<G: Encoded + Drawn> AnyTable for Tabled<G> {
    fn seats(&self) -> usize {
        self.seats
    }
    fn shape(&self) -> (usize, usize) {
        (self.actions, self.numbers)
    }
    fn deal(&mut self, seed: Seed) {
        self.dealt = Some((seed, G::deal(&self.setup, seed)));
        self.played.clear();
    }
    fn played(&self) -> Option<(Seed, &[u32])> {
        let (seed, _) = self.dealt.as_ref()?;
        Some((*seed, &self.played))
    }
    fn to_move(&self) -> Option<usize> {
        let (_, game) = self.dealt.as_ref()?;
        game.to_move().map(Seat::index)
    }
    fn play(&mut self, action: i64) -> Result<(), NoAction> {
        let game = self.dealt.as_mut().map(|(_, game)| game);
        let game = game
            .filter(|game| game.to_move().is_some())
            .ok_or(NoAction::Over)?;
        make(game, action, self.actions)?;
        self.played.push(action as u32);
        Ok(())
    }
    fn observe(&self, seat: usize, observation: &mut [f32], mask: &mut [i8]) {
        if let Some((_, game)) = &self.dealt {
            game.observe(Seat::from(seat), observation);
            if game.to_move() == Some(Seat::from(seat)) {
                game.mask(mask);
            }
        }
    }
    fn outcome(&self) -> Option<Outcome> {
        self.dealt.as_ref().map(|(_, game)| game.outcome())
    }
    fn open(&self) -> Value {
        let open = self
            .dealt
            .as_ref()
            .map(|(_, game)| serde_json::to_value(game.open()));
        open.and_then(Result::ok).unwrap_or(Value::Null)
    }
}

/// Takes an action in a game that is not over.
fn make<G: Encoded>(game: &mut G, action: i64, actions: usize) -> Result<(), NoAction> {
    let unknown = || NoAction::Unknown { action, actions };
    let number = usize::try_from(action)
        .ok()
        .filter(|number| *number < actions);
    let number = number.ok_or_else(unknown)?;
    let illegal = |rule: String| NoAction::Illegal { action, rule };
    let choice = game.choice(number);
    let choice = choice.ok_or_else(|| illegal("it is no move in this situation".to_owned()))?;
    game.play(choice).map_err(|rule| illegal(rule.to_string()))
}

/// What is shown of every game after a step, one row a game.
pub(crate) struct Rows<'a> {
    pub(crate) observations: &'a mut [f32],
    pub(crate) masks: &'a mut [i8],
    pub(crate) seats: &'a mut [i64],
    pub(crate) rewards: &'a mut [f32],
    pub(crate) ended: &'a mut [bool],
    pub(crate) final_observations: &'a mut [f32],
    pub(crate) scores: &'a mut [i64],
    pub(crate) places: &'a mut [i64],
}

impl<'a> Rows<'a> {
    /// The rows of the first so many games, and the rest.
    #[inline]
    fn split_at(self, games: usize, size: Size) -> (Rows<'a>, Rows<'a>) {
        macro_rules! split {
            ($($field:ident: $width:expr),*) => {{
                $(let $field = self.$field.split_at_mut(games * $width);)*
                (Rows { $($field: $field.0),* }, Rows { $($field: $field.1),* })
            }};
        }
        split!(
            observations: size.numbers, masks: size.actions, seats: 1, rewards: size.seats, ended: 1,
            final_observations: size.seats * size.numbers, scores: size.seats, places: size.seats
        )
    }

    /// Whether there is a row of the right length for every game.
    pub(crate) fn fit(&self, games: usize, size: Size) -> bool {
        self.observations.len() == games * size.numbers
            && self.masks.len() == games * size.actions
            && self.seats.len() == games
            && self.rewards.len() == games * size.seats
            && self.ended.len() == games
            && self.final_observations.len() == games * size.seats * size.numbers
            && self.scores.len() == games * size.seats
            && self.places.len() == games * size.seats
    }
}

/// The memory for a batch cannot be had.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct NoMemory;

/// An empty list with room for so much. A batch asks for all its memory here, because whoever asks for too
/// much elsewhere ends the whole process.
pub(crate) fn reserved<T>(count: usize) -> Result<Vec<T>, NoMemory> {
    let mut list = Vec::new();
    list.try_reserve_exact(count).map_err(|_| NoMemory)?;
    Ok(list)
}

/// How many numbers there are of each sort.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Size {
    pub(crate) seats: usize,
    pub(crate) actions: usize,
    pub(crate) numbers: usize,
}

/// What is played in every game of a batch.
#[derive(Clone, Copy)]
pub(crate) enum Moves<'a> {
    /// Nothing: the games are only shown.
    None,
    /// Nothing: all games are dealt anew from this seed.
    Deal(Seed),
    /// These actions, one a game. They have been checked.
    Actions(&'a [i64]),
    /// So many random legal moves.
    Random(u64),
}

/// Many games at once.
pub(crate) trait AnyBatch: Send {
    /// How many games there are.
    fn games(&self) -> usize;
    fn size(&self) -> Size;
    /// Refuses actions of which one is not legal: the game, and what is wrong with it.
    fn check(&self, actions: &[i64]) -> Result<(), (usize, NoAction)>;
    /// Plays in all games and shows them, on so many threads if there is a crew, or alone. A game that
    /// ends is dealt anew in the same step. Tells how many have ended.
    fn step(
        &mut self,
        moves: Moves<'_>,
        rows: Rows<'_>,
        threads: usize,
        crew: Option<&ThreadPool>,
    ) -> u64;
    /// The seeds of the games that are being played.
    fn seeds(&self) -> Vec<u64>;
}

pub(crate) struct Batched<G: Encoded> {
    setup: G::Setup,
    seed: Seed,
    size: Size,
    places: Vec<Place<G>>,
    /// The actions that are legal, which nobody outside can write.
    legal: Vec<i8>,
}

/// One of the games.
struct Place<G> {
    game: G,
    /// Its number among all deals of the batch.
    deal: u64,
    rng: Rng,
}

/// A thread is not worth waking for fewer games.
const FEWEST_A_THREAD: usize = 64;

impl<G: Encoded> Batched<G> {
    pub(crate) fn new(
        setup: G::Setup,
        shape: &Shape,
        games: usize,
        seed: Seed,
    ) -> Result<Batched<G>, NoMemory> {
        let size = Size {
            seats: G::deal(&setup, Seed(0)).seats(),
            actions: shape.actions,
            numbers: shape.numbers(),
        };
        let mut batch = Batched {
            setup,
            seed,
            size,
            places: reserved(games)?,
            legal: reserved(games * size.actions)?,
        };
        batch.legal.resize(games * size.actions, 0);
        batch.fill(games);
        Ok(batch)
    }

    fn fill(&mut self, games: usize) {
        // The chance of the players is apart from that of the deals.
        let chance = self.seed.player(Seat(0));
        self.places.clear();
        self.places.extend((0..games as u64).map(|number| Place {
            game: G::deal(&self.setup, self.seed.deal(number)),
            deal: number,
            rng: chance.deal(number).rng(),
        }));
    }
}

impl<G: Encoded> AnyBatch for Batched<G> {
    fn games(&self) -> usize {
        self.places.len()
    }
    fn size(&self) -> Size {
        self.size
    }
    fn check(&self, actions: &[i64]) -> Result<(), (usize, NoAction)> {
        let rows = self.legal.chunks_exact(self.size.actions).zip(&self.places);
        for (number, (&action, (legal, place))) in actions.iter().zip(rows).enumerate() {
            let is_legal = usize::try_from(action)
                .ok()
                .and_then(|action| legal.get(action));
            if is_legal != Some(&1) {
                let tried = make(&mut place.game.clone(), action, self.size.actions);
                let rule = "it is no move in this situation".to_owned();
                let wrong = tried.err().unwrap_or(NoAction::Illegal { action, rule });
                return Err((number, wrong));
            }
        }
        Ok(())
    }
    fn step(
        &mut self,
        moves: Moves<'_>,
        rows: Rows<'_>,
        threads: usize,
        crew: Option<&ThreadPool>,
    ) -> u64 {
        let games = self.places.len();
        if let Moves::Deal(seed) = moves {
            self.seed = seed;
            self.fill(games);
        }
        let threads = crew.map_or(1, |_| threads);
        let most = games.div_ceil(FEWEST_A_THREAD);
        let share = games.div_ceil(threads.clamp(1, most.max(1))).max(1);
        let part = Part {
            setup: &self.setup,
            seed: self.seed,
            games: games as u64,
            size: self.size,
        };
        let mut pieces = Vec::new();
        let mut rest = rows;
        let legal = self.legal.chunks_mut(share * self.size.actions);
        for (number, (places, legal)) in self.places.chunks_mut(share).zip(legal).enumerate() {
            let (rows, after) = rest.split_at(places.len(), self.size);
            rest = after;
            let moves = match moves {
                Moves::Actions(actions) => {
                    Moves::Actions(&actions[number * share..number * share + places.len()])
                }
                other => other,
            };
            pieces.push((places, legal, moves, rows));
        }
        let ended = AtomicU64::new(0);
        let work =
            |(places, legal, moves, rows): (&mut [Place<G>], &mut [i8], Moves<'_>, Rows<'_>)| {
                let some = part.step(places, legal, moves, rows);
                ended.fetch_add(some, Ordering::Relaxed);
            };
        match (pieces.pop(), crew) {
            (Some(own), Some(crew)) => crew.in_place_scope(|scope| {
                let work = &work;
                for piece in pieces {
                    scope.spawn(move |_| work(piece));
                }
                work(own);
            }),
            (own, _) => own.into_iter().for_each(work),
        }
        ended.into_inner()
    }
    fn seeds(&self) -> Vec<u64> {
        self.places
            .iter()
            .map(|place| self.seed.deal(place.deal).0)
            .collect()
    }
}

/// What the threads of a step share.
struct Part<'a, G: Encoded> {
    setup: &'a G::Setup,
    seed: Seed,
    games: u64,
    size: Size,
}

impl<G: Encoded> Part<'_, G> {
    fn step(
        &self,
        places: &mut [Place<G>],
        legal: &mut [i8],
        moves: Moves<'_>,
        mut rows: Rows<'_>,
    ) -> u64 {
        let mut ended = 0;
        let legal = legal.chunks_exact_mut(self.size.actions);
        for (number, (place, legal)) in places.iter_mut().zip(legal).enumerate() {
            let (mut row, rest) = rows.split_at(1, self.size);
            rows = rest;
            row.rewards.fill(0.0);
            row.ended[0] = false;
            ended += match moves {
                Moves::None | Moves::Deal(_) => 0,
                Moves::Actions(actions) => self.play(place, actions[number], &mut row),
                Moves::Random(steps) => self.play_random(place, steps, &mut row),
            };
            show(&place.game, legal, row);
        }
        ended
    }

    /// Takes an action that was checked; tells how many games have ended.
    fn play(&self, place: &mut Place<G>, action: i64, row: &mut Rows<'_>) -> u64 {
        let made = make(&mut place.game, action, self.size.actions);
        debug_assert_eq!(made, Ok(()), "actions are checked before");
        if place.game.to_move().is_some() {
            return 0;
        }
        show_end(&place.game, row);
        self.redeal(place);
        1
    }

    /// Makes so many random moves; tells how many games have ended. Only the last move is shown.
    fn play_random(&self, place: &mut Place<G>, steps: u64, row: &mut Rows<'_>) -> u64 {
        let mut ended = 0;
        for step in 1..=steps {
            if let Some(choice) = place.game.random_move(&mut place.rng) {
                let made = place.game.play(choice);
                debug_assert!(made.is_ok(), "a random move is legal");
            }
            if place.game.to_move().is_none() {
                ended += 1;
                if step == steps {
                    show_end(&place.game, row);
                }
                self.redeal(place);
            }
        }
        ended
    }

    /// Deals a game anew. No two deals of a batch have the same number, so no two the same seed.
    fn redeal(&self, place: &mut Place<G>) {
        place.deal += self.games;
        place.game = G::deal(self.setup, self.seed.deal(place.deal));
    }
}

/// Shows a game to the seat to move, in its row.
fn show<G: Encoded>(game: &G, legal: &mut [i8], row: Rows<'_>) {
    row.observations.fill(0.0);
    legal.fill(0);
    if let Some(seat) = game.to_move() {
        row.seats[0] = seat.index() as i64;
        game.observe(seat, row.observations);
        game.mask(legal);
    }
    row.masks.copy_from_slice(legal);
}

/// Shows how a game has ended, in its row.
fn show_end<G: Encoded>(game: &G, row: &mut Rows<'_>) {
    let outcome = game.outcome();
    row.ended[0] = true;
    for (reward, got) in row.rewards.iter_mut().zip(rewards(&outcome)) {
        *reward = got as f32;
    }
    row.scores.copy_from_slice(&outcome.scores);
    for (place, &got) in row.places.iter_mut().zip(&outcome.places) {
        *place = got.into();
    }
    let numbers = row.observations.len();
    let finals = row.final_observations.chunks_exact_mut(numbers);
    for (seat, observation) in finals.enumerate() {
        observation.fill(0.0);
        game.observe(Seat::from(seat), observation);
    }
}
