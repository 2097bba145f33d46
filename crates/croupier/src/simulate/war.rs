//! How long does a game of War take?

use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::Instant;

use clap::{Arg, ArgMatches, ValueHint, value_parser};
use croupier_arena::{
    Interval, mean_interval, quantile_interval, sd_interval, share_interval, sweep,
};
use croupier_console::{Failure, WholeFile, game_options, print, seed};
use croupier_core::{Offered as _, Seed};
use croupier_games::war::{Histogram, Setup, Survey, War};
use serde_json::{Value, json};

use super::histogram;
use super::threads;
use crate::offer::Simulation;
use crate::style::{self, BOLD, DIM, grouped, width};
use crate::{house, progress};

/// The simulation of War: how long a game takes.
pub(crate) const SIMULATION: Simulation = Simulation {
    flags,
    run: simulate,
};

fn flags() -> Vec<Arg> {
    vec![
        Arg::new("plot")
            .long("plot")
            .value_name("FILE.svg")
            .value_parser(value_parser!(PathBuf))
            .value_hint(ValueHint::FilePath)
            .help("Write the histogram as a picture"),
    ]
}

/// Plays many games of War and prints what was found.
fn simulate(matches: &ArgMatches) -> Result<(), Failure> {
    let setup = War::setup(&game_options(&War::PROFILE, matches)?)
        .map_err(|error| Failure::Usage(error.to_string()))?;
    let games = *matches.get_one("games").expect("it has a default");
    let plot = matches.get_one::<PathBuf>("plot");
    let plot = plot.map(|path| WholeFile::create(path)).transpose()?;
    let seed = seed(matches)?;
    let threads = threads(matches);
    let interrupt = house::interrupt()?;
    let bar = progress::bar(games, matches.get_flag("quiet") || matches.get_flag("json"));

    let start = Instant::now();
    let swept = sweep(
        games,
        threads,
        interrupt.cancel(),
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
            "stopped after {played} of {games} games, which are shown; to play all of them: {again}",
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

    /// The mean of the wars in a finished game.
    fn wars(&self) -> Option<f64> {
        share(self.survey.wars, self.survey.finished())
    }

    /// The intervals of mean and standard deviation of the turns.
    fn turns_intervals(&self) -> Option<[Interval; 2]> {
        let (turns, finished) = (&self.survey.turns, self.survey.finished());
        let (mean, sd) = turns.mean_and_sd()?;
        let counts = turns.counts().iter().enumerate();
        let fourth: f64 = counts
            .map(|(turns, &games)| games as f64 * (turns as f64 - mean).powi(4))
            .sum();
        let fourth = fourth / finished as f64;
        let intervals = [
            mean_interval(mean, sd, finished),
            sd_interval(sd, fourth, finished),
        ];
        // One game does not tell how much games differ.
        (finished > 1).then_some(intervals)
    }

    /// The interval of a quantile of the turns.
    fn quantile_interval(&self, share: f64) -> Option<[u64; 2]> {
        let (turns, finished) = (&self.survey.turns, self.survey.finished());
        let [low, high] = quantile_interval(share, finished);
        let interval = [turns.quantile(low)?, turns.quantile(high)?];
        (finished > 1).then_some(interval)
    }

    /// The interval of the wars in a game.
    fn wars_interval(&self) -> Option<Interval> {
        let (mean, finished) = (self.wars()?, self.survey.finished());
        let games = finished as f64;
        let squares = self.survey.squared_wars as f64 - games * mean * mean;
        let sd = (squares.max(0.0) / (games - 1.0)).sqrt();
        (finished > 1).then(|| mean_interval(mean, sd, finished))
    }

    fn text(&self, columns: usize) -> String {
        let survey = &self.survey;
        let (games, finished) = (survey.games, survey.finished());
        let mut text = format!(
            "{BOLD}War{BOLD:#}, {} in {:.2} s: {} games a second on {} thread{}\n\
             {DIM}{}{DIM:#}\n\n",
            style::games(games),
            self.seconds,
            grouped(self.games_per_second() as u64),
            self.threads,
            if self.threads == 1 { "" } else { "s" },
            format_args!("--seed {} {}", self.seed, self.options().join(" ")),
        );
        let mut row = |name: &str, value: String, interval: String| {
            let line = format!("  {name:<22}{value:>10}   {interval}");
            let _ = writeln!(text, "{}", line.trim_end());
        };
        let none = || "none from one game".to_owned();
        let between = |interval: Option<Interval>, digits: usize| {
            interval.map_or_else(none, |[low, high]| {
                format!("{low:.digits$} – {high:.digits$}")
            })
        };
        let percent = |hits: u64, of: u64| {
            let [low, high] = share_interval(hits, of);
            format!("{:.4} – {:.4} %", 100.0 * low, 100.0 * high)
        };
        row("", "found".into(), "95 % interval".into());
        if let Some((mean, sd)) = survey.turns.mean_and_sd() {
            let [of_mean, of_sd] = self
                .turns_intervals()
                .map_or([None; 2], |both| both.map(Some));
            row(
                "turns a game, mean",
                format!("{mean:.2}"),
                between(of_mean, 2),
            );
            row(
                "  standard deviation",
                format!("{sd:.2}"),
                between(of_sd, 2),
            );
            let quantile = |share| grouped(survey.turns.quantile(share).unwrap_or(0));
            for (name, share) in [
                ("  median", 0.5),
                ("  95 % are at most", 0.95),
                ("  99 % are at most", 0.99),
            ] {
                let interval = self
                    .quantile_interval(share)
                    .map_or_else(none, |[low, high]| {
                        format!("{} – {}", grouped(low), grouped(high))
                    });
                row(name, quantile(share), interval);
            }
            row("  shortest", quantile(0.0), String::new());
            row("  longest", quantile(1.0), String::new());
            let wars = format!("{:.3}", self.wars().unwrap_or_default());
            row("wars a game, mean", wars, between(self.wars_interval(), 3));
            let won = 100.0 * survey.wins[0] as f64 / finished as f64;
            row(
                "player 0 wins",
                format!("{won:.3} %"),
                percent(survey.wins[0], finished),
            );
        }
        row(
            "draws",
            grouped(survey.draws),
            percent(survey.draws, finished),
        );
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
        if finished > 0 {
            text += "\n  turns\n";
            text += &histogram::text(&Histogram::new(survey.turns.counts(), 24), columns);
        }
        text
    }

    /// Turns and wars cover finished games, as do the shares of the first player's wins and of
    /// draws; the shares of endless and of stopped games are those of all games.
    fn json(&self) -> Value {
        let survey = &self.survey;
        let finished = survey.finished();
        let moments = survey.turns.mean_and_sd();
        let intervals = self.turns_intervals();
        let quantile = |share| survey.turns.quantile(share);
        let counted = |hits: u64, of: u64| {
            let interval = share_interval(hits, of);
            json!({"count": hits, "share": share(hits, of), "ci95": interval})
        };
        json!({
            "game": "war",
            "games": survey.games,
            "seed": self.seed,
            "threads": self.threads,
            "options": self.setup,
            "finished": finished,
            "turns": {
                "mean": moments.map(|(mean, _)| mean),
                "mean_ci95": intervals.map(|[mean, _]| mean),
                "sd": moments.map(|(_, sd)| sd),
                "sd_ci95": intervals.map(|[_, sd]| sd),
                "median": quantile(0.5),
                "median_ci95": self.quantile_interval(0.5),
                "p95": quantile(0.95),
                "p95_ci95": self.quantile_interval(0.95),
                "p99": quantile(0.99),
                "p99_ci95": self.quantile_interval(0.99),
                "min": quantile(0.0),
                "max": quantile(1.0),
            },
            "wars": { "mean": self.wars(), "mean_ci95": self.wars_interval() },
            "first_player_wins": {
                "share": share(survey.wins[0], finished),
                "ci95": share_interval(survey.wins[0], finished),
            },
            "draws": counted(survey.draws, finished),
            "endless": counted(survey.endless, survey.games),
            "stopped": counted(survey.stopped, survey.games),
            "seconds": self.seconds,
            "games_per_second": self.games_per_second(),
        })
    }

    fn svg(&self) -> String {
        let title = format!("War: the length of {}", style::games(self.survey.games));
        let subtitle = format!("--seed {} {}", self.seed, self.options().join(" "));
        histogram::svg(
            &Histogram::new(self.survey.turns.counts(), 60),
            &title,
            &subtitle,
        )
    }
}

/// How many of these there were for each of those; nothing of none.
fn share(hits: u64, of: u64) -> Option<f64> {
    (of > 0).then(|| hits as f64 / of as f64)
}
