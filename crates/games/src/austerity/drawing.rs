//! How Austerity is drawn.

use croupier_core::{Drawing, Drawn, Element, Game, Markup, Pieces, Scene, Seat, Way, element};
use serde::Serialize;

use super::table::WILD;
use super::{Austerity, Card, Colour, Holdings, Move, Payment, Table, Terms, Trio};
use crate::drawing::{self, Shape, Tone, legend, pile, plate, sheet, svg, text};

/// What tokens there are, by their places in lists that hold five numbers.
const TOKENS: [(&str, &str, Tone, Shape); 5] = [
    ("P", "purple", Tone::Purple, Shape::Hexagon),
    ("B", "brown", Tone::Brown, Shape::Square),
    ("Y", "yellow", Tone::Yellow, Shape::Star),
    ("R", "red", Tone::Red, Shape::Diamond),
    ("W", "wild", Tone::Wild, Shape::Circle),
];

/// A card to show what cards look like.
const SAMPLE: Card = Card {
    bonus: Colour::Purple,
    points: 3,
    price: [2, 0, 3, 3],
};

/// How a card is read, for who has not read the rules.
const READING: &str = "Top left on a card: its points. Top right: the colour of which its owner pays one token less from then on.";

/// What the small numbers on cards are, for who has discounts.
const REDUCED: &str = " The numbers below are what you pay; the small ones are what your discounts have taken off already.";

/// What everybody sees of a game of Austerity: all but the rest of the deck.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Open {
    /// What lies on the table.
    #[serde(flatten)]
    pub table: Table,
    /// What was agreed before the game.
    #[serde(flatten)]
    pub terms: Terms,
    /// How many turns have been played.
    pub turns: u64,
    /// How many cards are left in the deck.
    pub deck: usize,
}

impl Drawn for Austerity {
    type Open = Open;

    fn open(&self) -> Open {
        let seen = self.view(Seat(0));
        Open {
            table: seen.table,
            terms: seen.terms,
            turns: seen.turns,
            deck: self.hidden().len(),
        }
    }
    fn drawn(scene: &Scene<'_, Austerity>) -> Drawing {
        let open = scene.open();
        let table = &open.table;
        let own = scene.own().map(|seat| &table.players[seat.index()]);
        let ways = scene.legal().iter().map(|&choice| way(table, own, choice));
        let mut pieces = Pieces::new(ways.collect());
        for (place, card) in table.market.iter().enumerate() {
            if scene.forbids(Move::Purchase(place as u8)).is_some() {
                pieces.forbid(market_piece(place), too_dear(own, card));
            }
        }
        for colour in Colour::ALL {
            let mut trios = Trio::ALL.into_iter();
            let trio = trios.find(|trio| trio.colours().any(|other| other == colour));
            if trio.is_some_and(|trio| scene.forbids(Move::Take(trio)).is_some()) {
                pieces.forbid(token_piece(colour.index()), no_trio(table, colour));
            }
        }
        let is_legal = |sort: fn(&Move) -> bool| scene.legal().iter().any(sort);
        let buys = is_legal(|choice| matches!(choice, Move::Purchase(_)));
        let takes = is_legal(|choice| matches!(choice, Move::Take(_)));
        let asks = match (buys, takes) {
            (true, true) => "buy a card, or take three tokens of different colours, or a wild one",
            (true, false) => "buy a card, or take a wild token",
            (false, true) => "take three tokens of different colours, or a wild one",
            (false, false) => "take a wild token",
        };
        let lies = |seat: Seat| holdings(&table.players[seat.index()], seat == scene.front());
        let facts = |seat: Seat| {
            let points = table.players[seat.index()].points;
            vec![format!("{points} of {} points", open.terms.target)]
        };
        let table = drawing::Table::new(scene)
            .seats(facts, lies)
            .middle(middle(open, own, &pieces))
            .hand(reading(own))
            .asks(asks)
            .lay();
        pieces.into_drawing(table)
    }

