//! `croupier work` and `croupier cluster status`: contests on many machines.

use std::io::Write as _;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Arg, ArgAction, ArgMatches, Command, ValueHint, value_parser};
use croupier_arena::{ClusterStatus, Contest, Who};
use croupier_bots::{Interrupt, Tier, user_cache};
use croupier_cluster::wire::Need;
use croupier_cluster::{
    Address, Auditing, ClusterError, Hiring, Overview, overview, work as work_at,
};
use croupier_console::{Failure, print};
use serde_json::{Value, json};

use crate::arguments::{json_flag, threads_flag};
use crate::offer::Offers;
use crate::simulate::threads;
use crate::style::{BOLD, DIM, grouped};
use crate::{doctor, house};

/// A name that is longer is shown in part.
const LONGEST_NAME: usize = 40;

/// The signal with which an operating system asks a program to end.
const SIGTERM: i32 = 15;

/// `croupier work`.
pub(crate) fn work_command() -> Command {
    Command::new("work")
        .about("Plays games for contests that are held on other machines, over a NATS server")
        .after_help(
            "Example:\n  croupier work --nats nats://lab.example.org:4222 --creds worker.creds",
        )
        .args(server_flags(true))
        .arg(
            Arg::new("sandbox")
                .long("sandbox")
                .value_name("TIER")
                .value_parser(["none", "limits", "strict"])
                .hide_possible_values(true)
                .help(
                    "The loosest tier in which this machine runs other people's programs: none, limits or \
                     strict [default: strict]",
                ),
        )
        .arg(
            Arg::new("name")
                .long("name")
                .value_name("NAME")
                .help("The name of this worker [default: the name of the machine]"),
        )
        .arg(
            Arg::new("cache")
                .long("cache")
                .value_name("DIR")
                .value_parser(value_parser!(PathBuf))
                .value_hint(ValueHint::DirPath)
                .help("Keep programs in this folder [default: in the user's cache]"),
        )
        .arg(threads_flag())
}

/// `croupier cluster`.
pub(crate) fn cluster_command() -> Command {
    Command::new("cluster")
        .about("Tells about contests on many machines")
        .after_help("Example:\n  croupier cluster status --nats nats://lab.example.org:4222")
        .subcommand_required(true)
        .disable_help_subcommand(true)
        .subcommand(
            Command::new("status")
                .about("Shows workers, rates, what is waiting, faults and the estimated end")
                .after_help(
                    "Example:\n  croupier cluster status --nats nats://lab.example.org:4222",
                )
                .args(server_flags(true))
                .arg(json_flag()),
        )
}

/// How a NATS server is reached.
pub(crate) fn server_flags(required: bool) -> Vec<Arg> {
    let file = |name: &'static str, help: &'static str| {
        let flag = Arg::new(name).long(name).value_name("FILE").help(help);
        let flag = flag.value_parser(value_parser!(PathBuf));
        let flag = flag.value_hint(ValueHint::FilePath);
        flag.requires("nats")
    };
    let flags = vec![
        Arg::new("nats")
            .long("nats")
            .value_name("URL")
            .required(required)
            .help(match required {
                true => "The NATS server: nats://HOST:4222, or tls://HOST:4222",
                false => {
                    "Have the games played by workers, over this NATS server: nats://HOST:4222"
                }
            }),
        Arg::new("nats-monitoring")
            .long("nats-monitoring")
            .value_name("URL")
            .requires("nats")
            .help("Where the server tells of its health [default: port 8222 of its machine]"),
        file("creds", "Credentials for the server"),
        file("tls-ca", "Certificates of those who vouch for the server"),
        file("tls-cert", "The certificate with which to show who we are").requires("tls-key"),
        file("tls-key", "The key of that certificate").requires("tls-cert"),
    ];
    let heading = "Options for many machines";
    let flags = flags.into_iter();
    match required {
        true => flags.collect(),
        false => flags.map(|flag| flag.help_heading(heading)).collect(),
    }
}

/// What a contest on many machines has besides.
pub(crate) fn contest_flags() -> Vec<Arg> {
    let mut flags = server_flags(false);
    let more = [
        Arg::new("audit")
            .long("audit")
            .value_name("SHARE")
            .value_parser(share)
            .help("Have this share of the blocks, such as 2%, played again by another worker"),
        Arg::new("audit-programs")
            .long("audit-programs")
            .action(ArgAction::SetTrue)
            .requires("audit")
            .help("Audit blocks with programs too: these must do the same from the same seed"),
        Arg::new("audit-goes-on")
            .long("audit-goes-on")
            .action(ArgAction::SetTrue)
            .requires("audit")
            .help("Tell of results that differ, and go on with the first"),
    ];
    let heading = "Options for many machines";
    flags.extend(more.map(|flag| flag.requires("nats").help_heading(heading)));
    flags
}

