//! The beginning and the end of a long text.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

/// How much is kept of each end.
const KEPT: usize = 16 << 10;

/// The first and the last 16 KiB of what a program wrote, and how much it was in all.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Excerpt {
    head: Vec<u8>,
    tail: VecDeque<u8>,
    total: usize,
}

impl Excerpt {
    pub(crate) fn add(&mut self, bytes: &[u8]) {
        self.total += bytes.len();
        let (head, rest) = bytes.split_at(bytes.len().min(KEPT - self.head.len()));
        self.head.extend_from_slice(head);
        self.tail.extend(&rest[rest.len().saturating_sub(KEPT)..]);
        let excess = self.tail.len().saturating_sub(KEPT);
        self.tail.drain(..excess);
    }

    /// How many bytes there were in all.
    pub fn total(&self) -> usize {
        self.total
    }

    /// The text, with a line in the middle that tells what is left out.
    pub fn text(&self) -> String {
        let left_out = self.total - self.head.len() - self.tail.len();
        let tail: Vec<u8> = self.tail.iter().copied().collect();
        if left_out == 0 {
            let whole = [&self.head[..], &tail].concat();
            return String::from_utf8_lossy(&whole).into_owned();
        }
        format!(
            "{}\n[… {left_out} bytes left out …]\n{}",
            String::from_utf8_lossy(&self.head),
            String::from_utf8_lossy(&tail)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_text_is_kept_whole() {
        let mut excerpt = Excerpt::default();
        excerpt.add(b"one ");
        excerpt.add(b"two");
        assert_eq!(excerpt.text(), "one two");
        assert_eq!(excerpt.total(), 7);
    }

    #[test]
    fn of_a_long_text_both_ends_are_kept() {
        let mut excerpt = Excerpt::default();
        let text: Vec<u8> = (0..100_000u32).map(|i| b'a' + (i % 26) as u8).collect();
        for part in text.chunks(777) {
            excerpt.add(part);
        }
        let kept = excerpt.text();
        let left_out = 100_000 - 2 * KEPT;
        let middle = format!("\n[… {left_out} bytes left out …]\n");
        let (head, tail) = kept.split_once(&middle).expect("a mark in the middle");
        assert_eq!(head.as_bytes(), &text[..KEPT]);
        assert_eq!(tail.as_bytes(), &text[100_000 - KEPT..]);
    }
}
