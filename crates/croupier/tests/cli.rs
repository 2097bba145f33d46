//! `croupier` as its users run it.

#![expect(clippy::unwrap_used, reason = "a test may fail by panicking")]

use std::fs;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use serde_json::Value;

fn croupier(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_croupier"))
        .args(arguments)
        .output()
        .unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn printed(arguments: &[&str]) -> String {
    let output = croupier(arguments);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(stderr(&output), "", "{arguments:?}");
    stdout(&output)
}

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&printed(arguments)).unwrap()
}

/// One line on the standard error, nothing on the standard output, status 2.
fn refused(arguments: &[&str]) -> String {
    let output = croupier(arguments);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    assert_eq!(stdout(&output), "", "{arguments:?}");
    let said = stderr(&output);
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(said.starts_with("croupier: "), "{said}");
    said
}

#[test]
fn memory_in_which_no_program_starts_is_refused() {
    for size in ["512", "4K", "1023K"] {
        let said = refused(&["match", "uno", "random", "--memory-limit", size]);
        assert!(
            said.contains("no program starts with less than 1M"),
            "{said}"
        );
    }
}

#[test]
fn a_name_that_is_nobodys_is_told_as_such() {
    let said = refused(&["check", "intensity", "nothing"]);
    assert!(
        said.contains("'nothing'") && said.contains("./nothing"),
        "{said}"
    );
    assert!(!said.contains("is a built-in player"), "{said}");
    let said = refused(&["check", "intensity", "careful"]);
    assert!(said.contains("'careful' is a built-in player"), "{said}");
}

#[test]
fn a_table_of_the_wrong_size_is_told_how_to_get_a_right_one() {
    let four = ["shenzi"; 4];
    let arguments = [&["match", "austerity"], &four[..], &["--players", "3"]].concat();
    assert_eq!(
        refused(&arguments),
        "croupier: a table of Austerity seats 3 players, not 4; \
         --players 4 makes a table for that many\n"
    );
    let five = ["random"; 5];
    assert_eq!(
        refused(&[&["match", "intensity"], &five[..]].concat()),
        "croupier: a table of Intensity seats 4 players, not 5; there are no more seats\n"
    );
    assert_eq!(
        refused(&["tournament", "uno", "random", "careful"]),
        "croupier: a table of Uno seats 4 players, not 2; it needs that many\n"
    );
}

/// An editor on another system may have done this to a deck.
#[test]
fn a_deck_that_was_saved_elsewhere_is_told_what_is_wrong_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let deck = folder.path().join("deck");
    let deck_text = deck.to_str().unwrap();
    for (text, reason) in [
        (&b""[..], "line 1 of the deck: the file is empty"),
        (
            b"B:1:1,0,0,0\r\n",
            "line 1 of the deck: it ends in CR LF, as on Windows",
        ),
        (
            b"\xef\xbb\xbfB:1:1,0,0,0\n",
            "line 1 of the deck: the file begins with a byte order mark",
        ),
        (
            b"\xff\xfeB\0:\0",
            "the file is written in UTF-16; save it as UTF-8",
        ),
        (b"B:1\xff", "it is not written in UTF-8"),
    ] {
        fs::write(&deck, text).unwrap();
        let said = refused(&["match", "austerity", "shenzi", "--deck", deck_text]);
        assert!(said.contains(reason), "{said}");
    }
    let endless = refused(&["match", "austerity", "shenzi", "--deck", "/dev/zero"]);
    assert!(endless.contains("it has more than"), "{endless}");
}

#[test]
fn one_turn_is_not_several() {
    let told = printed(&[
        "match",
        "austerity",
        "shenzi",
        "--max-turns",
        "1",
        "--seed",
        "1",
    ]);
    assert!(told.contains("it was stopped after 1 turn\n"), "{told}");
}

#[test]
fn alone_it_prints_a_guide() {
    insta::assert_snapshot!("guide", printed(&[]));
}

#[test]
fn the_games_are_listed() {
    insta::assert_snapshot!("games", printed(&["games"]));
}

#[test]
fn the_games_are_listed_for_programs_too() {
    let report = json(&["games", "--json"]);
    let games = report["games"].as_array().unwrap();
    assert_eq!(games.len(), printed(&["games"]).lines().count() - 1);
    assert_eq!(games[1]["name"], "intensity");
    assert_eq!(games[1]["seats"], serde_json::json!([4, 4]));
    assert_eq!(games[1]["players"][1]["name"], "careful");
}

