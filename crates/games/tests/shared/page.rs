//! A strict reader of the HTML that drawings are made of: what it does not know, a drawing must not
//! have.

/// What a drawing may be made of. Nothing here loads or runs anything.
const ELEMENTS: &[&str] = &[
    "bdi", "button", "circle", "details", "div", "ellipse", "g", "i", "li", "ol", "p", "path",
    "rect", "section", "span", "strong", "summary", "svg", "table", "td", "text", "th", "tr", "ul",
];

/// What an element may say. No `id`, so that two drawings fit on a page, and no style, which the
/// pages' content policy forbids.
const ATTRIBUTES: &[&str] = &[
    "aria-disabled",
    "aria-hidden",
    "aria-label",
    "aria-pressed",
    "class",
    "cx",
    "cy",
    "d",
    "data-card",
    "data-kind",
    "data-pile",
    "data-piece",
    "data-seat",
    "data-refused",
    "data-way",
    "fill-rule",
    "focusable",
    "font-size",
    "height",
    "name",
    "r",
    "role",
    "rx",
    "ry",
    "scope",
    "text-anchor",
    "title",
    "transform",
    "type",
    "value",
    "viewBox",
    "width",
    "x",
    "y",
];

/// An element with its attributes.
#[derive(Debug)]
pub(crate) struct Element {
    pub(crate) name: String,
    attributes: Vec<(String, String)>,
}

impl Element {
    pub(crate) fn attribute(&self, name: &str) -> Option<&str> {
        let found = self.attributes.iter().find(|(own, _)| own == name);
        found.map(|(_, value)| value.as_str())
    }
}

/// A page that was read.
pub(crate) struct Page {
    /// All elements in order.
    pub(crate) elements: Vec<Element>,
    /// All text.
    pub(crate) text: String,
}

impl Page {
    /// Reads a page.
    ///
    /// # Panics
    /// If it is not well formed, or has something that no drawing may have.
    pub(crate) fn read(html: &str) -> Page {
        let mut page = Page {
            elements: Vec::new(),
            text: String::new(),
        };
        let mut open: Vec<String> = Vec::new();
        let mut rest = html;
        while let Some(start) = rest.find('<') {
            page.text.push_str(&plain(&rest[..start]));
            let end = start + rest[start..].find('>').expect("a tag ends");
            let tag = &rest[start + 1..end];
            rest = &rest[end + 1..];
            if let Some(name) = tag.strip_prefix('/') {
                assert_eq!(
                    open.pop().as_deref(),
                    Some(name),
                    "elements are closed in order"
                );
                continue;
            }
            let element = element(tag);
            open.push(element.name.clone());
            page.elements.push(element);
        }
        page.text.push_str(&plain(rest));
        assert!(open.is_empty(), "not closed: {open:?}");
        page
    }

    /// The elements that have an attribute.
    pub(crate) fn having<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Element> {
        let has = move |element: &&Element| element.attribute(name).is_some();
        self.elements.iter().filter(has)
    }

    /// All values of an attribute, in order.
    pub(crate) fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.having(name)
            .filter_map(move |element| element.attribute(name))
    }
}

fn element(tag: &str) -> Element {
    let (name, mut rest) = tag.split_once(' ').unwrap_or((tag, ""));
    assert!(ELEMENTS.contains(&name), "<{name}> in a drawing");
    let mut attributes = Vec::new();
    while !rest.is_empty() {
        let (name, after) = rest.split_once("=\"").expect("an attribute has a value");
        let (value, after) = after.split_once('"').expect("a value ends");
        assert!(ATTRIBUTES.contains(&name), "{name}= in a drawing");
        attributes.push((name.to_owned(), plain(value)));
        rest = after.trim_start();
    }
    Element {
        name: name.to_owned(),
        attributes,
    }
}

/// The text behind an escaped one, in which nothing may be left that means something.
fn plain(escaped: &str) -> String {
    assert!(!escaped.contains(['<', '>', '"', '\'']), "{escaped}");
    assert!(!escaped.chars().any(char::is_control), "{escaped:?}");
    for part in escaped.split('&').skip(1) {
        let known = ["amp;", "lt;", "gt;", "quot;", "#39;"];
        assert!(
            known.iter().any(|entity| part.starts_with(entity)),
            "&{part}"
        );
    }
    let texts = [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&#39;", "'"),
        ("&amp;", "&"),
    ];
    let replace = |text: String, (entity, letter)| text.replace(entity, letter);
    texts.into_iter().fold(escaped.to_owned(), replace)
}
