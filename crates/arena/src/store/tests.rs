//! Stores that are damaged, hostile or of before, and what must not be counted twice.

use std::collections::BTreeMap;
use std::time::Duration;

use croupier_bots::{Limits, Tier, Times};
use croupier_core::Seed;

use super::*;
use crate::{Format, RankBy, Seatings, Who};

fn settings() -> Settings {
    Settings {
        game: "uno".to_owned(),
        version: 1,
        setup: serde_json::Value::Null,
        seats: 1,
        format: Format::RoundRobin,
        rounds: 1,
        seatings: Seatings::All,
        rank_by: RankBy::Points,
        anchor: None,
        seed: Seed(1),
        sandbox: Tier::Strict,
        limits: Limits::default(),
        suspend_after: None,
        shard: None,
        records: None,
    }
}

fn players() -> [Entrant; 1] {
    [Entrant {
        name: "one".to_owned(),
        spec: "one".to_owned(),
        who: Who::BuiltIn("one".to_owned()),
        identity: "hash-1".to_owned(),
        added: false,
    }]
}

/// Whatever SQLite would compute for us: an endless view, a trigger, a generated column, a module.
#[test]
fn a_contest_that_computes_what_it_holds_is_not_read() {
    let endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)";
    for more in [
        format!("DROP TABLE players; CREATE VIEW players AS {endless} SELECT * FROM n"),
        format!("CREATE VIEW other AS {endless} SELECT * FROM n"),
        "CREATE TRIGGER t INSERT ON players BEGIN DELETE FROM blocks; END".to_owned(),
        "CREATE TABLE other (a, b AS (hex(zeroblob(500000000))))".to_owned(),
        "CREATE TABLE other (a, b AS (hex(a)) STORED)".to_owned(),
        "CREATE VIRTUAL TABLE other USING fts5(a)".to_owned(),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let mut store = Store::create(folder.path()).expect("a store");
        let entered = store.enter(&settings(), &players(), &[], &[]);
        entered.expect("it enters");
        store.connection.execute_batch(&more).expect(&more);
        drop(store);
        for found in [
            Store::find(folder.path()),
            Store::find_to_read(folder.path()),
            Store::find_to_watch(folder.path()),
        ] {
            let told = found.expect_err(&more).to_string();
            assert!(told.ends_with("it holds more than tables"), "{told}");
        }
    }
}

#[test]
fn an_audit_is_open_until_it_is_done_if_its_block_was_kept() {
    let mut store = Store::passing().expect("a store");
    let players = players();
    let entered = store.enter(&settings(), &players, &[], &[]);
    entered.expect("it enters");
    let keys = ["kept of a block", "done of a block"];
    let begun = [keys[0], keys[1], "lost"].map(|key| (key, format!("audit of {key}")));
    store
        .audit(begun.into_iter(), std::iter::empty())
        .expect("it is written");
    let played = BlockResult::default();
    let blocks = keys.iter().map(|key| Entry {
        key,
        round: 0,
        deal: 0,
        players: players.iter().collect(),
        played: &played,
    });
    store.write(blocks).expect("they are written");
    store
        .audit(std::iter::empty(), [keys[1]].into_iter())
        .expect("it is written");
    let open = store.audits().expect("they are read");
    let kept = (keys[0].to_owned(), format!("audit of {}", keys[0]));
    assert_eq!(open, [kept]);
}

