//! What Friday the 13th offers: options for nearly everything, and players.

use croupier_core::{
    BadSetup, BuiltIn, Contested, Game as _, Offered, OptionKind, Options, Profile, SetupOption,
};

use super::players;
use super::setup::{MOST_CARDS, MOST_PLAYERS};
use super::{Friday13, HIGHEST, Setup, Terms};

impl Offered for Friday13 {
    const PROFILE: Profile = Profile {
        name: Friday13::NAME,
        title: "Friday the 13th",
        aim: "Fill the cauldrons, and let the others make them explode.",
        seats: 2..=65_535,
        decisions: true,
        programs: "a shared state file, one process per turn",
        example_program: "./mybot",
        rules: include_str!("rules.txt"),
        options: OPTIONS,
    };
    const PLAYERS: &'static [BuiltIn<Friday13>] = players::BUILT_IN;
    const OPPONENTS: &'static [&'static str] = &["majority"];

    fn setup(options: &Options) -> Result<Setup, BadSetup> {
        let mut terms = Terms::default();
        for (name, value) in options {
            match name.as_str() {
                "players" => terms.players = number(name, value)?,
                "colours" => terms.colours = number(name, value)?,
                "greens" => terms.greens = number(name, value)?,
                "green-value" => terms.green_value = number(name, value)?,
                "threshold" => terms.threshold = number(name, value)?,
                "rounds" => terms.rounds = number(name, value)?,
                "values" => {
                    let values = value.split(',').map(|value| number(name, value.trim()));
                    terms.values = values.collect::<Result<_, _>>()?;
                }
                _ => {
                    let option = format!("{name} {value}");
                    return Err(BadSetup::unknown_option::<Friday13>(option));
                }
            }
        }
        Setup::try_from(terms)
    }
}

impl Contested for Friday13 {
    /// Scores are penalty points.
    const LOWEST_WINS: bool = true;
}

/// The options from which a setup is made.
const OPTIONS: &[SetupOption] = &[
    SetupOption {
        name: "players",
        kind: OptionKind::Number(2..=MOST_PLAYERS as u64),
        default: Some("4"),
        help: "How many players",
    },
    SetupOption {
        name: "colours",
        kind: OptionKind::Number(1..=MOST_CARDS as u64),
        default: Some("3"),
        help: "How many colours besides green; there are as many cauldrons",
    },
    SetupOption {
        name: "greens",
        kind: OptionKind::Number(0..=MOST_CARDS as u64),
        default: Some("8"),
        help: "How many green cards",
    },
    SetupOption {
        name: "green-value",
        kind: OptionKind::Number(0..=HIGHEST as u64),
        default: Some("4"),
        help: "The value of every green card",
    },
    SetupOption {
        name: "values",
        kind: OptionKind::Text("V,V,…"),
        default: Some("1,1,1,2,2,2,4,4,5,5,5,7,7,7"),
        help: "The values of the cards of every other colour",
    },
    SetupOption {
        name: "threshold",
        kind: OptionKind::Number(1..=u32::MAX as u64),
        default: Some("13"),
        help: "The sum above which a cauldron explodes",
    },
    SetupOption {
        name: "rounds",
        kind: OptionKind::Number(1..=u32::MAX as u64),
        default: Some("3"),
        help: "How many rounds; everybody moves by one chair after each",
    },
];

fn number<T: std::str::FromStr>(name: &str, text: &str) -> Result<T, BadSetup> {
    text.parse().map_err(|_| {
        let reason = format!(
            "'{text}' is no number that --{name} can take: it must be whole and not too large"
        );
        BadSetup::value(name, reason)
    })
}
