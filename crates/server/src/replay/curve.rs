//! The curve of a player's expected points, drawn.
//!
//! What is stretched to the width of the page (lines, the band of uncertainty) is in a picture of its
//! own; signs and words, which keep their shape, are placed by percentages around it.

use croupier_core::{Element, Grade, Markup, Point, Review, Seat, Thresholds, element};

/// The picture that is stretched is so wide and so high.
const SIZE: f64 = 1000.0;

/// What the band shows, in standard errors: an interval of 95 %.
const BAND: f64 = 1.96;

/// What is drawn besides the curve itself.
pub(super) struct Frame<'a> {
    pub(super) seat: Seat,
    pub(super) seats: usize,
    /// How many steps the game has.
    pub(super) last: usize,
    /// What the player got.
    pub(super) points: f64,
    /// The moment that is shown.
    pub(super) at: usize,
    pub(super) thresholds: &'a Thresholds,
}

/// Draws the curve; `address` gives the address of a moment.
pub(super) fn drawn(
    review: &Review,
    is_done: bool,
    frame: &Frame<'_>,
    address: impl Fn(usize) -> String,
) -> Markup {
    let most = (frame.seats.max(2) - 1) as f64;
    let end = is_done.then_some((frame.last, frame.points));
    let points = review.curve(frame.seat, end);
    // Room above the first place for its number, and a little below the last.
    let y = |points: f64| 9.0 + 85.0 * (1.0 - points.clamp(0.0, most) / most);
    let x = |step: usize| 1.0 + 98.0 * step as f64 / frame.last.max(1) as f64;
    let spot = |point: &Point, lift: f64| {
        let (x, y) = (x(point.step), y(point.expected + lift * point.error));
        format!("{:.1},{:.1} ", x * SIZE / 100.0, y * SIZE / 100.0)
    };
    let upper = points.iter().map(|point| spot(point, BAND));
    let lower = points.iter().rev().map(|point| spot(point, -BAND));
    let band = element("polygon")
        .class("band")
        .attr("points", upper.chain(lower).collect::<String>().trim_end());
    let costly = review.costly(frame.thresholds);
    let grade_at = |step: usize| {
        let found = costly.iter().find(|(_, own)| own.step == step);
        found.map(|(grade, _)| *grade)
    };
    let ways = points.windows(2).map(|way| {
        let grade = way[1].decided.then(|| grade_at(way[0].step)).flatten();
        let class = match (way[1].decided, grade) {
            (false, _) => "way luck".to_owned(),
            (true, None) => "way decided".to_owned(),
            (true, Some(grade)) => format!("way decided {}", name(grade)),
        };
        let line = spot(&way[0], 0.0) + &spot(&way[1], 0.0);
        element("polyline")
            .class(class)
            .attr("points", line.trim_end())
    });
    let plot = element("svg")
        .attr("viewBox", format_args!("0 0 {SIZE} {SIZE}"))
        .attr("preserveAspectRatio", "none")
        .attr("width", "100%")
        .attr("height", "100%")
        .with(band)
        .all(ways);
    let levels = (0..frame.seats).map(|place| rule(y(place as f64)).class("level"));
    let numbers = (0..frame.seats).map(|place| {
        element("text")
            .class("level")
            .attr("x", "6")
            .attr("y", percent(y(place as f64)))
            .attr("dy", "-4")
            .text(match place {
                0 => "0 points".to_owned(),
                place => place.to_string(),
            })
    });
    let marks = costly.iter().filter_map(|(grade, decision)| {
        let after = points
            .iter()
            .find(|point| point.decided && point.step == decision.step + 1)?;
        let about = format!(
            "{}: {:.2} less than {}",
            title(*grade),
            decision.verdict.loss(),
            decision.verdict.best.choice
        );
        let sign = element("svg")
            .attr("x", percent(x(after.step)))
            .attr("y", percent(y(after.expected)))
            .attr("overflow", "visible")
            .with(shape(*grade));
        let link = element("a")
            .class(format_args!("sign {}", name(*grade)))
            .attr("href", address(decision.step + 1))
            .attr("data-at", decision.step + 1)
            .attr("aria-label", &about)
            .with(sign.with(element("title").text(about)));
        Some(link)
    });
    let now = percent(x(frame.at));
    let cursor = element("line")
        .class("now")
        .attr("x1", &now)
        .attr("x2", &now)
        .attr("y1", "0")
        .attr("y2", "100%");
    element("svg")
        .class("curve")
        .attr("role", "group")
        .attr("aria-label", "Expected points, move by move")
        .attr("data-last", frame.last)
        .all(levels)
        .with(plot)
        .with(cursor)
        .all(numbers)
        .all(marks)
        .into()
}

fn rule(y: f64) -> Element {
    element("line")
        .attr("x1", "0")
        .attr("x2", "100%")
        .attr("y1", percent(y))
        .attr("y2", percent(y))
}

fn percent(number: f64) -> String {
    format!("{number:.2}%")
}

/// The sign of a grade: never told by its colour alone.
fn shape(grade: Grade) -> Markup {
    // The target is larger than the sign.
    let target = element("circle").class("target").attr("r", "14");
    let sign = match grade {
        Grade::Inaccuracy => element("circle").attr("r", "5"),
        Grade::Mistake => element("path").attr("d", "M0 -7.5 7 5.5 -7 5.5Z"),
        Grade::Blunder => element("path").attr("d", "M0 -8.5 8.5 0 0 8.5 -8.5 0Z"),
    };
    [target, sign.class("mark")].into_iter().collect()
}

/// The grade in a class.
pub(super) fn name(grade: Grade) -> &'static str {
    match grade {
        Grade::Inaccuracy => "inaccuracy",
        Grade::Mistake => "mistake",
        Grade::Blunder => "blunder",
    }
}

/// The grade at the beginning of a sentence.
pub(super) fn title(grade: Grade) -> &'static str {
    match grade {
        Grade::Inaccuracy => "Inaccuracy",
        Grade::Mistake => "Mistake",
        Grade::Blunder => "Blunder",
    }
}

/// The sign that chess players write behind such a move.
pub(super) fn glyph(grade: Grade) -> &'static str {
    match grade {
        Grade::Inaccuracy => "?!",
        Grade::Mistake => "?",
        Grade::Blunder => "??",
    }
}
