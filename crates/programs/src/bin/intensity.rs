//! `intensity`: a player of Intensity that is started once for every decision. It reads a question
//! on its standard input and answers on its standard output.

use std::io::{self, Read as _, Write as _};
use std::process::ExitCode;

use clap::builder::PossibleValue;
use clap::{Arg, Command};
use croupier_console::{Failure, parse, print, run, seed, seed_flag};
use croupier_core::{Game, Seed};
use croupier_games::intensity::wire::{Question, answer};
use croupier_games::intensity::{Intensity, Setup, Strategy, View};

fn main() -> ExitCode {
    let mut passed = true;
    let status = run("intensity", || {
        passed = intensity()?;
        Ok(())
    });
    if passed { status } else { ExitCode::FAILURE }
}

/// Answers one question; false if it makes no sense or a test has failed.
fn intensity() -> Result<bool, Failure> {
    let strategies = Strategy::ALL.map(|s| PossibleValue::new(s.name()).help(s.about()));
    let [.., best] = Strategy::ALL;
    let mut command = Command::new("intensity")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Plays Intensity: reads a question on stdin, answers on stdout")
        .after_help("Example:\n  echo 1  13 19 24 25 29 32 39 44 46 49 | intensity")
        .arg(
            Arg::new("strategy")
                .long("strategy")
                .value_name("NAME")
                .value_parser(strategies.to_vec())
                .default_value(best.name())
                .help("How it plays"),
        )
        .arg(seed_flag().help("The number that fixes what is left to chance [default: drawn]"));
    let Some(matches) = parse(&mut command, std::env::args_os())? else {
        return Ok(true);
    };
    let named =
        |s: &Strategy| matches.get_one::<String>("strategy").map(String::as_str) == Some(s.name());
    let strategy = Strategy::ALL.into_iter().find(named).unwrap_or(best);
    let seed = seed(&matches)?;

    // A byte that cannot be read ends the input; whether that is the machine's fault is told after.
    let mut broken = None;
    let bytes = io::stdin().lock().bytes();
    let question = Question::read(bytes.map_while(|byte| byte.map_err(|e| broken = Some(e)).ok()));
    if let Some(error) = broken {
        return Err(Failure::machine("read the question", &error));
    }
    let view = match question {
        Ok(Question::Name) => return print(name(strategy)).map(|()| true),
        Ok(Question::Discard(view)) => View::Discarding(view),
        Ok(Question::Play(view)) => View::Playing(view),
        Ok(Question::Tests) => return own_tests(strategy),
        Err(error) => {
            // Where even the standard error is gone, the status still tells.
            let _ = writeln!(io::stderr(), "intensity: {error}");
            return Ok(false);
        }
    };
    print(&answer(strategy.choose(&view, &mut seed.rng())))?;
    Ok(true)
}

fn name(strategy: Strategy) -> &'static str {
    match strategy {
        Strategy::Random => "Random Croupier\n",
        Strategy::Careful => "Careful Croupier\n",
        Strategy::Expert(_) => "Expert Croupier\n",
    }
}

/// Plays some deals and asks itself every question in them.
fn own_tests(strategy: Strategy) -> Result<bool, Failure> {
    let strategy = strategy.hurried();
    let mut asked = 0;
    for deal in 0..100 {
        let mut game = Intensity::deal(&Setup {}, Seed(deal));
        let mut rng = Seed(deal).rng();
        while let Some(seat) = game.to_move() {
            let question = Question::from(game.view(seat));
            if Question::read(question.to_string().bytes()) != Ok(question) {
                print(&format!("failed: misunderstood a question\n{question}"))?;
                return Ok(false);
            }
            let choice = strategy.choose(&game.view(seat), &mut rng);
            if let Err(rule) = game.play(choice) {
                print(&format!("failed: {choice}: {rule}\n{question}"))?;
                return Ok(false);
            }
            asked += 1;
        }
    }
    print(&format!(
        "all {asked} questions of 100 games understood and answered legally\n"
    ))?;
    Ok(true)
}
