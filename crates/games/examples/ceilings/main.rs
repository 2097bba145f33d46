//! How good the experts are, beside what is possible at all: `ceilings GAME`.
//!
//! Every player plays the same deals, in every seat, against the same fields of rule players. The ceiling
//! is what somebody gets who sees all cards and knows what the others will answer (see `clairvoyant`).
//! This is a measuring instrument: it looks into the deal, so nobody can meet it at a table.
//!
//! `--deals N` (default 50), `--seed N` (2026), `--iterations N` of the expert (1000), `--field A,B,C`
//! (once or more; default: those of the game), `--player SPEC` besides the usual ones (in Intensity also
//! `informed`, `informed-once-passed`, `informed-of-all` and `informed-of-others`, who are told whom they may
//! meet: see `Told`),
//! `--no-ceiling`, `--losses` to see instead what each sort of choice costs (see `losses`), `--each` for
//! every deal on stderr, to compare two versions of a player deal by deal.

mod clairvoyant;
mod losses;
mod rivals;
#[cfg(test)]
mod tests;

use std::num::NonZeroU64;
use std::process::ExitCode;

use clairvoyant::{Ceiling, Field, ceiling};
use croupier_core::{Options, Player, Seat, Seed, Stepper, built_in};
use croupier_games::austerity::Austerity;
use croupier_games::friday13::Friday13;
use croupier_games::intensity::Intensity;
use croupier_games::uno::Uno;
use losses::Losses;
use rivals::{Rivals, Told};

/// What is asked for.
struct Asked {
    game: String,
    deals: u64,
    seed: Seed,
    iterations: u64,
    fields: Vec<String>,
    players: Vec<String>,
    ceiling: bool,
    losses: bool,
    each: bool,
}

fn main() -> ExitCode {
    let asked = match asked() {
        Ok(asked) => asked,
        Err(wrong) => {
            eprintln!("ceilings: {wrong}");
            return ExitCode::from(2);
        }
    };
    let measured = match asked.game.as_str() {
        "intensity" => measure::<Intensity>(&asked),
        "friday13" => measure::<Friday13>(&asked),
        "uno" => measure::<Uno>(&asked),
        "austerity" => measure::<Austerity>(&asked),
        other => Err(format!("there is no game '{other}' with experts")),
    };
    match measured {
        Ok(()) => ExitCode::SUCCESS,
        Err(wrong) => {
            eprintln!("ceilings: {wrong}");
            ExitCode::from(2)
        }
    }
}

fn asked() -> Result<Asked, String> {
    let mut words = std::env::args().skip(1);
    let mut asked = Asked {
        game: words.next().ok_or("which game?")?,
        deals: 50,
        seed: Seed(2026),
        iterations: 1000,
        fields: Vec::new(),
        players: Vec::new(),
        ceiling: true,
        losses: false,
        each: false,
    };
    while let Some(word) = words.next() {
        if word == "--no-ceiling" {
            asked.ceiling = false;
            continue;
        }
        if word == "--losses" {
            asked.losses = true;
            continue;
        }
        if word == "--each" {
            asked.each = true;
            continue;
        }
        let value = words.next().ok_or(format!("{word} needs a value"))?;
        let number = || value.parse().map_err(|_| format!("'{value}' is no number"));
        match word.as_str() {
            "--deals" => asked.deals = number()?,
            "--seed" => asked.seed = Seed(number()?),
            "--iterations" => asked.iterations = number()?,
            "--field" => asked.fields.push(value),
            "--player" => asked.players.push(value),
            _ => return Err(format!("there is no option '{word}'")),
        }
    }
    Ok(asked)
}

fn player<G: Rivals>(name: &str) -> Result<Box<dyn Player<G>>, String> {
    match G::rival(name) {
        Some(rival) => Ok(rival),
        None => built_in(name).map_err(|wrong| wrong.to_string()),
    }
}

fn informed<G: Rivals>(
    field: &[&str],
    told: Told,
    asked: &Asked,
) -> Result<Box<dyn Player<G>>, String> {
    let iterations = NonZeroU64::new(asked.iterations).ok_or("it has to think")?;
    let informed = G::informed(field, told, iterations);
    informed.ok_or(format!(
        "nobody can be told the rules of {}",
        field.join(",")
    ))
}

