//! The text: numbers, the deck file, messages.

use croupier_core::{Game, Seat};
use croupier_games::austerity::wire::Misfit;
use croupier_games::austerity::wire::{Answer, Message, hub_line, parse_number, table_lines};
use croupier_games::austerity::{Card, Colour, Deck, View};
use proptest::prelude::*;

use super::{card, deck, table};

#[test]
fn numbers_are_what_strtol_takes_for_the_whole_text() {
    for (text, number) in [
        ("0", 0),
        ("7", 7),
        ("+1", 1),
        ("-0", 0),
        ("-000", 0),
        ("007", 7),
        ("2147483647", 2_147_483_647),
        ("+00000000000000000000002147483647", 2_147_483_647),
    ] {
        assert_eq!(parse_number(text.as_bytes()), Some(number), "{text}");
    }
    let long = "9".repeat(400);
    for text in [
        "",
        " 1",
        "1 ",
        "1x",
        "x",
        "+",
        "-",
        "-1",
        "--0",
        "+-0",
        "0x1",
        "1.0",
        "\t1",
        "1\n",
        "1\0",
        "2147483648",
        "4294967296",
        "18446744073709551616",
        "-2147483648",
        "٣",
        &long,
    ] {
        assert_eq!(parse_number(text.as_bytes()), None, "{text:?}");
    }
}

#[test]
fn a_deck_lies_in_the_order_of_its_file() {
    let read = Deck::parse(b"B:1:1,0,0,0\nY:0:0,3,0,2").unwrap();
    let expected = [
        Card {
            bonus: Colour::Brown,
            points: 1,
            price: [1, 0, 0, 0],
        },
        Card {
            bonus: Colour::Yellow,
            points: 0,
            price: [0, 3, 0, 2],
        },
    ];
    assert_eq!(read.cards(), expected);
    assert_eq!(Deck::parse(b"B:1:1,0,0,0\nY:0:0,3,0,2\n").unwrap(), read);
    assert_eq!(Deck::parse(b"B:+1:01,-0,0,0\nY:0:0,3,0,2\n").unwrap(), read);
}

#[test]
fn what_is_no_deck_is_refused_with_the_line_and_the_reason() {
    let blank = "a blank line is no card";
    let ends = "it ends in CR LF, as on Windows, and not in LF alone";
    let fields = "a card is written D:V:P,B,Y,R";
    let extra = "a card has three fields: D:V:P,B,Y,R";
    let letter = "the discount is one of the letters P, B, Y, R";
    let points = "the points are a whole number from 0 to 2147483647";
    let price = "the price is four whole numbers from 0 to 2147483647 with commas between them";
    for (text, line, reason) in [
        ("", 1, "the file is empty"),
        (
            "\u{feff}B:1:1,0,0,0\n",
            1,
            "the file begins with a byte order mark (BOM); save it as UTF-8 without one",
        ),
        ("\n", 1, blank),
        ("B:1:1,0,0,0\n\n", 2, blank),
        ("B:1:1,0,0,0\n\nB:1:1,0,0,0\n", 2, blank),
        ("\nB:1:1,0,0,0\n", 1, blank),
        ("B:1:1,0,0,0\r\n", 1, ends),
        ("B:1:1,0,0,0\n\r\n", 2, ends),
        ("B:1:1,0,0,0\nB:1\n", 2, fields),
        ("B", 1, fields),
        ("B:1:1,0,0,0:\n", 1, extra),
        ("B:1:1,0,0,0:2\n", 1, extra),
        ("G:1:1,0,0,0", 1, letter),
        ("b:1:1,0,0,0", 1, letter),
        ("BB:1:1,0,0,0", 1, letter),
        (":1:1,0,0,0", 1, letter),
        (" B:1:1,0,0,0", 1, letter),
        ("W:1:1,0,0,0", 1, letter),
        ("B::1,0,0,0", 1, points),
        ("B:-1:1,0,0,0", 1, points),
        ("B: 1:1,0,0,0", 1, points),
        ("B:2147483648:1,0,0,0", 1, points),
        ("B:1:1,0,0", 1, price),
        ("B:1:1,0,0,0,0", 1, price),
        ("B:1:1,0,0,0,", 1, price),
        ("B:1:1,0,0,", 1, price),
        ("B:1:1,0,-1,0", 1, price),
        ("B:1:1, 0,0,0", 1, price),
        ("B:1:1,0,0,0 ", 1, price),
        ("B:1:1,0,0,0\0", 1, price),
    ] {
        let error = Deck::parse(text.as_bytes()).unwrap_err();
        assert_eq!((error.line, error.reason), (line, reason), "{text:?}");
        assert_eq!(
            error.to_string(),
            format!("line {line} of the deck: {reason}")
        );
    }
}

