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

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::routing::{get, post};

pub(crate) use looking::{Asked, Looking};
pub(crate) use page::board;
pub(crate) use source::{Key, Recorded, WAR_OPTIONS, WarDeal};

use crate::Room;
use crate::tables::think::Pool;
use dropped::{Dropped, LONGEST_DROPPED};
use reviews::Reviews;
use source::Opened;

/// What is kept for those who look back.
pub(crate) struct Replays {
    opened: Opened,
    dropped: Dropped,
    reviews: Arc<Reviews>,
}

impl Replays {
    /// Nothing yet; the expert thinks on the threads of this pool.
    pub(crate) fn new(pool: Arc<Pool>) -> Replays {
        Replays {
            opened: Opened::default(),
            dropped: Dropped::default(),
            reviews: Arc::new(Reviews::new(pool)),
        }
    }
}

/// All pages about recorded games.
pub(crate) fn router() -> Router<Arc<Room>> {
    let drop = post(dropped::take).layer(DefaultBodyLimit::max(LONGEST_DROPPED + (16 << 10)));
    let mut router = Router::new().route("/replay", drop);
    for base in ["/replay/{kind}/{name}", "/replay/{kind}/{name}/{game}"] {
        router = router
            .route(base, get(page::show))
            .route(&format!("{base}/moments"), get(page::moments))
            .route(&format!("{base}/review"), get(page::review))
            .route(
                &format!("{base}/try"),
                get(attempt::show).post(attempt::judge),
            )
            .route(&format!("{base}/play-on"), post(onward::play_on))
            .route(&format!("{base}/saved"), get(saved::save));
    }
    router
}
