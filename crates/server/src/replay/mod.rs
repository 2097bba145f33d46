//! Recorded games, to look back at: `/replay/…`.
//!
//! A game comes from a table, from a file or a contest on the shelf, from a record that somebody has
//! dropped, or, if it is War, from a seed. However it comes, it is shown in the same way: as far as one
//! seat could see it, or with all cards for who asks for that, each moment at an address of its own.
//!
//! - `source`: where a game comes from, and who may see what of it;
//! - `dropped`: records that people bring along, kept for a while;
//! - `looking`: what of it somebody looks at, as it stands in the address;
//! - `page`: the board, the list of moves and the steps between the moments;
//! - `reviews`: what the expert thinks of the moves, found in the background; `verdict`, `curve`: how that
//!   is shown;
//! - `attempt`: a decision once more; `onward`: the game from a moment on, against the experts;
//! - `saved`: all of it in one file.

mod attempt;
mod curve;
mod dropped;
mod looking;
mod onward;
mod page;
mod reviews;
mod saved;
mod source;
mod verdict;

use std::sync::Arc;

use axum::extract::DefaultBodyLimit;
use axum::routing::post;

pub(crate) use looking::{Asked, Looking};
pub(crate) use page::board;
pub(crate) use source::{Key, Recorded, WAR_OPTIONS, WarDeal};

use crate::routes::Routes;
use crate::tables::think::Pool;
use dropped::{Dropped, LONGEST_DROPPED};
use reviews::Reviews;
use source::Opened;
use tokio::sync::Semaphore;

/// So many boards are drawn at one time; others wait. The threads are needed for the disk too.
const MOST_DESKS: usize = 4;

/// So many saved games are on their way at one time: each is as long as thousands of pages.
const MOST_COPIES: usize = 8;

/// What is kept for those who look back.
pub(crate) struct Replays {
    opened: Opened,
    dropped: Dropped,
    reviews: Arc<Reviews>,
    /// The right to draw many moments at once.
    desks: Arc<Semaphore>,
    /// The right to send a whole game, until its reader has it.
    copies: Arc<Semaphore>,
}

impl Replays {
    /// Nothing yet; the expert thinks on the threads of this pool.
    pub(crate) fn new(pool: Arc<Pool>) -> Replays {
        Replays {
            opened: Opened::default(),
            dropped: Dropped::default(),
            reviews: Arc::new(Reviews::new(pool)),
            desks: Arc::new(Semaphore::new(MOST_DESKS)),
            copies: Arc::new(Semaphore::new(MOST_COPIES)),
        }
    }
}

/// All pages about recorded games.
pub(crate) fn routes(routes: Routes) -> Routes {
    let drop = post(dropped::take).layer(DefaultBodyLimit::max(LONGEST_DROPPED + (16 << 10)));
    let bases = ["/replay/{kind}/{name}", "/replay/{kind}/{name}/{game}"];
    bases
        .iter()
        .fold(routes.add("POST", "/replay", drop), |routes, base| {
            routes
                .get(base, page::show)
                .get(&format!("{base}/moments"), page::moments)
                .get(&format!("{base}/review"), page::review)
                .get(&format!("{base}/try"), attempt::show)
                .post(&format!("{base}/try"), attempt::judge)
                .post(&format!("{base}/play-on"), onward::play_on)
                .get(&format!("{base}/saved"), saved::save)
        })
}
