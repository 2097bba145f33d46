//! What belongs to one run of a contest and not to its result: when it was, how long it took, how
//! fast programs decided. Two runs of one contest differ in this and in nothing else.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use croupier_bots::Times;
use serde_json::{Value, json};

use super::rounded;

/// One run of a contest.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Run {
    /// When it began.
    pub began: SystemTime,
    /// How long was played, this time.
    pub took: Duration,
    /// How many decisions were made, this time.
    pub decisions: u64,
}

impl Run {
    /// How many decisions were made a second.
    pub fn decisions_per_second(&self) -> f64 {
        self.decisions as f64 / self.took.as_secs_f64().max(1e-9)
    }

    /// When it began, as dates are written everywhere: `2026-11-16T09:46:32Z`.
    pub fn date(&self) -> String {
        let since = self.began.duration_since(UNIX_EPOCH).unwrap_or_default();
        let (days, seconds) = (since.as_secs() / 86_400, since.as_secs() % 86_400);
        let [year, month, day] = civil(days);
        let [hour, minute, second] = [seconds / 3_600, seconds / 60 % 60, seconds % 60];
        format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
    }

    pub(super) fn json(&self) -> Value {
        json!({
            "date": self.date(),
            "seconds": rounded(self.took.as_secs_f64(), 3),
            "decisions": self.decisions,
            "decisions_per_second": rounded(self.decisions_per_second(), 1),
        })
    }
}

/// Year, month and day so many days after the first of January 1970, in the Gregorian calendar.
fn civil(days: u64) -> [u64; 3] {
    // Years that begin in March have their leap day at the end; 400 of them have 146,097 days.
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 {
        (month + 3, 0)
    } else {
        (month - 9, 1)
    };
    [era * 400 + year + next, month, day]
}

/// A time that was measured, in three digits: `1.25 ms`.
pub fn measured(took: Duration) -> String {
    let micros = took.as_micros() as f64;
    match micros {
        micros if micros < 1_000.0 => format!("{micros:.0} µs"),
        micros if micros < 1e6 => digits(micros / 1e3, "ms"),
        micros if micros < 120e6 => digits(micros / 1e6, "s"),
        micros => format!("{:.0} min", micros / 60e6),
    }
}

fn digits(number: f64, unit: &str) -> String {
    let decimals = match number {
        number if number < 10.0 => 2,
        number if number < 100.0 => 1,
        _ => 0,
    };
    format!("{number:.decimals$} {unit}")
}

/// The times of a program's decisions.
pub(super) fn times_json(name: &str, times: &Times) -> Value {
    let millis = |took: Option<Duration>| took.map(|took| rounded(took.as_secs_f64() * 1e3, 3));
    json!({
        "name": name,
        "decisions": times.decisions(),
        "median_ms": millis(times.median()),
        "slowest_ms": millis(times.slowest()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compared with `date -u -d @…`.
    #[test]
    fn dates_are_those_of_the_calendar() {
        for (seconds, date) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_709_251_199, "2024-02-29T23:59:59Z"),
            (1_735_689_599, "2024-12-31T23:59:59Z"),
            (1_794_822_392, "2026-11-16T09:46:32Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
        ] {
            let run = Run {
                began: UNIX_EPOCH + Duration::from_secs(seconds),
                took: Duration::ZERO,
                decisions: 0,
            };
            assert_eq!(run.date(), date);
        }
    }

    #[test]
    fn times_have_three_digits_and_a_unit() {
        let told = [
            7,
            950,
            1_250,
            31_400,
            840_000,
            2_000_000,
            45_000_000,
            600_000_000,
        ]
        .map(|micros| measured(Duration::from_micros(micros)));
        assert_eq!(
            told,
            [
                "7 µs", "950 µs", "1.25 ms", "31.4 ms", "840 ms", "2.00 s", "45.0 s", "10 min"
            ]
        );
    }
}
