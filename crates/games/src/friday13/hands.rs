//! The hands of all chairs, as counts of like cards.
//!
//! What a player may do depends on which *different* cards he holds, so that is what is kept: for
//! every chair and colour the different values, with the number of cards of each. All of it lies in two lists whose lengths never change, so that nothing is allocated
//! while a round is played or dealt, and the memory is in proportion to the cards.

use super::card::{Card, Colour};

/// The hands of all chairs.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Hands {
    /// How many colours there are, green included.
    colours: usize,
    /// For every chair and colour, where its values start in `held`, and how many there are.
    runs: Vec<Run>,
    /// Room for as many different values as a chair has cards, chair after chair.
    held: Vec<Held>,
    /// Where the room of each chair starts; while dealing, where its next card goes.
    rooms: Vec<u32>,
    /// How many cards each chair holds.
    sizes: Vec<u32>,
}

#[derive(Clone, Copy, PartialEq, Debug, Default)]
struct Run {
    start: u32,
    len: u32,
}

/// Cards of one value and colour in one hand.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Held {
    pub(super) value: u16,
    pub(super) count: u32,
}

impl Hands {
    /// Empty hands for a table at which `cards` cards are dealt.
    pub(super) fn new(players: usize, colours: usize, cards: usize) -> Hands {
        Hands {
            colours: colours + 1,
            runs: vec![Run::default(); players * (colours + 1)],
            held: vec![Held::default(); cards],
            rooms: vec![0; players],
            sizes: vec![0; players],
        }
    }

    /// Takes all cards away. Cards are then dealt colour by colour and value by value, with
    /// [`open`](Hands::open) before and [`close`](Hands::close) after each colour.
    pub(super) fn clear(&mut self) {
        let (cards, players) = (self.held.len(), self.sizes.len());
        let mut start = 0;
        for (chair, room) in self.rooms.iter_mut().enumerate() {
            *room = start;
            start += (cards / players + usize::from(chair < cards % players)) as u32;
        }
        self.sizes.fill(0);
    }

    pub(super) fn open(&mut self, colour: Colour) {
        let runs = self.runs[colour.index()..].iter_mut();
        for (run, &room) in runs.step_by(self.colours).zip(&self.rooms) {
            *run = Run {
                start: room,
                len: 0,
            };
        }
    }

    // Whether a card is like the last one is as good as random, so nothing here branches on it.
    #[inline]
    pub(super) fn take(&mut self, chair: usize, card: Card) {
        let run = &mut self.runs[chair * self.colours + card.colour.index()];
        let end = (run.start + run.len) as usize;
        let last = self.held[end.saturating_sub(1)];
        let like = (run.len > 0) & (last.value == card.value);
        self.held[end - usize::from(like)] = Held {
            value: card.value,
            count: 1 + if like { last.count } else { 0 },
        };
        run.len += u32::from(!like);
        self.sizes[chair] += 1;
    }

    pub(super) fn close(&mut self, colour: Colour) {
        let runs = self.runs[colour.index()..].iter();
        for (run, room) in runs.step_by(self.colours).zip(&mut self.rooms) {
            *room = run.start + run.len;
        }
    }

    /// How many cards a chair holds.
    #[inline]
    pub(super) fn size(&self, chair: usize) -> usize {
        self.sizes[chair] as usize
    }

    /// How many different values a chair holds, colour by colour, green first.
    #[inline]
    pub(super) fn different(&self, chair: usize) -> impl ExactSizeIterator<Item = usize> + '_ {
        let start = chair * self.colours;
        let runs = &self.runs[start..start + self.colours];
        runs.iter().map(|run| run.len as usize)
    }

    /// The different values of a colour that a chair holds, in any order.
    #[inline]
    pub(super) fn of(&self, chair: usize, colour: Colour) -> &[Held] {
        let Run { start, len } = self.runs[chair * self.colours + colour.index()];
        &self.held[start as usize..(start + len) as usize]
    }

    /// Takes a card out of a hand; false if it is not there.
    #[inline]
    pub(super) fn remove(&mut self, chair: usize, card: Card) -> bool {
        let run = &mut self.runs[chair * self.colours + card.colour.index()];
        let held = &mut self.held[run.start as usize..(run.start + run.len) as usize];
        // Which one it is and whether it was the last of its kind is as good as random too.
        let mut place = held.len();
        for (index, held) in held.iter().enumerate() {
            place = if held.value == card.value {
                index
            } else {
                place
            };
        }
        if place == held.len() {
            return false;
        }
        held[place].count -= 1;
        let gone = held[place].count == 0;
        held[place] = held[if gone { held.len() - 1 } else { place }];
        run.len -= u32::from(gone);
        self.sizes[chair] -= 1;
        true
    }
}
