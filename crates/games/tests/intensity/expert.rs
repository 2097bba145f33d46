//! The expert: positions with a known best move, endings against all ways to play on, and that it
//! depends on nothing but its view and its seed.

use croupier_core::{Game, Player, Sample, Seat, Seed, Thought, Turn, built_in, play};
use croupier_games::intensity::{
    Card, Cards, Discarding, Intensity, Move, Playing, SEATS, Setup, Strategy, Unseen, View,
};
use croupier_search::{Expert, Pace, Searched, Thinking, search};
use proptest::prelude::*;

use crate::{cards, list, random_game};

fn iterations(count: u64) -> Thinking {
    Thinking::iterations(count.try_into().unwrap())
}

fn thoughts(view: &View, count: u64) -> Vec<Thought<Move>> {
    search::<Intensity>(view, &iterations(count), Seed(1))
}

/// The card that it plays from this hand after these cards, and why.
fn plays(hand: &[u8], played: &[u8], discarded: [u8; 3], received: [u8; 3]) -> (u8, String) {
    let views = Seat::all(SEATS).filter_map(|seat| {
        let (discarded, received) = (cards(&discarded), cards(&received));
        Playing::new(seat, cards(hand), &list(played), discarded, received).ok()
    });
    let views: Vec<Playing> = views.collect();
    assert_eq!(views.len(), 1, "the situation makes sense for one seat");
    let best = thoughts(&View::Playing(views[0]), 3000).swap_remove(0);
    let card = best.choice.card().map(Card::number).unwrap();
    let reason = best.reason.split(';').next().unwrap_or_default();
    (card, reason.to_owned())
}

#[test]
fn it_throws_the_buffalo_on_somebody_as_soon_as_it_cannot_follow() {
    let hand = [21, 22, 25, 28, 29, 31, 39, 44, 47, 49];
    let (card, reason) = plays(&hand, &[11, 14], [37, 38, 36], [21, 22, 25]);
    assert_eq!(card, 47);
    assert_eq!(reason, "cannot follow, and throws the buffalo on the round");
}

#[test]
fn it_plays_the_buffalo_under_a_higher_card() {
    let hand = [21, 22, 25, 28, 29, 31, 39, 44, 46, 47];
    let (card, reason) = plays(&hand, &[49, 43], [37, 38, 36], [21, 22, 25]);
    assert_eq!((card, reason.as_str()), (47, "ducks under the 49"));
}

#[test]
fn it_ducks_a_round_with_the_buffalo_in_it() {
    let hand = [10, 13, 15, 19, 21, 23, 25, 31, 41, 43];
    let (card, _) = plays(&hand, &[16, 47, 17], [37, 38, 39], [10, 13, 15]);
    assert!(card < 17, "{card}");
}

#[test]
fn it_keeps_the_49_back_while_the_buffalo_may_come() {
    let hand = [21, 22, 25, 28, 29, 31, 39, 44, 46, 49];
    let (card, _) = plays(&hand, &[41], [37, 38, 36], [21, 22, 25]);
    assert_ne!(card, 49);
}

#[test]
fn it_does_not_keep_the_48_and_49_alone_nor_give_its_low_cards_away() {
    let hand = cards(&[10, 11, 12, 20, 21, 22, 30, 31, 48, 49]);
    let view = View::Discarding(Discarding::new(hand).unwrap());
    let passed = thoughts(&view, 20_000)[0].choice.cards();
    assert!(passed.contains_all(cards(&[48, 49])), "{passed:?}");
}

/// The least and the most that a seat can be sure of, or hope for, if it plays its best, over all
/// that the others can do.
fn bounds(game: &Intensity, seat: Seat) -> (f64, f64) {
    let Some(turn) = game.to_move() else {
        let points = game.outcome().points()[seat.index()];
        return (points, points);
    };
    let after = after_each_move(game, seat).into_iter();
    after
        .map(|(_, bounds)| bounds)
        .reduce(|a, b| match turn == seat {
            true => (a.0.max(b.0), a.1.max(b.1)),
            false => (a.0.min(b.0), a.1.max(b.1)),
        })
        .unwrap()
}

