//! `croupier tournament`: contests between many that can be stopped, resumed and trusted.

mod config;
mod meanwhile;
mod merge;
mod penalty;
mod roster;
mod shown;
mod web;

use std::ffi::OsString;
use std::fmt::Display;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::ArgMatches;
use croupier_arena::{
    Anchor, Contest, Cover, CutShort, Enrolled, Entrant, Format, Hosting, RankBy, Report, Seatings,
    Settings, Shard, Store, StoreError, Unplayed, Who, Withdrawn, seal,
};
use croupier_bots::{Bot, Hosted, House, Tier};
use croupier_cluster::{Coordinator, Ended, Holding};
use croupier_console::{Failure, WholeFile, contest_options, parse, print, seed};
use croupier_core::{Drawn, Seed, counted, shell_path};
use serde::Deserialize as _;
use serde::de::DeserializeOwned;
use serde_json::Value;

use self::meanwhile::Meanwhile;
pub(crate) use self::meanwhile::about;
pub(crate) use self::merge::{Part, unite};
use self::penalty::{Penalty, penalties};
use self::roster::{Roster, stored, without_clones};
pub(crate) use self::web::Web;
use crate::entrants::Entry;
use crate::offer::Offers;
use crate::players::{self, Named};
use crate::simulate::threads;
use crate::style::{DIM, grouped};
use crate::table::not_taken;
use crate::{cli, cluster, house, progress};

/// Holds the contest that the command line asks for.
pub(crate) fn tournament(games: &Offers, matches: &ArgMatches) -> Result<(), Failure> {
    if let Some((game, matches)) = matches.subcommand() {
        let web = web(games, matches)?;
        return games.decided(game)?.commands.begin(matches, web);
    }
    if matches.get_flag("example") {
        return print(&config::example(games));
    }
    if let Some(folder) = matches.get_one::<PathBuf>("resume") {
        let store = Store::open(folder).map_err(store_failure)?;
        let settings = store.settings().map_err(store_failure)?;
        let game = games.decided(&settings.game)?;
        let web = web(games, matches)?;
        return game.commands.resume(store, settings, matches, web);
    }
    if matches.contains_id("merge") {
        return merge::merge(games, matches);
    }
    if let Some(file) = matches.get_one::<PathBuf>("config") {
        let arguments = config::arguments(games, file, matches)?;
        return held_by(games, arguments).map_err(|failure| match failure {
            Failure::Usage(wrong) => Failure::Usage(format!("{}: {wrong}", file.display())),
            other => other,
        });
    }
    Err(Failure::Usage(
        "a tournament needs a game and players, or --config FILE.toml, --resume DIR or --merge DIR…".to_owned(),
    ))
}

/// What shows the contest in a browser, if that is wanted.
fn web(games: &Offers, matches: &ArgMatches) -> Result<Option<Web>, Failure> {
    let is_wanted = matches.get_flag("web");
    is_wanted.then(|| Web::new(games)).transpose()
}

/// Holds the contest that this command line asks for.
fn held_by(games: &Offers, arguments: Vec<OsString>) -> Result<(), Failure> {
    let matches = parse(&mut cli::command(games), arguments)?;
    match matches.as_ref().and_then(ArgMatches::subcommand) {
        Some((_, matches)) => tournament(games, matches),
        None => Ok(()),
    }
}

