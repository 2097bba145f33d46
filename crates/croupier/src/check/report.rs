//! What was found, rule by rule, and what was tried.

use std::collections::BTreeMap;

use croupier_bots::{Finding, Hosted, told};
use croupier_core::{FoulKind, Situations, quoted};
use serde_json::{Value, json};

use super::asking::{Asked, Found};
use super::situations::Table;
use crate::style::{BOLD, DIM, grouped, wrapped};
use crate::table::name_of_kind;

/// How many broken rules are listed; a program that says something else each time it fails would
/// otherwise fill the screen.
const MOST: usize = 20;

/// What a failure is about that only the sanitizers have noticed.
const MEMORY: &str = "memory";

/// The rules that were broken, each with its shortest input.
#[derive(Debug, Default)]
pub(super) struct Broken(BTreeMap<Rule, Case>);

/// What makes two failures the same: the sort, the part of the program that they are about, and the
/// rule without the cards.
type Rule = (String, String, String);

/// The failure with the shortest input among those that are the same.
#[derive(Debug, Default)]
struct Case {
    detail: String,
    input: String,
    arguments: Vec<String>,
    /// The kinds of the situation.
    kinds: Vec<&'static str>,
    /// What was different from the setup that was asked for.
    table: &'static str,
    /// How often the rule was broken.
    times: u64,
}

impl Broken {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn has(&self, kind: FoulKind) -> bool {
        let name = name_of_kind(kind);
        self.0.keys().any(|(kind, ..)| *kind == name)
    }

    /// Notes a fault, or what the sanitizers say about it.
    pub(super) fn fault<G: Hosted>(
        &mut self,
        found: Found,
        table: &Table<G>,
        memory_error: Option<String>,
    ) {
        let Found { fault, kinds, .. } = found;
        let about = memory_error.as_ref().map_or("", |_| MEMORY);
        let case = Case {
            detail: memory_error.unwrap_or(fault.detail),
            input: told::<G>(fault.speech, &fault.exchange.input.0),
            arguments: fault.exchange.arguments,
            kinds: names::<G>(kinds),
            table: table.name,
            times: 1,
        };
        self.note::<G>(fault.kind, about, case);
    }

    /// Notes something that is wrong with a program besides its moves.
    pub(super) fn finding<G: Situations>(
        &mut self,
        finding: Finding,
        memory_error: Option<String>,
    ) {
        let about = match memory_error {
            Some(_) => format!("{}, {MEMORY}", finding.about),
            None => finding.about.to_owned(),
        };
        let case = Case {
            detail: memory_error.unwrap_or(finding.detail),
            input: finding.input,
            times: 1,
            ..Case::default()
        };
        self.note::<G>(finding.kind, &about, case);
    }

    /// Notes that a program cannot be used at all.
    pub(super) fn unusable<G: Situations>(&mut self, kind: FoulKind, detail: String) {
        let case = Case {
            detail,
            times: 1,
            ..Case::default()
        };
        self.note::<G>(kind, "", case);
    }

    fn note<G: Situations>(&mut self, kind: FoulKind, about: &str, case: Case) {
        let rule = match about.ends_with(MEMORY) {
            // A place in the program, which is always told in the same way.
            true => case.detail.clone(),
            false => rule(kind, &case.detail, G::CARD_WORDS),
        };
        let rule = (name_of_kind(kind), about.to_owned(), rule);
        let known = self.0.entry(rule).or_default();
        let times = known.times + case.times;
        // What happens in the setup that was asked for counts most.
        let worth = |case: &Case| (!case.table.is_empty(), case.input.len());
        if known.times == 0 || worth(&case) < worth(known) {
            *known = case;
        }
        known.times = times;
    }

    pub(super) fn json(&self) -> Value {
        let broken = self.0.iter().map(|((kind, about, _), case)| {
            let mut failure = json!({
                "kind": kind,
                "detail": case.detail,
                "input": case.input,
                "times": case.times,
            });
            if !about.is_empty() {
                failure["about"] = json!(about);
            }
            if !case.arguments.is_empty() {
                failure["arguments"] = json!(case.arguments);
            }
            if !case.kinds.is_empty() {
                failure["situation"] = json!(case.kinds);
            }
            if !case.table.is_empty() {
                failure["setup"] = json!(case.table);
            }
            failure
        });
        broken.collect()
    }

    /// The rules, as a person reads them; without what the program was given if that is unwanted.
    pub(super) fn text(&self, quiet: bool) -> String {
        let mut text = String::new();
        for ((kind, about, _), case) in self.0.iter().take(MOST) {
            let kind = match about.as_str() {
                "" => kind.clone(),
                about => format!("{kind} ({about})"),
            };
            let detail = case.detail.replace('\n', "\n    ");
            text += &format!("\n  {BOLD}{kind}{BOLD:#}: {detail}\n");
            let times = (case.times > 1).then(|| format!("{} times", grouped(case.times)));
            let situation = case.kinds.join("; ");
            let situation = (!situation.is_empty()).then(|| format!("situation: {situation}"));
            let facts: Vec<String> = times.into_iter().chain(situation).collect();
            if !facts.is_empty() {
                text += &format!("  {}\n", facts.join("; "));
            }
            if !case.table.is_empty() {
                text += &format!("  in a game with {}\n", case.table);
            }
            if !case.input.is_empty() && !quiet {
                text += &match case.arguments.as_slice() {
                    [] => "  when it is given\n".to_owned(),
                    some => {
                        let some: Vec<String> = some.iter().map(|one| quoted(one, 80)).collect();
                        format!("  when it is started with {} and given\n", some.join(" "))
                    }
                };
                case.input
                    .lines()
                    .for_each(|line| text += &format!("    {DIM}{line}{DIM:#}\n"));
            }
        }
        if self.0.len() > MOST {
            let more = self.0.len() - MOST;
            text += &format!("\n  and {more} more, which --json lists\n");
        }
        text
    }