#[test]
fn a_deck_has_a_card_and_no_number_that_could_not_be_read() {
    assert_eq!(Deck::new(vec![]), None);
    let mut large = card("B:1:1,0,0,0");
    assert!(Deck::new(vec![large]).is_some());
    large.price[3] = 1 << 31;
    assert_eq!(Deck::new(vec![large]), None);
}

#[test]
fn messages_of_the_hub() {
    for (line, message) in [
        ("tokens7", Message::Tokens(7)),
        ("newcardB:5:2,3,0,1", Message::NewCard(card("B:5:2,3,0,1"))),
        ("dowhat", Message::DoWhat),
        (
            "purchasedA:6:1,1,0,0,2",
            Message::Purchased {
                seat: Seat(0),
                place: 6,
                paid: [1, 1, 0, 0, 2],
            },
        ),
        (
            "tookZ:1,1,10,0",
            Message::Took {
                seat: Seat(25),
                tokens: [1, 1, 10, 0],
            },
        ),
        ("wildC", Message::Wild(Seat(2))),
        ("eog", Message::Eog),
    ] {
        assert_eq!(Message::parse(line.as_bytes()), Ok(message));
        assert_eq!(message.to_string(), line);
    }
    for line in [
        "",
        "tokens",
        "tokens-1",
        "tokens 7",
        "tokens7 ",
        "token7",
        "Tokens7",
        "newcard",
        "newcardB:5:2,3,0",
        "newcardB:5:2,3,0,1,0",
        "newcardW:5:2,3,0,1",
        "newcard B:5:2,3,0,1",
        "dowhat ",
        "dowhat\r",
        "dowhat\n",
        " dowhat",
        "dowhatA",
        "eog\0",
        "purchased",
        "purchasedA:8:0,0,0,0,0",
        "purchasedA:-1:0,0,0,0,0",
        "purchasedA:0:0,0,0,0",
        "purchasedA:0:0,0,0,0,0,0",
        "purchaseda:0:0,0,0,0,0",
        "purchasedA0:0,0,0,0,0",
        "purchasedA::0,0,0,0,0",
        "purchasedAB:0:0,0,0,0,0",
        "took",
        "tookA:1,1,1",
        "tookA:1,1,1,0,0",
        "tookA1,1,1,0",
        "took:1,1,1,0",
        "tookA:1,1,1,-1",
        "wild",
        "wild0",
        "wildAB",
        "wilda",
    ] {
        assert!(Message::parse(line.as_bytes()).is_err(), "{line:?}");
    }
    assert!(Message::parse(b"wild\xff").is_err());
}

#[test]
fn answers_of_a_player() {
    let paid = [1, 0, 2, 0, 12];
    for (line, answer) in [
        ("purchase3:1,0,2,0,12", Answer::Purchase { place: 3, paid }),
        ("take1,1,0,1", Answer::Take([1, 1, 0, 1])),
        ("wild", Answer::Wild),
    ] {
        assert_eq!(Answer::parse(line.as_bytes()), Ok(answer));
        assert_eq!(answer.to_string(), line);
    }
    for line in [
        "",
        "wild ",
        "wildA",
        " wild",
        "WILD",
        "take",
        "take1,1,1",
        "take1,1,1,0,0",
        "take 1,1,1,0",
        "take1,1,1,-0x",
        "take1,1,1,-1",
        "purchase8:0,0,0,0,0",
        "purchase3:1,0,2,0",
        "purchase:0,0,0,0,0",
        "purchase3",
        "purchase3:1,0,2,0,12,1",
        "purchased3:1,0,2,0,12",
        "purchase3:1,0,2,0,12\r",
    ] {
        assert!(Answer::parse(line.as_bytes()).is_err(), "{line:?}");
    }
}

