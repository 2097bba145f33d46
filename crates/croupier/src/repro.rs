//! `croupier repro`: one recorded failure of a program, once more.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{fs, io};

use clap::ArgMatches;
use croupier_arena::Store;
use croupier_bots::{
    Bot, Entries, Excerpt, Fault, Folder, Hosted, House, HowEnded, Left, MachineFault, Preparation,
    Silence, answer, answers, is_answer, told,
};
use croupier_console::{Failure, WholeFile, harmless, print};
use croupier_core::quoted;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::offer::Offers;
use crate::style::{BOLD, DIM};
use crate::table::{self, not_taken};
use crate::tournament::store_failure;

/// A fault as it is kept in a folder.
#[derive(Serialize, Deserialize)]
pub(crate) struct Kept {
    format: u32,
    game: String,
    player: String,
    #[serde(flatten)]
    fault: Fault,
}

const FORMAT: u32 = 1;

/// How many lines are shown of what a program says on its standard error.
const MOST_ERRORS: usize = 20;

/// How many lines are shown of an answer at its beginning and at its end, and how much of each.
const MOST_LINES: usize = 50;
const MOST_LETTERS: usize = 2000;

/// How long a program has that fails only when it is told to end.
const AFTER_THE_END: Duration = Duration::from_secs(2);

/// How many legal moves are shown.
const MOST_MOVES: usize = 40;

/// How wide the list of moves is.
const WIDTH: usize = 100;

/// How much is shown of a file that a program has changed.
const MOST_OF_A_FILE: usize = 1 << 20;

/// Keeps a fault in the folder of its match.
pub(crate) fn keep(
    out: &Path,
    id: &str,
    game: &str,
    player: &str,
    fault: &Fault,
) -> Result<(), Failure> {
    let kept = Kept {
        format: FORMAT,
        game: game.to_owned(),
        player: player.to_owned(),
        fault: fault.clone(),
    };
    let text = serde_json::to_string_pretty(&kept).expect("a fault is plain JSON");
    WholeFile::create(&path(out, id))?.finish(format!("{text}\n").as_bytes())
}

fn path(out: &Path, id: &str) -> PathBuf {
    out.join("faults").join(format!("{id}.json"))
}

/// Runs the decision in which a program failed again, with the same input and limits.
pub(crate) fn repro(games: &Offers, matches: &ArgMatches) -> Result<(), Failure> {
    let folder = matches
        .get_one::<PathBuf>("folder")
        .expect("clap asks for it");
    let id = matches
        .get_one::<String>("fault")
        .expect("clap asks for it");
    let kept = read(folder, id)?;
    let game = games.decided(&kept.game)?;
    game.commands.repro(kept, matches)
}

