//! Tables that are set up before anybody asks for one, as `croupier play --web` wants it.

use croupier_core::{Seed, read_name};
use serde_json::Value;

use crate::Server;
use crate::person::{Person, secret};
use crate::refusal::Refusal;
use crate::tables::{Chair, Sitter, Wanted};

/// A table at which a chair is kept for a person.
#[derive(Clone, Debug)]
pub struct Booking {
    /// The name of the game.
    pub game: &'static str,
    /// Its setup.
    pub setup: Value,
    /// The seed of the deal.
    pub seed: Seed,
    /// Who sits where, each with the name that everybody reads.
    pub seats: Vec<(String, Booked)>,
}

/// Who sits in a chair that is booked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Booked {
    /// Whoever follows the link.
    Person,
    /// A player that comes with the game, by its name with options.
    BuiltIn(String),
    /// A program that the server was started with, by its name.
    Program(String),
}

impl Server {
    /// Sets up a table, and gives the path by which a person takes the chair that is kept.
    ///
    /// # Errors
    /// If there cannot be such a table; the text tells why.
    pub async fn book(&self, booking: Booking) -> Result<String, String> {
        let booked = self.set_up(booking).await;
        booked.map_err(|refusal| refusal.reason().to_owned())
    }

    async fn set_up(&self, booking: Booking) -> Result<String, Refusal> {
        let entry = crate::pages::game(&self.room, booking.game)?;
        let invitation = secret()?;
        let chair = |(name, booked): (String, Booked)| {
            let name = read_name(name.as_bytes()).unwrap_or_else(|| "Guest".to_owned());
            match booked {
                Booked::Person => Chair::open(name, invitation.clone()),
                Booked::BuiltIn(player) => Chair {
                    name,
                    sitter: Sitter::BuiltIn { player },
                },
                Booked::Program(program) => Chair {
                    name,
                    sitter: Sitter::Program { program },
                },
            }
        };
        let wanted = Wanted {
            entry,
            setup: booking.setup,
            seed: booking.seed,
            host: Person::with(&secret()?),
            chairs: booking.seats.into_iter().map(chair).collect(),
            pace_ms: 0,
        };
        let table = self.room.tables.found(wanted).await?;
        Ok(format!("/table/{}/join/{invitation}", table.id))
    }
}
