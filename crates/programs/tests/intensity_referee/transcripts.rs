//! Whole games of programs that do nothing wrong.

use crate::bench::{Bench, fouls, plays_low};

fn shelly() -> Bench {
    let bench = Bench::new();
    bench.program("shelly", &plays_low("Shelly", ""));
    bench
}

#[test]
fn a_whole_game_of_a_program_and_three_system_players() {
    insta::assert_snapshot!(shelly().game(&["shelly"]));
}

#[test]
fn the_same_seed_is_the_same_game_and_another_one_is_not() {
    let bench = shelly();
    let game = |seed| bench.run(&["shelly", "--seed", seed], "").stdout;
    assert_eq!(game("11"), game("11"));
    assert_ne!(game("11"), game("12"));
}

#[test]
fn a_seed_that_was_drawn_is_told_beside_the_game() {
    let bench = shelly();
    let told = bench.run(&["shelly"], "");
    assert_eq!(told.status, Some(0));
    let words: Vec<&str> = told.stderr.split(' ').collect();
    let [
        "intensity_referee:",
        "--seed",
        seed,
        "deals",
        "this",
        "game",
        "again\n",
    ] = words[..]
    else {
        panic!("{}", told.stderr);
    };
    assert_eq!(
        bench.run(&["shelly", "--seed", seed], "").stdout,
        told.stdout
    );
}

#[test]
fn the_seed_fixes_the_seats() {
    let bench = shelly();
    let mut seats: Vec<String> = (1..=20)
        .map(|seed| {
            let told = bench.run(&["shelly", "--seed", &seed.to_string()], "");
            let line = told.stdout.lines().find(|line| line.contains(": Shelly"));
            line.unwrap().split(": ").next().unwrap().to_owned()
        })
        .collect();
    seats.sort();
    seats.dedup();
    let everywhere = [0, 1, 2, 3].map(|seat| format!("Table position {seat}"));
    assert_eq!(seats, everywhere);
}

#[test]
fn quiet_leaves_out_the_deal_and_the_hands() {
    let bench = shelly();
    let quiet = bench.game(&["shelly", "--quiet"]);
    insta::assert_snapshot!(quiet);
    let whole = bench.game(&["shelly"]);
    let after_the_deal = whole.split_once("\n\n").unwrap().1;
    for (quiet, whole) in quiet.lines().zip(after_the_deal.lines()) {
        let bare = match (whole.find(" holding ["), whole.find("] plays")) {
            (Some(from), Some(to)) => format!("{}{}", &whole[..from], &whole[to + 1..]),
            _ => whole.to_owned(),
        };
        assert_eq!(quiet, bare);
    }
    assert_eq!(quiet.lines().count(), after_the_deal.lines().count());
}

#[test]
fn the_summary_is_positions_names_and_points_and_nothing_else() {
    let bench = shelly();
    let summary = bench.game(&["shelly", "--print-summary"]);
    assert_eq!(
        summary,
        "1\tShelly\t0\n1\tLulu\t0\n3\tMorgan\t3\n4\tAmy\t14\n"
    );
    let whole = bench.game(&["shelly"]);
    let positions = whole.split_once("Finishing Positions\n").unwrap().1;
    let as_summary: String = positions
        .lines()
        .map(|line| {
            let line = line.strip_prefix('#').unwrap();
            let (place, rest) = line.split_once(" with ").unwrap();
            let (points, name) = rest.split_once(" penalty points ").unwrap();
            format!("{place}\t{name}\t{points}\n")
        })
        .collect();
    assert_eq!(summary, as_summary);
}

#[test]
fn empty_chairs_are_taken_in_the_order_lulu_morgan_amy_rat() {
    let bench = shelly();
    let seated = |programs: &[&str]| {
        let told = bench.run(&[programs, &["--print-summary"]].concat(), "");
        crate::bench::names(&told.stdout).join(" ")
    };
    assert_eq!(seated(&["shelly"]), "Amy Lulu Morgan Shelly");
    assert_eq!(seated(&["shelly"; 2]), "Lulu Morgan Shelly Shelly0");
    assert_eq!(seated(&["shelly"; 3]), "Lulu Shelly Shelly0 Shelly1");
    assert_eq!(seated(&["shelly"; 4]), "Shelly Shelly0 Shelly1 Shelly2");
}

#[test]
fn seventeen_points_are_made_and_fouls_cost_five() {
    let bench = shelly();
    bench.program("lost", "#!/bin/sh\n");
    let total = |program| -> i64 {
        let summary = bench.game(&[program, "--print-summary"]);
        let points = summary.lines().map(|line| line.rsplit('\t').next());
        points
            .map(|points| points.unwrap().parse::<i64>().unwrap())
            .sum()
    };
    assert_eq!(total("shelly"), 17);
    assert_eq!(total("lost"), 17 + 11 * 5);
}

#[test]
fn a_prompt_before_the_answer_does_no_harm() {
    let bench = Bench::new();
    let prompt = "[ $1 = 0 ] || printf 'Your card (10 to 49)? '";
    bench.program("prompter", &plays_low("Prompter", prompt));
    assert_eq!(fouls(&bench.game(&["prompter"])), "");
}

#[test]
fn a_hundred_numbers_before_the_answer_do_no_harm() {
    let bench = Bench::new();
    let hundred = "[ $1 = 0 ] || seq 0 99";
    bench.program("chatty", &plays_low("Chatty", hundred));
    assert_eq!(fouls(&bench.game(&["chatty"])), "");
}

#[test]
fn an_answer_stands_whatever_becomes_of_the_program() {
    let bench = Bench::new();
    let dies_later = "trap '[ $question = 0 ] || kill -SEGV $$' EXIT; question=$1";
    bench.program("dying", &plays_low("Dying", dies_later));
    assert_eq!(fouls(&bench.game(&["dying"])), "");
}

#[test]
fn a_reader_who_has_seen_enough_is_no_error() {
    let bench = shelly();
    let script = format!(
        "{} shelly --seed 7 | head -n 1; exit ${{PIPESTATUS[0]}}",
        env!("CARGO_BIN_EXE_intensity_referee")
    );
    let output = std::process::Command::new("bash")
        .args(["-c", &script])
        .current_dir(bench.path())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(output.stdout, b"Deal:\n");
    assert_eq!(output.stderr, b"");
}
