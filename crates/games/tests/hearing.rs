//! What a seat hears tells it nothing that it does not see: the law for every game.

#![expect(clippy::unwrap_used, reason = "a test may fail by panicking")]

use croupier_core::{Audience, Foul, FoulKind, Moment, Offered, Options, Seat, Seed};
use croupier_games::austerity::Austerity;
use croupier_games::friday13::Friday13;
use croupier_games::intensity::Intensity;
use croupier_games::uno::Uno;
use croupier_games::war::War;
use proptest::prelude::*;

/// More moves than these are not compared with each other.
const MOST: usize = 60;

/// What somebody hears, as the bytes that would go out to it.
fn heard<G: Offered>(moment: &Moment<'_, G>, audience: Audience) -> String {
    let event = moment.heard_by(audience);
    event.map_or(String::new(), |event| {
        event.map(ToString::to_string).to_line()
    })
}

/// What a view remembers of the choices before it.
#[derive(PartialEq)]
enum Memory {
    /// Everything: two choices after which somebody sees the same must be heard as the same.
    All,
    /// Not all: a pile that explodes is gone, whichever it was. Two choices after which somebody sees
    /// just what it saw before must be heard as the same.
    Some,
}

/// Plays a game at random. On the way, nobody hears a difference that it does not see, and an onlooker
/// hears no more than any player.
fn nothing_unseen_is_heard<G: Offered>(seed: Seed, memory: &Memory) {
    let setup = G::setup(&Options::new()).unwrap();
    let mut game = G::deal(&setup, seed);
    let mut rng = seed.player(Seat(0)).rng();
    let mut turns = 0;
    while let Some(mover) = game.to_move().filter(|_| turns < 200) {
        turns += 1;
        let mut choices = game.legal_moves();
        rng.shuffle(&mut choices);
        choices.truncate(MOST);
        let others = Seat::all(game.seats()).filter(|&seat| seat != mover);
        for listener in others {
            let mut known: Vec<(Vec<G::View>, String)> = Vec::new();
            for &choice in &choices {
                let mut after = game.clone();
                after.play(choice).unwrap();
                let moment = Moment::<G>::Played(mover, choice);
                let told = heard(&moment, Audience::Seat(listener));
                if told.contains("\"move\":null") {
                    assert_eq!(told, heard(&moment, Audience::Onlooker));
                }
                let views: Vec<G::View> = Seat::all(game.seats())
                    .map(|seat| after.view(seat))
                    .collect();
                let view = &views[listener.index()];
                if *memory == Memory::Some && *view != game.view(listener) {
                    continue;
                }
                match known
                    .iter()
                    .find(|(seen, _)| seen[listener.index()] == *view)
                {
                    // Which of two equal cards was bought may be heard: to nobody it makes a
                    // difference, so there is nothing to be learned from it.
                    Some((seen, _)) if *seen == views => {}
                    Some((_, before)) => assert_eq!(&told, before, "{listener} sees no difference"),
                    None => known.push((views, told)),
                }
            }
            let fouls = ["discard 1 2 3: no", "discard 4 5 6: no"].map(|detail| Foul {
                kind: FoulKind::Illegal,
                detail: detail.to_owned(),
            });
            let instead = game.clone().foul();
            if instead.is_some_and(|instead| !G::is_open(instead)) {
                for audience in [Audience::Seat(listener), Audience::Onlooker] {
                    let [one, other] = fouls
                        .each_ref()
                        .map(|foul| heard(&Moment::<G>::Fouled(mover, foul, instead), audience));
                    assert_eq!(one, other, "what was answered in secret is not heard");
                }
            }
        }
        let choice = choices[0];
        game.play(choice).unwrap();
    }
}

/// A test of the law for every game.
macro_rules! laws {
    ($($name:ident: $game:ty, $memory:ident);* $(;)?) => {
        proptest! {
            #![proptest_config(ProptestConfig::with_cases(12))]
            $(
                #[test]
                fn $name(seed: u64) {
                    nothing_unseen_is_heard::<$game>(Seed(seed), &Memory::$memory);
                }
            )*
        }
    };
}

laws! {
    war: War, All;
    intensity: Intensity, All;
    friday13: Friday13, Some;
    uno: Uno, All;
    austerity: Austerity, All;
}
