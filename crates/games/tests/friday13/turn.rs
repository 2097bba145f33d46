//! The check of a turn, as an arbiter makes it.

use croupier_core::{Game, Seed};
use croupier_games::friday13::{
    Breach, Card, Colour, Friday13, Inconsistent, Misplaced, Placing, TurnMade,
};
use proptest::prelude::*;

use super::{midgame, read};

/// Player 1 of 2 is to move with two cards.
const BEFORE: &str = "\
active player = 1
players number = 2
explosion threshold = 13
1 player hand cards: 7 red 1 blue
1 player deck cards: 2 red
2 player hand cards: 4 green 2 blue
2 player deck cards:
1 pile cards: 7 red 4 green
2 pile cards: 2 blue
";

/// What the arbiter says to the state after these replacements.
fn verdict(changes: &[(&str, &str)], placing: Placing) -> Result<TurnMade, Breach> {
    let mut after = BEFORE.to_owned();
    for (from, to) in changes {
        assert!(after.contains(from), "{from}");
        after = after.replacen(from, to, 1);
    }
    read(BEFORE).verify(&read(&after), 13, placing)
}

const NEXT: (&str, &str) = ("active player = 1", "active player = 2");

#[test]
fn a_turn_that_keeps_the_rules_is_told() {
    let strict = |changes: &[_]| verdict(changes, Placing::Strict);
    let laid = |text: &str, exploded| {
        let laid = text.parse().unwrap();
        Ok(TurnMade::Laid { laid, exploded })
    };
    assert_eq!(
        strict(&[
            NEXT,
            ("7 red 1 blue", "7 red"),
            ("2 pile cards: 2 blue", "2 pile cards: 2 blue 1 blue")
        ]),
        laid("1 blue on 2", false)
    );
    let exploded = [
        NEXT,
        ("7 red 1 blue", "1 blue"),
        ("deck cards: 2 red", "deck cards: 7 red 4 green 2 red 7 red"),
        ("1 pile cards: 7 red 4 green", "1 pile cards:"),
    ];
    assert_eq!(strict(&exploded), laid("7 red on 1", true), "in any order");
    let sorted = [&exploded[..], &[("4 green 2 blue", "2 blue 4 green")]].concat();
    assert_eq!(
        strict(&sorted),
        laid("7 red on 1", true),
        "other hands may be sorted too"
    );
}

