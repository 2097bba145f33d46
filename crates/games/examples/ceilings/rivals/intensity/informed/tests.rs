//! What it draws, against a search through all deals.

use std::collections::HashMap;

use croupier_core::built_in;
use croupier_games::intensity::Discarding;

use super::*;

/// So many draws for each deal that is possible.
const DRAWS: usize = 200;

/// In the last rounds it draws just those deals in which the others would have chosen what they chose, and
/// no deal much more often than another: all are equally likely. (Draws of a Markov chain are not
/// independent, so there is no exact error probability; the seeds are fixed.)
#[test]
fn it_draws_evenly_from_all_deals_that_agree_with_the_rules() {
    let (mut compared, mut deals) = (0, 0);
    for seed in 0..12 {
        let names = [
            ["ducker", "voider", "keeper"],
            ["careful", "patient", "timid"],
        ];
        let names = names[seed as usize % 2];
        let others = names.map(|name| character(name).expect("there is one"));
        let (game, tens) = late(seed, others, 3);
        let possible = possible(&game, tens, others);
        assert!(possible.contains(&[*game.hands(), *game.passed()]));
        let seen = Seen {
            view: game.view(Seat(0)),
            suspects: names.map(|name| vec![name]),
            slips: false,
        };
        let mut drawn = draws(&seen, DRAWS * possible.len(), seed);
        for deal in &possible {
            let times = drawn.remove(deal).unwrap_or_default();
            assert!(
                (DRAWS / 2..2 * DRAWS).contains(&times),
                "{times} times, seed {seed}, {} deals",
                possible.len()
            );
        }
        // Now and then it has waited in vain for a deal that agrees.
        let others: usize = drawn.values().sum();
        assert!(
            others <= possible.len() * DRAWS / 100,
            "{others}, seed {seed}"
        );
        compared += usize::from(possible.len() > 1);
        deals += possible.len();
    }
    assert!(compared >= 8 && deals >= 50, "{compared}, {deals}");
}

/// Who allows for slips also draws deals in which some choice disagrees, but each of them far less often.
#[test]
fn who_allows_for_slips_draws_deals_that_agree_more_often() {
    let names = ["ducker", "voider", "keeper"];
    let others = names.map(|name| character(name).expect("there is one"));
    let [mut agree, mut disagree] = [Vec::new(), Vec::new()];
    for seed in 0..12 {
        let (game, tens) = late(seed, others, 2);
        let possible = possible(&game, tens, others);
        let seen = Seen {
            view: game.view(Seat(0)),
            suspects: names.map(|name| vec![name]),
            slips: true,
        };
        let mut drawn = draws(&seen, 4_000, seed);
        agree.extend(possible.iter().filter_map(|deal| drawn.remove(deal)));
        disagree.extend(drawn.into_values());
    }
    // Of the deals that disagree only those count that were drawn at all.
    let mean = |times: &[usize]| times.iter().sum::<usize>() as f64 / times.len() as f64;
    let (agree, disagree) = (mean(&agree), mean(&disagree));
    assert!(
        agree > 4.0 * disagree && disagree > 0.0,
        "{agree}, {disagree}"
    );
}

/// How often each deal is drawn: the hands now, and what was passed on.
fn draws(seen: &Seen, count: usize, seed: u64) -> HashMap<[[Cards; SEATS]; 2], usize> {
    let mut imagine = Known::imagine(seen, Pace::Thorough);
    let mut rng = Seed(seed).rng();
    let mut drawn = HashMap::new();
    for _ in 0..count {
        let (known, ()) = imagine(&mut rng);
        let deal = [*known.game.hands(), *known.game.passed()];
        *drawn.entry(deal).or_default() += 1;
    }
    drawn
}

