//! What is told of a review: of one move, and of all together.

use std::collections::BTreeMap;

use askama::Template;
use croupier_core::{Audience, Decision, Grade, Header, Seat, Thought, Verdict, counted};
use serde::Serialize;

use super::curve::{self, Frame, glyph, name, title};
use super::looking::Looking;
use super::reviews::{Reviewed, THINKING};
use super::source::Recorded;
use crate::pages::{Bar, bars, counted_in};
use crate::refusal::Refusal;

/// So many moves are shown that are better than the one that was made.
const BETTER: usize = 5;

/// What the expert thinks of one move.
#[derive(Template)]
#[template(path = "replay/verdict.html")]
struct OfMove {
    /// The name of the grade, if the move was costly.
    class: &'static str,
    heading: String,
    rank: String,
    cost: String,
    weighed: String,
    /// How many moves between the last that is shown and the one that was made are left out.
    left_out: usize,
    /// Where the decision can be tried again; nowhere within a file.
    again: Option<String>,
}

/// What the expert thinks of some moves, of which one is the reader's own.
#[derive(Template)]
#[template(path = "replay/bars.html")]
struct Weighed<'a> {
    bars: Vec<Bar>,
    own: &'a str,
    own_label: &'static str,
}

/// What the expert thinks of these moves, as HTML. `own_label` says what the one that was made is.
pub(super) fn weighed(
    in_words: impl Fn(&str) -> String,
    thoughts: &[Thought<String>],
    own: &str,
    own_label: &'static str,
) -> Result<String, Refusal> {
    let bars = bars(in_words, thoughts);
    let weighed = Weighed {
        bars,
        own,
        own_label,
    };
    weighed
        .render()
        .map_err(|error| Refusal::machine("render what the expert thinks", &error))
}

/// What is told of all moves.
#[derive(Template)]
#[template(path = "replay/review.html")]
struct OfGame {
    looking: Looking,
    player: String,
    counted_in: String,
    looked: usize,
    all: usize,
    is_done: bool,
    trouble: Option<String>,
    curve: String,
    summary: Option<Summary>,
    counts: Vec<Count>,
    decisions: String,
    costly: Vec<Listed>,
    expert: String,
    /// What a form sends along besides the thresholds.
    words: Vec<(String, String)>,
}

/// Where the points come from.
struct Summary {
    first: String,
    decisions: String,
    luck: String,
    points: String,
}

struct Count {
    class: &'static str,
    glyph: &'static str,
    text: String,
}

struct Listed {
    class: &'static str,
    glyph: &'static str,
    grade: &'static str,
    at: usize,
    address: String,
    again: String,
    words: String,
    loss: String,
    rank: String,
}

/// A review as a script gets it.
#[derive(Serialize)]
pub(super) struct Message {
    done: bool,
    html: String,
    /// What is told of the moves, by the moment after each.
    verdicts: BTreeMap<usize, String>,
    /// The signs of the costly moves, by the moment after each.
    signs: BTreeMap<usize, Sign>,
}

/// A sign behind a move in the list.
#[derive(Clone, Serialize)]
pub(super) struct Sign {
    pub(super) class: &'static str,
    pub(super) glyph: &'static str,
    pub(super) title: &'static str,
}

