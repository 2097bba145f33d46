//! Rule players of Intensity.
//!
//! The expert was tried against the first seven while its habits were chosen. The others are left out of
//! that: no setting was changed after it had played against them. Those in `regulars` and in `strangers` are
//! by other hands. Who goes on tuning may use the regulars, and must not look at the strangers.

mod informed;
mod regulars;
mod strangers;

use std::cmp::Reverse;
use std::num::NonZeroU64;

use croupier_core::{Foul, FoulKind, NoMove, Player, Seat, Seed, built_in};
use croupier_games::intensity::{
    Card, Cards, Discarding, Intensity, Move, Playing, SEATS, Strategy, Unseen, View,
};
use croupier_search::Thinking;

use super::{ByView, Rivals, Told};
use crate::clairvoyant::Effort;
use informed::Informed;

/// How a character passes cards on, leads, follows suit, and throws a card away when it cannot.
#[derive(Clone, Copy)]
struct Character {
    name: &'static str,
    pass: fn(Cards) -> Cards,
    lead: fn(&Playing, Cards) -> Card,
    follow: fn(&Playing, Cards) -> Card,
    throw: fn(&Playing, Cards) -> Card,
    /// One in so many decisions is a foul; none if 0.
    fouls: u64,
}

const CHARACTERS: [Character; 14] = [
    // The first legal card there is.
    Character {
        name: "first",
        pass: |hand| three(hand, |card| Reverse(card.number())),
        lead: |_, legal| lowest(legal),
        follow: |_, legal| lowest(legal),
        throw: |_, legal| lowest(legal),
        fouls: 0,
    },
    // The last legal card there is.
    Character {
        name: "last",
        pass: |hand| three(hand, Card::number),
        lead: |_, legal| highest(legal),
        follow: |_, legal| highest(legal),
        throw: |_, legal| highest(legal),
        fouls: 0,
    },
    // Always the lowest, and rid of the highest when it can.
    Character {
        name: "timid",
        pass: |hand| three(hand, digit),
        lead: |_, legal| most(legal, |card| Reverse(digit(card))),
        follow: |_, legal| lowest(legal),
        throw: |_, legal| most(legal, digit),
        fouls: 0,
    },
    Character {
        name: "ducker",
        pass: |hand| three(hand, digit),
        lead: |_, legal| most(legal, |card| Reverse(digit(card))),
        follow: |view, legal| duck(view, legal).unwrap_or(lowest(legal)),
        throw: |_, legal| most(legal, points_then_digit),
        fouls: 0,
    },
    // Never gives the buffalo away, but throws it on somebody.
    Character {
        name: "keeper",
        pass: |hand| three(hand - Card::BUFFALO.into(), digit),
        lead: |_, legal| most(legal, |card| Reverse(digit(card))),
        follow: |view, legal| duck(view, legal).unwrap_or(highest(legal)),
        throw: |_, legal| most(legal, points_then_digit),
        fouls: 0,
    },
    // Wants to be without a suit soon.
    Character {
        name: "voider",
        pass: |hand| three(hand, |card| (Reverse(of_its_suit(hand, card)), digit(card))),
        lead: |view, legal| {
            most(legal, |card| {
                (
                    Reverse(of_its_suit(view.hand(), card)),
                    Reverse(digit(card)),
                )
            })
        },
        follow: |view, legal| duck(view, legal).unwrap_or(highest(legal)),
        throw: |_, legal| most(legal, points_then_digit),
        fouls: 0,
    },
    // Any card, by a hash of what it sees.
    Character {
        name: "any",
        pass: |hand| three(hand, |card| mixed(card, 7)),
        lead: |view, legal| most(legal, |card| mixed(card, view.hand().len() as u64)),
        follow: |view, legal| most(legal, |card| mixed(card, view.hand().len() as u64)),
        throw: |view, legal| most(legal, |card| mixed(card, view.hand().len() as u64)),
        fouls: 0,
    },
    // Takes harmless rounds with its highest card when it is last, and else stays below.
    Character {
        name: "patient",
        pass: |hand| three(hand, |card| price(card) * digit(card)),
        lead: |view, legal| {
            most(legal, |card| {
                (Reverse(digit(card)), of_its_suit(view.hand(), card))
            })
        },
        follow: patiently,
        throw: |_, legal| most(legal, |card| price(card) * (1 + digit(card))),
        fouls: 0,
    },
    // Counts what is out: leads what most others can beat.
    Character {
        name: "counter",
        pass: |hand| three(hand, |card| price(card) * (guarded(hand, card) + 1)),
        lead: |view, legal| {
            most(legal, |card| {
                (above(view, card) - below(view, card), digit(card))
            })
        },
        follow: patiently,
        throw: |view, legal| most(legal, |card| price(card) * (1 + below(view, card))),
        fouls: 0,
    },
    // Leads the forties from below, to bring the buffalo out while it has nothing to fear.
    Character {
        name: "hunter",
        pass: |hand| {
            three(hand, |card| {
                (card >= Card::BUFFALO, card.suit() != 4, digit(card))
            })
        },
        lead: |view, legal| {
            let hunts = legal & Cards::below(Card::BUFFALO);
            let safe =
                (view.hand() & (Cards::above(Card::BUFFALO) | Card::BUFFALO.into())).is_empty();
            match hunts
                .highest()
                .filter(|_| safe && is_out(view, Card::BUFFALO))
            {
                Some(card) => card,
                None => most(legal, |card| Reverse(digit(card))),
            }
        },
        follow: |view, legal| duck(view, legal).unwrap_or(lowest(legal)),
        throw: |_, legal| most(legal, points_then_digit),
        fouls: 0,
    },
    // Gets rid of calves before all else.
    Character {
        name: "dumper",
        pass: |hand| three(hand, |card| (card.is_calf(), digit(card))),
        lead: |_, legal| {
            most(legal, |card| {
                (card.is_calf() && digit(card) < 4, Reverse(digit(card)))
            })
        },
        follow: |view, legal| duck(view, legal).unwrap_or(highest(legal)),
        throw: |_, legal| {
            most(legal, |card| {
                (card.is_calf(), card == Card::BUFFALO, digit(card))
            })
        },
        fouls: 0,
    },
    // Takes whatever it can while there is little in it, and only then ducks.
    Character {
        name: "miser",
        pass: |hand| {
            three(hand, |card| {
                (
                    card == Card::BUFFALO,
                    digit(card) > 3,
                    card.is_calf(),
                    Reverse(digit(card)),
                )
            })
        },
        lead: |_, legal| {
            most(legal, |card| {
                (!card.is_calf() && card < Card::BUFFALO, digit(card))
            })
        },
        follow: |view, legal| match view.stake() {
            0 => highest(legal),
            _ => duck(view, legal).unwrap_or(highest(legal)),
        },
        throw: |_, legal| most(legal, points_then_digit),
        fouls: 0,
    },
    // Wants every point there is.
    Character {
        name: "shooter",
        pass: |hand| three(hand, |card| Reverse(digit(card))),
        lead: |_, legal| most(legal, digit),
        follow: |_, legal| highest(legal),
        throw: |_, legal| most(legal, |card| (Reverse(card.points()), Reverse(digit(card)))),
        fouls: 0,
    },
    // Counts, but its program fails now and then.
    Character {
        name: "fouler",
        pass: |hand| three(hand, |card| price(card) * (guarded(hand, card) + 1)),
        lead: |view, legal| {
            most(legal, |card| {
                (above(view, card) - below(view, card), digit(card))
            })
        },
        follow: patiently,
        throw: |view, legal| most(legal, |card| price(card) * (1 + below(view, card))),
        fouls: 12,
    },
];

