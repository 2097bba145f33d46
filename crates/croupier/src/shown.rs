//! How each game looks to a person: the table, its own hand, and what may be played.

use std::collections::BTreeMap;
use std::fmt::{Display, Write as _};

use croupier_core::{Game, Seat};
use croupier_games::austerity::Austerity;
use croupier_games::austerity::wire::{seat_letter, table_lines};
use croupier_games::friday13::{Card, Friday13};
use croupier_games::intensity::{self, Intensity};
use croupier_games::uno::{Direction, Uno};
use croupier_games::war::War;

use crate::style::{BOLD, DIM, width, wrapped};

/// A game that is shown to a person.
pub(crate) trait Shown: Game {
    /// What the person sees, as lines: the table and its own cards, those that may be played marked.
    /// The names are those of the seats; the person goes by "you".
    fn shown(view: &Self::View, legal: &[Self::Move], names: &[String]) -> String;

    /// What the person may do, and the question for it.
    fn choices(view: &Self::View, legal: &[Self::Move]) -> String {
        let _ = view;
        listed(legal) + "Your move"
    }

    /// The move that an entry means: its number in the list, or its text.
    fn entered(view: &Self::View, legal: &[Self::Move], entry: &str) -> Option<Self::Move> {
        let _ = view;
        let number = || legal.get(entry.parse::<usize>().ok()?.checked_sub(1)?);
        number().copied().or_else(|| entry.parse().ok())
    }
}

impl Shown for War {
    fn shown(view: &Self::View, _: &[Self::Move], names: &[String]) -> String {
        let [one, other] = view.cards;
        format!("  {} {one} cards, {} {other}\n", names[0], names[1])
    }
}

impl Shown for Friday13 {
    fn shown(view: &Self::View, legal: &[Self::Move], names: &[String]) -> String {
        let threshold = view.setup.threshold;
        let mut text = format!(
            "\n{BOLD}Round {} of {}{BOLD:#}  a pile explodes above {threshold}\n",
            view.round, view.setup.rounds
        );
        for (number, pile) in view.piles.iter().enumerate() {
            let sum: u64 = pile.iter().map(|card| u64::from(card.value)).sum();
            let label = format!("  pile {} ({sum})", number + 1);
            text += &wrapped(&label, 5, pile.iter().map(ToString::to_string));
        }
        for (chair, collected) in view.collected.iter().enumerate() {
            let seat = (chair + view.round as usize - 1) % names.len();
            let label = format!(
                "  {}: {} in hand, {} points, collected",
                names[seat], view.hands[chair], view.points[chair]
            );
            text += &wrapped(&label, 5, counted(collected));
        }
        let safe = |card: &Card| {
            let fits = legal.iter().filter(|choice| choice.card == *card);
            fits.into_iter().any(|&choice| !explodes(view, choice))
        };
        let hand = view.hand.iter().map(|card| marked(card, safe(card)));
        text + &wrapped("Your hand, [ ] can be laid without an explosion", 1, hand)
    }

    fn choices(view: &Self::View, legal: &[Self::Move]) -> String {
        let told = legal.iter().map(|&choice| match explodes(view, choice) {
            true => format!("{choice} *"),
            false => choice.to_string(),
        });
        let told: Vec<String> = told.collect();
        listed(&told) + "Your move (* explodes)"
    }
}

/// Whether the pile explodes under this card.
fn explodes(view: &<Friday13 as Game>::View, choice: croupier_games::friday13::Move) -> bool {
    let pile = &view.piles[choice.pile as usize];
    let cards = pile.iter().chain([&choice.card]);
    let sum: u64 = cards.map(|card| u64::from(card.value)).sum();
    sum > view.setup.threshold.into()
}

/// How many cards there are of each colour.
fn counted(cards: &[Card]) -> impl Iterator<Item = String> {
    let mut colours: BTreeMap<_, usize> = BTreeMap::new();
    for card in cards {
        *colours.entry(card.colour).or_default() += 1;
    }
    let told = |(colour, count)| format!("{count} {colour}");
    colours.into_iter().map(told)
}

