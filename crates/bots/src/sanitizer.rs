//! Programs in C and C++ that watch their own memory, and what they say when something is wrong with it.

use std::path::Path;

use crate::Language;

/// Flags with which a program in C or C++ is made to watch its own memory.
pub const SANITIZED: &[&str] = &[
    "-g",
    "-O1",
    "-fsanitize=address,undefined",
    "-fno-sanitize-recover=all",
    "-fno-omit-frame-pointer",
];

/// Memory for a program that is made to watch its own: what that takes is not the program's fault.
pub const SANITIZED_MEMORY: u64 = 1 << 46;

/// Whether a file is compiled, so that it can be made to watch its own memory.
pub fn can_be_sanitized(source: &Path) -> bool {
    Language::of(source).is_some()
}

/// Whether an executable was made to watch its own memory.
pub(crate) fn is_sanitized(program: &[u8]) -> bool {
    let start = b"__asan_init";
    program.windows(start.len()).any(|bytes| bytes == start)
}

/// The first memory error in what such a program wrote to its standard error: where it is in the
/// program, and what it is. Neither addresses nor process numbers, so that the same error reads
/// the same whenever it happens.
pub fn memory_error(errors: &str, source: &Path) -> Option<String> {
    let file = source.file_name()?.to_string_lossy();
    // By the name alone: it was compiled in a folder of the compiler's.
    let named = format!("{file}:");
    let is_whole = |before: &str| before.is_empty() || before.ends_with([' ', '/']);
    let place = |line: &str| {
        let mut found = line.match_indices(&named);
        let (start, _) = found.find(|(start, _)| is_whole(&line[..*start]))?;
        let number = &line[start + named.len()..];
        let end = number.find(|c: char| !c.is_ascii_digit());
        Some(format!("{file}:{}", &number[..end.unwrap_or(number.len())]))
    };
    let undefined = |line: &str| {
        let (before, what) = line.split_once(": runtime error: ")?;
        let place = place(before).map(|place| format!("{place}: "));
        Some(place.unwrap_or_default() + &without_addresses(what))
    };
    if let Some(found) = errors.lines().find_map(undefined) {
        return Some(found);
    }
    let mut summaries = errors.lines().filter_map(|line| {
        let (_, summary) = line.strip_prefix("SUMMARY: ")?.split_once(": ")?;
        Some(summary)
    });
    let summary = summaries.next()?;
    // What follows the first word is a place, but maybe one in the library that was called.
    let what = match summary.split_once(' ') {
        Some((what, _)) if !what.starts_with(|c: char| c.is_ascii_digit()) => what,
        _ => summary,
    };
    Some(match errors.lines().find_map(place) {
        Some(place) => format!("{place}: {what}"),
        None => what.to_owned(),
    })
}

/// What went wrong, with dots for the addresses at which it did.
fn without_addresses(what: &str) -> String {
    let words = what.split(' ').map(|word| match word.starts_with("0x") {
        true => "…",
        false => word,
    });
    words.collect::<Vec<_>>().join(" ")
}

/// Whether two memory errors are of the same kind and at the same place. The numbers behind the
/// place, such as an index, may differ from one decision to the next.
pub fn is_same_error(one: &str, other: &str) -> bool {
    let essence = |error: &str| {
        let (place, what) = error.split_once(": ").unwrap_or(("", error));
        let kind: String = what.chars().filter(|c| !c.is_ascii_digit()).collect();
        (place.to_owned(), kind)
    };
    essence(one) == essence(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(errors: &str) -> Option<String> {
        memory_error(errors, Path::new("/home/me/bot.c"))
    }

    #[test]
    fn an_index_out_of_bounds() {
        let said = "/home/me/bot.c:11:44: runtime error: index 8 out of bounds for type 'int [8]'";
        assert_eq!(
            found(said).as_deref(),
            Some("bot.c:11: index 8 out of bounds for type 'int [8]'")
        );
    }

    #[test]
    fn an_address_is_left_out() {
        let said = "/home/me/bot.c:7:3: runtime error: store to address 0x604000000060 with \
                    insufficient space for an object of type 'int'";
        assert_eq!(
            found(said).as_deref(),
            Some("bot.c:7: store to address … with insufficient space for an object of type 'int'")
        );
    }

    #[test]
    fn errors_are_the_same_if_kind_and_place_are() {
        let index = "bot.c:11: index 18 out of bounds for type 'int [8]'";
        assert!(is_same_error(
            index,
            "bot.c:11: index 9 out of bounds for type 'int [8]'"
        ));
        assert!(!is_same_error(
            index,
            "bot.c:12: index 18 out of bounds for type 'int [8]'"
        ));
        assert!(!is_same_error(
            index,
            "bot.c:11: load of null pointer of type 'int'"
        ));
        assert!(!is_same_error("bot1.c:1: x", "bot2.c:1: x"));
        assert!(is_same_error(
            "40 byte(s) leaked in 1 allocation(s).",
            "8 byte(s) leaked in 2 allocation(s)."
        ));
    }

    #[test]
    fn a_program_that_was_compiled_in_another_folder() {
        let said = "bot.c:2:4: runtime error: load of null pointer of type 'int'";
        for folder in ["", "/home/you/", "./", "in file robot.c:1: "] {
            assert_eq!(
                found(&format!("{folder}{said}")).as_deref(),
                Some("bot.c:2: load of null pointer of type 'int'")
            );
        }
    }

    #[test]
    fn the_place_is_the_one_in_the_program_and_not_the_one_in_the_library_it_called() {
        let said = "\
=================================================================
==12108==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x604000000038 at pc 0x7fbf8a
WRITE of size 4 at 0x604000000038 thread T0
    #0 0x7fbf8a0716c4 in scanf_common ../../libsanitizer/sanitizer_common/format.inc:342
    #3 0x5623402dc447 in main /home/me/bot.c:9
SUMMARY: AddressSanitizer: heap-buffer-overflow ../../libsanitizer/format.inc:342 in scanf_common
";
        assert_eq!(
            found(said).as_deref(),
            Some("bot.c:9: heap-buffer-overflow")
        );
    }

    #[test]
    fn a_leak() {
        let said = "\
==7==ERROR: LeakSanitizer: detected memory leaks
    #1 0x5623402dc274 in main /home/me/bot.c:4
SUMMARY: AddressSanitizer: 40 byte(s) leaked in 1 allocation(s).
";
        assert_eq!(
            found(said).as_deref(),
            Some("bot.c:4: 40 byte(s) leaked in 1 allocation(s).")
        );
    }

    #[test]
    fn what_a_program_says_itself_is_no_memory_error() {
        assert_eq!(
            found("thinking about /home/me/bot.c:3\nSUMMARY: none\n"),
            None
        );
        assert_eq!(found(""), None);
    }
}