impl Rivals for Intensity {
    const BASE: &'static str = "careful";
    const FIELDS: &'static [&'static [&'static str]] = &[
        &["careful", "careful", "careful"],
        &["ducker", "keeper", "voider"],
        &["patient", "counter", "hunter"],
        &["dumper", "fouler", "miser"],
        &["actuary", "watcher", "sniper"],
    ];
    const EFFORT: Effort = Effort {
        games: 600,
        moves: 200_000,
    };

    /// All points that are still to be taken may go to the others, as this seat needs it.
    fn hope(&self, seat: Seat) -> f64 {
        let fouls = self.fouls().map(|fouls| 5 * fouls);
        let taken: [u8; SEATS] = std::array::from_fn(|at| self.taken()[at] + fouls[at]);
        let mut left = 17 - self.taken().iter().sum::<u8>();
        let own = taken[seat.index()];
        let others = (0..SEATS).filter(|&at| at != seat.index());
        let mut needed: Vec<u8> = others
            .map(|at| (own + 1).saturating_sub(taken[at]))
            .collect();
        needed.sort_unstable();
        let mut hope = 0.0;
        for needed in needed {
            if needed <= left {
                left -= needed;
                hope += 1.0;
            } else if needed == left + 1 {
                left = 0;
                hope += 0.5;
            }
        }
        hope
    }

    fn sort(view: &View) -> &'static str {
        match view {
            View::Discarding(_) => "passing on",
            View::Playing(view) => match view.best() {
                None => "leading",
                Some(best) if Cards::of_suit(best.suit()).contains_all(view.legal()) => "following",
                Some(_) => "throwing away",
            },
        }
    }

    fn rival(name: &str) -> Option<Box<dyn Player<Intensity>>> {
        let character = character(name).filter(|character| character.name != CAREFUL.name)?;
        Some(Box::new(ByView(move |view: &View| character.choose(view))))
    }

    fn informed(
        field: &[&str],
        told: Told,
        iterations: NonZeroU64,
    ) -> Option<Box<dyn Player<Intensity>>> {
        let reliable = || characters().filter(|character| character.fouls == 0);
        let all: Vec<_> = reliable().map(|character| character.name).collect();
        let suspects = |name: &&str| match told {
            Told::List => Some(all.clone()),
            Told::OthersList => {
                let others = all.iter().filter(|one| !field.contains(one));
                Some(others.copied().collect())
            }
            Told::AtOnce | Told::OncePassed => Some(vec![*all.iter().find(|one| *one == name)?]),
        };
        let suspects = field.iter().map(suspects).collect::<Option<Vec<_>>>()?;
        let expert = || built_in(&format!("expert:iterations={iterations}"));
        Some(Box::new(Informed {
            suspects: suspects.try_into().ok()?,
            slips: told == Told::OthersList,
            thinking: Thinking::iterations(iterations),
            chance: Seed(0),
            passes: match told {
                Told::AtOnce | Told::List | Told::OthersList => None,
                Told::OncePassed => Some(expert().expect("there is such an expert")),
            },
        }))
    }
}

