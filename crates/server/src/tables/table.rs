//! One table: a game, who sits there, and who is shown it.
//!
//! What people are shown is a [`Standing`], which never changes: a move makes a new one. One writer
//! at a time makes it, keeps it on the disk, and only then puts it in the place of the one before. So
//! nobody waits for the disk to look at a table, and nobody sees what could be lost.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock};
use std::time::{Duration, Instant};

use croupier_bots::Fault;
use croupier_core::{AnyGame, Audience, Company, Drawing, Entry, Foul, PlayError, Seat};
use tokio::sync::watch;

use super::chair::{self, Chair};
use super::store::{
    Answered, Founding, KeptFault, Stored, TableFile, answered_line, chair_line, fault_line,
};
use super::think::{AtTable, Thinking};
use crate::person::Person;

/// So many of the last moves are remembered in case they are sent again.
const REMEMBERED: usize = 64;

/// So many faults of programs are kept of a table,
const MOST_FAULTS: usize = 50;

/// and so much of what went between us and a program in each.
const LONGEST_EXCHANGE: usize = 64 << 10;

/// Longer games are not kept: with every move all that happened before is gone through. Options can make
/// a game that never ends.
const MOST_STEPS: usize = 20_000;

/// So long after its last sign a person without a socket counts as there.
const PATIENCE: Duration = Duration::from_secs(12);

/// A table as it stands.
pub(crate) struct Standing {
    pub(crate) game: Arc<dyn AnyGame>,
    pub(crate) chairs: Vec<Chair>,
    /// Changes with everything but moves that is shown at the table.
    pub(crate) notices: u64,
    /// What lies open, drawn once for all who look on.
    open: OnceLock<Drawing>,
}

impl Standing {
    fn new(game: Arc<dyn AnyGame>, chairs: Vec<Chair>, notices: u64) -> Standing {
        Standing {
            game,
            chairs,
            notices,
            open: OnceLock::new(),
        }
    }

    /// The number of moves and fouls so far, by which a move says what it was chosen for.
    pub(crate) fn version(&self) -> usize {
        self.game.steps()
    }

    /// What somebody may see here.
    pub(crate) fn audience(&self, person: Option<&Person>) -> Audience {
        chair::audience(&self.chairs, person)
    }

    /// The names of the seats, as this audience reads them.
    pub(crate) fn names(&self, audience: Audience) -> Vec<String> {
        let names = self.chairs.iter().enumerate();
        let own = |place| audience == Audience::Seat(Seat::from(place));
        let names = names.map(|(place, chair)| match own(place) {
            true => "You".to_owned(),
            false => chair.name.clone(),
        });
        names.collect()
    }

    /// What somebody sees who looks on.
    pub(crate) fn open(&self) -> &Drawing {
        self.open.get_or_init(|| {
            let names = self.names(Audience::Onlooker);
            let company = Company::spoken_to(&names, Audience::Onlooker);
            self.game.drawn(Audience::Onlooker, company)
        })
    }
}

/// A table.
pub(crate) struct Table {
    pub(crate) id: String,
    pub(crate) entry: Entry,
    pub(crate) founding: Founding,
    standing: RwLock<Arc<Standing>>,
    writer: tokio::sync::Mutex<Writer>,
    changed: watch::Sender<Change>,
    presence: Mutex<HashMap<Person, Presence>>,
    pub(super) thinking: Mutex<Thinking>,
    /// What programs have done wrong here, in the order in which it happened.
    faults: Mutex<Vec<Arc<KeptFault>>>,
    /// The programs that sit here, as long as they are needed.
    pub(super) programs: Mutex<HashMap<Seat, AtTable>>,
    /// When somebody last asked how it stands.
    looked: Mutex<Option<Instant>>,
    /// Those of this table whom somebody has invited to the next deal.
    invited: Mutex<HashMap<Person, Invitation>>,
}

/// An invitation to the next deal.
#[derive(Clone, Debug)]
pub(crate) struct Invitation {
    /// Who deals, by name.
    pub(crate) dealer: String,
    /// The address of the seat that is kept.
    pub(crate) link: String,
}

/// What those who look at a table are woken by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Change {
    pub(crate) version: usize,
    pub(crate) notices: u64,
}

