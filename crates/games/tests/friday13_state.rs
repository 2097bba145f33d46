//! Friday the 13th: the state file, what is reported of it, and the check of a turn.

#![expect(clippy::unwrap_used, reason = "a test may fail by panicking")]

use croupier_core::{Game, Seat, Seed};
use croupier_games::friday13::report::{self, Language};
use croupier_games::friday13::{
    Breach, Card, Colour, Friday13, Inconsistent, Misplaced, Placing, Setup, State, Terms, TurnMade,
};
use proptest::prelude::*;

const STATE: &str = "\
active player = 1
players number = 3
explosion threshold = 13
1 player hand cards: 4 green 1 blue
1 player deck cards:
2 player hand cards: 7 red
2 player deck cards: 7 blue 7 blue
3 player hand cards: 12 colour7 999 black
3 player deck cards: 4 green
1 pile cards: 7 red 5 red
2 pile cards:
3 pile cards: 4 green
";

fn read(text: &str) -> State {
    text.parse().unwrap()
}

fn error(text: &str) -> String {
    State::parse(text.as_bytes()).unwrap_err().to_string()
}

#[test]
fn the_file_is_written_exactly_as_it_is_told() {
    let state = read(STATE);
    assert_eq!(state.active, 0);
    assert_eq!(state.threshold, Some(13));
    assert_eq!(state.hands[2][0], Card::new(12, Colour::new(7)));
    assert_eq!(state.to_string(), STATE);
    let without = STATE.replace("explosion threshold = 13\n", "");
    assert_eq!(read(&without).threshold, None);
    assert_eq!(read(&without).to_string(), without);
}

#[test]
fn blanks_and_carriage_returns_are_let_pass() {
    for sloppy in [
        STATE.replace('\n', "\r\n"),
        STATE.replace('\n', "  \t\n"),
        STATE.replace(' ', "   "),
        STATE.replace(": ", ":"),
        STATE.replace('\n', "\n "),
        STATE.to_owned() + "\n \r\n",
        STATE.trim_end().to_owned(),
    ] {
        assert_eq!(read(&sloppy).to_string(), STATE, "{sloppy:?}");
    }
}

#[test]
fn anything_else_is_an_error_with_line_and_reason() {
    let with = |from: &str, to: &str| error(&STATE.replacen(from, to, 1));
    assert_eq!(
        error(""),
        "line 1: the file ends where 'active player = …' should be"
    );
    assert_eq!(
        error("hello\n"),
        "line 1: here 'active player = ' and a number should be"
    );
    assert_eq!(
        with("player = 1", "player = 4"),
        "line 1: there is no player 4 among 3"
    );
    assert_eq!(
        with("player = 1", "player = 0"),
        "line 1: there is no player 0 among 3"
    );
    assert_eq!(
        with("player = 1", "player = -1"),
        "line 1: '-1' is no number that active player can have"
    );
    assert_eq!(
        with("player = 1", "player = 1 2"),
        "line 1: here 'active player = ' and a number should be"
    );
    assert_eq!(
        with("number = 3", "number = 1"),
        "line 2: there must be at least two players"
    );
    assert_eq!(
        with("number = 3", "number = 99999999999"),
        "line 2: '99999999999' is no number that players number can have"
    );
    assert_eq!(
        with("number = 3", "number = 4000000000"),
        "line 10: here '4 player hand cards:' should be"
    );
    assert_eq!(
        with("threshold = 13", "threshold = 0"),
        "line 3: the explosion threshold must be at least 1"
    );
    assert_eq!(
        with("1 player deck cards:\n", ""),
        "line 5: here '1 player deck cards:' should be"
    );
    assert_eq!(
        with("2 player hand", "1 player hand"),
        "line 6: here '2 player hand cards:' should be"
    );
    assert_eq!(
        with("2 player deck", "3 player deck"),
        "line 7: here '2 player deck cards:' should be"
    );
    assert_eq!(
        with("2 pile", "3 pile"),
        "line 11: here '2 pile cards:' should be"
    );
    assert_eq!(
        error(STATE.split_once("1 pile").unwrap().0),
        "line 10: the file ends where '1 pile cards:' should be"
    );
    assert_eq!(
        with("7 red", "7 rose"),
        "line 6: 'rose' is no colour: green, blue, red, violet, yellow, white, black, colour7, \
         colour8, …"
    );
    for value in ["-7", "1000", "+7", "7.0", "seven"] {
        assert_eq!(
            with("7 red", &format!("{value} red")),
            format!("line 6: '{value}' is no value of a card: a number from 0 to 999")
        );
    }
    assert_eq!(
        with("7 red\n", "7\n"),
        "line 6: the value 7 has no colour after it"
    );
    assert!(
        with("colour7", "colour6").contains("is no colour"),
        "6 is black"
    );
    assert!(with("colour7", "colour07").contains("is no colour"));
    let bytes = [STATE.as_bytes(), &[0xff]].concat();
    assert_eq!(
        State::parse(&bytes).unwrap_err().to_string(),
        "line 13: this is no text"
    );
    let long = with("7 red", &"7".repeat(5000));
    assert!(long.len() < 120, "a message stays readable: {long}");
}

