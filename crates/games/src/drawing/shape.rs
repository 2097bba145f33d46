//! Shapes, each drawn on a square of 24 by 24.

use std::fmt::Display;

use croupier_core::{Element, element};

/// A shape that tells a colour or a suit without its colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shape {
    Circle,
    Diamond,
    Star,
    Triangle,
    Square,
    Hexagon,
    Heart,
    Spade,
    Club,
    Leaf,
    Drop,
    Flame,
    Flask,
    Sun,
    Moon,
    Cross,
    Calf,
    Buffalo,
    Skip,
    Reverse,
}

impl Shape {
    fn path(self) -> &'static str {
        match self {
            Shape::Circle => "M12 2a10 10 0 1 0 0 20a10 10 0 1 0 0-20z",
            Shape::Diamond => "M12 1 21 12 12 23 3 12z",
            Shape::Star => "M12 1.5 15 9h8l-6.4 4.9 2.4 8L12 17l-7 4.9 2.4-8L1 9h8z",
            Shape::Triangle => "M12 2 23 21H1z",
            Shape::Square => "M3 3h18v18H3z",
            Shape::Hexagon => "M12 1 21.5 6.5v11L12 23 2.5 17.5v-11z",
            Shape::Heart => {
                "M12 22C4 15.5 1.5 12 1.5 7.800A5.6 5.6 0 0 1 12 5a5.6 5.6 0 0 1 10.5 2.800C22.5 12 20 15.5 12 22z"
            }
            Shape::Spade => {
                "M12 1.500C5 8 2 11 2 15a4.6 4.6 0 0 0 8.6 2.300C10.5 19.5 9.6 21 8 22.500h8c-1.6-1.5-2.5-3-2.6-5.200A4.6 4.6 0 0 0 22 15c0-4-3-7-10-13.500z"
            }
            Shape::Club => {
                "M12 1.500a4.7 4.7 0 0 0-4.1 7A4.7 4.7 0 1 0 10.7 16.200C10.6 18.8 9.7 20.8 8 22.500h8c-1.7-1.7-2.6-3.7-2.7-6.300A4.7 4.7 0 1 0 16.1 8.5 4.7 4.7 0 0 0 12 1.500z"
            }
            Shape::Leaf => "M3 22 6 18C2 9 9 2 22 2c0 13-7 20-14.5 17.500L5 23z",
            Shape::Drop => "M12 1.500C17 8 20 12 20 15.500a8 8 0 0 1-16 0C4 12 7 8 12 1.500z",
            Shape::Flame => {
                "M13 1c1 5 7 7.5 7 13.500A8 8 0 0 1 4 15c0-3.5 2-5.5 3.5-8 .5 2 1.3 3 2.5 3.500C10.5 7 11 4 13 1z"
            }
            Shape::Flask => {
                "M9 1.500h6v2h-1.200v5.500l6.7 10.200A2 2 0 0 1 18.8 22.500H5.200A2 2 0 0 1 3.5 19.200L10.2 9V3.500H9z"
            }
            Shape::Sun => {
                "M12 7a5 5 0 1 0 0 10 5 5 0 0 0 0-10zM11 1h2v4h-2zM11 19h2v4h-2zM1 11h4v2H1zM19 11h4v2h-4zM3.5 5 5 3.5 7.8 6.3 6.3 7.800zM16.2 17.700l1.5-1.500L20.5 19 19 20.500zM3.5 19l2.8-2.8 1.5 1.500L5 20.500zM16.2 6.3 19 3.5 20.5 5l-2.8 2.800z"
            }
            Shape::Moon => "M16 1.500A11 11 0 1 0 22.5 17 9 9 0 0 1 16 1.500z",
            Shape::Cross => "M8.5 2h7v6.500H22v7h-6.500V22h-7v-6.500H2v-7h6.500z",
            Shape::Calf => {
                "M5 6C2.5 5 .8 6.2 1 8.500c.2 2 2.5 2.7 4.2 2.200L6.5 17c.4 3 2.8 5.5 5.5 5.500s5.1-2.5 5.5-5.500l1.3-6.300c1.7.5 4-.2 4.2-2.2.2-2.3-1.5-3.5-4-2.500C17.5 3.5 15 2.5 12 2.500S6.5 3.5 5 6zM9 9.200a1.3 1.3 0 1 1 0 2.6 1.3 1.3 0 0 1 0-2.600zM15 9.200a1.3 1.3 0 1 1 0 2.6 1.3 1.3 0 0 1 0-2.600zM10.2 17.500a1 1 0 1 1 0 2 1 1 0 0 1 0-2zM13.8 17.500a1 1 0 1 1 0 2 1 1 0 0 1 0-2z"
            }
            Shape::Buffalo => {
                "M1 3c0 5 2 8 6 8.500L7.5 17c.4 3 2 5.5 4.5 5.500s4.1-2.5 4.5-5.500l.5-5.500c4-.5 6-3.5 6-8.5-1.5 3-3.5 4-6.5 4C15 5.5 13.5 5 12 5s-3 .5-4.5 2C4.5 7 2.5 6 1 3zM9.5 11a1.2 1.2 0 1 1 0 2.4 1.2 1.2 0 0 1 0-2.400zM14.5 11a1.2 1.2 0 1 1 0 2.4 1.2 1.2 0 0 1 0-2.400zM10.5 18a.9.9 0 1 1 0 1.8.9.9 0 0 1 0-1.800zM13.5 18a.9.9 0 1 1 0 1.8.9.9 0 0 1 0-1.800z"
            }
            Shape::Skip => {
                "M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20zm0 3.200a6.8 6.8 0 0 1 4 1.300L6.5 16A6.8 6.8 0 0 1 12 5.200zm0 13.600a6.8 6.8 0 0 1-4-1.300L17.5 8A6.8 6.8 0 0 1 12 18.800z"
            }
            Shape::Reverse => "M7 2 1.5 7.5 7 13V9.500h9v-4H7zM17 11v3.500H8v4h9V22l5.5-5.500z",
        }
    }

    /// The shape with its upper left corner here, so many units wide; filled as the class says.
    pub(crate) fn at(self, x: f32, y: f32, size: f32, class: &str) -> Element {
        let scale = size / 24.0;
        element("path")
            .class(class)
            .attr(
                "transform",
                format_args!("translate({x} {y}) scale({scale})"),
            )
            .attr("fill-rule", "evenodd")
            .attr("d", self.path())
    }

    /// The shape as a picture of its own, the size of a letter.
    pub(crate) fn icon(self, class: &str) -> Element {
        svg("icon", "0 0 24 24").with(self.at(0.0, 0.0, 24.0, class))
    }
}

/// A picture with this class and this view box. It is decoration: what it shows is said by the label
/// of the piece, or by a text beside it.
pub(crate) fn svg(class: &str, view_box: &str) -> Element {
    element("svg")
        .class(class)
        .attr("viewBox", view_box)
        .attr("aria-hidden", "true")
        .attr("focusable", "false")
}

/// A text in a picture, its middle at `x`, standing on `y`.
pub(crate) fn text(x: f32, y: f32, size: f32, class: &str, text: impl Display) -> Element {
    element("text")
        .class(class)
        .attr("x", x)
        .attr("y", y)
        .attr("font-size", size)
        .attr("text-anchor", "middle")
        .text(text)
}
