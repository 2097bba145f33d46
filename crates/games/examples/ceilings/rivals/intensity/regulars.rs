//! Rule players that think a little further than the others, to try changes of the expert against.

use super::*;

pub(super) const REGULARS: [Character; 9] = [
    // Adds up what a round costs and what a card will cost later, by sums of its own.
    Character {
        name: "bookkeeper",
        pass: |hand| {
            three(hand, |card| {
                price(card) * digit(card).pow(2) / (2 + held_below(hand, card))
            })
        },
        lead: |view, legal| most(legal, |card| Reverse(account(view, card))),
        follow: |view, legal| most(legal, |card| Reverse(account(view, card))),
        throw: |view, legal| most(legal, |card| later(view, card)),
        fouls: 0,
    },
    // Remembers who has none of a suit, and never leads where points would be thrown on it.
    Character {
        name: "recaller",
        pass: |hand| {
            three(hand, |card| {
                (
                    price(card) > 1 && digit(card) > 5,
                    digit(card) - held_below(hand, card),
                )
            })
        },
        lead: |view, legal| {
            most(legal, |card| {
                let is_sure_to_lose = below(view, card) == 0 && above(view, card) > 0;
                (
                    is_sure_to_lose,
                    Reverse(without(view, card)),
                    above(view, card),
                    Reverse(digit(card)),
                )
            })
        },
        follow: |view, legal| match view.round().len() {
            3 if view.stake() <= 1 => patiently(view, legal),
            _ => duck(view, legal).unwrap_or(lowest(legal)),
        },
        throw: |view, legal| {
            most(legal, |card| {
                (
                    card == Card::BUFFALO,
                    card > Card::BUFFALO && is_out(view, Card::BUFFALO),
                    below(view, card) + 2 * i32::from(card.is_calf()),
                )
            })
        },
        fouls: 0,
    },
    // Minds the places: throws its points on somebody it competes with, and else keeps them.
    Character {
        name: "placer",
        pass: |hand| three(hand, |card| price(card) + digit(card)),
        lead: |view, legal| most(legal, |card| (above(view, card).min(3), digit(card))),
        follow: |view, legal| {
            let taken = view.taken();
            let mine = taken[view.position().index()];
            let is_safe = taken.iter().filter(|&&other| other > mine + 2).count() >= 2;
            match duck(view, legal) {
                Some(card) if !(is_safe && view.stake() == 0 && view.round().len() == 3) => card,
                _ if view.round().len() == 3 => highest(legal),
                _ => lowest(legal),
            }
        },
        throw: |view, legal| match rivals(view) {
            true => most(legal, points_then_digit),
            false => most(legal, |card| {
                (card == Card::BUFFALO, !card.is_calf(), below(view, card))
            }),
        },
        fouls: 0,
    },
    // Takes its rounds while everybody can still follow, and ducks ever after.
    Character {
        name: "cashier",
        pass: |hand| three(hand, |card| (card.suit() > 2, digit(card))),
        lead: |view, legal| {
            let fresh = |card: Card| {
                !view
                    .earlier()
                    .iter()
                    .any(|other| other.suit() == card.suit())
            };
            most(legal, |card| match fresh(card) && card.suit() < 3 {
                true => (true, digit(card)),
                false => (false, -digit(card)),
            })
        },
        follow: |view, legal| {
            let is_fresh = view.best().is_some_and(|best| {
                best.suit() != 3
                    && !view
                        .earlier()
                        .iter()
                        .any(|other| other.suit() == best.suit())
            });
            match is_fresh && view.stake() == 0 {
                true => (legal - Card::BUFFALO.into())
                    .highest()
                    .unwrap_or(Card::BUFFALO),
                false => duck(view, legal).unwrap_or(lowest(legal)),
            }
        },
        throw: |view, legal| most(legal, |card| price(card) * (1 + below(view, card))),
        fouls: 0,
    },
    // Empties one harmless suit, and keeps low cards of the others.
    Character {
        name: "shortener",
        pass: |hand| {
            let harmless = [1, 2].map(|suit| hand & Cards::of_suit(suit));
            let void = harmless
                .into_iter()
                .filter(|suit| (1..=3).contains(&suit.len()));
            let void = void.min_by_key(|suit| suit.len()).unwrap_or(Cards::NONE);
            three(hand, |card| {
                (
                    card == Card::BUFFALO,
                    void.contains(card),
                    price(card) * digit(card),
                )
            })
        },
        lead: |view, legal| {
            most(legal, |card| {
                (
                    card.suit() < 3 && of_its_suit(view.hand(), card) == 1,
                    Reverse(below(view, card)),
                    Reverse(card.points()),
                )
            })
        },
        follow: |view, legal| match duck(view, legal) {
            Some(card) => card,
            None if view.round().len() == 3 || view.stake() == 0 => (legal - Card::BUFFALO.into())
                .highest()
                .unwrap_or(Card::BUFFALO),
            None => lowest(legal),
        },
        throw: |view, legal| {
            most(legal, |card| {
                (
                    card == Card::BUFFALO,
                    below(view, card) - 2 * held_below(view.hand(), card)
                        + i32::from(card.points()),
                )
            })
        },
        fouls: 0,
    },
    // Is afraid of the forties alone, and plays all else by the last digit.
    Character {
        name: "dreader",
        pass: |hand| {
            let guards = (hand & Cards::of_suit(4) & Cards::below(Card::BUFFALO)).len();
            three(hand, |card| {
                (card >= Card::BUFFALO && guards < 4, digit(card))
            })
        },
        lead: |view, legal| {
            most(legal, |card| {
                (
                    !(card >= Card::BUFFALO && is_out(view, Card::BUFFALO)),
                    card.suit() != 4,
                    Reverse(digit(card)),
                    card.suit() != 3,
                )
            })
        },
        follow: |view, legal| match view.best() {
            Some(best) if best.suit() == 4 || view.stake() > 0 => {
                duck(view, legal).unwrap_or(lowest(legal))
            }
            _ => patiently(view, legal),
        },
        throw: |_, legal| {
            most(legal, |card| {
                (
                    card >= Card::BUFFALO,
                    card == Card::BUFFALO,
                    card.is_calf(),
                    digit(card),
                )
            })
        },
        fouls: 0,
    },
    // Wants the lead as seldom as can be: the card with which it wins least often.
    Character {
        name: "evader",
        pass: |hand| {
            three(hand, |card| {
                digit(card)
                    + if card >= Card::BUFFALO {
                        5
                    } else {
                        i32::from(card.is_calf())
                    }
            })
        },
        lead: |view, legal| {
            most(legal, |card| {
                (
                    Reverse(chance_to_win(view, card)),
                    card.points(),
                    digit(card),
                )
            })
        },
        follow: |view, legal| {
            most(legal, |card| {
                (Reverse(chance_to_win(view, card)), digit(card))
            })
        },
        throw: |view, legal| {
            most(legal, |card| {
                (
                    card.points() > 1,
                    100 * below(view, card) / (1 + above(view, card)),
                )
            })
        },
        fouls: 0,
    },
    // Plays the middle of what it has as long as nothing is at stake, to keep both ends.
    Character {
        name: "waiter",
        pass: |hand| {
            three(hand, |card| {
                (
                    card == Card::BUFFALO,
                    price(card) * (guarded(hand, card) + 4),
                )
            })
        },
        lead: |view, legal| {
            most(legal, |card| {
                (above(view, card) >= 2, Reverse(price(card)), digit(card))
            })
        },
        follow: |view, legal| match (duck(view, legal), view.stake()) {
            (Some(card), _) => card,
            (None, 0) => nth(legal, legal.len() / 2),
            (None, _) if view.round().len() == 3 => highest(legal),
            (None, _) => lowest(legal),
        },
        throw: |view, legal| {
            most(legal, |card| {
                (
                    price(card) > 3,
                    of_its_suit(view.hand(), card) == 1 && below(view, card) > 1,
                    digit(card),
                )
            })
        },
        fouls: 0,
    },
    // Sheds what is worst now, whatever it is, and takes the last rounds of no worth.
    Character {
        name: "shedder",
        pass: |hand| three(hand, |card| 3 * guarded(hand, card) + 2 * price(card)),
        lead: |view, legal| {
            most(legal, |card| {
                above(view, card) * 3
                    - below(view, card)
                    - 4 * i32::from(card.is_calf())
                    - 3 * without(view, card)
            })
        },
        follow: |view, legal| match view.round().len() {
            3 if view.stake() == 0 => (legal - Card::BUFFALO.into())
                .highest()
                .unwrap_or(Card::BUFFALO),
            3 => duck(view, legal).unwrap_or(highest(legal)),
            _ => {
                let loses = |card: &Card| above(view, *card) >= 3;
                let may = duck(view, legal);
                may.or(legal.iter().filter(loses).last())
                    .unwrap_or(lowest(legal))
            }
        },
        throw: |view, legal| most(legal, |card| later(view, card)),
        fouls: 0,
    },
];

