//! What Austerity offers: options and players.

use croupier_core::{
    BadSetup, BuiltIn, Contested, Game as _, Offered, OptionKind, Options, Profile, RandomPlayer,
    SetupOption, Strength,
};

use super::cards::MOST;
use super::rules::TARGET;
use super::{Austerity, BANZAI, Deck, ED, MOST_PLAYERS, SHENZI, Setup};

impl Offered for Austerity {
    const PROFILE: Profile = Profile {
        name: Austerity::NAME,
        title: "Austerity",
        aim: "Collect tokens, and buy cards that make the next ones cheaper.",
        seats: 2..=MOST_PLAYERS,
        decisions: true,
        programs: "one process per game, lines over pipes",
        example_program: "./mybot",
        rules: include_str!("rules.txt"),
        options: &[
            SetupOption {
                name: "players",
                kind: OptionKind::Number(2..=MOST_PLAYERS as u64),
                default: Some("3"),
                help: "How many players sit at the table, 26 at most",
            },
            SetupOption {
                name: "tokens",
                kind: OptionKind::Number(0..=MOST as u64),
                default: Some("7"),
                help: "How many tokens each coloured pile starts with",
            },
            SetupOption {
                name: "points",
                kind: OptionKind::Number(0..=MOST as u64),
                default: Some("15"),
                help: "The game ends after the round in which somebody reaches this many points",
            },
            SetupOption {
                name: "deck",
                kind: OptionKind::File,
                default: None,
                help: "A deck file, top card first [default: a deck made up from the seed]",
            },
            SetupOption {
                name: "max-turns",
                kind: OptionKind::Number(1..=i64::MAX as u64),
                default: Some("10000"),
                help: "End a game after this many turns, ranked by the points so far",
            },
        ],
    };
    const PLAYERS: &'static [BuiltIn<Austerity>] = &[
        BuiltIn {
            name: "random",
            about: "plays any legal move",
            strength: Strength::Weak,
            options: &[],
            make: |_| Ok(Box::<RandomPlayer>::default()),
        },
        BuiltIn {
            name: SHENZI.name,
            about: "buys the card with the most points that it can afford, otherwise saves",
            strength: Strength::Good,
            options: &[],
            make: |_| Ok(Box::new(SHENZI)),
        },
        BuiltIn {
            name: BANZAI.name,
            about: "buys the most expensive card that is worth points, otherwise hoards wilds",
            strength: Strength::Weak,
            options: &[],
            make: |_| Ok(Box::new(BANZAI)),
        },
        BuiltIn {
            name: ED.name,
            about: "goes for the best card that an opponent could buy now",
            strength: Strength::Fair,
            options: &[],
            make: |_| Ok(Box::new(ED)),
        },
        BuiltIn {
            name: "expert",
            about: "imagines the rest of the deck in many ways and plays what does best on average",
            strength: Strength::Strong,
            options: croupier_search::OPTIONS,
            make: croupier_search::expert,
        },
    ];
    const OPPONENTS: &'static [&'static str] = &["shenzi", "banzai", "ed"];

    fn setup(options: &Options) -> Result<Setup, BadSetup> {
        let (mut players, mut tokens, mut points) = (3, 7, TARGET);
        let (mut deck, mut max_turns) = (None, 10_000);
        for (name, value) in options {
            let number = || {
                let number = value.parse::<i64>().ok();
                let wrong = || {
                    let reason = format!("{name} must be a whole number, not '{value}'");
                    BadSetup::value(name, reason)
                };
                number.filter(|&number| number >= 0).ok_or_else(wrong)
            };
            match name.as_str() {
                "players" => players = number()? as usize,
                "tokens" => tokens = number()?,
                "points" => points = number()?,
                "max-turns" => max_turns = number()? as u64,
                "deck" => {
                    let read = Deck::parse(value.as_bytes());
                    deck = Some(read.map_err(|error| BadSetup::value(name, error.to_string()))?);
                }
                _ => return Err(BadSetup::unknown_option::<Austerity>(name)),
            }
        }
        Setup::new(players, tokens, points, deck, Some(max_turns))
    }
}

impl Contested for Austerity {}
