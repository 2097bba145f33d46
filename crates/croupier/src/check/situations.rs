//! What a program is asked: an endless list that the seed fixes.
//!
//! The list is made in batches. For each, games are simulated: between sensible players and between
//! players who do anything that is legal, from ordinary deals and from contrived ones. Of every kind
//! of situation that the game declares, some are kept by chance, each that was met as likely as any
//! other, and so that the rarest kinds come first and no kind crowds out another. After the first batch,
//! of the setup that was asked for, comes a small one of every other setup; from then on two small ones of
//! others after each of the first.

use std::collections::{HashSet, VecDeque};

use croupier_core::{Game, Player, RandomPlayer, Rng, Seat, Seed, Situations, Turn, built_in};

/// How many turns of games between sensible players are looked at for a batch.
const SENSIBLE_TURNS: usize = 2_000;

/// How many turns of games in which anything is played, which are looked at more quickly.
const RANDOM_TURNS: usize = 20_000;

/// Where a simulated game is left: what comes after is much the same.
const LONGEST: usize = 1_500;

/// What is kept for a batch: so many of each kind, so many of any kind, and no more than this.
#[derive(Clone, Copy)]
struct Room {
    each: usize,
    any: usize,
    most: usize,
}

/// A batch of turns that stand alone, of the setup that was asked for and of another.
const TURNS: [Room; 2] = [
    Room {
        each: 4,
        any: 16,
        most: usize::MAX,
    },
    Room {
        each: 1,
        any: 6,
        most: usize::MAX,
    },
];

/// A batch of whole games, for programs that have to hear of a game from its start.
const GAMES: [Room; 2] = [
    Room {
        each: 1,
        any: 2,
        most: usize::MAX,
    },
    Room {
        each: 1,
        any: 1,
        most: 6,
    },
];

/// A setup in which a program is asked.
#[derive(Debug)]
pub(super) struct Table<G: Game> {
    /// What is different from the setup that was asked for; empty if nothing is.
    pub(super) name: &'static str,
    pub(super) setup: G::Setup,
}

/// One entry of the list.
#[derive(Debug)]
pub(super) struct Item<G> {
    /// Its place in the list, from 0.
    pub(super) number: u64,
    /// The place of its table among all.
    pub(super) table: usize,
    /// The chance that is left to the program.
    pub(super) chance: Seed,
    pub(super) what: What<G>,
}

/// What a program is taken through.
#[derive(Debug)]
pub(super) enum What<G> {
    /// A turn, which stands alone.
    Turn(G),
    /// A whole game, in which it takes a seat.
    Game(Sitting, Seat),
}

/// A game as it can be simulated, and played again with somebody else in one of the seats.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sitting {
    pub(super) seed: Seed,
    contrived: bool,
    sensible: bool,
}

impl Sitting {
    /// The game as it is dealt.
    pub(super) fn deal<G: Situations>(self, setup: &G::Setup) -> G {
        match self.contrived {
            true => G::contrive(setup, self.seed),
            false => G::deal(setup, self.seed),
        }
    }

    /// Who sits at the table, ready to play.
    pub(super) fn players<G: Situations>(self, seats: usize) -> Vec<Box<dyn Player<G>>> {
        let mut rng = self.seed.deal(0).rng();
        let seated = Seat::all(seats).map(|seat| {
            let mut player: Box<dyn Player<G>> = match self.sensible {
                true => {
                    let name = G::SENSIBLE[rng.below(G::SENSIBLE.len())];
                    built_in(name).expect("a game names players that it has")
                }
                false => Box::<RandomPlayer>::default(),
            };
            player.start(seat, self.seed.player(seat));
            player
        });
        seated.collect()
    }
}

/// What a program can be taken through.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Course {
    /// Turns, each of which stands alone.
    Turns,
    /// Such turns, and now and then a whole game.
    TurnsAndGames,
    /// Whole games.
    Games,
}

/// The list.
pub(super) struct List<'a, G: Game> {
    tables: &'a [Table<G>],
    seed: Seed,
    course: Course,
    batches: u64,
    made: u64,
    ready: VecDeque<Item<G>>,
}

impl<'a, G: Situations> List<'a, G> {
    /// A list for these tables, the first of which was asked for.
    pub(super) fn new(tables: &'a [Table<G>], seed: Seed, course: Course) -> List<'a, G> {
        List {
            tables,
            seed,
            course,
            batches: 0,
            made: 0,
            ready: VecDeque::new(),
        }
    }

    pub(super) fn table(&self, number: usize) -> &'a Table<G> {
        &self.tables[number]
    }

    /// The next entry.
    pub(super) fn next(&mut self) -> Item<G> {
        loop {
            if let Some(item) = self.ready.pop_front() {
                return item;
            }
            self.make_batch();
        }
    }

