//! Players who join a Swiss contest that has begun.

use croupier_arena::{
    Contest, Entrant, Format, Hosting, Progress, RankBy, Seatings, Settings, Store, Who,
};
use croupier_bots::{House, Limits, Tier};
use croupier_core::{Game, Offered, Options, Seed};
use croupier_games::intensity::Intensity;

/// So many players with these names.
fn players(name: &str, count: usize) -> Vec<Entrant> {
    let entrant = |number: usize| Entrant {
        name: format!("{name} {number}"),
        spec: "random".to_owned(),
        who: Who::BuiltIn("random".to_owned()),
        identity: String::new(),
        added: false,
    };
    let mut players: Vec<Entrant> = (0..count).map(entrant).collect();
    Entrant::identify::<Intensity>(&mut players, &[]);
    players
}

/// Plays what is left of three rounds if so many take part, and tells how far that is.
fn held(store: &mut Store, count: usize) -> Progress {
    let setup = Intensity::setup(&Options::new()).expect("a setup");
    let settings = Settings {
        game: Intensity::NAME.to_owned(),
        version: Intensity::VERSION,
        setup: serde_json::to_value(setup).expect("plain JSON"),
        seats: 4,
        format: Format::Swiss,
        rounds: 3,
        seatings: Seatings::Rotations,
        seed: Seed(7),
        rank_by: RankBy::Points,
        anchor: None,
        records: Some(false),
        sandbox: Tier::None,
        limits: Limits::default(),
        suspend_after: None,
        shard: None,
    };
    let mut staff = players("house", 3);
    for one in &mut staff {
        one.identity = format!("staff-{}", one.identity);
    }
    let players = players("player", count);
    store
        .enter(&settings, &players, &staff, &[])
        .expect("they enter");
    let mut contest = Contest::new::<Intensity>(settings, players, staff).expect("a contest");
    let house = House::new(Tier::None, Limits::default());
    let hosting = Hosting {
        house: &house,
        threads: 1,
        keeps_all_faults: false,
    };
    let played = contest.play::<Intensity>(&setup, store, &hosting, |contest, _| {
        let Progress { games, of } = contest.progress();
        assert!(games <= of, "{games} of {of} games");
    });
    played.expect("it is played");
    contest.progress()
}

/// Who comes when a round has been played sits there alone with the house. Two who come one after the other
/// have a table each, where both together would have had one.
#[test]
fn a_contest_has_all_the_games_that_are_played_in_it() {
    let mut store = Store::passing().expect("a store");
    for (count, tables) in [(4, 1), (5, 2), (6, 3)] {
        let games = 3 * 4 * tables;
        assert_eq!(held(&mut store, count), Progress { games, of: games });
    }
}