#[test]
fn the_hub_prints_what_everyone_is_told_and_nothing_else() {
    let line = |message: &str| {
        let mut text = String::new();
        hub_line(&mut text, &Message::parse(message.as_bytes()).unwrap());
        text
    };
    assert_eq!(
        line("newcardB:5:2,3,0,1"),
        "New card = Bonus B, worth 5, costs 2,3,0,1\n"
    );
    assert_eq!(
        line("purchasedC:6:1,1,0,0,2"),
        "Player C purchased 6 using 1,1,0,0,2\n"
    );
    assert_eq!(line("tookB:1,1,0,1"), "Player B drew 1,1,0,1\n");
    assert_eq!(line("wildA"), "Player A took a wild\n");
    for message in ["tokens7", "dowhat", "eog"] {
        assert_eq!(line(message), "");
    }
}

#[test]
fn a_player_shows_the_market_and_everyone() {
    let mut view = View::new(2, Seat(0));
    view.table.market = deck(&["B:3:0,0,2,1", "Y:10:12,0,0,0"]).cards().to_vec();
    let a = &mut view.table.players[0];
    (a.points, a.discounts, a.tokens) = (5, [1, 2, 0, 1], [2, 2, 0, 1, 1]);
    let mut text = String::new();
    table_lines(&mut text, &view.table);
    assert_eq!(
        text,
        "\
Card 0:B/3/0,0,2,1
Card 1:Y/10/12,0,0,0
Player A:5:Discounts=1,2,0,1:Tokens=2,2,0,1,1
Player B:0:Discounts=0,0,0,0:Tokens=0,0,0,0,0
"
    );
}

#[test]
fn a_view_refuses_what_the_table_has_no_place_for() {
    let mut view = View::new(2, Seat(0));
    let hear = |view: &mut View, line: &str| {
        let before = view.clone();
        let heard = view.hear(&Message::parse(line.as_bytes()).unwrap());
        assert!(heard.is_ok() || *view == before);
        heard
    };
    assert_eq!(hear(&mut view, "wildB"), Ok(()), "before any tokens");
    assert_eq!(hear(&mut view, "tookA:9,9,9,9"), Ok(()), "from empty piles");
    assert_eq!(hear(&mut view, "wildC"), Err(Misfit::Player));
    assert_eq!(hear(&mut view, "tookC:1,1,1,0"), Err(Misfit::Player));
    assert_eq!(
        hear(&mut view, "purchasedA:0:0,0,0,0,0"),
        Err(Misfit::Place)
    );
    for _ in 0..8 {
        assert_eq!(hear(&mut view, "newcardB:1:1,0,0,0"), Ok(()));
    }
    assert_eq!(hear(&mut view, "newcardB:1:1,0,0,0"), Err(Misfit::Card));
    assert_eq!(
        hear(&mut view, "purchasedC:7:0,0,0,0,0"),
        Err(Misfit::Player)
    );
    assert_eq!(
        hear(&mut view, "purchasedB:7:9,9,9,9,9"),
        Ok(()),
        "what nobody has"
    );
    assert_eq!(
        hear(&mut view, "purchasedA:7:0,0,0,0,0"),
        Err(Misfit::Place)
    );
    assert_eq!(hear(&mut view, "tokens3"), Ok(()));
    assert_eq!(view.table.piles, [3; 4]);
}

#[test]
fn a_view_as_json() {
    let game = table(2, 15, &["B:5:2,3,0,1"]);
    let mut view = View::new(2, Seat(1));
    view.terms = game.view(Seat(1)).terms;
    for line in ["tokens7", "newcardB:5:2,3,0,1", "tookA:0,1,1,1"] {
        let message = Message::parse(line.as_bytes()).unwrap();
        view.hear(&message).unwrap();
    }
    assert_eq!(
        serde_json::to_string(&view).unwrap(),
        r#"{"seat":1,"piles":[7,6,6,6],"market":[{"bonus":"B","points":5,"price":[2,3,0,1]}],"#
            .to_owned()
            + r#""players":[{"points":0,"discounts":[0,0,0,0],"tokens":[0,1,1,1,0]},"#
            + r#"{"points":0,"discounts":[0,0,0,0],"tokens":[0,0,0,0,0]}],"#
            + r#""target":15,"max_turns":null,"cards":1,"made_up":false,"turns":1,"#
            + r#""seen":[{"bonus":"B","points":5,"price":[2,3,0,1]}]}"#
    );
}

