//! What is sent and taken under `/api/`.

use std::collections::BTreeMap;

use croupier_core::{Advice, Audience, Entry, OptionKind, Seat, SetupOption};
use serde_json::{Value, json};

use super::described::described;
use crate::Room;
use crate::pages::{Fragment, built_in_choices, told_to};
use crate::person::Person;
use crate::refusal::Refusal;
use crate::tables::{Sitter, Table};

described! {
    /// A game that is offered.
    Game {
        /// The name by which it is called for.
        name: String,
        /// The name as one would write it in a sentence.
        title: String,
        /// The least number of seats.
        least_seats: usize,
        /// The greatest number of seats.
        most_seats: usize,
        /// Whether players decide anything.
        decisions: bool,
        /// The rules in brief, and the protocol for programs.
        rules: String,
        /// Who can be chosen for a seat besides `you` and `open`.
        players: Vec<Chosen>,
        /// The options of a table.
        options: Vec<GameOption>,
    }
}

described! {
    /// Somebody who can be chosen for a seat.
    Chosen {
        /// What a new table names: `built-in:NAME` or `program:NAME`.
        seat: String,
        /// Who that is, in words.
        about: String,
    }
}

described! {
    /// An option of a table.
    GameOption {
        /// Its name.
        name: String,
        /// What it means, in a sentence.
        about: String,
        /// What holds if nothing is given.
        default: Option<String>,
        /// What may be given: words, a range of numbers, or any text.
        values: Value,
    }
}

described! {
    /// A table that is wanted.
    NewTable {
        /// The game.
        game: String,
        /// Who sits where: `you`, `open`, `built-in:NAME` or `program:NAME`. You and built-in players
        /// if it is missing.
        seats: Option<Vec<String>>,
        /// The options of the game; those that are missing have their defaults.
        options: Option<BTreeMap<String, String>>,
        /// The number that deals the cards; drawn if it is missing.
        seed: Option<String>,
        /// Your name at the table.
        name: Option<String>,
    }
}

described! {
    /// A table that has been set up.
    Founded {
        /// Your secret. Sent along as `Authorization: Bearer …` it makes you known.
        token: String,
        /// The table.
        table: TableSeen,
    }
}

described! {
    /// A table as you see it.
    TableSeen {
        /// Its identifier.
        id: String,
        /// The game.
        game: String,
        /// How many moves and fouls there were; a move names the version for which it was chosen.
        version: usize,
        /// Your seat, from 0; none if you look on.
        seat: Option<u16>,
        /// Whose turn it is; nobody's when the game is over.
        to_move: Option<u16>,
        /// Who is awaited, in words.
        status: String,
        /// Who sits where.
        seats: Vec<SeatSeen>,
        /// What you see: the view of your seat, or what lies open to everybody.
        view: Value,
        /// Your legal moves, if it is your turn.
        legal: Vec<String>,
        /// What has happened, in words.
        log: Vec<String>,
        /// How the game ended, once it has.
        outcome: Option<Value>,
    }
}

described! {
    /// A seat of a table.
    SeatSeen {
        /// The name of who sits there.
        name: String,
        /// `person`, `free`, `built-in` or `program`.
        kind: String,
        /// Whether that one is there.
        here: bool,
        /// The secret by which somebody may sit down here, for whoever has set up the table.
        invitation: Option<String>,
    }
}

described! {
    /// A move.
    MoveSent {
        /// The version for which it was chosen.
        version: usize,
        /// The move as text, one of `legal`.
        choice as "move": String,
        /// Any text of up to 64 letters: a move that is sent again with the same one is made once.
        nonce: String,
    }
}

described! {
    /// A move that was not made, and the present.
    NotMadeSeen {
        /// Why not.
        error: String,
        /// The table as it stands.
        table: TableSeen,
    }
}

described! {
    /// A question to the expert.
    HintAsked {
        /// The version that it is about.
        version: usize,
    }
}

described! {
    /// What the expert thinks.
    Hint {
        /// The move that it would make.
        choice as "move": String,
        /// What it thinks of the moves, the best first.
        thoughts: Vec<ThoughtSeen>,
    }
}

described! {
    /// What the expert thinks of a move.
    ThoughtSeen {
        /// The move.
        choice as "move": String,
        /// The points for places that it expects after it.
        estimate: f64,
        /// The standard error of the estimate.
        error: f64,
        /// How often it tried the move in its mind.
        visits: u64,
        /// Why the move is good or bad.
        reason: String,
    }
}