/// Begins the contest that options describe.
pub(crate) fn begin<G: Hosted + Drawn>(
    matches: &ArgMatches,
    web: Option<Web>,
) -> Result<(), Failure> {
    let options = contest_options(&G::PROFILE, matches)?;
    let setup = G::setup(&options).map_err(|error| Failure::Usage(error.to_string()))?;
    let seats = G::deal(&setup, Seed(0)).seats();
    let mut players = players::read(Vec::new(), &words(matches, "player"), 0)?;
    let mut staff = staff::<G>(words(matches, "staff"), seats)?;
    let house = house::read(matches, Tier::Strict, G::DECISION)?;
    let mut settings = Settings {
        game: G::NAME.to_owned(),
        version: G::VERSION,
        setup: serde_json::to_value(&setup).expect("a setup is plain JSON"),
        seats,
        format: chosen(matches, "format").unwrap_or(Format::RoundRobin),
        rounds: *matches.get_one("contest-rounds").expect("it has a default"),
        seatings: chosen(matches, "seatings").unwrap_or(Seatings::usual::<G>(seats)),
        rank_by: *matches.get_one("rank-by").unwrap_or(&RankBy::usual::<G>()),
        anchor: matches.get_one("anchor").cloned(),
        seed: seed(matches)?,
        sandbox: house.tier,
        limits: house.limits.clone(),
        records: matches
            .get_one::<String>("records")
            .map(|records| records == "yes"),
        suspend_after: *matches
            .get_one::<Option<u64>>("suspend-after")
            .expect("it has a default"),
        shard: None,
    };
    if let Some(&shard) = matches.get_one::<Shard>("shard") {
        let sharded = settings.sharded::<G>(shard);
        settings = sharded.map_err(|error| Failure::Usage(error.to_string()))?;
    }
    let out = matches.get_one::<PathBuf>("out").cloned();
    let before = out.as_ref().map(|folder| Store::find(folder)).transpose();
    let before = before.map_err(store_failure)?.flatten();
    let mut roster = Roster::default();
    if let (Some(folder), Some(store)) = (&out, &before) {
        let before = store.settings().map_err(store_failure)?;
        if !matches.contains_id("seed") {
            settings.seed = before.seed;
        }
        if !matches.contains_id("records") {
            settings.records = before.records;
        }
        if !matches.contains_id("rank-by") {
            settings.rank_by = before.rank_by;
        }
        if !matches.contains_id("anchor") {
            settings.anchor = before.anchor.clone();
        }
        must_agree(folder, &before, &settings)?;
        roster = Roster::of(store)?;
        players = roster.begun_again(folder, players)?;
        if words(matches, "staff").is_empty() {
            staff = stored(&roster.staff)?;
        }
        staff_must_agree(folder, &roster.staff, &staff)?;
    }
    let coordinator = coordinator(matches)?;
    let entry = Entry::<G> {
        setup: &setup,
        house: &house,
        is_strict: matches.get_flag("strict-entry"),
    };
    let held = Held::<G> {
        coordinator,
        players: entry.entrants(players, &roster.players)?,
        staff: staff_entrants(&entry, staff, &roster.staff)?,
        withdrawn: roster.withdrawn,
        settings,
        setup: setup.clone(),
        out,
        house: house.clone(),
        tells_faults: matches.get_flag("penalties"),
    };
    let contest = held.contest()?;
    held.can_hold_programs()?;
    // A contest that is refused leaves nothing behind.
    let passing = web.as_ref().map(|web| web.folder(G::NAME));
    let store = match (before, held.out.as_ref().or(passing.as_ref())) {
        (Some(store), _) => Ok(store),
        (None, Some(folder)) => Store::create(folder),
        (None, None) => Store::passing(),
    };
    held.hold(contest, store.map_err(store_failure)?, matches, web)
}

/// Goes on with a contest as it was begun.
pub(crate) fn resume<G: Hosted + Drawn>(
    store: Store,
    mut settings: Settings,
    matches: &ArgMatches,
    web: Option<Web>,
) -> Result<(), Failure> {
    if settings.version != G::VERSION {
        return Err(Failure::Usage(format!(
            "the contest was begun with version {} of the rules of {}, but this croupier has version {}",
            settings.version,
            G::PROFILE.title,
            G::VERSION
        )));
    }
    let setup = G::Setup::deserialize(&settings.setup)
        .map_err(|error| Failure::Usage(format!("the setup of the contest is invalid: {error}")))?;
    if let Some(&rounds) = matches.get_one::<u64>("contest-rounds") {
        if rounds < settings.rounds {
            return Err(Failure::Usage(format!(
                "the contest has {} rounds: there can be more, but not fewer, such as {rounds}",
                settings.rounds
            )));
        }
        settings.rounds = rounds;
    }
    let mut roster = Roster::of(&store)?;
    let enrolled = roster.players.clone();
    let (named, stay) = roster.change(&words(matches, "add"), &words(matches, "withdraw"))?;
    let house = house::open(settings.sandbox, settings.limits.clone(), matches)?;
    let entry = Entry::<G> {
        setup: &setup,
        house: &house,
        is_strict: matches.get_flag("strict-entry"),
    };
    let coordinator = coordinator(matches)?;
    let players = entry.entrants(named, &enrolled)?;
    let held = Held::<G> {
        coordinator,
        players: without_clones(players, stay),
        staff: staff_entrants(&entry, stored(&roster.staff)?, &roster.staff)?,
        withdrawn: roster.withdrawn,
        out: matches.get_one::<PathBuf>("resume").cloned(),
        settings,
        setup: setup.clone(),
        house: house.clone(),
        tells_faults: false,
    };
    let contest = held.contest()?;
    held.can_hold_programs()?;
    held.hold(contest, store, matches, web)
}

