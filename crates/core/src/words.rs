//! Words of somebody else in sentences of ours.

/// A text as it is quoted in a sentence: without codes that would do something to the screen it is
/// read on, and not more of it than so many letters.
pub fn quoted(text: &str, most: usize) -> String {
    let mut letters = text.chars();
    let mut quoted = String::new();
    for letter in letters.by_ref().take(most) {
        if letter.is_control() {
            quoted.extend(letter.escape_default());
        } else {
            quoted.push(letter);
        }
    }
    if letters.next().is_some() {
        quoted.push('…');
    }
    quoted
}
