//! What holds in every game, whatever is played.

use croupier_core::{Game, RandomPlayer, Record, Recorder, Seat, Seed, play};
use croupier_games::GAMES;
use croupier_games::austerity::wire::{Answer, Message};
use croupier_games::austerity::{Austerity, Deck, Move, Setup, Trio, View};
use proptest::prelude::*;

/// Any table: sizes, piles and targets small and large, decks given and made up.
pub(super) fn any_table() -> impl Strategy<Value = (Setup, Seed)> {
    let card = ("[PBYR]", 0..6, prop::array::uniform4(0..5))
        .prop_map(|(bonus, points, [p, b, y, r])| format!("{bonus}:{points}:{p},{b},{y},{r}\n"));
    let deck = prop::collection::vec(card, 1..40)
        .prop_map(|cards| Deck::parse(cards.concat().as_bytes()).unwrap());
    let rules = (2usize..=26, 0i64..9, 1i64..20, prop::option::of(deck));
    (rules, any::<u64>()).prop_map(|((players, tokens, points, deck), seed)| {
        let setup = Setup::new(players, tokens, points, deck, Some(400)).unwrap();
        (setup, Seed(seed))
    })
}

/// Every move that can be written down.
fn all_moves() -> impl Iterator<Item = Move> {
    let purchases = (0..8).map(Move::Purchase);
    let takes = Trio::ALL.map(Move::Take);
    purchases.chain(takes).chain([Move::Wild])
}

/// Everything that can be changed in one number of an answer.
fn mutated(answer: Answer) -> Vec<Answer> {
    let mut changed = Vec::new();
    match answer {
        Answer::Purchase { place, paid } => {
            for (at, by) in (0..5).flat_map(|at| [(at, 1), (at, -1)]) {
                let mut paid = paid;
                paid[at] += by;
                changed.push(Answer::Purchase { place, paid });
            }
            for colour in 0..4 {
                let mut paid = paid;
                paid[colour] -= 1;
                paid[4] += 1;
                changed.push(Answer::Purchase { place, paid });
            }
        }
        Answer::Take(tokens) => {
            for (at, by) in (0..4).flat_map(|at| [(at, 1), (at, -1)]) {
                let mut tokens = tokens;
                tokens[at] += by;
                changed.push(Answer::Take(tokens));
            }
        }
        Answer::Wild => {}
    }
    changed
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn tokens_and_cards_are_conserved((setup, seed) in any_table()) {
        let mut game = Austerity::deal(&setup, seed);
        let piles = game.table().piles;
        let cards = game.table().market.len() + game.hidden().len();
        let mut rng = seed.player(Seat(0)).rng();
        while let Some(choice) = game.random_move(&mut rng) {
            game.play(choice).unwrap();
            let table = game.table();
            for (colour, all) in piles.into_iter().enumerate() {
                let held: i64 = table.players.iter().map(|p| p.tokens[colour]).sum();
                prop_assert_eq!(held + table.piles[colour], all);
            }
            prop_assert!(table.piles.iter().all(|&pile| pile >= 0));
            prop_assert!(table.players.iter().flat_map(|p| p.tokens).all(|tokens| tokens >= 0));
            let bought: i64 = table.players.iter().flat_map(|p| p.discounts).sum();
            prop_assert_eq!(bought as usize + table.market.len() + game.hidden().len(), cards);
            prop_assert!(table.market.len() == 8 || game.hidden().is_empty());
        }
    }

    #[test]
    fn what_is_listed_is_what_can_be_played((setup, seed) in any_table()) {
        let mut game = Austerity::deal(&setup, seed);
        let mut rng = seed.player(Seat(1)).rng();
        while let Some(next) = game.random_move(&mut rng) {
            let mut listed = Vec::new();
            game.legal(&mut listed);
            prop_assert!(listed.contains(&next));
            for choice in all_moves() {
                let mut tried = game.clone();
                let played = tried.play(choice).is_ok();
                prop_assert_eq!(played, listed.contains(&choice), "{}", choice);
                prop_assert!(played || tried == game, "a refused move changes nothing");
            }
            game.play(next).unwrap();
        }
    }

    #[test]
    fn an_answer_is_accepted_and_a_mutated_one_is_refused((setup, seed) in any_table()) {
        let mut game = Austerity::deal(&setup, seed);
        let mut rng = seed.player(Seat(2)).rng();
        while let Some(seat) = game.to_move() {
            let view = game.view(seat);
            let mut listed = Vec::new();
            game.legal(&mut listed);
            for &choice in &listed {
                let answer = Answer::of(choice, &view);
                for changed in mutated(answer) {
                    let mut tried = game.clone();
                    let refused = tried.accept(&changed).is_err();
                    prop_assert!(refused, "{} for {}", changed, answer);
                    prop_assert_eq!(&tried, &game);
                }
                let (mut told, mut played) = (game.clone(), game.clone());
                told.accept(&answer).unwrap();
                played.play(choice).unwrap();
                prop_assert_eq!(told, played);
            }
            game.play(listed[rng.below(listed.len())]).unwrap();
        }
    }

    /// Whoever knows the terms and hears all messages knows what the view shows, and the messages survive the wire.
    #[test]
    fn a_player_who_listens_sees_the_view((setup, seed) in any_table()) {
        let mut game = Austerity::deal(&setup, seed);
        let seats = game.seats();
        let mut heard = View::new(seats, Seat(1));
        heard.terms = game.view(Seat(1)).terms;
        let hear = |view: &mut View, message: Message| {
            let line = message.to_string();
            view.hear(&Message::parse(line.as_bytes()).unwrap()).unwrap();
        };
        game.view(Seat(0)).opening().for_each(|message| hear(&mut heard, message));
        let mut rng = seed.player(Seat(3)).rng();
        while let Some(choice) = game.random_move(&mut rng) {
            prop_assert_eq!(&heard, &game.view(Seat(1)));
            let mover = game.to_move().unwrap();
            let before = game.view(mover);
            game.play(choice).unwrap();
            let news = before.news(mover, choice, &game.view(mover));
            news.messages().for_each(|message| hear(&mut heard, message));
        }
        prop_assert_eq!(&heard, &game.view(Seat(1)));
    }

    #[test]
    fn a_view_does_not_change_with_the_order_of_the_rest_of_the_deck(
        seed: u64,
        turns in 0usize..60,
    ) {
        let deal = |deck| Austerity::deal(&Setup::new(3, 7, 15, Some(deck), None).unwrap(), Seed(0));
        let deck = Deck::make_up(3, &mut Seed(seed).rng());
        let mut cards = deck.cards().to_vec();
        let mut game = deal(deck);
        let mut rng = Seed(seed).player(Seat(0)).rng();
        let mut moves = Vec::new();
        while let Some(choice) = game.random_move(&mut rng).filter(|_| moves.len() < turns) {
            game.play(choice).unwrap();
            moves.push(choice);
        }
        let turned_up = cards.len() - game.hidden().len();
        rng.shuffle(&mut cards[turned_up..]);
        let mut other = deal(Deck::new(cards).unwrap());
        for choice in moves {
            other.play(choice).unwrap();
        }
        prop_assert_ne!(other.hidden(), game.hidden());
        for seat in Seat::all(3) {
            prop_assert_eq!(other.view(seat), game.view(seat));
        }
    }

    #[test]
    fn a_recorded_game_replays_to_the_same_outcome((setup, seed) in any_table()) {
        let seats = Austerity::deal(&setup, seed).seats();
        let names = vec!["random".to_owned(); seats];
        let mut recorder = Recorder::new::<Austerity>(&setup, seed, names);
        let mut players: Vec<_> = (0..seats).map(|_| RandomPlayer::default()).collect();
        let outcome = play::<Austerity, _, _>(&setup, seed, &mut players, &mut recorder).unwrap();
        let record = Record::parse(&recorder.into_text()).unwrap();
        prop_assert_eq!(record.replay(&GAMES), Ok(outcome));
    }
}