#[test]
fn options_that_are_common_to_all_commands_are_taken_where_they_change_little() {
    let quiet = ["match", "uno", "--seed", "4", "--quiet"];
    let two_threads = [&quiet[..], &["--threads", "2"]].concat();
    assert_eq!(printed(&quiet), printed(&two_threads));

    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    printed(&[&quiet[..], &["--out", out]].concat());
    let record = format!("{out}/records/1.jsonl");
    let all = printed(&["replay", &record]);
    let ending = printed(&["replay", &record, "--quiet"]);
    assert!(
        all.ends_with(ending.split_once('\n').unwrap().1),
        "{ending}"
    );
    assert!(ending.lines().count() < 6, "{ending}");
}

#[test]
fn the_rules_of_every_game_are_told() {
    for line in printed(&["games"]).lines().skip(1) {
        let game = line.split_whitespace().next().unwrap();
        assert!(printed(&["rules", game]).len() > 500, "{game}");
    }
}

#[test]
fn every_command_has_help_with_an_example() {
    for command in [
        "games",
        "rules",
        "simulate",
        "match",
        "play",
        "compare",
        "tournament",
        "check",
        "replay",
        "repro",
        "doctor",
        "completions",
        "man",
    ] {
        let help = printed(&[command, "--help"]);
        assert!(help.contains("Example:\n  croupier "), "{command}");
    }
}

/// The rate is what was measured; everything else is fixed by the seed.
fn without_times(mut report: Value) -> Value {
    for measured in ["games_per_second", "seconds", "threads"] {
        assert!(report[measured].as_f64().unwrap() > 0.0);
        report.as_object_mut().unwrap().shift_remove(measured);
    }
    report
}

#[test]
fn the_survey_of_war_is_the_same_for_any_number_of_threads() {
    let with = |threads| {
        let arguments = ["simulate", "war", "--games", "30000", "--seed", "5"];
        without_times(json(
            &[&arguments[..], &["--json", "--threads", threads]].concat(),
        ))
    };
    let one = with("1");
    insta::assert_snapshot!("war-survey", serde_json::to_string_pretty(&one).unwrap());
    assert_eq!(one, with("2"));
    assert_eq!(one, with("7"));
}

#[test]
fn the_table_tells_what_the_json_tells() {
    let arguments = [
        "simulate",
        "war",
        "--games",
        "20000",
        "--seed",
        "5",
        "--threads",
        "2",
    ];
    let table = printed(&arguments);
    let (head, rest) = table.split_once('\n').unwrap();
    assert!(head.starts_with("War, 20,000 games in "), "{head}");
    insta::assert_snapshot!("war-table", rest);
}

#[test]
fn one_game_of_war_tells_no_interval_of_a_mean() {
    let arguments = ["simulate", "war", "--games", "1", "--seed", "5"];
    let table = printed(&arguments);
    assert!(table.starts_with("War, 1 game in "), "{table}");
    assert_eq!(table.matches("none from one game\n").count(), 6, "{table}");
    let report = json(&[&arguments[..], &["--json"]].concat());
    for interval in [
        "mean_ci95",
        "sd_ci95",
        "median_ci95",
        "p95_ci95",
        "p99_ci95",
    ] {
        assert_eq!(report["turns"][interval], Value::Null);
    }
    assert_eq!(report["wars"]["mean_ci95"], Value::Null);
    assert_eq!(report["draws"]["share"], 0.0);
}

/// The interval of the wars in a game narrows with their number and holds the mean that is known:
/// 13.443, from ten million games. With another seed each would miss it with a probability of 1 in
/// 20.
#[test]
fn the_wars_of_a_game_have_an_interval() {
    let ends = |games: &str| {
        let report = json(&["simulate", "war", "--games", games, "--seed", "7", "--json"]);
        let [low, high] = [0, 1].map(|end| report["wars"]["mean_ci95"][end].as_f64().unwrap());
        assert!((low..=high).contains(&13.443), "{low} – {high}");
        high - low
    };
    let ratio = ends("1000") / ends("100000");
    assert!((9.0..11.0).contains(&ratio), "the root of 100: {ratio}");
}

#[test]
fn options_of_the_game_are_kept_with_the_result() {
    let report = json(&[
        "simulate",
        "war",
        "--games",
        "1000",
        "--json",
        "--short-war",
        "last-card",
        "--winnings",
        "player0-first",
        "--max-turns",
        "5000",
    ]);
    assert_eq!(report["options"]["short_war"], "last-card");
    assert_eq!(report["options"]["winnings"], "player0-first");
    assert_eq!(report["options"]["max_turns"], 5000);
    let endless = report["endless"]["count"].as_u64().unwrap();
    assert!((300..600).contains(&endless), "about 44 percent: {endless}");
    assert!(report["seed"].is_string());
}

