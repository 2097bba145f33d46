//! The faults of a contest, as they are told when that is asked for.

use croupier_arena::Store;
use croupier_bots::{Fault, Hosted, told};
use croupier_console::{Failure, harmless};
use croupier_core::ordinal;
use serde_json::{Value, json};

use super::store_failure;
use crate::style::DIM;

/// Every fault with what was asked and answered.
pub(super) fn penalties<G: Hosted>(store: &Store) -> Result<Vec<Penalty>, Failure> {
    let mut penalties = Vec::new();
    for kept in store.all_faults().map_err(store_failure)? {
        let fault: Fault = serde_json::from_str(&kept.fault)
            .map_err(|error| Failure::Usage(format!("a fault cannot be read: {error}")))?;
        penalties.push(Penalty {
            round: kept.round + 1,
            game: kept.game + 1,
            seat: kept.seat,
            name: kept.name,
            state: told::<G>(fault.speech, &fault.exchange.input.0),
            fault,
        });
    }
    Ok(penalties)
}

/// A fault, as it is told when that is asked for.
pub(super) struct Penalty {
    round: u64,
    game: u64,
    seat: u64,
    name: String,
    state: String,
    fault: Fault,
}

impl Penalty {
    /// What the program answered.
    fn selection(&self) -> String {
        let answer = String::from_utf8_lossy(&self.fault.exchange.answer.0);
        match answer.trim() {
            "" => "nothing".to_owned(),
            answer => answer.to_owned(),
        }
    }

    pub(super) fn json(&self) -> Value {
        json!({
            "round": self.round,
            "game": self.game,
            "name": self.name,
            "seat": self.seat,
            "selection": self.selection(),
            "kind": self.fault.kind,
            "detail": self.fault.detail,
            "state": self.state,
        })
    }

    pub(super) fn text(&self) -> String {
        let state: String = harmless(&self.state)
            .lines()
            .map(|line| format!("  {DIM}{line}{DIM:#}\n"))
            .collect();
        format!(
            "Round {}, game {}: {} in the {} seat selected {}: {}\n{state}\n",
            self.round,
            self.game,
            self.name,
            ordinal(self.seat as usize + 1),
            harmless(&self.selection()).replace('\n', "\\n"),
            harmless(&self.fault.detail).replace('\n', "\n  "),
        )
    }
}