fn after_each_move(game: &Intensity, seat: Seat) -> Vec<(Move, (f64, f64))> {
    let mut moves = Vec::new();
    game.legal(&mut moves);
    let after = |choice: Move| {
        let mut game = game.clone();
        game.play(choice).unwrap();
        (choice, bounds(&game, seat))
    };
    moves.into_iter().map(after).collect()
}

/// With two cards in hand, one card may be better than the other whatever the others hold and do:
/// in every deal that agrees with the view it is sure of as much as the other can hope for, and
/// of more in some. All ways to play on are searched in as many deals as can be drawn.
#[test]
fn in_endings_it_finds_the_card_that_is_better_whatever_the_others_do() {
    let mut found = 0;
    for seed in 0..800 {
        let game = careful_game(seed, 36 + (seed % SEATS as u64) as usize);
        let seat = game.to_move().unwrap();
        let view = game.view(seat);
        let View::Playing(playing) = view else {
            panic!("cards are being played")
        };
        if Unseen::of(&playing).ways() > 20 || playing.legal().len() < 2 {
            continue;
        }
        let mut rng = Seed(seed).rng();
        let deals: Vec<_> = (0..100)
            .map(|_| after_each_move(&Intensity::sample(&view, &mut rng), seat))
            .collect();
        for (better, worse) in [(0, 1), (1, 0)] {
            let margins = deals.iter().map(|deal| deal[better].1.0 - deal[worse].1.1);
            let margins: Vec<f64> = margins.collect();
            // More than half of the deals, so that the expert cannot fail to imagine one.
            let strict = margins.iter().filter(|&&margin| margin > 0.0).count();
            if margins.iter().all(|&margin| margin >= 0.0) && strict > 50 {
                let best = thoughts(&view, 200).swap_remove(0);
                assert_eq!(best.choice, deals[0][better].0, "{view:?}");
                found += 1;
            }
        }
    }
    assert!(found > 20, "{found}");
}

/// A game in which careful players have made so many decisions.
fn careful_game(seed: u64, decisions: usize) -> Intensity {
    let mut game = Intensity::deal(&Setup {}, Seed(seed));
    for _ in 0..decisions {
        let view = game.view(game.to_move().unwrap());
        let choice = Strategy::Careful.choose(&view, &mut Seed(0).rng());
        game.play(choice).unwrap();
    }
    game
}

/// In its mind the others choose from tables what `careful` adds up. The tables round, so that one
/// choice in some hundreds, between cards that cost nearly the same, is another one.
#[test]
fn in_its_mind_the_others_are_careful() {
    let (mut choices, mut others) = (0, 0);
    for seed in 0..300 {
        let mut game = Intensity::deal(&Setup {}, Seed(seed));
        let mut rng = Seed(seed).rng();
        while let Some(seat) = game.to_move() {
            let careful = Strategy::Careful.choose(&game.view(seat), &mut rng);
            others += u32::from(game.sensible(&mut rng) != Some(careful));
            choices += 1;
            game.play(careful).unwrap();
        }
    }
    assert!(others * 500 < choices, "{others} of {choices}");
}

/// How surprised somebody is by where the hidden cards are who imagines them in this way: minus the
/// logarithm of how likely each was thought to be there, on average.
fn surprise(truth: &Intensity, mut imagine: impl FnMut() -> Intensity) -> f64 {
    const DEALS: usize = 200;
    let deals: Vec<_> = (0..DEALS).map(|_| *imagine().hands()).collect();
    let viewer = truth.to_move().unwrap();
    let others = Seat::all(SEATS).filter(|&seat| seat != viewer);
    let surprises = others.flat_map(|seat| {
        let held = truth.hands()[seat.index()];
        let deals = &deals;
        held.iter().map(move |card| {
            let there = |hands: &&[Cards; SEATS]| hands[seat.index()].contains(card);
            let there = deals.iter().filter(there).count();
            -((there as f64 + 0.5) / (DEALS as f64 + 1.5)).ln()
        })
    });
    let surprises: Vec<f64> = surprises.collect();
    surprises.iter().sum::<f64>() / surprises.len() as f64
}

