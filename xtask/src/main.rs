//! What a developer runs: `cargo xtask test` and `cargo xtask bench`.

mod arena;
mod bench;
mod bots;
mod browser;
mod cluster;
mod games;
mod nats;
mod python;
mod web;

use std::process::{Command, ExitCode};

const USAGE: &str = "\
usage: cargo xtask COMMAND

  test                             format, lints, tests, documentation: everything that must hold
  test python                      the Python package alone, in a virtual environment under target/
  bench [--brief] [--peers DIR] [NAME...]
                                   figures, each beside the peer program in DIR if there is one;
                                   --brief only shows that all of them can still be measured
  bench python                     the Python package beside OpenSpiel and RLCard, which are installed
                                   into a virtual environment under target/
";

fn main() -> ExitCode {
    croupier_bots::mind_if_asked();
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match &arguments[..] {
        ["test"] => test(),
        ["test", "python"] => test_python(),
        ["bench", "python"] => python::bench(),
        ["bench", rest @ ..] => bench::bench(rest),
        [] | ["--help" | "-h" | "help"] => {
            print!("{USAGE}");
            Ok(())
        }
        _ => Err(USAGE.to_owned()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("xtask: {reason}");
            ExitCode::FAILURE
        }
    }
}

fn test() -> Result<(), String> {
    for (tool, component) in [("fmt", "rustfmt"), ("clippy", "clippy")] {
        let found = cargo(&[tool, "--version"]).output();
        if !found.is_ok_and(|output| output.status.success()) {
            return Err(format!(
                "cargo {tool} is missing; install it with: rustup component add {component}"
            ));
        }
    }
    let c = std::env::var("CC").unwrap_or("cc".to_owned());
    if !Command::new(&c)
        .arg("--version")
        .output()
        .is_ok_and(|output| output.status.success())
    {
        return Err(format!(
            "there is no C compiler '{c}'; install one, for instance with: apt install gcc"
        ));
    }
    let browser = browser::get().into_iter();
    let browser = browser.map(|(tests, reason)| {
        let tests = format!("{tests} (croupier-server, browser)");
        (tests, reason)
    });
    let nats = nats::server().err().map(|reason| {
        let tests = "the tests with a NATS server (croupier, cluster)";
        (tests.to_owned(), reason)
    });
    let left_out: Vec<(String, String)> = browser.chain(nats).collect();
    run(&mut cargo(&["fmt", "--all", "--check"]))?;
    run(&mut cargo(&[
        "clippy",
        "--workspace",
        "--all-targets",
        "--quiet",
        "--",
        "--deny",
        "warnings",
    ]))?;
    run(cargo(&["doc", "--workspace", "--no-deps", "--quiet"]).env("RUSTDOCFLAGS", "-D warnings"))?;
    run(&mut cargo(&["test", "--workspace", "--quiet"]))?;
    let no_python = python::test()?;
    bench::bench(&["--brief"])?;
    for (tests, reason) in left_out {
        eprintln!("xtask: left out: {tests}: {reason}");
    }
    if let Some(reason) = no_python {
        eprintln!("xtask: left out: the Python package (crates/python): {reason}");
    }
    Ok(())
}

fn test_python() -> Result<(), String> {
    match python::test()? {
        None => Ok(()),
        Some(reason) => Err(reason),
    }
}

fn cargo(arguments: &[&str]) -> Command {
    let mut command = Command::new(std::env::var("CARGO").unwrap_or("cargo".to_owned()));
    command.args(arguments);
    command
}

fn run(command: &mut Command) -> Result<(), String> {
    eprintln!("xtask: {}", shown(command));
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{} failed: {status}", shown(command))),
        Err(error) => Err(format!("failed to run {}: {error}", shown(command))),
    }
}

fn shown(command: &Command) -> String {
    let program = std::path::Path::new(command.get_program());
    let mut text = program
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    for argument in command.get_args() {
        text.push(' ');
        text += &argument.to_string_lossy();
    }
    text
}
