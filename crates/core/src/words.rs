//! Words of somebody else in sentences of ours.

use std::fmt::Display;
use std::path::Path;

/// Whether a letter shows itself and does nothing to the text around it: it is no control character, does
/// not turn the direction of writing (bidirectional formatting), and is not invisible.
pub fn is_plain(letter: char) -> bool {
    match letter {
        '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' => false,
        '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' => false,
        '\u{ad}' | '\u{34f}' | '\u{180b}'..='\u{180f}' | '\u{e0000}'..='\u{e0fff}' => false,
        // Blank letters of Hangul, which are no spaces.
        '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{ffa0}' => false,
        letter => !letter.is_control(),
    }
}

/// A text as it is quoted in a sentence: without letters that would do something to the text or the screen
/// on which it is read, and not more of it than so many letters.
pub fn quoted(text: &str, most: usize) -> String {
    let mut letters = text.chars();
    let mut quoted = String::new();
    for letter in letters.by_ref().take(most) {
        match is_plain(letter) {
            true => quoted.push(letter),
            false => quoted.extend(letter.escape_default()),
        }
    }
    if letters.next().is_some() {
        quoted.push('…');
    }
    quoted
}

/// A path as one word of a command that somebody may copy into a shell.
pub fn shell_word(path: &Path) -> String {
    let word = path.display().to_string();
    let is_plain = |letter: char| letter.is_alphanumeric() || "/._-+,=:@%".contains(letter);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word,
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

/// The same for a path that is no option, however its name begins.
pub fn shell_path(path: &Path) -> String {
    match path.as_os_str().as_encoded_bytes().starts_with(b"-") {
        true => shell_word(&Path::new(".").join(path)),
        false => shell_word(path),
    }
}

/// How long a name may be that somebody gives itself.
pub const LONGEST_NAME: usize = 32;

/// Reads a name that somebody gives itself: the last line that is not blank, of which letters,
/// digits, spaces, `'`, `_` and `-` are kept, up to 32 of them. None if nothing is left.
pub fn read_name(output: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(output);
    let line = text.lines().rfind(|line| !line.trim().is_empty())?;
    let kept = |c: &char| c.is_alphabetic() || c.is_ascii_digit() || " '_-".contains(*c);
    let name: String = line
        .trim()
        .chars()
        .filter(kept)
        .take(LONGEST_NAME)
        .collect();
    let name = name.trim();
    (!name.is_empty()).then(|| name.to_owned())
}

/// A number of things: 1 turn, 2 turns.
pub fn counted<N: Display + From<u8> + PartialEq>(number: N, what: &str) -> String {
    let ending = if number == N::from(1) { "" } else { "s" };
    format!("{number} {what}{ending}")
}

/// Several things in a sentence: "one, two and three".
pub fn in_words(things: impl Iterator<Item = String>, last: &str) -> String {
    let things: Vec<String> = things.collect();
    match things.as_slice() {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., end] => format!("{} {last} {end}", first.join(", ")),
    }
}

/// A place in a row, counted from 1: first, second, 11th.
pub fn ordinal(number: usize) -> String {
    const WORDS: [&str; 10] = [
        "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth",
        "tenth",
    ];
    let word = number.checked_sub(1).and_then(|place| WORDS.get(place));
    let ending = match (number % 100, number % 10) {
        (11..=13, _) => "th",
        (_, 1) => "st",
        (_, 2) => "nd",
        (_, 3) => "rd",
        _ => "th",
    };
    word.map_or_else(|| format!("{number}{ending}"), |word| (*word).to_owned())
}

/// What an editor may have done to a text file so that it cannot be read, if it shows at the
/// beginning of the file: that is to be told instead of what is wrong with the first line.
pub fn encoding_trouble(file: &[u8]) -> Option<&'static str> {
    match file {
        [] => Some("the file is empty"),
        [0xef, 0xbb, 0xbf, ..] => {
            Some("the file begins with a byte order mark (BOM); save it as UTF-8 without one")
        }
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => {
            Some("the file is written in UTF-16; save it as UTF-8 without a byte order mark")
        }
        _ => None,
    }
}

/// What is wrong with a line of JSON, and where in the line: the parser would call it the first line.
pub fn json_trouble(error: &serde_json::Error) -> String {
    error
        .to_string()
        .replace(" at line 1 column ", " at column ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_one_word_of_a_command() {
        let told = ["there/results-2", "my results", "it's here", ""]
            .map(|path| shell_word(Path::new(path)));
        assert_eq!(
            told,
            ["there/results-2", "'my results'", "'it'\\''s here'", "''"]
        );
        assert_eq!(shell_path(Path::new("-my results")), "'./-my results'");
        assert_eq!(shell_path(Path::new("results-2")), "results-2");
    }

    #[test]
    fn what_is_quoted_turns_no_text_around() {
        assert_eq!(
            quoted("a\u{202e}b\u{7}\u{2066}c\n", 9),
            "a\\u{202e}b\\u{7}\\u{2066}c\\n"
        );
        assert_eq!(
            quoted("bob\u{200b}\u{ad}\u{3164}", 9),
            "bob\\u{200b}\\u{ad}\\u{3164}"
        );
        let written = "Ünïcode 日本 עברית 한국 ❤\u{fe0f}";
        assert_eq!(quoted(written, 30), written);
    }

    #[test]
    fn one_is_not_several() {
        let turns = [0, 1, 2].map(|number| counted(number, "turn"));
        assert_eq!(turns, ["0 turns", "1 turn", "2 turns"]);
    }

    #[test]
    fn places_have_names_and_then_numbers() {
        let told = [1, 10, 11, 12, 13, 21, 22, 23, 26, 111].map(ordinal);
        let expected = "first tenth 11th 12th 13th 21st 22nd 23rd 26th 111th";
        assert_eq!(told.join(" "), expected);
    }

    #[test]
    fn only_the_beginning_of_a_file_gives_its_encoding_away() {
        assert_eq!(encoding_trouble(b""), Some("the file is empty"));
        assert!(
            encoding_trouble("\u{feff}B:1:1,0,0,0".as_bytes())
                .is_some_and(|told| told.contains("BOM"))
        );
        for utf16 in [b"\xff\xfeB\0", b"\xfe\xff\0B"] {
            assert!(encoding_trouble(utf16).is_some_and(|told| told.contains("UTF-16")));
        }
        assert_eq!(encoding_trouble("B\u{feff}\r\n".as_bytes()), None);
    }
}
