//! Whole games of programs that do nothing wrong.

use std::collections::BTreeMap;

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

/// Plays a transcript after, by the rules of the handout alone, and returns the points it should
/// end with.
fn played_after(told: &str) -> BTreeMap<String, u32> {
    let mut points: BTreeMap<String, u32> = BTreeMap::new();
    let mut round: Vec<(String, u32)> = Vec::new();
    let mut leader = None;
    let mut calf_played = false;
    for line in told.lines() {
        if line.starts_with("Table position 0: ") {
            let name = line.split(": ").nth(1).unwrap();
            leader = Some(name.trim_end().to_owned());
        } else if let Some((before, card)) = line.split_once("] plays the ") {
            let (name, hand) = before.split_once(" holding [").unwrap();
            let name = name.split_once(": ").unwrap().1.to_owned();
            let hand: Vec<u32> = hand.split(", ").map(|card| card.parse().unwrap()).collect();
            let card: u32 = card.parse().unwrap();
            assert!(hand.contains(&card), "{line}");
            match round.first() {
                Some((_, lead)) => {
                    let follows = |card: &u32| card / 10 == lead / 10;
                    assert!(follows(&card) || !hand.iter().any(follows), "{line}");
                }
                None => {
                    assert_eq!(Some(&name), leader.as_ref(), "{line}");
                    let only_calves = hand.iter().all(|card| card / 10 == 3);
                    assert!(card / 10 != 3 || calf_played || only_calves, "{line}");
                }
            }
            round.push((name, card));
        } else if let Some((winner, contents)) = line.split_once(" wins the round") {
            assert_eq!(round.len(), 4, "{line}");
            let suit = round[0].1 / 10;
            let of_suit = round.iter().filter(|(_, card)| card / 10 == suit);
            let (best, _) = of_suit.max_by_key(|(_, card)| card).unwrap();
            assert_eq!(winner, best);
            let worth = |card: u32| match card {
                30..=39 => 1,
                47 => 7,
                _ => 0,
            };
            let worth: u32 = round.iter().map(|(_, card)| worth(*card)).sum();
            let expected = match worth {
                0 => String::new(),
                worth => format!(" which contains {worth} penalty points"),
            };
            assert_eq!(contents, expected);
            calf_played |= round.iter().any(|(_, card)| card / 10 == 3);
            *points.entry(winner.to_owned()).or_default() += worth;
            leader = Some(winner.to_owned());
            round.clear();
        } else if let Some(foul) = line.strip_prefix("Foul by ") {
            let name = foul.split_once(" (").unwrap().0;
            *points.entry(name.to_owned()).or_default() += 5;
        }
    }
    points
}

#[test]
fn what_is_told_is_a_game_by_the_rules_and_ends_with_its_points() {
    let bench = shelly();
    let fouls_now_and_then = "[ $1 = 2 ] && [ $(($2 % 3)) = 0 ] && shift 4 && echo $1 && exit";
    bench.program("hasty", &plays_low("Hasty", fouls_now_and_then));
    let mut fouled = 0;
    for seed in 1..=15 {
        let told = bench.run(&["shelly", "hasty", "--seed", &seed.to_string()], "");
        fouled += fouls(&told.stdout).lines().count();
        let expected = played_after(&told.stdout);
        let (_, standings) = told.stdout.split_once("Finishing Positions\n").unwrap();
        assert_eq!(standings.lines().count(), 4);
        for line in standings.lines() {
            let (points, name) = line
                .split_once(" with ")
                .and_then(|(_, rest)| rest.split_once(" penalty points "))
                .unwrap();
            let expected = expected.get(name).copied().unwrap_or_default();
            assert_eq!(points, expected.to_string(), "seed {seed}: {name}");
        }
    }
    assert!(fouled > 5, "some of the games have fouls: {fouled}");
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
