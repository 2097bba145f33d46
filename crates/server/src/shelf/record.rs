//! Whether a file is the record of a whole game. Only its beginning and its end are read.

use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::Path;

use croupier_core::{LONGEST_NAME, Reading, encoding_trouble, grouped, quoted};

use crate::files::open_to_read;

/// No record is longer.
pub(crate) const LONGEST_RECORD: u64 = 64 << 20;

/// No first line is longer, and the last one is within so much of the end.
const LONGEST_LINE: usize = 64 << 10;

/// How the last line of a record begins.
const END: &[u8] = b"{\"line\":\"outcome\"";

/// What the first line of a record says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct RecordFacts {
    /// The name of the game.
    pub(crate) game: String,
    /// Who played, by seat.
    pub(crate) players: Vec<String>,
}

/// What a record says about itself, or why it is none.
pub(super) fn examine(path: &Path, length: u64) -> Result<RecordFacts, String> {
    if length > LONGEST_RECORD {
        let [length, most] = [length, LONGEST_RECORD].map(|bytes| grouped(bytes >> 20));
        return Err(format!(
            "the record is too long ({length} MiB; at most {most} MiB)"
        ));
    }
    let (start, end) = ends(path, length).map_err(|error| format!("it cannot be read: {error}"))?;
    let none = |why: &str| format!("this is no record: {}", quoted(why, 200));
    if let Some(wrong) = encoding_trouble(&start) {
        return Err(none(wrong));
    }
    let first = start
        .split(|&byte| byte == b'\n')
        .next()
        .unwrap_or_default();
    if first.len() >= LONGEST_LINE {
        return Err(none("its first line is too long"));
    }
    let first = std::str::from_utf8(first).map_err(|_| none("it is not text"))?;
    let mut reading = Reading::default();
    reading.line(first).map_err(|error| none(&error.reason))?;
    let header = reading
        .header()
        .ok_or_else(|| none("it has no first line"))?;
    let facts = RecordFacts {
        game: header.game.clone(),
        players: header
            .players
            .iter()
            .map(|name| quoted(name, LONGEST_NAME))
            .collect(),
    };
    let mut lines = end
        .split(|&byte| byte == b'\n')
        .filter(|line| !line.is_empty());
    match lines.next_back().is_some_and(|last| last.starts_with(END)) {
        true => Ok(facts),
        false => {
            Err("the record has no end: the game is still played, or was not finished".to_owned())
        }
    }
}

/// The beginning and the end of a file.
fn ends(path: &Path, length: u64) -> io::Result<(Vec<u8>, Vec<u8>)> {
    let mut file = open_to_read(path)?;
    let most = LONGEST_LINE as u64;
    let (mut start, mut end) = (Vec::new(), Vec::new());
    file.by_ref().take(most).read_to_end(&mut start)?;
    file.seek(SeekFrom::Start(length.saturating_sub(most)))?;
    file.take(most).read_to_end(&mut end)?;
    Ok((start, end))
}
