//! How long does a game of War take?

use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::Instant;

use clap::ArgMatches;
use croupier_arena::{Interval, mean_interval, share_interval, sweep};
use croupier_console::{Failure, WholeFile, game_options, print, seed};
use croupier_core::{Game, Seed};
use croupier_games::war::{Setup, Survey, War};
use serde_json::json;

use super::histogram::Histogram;
use super::{stop_on_ctrl_c, threads};
use crate::progress;
use crate::style::{BOLD, DIM, grouped, width};

/// Plays many games of War and prints what was found.
pub(super) fn simulate(matches: &ArgMatches) -> Result<(), Failure> {
    let setup = War::setup(&game_options(&War::PROFILE, matches)?)
        .map_err(|error| Failure::Usage(error.to_string()))?;
    let games = *matches.get_one("games").expect("it has a default");
    let plot = matches.get_one::<PathBuf>("plot");
    let plot = plot.map(|path| WholeFile::create(path)).transpose()?;
    let seed = seed(matches)?;
    let threads = threads(matches);
    let stop = stop_on_ctrl_c()?;
    let bar = progress::bar(games, matches.get_flag("quiet") || matches.get_flag("json"));

    let start = Instant::now();
    let swept = sweep(
        games,
        threads,
        &stop,
        |deals| Survey::play(&setup, seed, deals),
        |all: &mut Survey, some| all.merge(&some),
        |played| bar.set_position(played),
    );
    let seconds = start.elapsed().as_secs_f64();
    bar.finish_and_clear();

    let report = Report {
        setup,
        seed,
        threads,
        seconds,
        survey: swept.found,
    };
    if let Some(plot) = plot {
        plot.finish(report.svg().as_bytes())?;
    }
    if matches.get_flag("json") {
        print(&format!("{}\n", report.json()))?;
    } else {
        print(&report.text(width()))?;
    }
    if swept.played < games {
        return Err(Failure::Interrupted(format!(
            "stopped after {played} of {games} games, which are shown; all of them: {again}",
            played = swept.played,
            again = report.command(games),
        )));
    }
    Ok(())
}

/// What was found, and in what.
struct Report {
    setup: Setup,
    seed: Seed,
    threads: usize,
    seconds: f64,
    survey: Survey,
}

impl Report {
    /// The options as they would be given on the command line.
    fn options(&self) -> Vec<String> {
        let setup = serde_json::to_value(self.setup).expect("a setup is plain JSON");
        let options = War::PROFILE.options.iter();
        options
            .filter_map(|option| match &setup[option.name.replace('-', "_")] {
                serde_json::Value::Null => None,
                serde_json::Value::String(word) => Some(format!("--{} {word}", option.name)),
                number => Some(format!("--{} {number}", option.name)),
            })
            .collect()
    }

    fn command(&self, games: u64) -> String {
        format!(
            "croupier simulate war --games {games} --seed {} {}",
            self.seed,
            self.options().join(" ")
        )
    }

    fn games_per_second(&self) -> f64 {
        self.survey.games as f64 / self.seconds.max(1e-9)
    }

    fn text(&self, columns: usize) -> String {
        let Survey {
            games, wars, wins, ..
        } = self.survey;
        let survey = &self.survey;
        let finished = survey.finished();
        let mut text = format!(
            "{BOLD}War{BOLD:#}, {} games in {:.2} s: {} games a second on {} thread{}\n\
             {DIM}{}{DIM:#}\n\n",
            grouped(games),
            self.seconds,
            grouped(self.games_per_second() as u64),
            self.threads,
            if self.threads == 1 { "" } else { "s" },
            format_args!("--seed {} {}", self.seed, self.options().join(" ")),
        );
        let mut row = |name: &str, value: String, interval: Option<(Interval, usize, &str)>| {
            let interval = interval.map_or(String::new(), |([low, high], digits, unit)| {
                format!("{low:.digits$} – {high:.digits$}{unit}")
            });
            let line = format!("  {name:<22}{value:>10}   {interval}");
            let _ = writeln!(text, "{}", line.trim_end());
        };
        let percent = |hits: u64, of: u64| {
            let [low, high] = share_interval(hits, of);
            Some(([100.0 * low, 100.0 * high], 4, " %"))
        };
        let share = |hits: u64, of: u64| format!("{:.3} %", 100.0 * hits as f64 / of.max(1) as f64);
        row("", "found".into(), None);
        if let Some((mean, sd)) = survey.turns.mean_and_sd() {
            let quantile = |share| grouped(survey.turns.quantile(share).unwrap_or(0));
            let interval = mean_interval(mean, sd, finished);
            row(
                "turns a game, mean",
                format!("{mean:.2}"),
                Some((interval, 2, "")),
            );
            row("  standard deviation", format!("{sd:.2}"), None);
            row("  median", quantile(0.5), None);
            row("  95 % are at most", quantile(0.95), None);
            row("  99 % are at most", quantile(0.99), None);
            row("  shortest", quantile(0.0), None);
            row("  longest", quantile(1.0), None);
            let wars = wars as f64 / finished as f64;
            row("wars a game, mean", format!("{wars:.3}"), None);
            row(
                "player 0 wins",
                share(wins[0], finished),
                percent(wins[0], finished),
            );
        }
        row("draws", grouped(survey.draws), None);
        row(
            "endless games",
            grouped(survey.endless),
            percent(survey.endless, games),
        );
        if self.setup.max_turns.is_some() {
            row(
                "stopped games",
                grouped(survey.stopped),
                percent(survey.stopped, games),
            );
        }
        text = text.replacen("found\n", "found   95 % interval\n", 1);
        if finished > 0 {
            text += "\n  turns\n";
            text += &Histogram::new(survey.turns.counts(), 24).text(columns);
        }
        text
    }

    /// Turns and wars cover finished games, as does the share of the first player's wins; the
    /// share of endless games is one of all games.
    fn json(&self) -> serde_json::Value {
        let survey = &self.survey;
        let finished = survey.finished();
        let moments = survey.turns.mean_and_sd();
        let quantile = |share| survey.turns.quantile(share);
        let share = |hits: u64, of: u64| (of > 0).then(|| hits as f64 / of as f64);
        json!({
            "game": "war",
            "games": survey.games,
            "seed": self.seed,
            "threads": self.threads,
            "options": self.setup,
            "finished": finished,
            "turns": {
                "mean": moments.map(|(mean, _)| mean),
                "mean_ci95": moments.map(|(mean, sd)| mean_interval(mean, sd, finished)),
                "sd": moments.map(|(_, sd)| sd),
                "median": quantile(0.5),
                "p95": quantile(0.95),
                "p99": quantile(0.99),
                "min": quantile(0.0),
                "max": quantile(1.0),
            },
            "wars": { "mean": share(survey.wars, finished) },
            "first_player_wins": {
                "share": share(survey.wins[0], finished),
                "ci95": share_interval(survey.wins[0], finished),
            },
            "draws": { "count": survey.draws },
            "endless": {
                "count": survey.endless,
                "share": share(survey.endless, survey.games),
                "ci95": share_interval(survey.endless, survey.games),
            },
            "stopped": { "count": survey.stopped },
            "seconds": self.seconds,
            "games_per_second": self.games_per_second(),
        })
    }

    fn svg(&self) -> String {
        let title = format!("War: the length of {} games", grouped(self.survey.games));
        let subtitle = format!("--seed {} {}", self.seed, self.options().join(" "));
        Histogram::new(self.survey.turns.counts(), 60).svg(&title, &subtitle)
    }
}
