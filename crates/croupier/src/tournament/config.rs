//! A contest described by a file instead of options.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::{Arg, ArgAction, ArgMatches};
use croupier_console::{Failure, text_file};
use croupier_core::in_words;
use toml::Value;

use crate::cli;
use crate::offer::Offers;

/// What `croupier tournament --example` prints.
pub(super) fn example(games: &Offers) -> String {
    let Some(first) = games.with_decisions().next() else {
        return String::new();
    };
    let names = games.with_decisions().map(|game| game.entry.profile.name);
    let opponent = first.entry.opponents.first().unwrap_or(&"random");
    include_str!("example.toml")
        .replace("{games}", &in_words(names.map(str::to_owned), "or"))
        .replace("{game}", first.entry.profile.name)
        .replace("{opponent}", opponent)
}

/// The command line that says the same as this file. Paths in it start from the file's folder.
pub(super) fn arguments(
    games: &Offers,
    file: &Path,
    matches: &ArgMatches,
) -> Result<Vec<OsString>, Failure> {
    let wrong = |reason: String| Failure::Usage(format!("{}: {reason}", file.display()));
    let folder = match file.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let text = text_file(file).map_err(wrong)?;
    if text.trim().is_empty() {
        let example = "croupier tournament --example prints one to begin with";
        return Err(wrong(format!("the file is empty; {example}")));
    }
    let table: toml::Table = text
        .parse()
        .map_err(|error: toml::de::Error| wrong(first_line(&error, &text)))?;
    let game = match table.get("game") {
        Some(Value::String(game)) => game.clone(),
        _ => {
            let first = games.with_decisions().next();
            let first = first.map_or("…", |game| game.entry.profile.name);
            return Err(wrong(format!("it must say which game: game = \"{first}\"")));
        }
    };
    let offer = games.decided(&game).map_err(|failure| match failure {
        Failure::Usage(reason) => wrong(reason),
        failure => failure,
    })?;
    let options = cli::tournament_options(offer);
    // The players are a list here, so the size of a table has another name.
    let key_of = |option: &Arg| match option.get_long() {
        Some("players") => "table".to_owned(),
        option => option.unwrap_or_default().to_owned(),
    };
    let is_flag = |option: &Arg| matches!(option.get_action(), ArgAction::SetTrue);
    let mut arguments: Vec<OsString> = ["croupier", "tournament", &game].map(Into::into).into();
    let mut players = Vec::new();
    let mut out = None;
    for (key, value) in &table {
        let text = plain(value).ok_or_else(|| {
            wrong(format!(
                "'{key}' must be a string, a number, true or false, or a list of strings"
            ))
        })?;
        let option = options.iter().find(|option| key_of(option) == *key);
        match (key.as_str(), value, option) {
            ("game", ..) => {}
            ("out", Value::String(there), _) if !there.is_empty() => out = Some(folder.join(there)),
            ("players", Value::Array(list), _) if list.iter().all(Value::is_str) => {
                players.extend(list.iter().filter_map(plain));
            }
            ("players", ..) => return Err(wrong("'players' must be a list of strings".to_owned())),
            (_, _, None) => {
                let keys: Vec<_> = options.iter().map(key_of).collect();
                return Err(wrong(format!(
                    "there is no key '{key}'; the keys are: game, players, {}",
                    keys.join(", ")
                )));
            }
            (_, Value::Array(list), Some(_)) if list.is_empty() => {}
            // What is said on the command line counts more than the file.
            ("threads", ..) if matches.contains_id(key) => {}
            ("json" | "quiet" | "web", ..) if matches.get_flag(key) => {}
            (_, Value::Boolean(is), Some(option)) if is_flag(option) => {
                let flag = option.get_long().filter(|_| *is);
                arguments.extend(flag.map(|flag| format!("--{flag}").into()));
            }
            (_, _, Some(option)) => {
                let option = option.get_long().unwrap_or_default();
                arguments.push(format!("--{option}={text}").into());
            }
        }
    }
    // The commands that are printed at the end must be right in the folder of whoever reads them.
    if let Some(out) = matches.get_one::<PathBuf>("out").or(out.as_ref()) {
        let out = std::path::absolute(out).map_err(|error| wrong(error.to_string()))?;
        arguments.extend(["--out".into(), out.into()]);
    }
    if let Some(threads) = matches.get_one::<u16>("threads") {
        arguments.extend(["--threads".into(), threads.to_string().into()]);
    }
    for flag in ["json", "quiet", "web"] {
        if matches.get_flag(flag) {
            arguments.push(format!("--{flag}").into());
        }
    }
    arguments.push("--".into());
    arguments.extend(players.into_iter().map(OsString::from));
    std::env::set_current_dir(folder).map_err(|error| wrong(error.to_string()))?;
    Ok(arguments)
}

/// A value as one would write it on the command line.
fn plain(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Integer(number) => Some(number.to_string()),
        Value::Float(number) => Some(number.to_string()),
        Value::Boolean(is) => Some(if *is { "yes" } else { "no" }.to_owned()),
        Value::Array(list) => {
            let list: Option<Vec<String>> = list.iter().map(plain).collect();
            list.map(|list| list.join(","))
        }
        Value::Datetime(_) | Value::Table(_) => None,
    }
}

/// What is wrong with a file, and in which line.
fn first_line(error: &toml::de::Error, text: &str) -> String {
    let before = error.span().map_or("", |span| &text[..span.start]);
    let line = before.matches('\n').count() + 1;
    format!("line {line}: {}", error.message())
}
