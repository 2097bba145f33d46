//! Where all chance comes from: seeds, and the generator that a seed starts.
//!
//! Both are fixed for good. A seed printed today gives the same cards on every machine and in
//! every later version, so neither the derivation of seeds nor the generator nor the way it
//! shuffles may ever change; the tests pin their values.

use std::fmt;
use std::str::FromStr;

use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A number from which a game, or a whole contest, can be dealt again.
///
/// A contest has one master seed. The seed of each of its deals is derived from it by the deal's
/// number alone, so that any deal can be dealt without the ones before it, and no two deals of a
/// contest share a seed.
///
/// In JSON it is a text: as numbers, many readers would round large ones.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Seed(pub u64);

/// 2^64 divided by the golden ratio, the step of SplitMix64.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

impl Seed {
    /// The seed of deal number `index` (from 0) of the contest that has this master seed.
    #[inline]
    pub fn deal(self, index: u64) -> Seed {
        self.derive(0x6465_616c, index)
    }

    /// The seed for the choices of the player in `seat`, apart from the seed that deals the cards.
    #[inline]
    pub fn player(self, seat: crate::Seat) -> Seed {
        self.derive(0x706c_6179, u64::from(seat.0))
    }

    /// A seed for another `purpose`. For one seed and purpose, different indices give different
    /// seeds: the mixing is a bijection of the index.
    #[inline]
    fn derive(self, purpose: u64, index: u64) -> Seed {
        let stream = mix(self.0.wrapping_add(mix(purpose)));
        Seed(mix(
            stream.wrapping_add(index.wrapping_add(1).wrapping_mul(STEP))
        ))
    }

    /// The generator that this seed starts.
    #[inline]
    pub fn rng(self) -> Rng {
        let word = |i: u64| mix(self.0.wrapping_add(STEP.wrapping_mul(i)));
        Rng([word(1), word(2), word(3), word(4)])
    }
}

impl fmt::Display for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Seed {
    type Err = std::num::ParseIntError;
    fn from_str(text: &str) -> Result<Seed, Self::Err> {
        text.parse().map(Seed)
    }
}

impl Serialize for Seed {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// A text, or a number as older files have it.
impl<'de> Deserialize<'de> for Seed {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Seed, D::Error> {
        struct Number;
        impl Visitor<'_> for Number {
            type Value = Seed;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a seed: a whole number below 2^64")
            }
            fn visit_u64<E>(self, number: u64) -> Result<Seed, E> {
                Ok(Seed(number))
            }
            fn visit_i64<E: de::Error>(self, number: i64) -> Result<Seed, E> {
                let wrong = || E::invalid_value(de::Unexpected::Signed(number), &self);
                u64::try_from(number).map(Seed).map_err(|_| wrong())
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<Seed, E> {
                let wrong = |_| E::invalid_value(de::Unexpected::Str(text), &self);
                text.parse().map_err(wrong)
            }
        }
        deserializer.deserialize_any(Number)
    }
}

/// The finaliser of SplitMix64: a bijection in which every bit depends on every other.
#[inline]
const fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The generator: xoshiro256++ by Blackman and Vigna, with shuffles and draws of our own.
///
/// It is small and fast, and it is hidden information like the order of the deck: no view holds
/// one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rng([u64; 4]);

