//! How Uno is drawn.

use croupier_core::{
    Drawing, Drawn, Element, Game, Markup, Pieces, Scene, Seat, Way, counted, element,
};
use serde::Serialize;

use super::{Card, Cards, Colour, Direction, Face, Move, SEATS, Uno};
use crate::drawing::{
    self, Shape, Table, Tone, alike, card, cards_before, fold, hand, legend, picture, pile, plate,
    sheet, small_row, svg, text,
};

/// The piece from which cards are drawn.
const DECK: &str = "deck";

/// What everybody sees of a game of Uno.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Open {
    /// Which way play goes.
    pub direction: Direction,
    /// The colour that was called with the last wild card; a coloured card does not change it.
    pub last_colour_called: Option<Colour>,
    /// All discards, from the bottom up.
    pub discards: Cards,
    /// How many cards are left to draw.
    pub deck: usize,
    /// How many cards every seat has.
    pub cards_left: [u8; SEATS],
    /// The points of every seat from the games before this one.
    pub scores: [i32; SEATS],
}

impl Drawn for Uno {
    type Open = Open;

    fn open(&self) -> Open {
        // What every seat sees but for its own hand.
        let seen = self.view(Seat(0));
        Open {
            direction: seen.direction,
            last_colour_called: seen.last_colour_called,
            discards: seen.discards,
            deck: self.deck.len(),
            cards_left: seen.cards_left,
            scores: seen.scores,
        }
    }
    fn drawn(scene: &Scene<'_, Uno>) -> Drawing {
        let held = scene.view(scene.front());
        let held = held.map_or(Vec::new(), |view| sorted(&view.hand));
        let mut pieces = Pieces::new(scene.legal().iter().map(|&choice| way(choice)).collect());
        for &(card, _) in &held {
            let choice = Move::play(card, card.is_wild().then_some(Colour::Red));
            if let Some(rule) = choice.and_then(|choice| scene.forbids(choice)) {
                pieces.forbid(piece(card), rule);
            }
        }
        if let Some(rule) = scene.forbids(Move::DRAW) {
            pieces.forbid(DECK.to_owned(), rule);
        }
        let fan = held.iter().map(|&(card, count)| {
            alike(&pieces, &piece(card), &card.to_string(), count, face(card))
        });
        // The colours below the cards, which stay under the finger that picked one of them.
        let near: Markup = [hand(scene, fan).into(), calls(scene, &pieces)]
            .into_iter()
            .collect();
        let lies = |seat: Seat| {
            let count = usize::from(scene.open().cards_left[seat.index()]);
            cards_before(scene, seat, count, |view| {
                let cards = sorted(&view.hand).into_iter();
                small(cards.flat_map(|(card, count)| std::iter::repeat_n(card, count)))
            })
        };
        let asks = match scene.legal() {
            [choice] if *choice == Move::DRAW => "nothing matches, draw a card".to_owned(),
            _ => format!("play {}", fitting(scene.open())),
        };
        let table = Table::new(scene)
            .seats(|seat| facts(scene.open(), seat), lies)
            .middle(middle(scene, &pieces))
            .hand(near)
            .asks(asks)
            .lay();
        pieces.into_drawing(table)
    }

    fn in_words(choice: Move) -> String {
        match (choice.card(), choice.called()) {
            (None, _) => "draws a card".to_owned(),
            (Some(card), None) => format!("plays the {card}"),
            (Some(card), Some(colour)) => format!("plays a {card}, calling {colour}"),
        }
    }

    fn picture() -> Markup {
        picture([
            face(printed(Colour::Red, Face::Number(7))),
            face(Card::WILD_DRAW_FOUR),
            face(printed(Colour::Blue, Face::Reverse)),
        ])
    }

