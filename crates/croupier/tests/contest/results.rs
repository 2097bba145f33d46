//! What a contest finds, and on what that does not depend.

use std::fs;

use serde_json::Value;

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

fn names(report: &Value) -> Vec<&str> {
    let standings = report["standings"].as_array().unwrap().iter();
    standings
        .map(|line| line["name"].as_str().unwrap())
        .collect()
}

/// Whether what counts falls (or rises) from line to line.
fn is_sorted_by(report: &Value, what: &str, falls: bool) -> bool {
    let standings = report["standings"].as_array().unwrap().iter();
    let values: Vec<f64> = standings.map(|line| line[what].as_f64().unwrap()).collect();
    values.is_sorted_by(|a, b| if falls { a >= b } else { a <= b })
}

/// After two rounds of equal players points and scores disagree at this seed, so it shows which of
/// them counts.
#[test]
fn uno_ranks_by_score_and_the_others_by_points_unless_somebody_says_otherwise() {
    let hall = Hall::new();
    let held = |game: &str, more: &[&str]| {
        let contest = [
            "tournament",
            game,
            "random",
            "b=random",
            "c=random",
            "d=random",
        ];
        hall.found(&[&contest[..], &["--rounds", "2", "--seed", "42"], more].concat())
    };
    let (uno, by_points) = (held("uno", &[]), held("uno", &["--rank-by", "points"]));
    assert_eq!(uno["rank_by"], "score");
    assert!(is_sorted_by(&uno, "mean_score", true));
    assert!(is_sorted_by(&by_points, "mean_points", true));
    assert_ne!(names(&uno), names(&by_points));

    // Fewer penalty points are better.
    let intensity = held("intensity", &[]);
    assert_eq!(intensity["rank_by"], "points");
    assert!(is_sorted_by(&intensity, "mean_points", true));
    let by_score = held("intensity", &["--rank-by", "score"]);
    assert!(is_sorted_by(&by_score, "mean_score", false));

    let said = hall.refused(&["tournament", "uno", "random", "--rank-by", "luck"]);
    assert!(
        said.contains("'luck' is nothing to rank by: points or score"),
        "{said}"
    );
}

fn held<'a>(format: &'a str, rounds: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let players = ["random", "b=random", "c=random", "d=random"];
    let contest = ["tournament", "uno", "--format", format, "--out", format];
    let chance = ["--rounds", rounds, "--seed", "42"];
    [&contest[..], &chance, &players, more].concat()
}

#[test]
fn a_folder_goes_on_with_what_it_was_ranked_by() {
    let hall = Hall::new();
    let by_points = hall.found(&held("round-robin", "2", &["--rank-by", "points"]));
    assert_eq!(by_points["rank_by"], "points");
    let more = hall.found(&held("round-robin", "3", &[]));
    assert_eq!(more["rank_by"], "points");
    let resumed = hall.found(&["tournament", "--resume", "round-robin"]);
    assert_eq!(resumed["rank_by"], "points");
    // Its games do not depend on it, so it can be ranked anew.
    let anew = hall.found(&held("round-robin", "3", &["--rank-by", "score"]));
    assert_eq!(anew["rank_by"], "score");
    assert!(is_sorted_by(&anew, "mean_score", true));
    // In a Swiss contest it says who meets whom.
    hall.found(&held("swiss", "2", &["--rank-by", "points"]));
    let said = hall.refused(&held("swiss", "2", &["--rank-by", "score"]));
    assert!(
        said.contains("rank_by is \"points\", not \"score\""),
        "{said}"
    );
}
