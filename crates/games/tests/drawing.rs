//! What a drawing shows, gives away and lets a person do: the laws for every game.

#![expect(clippy::unwrap_used, reason = "a test may fail by panicking")]

#[path = "shared/page.rs"]
mod page;

use std::collections::{BTreeSet, HashSet};

use croupier_core::{
    Audience, Company, Drawing, Drawn, Game, Offered, Options, Sample, Scene, Seat, Seed,
};
use croupier_games::austerity::Austerity;
use croupier_games::friday13::Friday13;
use croupier_games::intensity::Intensity;
use croupier_games::uno::{Cards, Uno};
use croupier_games::war::{Card, Hand, War};
use croupier_games::{GAMES, austerity, friday13};
use page::Page;
use proptest::prelude::*;

/// How many turns of a game are played, and how many pass from one look at it to the next.
const TURNS: usize = 90;
const STRIDE: usize = 3;

fn names() -> Vec<String> {
    ["Ann", "Bo", "Cid", "Dot"].map(str::to_owned).to_vec()
}

fn drawn<G: Drawn>(game: &G, audience: Audience) -> Drawing {
    let names = names();
    let company = Company::spoken_to(&names, audience);
    G::drawn(&Scene::of(game, audience, company))
}

/// Asserts that two drawings are the same, byte for byte, and shows where they are not.
fn same(one: &Drawing, other: &Drawing) {
    let differ = |(a, b): (u8, u8)| a != b;
    if let Some(place) = one.html.bytes().zip(other.html.bytes()).position(differ) {
        let around = place.saturating_sub(60)..place + 60;
        let part = |html: &str| html.get(around.clone()).map(str::to_owned);
        panic!("{:?} and {:?}", part(&one.html), part(&other.html));
    }
    assert!(one == other, "the ways differ");
}

/// All who may look at a game.
fn audiences(seats: usize) -> impl Iterator<Item = Audience> {
    let others = [Audience::Onlooker, Audience::Referee];
    Seat::all(seats).map(Audience::Seat).chain(others)
}

/// Deals a game, plays it at random, and shows moments of it.
fn each_moment<G: Offered>(seed: Seed, mut see: impl FnMut(&G)) {
    let setup = G::setup(&Options::new()).unwrap();
    let mut game = G::deal(&setup, seed);
    let mut rng = seed.player(Seat(0)).rng();
    let first = rng.below(STRIDE);
    for turn in 0..TURNS {
        if turn % STRIDE == first || game.to_move().is_none() {
            see(&game);
        }
        let Some(choice) = game.random_move(&mut rng) else {
            return;
        };
        game.play(choice).unwrap();
    }
}