    fn in_words(choice: Move) -> String {
        match choice {
            Move::Purchase(place) => format!("buys the {} card", ordinal(usize::from(place))),
            Move::Take(trio) => format!("takes {}", colours(trio)),
            Move::Wild => "takes a wild token".to_owned(),
        }
    }

    /// The places of the market move on with every purchase: the card itself is named.
    fn recalled(before: &Open, choice: Move) -> String {
        let card = match choice {
            Move::Purchase(place) => before.table.market.get(usize::from(place)),
            Move::Take(_) | Move::Wild => None,
        };
        match card {
            Some(card) => format!("buys {}", called(card)),
            None => Austerity::in_words(choice),
        }
    }

    fn picture() -> Markup {
        let at = |x: f32, y: f32, place: usize| {
            element("g")
                .attr("transform", format_args!("translate({x} {y}) scale(.85)"))
                .with(coin(place))
        };
        let card = element("g")
            .attr("transform", "translate(96 12) rotate(6) scale(.68)")
            .with(face(&SAMPLE, &SAMPLE.price.map(i64::from)));
        svg("picture", "0 0 180 120")
            .with(at(14.0, 58.0, 0))
            .with(at(48.0, 66.0, 2))
            .with(at(30.0, 22.0, 3))
            .with(card)
            .into()
    }

    fn legend() -> Markup {
        legend([
            (
                svg("coin", "0 0 44 44").with(coin(0)),
                "In a turn, three tokens of different colours may be taken.",
            ),
            (
                svg("coin", "0 0 44 44").with(coin(WILD)),
                "Or a wild token, which pays for any colour.",
            ),
            (
                face(&SAMPLE, &SAMPLE.price.map(i64::from)),
                "Or a card is bought for the tokens below. Its points are at the left; at the right the colour of which every later card costs its owner one token less.",
            ),
        ])
    }
}

fn way(table: &Table, own: Option<&Holdings>, choice: Move) -> Way {
    let (pieces, label) = match choice {
        Move::Purchase(place) => {
            let place = usize::from(place);
            let card = table.market.get(place);
            let paid = card.and_then(|card| own?.payment(card));
            let card = card.map_or(String::new(), called);
            let paid = paid.map_or(String::new(), |paid| paid_with(&paid));
            (vec![market_piece(place)], format!("Buy {card}{paid}"))
        }
        Move::Take(trio) => {
            let pieces = trio.colours().map(|colour| token_piece(colour.index()));
            (pieces.collect(), format!("Take {}", colours(trio)))
        }
        Move::Wild => (vec![token_piece(WILD)], "Take a wild token".to_owned()),
    };
    Way::new(choice, pieces, label)
}

fn market_piece(place: usize) -> String {
    format!("market-{place}")
}

fn token_piece(place: usize) -> String {
    format!("token-{}", TOKENS[place].0)
}

/// `a purple, a brown and a red token`
fn colours(trio: Trio) -> String {
    let names: Vec<&str> = trio.colours().map(|c| TOKENS[c.index()].1).collect();
    match &names[..] {
        [rest @ .., last] => format!("a {} and a {last} token", rest.join(", a ")),
        [] => String::new(),
    }
}

/// Which card of the market it is, the oldest first.
fn ordinal(place: usize) -> &'static str {
    const PLACES: [&str; 8] = [
        "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth",
    ];
    PLACES.get(place).copied().unwrap_or("last")
}

/// So many tokens of each sort, in words: `2 purple, 1 wild`.
fn listed(tokens: &[i64]) -> String {
    let some = tokens.iter().zip(TOKENS).filter(|&(&count, _)| count != 0);
    let words: Vec<String> = some
        .map(|(count, (_, name, ..))| format!("{count} {name}"))
        .collect();
    words.join(", ")
}

fn paid_with(paid: &Payment) -> String {
    match listed(paid).as_str() {
        "" => " for nothing".to_owned(),
        tokens => format!(" for {tokens}"),
    }
}

