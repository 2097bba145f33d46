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
    // A picture of the game, with the style that it is drawn in, and nothing from elsewhere.
    assert!(page.contains("<svg class=\"picture\""), "{page}");
    assert!(page.contains("\n.t-red { --tone"), "{page}");
    for elsewhere in ["src=", "url(", "@import", "<link"] {
        assert!(!page.contains(elsewhere), "{elsewhere}");
    }
}

/// Three times late in a row, and it is not asked again in that block; after two such blocks it is
/// suspended. What it costs in the game is the same.
#[test]
fn who_hangs_is_not_waited_for_again_and_again() {
    let hall = Hall::new();
    let notes = hall.path("runs");
    let hangs = format!(
        "FILE *notes = fopen({notes:?}, \"a\"); fputc('x', notes); fclose(notes); for (;;);"
    );
    let hangs = hall.spoiled("hangs.c", &hangs);
    let contest = |more: &[&str]| {
        let _ = fs::remove_file(&notes);
        let contest = [
            "tournament",
            "intensity",
            &hangs,
            "careful",
            "random",
            "b=random",
        ];
        let limits = ["--time-limit", "1s", "--sandbox", "none", "--threads", "2"];
        let report = hall.found(
            &[
                &contest,
                &limits[..],
                &["--rounds", "4", "--seed", "5"],
                more,
            ]
            .concat(),
        );
        let line = standing(&report, "hangs").clone();
        (fs::metadata(&notes).unwrap().len(), report, line)
    };
    let name = 1;
    let (runs, report, line) = contest(&["--suspend-after", "never"]);
    assert_eq!(runs, name + 4 * 3);
    assert_eq!(line["faults"], 4 * 4 * 11);
    assert_eq!(line["remark"], serde_json::Value::Null);
    let (runs, suspended, line) = contest(&["--suspend-after", "80"]);
    assert!((name + 2 * 3..=name + 4 * 3).contains(&runs), "{runs}");
    assert_eq!(line["remark"], "suspended after 8 games");
    assert_eq!(line["faults"], 4 * 4 * 11);
    let points = |report: &serde_json::Value| {
        let lines = report["standings"].as_array().unwrap().iter();
        let line = |line: &serde_json::Value| {
            (
                line["name"].clone(),
                line["points"].clone(),
                line["rating"].clone(),
            )
        };
        lines.map(line).collect::<Vec<_>>()
    };
    assert_eq!(points(&suspended), points(&report));
    // Kept are the decisions for which it was asked, however many there were for which it was not.
    let kept = |report: &serde_json::Value| report["faults"][0]["kept"].as_u64().unwrap();
    assert_eq!((kept(&report), kept(&suspended)), (4 * 3, 2 * 3));
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
    assert!(said.contains("rank_by is points, not score"), "{said}");
}

