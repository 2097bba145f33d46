//! Many games at once: work spread over the cores, and statistics that hold.
//!
//! Nothing here knows the rules of any game. Results never depend on the number of threads or on
//! timing: what is added up is added up exactly, and deals are known by their numbers.

mod averages;
mod block;
mod chairs;
mod compare;
mod conduct;
mod contest;
mod entrant;
mod evidence;
mod floor;
mod rank;
mod rating;
mod report;
mod settings;
mod sheet;
mod shipped;
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
pub use compare::{Comparison, Course};
pub use conduct::Suspension;
pub use contest::{BadContest, Contest, CutShort, Hosting, MOST_TABLES, Progress};
pub use entrant::{Enrolled, Entrant, Who, hash_of};
pub use evidence::Evidence;
pub use floor::work_at_tables;
pub use rank::{RankBy, Ranking};
pub use rating::{AVERAGE, Rating, rate};
pub use report::{EqualShares, Faults, Line, Report, Run, seal, shown};
pub use settings::{Anchor, Format, Seatings, Settings};
pub use sheet::{BlockRow, Meeting, Sheet};
pub use shipped::{NotShipped, SHIPPING, Shipped};
pub use standings::{Standing, Standings};
pub use stats::{
    Interval, chi_square_tail, mean_interval, quantile_interval, sd_interval, share_interval,
};
pub use store::{FaultLine, FaultRow, Store, StoreError, Withdrawn};
pub use sweep::{Swept, sweep};
pub use swiss::{Meetings, Ranked, pair};