    fn legend() -> Markup {
        legend([
            (
                face(printed(Colour::Green, Face::Number(4))),
                "A card goes on one of its colour or with its number.",
            ),
            (
                face(printed(Colour::Yellow, Face::Skip)),
                "Skip: the next player loses the turn.",
            ),
            (
                face(printed(Colour::Blue, Face::Reverse)),
                "Reverse: play goes the other way round.",
            ),
            (
                face(printed(Colour::Red, Face::DrawTwo)),
                "The next player draws two cards and loses the turn.",
            ),
            (
                face(Card::WILD),
                "A wild card goes on any card; its player calls the colour that counts.",
            ),
            (
                face(Card::WILD_DRAW_FOUR),
                "A wild card after which the next player draws four cards and loses the turn.",
            ),
        ])
    }
}

/// The card of this colour and face; a wild one if there is none.
fn printed(colour: Colour, face: Face) -> Card {
    Card::new(Some(colour), face).unwrap_or(Card::WILD)
}

fn way(choice: Move) -> Way {
    let Some(card) = choice.card() else {
        return Way::new(choice, vec![DECK.to_owned()], "Draw a card".to_owned());
    };
    let (mut pieces, mut label) = (vec![piece(card)], format!("Play the {card}"));
    if let Some(colour) = choice.called() {
        pieces.push(call(colour));
        label = format!("{label} and call {colour}");
    }
    Way::new(choice, pieces, label)
}

fn piece(card: Card) -> String {
    format!("hand-{}", kind(card))
}

fn kind(card: Card) -> String {
    card.to_string().replace(' ', "-")
}

fn call(colour: Colour) -> String {
    format!("call-{colour}")
}

/// The different cards of a hand by colour and face, each with how many there are.
fn sorted(hand: &[Card]) -> Vec<(Card, usize)> {
    let count = |card: Card| hand.iter().filter(|&&held| held == card).count();
    let counted = Card::all().map(|card| (card, count(card)));
    counted.filter(|&(_, count)| count > 0).collect()
}

fn tone(colour: Colour) -> (Tone, Shape) {
    match colour {
        Colour::Red => (Tone::Red, Shape::Diamond),
        Colour::Green => (Tone::Green, Shape::Leaf),
        Colour::Blue => (Tone::Blue, Shape::Drop),
        Colour::Yellow => (Tone::Yellow, Shape::Star),
    }
}

fn face(printed: Card) -> Element {
    let Some(colour) = printed.colour() else {
        return wild(printed);
    };
    let (tone, shape) = tone(colour);
    let large = |number: &str| match number.len() {
        1 => text(58.0, 112.0, 56.0, "on index", number),
        _ => text(57.0, 106.0, 40.0, "on index", number),
    };
    let (index, sign, middle) = match printed.face() {
        Face::Skip => (
            String::new(),
            Some(Shape::Skip),
            Shape::Skip.at(34.0, 68.0, 48.0, "on"),
        ),
        Face::Reverse => {
            let large = Shape::Reverse.at(34.0, 68.0, 48.0, "on");
            (String::new(), Some(Shape::Reverse), large)
        }
        Face::DrawTwo => ("+2".to_owned(), None, large("+2")),
        face => (face.to_string(), None, large(&face.to_string())),
    };
    let ring = element("circle")
        .class("ring")
        .attr("cx", 58)
        .attr("cy", 92)
        .attr("r", 35);
    let face = drawing::Face {
        tone,
        shape,
        index: &index,
        sign,
        full: true,
        middle: [ring, middle].into_iter().collect(),
    };
    card(kind(printed), face)
}

/// A card with all four colours.
fn wild(printed: Card) -> Element {
    let quarter = |(place, colour): (usize, Colour)| {
        let (tone, shape) = tone(colour);
        let (x, y) = ((place % 2) as f32, (place / 2) as f32);
        let ground = element("rect")
            .class("fill")
            .attr("x", 26.0 + 31.0 * x)
            .attr("y", 58.0 + 33.0 * y)
            .attr("width", 29)
            .attr("height", 31)
            .attr("rx", 5);
        element("g").class(tone.class()).with(ground).with(shape.at(
            32.5 + 31.0 * x,
            65.5 + 33.0 * y,
            16.0,
            "on",
        ))
    };
    let index = match printed {
        Card::WILD_DRAW_FOUR => "+4",
        _ => "W",
    };
    let corner = text(24.0, 31.0, 26.0, "on index", index);
    sheet(&format!("card {}", Tone::Wild.class()))
        .attr("data-card", kind(printed))
        .with(plate("fill", 1.0, 11.0))
        .with(plate("edge", 1.0, 11.0))
        .all(Colour::ALL.into_iter().enumerate().map(quarter))
        .with(corner)
}

