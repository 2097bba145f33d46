//! `croupier tournament uno`: every deal is played in all 24 orders of seating.
//!
//! So nobody has better cards than the others, and nobody sits better. The scores of the players
//! go on from game to game, and the programs are shown them.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::time::Instant;

use clap::ArgMatches;
use croupier_bots::{Fault, Foreign, Hosted, House, Ledger, Program, Speech, Tier};
use croupier_console::{Failure, print, seed};
use croupier_core::{
    Foul, Game as _, Moment, Observer, Outcome, Player, Seat, Seed, Unfinished, play_on,
};
use croupier_games::uno::{SEATS, Setup, Uno, View, c};
use serde_json::{Value, json};

use crate::players::{self, Named};
use crate::style::{BOLD, DIM, grouped};
use crate::table::{self, TRIES, name_of_kind};
use crate::{house, progress};

/// How many orders of seating there are for one deal.
const SEATINGS: usize = 24;

/// How improbable a difference must be before it is not put down to chance.
const IMPROBABLE: f64 = 0.001;

/// Plays the tournament that the command line asks for.
pub(crate) fn tournament(matches: &ArgMatches) -> Result<(), Failure> {
    let (_, matches) = matches.subcommand().expect("clap asks for a game");
    Tournament::prepare(matches)?.play()
}

struct Tournament {
    players: Vec<Named>,
    programs: Vec<Option<(Program, Speech)>>,
    house: House,
    seed: Seed,
    rounds: u64,
    tells_penalties: bool,
    as_json: bool,
    quiet: bool,
}

/// What is known after some rounds.
#[derive(Default)]
struct Tally {
    rounds: u64,
    decisions: u64,
    seconds: f64,
    players: [Fared; SEATS],
    /// The squares of how far each player's score in a round was from the mean of the four, of all
    /// rounds together: what chance alone does within rounds.
    spread: f64,
    penalties: Vec<Penalty>,
    /// For each player and kind of fault how often, and the first one.
    faults: BTreeMap<(usize, String), (u64, String)>,
}

#[derive(Clone, Copy, Default)]
struct Fared {
    score: i64,
    /// Points for places are halves at worst.
    points: f64,
    wins: u64,
    penalties: u64,
}

/// One penalty, and what its player saw before it.
struct Penalty {
    round: u64,
    game: usize,
    seat: Seat,
    player: usize,
    foul: Foul,
    selection: String,
    view: View,
}

impl Tournament {
    fn prepare(matches: &ArgMatches) -> Result<Tournament, Failure> {
        let specs = matches.get_many("player").unwrap_or_default();
        let specs: Vec<String> = specs.cloned().collect();
        let players = players::read(&specs, false, SEATS)?;
        Ok(Tournament {
            programs: table::programs::<Uno>(&players)?,
            players,
            house: house::read(matches, Tier::Strict, Uno::DECISION)?,
            seed: seed(matches)?,
            rounds: *matches.get_one("rounds").expect("it has a default"),
            tells_penalties: matches.get_flag("penalties"),
            as_json: matches.get_flag("json"),
            quiet: matches.get_flag("quiet"),
        })
    }

    fn play(self) -> Result<(), Failure> {
        let ledger = Ledger::default();
        let setup = Setup::default();
        let mut seated =
            table::seat::<Uno>(&self.players, &self.programs, &self.house, &ledger, &setup)?;
        let bar = progress::bar(
            self.rounds * SEATINGS as u64,
            self.quiet || self.as_json || self.tells_penalties,
        );
        let start = Instant::now();
        let mut tally = Tally::default();
        for round in 0..self.rounds {
            let played = self.round(round, &mut seated, &ledger, &mut tally);
            tally.seconds = start.elapsed().as_secs_f64();
            if let Err(failure) = played {
                bar.finish_and_clear();
                if tally.rounds > 0 {
                    self.report(&tally)?;
                }
                return Err(failure);
            }
            bar.set_position(tally.rounds * SEATINGS as u64);
        }
        bar.finish_and_clear();
        self.report(&tally)
    }

