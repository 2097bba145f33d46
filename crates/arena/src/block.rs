//! A block: one deal, played once for every way of seating the players, so that the luck of the
//! cards cancels.
//!
//! A block is the unit of work, of storage and of statistics.

use std::io::{self, Read as _, Write as _};
use std::ops::ControlFlow;

use croupier_bots::{Fault, Hosted, House, NotTaken, Place, Times};
use croupier_core::{Moment, Observer, Outcome, Recorder, Seat, Seed, built_in};
use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use serde::{Deserialize, Serialize};

use crate::chairs::Patience;
use crate::{Chair, Chairs, Dealing, Entrant, PlayedGame, Unplayed, Who};

/// The ways of seating players: for each the player in every seat.
pub type SeatOrders = Vec<Vec<usize>>;

/// How so many players are seated in turn: each in each seat once, moving on by one seat from game
/// to game.
pub fn rotations(players: usize) -> SeatOrders {
    let order = |moved: usize| (0..players).map(move |seat| (seat + players - moved) % players);
    (0..players).map(|moved| order(moved).collect()).collect()
}

/// All orders in which so many players can be seated, each once.
pub fn all_orders(players: usize) -> SeatOrders {
    let mut orders = vec![Vec::new()];
    for _ in 0..players {
        let longer = |order: &Vec<usize>| {
            let order = order.clone();
            let free = (0..players).filter(|player| !order.contains(player));
            let next = free.map(|player| [&order[..], &[player]].concat());
            next.collect::<Vec<_>>()
        };
        orders = orders.iter().flat_map(longer).collect();
    }
    orders
}

/// A block that is to be played. It can be [shipped](crate::Shipped) to another machine.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct BlockPlan {
    /// The entrants at the table, by number. The same one may sit there several times.
    pub table: Vec<usize>,
    /// The seed of the deal.
    pub deal: Seed,
    /// How the players are seated, game by game.
    pub orders: SeatOrders,
    /// What each of them has scored at this table so far, where the game shows it.
    pub scores: Vec<i64>,
    /// Which of them are suspended: they are not asked, and each of their decisions is a fault.
    pub suspended: Vec<bool>,
}

/// A block that has been played. It can be [shipped](crate::Shipped) back.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct BlockResult {
    /// The games, in the order of the seatings.
    pub games: Vec<Outcome>,
    /// How many faults each player at the table has made.
    pub faults: Vec<u64>,
    /// The faults that are kept: all but the many of a player who makes nothing else.
    pub kept: Vec<KeptFault>,
    /// How many decisions each player at the table had to make.
    pub decisions: Vec<u64>,
    /// Which of them were suspended.
    pub suspended: Vec<bool>,
    /// How long those of every player at the table took that is a program.
    pub times: Vec<Times>,
    /// The records of all games, one after the other, compressed; empty if they are not kept.
    #[serde(with = "crate::shipped::hexadecimal")]
    pub records: Vec<u8>,
}

/// Greater scores and counts do not come from any game: their sums might overflow.
const GREATEST: i64 = 1 << 40;

impl BlockResult {
    /// Whether it can be what came of so many games at a table of so many seats.
    pub fn fits(&self, seats: usize, games: usize) -> bool {
        let is_game = |game: &Outcome| {
            // Everybody's place tells how many are better. With others, points would come from nowhere.
            let is_place = |&place: &u16| {
                let better = game.places.iter().filter(|&&other| other < place);
                usize::from(place) == better.count() + 1
            };
            game.scores.len() == seats
                && game.places.len() == seats
                && game.places.iter().all(is_place)
                && game
                    .scores
                    .iter()
                    .all(|score| (-GREATEST..=GREATEST).contains(score))
        };
        let are_counts = |counts: &[u64]| {
            let is_count = |&count: &u64| count <= GREATEST.unsigned_abs();
            counts.len() == seats && counts.iter().all(is_count)
        };
        self.games.len() == games
            && self.games.iter().all(is_game)
            && are_counts(&self.faults)
            && are_counts(&self.decisions)
            && self.suspended.len() == seats
            && self.times.len() <= seats
            && self.times.iter().all(|times| {
                let most = GREATEST.unsigned_abs();
                let mut counts = times.counts();
                counts.all(|(micros, count)| micros <= most && count <= most)
            })
            && self
                .kept
                .iter()
                .all(|kept| kept.game < games && kept.player < seats && kept.seat.index() < seats)
    }
}

/// A fault in a block.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct KeptFault {
    /// In which game, from 0.
    pub game: usize,
    /// Whose: the number at the table.
    pub player: usize,
    /// In which seat it sat.
    pub seat: Seat,
    /// What happened.
    pub fault: Fault,
}

