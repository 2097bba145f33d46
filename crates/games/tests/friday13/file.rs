//! The state file, and what is reported of it.

use croupier_games::friday13::report::{self, Language};
use croupier_games::friday13::{Card, Colour, State};
use proptest::prelude::*;

use super::{midgame, read};

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
    assert_eq!(error(""), "line 1: the file is empty");
    assert_eq!(
        error("\n"),
        "line 1: the file ends where 'active player = …' should be"
    );
    assert_eq!(
        error(&format!("\u{feff}{STATE}")),
        "line 1: the file begins with a byte order mark (BOM); save it as UTF-8 without one"
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
fn codes_for_the_screen_are_shown_and_not_obeyed() {
    let with = |from: &str, to: &str| error(&STATE.replacen(from, to, 1));
    assert!(with("4 green", "\x1b[2J\x07 green").contains("'\\u{1b}[2J\\u{7}' is no value"));
    assert!(with("4 green", "4 \u{9b}31m").contains("'\\u{9b}31m' is no colour"));
    assert!(with("= 13", "= \0").contains("'\\u{0}' is no number"));
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
}
