//! Workers, the coordinator and the server are killed at any moment, and nothing is lost.

use std::path::Path;
use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::lab::{Lab, Running};

const PROGRAM: &str = include_str!("../../../../examples/intensity/bot.c");
const IN_PYTHON: &str = include_str!("../../../../examples/intensity/bot.py");

/// The numbers that decide who is killed when: splitmix64.
struct Chance(u64);

impl Chance {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % end
    }
}

/// What happens to the storage of the server while it is dead.
#[derive(Clone, Copy, Debug)]
enum Storage {
    Kept,
    Wiped,
    /// All files are those of an older copy.
    RolledBack,
    /// The messages are those of an older copy, but not what consumers have counted.
    MessagesRolledBack,
}

fn copy(from: &Path, to: &Path) {
    let copied = Command::new("cp").arg("-a").arg(from).arg(to).status();
    assert!(copied.unwrap().success());
}

impl Storage {
    fn change(self, store: &Path, older: &Path) {
        match self {
            Storage::Kept => {}
            Storage::Wiped => std::fs::remove_dir_all(store).unwrap(),
            Storage::RolledBack => {
                std::fs::remove_dir_all(store).unwrap();
                copy(older, store);
            }
            Storage::MessagesRolledBack => {
                let streams = "jetstream/$G/streams";
                for stream in std::fs::read_dir(older.join(streams)).unwrap() {
                    let name = stream.unwrap().file_name();
                    let [now, then] =
                        [store, older].map(|store| store.join(streams).join(&name).join("msgs"));
                    if now.exists() && then.exists() {
                        std::fs::remove_dir_all(&now).unwrap();
                        copy(&then, &now);
                    }
                }
            }
        }
    }
}

/// Who is killed.
#[derive(Clone, Copy)]
enum Victim {
    Worker,
    Coordinator,
    Server,
}

impl Chance {
    /// Who is killed, one after the other: everybody at least once. A worker is first, so that the server has
    /// gone on since its older copy when its own turn comes.
    fn victims(&mut self, kills: usize) -> Vec<Victim> {
        use Victim::{Coordinator, Server, Worker};
        let mut victims = vec![Worker, Coordinator, Server];
        victims.resize_with(kills, || {
            [Worker, Worker, Coordinator, Server, Server][self.below(5) as usize]
        });
        for place in 1..kills {
            let other = place as u64 + self.below((kills - place) as u64);
            victims.swap(place, other as usize);
        }
        victims
    }
}

/// Holds a contest while so many are killed by chance, for as many rounds as that takes. The results must be
/// those of one machine.
fn survives(seed: u64, contest: &Contest, storage: Storage, kills: usize) {
    let mut rounds = contest.rounds;
    while let Some(lab) = Lab::open() {
        if survives_rounds(lab, seed, contest, rounds, storage, kills) {
            break;
        }
        rounds *= 2;
    }
}

/// The same with so many rounds. Tells whether these were enough for all kills.
fn survives_rounds(
    mut lab: Lab,
    seed: u64,
    contest: &Contest,
    rounds: u64,
    storage: Storage,
    kills: usize,
) -> bool {
    let mut chance = Chance(seed);
    let c = lab.file("c/bot.c", PROGRAM);
    let python = lab.file("python/bot.py", IN_PYTHON);
    let named = [format!("c={c}"), format!("python={python}")];
    let mut words = vec!["tournament"];
    words.extend(contest.words.iter().map(|&word| match word {
        "C" => named[0].as_str(),
        "PYTHON" => named[1].as_str(),
        word => word,
    }));
    let (rounds, number) = (rounds.to_string(), seed.to_string());
    words.extend(["--rounds", &rounds, "--seed", &number, "--quiet"]);
    lab.do_it(&[&words[..], &["--out", "one"]].concat());
    let url = lab.url();
    words.extend(["--out", "many", "--nats", &url]);
    let names = ["ann", "bob"];
    let mut workers: Vec<Running> = names.iter().map(|name| lab.worker(name)).collect();
    let mut coordinator = lab.start(&words, "coordinator");
    let older = lab.path("older");
    let mut victims = chance.victims(kills).into_iter();
    let begun = Instant::now();
    loop {
        sleep(Duration::from_millis(200 + chance.below(800)));
        if coordinator.is_over() {
            if coordinator.0.wait().unwrap().code() == Some(0) {
                break;
            }
            coordinator = lab.start(&words, "coordinator");
        }
        let said = lab.said("coordinator");
        assert!(
            begun.elapsed() < Duration::from_secs(300),
            "it does not end: {said}"
        );
        let results = "server/jetstream/$G/streams/CROUPIER_RESULTS/msgs";
        if !older.exists() {
            // The older copy is one of a server that has something to lose.
            if lab.path(results).exists() {
                lab.while_the_server_stands_still(|store| copy(store, &older));
            }
            continue;
        }
        match victims.next() {
            None => {}
            Some(Victim::Worker) => {
                let which = chance.below(2) as usize;
                workers[which].kill();
                workers[which] = lab.worker(names[which]);
            }
            Some(Victim::Coordinator) => {
                coordinator.kill();
                coordinator = lab.start(&words, "coordinator");
            }
            Some(Victim::Server) => lab.restart_server(|store| storage.change(store, &older)),
        }
    }
    assert_eq!(
        lab.results("many"),
        lab.results("one"),
        "seed {seed}, {storage:?}"
    );
    victims.len() == 0
}