fn measure<G: Rivals>(asked: &Asked) -> Result<(), String> {
    let usual = G::FIELDS.iter().map(|field| field.join(","));
    let fields: Vec<String> = match asked.fields.as_slice() {
        [] => usual.collect(),
        given => given.to_vec(),
    };
    if asked.losses {
        return fields.iter().try_for_each(|field| lose::<G>(asked, field));
    }
    println!("| field | player | points a game | more than the first player | share of the way |");
    println!("| --- | --- | --- | --- | --- |");
    for field in fields {
        let names: Vec<&str> = field.split(',').collect();
        let mut base = None;
        let mut top = None;
        if asked.ceiling {
            let both = deals::<G, _>(asked, &names, |deal, seat, field, _| {
                let Ceiling { found, at_most } = ceiling(deal, seat, field, G::EFFORT);
                [found, at_most]
            })?;
            let [found, at_most] = both.map(|points| Mean::of(&points));
            top = Some(found.mean);
            println!("| {field} | ceiling: found | {found} | | |");
            println!("| {field} | ceiling: at most | {at_most} | | |");
        }
        let expert = format!("expert:iterations={}", asked.iterations);
        let usual = [G::BASE.to_owned(), expert];
        for spec in usual.iter().chain(&asked.players) {
            let mut own = match spec.as_str() {
                "informed" => informed::<G>(&names, Told::AtOnce, asked)?,
                "informed-once-passed" => informed::<G>(&names, Told::OncePassed, asked)?,
                "informed-of-all" => informed::<G>(&names, Told::List, asked)?,
                "informed-of-others" => informed::<G>(&names, Told::OthersList, asked)?,
                spec => player::<G>(spec)?,
            };
            let [points] = deals::<G, _>(asked, &names, |deal, seat, field, chance| {
                own.start(seat, chance);
                [play(deal, seat, &mut own, field)]
            })?;
            let mean = Mean::of(&points);
            let Some(first) = &base else {
                println!("| {field} | {spec} | {mean} | | |");
                base = Some(points);
                continue;
            };
            let pairs = points.iter().zip(first);
            let more = Mean::of(&pairs.map(|(own, first)| own - first).collect::<Vec<_>>());
            let way = top.map(|top| top - (mean.mean - more.mean));
            let share = way.map(|way| format!("{:.0} %", 100.0 * more.mean / way));
            println!(
                "| {field} | {spec} | {mean} | {more} | {} |",
                share.unwrap_or_default()
            );
        }
    }
    Ok(())
}

/// What each sort of choice costs the usual players and those asked for.
fn lose<G: Rivals>(asked: &Asked, field: &str) -> Result<(), String> {
    let names: Vec<&str> = field.split(',').collect();
    let expert = format!("expert:iterations={}", asked.iterations);
    let usual = [G::BASE.to_owned(), expert];
    for spec in usual.iter().chain(&asked.players) {
        let mut own = player::<G>(spec)?;
        let mut losses = Losses::default();
        let [points] = deals::<G, _>(asked, &names, |deal, seat, field, chance| {
            own.start(seat, chance);
            [losses.play(deal, seat, &mut own, field, G::EFFORT)]
        })?;
        println!("{field}: {spec} has {}", Mean::of(&points));
        losses.print((points.len() * (names.len() + 1)) as f64);
    }
    Ok(())
}

/// A mean with its 95 % interval.
struct Mean {
    mean: f64,
    half: f64,
}

impl Mean {
    /// The mean over all deals, which are the independent units.
    fn of(points: &[f64]) -> Mean {
        let count = points.len() as f64;
        let mean = points.iter().sum::<f64>() / count;
        let squares = points.iter().map(|one| (one - mean).powi(2));
        let error = (squares.sum::<f64>() / (count * (count - 1.0).max(1.0))).sqrt();
        Mean {
            mean,
            half: 1.96 * error,
        }
    }
}

impl std::fmt::Display for Mean {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:.3} ± {:.3}", self.mean, self.half)
    }
}

/// The results of all deals, each the mean over all seats.
fn deals<G: Rivals, const N: usize>(
    asked: &Asked,
    names: &[&str],
    mut result: impl FnMut(&G, Seat, &mut Field<G>, Seed) -> [f64; N],
) -> Result<[Vec<f64>; N], String> {
    let seats = names.len() + 1;
    let mut options = Options::new();
    if G::PROFILE
        .options
        .iter()
        .any(|option| option.name == "players")
    {
        options.insert("players".to_owned(), seats.to_string());
    }
    for option in G::PROFILE.options {
        if let Some(value) = option.default {
            let name = option.name.to_owned();
            options.entry(name).or_insert_with(|| value.to_owned());
        }
    }
    let setup = G::setup(&options).map_err(|wrong| wrong.to_string())?;
    let mut of_deals = Vec::new();
    for number in 0..asked.deals {
        let seed = asked.seed.deal(number);
        let mut sums = [0.0; N];
        for seat in Seat::all(seats) {
            let mut field: Field<G> = (0..seats).map(|_| None).collect();
            for (after, name) in names.iter().enumerate() {
                let place = (seat.index() + 1 + after) % seats;
                field[place] = Some(player(name)?);
            }
            let found = result(&G::deal(&setup, seed), seat, &mut field, seed.player(seat));
            for (sum, found) in sums.iter_mut().zip(found) {
                *sum += found / seats as f64;
            }
        }
        if asked.each {
            eprintln!("{} {number} {sums:?}", names.join(","));
        }
        of_deals.push(sums);
    }
    Ok(std::array::from_fn(|at| {
        of_deals.iter().map(|sums| sums[at]).collect()
    }))
}

/// The points for places of a seat that plays this deal to its end. It hears what happens, if it listens.
fn play<G: Rivals>(deal: &G, seat: Seat, mut own: &mut dyn Player<G>, field: &mut Field<G>) -> f64 {
    let mut table = Stepper::of(deal.clone());
    while let Some(turn) = table.turn() {
        let choice = match field[turn.seat().index()].as_mut() {
            Some(other) => other.decide(&turn),
            None => own.decide(&turn),
        };
        let step = table.answer(choice).expect("nobody leaves");
        table.tell(seat, &mut own, &step.moment());
    }
    table.outcome().expect("it is over").points()[seat.index()]
}