    fn make_batch(&mut self) {
        let (batch, others) = (self.batches, self.tables.len() as u64 - 1);
        self.batches += 1;
        // Whoever has little time has met every setup once.
        let table = match batch.checked_sub(others + 1) {
            None => batch,
            Some(later) => match (later / 3, later % 3) {
                (round, place @ 1..) if others > 0 => 1 + (2 * round + place - 1) % others,
                _ => 0,
            },
        } as usize;
        let is_other = usize::from(table > 0);
        let seed = self.seed.deal(batch);
        let setup = &self.tables[table].setup;
        let found = match self.course {
            Course::Turns => turns(setup, seed, TURNS[is_other]),
            Course::TurnsAndGames => {
                let mut found = turns(setup, seed, TURNS[is_other]);
                found.extend(games_between(setup, seed));
                found
            }
            Course::Games => games(setup, seed, GAMES[is_other]),
        };
        for what in found {
            self.ready.push_back(Item {
                number: self.made,
                table,
                chance: self.seed.player(Seat(0)).deal(self.made),
                what,
            });
            self.made += 1;
        }
    }
}

/// Turns for a batch.
fn turns<G: Situations>(setup: &G::Setup, seed: Seed, room: Room) -> Vec<What<G>> {
    let mut finds = Finds::new::<G>(room, seed);
    simulate(setup, seed, |_, game: &G, kinds| {
        finds.offer(kinds, || What::Turn(game.clone()));
    });
    finds.taken(room.most)
}

/// Games for a batch: a seat counts by all the kinds that come up in it when somebody else plays.
fn games<G: Situations>(setup: &G::Setup, seed: Seed, room: Room) -> Vec<What<G>> {
    let mut met: Vec<(Sitting, Vec<u64>)> = Vec::new();
    simulate(setup, seed, |sitting, game: &G, kinds| {
        if met.last().is_none_or(|(last, _)| last.seed != sitting.seed) {
            met.push((sitting, vec![0; game.seats()]));
        }
        if let (Some((_, seats)), Some(seat)) = (met.last_mut(), game.to_move()) {
            seats[seat.index()] |= kinds;
        }
    });
    let mut finds = Finds::new::<G>(room, seed);
    for (sitting, seats) in met {
        for (seat, kinds) in Seat::all(seats.len()).zip(seats) {
            finds.offer(kinds, || What::Game(sitting, seat));
        }
    }
    finds.taken(room.most)
}

/// The games between two batches of turns, for programs that live on: an ordinary one between sensible players,
/// and a contrived one in which anything is played. Turns alone do not show what becomes of a program in the
/// course of a game.
fn games_between<G: Situations>(setup: &G::Setup, seed: Seed) -> [What<G>; 2] {
    [false, true].map(|contrived| {
        let sitting = Sitting {
            seed: seed.player(Seat(2)).deal(u64::from(contrived)),
            contrived,
            sensible: !contrived,
        };
        let game: G = sitting.deal(setup);
        let seat = sitting.seed.rng().below(game.seats());
        What::Game(sitting, Seat::from(seat))
    })
}

/// Simulates the games of a batch and shows every turn, with the kinds that it is of.
fn simulate<G: Situations>(setup: &G::Setup, seed: Seed, mut see: impl FnMut(Sitting, &G, u64)) {
    for sensible in [true, false] {
        let turns = if sensible {
            SENSIBLE_TURNS
        } else {
            RANDOM_TURNS
        };
        let (mut seen, mut games) = (0, 0);
        while seen < turns {
            // A setup in which nobody is ever to move would keep us here for ever.
            seen += 1;
            let sitting = Sitting {
                seed: seed.player(Seat::from(usize::from(sensible))).deal(games),
                contrived: games % 2 == 1,
                sensible,
            };
            games += 1;
            let mut game: G = sitting.deal(setup);
            let mut players = match sensible {
                true => sitting.players::<G>(game.seats()),
                false => Vec::new(),
            };
            let mut rng = sitting.seed.rng();
            for _ in 0..LONGEST {
                let Some(turn) = Turn::of(&game) else { break };
                seen += 1;
                see(sitting, &game, game.kinds());
                let choice = match players.get_mut(turn.seat().index()) {
                    Some(player) => player.decide(&turn).ok(),
                    None => game.random_move(&mut rng),
                };
                let played = choice.is_some_and(|choice| game.play(choice).is_ok());
                if !played {
                    break;
                }
            }
        }
    }
}

/// What was found for a batch: a reservoir for every kind, and one for whatever it is.
struct Finds<T> {
    kinds: Vec<Reservoir<T>>,
    rng: Rng,
    offered: u64,
}

struct Reservoir<T> {
    room: usize,
    seen: u64,
    kept: Vec<(u64, T)>,
}

