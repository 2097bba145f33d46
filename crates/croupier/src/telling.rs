//! A game told move by move.

use croupier_console::harmless;
use croupier_core::{Game, Moment, Seat};

/// What is told of a moment. The names are those of the seats. To the player in a seat it is not
/// told what the others choose in secret.
pub(crate) fn told<G: Game>(
    moment: &Moment<'_, G>,
    names: &[impl AsRef<str>],
    reader: Option<Seat>,
) -> String {
    let name = |seat: Seat| names[seat.index()].as_ref();
    let secret = |seat: Seat, choice: G::Move| {
        reader.is_some_and(|reader| reader != seat) && !G::is_open(choice)
    };
    match *moment {
        Moment::Dealt => String::new(),
        Moment::Played(seat, choice) if secret(seat, choice) => {
            format!("  {} has chosen\n", name(seat))
        }
        Moment::Played(seat, choice) => format!("  {}: {choice}\n", name(seat)),
        Moment::Fouled(seat, foul, instead) => {
            let instead = match instead {
                Some(choice) if secret(seat, choice) => "; the house chooses".to_owned(),
                Some(choice) => format!("; the house plays {choice}"),
                None => String::new(),
            };
            let fouls = if reader == Some(seat) {
                "foul"
            } else {
                "fouls"
            };
            let detail = harmless(&foul.detail);
            format!("  {} {fouls}: {detail}{instead}\n", name(seat))
        }
        Moment::Over(outcome) => {
            let note = outcome.note.as_ref().map(|note| format!("  {note}\n"));
            let scores: Vec<String> = Seat::all(names.len())
                .map(|seat| format!("{} {}", name(seat), outcome.scores[seat.index()]))
                .collect();
            format!("{}  {}\n\n", note.unwrap_or_default(), scores.join(", "))
        }
    }
}
