//! How much of a result in Uno is luck, and what the choices are worth in which the expert differs from
//! `careful`: `uno_luck [DEALS] [SEED] [ITERATIONS]` (200, 2026 and 1000 if nothing is said).
//!
//! Every deal is played in every seat against three `careful`, by several players. The variance of the
//! points is then divided into what the deal and the seat explain, what the player explains, and the
//! rest: that with these cards one player happened to do better than another.
//!
//! Two judges say what a choice is worth. One sees all hands but not the order of the deck, and lets
//! everybody play on like `careful` many times. The other is the ceiling, who sees everything.

#[path = "../ceilings/clairvoyant.rs"]
#[allow(dead_code, reason = "a bound is not asked for here")]
mod clairvoyant;
#[path = "../ceilings/rivals/mod.rs"]
#[allow(dead_code, reason = "most of it is for another measurement")]
mod rivals;

use std::collections::BTreeMap;

use clairvoyant::{Effort, Field, answer, ceiling};
use croupier_core::{Game, Player, Rng, Seat, Seed, Stepper, built_in};
use croupier_games::uno::{Cards, Careful, DECK, Face, Move, SEATS, Setup, Uno, View};
use rivals::Rivals;

/// How often the first judge lets a game be played on after each of two choices.
const PLAYED_ON: usize = 200;

/// How much the second judge tries after each of them.
const EFFORT: Effort = Effort {
    games: 300,
    moves: 2_000,
};

fn main() {
    let mut words = std::env::args().skip(1);
    let mut number = |usual: u64| words.next().map_or(Ok(usual), |word| word.parse());
    let numbers =
        (|| Ok::<_, std::num::ParseIntError>([number(200)?, number(2026)?, number(1000)?]))();
    let [deals, seed, iterations] = numbers.expect("all arguments are numbers");
    let expert = format!("expert:iterations={iterations}");
    let players = ["careful", "first", "hasty", "dear", &expert];
    let mut differences = BTreeMap::new();
    let mut hidden = Vec::new();
    let mut points = Vec::new();
    for deal in (0..deals).map(|deal| Seed(seed).deal(deal)) {
        for seat in Seat::all(SEATS) {
            let play = |name: &&str| play(name, deal, seat, &mut differences, &mut hidden);
            points.push(players.iter().map(play).collect::<Vec<f64>>());
        }
    }
    luck(&points, &players);
    println!(
        "\n| choice | in 100 games | by all hands | by all cards |\n| --- | --- | --- | --- |"
    );
    let games = points.len() as f64;
    for (sort, judged) in &differences {
        let often = 100.0 * judged.len() as f64 / games;
        let [hands, cards] = [0, 1].map(|judge| mean(judged.iter().map(|both| both[judge])));
        println!("| {sort} | {often:.1} | {hands} | {cards} |");
    }
    let all = || differences.values().flatten();
    let a_game = |judge: usize| all().map(|both| both[judge]).sum::<f64>() / games;
    let (hands, cards) = (a_game(0), a_game(1));
    hidden.sort_unstable();
    if let [fewest, .., _] = hidden[..] {
        let median = hidden[hidden.len() / 2];
        println!(
            "Whoever has a choice does not see {median} cards (median), and never fewer than {fewest}."
        );
    }
    println!("All of them together: {hands:+.3} and {cards:+.3} points a game.");
}

/// The points of this player in this seat among careful ones; where an expert differs from `careful`,
/// what that is worth by both judges.
fn play(
    name: &str,
    deal: Seed,
    seat: Seat,
    differences: &mut BTreeMap<&'static str, Vec<[f64; 2]>>,
    hidden: &mut Vec<usize>,
) -> f64 {
    let rival = Uno::rival(name).or_else(|| built_in(name).ok());
    let mut own = rival.expect("there is such a player");
    own.start(seat, deal.player(seat));
    let is_expert = name.starts_with("expert");
    let mut table = Stepper::<Uno>::deal(&Setup::default(), deal);
    while let Some(turn) = table.turn() {
        let view = turn.view();
        let mut choice = Careful.choose(&view);
        if turn.seat() == seat {
            let usual = choice;
            choice = own.decide(&turn).expect("it knows the rules");
            if view.playable().count() > 1 {
                hidden.push(DECK - view.hand.len() - view.discards.len());
            }
            if is_expert && choice != usual {
                let judged = [
                    by_hands(table.game(), choice, usual),
                    by_cards(table.game(), choice, usual),
                ];
                let of_sort = differences.entry(sort(&view, choice, usual));
                of_sort.or_default().push(judged);
            }
        }
        let step = table.answer(Ok(choice)).expect("nobody leaves");
        table.tell(seat, &mut own, &step.moment());
    }
    table.outcome().expect("it is over").points()[seat.index()]
}