/// How much less surprised the expert is than somebody to whom all deals are equally likely, on
/// average over sixty games after 20 to 23 cards. The standard error is below 0.03, with careful
/// players and with random ones.
fn knowledge(game: impl Fn(u64, usize) -> Intensity) -> f64 {
    let gain = |seed: u64| {
        let truth = game(seed, 24 + (seed % SEATS as u64) as usize);
        let view = truth.view(truth.to_move().unwrap());
        let mut rng = Seed(seed).rng();
        let any = surprise(&truth, || Intensity::sample(&view, &mut rng));
        let mut imagine = Intensity::imagine(&view, Pace::Thorough);
        any - surprise(&truth, || imagine(&mut rng).0)
    };
    (0..60).map(gain).sum::<f64>() / 60.0
}

#[test]
fn what_careful_players_do_tells_it_where_the_cards_are() {
    let knowledge = knowledge(careful_game);
    assert!(knowledge > 0.2, "{knowledge}");
}

#[test]
fn what_random_players_do_does_not_lead_it_far_astray() {
    let knowledge = knowledge(random_game);
    assert!(knowledge > -0.2, "{knowledge}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn its_choice_does_not_change_when_hidden_cards_do(
        seed: u64,
        chance: u64,
        decisions in 0usize..44,
    ) {
        let game = random_game(seed, decisions);
        let seat = game.to_move().unwrap();
        let other = Intensity::sample(&game.view(seat), &mut Seed(chance).rng());
        let decided = |game: &Intensity| {
            let mut expert = Expert::new(iterations(60));
            expert.start(seat, Seed(5));
            let choice = expert.decide(&Turn::of(game).unwrap()).unwrap();
            (choice, expert.thoughts().to_vec())
        };
        prop_assert_eq!(decided(&game), decided(&other));
    }

    /// Games are imagined as the view shows them, also where the others have not been careful.
    #[test]
    fn it_imagines_what_it_sees(seed: u64, decisions in 0usize..44) {
        let view = {
            let game = random_game(seed, decisions);
            game.view(game.to_move().unwrap())
        };
        let mut imagine = Intensity::imagine(&view, Pace::Brisk);
        let mut rng = Seed(seed).rng();
        for _ in 0..5 {
            let (game, _) = imagine(&mut rng);
            prop_assert_eq!(game.view(game.to_move().unwrap()), view);
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_thoughts_with_any_number_of_threads() {
    for decisions in [0, 4, 17, 30] {
        let game = random_game(7, decisions);
        let view = game.view(game.to_move().unwrap());
        let alone = thoughts(&view, 5000);
        for threads in 2..4 {
            let thinking = Thinking {
                threads: threads.try_into().unwrap(),
                ..iterations(5000)
            };
            assert_eq!(search::<Intensity>(&view, &thinking, Seed(1)), alone);
        }
    }
}

/// Against three careful players an even share is 1.5 points a game. The standard error of the
/// mean over 100 deals, each played in all four seats, is about 0.04: a player who is no better
/// than careful gets 1.7 with a probability below 10^-6.
#[test]
fn the_expert_is_better_than_careful() {
    let deals = 100;
    let mut points = 0.0;
    for seat in 0..SEATS {
        let names = (0..SEATS).map(|other| match other == seat {
            true => "expert:iterations=300",
            false => "careful",
        });
        let mut players: Vec<_> = names.map(|name| built_in(name).unwrap()).collect();
        for index in 0..deals {
            let seed = Seed(2026).deal(index);
            let outcome = play::<Intensity, _, _>(&Setup {}, seed, &mut players, &mut ()).unwrap();
            points += outcome.points()[seat];
        }
    }
    let mean = points / (deals as f64 * SEATS as f64);
    assert!(mean > 1.7, "{mean}");
}
