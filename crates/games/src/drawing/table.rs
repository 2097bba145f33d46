//! The table: seats around it, what lies in the middle, and the reader's own cards in front.

use croupier_core::{Audience, Drawn, Element, Markup, Scene, Seat, counted, element};

use super::back;

/// A table that is being laid.
pub(crate) struct Table<'a, G: Drawn> {
    scene: &'a Scene<'a, G>,
    seats: Vec<Element>,
    middle: Markup,
    hand: Markup,
    asks: String,
}

impl<'a, G: Drawn> Table<'a, G> {
    pub(crate) fn new(scene: &'a Scene<'a, G>) -> Table<'a, G> {
        Table {
            scene,
            seats: Vec::new(),
            middle: Markup::nothing(),
            hand: Markup::nothing(),
            asks: "choose a move".to_owned(),
        }
    }

    /// What a person whose turn it is has to do: `play a card`.
    pub(crate) fn asks(mut self, what: impl Into<String>) -> Self {
        self.asks = what.into();
        self
    }

    /// What lies in the middle.
    pub(crate) fn middle(mut self, middle: impl Into<Markup>) -> Self {
        self.middle = middle.into();
        self
    }

    /// The cards of the seat in front.
    pub(crate) fn hand(mut self, hand: impl Into<Markup>) -> Self {
        self.hand = hand.into();
        self
    }

    /// Seats everybody: `facts` are what is known of a seat in a few words each, `lies` what lies
    /// before it.
    pub(crate) fn seats(
        mut self,
        facts: impl Fn(Seat) -> Vec<String>,
        lies: impl Fn(Seat) -> Markup,
    ) -> Self {
        let plate = |(place, seat)| self.seat(place, seat, facts(seat), lies(seat));
        self.seats = self.scene.seats().enumerate().map(plate).collect();
        self
    }

    fn seat(&self, place: usize, seat: Seat, facts: Vec<String>, lies: Markup) -> Element {
        let scene = self.scene;
        let turn = scene.to_move() == Some(seat);
        let own = scene.own() == Some(seat);
        let mut class = format!("seat at-{place}");
        class.push_str(if turn { " turn" } else { "" });
        class.push_str(if own { " own-seat" } else { "" });
        let name = element("strong").class("name").with(scene.name_tag(seat));
        let mark = |class, text: &str| element("span").class(class).text(text);
        let place_taken = scene.outcome().map(|outcome| outcome.places[seat.index()]);
        let place_taken = place_taken.map(|place| match place {
            1 => mark("mark won", "★ 1st"),
            _ => mark("mark", &ordinal(place)),
        });
        let head = element("div")
            .class("head")
            .with(name)
            .with(scene.is_reader(seat).then(|| mark("mark you", "you")))
            .with(turn.then(|| mark("mark to-move", "to move")))
            .with(place_taken);
        let facts = facts.into_iter().map(|fact| element("li").text(fact));
        element("div")
            .class(class)
            .attr("role", "group")
            .attr("data-seat", seat)
            .attr("aria-label", scene.name(seat))
            .with(head)
            .with(element("ul").class("facts").all(facts))
            .with(lies)
    }

    /// Who is to do what.
    fn turn_line(&self) -> Element {
        let scene = self.scene;
        let is_asked = scene.is_called_upon();
        let line = element("p").class(match is_asked {
            true => "turn-line own-turn",
            false => "turn-line",
        });
        let Some(seat) = scene.to_move() else {
            return line.with(over(scene));
        };
        if is_asked {
            return line
                .with(element("strong").text("Your turn: "))
                .text(&self.asks);
        }
        match scene.is_reader(seat) {
            true => line.text("You are to move"),
            false => line.with(scene.name_tag(seat)).text(" is to move"),
        }
    }

    /// The whole table.
    pub(crate) fn lay(self) -> Element {
        let turn_line = self.turn_line();
        let Table {
            scene,
            seats,
            middle,
            hand,
            ..
        } = self;
        let count = match seats.len() {
            2 => "of-2",
            4 => "of-4",
            _ => "of-many",
        };
        let reader = match scene.audience() {
            Audience::Seat(_) => "for-seat",
            Audience::Onlooker => "for-onlooker",
            Audience::Referee => "for-all",
        };
        let mut seats = seats.into_iter();
        let near = element("div")
            .class("near")
            .with(seats.next())
            .with(turn_line)
            .with(hand);
        let name = G::PROFILE.name;
        // The outer one is measured, so that the inner one can be laid out by its width.
        let layout = element("div")
            .class("layout")
            .with(element("div").class("others").all(seats))
            .with(element("div").class("middle").with(middle))
            .with(near);
        element("div")
            .class(format_args!("table game-{name} {count} {reader}"))
            .with(layout)
    }
}