described! {
    /// A change of a seat.
    SeatChange {
        /// `join` with an invitation, `give` a seat whose person is away to a built-in player, or take
        /// your own `back`.
        how: String,
        /// The invitation, to join.
        invitation: Option<String>,
        /// Your name, to join.
        name: Option<String>,
    }
}

described! {
    /// A refusal.
    Refused {
        /// What was wrong, in a sentence.
        error: String,
    }
}

impl Game {
    /// The game of this entry, with the programs that the server was started with.
    pub(super) fn of(room: &Room, entry: Entry) -> Game {
        let profile = entry.profile;
        let guests = room.tables.pool().guests(profile.name);
        let guests = guests.map(|guest| Chosen {
            seat: format!("program:{}", guest.name),
            about: "a program".to_owned(),
        });
        let built_in = built_in_choices(entry).into_iter().map(|choice| Chosen {
            seat: choice.value,
            about: choice.label,
        });
        Game {
            name: profile.name.to_owned(),
            title: profile.title.to_owned(),
            least_seats: *profile.seats.start(),
            most_seats: *profile.seats.end(),
            decisions: profile.decisions,
            rules: profile.rules.to_owned(),
            players: built_in.chain(guests).collect(),
            options: profile.options.iter().map(GameOption::of).collect(),
        }
    }
}

impl GameOption {
    fn of(option: &SetupOption) -> GameOption {
        let values = match &option.kind {
            OptionKind::OneOf(words) => {
                let words = words
                    .iter()
                    .map(|(word, about)| json!({"value": word, "about": about}));
                words.collect()
            }
            OptionKind::Number(range) => json!({"least": range.start(), "most": range.end()}),
            OptionKind::Text(_) | OptionKind::Scores(_) | OptionKind::File => Value::Null,
        };
        GameOption {
            name: option.name.to_owned(),
            about: option.help.to_owned(),
            default: option.default.map(str::to_owned),
            values,
        }
    }
}

impl TableSeen {
    /// The table as this person sees it.
    pub(super) fn of(table: &Table, person: Option<&Person>) -> Result<TableSeen, Refusal> {
        let standing = table.standing();
        let audience = standing.audience(person);
        let version = standing.version();
        let fragment = Fragment::of(table, &standing, person, version)?;
        let own = match audience {
            Audience::Seat(seat) => Some(seat),
            _ => None,
        };
        let to_move = standing.game.to_move();
        let is_host = person == Some(&table.founding.host);
        let log = told_to(table.entry, &standing, audience, 0, version);
        Ok(TableSeen {
            id: table.id.clone(),
            game: table.entry.profile.name.to_owned(),
            version,
            seat: own.map(|seat| seat.0),
            to_move: to_move.map(|seat| seat.0),
            status: fragment.status.clone(),
            seats: (standing.chairs.iter())
                .map(|chair| SeatSeen {
                    name: chair.name.clone(),
                    kind: match &chair.sitter {
                        Sitter::Person { holder: None, .. } => "free",
                        Sitter::Person { .. } => "person",
                        Sitter::BuiltIn { .. } => "built-in",
                        Sitter::Program { .. } => "program",
                    }
                    .to_owned(),
                    here: chair.holder().is_none_or(|holder| table.is_there(holder)),
                    invitation: chair.invitation().filter(|_| is_host).map(str::to_owned),
                })
                .collect(),
            view: own.map_or_else(
                || standing.game.open(),
                |seat: Seat| standing.game.view(seat),
            ),
            legal: match fragment.your_turn {
                true => standing.game.legal(),
                false => Vec::new(),
            },
            log: log
                .into_iter()
                .flat_map(|entry| std::iter::once(entry.line).chain(entry.more))
                .collect(),
            outcome: to_move.is_none().then(|| json!(standing.game.outcome())),
        })
    }
}

impl From<Advice> for Hint {
    fn from(advice: Advice) -> Hint {
        let thoughts = advice.thoughts.into_iter().map(|thought| ThoughtSeen {
            choice: thought.choice,
            estimate: thought.estimate,
            error: thought.error,
            visits: thought.visits,
            reason: thought.reason,
        });
        Hint {
            choice: advice.choice,
            thoughts: thoughts.collect(),
        }
    }
}