    /// How many rules were broken.
    pub(super) fn count(&self) -> String {
        match self.0.len() {
            0 => "no fault".to_owned(),
            1 => "1 broken rule".to_owned(),
            rules => format!("{rules} broken rules"),
        }
    }
}

/// What was tried, as a person reads it.
pub(super) fn tried<G: Situations>(asked: &Asked, tables: &[&'static str]) -> String {
    let list = |label: &str, counts: Vec<(&str, u64)>| {
        let last = counts.len().saturating_sub(1);
        let words = counts.iter().enumerate().map(|(place, (name, count))| {
            let end = if place == last { "" } else { "," };
            format!("{name} {}{end}", grouped(*count))
        });
        match counts.is_empty() {
            true => String::new(),
            false => wrapped(&format!("  {label}"), 4, words),
        }
    };
    let met = |names: &mut dyn Iterator<Item = &'static str>, counts: &[u64]| {
        let met = names.zip(counts.iter().copied());
        met.filter(|(name, count)| *count > 0 && !name.is_empty())
            .collect::<Vec<_>>()
    };
    let kinds = met(&mut G::KINDS.iter().map(|kind| kind.name), &asked.kinds);
    let tables = met(&mut tables.iter().copied(), &asked.tables);
    list("Among them", kinds) + &list("In games with", tables)
}

/// How many of each kind were tried, those of which there were none too.
pub(super) fn kinds<G: Situations>(asked: &Asked) -> Value {
    let counts = asked.kinds.iter().copied().chain(std::iter::repeat(0));
    let kinds = G::KINDS.iter().zip(counts);
    kinds
        .map(|(kind, count)| (kind.name.to_owned(), json!(count)))
        .collect::<serde_json::Map<_, _>>()
        .into()
}

fn names<G: Situations>(kinds: u64) -> Vec<&'static str> {
    let places = G::KINDS.iter().enumerate();
    let holds = places.filter(|(place, _)| kinds >> place & 1 == 1);
    holds.map(|(_, kind)| kind.name).collect()
}

/// What a detail says without the cards, numbers and quotations in it, which differ from one failure
/// to the next. Of a crash the status counts, and the last thing that the program said.
fn rule(kind: FoulKind, detail: &str, card_words: &[&str]) -> String {
    let mut lines = detail.lines();
    let first = lines.next().unwrap_or_default();
    match kind {
        FoulKind::Illegal | FoulKind::Malformed | FoulKind::Timeout => {
            without_cards(first, card_words)
        }
        FoulKind::Crash => {
            let last = lines.next_back().unwrap_or_default();
            format!("{first}\n{}", without_cards(last, card_words))
        }
        // There is one rule of each of these sorts.
        FoulKind::Memory | FoulKind::Output | FoulKind::Start | FoulKind::Compile => String::new(),
    }
}

fn without_cards(text: &str, card_words: &[&str]) -> String {
    let mut kept: Vec<&str> = Vec::new();
    let mut in_quotes = false;
    for word in text.split_whitespace() {
        let opens = word.starts_with('\'');
        let bare = word.trim_end_matches(['.', ',', ':', ';']);
        let closes = bare.ends_with('\'') && (bare.len() > 1 || in_quotes);
        if in_quotes || opens {
            in_quotes = !closes;
            continue;
        }
        let is_card =
            bare.contains(|letter: char| letter.is_ascii_digit()) || card_words.contains(&bare);
        if !is_card {
            kept.push(word);
        }
    }
    kept.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_rule_is_one_rule_whatever_the_cards() {
        let words = &["red", "blue"];
        let same =
            |kind, one: &str, other: &str| rule(kind, one, words) == rule(kind, other, words);
        for (kind, one, other, equal) in [
            (
                FoulKind::Illegal,
                "play 13: the 20 was led and has to be followed with a card from 20 to 29",
                "play 41: the 11 was led and has to be followed with a card from 10 to 19",
                true,
            ),
            (
                FoulKind::Illegal,
                "play 13: the 13 is not in the hand",
                "play 41: the 11 was led and has to be followed with a card from 10 to 19",
                false,
            ),
            (
                FoulKind::Illegal,
                "the card 4 red may not be laid on pile 2: blue lies there",
                "the card 7 blue may not be laid on pile 1: red lies there",
                true,
            ),
            (
                FoulKind::Illegal,
                "the card 4 red may not be laid on pile 2: blue lies there",
                "the card 4 red may not be laid on pile 2: red lies on pile 1",
                false,
            ),
            (
                FoulKind::Malformed,
                "'foo bar': no move",
                "'x': no move",
                true,
            ),
            (
                FoulKind::Malformed,
                "'foo bar': no move",
                "no answer",
                false,
            ),
            (
                FoulKind::Crash,
                "it ended with status 1\nline 3\nKeyError: 23",
                "it ended with status 1\nKeyError: 17",
                true,
            ),
            (
                FoulKind::Crash,
                "it ended with status 1\nKeyError: 23",
                "it ended with status 1\nIndexError: list index out of range",
                false,
            ),
            (
                FoulKind::Crash,
                "it ended with status 1",
                "it ended with status 3",
                false,
            ),
        ] {
            assert_eq!(same(kind, one, other), equal, "{one}\n{other}");
        }
    }
}
