//! The results of a contest as statistics need them: who finished above whom in every block.

/// The results of all blocks, packed: a million games must fit easily.
///
/// Players are numbers from 0. Every table has the same number of seats.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sheet {
    players: usize,
    seats: usize,
    /// The deal of every block. Blocks over the same deal are not independent of each other.
    deals: Vec<u64>,
    /// The players of every block.
    tables: Vec<u16>,
    /// Of every block and pair at its table, in the order of [`Block::pairs`]: in how many games
    /// the first finished above the second, and the other way round.
    pairs: Vec<[u16; 2]>,
    /// How many games every block has.
    games: Vec<u16>,
}

/// One block of a [`Sheet`].
#[derive(Clone, Copy, Debug)]
pub struct Block<'a> {
    /// The seed of its deal.
    pub deal: u64,
    /// Who sat at the table.
    pub table: &'a [u16],
    pairs: &'a [[u16; 2]],
    games: u16,
}

/// What happened between two players.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Meeting {
    /// In how many games the first finished above the second.
    pub won: f64,
    /// In how many they shared a place.
    pub tied: f64,
    /// In how many the second finished above the first.
    pub lost: f64,
}

impl Sheet {
    /// An empty sheet for so many players at tables of so many seats.
    pub fn new(players: usize, seats: usize) -> Sheet {
        Sheet {
            players,
            seats,
            deals: Vec::new(),
            tables: Vec::new(),
            pairs: Vec::new(),
            games: Vec::new(),
        }
    }

    /// Enters a block: its players in order of their numbers, and for each of its games their
    /// places in the same order.
    pub fn enter<'a>(
        &mut self,
        deal: u64,
        table: &[usize],
        games: impl Iterator<Item = &'a [u16]>,
    ) {
        let start = self.pairs.len();
        self.pairs
            .resize(start + self.seats * (self.seats - 1) / 2, [0; 2]);
        let mut count = 0;
        for places in games {
            count += 1;
            for (pair, (a, b)) in self.pairs[start..].iter_mut().zip(pairs(self.seats)) {
                pair[0] += u16::from(places[a] < places[b]);
                pair[1] += u16::from(places[a] > places[b]);
            }
        }
        self.deals.push(deal);
        self.games.push(count);
        self.tables
            .extend(table.iter().map(|&player| player as u16));
    }

    /// How many players there are.
    pub fn players(&self) -> usize {
        self.players
    }

    /// All blocks, in the order in which they were entered.
    pub fn blocks(&self) -> impl ExactSizeIterator<Item = Block<'_>> {
        let pairs = self.pairs.chunks_exact(self.seats * (self.seats - 1) / 2);
        let tables = self.tables.chunks_exact(self.seats).zip(pairs);
        let blocks = self.deals.iter().zip(&self.games).zip(tables);
        blocks.map(|((&deal, &games), (table, pairs))| Block {
            deal,
            table,
            pairs,
            games,
        })
    }
}

impl<'a> Block<'a> {
    /// What happened between every two players at the table.
    pub fn meetings(self) -> impl Iterator<Item = (usize, usize, Meeting)> + use<'a> {
        let seats = pairs(self.table.len());
        self.pairs
            .iter()
            .zip(seats)
            .map(move |(&[won, lost], (a, b))| {
                let meeting = Meeting {
                    won: f64::from(won),
                    tied: f64::from(self.games - won - lost),
                    lost: f64::from(lost),
                };
                (self.table[a].into(), self.table[b].into(), meeting)
            })
    }
}

/// Every two of so many seats.
fn pairs(seats: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..seats).flat_map(move |a| (a + 1..seats).map(move |b| (a, b)))
}
