//! How Friday the 13th is drawn.

use croupier_core::{
    Drawing, Drawn, Element, Game, Markup, Pieces, Scene, Seat, Way, counted, element,
};
use serde::Serialize;

use super::card::sum;
use super::score;
use super::{Card, Colour, Friday13, Move, Setup};
use crate::drawing::{
    Face, Shape, Table, Tone, alike, card, cards_before, hand, legend, small_row, svg, text,
};

/// What everybody sees of a match. All lists go by seat.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Open {
    /// The parameters of the match.
    pub setup: Setup,
    /// The round, from 1.
    pub round: u32,
    /// The seat in the first chair, which starts the round.
    pub first: Seat,
    /// How many cards each seat has in hand.
    pub hands: Vec<usize>,
    /// The cards that each seat has collected in this round.
    pub collected: Vec<Vec<Card>>,
    /// The piles.
    pub piles: Vec<Vec<Card>>,
    /// The penalty points of each seat as they stand, with those of this round.
    pub points: Vec<i64>,
    /// How often each seat has fouled.
    pub breaches: Vec<u32>,
}

impl Drawn for Friday13 {
    type Open = Open;

    fn open(&self) -> Open {
        // What every seat sees but for its own hand.
        let seen = self.view(Seat(0));
        let players = self.seats();
        let chair = |seat: usize| (seen.chair + seat) % players;
        Open {
            round: seen.round,
            first: Seat::from((players - seen.chair) % players),
            hands: (0..players).map(|seat| seen.hands[chair(seat)]).collect(),
            collected: (0..players)
                .map(|seat| seen.collected[chair(seat)].clone())
                .collect(),
            points: self.outcome().scores,
            breaches: (0..players)
                .map(|seat| seen.breaches[chair(seat)])
                .collect(),
            piles: seen.piles,
            setup: seen.setup,
        }
    }
    fn drawn(scene: &Scene<'_, Friday13>) -> Drawing {
        let open = scene.open();
        let held = scene.view(scene.front());
        let held = held.map_or(Vec::new(), |view| sorted(&view.hand));
        // The rules list them in an order that depends on how the cards came into the hand.
        let mut legal = scene.legal().to_vec();
        legal.sort_unstable_by_key(|choice| (choice.card, choice.pile));
        let ways = legal.into_iter().map(|choice| way(open, choice));
        let mut pieces = Pieces::new(ways.collect());
        // A pile on which no card of the hand may go. The rule that forbids one of them may be about
        // another pile.
        for pile in 0..open.piles.len() as u32 {
            if let Some(&(card, _)) = held.first()
                && scene.forbids(Move { card, pile }).is_some()
            {
                pieces.forbid(pile_piece(pile), no_card_for(open, pile));
            }
        }
        for &(card, _) in &held {
            for pile in 0..open.piles.len() as u32 {
                if let Some(rule) = scene.forbids(Move { card, pile }) {
                    pieces.forbid_together(vec![hand_piece(card), pile_piece(pile)], rule);
                }
            }
        }
        let fan = held.iter().map(|&(card, count)| {
            alike(&pieces, &hand_piece(card), &called(card), count, face(card))
        });
        let lies = |seat: Seat| {
            let count = open.hands[seat.index()];
            let cards = cards_before(scene, seat, count, |view| small(&view.hand));
            [cards, collected(open, seat)].into_iter().collect()
        };
        let cauldrons = (0..open.piles.len() as u32).map(|pile| cauldron(open, pile, &pieces));
        let rounds = element("p").class("hush").text(format_args!(
            "Round {} of {}",
            open.round, open.setup.rounds
        ));
        // Below the hand, which would otherwise lie outside of a small window.
        let costs = element("p").class("hush").text(format_args!(
            "Fewest points win. Whoever brings a cauldron above {} takes its cards: 1 point each, 2 for green. Cards of another colour are free for whoever has the most of it.",
            open.setup.threshold
        ));
        let near: Markup = [Markup::from(hand(scene, fan)), costs.into()]
            .into_iter()
            .collect();
        let middle: Markup = [
            element("div")
                .class("cauldrons")
                .attr("data-kind", "cauldron")
                .all(cauldrons),
            rounds,
        ]
        .into_iter()
        .collect();
        let table = Table::new(scene)
            .seats(|seat| facts(open, seat), lies)
            .middle(middle)
            .hand(near)
            .asks("pick a card, then a cauldron for it")
            .lay();
        pieces.into_drawing(table)
    }

    fn in_words(Move { card, pile }: Move) -> String {
        let pile = u64::from(pile) + 1;
        format!("lays the {} into cauldron {pile}", called(card))
    }