/// The coordinator of a contest that others play, if the command line names a server.
fn coordinator(matches: &ArgMatches) -> Result<Option<Coordinator>, Failure> {
    let address = cluster::address(matches);
    let coordinator = address.map(|address| Coordinator::connect(&address));
    coordinator.transpose().map_err(cluster::failure)
}

/// Why a contest ended before its time.
enum Cut {
    /// Here.
    Here(CutShort),
    /// On many machines.
    Elsewhere(Ended),
}

/// A contest, and what it is held with.
struct Held<G: Hosted> {
    /// Who has it played, if that is done elsewhere.
    coordinator: Option<Coordinator>,
    settings: Settings,
    setup: G::Setup,
    players: Vec<Entrant>,
    staff: Vec<Entrant>,
    withdrawn: Vec<Withdrawn>,
    out: Option<PathBuf>,
    house: House,
    /// Whether every fault is told at the end.
    tells_faults: bool,
}

impl<G: Hosted + Drawn> Held<G> {
    /// The contest, if it can be held.
    fn contest(&self) -> Result<Contest, Failure> {
        let seats = self.settings.seats;
        let unusable = self.players.iter().filter(|one| one.fault().is_some());
        let unusable: Vec<&str> = unusable.map(|one| one.name.as_str()).collect();
        let able = self.players.len() - unusable.len();
        if able < seats && (self.settings.format != Format::Gauntlet || able == 0) {
            let wrong = cli::wrong_number(&G::PROFILE, seats, able);
            return Err(Failure::Usage(match unusable.as_slice() {
                [] => wrong,
                unusable => format!(
                    "{wrong}; {} cannot be used: croupier check {} shows why",
                    unusable.join(", "),
                    G::NAME,
                ),
            }));
        }
        let (players, staff) = (self.players.clone(), self.staff.clone());
        if let Some(Anchor { name, .. }) = &self.settings.anchor {
            let names = players.iter().chain(&staff);
            let names: Vec<&str> = names.map(|entrant| entrant.name.as_str()).collect();
            if !names.contains(&name.as_str()) {
                return Err(Failure::Usage(format!(
                    "the ratings cannot be anchored to '{name}', who does not take part; the players are: {}",
                    names.join(", ")
                )));
            }
        }
        Contest::new::<G>(self.settings.clone(), players, staff)
            .map_err(|error| Failure::Usage(error.to_string()))
    }

    /// Whether programs can be held as they are to be, if any take part.
    fn can_hold_programs(&self) -> Result<(), Failure> {
        if self.house.is_stopped() {
            // Not all may have been asked for their names, which they would keep.
            let stopped = "stopped before the first game";
            return Err(Failure::Interrupted(stopped.to_owned()));
        }
        let mut all = self.players.iter().chain(&self.staff);
        let program = all.find_map(|entrant| match &entrant.who {
            Who::Program(program, _) => Some(program.clone()),
            Who::BuiltIn(_) | Who::Guest(_) | Who::Unusable { .. } | Who::Elsewhere => None,
        });
        let bot = program.map(|program| Bot::take_on(program, &self.house));
        bot.transpose().map(drop).map_err(not_taken)
    }