#[test]
fn every_breach_is_named_by_its_rule() {
    let said = |changes: &[_]| verdict(changes, Placing::Strict).unwrap_err().to_string();
    let lay = ("7 red 1 blue", "7 red");
    let lie = ("2 pile cards: 2 blue", "2 pile cards: 2 blue 1 blue");
    assert_eq!(
        said(&[]),
        "nothing was changed: the active player must lay a card"
    );
    assert_eq!(said(&[NEXT]), "one card must be laid, and none was");
    assert_eq!(
        said(&[lay, lie]),
        "player 2 must be active next, not player 1"
    );
    assert_eq!(
        said(&[NEXT, lay, lie, ("threshold = 13", "threshold = 14")]),
        "the explosion threshold must stay 13, and was made 14"
    );
    assert_eq!(
        said(&[NEXT, lay, lie, ("explosion threshold = 13\n", "")]),
        "the explosion threshold must stay 13, and was made unnamed"
    );
    assert_eq!(
        said(&[
            NEXT,
            lay,
            lie,
            ("2 blue 1 blue\n", "2 blue 1 blue\n3 pile cards:\n")
        ]),
        "the number of piles must stay 2, and was made 3"
    );
    assert_eq!(
        said(&[
            NEXT,
            lay,
            lie,
            ("players number = 2", "players number = 3"),
            (
                "1 pile",
                "3 player hand cards:\n3 player deck cards:\n1 pile"
            ),
        ]),
        "the number of players must stay 2, and was made 3"
    );
    assert_eq!(
        said(&[
            NEXT,
            ("7 red 1 blue", ""),
            lie,
            ("7 red 4 green\n", "7 red 4 green 7 red\n"),
        ]),
        "one card must be laid, and 2 were"
    );
    assert_eq!(
        said(&[
            NEXT,
            ("4 green 2 blue", "4 green"),
            ("2 pile cards: 2 blue", "2 pile cards: 2 blue 2 blue")
        ]),
        "the hand of player 2 was changed in the turn of player 1"
    );
    assert_eq!(
        said(&[
            NEXT,
            lay,
            ("2 player deck cards:", "2 player deck cards: 1 blue")
        ]),
        "the collected cards of player 2 were changed in the turn of player 1"
    );
    assert_eq!(
        said(&[NEXT, lay]),
        "no card may be added or lost: the card 1 blue is missing"
    );
    assert_eq!(
        said(&[NEXT, lie]),
        "no card may be added or lost: there is a card 1 blue too many"
    );
    assert_eq!(
        said(&[NEXT, lay, ("deck cards: 2 red", "deck cards: 2 red 1 blue")]),
        "the card 1 blue must be laid on a pile"
    );
    assert_eq!(
        said(&[
            NEXT,
            ("7 red 1 blue", "7 red 1 blue 2 red"),
            ("deck cards: 2 red", "deck cards:")
        ]),
        "the hand of the active player was given the card 2 red"
    );
    assert_eq!(
        said(&[NEXT, lay, ("7 red 4 green\n", "7 red 4 green 1 blue\n")]),
        "the card 1 blue may not be laid on pile 1: red lies there"
    );
    assert_eq!(
        said(&[
            NEXT,
            lay,
            ("2 pile cards: 2 blue", "2 pile cards: 1 blue 2 blue")
        ]),
        "pile 2 was changed otherwise than by laying one card at its end"
    );
    assert_eq!(
        said(&[
            NEXT,
            lay,
            lie,
            ("1 pile cards: 7 red 4 green", "1 pile cards: 4 green 7 red")
        ]),
        "pile 2 was changed otherwise than by laying one card at its end"
    );
    assert_eq!(
        said(&[
            NEXT,
            ("7 red 1 blue", "1 blue"),
            ("7 red 4 green\n", "7 red 4 green 7 red\n")
        ]),
        "pile 1 explodes: its sum is 18, more than 13, and the player must take its cards"
    );
    assert_eq!(
        said(&[
            NEXT,
            lay,
            ("deck cards: 2 red", "deck cards: 2 red 2 blue 1 blue"),
            ("2 pile cards: 2 blue", "2 pile cards:"),
        ]),
        "pile 2 does not explode: its sum is 3, not more than 13"
    );
    assert_eq!(
        said(&[
            NEXT,
            ("7 red 1 blue", "1 blue"),
            (
                "2 player deck cards:",
                "2 player deck cards: 7 red 4 green 7 red"
            ),
            ("1 pile cards: 7 red 4 green", "1 pile cards:"),
        ]),
        "the collected cards of player 2 were changed in the turn of player 1"
    );
}

/// A colour that already lies is put on a second pile, which has only green.
#[test]
fn a_second_pile_for_a_colour_is_a_breach_unless_lenient() {
    let before = read(
        "active player = 1\nplayers number = 2\n1 player hand cards: 1 blue\n\
         1 player deck cards:\n2 player hand cards: 2 red\n2 player deck cards:\n\
         1 pile cards: 2 blue\n2 pile cards: 4 green\n",
    );
    let mut after = before.clone();
    after.lay(0, 1, Some(13));
    let blue = Colour::new(1);
    assert_eq!(
        before.verify(&after, 13, Placing::Strict),
        Err(Breach::Misplaced(
            Card::new(1, blue),
            2,
            Misplaced::LiesElsewhere(blue, 1)
        ))
    );
    let lenient = before.verify(&after, 13, Placing::Lenient);
    assert!(matches!(
        lenient,
        Ok(TurnMade::Laid {
            exploded: false,
            ..
        })
    ));
    // Now both piles are blue, and the red card has no place.
    let mut passed = after.clone();
    passed.pass();
    assert_eq!(
        after.verify(&passed, 13, Placing::Lenient),
        Ok(TurnMade::Passed)
    );
    assert_eq!(
        after.verify(&passed, 13, Placing::Strict),
        Err(Breach::NoCard)
    );
    let mut forced = after.clone();
    forced.lay(0, 0, Some(13));
    let breach = after.verify(&forced, 13, Placing::Lenient).unwrap_err();
    assert_eq!(
        breach,
        Breach::Misplaced(
            Card::new(2, Colour::new(2)),
            1,
            Misplaced::OtherColour(blue)
        )
    );
}

