//! How a program ends when it cannot do what it was asked.

use std::io;
use std::process::ExitCode;

use croupier_core::is_plain;

/// Why a program ends early. Each kind has its own exit status.
#[derive(Debug)]
pub enum Failure {
    /// Something was asked for that does not exist or makes no sense: status 2. The text says what
    /// was wrong and what would be right, in one line; words of somebody else, as of a compiler,
    /// may follow below it after a colon.
    Usage(String),
    /// The machine failed: no disk space, no permission, no processes: status 3.
    Machine(String),
    /// Ctrl-C: status 130, as shells expect it.
    Interrupted(String),
    /// What was asked has the answer no, and it has been told: status 1.
    AnswerIsNo,
    /// Nobody reads the output any more, as in `… | head`: what was asked for is done, status 0.
    OutputClosed,
}

impl Failure {
    /// The machine failed while doing this, as in "failed to …".
    pub fn machine(doing: impl std::fmt::Display, error: &io::Error) -> Failure {
        Failure::Machine(format!("failed to {doing}: {error}"))
    }

    /// Writing to the standard output failed.
    pub(crate) fn output(error: &io::Error) -> Failure {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::OutputClosed,
            _ => Failure::machine("write the output", error),
        }
    }
}

/// Runs a program: what fails becomes one line on the standard error and the status.
pub fn run(program: &str, main: impl FnOnce() -> Result<(), Failure>) -> ExitCode {
    let (text, status) = match main() {
        Ok(()) | Err(Failure::OutputClosed) => return ExitCode::SUCCESS,
        Err(Failure::AnswerIsNo) => return ExitCode::from(1),
        Err(Failure::Usage(text)) => (text, 2),
        Err(Failure::Machine(text)) => (text, 3),
        Err(Failure::Interrupted(text)) => (text, 130),
    };
    // Where even the standard error is gone, the status still tells.
    let text = format!("{program}: {}\n", in_one_line(&text));
    let _ = io::Write::write_all(&mut io::stderr(), text.as_bytes());
    ExitCode::from(status)
}

/// What is told of a failure: one line, whatever the names in it hold, and below it what is quoted.
fn in_one_line(text: &str) -> String {
    let line = |text: &str| harmless(text).replace('\n', "\\n");
    match text.split_once(":\n") {
        Some((text, quoted)) => format!("{}:\n{}", line(text), harmless(quoted)),
        None => line(text),
    }
}

/// What somebody wrote, for a terminal: letters that would do something to it or to the text around
/// them are shown and not obeyed. Lines stay lines.
pub fn harmless(text: &str) -> String {
    let shown = |letter: char| match is_plain(letter) || letter == '\n' {
        true => letter.to_string(),
        false => letter.escape_default().to_string(),
    };
    text.chars().map(shown).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_somebody_wrote_moves_no_cursor() {
        let told = harmless("\u{1b}[2J ä\r\n\u{9b}5\u{202e}");
        assert_eq!(told, "\\u{1b}[2J ä\\r\n\\u{9b}5\\u{202e}");
    }

    #[test]
    fn a_failure_is_one_line_and_what_is_quoted_in_it() {
        assert_eq!(in_one_line("no file 'a\nb\u{7}'"), "no file 'a\\nb\\u{7}'");
        assert_eq!(
            in_one_line("a\nb.c does not compile:\none\n\u{1b}two"),
            "a\\nb.c does not compile:\none\n\\u{1b}two"
        );
    }
}
