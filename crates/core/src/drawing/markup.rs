//! HTML and SVG, built so that whatever anybody wrote comes out as text.
//!
//! Names of elements and attributes are written in the program; everything else is escaped, always.
//! There is no way to let a finished string through, so there is nothing to forget.

use std::fmt::{self, Display, Write};

/// A piece of HTML or SVG that is whole: every element in it is closed, every text escaped.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Markup(String);

impl Markup {
    /// Nothing.
    pub fn nothing() -> Markup {
        Markup::default()
    }

    /// A text.
    pub fn text(text: impl Display) -> Markup {
        let mut markup = Markup::nothing();
        escape(&mut markup.0, &text);
        markup
    }

    /// The HTML as it is sent.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Adds more of it at the end.
    pub fn push(&mut self, more: impl Into<Markup>) {
        self.0.push_str(&more.into().0);
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl From<Markup> for String {
    fn from(markup: Markup) -> String {
        markup.0
    }
}

impl<M: Into<Markup>> FromIterator<M> for Markup {
    fn from_iter<I: IntoIterator<Item = M>>(parts: I) -> Markup {
        let mut markup = Markup::nothing();
        parts.into_iter().for_each(|part| markup.push(part));
        markup
    }
}

impl<M: Into<Markup>> From<Option<M>> for Markup {
    fn from(perhaps: Option<M>) -> Markup {
        perhaps.into_iter().collect()
    }
}

/// An element that is being built. It is written as it grows: a drawing has hundreds of them.
#[derive(Clone, Debug)]
pub struct Element {
    name: &'static str,
    /// The start tag, and what is inside so far.
    html: String,
    /// Where the start tag ends, once there is something inside.
    head: Option<usize>,
}

/// Most elements are not longer than this.
const USUAL_LENGTH: usize = 128;

/// A new element of this name, without attributes and empty.
pub fn element(name: &'static str) -> Element {
    let mut html = String::with_capacity(USUAL_LENGTH);
    html.push('<');
    html.push_str(name);
    Element {
        name,
        html,
        head: None,
    }
}

impl Element {
    /// Gives it an attribute. Attributes that hold scripts or styles have no place here: the pages'
    /// content policy forbids both.
    pub fn attr(mut self, name: &'static str, value: impl Display) -> Element {
        debug_assert!(!name.starts_with("on") && name != "style", "{name}");
        let inside = self.head.map(|head| self.html.split_off(head));
        self.html.push(' ');
        self.html.push_str(name);
        self.html.push_str("=\"");
        escape(&mut self.html, &value);
        self.html.push('"');
        if let Some(inside) = inside {
            self.head = Some(self.html.len());
            self.html.push_str(&inside);
        }
        self
    }

    /// Where what is inside goes on.
    fn inside(&mut self) -> &mut String {
        if self.head.is_none() {
            self.head = Some(self.html.len());
            self.html.push('>');
        }
        &mut self.html
    }

    /// Gives it an attribute if there is a value.
    pub fn attr_if(self, name: &'static str, value: Option<impl Display>) -> Element {
        match value {
            Some(value) => self.attr(name, value),
            None => self,
        }
    }

    /// Gives it classes, separated by spaces.
    pub fn class(self, classes: impl Display) -> Element {
        self.attr("class", classes)
    }

    /// Adds something inside, at the end.
    pub fn with(mut self, inside: impl Into<Markup>) -> Element {
        self.inside().push_str(&inside.into().0);
        self
    }

    /// Adds several things inside, at the end.
    pub fn all<M: Into<Markup>>(self, inside: impl IntoIterator<Item = M>) -> Element {
        inside.into_iter().fold(self, Element::with)
    }

    /// Adds a text inside, at the end.
    pub fn text(mut self, text: impl Display) -> Element {
        escape(self.inside(), &text);
        self
    }
}

impl From<Element> for Markup {
    fn from(mut element: Element) -> Markup {
        let name = element.name;
        let html = element.inside();
        html.push_str("</");
        html.push_str(name);
        html.push('>');
        Markup(element.html)
    }
}

/// Writes `value` with everything escaped that means something in HTML, in a text as well as in an
/// attribute. Control characters are left out: a parser may not take them.
fn escape(html: &mut String, value: &dyn Display) {
    struct Escaped<'a>(&'a mut String);
    impl Write for Escaped<'_> {
        fn write_str(&mut self, mut text: &str) -> fmt::Result {
            let is_special = |letter: char| "&<>\"'".contains(letter) || letter.is_control();
            while let Some(place) = text.find(is_special) {
                let (plain, rest) = text.split_at(place);
                self.0.push_str(plain);
                let mut letters = rest.chars();
                match letters.next() {
                    Some('&') => self.0.push_str("&amp;"),
                    Some('<') => self.0.push_str("&lt;"),
                    Some('>') => self.0.push_str("&gt;"),
                    Some('"') => self.0.push_str("&quot;"),
                    Some('\'') => self.0.push_str("&#39;"),
                    Some('\n' | '\t') => self.0.push(' '),
                    _ => {}
                }
                text = letters.as_str();
            }
            self.0.push_str(text);
            Ok(())
        }
    }
    // A value that cannot be written is missing; a page without it is better than no page.
    let _ = write!(Escaped(html), "{value}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_and_attributes_are_escaped() {
        let hostile = "\"><script>alert('&')</script>\u{0}\u{1b}[2J";
        let html: Markup = element("b").attr("title", hostile).text(hostile).into();
        let escaped = "&quot;&gt;&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;[2J";
        assert_eq!(
            html.as_str(),
            format!("<b title=\"{escaped}\">{escaped}</b>")
        );
    }

    #[test]
    fn elements_are_closed_and_keep_their_order() {
        let row = element("ul").all((1..3).map(|n| element("li").text(n)));
        let row = row.with(None::<Element>).class("late").text("&");
        let html: Markup = row.into();
        assert_eq!(
            html.as_str(),
            "<ul class=\"late\"><li>1</li><li>2</li>&amp;</ul>"
        );
        assert_eq!(Markup::from(element("p")).as_str(), "<p></p>");
    }
}