/// Why a card cannot be bought: the rule names it by its number, which nobody sees at the table.
fn too_dear(own: Option<&Holdings>, card: &Card) -> String {
    let missing = own.map_or([0; 4], |own| {
        let need = own.need(card);
        std::array::from_fn(|colour| (need[colour] - own.tokens[colour]).max(0))
    });
    let wild = own.map_or(0, |own| own.tokens[WILD]);
    let missing = listed(&missing);
    match wild {
        0 => format!("it costs {missing} more than you have"),
        _ => format!("it costs {missing} more than you have, and you have {wild} wild"),
    }
}

/// Why a token of this colour cannot be taken: the rule names a colour that is missing, which may be
/// another than the one that was picked.
fn no_trio(table: &Table, colour: Colour) -> String {
    let name = |colour: Colour| TOKENS[colour.index()].1;
    if !table.has(colour) {
        return format!("there are no {} tokens left", name(colour));
    }
    let left = Colour::ALL.into_iter().filter(|&other| table.has(other));
    let left: Vec<&str> = left.map(name).collect();
    let left = left.join(" and ");
    format!("three different colours are taken at once, and there are only {left} tokens left")
}

/// What a card is called where it cannot be seen.
fn called(card: &Card) -> String {
    let price = match listed(&card.price.map(i64::from)).as_str() {
        "" => "costs nothing".to_owned(),
        price => format!("costs {price}"),
    };
    let bonus = TOKENS[card.bonus.index()].1;
    let points = card.points;
    let s = if points == 1 { "" } else { "s" };
    format!("a {bonus} card of {points} point{s} that {price}")
}

/// How cards are read, as far as there is something to read on them.
fn reading(own: Option<&Holdings>) -> Element {
    let reduced = own.is_some_and(|own| own.discounts.iter().any(|&discount| discount > 0));
    let hush = element("p").class("hush").text(READING);
    if reduced { hush.text(REDUCED) } else { hush }
}

/// The tokens and the market.
fn middle(open: &Open, own: Option<&Holdings>, pieces: &Pieces) -> Markup {
    let table = &open.table;
    let token = |place: usize| {
        let (_, name, ..) = TOKENS[place];
        let left = table.piles.get(place);
        let label = match left {
            Some(left) => format!("{name} tokens, {left} left"),
            None => "wild tokens, as many as are wanted".to_owned(),
        };
        let count = left.map_or("∞".to_owned(), |&left| short(left));
        let face = element("span")
            .class(if left == Some(&0) {
                "coins empty"
            } else {
                "coins"
            })
            .with(svg("coin", "0 0 44 44").with(coin(place)))
            .with(element("span").class("count").text(count));
        pieces.piece(&token_piece(place), "token", &label, face)
    };
    let bank = element("div")
        .class("bank")
        .attr("data-kind", "token")
        .attr("role", "group")
        .attr("aria-label", "Tokens")
        .all((0..TOKENS.len()).map(token));
    let card = |(place, card): (usize, &Card)| {
        let need = own.map_or(card.price.map(i64::from), |own| own.need(card));
        let pays = own.and_then(|own| own.payment(card));
        let pays = pays.map_or(String::new(), |paid| {
            format!(", to be had{}", paid_with(&paid))
        });
        let label = format!("{}{pays}", called(card));
        let piece = pieces.piece(
            &market_piece(place),
            "market-card",
            &label,
            face(card, &need),
        );
        element("li").with(piece)
    };
    let market = element("ul")
        .class("market")
        .attr("data-kind", "card")
        .attr("role", "list")
        .attr("aria-label", "Market, oldest card first")
        .all(table.market.iter().enumerate().map(card));
    let deck = pile("deck", "Deck", open.deck);
    [
        element("div").class("bank-row").with(bank).with(deck),
        market,
    ]
    .into_iter()
    .collect()
}

