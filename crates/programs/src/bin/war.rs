//! `war`: plays one game of War and prints every turn.

use std::io::{self, Write as _};
use std::ops::ControlFlow;
use std::process::ExitCode;

use clap::{Arg, ArgAction, Command};
use croupier_console::{Failure, game_flags, game_options, parse, print, run, seed, seed_flag};
use croupier_core::{Game, Offered, RandomPlayer, play};
use croupier_games::war::{Narrator, War};

/// A pause comes after this many turns.
const PAUSE: u64 = 100;

fn main() -> ExitCode {
    run("war", war)
}

fn war() -> Result<(), Failure> {
    let mut command = Command::new("war")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Plays one game of War and prints every turn")
        .after_help("Example:\n  war --seed 7 --no-pause | tail -1")
        .arg(seed_flag())
        .arg(
            Arg::new("no-pause")
                .long("no-pause")
                .action(ArgAction::SetTrue)
                .help("Do not wait for return after every 100 turns"),
        )
        .args(game_flags(&War::PROFILE));
    let Some(matches) = parse(&mut command, std::env::args_os())? else {
        return Ok(());
    };
    let options = game_options(&War::PROFILE, &matches)?;
    let setup = War::setup(&options).map_err(|error| Failure::Usage(error.to_string()))?;
    let seed = seed(&matches)?;
    let pause = !matches.get_flag("no-pause");

    // The transcript has a fixed format, so what it was dealt from is told beside it.
    let chosen: Vec<String> = options
        .iter()
        .map(|(name, value)| format!("--{name} {value}"))
        .collect();
    let _ = writeln!(io::stderr(), "war: --seed {seed} {}", chosen.join(" "));

    let mut failed = Ok(());
    let narrator = &mut Narrator::new(|game: &War, told: &str| {
        failed = print(told);
        let pausing = pause
            && game.turns() > 0
            && game.turns().is_multiple_of(PAUSE)
            && game.to_move().is_some();
        if failed.is_ok() && pausing {
            failed = print("press return to continue\n");
            if failed.is_ok() && !returned() {
                return ControlFlow::Break(());
            }
        }
        match failed {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        }
    });
    let mut players = [RandomPlayer::default(), RandomPlayer::default()];
    // Stopped by the end of the input, or because of what has failed: nothing more to say.
    let _ = play::<War, _, _>(&setup, seed, &mut players, narrator);
    failed
}

/// Waits for a line and ignores it; false at the end of the input.
fn returned() -> bool {
    let mut byte = [0];
    loop {
        match io::Read::read(&mut io::stdin(), &mut byte) {
            Ok(1) if byte[0] == b'\n' => return true,
            Ok(1) => {}
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Ok(_) | Err(_) => return false,
        }
    }
}