/// A share in percent, from 0 to 1.
fn share(text: &str) -> Result<f64, String> {
    let share = text
        .strip_suffix('%')
        .and_then(|text| text.trim().parse().ok());
    let share = share.filter(|share: &f64| (0.0..=100.0).contains(share));
    let share = share.map(|share| share / 100.0);
    share.ok_or_else(|| "it must be a share from 0% to 100%, such as 2%".to_owned())
}

/// The server that the command line names, if it names one.
pub(crate) fn address(matches: &ArgMatches) -> Option<Address> {
    let file = |name: &str| matches.get_one::<PathBuf>(name).cloned();
    Some(Address {
        url: matches.get_one::<String>("nats")?.clone(),
        creds: file("creds"),
        ca: file("tls-ca"),
        certificate: file("tls-cert").zip(file("tls-key")),
        monitoring: matches.get_one::<String>("nats-monitoring").cloned(),
    })
}

/// What the command line wants to be audited of a contest, if anything.
pub(crate) fn auditing(contest: &Contest, matches: &ArgMatches) -> Option<Auditing> {
    let share = *matches.get_one::<f64>("audit")?;
    let programs = matches.get_flag("audit-programs");
    let entrants = contest.entrants().iter();
    let deterministic = entrants.map(|entrant| match &entrant.who {
        // What is thought within a time depends on the machine.
        Who::BuiltIn(spec) => !spec.contains("time="),
        Who::Program(..) => programs,
        Who::Guest(_) | Who::Unusable { .. } | Who::Elsewhere => false,
    });
    Some(Auditing {
        share,
        deterministic: deterministic.collect(),
        goes_on: matches.get_flag("audit-goes-on"),
    })
}

/// What is wrong with a server is bad input if another command would help.
pub(crate) fn failure(error: ClusterError) -> Failure {
    match error {
        ClusterError::Wrong(text) => Failure::Usage(text),
        ClusterError::Failed(text) => Failure::Machine(text),
    }
}

/// Works until it is told to stop.
pub(crate) fn work(games: &Offers, matches: &ArgMatches) -> Result<(), Failure> {
    let address = address(matches).expect("clap asks for it");
    let chosen = matches
        .get_one::<String>("sandbox")
        .map(|tier| tier.parse());
    let chosen: Option<Tier> = chosen.transpose().map_err(Failure::Usage)?;
    let loosest = chosen.unwrap_or(Tier::Strict);
    let mut needs = vec![Need::BuiltIn];
    let tiers = Tier::ALL.into_iter().rev();
    let at_least = Tier::ALL.iter().position(|tier| *tier == loosest);
    for tier in tiers.take(Tier::ALL.len() - at_least.unwrap_or(0)) {
        match doctor::attempt(tier) {
            Ok(_) => needs.push(Need::Tier(tier)),
            Err(reason) if chosen == Some(tier) => {
                return Err(Failure::Machine(format!(
                    "this machine cannot enforce the tier {tier}: {reason}"
                )));
            }
            Err(reason) => note(&format!(
                "this machine cannot enforce the tier {tier} and plays nothing that needs it: {reason}"
            )),
        }
    }
    let interrupt = house::interrupt()?;
    let terminated = Interrupt::install(&[SIGTERM])
        .map_err(|error| Failure::machine("prepare for SIGTERM", &error))?;
    std::thread::spawn({
        let (terminated, interrupt) = (terminated.clone(), interrupt.clone());
        move || {
            while !terminated.is_raised() {
                std::thread::sleep(Duration::from_millis(50));
            }
            interrupt.raise();
        }
    });
    let hiring = Hiring {
        name: match matches.get_one::<String>("name") {
            Some(name) => name.clone(),
            None => machine_name(),
        },
        threads: threads(matches),
        needs,
        benches: games
            .with_decisions()
            .map(|game| game.commands.bench())
            .collect(),
        folder: match matches.get_one::<PathBuf>("cache") {
            Some(folder) => folder.clone(),
            None => user_cache("work")
                .map_err(|error| Failure::machine("make a folder for programs", &error))?,
        },
        interrupt: interrupt.clone(),
        tell: note,
        address,
    };
    work_at(hiring).map_err(failure)?;
    match terminated.is_raised() {
        true => Ok(()),
        false => Err(Failure::Interrupted("stopped".to_owned())),
    }
}