/// A number that is too small is told the same range as one that is too large.
#[test]
fn options_of_the_game_are_told_their_range() {
    for (game, option, number, range) in [
        ("uno", "--max-turns", "0", "from 1 to 4294967295"),
        ("uno", "--max-turns", "4294967296", "from 1 to 4294967295"),
        ("austerity", "--players", "1", "from 2 to 26"),
        ("austerity", "--players", "27", "from 2 to 26"),
        (
            "austerity",
            "--points",
            "2147483648",
            "from 0 to 2147483647",
        ),
        ("friday13", "--rounds", "4294967296", "from 1 to 4294967295"),
        ("friday13", "--green-value", "1000", "from 0 to 999"),
    ] {
        let output = croupier(&["simulate", game, "--games", "1", option, number]);
        assert_eq!(output.status.code(), Some(2), "{option} {number}");
        assert!(stderr(&output).contains(range), "{}", stderr(&output));
    }
}

#[test]
fn the_plot_is_one_whole_picture() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("war.svg");
    let path = file.to_str().unwrap();
    printed(&[
        "simulate", "war", "--games", "5000", "--plot", path, "--quiet",
    ]);
    let svg = fs::read_to_string(&file).unwrap();
    assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"));
    assert!(svg.matches("<rect").count() > 10);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "no scraps");
}

#[test]
fn a_plot_that_cannot_be_written_is_refused_before_anything_is_played() {
    let folder = tempfile::tempdir().unwrap();
    let nowhere = folder.path().join("nowhere/war.svg");
    let many = "999999999999";
    let said = refused(&[
        "simulate",
        "war",
        "--games",
        many,
        "--plot",
        nowhere.to_str().unwrap(),
    ]);
    assert!(said.contains("cannot write the file"), "{said}");
    let said = refused(&[
        "simulate",
        "war",
        "--games",
        many,
        "--plot",
        folder.path().to_str().unwrap(),
    ]);
    assert!(said.contains("it is a folder"), "{said}");
}

#[test]
fn a_device_as_plot_file_stays_a_device() {
    printed(&[
        "simulate",
        "war",
        "--games",
        "100",
        "--plot",
        "/dev/null",
        "--quiet",
    ]);
    assert!(!fs::metadata("/dev/null").unwrap().is_file());
}

#[test]
fn what_makes_no_sense_is_refused_in_one_line_that_says_what_would() {
    let said = refused(&["simulate", "chess"]);
    assert!(
        said.contains("there is no game 'chess'; the games are: war, "),
        "{said}"
    );
    let said = refused(&["rules", "chess"]);
    assert!(said.contains("the games are: war, "), "{said}");
    for command in ["match", "compare", "tournament", "check", "play"] {
        let said = refused(&[command, "war", "random", "random"]);
        assert!(said.contains("'croupier simulate war' plays it"), "{said}");
    }
    let said = refused(&["simulate", "war", "--gams", "5"]);
    assert!(said.contains("'--games'"), "{said}");
    let said = refused(&["simulate", "war", "--winnings", "mine"]);
    assert!(
        said.contains("transcript, winner-first, shuffled, player0-first"),
        "{said}"
    );
    for arguments in [
        &["simulate", "war", "--games", "0"][..],
        &["simulate", "war", "--games", "-1"],
        &["simulate", "war", "--games", "99999999999999999999"],
        &["simulate", "war", "--seed", "x"],
        &["simulate", "war", "--threads", "0"],
        &["simulate", "war", "--threads", "99999"],
        &["simulate", "war", "alice"],
        &["simulate"],
        &["rules"],
        &["nonsense"],
        &["completions", "tcsh"],
        &["man"],
    ] {
        refused(arguments);
    }
}

#[test]
fn what_is_no_good_number_is_told_which_would_be() {
    for (given, right) in [
        (
            &["--games", "-1"][..],
            "a whole number from 1 to 18446744073709551615",
        ),
        (&["--games=-1"], "a whole number from 1 to"),
        (&["--games", "--json"], "a whole number from 1 to"),
        (
            &["--seed", "-1"],
            "a whole number from 0 to 18446744073709551615",
        ),
        (&["--seed", "x"], "a whole number from 0 to"),
        (&["--process-limit", "-1"], "a whole number from 1 to 4096"),
        (
            &["--time-limit", "-1s"],
            "a number and ms, s or m, as in 500ms or 2s",
        ),
        (
            &["--memory-limit", "-1M"],
            "a number and K, M or G, as in 512M",
        ),
    ] {
        let said = refused(&[&["match", "uno"][..], given].concat());
        assert!(said.contains(right), "{said}");
    }
    let said = refused(&["match", "austerity", "--players", "-1"]);
    assert!(said.contains("a whole number from"), "{said}");
    for arguments in [&["match", "uno", "-1"][..], &["games", "-x"]] {
        let said = refused(arguments);
        assert!(!said.contains("to pass"), "{said}");
    }
}

