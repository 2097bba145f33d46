//! Many games at once: work spread over the cores, and statistics that hold.
//!
//! Nothing here knows the rules of any game. Results never depend on the number of threads or on
//! timing: what is added up is added up exactly, and deals are known by their numbers.
//!
//! A contest is found, played and kept: [`Contest::missing`] says which blocks there are to play,
//! [`Dealer::play`] plays one, here or on another machine, and [`Contest::keep`] counts it.
//!
//! ```
//! use croupier_arena::{
//!     Contest, Dealer, DealerTerms, Entrant, Format, RankBy, Seatings, Settings, Store, Upheld, Who,
//! };
//! use croupier_bots::{House, Limits, Tier};
//! use croupier_core::{Game, Offered, Options, Seed};
//! use croupier_games::uno::Uno;
//!
//! let setup = Uno::setup(&Options::new())?;
//! let settings = Settings {
//!     game: Uno::NAME.to_owned(),
//!     version: Uno::VERSION,
//!     setup: serde_json::to_value(&setup)?,
//!     seats: 4,
//!     format: Format::RoundRobin,
//!     rounds: 2,
//!     seatings: Seatings::Rotations,
//!     seed: Seed(7),
//!     rank_by: RankBy::usual::<Uno>(),
//! #   anchor: None,
//! #   records: None,
//! #   sandbox: Tier::None,
//! #   limits: Limits::default(),
//! #   suspend_after: None,
//! #   shard: None,
//!     // … and what concerns programs alone.
//! };
//! let names = ["careful", "careful", "naive", "random"];
//! let mut players: Vec<Entrant> = names.iter().enumerate().map(|(number, name)| Entrant {
//!     name: format!("{name} {number}"),
//!     spec: (*name).to_owned(),
//!     who: Who::BuiltIn((*name).to_owned()),
//!     identity: String::new(),
//!     added: false,
//! }).collect();
//! Entrant::identify::<Uno>(&mut players, &[]);
//! let mut store = Store::passing()?;
//! store.enter(&settings, &players, &[], &[])?;
//! let mut contest = Contest::new::<Uno>(settings, players, Vec::new())?;
//! let entrants = contest.entrants().to_vec();
//! let house = House::new(Tier::None, Limits::default());
//! let terms = DealerTerms::<Uno> {
//!     entrants: &entrants,
//!     setup: &setup,
//!     house: &house,
//!     records: false,
//!     faults: 0,
//! };
//! let mut dealer = Dealer::new(0);
//! loop {
//!     let missing = contest.missing(&mut store)?;
//!     if missing.is_empty() {
//!         break;
//!     }
//!     for number in 0..missing.len() {
//!         let played = dealer.play(&terms, &missing.plan(number))?;
//!         let upheld = contest.keep(&mut store, &missing, &mut vec![(number, played)])?;
//!         assert_eq!(upheld, Upheld::Yes, "built-in players are not suspended");
//!     }
//! }
//! assert_eq!(contest.standings().games(), 2 * 4);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod averages;
mod block;
mod books;
mod chairs;
mod cluster;
mod compare;
mod conduct;
mod contest;
mod entrant;
mod evidence;
mod floor;
mod house_games;
mod pages;
mod plan;
mod rank;
mod rating;
mod report;
mod settings;
mod shard;
mod sheet;
mod shipped;
mod spectator;
mod standings;
mod stats;
mod store;
mod sweep;
mod swiss;

pub use averages::Averages;
pub use block::{
    BlockPlan, BlockResult, Dealer, DealerTerms, KeptFault, SeatOrders, all_orders, rotations,
};
pub use chairs::{Chair, Chairs, Dealing, PlayedGame, TRIES, Unplayed};
pub use cluster::{ClusterStatus, Latency, WorkerStatus};
pub use compare::{Comparison, Course};
pub use conduct::Suspension;
pub use contest::{BadContest, Contest, CutShort, Hosting, KEPT_FAULTS, Progress, Upheld};
pub use entrant::{Enrolled, Entrant, Guest, Who, hash_of};
pub use evidence::Evidence;
pub use floor::work_at_tables;
pub use house_games::{Fared, HouseGames, Tally};
pub use pages::{FaultHead, GameOf, Page};
pub use plan::{MOST_TABLES, Missing};
pub use rank::{RankBy, Ranking};
pub use rating::{AVERAGE, Rating, rate};
pub use report::{
    Cover, EqualShares, Faults, Line, Report, Run, measured, ratings_after, seal, shown,
};
pub use settings::{Anchor, Format, Seatings, Settings};
pub use shard::Shard;
pub use sheet::{BlockRow, Meeting, Sheet};
pub use shipped::{NotShipped, SHIPPING, Shipped};
pub use spectator::{Look, Spectator};
pub use standings::{Standing, Standings};
pub use stats::{
    Interval, chi_square_tail, mean_interval, quantile_interval, sd_interval, share_interval,
};
pub use store::{FaultLine, FaultRow, Store, StoreError, Withdrawn};
pub use sweep::{Swept, sweep};
pub use swiss::{Meetings, Ranked, pair};
