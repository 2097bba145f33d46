//! A contest on many machines: a coordinator and workers over NATS JetStream.
//!
//! The contest's store stays the truth, with one writer: the coordinator. The queue on the server is only a
//! cache of what is missing there: whatever the server loses, the coordinator publishes again, and what comes
//! twice counts once.

mod audit;
mod bench;
mod coordinator;
mod crew;
mod link;
mod objects;
mod status;
mod table;
pub mod wire;
mod worker;

pub use audit::Auditing;
pub use bench::Bench;
pub use coordinator::{Coordinator, Ended, Holding};
pub use link::{Address, ClusterError};
pub use status::{Overview, overview};
pub use worker::{Hiring, work, working};