/// Every legal move has one way, and whoever picks pieces gets to one move at most; what may not be
/// played says why.
fn every_move_can_be_picked<G: Drawn>(game: &G) {
    for audience in audiences(game.seats()) {
        let drawing = drawn(game, audience);
        let page = Page::read(&drawing.html);
        let own_turn = game.to_move().map(Audience::Seat) == Some(audience);
        let mut legal = match own_turn {
            true => game.legal_moves().iter().map(ToString::to_string).collect(),
            false => Vec::new(),
        };
        legal.sort();
        let mut ways: Vec<&str> = drawing.ways.iter().map(|way| way.choice.as_str()).collect();
        ways.sort_unstable();
        assert_eq!(ways, legal, "one way for each legal move");
        let mut pieces = HashSet::new();
        for id in page.all("data-piece") {
            assert!(pieces.insert(id), "the piece {id} is there twice");
            assert!(!id.contains(char::is_whitespace), "{id}");
        }
        let sets: Vec<BTreeSet<&str>> = (drawing.ways.iter())
            .map(|way| way.pieces.iter().map(String::as_str).collect())
            .collect();
        for (place, (set, way)) in sets.iter().zip(&drawing.ways).enumerate() {
            assert_eq!(set.len(), way.pieces.len(), "each piece once: {way:?}");
            assert!(set.iter().all(|id| pieces.contains(id)), "{way:?}");
            let within = |other: &BTreeSet<&str>| set.is_subset(other) || other.is_subset(set);
            assert!(!sets[..place].iter().any(within), "{way:?}");
        }
        let picked: HashSet<&str> = sets.iter().flatten().copied().collect();
        let mut forbidden: HashSet<&str> = HashSet::new();
        for refused in &drawing.forbidden {
            let apart: BTreeSet<&str> = refused.pieces.iter().map(String::as_str).collect();
            assert!(own_turn && apart.iter().all(|id| pieces.contains(id)));
            assert!(!sets.iter().any(|set| apart.is_subset(set)), "{refused:?}");
            assert!(!refused.rule.is_empty());
            if let [piece] = &refused.pieces[..] {
                forbidden.insert(piece);
            } else {
                // Each of them can be picked, so that somebody may try them together.
                assert!(apart.is_subset(&picked.iter().copied().collect()));
            }
        }
        for piece in page.having("data-piece") {
            let id = piece.attribute("data-piece").unwrap();
            let label = piece.attribute("aria-label").unwrap();
            assert!(!label.is_empty());
            let classes = piece.attribute("class").unwrap();
            assert_eq!(classes.contains(" cannot"), forbidden.contains(id));
            assert_eq!(classes.ends_with(" can"), picked.contains(id));
            let touched = forbidden.contains(id) || picked.contains(id);
            assert_eq!(piece.name == "button", touched, "{id}");
            assert!(
                touched || !own_turn || !classes.contains("in-hand"),
                "{id} says nothing"
            );
        }
    }
}

/// The game with what a seat does not see dealt anew, once for each seat for which whose turn it is
/// stays as it was.
fn dealt_anew<G: Drawn + Sample>(game: &G, seed: Seed, mut see: impl FnMut(Seat, &G)) {
    if game.to_move().is_none() {
        return;
    }
    let mut rng = seed.rng();
    for seat in Seat::all(game.seats()) {
        let view = game.view(seat);
        let other = G::sample(&view, &mut rng);
        if other.to_move() == game.to_move() && other.view(seat) == view {
            see(seat, &other);
        }
    }
}

/// Hidden cards change no byte of what somebody is shown who does not see them.
fn nothing_hidden_is_drawn<G: Drawn + Sample>(seed: Seed) {
    let mut compared = 0;
    each_moment(seed, |game: &G| {
        dealt_anew(game, seed, |seat, other| {
            for audience in [Audience::Seat(seat), Audience::Onlooker] {
                same(&drawn(other, audience), &drawn(game, audience));
            }
            compared += 1;
        });
    });
    assert!(compared > 5, "only {compared} moments were compared");
}

/// What people call themselves stays text, and nothing in a drawing could run or load anything.
fn names_stay_text<G: Drawn>(game: &G) {
    let hostile = [
        "\"><script>alert(1)</script>",
        "' onmouseover='alert(1)",
        "</svg></button><img src=x onerror=alert(1)>",
        "\u{202e}&quot;&#x3c;b&#x3e;\u{0}",
    ];
    let names: Vec<String> = hostile.map(str::to_owned).to_vec();
    for audience in audiences(game.seats()) {
        let company = Company::spoken_to(&names, audience);
        let drawing = G::drawn(&Scene::of(game, audience, company));
        let page = Page::read(&drawing.html);
        assert!(page.text.contains(&hostile[0][..20]), "{}", page.text);
        let tame = Page::read(&drawn(game, audience).html);
        assert_eq!(page.elements.len(), tame.elements.len());
        Page::read(drawing.moves().as_str());
    }
}

