//! Swiss pairing for tables of any size: players with similar points meet, those who have met do
//! not meet again while that can be helped, and everyone plays in every round.
//!
//! The players are ranked by their points and seated table by table from the top. Then a local search
//! exchanges two players of different tables as long as that lowers the cost of the round: first the
//! number of repeated meetings, then the squared differences in points. When the number of
//! players does not divide, the house fills the last table; having sat with the house counts as a
//! meeting too, so it is not always the same ones who do.

/// What is known of a player before a round.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ranked {
    /// The number of the player.
    pub player: usize,
    /// How much it has so far of what the contest ranks by; more is better.
    pub worth: i64,
    /// What decides between equal points: a lot that does not depend on the order in which the
    /// players were named.
    pub lot: u64,
}

/// How often every two players have met, and how often each has sat with the house.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Meetings {
    players: usize,
    /// For every two players, and in the last row for every one with the house.
    times: Vec<u32>,
}

impl Meetings {
    /// Nobody of so many players has met anybody.
    pub fn new(players: usize) -> Meetings {
        Meetings {
            players,
            times: vec![0; (players + 1) * (players + 1)],
        }
    }

    /// These players have sat together at a table of so many seats, the house in the empty ones.
    pub fn meet(&mut self, table: &[usize], seats: usize) {
        let house = (seats - table.len()) as u32;
        for &player in table {
            for &other in table.iter().filter(|&&other| other != player) {
                self.add(player, other, 1);
            }
            self.add(player, self.players, house);
        }
    }

    /// How often two have met; the house has the number of the players.
    fn times(&self, one: usize, other: usize) -> i64 {
        self.times[one * (self.players + 1) + other].into()
    }

    fn add(&mut self, one: usize, other: usize, times: u32) {
        let met = &mut self.times[one * (self.players + 1) + other];
        *met = met.saturating_add(times);
    }
}

/// Pairs a round: the players at every table. Only the last table may have fewer players than
/// seats; the house sits in the others.
pub fn pair(mut players: Vec<Ranked>, seats: usize, meetings: &Meetings) -> Vec<Vec<usize>> {
    players.sort_by_key(|player| (-player.worth, player.lot));
    let house = meetings.players;
    let tables = players.len().div_ceil(seats);
    let mut round = Round {
        seats,
        meetings,
        points: vec![0; house + 1],
        chairs: players.iter().map(|player| player.player).collect(),
    };
    for player in &players {
        round.points[player.player] = player.worth;
    }
    // The house has no points of its own: it takes what the others at its table have.
    round.chairs.resize(tables * seats, house);
    round.improve(players.len());
    let tables = round.chairs.chunks(seats).map(|table| {
        let table = table.iter().copied();
        table.filter(|&player| player != house).collect()
    });
    tables.collect()
}

struct Round<'a> {
    seats: usize,
    meetings: &'a Meetings,
    points: Vec<i64>,
    /// Who sits where, table by table.
    chairs: Vec<usize>,
}

/// The cost of a round, in lexicographic order: repeated meetings, then squared differences in points.
type Cost = (i64, i64);

impl Round<'_> {
    /// Hill climbing by exchanges: the players in two of the first chairs change places as long as that
    /// lowers the cost.
    fn improve(&mut self, chairs: usize) {
        loop {
            let mut better = false;
            for one in 0..chairs {
                // Those who are near each other in points have near chairs.
                for other in (one + 1)..chairs {
                    if one / self.seats != other / self.seats && self.gains(one, other) {
                        self.chairs.swap(one, other);
                        better = true;
                    }
                }
            }
            if !better {
                break;
            }
        }
    }

    /// Whether the round costs less if the players in these chairs change places.
    fn gains(&self, one: usize, other: usize) -> bool {
        let (a, b) = (self.chairs[one], self.chairs[other]);
        let (at_one, at_other) = (self.beside(one, a), self.beside(other, b));
        let before = (at_one.0 + at_other.0, at_one.1 + at_other.1);
        let (at_one, at_other) = (self.beside(one, b), self.beside(other, a));
        (at_one.0 + at_other.0, at_one.1 + at_other.1) < before
    }

    /// What a player adds to the cost beside the others at the table of this chair.
    fn beside(&self, chair: usize, player: usize) -> Cost {
        let first = chair - chair % self.seats;
        let mut cost = (0, 0);
        let house = self.meetings.players;
        for other in (first..first + self.seats).filter(|&other| other != chair) {
            let other = self.chairs[other];
            cost.0 += self.meetings.times(player, other);
            if other != house {
                cost.1 += (self.points[player] - self.points[other]).pow(2);
            } else {
                // The weakest table is the house's: every point there is one too many.
                cost.1 += 2 * self.seats as i64 * self.points[player];
            }
        }
        cost
    }
}
