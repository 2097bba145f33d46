//! What a contest finds, and on what that does not depend.

use std::fs;

use crate::hall::{Hall, standing};

/// The order in which players are named, and the number of threads, change nothing.
#[test]
fn neither_the_order_of_naming_nor_threads_change_a_result() {
    let hall = Hall::new();
    for (game, players) in [
        (
            "intensity",
            [
                "careful",
                "random",
                "b=careful",
                "c=random",
                "d=random",
                "e=random",
            ],
        ),
        (
            "friday13",
            [
                "majority",
                "optimal",
                "smallest",
                "drop-biggest",
                "random",
                "b=random",
            ],
        ),
        (
            "uno",
            [
                "careful",
                "naive",
                "random",
                "b=naive",
                "c=careful",
                "d=random",
            ],
        ),
        (
            "austerity",
            ["shenzi", "banzai", "ed", "random", "b=ed", "c=shenzi"],
        ),
    ] {
        for format in ["round-robin", "swiss", "gauntlet"] {
            let hold = |players: &[&str], threads: &str| {
                let contest = [
                    "tournament",
                    game,
                    "--format",
                    format,
                    "--rounds",
                    "3",
                    "--seed",
                    "8",
                    "--threads",
                    threads,
                ];
                hall.found(&[&contest[..], players].concat())
            };
            let before = hold(&players, "1");
            let mut turned = players;
            turned.reverse();
            let after = hold(&turned, "3");
            assert_eq!(before, after, "{game} {format}");
        }
    }
}

/// Who sits beside whom is drawn anew for every deal. If it were not, equal players would be half a
/// point apart here; so they are by more than 0.08 with a probability below 10^-4.
#[test]
fn equal_players_are_equal_whoever_they_sit_beside() {
    let hall = Hall::new();
    let players = ["careful", "b=careful", "random", "c=random", "d=random"];
    let contest = ["tournament", "intensity", "--rounds", "500", "--seed", "6"];
    let report = hall.found(&[&contest[..], &players].concat());
    let points = |name: &str| standing(&report, name)["mean_points"].as_f64().unwrap();
    for (one, other) in [("careful", "b"), ("random", "c"), ("random", "d")] {
        let apart = points(one) - points(other);
        assert!(apart.abs() < 0.08, "{one} and {other}: {apart}");
    }
}

#[test]
fn who_crashes_in_every_game_costs_itself_and_nobody_else() {
    let hall = Hall::new();
    let crashes = hall.spoiled("crashes.c", "abort();");
    let report = hall.found(&[
        "tournament",
        "intensity",
        &crashes,
        "careful",
        "random",
        "b=random",
        "--rounds",
        "3",
        "--seed",
        "5",
        "--sandbox",
        "limits",
        "--out",
        "results",
    ]);
    for name in ["careful", "random", "b"] {
        assert_eq!(standing(&report, name)["faults"], 0, "{name}");
    }
    let faults = standing(&report, "crashes")["faults"].as_u64().unwrap();
    assert!(faults >= 12 * 10, "{faults}");
    assert_eq!(report["standings"][3]["name"], "crashes");
    // Each foul costs five points, and nobody else has any of them: 17 a game are in the cards.
    let scores: i64 = report["standings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|line| line["score"].as_i64().unwrap())
        .sum();
    assert_eq!(scores, 12 * 17 + 5 * faults as i64);

    // The report gives the command that repeats one of them.
    let id = report["faults"][0]["id"].as_str().unwrap();
    let output = hall.run(&["repro", "results", id]);
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.contains("crashes at intensity"), "{said}");
    assert!(said.contains("It was killed by signal 6."), "{said}");
    // The game in which it happened can be told again.
    let (game, _) = id.rsplit_once('-').unwrap();
    let output = hall.run(&["replay", &format!("results/{game}")]);
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(
        said.contains("crashes fouls: it was killed by signal 6"),
        "{said}"
    );
    for nothing in ["123456789abc-1", "-1"] {
        let said = hall.refused(&["replay", &format!("results/{nothing}")]);
        assert!(said.contains("keeps no record of a game"), "{said}");
    }
    assert!(
        hall.refused(&["repro", "results", "1-1"])
            .contains("there is no fault '1-1'")
    );
    let page = fs::read_to_string(hall.path("results/report.html")).unwrap();
    assert!(
        page.contains(&format!("croupier repro results {id}")),
        "{page}"
    );
}

/// What is shown before the first game is the SHA-256 of the seed that is shown after the last.
#[test]
fn the_seed_is_sealed_before_the_first_game() {
    let hall = Hall::new();
    let output = hall.run(&[
        "tournament",
        "uno",
        "random",
        "random",
        "random",
        "random",
        "--seed",
        "42",
        "--rounds",
        "2",
    ]);
    insta::assert_snapshot!("uno-tournament", String::from_utf8(output.stdout).unwrap());
}
