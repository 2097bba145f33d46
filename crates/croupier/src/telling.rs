//! A game told move by move.

use croupier_console::harmless;
use croupier_core::{FoulKind, Game, Moment, Seat};

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
            let instead_is_secret = instead.is_some_and(|choice| secret(seat, choice));
            let instead = match instead {
                Some(_) if instead_is_secret => "; the house chooses".to_owned(),
                Some(choice) => format!("; the house plays {choice}"),
                None => String::new(),
            };
            let fouls = if reader == Some(seat) {
                "foul"
            } else {
                "fouls"
            };
            let detail = match instead_is_secret {
                true => kind_of_foul(foul.kind).to_owned(),
                false => harmless(&foul.detail),
            };
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

/// What of a foul may be told to those who must not know the cards that it is about: not what was
/// answered, nor what the program said.
pub(crate) fn kind_of_foul(kind: FoulKind) -> &'static str {
    match kind {
        FoulKind::Illegal => "its choice was illegal",
        FoulKind::Malformed => "its answer could not be read",
        FoulKind::Timeout => "it did not answer in time",
        FoulKind::Crash => "it crashed",
        FoulKind::Memory => "it used more memory than it may",
        FoulKind::Output => "it wrote more than it may",
        FoulKind::Start => "it could not be started",
        FoulKind::Compile => "it could not be compiled",
    }
}