fn small(cards: impl IntoIterator<Item = Card>) -> Element {
    small_row(cards.into_iter().map(|card| (card.to_string(), face(card))))
}

fn facts(open: &Open, seat: Seat) -> Vec<String> {
    let cards = u64::from(open.cards_left[seat.index()]);
    let mut facts = vec![match cards {
        1 => "only 1 card left".to_owned(),
        _ => counted(cards, "card"),
    }];
    if open.scores.iter().any(|&score| score != 0) {
        facts.push(format!("{} points before", open.scores[seat.index()]));
    }
    facts
}

/// What may lie on top of the discards, in words.
fn fitting(open: &Open) -> String {
    let top = open.discards.last().copied();
    match top.map(|top| (top.colour(), top.face())) {
        Some((Some(colour), face)) => format!("{colour}, another {face}, or a wild card"),
        _ => match open.last_colour_called {
            Some(colour) => format!("{colour}, or a wild card"),
            None => "a card that matches".to_owned(),
        },
    }
}

/// The deck and the discards, with the colour that counts and which way play goes.
fn middle(scene: &Scene<'_, Uno>, pieces: &Pieces) -> Markup {
    let open = scene.open();
    let label = format!("the deck, {}", counted(open.deck as u64, "card"));
    let deck = pile(DECK, "Deck", open.deck);
    let deck = pieces.piece(DECK, "deck", &label, deck);
    let top = open.discards.last().copied();
    let called = top
        .filter(|card| card.is_wild())
        .and(open.last_colour_called);
    // Where the deck has its name: nothing moves when a colour is called.
    let called_mark = called.map(|colour| {
        let (tone, shape) = tone(colour);
        element("span")
            .class(format_args!("called {}", tone.class()))
            .with(shape.icon("on"))
            .text(colour)
    });
    let below = open.discards.iter().rev().skip(1).take(2).rev();
    let below = below.map(|&card| element("i").class("below").with(face(card)));
    let lying = top.map(|top| {
        let label = match called {
            Some(colour) => format!("{top} on top of the discards, {colour} is called"),
            None => format!("{top} on top of the discards"),
        };
        element("div")
            .class("pile discards")
            .attr("data-pile", "discards")
            .attr("role", "img")
            .attr("aria-label", label)
            .all(below)
            .with(element("i").class("uppermost").with(face(top)))
            .with(called_mark)
    });
    let (way, class) = match open.direction {
        Direction::Right => ("Play goes clockwise", "direction"),
        Direction::Left => ("Play goes anticlockwise", "direction turned"),
    };
    let direction = element("p")
        .class("hush")
        .with(svg(class, "0 0 24 24").with(Shape::Reverse.at(0.0, 0.0, 24.0, "fill")))
        .text(way);
    let words: Vec<String> = open.discards.iter().rev().map(Card::to_string).collect();
    let all = fold(
        &format!("Discards so far: {}", words.len()),
        element("p").text(words.join(", ")),
    );
    let piles = element("div").class("piles").with(deck).with(lying);
    [piles.into(), direction.into(), Markup::from(all)]
        .into_iter()
        .collect()
}

/// The colours from which one is called with a wild card.
fn calls(scene: &Scene<'_, Uno>, pieces: &Pieces) -> Markup {
    if !scene.legal().iter().any(|choice| choice.called().is_some()) {
        return Markup::nothing();
    }
    let button = |colour: Colour| {
        let (tone, shape) = tone(colour);
        let face = element("span")
            .class(format_args!("swatch {}", tone.class()))
            .with(shape.icon("on"))
            .text(colour);
        pieces.piece(&call(colour), "call", &format!("call {colour}"), face)
    };
    element("div")
        .class("calls later")
        .attr("data-kind", "colour")
        .attr("role", "group")
        .attr("aria-label", "The colour to call with a wild card")
        .all(Colour::ALL.map(button))
        .into()
}