/// A contest, and the rounds that are tried first.
struct Contest {
    words: &'static [&'static str],
    rounds: u64,
}

const BUILT_IN: Contest = Contest {
    words: &[
        "intensity",
        "careful",
        "expert:iterations=60",
        "random",
        "a=careful",
    ],
    rounds: 60,
};
const PROGRAMS: Contest = Contest {
    words: &["intensity", "C", "PYTHON", "careful", "random"],
    rounds: 25,
};

const STORAGES: [Storage; 4] = [
    Storage::Kept,
    Storage::Wiped,
    Storage::RolledBack,
    Storage::MessagesRolledBack,
];

#[test]
fn kills_and_a_wiped_server_lose_nothing() {
    survives(1, &PROGRAMS, Storage::Kept, 4);
    survives(2, &BUILT_IN, Storage::Wiped, 4);
}

#[test]
fn an_older_copy_of_the_server_loses_nothing() {
    survives(3, &PROGRAMS, Storage::RolledBack, 4);
    survives(4, &BUILT_IN, Storage::MessagesRolledBack, 4);
}

/// Takes several minutes: `cargo test -p croupier --test cluster -- --ignored twenty`.
#[test]
#[ignore = "takes several minutes"]
fn twenty_runs_lose_nothing() {
    for seed in 0..20 {
        let begun = Instant::now();
        let contest = if seed % 2 == 0 { &PROGRAMS } else { &BUILT_IN };
        let storage = STORAGES[seed as usize / 2 % 4];
        survives(100 + seed, contest, storage, 8);
        eprintln!(
            "run {seed}, {storage:?}: {:.0} s",
            begun.elapsed().as_secs_f64()
        );
    }
}

/// Whoever needs the room may empty the cache of a worker: no program is blamed for that.
#[test]
fn a_cache_that_is_emptied_costs_no_program_anything() {
    for sandbox in ["strict", "limits"] {
        let Some(lab) = Lab::open() else { return };
        // Two milliseconds a decision, so that it is emptied while they play.
        let slow = PROGRAM.replace(
            "int main(void) {",
            "#include <unistd.h>\nint main(void) { usleep(2000);",
        );
        let c = format!("c={}", lab.file("c/bot.c", &slow));
        let python = format!("python={}", lab.file("python/bot.py", IN_PYTHON));
        let players = ["tournament", "intensity", &c, &python, "careful", "random"];
        let rest = [
            "--rounds",
            "30",
            "--seed",
            "5",
            "--quiet",
            "--sandbox",
            sandbox,
        ];
        let contest = [&players[..], &rest].concat();
        lab.do_it(&[&contest[..], &["--out", "one"]].concat());
        let url = lab.url();
        let many = [&contest[..], &["--out", "many", "--nats", &url]].concat();
        let coordinator = lab.start(&many, "coordinator");
        let ann = lab.worker_with("ann", &["--sandbox", sandbox]);
        let begun = Instant::now();
        // The report is written after the first blocks.
        while !lab.path("many/report.json").exists() {
            assert!(
                begun.elapsed() < Duration::from_secs(120),
                "nothing is played"
            );
            sleep(Duration::from_millis(10));
        }
        for cache in ["cache-ann", "cache/croupier"] {
            std::fs::remove_dir_all(lab.path(cache)).unwrap();
        }
        let ended = coordinator.end();
        let said = lab.said("coordinator") + &lab.said("ann");
        assert_eq!(ended.status.code(), Some(0), "{said}");
        assert_eq!(lab.results("many"), lab.results("one"), "{sandbox}: {said}");
        drop(ann);
    }
}
