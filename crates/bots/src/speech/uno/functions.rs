//! The other three functions of a strategy, checked against ours: a deck, a shuffle, a checker.

use std::time::Duration;

use croupier_core::{Foul, FoulKind, Game as _, NoMove, Rng, Seed, Turn};
use croupier_games::uno::c::{self, CARD_INTS, DECK_INTS, State};
use croupier_games::uno::{Card, Cards, DECK, Setup, Uno};

use super::host::{Call, Host, Request};
use super::symbols::Functions;
use crate::program::contents;
use crate::speech::Finding;
use crate::{Bot, House};

/// How many shuffles are looked at as a whole. The `rand()` of C libraries is not perfect itself,
/// and several times as many would show that in shuffles that are as good as it allows.
const SHUFFLES: usize = 50_000;

/// How many standard deviations too high the chi-square of a fair shuffle is with a probability of
/// one in a million.
const ONE_IN_A_MILLION: f64 = 4.753;

/// From how many random games the states for `ValidSelection` are taken.
const GAMES: u64 = 8;

/// What is wrong with the functions that are not `Play`.
pub(super) fn examine(bot: Bot, house: &House, seed: Seed) -> Result<Vec<Finding>, NoMove> {
    let object = bot.program().command.last();
    let bytes = object.and_then(|object| contents(object).ok());
    let bytes = bytes.ok_or_else(|| NoMove::Void("the shared object is gone".to_owned()))?;
    let found = Functions::in_object(&bytes).map_err(NoMove::Void)?;
    let mut examiner = Examiner {
        host: Host::new(bot, house),
        time: house.limits.decision,
        rng: seed.rng(),
    };
    let mut findings = Vec::new();
    let tests: [(&'static str, Test); 3] = [
        ("CreateDeck", Examiner::create_deck),
        ("ShuffleDeck", Examiner::shuffle_deck),
        ("ValidSelection", Examiner::valid_selection),
    ];
    for (name, test) in tests {
        let result = if found.missing.contains(&name) {
            Err(Wrong::new(
                FoulKind::Malformed,
                format!("there is no function {}_{name}", found.prefix),
            ))
        } else {
            test(&mut examiner)
        };
        match result {
            Ok(()) => {}
            Err(Wrong::Void(reason)) => return Err(reason),
            Err(Wrong::Foul(Foul { kind, detail }, input)) => findings.push(Finding {
                kind,
                about: name,
                detail,
                input,
                errors: std::mem::take(&mut examiner.host.unanswered.errors),
            }),
        }
    }
    Ok(findings)
}

type Test = fn(&mut Examiner) -> Result<(), Wrong>;

/// Why a function does not pass; with what it was called with, if that tells something.
enum Wrong {
    Foul(Foul, String),
    Void(NoMove),
}

impl Wrong {
    fn new(kind: FoulKind, detail: String) -> Wrong {
        Wrong::Foul(Foul { kind, detail }, String::new())
    }
}

/// A function does not do what it should.
fn wrong(detail: String) -> Result<(), Wrong> {
    Err(Wrong::new(FoulKind::Illegal, detail))
}

struct Examiner {
    host: Host,
    /// How long a call may take.
    time: Duration,
    rng: Rng,
}

type Deck = [i32; DECK_INTS];

impl Examiner {
    /// Calls a function and gives the numbers that it answers.
    fn call(&mut self, call: &Call<'_>) -> Result<Vec<i32>, Wrong> {
        let request = Request::new(call, self.rng.bits() as u32);
        let line = match self.host.ask(&request, self.time) {
            Ok(line) => line,
            Err(NoMove::Foul(foul)) => {
                let input = Request::told(request.bytes()).unwrap_or_default();
                return Err(Wrong::Foul(foul, input));
            }
            Err(nobodys_fault) => return Err(Wrong::Void(nobodys_fault)),
        };
        let text = String::from_utf8_lossy(&line);
        let numbers: Result<Vec<i32>, _> = text.split(' ').map(str::parse).collect();
        numbers.map_err(|_| {
            let detail = format!("'{text}' is no answer of its host");
            Wrong::new(FoulKind::Malformed, detail)
        })
    }

    fn deck(&mut self, call: &Call<'_>) -> Result<Deck, Wrong> {
        let numbers = self.call(call)?;
        numbers.try_into().map_err(|_| {
            let detail = "its host answered with something else than a deck".to_owned();
            Wrong::new(FoulKind::Malformed, detail)
        })
    }

    /// A new deck is complete, whatever was in its place before.
    fn create_deck(&mut self) -> Result<(), Wrong> {
        let deck = self.deck(&Call::CreateDeck(&[0x5a5a_5a5a; DECK_INTS]))?;
        let number = deck[DECK_INTS - 1];
        if number != DECK as i32 {
            return wrong(format!("numCards is {number} after CreateDeck, not {DECK}"));
        }
        let (cards, _) = deck.as_chunks::<CARD_INTS>();
        for card in Card::all() {
            let found = cards.iter().filter(|&&found| found == card.to_c()).count();
            if found != card.copies() {
                let copies = card.copies();
                let [kind, colour, value] = card.to_c();
                return wrong(format!(
                    "the deck of CreateDeck has the {card} {found} times, not {copies} times \
                     (type {kind}, colour {colour}, value {value})"
                ));
            }
        }
        Ok(())
    }

    /// A shuffle touches the first cards alone, keeps them all, and is fair.
    fn shuffle_deck(&mut self) -> Result<(), Wrong> {
        let deck = numbered();
        for count in [0, 1, 2, 3, 50, 107, 108] {
            for _ in 0..20 {
                self.shuffled(&deck, count)?;
            }
        }
        let mut seen = vec![0_u32; DECK * DECK];
        for _ in 0..SHUFFLES {
            let places = self.shuffled(&deck, DECK)?;
            for (place, &card) in places.iter().enumerate() {
                seen[place * DECK + usize::from(card)] += 1;
            }
        }
        let deviations = deviations(&seen);
        if deviations > ONE_IN_A_MILLION {
            return wrong(format!(
                "ShuffleDeck is not fair: over {SHUFFLES} shuffles of {DECK} cards, the \
                 chi-square of every card in every place is {deviations:.1} standard deviations \
                 too high; a fair shuffle is above {ONE_IN_A_MILLION} once in a million times"
            ));
        }
        Ok(())
    }

    /// Shuffles the first so many cards; tells which card came to which place.
    fn shuffled(&mut self, deck: &Deck, count: usize) -> Result<[u8; DECK], Wrong> {
        let after = self.deck(&Call::ShuffleDeck(deck, count as i32))?;
        let wrong = |what: String| {
            let detail = format!("ShuffleDeck of {count} cards {what}");
            Err(Wrong::new(FoulKind::Illegal, detail))
        };
        if after[DECK_INTS - 1] != deck[DECK_INTS - 1] {
            return wrong(format!("makes numCards {}", after[DECK_INTS - 1]));
        }
        let (before, _) = deck.as_chunks::<CARD_INTS>();
        let (after, _) = after.as_chunks::<CARD_INTS>();
        if let Some(place) = (count..DECK).find(|&place| before[place] != after[place]) {
            return wrong(format!("touches place {place}"));
        }
        let mut places = [0; DECK];
        let mut found = [false; DECK];
        for (place, card) in after.iter().enumerate() {
            // The value is the card's number here.
            let number = usize::try_from(card[2]).ok().filter(|&card| card < DECK);
            match number {
                Some(number) if before[number] == *card && !found[number] => {
                    found[number] = true;
                    places[place] = number as u8;
                }
                _ => return wrong(format!("leaves another card than those given at {place}")),
            }
        }
        Ok(places)
    }

    /// `ValidSelection` says what we say, about selections of all sorts.
    fn valid_selection(&mut self) -> Result<(), Wrong> {
        for state in self.states() {
            for selection in selections(&state) {
                let call = Call::ValidSelection(&state, selection);
                let answer = self.call(&call)?;
                let ours = state.chosen(selection);
                if (answer != [0]) == ours.is_ok() {
                    continue;
                }
                let detail = match ours {
                    Ok(choice) => format!(
                        "ValidSelection refuses the selection {selection}, which is valid: {choice}"
                    ),
                    Err(rule) => {
                        format!("ValidSelection allows the selection {selection}: {rule}")
                    }
                };
                let foul = Foul {
                    kind: FoulKind::Illegal,
                    detail,
                };
                let input = Request::told(Request::new(&call, 0).bytes()).unwrap_or_default();
                return Err(Wrong::Foul(foul, input));
            }
        }
        Ok(())
    }

    /// States from random games, the shortest hands first.
    fn states(&mut self) -> Vec<State> {
        let mut views = Vec::new();
        for number in 0..GAMES {
            let mut game = Uno::deal(&Setup::default(), Seed(self.rng.bits()).deal(number));
            while let Some(choice) = game.random_move(&mut self.rng) {
                views.extend(Turn::of(&game).map(|turn| turn.view()));
                if game.play(choice).is_err() {
                    break;
                }
            }
        }
        views.sort_by_key(|view| view.hand.len());
        views.iter().map(State::of).collect()
    }
}

/// A deck whose cards can be told apart by their values.
fn numbered() -> Deck {
    let mut deck = c::new_deck();
    for number in 0..Cards::NEW_DECK.len() {
        deck[number * CARD_INTS + 2] = number as i32;
    }
    deck
}

/// How far the chi-square of every card in every place is above its mean, in standard deviations.
fn deviations(seen: &[u32]) -> f64 {
    let shuffles: u32 = seen[..DECK].iter().sum();
    let expected = f64::from(shuffles) / DECK as f64;
    let part = |&count: &u32| (f64::from(count) - expected).powi(2) / expected;
    let chi_square: f64 = seen.iter().map(part).sum();
    let freedom = ((DECK - 1) * (DECK - 1)) as f64;
    (chi_square - freedom) / (2.0 * freedom).sqrt()
}

/// Selections worth asking about: every card of the hand with and without every colour, and what
/// lies beside them.
fn selections(state: &State) -> Vec<i32> {
    let hand = state.view().map_or(0, |view| view.hand.len() as i32);
    let mut selections = vec![i32::MIN, -c::RED, -2, -1, 9_999, 1_000_000, i32::MAX];
    for colour in (0..=6 * c::RED).step_by(c::RED as usize) {
        selections.extend(colour..=colour + hand);
    }
    selections
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(shuffle: impl Fn(&mut Rng, &mut [usize])) -> f64 {
        let mut rng = Seed(11).rng();
        let mut seen = vec![0; DECK * DECK];
        for _ in 0..SHUFFLES {
            let mut cards: Vec<usize> = (0..DECK).collect();
            shuffle(&mut rng, &mut cards);
            for (place, card) in cards.into_iter().enumerate() {
                seen[place * DECK + card] += 1;
            }
        }
        deviations(&seen)
    }

    #[test]
    fn a_fair_shuffle_passes_and_swapping_with_any_card_does_not() {
        assert!(after(Rng::shuffle) < ONE_IN_A_MILLION);
        let naive = |rng: &mut Rng, cards: &mut [usize]| {
            for place in 0..DECK {
                cards.swap(place, rng.below(DECK));
            }
        };
        assert!(after(naive) > 10.0 * ONE_IN_A_MILLION);
    }
}