    /// Plays a deal in all orders of seating; it counts only as a whole.
    fn round(
        &self,
        round: u64,
        seated: &mut [Foreign<Uno>],
        ledger: &Ledger,
        tally: &mut Tally,
    ) -> Result<(), Failure> {
        let mut fared = tally.players;
        let mut decisions = 0;
        let mut penalties = Vec::new();
        let mut faults = Vec::new();
        for (game, order) in orders().into_iter().enumerate() {
            let (outcome, watch) = self.game(round, game, order, &fared, seated, ledger)?;
            let points = outcome.points();
            for (seat, &player) in order.iter().enumerate() {
                let fared = &mut fared[player];
                fared.score += outcome.scores[seat];
                fared.points += points[seat];
                fared.wins += u64::from(is_won(&outcome, seat));
            }
            decisions += watch.decisions;
            let noted = ledger.take();
            // Players that come with the game do not foul, so the penalties are those of the
            // programs, in the same order.
            for ((seat, foul, view), (_, fault)) in watch.penalties.into_iter().zip(&noted) {
                penalties.push(Penalty {
                    round,
                    game,
                    seat,
                    player: order[seat.index()],
                    foul,
                    selection: selection(fault),
                    view,
                });
            }
            for (player, fault) in noted {
                fared[player].penalties += 1;
                faults.push((player, fault));
            }
        }
        let gained: Vec<f64> = (0..SEATS)
            .map(|player| (fared[player].score - tally.players[player].score) as f64)
            .collect();
        tally.spread += deviation(&gained);
        tally.players = fared;
        tally.decisions += decisions;
        tally.rounds += 1;
        for (player, fault) in faults {
            let kind = (player, name_of_kind(fault.kind));
            tally.faults.entry(kind).or_insert((0, fault.detail)).0 += 1;
        }
        if self.tells_penalties && !self.as_json {
            return penalties
                .iter()
                .try_for_each(|penalty| print(&self.told(penalty)));
        }
        tally.penalties.extend(penalties);
        Ok(())
    }

    /// Plays one game; once more if the machine fails.
    fn game(
        &self,
        round: u64,
        game: usize,
        order: [usize; SEATS],
        fared: &[Fared; SEATS],
        seated: &mut [Foreign<Uno>],
        ledger: &Ledger,
    ) -> Result<(Outcome, Watch), Failure> {
        let setup = Setup {
            scores: order.map(|player| i32::try_from(fared[player].score).unwrap_or(i32::MAX)),
            ..Setup::default()
        };
        let deal = self.seed.deal(round);
        // Players who leave something to chance do not do the same in all 24 games.
        let chance = deal.deal(game as u64);
        let mut reason = String::new();
        for _ in 0..TRIES {
            let mut free: Vec<_> = seated.iter_mut().map(Some).collect();
            let mut players: Vec<&mut Box<dyn Player<Uno>>> = order
                .iter()
                .map(|&player| &mut free[player].take().expect("each sits once").player)
                .collect();
            for (seat, player) in Seat::all(SEATS).zip(&mut players) {
                player.start(seat, chance.player(seat));
            }
            let mut watch = Watch {
                keeps_views: self.tells_penalties,
                ..Watch::default()
            };
            let result = play_on(Uno::deal(&setup, deal), &mut players, &mut watch);
            if house::is_stopped(&self.house) {
                return Err(Failure::Interrupted(format!(
                    "stopped in round {} of {}; --seed {} plays the tournament again",
                    round + 1,
                    self.rounds,
                    self.seed
                )));
            }
            match result {
                Ok(outcome) => return Ok((outcome, watch)),
                Err(Unfinished::Void(why)) => reason = why,
                Err(Unfinished::Stopped) => return Err(Failure::OutputClosed),
            }
            ledger.take();
        }
        Err(Failure::Machine(format!(
            "game {} of round {} could not be played: {reason}",
            game + 1,
            round + 1
        )))
    }

    fn told(&self, penalty: &Penalty) -> String {
        let mut text = format!(
            "{BOLD}Round {}, game {}{BOLD:#}: {} in seat {} selected {} and draws two: {}: {}\n",
            penalty.round + 1,
            penalty.game + 1,
            self.players[penalty.player].name,
            penalty.seat,
            penalty.selection,
            name_of_kind(penalty.foul.kind),
            penalty.foul.detail.replace('\n', "\n  "),
        );
        for line in c::State::of(&penalty.view).to_string().lines() {
            text += &format!("  {DIM}{line}{DIM:#}\n");
        }
        text + "\n"
    }

    fn report(&self, tally: &Tally) -> Result<(), Failure> {
        if self.as_json {
            return print(&format!("{}\n", self.json(tally)));
        }
        print(&self.text(tally))
    }