/// The laws that hold for every game.
macro_rules! laws {
    ($($name:ident: $game:ty),* $(,)?) => {
        $(mod $name {
            use super::*;

            proptest! {
                #![proptest_config(ProptestConfig::with_cases(4))]

                #[test]
                fn every_legal_move_can_be_picked_and_the_rest_says_why_not(seed: u64) {
                    each_moment(Seed(seed), every_move_can_be_picked::<$game>);
                }

                #[test]
                fn names_are_text_whatever_they_hold(seed: u64) {
                    let mut moments = 0;
                    each_moment(Seed(seed), |game: &$game| {
                        moments += 1;
                        if moments % 5 == 1 {
                            names_stay_text(game);
                        }
                    });
                }
            }
        })*
    };
}

laws! {
    war: War,
    intensity: Intensity,
    friday13_: Friday13,
    uno: Uno,
    austerity_: Austerity,
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn no_hidden_card_of_intensity_is_drawn(seed: u64) {
        nothing_hidden_is_drawn::<Intensity>(Seed(seed));
    }

    #[test]
    fn no_hidden_card_of_friday_the_13th_is_drawn(seed: u64) {
        nothing_hidden_is_drawn::<Friday13>(Seed(seed));
    }

    #[test]
    fn no_hidden_card_of_uno_is_drawn(seed: u64) {
        nothing_hidden_is_drawn::<Uno>(Seed(seed));
    }

    #[test]
    fn no_hidden_card_of_austerity_is_drawn(seed: u64) {
        nothing_hidden_is_drawn::<Austerity>(Seed(seed));
    }

    /// Also the hand of the seat to move is hidden from an onlooker.
    #[test]
    fn an_onlooker_at_uno_sees_no_hand(seed: u64) {
        let mut rng = Seed(seed).rng();
        each_moment(Seed(seed), |game: &Uno| {
            if game.to_move().is_none() {
                return;
            }
            let mut position = game.position();
            let hidden = position.hands.iter().chain([&position.deck]);
            let mut hidden: Vec<_> = hidden.flat_map(|row| row.iter().copied()).collect();
            rng.shuffle(&mut hidden);
            for row in position.hands.iter_mut().chain([&mut position.deck]) {
                let rest = hidden.split_off(row.len());
                *row = Cards::new(&hidden).unwrap();
                hidden = rest;
            }
            let other = Uno::resume(Default::default(), &position, Seed(0).rng()).unwrap();
            assert_eq!(drawn(&other, Audience::Onlooker), drawn(game, Audience::Onlooker));
        });
    }

    /// Nobody sees a hand before the first card is laid, so all deals look the same.
    #[test]
    fn all_deals_look_the_same_to_an_onlooker(one: u64, other: u64) {
        fn dealt<G: Drawn>(seed: u64) -> Drawing {
            let setup = G::setup(&Options::new()).unwrap();
            drawn(&G::deal(&setup, Seed(seed)), Audience::Onlooker)
        }
        same(&dealt::<Intensity>(one), &dealt::<Intensity>(other));
        same(&dealt::<Friday13>(one), &dealt::<Friday13>(other));
        same(&dealt::<War>(one), &dealt::<War>(other));
    }

    /// Cards that lie face down in a hand or in a war can be any: only those that were shown count.
    #[test]
    fn no_card_of_war_is_drawn_that_was_not_shown(seed: u64) {
        let setup = War::setup(&Options::new()).unwrap();
        let game = War::deal(&setup, Seed(seed));
        // As long as no card comes back that was won, each is laid at most once.
        let mut turns = 0;
        let mut shown: HashSet<String> = HashSet::new();
        let mut laid = 0;
        let mut played = game.clone();
        while played.to_move().is_some() {
            played.play(croupier_games::war::Showdown).unwrap();
            let last = played.open().last.unwrap();
            laid += last.laid[0].len().max(last.laid[1].len());
            if laid > 26 {
                break;
            }
            shown.extend(last.laid.iter().flatten().flatten().map(ToString::to_string));
            turns += 1;
        }
        let is_shown = |card: &Card| shown.contains(&card.to_string());
        let both = game.hands().iter().flat_map(|hand| hand.iter().copied());
        let mut hidden: Vec<Card> = both.filter(|card| !is_shown(card)).collect();
        Seed(seed ^ 1).rng().shuffle(&mut hidden);
        let hands = game.hands().each_ref().map(|hand| {
            let other = |&card: &Card| if is_shown(&card) { card } else { hidden.pop().unwrap() };
            Hand::new(&hand.iter().map(other).collect::<Vec<Card>>())
        });
        let mut other = War::from_hands(setup, hands, Seed(0).rng());
        let mut game = game;
        for _ in 0..=turns {
            for audience in audiences(2) {
                same(&drawn(&other, audience), &drawn(&game, audience));
            }
            if turns > game.turns() {
                game.play(croupier_games::war::Showdown).unwrap();
                other.play(croupier_games::war::Showdown).unwrap();
            }
        }
    }
}

