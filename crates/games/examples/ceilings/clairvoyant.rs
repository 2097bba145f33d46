//! A player who sees all cards, knows how the others will answer, and looks for the best line of play.
//!
//! Against players who always do the same in the same situation, and with the random numbers of the deal
//! known, a game is a puzzle for one: there is a best result, and no player, however it thinks, gets more
//! in this deal against these opponents. First a local search changes the best line found so far; then,
//! if that did not find the first place, all lines that may be better are tried (depth-first branch and
//! bound) as far as the budget goes.

use croupier_core::{Player, Rng, Seat, Seed, Turn};

use crate::rivals::Rivals;

/// The other players of a table, each in its seat; the own seat has none. They must be deterministic.
pub(crate) type Field<G> = Vec<Option<Box<dyn Player<G>>>>;

/// How well one can do in a deal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ceiling {
    /// The points for places of the best line that was found.
    pub(crate) found: f64,
    /// No line has more: it is the same number if the first place was found or all lines were tried.
    pub(crate) at_most: f64,
}

/// How much is tried for each deal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    /// Games of the local search.
    pub(crate) games: u64,
    /// Moves of the exhaustive search.
    pub(crate) moves: u64,
}

/// Of so many own moves in the local search, one is not that of the rollout policy.
const DEVIATION: usize = 4;

/// The best that this seat can do in this deal.
pub(crate) fn ceiling<G: Rivals>(
    deal: &G,
    seat: Seat,
    field: &mut Field<G>,
    effort: Effort,
) -> Ceiling {
    let most = (deal.seats() - 1) as f64;
    let mut start = deal.clone();
    answer(&mut start, seat, field);
    let mut clairvoyant = Clairvoyant {
        seat,
        field,
        rng: Seed(1).rng(),
        best: -1.0,
        moves: effort.moves,
    };
    clairvoyant.improve(start.clone(), effort.games, most);
    let all_tried = clairvoyant.best < most && clairvoyant.try_all(&start, most);
    let found = clairvoyant.best;
    Ceiling {
        found,
        at_most: if all_tried { found } else { most },
    }
}

/// The others play until it is this seat's turn or the game is over.
pub(crate) fn answer<G: Rivals>(game: &mut G, seat: Seat, field: &mut Field<G>) {
    while let Some(turn) = game.to_move().filter(|&turn| turn != seat) {
        let player = field[turn.index()].as_mut().expect("somebody sits there");
        let choice = player.decide(&Turn::of(game).expect("the game is not over"));
        match choice {
            Ok(choice) => game.play(choice).expect("rule players know the rules"),
            Err(_) => {
                game.foul();
            }
        }
    }
}

struct Clairvoyant<'a, G: Rivals> {
    seat: Seat,
    field: &'a mut Field<G>,
    rng: Rng,
    best: f64,
    /// How many moves may still be tried by the exhaustive search.
    moves: u64,
}

impl<G: Rivals> Clairvoyant<'_, G> {
    /// Local search: plays the best line up to some point, then another move, then mostly the rollout
    /// policy.
    fn improve(&mut self, start: G, games: u64, most: f64) {
        // The positions of the best line in which the seat had to choose.
        let mut line = vec![start];
        for game in 0..games {
            let kept = self.rng.below(line.len());
            let mut path = line[..=kept].to_vec();
            let deviates = game > 0;
            let points = self.play_on(&mut path, deviates);
            if points >= self.best {
                self.best = points;
                line = path;
            }
            if self.best == most {
                return;
            }
        }
    }

    /// Plays on from the last position of the path, which grows, and gives the points.
    fn play_on(&mut self, path: &mut Vec<G>, mut deviates: bool) -> f64 {
        let may_deviate = deviates;
        loop {
            let mut game = path.last().expect("a path has a start").clone();
            if game.to_move().is_none() {
                path.pop();
                return game.outcome().points()[self.seat.index()];
            }
            let choice = match deviates {
                true => game.random_move(&mut self.rng),
                false => game.sensible(&mut self.rng),
            };
            game.play(choice.expect("it is its turn"))
                .expect("it is legal");
            answer(&mut game, self.seat, self.field);
            deviates = may_deviate && self.rng.below(DEVIATION) == 0;
            path.push(game);
        }
    }

    /// Tries all lines that may be better than the best; whether it came to the end of them.
    fn try_all(&mut self, game: &G, most: f64) -> bool {
        if game.hope(self.seat) <= self.best {
            return true;
        }
        let mut moves = Vec::new();
        game.legal(&mut moves);
        for choice in moves {
            if self.moves == 0 {
                return false;
            }
            self.moves -= 1;
            let mut after = game.clone();
            after.play(choice).expect("it is legal");
            answer(&mut after, self.seat, self.field);
            match after.to_move() {
                None => {
                    let points = after.outcome().points()[self.seat.index()];
                    self.best = self.best.max(points);
                }
                Some(_) if !self.try_all(&after, most) => return false,
                Some(_) => {}
            }
            if self.best == most {
                return true;
            }
        }
        true
    }
}
