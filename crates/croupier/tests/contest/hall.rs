//! Where contests are held.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

/// A folder for programs and results.
pub(crate) struct Hall(TempDir);

impl Hall {
    pub(crate) fn new() -> Hall {
        Hall(tempfile::tempdir().unwrap())
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn file(&self, name: &str, text: &str) -> String {
        fs::write(self.path(name), text).unwrap();
        self.path(name).to_str().unwrap().to_owned()
    }

    /// A player of Intensity in C that is sound but for what comes first.
    pub(crate) fn spoiled(&self, name: &str, first: &str) -> String {
        let sound = include_str!("../../../../examples/intensity/bot.c");
        let (before, after) = sound.split_once("int main(void) {\n").unwrap();
        self.file(
            name,
            &format!("{before}int main(void) {{\n{first}\n{after}"),
        )
    }

    /// Runs croupier in this folder.
    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_croupier"));
        command.current_dir(self.0.path()).args(arguments);
        command
    }

    /// What a contest found, but for how long it took.
    pub(crate) fn found(&self, arguments: &[&str]) -> Value {
        let output = self.run(&[arguments, &["--json"]].concat());
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{said}");
        timeless(&serde_json::from_slice(&output.stdout).unwrap())
    }

    /// The line with which a contest is refused.
    pub(crate) fn refused(&self, arguments: &[&str]) -> String {
        let said = self.refused_with(arguments);
        assert_eq!(said.lines().count(), 1, "{said}");
        said
    }

    /// The same where the words of a compiler may follow.
    pub(crate) fn refused_with(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{said}");
        said
    }
}

pub(crate) fn timeless(report: &Value) -> Value {
    let mut report = report.clone();
    let fields = report.as_object_mut().unwrap();
    for of_this_run in ["run", "seconds", "decisions_per_second"] {
        fields.shift_remove(of_this_run);
    }
    // The command that repeats a fault names the folder, and the folders differ.
    for fault in report["faults"].as_array_mut().unwrap() {
        fault.as_object_mut().unwrap().shift_remove("repeat");
    }
    report
}

pub(crate) fn standing<'a>(report: &'a Value, name: &str) -> &'a Value {
    let standings = report["standings"].as_array().unwrap();
    standings.iter().find(|line| line["name"] == name).unwrap()
}