/// A number in a small place.
fn short(number: i64) -> String {
    match number {
        ..10_000 => number.to_string(),
        10_000..1_000_000 => format!("{}k", number / 1_000),
        1_000_000..1_000_000_000 => format!("{}M", number / 1_000_000),
        _ => format!("{}G", number / 1_000_000_000),
    }
}

/// A token, 44 units wide.
fn coin(place: usize) -> Element {
    let (letter, _, tone, shape) = TOKENS[place];
    let disc = |radius: u32, class: &str| {
        element("circle")
            .class(class)
            .attr("cx", 22)
            .attr("cy", 22)
            .attr("r", radius)
    };
    element("g")
        .class(tone.class())
        .with(disc(21, "fill"))
        .with(disc(17, "milling"))
        .with(shape.at(9.0, 9.0, 26.0, "on faint"))
        .with(text(22.0, 30.0, 22.0, "on index", letter))
}

/// A card of the market, with what it costs the reader, and what discounts have taken off.
fn face(card: &Card, need: &[i64; 4]) -> Element {
    let (letter, _, tone, shape) = TOKENS[card.bonus.index()];
    let prices = (0..4).filter(|&colour| card.price[colour] > 0);
    let price = |(row, colour): (usize, usize)| {
        let (letter, _, tone, _) = TOKENS[colour];
        let (x, y) = (
            18.0 + 46.0 * (row % 2) as f32,
            76.0 + 38.0 * (row / 2) as f32,
        );
        let saved = i64::from(card.price[colour]) - need[colour];
        let saved = (saved != 0).then(|| {
            text(
                x + 21.0,
                y + 21.0,
                15.0,
                "quiet",
                format_args!("−{}", short(saved)),
            )
        });
        element("g")
            .class(tone.class())
            .with(
                element("circle")
                    .class("fill")
                    .attr("cx", x)
                    .attr("cy", y)
                    .attr("r", 12),
            )
            .with(text(x, y + 5.0, 14.0, "on index", letter))
            .with(text(
                x + 21.0,
                y + 7.0,
                20.0,
                "ink index",
                short(need[colour]),
            ))
            .with(saved)
    };
    sheet(&format!("card {}", tone.class()))
        .attr("data-card", card.to_string().replace([' ', ':'], "-"))
        .with(plate("paper", 1.0, 11.0))
        .with(
            element("path")
                .class("fill")
                .attr("d", "M1 12A11 11 0 0 1 12 1H88A11 11 0 0 1 99 12V56H1z"),
        )
        .with(plate("edge", 1.0, 11.0))
        .with(text(22.0, 40.0, 34.0, "on index", card.points))
        .with(shape.at(52.0, 10.0, 36.0, "on faint"))
        .with(text(70.0, 36.0, 22.0, "on index", letter))
        .all(prices.enumerate().map(price))
}

/// What a seat has: its discounts and its tokens.
fn holdings(player: &Holdings, front: bool) -> Markup {
    let chip = |place: usize, count: i64, class: &str| {
        let (letter, _, tone, shape) = TOKENS[place];
        element("span")
            .class(format_args!("chip {class} {}", tone.class()))
            .with(shape.icon("on faint"))
            .text(format_args!("{letter} {}", short(count)))
    };
    let row = |title: &str, numbers: &[i64], class: &str| {
        let listed = listed(numbers);
        let words = if listed.is_empty() { "none" } else { &listed };
        let some = numbers
            .iter()
            .enumerate()
            .filter(|&(_, &count)| front || count != 0);
        element("p")
            .class("holding")
            .attr("role", "img")
            .attr("aria-label", format_args!("{title}: {words}"))
            .with(element("span").class("title").text(title))
            .all(some.map(|(place, &count)| chip(place, count, class)))
    };
    // Both from the beginning: the market below does not move when somebody buys the first card.
    let tokens = row("Tokens", &player.tokens, "round");
    let discounts = row("Discounts", &player.discounts, "square");
    [tokens, discounts].into_iter().collect()
}
