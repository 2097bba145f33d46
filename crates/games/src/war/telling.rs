//! War, told in sentences.

use croupier_core::{Company, Seat, Told};

use super::War;

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
            return Vec::new();
        };
        let [one, other] = after.cards;
        vec![format!(
            "{} the turn: {one} cards to {other}",
            company.does(winner, "wins", "win")
        )]
    }
}
