//! What an expert who has heard the game believes of the others' hands.

use croupier_core::{Event, Foul, FoulKind, Game, Instead, Rng, Seat, Seed};
use croupier_games::uno::{Card, Careful, Colour, Mode, Move, Naive, SEATS, Setup, Uno};
use croupier_search::{Pace, Searched};
use proptest::prelude::*;

use crate::positions::is_a_whole_deck;

/// Somebody drew although nothing but what has come since could be played.
struct Drew {
    top: Card,
    called: Option<Colour>,
    seat: Seat,
    /// How many cards it has got from then on.
    got_since: usize,
}

/// A game under way, and all that was to be heard of it.
struct UnderWay {
    game: Uno,
    heard: Vec<Event<Move>>,
    drew: Vec<Drew>,
}

/// So many turns of players who choose like this; of so many turns in a hundred one is a foul.
fn under_way(
    setup: &Setup,
    seed: Seed,
    turns: usize,
    fouls: usize,
    mut choose: impl FnMut(&Uno, &mut Rng) -> Move,
) -> UnderWay {
    let mut rng = seed.player(Seat(9)).rng();
    let mut game = Uno::deal(setup, seed);
    let (mut heard, mut drew) = (Vec::new(), Vec::<Drew>::new());
    for _ in 0..turns {
        let (seat, before) = (game.to_move().unwrap(), game.clone());
        let sizes = before.position().hands.map(|hand| hand.len());
        if rng.below(100) < fouls {
            game.foul();
            heard.push(Event::Fouled {
                seat,
                foul: Foul {
                    kind: FoulKind::Illegal,
                    detail: String::new(),
                },
                instead: Instead::Nothing,
            });
        } else {
            let choice = choose(&game, &mut rng);
            game.play(choice).unwrap();
            heard.push(Event::Played {
                seat,
                choice: Some(choice),
            });
            if choice == Move::DRAW {
                let position = before.position();
                drew.push(Drew {
                    top: *position.discards.last().unwrap(),
                    called: position.last_colour_called,
                    seat,
                    got_since: 0,
                });
            }
        }
        if game.to_move().is_none() {
            // The game before the last move is as good.
            heard.pop();
            game = before;
            break;
        }
        let after = game.position().hands.map(|hand| hand.len());
        for drew in &mut drew {
            let seat = drew.seat.index();
            drew.got_since += after[seat].saturating_sub(sizes[seat]);
        }
    }
    UnderWay { game, heard, drew }
}

/// Deals as the seat to move imagines them.
fn imagined(under_way: &UnderWay, heard: &[Event<Move>], count: usize) -> Vec<Uno> {
    let view = under_way.game.view(under_way.game.to_move().unwrap());
    let mut imagine = Uno::recall(&view, heard, Pace::Brisk);
    let mut rng = Seed(1).rng();
    (0..count).map(|_| imagine(&mut rng).0).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn every_imagined_deal_agrees_with_what_was_seen_and_heard(
        seed: u64,
        casually: bool,
        turns in 0_usize..60,
        fouls in 0_usize..8,
        who in 0..3,
    ) {
        let mode = if casually { Mode::Casual } else { Mode::Tournament };
        let setup = Setup { mode, ..Setup::default() };
        let mut naive = Naive::default();
        let under_way = under_way(&setup, Seed(seed), turns, fouls, |game, rng| {
            let view = game.view(game.to_move().unwrap());
            match who {
                0 => Careful.choose(&view),
                1 => naive.choose(&view),
                _ => game.random_move(rng).unwrap(),
            }
        });
        let seat = under_way.game.to_move().unwrap();
        let view = under_way.game.view(seat);
        for deal in imagined(&under_way, &under_way.heard, 20) {
            prop_assert_eq!(deal.to_move(), Some(seat));
            prop_assert_eq!(deal.view(seat), view.clone());
            let position = deal.position();
            prop_assert!(is_a_whole_deck(&position));
            for drew in under_way.drew.iter().filter(|drew| drew.seat != seat) {
                let hand = &position.hands[drew.seat.index()];
                let matching = hand.iter().filter(|card| card.matches(drew.top, drew.called));
                let matching = matching.count();
                prop_assert!(matching <= drew.got_since, "{:?} drew on {}", drew.seat, drew.top);
            }
        }
    }
}

/// Without having heard everything it must not believe what does not fit.
#[test]
fn who_has_not_heard_all_believes_what_the_view_tells() {
    let game = under_way(&Setup::default(), Seed(5), 20, 0, |game, _| {
        Careful.choose(&game.view(game.to_move().unwrap()))
    });
    let seat = game.game.to_move().unwrap();
    for heard in [&game.heard[..0], &game.heard[3..], &game.heard[..18]] {
        for deal in imagined(&game, heard, 5) {
            assert_eq!(deal.view(seat), game.game.view(seat));
        }
    }
}

/// How well it is predicted whether each of the others could play on the top card now: the mean
/// squared error (Brier score) with and without having heard the game, and the bias. With 200 games the
/// standard error of the bias is below 0.02.
#[test]
fn what_was_heard_makes_better_predictions_and_they_are_calibrated() {
    const DEALS: usize = 60;
    let (mut with, mut without, mut bias, mut count) = (0.0, 0.0, 0.0, 0.0);
    for seed in 0..200 {
        let turns = 10 + seed as usize % 25;
        let game = under_way(&Setup::default(), Seed(seed), turns, 0, |game, _| {
            Careful.choose(&game.view(game.to_move().unwrap()))
        });
        let seat = game.game.to_move().unwrap();
        let can_play = |deal: &Uno, other: Seat| {
            let position = deal.position();
            let top = *position.discards.last().unwrap();
            let mut hand = position.hands[other.index()].iter().copied();
            hand.any(|card| card.matches(top, position.last_colour_called))
        };
        let (heard, unheard) = (
            imagined(&game, &game.heard, DEALS),
            imagined(&game, &[], DEALS),
        );
        for other in Seat::all(SEATS).filter(|&other| other != seat) {
            let truth = f64::from(u8::from(can_play(&game.game, other)));
            let predicted = |deals: &[Uno]| {
                let can = deals.iter().filter(|deal| can_play(deal, other));
                can.count() as f64 / DEALS as f64
            };
            with += (predicted(&heard) - truth).powi(2);
            without += (predicted(&unheard) - truth).powi(2);
            bias += predicted(&heard) - truth;
            count += 1.0;
        }
    }
    let (with, without, bias) = (with / count, without / count, bias / count);
    assert!(with < 0.85 * without, "{with} and {without}");
    assert!(bias.abs() < 0.07, "{bias}");
}