#[test]
fn who_sees_everything_sees_every_hand() {
    each_moment(Seed(3), |game: &Uno| {
        let all = drawn(game, Audience::Referee);
        for seat in Seat::all(4) {
            for card in game.view(seat).hand.iter() {
                let kind = format!("data-card=\"{}\"", card.to_string().replace(' ', "-"));
                assert!(all.html.contains(&kind), "{kind} of seat {seat}");
            }
        }
        assert!(all.ways.is_empty());
    });
}

#[test]
fn a_table_of_friday_the_13th_with_many_colours_is_drawn_too() {
    let mut options = Options::new();
    for (name, value) in [("players", "6"), ("colours", "9")] {
        options.insert(name.to_owned(), value.to_owned());
    }
    let setup = Friday13::setup(&options).unwrap();
    let game = friday13::Friday13::deal(&setup, Seed(1));
    every_move_can_be_picked(&game);
}

#[test]
fn a_card_and_a_cauldron_make_a_move_or_a_rule_says_why_not() {
    let mut refused = 0;
    each_moment(Seed(4), |game: &Friday13| {
        let Some(seat) = game.to_move() else { return };
        let drawing = drawn(game, Audience::Seat(seat));
        let apart = drawing.forbidden.iter().map(|no| &no.pieces);
        let paired = drawing.ways.iter().map(|way| &way.pieces).chain(apart);
        let paired: HashSet<&Vec<String>> = paired.collect();
        let picked = || drawing.ways.iter().flat_map(|way| &way.pieces);
        let (cards, piles): (HashSet<_>, HashSet<_>) = (
            picked().filter(|id| id.starts_with("hand-")).collect(),
            picked().filter(|id| id.starts_with("pile-")).collect(),
        );
        for pair in (cards.iter()).flat_map(|&card| piles.iter().map(move |&pile| [card, pile])) {
            assert!(
                paired.contains(&pair.map(String::clone).to_vec()),
                "{pair:?}"
            );
        }
        let rules = drawing.moves().as_str().matches("data-refused").count();
        assert_eq!(
            rules,
            drawing
                .forbidden
                .iter()
                .filter(|no| no.pieces.len() > 1)
                .count()
        );
        refused += rules;
    });
    assert!(refused > 0);
}

#[test]
fn a_colour_of_which_a_seat_alone_has_most_is_said_to_cost_nothing() {
    let mut told = 0;
    each_moment(Seed(5), |game: &Friday13| {
        let open = game.open();
        let has_one_owner = |colour: &u32| {
            let colour = friday13::Colour::new(*colour);
            let of_colour = |cards: &Vec<friday13::Card>| {
                let alike = cards.iter().filter(|card| card.colour == colour);
                alike.count()
            };
            let mut counts: Vec<usize> = open.collected.iter().map(of_colour).collect();
            counts.sort_unstable_by(|one, other| other.cmp(one));
            counts[0] > counts[1]
        };
        let expected = (1..=3).filter(has_one_owner).count();
        let page = drawn(game, Audience::Onlooker).html;
        assert_eq!(page.matches("which cost nothing").count(), expected);
        told += expected;
    });
    assert!(told > 0);
}