impl<T> Finds<T> {
    fn new<G: Situations>(room: Room, seed: Seed) -> Finds<T> {
        let rooms = G::KINDS.iter().map(|_| room.each).chain([room.any]);
        let empty = |room| Reservoir {
            room,
            seen: 0,
            kept: Vec::new(),
        };
        Finds {
            kinds: rooms.map(empty).collect(),
            rng: seed.rng(),
            offered: 0,
        }
    }

    /// Offers something of these kinds, of which every reservoir keeps each as likely as any other.
    fn offer(&mut self, kinds: u64, make: impl Fn() -> T) {
        self.offered += 1;
        let any = self.kinds.len() - 1;
        for (kind, reservoir) in self.kinds.iter_mut().enumerate() {
            if kind != any && kinds >> kind & 1 == 0 {
                continue;
            }
            reservoir.seen += 1;
            if reservoir.kept.len() < reservoir.room {
                reservoir.kept.push((self.offered, make()));
                continue;
            }
            let place = self.rng.below(reservoir.seen as usize);
            if let Some(kept) = reservoir.kept.get_mut(place) {
                *kept = (self.offered, make());
            }
        }
    }

    /// What was kept, each once: one of every kind, the rarest kind first, then another of each.
    fn taken(mut self, most: usize) -> Vec<T> {
        self.kinds.sort_by_key(|reservoir| reservoir.seen);
        let mut known = HashSet::new();
        let mut taken = Vec::new();
        let mut kinds: Vec<_> = self.kinds.into_iter().map(|r| r.kept.into_iter()).collect();
        loop {
            let left: usize = kinds.iter().map(ExactSizeIterator::len).sum();
            if left == 0 || taken.len() >= most {
                taken.truncate(most);
                return taken;
            }
            for kept in &mut kinds {
                taken.extend(kept.find_map(|(id, what)| known.insert(id).then_some(what)));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use croupier_core::Options;
    use croupier_games::austerity::Austerity;
    use croupier_games::friday13::Friday13;
    use croupier_games::intensity::Intensity;
    use croupier_games::uno::Uno;

    use super::*;

    fn tables<G: Situations>() -> Vec<Table<G>> {
        let table = |name, options: &[(&str, &str)]| {
            let options = options.iter();
            let options: Options = options
                .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
                .collect();
            let setup = G::setup(&options).expect("a setup that can be dealt");
            Table { name, setup }
        };
        let others = G::VARIATIONS.iter();
        let others = others.map(|variation| table(variation.name, variation.options));
        [table("", &[])].into_iter().chain(others).collect()
    }

    /// What a game declares holds together, and its list begins the same way for the same seed, with
    /// every kind of turn and at every table.
    fn lists<G: Situations>() {
        assert!(G::KINDS.len() <= 64);
        let names: HashSet<&str> = G::KINDS.iter().map(|kind| kind.name).collect();
        assert_eq!(names.len(), G::KINDS.len());
        for name in G::SENSIBLE {
            assert!(built_in::<G>(name).is_ok(), "{name}");
        }
        let tables = tables::<G>();
        let list = |seed| List::<G>::new(&tables, Seed(seed), Course::Turns);
        let mut lists = [7, 7, 8].map(list);
        let mut same = true;
        let (mut seen, mut seated) = (0, HashSet::new());
        for number in 0..800 {
            let [one, again, other] = lists.each_mut().map(|list| {
                let item = list.next();
                assert_eq!(item.number, number);
                let What::Turn(game) = item.what else {
                    panic!("a turn stands alone")
                };
                let legal: Vec<String> =
                    game.legal_moves().iter().map(ToString::to_string).collect();
                (item.table, game.kinds(), legal)
            });
            assert_eq!(one, again);
            same &= one == other;
            seen |= one.1;
            seated.insert(one.0);
        }
        assert!(!same, "another seed gives another list");
        for (place, kind) in G::KINDS.iter().enumerate() {
            assert!(seen >> place & 1 == 1, "{}", kind.name);
        }
        assert_eq!(seated.len(), tables.len());
    }

    #[test]
    fn a_seed_fixes_a_list_with_every_kind_of_situation() {
        lists::<Intensity>();
        lists::<Friday13>();
        lists::<Uno>();
        lists::<Austerity>();
    }

    /// The rarest kind comes first, each thing once, and what is common does not crowd it out.
    #[test]
    fn the_rare_comes_first() {
        let room = Room {
            each: 2,
            any: 3,
            most: 7,
        };
        let mut finds = Finds::new::<Intensity>(room, Seed(1));
        for number in 0..10_000 {
            let kinds = 1 | u64::from(number % 100 == 0) << 1 | u64::from(number == 5_000) << 2;
            finds.offer(kinds, || number);
        }
        let taken = finds.taken(room.most);
        assert_eq!(taken[0], 5_000);
        assert_eq!(taken[1] % 100, 0);
        assert_eq!(taken.len(), 7);
        assert_eq!(taken.iter().collect::<HashSet<_>>().len(), 7);
    }
}
