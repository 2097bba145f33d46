//! `croupier completions` and `croupier man`.

use std::fs;
use std::path::PathBuf;

use clap::ArgMatches;
use clap_complete::Shell;
use croupier_console::{Failure, WholeFile, print};

use crate::cli;
use crate::offer::Offers;

/// Prints the completions for a shell.
pub(crate) fn completions(games: &Offers, matches: &ArgMatches) -> Result<(), Failure> {
    let shell = *matches
        .get_one::<Shell>("shell")
        .expect("clap asks for a shell");
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut cli::command(games), "croupier", &mut script);
    print(&String::from_utf8_lossy(&script))
}

/// Writes a manual page for the program and for each command.
pub(crate) fn man(games: &Offers, matches: &ArgMatches) -> Result<(), Failure> {
    let folder = matches
        .get_one::<PathBuf>("folder")
        .expect("clap asks for a folder");
    fs::create_dir_all(folder).map_err(|error| {
        Failure::Usage(format!(
            "cannot make the folder {}: {error}",
            folder.display()
        ))
    })?;
    let mut command = cli::command(games).disable_help_subcommand(true);
    command.build();
    page(folder, &command)
}

fn page(folder: &std::path::Path, command: &clap::Command) -> Result<(), Failure> {
    let name = command.get_display_name().unwrap_or(command.get_name());
    let man = clap_mangen::Man::new(command.clone().name(name.to_owned()));
    let mut text = Vec::new();
    let rendered = man.render(&mut text);
    rendered.map_err(|error| Failure::machine("write a manual page", &error))?;
    WholeFile::create(&folder.join(format!("{name}.1")))?.finish(&text)?;
    command
        .get_subcommands()
        .try_for_each(|subcommand| page(folder, subcommand))
}
