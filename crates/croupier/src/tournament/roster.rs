//! Who takes part: by the command line, and by what the folder of the contest tells.
//!
//! When the two differ the folder counts. Who was added stays, and who was withdrawn stays out, also
//! if the command that began the contest is given again.

use std::path::Path;

use croupier_arena::{Enrolled, Entrant, Store, Withdrawn};
use croupier_console::Failure;
use croupier_core::{shell_path, shell_word};

use super::{note, store_failure};
use crate::players::{self, Kind, Named};

/// Who takes part in a contest that has begun, and who does not any more.
#[derive(Default)]
pub(super) struct Roster {
    pub(super) players: Vec<Enrolled>,
    pub(super) staff: Vec<Enrolled>,
    pub(super) withdrawn: Vec<Withdrawn>,
}

impl Roster {
    /// As a store tells it.
    pub(super) fn of(store: &Store) -> Result<Roster, Failure> {
        let [players, staff] = store.enrolled().map_err(store_failure)?;
        Ok(Roster {
            players,
            staff,
            withdrawn: store.withdrawn().map_err(store_failure)?,
        })
    }

    /// The players when the command that began the contest is given again and names these. Who has
    /// had a name before keeps it.
    pub(super) fn begun_again(
        &self,
        folder: &Path,
        mut named: Vec<Named>,
    ) -> Result<Vec<Named>, Failure> {
        let mut known = self.players.clone();
        let mut found = vec![false; named.len()];
        let mut find = |given: bool, is_same: fn(&Enrolled, &Named) -> bool| {
            let players = named.iter_mut().zip(&mut found);
            for (player, found) in players.filter(|(player, _)| player.given == given) {
                let place = known.iter().position(|one| is_same(one, player));
                if let Some(place) = place.filter(|_| !*found) {
                    player.name = known.remove(place).name;
                    *found = true;
                }
            }
        };
        find(true, |one, player| one.name == player.name);
        find(false, |one, player| one.spec == player.spec_from_anywhere());
        find(false, |one, player| one.name == player.name);
        let resume = format!("croupier tournament --resume {}", shell_path(folder));
        let mut players = Vec::new();
        for (mut player, found) in named.into_iter().zip(found) {
            if !found && self.was_withdrawn(&player) {
                note(&format!(
                    "{} stays out, as it was withdrawn; {resume} --add {} lets it take part again",
                    player.name,
                    shell_word(Path::new(&player.spec)),
                ));
                continue;
            }
            player.given |= found;
            players.push(player);
        }
        for one in known {
            if !one.added {
                return Err(Failure::Usage(format!(
                    "{} takes part in the contest in {}; {resume} --withdraw {} takes it out",
                    one.name,
                    folder.display(),
                    shell_word(Path::new(&one.name)),
                )));
            }
            note(&format!("{} takes part too, as it was added", one.name));
            players.push(Named::stored(one.name, one.spec)?);
        }
        Ok(players)
    }

    /// Lets others take part and takes some out. Gives the players: first those who stay, who are so
    /// many, then the others.
    pub(super) fn change(
        &mut self,
        add: &[String],
        withdraw: &[String],
    ) -> Result<(Vec<Named>, usize), Failure> {
        for name in withdraw {
            let place = self.players.iter().position(|player| player.name == *name);
            match place.map(|place| self.players.remove(place)) {
                Some(Enrolled { name, spec, .. }) => self.withdrawn.push(Withdrawn { name, spec }),
                None if self.withdrawn.iter().any(|gone| gone.name == *name) => {
                    note(&format!("{name} was already withdrawn"));
                }
                None => {
                    let names = self.players.iter().map(|player| player.name.as_str());
                    return Err(Failure::Usage(format!(
                        "nobody named '{name}' takes part; the players are: {}",
                        names.collect::<Vec<_>>().join(", ")
                    )));
                }
            }
        }
        let stay = stored(&self.players)?;
        let count = stay.len();
        let mut more = Vec::new();
        for spec in add {
            let new = players::read(Vec::new(), std::slice::from_ref(spec), 0)?;
            let is_there = |new: &Named| {
                let mut players = self.players.iter();
                players.find(|one| is_same(&one.name, &one.spec, new))
            };
            if let Some(one) = new.iter().find_map(is_there) {
                takes_part_already(spec, &one.name);
                continue;
            }
            let is_back = |gone: &Withdrawn| new.iter().any(|new| is_same_again(gone, new));
            self.withdrawn.retain(|gone| !is_back(gone));
            more.push(spec.clone());
        }
        Ok((players::read(stay, &more, 0)?, count))
    }

    fn was_withdrawn(&self, player: &Named) -> bool {
        let mut withdrawn = self.withdrawn.iter();
        withdrawn.any(|gone| is_same_again(gone, player))
    }
}

/// Whether a player who takes part under this name and these words is the one who is named now.
/// There may be several of a player that comes with the game, under names that were given.
fn is_same(name: &str, spec: &str, now: &Named) -> bool {
    let is_program = matches!(now.kind, Kind::Program(..));
    spec == now.spec_from_anywhere() && (is_program || !now.given || name == now.name)
}

fn is_same_again(gone: &Withdrawn, now: &Named) -> bool {
    gone.spec == now.spec_from_anywhere() && (!now.given || gone.name == now.name)
}

/// Takes out those who are new and are programs that take part already, by whatever path.
pub(super) fn without_clones(entrants: Vec<Entrant>, stay: usize) -> Vec<Entrant> {
    let mut all: Vec<Entrant> = Vec::new();
    for (number, mut entrant) in entrants.into_iter().enumerate() {
        let is_new = number >= stay;
        let mut others = all.iter();
        let same = others.find(|other| is_new && entrant.is_foreign() && other.is_same(&entrant));
        if let Some(other) = same {
            takes_part_already(&entrant.spec, &other.name);
            continue;
        }
        entrant.added |= is_new;
        all.push(entrant);
    }
    all
}

fn takes_part_already(spec: &str, name: &str) {
    note(&format!(
        "{spec} already takes part, as {name}: it is not added again"
    ));
}

/// Those who have taken part, as they were called for.
pub(super) fn stored(enrolled: &[Enrolled]) -> Result<Vec<Named>, Failure> {
    let named = enrolled.iter();
    let named = named.map(|one| Named::stored(one.name.clone(), one.spec.clone()));
    named.collect()
}
