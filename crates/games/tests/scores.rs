//! What the games say of their own scores.

use croupier_core::{Contested, Options, Seed};
use croupier_games::austerity::Austerity;
use croupier_games::friday13::Friday13;
use croupier_games::intensity::Intensity;
use croupier_games::uno::Uno;
use croupier_games::war::War;

/// In games without fouls, whoever has the better score finishes no lower, and somebody who has a
/// better score than another does finish above it.
fn better_scores_finish_above<G: Contested>() {
    let usual = G::PROFILE.options.iter().filter_map(|option| {
        let usual = option.default?;
        Some((option.name.to_owned(), usual.to_owned()))
    });
    let setup = G::setup(&usual.collect::<Options>()).expect("the usual setup");
    let mut above = 0;
    for number in 0..50 {
        let mut game = G::deal(&setup, Seed(13).deal(number));
        let mut rng = Seed(number).rng();
        while let Some(choice) = game.random_move(&mut rng) {
            game.play(choice).expect("a legal move");
        }
        let outcome = game.outcome();
        let finished: Vec<_> = outcome.scores.iter().zip(&outcome.places).collect();
        for (score, place) in &finished {
            for (other, lower) in &finished {
                let is_better = (score < other) == G::LOWEST_WINS && score != other;
                assert!(
                    !is_better || place <= lower,
                    "{} {outcome:?}",
                    G::PROFILE.name
                );
                above += u32::from(is_better && place < lower);
            }
        }
    }
    assert!(above > 0, "{}", G::PROFILE.name);
}

#[test]
fn every_game_says_which_scores_are_better() {
    better_scores_finish_above::<War>();
    better_scores_finish_above::<Intensity>();
    better_scores_finish_above::<Friday13>();
    better_scores_finish_above::<Uno>();
    better_scores_finish_above::<Austerity>();
}