    fn picture() -> Markup {
        let small = |place: f32, shape: Shape, tone: Tone| {
            element("g")
                .class(tone.class())
                .with(shape.at(52.0 + 28.0 * place, 8.0, 20.0, "fill"))
        };
        svg("picture", "0 0 180 120")
            .with(small(0.0, Shape::Flask, Tone::Green))
            .with(small(1.0, Shape::Flame, Tone::Red))
            .with(small(2.0, Shape::Drop, Tone::Blue))
            .with(
                element("g")
                    .class(Tone::Green.class())
                    .attr("transform", "translate(40 30)")
                    .with(pot("13", 1.0)),
            )
            .into()
    }

    fn legend() -> Markup {
        legend([
            (
                face(Card::new(7, Colour::new(2))),
                "A card goes into the cauldron where its colour lies, or if there is none, into one without a colour. Collected, it costs a point, but nothing for whoever has more of the colour than anybody else.",
            ),
            (
                face(Card::new(4, Colour::GREEN)),
                "Poison goes into any cauldron, and costs two points.",
            ),
            (
                svg(&format!("pot {}", Tone::Red.class()), "0 0 100 78").with(pot("13", 1.0)),
                "A cauldron whose cards come to more than the limit explodes, and who made it explode takes them all.",
            ),
        ])
    }
}

fn way(open: &Open, choice: Move) -> Way {
    let Move { card, pile } = choice;
    let after = sum(&open.piles[pile as usize]).saturating_add(u32::from(card.value));
    let explodes = match after > open.setup.threshold {
        true => ", which explodes",
        false => "",
    };
    let label = format!(
        "Lay the {} into cauldron {}{explodes}",
        called(card),
        u64::from(pile) + 1
    );
    Way::new(choice, vec![hand_piece(card), pile_piece(pile)], label)
}

/// Why no card of a hand goes into this cauldron.
fn no_card_for(open: &Open, pile: u32) -> String {
    match colour_of(&open.piles[pile as usize]) {
        Some(colour) => {
            format!("{colour} lies in that cauldron, and you have neither {colour} nor green")
        }
        None => "the colours of all your cards lie in other cauldrons".to_owned(),
    }
}

/// The colour of what lies in a cauldron, if it has one.
fn colour_of(cards: &[Card]) -> Option<Colour> {
    let mut colours = cards.iter().map(|card| card.colour);
    colours.find(|colour| !colour.is_green())
}

fn hand_piece(card: Card) -> String {
    format!("hand-{}", kind(card))
}

fn pile_piece(pile: u32) -> String {
    format!("pile-{}", u64::from(pile) + 1)
}

fn kind(card: Card) -> String {
    format!("{}-{}", card.colour, card.value)
}

/// `red 7`
fn called(card: Card) -> String {
    format!("{} {}", card.colour, card.value)
}

/// The different cards of a hand by colour and value, each with how many there are.
fn sorted(hand: &[Card]) -> Vec<(Card, usize)> {
    let mut cards = hand.to_vec();
    cards.sort_unstable();
    let alike = cards.chunk_by(|one, other| one == other);
    alike.map(|cards| (cards[0], cards.len())).collect()
}

fn tone(colour: Colour) -> (Tone, Shape) {
    const NAMED: [(Tone, Shape); 7] = [
        (Tone::Green, Shape::Flask),
        (Tone::Blue, Shape::Drop),
        (Tone::Red, Shape::Flame),
        (Tone::Purple, Shape::Moon),
        (Tone::Yellow, Shape::Sun),
        (Tone::White, Shape::Star),
        (Tone::Ink, Shape::Hexagon),
    ];
    const OTHERS: [(Tone, Shape); 5] = [
        (Tone::Teal, Shape::Leaf),
        (Tone::Amber, Shape::Triangle),
        (Tone::Rose, Shape::Heart),
        (Tone::Indigo, Shape::Cross),
        (Tone::Brown, Shape::Square),
    ];
    match NAMED.get(colour.index()) {
        Some(&named) => named,
        None => OTHERS[(colour.index() - NAMED.len()) % OTHERS.len()],
    }
}

fn face(printed: Card) -> Element {
    let (tone, shape) = tone(printed.colour);
    // Colours without a name share shapes, and are told apart by their number.
    let name = printed.colour.to_string();
    let number = name.strip_prefix("colour").map(|number| {
        let name = format!("colour {number}");
        text(62.0, 20.0, 12.0, "on", name)
    });
    let large = shape.at(28.0, 62.0, 62.0, "on faint");
    let value = text(
        59.0,
        113.0,
        if printed.value > 99 { 30.0 } else { 48.0 },
        "on index",
        printed.value,
    );
    let face = Face {
        tone,
        shape,
        index: &printed.value.to_string(),
        sign: None,
        full: true,
        middle: [Some(large), Some(value), number]
            .into_iter()
            .flatten()
            .collect(),
    };
    card(kind(printed), face)
}

