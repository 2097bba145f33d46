//! What is told and written while a contest runs.

use std::io::{self, IsTerminal as _};
use std::path::PathBuf;
use std::time::{Duration, Instant, SystemTime};

use croupier_arena::{Contest, Cover, Progress, Report, Run, Store};
use croupier_core::shell_path;

use super::{note, write_files};
use crate::style::grouped;

/// When the first line of progress is told where there is no terminal for a bar.
const FIRST_LINE: Duration = Duration::from_secs(10);

/// The longest time between two such lines; from line to line it gets twice as long.
const BETWEEN_LINES: Duration = Duration::from_secs(300);

/// The shortest time between two reports.
const BETWEEN_REPORTS: Duration = Duration::from_secs(30);

/// So much longer than it takes to write a report is waited for the next one.
const WORTH_A_REPORT: u32 = 50;

/// The one who looks at a contest while it runs.
pub(super) struct Meanwhile {
    /// Where the report is written, if anywhere, and what it begins with.
    pub(super) out: Option<PathBuf>,
    cover: Cover,
    began: SystemTime,
    begun: Instant,
    next_report: Instant,
    lines: Option<Lines>,
}

impl Meanwhile {
    pub(super) fn new(out: Option<PathBuf>, cover: Cover, quiet: bool) -> Meanwhile {
        let begun = Instant::now();
        let is_silent = quiet || io::stderr().is_terminal();
        Meanwhile {
            out,
            cover,
            began: SystemTime::now(),
            begun,
            next_report: begun,
            lines: (!is_silent).then(Lines::default),
        }
    }

    /// What belongs to this run of the contest.
    pub(super) fn run(&self, contest: &Contest) -> Run {
        Run {
            began: self.began,
            took: self.begun.elapsed(),
            decisions: contest.decided(),
        }
    }

    /// The command that repeats a fault, before its number.
    pub(super) fn repeat(&self) -> Option<String> {
        let out = self.out.as_ref();
        out.map(|out| format!("croupier repro {}", shell_path(out)))
    }

    /// Tells how far the contest has come and writes its report, if it is time for that.
    pub(super) fn look(&mut self, contest: &Contest, store: &Store) {
        if let Some(lines) = &mut self.lines
            && let Some(line) = lines.after(self.begun.elapsed(), contest.progress())
        {
            note(&line);
        }
        let begun = Instant::now();
        if begun < self.next_report || contest.standings().games() == 0 {
            return;
        }
        if let Some(out) = &self.out {
            // One thread: the others are at work. What cannot be written now is written, or told,
            // at the end.
            if let Ok(mut report) = Report::new(contest, store, 1) {
                report.repeat = self.repeat();
                report.run = Some(self.run(contest));
                let _ = write_files(out, &self.cover, &report);
            }
            let rest = begun.elapsed() * WORTH_A_REPORT;
            self.next_report = Instant::now() + rest.max(BETWEEN_REPORTS);
        }
    }
}

/// The lines of progress, fewer and fewer.
#[derive(Debug)]
struct Lines {
    next: Duration,
    /// How many games there were when the contest went on this time.
    before: Option<u64>,
}

impl Default for Lines {
    fn default() -> Lines {
        Lines {
            next: FIRST_LINE,
            before: None,
        }
    }
}

impl Lines {
    /// The line that is due after this time, if one is.
    fn after(&mut self, time: Duration, progress: Progress) -> Option<String> {
        let before = *self.before.get_or_insert(progress.games);
        if time < self.next {
            return None;
        }
        self.next = time + time.min(BETWEEN_LINES);
        let Progress { games, of } = progress;
        let rate = (games - before) as f64 / time.as_secs_f64();
        let left = match rate > 0.0 {
            true => format!(", {}", about((of - games) as f64 / rate)),
            false => String::new(),
        };
        let (games, of) = (grouped(games), grouped(of));
        Some(format!("{games} of {of} games{left}"))
    }
}

/// So many seconds, as one would say it.
pub(crate) fn about(seconds: f64) -> String {
    let (number, unit) = match seconds {
        seconds if seconds < 100.0 => (seconds, "s"),
        seconds if seconds < 6_000.0 => (seconds / 60.0, "min"),
        seconds => (seconds / 3600.0, "h"),
    };
    format!("about {number:.0} {unit} left")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_fewer_and_fewer_and_tell_how_far_it_is() {
        let mut lines = Lines::default();
        let mut told = Vec::new();
        // Two games a second, looked at ten times a second, after 1000 games of an earlier day.
        for tenths in 0..20_000u64 {
            let games = 1000 + tenths / 5;
            let progress = Progress { games, of: 9000 };
            let time = Duration::from_millis(100 * tenths);
            told.extend(lines.after(time, progress).map(|line| (tenths / 10, line)));
        }
        let times: Vec<u64> = told.iter().map(|(time, _)| *time).collect();
        assert_eq!(
            times,
            [10, 20, 40, 80, 160, 320, 620, 920, 1220, 1520, 1820]
        );
        assert_eq!(told[0].1, "1,020 of 9,000 games, about 66 min left");
        assert_eq!(told[10].1, "4,640 of 9,000 games, about 36 min left");
    }

    #[test]
    fn a_contest_that_does_not_move_says_no_more_than_it_knows() {
        let progress = Progress { games: 8, of: 9 };
        let mut lines = Lines::default();
        assert_eq!(lines.after(Duration::ZERO, progress), None);
        let line = lines.after(FIRST_LINE, progress);
        assert_eq!(line.as_deref(), Some("8 of 9 games"));
    }
}