#[derive(Clone, Copy)]
struct Presence {
    sockets: usize,
    seen: Instant,
}

struct Writer {
    file: TableFile,
    answered: VecDeque<Answered>,
}

/// A move that somebody sends.
#[derive(Clone, Debug)]
pub(crate) struct Sent {
    pub(crate) version: usize,
    pub(crate) choice: String,
    pub(crate) nonce: String,
}

/// Why a move was not made.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NotMade {
    /// It was chosen for an earlier moment.
    #[error("the table has moved on since this move was chosen")]
    Stale,
    /// It is somebody else's turn.
    #[error("it is not your turn")]
    NotYours,
    /// The game goes on for ever.
    #[error("the game has had {MOST_STEPS} moves, and a table keeps no more")]
    Endless,
    /// The game does not allow it.
    #[error("{0}")]
    Refused(PlayError),
    /// It could not be kept.
    #[error("the move could not be kept: {0}")]
    Machine(#[from] std::io::Error),
}

/// Why a chair was not changed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NotSeated {
    /// It is not as it was thought to be.
    #[error("{0}")]
    Refused(&'static str),
    /// It could not be kept.
    #[error("the change could not be kept: {0}")]
    Machine(#[from] std::io::Error),
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Table {
    /// A table that has just been founded.
    pub(crate) fn new(
        id: String,
        entry: Entry,
        founding: Founding,
        game: Box<dyn AnyGame>,
        file: TableFile,
    ) -> Table {
        let chairs = founding.chairs.clone();
        Table::with(id, entry, founding, chairs, game, file)
    }

    /// A table that is brought back from its file.
    pub(crate) fn back(
        id: String,
        entry: Entry,
        stored: Stored,
        game: Box<dyn AnyGame>,
        file: TableFile,
    ) -> Table {
        let Stored {
            founding,
            chairs,
            answered,
            faults,
            ..
        } = stored;
        let mut table = Table::with(id, entry, founding, chairs, game, file);
        let last = answered.len().saturating_sub(REMEMBERED);
        table.writer.get_mut().answered = answered.into_iter().skip(last).collect();
        table.faults = Mutex::new(faults.into_iter().map(Arc::new).collect());
        table
    }

    fn with(
        id: String,
        entry: Entry,
        founding: Founding,
        chairs: Vec<Chair>,
        game: Box<dyn AnyGame>,
        file: TableFile,
    ) -> Table {
        let change = Change {
            version: game.steps(),
            notices: 0,
        };
        let standing = Standing::new(Arc::from(game), chairs, 0);
        Table {
            id,
            entry,
            founding,
            standing: RwLock::new(Arc::new(standing)),
            writer: tokio::sync::Mutex::new(Writer {
                file,
                answered: VecDeque::new(),
            }),
            changed: watch::Sender::new(change),
            presence: Mutex::default(),
            thinking: Mutex::default(),
            faults: Mutex::default(),
            programs: Mutex::default(),
            looked: Mutex::default(),
            invited: Mutex::default(),
        }
    }

    /// Invites people of this table to the next deal, and lets them know. Who has gone meanwhile, or
    /// comes back after the server was started anew, gets the link from the dealer.
    pub(crate) async fn invite(&self, invited: HashMap<Person, Invitation>) {
        *lock(&self.invited) = invited;
        self.notice().await;
    }

    /// The invitation of this person to the next deal.
    pub(crate) fn invitation(&self, person: &Person) -> Option<Invitation> {
        lock(&self.invited).get(person).cloned()
    }

    /// The table as it stands.
    pub(crate) fn standing(&self) -> Arc<Standing> {
        let standing = self.standing.read();
        Arc::clone(&standing.unwrap_or_else(PoisonError::into_inner))
    }

    /// What wakes those who look at the table.
    pub(crate) fn watch(&self) -> watch::Receiver<Change> {
        self.changed.subscribe()
    }

    /// Whether anybody looks at it.
    pub(crate) fn is_watched(&self) -> bool {
        self.changed.receiver_count() > 0
    }

    /// Notes that somebody asks how it stands.
    pub(super) fn look(&self) {
        *lock(&self.looked) = Some(Instant::now());
    }

    /// Whether anybody looks at it, or has asked for it of late.
    pub(super) fn is_attended(&self) -> bool {
        let looked = *lock(&self.looked);
        self.is_watched() || looked.is_some_and(|looked| looked.elapsed() < PATIENCE)
    }

    /// Whether there are only players who decide by themselves: they play for those who look on.
    pub(super) fn is_a_show(&self) -> bool {
        !self.standing().chairs.iter().any(Chair::is_for_a_person)
    }

    fn show(&self, standing: Standing) {
        let change = Change {
            version: standing.version(),
            notices: standing.notices,
        };
        let mut shown = self
            .standing
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        *shown = Arc::new(standing);
        drop(shown);
        self.changed.send_replace(change);
    }

    /// Tells all who look that something else than the game has changed.
    pub(super) async fn notice(&self) {
        let _writer = self.writer.lock().await;
        let old = self.standing();
        let game = Arc::clone(&old.game);
        self.show(Standing::new(game, old.chairs.clone(), old.notices + 1));
    }

    /// Makes the move that the person in a seat has sent.
    pub(crate) async fn play(self: &Arc<Table>, seat: Seat, sent: Sent) -> Result<(), NotMade> {
        let table = Arc::clone(self);
        // A task of its own: a reader that vanishes must not leave a move half made.
        let made = tokio::spawn(async move {
            let mut writer = table.writer.lock().await;
            let same = |known: &&Answered| {
                known.seat == seat && known.version == sent.version && known.nonce == sent.nonce
            };
            if let Some(known) = writer.answered.iter().find(same) {
                return match known.choice == sent.choice {
                    true => Ok(()),
                    false => Err(NotMade::Stale),
                };
            }
            let standing = table.standing();
            if standing.version() != sent.version {
                return Err(NotMade::Stale);
            }
            if standing.game.to_move() != Some(seat) {
                return Err(NotMade::NotYours);
            }
            let mut game = standing.game.copy();
            game.play(&sent.choice).map_err(NotMade::Refused)?;
            let answered = Answered {
                seat,
                version: sent.version,
                nonce: sent.nonce,
                choice: sent.choice,
            };
            let line = answered_line(&answered);
            table.keep(&mut writer, &standing, game, line).await?;
            writer.answered.push_back(answered);
            if writer.answered.len() > REMEMBERED {
                writer.answered.pop_front();
            }
            Ok(())
        });
        flatten(made.await)
    }

    /// Makes the move, or the foul, that a player at the table has chosen at this version.
    pub(super) async fn answer(
        &self,
        seat: Seat,
        version: usize,
        answer: Result<String, Foul>,
    ) -> Result<(), NotMade> {
        let mut writer = self.writer.lock().await;
        let standing = self.standing();
        // A person may have sat down meanwhile.
        let decides = standing.chairs[seat.index()].robot().is_some();
        if standing.version() != version || standing.game.to_move() != Some(seat) || !decides {
            return Err(NotMade::Stale);
        }
        let mut game = standing.game.copy();
        match answer {
            Ok(choice) => game.play(&choice).map_err(NotMade::Refused)?,
            Err(foul) => {
                game.foul(foul);
            }
        }
        self.keep(&mut writer, &standing, game, String::new())
            .await?;
        Ok(())
    }

    /// Keeps faults of the program in this seat, which have come to light at this version.
    pub(super) async fn blame(&self, seat: Seat, version: usize, faults: Vec<Fault>) {
        let mut writer = self.writer.lock().await;
        for fault in faults {
            if lock(&self.faults).len() >= MOST_FAULTS {
                break;
            }
            let fault = KeptFault {
                seat,
                version,
                fault: shortened(fault),
            };
            // A fault that cannot be kept is still shown as long as the server runs.
            let _ = self.write(&mut writer, fault_line(&fault)).await;
            lock(&self.faults).push(Arc::new(fault));
        }
        drop(writer);
        self.notice().await;
    }

    /// What programs have done wrong here, in the order in which it happened.
    pub(crate) fn faults(&self) -> Vec<Arc<KeptFault>> {
        lock(&self.faults).clone()
    }

    /// Keeps what has happened, and then shows it.
    async fn keep(
        &self,
        writer: &mut Writer,
        old: &Standing,
        game: Box<dyn AnyGame>,
        more: String,
    ) -> Result<(), NotMade> {
        if old.version() >= MOST_STEPS {
            return Err(NotMade::Endless);
        }
        let events = game.events(Audience::Referee);
        let new = events.iter().skip(old.version());
        let lines: String = new.map(croupier_core::Event::to_line).collect();
        self.write(writer, lines + &more).await?;
        let game = Arc::from(game);
        self.show(Standing::new(game, old.chairs.clone(), old.notices));
        Ok(())
    }

    async fn write(&self, writer: &mut Writer, lines: String) -> std::io::Result<()> {
        let mut file = writer.file.clone();
        let written = tokio::task::spawn_blocking(move || file.add(&lines).map(|()| file));
        writer.file = written.await.map_err(std::io::Error::other)??;
        Ok(())
    }

    /// Changes a chair as `change` says, if it can be done as the chair is then.
    pub(crate) async fn reseat(
        self: &Arc<Table>,
        seat: Seat,
        change: impl FnOnce(&Standing, &Chair) -> Result<Chair, &'static str> + Send + 'static,
    ) -> Result<(), NotSeated> {
        let table = Arc::clone(self);
        let made = tokio::spawn(async move {
            let mut writer = table.writer.lock().await;
            let old = table.standing();
            let chair = old.chairs.get(seat.index());
            let chair = chair.ok_or(NotSeated::Refused("there is no such seat"))?;
            let chair = change(&old, chair).map_err(NotSeated::Refused)?;
            let line = chair_line(seat, chair.clone());
            table.write(&mut writer, line).await?;
            let mut chairs = old.chairs.clone();
            chairs[seat.index()] = chair;
            let game = Arc::clone(&old.game);
            table.show(Standing::new(game, chairs, old.notices + 1));
            Ok(())
        });
        flatten(made.await)
    }

    /// Notes that somebody who sits here has opened (1) or closed (-1) a socket, or has asked for
    /// something (0), and tells the others if that is news.
    pub(crate) async fn come(self: &Arc<Table>, person: &Person, sockets: isize) {
        if !self.seats(person) {
            return;
        }
        let was_there = self.is_there(person);
        let gone = {
            let mut presence = lock(&self.presence);
            let now = Instant::now();
            let new = Presence {
                sockets: 0,
                seen: now,
            };
            let own = presence.entry(person.clone()).or_insert(new);
            own.sockets = own.sockets.saturating_add_signed(sockets);
            own.seen = now;
            own.sockets == 0
        };
        if !was_there {
            self.notice().await;
        }
        if gone {
            let (table, person) = (Arc::downgrade(self), person.clone());
            tokio::spawn(async move {
                tokio::time::sleep(PATIENCE + Duration::from_millis(100)).await;
                if let Some(table) = table.upgrade()
                    && !table.is_there(&person)
                {
                    table.notice().await;
                }
            });
        }
    }

    fn seats(&self, person: &Person) -> bool {
        let standing = self.standing();
        standing.chairs.iter().any(|chair| chair.is_held_by(person))
    }

    /// Whether a person is there.
    pub(crate) fn is_there(&self, person: &Person) -> bool {
        let presence = lock(&self.presence);
        let own = presence.get(person);
        own.is_some_and(|own| own.sockets > 0 || own.seen.elapsed() < PATIENCE)
    }
}

/// A fault with the ends of what was long in it.
fn shortened(mut fault: Fault) -> Fault {
    let cut = |bytes: &mut Vec<u8>| {
        let begin = bytes.len().saturating_sub(LONGEST_EXCHANGE);
        bytes.drain(..begin);
    };
    cut(&mut fault.exchange.input.0);
    cut(&mut fault.exchange.answer.0);
    // Its lines stay lines: the page makes it harmless.
    let errors = fault.exchange.errors.chars();
    fault.exchange.errors = errors.take(LONGEST_EXCHANGE).collect();
    fault
}

/// The result of a task, which fails only if its thread did.
fn flatten<T, E: From<std::io::Error>>(
    done: Result<Result<T, E>, tokio::task::JoinError>,
) -> Result<T, E> {
    done.unwrap_or_else(|failed| Err(std::io::Error::other(failed).into()))
}