impl Shown for Uno {
    fn shown(view: &Self::View, legal: &[Self::Move], names: &[String]) -> String {
        let mut text = String::from("\n");
        if let Some(top) = view.discards.last() {
            let called = view.last_colour_called.filter(|_| top.is_wild());
            let called = called.map(|colour| format!(", {colour} is called"));
            let called = called.unwrap_or_default();
            let _ = writeln!(text, "On top: {BOLD}{top}{BOLD:#}{called}");
        }
        let order: Vec<usize> = match view.direction {
            Direction::Right => (0..names.len()).collect(),
            Direction::Left => (0..names.len()).rev().collect(),
        };
        let me = view.seat.index();
        let seats = order.iter().cycle().skip_while(|&&seat| seat != me);
        let seats = seats.take(names.len());
        let cards = |&seat: &usize| format!("{} {}", names[seat], view.cards_left[seat]);
        let seats: Vec<String> = seats.map(cards).collect();
        let _ = writeln!(text, "Cards, in the order of play: {}", seats.join(", "));
        let playable = |card| legal.iter().any(|choice| choice.card() == Some(card));
        let hand = view.hand.iter().map(|&card| marked(&card, playable(card)));
        text + &wrapped("Your hand", 1, hand)
    }
}

impl Shown for Austerity {
    fn shown(view: &Self::View, _: &[Self::Move], names: &[String]) -> String {
        let mut text = String::from("\n");
        table_lines(&mut text, &view.table);
        let [p, b, y, r] = view.table.piles;
        let _ = writeln!(text, "Piles: {p} purple, {b} brown, {y} yellow, {r} red");
        for (seat, name) in Seat::all(names.len()).zip(names) {
            let _ = write!(
                text,
                "{}{} is {name}",
                if seat.0 > 0 { ", " } else { "" },
                seat_letter(seat)
            );
        }
        text + "\n"
    }
}

impl Shown for Intensity {
    fn shown(view: &Self::View, _: &[Self::Move], names: &[String]) -> String {
        let view = match view {
            intensity::View::Discarding(view) => return format!("Your hand: {}\n", view.hand()),
            intensity::View::Playing(view) => view,
        };
        let mut text = String::new();
        let round = view.earlier().len() / names.len() + 1;
        let me = view.position().index();
        let taken = names.iter().zip(view.taken());
        let taken: Vec<String> = taken
            .map(|(name, taken)| format!("{name} {taken}"))
            .collect();
        let _ = writeln!(
            text,
            "\n{BOLD}Round {round} of 10{BOLD:#}  points: {}",
            taken.join(", ")
        );
        let leader = (me + names.len() - view.round().len()) % names.len();
        for (place, card) in view.round().iter().enumerate() {
            let name = &names[(leader + place) % names.len()];
            let _ = writeln!(text, "  {name} plays the {card}");
        }
        let legal = view.legal();
        let hand = view.hand().iter();
        let hand: Vec<String> = hand
            .map(|card| marked(&card, legal.contains(card)))
            .collect();
        text + &format!(
            "Your hand: {}  (the marked cards may be played)\n",
            hand.join(" ")
        )
    }

    fn choices(view: &Self::View, _: &[Self::Move]) -> String {
        match view {
            intensity::View::Discarding(_) => "Three cards to pass on".to_owned(),
            intensity::View::Playing(_) => "The card to play".to_owned(),
        }
    }

    /// The cards alone are enough.
    fn entered(view: &Self::View, _: &[Self::Move], entry: &str) -> Option<Self::Move> {
        let verb = match view {
            intensity::View::Discarding(_) => "discard",
            intensity::View::Playing(_) => "play",
        };
        let cards: Vec<&str> = entry
            .split([' ', ',', '\t'])
            .filter(|card| !card.is_empty())
            .collect();
        let by_cards = format!("{verb} {}", cards.join(" ")).parse().ok();
        by_cards.or_else(|| entry.parse().ok())
    }
}

/// A card of the hand, set off if it may be played.
fn marked(card: &impl Display, playable: bool) -> String {
    match playable {
        true => format!("{BOLD}[{card}]{BOLD:#}"),
        false => format!(" {DIM}{card}{DIM:#} "),
    }
}

/// The moves with their numbers, in as many columns as there is room for.
fn listed(moves: &[impl Display]) -> String {
    let moves: Vec<String> = moves.iter().map(ToString::to_string).collect();
    let widest = moves.iter().map(|choice| choice.chars().count()).max();
    let widest = widest.unwrap_or(0);
    let columns = (width() / (widest + "  123 ".len())).max(1);
    let mut text = String::new();
    for (number, choice) in moves.iter().enumerate() {
        let last = (number + 1) % columns == 0 || number + 1 == moves.len();
        let (fill, end) = if last { (0, "\n") } else { (widest, "") };
        let _ = write!(text, "  {DIM}{:>3}{DIM:#} {choice:<fill$}{end}", number + 1);
    }
    text
}