#[test]
fn what_is_reported_of_a_state() {
    let state = read(STATE);
    assert_eq!(
        report::piles(&state),
        "\
1 player has 2 cards on hand
1 player has 0 cards in front of him
2 player has 1 cards on hand
2 player has 2 cards in front of him
3 player has 2 cards on hand
3 player has 1 cards in front of him
there are 2 cards on 1 pile
there are 0 cards on 2 pile
there are 1 cards on 3 pile
"
    );
    assert_eq!(
        report::greens(&state),
        "Found 3 green cards, all with 4 value\n"
    );
    let other = read(&STATE.replacen("4 green", "5 green", 1));
    assert_eq!(
        report::greens(&other),
        "Different green cards values occurred\n"
    );
    let none = read(&STATE.replace("4 green", ""));
    assert_eq!(report::greens(&none), "Green cards does not exist\n");
    assert_eq!(
        report::counts(&state),
        "\
At least two colors with a different number of cards were found:
blue cards are 3
red cards are 3
black cards are 1
colour7 cards are 1
"
    );
    assert_eq!(
        report::values(&state),
        "The values of cards of all colors are not identical:\n\
         blue cards values: 1 7 7 \n\
         red cards values: 5 7 7 \n\
         black cards values: 999 \n\
         colour7 cards values: 12 \n"
    );
    let equal = read(
        &STATE
            .replace("12 colour7 999 black", "")
            .replace("1 blue", "5 blue"),
    );
    assert_eq!(
        report::counts(&equal),
        "The number cards of all colors is equal: 3\n"
    );
    assert_eq!(
        report::values(&equal),
        "The values of cards of all colors are identical:\n5 7 7 \n"
    );
}

#[test]
fn all_faults_of_a_state_are_told_in_order() {
    let faulty = read(
        "active player = 1\nplayers number = 2\nexplosion threshold = 5\n\
         1 player hand cards:\n1 player deck cards:\n2 player hand cards: 1 red 1 red\n\
         2 player deck cards:\n1 pile cards: 6 red\n2 pile cards: 1 red 1 green 1 blue\n\
         3 pile cards: 3 blue 3 violet\n",
    );
    assert_eq!(
        report::faults(&faulty, 5),
        "\
The number of players cards on hand is wrong
Two different colors were found on the 2 pile
Two different colors were found on the 3 pile
Pile number 1 should explode earlier
Pile number 3 should explode earlier
"
    );
    assert_eq!(report::faults(&faulty, 6), report::faults(&faulty, 99));
}

#[test]
fn the_score_in_two_languages() {
    let over = read(
        "active player = 1\nplayers number = 3\n\
         1 player hand cards:\n1 player deck cards: 4 green 1 blue 2 blue 1 red\n\
         2 player hand cards:\n2 player deck cards: 4 green 4 green 1 blue 2 red\n\
         3 player hand cards:\n3 player deck cards: 7 violet\n\
         1 pile cards: 1 red 1 red 1 red\n",
    );
    assert_eq!(
        report::round(&over, Language::Polish),
        "\
Na kolor blue odporny jest gracz 1
Na kolor violet odporny jest gracz 3
Wynik gracza 1 = 3
Wynik gracza 2 = 6
Wynik gracza 3 = 0
"
    );
    assert_eq!(
        report::score(&over, Language::English),
        "\
Player 1 is immune to blue
Player 3 is immune to violet
Score of player 1 = 3
Score of player 2 = 6
Score of player 3 = 0
"
    );
    assert_eq!(
        report::round(&read(STATE), Language::English),
        "The round is not over\n"
    );
}