/// In which way a choice differs from that of `careful`.
fn sort(view: &View, choice: Move, usual: Move) -> &'static str {
    let next = view.cards_left[view.direction.from(view.seat, 1).index()];
    let (Some(card), Some(other)) = (choice.card(), usual.card()) else {
        return "a draw";
    };
    let is_action = |face: Face| !matches!(face, Face::Number(_));
    match (card.is_wild(), other.is_wild()) {
        (true, true) if card == other => "another colour for a wild card",
        (true, true) => "the other sort of wild card",
        (true, false) => "a wild card early",
        (false, true) => "a wild draw four kept, though the next player has one or two cards",
        _ => match (is_action(card.face()), is_action(other.face())) {
            (false, true) if next <= 2 => "no attack, though the next player has one or two cards",
            (true, false) if next <= 2 => "another attack on a player with one or two cards",
            (false, true) => "a number instead of an action card",
            (true, false) => "an action card instead of a number",
            (true, true) => "another action card",
            (false, false) => "another number",
        },
    }
}

/// How much more points a choice brings than the usual one if everybody plays on like `careful`, with
/// all hands as they are and the deck in any order, the same for both.
fn by_hands(game: &Uno, choice: Move, usual: Move) -> f64 {
    let seat = game.to_move().expect("it is its turn");
    let mut rng = Seed(1).rng();
    let mut sum = 0.0;
    for _ in 0..PLAYED_ON {
        let deal = reshuffled(game, &mut rng);
        let points = |choice: Move| {
            let mut game = deal.clone();
            game.play(choice).expect("it is legal");
            while let Some(seat) = game.to_move() {
                let choice = Careful.choose(&game.view(seat));
                game.play(choice).expect("careful knows the rules");
            }
            game.outcome().points()[seat.index()]
        };
        sum += points(choice) - points(usual);
    }
    sum / PLAYED_ON as f64
}

fn reshuffled(game: &Uno, rng: &mut Rng) -> Uno {
    let mut position = game.position();
    let mut deck = position.deck.to_vec();
    rng.shuffle(&mut deck);
    position.deck = Cards::new(&deck).expect("it was a deck before");
    let chance = Seed(rng.bits()).rng();
    Uno::resume(Setup::default(), &position, chance).expect("the same cards are there")
}

/// How much more points can be reached after a choice than after the usual one by who sees all cards.
fn by_cards(game: &Uno, choice: Move, usual: Move) -> f64 {
    let seat = game.to_move().expect("it is its turn");
    let others = |other: usize| -> Option<Box<dyn Player<Uno>>> {
        (other != seat.index()).then(|| Box::new(Careful) as _)
    };
    let mut field: Field<Uno> = (0..SEATS).map(others).collect();
    let mut best = |choice: Move| {
        let mut game = game.clone();
        game.play(choice).expect("it is legal");
        answer(&mut game, seat, &mut field);
        match game.to_move() {
            None => game.outcome().points()[seat.index()],
            Some(_) => ceiling(&game, seat, &mut field, EFFORT).found,
        }
    };
    best(choice) - best(usual)
}

/// Two-way analysis of variance: the rows are deals in a seat, the columns are players.
fn luck(points: &[Vec<f64>], players: &[&str]) {
    let (rows, columns) = (points.len() as f64, players.len() as f64);
    let grand = points.iter().flatten().sum::<f64>() / (rows * columns);
    let row_means: Vec<f64> = points
        .iter()
        .map(|row| row.iter().sum::<f64>() / columns)
        .collect();
    let column = |place: usize| points.iter().map(move |row| row[place]);
    let column_means: Vec<f64> = (0..players.len())
        .map(|at| column(at).sum::<f64>() / rows)
        .collect();
    let mut residual = 0.0;
    for (row, row_mean) in points.iter().zip(&row_means) {
        for (one, column_mean) in row.iter().zip(&column_means) {
            residual += (one - row_mean - column_mean + grand).powi(2);
        }
    }
    // Mean squares, and from them the components of the variance.
    let residual = residual / ((rows - 1.0) * (columns - 1.0));
    let squares = |means: &[f64]| {
        let squares = means.iter().map(|mean| (mean - grand).powi(2));
        squares.sum::<f64>() / (means.len() as f64 - 1.0)
    };
    let deal = (squares(&row_means) - residual / columns).max(0.0);
    let player = (squares(&column_means) - residual / rows).max(0.0);
    let all = deal + player + residual;
    println!("| player | points a game |\n| --- | --- |");
    for (at, name) in players.iter().enumerate() {
        println!("| {name} | {} |", mean(column(at)));
    }
    println!(
        "\nOf the variance of the points, deal and seat explain {:.1} %, the player {:.2} %; \
         {:.1} % is which player these cards happened to suit.",
        100.0 * deal / all,
        100.0 * player / all,
        100.0 * residual / all
    );
}

/// A mean with its 95 % interval.
fn mean(numbers: impl Iterator<Item = f64> + Clone) -> String {
    let count = numbers.clone().count() as f64;
    let mean = numbers.clone().sum::<f64>() / count;
    let squares = numbers.map(|number| (number - mean).powi(2)).sum::<f64>();
    let error = (squares / (count * (count - 1.0).max(1.0))).sqrt();
    format!("{mean:+.3} ± {:.3}", 1.96 * error)
}