fn machine_name() -> String {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    match name.trim() {
        "" => "worker".to_owned(),
        name => name.to_owned(),
    }
}

/// Says something that a person should know.
pub(crate) fn note(text: &str) {
    // Nobody who reads it is no reason to stop.
    let text = croupier_console::harmless(text).replace('\n', "\\n");
    let _ = writeln!(std::io::stderr(), "croupier: {text}");
}

/// Tells how contests on many machines stand.
pub(crate) fn status(matches: &ArgMatches) -> Result<(), Failure> {
    let address = address(matches).expect("clap asks for it");
    let overview = overview(&address).map_err(failure)?;
    print(&match matches.get_flag("json") {
        true => format!("{}\n", as_json(&overview)),
        false => as_text(&overview),
    })
}

/// What others call themselves, for a terminal.
fn shown(name: &str) -> String {
    croupier_core::quoted(name, LONGEST_NAME)
}

fn as_json(overview: &Overview) -> Value {
    let contests: Vec<Value> = (overview.contests.iter())
        .map(|status| {
            let mut json = serde_json::to_value(status).expect("a status is plain JSON");
            json["seconds_left"] = json!(status.seconds_left());
            json
        })
        .collect();
    json!({ "contests": contests, "idle_workers": overview.idle })
}

fn as_text(overview: &Overview) -> String {
    if overview.contests.is_empty() {
        let idle = overview.idle.iter();
        let idle: Vec<String> = idle
            .map(|(name, threads)| format!("  {}, {threads} at a time\n", shown(name)))
            .collect();
        return match idle.is_empty() {
            true => "No contest is held, and no worker waits.\n".to_owned(),
            false => format!("No contest is held. These workers wait:\n{}", idle.concat()),
        };
    }
    overview.contests.iter().map(contest_text).collect()
}

fn contest_text(status: &ClusterStatus) -> String {
    let left = match status.seconds_left() {
        Some(seconds) => format!(", {}", crate::tournament::about(seconds)),
        None => String::new(),
    };
    let mut text = format!(
        "{BOLD}{}{BOLD:#}, {} of {} games, {:.1} a second{left}\n{DIM}contest {}{DIM:#}\n\n",
        shown(&status.game),
        grouped(status.games),
        grouped(status.of),
        status.rate,
        shown(&status.contest),
    );
    text += &format!(
        "  batches: {} being played, {} waiting",
        status.playing, status.waiting
    );
    if status.set_aside > 0 {
        text += &format!(", {} set aside", status.set_aside);
    }
    let (audited, open) = status.audited;
    if audited + open > 0 {
        text += &format!("; {audited} blocks audited, {open} to be");
    }
    text += "\n";
    if let Some(latency) = &status.latency {
        let [median, most] = latency.whole;
        text += &format!(
            "  a batch takes {median:.1} s from its publication to the commit, 99 % at most {most:.1} s\n"
        );
    }
    text += "\n";
    let names: Vec<String> = status.workers.iter().map(|one| shown(&one.name)).collect();
    let widths = names.iter().map(|name| name.chars().count());
    let widest = widths.max().unwrap_or(0).max("worker".len());
    text += &format!(
        "  {:<widest$}  {:>7}  {:>7}  {:>10}  {:>9}  {:>14}  {:>6}\n",
        "worker", "threads", "batches", "blocks", "a second", "machine faults", "heard"
    );
    for (name, worker) in names.iter().zip(&status.workers) {
        text += &format!(
            "  {name:<widest$}  {:>7}  {:>7}  {:>10}  {:>9.1}  {:>14}  {:>4.0} s\n",
            worker.threads,
            worker.holds,
            grouped(worker.blocks),
            worker.rate,
            grouped(worker.machine_faults),
            worker.heard,
        );
    }
    text + "\n"
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// A worker calls itself what it likes.
    #[test]
    fn a_name_does_nothing_to_the_terminal() {
        let name = format!("\u{1b}[2J\n{}", "long".repeat(20));
        let text = as_text(&Overview {
            contests: Vec::new(),
            idle: BTreeMap::from([(name, 2)]),
        });
        let shown = format!(
            "  \\u{{1b}}[2J\\n{}…, 2 at a time\n",
            &"long".repeat(20)[..35]
        );
        assert!(text.ends_with(&shown), "{text:?}");
    }

    #[test]
    fn a_share_is_given_in_percent() {
        assert_eq!(share("2%"), Ok(0.02));
        assert_eq!(share("0.5%"), Ok(0.005));
        for wrong in ["2", "-1%", "101%", "many", "nan%", "%"] {
            assert!(share(wrong).is_err(), "{wrong}");
        }
    }
}