/// How blocks are played in a contest.
#[derive(Debug)]
pub struct DealerTerms<'a, G: Hosted> {
    /// All who take part.
    pub entrants: &'a [Entrant],
    /// The setup of every game.
    pub setup: &'a G::Setup,
    /// How foreign programs are held.
    pub house: &'a House,
    /// Whether records are kept.
    pub records: bool,
    /// How many faults of one player in one block are kept with everything that belongs to them.
    pub faults: u64,
}

impl<G: Hosted> DealerTerms<'_, G> {
    /// A chair for this entrant.
    fn take_on(&self, entrant: usize, is_suspended: bool) -> Result<Chair<G>, NotTaken> {
        match &self.entrants[entrant].who {
            _ if is_suspended => Ok(Chair::empty()),
            Who::Unusable { .. } | Who::Elsewhere => Ok(Chair::empty()),
            Who::BuiltIn(spec) => Ok(Chair::of(built_in(spec).expect("it was made before"))),
            Who::Guest(guest) => Ok(Chair::of(
                guest.player().expect("it was invited to this game"),
            )),
            Who::Program(program, speech) => {
                Chair::of_program(program.clone(), *speech, self.house, self.setup)
            }
        }
    }
}

/// One who deals in a contest: the players at a table, block after block.
pub struct Dealer<G: Hosted> {
    place: Option<Place>,
    /// Who sits in the chairs.
    table: Vec<usize>,
    chairs: Chairs<G>,
}

impl<G: Hosted> Dealer<G> {
    /// A dealer with an empty table, who stays in the thread with this number.
    pub fn new(thread: usize) -> Dealer<G> {
        Dealer {
            place: Place::of(thread).ok(),
            table: Vec::new(),
            chairs: Chairs::new(Vec::new()),
        }
    }

    /// Plays a block of the contest, which has the same terms every time.
    pub fn play(
        &mut self,
        terms: &DealerTerms<'_, G>,
        plan: &BlockPlan,
    ) -> Result<BlockResult, Unplayed> {
        self.seat(terms, plan)?;
        let mut played = BlockResult {
            faults: vec![0; plan.table.len()],
            decisions: vec![0; plan.table.len()],
            suspended: plan.suspended.clone(),
            ..BlockResult::default()
        };
        let mut scores = plan.scores.clone();
        let encoder = || DeflateEncoder::new(Vec::new(), Compression::default());
        let mut records = terms.records.then(encoder);
        for (number, order) in plan.orders.iter().enumerate() {
            let game = self.game(terms, number, order, plan, &scores)?;
            for (sum, score) in scores.iter_mut().zip(&game.outcome.scores) {
                *sum += score;
            }
            played.games.push(game.outcome);
            for (&player, decisions) in order.iter().zip(game.observer.decisions) {
                played.decisions[player] += decisions;
            }
            if let (Some(records), Some(record)) = (&mut records, game.observer.recorder) {
                let written = records.write_all(record.into_text().as_bytes());
                written.expect("memory takes what is written");
            }
            for (seat, player, fault) in game.faults {
                played.faults[player] += 1;
                if played.faults[player] <= terms.faults {
                    played.kept.push(KeptFault {
                        game: number,
                        player,
                        seat,
                        fault,
                    });
                }
            }
            // Who is not asked again is not asked until the block is over, so these come last.
            for (&player, unnoted) in order.iter().zip(game.unnoted) {
                played.faults[player] += unnoted;
            }
        }
        played.times = self.chairs.take_times();
        if let Some(records) = records {
            played.records = records.finish().expect("memory takes what is written");
        }
        Ok(played)
    }

    /// Seats the entrants of a block. Those who stay from the block before keep their chairs.
    fn seat(&mut self, terms: &DealerTerms<'_, G>, plan: &BlockPlan) -> Result<(), NotTaken> {
        let mut players = plan.table.iter().zip(&plan.suspended);
        let is_asked = |(&player, &is_suspended): (&usize, &bool)| {
            terms.entrants[player].is_foreign() && !is_suspended
        };
        let has_programs = players.any(is_asked);
        if let Some(place) = &mut self.place {
            // Only speed depends on it.
            let _ = place.stay_on_own(has_programs);
        }
        let chairs = std::mem::replace(&mut self.chairs, Chairs::new(Vec::new()));
        let before = std::mem::take(&mut self.table);
        let mut before: Vec<_> = before.into_iter().zip(chairs.into_inner()).collect();
        let chair = |(&entrant, &is_suspended): (&usize, &bool)| {
            let stays = before
                .iter()
                .position(|(sits, chair)| *sits == entrant && chair.is_taken() && !is_suspended);
            let chair = match stays {
                Some(place) => before.swap_remove(place).1,
                None => terms.take_on(entrant, is_suspended)?,
            };
            Ok(chair.with(Patience::in_a_block(is_suspended)))
        };
        let seats = plan.table.iter().zip(&plan.suspended);
        let chairs = seats.map(chair).collect::<Result<_, NotTaken>>()?;
        self.chairs = Chairs::new(chairs);
        self.table.clone_from(&plan.table);
        Ok(())
    }

