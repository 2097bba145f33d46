//! War, told in sentences.

use croupier_core::{Company, Seat, Told};

use super::War;

/// Why the game is over when both still have cards.
const SHORT: &str = "it is a war, and not both have enough cards for it";

impl Told for War {
    const SCORE: &'static str = "games won";

    fn aftermath(
        before: &Self::View,
        _: Seat,
        _: Option<Self::Move>,
        after: &Self::View,
        company: Company<'_>,
    ) -> Vec<String> {
        let more = |seat: &Seat| after.cards[seat.index()] > before.cards[seat.index()];
        let Some(winner) = company.seats().find(more) else {
            // Whoever wins a turn takes at least a card: nobody did, so this was the last war.
            let short = after.turns > before.turns;
            return Vec::from_iter(short.then(|| SHORT.to_owned()));
        };
        let [one, other] = after.cards;
        vec![format!(
            "{} the turn: {one} cards to {other}",
            company.does(winner, "wins", "win")
        )]
    }
}
