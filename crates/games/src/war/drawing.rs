//! How War is drawn.

use croupier_core::{
    Drawing, Drawn, Element, Markup, Pieces, Scene, Seat, Way, counted, element, grouped,
};
use serde::Serialize;

use super::rules::STAKE;
use super::{Card, Ending, Showdown, War};
use crate::drawing::{Face, Shape, Table, Tone, back, card, legend, picture, pile, text};

/// The piece that makes both players show their next cards.
const DECK: &str = "deck";

/// What everybody sees of a game of War: the hands lie face down, and so do the cards of a war that
/// do not count.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Open {
    /// How many cards each player has.
    pub cards: [usize; 2],
    /// How many turns have been played.
    pub turns: u64,
    /// How many wars there have been.
    pub wars: u64,
    /// The last turn.
    pub last: Option<Turn>,
}

/// A turn of War: one exchange of cards with all its wars.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Turn {
    /// What each player laid, in order; nothing where a card lay face down.
    pub laid: [Vec<Option<Card>>; 2],
    /// Who took the cards, if anybody did.
    pub taken_by: Option<Seat>,
}

impl Drawn for War {
    type Open = Open;

    fn open(&self) -> Open {
        let last = self.last().map(|(exchange, laid)| {
            // Each war is decided by the last card of its stake, or by the last one there is.
            let shown = match exchange.result {
                Ok(_) => exchange.wars + 1,
                Err(_) => exchange.wars,
            };
            let open = |player: usize| {
                let mut cards: Vec<Option<Card>> = vec![None; laid[player].len()];
                for war in 0..shown as usize {
                    let place = (war * STAKE).min(cards.len() - 1);
                    cards[place] = laid[player].iter().rev().nth(place).copied();
                }
                cards
            };
            Turn {
                laid: [open(0), open(1)],
                taken_by: match exchange.result {
                    Ok(winner) | Err(Ending::Won(winner)) => Some(winner),
                    Err(_) => None,
                },
            }
        });
        Open {
            cards: [0, 1].map(|player: usize| self.hands()[player].len()),
            turns: self.turns(),
            wars: self.wars(),
            last,
        }
    }

    fn drawn(scene: &Scene<'_, War>) -> Drawing {
        let open = scene.open();
        let way = |&choice: &Showdown| {
            Way::new(
                choice,
                vec![DECK.to_owned()],
                "Show the next cards".to_owned(),
            )
        };
        let pieces = Pieces::new(scene.legal().iter().map(way).collect());
        let facts = |seat: Seat| vec![counted(open.cards[seat.index()] as u64, "card")];
        let row = |seat: Seat| {
            let count = open.cards[seat.index()];
            let deck = pile(&format!("hand-{seat}"), "Hand", count);
            let deck: Markup = match scene.to_move() == Some(seat) && scene.is_own_turn() {
                true => pieces.piece(DECK, "deck", "show the next cards", deck),
                false => deck.into(),
            };
            element("div")
                .class("war-row")
                .with(deck)
                .with(laid(scene, seat))
        };
        let mut rows: Vec<Seat> = scene.seats().collect();
        rows.reverse();
        let turns = element("p").class("hush").text(format_args!(
            "{}, {}",
            counted_long(open.turns, "turn"),
            counted_long(open.wars, "war")
        ));
        let middle: Markup = rows.into_iter().map(row).chain([turns]).collect();
        let table = Table::new(scene)
            .seats(facts, |_| Markup::nothing())
            .middle(middle)
            .asks("turn up the next cards, from the top of your hand")
            .lay();
        pieces.into_drawing(table)
    }

    fn in_words(_: Showdown) -> String {
        "shows the next cards".to_owned()
    }

    fn picture() -> Markup {
        // The queen of hearts and the queen of spades: war.
        let queens = [23, 36].map(|number| Card::new(number).map_or_else(back, face));
        picture(queens)
    }

    fn legend() -> Markup {
        legend([
            (
                Card::new(12).map_or_else(back, face),
                "Both players show their next card, and the higher one takes both. Aces are high, and suits do not count.",
            ),
            (
                back(),
                "Equal cards are a war: each lays three cards face down and shows one more, and whoever wins takes all.",
            ),
        ])
    }
}

fn counted_long(number: u64, what: &str) -> String {
    let ending = if number == 1 { "" } else { "s" };
    format!("{} {what}{ending}", grouped(number))
}

/// What a player laid in the last turn.
fn laid(scene: &Scene<'_, War>, seat: Seat) -> Markup {
    let Some(last) = &scene.open().last else {
        // Where the first card will lie.
        let free = element("li").with(element("span").class("spot free"));
        let row = element("ul").class("fan laid").attr("aria-hidden", "true");
        return element("div").class("laid-row").with(row.with(free)).into();
    };
    let cards = &last.laid[seat.index()];
    let won = last.taken_by == Some(seat);
    let place = |(place, laid): (usize, &Option<Card>)| {
        let item = element("li");
        let Some(card) = laid else {
            return item.with(back());
        };
        let decides = won && place + 1 == cards.len();
        let picture = element("span")
            .class(if decides { "spot best" } else { "spot" })
            .attr("role", "img")
            .attr("aria-label", called(*card))
            .with(face(*card));
        item.with(picture)
    };
    let takes = won.then(|| element("span").class("mark won").text("takes the cards"));
    let row = element("ul")
        .class("fan laid")
        .attr("role", "list")
        .attr("aria-label", format_args!("Laid by {}", scene.name(seat)))
        .all(cards.iter().enumerate().map(place));
    element("div")
        .class("laid-row")
        .with(row)
        .with(takes)
        .into()
}

/// `queen of hearts`
fn called(card: Card) -> String {
    const SUITS: [&str; 4] = ["clubs", "hearts", "spades", "diamonds"];
    let suit = SUITS[usize::from(card.suit())];
    let face = match card.face() {
        9 => "jack".to_owned(),
        10 => "queen".to_owned(),
        11 => "king".to_owned(),
        12 => "ace".to_owned(),
        face => (face + 2).to_string(),
    };
    format!("{face} of {suit}")
}

fn face(printed: Card) -> Element {
    let (tone, suit) = match printed.suit() {
        0 => (Tone::Ink, Shape::Club),
        1 => (Tone::Red, Shape::Heart),
        2 => (Tone::Ink, Shape::Spade),
        _ => (Tone::Red, Shape::Diamond),
    };
    let written = printed.to_string();
    let index = written.trim_end_matches(char::is_alphabetic);
    let index = match index {
        "" => &written[..1],
        number => number,
    };
    let middle: Markup = match printed.face() {
        9..12 => [
            suit.at(29.0, 63.0, 60.0, "fill faint"),
            text(59.0, 115.0, 62.0, "fill index court", index),
        ]
        .into_iter()
        .collect(),
        _ => suit.at(32.0, 66.0, 54.0, "fill").into(),
    };
    let face = Face {
        tone,
        shape: suit,
        index,
        sign: None,
        full: false,
        middle,
    };
    card(&written, face)
}
