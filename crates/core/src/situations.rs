//! Situations about which a program is worth asking: those that it meets in most games, and those
//! that it meets so seldom that its author may never have thought of them.

use crate::{Offered, Seed};

/// A game that tells which of its situations programs get wrong, and how to come by them.
pub trait Situations: Offered {
    /// The kinds of situations that are looked for, at most 64. One situation may be of several.
    const KINDS: &'static [Kind<Self>] = &[];

    /// The built-in players in whose games the situations of real contests come about: quick ones
    /// that play as if they wanted to win.
    const SENSIBLE: &'static [&'static str] = Self::OPPONENTS;

    /// What else may be agreed on before a game, with which a program has to cope.
    const VARIATIONS: &'static [Variation] = &[];

    /// The words that name cards and colours in what the rules say about a foul. They tell one card
    /// from another, but not one rule from another.
    const CARD_WORDS: &'static [&'static str] = &[];

    /// Deals cards as chance next to never does, so that rare situations come about in what follows.
    fn contrive(setup: &Self::Setup, seed: Seed) -> Self {
        Self::deal(setup, seed)
    }

    /// Which kinds the turn that is due is of, one bit for each of [`Situations::KINDS`].
    fn kinds(&self) -> u64 {
        let kinds = Self::KINDS.iter().enumerate();
        kinds.fold(0, |bits, (place, kind)| {
            bits | u64::from((kind.holds)(self)) << place
        })
    }
}

/// A kind of situation.
#[derive(Debug)]
pub struct Kind<G> {
    /// What it is, in a few words that a card player understands.
    pub name: &'static str,
    /// Whether the turn that is due in a game, which is not over, is of this kind.
    pub holds: fn(&G) -> bool,
}

impl<G> Kind<G> {
    /// A kind with this name.
    pub const fn new(name: &'static str, holds: fn(&G) -> bool) -> Kind<G> {
        Kind { name, holds }
    }
}

/// Another setup than the usual one.
#[derive(Debug)]
pub struct Variation {
    /// What is different, in a few words.
    pub name: &'static str,
    /// The options of the setup that are different, as [`Offered::setup`] takes them.
    pub options: &'static [(&'static str, &'static str)],
}