    fn hold(
        self,
        mut contest: Contest,
        mut store: Store,
        matches: &ArgMatches,
        web: Option<Web>,
    ) -> Result<(), Failure> {
        store
            .enter(&self.settings, &self.players, &self.staff, &self.withdrawn)
            .map_err(store_failure)?;

        let passing = web.as_ref().map(|web| web.folder(G::NAME));
        let folder = self.out.clone().or(passing);
        let showing = web.zip(folder.as_ref());
        let showing = showing.map(|(web, folder)| web.show(folder)).transpose()?;
        if let Some(showing) = &showing {
            note(&format!(
                "the contest is shown at {} while it runs",
                showing.url
            ));
        }
        let as_json = matches.get_flag("json");
        let quiet = as_json || matches.get_flag("quiet");
        let cover = Cover::of::<G>(croupier_server::DRAWN);
        let is_silent = matches.get_flag("quiet");
        let mut meanwhile = Meanwhile::new(self.out.clone(), cover.clone(), is_silent);
        if !quiet {
            print(&format!(
                "{DIM}SHA-256 of the seed: {}{DIM:#}\n",
                seal(&contest)
            ))?;
        }
        let progress = contest.progress();
        let bar = progress::contest(progress.of, quiet);
        let entrants = contest.entrants()[..contest.players()].to_vec();
        let ranking = contest.ranking();
        let hosting = Hosting {
            house: &self.house,
            threads: threads(matches),
            keeps_all_faults: self.tells_faults,
        };
        let mut look = |contest: &Contest, store: &Store| {
            bar.set_position(contest.progress().games);
            if !bar.is_hidden() {
                bar.set_message(shown::so_far(&entrants, contest.standings(), ranking));
            }
            meanwhile.look(contest, store);
        };
        let played = match (&self.coordinator, &self.house.interrupt) {
            (Some(coordinator), Some(interrupt)) => {
                let holding = Holding {
                    fresh_processes: self.house.fresh_processes,
                    keeps_all_faults: self.tells_faults,
                    auditing: cluster::auditing(&contest, matches),
                    folder: folder.as_deref(),
                    interrupt,
                    tell: cluster::note,
                };
                let held = coordinator.hold(&mut contest, &mut store, holding, &mut look);
                held.map_err(Cut::Elsewhere)
            }
            _ => {
                let played = contest.play::<G>(&self.setup, &mut store, &hosting, &mut look);
                played.map_err(Cut::Here)
            }
        };
        bar.finish_and_clear();
        self.tell_open_audits(&store);
        let mut report = Report::new(&contest, &store, hosting.threads).map_err(store_failure)?;
        report.repeat = meanwhile.repeat();
        report.run = Some(meanwhile.run(&contest));
        let penalties = match self.tells_faults {
            true => penalties::<G>(&store)?,
            false => Vec::new(),
        };
        // The files first: who reads what is printed may stop reading.
        let kept = match &self.out {
            Some(out)
                if !matches!(
                    played,
                    Err(Cut::Here(CutShort::Store(_)) | Cut::Elsewhere(Ended::Store(_)))
                ) =>
            {
                write_files(out, &cover, &report).map(|()| Some(out.join("report.html")))
            }
            _ => Ok(None),
        };
        if as_json {
            let mut json = report.json();
            for speed in ["seconds", "decisions_per_second"] {
                json[speed] = json["run"][speed].clone();
            }
            if self.tells_faults {
                json["penalties"] = penalties.iter().map(Penalty::json).collect();
            }
            print(&format!("{json}\n"))?;
        } else {
            penalties
                .iter()
                .try_for_each(|penalty| print(&penalty.text()))?;
            let everybody = 0..contest.entrants().len();
            let all = everybody.map(|number| contest.standings().of(number).faults);
            let (told, all) = (penalties.len() as u64, all.sum::<u64>());
            if self.tells_faults && told < all {
                print(&format!(
                    "{told} of {all} penalties are shown: games played without --penalties kept only \
                     some of them, and a suspended program gives no answers\n\n"
                ))?;
            }
            print(&shown::table::<G>(&contest, &report))?;
        }
        if let Some(page) = kept?
            && !as_json
        {
            print(&format!("\n  {DIM}{}{DIM:#}\n", page.display()))?;
        }
        if let (Some(shard), false) = (self.settings.shard, quiet) {
            print(&format!(
                "  {DIM}This is shard {shard} alone; croupier tournament --merge DIR… unites all{DIM:#}\n"
            ))?;
        }
        if let (Some(showing), Ok(())) = (showing, &played) {
            showing.end();
        }
        played.map_err(|error| self.cut_short(error, &contest))
    }

