//! What Uno offers: options, players, and contests as the handout holds them.

use croupier_core::{
    BadSetup, BuiltIn, Contested, Game as _, Offered, OptionKind, Options, Profile, RandomPlayer,
    SetupOption, Strength,
};
use croupier_search::expert;

use super::{Careful, Mode, Naive, SEATS, Setup, Uno};

impl Offered for Uno {
    const PROFILE: Profile = Profile {
        name: Uno::NAME,
        title: "Uno",
        aim: "Match the colour or the number, and be the first without a card.",
        seats: SEATS..=SEATS,
        decisions: true,
        programs: "a C function in a shared object",
        example_program: "mybot.c",
        rules: include_str!("rules.txt"),
        options: OPTIONS,
    };
    const PLAYERS: &'static [BuiltIn<Uno>] = &[
        BuiltIn {
            name: "random",
            about: "plays any legal move, each equally likely",
            strength: Strength::Weak,
            options: &[],
            make: |_| Ok(Box::new(RandomPlayer::default())),
        },
        BuiltIn {
            name: "naive",
            about: "plays the first card that can be played, and calls a random colour",
            strength: Strength::Weak,
            options: &[],
            make: |_| Ok(Box::new(Naive::default())),
        },
        BuiltIn {
            name: "careful",
            about: "keeps its wild cards, calls its longest colour, attacks a player about to go out",
            strength: Strength::Good,
            options: &[],
            make: |_| Ok(Box::new(Careful)),
        },
        BuiltIn {
            name: "expert",
            about: "imagines the hidden cards in many ways and plays what wins most often",
            strength: Strength::Strong,
            options: croupier_search::OPTIONS,
            make: expert,
        },
    ];
    const OPPONENTS: &'static [&'static str] = &["careful"];

    fn setup(options: &Options) -> Result<Setup, BadSetup> {
        let mut setup = Setup::default();
        for (name, value) in options {
            match (name.as_str(), value.as_str()) {
                ("mode", "tournament") => setup.mode = Mode::Tournament,
                ("mode", "casual") => setup.mode = Mode::Casual,
                ("scores", list) => setup.scores = scores(list)?,
                ("max-turns", number) => {
                    let most = u32::MAX;
                    setup.max_turns = number.parse().map_err(|_| {
                        BadSetup::value(
                            name,
                            format!("max-turns must be from 1 to {most}, not {number}"),
                        )
                    })?;
                }
                _ => {
                    let option = format!("{name} {value}");
                    return Err(BadSetup::unknown_option::<Uno>(option));
                }
            }
        }
        Ok(setup)
    }
}

impl Contested for Uno {
    const IN_ALL_ORDERS: bool = true;

    /// Who has the highest total wins a tournament.
    const RANKED_BY_SCORE: bool = true;

    fn brought(setup: &Setup) -> Option<Vec<i64>> {
        Some(setup.scores.map(i64::from).to_vec())
    }

    fn carry_on(setup: &Setup, scores: &[i64]) -> Option<Setup> {
        let shown = |seat: usize| i32::try_from(scores[seat]).unwrap_or(i32::MAX);
        Some(Setup {
            scores: std::array::from_fn(shown),
            ..*setup
        })
    }
}

/// The options of the command line.
const OPTIONS: &[SetupOption] = &[
    SetupOption {
        name: "mode",
        kind: OptionKind::OneOf(&[
            (
                "tournament",
                "the first seat begins, and the second is next",
            ),
            ("casual", "the first player and the direction are drawn"),
        ]),
        default: Some("tournament"),
        help: "Who begins, and in which direction play goes",
    },
    SetupOption {
        name: "scores",
        kind: OptionKind::Scores("N,N,N,N"),
        default: Some("0,0,0,0"),
        help: "The players' points from earlier games, in the order in which they are named",
    },
    SetupOption {
        name: "max-turns",
        kind: OptionKind::Number(1..=u32::MAX as u64),
        default: Some("100000"),
        help: "Stop a game after this many turns, without a winner",
    },
];

/// Four numbers with commas between them.
fn scores(list: &str) -> Result<[i32; SEATS], BadSetup> {
    let numbers: Option<Vec<i32>> = list.split(',').map(|n| n.trim().parse().ok()).collect();
    let four = numbers.and_then(|numbers| numbers.try_into().ok());
    four.ok_or_else(|| {
        let reason = format!("scores must be four numbers like 0,116,50,0, not {list}");
        BadSetup::value("scores", reason)
    })
}
