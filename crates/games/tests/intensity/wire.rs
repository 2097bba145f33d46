//! The text of the game: questions, answers, names, and how a game is told.

use std::ops::ControlFlow;

use croupier_core::{
    Foul, FoulKind, Game, NoMove, Outcome, Player, RandomPlayer, Seat, Seed, Stepper, Turn, play,
    play_on,
};
use croupier_games::intensity::wire::{
    BadQuestion, ENTER_PLAY, Narrator, Question, Telling, answer, ask_again, ask_for_discards,
    ask_for_play, enter_discards, enter_play, read_discards, read_name, read_play, summary,
    unique_name,
};
use croupier_games::intensity::{Cards, Intensity, Move, SEATS, Setup, View};
use proptest::prelude::*;

use crate::{cards, dealt, random_game};

const DISCARD: &str = "1\n13 19 24 25 29 32 39 44 46 49\n";
const PLAY: &str = "\
2
9 2 0
11 15 18 23 33 34 47 48 49
24 26
16 13 19 12
37 38 39
34 47 48
";

fn read(text: &str) -> Result<Question, BadQuestion> {
    Question::read(text.bytes())
}

fn refused(text: &str) -> String {
    read(text).unwrap_err().to_string()
}

#[test]
fn the_handouts_questions() {
    assert_eq!(read("0\n"), Ok(Question::Name));
    assert_eq!(read("3"), Ok(Question::Tests));
    let Ok(Question::Discard(view)) = read(DISCARD) else {
        panic!("three cards are asked for");
    };
    assert_eq!(
        view.hand(),
        cards(&[13, 19, 24, 25, 29, 32, 39, 44, 46, 49])
    );
    let Ok(Question::Play(view)) = read(PLAY) else {
        panic!("a card is asked for");
    };
    assert_eq!(view.position(), Seat(0));
    assert_eq!(view.legal(), cards(&[23]));
    assert_eq!(Question::Play(view).to_string(), PLAY);
}

#[test]
fn any_white_space_separates_numbers() {
    let spread = PLAY.replace('\n', "\r\n\t \x0b\x0c").replace(' ', "\n\n");
    assert_eq!(read(&spread), read(PLAY));
    assert_eq!(
        read(PLAY.trim_end()),
        read(PLAY),
        "also without a last newline"
    );
}

#[test]
fn nothing_is_read_beyond_the_question() {
    let mut input = PLAY.bytes().chain("whatever follows".bytes());
    assert!(Question::read(input.by_ref()).is_ok());
    assert_eq!(input.collect::<Vec<u8>>(), b"whatever follows");
}

#[test]
fn a_question_that_cannot_be_read_is_refused_with_the_reason() {
    for nothing in ["", " \n\t"] {
        assert_eq!(
            refused(nothing),
            "there is no input; a question starts with 0, 1, 2 or 3"
        );
    }
    assert_eq!(
        refused("4"),
        "4 cannot be the question, which is a number from 0 to 3"
    );
    assert_eq!(
        refused("hello"),
        "'hello' is not a number; it stands for the question"
    );
    assert_eq!(
        refused("1 13 19 24"),
        "the input is cut off: card 4 of 10 in the hand is missing"
    );
    assert_eq!(
        refused("1 13 19 24 x25"),
        "'x25' is not a number; it stands for card 4 of 10 in the hand"
    );
    assert_eq!(
        refused("1 13 19 24 50"),
        "50 cannot be card 4 of 10 in the hand, which is a number from 10 to 49"
    );
    assert_eq!(
        refused("1 13 19 24 -13"),
        "-13 cannot be card 4 of 10 in the hand, which is a number from 10 to 49"
    );
    assert_eq!(
        refused("1 13 19 24 99999999999999999999999999"),
        "9999999999999999… cannot be card 4 of 10 in the hand, which is a number from 10 to 49"
    );
    assert_eq!(
        refused("1 13 19 24 25 29 32 39 44 46 13"),
        "the card 13 is twice in the hand"
    );
    assert_eq!(
        refused("2 11 0 0"),
        "11 cannot be the number of cards in hand, which is a number from 1 to 10"
    );
    assert_eq!(
        refused("2 10 4 0"),
        "4 cannot be the number of cards played this round, which is a number from 0 to 3"
    );
    assert_eq!(
        refused("2 10 0 4"),
        "4 cannot be the own position, which is a number from 0 to 3"
    );
    assert_eq!(
        refused(&PLAY.replace("16 13", "11 13")),
        "the card 11 is there twice"
    );
    assert_eq!(
        refused(&PLAY.replace("37 38", "38 38")),
        "the card 38 is twice in the discards"
    );
    assert_eq!(
        refused(&PLAY.replace("9 2 0", "9 2 1")),
        "after these cards it is the turn of position 0, not of position 1"
    );
    assert_eq!(
        Question::read(*b"1 \xff\x1b[2J").unwrap_err().to_string(),
        r"'\xff\x1b[2J' is not a number; it stands for card 1 of 10 in the hand"
    );
}