impl Rng {
    /// The next 64 random bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        let s = &mut self.0;
        let result = s[0].wrapping_add(s[3]).rotate_left(23).wrapping_add(s[0]);
        let t = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= t;
        s[3] = s[3].rotate_left(45);
        result
    }

    /// A number below `bound`, each equally likely.
    ///
    /// # Panics
    /// If `bound` is 0.
    #[inline]
    pub fn below(&mut self, bound: usize) -> usize {
        assert!(bound > 0, "there is no number below 0 to draw");
        self.draw([bound as u64])[0]
    }

    /// Puts the cards into a random order, each order equally likely.
    #[inline]
    pub fn shuffle<T>(&mut self, cards: &mut [T]) {
        let mut left = cards.len();
        // Several draws come out of one word of the generator as long as the product of their
        // bounds stays below 2^48, where a second try is next to never needed.
        while left > 1 << 24 {
            left = self.settle::<1, T>(cards, left);
        }
        while left > 1 << 12 {
            left = self.settle::<2, T>(cards, left);
        }
        while left > 1 << 8 {
            left = self.settle::<4, T>(cards, left);
        }
        while left > 1 << 6 {
            left = self.settle::<6, T>(cards, left);
        }
        while left > 8 {
            left = self.settle::<8, T>(cards, left);
        }
        if left > 4 {
            left = self.settle::<4, T>(cards, left);
        }
        match left {
            4 => self.settle::<3, T>(cards, left),
            3 => self.settle::<2, T>(cards, left),
            2 => self.settle::<1, T>(cards, left),
            _ => left,
        };
    }

    /// Fixes the last `N` of the first `left` cards for good and returns how many are left.
    #[inline]
    fn settle<const N: usize, T>(&mut self, cards: &mut [T], left: usize) -> usize {
        let bounds = std::array::from_fn(|i| (left - i) as u64);
        let chosen: [usize; N] = self.draw(bounds);
        for (i, from) in chosen.into_iter().enumerate() {
            cards.swap(left - 1 - i, from);
        }
        left - N
    }

    /// One number below each bound, all combinations equally likely, out of one word.
    ///
    /// The word is read as a fraction and stretched by bound after bound: the whole part is the
    /// draw, the rest goes on. What is left over in the end tells whether the word belongs to the
    /// few that would favour some combinations; those are thrown away (Lemire's method, batched).
    #[inline]
    fn draw<const N: usize>(&mut self, bounds: [u64; N]) -> [usize; N] {
        let product: u64 = bounds.iter().product();
        loop {
            let mut rest = self.bits();
            let drawn = bounds.map(|bound| {
                let stretched = u128::from(rest) * u128::from(bound);
                rest = stretched as u64;
                (stretched >> 64) as usize
            });
            if rest >= product || rest >= product.wrapping_neg() % product {
                return drawn;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The published test vector of xoshiro256++ for the state 1, 2, 3, 4.
    #[test]
    fn the_generator_is_xoshiro256_plus_plus() {
        let mut rng = Rng([1, 2, 3, 4]);
        let first: Vec<u64> = (0..4).map(|_| rng.bits()).collect();
        assert_eq!(
            first,
            [41943041, 58720359, 3588806011781223, 3591011842654386]
        );
    }

    /// The published SplitMix64 sequence for seed 1234567 starts like this.
    #[test]
    fn seeds_are_expanded_by_splitmix64() {
        let Rng(state) = Seed(1_234_567).rng();
        assert_eq!(state[0], 6_457_827_717_110_365_317);
        assert_eq!(state[1], 3_203_168_211_198_807_973);
    }

    #[test]
    fn a_seed_gives_the_same_cards_for_ever() {
        let mut cards: Vec<u8> = (0..52).collect();
        Seed(13).deal(7).rng().shuffle(&mut cards);
        assert_eq!(
            cards,
            [
                22, 21, 2, 46, 30, 43, 27, 49, 8, 17, 15, 39, 50, 47, 26, 44, 14, 18, 6, 0, 25, 34,
                1, 32, 20, 45, 7, 31, 3, 42, 5, 9, 11, 51, 4, 29, 28, 38, 37, 24, 35, 19, 40, 12,
                10, 48, 16, 23, 33, 36, 13, 41
            ]
        );
    }

    #[test]
    fn deals_and_players_of_a_contest_never_share_a_seed() {
        let mut seeds: Vec<u64> = (0..10_000)
            .flat_map(|i| [Seed(1).deal(i).0, Seed(1).player(crate::Seat(i as u16)).0])
            .collect();
        seeds.sort_unstable();
        seeds.dedup();
        assert_eq!(seeds.len(), 20_000);
    }

    /// Chi-square of the positions of every card over many shuffles. The bound is exceeded with
    /// probability 10^-6 by a fair shuffle (normal approximation, 4.75 standard deviations); the
    /// seed is fixed, so the test gives the same answer every time.
    #[test]
    fn every_card_is_equally_likely_in_every_place() {
        for size in [2, 5, 13, 52, 70, 300] {
            let rounds = 40_000;
            let mut rng = Seed(99).rng();
            let mut seen = vec![0u64; size * size];
            let mut cards: Vec<usize> = (0..size).collect();
            for _ in 0..rounds {
                cards.iter_mut().enumerate().for_each(|(i, c)| *c = i);
                rng.shuffle(&mut cards);
                for (place, &card) in cards.iter().enumerate() {
                    seen[place * size + card] += 1;
                }
            }
            let expected = rounds as f64 / size as f64;
            let chi: f64 = seen
                .iter()
                .map(|&n| (n as f64 - expected).powi(2) / expected)
                .sum();
            let freedom = ((size - 1) * (size - 1)) as f64;
            let deviations = (chi - freedom) / (2.0 * freedom).sqrt();
            assert!(
                deviations < 4.75 + 2.0 / freedom.sqrt() * 4.75,
                "{size}: {deviations}"
            );
        }
    }

    #[test]
    fn large_shuffles_keep_every_card() {
        for size in [0usize, 1, 65, 4097, 70_000] {
            let mut cards: Vec<usize> = (0..size).collect();
            Seed(5).rng().shuffle(&mut cards);
            cards.sort_unstable();
            assert!(cards.into_iter().eq(0..size), "{size}");
        }
    }
}
