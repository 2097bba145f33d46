//! A game told move by move.

use std::fmt::Display;

use croupier_console::harmless;
use croupier_core::{Audience, Event, Instead, Seat};

/// Who is told: the player in a seat, or somebody who may know everything.
pub(crate) fn audience(reader: Option<Seat>) -> Audience {
    reader.map_or(Audience::Referee, Audience::Seat)
}

/// What is told of what somebody has heard. The names are those of the seats; the player in the seat
/// of the reader goes by "you".
pub(crate) fn told<M: Display>(
    event: &Event<M>,
    names: &[impl AsRef<str>],
    reader: Option<Seat>,
) -> String {
    let name = |seat: &Seat| names[seat.index()].as_ref();
    match event {
        Event::Dealt | Event::Asked { .. } | Event::Weighed { .. } => String::new(),
        Event::Played { seat, choice } => match choice {
            Some(choice) => format!("  {}: {choice}\n", name(seat)),
            None => format!("  {} has chosen\n", name(seat)),
        },
        Event::Fouled {
            seat,
            foul,
            instead,
        } => {
            let instead = match instead {
                Instead::Move(choice) => format!("; the house chooses: {choice}"),
                Instead::Secret => "; the house chooses".to_owned(),
                Instead::Nothing => String::new(),
            };
            let fouls = match reader {
                Some(reader) if reader == *seat => "foul",
                _ => "fouls",
            };
            let detail = harmless(&foul.detail);
            format!("  {} {fouls}: {detail}{instead}\n", name(seat))
        }
        Event::Over(outcome) => {
            let note = outcome.note.as_ref().map(|note| format!("  {note}\n"));
            let scores: Vec<String> = Seat::all(names.len())
                .map(|seat| format!("{} {}", name(&seat), outcome.scores[seat.index()]))
                .collect();
            format!("{}  {}\n\n", note.unwrap_or_default(), scores.join(", "))
        }
    }
}
