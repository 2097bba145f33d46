//! `croupier doctor`: what this machine can enforce for untrusted programs.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use clap::ArgMatches;
use croupier_bots::{Bot, House, HowEnded, Limits, Program, Tier};
use croupier_console::{Failure, print};
use serde_json::json;

use crate::style::{BOLD, DIM};

/// Tries every tier with a program that does nothing, and tells what came of it.
pub(crate) fn doctor(matches: &ArgMatches) -> Result<(), Failure> {
    let found: Vec<(Tier, Result<(), String>)> = Tier::ALL
        .into_iter()
        .map(|tier| (tier, attempt(tier)))
        .collect();
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
            json!({"tiers": tiers, "reasons": reasons})
        ));
    }
    let mut text =
        format!("{BOLD}What this machine can enforce for untrusted programs{BOLD:#}\n\n");
    for (tier, given) in found {
        let (mark, reason) = match given {
            Ok(()) => ("yes", String::new()),
            Err(reason) => ("no", format!("  {reason}\n")),
        };
        text += &format!(
            "  {:<8}{mark:<5}{DIM}{}{DIM:#}\n{reason}",
            tier.to_string(),
            promise(tier)
        );
    }
    print(&text)
}

fn promise(tier: Tier) -> &'static str {
    match tier {
        Tier::None => "trusted like what is typed into a shell; what it leaves behind is killed",
        Tier::Limits => "limits on time, memory, processes, files and output; a clean environment",
        Tier::Strict => "and no network, no files but its own, no sight of other processes",
    }
}

fn attempt(tier: Tier) -> Result<(), String> {
    let said = |error: &dyn std::fmt::Display| error.to_string();
    let nothing = ["/usr/bin/true", "/bin/true"]
        .into_iter()
        .find(|path| Path::new(path).exists());
    let nothing = nothing.ok_or("there is no program 'true' to try it with")?;
    let program = Program::prepare(Path::new(nothing)).map_err(|error| said(&error))?;
    let house = House::new(tier, Limits::default());
    let mut bot = Bot::take_on(program, &house).map_err(|error| said(&error))?;
    let run = bot
        .run(&[], b"", Duration::from_secs(5))
        .map_err(|error| said(&error))?;
    match (run.silence, run.ended.map(|ended| ended.how)) {
        (None, Some(HowEnded::Status(0))) => Ok(()),
        (silence, ended) => Err(format!(
            "a program that does nothing ended with {silence:?} {ended:?}"
        )),
    }
}
