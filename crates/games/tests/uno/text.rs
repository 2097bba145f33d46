//! Moves, setups, records and views as text.

use croupier_core::{
    Foul, FoulKind, Game, NoMove, Offered, Options, Player, RandomPlayer, Record, Recorder, Seat,
    Seed, Turn, play,
};
use croupier_games::GAMES;
use croupier_games::uno::{Card, Colour, Move, Position, Setup, Uno};
use proptest::prelude::*;

use crate::positions::{casual, go, legal, position, resume};

#[test]
fn moves_are_written_as_a_card_player_would() {
    for text in [
        "draw",
        "wild-draw-four blue",
        "wild red",
        "red 7",
        "red skip",
        "green reverse",
        "yellow draw-two",
        "blue 0",
    ] {
        assert_eq!(text.parse::<Move>().unwrap().to_string(), text);
    }
    for text in [
        "",
        "wild",
        "wild-draw-four",
        "red",
        "red 10",
        "Red 7",
        "red 7 blue",
        "red  7",
        "pass",
        "wild pink",
    ] {
        assert!(text.parse::<Move>().is_err(), "{text}");
    }
    let texts: std::collections::BTreeSet<_> =
        Move::all().map(|choice| choice.to_string()).collect();
    assert_eq!(texts.len(), 61);
}

#[test]
fn options_make_the_setup() {
    let setup = |given: &[(&str, &str)]| {
        let pairs = given
            .iter()
            .map(|&(name, value)| (name.to_owned(), value.to_owned()));
        Uno::setup(&pairs.collect::<Options>())
    };
    assert_eq!(setup(&[]).unwrap(), Setup::default());
    assert_eq!(setup(&[("mode", "casual")]).unwrap(), casual());
    assert_eq!(
        setup(&[("scores", "1, 20,-3,400")]).unwrap().scores,
        [1, 20, -3, 400]
    );
    assert_eq!(setup(&[("max-turns", "9")]).unwrap().max_turns.get(), 9);
    for (name, value) in [
        ("mode", "wild"),
        ("scores", "1,2,3"),
        ("scores", "1,2,3,4,5"),
        ("scores", "a,b,c,d"),
        ("scores", "99999999999,0,0,0"),
        ("max-turns", "0"),
        ("max-turns", "-1"),
        ("players", "3"),
    ] {
        assert!(setup(&[(name, value)]).is_err(), "{name} {value}");
    }
    let defaults = Uno::PROFILE
        .options
        .iter()
        .filter_map(|o| Some((o.name.to_owned(), o.default?.to_owned())));
    assert_eq!(Uno::setup(&defaults.collect()).unwrap(), Setup::default());
}

#[test]
fn a_setup_that_cannot_be_dealt_is_refused_when_read() {
    let read = |text: &str| serde_json::from_str::<Setup>(text);
    assert_eq!(read("{}").unwrap(), Setup::default());
    assert_eq!(read(r#"{"mode":"casual"}"#).unwrap(), casual());
    for text in [
        r#"{"max_turns":0}"#,
        r#"{"scores":[1,2,3]}"#,
        r#"{"mode":"x"}"#,
    ] {
        assert!(read(text).is_err(), "{text}");
    }
}

/// Fouls now and then, so that records hold fouls as well.
struct Clumsy(RandomPlayer, u32);

impl Player<Uno> for Clumsy {
    fn start(&mut self, seat: Seat, chance: Seed) {
        Player::<Uno>::start(&mut self.0, seat, chance);
    }
    fn decide(&mut self, turn: &Turn<'_, Uno>) -> Result<Move, NoMove> {
        self.1 += 1;
        if self.1.is_multiple_of(5) {
            let (kind, detail) = (FoulKind::Crash, "a signal".to_owned());
            return Err(NoMove::Foul(Foul { kind, detail }));
        }
        self.0.decide(turn)
    }
}

#[test]
fn a_record_with_fouls_replays() {
    for seed in 0..20 {
        let mut players = [0, 1, 2, 3].map(|start| Clumsy(RandomPlayer::default(), start));
        let names = ["a", "b", "c", "d"].map(str::to_owned).to_vec();
        let mut recorder = Recorder::new::<Uno>(&casual(), Seed(seed), names);
        let outcome = play(&casual(), Seed(seed), &mut players, &mut recorder).unwrap();
        let record = Record::parse(&recorder.into_text()).unwrap();
        assert_eq!(record.replay(&GAMES).unwrap(), outcome);
    }
}

/// The page of the game shows what programs will really be sent.
#[test]
fn the_page_shows_a_view_and_its_moves() {
    let mut game = resume(&Position {
        last_colour_called: Some(Colour::Green),
        ..position(
            ["red 7, wild", "blue 0, green 4", "blue 1, red 1", "blue 2"],
            "green 3, red 3",
            "",
        )
    });
    go(&mut game, "wild blue");
    let page = include_str!("../../../../docs/games/uno.md");
    let view = serde_json::to_string(&game.view(Seat(1))).unwrap();
    assert!(page.contains(&view), "{view}");
    let moves = serde_json::to_string(&legal(&game)).unwrap();
    assert!(page.contains(&moves), "{moves}");
    let setup = serde_json::to_string(&Setup::default()).unwrap();
    assert!(page.contains(&setup), "{setup}");
}

proptest! {
    #[test]
    fn no_text_breaks_the_reader_of_moves(text in ".*") {
        let _ = text.parse::<Move>();
        let _ = text.parse::<Card>();
    }
}