/// Runs the decision of a game again.
pub(crate) fn again<G: Hosted>(kept: Kept, as_json: bool) -> Result<(), Failure> {
    let Kept {
        game,
        player,
        fault,
        ..
    } = kept;
    let exchange = &fault.exchange;
    let (arguments, input) = (&exchange.arguments, &exchange.input.0);
    let house = House::new(fault.tier, fault.limits.clone());
    let entries = Entries::default();
    let preparation = Preparation::new(&house, &entries);
    let program = table::prepare::<G>(&fault.program, fault.speech, &preparation)?;
    let answers = answers::<G>(fault.speech, input);
    // Who was asked for no move was only told to end.
    let is_the_end = answers.is_none() && exchange.legal.is_empty();
    let time = match is_the_end {
        true => fault.limits.start + AFTER_THE_END,
        false => fault.limits.decision,
    };
    let machine = |error: MachineFault| Failure::Machine(error.to_string());
    let (run, answer) = match &exchange.file {
        None => {
            let mut bot = Bot::take_on(program, &house).map_err(not_taken)?;
            let run = match answers {
                // It is started anew, and asked all that it was asked before in that game.
                Some(answers) => {
                    let is_answer = |line: &[u8]| is_answer::<G>(fault.speech, line);
                    let time = |answered| match answered {
                        0 => fault.limits.start + time,
                        _ => time,
                    };
                    bot.converse(arguments, input, answers, time, is_answer)
                }
                None => bot.run(arguments, input, time),
            };
            let run = run.map_err(machine)?;
            let answer = answer::<G>(fault.speech, &run.output).to_vec();
            (run, answer)
        }
        // A folder may come from anybody, and is not to say what is overwritten.
        Some(file) if Path::new(file).file_name() != Some(OsStr::new(file)) => {
            return Err(Failure::Usage(format!(
                "the fault cannot be repeated: '{file}' is no file in the program's own folder"
            )));
        }
        Some(file) => {
            let bot = Bot::take_on_in(Folder::Own, program, &house);
            let mut bot = bot.map_err(not_taken)?;
            let ran = bot.run_on_file(file, input, MOST_OF_A_FILE, arguments, time);
            let (run, left) = ran.map_err(machine)?;
            (run, text_of(left))
        }
    };
    let ended = match (&run.silence, run.ended.as_ref().map(|ended| &ended.how)) {
        (Some(Silence::Late), _) if is_the_end => Some("It did not end in time.".to_owned()),
        (Some(silence), _) => Some(format!("It was cut short: {silence}.")),
        (None, Some(HowEnded::Status(status))) => Some(format!("It ended with status {status}.")),
        (None, Some(HowEnded::Signal(signal))) => {
            Some(format!("It was killed by signal {signal}."))
        }
        (None, None) => None,
    };
    if as_json {
        let report = json!({
            "game": game,
            "player": player,
            "program": fault.program.display().to_string(),
            "sandbox": fault.tier,
            "kind": fault.kind,
            "detail": fault.detail,
            "input": told::<G>(fault.speech, &exchange.input.0),
            "legal": exchange.legal,
            "answer_then": String::from_utf8_lossy(&exchange.answer.0),
            "answer": String::from_utf8_lossy(&answer),
            "errors": run.errors.text(),
            "ended": ended,
        });
        return print(&format!("{report}\n"));
    }
    let heading = |text: &str| format!("{BOLD}{text}{BOLD:#}\n");
    let part = |bytes: &[u8]| {
        if bytes.is_empty() {
            return format!("  {DIM}nothing{DIM:#}\n");
        }
        let text = harmless(&String::from_utf8_lossy(bytes));
        text.lines()
            .map(|line| format!("  {line}\n"))
            .collect::<String>()
    };
    let mut text = heading(&format!(
        "{player} at {game}, as recorded: {}",
        harmless(&fault.detail)
    ));
    text += &format!(
        "{DIM}sandbox {}, {}{DIM:#}\n",
        fault.tier,
        harmless(&fault.program.to_string_lossy())
    );
    text += &heading("It was given");
    text += &part(told::<G>(fault.speech, &exchange.input.0).as_bytes());
    if !exchange.legal.is_empty() {
        text += &format!("{DIM}{}{DIM:#}", harmless(&list_of_moves(&exchange.legal)));
    }
    text += &heading("It answered then");
    text += &part(&in_brief(&exchange.answer.0));
    text += &heading("It answers now");
    text += &part(&in_brief(&answer));
    if run.errors.total() > 0 {
        text += &heading("and says on its standard error");
        text += &part(end_of(&run.errors).as_bytes());
    }
    text.extend(ended.map(|ended| ended + "\n"));
    print(&text)
}

/// An answer without the middle of it, if it is long: a program may have babbled.
fn in_brief(answer: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(answer);
    let lines = text.strip_suffix('\n').unwrap_or(&text).split('\n');
    let lines: Vec<String> = lines.map(|line| quoted(line, MOST_LETTERS)).collect();
    let left_out = lines.len().saturating_sub(2 * MOST_LINES);
    let mark = format!("[… {left_out} lines; --json shows them …]");
    let (beginning, end) = lines.split_at(lines.len().min(MOST_LINES));
    let end = &end[end.len().saturating_sub(MOST_LINES)..];
    let mark = (left_out > 0).then_some(mark);
    let lines: Vec<&str> = (beginning.iter().chain(&mark).chain(end))
        .map(String::as_str)
        .collect();
    lines.join("\n").into_bytes()
}

