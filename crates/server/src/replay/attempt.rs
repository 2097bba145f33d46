//! "Try again here": a decision of a recorded game without the answer. Whatever is not costly counts.

use std::sync::Arc;

use askama::Template;
use axum::Form;
use axum::extract::{Query, State};
use axum::response::Response;
use croupier_core::{AnyGame, Audience, Company, Seat, Thought, counted};
use serde::Deserialize;

use super::looking::{Asked, Looking};
use super::source::{Key, Recorded};
use super::verdict::{cost, ranked, weighed};
use crate::Room;
use crate::pages::in_words;
use crate::person::Asker;
use crate::refusal::{Refusal, render};

/// So many moves are shown with the answer.
const SHOWN: usize = 6;

#[derive(Template)]
#[template(path = "replay/try.html")]
struct Page {
    game: &'static str,
    title: &'static str,
    looking: Looking,
    /// How many moves were made before: "1 move".
    moves_made: String,
    action: String,
    drawing: String,
    moves: String,
    answer: Option<Answer>,
}

/// What the expert thinks of the move that was tried.
struct Answer {
    counts: bool,
    tried: String,
    cost: String,
    tolerance: String,
    then: String,
    weighed: String,
}

/// A decision that can be tried again.
struct Position {
    recorded: Recorded,
    looking: Looking,
    seat: Seat,
    game: Box<dyn AnyGame>,
    /// What was played then.
    played: String,
}

impl Position {
    async fn find(
        room: &Arc<Room>,
        key: Key,
        asked: &Asked,
        asker: &Asker,
    ) -> Result<Position, Refusal> {
        let recorded = Recorded::find(room, key, asker.person().as_ref()).await?;
        let looking = Looking::of(&recorded, asked)?;
        let none = || {
            Refusal::conflict(
                "There is nothing to try here: a decision of the seat that is seen can be tried \
                 again when the game is over, if the game has an expert.",
            )
        };
        let (Audience::Seat(seat), Some(_)) = (looking.audience, looking.player) else {
            return Err(none());
        };
        let moves = recorded.moves_of(seat);
        let played = moves.into_iter().find(|(step, _)| *step == looking.at);
        let (_, played) = played.ok_or_else(none)?;
        let game = recorded.played.game.after(looking.at);
        if game.legal().len() < 2 {
            return Err(none());
        }
        Ok(Position {
            recorded,
            looking,
            seat,
            game,
            played,
        })
    }

    fn page(self, answer: Option<Answer>) -> Result<Response, Refusal> {
        let audience = Audience::Seat(self.seat);
        // Whoever tries is in this seat, whoever it was in the game.
        let names = self.recorded.names(Some(self.seat));
        let company = Company::spoken_to(&names, audience);
        let drawing = self.game.drawn(audience, company);
        let profile = &self.recorded.played.entry.profile;
        render(&Page {
            game: profile.name,
            title: profile.title,
            action: self
                .looking
                .page("/try", &format!("at={}", self.looking.at)),
            moves_made: match self.looking.at {
                0 => "before the first move".to_owned(),
                made => format!("after {}", counted(made, "move")),
            },
            moves: drawing.moves().into(),
            drawing: drawing.html,
            looking: self.looking,
            answer,
        })
    }
}

pub(super) async fn show(
    State(room): State<Arc<Room>>,
    key: Key,
    Query(asked): Query<Asked>,
    asker: Asker,
) -> Result<Response, Refusal> {
    let position = Position::find(&room, key, &asked, &asker).await?;
    position.page(None)
}

/// A move that is tried.
#[derive(Deserialize)]
pub(super) struct Tried {
    #[serde(rename = "move")]
    choice: String,
}

pub(super) async fn judge(
    State(room): State<Arc<Room>>,
    key: Key,
    Query(asked): Query<Asked>,
    asker: Asker,
    Form(tried): Form<Tried>,
) -> Result<Response, Refusal> {
    let position = Position::find(&room, key, &asked, &asker).await?;
    let reviews = &room.replays.reviews;
    let verdict = reviews.one(position.game.copy(), tried.choice).await?;
    let verdict = verdict.ok_or_else(|| Refusal::conflict("There is no choice here."))?;
    let words = |choice: &str| in_words(&*position.game, choice);
    let all = ranked(&verdict);
    let is_own = |thought: &Thought<String>| thought.choice == verdict.made.choice;
    let mut shown: Vec<Thought<String>> = all.iter().take(SHOWN).cloned().collect();
    if !shown.iter().any(is_own) {
        shown.extend(all.into_iter().find(is_own));
    }
    let answer = Answer {
        counts: position.looking.thresholds.grade(&verdict).is_none(),
        tried: words(&verdict.made.choice),
        cost: cost(&verdict),
        tolerance: format!("{:.2}", position.looking.thresholds.inaccuracy),
        then: words(&position.played),
        weighed: weighed(words, &shown, &verdict.made.choice, "your choice")?,
    };
    position.page(Some(answer))
}