    fn json(&self, tally: &Tally) -> Value {
        let games = tally.games();
        let standings = tally.ranked().into_iter().map(|(rank, player)| {
            let fared = tally.players[player];
            json!({
                "rank": rank,
                "name": self.players[player].name,
                "spec": self.players[player].spec,
                "points": fared.points,
                "games": games,
                "mean_points": fared.points / games as f64,
                "score": fared.score,
                "wins": fared.wins,
                "penalties": fared.penalties,
                "faults": fared.penalties,
            })
        });
        let mut report = json!({
            "game": Uno::PROFILE.name,
            "format": "seatings",
            "rounds": tally.rounds,
            "games": games,
            "seed": self.seed,
            "sandbox": self.house.tier,
            "decisions": tally.decisions,
            "seconds": tally.seconds,
            "decisions_per_second": tally.decisions as f64 / tally.seconds.max(1e-9),
            "standings": standings.collect::<Vec<_>>(),
            "equal_shares": {
                "chi_square": tally.chi_square(),
                "degrees_of_freedom": SEATS - 1,
                "p": chi_square_tail(tally.chi_square()),
            },
        });
        if self.tells_penalties {
            let penalties = tally.penalties.iter().map(|penalty| {
                json!({
                    "round": penalty.round + 1,
                    "game": penalty.game + 1,
                    "name": self.players[penalty.player].name,
                    "seat": penalty.seat,
                    "selection": penalty.selection,
                    "kind": penalty.foul.kind,
                    "detail": penalty.foul.detail,
                    "state": penalty.view,
                })
            });
            report["penalties"] = penalties.collect();
        }
        report
    }

    fn text(&self, tally: &Tally) -> String {
        let games = tally.games();
        let widest = self
            .players
            .iter()
            .map(|player| player.name.chars().count());
        let widest = widest.max().unwrap_or(0).max("player".len());
        let mut text = format!(
            "{BOLD}Uno{BOLD:#}, {} games: {} deal{} in {SEATINGS} orders of seating, sandbox {}\n\
             {DIM}--seed {}{DIM:#}\n\n      {:<widest$}  {:>9}  {:>7}  {:>7}  {:>9}\n",
            grouped(games),
            grouped(tally.rounds),
            if tally.rounds == 1 { "" } else { "s" },
            self.house.tier,
            self.seed,
            "player",
            "score",
            "share",
            "wins",
            "penalties",
        );
        let all: i64 = tally.players.iter().map(|fared| fared.score).sum();
        for (rank, player) in tally.ranked() {
            let fared = tally.players[player];
            text += &format!(
                "  {rank}.  {:<widest$}  {:>9}  {:>5.1} %  {:>7}  {:>9}\n",
                self.players[player].name,
                fared.score,
                100.0 * fared.score as f64 / all.max(1) as f64,
                fared.wins,
                fared.penalties,
            );
        }
        let p = chi_square_tail(tally.chi_square());
        text += &format!(
            "\n  Are the shares equal? {}: chi-square {:.2} with {} degrees of freedom, p = {p:.4}.\n",
            if p < IMPROBABLE {
                "No, not by chance"
            } else {
                "Within chance"
            },
            tally.chi_square(),
            SEATS - 1,
        );
        for ((player, kind), (times, first)) in &tally.faults {
            let name = &self.players[*player].name;
            let times = match times {
                1 => "once".to_owned(),
                times => format!("{} times", grouped(*times)),
            };
            text += &format!("\n  {name} fouled {times}, {kind}: {first}");
        }
        if !tally.faults.is_empty() {
            text += "\n";
        }
        text
    }
}

impl Tally {
    fn games(&self) -> u64 {
        self.rounds * SEATINGS as u64
    }

    /// The players, the highest score first, each with the rank it shares with equal ones.
    fn ranked(&self) -> Vec<(usize, usize)> {
        let score = |player: usize| self.players[player].score;
        let mut order: Vec<usize> = (0..SEATS).collect();
        order.sort_by_key(|&player| std::cmp::Reverse(score(player)));
        let better = |than: i64| {
            self.players
                .iter()
                .filter(|fared| fared.score > than)
                .count()
        };
        order
            .iter()
            .map(|&player| (1 + better(score(player)), player))
            .collect()
    }