/// Who has won.
fn over<G: Drawn>(scene: &Scene<'_, G>) -> Markup {
    let Some(outcome) = scene.outcome() else {
        return Markup::nothing();
    };
    let mut seats = scene.seats().collect::<Vec<_>>();
    seats.sort();
    let mut line: Markup = element("strong").text("The game is over. ").into();
    let winners: Vec<Seat> = (seats.iter().copied())
        .filter(|seat| outcome.places[seat.index()] == 1)
        .collect();
    if winners.len() == seats.len() {
        line.push(Markup::text("Nobody is ahead."));
        return line;
    }
    for (place, &winner) in winners.iter().enumerate() {
        line.push(Markup::text(match place {
            0 => "",
            _ if place + 1 == winners.len() => " and ",
            _ => ", ",
        }));
        line.push(match (scene.is_reader(winner), place) {
            (true, 0) => Markup::text("You"),
            (true, _) => Markup::text("you"),
            (false, _) => scene.name_tag(winner),
        });
    }
    let win = match &winners[..] {
        [winner] if !scene.is_reader(*winner) => " wins.",
        _ => " win.",
    };
    line.push(Markup::text(win));
    line.push(Markup::from(
        (outcome.note.as_ref()).map(|note| element("span").text(format_args!(" ({note})"))),
    ));
    line
}

fn ordinal(place: u16) -> String {
    let ending = match (place % 10, place % 100) {
        (1, other) if other != 11 => "st",
        (2, other) if other != 12 => "nd",
        (3, other) if other != 13 => "rd",
        _ => "th",
    };
    format!("{place}{ending}")
}

/// The cards of the seat in front, side by side, one over the other as far as they have to.
pub(crate) fn hand<G: Drawn>(
    scene: &Scene<'_, G>,
    cards: impl IntoIterator<Item = Markup>,
) -> Option<Element> {
    let mut cards = cards.into_iter().peekable();
    cards.peek()?;
    let label = match scene.is_reader(scene.front()) {
        true => "Your hand".to_owned(),
        false => format!("The hand of {}", scene.name(scene.front())),
    };
    let items = cards.map(|card| element("li").with(card));
    let fan = element("ul")
        .class("fan")
        .attr("data-kind", "card")
        .attr("role", "list")
        .attr("aria-label", label)
        .all(items);
    Some(fan)
}

/// The cards before a seat: from behind, unless the reader sees them; none before the seat in front,
/// whose hand is drawn at large.
pub(crate) fn cards_before<G: Drawn>(
    scene: &Scene<'_, G>,
    seat: Seat,
    count: usize,
    seen: impl FnOnce(&G::View) -> Element,
) -> Markup {
    match scene.view(seat) {
        Some(_) if seat == scene.front() => Markup::nothing(),
        Some(view) => seen(view).into(),
        None => times(count).into(),
    }
}

/// So many cards of somebody else, seen from behind.
fn times(count: usize) -> Element {
    /// More than these would show no difference.
    const MOST: usize = 12;
    let backs = (0..count.min(MOST)).map(|_| element("i"));
    element("span")
        .class("backs")
        .attr("role", "img")
        .attr("aria-label", counted(count as u64, "card"))
        .all(backs)
}

/// A pile of cards that lie face down, with a name for those who show how cards move.
pub(crate) fn pile(name: &str, label: &str, count: usize) -> Element {
    let class = if count == 0 { "pile empty" } else { "pile" };
    let caption = element("span").class("caption").text(label);
    element("span")
        .class(class)
        .attr("data-pile", name)
        .with((count > 0).then(back))
        .with(element("span").class("count").text(count))
        .with(caption)
}

/// Something that is shown when it is asked for.
pub(crate) fn fold(summary: &str, inside: impl Into<Markup>) -> Element {
    element("details")
        .class("fold")
        .with(element("summary").text(summary))
        .with(inside)
}