#[test]
fn a_question_cut_off_anywhere_is_refused() {
    for text in [DISCARD, PLAY] {
        let words: Vec<&str> = text.split_whitespace().collect();
        for count in 1..words.len() {
            let cut = words[..count].join(" ");
            let refused = read(&cut).unwrap_err();
            assert!(
                matches!(refused, BadQuestion::CutOff(_)),
                "{cut}: {refused}"
            );
        }
    }
}

#[test]
fn the_last_two_digit_number_is_the_card_played() {
    let played = |output: &str| read_play(output.as_bytes()).map(|choice| choice.to_string());
    for output in [
        "23",
        "23\n",
        "Enter: 11 12\n23\n",
        "card:23!",
        "x23",
        "-23",
        "23 1 234 07 5",
    ] {
        assert_eq!(played(output).as_deref(), Ok("play 23"), "{output:?}");
    }
    let foul = |output: &str| {
        let foul = played(output).unwrap_err();
        (foul.kind, foul.detail)
    };
    assert_eq!(foul(" \n"), (FoulKind::Malformed, "no answer".into()));
    assert_eq!(
        foul("I play 2 3 or 123\x1b"),
        (
            FoulKind::Malformed,
            r"'I play 2 3 or 123\x1b' is not a two-digit number".into()
        )
    );
    assert_eq!(
        foul("23 99"),
        (
            FoulKind::Illegal,
            "play 99: there is no card 99, cards are numbered 10 to 49".into()
        )
    );
    let long = "no idea ".repeat(1000);
    assert!(foul(&long).1.len() < 100);
}

#[test]
fn the_last_three_two_digit_numbers_are_the_discards() {
    let passed = |output: &str| read_discards(output.as_bytes()).map(|choice| choice.to_string());
    for output in [
        "29 39 49\n",
        "hand of 10: 11 12 13\nI pass 49,29 and 39",
        "49\n39\n29",
    ] {
        assert_eq!(
            passed(output).as_deref(),
            Ok("discard 29 39 49"),
            "{output:?}"
        );
    }
    let foul = |output: &str| {
        let foul = passed(output).unwrap_err();
        (foul.kind, foul.detail)
    };
    assert_eq!(
        foul("29 39"),
        (
            FoulKind::Malformed,
            "'29 39' is not three two-digit numbers".into()
        )
    );
    assert_eq!(
        foul("29 39 29"),
        (
            FoulKind::Illegal,
            "discard 29 39 29: the 29 is there twice".into()
        )
    );
    assert_eq!(
        foul("29 39 70"),
        (
            FoulKind::Illegal,
            "discard 29 39 70: there is no card 70, cards are numbered 10 to 49".into()
        )
    );
}

#[test]
fn names_are_cleaned() {
    let name = |output: &str| read_name(output.as_bytes());
    for (output, expected) in [
        ("Dennis Ritchie\n", "Dennis Ritchie"),
        ("  Dennis Ritchie", "Dennis Ritchie"),
        ("Enter a number:\nO'Hara_the-2nd\r\n\n", "O'Hara_the-2nd"),
        ("<b>Bold</b> \x1b[31m!", "bBoldb 31m"),
        ("Zoë", "Zoë"),
        (
            "an endless name that nobody will ever read to its end",
            "an endless name that nobody will",
        ),
    ] {
        assert_eq!(name(output).as_deref(), Some(expected), "{output:?}");
    }
    for output in ["", "\n \n", "!?."] {
        assert_eq!(name(output), None, "{output:?}");
    }
    assert_eq!(read_name(b"\xffBob\xfe").as_deref(), Some("Bob"));
}