/// Chi-square of 20,000 draws in each of 30 positions, with at most 12 degrees of freedom: 60 is
/// exceeded with a probability below 10^-7 each, and the seed is fixed.
#[test]
fn every_legal_move_is_equally_likely_at_random() {
    let setup = Setup::new(2, 2, 99, None, None).unwrap();
    let mut game = Austerity::deal(&setup, Seed(3));
    let mut rng = Seed(9).rng();
    let mut kinds = [false; 3];
    for _ in 0..30 {
        let mut listed = Vec::new();
        game.legal(&mut listed);
        let mut drawn = vec![0; listed.len()];
        let draws = 20_000;
        for _ in 0..draws {
            let choice = game.random_move(&mut rng).unwrap();
            drawn[listed.iter().position(|&m| m == choice).unwrap()] += 1;
        }
        let expected = f64::from(draws) / listed.len() as f64;
        let chi: f64 = drawn
            .iter()
            .map(|&n: &i32| (f64::from(n) - expected).powi(2) / expected)
            .sum();
        assert!(chi < 60.0, "{listed:?}: {drawn:?}");
        kinds[0] |= listed.len() == 1;
        kinds[1] |= listed.iter().filter(|m| matches!(m, Move::Take(_))).count() == 1;
        kinds[2] |= listed
            .iter()
            .filter(|m| matches!(m, Move::Purchase(_)))
            .count()
            > 1;
        game.play(game.random_move(&mut rng).unwrap()).unwrap();
    }
    assert_eq!(kinds, [true; 3], "all sorts of positions came up");
}
