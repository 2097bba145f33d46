//! Writes pages with drawings of every game, to be looked at in a browser: some moments of a game,
//! each as the seat to move, an onlooker and somebody who sees all cards are shown it.
//!
//! `cargo run -p croupier-games --example drawings -- OUT_DIR`

use std::path::{Path, PathBuf};
use std::{env, error, fs};

use croupier_core::{
    AnyGame, Audience, Cancel, Company, Drawing, Entry, Foul, FoulKind, Markup, Options, Seat,
    Seed, element,
};
use croupier_games::GAMES;

const STYLE: &str = include_str!("../../server/assets/table.css");
const SCRIPT: &str = include_str!("../../server/assets/pieces.js");

fn main() -> Result<(), Box<dyn error::Error>> {
    let out = env::args_os().nth(1).map(PathBuf::from);
    let out = out.ok_or("say where to write the pages: drawings OUT_DIR")?;
    fs::create_dir_all(&out)?;
    fs::write(out.join("table.css"), STYLE)?;
    fs::write(out.join("pieces.js"), SCRIPT)?;
    fs::write(out.join("look.js"), LOOK)?;
    for entry in GAMES.0.iter() {
        for (moment, moves) in [("start", 0), ("early", 6), ("middle", 23), ("late", 44)] {
            let game = played(entry, moves)?;
            draw(&out, entry.profile.name, moment, game.as_ref())?;
        }
        if entry.profile.name == "uno" {
            // Fouls cost cards, and so make for long hands.
            let mut game = played(entry, 3)?;
            for _ in 0..39 {
                game.foul(Foul {
                    kind: FoulKind::Illegal,
                    detail: String::new(),
                });
            }
            draw(&out, "uno", "many", game.as_ref())?;
        }
        let over = played(entry, usize::MAX)?;
        draw(&out, entry.profile.name, "over", over.as_ref())?;
    }
    let pictures = GAMES.0.iter().map(|entry| {
        element("div")
            .class("lobby")
            .with(entry.picture())
            .text(entry.profile.title)
            .with(entry.legend())
    });
    let main: Markup = element("div").class("pictures").all(pictures).into();
    page(&out.join("pictures.html"), "Games", &[main.as_str()])
}

/// A game in which so many moves have been made, by players who come with it where there are some.
fn played(entry: &Entry, moves: usize) -> Result<Box<dyn AnyGame>, Box<dyn error::Error>> {
    let mut options = Options::new();
    if entry.profile.name == "war" {
        options.insert("max-turns".to_owned(), "90".to_owned());
    }
    let mut game = entry.deal(&entry.setup(&options)?, Seed(12))?;
    for made in 0..moves {
        let legal = game.legal();
        let Some(first) = legal.first() else { break };
        let chance = Seed(made as u64);
        let choice = game.ask("careful", chance, &Cancel::new());
        let choice = choice.or_else(|_| game.ask("shenzi", chance, &Cancel::new()));
        let choice = choice.map_or_else(|_| first.clone(), |advice| advice.choice);
        game.play(&choice)?;
    }
    Ok(game)
}

fn draw(
    out: &Path,
    name: &str,
    moment: &str,
    game: &dyn AnyGame,
) -> Result<(), Box<dyn error::Error>> {
    let names = ["You & I", "Bo", "Cassandra of the long name", "<Dot>"].map(str::to_owned);
    let seat = game.to_move().unwrap_or(Seat(0));
    let other = seat.next(game.seats());
    let audiences = [
        ("seat", Audience::Seat(seat)),
        ("waiting", Audience::Seat(other)),
        ("onlooker", Audience::Onlooker),
        ("all", Audience::Referee),
    ];
    for (who, audience) in audiences {
        let company = Company::spoken_to(&names, audience);
        let drawing: Drawing = game.drawn(audience, company);
        let parts = [drawing.html.as_str(), drawing.moves().as_str()].concat();
        let title = format!("{name}, {moment}, {who}");
        page(
            &out.join(format!("{name}-{moment}-{who}.html")),
            &title,
            &[&parts],
        )?;
    }
    Ok(())
}

fn page(path: &Path, title: &str, parts: &[&str]) -> Result<(), Box<dyn error::Error>> {
    let page = format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <title>{title}</title><link rel=\"stylesheet\" href=\"table.css\">\
         <script type=\"module\" src=\"look.js\"></script>\
         <body><form id=\"table\">{}</form></body></html>",
        parts.concat()
    );
    fs::write(path, page)?;
    Ok(())
}

/// Makes the pieces of a page live and tells in its title what would be played; `#dark` and `#light`
/// choose the colours.
const LOOK: &str = "\
import { pieces } from './pieces.js';
if (location.hash) document.documentElement.dataset.theme = location.hash.slice(1);
pieces(document.querySelector('#table'), { play: (move) => { document.title = 'played ' + move; } });
";