#[test]
fn a_name_that_is_taken_gets_a_number() {
    let mut taken: Vec<String> = Vec::new();
    for expected in ["Bob", "Bob0", "Bob1", "Bob2"] {
        let name = unique_name("Bob", &taken);
        assert_eq!(name, expected);
        taken.push(name);
    }
    assert_eq!(unique_name("Bob0", &taken), "Bob00");
    let long = "an endless name that nobody will";
    let name = unique_name(long, &[long.to_owned()]);
    assert_eq!(name, "an endless name that nobody wil0");
}

proptest! {
    #[test]
    fn no_bytes_break_the_reader_of_questions(bytes: Vec<u8>, kind in 0u8..4) {
        let _ = Question::read(bytes.iter().copied());
        let _ = Question::read([b'0' + kind, b' '].into_iter().chain(bytes));
    }

    /// Numbers that are nearly right reach the checks that arbitrary bytes never do.
    #[test]
    fn no_numbers_break_the_reader_of_questions(
        numbers in prop::collection::vec(8u8..52, 0..60),
        counts in [0usize..12, 0usize..5, 0usize..5],
    ) {
        let counts = counts.map(|count| count.to_string()).join(" ");
        let numbers: Vec<String> = numbers.iter().map(u8::to_string).collect();
        let _ = read(&format!("2 {counts} {}", numbers.join(" ")));
        let _ = read(&format!("1 {}", numbers.join(" ")));
    }

    /// Whatever is accepted can be asked in a game: it is the view of a game that plays on.
    #[test]
    fn a_question_with_a_changed_number_is_refused_or_makes_sense(
        seed: u64,
        decisions in 0usize..44,
        place: prop::sample::Index,
        number in 0u8..52,
    ) {
        let game = random_game(seed, decisions);
        let question = Question::from(game.view(game.to_move().unwrap())).to_string();
        let mut words: Vec<String> = question.split_whitespace().map(String::from).collect();
        let place = place.index(words.len());
        words[place] = number.to_string();
        if let Ok(Question::Play(view)) = read(&words.join(" ")) {
            let sampled = croupier_core::Sample::sample(&View::Playing(view), &mut Seed(seed).rng());
            let sampled: Intensity = sampled;
            prop_assert_eq!(sampled.to_move(), Some(view.position()));
            prop_assert_eq!(sampled.view(view.position()), View::Playing(view));
        }
    }

    #[test]
    fn a_printed_question_reads_back_as_itself(seed: u64, decisions in 0usize..44) {
        let game = random_game(seed, decisions);
        let question = Question::from(game.view(game.to_move().unwrap()));
        prop_assert_eq!(read(&question.to_string()), Ok(question));
    }

    #[test]
    fn a_printed_answer_reads_back_as_itself(seed: u64, decisions in 0usize..44) {
        let choice = random_game(seed, decisions).random_move(&mut Seed(seed).rng()).unwrap();
        let line = answer(choice);
        let read = if decisions < SEATS { read_discards } else { read_play };
        prop_assert_eq!(read(line.as_bytes()), Ok(choice));
    }

    #[test]
    fn no_output_breaks_the_reader_of_answers(output: Vec<u8>) {
        // Whatever a person enters that is taken, a program could have answered.
        if let Ok(choice) = enter_discards(&output) {
            prop_assert_eq!(read_discards(&output), Ok(choice));
        }
        if let Ok(choice) = enter_play(&output) {
            prop_assert_eq!(read_play(&output), Ok(choice));
        }
        let _ = read_discards(&output);
        let _ = read_play(&output);
        if let Some(name) = read_name(&output) {
            prop_assert!((1..=32).contains(&name.chars().count()));
        }
    }

    #[test]
    fn names_stay_different_and_short(names in prop::collection::vec("[ab]{1,2}|[a]{31,33}", 1..30)) {
        let mut taken: Vec<String> = Vec::new();
        for name in names {
            let Some(name) = read_name(name.as_bytes()) else { continue };
            let name = unique_name(&name, &taken);
            prop_assert!(!taken.contains(&name) && name.chars().count() <= 32);
            taken.push(name);
        }
    }
}