    /// How unequal the scores are, beside what chance does when equal players share out the
    /// scores of every round among them at random (Friedman's test, with scores for ranks).
    fn chi_square(&self) -> f64 {
        let scores = self.players.map(|fared| fared.score as f64);
        if self.spread == 0.0 {
            return 0.0;
        }
        (SEATS - 1) as f64 * deviation(&scores) / self.spread
    }
}

/// The sum of the squares of how far these numbers are from their mean.
fn deviation(numbers: &[f64]) -> f64 {
    let mean = numbers.iter().sum::<f64>() / numbers.len() as f64;
    numbers.iter().map(|number| (number - mean).powi(2)).sum()
}

/// The probability that chance alone gives a chi-square with three degrees of freedom at least as
/// high: one minus the area under its density, which is smooth in the square root (Simpson's
/// rule).
fn chi_square_tail(chi_square: f64) -> f64 {
    const STEPS: u32 = 1_000;
    let density = |root: f64| root * root * (-root * root / 2.0).exp();
    let width = chi_square.sqrt() / f64::from(STEPS);
    let weighted = |step: u32| {
        let weight = match step {
            0 | STEPS => 1.0,
            odd if odd % 2 == 1 => 4.0,
            _ => 2.0,
        };
        weight * density(f64::from(step) * width)
    };
    let area: f64 = (0..=STEPS).map(weighted).sum::<f64>() * width / 3.0;
    let whole = (std::f64::consts::PI / 2.0).sqrt();
    (1.0 - area / whole).clamp(0.0, 1.0)
}

/// Whether the player in this seat went out. One can win nothing, if the others hold only zeros.
fn is_won(outcome: &Outcome, seat: usize) -> bool {
    outcome.places[seat] == 1 && outcome.places.iter().filter(|&&place| place == 1).count() == 1
}

/// What a program answered before its penalty.
fn selection(fault: &Fault) -> String {
    let answer = String::from_utf8_lossy(&fault.exchange.answer.0);
    match answer.trim() {
        "" => "nothing".to_owned(),
        answer => answer.to_owned(),
    }
}

/// All orders in which the players can sit: which player is in each seat.
fn orders() -> Vec<[usize; SEATS]> {
    let mut orders = Vec::new();
    for number in 0..SEATS.pow(SEATS as u32) {
        let order: [usize; SEATS] =
            std::array::from_fn(|seat| number / SEATS.pow((SEATS - 1 - seat) as u32) % SEATS);
        if (0..SEATS).all(|player| order.contains(&player)) {
            orders.push(order);
        }
    }
    orders
}

/// Looks on for what the report tells.
#[derive(Default)]
struct Watch {
    decisions: u64,
    keeps_views: bool,
    /// What the player who is to move sees, if that is kept.
    view: Option<View>,
    penalties: Vec<(Seat, Foul, View)>,
}

impl Observer<Uno> for Watch {
    fn see(&mut self, game: &Uno, moment: &Moment<'_, Uno>) -> ControlFlow<()> {
        self.decisions += u64::from(matches!(moment, Moment::Played(..) | Moment::Fouled(..)));
        if self.keeps_views {
            if let Moment::Fouled(seat, foul, _) = moment
                && let Some(view) = self.view.take()
            {
                self.penalties.push((*seat, (*foul).clone(), view));
            }
            self.view = game.to_move().map(|seat| game.view(seat));
        }
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_sits_everywhere_equally_often() {
        let orders = orders();
        assert_eq!(orders.len(), SEATINGS);
        assert_eq!(orders[0], [0, 1, 2, 3]);
        for player in 0..SEATS {
            for seat in 0..SEATS {
                let times = orders.iter().filter(|order| order[seat] == player).count();
                assert_eq!(times, SEATINGS / SEATS);
            }
        }
    }

    /// Values from a table of the chi-square distribution.
    #[test]
    fn the_tail_of_chi_square_with_three_degrees_of_freedom() {
        for (chi_square, p) in [
            (0.0, 1.0),
            (0.352, 0.95),
            (2.366, 0.5),
            (7.815, 0.05),
            (11.345, 0.01),
            (16.266, 0.001),
        ] {
            let tail = chi_square_tail(chi_square);
            assert!((tail - p).abs() < 3e-4 * p.max(0.1), "{chi_square}: {tail}");
        }
        assert!(chi_square_tail(200.0) < 1e-9);
    }
}
