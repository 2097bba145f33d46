//! Names for what lies in folders: short, fit for an address, and no two the same.

use std::collections::{HashMap, HashSet};
use std::path::{Component, Path};

/// So many letters of the name of a file or folder are kept.
const LONGEST: usize = 60;

/// Between a folder and what is in it.
const BETWEEN: &str = "~";

/// What a file or folder can be called by: its own name, then those of the folders around it.
pub(super) fn of(path: &Path) -> Vec<String> {
    // A folder may have been given as `.`, which is no name.
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let parts = path.components().rev().filter_map(|part| match part {
        Component::Normal(part) => Some(fit(&part.to_string_lossy())),
        _ => None,
    });
    parts.filter(|part| !part.is_empty()).collect()
}

/// A name that does nothing to an address or a page: letters, digits, `-`, `_` and `.`, and no dots
/// at its beginning, which would lead out of a folder.
fn fit(name: &str) -> String {
    let fit = |letter: char| match letter.is_alphanumeric() || "-_.".contains(letter) {
        true => letter,
        false => '-',
    };
    let name = name.trim_start_matches('.').chars().map(fit);
    name.take(LONGEST).collect()
}

/// One name for each, made of as few of its parts as tell it apart from the others.
pub(super) fn tell_apart(all: impl Iterator<Item = Vec<String>>) -> Vec<String> {
    let all: Vec<Vec<String>> = all.collect();
    let mut used = vec![1; all.len()];
    loop {
        let names: Vec<String> = all
            .iter()
            .zip(&used)
            .map(|(parts, &used)| joined(parts, used))
            .collect();
        let mut times: HashMap<&str, usize> = HashMap::new();
        for name in &names {
            *times.entry(name).or_default() += 1;
        }
        let mut has_changed = false;
        for (place, name) in names.iter().enumerate() {
            if times[name.as_str()] > 1 && used[place] < all[place].len() {
                used[place] += 1;
                has_changed = true;
            }
        }
        if !has_changed {
            return numbered(names);
        }
    }
}

fn joined(parts: &[String], used: usize) -> String {
    let parts: Vec<&str> = parts.iter().take(used).rev().map(String::as_str).collect();
    parts.join(BETWEEN)
}

/// Those that are still the same get numbers; what has no name is called so.
fn numbered(names: Vec<String>) -> Vec<String> {
    let mut taken = HashSet::new();
    let names = names.into_iter().map(|name| {
        let name = if name.is_empty() {
            "unnamed".to_owned()
        } else {
            name
        };
        let others = (2..).map(|number| format!("{name}{BETWEEN}{number}"));
        let mut all = std::iter::once(name.clone()).chain(others);
        let free = all.find(|name| !taken.contains(name));
        let free = free.expect("there are numbers enough");
        taken.insert(free.clone());
        free
    });
    names.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(paths: &[&str]) -> Vec<String> {
        tell_apart(paths.iter().map(|path| of(Path::new(path))))
    }

    #[test]
    fn as_few_folders_as_tell_them_apart() {
        assert_eq!(named(&["/a/x", "/b/y"]), ["x", "y"]);
        assert_eq!(named(&["/a/x", "/b/x", "/y"]), ["a~x", "b~x", "y"]);
        assert_eq!(
            named(&["/a/c/x", "/b/c/x", "/d/x"]),
            ["a~c~x", "b~c~x", "d~x"]
        );
    }

    #[test]
    fn whatever_a_file_is_called_the_name_fits_an_address() {
        let odd = [
            "/a b/c",
            "/a/\u{202e}gnp.exe",
            "/<script>",
            "/..",
            "/",
            "/ä/ö",
            "/a?b#c%2f",
        ];
        assert_eq!(
            named(&odd),
            [
                "c",
                "-gnp.exe",
                "-script-",
                "unnamed",
                "unnamed~2",
                "ö",
                "a-b-c-2f"
            ]
        );
        assert_eq!(named(&["/a b", "/a-b", "/a?b"]), ["a-b", "a-b~2", "a-b~3"]);
        let long = format!("/{}", "x".repeat(255));
        assert_eq!(named(&[&long])[0].len(), LONGEST);
    }
}
