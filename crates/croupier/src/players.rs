//! The players that a command line names.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use croupier_bots::{Entries, Speech, whole_name};
use croupier_console::Failure;
use croupier_core::{LONGEST_NAME, is_plain};

/// A player as it was named.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Named {
    /// The name in tables; no two players share one.
    pub(crate) name: String,
    /// Whether somebody has given it that name, or it has had it before.
    pub(crate) given: bool,
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
            given: true,
            spec: String::new(),
            kind: Kind::Person,
        }
    }

    /// A player that was named before, and keeps its name.
    pub(crate) fn stored(name: String, spec: String) -> Result<Named, Failure> {
        let (_, kind) = split(&spec)?;
        Ok(Named {
            name,
            given: true,
            spec,
            kind,
        })
    }

    /// The words by which it can be called for from any folder; or from this one, where the name of a folder
    /// above it is no text.
    pub(crate) fn spec_from_anywhere(&self) -> String {
        match &self.kind {
            Kind::Program(path, speech) => {
                let whole = whole_name(path).ok();
                let whole = whole.filter(|whole| whole.to_str().is_some());
                let path = whole.unwrap_or_else(|| path.clone());
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
    for spec in specs {
        let (name, kind) = split(spec)?;
        players.push(Named {
            given: name.is_some(),
            name: name.unwrap_or_else(|| default_name(&kind)),
            spec: spec.clone(),
            kind,
        });
    }
    for _ in players.len()..seats {
        let mut random = Named::stored("random".to_owned(), "random".to_owned())?;
        random.given = false;
        players.push(random);
    }
    tell_apart(&mut players, &HashSet::new())?;
    Ok(players)
}

/// So many players: these, and again from the first on. Repeats are numbered, whoever named them.
pub(crate) fn in_turn(players: Vec<Named>, count: usize) -> Result<Vec<Named>, Failure> {
    let first = players.len();
    let mut players: Vec<Named> = players.into_iter().cycle().take(count).collect();
    for (number, player) in players.iter_mut().enumerate() {
        player.given = number < first;
    }
    make_unique(&mut players)?;
    Ok(players)
}

/// The files of all of these who are programs.
pub(crate) fn entries<'a>(players: impl IntoIterator<Item = &'a Named>) -> Entries {
    Entries::of(players.into_iter().filter_map(|player| match &player.kind {
        Kind::Program(path, _) => Some(path.as_path()),
        Kind::BuiltIn(_) | Kind::Person => None,
    }))
}

/// Gives everybody a name of its own who was given none: what its program calls itself, unless that
/// is how a player is called who comes with the game, or else the name of its file, with its folder
/// where that is such a name too.
pub(crate) fn introduce(
    players: &mut [Named],
    called: Vec<Option<String>>,
    built_in: &[&str],
) -> Result<(), Failure> {
    let mut by_themselves = HashSet::new();
    for (number, (player, called)) in players.iter_mut().zip(called).enumerate() {
        if player.given {
            continue;
        }
        player.name = default_name(&player.kind);
        if let Some(called) = called.filter(|name| !is_built_in(name, built_in)) {
            player.name = called;
            by_themselves.insert(number);
        } else if let Kind::Program(path, _) = &player.kind
            && is_built_in(&player.name, built_in)
        {
            let folder = parents(&whole_path(path)).into_iter().next();
            player.name = format!("{}/{}", folder.unwrap_or_default(), player.name);
        }
    }
    tell_apart(players, &by_themselves)
}

/// Whether a name would be taken for a player that comes with the game, or for one of several.
fn is_built_in(name: &str, built_in: &[&str]) -> bool {
    let (stem, number) = name.rsplit_once('-').unwrap_or((name, ""));
    let is_numbered = !number.is_empty() && number.chars().all(|sign| sign.is_ascii_digit());
    let stem = if is_numbered { stem } else { name };
    let mut names = built_in.iter().chain(&["you"]);
    names.any(|built_in| stem.trim().eq_ignore_ascii_case(built_in))
}

/// Makes all names different: those of files by their folders if that helps, then by numbers.
fn tell_apart(players: &mut [Named], by_themselves: &HashSet<usize>) -> Result<(), Failure> {
    let file = |(number, player): (usize, &Named)| match &player.kind {
        Kind::Program(path, _) if !player.given && !by_themselves.contains(&number) => {
            Some((number, whole_path(path)))
        }
        _ => None,
    };
    let files: Vec<(usize, PathBuf)> = players.iter().enumerate().filter_map(file).collect();
    let mut done = HashSet::new();
    for (number, _) in &files {
        let name = players[*number].name.clone();
        if !done.insert(name.clone()) {
            continue;
        }
        let same = files
            .iter()
            .filter(|(other, _)| players[*other].name == name);
        let same: Vec<&(usize, PathBuf)> = same.collect();
        for (&&(number, _), folder) in same.iter().zip(folders(&same)) {
            if let Some(folder) = folder {
                players[number].name = format!("{folder}/{name}");
            }
        }
    }
    make_unique(players)
}

/// For every file what of its folder tells it from the others: one folder of its path if that is
/// enough for all, or else as many as are needed. Nothing where all are the same file.
fn folders(files: &[&(usize, PathBuf)]) -> Vec<Option<String>> {
    let parents: Vec<Vec<String>> = files.iter().map(|(_, path)| parents(path)).collect();
    let all: HashSet<&Vec<String>> = parents.iter().collect();
    let tell = |name: &dyn Fn(&Vec<String>) -> Option<String>| -> Option<Vec<Option<String>>> {
        let names: HashSet<Option<String>> = all.iter().map(|parents| name(parents)).collect();
        let is_enough = names.len() == all.len() && !names.contains(&None);
        is_enough.then(|| parents.iter().map(name).collect())
    };
    if all.len() < 2 {
        return vec![None; files.len()];
    }
    let deepest = parents.iter().map(Vec::len).max().unwrap_or(0);
    let one_folder = (0..deepest).find_map(|up| tell(&|parents| parents.get(up).cloned()));
    let upward = || {
        (1..=deepest).find_map(|count| {
            tell(&|parents| {
                let some = parents.iter().take(count).rev().cloned();
                Some(some.collect::<Vec<_>>().join("/"))
            })
        })
    };
    one_folder
        .or_else(upward)
        .unwrap_or_else(|| vec![None; files.len()])
}

/// The folders of a file as they are shown, the nearest first.
fn parents(path: &Path) -> Vec<String> {
    let folders = path.ancestors().skip(1).filter_map(Path::file_name);
    folders.map(shown).collect()
}

/// A file's name as it is shown: no longer than a name that a program gives itself.
fn shown(name: &OsStr) -> String {
    let name = name.to_string_lossy();
    let name = name.replace(|letter| !is_plain(letter), "\u{fffd}");
    match name.chars().count() > LONGEST_NAME {
        true => name.chars().take(LONGEST_NAME - 1).chain(['…']).collect(),
        false => name,
    }
}

fn whole_path(path: &Path) -> PathBuf {
    let found = std::fs::canonicalize(path).or_else(|_| std::path::absolute(path));
    found.unwrap_or_else(|_| path.to_owned())
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
        if !name.chars().all(is_plain) {
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
        return wrong("names neither a built-in player nor a program");
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
        Kind::Program(path, _) => shown(path.file_stem().unwrap_or(path.as_os_str())),
        Kind::Person => "you".to_owned(),
    }
}

/// Repeats get `-2`, `-3`; two names that were given and are equal are an error.
fn make_unique(players: &mut [Named]) -> Result<(), Failure> {
    for later in 0..players.len() {
        let name = players[later].name.clone();
        let taken = |players: &[Named], name: &str, but: usize| {
            players.iter().enumerate().any(|(other, player)| {
                other != but && player.name == name && (other < but || player.given)
            })
        };
        if players[later].given {
            let mut earlier = players[..later].iter();
            if earlier.any(|earlier| earlier.given && earlier.name == name) {
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
            names(
                &["careful", "bots/duck.c", "careful", "json:bots/duck.py"],
                4
            ),
            ["careful", "duck", "careful-2", "duck-2"]
        );
        assert_eq!(
            names(&["expert:time=0.1s"], 3),
            ["expert", "random", "random-2"]
        );
    }

    #[test]
    fn a_link_keeps_its_name_wherever_it_is_called_for_from() {
        let folder = tempfile::tempdir().expect("a folder");
        let whole = std::fs::canonicalize(folder.path()).expect("a folder");
        std::fs::write(whole.join("players"), "").expect("a file");
        std::os::unix::fs::symlink("players", whole.join("shenzi")).expect("a link");
        std::os::unix::fs::symlink(".", whole.join("bots")).expect("a link");
        let named = whole.join("bots/shenzi").display().to_string();
        let players = read(Vec::new(), &[named], 1).expect("a good player");
        let link = whole.join("shenzi").display().to_string();
        assert_eq!(players[0].spec_from_anywhere(), link);
    }

    #[test]
    fn a_name_turns_no_text_around_and_hides_nothing() {
        assert_eq!(
            names(&["bots/du\u{202e}ck\n.c"], 1),
            ["du\u{fffd}ck\u{fffd}"]
        );
        for name in ["a\u{202e}b", "bob\u{200b}", "a\tb"] {
            let refused = read(Vec::new(), &[format!("{name}=careful")], 1);
            assert!(matches!(refused, Err(Failure::Usage(_))), "{name:?}");
        }
    }

    #[test]
    fn no_file_spoils_the_table_with_its_name() {
        let [name, folder] = ["n", "f"].map(|letter| letter.repeat(200));
        let [shown, shown_folder] = ["n", "f"].map(|letter| letter.repeat(31) + "…");
        assert_eq!(names(&[&format!("bots/{name}.c")], 0), [&*shown]);
        assert_eq!(
            names(
                &[&format!("/{folder}/{name}.c"), &format!("/g/{name}.c")],
                0
            ),
            [format!("{shown_folder}/{shown}"), format!("g/{shown}")]
        );
        assert_eq!(
            names(&[&format!("/x/{name}.c"), &format!("/x/{name}o.c")], 0),
            [shown.clone(), format!("{shown}-2")],
            "what is left out may be what differs"
        );
    }

    #[test]
    fn files_of_the_same_name_are_told_apart_by_the_shortest_way() {
        let named = |paths: &[&str]| names(paths, 0);
        assert_eq!(
            named(&["/all/ann/duck.c", "/all/bob/duck.c", "/all/bob/goose.c"]),
            ["ann/duck", "bob/duck", "goose"]
        );
        assert_eq!(
            named(&["/all/ann/src/duck.c", "/all/bob/src/duck.c"]),
            ["ann/duck", "bob/duck"],
            "by the one folder that differs"
        );
        assert_eq!(
            named(&["/a/x/duck.c", "/a/y/duck.c", "/b/x/duck.c"]),
            ["a/x/duck", "a/y/duck", "b/x/duck"],
            "by several where one is not enough"
        );
        assert_eq!(
            named(&["/all/ann/duck.c", "/all/ann/duck.c", "/all/bob/duck.c"]),
            ["ann/duck", "ann/duck-2", "bob/duck"]
        );
    }

    #[test]
    fn a_program_is_called_what_it_calls_itself_but_not_like_a_built_in() {
        let specs = [
            "/x/a.c", "/x/b.c", "c=/x/c.c", "/x/d.c", "/x/e.c", "careful",
        ];
        let specs = [&specs[..], &["/ann/src/careful.c", "/bob/src/careful.c"]].concat();
        let specs: Vec<String> = specs.into_iter().map(str::to_owned).collect();
        let mut players = read(Vec::new(), &specs, 0).expect("good players");
        let called = ["Duck", "Duck", "Goose", "Careful", "careful-2"].map(str::to_owned);
        let called = called.map(Some).into_iter().chain([None, None, None]);
        introduce(&mut players, called.collect(), &["careful"]).expect("good names");
        let names: Vec<_> = players.iter().map(|player| player.name.as_str()).collect();
        let files = ["ann/src/careful", "bob/src/careful"];
        let expected = ["Duck", "Duck-2", "c", "d", "e", "careful"];
        assert_eq!(names, [&expected[..], &files].concat());
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
