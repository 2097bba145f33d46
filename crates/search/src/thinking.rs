//! How long an expert thinks, and the options that say so.

use std::num::{NonZeroU64, NonZeroUsize};
use std::time::Duration;

use croupier_core::{Options, parse_duration};

use crate::Level;

/// The options of every expert, each with its meaning in a few words.
pub const OPTIONS: &[(&str, &str)] = &[
    ("time", "how long it thinks about a move [default: 100ms]"),
    (
        "iterations",
        "how many games it simulates for a move, instead of a time",
    ),
    (
        "level",
        "from 1 to 10: weaker by thinking less and by plausible mistakes, instead of a time",
    ),
    ("threads", "how many threads think [default: 1]"),
];

/// How long an expert thinks about a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Budget {
    /// So many simulated games. The same seed and view then give the same choice, on any machine and
    /// with any number of threads.
    Iterations(NonZeroU64),
    /// So long.
    Time(Duration),
}

/// How an expert thinks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Thinking {
    /// How long.
    pub budget: Budget,
    /// With how many threads.
    pub threads: NonZeroUsize,
}

/// How much work goes into each deal that an expert samples.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pace {
    /// Many deals, each sampled quickly.
    Brisk,
    /// Fewer deals, from a better approximation of the posterior: for a budget so large that more
    /// deals would hardly reduce the error.
    Thorough,
}

/// The most threads: more would only be in each other's way.
const MOST_THREADS: usize = 1024;

/// The largest budgets with which the pace is brisk.
const BRISK_ITERATIONS: u64 = 2_000;
const BRISK_TIME: Duration = Duration::from_millis(25);

impl Default for Thinking {
    fn default() -> Thinking {
        Thinking {
            budget: Budget::Time(Duration::from_millis(100)),
            threads: NonZeroUsize::MIN,
        }
    }
}

impl Thinking {
    /// With one thread, and so many simulated games.
    pub const fn iterations(count: NonZeroU64) -> Thinking {
        Thinking {
            budget: Budget::Iterations(count),
            threads: NonZeroUsize::MIN,
        }
    }

    /// How much work goes into each deal.
    pub fn pace(&self) -> Pace {
        let brisk = match self.budget {
            Budget::Iterations(all) => all.get() <= BRISK_ITERATIONS,
            Budget::Time(time) => time <= BRISK_TIME,
        };
        if brisk { Pace::Brisk } else { Pace::Thorough }
    }

    /// What these options ask for, or what is wrong with them; also how strong the expert plays, if
    /// that is limited.
    pub fn from_options(options: &Options) -> Result<(Thinking, Option<Level>), String> {
        let (mut thinking, mut level) = (Thinking::default(), None);
        let budgets = ["time", "iterations", "level"];
        let mut given = budgets.iter().filter(|name| options.contains_key(**name));
        if let (Some(one), Some(other)) = (given.next(), given.next()) {
            return Err(format!(
                "{one} or {other} says how long it thinks, not both"
            ));
        }
        for (name, value) in options {
            let wrong = |range| format!("{name} is a whole number from 1 {range}, not '{value}'");
            match name.as_str() {
                "time" => thinking.budget = Budget::Time(parse_duration(value)?),
                "iterations" => {
                    let count = value.parse().map_err(|_| wrong("on".to_owned()))?;
                    thinking.budget = Budget::Iterations(count);
                }
                "level" => {
                    let asked = value.parse().ok().and_then(Level::new);
                    let highest = Level::HIGHEST.number();
                    let asked = asked.ok_or_else(|| wrong(format!("to {highest}")))?;
                    thinking.budget = asked.thinking().budget;
                    level = Some(asked);
                }
                "threads" => {
                    let threads = value.parse().ok();
                    let few = threads.filter(|count: &NonZeroUsize| count.get() <= MOST_THREADS);
                    thinking.threads = few.ok_or_else(|| wrong(format!("to {MOST_THREADS}")))?;
                }
                _ => return Err(format!("it has no option '{name}'")),
            }
        }
        Ok((thinking, level))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn thinking(options: &[(&str, &str)]) -> Result<Thinking, String> {
        let owned = options.iter().map(|&(n, v)| (n.to_owned(), v.to_owned()));
        Thinking::from_options(&owned.collect()).map(|(thinking, _)| thinking)
    }

    #[test]
    fn an_expert_thinks_for_a_tenth_of_a_second_unless_it_is_told_otherwise() {
        let default = thinking(&[]);
        assert_eq!(default, thinking(&[("time", "100ms"), ("threads", "1")]));
        let both = thinking(&[("iterations", "500"), ("threads", "2")]).map(|t| t.budget);
        assert_eq!(
            both,
            Ok(Budget::Iterations(NonZeroU64::new(500).expect("500")))
        );
    }

    #[test]
    fn what_makes_no_sense_is_told() {
        for (options, said) in [
            (
                [("time", "1s"), ("iterations", "9")].as_slice(),
                "time or iterations says how long it thinks, not both",
            ),
            (
                &[("level", "3"), ("iterations", "9")],
                "iterations or level says how long it thinks, not both",
            ),
            (
                &[("level", "11")],
                "level is a whole number from 1 to 10, not '11'",
            ),
            (
                &[("iterations", "0")],
                "iterations is a whole number from 1 on, not '0'",
            ),
            (
                &[("threads", "two")],
                "threads is a whole number from 1 to 1024, not 'two'",
            ),
            (
                &[("threads", "1025")],
                "threads is a whole number from 1 to 1024, not '1025'",
            ),
            (
                &[("time", "1")],
                "'1' is no time: a number and ms, s or m, as in 500ms or 2s",
            ),
        ] {
            assert_eq!(thinking(options), Err(said.to_owned()));
        }
    }
}
