//! What programs get wrong in Intensity: leads before a calf has been played, and what to do when
//! the lead cannot be followed.

use croupier_core::{Game as _, Kind, Rng, Seat, Seed, Situations};

use super::{Card, Cards, HAND, Intensity, SEATS, Setup};

impl Situations for Intensity {
    const KINDS: &'static [Kind<Intensity>] = &[
        Kind::new("passing on, five calves or more", |game| {
            game.is_discarding() && (held(game) & Cards::CALVES).len() >= 5
        }),
        Kind::new("passing on, nothing but calves", |game| {
            game.is_discarding() && only_calves(game)
        }),
        Kind::new("passing on, without a calf", |game| {
            game.is_discarding() && (held(game) & Cards::CALVES).is_empty()
        }),
        Kind::new("passing on, with the buffalo", |game| {
            game.is_discarding() && held(game).contains(Card::BUFFALO)
        }),
        Kind::new("passing on, seven or more of a suit", |game| {
            game.is_discarding() && suits(held(game)).any(|count| count >= 7)
        }),
        Kind::new("passing on, void in a suit", |game| {
            game.is_discarding() && suits(held(game)).any(|count| count == 0)
        }),
        Kind::new("the first lead", |game| {
            leads(game) && game.played().is_empty()
        }),
        Kind::new("nothing but calves to lead, none played yet", |game| {
            leads(game) && only_calves(game) && !calf_seen(game)
        }),
        Kind::new("nothing but calves to lead, one played before", |game| {
            leads(game) && only_calves(game) && calf_seen(game)
        }),
        Kind::new("one card to lead besides calves, none played yet", |game| {
            let others = held(game) - Cards::CALVES;
            leads(game) && held(game).len() > 1 && others.len() == 1 && !calf_seen(game)
        }),
        Kind::new(
            "nothing but calves and the buffalo to lead, none played yet",
            |game| leads(game) && calves_and_buffalo(game) && !calf_seen(game),
        ),
        Kind::new(
            "nothing but calves and the buffalo to lead, one played before",
            |game| leads(game) && calves_and_buffalo(game) && calf_seen(game),
        ),
        Kind::new("to lead, the first calf just played", |game| {
            let rounds_before = game.played().len().saturating_sub(SEATS);
            let before = game.played()[..rounds_before].iter();
            leads(game) && calf_seen(game) && !before.copied().any(Card::is_calf)
        }),
        Kind::new("to lead late, no calf played yet", |game| {
            leads(game) && held(game).len() <= 5 && !calf_seen(game)
        }),
        Kind::new("to follow with one card of the suit", |game| {
            follows(game).is_some_and(|suited| suited.len() == 1)
        }),
        Kind::new("to follow with the buffalo alone", |game| {
            follows(game).is_some_and(|suited| suited.only() == Some(Card::BUFFALO))
        }),
        Kind::new("to follow with a hand of one suit", |game| {
            follows(game).is_some_and(|suited| suited.len() > 1 && suited == held(game))
        }),
        Kind::new("to follow a calf", |game| {
            calf_led(game) && follows(game).is_some_and(|suited| !suited.is_empty())
        }),
        Kind::new("to follow the buffalo", |game| {
            lead(game) == Some(Card::BUFFALO)
        }),
        Kind::new("void in the lead", is_void),
        Kind::new("void in the lead, in the first round", |game| {
            is_void(game) && game.played().len() < SEATS
        }),
        Kind::new("void in the lead, with the buffalo", |game| {
            is_void(game) && held(game).contains(Card::BUFFALO)
        }),
        Kind::new("void in the lead, nothing but calves", |game| {
            is_void(game) && only_calves(game) && calf_seen(game)
        }),
        Kind::new(
            "void in the lead, nothing but calves, none played yet",
            |game| is_void(game) && only_calves(game) && !calf_seen(game),
        ),
        Kind::new("void in the lead, without a calf", |game| {
            is_void(game) && (held(game) & Cards::CALVES).is_empty()
        }),
        Kind::new("void in calves that were led", |game| {
            calf_led(game) && is_void(game)
        }),
        Kind::new("last in the first round", |game| {
            playing(game) && game.played().len() == SEATS - 1
        }),
        Kind::new("two cards left", |game| {
            playing(game) && held(game).len() == 2
        }),
        Kind::new("the last card to lead", |game| {
            leads(game) && held(game).len() == 1
        }),
        Kind::new("the last card to follow with", |game| {
            lead(game).is_some() && held(game).len() == 1
        }),
    ];

    const SENSIBLE: &'static [&'static str] = &["careful"];

    /// One seat is dealt many cards of one suit, most often calves.
    fn contrive(_: &Setup, seed: Seed) -> Intensity {
        let mut rng = seed.rng();
        let suit = if rng.below(3) > 0 {
            3
        } else {
            1 + rng.below(4)
        };
        let many = 5 + rng.below(HAND - 4);
        let favoured = rng.below(SEATS);
        let mut hands = [Cards::NONE; SEATS];
        hands[favoured] = some(Cards::of_suit(suit as u8), many, &mut rng);
        let mut left = Cards::ALL - hands[favoured];
        for hand in &mut hands {
            let more = some(left, HAND - hand.len(), &mut rng);
            *hand |= more;
            left -= more;
        }
        Intensity::from_hands(hands, rng).expect("a whole deck has been dealt")
    }
}

/// So many of these cards, each equally likely.
fn some(cards: Cards, count: usize, rng: &mut Rng) -> Cards {
    let mut cards: Vec<Card> = cards.iter().collect();
    rng.shuffle(&mut cards);
    cards.into_iter().take(count).collect()
}

/// The hand of the seat to move.
fn held(game: &Intensity) -> Cards {
    let seat = game.to_move().map_or(0, Seat::index);
    game.hands()[seat]
}

fn playing(game: &Intensity) -> bool {
    !game.is_discarding()
}

/// The card that was led in this round.
fn lead(game: &Intensity) -> Option<Card> {
    if game.is_discarding() {
        return None;
    }
    game.table().lead()
}

fn leads(game: &Intensity) -> bool {
    playing(game) && game.table().lead().is_none()
}

/// The cards with which the lead can be followed; none at a lead.
fn follows(game: &Intensity) -> Option<Cards> {
    lead(game).map(|lead| held(game) & Cards::of_suit(lead.suit()))
}

fn is_void(game: &Intensity) -> bool {
    follows(game).is_some_and(Cards::is_empty)
}

fn calf_led(game: &Intensity) -> bool {
    lead(game).is_some_and(Card::is_calf)
}

fn calf_seen(game: &Intensity) -> bool {
    game.table().earlier().iter().any(|card| card.is_calf())
}

fn only_calves(game: &Intensity) -> bool {
    Cards::CALVES.contains_all(held(game))
}

fn calves_and_buffalo(game: &Intensity) -> bool {
    let others = held(game) - Cards::CALVES;
    held(game).len() > 1 && others.only() == Some(Card::BUFFALO)
}

fn suits(hand: Cards) -> impl Iterator<Item = usize> {
    (1..=4).map(move |suit| (hand & Cards::of_suit(suit)).len())
}