#[test]
fn every_seat_of_friday_the_13th_has_room_for_what_it_takes_before_it_takes_anything() {
    each_moment(Seed(5), |game: &Friday13| {
        let page = drawn(game, Audience::Onlooker).html;
        let rows = page.matches("<p class=\"collected\">").count();
        assert_eq!(rows, game.seats());
        let open = game.open();
        let empty = open.collected.iter().filter(|cards| cards.is_empty());
        assert_eq!(page.matches("took nothing").count(), empty.count());
    });
}

#[test]
fn a_colour_is_called_below_the_hand_and_shown_at_the_discards() {
    let (mut asked, mut shown) = (0, 0);
    for seed in 0..8 {
        each_moment(Seed(seed), |game: &Uno| {
            let Some(seat) = game.to_move() else { return };
            let page = drawn(game, Audience::Seat(seat)).html;
            let at = |what: &str| page.find(what);
            if let Some(calls) = at("class=\"calls later\"") {
                let hand = at("class=\"fan\"").expect("a hand");
                assert!(hand < calls, "the hand moves when a wild card is picked");
                asked += 1;
            }
            let open = game.open();
            let is_wild = open.discards.last().is_some_and(|top| top.is_wild());
            let called = at("class=\"called ");
            assert_eq!(called.is_some(), is_wild);
            if let Some(called) = called {
                let discards = at("data-pile=\"discards\"").expect("discards");
                let after = at("Play goes ").expect("a direction");
                assert!(discards < called && called < after);
                shown += 1;
            }
        });
    }
    assert!(asked > 0 && shown > 0, "{asked}, {shown}");
}

#[test]
fn the_first_cards_of_war_have_their_places_before_they_lie_there() {
    let mut moments = 0;
    each_moment(Seed(1), |game: &War| {
        let page = drawn(game, Audience::Onlooker).html;
        let free = page.matches("spot free").count();
        assert_eq!(free, if game.open().last.is_none() { 2 } else { 0 });
        moments += 1;
    });
    assert!(moments > 1);
}

#[test]
fn every_game_tells_people_what_to_do_and_programs_how_to_speak() {
    for entry in GAMES.0.iter() {
        let profile = entry.profile;
        assert!(profile.aim.ends_with('.'), "{}", profile.name);
        let (people, programs) = (profile.rules_for_people(), profile.rules_for_programs());
        let begins = ["Programs", "A program"].map(|word| programs.starts_with(word));
        assert!(begins.contains(&true), "{}", profile.name);
        assert!(!people.contains("stdin") && !people.contains("process"));
        assert_eq!(format!("{people}\n\n{programs}"), profile.rules);
    }
}

#[test]
fn every_game_has_a_picture_and_says_its_moves_in_words() {
    for entry in GAMES.0.iter() {
        let page = Page::read(entry.picture().as_str());
        assert_eq!(page.elements[0].name, "svg");
        let legend = Page::read(entry.legend().as_str());
        assert!(legend.text.contains("card"), "{}", entry.profile.name);
        let setup = entry.setup(&Options::new()).unwrap();
        let game = entry.deal(&setup, Seed(1)).unwrap();
        for choice in game.legal() {
            let words = entry.in_words(&choice).unwrap();
            assert!(words.contains(' ') && words != choice, "{words}");
        }
        assert_eq!(entry.in_words("nonsense"), None);
    }
}

