//! The players that a command line names.

use std::path::PathBuf;

use croupier_bots::{Entries, Speech};
use croupier_console::Failure;

/// A player as it was named.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Named {
    /// The name in tables; no two players share one.
    pub(crate) name: String,
    /// The words on the command line.
    pub(crate) spec: String,
    pub(crate) kind: Kind,
}

/// What sort of player it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// One that comes with the game, by its name.
    BuiltIn(String),
    /// A program, and how it is spoken to.
    Program(PathBuf, Speech),
    /// The person at the terminal.
    Person,
}

impl Named {
    /// The person at the terminal.
    pub(crate) fn person() -> Named {
        Named {
            name: default_name(&Kind::Person),
            spec: String::new(),
            kind: Kind::Person,
        }
    }

    /// A player that was named before, and keeps its name.
    pub(crate) fn stored(name: String, spec: String) -> Result<Named, Failure> {
        let (_, kind) = split(&spec)?;
        Ok(Named { name, spec, kind })
    }

    /// The words by which it can be called for from any folder.
    pub(crate) fn spec_from_anywhere(&self) -> String {
        match &self.kind {
            Kind::Program(path, speech) => {
                let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.clone());
                let speech = match speech {
                    Speech::Own => "",
                    Speech::Json => "json:",
                };
                format!("{speech}{}", path.display())
            }
            Kind::BuiltIn(spec) => spec.clone(),
            Kind::Person => String::new(),
        }
    }
}

/// Reads the players of a command line, after those that are there before and keep their names.
/// `seats` are filled with `random`, each seat that is left.
pub(crate) fn read(
    before: Vec<Named>,
    specs: &[String],
    seats: usize,
) -> Result<Vec<Named>, Failure> {
    let mut players = before;
    let mut explicit = vec![true; players.len()];
    for spec in specs {
        let (name, kind) = split(spec)?;
        explicit.push(name.is_some());
        players.push(Named {
            name: name.unwrap_or_else(|| default_name(&kind)),
            spec: spec.clone(),
            kind,
        });
    }
    for _ in players.len()..seats {
        explicit.push(false);
        players.push(Named::stored("random".to_owned(), "random".to_owned())?);
    }
    make_unique(&mut players, &explicit)?;
    Ok(players)
}

/// So many players: these, and again from the first on. Repeats are numbered, whoever named them.
pub(crate) fn in_turn(players: Vec<Named>, count: usize) -> Result<Vec<Named>, Failure> {
    let first = players.len();
    let mut players: Vec<Named> = players.into_iter().cycle().take(count).collect();
    let is_first: Vec<bool> = (0..players.len()).map(|number| number < first).collect();
    make_unique(&mut players, &is_first)?;
    Ok(players)
}

/// The files of all of these who are programs.
pub(crate) fn entries<'a>(players: impl IntoIterator<Item = &'a Named>) -> Entries {
    Entries::of(players.into_iter().filter_map(|player| match &player.kind {
        Kind::Program(path, _) => Some(path.as_path()),
        Kind::BuiltIn(_) | Kind::Person => None,
    }))
}

/// `NAME=` and `json:` before what they belong to.
fn split(spec: &str) -> Result<(Option<String>, Kind), Failure> {
    let wrong = |reason: &str| Err(Failure::Usage(format!("the player '{spec}' {reason}")));
    let (name, rest) = match spec.split_once('=') {
        Some((name, rest)) if !name.contains(['/', ':']) => (Some(name), rest),
        _ => (None, spec),
    };
    if let Some(name) = name {
        if name.trim().is_empty() {
            return wrong("has an empty name before the =");
        }
        if name.contains(char::is_control) {
            return Err(Failure::Usage(format!(
                "the player {spec:?} has a name that cannot be shown in one line"
            )));
        }
    }
    let (speech, rest) = match rest.strip_prefix("json:") {
        Some(path) => (Speech::Json, path),
        None => (Speech::Own, rest),
    };
    if rest.is_empty() {
        return wrong("names no player");
    }
    // A bare word is a player that comes with the game, whatever lies in this folder.
    // What follows a colon is an option, as in expert:time=0.5s.
    let word = rest.split(':').next().unwrap_or(rest);
    let is_program = speech == Speech::Json || rest.contains('/') || word.contains('.');
    let kind = if is_program {
        Kind::Program(PathBuf::from(rest), speech)
    } else {
        Kind::BuiltIn(rest.to_owned())
    };
    Ok((name.map(str::to_owned), kind))
}