/// The end of what a program said, where most languages tell what went wrong.
fn end_of(errors: &Excerpt) -> String {
    let text = errors.text();
    let lines: Vec<&str> = text.lines().collect();
    let left_out = lines.len().saturating_sub(MOST_ERRORS);
    match left_out {
        0 => text,
        _ => format!(
            "… {left_out} earlier lines; --json shows them\n{}",
            lines[left_out..].join("\n")
        ),
    }
}

/// The legal moves, in lines that can be read.
fn list_of_moves(moves: &[String]) -> String {
    let shown = moves.iter().take(MOST_MOVES).map(String::as_str);
    let mut text = String::new();
    let mut line = "legal:".to_owned();
    for (number, choice) in shown.enumerate() {
        let comma = if number == 0 { "" } else { "," };
        if line.len() + comma.len() + 1 + choice.len() > WIDTH {
            text += &format!("{line}{comma}\n");
            line = format!("  {choice}");
        } else {
            line += &format!("{comma} {choice}");
        }
    }
    let rest = moves.len().saturating_sub(MOST_MOVES);
    let rest = match rest {
        0 => String::new(),
        _ => format!("\n  and {rest} more; --json shows them"),
    };
    format!("{text}{line}{rest}\n")
}

/// What a program has left of a file, as it is shown.
fn text_of(left: Left) -> Vec<u8> {
    match left {
        Left::Contents(bytes) => bytes,
        Left::TooLong => b"(a file that is too long)".to_vec(),
        Left::Nothing => b"(no file)".to_vec(),
        Left::Unreadable(reason) => format!("(it cannot be read: {reason})").into_bytes(),
    }
}

fn read(folder: &Path, id: &str) -> Result<Kept, Failure> {
    let folder_name = folder.display();
    if !folder.is_dir() {
        return Err(Failure::Usage(match folder.exists() {
            true => format!("{folder_name} is not a folder"),
            false => format!("the folder {folder_name} does not exist"),
        }));
    }
    let none = |reason: &str| {
        Failure::Usage(format!(
            "there is no fault '{id}' in {folder_name}: {reason}"
        ))
    };
    if let Some(store) = Store::find_to_read(folder).map_err(store_failure)? {
        let kept = of_contest(&store, id)?;
        return kept.ok_or_else(|| none("the contest kept no fault with this ID"));
    }
    if id.contains(['/', '.']) {
        return Err(none("an ID looks like 1-1"));
    }
    let file = path(folder, id);
    let damaged = |reason: String| {
        Failure::Usage(format!(
            "the fault in {} cannot be read: {reason}",
            file.display()
        ))
    };
    let text = fs::read_to_string(&file).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound if folder.join("faults").is_dir() => {
            none("the match kept no fault with this ID")
        }
        io::ErrorKind::NotFound => none("no match or contest is kept there"),
        _ => damaged(error.to_string()),
    })?;
    let kept: Kept = serde_json::from_str(&text)
        .map_err(|error| damaged(format!("the file is damaged: {error}")))?;
    if kept.format != FORMAT {
        return Err(damaged(format!(
            "it has format {}, but this croupier reads format {FORMAT}",
            kept.format
        )));
    }
    Ok(kept)
}

/// A fault of a contest.
fn of_contest(store: &Store, id: &str) -> Result<Option<Kept>, Failure> {
    let game = store.settings().map_err(store_failure)?.game;
    let found = store.fault(id).map_err(store_failure)?;
    let read = |(player, fault): (String, String)| {
        let fault = serde_json::from_str(&fault)
            .map_err(|error| Failure::Usage(format!("the fault '{id}' cannot be read: {error}")))?;
        Ok(Kept {
            format: FORMAT,
            game,
            player,
            fault,
        })
    };
    found.map(read).transpose()
}
