//! How Intensity is drawn.

use croupier_core::{
    Drawing, Drawn, Element, Game, Markup, Pieces, Scene, Seat, Way, counted, element,
};
use serde::Serialize;

use super::rules::FOUL;
use super::table::{points, winner};
use super::{Card, Cards, Intensity, Move, SEATS, View};
use crate::drawing::{
    Face, Shape, Table, Tone, card, cards_before, fold, hand, legend, picture, small_row, text,
};

/// What everybody sees of a game of Intensity.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Open {
    /// How many seats have chosen what to pass on; all of them once the rounds are played.
    pub chosen: usize,
    /// How many cards each seat has in hand.
    pub hands: [usize; SEATS],
    /// The rounds so far, the present one last.
    pub rounds: Vec<Round>,
    /// The points that each seat has won with the rounds so far.
    pub taken: [u8; SEATS],
    /// How often each seat has fouled.
    pub fouls: [u8; SEATS],
}

/// A round of Intensity.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Round {
    /// Who led.
    pub leader: Seat,
    /// The cards, in the order in which they were played.
    pub cards: Vec<Card>,
}

impl Drawn for Intensity {
    type Open = Open;

    fn open(&self) -> Open {
        let mut rounds: Vec<Round> = Vec::new();
        self.table()
            .retell(|seat, card, _| match rounds.last_mut() {
                Some(round) if round.cards.len() < SEATS => round.cards.push(card),
                _ => rounds.push(Round {
                    leader: Seat::from(seat),
                    cards: vec![card],
                }),
            });
        let chosen = match self.is_discarding() {
            true => self.to_move().map_or(SEATS, Seat::index),
            false => SEATS,
        };
        Open {
            chosen,
            hands: self.hands().map(Cards::len),
            rounds,
            taken: self.taken(),
            fouls: *self.fouls(),
        }
    }
    fn drawn(scene: &Scene<'_, Intensity>) -> Drawing {
        let mut pieces = Pieces::new(scene.legal().iter().map(|&choice| way(choice)).collect());
        let seen = scene.view(scene.front());
        let held = seen.map_or(Cards::NONE, hand_of);
        for card in held.iter() {
            if let Some(rule) = scene.forbids(Move::play(card))
                && scene.open().chosen == SEATS
            {
                pieces.forbid(piece(card), rule);
            }
        }
        let fan = held
            .iter()
            .map(|card| pieces.piece(&piece(card), "in-hand", &called(card), face(card)));
        let near = [hand(scene, fan).into(), passed(seen)];
        let asks = match scene.open().chosen {
            SEATS => "play a card".to_owned(),
            _ => format!(
                "pick three cards to pass on to {}",
                scene.name(scene.front().next(SEATS))
            ),
        };
        let lies = |seat: Seat| {
            let count = scene.open().hands[seat.index()];
            cards_before(scene, seat, count, |view| small(hand_of(view).iter()))
        };
        let table = Table::new(scene)
            .seats(|seat| facts(scene.open(), seat), lies)
            .middle(middle(scene))
            .hand(near.into_iter().collect::<Markup>())
            .asks(asks)
            .lay();
        pieces.into_drawing(table)
    }

    fn in_words(choice: Move) -> String {
        match choice.card() {
            Some(card) => format!("plays the {card}"),
            None => format!("passes on {}", listed(choice.cards())),
        }
    }

    fn picture() -> Markup {
        picture([18, 34, 47].map(|number| face(Card::new(number).unwrap_or(Card::LOWEST))))
    }

    fn legend() -> Markup {
        legend([
            (
                face(Card::LOWEST),
                "The first digit is the suit: it has to be followed, and the highest card of the suit that was led wins the round.",
            ),
            (
                face(Cards::CALVES.lowest().unwrap_or(Card::LOWEST)),
                "A calf costs whoever wins the round one point. None may be led before one has been played.",
            ),
            (face(Card::BUFFALO), "The buffalo costs seven points."),
        ])
    }
}

fn way(choice: Move) -> Way {
    let label = match choice.card() {
        Some(card) => format!("Play the {card}"),
        None => format!("Pass on {}", listed(choice.cards())),
    };
    Way::new(choice, choice.cards().iter().map(piece).collect(), label)
}

fn hand_of(view: &View) -> Cards {
    match view {
        View::Discarding(discarding) => discarding.hand(),
        View::Playing(playing) => playing.hand(),
    }
}

/// Every card is there once, so its number names it wherever it lies.
fn piece(card: Card) -> String {
    format!("card-{card}")
}

/// `18, 20 and 29`
fn listed(cards: Cards) -> String {
    let numbers: Vec<String> = cards.iter().map(|card| card.to_string()).collect();
    match numbers.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => numbers.concat(),
    }
}

/// What a card is called where it cannot be seen.
fn called(card: Card) -> String {
    match card {
        Card::BUFFALO => "47, the buffalo, 7 points".to_owned(),
        _ if card.is_calf() => format!("{card}, a calf, 1 point"),
        _ => card.to_string(),
    }
}

fn suit(card: Card) -> (Tone, Shape) {
    match card.suit() {
        1 => (Tone::Teal, Shape::Leaf),
        2 => (Tone::Amber, Shape::Sun),
        3 => (Tone::Rose, Shape::Calf),
        _ => (Tone::Indigo, Shape::Drop),
    }
}

