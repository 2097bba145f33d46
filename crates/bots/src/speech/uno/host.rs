//! The process in which a strategy lives, and the line to it.
//!
//! A host of our own, a small C program, loads the strategy and calls its functions. A request is
//! a fixed number of bytes, an answer a line of numbers. After every foul the host is started
//! anew: who knows what a strategy has left behind in its memory.

use std::time::{Duration, Instant};

use croupier_core::{Foul, FoulKind, NoMove};
use croupier_games::uno::c::{DECK_INTS, STATE_BYTES, State};

use crate::fault::Exchange;
use crate::speech::{Patience, unanswered, void};
use crate::{Bot, House, HowEnded, Process};

/// What the host says when it has loaded the strategy.
pub(super) const READY: &[u8] = b"ready\n";

/// Three numbers come before the state or the deck.
const HEAD: usize = 3 * size_of::<i32>();

/// A function of a strategy, and what it is called with.
#[derive(Debug)]
pub(super) enum Call<'a> {
    /// Which card is played?
    Play(&'a State),
    /// May this be selected?
    ValidSelection(&'a State, i32),
    /// A new deck, made where this one is.
    CreateDeck(&'a [i32; DECK_INTS]),
    /// The first so many cards of this deck in another order.
    ShuffleDeck(&'a [i32; DECK_INTS], i32),
}

/// The bytes of a request.
#[derive(Clone, Debug)]
pub(super) struct Request([u8; HEAD + STATE_BYTES]);

impl Request {
    /// Calls a function, with the seed from which it gets its chance.
    pub(super) fn new(call: &Call<'_>, seed: u32) -> Request {
        let (what, number) = match call {
            Call::Play(_) => (b'P', 0),
            Call::ValidSelection(_, selection) => (b'V', *selection),
            Call::CreateDeck(_) => (b'C', 0),
            Call::ShuffleDeck(_, count) => (b'S', *count),
        };
        let mut bytes = [0; HEAD + STATE_BYTES];
        let (head, body) = bytes.split_at_mut(HEAD);
        write(head, &[i32::from(what), seed.cast_signed(), number]);
        match call {
            Call::Play(state) | Call::ValidSelection(state, _) => {
                body.copy_from_slice(&state.to_bytes());
            }
            Call::CreateDeck(deck) | Call::ShuffleDeck(deck, _) => write(body, *deck),
        }
        Request(bytes)
    }

    /// The request as it is sent.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// The request as a person reads it, if these bytes are one that shows a state.
    pub(super) fn told(bytes: &[u8]) -> Option<String> {
        let (head, body) = bytes.split_first_chunk::<HEAD>()?;
        let state = State::from_bytes(body.try_into().ok()?);
        let (numbers, _) = head.as_chunks();
        let [what, seed, number] = [0, 1, 2].map(|i| i32::from_ne_bytes(numbers[i]));
        let seed = seed.cast_unsigned();
        match u8::try_from(what).ok()? {
            b'P' => Some(format!("Play, after srand({seed}), with\n{state}")),
            b'V' => Some(format!("ValidSelection of {number} with\n{state}")),
            _ => None,
        }
    }
}

fn write(room: &mut [u8], numbers: &[i32]) {
    let room = room.chunks_exact_mut(size_of::<i32>());
    for (room, number) in room.zip(numbers) {
        room.copy_from_slice(&number.to_ne_bytes());
    }
}

/// A strategy and its host.
#[derive(Debug)]
pub(super) struct Host {
    pub(super) bot: Bot,
    house: House,
    process: Option<Process>,
    patience: Patience,
    /// What is known of the last request that was not answered.
    pub(super) unanswered: Exchange,
}

impl Host {
    /// The host of this strategy; it is started when it is first asked.
    pub(super) fn new(bot: Bot, house: &House) -> Host {
        Host {
            bot,
            house: house.clone(),
            process: None,
            patience: Patience::default(),
            unanswered: Exchange::default(),
        }
    }

    /// Has a function called, and gives the line of numbers that it answers.
    pub(super) fn ask(&mut self, request: &Request, time: Duration) -> Result<Vec<u8>, NoMove> {
        let mut process = match self.process.take() {
            Some(process) => process,
            None => {
                self.patience.is_left()?;
                let started = self.start();
                self.patience.after(started)?
            }
        };
        process.ask_anew();
        process.send(&request.0);
        let line = self.hear(&mut process, time)?;
        self.process = Some(process);
        Ok(line)
    }

    /// A new game: a strategy that was not loaded in time is waited for once more.
    pub(super) fn new_game(&mut self) {
        self.patience = Patience::default();
    }

    /// Ends the process; the next request finds a new one.
    pub(super) fn dismiss(&mut self) {
        self.process = None;
    }

    fn start(&mut self) -> Result<Process, NoMove> {
        let mut process = self.bot.open(&[], true).map_err(void)?;
        match self.hear(&mut process, self.house.limits.start) {
            Ok(_) => Ok(process),
            Err(NoMove::Foul(foul)) => {
                let ended = self.unanswered.ended.as_ref().map(|ended| ended.how);
                let kind = match ended {
                    Some(HowEnded::Status(_)) => FoulKind::Start,
                    _ => foul.kind,
                };
                let detail = format!("it could not be loaded: {}", foul.detail);
                Err(NoMove::Foul(Foul { kind, detail }))
            }
            Err(void) => Err(void),
        }
    }

    fn hear(&mut self, process: &mut Process, time: Duration) -> Result<Vec<u8>, NoMove> {
        let interrupt = self.house.interrupt.as_ref();
        let asked = Instant::now();
        let silence = match process.line(time, interrupt).map_err(void)? {
            Ok(line) => return Ok(line),
            Err(silence) => silence,
        };
        self.unanswered = Exchange {
            took: asked.elapsed(),
            ..Exchange::default()
        };
        let limits = &self.house.limits;
        let without = "it ended without an answer";
        let exchange = &mut self.unanswered;
        Err(unanswered(
            process, &silence, limits, time, exchange, without,
        ))
    }
}