#[test]
fn austerity_asks_for_what_can_be_done_and_says_which_tokens_are_missing() {
    let (mut poor, mut short) = (0, 0);
    each_moment(Seed(2), |game: &Austerity| {
        let Some(seat) = game.to_move() else { return };
        let drawing = drawn(game, Audience::Seat(seat));
        let mut legal = game.legal_moves().into_iter();
        let can_buy = legal.any(|choice| matches!(choice, austerity::Move::Purchase(_)));
        assert_eq!(drawing.html.contains("buy a card"), can_buy);
        assert!(drawing.html.contains("Top left on a card: its points."));
        let own = &game.open().table.players[seat.index()];
        let is_reduced = own.discounts.iter().any(|&discount| discount > 0);
        let says_so = "what your discounts have taken off already";
        assert_eq!(drawing.html.contains(says_so), is_reduced);
        poor += usize::from(!can_buy);
        for (piece, left) in ["P", "B", "Y", "R"].iter().zip(game.open().table.piles) {
            let is_piece = |id: &String| *id == format!("token-{piece}");
            let mut refused = drawing.forbidden.iter();
            if let Some(refused) = refused.find(|no| no.pieces.iter().any(is_piece)) {
                let says_none = refused.rule.starts_with("there are no ");
                assert_eq!(says_none, left == 0, "{refused:?}");
                short += usize::from(left > 0);
            }
        }
    });
    assert!(poor > 0 && short > 0, "{poor}, {short}");
}

#[test]
fn a_bought_card_is_named_itself_to_whoever_looks_back() {
    let entry = GAMES.find("austerity").unwrap();
    let game = entry.deal(&entry.setup(&Options::new()).unwrap(), Seed(3));
    let game = game.unwrap();
    let market = game.open()["market"].as_array().unwrap().clone();
    for (place, card) in market.iter().enumerate() {
        let words = game.recalled(&format!("purchase {place}")).unwrap();
        let points = card["points"].as_u64().unwrap();
        assert!(
            words.contains(&format!(" card of {points} point")),
            "{words}"
        );
        assert!(words.contains(" that costs "), "{words}");
    }
    let take = "wild";
    assert_eq!(game.recalled(take), entry.in_words(take), "{take}");
    assert_eq!(game.recalled("nonsense"), None);
}

#[test]
fn a_drawn_card_of_uno_is_told_once() {
    let entry = GAMES.find("uno").unwrap();
    let setup = entry.setup(&Options::new()).unwrap();
    let names = names();
    let mut seen = 0;
    for seed in 0..200 {
        let mut game = entry.deal(&setup, Seed(seed)).unwrap();
        let seat = game.to_move().unwrap();
        if game.legal() != ["draw"] {
            continue;
        }
        game.play("draw").unwrap();
        let told = |audience: Audience| {
            let to = match audience {
                Audience::Seat(seat) => Some(seat),
                _ => None,
            };
            game.told(to, Company::spoken_to(&names, audience), 0)
                .concat()
        };
        for audience in [Audience::Seat(seat), Audience::Referee] {
            let told = told(audience);
            assert!(told[0].starts_with("it is the "), "{told:?}");
        }
        let other = Seat::from((seat.index() + 1) % 4);
        assert!(told(Audience::Seat(other))[0].ends_with("draws a card"));
        seen += 1;
    }
    assert!(seen > 0, "nobody had to draw");
}

#[test]
fn a_cauldron_for_which_one_has_no_card_says_what_lies_in_it() {
    let mut seen = [0, 0];
    for seed in 0..8 {
        each_moment(Seed(seed), |game: &Friday13| {
            let Some(seat) = game.to_move() else {
                return;
            };
            for refused in drawn(game, Audience::Seat(seat)).forbidden {
                let [piece] = &refused.pieces[..] else {
                    continue;
                };
                let number: usize = piece.strip_prefix("pile-").unwrap().parse().unwrap();
                let mut lying = game.open().piles[number - 1].clone();
                lying.retain(|card| !card.colour.is_green());
                let says = match lying.first() {
                    Some(card) => format!("{} lies in that cauldron", card.colour),
                    None => "the colours of all your cards lie in other cauldrons".to_owned(),
                };
                assert!(refused.rule.starts_with(&says), "{}", refused.rule);
                seen[usize::from(lying.is_empty())] += 1;
            }
        });
    }
    assert!(seen.iter().all(|&times| times > 0), "{seen:?}");
}
