//! The tasks of the course: each reads the standard input and prints.

use std::io::{self, Read as _, Write as _};

use clap::ArgMatches;
use croupier_console::{Failure, print, seed};
use croupier_core::encoding_trouble;
use croupier_games::friday13::{Friday13, Setup, State, Terms, report};

use crate::language;

/// Runs a task.
pub(crate) fn run(task: &str, matches: &ArgMatches) -> Result<(), Failure> {
    let input = input()?;
    let state = || State::parse(&input).map_err(usage);
    let text = match task {
        "deck" => {
            let terms = Terms::for_deck(words(&input)?).map_err(usage)?;
            terms.cards().map_err(usage)?;
            report::deck(terms.deck())
        }
        "deal" => deal(&input, matches)?.to_string(),
        "hands" => report::hands(&state()?),
        "piles" => report::piles(&state()?),
        "score" => report::score(&state()?, language(matches)),
        "round" => report::round(&state()?, language(matches)),
        "move" => {
            let mut state = state()?;
            let threshold = match matches.get_flag("no-explosion") {
                true => None,
                false => Some(threshold(&state)?),
            };
            state.simple_move(threshold);
            state.to_string()
        }
        _ => check(&state()?, matches)?,
    };
    print(&text)
}

fn check(state: &State, matches: &ArgMatches) -> Result<String, Failure> {
    let what = matches.get_one::<String>("what").map(String::as_str);
    Ok(match what {
        Some("greens") => report::greens(state),
        Some("counts") => report::counts(state),
        Some("values") => report::values(state),
        _ => report::faults(state, threshold(state)?),
    })
}

fn deal(input: &[u8], matches: &ArgMatches) -> Result<State, Failure> {
    let mut terms = Terms::for_deal(words(input)?).map_err(usage)?;
    let threshold = matches.get_one::<u32>("threshold").copied();
    terms.threshold = threshold.unwrap_or(terms.threshold);
    let setup = Setup::try_from(terms).map_err(usage)?;
    let mut state = if matches.get_flag("shuffle") {
        let seed = seed(matches)?;
        if !matches.contains_id("seed") {
            // The state has a fixed format, so what it was dealt from is told beside it.
            let _ = writeln!(io::stderr(), "friday13: --seed {seed}");
        }
        Friday13::opening(&setup, seed, 0)
    } else {
        State::deal(setup.players, setup.colours, setup.deck())
    };
    state.threshold = threshold;
    Ok(state)
}

fn threshold(state: &State) -> Result<u32, Failure> {
    let missing = || usage("the state has no line 'explosion threshold = …', which is needed here");
    state.threshold.ok_or_else(missing)
}

fn input() -> Result<Vec<u8>, Failure> {
    let mut input = Vec::new();
    io::stdin()
        .read_to_end(&mut input)
        .map_err(|error| Failure::machine("read the standard input", &error))?;
    Ok(input)
}

fn words(input: &[u8]) -> Result<impl Iterator<Item = &str>, Failure> {
    // Of an empty input it is told which number is missed first.
    if !input.is_empty()
        && let Some(reason) = encoding_trouble(input)
    {
        return Err(usage(reason));
    }
    let text = std::str::from_utf8(input).map_err(|_| usage("the input is no text"))?;
    Ok(text.split_whitespace())
}

fn usage(reason: impl ToString) -> Failure {
    Failure::Usage(reason.to_string())
}
