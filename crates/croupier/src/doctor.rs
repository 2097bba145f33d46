//! `croupier doctor`: what this machine can enforce for untrusted programs.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::ArgMatches;
use croupier_bots::{
    Bot, Entries, House, HowEnded, Language, Limits, Preparation, Program, Tier, python_here,
};
use croupier_console::{Failure, print};
use serde_json::json;

use crate::style::{BOLD, DIM};

/// Tries every tier with a program that does nothing, and tells what came of it.
pub(crate) fn doctor(matches: &ArgMatches) -> Result<(), Failure> {
    let found: Vec<(Tier, Result<Vec<String>, String>)> = Tier::ALL
        .into_iter()
        .map(|tier| (tier, attempt(tier)))
        .collect();
    let counted = found.iter().flat_map(|(_, given)| given.as_deref());
    let counted = counted.max_by_key(|counted| counted.len());
    let counted = counted.unwrap_or_default().to_vec();
    let languages = languages();
    if matches.get_flag("json") {
        let tiers: BTreeMap<String, bool> = found
            .iter()
            .map(|(tier, given)| (tier.to_string(), given.is_ok()))
            .collect();
        let reasons: BTreeMap<String, &str> = found
            .iter()
            .filter_map(|(tier, given)| Some((tier.to_string(), given.as_ref().err()?.as_str())))
            .collect();
        return print(&format!(
            "{}\n",
            json!({
                "tiers": tiers,
                "reasons": reasons,
                "control_group": counted,
                "languages": BTreeMap::from(languages.map(|(name, found)| {
                    (name, found.ok().map(|place| place.display().to_string()))
                })),
            })
        ));
    }
    let mut text =
        format!("{BOLD}What this machine can enforce for untrusted programs{BOLD:#}\n\n");
    for (tier, given) in found {
        let (mark, reason) = match given {
            Ok(_) => ("yes", String::new()),
            Err(reason) => ("no", format!("  {reason}\n")),
        };
        text += &format!(
            "  {:<8}{mark:<5}{DIM}{}{DIM:#}\n{reason}",
            tier.to_string(),
            promise(tier)
        );
    }
    text += &format!("\n  {}\n", counting(&counted));
    text += &format!("\n{BOLD}Languages whose sources it can compile or run{BOLD:#}\n\n");
    for (name, found) in languages {
        text += &match found {
            Ok(place) => format!("  {name:<8}yes  {DIM}{}{DIM:#}\n", place.display()),
            Err(reason) => format!("  {name:<8}no   {reason}\n"),
        };
    }
    print(&text)
}

/// The languages whose sources are programs too, with what they are compiled or run by.
fn languages() -> [(&'static str, Result<PathBuf, String>); 3] {
    let [c, cpp] = Language::ALL.map(|language| (language.name(), language.compiler_here()));
    [c, cpp, ("Python", python_here())]
        .map(|(name, found)| (name, found.map_err(|error| error.to_string())))
}

/// Who counts what all processes of a program use together.
fn counting(counted: &[String]) -> String {
    match counted {
        [] => "The total use of all processes of a program is watched by its supervisor:\n  \
               control groups cannot be created here."
            .to_owned(),
        counted => format!(
            "The total use of all processes of a program is counted by the kernel, in control\n  \
             groups: {}.",
            counted.join(", ")
        ),
    }
}

fn promise(tier: Tier) -> &'static str {
    match tier {
        Tier::None => "trusted like a command typed into a shell; what it leaves running is killed",
        Tier::Limits => "limits on time, memory, processes, files and output; a clean environment",
        Tier::Strict => "also no network, no files but its own, no sight of other processes",
    }
}

/// Runs a program that does nothing; gives what the kernel counts for it.
pub(crate) fn attempt(tier: Tier) -> Result<Vec<String>, String> {
    let said = |error: &dyn std::fmt::Display| error.to_string();
    let nothing = ["/usr/bin/true", "/bin/true"]
        .into_iter()
        .find(|path| Path::new(path).exists());
    let nothing = nothing.ok_or("there is no program 'true' to try it with")?;
    let house = House::new(tier, Limits::default());
    let alone = Entries::default();
    let program = Program::prepare(Path::new(nothing), &Preparation::new(&house, &alone))
        .map_err(|error| said(&error))?;
    let mut bot = Bot::take_on(program, &house).map_err(|error| said(&error))?;
    let run = bot
        .run(&[], b"", Duration::from_secs(5))
        .map_err(|error| said(&error))?;
    match (run.silence, run.ended.map(|ended| ended.how)) {
        (None, Some(HowEnded::Status(0))) => Ok(bot.counted_by_kernel().to_vec()),
        (silence, ended) => Err(format!(
            "a program that does nothing ended with {silence:?} {ended:?}"
        )),
    }
}