/// What playing a card costs by the bookkeeper's sums.
fn account(view: &Playing, card: Card) -> i32 {
    let contents = 2 * i32::from(view.stake() + card.points()) + 3 - view.round().len() as i32;
    let fears = i32::from(card > Card::BUFFALO && is_out(view, Card::BUFFALO));
    chance_to_win(view, card) * (contents + 6 * fears + 2 * without(view, card))
        - 40 * later(view, card)
}

/// What a card will cost later, if it is kept.
fn later(view: &Playing, card: Card) -> i32 {
    let [above, below] = [above(view, card), below(view, card)];
    price(card) * 4 * below / (above + below).max(1) / (1 + held_below(view.hand(), card))
}

/// How likely it is, in hundredths, that a card wins the round: everybody to come who may hold one of the
/// suit goes above it as often as there are higher ones.
fn chance_to_win(view: &Playing, card: Card) -> i32 {
    if view.best().is_some_and(|best| !card.beats(best)) {
        return 0;
    }
    let [above, below] = [above(view, card), below(view, card)];
    let follow = 3 - view.round().len() as i32 - without(view, card);
    (0..follow).fold(100, |chance, _| chance * (1 + below) / (1 + below + above))
}

/// How many of those to come have none of the suit of this card.
fn without(view: &Playing, card: Card) -> i32 {
    let unseen = Unseen::of(view);
    let to_come =
        (1..SEATS - view.round().len()).map(|after| (view.position().index() + after) % SEATS);
    let without = to_come.filter(|&seat| {
        (unseen.may_hold(Seat::from(seat)) & Cards::of_suit(card.suit())).is_empty()
    });
    without.count() as i32
}

/// Whether the round as it stands goes to somebody with fewer points than this seat or about as many.
fn rivals(view: &Playing) -> bool {
    let mine = view.position().index();
    let round = view.round();
    let best = round.iter().position(|&card| Some(card) == view.best());
    let winner = (mine + SEATS - round.len() + best.unwrap_or(0)) % SEATS;
    view.taken()[winner] <= view.taken()[mine] + 7
}

/// How many lower cards of its suit are held beside a card.
fn held_below(hand: Cards, card: Card) -> i32 {
    (hand & Cards::below(card)).len() as i32
}

fn nth(legal: Cards, place: usize) -> Card {
    legal.iter().nth(place).unwrap_or(lowest(legal))
}