fn names() -> [String; SEATS] {
    ["Dennis Ritchie", "Lulu", "Amy", "Morgan"].map(String::from)
}

/// Everything that is told of a game with these players.
fn told<P: Player<Intensity>>(game: Intensity, telling: Telling, players: &mut [P]) -> String {
    let mut text = String::new();
    let mut narrator = Narrator::new(names(), telling, |told: &str| {
        text += told;
        ControlFlow::Continue(())
    });
    play_on(Stepper::of(game), players, &mut narrator).unwrap();
    text
}

fn random_players() -> [RandomPlayer; SEATS] {
    let mut players: [RandomPlayer; SEATS] = Default::default();
    for (seat, player) in Seat::all(SEATS).zip(&mut players) {
        Player::<Intensity>::start(player, seat, Seed(20).player(seat));
    }
    players
}

/// The deal that the handout shows.
fn handouts_deal() -> Intensity {
    dealt([
        &[10, 22, 23, 24, 28, 29, 35, 38, 41, 42],
        &[11, 12, 15, 17, 21, 25, 27, 43, 44, 47],
        &[20, 26, 30, 32, 33, 36, 37, 39, 40, 45],
        &[13, 14, 16, 18, 19, 31, 34, 46, 48, 49],
    ])
}

#[test]
fn a_whole_game_is_told() {
    insta::assert_snapshot!(told(handouts_deal(), Telling::Open, &mut random_players()));
}

#[test]
fn a_game_is_told_without_the_deal_and_the_hands() {
    let open = told(handouts_deal(), Telling::Open, &mut random_players());
    let quiet = told(handouts_deal(), Telling::Quiet, &mut random_players());
    let (_, after_deal) = open.split_once("\n\n").unwrap();
    let expected: String = after_deal
        .lines()
        .map(|line| match (line.find(" holding"), line.find(" plays")) {
            (Some(from), Some(to)) => format!("{}{}\n", &line[..from], &line[to..]),
            _ => format!("{line}\n"),
        })
        .collect();
    assert_eq!(quiet, expected);
    assert!(quiet.starts_with("Discards:\nDennis Ritchie ["), "{quiet}");
}

#[test]
fn a_person_at_the_table_sees_no_cards_that_are_passed() {
    let told = told(handouts_deal(), Telling::AtTheTable, &mut random_players());
    assert!(
        told.starts_with("Discards:\n\nRound 0: Dennis Ritchie plays the "),
        "{told}"
    );
    assert!(!told.contains('['));
}

/// Fouls in every way there is, over and over.
struct Fouler(usize);

impl Player<Intensity> for Fouler {
    fn decide(&mut self, turn: &Turn<'_, Intensity>) -> Result<Move, NoMove> {
        let foul = |kind, detail: &str| {
            let detail = detail.to_owned();
            Err(NoMove::Foul(Foul { kind, detail }))
        };
        self.0 += 1;
        match (self.0 % 6, turn.view()) {
            (0, View::Playing(view)) => {
                let others = Cards::ALL - view.hand();
                Ok(Move::play(others.lowest().unwrap()))
            }
            (0, View::Discarding(view)) => {
                let others = Cards::ALL - view.hand();
                Ok(Move::discard(others.iter().take(3).collect()).unwrap())
            }
            (1, _) => read_play(b"no idea").map_err(NoMove::Foul),
            (2, _) => foul(FoulKind::Timeout, "no answer in 30 s"),
            (3, _) => foul(
                FoulKind::Crash,
                "ended by signal 11 (segmentation fault)\nstderr: bot.c:12: \x1b[31moops\n",
            ),
            (4, _) => read_discards(b"10 10 10").map_err(NoMove::Foul),
            _ => foul(FoulKind::Start, "the program could not be started"),
        }
    }
}

