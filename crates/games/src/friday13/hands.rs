//! The hands of all chairs, as counts of like cards.
//!
//! What a player may do depends on which *different* cards he holds. So for every chair and colour
//! there is a list of the values that are held, and a count for each value that there is. A value
//! stands here as its rank, its place among the different values of a colour.
//!
//! This is the inner loop of every simulation. Nothing is searched or allocated when a card is
//! dealt or played, and nothing branches on whether it was the last of its kind, which is as good
//! as random. When all cards are played, all is empty again and the next round can be dealt.

use super::card::Colour;

/// The hands of all chairs.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Hands {
    /// How many colours there are, green included.
    colours: usize,
    /// How many ranks a colour has, and one place more, so that there is always room for another.
    room: usize,
    /// For every chair and colour, how many ranks are held.
    different: Vec<u32>,
    /// For every chair and colour, the ranks that are held, in any order.
    held: Vec<u32>,
    /// For every chair, colour and rank, how many cards are held, and the rank's place in `held`.
    kinds: Vec<Kind>,
    /// How many cards each chair holds.
    sizes: Vec<u32>,
}

#[derive(Clone, Copy, PartialEq, Debug, Default)]
struct Kind {
    count: u32,
    place: u32,
}

impl Hands {
    /// Empty hands; `colours` are those besides green.
    pub(super) fn new(players: usize, colours: usize, ranks: usize) -> Hands {
        let (colours, room) = (colours + 1, ranks.max(1) + 1);
        Hands {
            colours,
            room,
            different: vec![0; players * colours],
            held: vec![0; players * colours * room],
            kinds: vec![Kind::default(); players * colours * room],
            sizes: vec![0; players],
        }
    }

    #[inline]
    fn run(&self, chair: usize, colour: Colour) -> usize {
        chair * self.colours + colour.index()
    }

    /// Puts a card into a hand.
    #[inline]
    pub(super) fn take(&mut self, chair: usize, colour: Colour, rank: usize) {
        let run = self.run(chair, colour);
        let start = run * self.room;
        let different = self.different[run];
        let kind = &mut self.kinds[start + rank];
        let new = kind.count == 0;
        let changed = (kind.place ^ different) & u32::from(new).wrapping_neg();
        kind.place ^= changed;
        kind.count += 1;
        // If the rank is not new, this is beyond the end of the list.
        self.held[start + different as usize] = rank as u32;
        self.different[run] = different + u32::from(new);
        self.sizes[chair] += 1;
    }

    /// Takes a card out of a hand; false if it is not there.
    #[inline(always)]
    pub(super) fn remove(&mut self, chair: usize, colour: Colour, rank: usize) -> bool {
        let run = self.run(chair, colour);
        let start = run * self.room;
        let kind = &mut self.kinds[start + rank];
        if kind.count == 0 {
            return false;
        }
        kind.count -= 1;
        let (place, gone) = (kind.place, kind.count == 0);
        // The last rank of the list fills the gap; if there is none, this one stays where it is.
        let last = self.different[run] - 1;
        let filler = self.held[start + if gone { last } else { place } as usize];
        self.held[start + place as usize] = filler;
        self.kinds[start + filler as usize].place = place;
        self.different[run] = last + u32::from(!gone);
        self.sizes[chair] -= 1;
        true
    }

    /// How many cards a chair holds.
    #[inline]
    pub(super) fn size(&self, chair: usize) -> usize {
        self.sizes[chair] as usize
    }

    /// How many cards of a kind a chair holds.
    #[inline]
    pub(super) fn count(&self, chair: usize, colour: Colour, rank: usize) -> u32 {
        self.kinds[self.run(chair, colour) * self.room + rank].count
    }

    /// How many different values a chair holds, colour by colour, green first.
    #[inline]
    pub(super) fn different(&self, chair: usize) -> &[u32] {
        &self.different[chair * self.colours..][..self.colours]
    }

    /// The ranks that a chair holds of a colour, in any order.
    #[inline]
    pub(super) fn ranks(&self, chair: usize, colour: Colour) -> &[u32] {
        let run = self.run(chair, colour);
        &self.held[run * self.room..][..self.different[run] as usize]
    }
}