fn face(number: Card) -> Element {
    let (tone, suit) = suit(number);
    let large = match number {
        Card::BUFFALO => Shape::Buffalo.at(32.0, 64.0, 62.0, "fill"),
        _ => suit.at(36.0, 70.0, 52.0, "fill"),
    };
    let cost = (number.points() > 0).then(|| {
        element("g")
            .with(
                element("circle")
                    .class("cost")
                    .attr("cx", 24)
                    .attr("cy", 120)
                    .attr("r", 13),
            )
            .with(text(24.0, 127.0, 19.0, "on-cost", number.points()))
    });
    let face = Face {
        tone,
        shape: suit,
        index: &number.to_string(),
        sign: None,
        full: false,
        middle: [large.into(), Markup::from(cost)].into_iter().collect(),
    };
    card(number, face)
}

fn small(cards: impl IntoIterator<Item = Card>) -> Element {
    small_row(cards.into_iter().map(|card| (called(card), face(card))))
}

/// A card in a line of text.
fn chip(card: Card) -> Element {
    element("span")
        .class(format_args!("chip {}", suit(card).0.class()))
        .text(card)
}

fn facts(open: &Open, seat: Seat) -> Vec<String> {
    let seat = seat.index();
    let points = u64::from(open.taken[seat]) + u64::from(open.fouls[seat]) * u64::from(FOUL);
    let mut facts = vec![counted(points, "point")];
    facts.push(match open.chosen {
        SEATS => counted(open.hands[seat] as u64, "card"),
        chosen if seat < chosen => "ready".to_owned(),
        _ => "still choosing".to_owned(),
    });
    if open.fouls[seat] > 0 {
        facts.push(counted(u64::from(open.fouls[seat]), "foul"));
    }
    facts
}

/// The round that is played, or the last one until another begins; and those before it.
fn middle(scene: &Scene<'_, Intensity>) -> Markup {
    let open = scene.open();
    let Some((round, earlier)) = open.rounds.split_last() else {
        let text = match open.chosen {
            SEATS => "Nothing has been played yet.",
            _ => {
                "Everybody passes three cards to the next seat. Then calves cost whoever wins them one point each, the buffalo seven, and the fewest points win."
            }
        };
        return element("p").class("hush").text(text).into();
    };
    let whole = round.cards.len() == SEATS;
    let best = winner(&round.cards);
    let front = scene.front().index();
    let spot = |(place, &laid): (usize, &Card)| {
        let seat = Seat::from((round.leader.index() + place) % SEATS);
        let side = (seat.index() + SEATS - front) % SEATS;
        let class = match place == best {
            true => format!("spot at-{side} best"),
            false => format!("spot at-{side}"),
        };
        let ahead = match (place == best, whole) {
            (true, true) => ", takes the round",
            (true, false) => ", ahead",
            _ => "",
        };
        let label = format!("{} played the {}{ahead}", scene.name(seat), called(laid));
        element("span")
            .class(class)
            .attr("role", "img")
            .attr("aria-label", label)
            .with(face(laid))
    };
    let free = (round.cards.len()..SEATS).map(|place| {
        let side = (round.leader.index() + place + SEATS - front) % SEATS;
        element("span").class(format_args!("spot free at-{side}"))
    });
    let trick = element("div")
        .class(if whole { "trick whole" } else { "trick" })
        .all(round.cards.iter().enumerate().map(spot))
        .all(free);
    let taker = Seat::from((round.leader.index() + best) % SEATS);
    let cost = counted(u64::from(points(&round.cards)), "point");
    let caption = element("p").class("hush");
    let number = open.rounds.len();
    let caption = match whole {
        true => caption
            .text(format_args!("Round {number} went to "))
            .with(match scene.is_reader(taker) {
                true => Markup::text("you"),
                false => scene.name_tag(taker),
            })
            .text(format_args!(": {cost}")),
        false => caption.text(format_args!("Round {number}: {cost} on the table")),
    };
    let row = |(number, round): (usize, &Round)| {
        let taker = Seat::from((round.leader.index() + winner(&round.cards)) % SEATS);
        let from = |verb: &str| Markup::text(format_args!(" {verb} "));
        element("li")
            .text(format_args!("{}. ", number + 1))
            .with(scene.name_tag(round.leader))
            .with(from("led"))
            .all(round.cards.iter().map(|&card| chip(card)))
            .text(" ")
            .with(scene.name_tag(taker))
            .with(from("took"))
            .text(counted(u64::from(points(&round.cards)), "point"))
    };
    let earlier = (!earlier.is_empty()).then(|| {
        let rows = earlier.iter().enumerate().rev().map(row);
        fold("Earlier rounds", element("ol").class("rounds").all(rows))
    });
    [trick.into(), caption.into(), Markup::from(earlier)]
        .into_iter()
        .collect()
}

/// What the seat in front has passed on and received.
fn passed(seen: Option<&View>) -> Markup {
    let Some(View::Playing(playing)) = seen else {
        return Markup::nothing();
    };
    let row = |title: &str, cards: Cards| {
        element("p")
            .text(format_args!("{title} "))
            .with(small(cards.iter()))
    };
    let inside: Markup = [
        row("Passed on", playing.discarded()),
        row("Received", playing.received()),
    ]
    .into_iter()
    .collect();
    fold("Cards passed on", inside).into()
}
