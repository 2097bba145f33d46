//! War, as it is told again.

use croupier_core::{Company, Seat};
use croupier_games::war::War;

use super::Shown;

impl Shown for War {
    const ENTRY: &'static str = "nothing: nobody decides anything";

    fn shown(view: &Self::View, _: &[Self::Move], company: Company<'_>) -> String {
        let [one, other] = view.cards;
        let [left, right] = [Seat(0), Seat(1)].map(|seat| company.name(seat));
        format!("  {left} {one} cards, {right} {other}\n")
    }
}