    fn game(
        &mut self,
        terms: &DealerTerms<'_, G>,
        number: usize,
        order: &[usize],
        plan: &BlockPlan,
        scores: &[i64],
    ) -> Result<PlayedGame<Watch>, Unplayed> {
        let scores: Vec<i64> = order.iter().map(|&player| scores[player]).collect();
        let setup = G::carry_on(terms.setup, &scores);
        let setup = setup.as_ref().unwrap_or(terms.setup);
        let dealing = Dealing {
            setup,
            seed: plan.deal,
            // Players who leave something to chance do not do the same in all games of the block.
            chance: plan.deal.deal(number as u64),
            order,
        };
        self.chairs.play(&dealing, terms.house, || Watch {
            decisions: vec![0; order.len()],
            recorder: terms.records.then(|| {
                let entrant = |&player: &usize| &terms.entrants[plan.table[player]];
                let names = order.iter().map(|player| entrant(player).name.clone());
                Recorder::new::<G>(setup, plan.deal, names.collect())
            }),
        })
    }
}

/// The records of a block are not longer. What is compressed may say of itself that it is as long as it
/// likes.
const LONGEST_RECORDS: u64 = 256 << 20;

/// The records that were kept of a block, game by game.
pub(crate) fn records(compressed: &[u8]) -> io::Result<Vec<String>> {
    let text = unpacked(compressed, LONGEST_RECORDS)?;
    let mut records: Vec<String> = Vec::new();
    for line in text.split_inclusive('\n') {
        match records.last_mut() {
            Some(record) if !line.starts_with(RECORD_BEGINS) => record.push_str(line),
            _ => records.push(line.to_owned()),
        }
    }
    Ok(records)
}

/// A compressed text, if it is not longer than so many bytes.
fn unpacked(compressed: &[u8], most: u64) -> io::Result<String> {
    let mut text = String::new();
    let mut unpacked = DeflateDecoder::new(compressed).take(most + 1);
    unpacked.read_to_string(&mut text)?;
    match text.len() as u64 > most {
        true => Err(io::Error::other("its records are longer than any")),
        false => Ok(text),
    }
}

/// How the first line of a record begins, and no other.
const RECORD_BEGINS: &str = "{\"line\":\"game\"";

/// Looks on for what is counted and kept.
struct Watch {
    /// How many decisions each seat had to make.
    decisions: Vec<u64>,
    recorder: Option<Recorder>,
}

impl<G: Hosted> Observer<G> for Watch {
    const CURIOUS: bool = false;

    fn see(&mut self, game: &G, moment: &Moment<'_, G>) -> ControlFlow<()> {
        if let Moment::Played(seat, _) | Moment::Fouled(seat, ..) = moment {
            self.decisions[seat.index()] += 1;
        }
        match &mut self.recorder {
            Some(recorder) => recorder.see(game, moment),
            None => ControlFlow::Continue(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_that_nobody_has_lost_cannot_be_won() {
        let fits = |places: [u16; 4]| {
            let played = BlockResult {
                games: vec![Outcome::new(vec![0; 4], places.to_vec())],
                faults: vec![0; 4],
                decisions: vec![0; 4],
                suspended: vec![false; 4],
                ..BlockResult::default()
            };
            played.fits(4, 1)
        };
        for places in [[1, 2, 3, 4], [4, 1, 1, 3], [1, 2, 2, 2], [1, 1, 1, 1]] {
            assert!(fits(places), "{places:?}");
        }
        for places in [
            [2, 3, 4, 4],
            [1, 2, 3, 5],
            [0, 1, 2, 3],
            [4, 4, 4, 4],
            [1, 1, 2, 3],
        ] {
            assert!(!fits(places), "{places:?}");
        }
    }

    #[test]
    fn what_is_packed_too_well_is_not_unpacked() {
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(&[b' '; 1 << 20]).expect("memory");
        let packed = encoder.finish().expect("memory");
        assert!(packed.len() < 4096);
        assert_eq!(unpacked(&packed, 1 << 20).expect("text").len(), 1 << 20);
        assert!(unpacked(&packed, (1 << 20) - 1).is_err());
    }

    #[test]
    fn everybody_sits_everywhere_equally_often() {
        for orders in [rotations(2), rotations(26), all_orders(3), all_orders(4)] {
            let players = orders[0].len();
            assert_eq!(orders[0], (0..players).collect::<Vec<_>>());
            for player in 0..players {
                for seat in 0..players {
                    let times = orders.iter().filter(|order| order[seat] == player).count();
                    assert_eq!(times, orders.len() / players);
                }
            }
        }
        assert_eq!(all_orders(4).len(), 24);
        assert_eq!(rotations(3), [[0, 1, 2], [2, 0, 1], [1, 2, 0]]);
    }
}