#[test]
fn what_is_shown_of_a_name_is_one_line_and_moves_no_cursor() {
    let name = "a\nb\u{1b}[2J";
    for arguments in [
        &["replay", name][..],
        &["rules", name],
        &["repro", name, "1-1"],
        &["match", "uno", name],
        &["match", "uno", "./a\nb\u{1b}[2J"],
        &["check", "uno", "./a\nb\u{1b}[2J.c"],
        &["tournament", "--config", name],
        &["simulate", "war", "--plot", "/nowhere/a\nb\u{1b}[2J"],
    ] {
        let said = refused(arguments);
        assert!(said.contains("b\\u{1b}[2J"), "{said:?}");
    }
}

#[test]
fn a_reader_who_has_seen_enough_is_no_error() {
    let script = format!(
        "{} simulate war --games 1000 --quiet | head -n 1; exit ${{PIPESTATUS[0]}}",
        env!("CARGO_BIN_EXE_croupier")
    );
    let output = Command::new("bash").args(["-c", &script]).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(stderr(&output), "");
}

#[test]
fn a_full_disk_is_told_with_status_3() {
    let output = Command::new(env!("CARGO_BIN_EXE_croupier"))
        .args(["simulate", "war", "--games", "100"])
        .stdout(fs::File::options().write(true).open("/dev/full").unwrap())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert_eq!(stderr(&output).lines().count(), 1);
}

/// The processor time that a process has used, in hundredths of a second.
fn ticks(pid: &str) -> u64 {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    let (_, after_name) = stat.rsplit_once(") ").unwrap();
    let field = |number: usize| after_name.split(' ').nth(number - 3).unwrap();
    [14, 15]
        .map(|number| field(number).parse::<u64>().unwrap())
        .iter()
        .sum()
}

#[test]
fn ctrl_c_keeps_what_is_finished_and_tells_how_to_go_on() {
    let child = Command::new(env!("CARGO_BIN_EXE_croupier"))
        .args([
            "simulate",
            "war",
            "--games",
            "100000000000",
            "--seed",
            "8",
            "--json",
        ])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let pid = child.id().to_string();
    // It plays thousands of games in that much processor time, however long it waits for it.
    while ticks(&pid) < 20 {
        std::thread::sleep(Duration::from_millis(10));
    }
    // Told twice at once, as by a shell that tells a program and then its group, it is told once.
    assert!(
        Command::new("kill")
            .args(["-INT", &pid, &pid])
            .status()
            .unwrap()
            .success()
    );
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let played = report["games"].as_u64().unwrap();
    let again = "croupier simulate war --games 100000000000 --seed 8 --short-war loses --winnings transcript";
    assert_eq!(
        stderr(&output),
        format!(
            "croupier: stopped after {played} of 100000000000 games, which are shown; to play all of them: {again}\n"
        )
    );
    let played = played.to_string();
    let whole = json(&[
        "simulate", "war", "--games", &played, "--seed", "8", "--json",
    ]);
    assert_eq!(
        without_times(whole),
        without_times(report),
        "the first games, exactly"
    );
}

#[test]
fn completions_and_manual_pages_come_from_the_same_definition() {
    for shell in ["bash", "zsh", "fish"] {
        let script = printed(&["completions", shell]);
        assert!(script.contains("short-war"), "{shell}");
    }
    let folder = tempfile::tempdir().unwrap();
    let pages = folder.path().join("man1");
    printed(&["man", pages.to_str().unwrap()]);
    for page in [
        "croupier.1",
        "croupier-simulate.1",
        "croupier-simulate-war.1",
    ] {
        let text = fs::read_to_string(pages.join(page)).unwrap();
        assert!(text.contains(".TH"), "{page}");
    }
}

#[test]
fn ten_lines_of_python_play_every_game() {
    if Command::new("python3").arg("--version").output().is_err() {
        eprintln!("skipped: there is no python3");
        return;
    }
    let bot = concat!(
        "json:",
        env!("CARGO_MANIFEST_DIR"),
        "/../../examples/any/bot.py"
    );
    for game in ["intensity", "friday13", "uno", "austerity"] {
        let report = json(&["match", game, bot, "--games", "2", "--seed", "3", "--json"]);
        assert_eq!(report["sandbox"], "limits");
        let games = report["games"].as_array().unwrap();
        assert_eq!(games.len(), 2);
        for game in games {
            assert_eq!(game["faults"], serde_json::json!([]), "{report}");
        }
    }
}