/// `3rd`
fn nth(number: usize) -> String {
    let ending = match (number % 10, number % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}

fn rank(verdict: &Verdict) -> String {
    match verdict.rank() {
        Some(rank) => format!("{} of {}", nth(rank), verdict.legal),
        None => format!("one of {}", verdict.legal),
    }
}

/// The moves in the order of the expert, the two that were compared with what that gave.
pub(super) fn ranked(verdict: &Verdict) -> Vec<Thought<String>> {
    let ranking = verdict.ranking.iter().map(|thought| {
        let compared = [&verdict.best, &verdict.made];
        let compared = compared
            .into_iter()
            .find(|own| own.choice == thought.choice);
        compared.unwrap_or(thought).clone()
    });
    ranking.collect()
}

/// What a move cost, in a sentence.
pub(super) fn cost(verdict: &Verdict) -> String {
    let (loss, error) = (verdict.loss(), verdict.error());
    if verdict.best.choice == verdict.made.choice {
        return "The expert would have played the same.".to_owned();
    }
    let sure = match verdict.sure_loss() > 0.0 {
        true => "",
        false => ", which may be noise",
    };
    format!("Costs {loss:.2} ± {error:.2} points for the place on average{sure}.")
}

impl OfMove {
    fn new(reviewed: &Reviewed, looking: &Looking, decision: &Decision) -> Result<OfMove, Refusal> {
        let Decision { step, verdict, .. } = decision;
        let grade = looking.thresholds.grade(verdict);
        let all = ranked(verdict);
        let own = verdict.rank().unwrap_or(all.len()).saturating_sub(1);
        let mut shown: Vec<Thought<String>> = all[..own.min(BETTER)].to_vec();
        shown.extend(all.get(own).cloned());
        let in_words = |choice: &str| reviewed.in_words(*step, choice);
        let words = in_words(&verdict.made.choice);
        let heading = match grade {
            Some(grade) => format!("{} {}: {words}", glyph(grade), title(grade)),
            None => words,
        };
        Ok(OfMove {
            class: grade.map_or("good", name),
            heading,
            rank: rank(verdict),
            cost: cost(verdict),
            weighed: weighed(in_words, &shown, &verdict.made.choice, "was played")?,
            left_out: own.saturating_sub(BETTER),
            again: (!looking.base.is_empty()).then(|| again(looking, *step)),
        })
    }
}

/// The address at which a decision can be tried again.
fn again(looking: &Looking, step: usize) -> String {
    // What was seen with all cards is tried with the eyes of the seat.
    let player = looking.player.unwrap_or(Seat(0));
    let looking = looking.seen_by(Audience::Seat(player), Some(player));
    looking.page("/try", &format!("at={step}"))
}

/// The version of the expert, so that a review can be told from a later one.
fn expert(header: &Header) -> String {
    let iterations = THINKING.trim_start_matches("iterations=");
    format!(
        "expert of Croupier {}, rules of {} in version {}, {iterations} simulated games a move",
        env!("CARGO_PKG_VERSION"),
        header.game,
        header.version,
    )
}

fn signed(number: f64) -> String {
    // A minus sign and not a hyphen, and no negative nothing.
    match format!("{number:+.2}") {
        text if text == "-0.00" => "+0.00".to_owned(),
        text => text.replace('-', "−"),
    }
}

/// Everything that is told of a review.
pub(super) struct Told<'a> {
    pub(super) recorded: &'a Recorded,
    pub(super) looking: &'a Looking,
    pub(super) player: Seat,
    pub(super) reviewed: &'a Reviewed,
}