fn small(cards: &[Card]) -> Element {
    small_row(cards.iter().map(|&card| (called(card), face(card))))
}

fn facts(open: &Open, seat: Seat) -> Vec<String> {
    let place = seat.index();
    let points = open.points[place];
    let mut facts = vec![
        format!("{points} point{}", if points == 1 { "" } else { "s" }),
        counted(open.hands[place] as u64, "card"),
    ];
    if open.breaches[place] > 0 {
        facts.push(counted(u64::from(open.breaches[place]), "foul"));
    }
    facts
}

/// What a seat has collected in this round: how many cards of each colour, and which of them cost
/// nothing as things stand.
fn collected(open: &Open, seat: Seat) -> Markup {
    let cards = &open.collected[seat.index()];
    // From the beginning: the cauldrons and the hand do not move when somebody takes the first cards.
    if cards.is_empty() {
        return element("p").class("collected").text("took nothing").into();
    }
    let mut colours: Vec<Colour> = cards.iter().map(|card| card.colour).collect();
    colours.sort_unstable();
    let chips = colours.chunk_by(|one, other| one == other).map(|alike| {
        let (tone, shape) = tone(alike[0]);
        let free = is_immune(open, seat, alike[0]);
        let costs = if free { ", which cost nothing" } else { "" };
        let label = format!("{} {}{costs}", alike.len(), alike[0]);
        element("span")
            .class(format_args!("chip {}", tone.class()))
            .attr("role", "img")
            .attr("aria-label", label)
            .with(shape.icon("on"))
            .text(alike.len())
            .text(if free { " free" } else { "" })
    });
    element("p")
        .class("collected")
        .with(element("span").class("title").text("took"))
        .all(chips)
        .into()
}

/// Whether this seat alone has most cards of a colour, which then do not count.
fn is_immune(open: &Open, seat: Seat, colour: Colour) -> bool {
    let counts = open.collected.iter().map(|cards| {
        let alike = cards.iter().filter(|card| card.colour == colour);
        alike.count() as u32
    });
    !colour.is_green() && score::most(counts).is_some_and(|(most, _)| most == seat.index())
}

/// A cauldron with what lies in it.
fn cauldron(open: &Open, pile: u32, pieces: &Pieces) -> Markup {
    let cards = &open.piles[pile as usize];
    let (sum, threshold) = (sum(cards), open.setup.threshold);
    let number = u64::from(pile) + 1;
    let colour = colour_of(cards);
    let lies = match (colour, cards.is_empty()) {
        (Some(colour), _) => format!("{colour} lies in it"),
        (None, true) => "empty".to_owned(),
        (None, false) => "only green lies in it".to_owned(),
    };
    let label = format!("cauldron {number}, {sum} of {threshold}, {lies}");
    let level = f64::from(sum) / f64::from(threshold.max(1));
    let contents = small(cards);
    let class = match colour {
        Some(colour) => format!("brew {}", tone(colour).0.class()),
        None => "brew t-none".to_owned(),
    };
    let pot = svg("pot", "0 0 100 78").with(pot(&sum.to_string(), level as f32));
    let caption = element("span")
        .class("caption")
        .text(format_args!("{number}: "))
        .with(colour.map(|colour| tone(colour).1.icon("fill")))
        .text(format_args!(" {sum} of {threshold}"));
    let face = element("span")
        .class(class)
        .with(contents)
        .with(pot)
        .with(caption);
    pieces.piece(&pile_piece(pile), "cauldron", &label, face)
}

/// A pot that is filled so far, from 0 to 1.
fn pot(sum: &str, level: f32) -> Element {
    let level = level.clamp(0.0, 1.0);
    let arc = |y: f32, class: &str| {
        element("ellipse")
            .class(class)
            .attr("cx", 50)
            .attr("cy", y)
            .attr("rx", 36)
            .attr("ry", 7)
    };
    let gauge = |width: f32, class: &str| {
        element("rect")
            .class(class)
            .attr("x", 22)
            .attr("y", 56)
            .attr("width", width)
            .attr("height", 5)
            .attr("rx", 2.5)
    };
    let body = "M12 14C4 34 8 70 30 72h40c22-2 26-38 18-58z";
    let feet = "M28 70l-5 8h9l4-6zM72 70l5 8h-9l-4-6z";
    element("g")
        .with(element("path").class("iron").attr("d", feet))
        .with(element("path").class("iron").attr("d", body))
        .with(arc(14.0, "iron rim"))
        .with(arc(15.0, "soup"))
        .with(text(50.0, 48.0, 24.0, "on-iron index", sum))
        .with(gauge(56.0, "gauge"))
        .with(gauge(56.0 * level, "gauge-level"))
}
