//! `/war`: War before one's eyes, and the question how long it takes.
//!
//! The game that is watched is a recorded one: a seed deals it, and nobody decides anything. How long
//! such games take is found by `simulation`.

mod simulation;

use std::sync::Arc;

use askama::Template;
use axum::Json;
use axum::extract::{Query, State};
use axum::response::{IntoResponse as _, Response};
use croupier_core::{OptionKind, Seed, grouped};
use serde::Deserialize;

use crate::Room;
use crate::pages::game;
use crate::pages::moving::{drawn_seed, entered_seed};
use crate::refusal::{Refusal, render};
use crate::replay::{Asked, Key, Looking, Recorded, WAR_OPTIONS, WarDeal, board};
use crate::routes::Routes;
pub(crate) use simulation::Simulations;
use simulation::Wanted;

/// How many games can be simulated.
const AMOUNTS: [u64; 4] = [100_000, 1_000_000, 10_000_000, 100_000_000];

/// The pages.
pub(crate) fn routes(routes: Routes) -> Routes {
    routes.get("/war", show).get("/war/simulation", simulate)
}

#[derive(Template)]
#[template(path = "war/page.html")]
struct Page {
    seed: Seed,
    next: String,
    board: String,
    options: Vec<Choice>,
    amounts: Vec<(u64, String, bool)>,
    words: String,
    simulation: Option<String>,
    is_running: bool,
}

/// An option of the rules.
struct Choice {
    name: &'static str,
    help: &'static str,
    values: Vec<(&'static str, &'static str, bool)>,
}

/// What is asked for.
#[derive(Deserialize)]
pub(crate) struct Wish {
    seed: Option<String>,
    #[serde(rename = "short-war")]
    short_war: Option<String>,
    winnings: Option<String>,
    games: Option<u64>,
}

impl Wish {
    fn deal(&self, seed: Seed) -> WarDeal {
        let or = |value: &Option<String>, usual: &str| value.clone().unwrap_or(usual.to_owned());
        WarDeal {
            seed,
            options: [
                or(&self.short_war, "loses"),
                or(&self.winnings, "transcript"),
            ],
        }
    }

    fn wanted(&self, deal: &WarDeal) -> Result<Option<Wanted>, Refusal> {
        let Some(games) = self.games else {
            return Ok(None);
        };
        if !AMOUNTS.contains(&games) {
            return Err(Refusal::bad(
                "A hundred thousand games are simulated, or ten, a hundred or a thousand times as many.",
            ));
        }
        Wanted::new(deal, games).map(Some)
    }
}

/// The words of a page about this deal.
fn words(deal: &WarDeal, games: Option<u64>) -> String {
    let [short, winnings] = &deal.options;
    let games = games.map_or(String::new(), |games| format!("&games={games}"));
    format!(
        "seed={}&short-war={short}&winnings={winnings}{games}",
        deal.seed
    )
}

async fn show(
    State(room): State<Arc<Room>>,
    Query(wish): Query<Wish>,
    Query(asked): Query<Asked>,
) -> Result<Response, Refusal> {
    let entry = game(&room, "war")?;
    let seed = entered_seed(wish.seed.as_deref())?;
    let deal = wish.deal(seed);
    let wanted = wish.wanted(&deal)?;
    let words = words(&deal, wish.games);
    let recorded = Recorded::find(&room, Key::War(deal.clone()), None).await?;
    let looking = Looking::of(&recorded, &asked)?.at_page(format!("/war?{words}"));
    let simulation = wanted
        .map(|wanted| room.simulations.ask(wanted))
        .transpose()?;
    let is_running = simulation.as_ref().is_some_and(|found| !found.is_done());
    let options = entry.profile.options.iter().filter_map(|option| {
        let place = WAR_OPTIONS.iter().position(|name| *name == option.name)?;
        let OptionKind::OneOf(values) = &option.kind else {
            return None;
        };
        let chosen = &deal.options[place];
        let values = values.iter();
        Some(Choice {
            name: option.name,
            help: option.help,
            values: values
                .map(|(value, about)| (*value, *about, value == chosen))
                .collect(),
        })
    });
    let usual = wish.games.unwrap_or(AMOUNTS[1]);
    let page = Page {
        seed,
        next: {
            let next = WarDeal {
                seed: drawn_seed()?,
                ..deal.clone()
            };
            format!("/war?{}", self::words(&next, wish.games))
        },
        board: board(&room, recorded, looking).await?,
        options: options.collect(),
        amounts: AMOUNTS
            .iter()
            .map(|&games| (games, grouped(games), games == usual))
            .collect(),
        words,
        simulation: simulation.map(|found| found.html()).transpose()?,
        is_running,
    };
    render(&page)
}

/// The simulation as far as it has come, for a script that asks from time to time.
async fn simulate(
    State(room): State<Arc<Room>>,
    Query(wish): Query<Wish>,
) -> Result<Response, Refusal> {
    let deal = wish.deal(entered_seed(wish.seed.as_deref().or(Some("0")))?);
    let wanted = wish.wanted(&deal)?;
    let wanted = wanted.ok_or_else(|| Refusal::bad("Say how many games are to be simulated."))?;
    let found = room.simulations.ask(wanted)?;
    let told = serde_json::json!({"done": found.is_done(), "html": found.html()?});
    Ok(Json(told).into_response())
}