#[test]
fn what_comes_twice_is_taken_once_and_sums_have_an_end() {
    let players = players();
    let begun = || {
        let mut store = Store::passing().expect("a store");
        let entered = store.enter(&settings(), &players, &[], &[]);
        entered.expect("it enters");
        store
    };
    let part = |key: &str| {
        let mut store = begun();
        let mut played = BlockResult::default();
        let mut times = Times::default();
        times.add(Duration::from_micros(7));
        played.times = vec![times];
        let entry = Entry {
            key,
            round: 0,
            deal: 1,
            players: players.iter().collect(),
            played: &played,
        };
        store.write([entry].into_iter()).expect("it is written");
        store
    };
    let (one, other) = (part("one block"), part("another block"));
    let mut all = begun();
    for part in [&one, &one] {
        all.unite(part).expect("it is united");
        let times = all.times().expect("they are read");
        assert_eq!(times, one.times().expect("they are read"));
    }
    let most = format!("UPDATE times SET decisions = {}", i64::MAX);
    other.connection.execute_batch(&most).expect("many");
    all.unite(&other).expect("it is united");
    let times = all.times().expect("they are read");
    assert_eq!(times["hash-1"].decisions(), i64::MAX.unsigned_abs());
}

#[test]
fn there_are_not_fewer_than_none() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut store = Store::create(folder.path()).expect("a store");
    let entered = store.enter(&settings(), &players(), &[], &[]);
    entered.expect("it enters");
    let most = i64::MAX;
    let times =
        format!("INSERT INTO times VALUES ('a', 1, {most}), ('a', 2, {most}), ('a', 3, {most})");
    store.connection.execute_batch(&times).expect("times");
    let measured = &store.times().expect("they are read")["a"];
    assert_eq!(measured.decisions(), u64::MAX);
    assert!(measured.median().is_some());
    let less = "INSERT INTO times VALUES ('b', 1, -1);
        INSERT INTO blocks VALUES ('k', -1, 1, '[\"hash-1\"]', '', '', '', '', '', '', NULL);
        INSERT INTO faults VALUES ('f', 'k', 0, 'hash-1', 'one', 0, 'crash', '', '{}')";
    store
        .connection
        .execute_batch(less)
        .expect("less than none");
    let page = crate::Page { skip: 0, most: 9 };
    let told = store.times().expect_err("less than none").to_string();
    assert!(told.contains("cannot be read as a contest"), "{told}");
    assert!(store.fault_heads(None, None, page).is_err());
    assert!(store.blocks_of("hash-1", page).is_err());
    assert!(store.all_faults().is_err());
}

#[test]
fn what_is_longer_than_anything_in_a_contest_is_not_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut store = Store::create(folder.path()).expect("a store");
    let entered = store.enter(&settings(), &players(), &[], &[]);
    entered.expect("it enters");
    let long = "UPDATE players SET name = CAST(zeroblob(70000000) AS TEXT)";
    store.connection.execute_batch(long).expect("a long name");
    drop(store);
    let store = Store::find_to_watch(folder.path()).expect("a store");
    let told = store.expect("somebody has entered").enrolled();
    let told = told.expect_err("too long").to_string();
    assert!(told.ends_with("string or blob too big"), "{told}");
}

/// A folder from a time when no decision was measured is read as it is, and goes on.
#[test]
fn a_contest_of_before_goes_on_and_is_measured_from_then_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let (settings, players) = (settings(), players());
    let enter = |store: &mut Store| {
        store
            .enter(&settings, &players, &[], &[])
            .expect("it enters");
    };
    let mut store = Store::create(folder.path()).expect("a store");
    enter(&mut store);
    let dropped = store.connection.execute_batch("DROP TABLE times");
    dropped.expect("as it was before");
    drop(store);

    let mut store = Store::open(folder.path()).expect("it opens");
    assert_eq!(
        store.times().expect("nothing was measured"),
        BTreeMap::new()
    );
    enter(&mut store);
    let mut played = BlockResult::default();
    let mut times = Times::default();
    times.add(Duration::from_micros(7));
    played.times = vec![times.clone()];
    for key in ["first block key", "second block key"] {
        let entry = Entry {
            key,
            round: 0,
            deal: 1,
            players: players.iter().collect(),
            played: &played,
        };
        store.write([entry].into_iter()).expect("it is written");
    }
    times.add(Duration::from_micros(7));
    let measured = store.times().expect("they are read");
    assert_eq!(measured, BTreeMap::from([("hash-1".to_owned(), times)]));
}
