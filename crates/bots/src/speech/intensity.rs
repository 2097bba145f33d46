//! Intensity's own protocol: a process for every decision, integers on its standard input.

use std::time::Duration;

use croupier_core::{Foul, Player};
use croupier_games::intensity::wire::{Question, read_discards, read_play};
use croupier_games::intensity::{Intensity, Move, Setup, View};

use super::{Hosted, OneShot, OneShotPlayer, Seating};
use crate::{Bot, Speech};

impl Hosted for Intensity {
    const SPEECH: Speech = Speech::Own;
    const QUESTIONS_STAND_ALONE: bool = true;
    const DECISION: Duration = Duration::from_secs(30);

    fn in_its_own_speech(bot: Bot, seating: Seating, _: &Setup) -> Box<dyn Player<Intensity>> {
        Box::new(OneShotPlayer::new(bot, seating))
    }

    fn name_question() -> Option<String> {
        Some(Question::Name.to_string())
    }
}

impl OneShot for Intensity {
    fn question(view: &View) -> String {
        Question::from(*view).to_string()
    }

    fn answer(view: &View, output: &[u8]) -> Result<Move, Foul> {
        match view {
            View::Discarding(_) => read_discards(output),
            View::Playing(_) => read_play(output),
        }
    }
}
