//! The test whether all players at the only table of a contest are equal.

use crate::chi_square_tail;

/// The test whether all players at the only table of a contest are equal.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct EqualShares {
    /// How unequal their scores are.
    pub chi_square: f64,
    /// With so many degrees of freedom.
    pub freedom: usize,
    /// The probability that chance alone makes them so unequal.
    pub p: f64,
    /// After so many blocks.
    pub blocks: u64,
    /// After so many it could tell if they were not.
    pub enough: u64,
    /// Whether they are all the same player, so that it is the table that is tested.
    pub same_player: bool,
}

/// What is less probable is unlikely by chance alone, as is usual in science.
const UNLIKELY: f64 = 0.05;

/// What is less probable is not put down to chance. Nobody is accused of an unfair table for less.
const IMPROBABLE: f64 = 0.001;

impl EqualShares {
    /// The test after so many blocks.
    pub(super) fn new(
        (chi_square, freedom): (f64, usize),
        blocks: u64,
        same_player: bool,
    ) -> EqualShares {
        let p = |chi_square| chi_square_tail(chi_square, freedom);
        // Even if every block came out the same, few blocks could be chance.
        let at_most = |blocks: u64| (blocks * freedom as u64) as f64;
        let level = if same_player { IMPROBABLE } else { UNLIKELY };
        let tells = |blocks: &u64| p(at_most(*blocks)) < level;
        EqualShares {
            chi_square,
            freedom,
            p: p(chi_square),
            blocks,
            enough: (1..).find(tells).unwrap_or(u64::MAX),
            same_player,
        }
    }

    /// Question and answer in ordinary words, then the numbers.
    pub fn told(&self) -> String {
        let question = match self.same_player {
            true => "All are the same player: is the table fair?",
            false => "Are all equal?",
        };
        format!(
            "{question} {}: equal players would be at least as unequal in {} ({}; chi-square {:.2}, \
             {} degree{} of freedom).",
            self.verdict(),
            self.how_often(),
            match self.p {
                p if p < 0.0001 => "p < 0.0001".to_owned(),
                p => format!("p = {p:.4}"),
            },
            self.chi_square,
            self.freedom,
            if self.freedom == 1 { "" } else { "s" },
        )
    }

    fn verdict(&self) -> String {
        let (blocks, enough) = (self.blocks, self.enough);
        if blocks < enough {
            let rounds = if blocks == 1 { "round" } else { "rounds" };
            return format!("{blocks} {rounds} cannot tell, {enough} could");
        }
        let words = match (self.same_player, self.p) {
            (true, p) if p < IMPROBABLE => "No, this is not chance",
            (true, _) => "Nothing speaks against it",
            (false, p) if p < IMPROBABLE => "No, this is hardly chance",
            (false, p) if p < UNLIKELY => "Unlikely by chance alone",
            (false, _) => "They may be",
        };
        words.to_owned()
    }

    /// In how many contests between equals.
    fn how_often(&self) -> String {
        let of = |many: f64| (self.p * many).round();
        match self.p {
            p if p >= 0.01 => format!("{} of 100 contests", of(100.0)),
            p if p >= 0.001 => format!("{} of 1,000 contests", of(1_000.0)),
            p if p >= 0.0001 => format!("{} of 10,000 contests", of(10_000.0)),
            _ => "fewer than 1 of 10,000 contests".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(chi_square: f64, blocks: u64, same_player: bool) -> String {
        EqualShares::new((chi_square, 3), blocks, same_player).told()
    }

    #[test]
    fn ordinary_words_at_ordinary_levels() {
        assert_eq!(
            told(14.26, 40, false),
            "Are all equal? Unlikely by chance alone: equal players would be at least as unequal in \
             3 of 1,000 contests (p = 0.0026; chi-square 14.26, 3 degrees of freedom)."
        );
        assert!(
            told(7.0, 40, false)
                .contains("They may be: equal players would be at least as unequal in 7 of 100")
        );
        assert!(told(40.0, 40, false).contains("No, this is hardly chance: "));
        assert!(told(40.0, 40, false).contains("in fewer than 1 of 10,000 contests (p < 0.0001;"));
    }

    /// Of an unfair table nobody is accused for what happens once in twenty contests.
    #[test]
    fn the_sharp_level_is_for_an_unfair_table() {
        assert!(told(14.26, 40, true).contains("is the table fair? Nothing speaks against it: "));
        assert!(told(17.0, 40, true).contains("No, this is not chance"));
    }

    #[test]
    fn so_few_rounds_cannot_tell() {
        assert!(told(3.0, 1, false).contains("1 round cannot tell, 3 could"));
        assert!(told(6.0, 2, true).contains("2 rounds cannot tell, 6 could"));
    }
}