fn number() -> impl Strategy<Value = i64> {
    prop_oneof![0i64..20, 0i64..=2_147_483_647]
}

fn any_card() -> impl Strategy<Value = Card> {
    let colour = prop::sample::select(&Colour::ALL[..]);
    (colour, number(), prop::array::uniform4(number())).prop_map(|(bonus, points, price)| Card {
        bonus,
        points: points as u32,
        price: price.map(|number| number as u32),
    })
}

fn any_message() -> impl Strategy<Value = Message> {
    let seat = || (0u16..26).prop_map(Seat);
    prop_oneof![
        number().prop_map(Message::Tokens),
        any_card().prop_map(Message::NewCard),
        Just(Message::DoWhat),
        (seat(), 0usize..8, prop::array::uniform5(number()))
            .prop_map(|(seat, place, paid)| Message::Purchased { seat, place, paid }),
        (seat(), prop::array::uniform4(number()))
            .prop_map(|(seat, tokens)| Message::Took { seat, tokens }),
        seat().prop_map(Message::Wild),
        Just(Message::Eog),
    ]
}

fn any_answer() -> impl Strategy<Value = Answer> {
    prop_oneof![
        (0usize..8, prop::array::uniform5(number()))
            .prop_map(|(place, paid)| Answer::Purchase { place, paid }),
        prop::array::uniform4(number()).prop_map(Answer::Take),
        Just(Answer::Wild),
    ]
}

/// One byte put in, taken out or changed: where, which, and how.
type Damage = (prop::sample::Index, u8, u8);

fn any_damage() -> impl Strategy<Value = Damage> {
    let byte = prop_oneof![prop::sample::select(&b"+- ,:\n0Z["[..]), any::<u8>()];
    (any::<prop::sample::Index>(), byte, 0u8..3)
}

fn damaged(text: &impl ToString, (at, byte, how): Damage) -> Vec<u8> {
    let mut text = text.to_string().into_bytes();
    let at = at.index(text.len());
    match how {
        0 => text.insert(at, byte),
        1 => drop(text.remove(at)),
        _ => text[at] = byte,
    }
    text
}

proptest! {
    #[test]
    fn a_printed_message_reads_back_as_itself(message in any_message()) {
        prop_assert_eq!(Message::parse(message.to_string().as_bytes()), Ok(message));
    }

    #[test]
    fn a_printed_answer_reads_back_as_itself(answer in any_answer()) {
        prop_assert_eq!(Answer::parse(answer.to_string().as_bytes()), Ok(answer));
    }

    #[test]
    fn a_printed_deck_reads_back_as_itself(cards in prop::collection::vec(any_card(), 1..20)) {
        let deck = Deck::new(cards).unwrap();
        prop_assert_eq!(Deck::parse(deck.to_string().as_bytes()), Ok(deck));
    }

    #[test]
    fn no_bytes_break_a_reader(bytes in prop::collection::vec(any::<u8>(), 0..80)) {
        let _ = (Deck::parse(&bytes), Message::parse(&bytes), Answer::parse(&bytes));
        for word in ["tokens", "newcard", "purchased", "took", "wild", "purchase", "take", "B:"] {
            let line = [word.as_bytes(), &bytes].concat();
            let _ = (Deck::parse(&line), Message::parse(&line), Answer::parse(&line));
        }
    }

    #[test]
    fn what_is_read_from_a_damaged_message_is_a_message(
        message in any_message(),
        damage in any_damage(),
    ) {
        if let Ok(read) = Message::parse(&damaged(&message, damage)) {
            prop_assert_eq!(Message::parse(read.to_string().as_bytes()), Ok(read));
        }
    }

    #[test]
    fn what_is_read_from_a_damaged_answer_is_an_answer(
        answer in any_answer(),
        damage in any_damage(),
    ) {
        if let Ok(read) = Answer::parse(&damaged(&answer, damage)) {
            prop_assert_eq!(Answer::parse(read.to_string().as_bytes()), Ok(read));
        }
    }

    #[test]
    fn what_is_read_from_a_damaged_deck_is_a_deck(
        cards in prop::collection::vec(any_card(), 1..5),
        damage in any_damage(),
    ) {
        if let Ok(read) = Deck::parse(&damaged(&Deck::new(cards).unwrap(), damage)) {
            prop_assert_eq!(Deck::parse(read.to_string().as_bytes()), Ok(read));
        }
    }
}