#[test]
fn without_a_card_a_player_passes_and_does_nothing_else() {
    let before = read(&BEFORE.replace("7 red 1 blue", ""));
    let mut after = before.clone();
    after.pass();
    assert_eq!(
        before.verify(&after, 13, Placing::Strict),
        Ok(TurnMade::Passed)
    );
    after.piles[0].reverse();
    assert_eq!(
        before.verify(&after, 13, Placing::Strict),
        Err(Breach::Pile(1))
    );
    after.piles[0].reverse();
    let card = after.piles[0].pop().unwrap();
    after.decks[0].push(card);
    assert_eq!(
        before.verify(&after, 13, Placing::Strict),
        Err(Breach::Pile(1))
    );
}

#[test]
fn a_card_may_explode_all_by_itself() {
    let mut before = read(&BEFORE.replace("7 red 1 blue", "7 red 99 violet"));
    before.piles.push(Vec::new());
    let mut after = before.clone();
    assert!(after.lay(1, 2, Some(13)));
    assert_eq!(after.piles, before.piles);
    let turn = before.verify(&after, 13, Placing::Strict);
    assert!(
        matches!(turn, Ok(TurnMade::Laid { laid, exploded: true }) if laid.pile == 2),
        "{turn:?}"
    );
}

proptest! {
    #[test]
    fn any_single_broken_card_or_count_is_found(
        players in 2usize..7, seed: u64, moves in 0usize..50, how in 0usize..5,
        which: prop::sample::Index,
    ) {
        let (setup, state) = midgame(players, seed, moves);
        prop_assert_eq!(state.check(&setup), Ok(()));
        let mut broken = state.clone();
        {
            let mut places: Vec<&mut Vec<Card>> = broken.hands.iter_mut()
                .chain(&mut broken.decks).chain(&mut broken.piles)
                .filter(|cards| !cards.is_empty())
                .collect();
            let at = which.index(places.len());
            let cards = &mut places[at];
            let place = which.index(cards.len());
            let card = cards[place];
            match how {
                0 => drop(cards.remove(place)),
                1 => cards.push(card),
                2 => cards[place].value += 1,
                3 => cards[place].colour = Colour::new((card.colour.index() as u32 + 1) % 4),
                _ => cards[place].colour = Colour::new(5),
            }
        }
        prop_assert!(matches!(
            broken.check(&setup),
            Err(Inconsistent::Missing(_) | Inconsistent::Surplus(_))
        ));
        prop_assert!(state.verify(&broken, 13, Placing::Lenient).is_err());
        let mut counts = state.clone();
        match how {
            0 => drop(counts.piles.pop()),
            1 => { counts.hands.push(vec![]); counts.decks.push(vec![]); }
            2 => counts.threshold = Some(14),
            _ => counts.pass(),
        }
        prop_assert!(counts.check(&setup).is_err());
    }

    /// What the rules do is what the arbiter lets pass, and no other state is.
    #[test]
    fn a_turn_by_the_rules_passes_the_arbiter(players in 2usize..7, seed: u64, moves in 0usize..49, sorted: bool) {
        let (setup, before) = midgame(players, seed, moves);
        prop_assume!(!before.is_final());
        let mut game = Friday13::from_state(&setup, &before, Seed(0)).unwrap();
        let choice = game.random_move(&mut Seed(seed).rng()).unwrap();
        game.play(choice).unwrap();
        let mut after = game.state();
        if sorted {
            after.hands.iter_mut().chain(&mut after.decks).for_each(|cards| cards.sort());
        }
        let turn = before.verify(&after, 13, Placing::Strict);
        prop_assert!(matches!(turn, Ok(TurnMade::Laid { laid, .. }) if laid == choice), "{:?}", turn);
        prop_assert!(before.may_lead_to(&after));
        prop_assert!(!after.may_lead_to(&before));
        let mut passed = after.clone();
        passed.pass();
        prop_assert!(before.verify(&passed, 13, Placing::Strict).is_err());
    }
}