    /// Tells of blocks of which it is still not known whether their worker can be trusted.
    fn tell_open_audits(&self, store: &Store) {
        // A store that fails is told as such.
        let open = store.audits().map_or(0, |open| open.len());
        let Some(out) = self.out.as_ref().filter(|_| open > 0) else {
            return;
        };
        let wait = if open == 1 { "waits" } else { "wait" };
        note(&format!(
            "{} still {wait} to be audited: croupier tournament --resume {} --nats URL --audit 0% goes on with \
             that",
            counted(open as u64, "block"),
            shell_path(out)
        ));
    }

    /// How to go on after a contest was cut short.
    fn cut_short(&self, cut: Cut, contest: &Contest) -> Failure {
        let progress = contest.progress();
        let how = match &self.out {
            Some(out) => format!("croupier tournament --resume {} goes on", shell_path(out)),
            None => format!(
                "--seed {} plays them again; --out DIR would keep them",
                self.settings.seed
            ),
        };
        let games = format!(
            "{} of {} games",
            grouped(progress.games),
            grouped(progress.of)
        );
        let machine = |reason: String| Failure::Machine(format!("{reason}; after {games}; {how}"));
        let error = match cut {
            Cut::Here(error) => error,
            Cut::Elsewhere(Ended::Stopped) => CutShort::Unplayed(Unplayed::Stopped),
            Cut::Elsewhere(Ended::Store(error)) => CutShort::Store(error),
            Cut::Elsewhere(Ended::Cluster(error)) => {
                return match cluster::failure(error) {
                    Failure::Machine(reason) => machine(reason),
                    other => other,
                };
            }
            Cut::Elsewhere(error @ (Ended::SetAside(_) | Ended::Differs(_))) => {
                return machine(error.to_string());
            }
        };
        match error {
            CutShort::Unplayed(Unplayed::Stopped | Unplayed::Left) => {
                Failure::Interrupted(format!("stopped after {games}; {how}"))
            }
            CutShort::Unplayed(Unplayed::NotTaken(error)) => not_taken(error),
            CutShort::Unplayed(error @ Unplayed::Machine(_)) => machine(error.to_string()),
            CutShort::Store(error) => match store_failure(error) {
                Failure::Machine(reason) => machine(reason),
                other => other,
            },
        }
    }
}

/// Writes the report in all its forms.
fn write_files(out: &Path, cover: &Cover, report: &Report<'_>) -> Result<(), Failure> {
    let json = serde_json::to_string_pretty(&report.json()).expect("a report is plain JSON");
    let files = [
        ("report.html", report.html(cover)),
        ("report.json", json + "\n"),
        ("standings.csv", report.standings_csv()),
        ("pairs.csv", report.pairs_csv()),
    ];
    files
        .into_iter()
        .try_for_each(|(name, text)| WholeFile::create(&out.join(name))?.finish(text.as_bytes()))
}

/// Who fills empty seats: those that are named, or else the players that come with the game, one
/// after the other, but for the expert.
fn staff<G: Hosted>(named: Vec<String>, seats: usize) -> Result<Vec<Named>, Failure> {
    if named.len() >= seats {
        return Err(Failure::Usage(format!(
            "at a table of {seats} at most {} seats can be empty, but --staff names {} players",
            seats - 1,
            named.len()
        )));
    }
    let usual = G::PLAYERS.iter().map(|player| player.name.to_owned());
    let specs: Vec<String> = match named.is_empty() {
        true => usual.filter(|name| name != "expert").collect(),
        false => named,
    };
    let mut staff = players::in_turn(players::read(Vec::new(), &specs, 0)?, seats - 1)?;
    for one in &mut staff {
        one.name += " (house)";
        one.given = true;
    }
    Ok(staff)
}

