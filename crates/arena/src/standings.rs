//! How the players of a contest stand.

use croupier_core::Seed;

use crate::{BlockResult, Ranking, SeatOrders, Sheet};

/// How all who take part stand: sums of whole numbers, so that no order of the blocks gives other
/// ones.
#[derive(Clone, PartialEq, Debug)]
pub struct Standings {
    of: Vec<Standing>,
    blocks: u64,
    games: u64,
    decisions: u64,
    /// Who finished above whom.
    pub sheet: Sheet,
    /// What chance does to the scores within blocks: see [`deviation`].
    spread: i128,
}

/// How one of them stands.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Standing {
    /// How many games it played.
    pub games: u64,
    /// Its points for places, in halves.
    pub halves: i64,
    /// The sum of the game's own scores.
    pub score: i64,
    /// How often it finished in each place; those who tie share the best of their places.
    pub places: Vec<u64>,
    /// How often it was first, alone.
    pub wins: u64,
    /// How many faults it made.
    pub faults: u64,
    /// In each seat how many games, and how many points in halves.
    pub by_seat: Vec<(u64, i64)>,
}

impl Standing {
    /// The points for places.
    pub fn points(&self) -> f64 {
        self.halves as f64 / 2.0
    }

    /// The points of a game, on average.
    pub fn mean_points(&self) -> f64 {
        self.points() / self.games.max(1) as f64
    }

    /// The game's own score, on average.
    pub fn mean_score(&self) -> f64 {
        self.score as f64 / self.games.max(1) as f64
    }
}

impl Standings {
    /// Nobody has played yet.
    pub fn new(players: usize, seats: usize) -> Standings {
        let standing = Standing {
            places: vec![0; seats],
            by_seat: vec![(0, 0); seats],
            ..Standing::default()
        };
        Standings {
            of: vec![standing; players],
            blocks: 0,
            games: 0,
            decisions: 0,
            sheet: Sheet::new(players, seats),
            spread: 0,
        }
    }

    /// How this one stands.
    pub fn of(&self, player: usize) -> &Standing {
        &self.of[player]
    }

    /// How many blocks were played.
    pub fn blocks(&self) -> u64 {
        self.blocks
    }

    /// How many games were played.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// How many decisions were made in them.
    pub fn decisions(&self) -> u64 {
        self.decisions
    }

    /// Counts a block.
    pub fn take(&mut self, deal: Seed, table: &[usize], orders: &SeatOrders, played: &BlockResult) {
        self.blocks += 1;
        self.games += played.games.len() as u64;
        self.decisions += played.decisions.iter().sum::<u64>();
        let mut sums = vec![0; table.len()];
        for (game, order) in played.games.iter().zip(orders) {
            let points = game.points();
            let first = game.places.iter().filter(|&&place| place == 1).count();
            for (seat, &player) in order.iter().enumerate() {
                let halves = (2.0 * points[player]).round() as i64;
                let standing = &mut self.of[table[player]];
                standing.games += 1;
                standing.halves += halves;
                standing.score += game.scores[player];
                let place = usize::from(game.places[player]).wrapping_sub(1);
                if let Some(times) = standing.places.get_mut(place) {
                    *times += 1;
                }
                standing.wins += u64::from(first == 1 && game.places[player] == 1);
                standing.by_seat[seat].0 += 1;
                standing.by_seat[seat].1 += halves;
                sums[player] += game.scores[player];
            }
        }
        for (&player, faults) in table.iter().zip(&played.faults) {
            self.of[player].faults += faults;
        }
        self.spread += deviation(sums.into_iter());
        self.sheet.enter(deal.0, table, &played.games);
    }

    /// How unequal the scores of the first so many are, beside what chance does when equal players
    /// share out the scores of every block among them at random (Friedman's test, with scores for
    /// ranks): chi-square, and its degrees of freedom. It makes sense where all sit at one table.
    /// It is never more than the degrees of freedom for every block, and after one block it is just
    /// that, unless all have the same score.
    pub fn chi_square(&self, players: usize) -> (f64, usize) {
        let freedom = players - 1;
        let between = deviation(self.of[..players].iter().map(|standing| standing.score));
        match self.spread {
            0 => (0.0, freedom),
            spread => (freedom as f64 * between as f64 / spread as f64, freedom),
        }
    }

    /// The first so many, the best first, each with the rank that it shares with equal ones.
    pub fn ranked(&self, players: usize, ranking: Ranking) -> Vec<(usize, usize)> {
        let order = |one: usize, other: usize| ranking.order(&self.of[one], &self.of[other]);
        let mut sorted: Vec<usize> = (0..players).collect();
        sorted.sort_by(|&one, &other| order(one, other));
        let mut ranked: Vec<(usize, usize)> = Vec::new();
        for (place, &player) in sorted.iter().enumerate() {
            let rank = match ranked.last() {
                Some(&(rank, before)) if order(before, player).is_eq() => rank,
                _ => place + 1,
            };
            ranked.push((rank, player));
        }
        ranked
    }
}

/// The squares of how far numbers are from their mean, times how many numbers there are: a whole
/// number.
fn deviation(numbers: impl Iterator<Item = i64> + Clone) -> i128 {
    let count = numbers.clone().count() as i128;
    let sum: i128 = numbers.clone().map(i128::from).sum();
    let squares: i128 = numbers.map(|number| i128::from(number).pow(2)).sum();
    count * squares - sum * sum
}