/// Who fouls in every game is far below all others, and would push the mean of all down.
#[test]
fn an_anchor_holds_the_ratings_whoever_else_takes_part() {
    let hall = Hall::new();
    let wrong = "wrong=".to_owned() + &hall.spoiled("wrong.c", "puts(\"99\"); return 0;");
    let held = |more: &[&str]| {
        let players = ["careful", "random", "b=random", &wrong];
        let contest = ["tournament", "intensity", "--rounds", "6", "--seed", "5"];
        hall.found(&[&contest[..], &players, more].concat())
    };
    let rating = |report: &Value, name: &str| standing(report, name)["rating"].as_f64().unwrap();
    let free = held(&[]);
    assert_eq!(
        free["scale"],
        "A rating of 1500 is the mean of all players."
    );
    let mean: f64 = ["careful", "random", "b", "wrong"]
        .iter()
        .map(|name| rating(&free, name) / 4.0)
        .sum();
    assert!((mean - 1500.0).abs() < 0.1, "{mean}");
    assert!(rating(&free, "random") > 1550.0, "{free}");

    let anchored = held(&["--anchor", "random=1200"]);
    assert_eq!(anchored["scale"], "Ratings are anchored: random has 1200.");
    assert_eq!(standing(&anchored, "random")["rating_ci95"][0], 1200.0);
    assert_eq!(rating(&anchored, "random"), 1200.0);
    let apart = |report: &Value| rating(report, "careful") - rating(report, "random");
    assert!((apart(&free) - apart(&anchored)).abs() < 0.2);

    // In a gauntlet the staff holds them.
    let gauntlet = held(&["--format", "gauntlet"]);
    assert_eq!(
        gauntlet["scale"],
        "A rating of 1500 is the mean of the staff."
    );
    let staff = gauntlet["staff"].as_array().unwrap().iter();
    let staff: Vec<f64> = staff.map(|line| line["rating"].as_f64().unwrap()).collect();
    let mean = staff.iter().sum::<f64>() / staff.len() as f64;
    assert!((mean - 1500.0).abs() < 0.1, "{mean}");

    for (anchor, said) in [
        (
            "nobody=1500",
            "the ratings cannot be anchored to 'nobody', who does not take part",
        ),
        ("careful", "'careful' is no anchor: a name and a rating"),
    ] {
        let contest = [
            "tournament",
            "intensity",
            "careful",
            "random",
            "random",
            "random",
        ];
        let refused = hall.refused(&[&contest[..], &["--anchor", anchor]].concat());
        assert!(refused.contains(said), "{refused}");
    }
}

