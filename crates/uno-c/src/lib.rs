//! Uno for C programs: the four functions of the handout, with the prefix `crou001_`.
//!
//! The header is `include/croupier_uno.h`. What C hands over is copied, byte by byte, before
//! anything looks at it, and read as what a stranger says; the rules themselves are those of
//! [`croupier_games::uno`]. No panic leaves these functions: into C it would be undefined.

#![allow(
    unsafe_code,
    reason = "this is the border to C: every pointer comes from there"
)]

mod layout;

use std::ffi::c_int;
use std::panic::{AssertUnwindSafe, catch_unwind};

use croupier_core::Seed;
use croupier_games::uno::Careful;
use croupier_games::uno::c::{self, State};

use layout::{CARDS, CCard, CDeck, CGameState};

/// Makes a new deck of all 108 cards; NULL is left alone.
///
/// # Safety
/// `deck` is NULL or points to a `Deck` that may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn crou001_CreateDeck(deck: *mut CDeck) {
    if deck.is_null() {
        return;
    }
    let new = guarded(layout::new_deck);
    if let Some(new) = new {
        // SAFETY: the pointer is not NULL, and by contract it may be written. It need not be
        // aligned.
        unsafe { deck.write_unaligned(new) };
    }
}

/// Puts the first cards into a random order with C's `rand()`; NULL is left alone.
///
/// # Safety
/// `deck` is NULL or points to a `Deck` that may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn crou001_ShuffleDeck(deck: *mut CDeck, count: c_int) {
    let count = usize::try_from(count).unwrap_or(0).min(CARDS);
    if deck.is_null() || count == 0 {
        return;
    }
    // A `Deck` starts with its cards; only the first of them are read and written.
    let first: *mut CCard = deck.cast();
    let mut cards = [CCard::default(); CARDS];
    for (place, card) in cards[..count].iter_mut().enumerate() {
        // SAFETY: `place` is below 108, so this lies within the `Deck` that the contract promises.
        *card = unsafe { first.add(place).read_unaligned() };
    }
    shuffle(&mut cards[..count]);
    for (place, card) in cards[..count].iter().enumerate() {
        // SAFETY: as above, and the contract allows writing.
        unsafe { first.add(place).write_unaligned(*card) };
    }
}

/// Whether the selection may be played: 1 or 0.
///
/// # Safety
/// `state` is NULL or points to a `GameState`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn crou001_ValidSelection(
    state: *const CGameState,
    selection: c_int,
) -> c_int {
    // SAFETY: the same contract.
    let state = unsafe { read(state) };
    let valid = state.and_then(|state| guarded(|| state.chosen(selection).is_ok()));
    c_int::from(valid == Some(true))
}

/// What the careful player selects.
///
/// # Safety
/// `state` is NULL or points to a `GameState`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn crou001_Play(state: *const CGameState) -> c_int {
    // SAFETY: the same contract.
    let state = unsafe { read(state) };
    let choice = state.and_then(|state| guarded(|| select(&state)));
    choice.unwrap_or(-1)
}

/// The careful player's selection; in a state that cannot be at a real table, anything valid.
fn select(state: &State) -> c_int {
    let careful = state.view().ok().and_then(|view| {
        let selection = view.selection(Careful.choose(&view))?;
        view.is_valid(selection).then_some(selection)
    });
    careful.or_else(|| state.first_valid()).unwrap_or(-1)
}

/// A copy of the state that C shows; none for NULL.
///
/// # Safety
/// `state` is NULL or points to a `GameState`.
unsafe fn read(state: *const CGameState) -> Option<State> {
    if state.is_null() {
        return None;
    }
    let bytes: *const [u8; c::STATE_BYTES] = state.cast();
    // SAFETY: the pointer is not NULL, so it points to a `GameState`, which has this many bytes;
    // bytes need no alignment.
    Some(State::from_bytes(&unsafe { bytes.read() }))
}

/// What comes out of `work`; nothing if it panics.
fn guarded<T>(work: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(work)).ok()
}

unsafe extern "C" {
    /// C's own source of chance.
    safe fn rand() -> c_int;
}

/// Puts the cards into a random order, each equally likely.
///
/// All chance comes from `rand()`, but not card by card: some of its numbers start a generator of
/// ours, which shuffles. The `rand()` of glibc gives sums of its own earlier numbers, and when
/// each card's place was cut straight out of the next number, a million shuffles showed it (a
/// chi-square 16 standard deviations too high).
fn shuffle(cards: &mut [CCard]) {
    // A number has 15 bits at least, so four hold nearly all that a seed can.
    let seed = (0..4).fold(Seed(0), |seed, _| {
        seed.deal(u64::from(rand().unsigned_abs()))
    });
    seed.rng().shuffle(cards);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_does_not_cross_the_border() {
        assert_eq!(guarded(|| 7), Some(7));
        assert_eq!(
            guarded(|| -> i32 { panic!("this one is meant to happen") }),
            None
        );
    }

    #[test]
    fn a_pointer_that_is_not_aligned_does_no_harm() {
        let mut room = [0_u8; size_of::<CGameState>() + 2];
        let pointer = room.as_mut_ptr();
        let crooked = pointer.wrapping_add(1 + pointer.addr() % 2);
        assert!(!crooked.cast::<CDeck>().is_aligned());
        // SAFETY: a `Deck` and a `GameState` both fit into the room behind the pointer.
        unsafe {
            crou001_CreateDeck(crooked.cast());
            crou001_ShuffleDeck(crooked.cast(), 108);
            assert_eq!(crou001_ValidSelection(crooked.cast(), -1), 0);
            assert_eq!(crou001_Play(crooked.cast()), -1);
        }
        let behind = size_of::<CDeck>() + 2;
        assert!(room[1..behind].iter().any(|&byte| byte != 0));
        assert!(room[behind..].iter().all(|&byte| byte == 0));
    }
}