/// Before the identity of those who belong to the staff: whoever plays too is somebody else there.
const STAFF: &str = "staff-";

/// The staff, ready for a contest.
fn staff_entrants<G: Hosted>(
    entry: &Entry<'_, G>,
    staff: Vec<Named>,
    before: &[Enrolled],
) -> Result<Vec<Entrant>, Failure> {
    // Without its staff a contest cannot be held.
    let entry = Entry::<G> {
        is_strict: true,
        ..*entry
    };
    let mut before = before.to_vec();
    for one in &mut before {
        one.identity = one.identity.replacen(STAFF, "", 1);
    }
    let mut staff = entry.entrants(staff, &before)?;
    for entrant in &mut staff {
        entrant.identity = format!("{STAFF}{}", entrant.identity);
    }
    Ok(staff)
}

/// With another staff all games with the staff would be others.
fn staff_must_agree(folder: &Path, before: &[Enrolled], now: &[Named]) -> Result<(), Failure> {
    let before: Vec<&str> = before.iter().map(|one| one.spec.as_str()).collect();
    let now: Vec<String> = now.iter().map(Named::spec_from_anywhere).collect();
    match before == now {
        true => Ok(()),
        false => Err(another(
            folder,
            "the staff",
            before.join(","),
            now.join(","),
        )),
    }
}

/// A folder belongs to a contest in which this is not what it would have to be now.
fn another(folder: &Path, what: &str, before: impl Display, now: impl Display) -> Failure {
    Failure::Usage(format!(
        "{} belongs to another contest, in which {what} is {before}, not {now}; choose another folder, \
         or go on with croupier tournament --resume {}",
        folder.display(),
        shell_path(folder),
    ))
}

/// A folder that belongs to another contest is not touched. A contest may get more rounds, another
/// anchor, and be ranked in another way if its games do not depend on that.
fn must_agree(folder: &Path, before: &Settings, now: &Settings) -> Result<(), Failure> {
    let mut before = before.clone();
    before.rounds = before.rounds.max(now.rounds);
    before.anchor = now.anchor.clone();
    if before.format != Format::Swiss {
        before.rank_by = now.rank_by;
    }
    match settings_differ(&before, now) {
        None => Ok(()),
        Some([key, before, now]) => Err(another(folder, &key, before, now)),
    }
}

/// The first setting in which two contests differ, and what it is in each.
fn settings_differ(before: &Settings, now: &Settings) -> Option<[String; 3]> {
    let [before, now] = [before, now]
        .map(|settings| serde_json::to_value(settings).expect("settings are plain JSON"));
    let settings = |value: &Value| value.as_object().cloned().unwrap_or_default();
    let mut keys: Vec<String> = settings(&before).keys().cloned().collect();
    keys.extend(settings(&now).keys().cloned());
    let key = keys
        .into_iter()
        .find(|key| before.get(key) != now.get(key))?;
    let [before, now] = [before, now].map(|settings| match settings.get(&key) {
        None | Some(Value::Null) => "none".to_owned(),
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
    });
    Some([key, before, now])
}

/// Says something about a contest that does not belong to its result.
fn note(text: &str) {
    // Nobody who reads it is no reason to stop.
    let _ = writeln!(std::io::stderr(), "croupier: {text}");
}

/// A machine that fails is one thing; a store that is not what it should be is bad input.
pub(crate) fn store_failure(error: StoreError) -> Failure {
    match error {
        StoreError::Machine { .. } => Failure::Machine(error.to_string()),
        StoreError::Damaged { .. } => Failure::Usage(format!(
            "{error}; what is in it cannot be trusted: begin again in another folder"
        )),
        _ => Failure::Usage(error.to_string()),
    }
}

/// The words given for an option.
fn words(matches: &ArgMatches, name: &str) -> Vec<String> {
    let words = matches.get_many::<String>(name).unwrap_or_default();
    words.cloned().collect()
}

/// One of several words that mean something.
fn chosen<T: DeserializeOwned>(matches: &ArgMatches, name: &str) -> Option<T> {
    let word = matches.get_one::<String>(name)?;
    serde_json::from_value(Value::from(word.as_str())).ok()
}
