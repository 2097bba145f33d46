//! What others wrote, so that it shows what it says: on a page, in an address, at a prompt.

/// No name is shown at greater length.
const LONGEST_SHOWN: usize = 80;

/// A text without letters that would do something to the text around them: control characters, and
/// those that turn the direction of writing. They are shown as their numbers. Newlines and tabs stay.
pub(crate) fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for letter in text.chars() {
        match matches!(letter, '\n' | '\t') || croupier_core::is_plain(letter) {
            true => plain.push(letter),
            false => plain.extend(letter.escape_unicode()),
        }
    }
    plain
}

/// A name in one line, and not at any length.
pub(crate) fn name(text: &str) -> String {
    first_letters(&plain(text).replace(['\n', '\t'], " "), LONGEST_SHOWN)
}

/// The first line of what happened, of at most so many letters.
pub(crate) fn first_line(text: &str, most: usize) -> String {
    first_letters(&plain(text.lines().next().unwrap_or_default()), most)
}

fn first_letters(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// A long text: its beginning, and its end, where mostly is what matters.
pub(crate) fn both_ends(text: &str, most: usize) -> String {
    let count = text.chars().count();
    if count <= most {
        return text.to_owned();
    }
    let beginning: String = text.chars().take(most / 4).collect();
    let end: String = text.chars().skip(count - (most - most / 4)).collect();
    let left_out = croupier_core::grouped((count - most) as u64);
    format!("{beginning}\n… {left_out} letters are left out here …\n{end}")
}

/// A text as one part of the path of an address, or as a value in its query.
pub(crate) fn segment(text: &str) -> String {
    let mut segment = String::new();
    for byte in text.bytes() {
        match byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
            true => segment.push(char::from(byte)),
            false => segment += &format!("%{byte:02X}"),
        }
    }
    segment
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_that_turn_or_hide_the_text_are_shown_by_their_numbers() {
        let odd = "a\u{202e}b\u{2066}c\u{0}d\u{1b}[2Je\u{feff}f\u{e0041}g\nh";
        let told = plain(odd);
        assert_eq!(
            told,
            "a\\u{202e}b\\u{2066}c\\u{0}d\\u{1b}[2Je\\u{feff}f\\u{e0041}g\nh"
        );
        assert_eq!(plain("Ünïcode 日本 עברית"), "Ünïcode 日本 עברית");
        assert_eq!(name(&"x".repeat(500)).chars().count(), LONGEST_SHOWN + 1);
        assert_eq!(name("a\nb"), "a b");
    }

    #[test]
    fn an_address_holds_any_name() {
        assert_eq!(
            segment("alice/uno & <b>?#%"),
            "alice%2Funo%20%26%20%3Cb%3E%3F%23%25"
        );
        assert_eq!(segment("ä"), "%C3%A4");
    }

    #[test]
    fn of_a_long_text_both_ends_are_shown() {
        let text: String = (0..1000).map(|number| format!("{number} ")).collect();
        let shown = both_ends(&text, 100);
        assert!(
            shown.starts_with("0 1 2") && shown.ends_with("999 "),
            "{shown}"
        );
        assert!(shown.contains("letters are left out"));
        assert_eq!(both_ends("ä", 1), "ä");
    }
}
