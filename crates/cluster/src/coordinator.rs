//! The coordinator: publishes what the store does not hold, and writes down what comes back.
//!
//! ```text
//! missing blocks → batches → CROUPIER_WORK → workers → CROUPIER_RESULTS → kept in the store → acknowledged
//! ```
//!
//! - `desk`: what the contest has on the server, and what is heard there;
//! - `round`: the blocks that are missing, and the batches in which they go out;
//! - `giving`: how batches go out; `taking`: what comes back;
//! - `floor`: who has which batch, and what to do when nobody has it;
//! - `latency`: how long batches take.

mod desk;
mod floor;
mod giving;
mod latency;
mod round;
mod taking;

use std::path::Path;
use std::time::Duration;

use croupier_arena::{Contest, Store, StoreError};
use croupier_bots::Interrupt;
use tokio::runtime::Runtime;

use crate::audit::Auditing;
use crate::link::{Address, ClusterError, Link, Role, raised_for};
use desk::Desk;
use floor::Floor;

/// How long a server may keep a coordinator from stopping.
const LEAVES: Duration = Duration::from_secs(2);

/// How a contest is held over a server.
pub struct Holding<'a> {
    /// Whether programs are loaded for every process.
    pub fresh_processes: bool,
    /// Whether every fault is kept, not only some of each player in a block.
    pub keeps_all_faults: bool,
    /// What is audited, if anything is.
    pub auditing: Option<Auditing>,
    /// The folder of the contest, if it has one: there is kept how it stands, for those who look on.
    pub folder: Option<&'a Path>,
    /// What is raised when it is to stop.
    pub interrupt: &'a Interrupt,
    /// Where it says what a person should know.
    pub tell: fn(&str),
}

/// Why a contest ended before its time. What was finished is kept.
#[derive(Debug, thiserror::Error)]
pub enum Ended {
    /// Somebody wanted to stop.
    #[error("the contest was stopped")]
    Stopped,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The server cannot be used.
    #[error(transparent)]
    Cluster(#[from] ClusterError),
    /// Some blocks were played nowhere.
    #[error("{0}")]
    SetAside(String),
    /// Two workers got different results from the same block.
    #[error("{0}")]
    Differs(String),
}

/// A coordinator that is connected to its server.
pub struct Coordinator {
    runtime: Runtime,
    link: Link,
}

impl Coordinator {
    /// Connects to a server.
    pub fn connect(address: &Address) -> Result<Coordinator, ClusterError> {
        let runtime = Runtime::new()
            .map_err(|error| ClusterError::Failed(format!("failed to begin: {error}")))?;
        let link = runtime.block_on(Link::open(address, Role::Coordinator))?;
        Ok(Coordinator { runtime, link })
    }

    /// Holds a contest: has all blocks played that the store does not hold yet. `look` is shown the contest
    /// as it stands from time to time, and the store.
    pub fn hold(
        &self,
        contest: &mut Contest,
        store: &mut Store,
        holding: Holding<'_>,
        look: impl FnMut(&Contest, &Store),
    ) -> Result<(), Ended> {
        let held = self.runtime.block_on(async {
            let desk = Desk::new(&self.link, contest, &holding)?;
            desk.must_be_alone().await?;
            let holds = async {
                if let Err(error) = desk.set_up(false).await {
                    return Err(self.link.with_health(error).await.into());
                }
                Floor::new(&desk, &holding, contest)
                    .hold(contest, store, look)
                    .await
            };
            let held = tokio::select! {
                held = holds => held,
                // It stops by itself, unless it waits for a server that does not answer.
                () = raised_for(holding.interrupt, LEAVES) => Err(Ended::Stopped),
            };
            desk.close().await;
            held
        });
        if held.is_err() {
            contest.cut_short();
        }
        held
    }
}
