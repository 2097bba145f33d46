//! Cards: 100 units wide and 140 high. What they are stands in the upper left corner, which is what
//! shows in a fan; the rest has its middle at 60, 92.

use std::fmt::Display;

use croupier_core::{Element, Markup, Pieces, element};

use super::{Shape, Tone, svg, text};

/// What is printed on a card.
pub(crate) struct Face<'a> {
    /// Its colour.
    pub(crate) tone: Tone,
    /// What goes with the colour.
    pub(crate) shape: Shape,
    /// What stands in its corner.
    pub(crate) index: &'a str,
    /// A sign that stands there instead.
    pub(crate) sign: Option<Shape>,
    /// Whether it is printed all over in its colour, and not on white paper.
    pub(crate) full: bool,
    /// What is in the middle.
    pub(crate) middle: Markup,
}

/// An empty card, also within another picture.
pub(crate) fn sheet(class: &str) -> Element {
    svg(class, "0 0 100 140")
        .attr("width", 100)
        .attr("height", 140)
}

/// A rectangle with round corners.
pub(crate) fn plate(class: &str, inset: f32, round: f32) -> Element {
    element("rect")
        .class(class)
        .attr("x", inset)
        .attr("y", inset)
        .attr("width", 100.0 - 2.0 * inset)
        .attr("height", 140.0 - 2.0 * inset)
        .attr("rx", round)
}

/// A card that lies face up. `kind` is the same wherever a card like this lies, so that it can be seen
/// to move from one place to another.
pub(crate) fn card(kind: impl Display, face: Face<'_>) -> Element {
    let Face {
        tone,
        shape,
        index,
        sign,
        full,
        middle,
    } = face;
    let (ground, ink) = if full {
        ("fill", "on")
    } else {
        ("paper", "fill")
    };
    let size = match index.chars().count() {
        0 | 1 => 29.0,
        2 => 26.0,
        _ => 20.0,
    };
    let corner = element("g")
        .with(match sign {
            Some(sign) => sign.at(11.0, 9.0, 26.0, ink),
            None => text(25.0, 33.0, size, &format!("{ink} index"), index),
        })
        .with(shape.at(13.0, 40.0, 22.0, ink));
    sheet(&format!("card {}", tone.class()))
        .attr("data-card", kind)
        .with(plate(ground, 1.0, 11.0))
        .with(plate("edge", 1.0, 11.0))
        .with(middle)
        .with(corner)
}

/// A card that lies face down, like any other.
pub(crate) fn back() -> Element {
    let diamond = |size: f32| {
        let (w, h) = (size * 0.62, size);
        element("path").class("back-line").attr(
            "d",
            format_args!(
                "M50 {}L{} 70 50 {} {} 70z",
                70.0 - h,
                50.0 + w,
                70.0 + h,
                50.0 - w
            ),
        )
    };
    sheet("card back")
        .with(plate("back-fill", 1.0, 11.0))
        .with(plate("back-line", 8.0, 6.0))
        .all([46.0, 34.0, 22.0, 10.0].map(diamond))
        .with(plate("edge", 1.0, 11.0))
}

/// Small cards in a row that nobody can touch, each with what it is called.
pub(crate) fn small_row(cards: impl IntoIterator<Item = (String, Element)>) -> Element {
    let small = |(label, face): (String, Element)| {
        element("span")
            .class("small")
            .attr("role", "img")
            .attr("aria-label", label)
            .with(face)
    };
    element("span")
        .class("small-row")
        .all(cards.into_iter().map(small))
}

/// What there is on the table, each thing with what it means.
pub(crate) fn legend<const N: usize>(things: [(Element, &str); N]) -> Markup {
    let entry = |(picture, meaning): (Element, &str)| {
        element("li")
            .with(picture)
            .with(element("span").text(meaning))
    };
    let entries = things.into_iter().map(entry);
    element("ul")
        .class("legend")
        .attr("role", "list")
        .all(entries)
        .into()
}

/// A hand of cards in a picture of the game.
pub(crate) fn picture<const N: usize>(cards: [Element; N]) -> Markup {
    let middle = (N as f32 - 1.0) / 2.0;
    let at = |(place, card): (usize, Element)| {
        let off = place as f32 - middle;
        let (x, y, turn) = (59.0 + 42.0 * off, 17.0 + 5.0 * off * off, 11.0 * off);
        element("g")
            .attr(
                "transform",
                format_args!("translate({x} {y}) rotate({turn} 31 43.4) scale(.62)"),
            )
            .with(card)
    };
    svg("picture", "0 0 180 120")
        .all(cards.into_iter().enumerate().map(at))
        .into()
}

/// How many cards lie there, if they are more than one.
fn count_badge(count: usize) -> Option<Element> {
    let badge = || {
        element("span")
            .class("badge")
            .text(format_args!("×{count}"))
    };
    (count > 1).then(badge)
}

/// Cards of a hand that are alike, as one piece: which of them is played makes no difference.
pub(crate) fn alike(
    pieces: &Pieces,
    id: &str,
    called: &str,
    count: usize,
    front: Element,
) -> Markup {
    let label = match count {
        1 => called.to_owned(),
        _ => format!("{called}, {count} of them"),
    };
    pieces.piece(id, "in-hand", &label, stack(count, front))
}

/// Cards that are alike, one on the other: the front one, what shows of those behind it, and how many
/// there are.
fn stack(count: usize, front: impl Into<Markup>) -> Element {
    let behind = match count {
        0 | 1 => "stack",
        2 => "stack two",
        _ => "stack more",
    };
    element("span")
        .class(behind)
        .with(front)
        .with(count_badge(count))
}