/// The built-in player, as a character like the others.
const CAREFUL: Character = Character {
    name: Strategy::Careful.name(),
    pass: |hand| {
        let view = Discarding::new(hand).expect("cards are passed on from ten");
        carefully(&View::Discarding(view)).cards()
    },
    lead: carefully_play,
    follow: carefully_play,
    throw: carefully_play,
    fouls: 0,
};

fn carefully(view: &View) -> Move {
    Strategy::Careful.choose(view, &mut Seed(0).rng())
}

fn carefully_play(view: &Playing, _: Cards) -> Card {
    let choice = carefully(&View::Playing(*view));
    choice.card().expect("one card is played")
}

/// All rule players.
fn characters() -> impl Iterator<Item = Character> {
    let all = CHARACTERS.into_iter().chain(regulars::REGULARS);
    all.chain(strangers::STRANGERS).chain([CAREFUL])
}

/// The rule player with this name.
fn character(name: &str) -> Option<Character> {
    characters().find(|character| character.name == name)
}

impl Character {
    fn choose(&self, view: &View) -> Result<Move, NoMove> {
        let hand = match view {
            View::Discarding(view) => view.hand(),
            View::Playing(view) => view.hand(),
        };
        let drawn = hand.iter().fold(0, |sum, card| mixed(card, sum));
        if self.fouls > 0 && drawn.is_multiple_of(self.fouls) {
            return Err(NoMove::Foul(Foul {
                kind: FoulKind::Illegal,
                detail: "it fails now and then".to_owned(),
            }));
        }
        Ok(match view {
            View::Discarding(_) => Move::discard((self.pass)(hand)).expect("these are three"),
            View::Playing(view) => {
                let legal = view.legal();
                let choose = match view.best() {
                    None => self.lead,
                    Some(best) if Cards::of_suit(best.suit()).contains_all(legal) => self.follow,
                    Some(_) => self.throw,
                };
                Move::play(choose(view, legal))
            }
        })
    }
}

/// The three cards with the highest keys.
fn three<K: Ord>(hand: Cards, key: impl Fn(Card) -> K) -> Cards {
    let mut cards: Vec<Card> = hand.iter().collect();
    cards.sort_by_key(|&card| Reverse(key(card)));
    cards.into_iter().take(3).collect()
}

/// The card with the highest key, the lowest such.
fn most<K: Ord>(legal: Cards, key: impl Fn(Card) -> K) -> Card {
    let mut cards: Vec<Card> = legal.iter().collect();
    cards.sort_by_key(|&card| Reverse(key(card)));
    cards[0]
}

fn lowest(legal: Cards) -> Card {
    legal.lowest().expect("it has a card")
}

fn highest(legal: Cards) -> Card {
    legal.highest().expect("it has a card")
}

/// The highest card that does not win the round.
fn duck(view: &Playing, legal: Cards) -> Option<Card> {
    (legal & Cards::below(view.best()?)).highest()
}

fn patiently(view: &Playing, legal: Cards) -> Card {
    let is_last = view.round().len() == 3;
    let takes = highest(legal);
    match duck(view, legal) {
        _ if is_last && view.stake() == 0 && takes != Card::BUFFALO => takes,
        Some(card) => card,
        None if is_last => takes,
        None => lowest(legal),
    }
}

/// The last digit.
fn digit(card: Card) -> i32 {
    i32::from(card.number() % 10)
}

fn points_then_digit(card: Card) -> (u8, i32) {
    (card.points(), digit(card))
}

fn price(card: Card) -> i32 {
    match card {
        Card::BUFFALO => 7,
        card if card > Card::BUFFALO => 4,
        card if card.is_calf() => 2,
        _ => 1,
    }
}

fn of_its_suit(hand: Cards, card: Card) -> usize {
    (hand & Cards::of_suit(card.suit())).len()
}

/// How high a card is, less what is below it in the hand.
fn guarded(hand: Cards, card: Card) -> i32 {
    digit(card) - 2 * (hand & Cards::below(card)).len() as i32
}

/// How many cards that are out beat it.
fn above(view: &Playing, card: Card) -> i32 {
    (Unseen::of(view).out() & Cards::above(card)).len() as i32
}

fn below(view: &Playing, card: Card) -> i32 {
    (Unseen::of(view).out() & Cards::below(card)).len() as i32
}

fn is_out(view: &Playing, card: Card) -> bool {
    Unseen::of(view).out().contains(card)
}

fn mixed(card: Card, sum: u64) -> u64 {
    let number = u64::from(card.number()).wrapping_add(sum.wrapping_mul(31));
    number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20
}