/// Two runs of one contest leave the same files but for what belongs to the run.
#[test]
fn what_belongs_to_a_run_stands_apart_from_the_result() {
    let hall = Hall::new();
    let sound = "sound=".to_owned() + &hall.spoiled("sound.c", "");
    let wrong = "wrong=".to_owned() + &hall.spoiled("wrong.c", "puts(\"99\"); return 0;");
    let held = |folder: &str| {
        let contest = [
            "tournament",
            "intensity",
            &sound,
            &wrong,
            "careful",
            "random",
        ];
        let options = ["--rounds", "3", "--seed", "8", "--out", folder];
        let report = hall.run(&[&contest[..], &options, &["--json"]].concat());
        let report: Value = serde_json::from_slice(&report.stdout).unwrap();
        let read = |name: &str| fs::read_to_string(hall.path(folder).join(name)).unwrap();
        let page = read("report.html").replace(folder, "");
        let (result, run) = page.split_once("<h2>This run</h2>").unwrap();
        let mut kept: Value = serde_json::from_str(&read("report.json")).unwrap();
        let of_run = kept.as_object_mut().unwrap().shift_remove("run").unwrap();
        let kept = kept.to_string().replace(folder, "");
        let files = [
            result.to_owned(),
            kept,
            read("standings.csv"),
            read("pairs.csv"),
        ];
        (report, files, run.to_owned(), of_run)
    };
    let (report, first, page, run) = held("folder-a");
    let (_, second, ..) = held("folder-b");
    assert!(first == second, "{first:#?}\n{second:#?}");

    // What the command line's contract names stands where it says.
    assert_eq!(report["seconds"], report["run"]["seconds"]);
    assert!(report["decisions_per_second"].as_f64().unwrap() > 0.0);
    let date = run["date"].as_str().unwrap();
    assert!(
        date.len() == 20 && date.starts_with("20") && date.ends_with('Z'),
        "{date}"
    );
    // Twelve games of eleven decisions: of the programs, and of nobody else.
    let times = run["decision_times"].as_array().unwrap();
    let names: Vec<&str> = times
        .iter()
        .map(|own| own["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["sound", "wrong"]);
    for own in times {
        assert_eq!(own["decisions"], 12 * 11);
        let [median, slowest] = ["median_ms", "slowest_ms"].map(|what| own[what].as_f64().unwrap());
        assert!(0.0 < median && median <= slowest, "{own}");
    }
    assert!(page.contains("<th>Median time<th>Slowest"), "{page}");

    // Going on changes nothing: no game is played, and the times of before are still known.
    let again = hall.run(&["tournament", "--resume", "folder-a", "--json"]);
    let again: Value = serde_json::from_slice(&again.stdout).unwrap();
    assert_eq!(again["run"]["decisions"], 0);
    assert_eq!(again["run"]["decision_times"], run["decision_times"]);
}

#[test]
fn the_page_of_a_gauntlet_tells_how_everybody_did_against_the_staff() {
    let hall = Hall::new();
    let wrong = "wrong=".to_owned() + &hall.spoiled("wrong.c", "puts(\"99\"); return 0;");
    let contest = ["tournament", "intensity", "careful", "random", &wrong];
    let options = [
        "--format", "gauntlet", "--rounds", "3", "--seed", "8", "--out", "results",
    ];
    let report = hall.found(&[&contest[..], &options].concat());
    let page = fs::read_to_string(hall.path("results/report.html")).unwrap();
    let (_, matrix) = page.split_once("<h2>Pair by pair</h2>").unwrap();
    let (matrix, rest) = matrix.split_once("</table>").unwrap();
    // Two players and the offender against three of the staff, and nobody against themselves.
    assert_eq!(matrix.matches("--share").count(), 9, "{matrix}");
    assert!(matrix.contains("<th>careful (house)"), "{matrix}");
    assert!(!matrix.contains("<td>"), "no cell is empty: {matrix}");

    // All faults are counted, and those that are kept to be repeated are told apart from them.
    let faults = standing(&report, "wrong")["faults"].as_u64().unwrap();
    assert_eq!(faults, 12 * 11);
    let kept = report["faults"].as_array().unwrap().iter();
    assert_eq!(
        kept.map(|line| line["kept"].as_u64().unwrap()).sum::<u64>(),
        30
    );
    let told = "132 faults, 30 of them kept to be repeated (the first 10 of a block).";
    assert!(rest.contains(told), "{rest}");
    // Limits in words.
    let told = "30s a decision, 5s to start; 1m of processor time";
    assert!(rest.contains(told), "{rest}");
    assert!(rest.contains("512M in 16 processes"), "{rest}");
    assert!(!rest.contains("nanos"), "{rest}");
    // The offender was last in every game.
    assert_eq!(
        standing(&report, "wrong")["places"],
        serde_json::json!([0, 0, 0, 12])
    );
}

/// Between one good player and three equal ones, at a seed at which it shows.
#[test]
fn the_table_tells_who_cannot_be_told_apart() {
    let hall = Hall::new();
    let contest = [
        "tournament",
        "intensity",
        "careful",
        "random",
        "b=random",
        "c=random",
    ];
    let options = ["--rounds", "30", "--seed", "8", "--out", "results"];
    let report = hall.found(&[&contest[..], &options].concat());
    let groups = report["standings"].as_array().unwrap().iter();
    let groups: Vec<&str> = groups.map(|line| line["group"].as_str().unwrap()).collect();
    assert_eq!(groups, ["1", "2-4", "2-4", "2-4"]);
    for line in report["standings"].as_array().unwrap() {
        for [mean, interval] in [
            ["mean_points", "mean_points_ci95"],
            ["mean_score", "mean_score_ci95"],
        ] {
            let mean = line[mean].as_f64().unwrap();
            let [low, high] = [0, 1].map(|end| line[interval][end].as_f64().unwrap());
            assert!(low < mean && mean < high, "{line}");
        }
    }
    let table = fs::read_to_string(hall.path("results/standings.csv")).unwrap();
    let (head, lines) = table.split_once('\n').unwrap();
    let columns: Vec<&str> = head.split(',').collect();
    for line in lines.lines() {
        assert_eq!(line.split(',').count(), columns.len(), "{line}");
    }
    let column = |name: &str| columns.iter().position(|column| *column == name).unwrap();
    let second: Vec<&str> = lines.lines().nth(1).unwrap().split(',').collect();
    assert_eq!(
        [second[column("group_first")], second[column("group_last")]],
        ["2", "4"]
    );
}