#[test]
fn fouls_of_every_kind_are_told() {
    let mut players = [Fouler(0), Fouler(2), Fouler(4), Fouler(5)];
    let told = told(handouts_deal(), Telling::Quiet, &mut players);
    let rounds: Vec<&str> = told.split("\n\n").take(3).collect();
    insta::assert_snapshot!(rounds.join("\n\n"));
}

#[test]
fn a_foul_with_discards_gives_nothing_away_to_the_person() {
    let mut players = [Fouler(5), Fouler(5), Fouler(5), Fouler(5)];
    let told = told(handouts_deal(), Telling::AtTheTable, &mut players);
    let line = "Foul by Dennis Ritchie (illegal); three random cards are passed on instead, and it \
                costs 5 penalty points";
    assert!(told.lines().any(|told| told == line), "{told}");
    let (passing, _) = told.split_once("\n\n").unwrap();
    assert!(!passing.contains("discard "), "{passing}");
    assert!(!passing.contains('['), "{passing}");
}

#[test]
fn the_person_hears_how_a_program_died_but_not_what_it_wrote() {
    let mut players = [Fouler(2), Fouler(2), Fouler(2), Fouler(2)];
    let told = told(handouts_deal(), Telling::AtTheTable, &mut players);
    let line = "Foul by Lulu (crash): ended by signal 11 (segmentation fault); three random cards \
                are passed on instead, and it costs 5 penalty points";
    assert!(told.lines().any(|told| told == line), "{told}");
    assert!(
        told.matches("(segmentation fault); the ").count() >= 4,
        "{told}"
    );
    assert!(!told.contains("oops"), "{told}");
}

#[test]
fn a_listener_who_has_heard_enough_stops_the_game() {
    let mut told = 0;
    let mut narrator = Narrator::new(names(), Telling::Open, |_: &str| {
        told += 1;
        ControlFlow::Break(())
    });
    let mut players = random_players();
    let result = play::<Intensity, _, _>(&Setup {}, Seed(1), &mut players, &mut narrator);
    assert!(result.is_err());
    assert_eq!(told, 1);
}

#[test]
fn the_person_is_asked_and_asked_again() {
    let hand = cards(&[11, 12, 18]);
    assert_eq!(
        ask_for_discards(hand),
        "Interactive Player must choose discards.\nHand: [11, 12, 18]\nEnter cards to discard: "
    );
    assert_eq!(
        ask_for_play(hand),
        "Interactive Player turn to play.\nHand: [11, 12, 18]\nEnter card to play: "
    );
    assert_eq!(
        ask_again("the 13 is not in the hand", ENTER_PLAY),
        "the 13 is not in the hand\nEnter card to play: "
    );
}

#[test]
fn a_person_enters_as_many_cards_as_are_wanted() {
    let passed = |line: &str| enter_discards(line.as_bytes()).map(|choice| choice.to_string());
    assert_eq!(passed("49 29, 39\n"), Ok("discard 29 39 49".into()));
    for wrong in [
        "",
        " \n",
        "29 39",
        "29 39 49 10",
        "29 39 49 1",
        "29 29 39",
        "all",
    ] {
        assert!(passed(wrong).is_err(), "{wrong:?}");
    }
    let played = |line: &str| enter_play(line.as_bytes()).map(|choice| choice.to_string());
    assert_eq!(played("the 23\r\n"), Ok("play 23".into()));
    for wrong in ["", "\n", "23 24", "123", "2 3", "7", "99", "x"] {
        assert!(played(wrong).is_err(), "{wrong:?}");
    }
}

#[test]
fn a_summary_has_the_best_first_and_shared_positions() {
    let outcome = Outcome::lowest_wins(vec![3, 0, 14, 0]);
    assert_eq!(
        summary(&names(), &outcome),
        "1\tLulu\t0\n1\tMorgan\t0\n3\tDennis Ritchie\t3\n4\tAmy\t14\n"
    );
}