impl Told<'_> {
    /// What is told of the move that led to this moment; nothing if it was not judged.
    pub(super) fn of_move(&self, at: usize) -> Result<Option<String>, Refusal> {
        let decisions = &self.reviewed.review.decisions;
        let found = decisions.iter().find(|decision| decision.step + 1 == at);
        let Some(found) = found else {
            return Ok(None);
        };
        let html = OfMove::new(self.reviewed, self.looking, found)?.render();
        html.map(Some)
            .map_err(|error| Refusal::machine("render a verdict", &error))
    }

    /// The signs of the costly moves, by the moment after each.
    pub(super) fn signs(&self) -> BTreeMap<usize, Sign> {
        let costly = self.reviewed.review.costly(&self.looking.thresholds);
        let sign = |grade| Sign {
            class: name(grade),
            glyph: glyph(grade),
            title: title(grade),
        };
        costly
            .into_iter()
            .map(|(grade, decision)| (decision.step + 1, sign(grade)))
            .collect()
    }

    /// The review of the game.
    pub(super) fn of_game(&self) -> Result<String, Refusal> {
        let Told {
            recorded,
            looking,
            player,
            reviewed,
        } = *self;
        let game = &recorded.played.game;
        let points = game.outcome().points()[player.index()];
        let review = &reviewed.review;
        let frame = Frame {
            seat: player,
            seats: game.seats(),
            last: looking.last,
            points,
            at: looking.at,
            thresholds: &looking.thresholds,
        };
        let address = |at| looking.address(at);
        let curve = curve::drawn(review, reviewed.is_done(), &frame, address);
        let costly = review.costliest(&looking.thresholds);
        let of = |grade: Grade| costly.iter().filter(|(own, _)| *own == grade).count();
        let counts = Grade::ALL.iter().rev().map(|&grade| Count {
            class: name(grade),
            glyph: glyph(grade),
            text: match (of(grade), grade) {
                (1, Grade::Inaccuracy) => "1 inaccuracy".to_owned(),
                (count, Grade::Inaccuracy) => format!("{count} inaccuracies"),
                (count, grade) => counted(count as u64, name(grade)),
            },
        });
        let listed = costly.iter().map(|(grade, decision)| Listed {
            class: name(*grade),
            glyph: glyph(*grade),
            grade: title(*grade),
            at: decision.step + 1,
            address: looking.address(decision.step + 1),
            again: again(looking, decision.step),
            words: reviewed.in_words(decision.step, &decision.verdict.made.choice),
            loss: format!(
                "{:.2} ± {:.2}",
                decision.verdict.loss(),
                decision.verdict.error()
            ),
            rank: rank(&decision.verdict),
        });
        let balance = review
            .balance(player, points)
            .filter(|_| reviewed.is_done());
        let summary = balance.map(|balance| Summary {
            first: format!("{:.2} ± {:.2}", balance.first, balance.first_error),
            decisions: format!(
                "{} ± {:.2}",
                signed(balance.decisions),
                balance.decisions_error
            ),
            luck: format!("{} ± {:.2}", signed(balance.luck), balance.luck_error),
            points: format!("{points:.1}").trim_end_matches(".0").to_owned(),
        });
        let page = OfGame {
            player: recorded.played.names[player.index()].clone(),
            counted_in: counted_in(game.seats()),
            looked: reviewed.looked,
            all: reviewed.all,
            is_done: reviewed.is_done(),
            trouble: reviewed.trouble.clone(),
            curve: curve.into(),
            summary,
            counts: counts.collect(),
            decisions: counted(review.decisions.len() as u64, "decision"),
            costly: listed.collect(),
            expert: expert(&game.header(Vec::new())),
            words: looking.form_words(),
            looking: looking.clone(),
        };
        page.render()
            .map_err(|error| Refusal::machine("render a review", &error))
    }

    /// The review as a script gets it.
    pub(super) fn message(&self) -> Result<Message, Refusal> {
        let mut verdicts = BTreeMap::new();
        for decision in &self.reviewed.review.decisions {
            let at = decision.step + 1;
            verdicts.extend(self.of_move(at)?.map(|html| (at, html)));
        }
        Ok(Message {
            done: self.reviewed.is_done() || self.reviewed.trouble.is_some(),
            html: self.of_game()?,
            verdicts,
            signs: self.signs(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_written_as_they_are_said() {
        let written: Vec<String> = [1, 2, 3, 4, 11, 12, 13, 21, 111].map(nth).to_vec();
        let right = [
            "1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "111th",
        ];
        assert_eq!(written, right);
    }

    #[test]
    fn nothing_has_no_sign_of_its_own() {
        assert_eq!(signed(-0.001), "+0.00");
        assert_eq!(signed(-0.5), "−0.50");
        assert_eq!(signed(0.25), "+0.25");
    }
}