fn default_name(kind: &Kind) -> String {
    match kind {
        Kind::BuiltIn(name) => name.split(':').next().unwrap_or(name).to_owned(),
        Kind::Program(path, _) => {
            let stem = path.file_stem().unwrap_or(path.as_os_str());
            let stem = stem.to_string_lossy();
            stem.replace(char::is_control, "\u{fffd}")
        }
        Kind::Person => "you".to_owned(),
    }
}

/// Repeats get `-2`, `-3`; two names that were given and are equal are an error.
fn make_unique(players: &mut [Named], explicit: &[bool]) -> Result<(), Failure> {
    for later in 0..players.len() {
        let name = players[later].name.clone();
        let taken = |players: &[Named], name: &str, but: usize| {
            players.iter().enumerate().any(|(other, player)| {
                other != but && player.name == name && (other < but || explicit[other])
            })
        };
        if explicit[later] {
            let twice =
                (0..later).any(|earlier| explicit[earlier] && players[earlier].name == name);
            if twice {
                return Err(Failure::Usage(format!("two players are named '{name}'")));
            }
            continue;
        }
        let mut number = 1;
        while taken(players, &players[later].name, later) {
            number += 1;
            players[later].name = format!("{name}-{number}");
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(specs: &[&str], seats: usize) -> Vec<String> {
        let specs: Vec<String> = specs.iter().map(|&spec| spec.to_owned()).collect();
        let players = read(Vec::new(), &specs, seats).expect("good players");
        players.into_iter().map(|player| player.name).collect()
    }

    #[test]
    fn names_come_from_files_and_built_ins_and_repeats_are_numbered() {
        assert_eq!(
            names(&["careful", "bots/duck.c", "careful", "json:./duck.py"], 4),
            ["careful", "duck", "careful-2", "duck-2"]
        );
        assert_eq!(
            names(&["expert:time=0.1s"], 3),
            ["expert", "random", "random-2"]
        );
    }

    #[test]
    fn a_given_name_is_kept_and_others_make_way() {
        assert_eq!(names(&["a.c", "a=b.c"], 2), ["a-2", "a"]);
        assert_eq!(names(&["./x=y/bot.c"], 1), ["bot"]);
    }

    #[test]
    fn a_player_who_takes_several_turns_is_numbered_also_under_a_given_name() {
        let specs = ["ann=x.c".to_owned(), "random".to_owned()];
        let two = read(Vec::new(), &specs, 0).expect("good players");
        let names = |count| {
            let players = in_turn(two.clone(), count).expect("good names");
            players
                .into_iter()
                .map(|player| player.name)
                .collect::<Vec<_>>()
        };
        assert_eq!(names(1), ["ann"]);
        assert_eq!(names(5), ["ann", "random", "ann-2", "random-2", "ann-3"]);
    }

    #[test]
    fn two_equal_given_names_are_an_error() {
        let specs = ["a=x.c".to_owned(), "a=y.c".to_owned()];
        assert!(matches!(
            read(Vec::new(), &specs, 2),
            Err(Failure::Usage(_))
        ));
    }

    #[test]
    fn a_name_fills_its_place_in_a_table_and_no_more() {
        for spec in ["=x.c", " =x.c", "a\nb=x.c", "\u{1b}[2J=x.c", "json:"] {
            assert!(
                matches!(
                    read(Vec::new(), &[spec.to_owned()], 1),
                    Err(Failure::Usage(_))
                ),
                "{spec:?}"
            );
        }
        assert_eq!(names(&["bots/two\nlines.c"], 1), ["two\u{fffd}lines"]);
    }
}
