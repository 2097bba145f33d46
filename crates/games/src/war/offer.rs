//! What War offers: its options. It needs no players.

use croupier_core::{
    BadSetup, BuiltIn, Contested, Game as _, Offered, OptionKind, Options, Profile, SetupOption,
    Situations,
};

use super::{Setup, ShortWar, War, Winnings};

impl Offered for War {
    const PROFILE: Profile = Profile {
        name: War::NAME,
        title: "War",
        aim: "The higher card takes both, until somebody has them all.",
        seats: 2..=2,
        decisions: false,
        programs: "no decisions: it is simulated",
        example_program: "./mybot",
        rules: include_str!("rules.txt"),
        options: &[
            SetupOption {
                name: "short-war",
                kind: OptionKind::OneOf(&[
                    ("loses", "a player who cannot lay four cards loses"),
                    (
                        "last-card",
                        "that player lays all cards left, and the last one is compared",
                    ),
                ]),
                default: Some("loses"),
                help: "What happens to a player who runs out of cards in a war",
            },
            SetupOption {
                name: "winnings",
                kind: OptionKind::OneOf(&[
                    ("transcript", "the loser's cards are drawn again first"),
                    ("winner-first", "the winner's cards are drawn again first"),
                    ("shuffled", "the cards are drawn again in random order"),
                    ("player0-first", "player 0's cards are drawn again first"),
                ]),
                default: Some("transcript"),
                help: "The order in which won cards join the hand",
            },
            SetupOption {
                name: "max-turns",
                kind: OptionKind::Number(1..=u64::MAX),
                default: None,
                help: "Stop a game after this many turns, without a winner",
            },
        ],
    };
    const PLAYERS: &'static [BuiltIn<War>] = &[];
    const OPPONENTS: &'static [&'static str] = &[];

    fn setup(options: &Options) -> Result<Setup, BadSetup> {
        let mut setup = Setup::default();
        for (name, value) in options {
            match (name.as_str(), value.as_str()) {
                ("short-war", "loses") => setup.short_war = ShortWar::Loses,
                ("short-war", "last-card") => setup.short_war = ShortWar::LastCard,
                ("winnings", "transcript") => setup.winnings = Winnings::Transcript,
                ("winnings", "winner-first") => setup.winnings = Winnings::WinnerFirst,
                ("winnings", "shuffled") => setup.winnings = Winnings::Shuffled,
                ("winnings", "player0-first") => setup.winnings = Winnings::Player0First,
                ("max-turns", number) if number.parse().is_ok_and(|n: u64| n > 0) => {
                    setup.max_turns = number.parse().ok();
                }
                _ => {
                    let option = format!("{name} {value}");
                    return Err(BadSetup::unknown_option::<War>(option));
                }
            }
        }
        Ok(setup)
    }
}

impl Contested for War {}

impl Situations for War {}
