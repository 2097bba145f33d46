//! War, as it is told again.

use croupier_core::Seat;
use croupier_games::war::War;

use super::Shown;
use crate::telling::Company;

impl Shown for War {
    const SCORE: &'static str = "games won";
    const ENTRY: &'static str = "nothing: nobody decides anything";
    const OPPONENTS: &'static [&'static str] = &[];

    fn shown(view: &Self::View, _: &[Self::Move], company: Company<'_>) -> String {
        let [one, other] = view.cards;
        let [left, right] = [Seat(0), Seat(1)].map(|seat| company.name(seat));
        format!("  {left} {one} cards, {right} {other}\n")
    }

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