#[test]
fn the_simple_move_lays_the_first_card() {
    let moved = |hand: &str, piles: [&str; 2], threshold| {
        let mut state = read(&format!(
            "active player = 2\nplayers number = 2\n1 player hand cards: 1 red\n\
             1 player deck cards:\n2 player hand cards: {hand}\n2 player deck cards: 9 blue\n\
             1 pile cards: {}\n2 pile cards: {}\n",
            piles[0], piles[1]
        ));
        state.simple_move(threshold);
        assert_eq!(state.active, 0);
        let text = state.to_string();
        let lines: Vec<&str> = text.lines().skip(4).collect();
        lines.join("\n")
    };
    assert_eq!(
        moved("4 green 1 red", ["7 red", ""], Some(13)),
        "2 player hand cards: 1 red\n2 player deck cards: 9 blue\n\
         1 pile cards: 7 red 4 green\n2 pile cards:"
    );
    assert_eq!(
        moved("7 red", ["4 green", "7 red"], Some(13)),
        "2 player hand cards:\n2 player deck cards: 9 blue 7 red 7 red\n\
         1 pile cards: 4 green\n2 pile cards:"
    );
    assert_eq!(
        moved("7 red", ["4 green", "7 red"], None),
        "2 player hand cards:\n2 player deck cards: 9 blue\n\
         1 pile cards: 4 green\n2 pile cards: 7 red 7 red"
    );
    assert_eq!(
        moved("7 blue", ["7 red", "4 green"], Some(13)),
        "2 player hand cards:\n2 player deck cards: 9 blue\n\
         1 pile cards: 7 red\n2 pile cards: 4 green 7 blue"
    );
    assert_eq!(
        moved("", ["", ""], Some(13)),
        "2 player hand cards:\n2 player deck cards: 9 blue\n1 pile cards:\n2 pile cards:",
        "without a card the turn passes"
    );
}

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

/// A state somewhere in a game of the original parameters.
fn midgame(players: usize, seed: u64, moves: usize) -> (Setup, State) {
    let setup = Setup::try_from(Terms {
        players,
        rounds: 1,
        ..Terms::default()
    })
    .unwrap();
    let mut game = Friday13::deal(&setup, Seed(seed));
    let mut rng = Seed(seed).player(Seat(0)).rng();
    for _ in 0..moves {
        if let Some(choice) = game.random_move(&mut rng) {
            game.play(choice).unwrap();
        }
    }
    (setup, game.state())
}

fn cards() -> impl Strategy<Value = Vec<Card>> {
    let card = (0u16..=999, prop_oneof![0u32..9, any::<u32>()])
        .prop_map(|(value, colour)| Card::new(value, Colour::new(colour)));
    prop::collection::vec(card, 0..6)
}

/// Any state at all, consistent or not.
fn states() -> impl Strategy<Value = State> {
    let players = prop::collection::vec((cards(), cards()), 2..6);
    let piles = prop::collection::vec(cards(), 1..5);
    (
        players,
        piles,
        any::<prop::sample::Index>(),
        prop::option::of(1u32..),
    )
        .prop_map(|(players, piles, active, threshold)| {
            let active = active.index(players.len());
            let (hands, decks) = players.into_iter().unzip();
            State {
                active,
                threshold,
                hands,
                decks,
                piles,
            }
        })
}

proptest! {
    #[test]
    fn a_printed_state_reads_back_as_itself(state in states()) {
        prop_assert_eq!(State::parse(state.to_string().as_bytes()), Ok(state));
    }

    #[test]
    fn no_bytes_break_the_reader(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let _ = State::parse(&bytes);
    }

    #[test]
    fn no_changed_byte_breaks_the_reader(place in 0usize..STATE.len(), byte: u8) {
        let mut bytes = STATE.as_bytes().to_vec();
        bytes[place] = byte;
        let _ = State::parse(&bytes);
    }

    #[test]
    fn whatever_is_reported_of_any_state_ends_with_a_newline(state in states()) {
        for text in [
            report::hands(&state), report::piles(&state), report::greens(&state),
            report::counts(&state), report::values(&state), report::faults(&state, 13),
            report::score(&state, Language::Polish), report::round(&state, Language::English),
        ] {
            prop_assert!(text.ends_with('\n'));
        }
        let mut moved = state.clone();
        moved.simple_move(Some(13));
        prop_assert_eq!(moved.active, (state.active + 1) % state.players());
    }

    /// A cut file is an error, or it is one of which whole piles or cards at the end are missing.
    #[test]
    fn a_cut_file_is_never_taken_for_the_whole(players in 2usize..7, seed: u64, moves in 0usize..50, cut: prop::sample::Index) {
        let (setup, state) = midgame(players, seed, moves);
        let text = state.to_string();
        let cut = cut.index(text.len() - 1);
        if let Ok(found) = State::parse(&text.as_bytes()[..cut]) {
            prop_assert!(found == state || found.check(&setup).is_err());
        }
    }

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
