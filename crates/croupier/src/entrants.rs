//! The players of a command line, ready for a contest.

use croupier_arena::{Enrolled, Entrant, Who};
use croupier_bots::{Hosted, Preparation};
use croupier_console::Failure;

use crate::players::{Kind, Named};
use crate::table;

/// Gets all players ready for a contest in which these took part before.
pub(crate) fn entrants<G: Hosted>(
    players: &[Named],
    before: &[Enrolled],
    preparation: &Preparation<'_>,
) -> Result<Vec<Entrant>, Failure> {
    let programs = table::programs::<G>(players, preparation)?;
    let entrants = players.iter().zip(programs).map(|(player, program)| {
        let who = match (program, &player.kind) {
            (Some((program, speech)), _) => Who::Program(program, speech),
            (None, Kind::BuiltIn(spec)) => Who::BuiltIn(spec.clone()),
            (None, _) => unreachable!("no person takes part in a contest"),
        };
        Entrant {
            name: player.name.clone(),
            spec: player.spec_from_anywhere(),
            who,
            identity: String::new(),
        }
    });
    let mut entrants: Vec<Entrant> = entrants.collect();
    Entrant::identify::<G>(&mut entrants, before);
    Ok(entrants)
}