/// A game of a careful player against these, when it is its turn and it has so many cards left; and
/// the ten cards of everybody before the first round.
fn late(seed: u64, others: [Character; SEATS - 1], left: usize) -> (Intensity, [Cards; SEATS]) {
    let mut game = Intensity::deal(&Setup::default(), Seed(seed));
    let mut careful = built_in::<Intensity>("careful").expect("there is one");
    let mut tens = *game.hands();
    loop {
        let seat = game.to_move().expect("it is not over");
        if game.played().is_empty() {
            tens = *game.hands();
        }
        if seat == Seat(0) && game.hands()[0].len() == left {
            return (game, tens);
        }
        let choice = match seat.index() {
            0 => careful.decide(&Turn::of(&game).expect("it is not over")),
            after => others[after - 1].choose(&game.view(seat)),
        };
        let choice = choice.expect("nobody fouls");
        game.play(choice).expect("it is legal");
    }
}

/// All deals in which everybody would have chosen what they chose in this game, tried one after the other:
/// the hands now, and what was passed on.
fn possible(
    game: &Intensity,
    tens: [Cards; SEATS],
    others: [Character; SEATS - 1],
) -> Vec<[[Cards; SEATS]; 2]> {
    let hands = game.hands();
    let hidden = hands[1] | hands[2] | hands[3];
    let mut found = Vec::new();
    for second in subsets(hidden, hands[1].len()) {
        for third in subsets(hidden - second, hands[2].len()) {
            let now = [hands[0], second, third, hidden - second - third];
            let tens = std::array::from_fn(|seat| (tens[seat] - hands[seat]) | now[seat]);
            for to_third in tens[2].threes() {
                if !passes(others[0], tens[1], game.passed()[0], to_third) {
                    continue;
                }
                for to_last in tens[3].threes() {
                    let passed = [game.passed()[0], to_third, to_last, game.passed()[3]];
                    if passes(others[1], tens[2], to_third, to_last)
                        && passes(others[2], tens[3], to_last, passed[3])
                        && plays_the_same(game, tens, passed, others)
                    {
                        found.push([now, passed]);
                    }
                }
            }
        }
    }
    found
}

/// All ways to take so many of these cards.
fn subsets(cards: Cards, count: usize) -> Vec<Cards> {
    let cards: Vec<Card> = cards.iter().collect();
    let of_mask = |mask: u32| {
        let taken = cards.iter().enumerate();
        let taken = taken.filter(|(at, _)| mask >> at & 1 == 1);
        taken.map(|(_, &card)| card).collect()
    };
    let masks = (0..1 << cards.len()).filter(|mask: &u32| mask.count_ones() as usize == count);
    masks.map(of_mask).collect()
}

/// Whether somebody who has these ten cards once all have passed on passes on just these of its own.
fn passes(player: Character, ten: Cards, received: Cards, passed: Cards) -> bool {
    let hand = (ten - received) | passed;
    ten.contains_all(received)
        && Discarding::new(hand).is_ok_and(|view| {
            let choice = player.choose(&View::Discarding(view));
            choice.is_ok_and(|choice| choice.cards() == passed)
        })
}

fn plays_the_same(
    game: &Intensity,
    tens: [Cards; SEATS],
    passed: [Cards; SEATS],
    others: [Character; SEATS - 1],
) -> bool {
    let hands =
        std::array::from_fn(|seat| (tens[seat] - passed[(seat + 3) % SEATS]) | passed[seat]);
    let Some(mut again) = Intensity::from_hands(hands, Seed(0).rng()) else {
        return false;
    };
    for cards in passed {
        let choice = Move::discard(cards).expect("these are three");
        again.play(choice).expect("they are in the hand");
    }
    game.played().iter().all(|&card| {
        let seat = again.to_move().expect("it goes on");
        let is_same = seat == Seat(0) || {
            let choice = others[seat.index() - 1].choose(&again.view(seat));
            choice.is_ok_and(|choice| choice == Move::play(card))
        };
        is_same && again.play(Move::play(card)).is_ok()
    })
}
