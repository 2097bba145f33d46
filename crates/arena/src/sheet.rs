//! The results of a contest as statistics need them: who finished above whom in every block, and
//! what everybody scored in it.

use croupier_core::Outcome;

use crate::RankBy;

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
    /// Of every block and pair at its table, in the order of [`BlockRow::pairs`]: in how many games
    /// the first finished above the second, and the other way round.
    pairs: Vec<[u16; 2]>,
    /// What each player scored in every block, all games together.
    scores: Vec<i64>,
    /// How many games every block has.
    games: Vec<u16>,
}

/// One block of a [`Sheet`].
#[derive(Clone, Copy, Debug)]
pub struct BlockRow<'a> {
    /// The seed of its deal.
    pub deal: u64,
    /// Who sat at the table.
    pub table: &'a [u16],
    /// How many games it has.
    pub games: u16,
    pairs: &'a [[u16; 2]],
    scores: &'a [i64],
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
            scores: Vec::new(),
            games: Vec::new(),
        }
    }

    /// Enters a block: its players in order of their numbers, and for each of its games their
    /// scores and places in the same order.
    pub fn enter(&mut self, deal: u64, table: &[usize], games: &[Outcome]) {
        let start = self.pairs.len();
        self.pairs
            .resize(start + self.seats * (self.seats - 1) / 2, [0; 2]);
        for Outcome { places, .. } in games {
            for (pair, (a, b)) in self.pairs[start..].iter_mut().zip(pairs(self.seats)) {
                pair[0] += u16::from(places[a] < places[b]);
                pair[1] += u16::from(places[a] > places[b]);
            }
        }
        for number in 0..self.seats {
            let scores = games.iter().map(|game| game.scores[number]);
            self.scores.push(scores.sum());
        }
        self.deals.push(deal);
        self.games.push(games.len() as u16);
        self.tables
            .extend(table.iter().map(|&player| player as u16));
    }

    /// The sheet as it was after so many blocks.
    pub fn first(&self, blocks: usize) -> Sheet {
        let blocks = blocks.min(self.deals.len());
        let seats = self.seats;
        Sheet {
            players: self.players,
            seats,
            deals: self.deals[..blocks].to_vec(),
            tables: self.tables[..blocks * seats].to_vec(),
            pairs: self.pairs[..blocks * (seats * (seats - 1) / 2)].to_vec(),
            scores: self.scores[..blocks * seats].to_vec(),
            games: self.games[..blocks].to_vec(),
        }
    }

    /// How many players there are.
    pub fn players(&self) -> usize {
        self.players
    }

    /// How many sit at a table.
    pub fn seats(&self) -> usize {
        self.seats
    }

    /// All blocks, in the order in which they were entered.
    pub fn blocks(&self) -> impl ExactSizeIterator<Item = BlockRow<'_>> {
        let pairs = self.pairs.chunks_exact(self.seats * (self.seats - 1) / 2);
        let tables = self.tables.chunks_exact(self.seats).zip(pairs);
        let tables = tables.zip(self.scores.chunks_exact(self.seats));
        let blocks = self.deals.iter().zip(&self.games).zip(tables);
        blocks.map(|((&deal, &games), ((table, pairs), scores))| BlockRow {
            deal,
            table,
            pairs,
            scores,
            games,
        })
    }
}

impl<'a> BlockRow<'a> {
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

    /// What every player at the table has of what counts, in all games of the block together.
    /// Points are for those who were left behind, and half for those who were level.
    pub(crate) fn sums(self, by: RankBy) -> Vec<f64> {
        match by {
            RankBy::Score => self.scores.iter().map(|&score| score as f64).collect(),
            RankBy::Points => {
                let mut points = vec![0.0; self.table.len()];
                for (&[won, lost], (a, b)) in self.pairs.iter().zip(pairs(self.table.len())) {
                    let level = f64::from(self.games - won - lost) / 2.0;
                    points[a] += f64::from(won) + level;
                    points[b] += f64::from(lost) + level;
                }
                points
            }
        }
    }
}

/// Every two of so many seats.
fn pairs(seats: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..seats).flat_map(move |a| (a + 1..seats).map(move |b| (a, b)))
}
