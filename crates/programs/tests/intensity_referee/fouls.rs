//! Programs that do something wrong: it is told, and the game goes on.

use std::time::{Duration, Instant};

use crate::bench::{Bench, fouls, plays_low};

/// Does something else wrong in every round.
const ALL_WRONG: &str = r#"
echo "question $1, $2 to come" >&2
[ $1 = 0 ] || echo "I am in trouble" >&2
case "$1 $2" in
1*) echo 10 10 11; exit ;;
'2 10') echo 99; exit ;;
'2 9') echo I would rather not; exit ;;
'2 8') exit ;;
'2 7') kill -SEGV $$ ;;
'2 6') exit 3 ;;
'2 5') sleep 60 ;;
'2 4') yes 12; exit ;;
'2 3') yes >&2; exit ;;
'2 2') echo 3 4 5 123; exit ;;
esac
"#;

#[test]
fn a_program_that_does_something_else_wrong_in_every_round() {
    let bench = Bench::new();
    bench.program("wrong", &plays_low("Wrong", ALL_WRONG));
    insta::assert_snapshot!(bench.game(&["wrong", "--quiet", "--time-limit", "3"]));
}

#[test]
fn cards_that_may_not_be_passed_on() {
    let bench = Bench::new();
    let mut told = String::new();
    for (name, answer) in [
        ("Twice", "echo $2 $3 $3"),
        ("Stranger", "echo $2 $3 12"),
        ("No card", "echo $2 $3 50"),
        ("Two", "echo $2 $3"),
        ("Words", "echo ten, eleven, twelve"),
        ("Long", "seq 100 200"),
        ("Odd", r"printf '\033[31m\0\377 \n no'"),
    ] {
        let first = format!("[ $1 = 1 ] && {{ {answer}; exit; }}");
        bench.program("player", &plays_low(name, &first));
        told += &fouls(&bench.game(&["player"]));
    }
    insta::assert_snapshot!(told);
}

#[test]
fn cards_that_may_not_be_played() {
    let bench = Bench::new();
    let mut told = String::new();
    for (name, answer) in [
        ("Leads a calf", "[ $3 = 0 ] && echo 30 31 33 && exit"),
        (
            "Does not follow",
            r#"[ "$2 $3" = '10 1' ] && echo 48 && exit"#,
        ),
        ("Stranger", r#"[ $2 = 10 ] && echo 10 && exit"#),
        ("No card", r#"[ $2 = 10 ] && echo 05 50 && exit"#),
    ] {
        let first = format!("[ $1 = 2 ] && {answer}");
        bench.program("player", &plays_low(name, &first));
        told += &fouls(&bench.game(&["player"]));
    }
    insta::assert_snapshot!(told);
}

#[test]
fn a_program_that_crashes_in_the_third_round_and_then_goes_on() {
    let bench = Bench::new();
    let crash = r#"[ "$1 $2" = '2 8' ] && { echo 'oh dear' >&2; kill -ABRT $$; }"#;
    bench.program("brittle", &plays_low("Brittle", crash));
    let told = bench.game(&["brittle"]);
    assert_eq!(
        fouls(&told),
        "Foul by Brittle (crash): it was killed by signal 6 (SIGABRT); the 45 is played instead, \
         and it costs 5 penalty points\n    oh dear\n"
    );
    let (before, after) = told.split_once("Foul by ").unwrap();
    assert!(before.contains("Round 2: ") && !before.contains("Round 3: "));
    assert!(after.contains("Round 9: Brittle"));
    let healthy = Bench::new();
    healthy.program("brittle", &plays_low("Brittle", ""));
    assert!(healthy.game(&["brittle"]).starts_with(before));
}

#[test]
fn only_the_last_lines_of_what_it_wrote_are_told() {
    let bench = Bench::new();
    let verbose = r#"[ "$1 $2" = '2 5' ] && { seq 1000 21000 >&2; exit 1; }"#;
    bench.program("verbose", &plays_low("Verbose", verbose));
    let told = fouls(&bench.game(&["verbose"]));
    let below: Vec<&str> = told.lines().skip(1).map(str::trim).collect();
    let last = ["…", "20995", "20996", "20997", "20998", "20999", "21000"];
    assert_eq!(below, last);
}

#[test]
fn what_it_wrote_cannot_confuse_the_terminal() {
    let bench = Bench::new();
    let colours = r#"[ "$1 $2" = '2 5' ] && { printf '\033[2J\r\007red\n' >&2; exit 1; }"#;
    bench.program("painter", &plays_low("Painter", colours));
    let told = bench.game(&["painter"]);
    assert!(told.contains("    \\u{1b}[2J\\r\\u{7}red\n"), "{told}");
    assert!(!told.contains('\x1b') && !told.contains('\r'));
}

#[test]
fn a_program_that_hangs_is_waited_for_no_longer_than_the_limit() {
    let bench = Bench::new();
    let hangs = r#"[ "$1 $2" = '2 1' ] && { trap '' TERM INT; sleep 600 & sleep 600; }"#;
    bench.program("sleeper", &plays_low("Sleeper", hangs));
    let began = Instant::now();
    let told = bench.game(&["sleeper", "--time-limit", "3"]);
    assert!(began.elapsed() < Duration::from_secs(300));
    assert_eq!(
        fouls(&told),
        "Foul by Sleeper (time-out): it did not answer within 3 s; the 33 is played instead, \
         and it costs 5 penalty points\n"
    );
}

#[test]
fn a_program_that_answers_and_then_hangs_is_told_that_it_did_not_end() {
    let bench = Bench::new();
    for answer in ["$5", "99"] {
        let hangs = format!(r#"[ "$1 $2" = '2 1' ] && {{ echo {answer}; exec sleep 600; }}"#);
        bench.program("sleeper", &plays_low("Sleeper", &hangs));
        let told = fouls(&bench.game(&["sleeper", "--time-limit", "3"]));
        assert!(
            told.starts_with("Foul by Sleeper (time-out): it did not end within 3 s; the "),
            "{told}"
        );
    }
}

#[test]
fn a_program_whose_child_lives_on_has_answered() {
    let bench = Bench::new();
    let child = "[ $1 = 2 ] && (sleep 600; echo 99) &";
    bench.program("parent", &plays_low("Parent", child));
    assert_eq!(fouls(&bench.game(&["parent"])), "");
}

#[test]
fn a_file_that_is_no_program_fouls_every_time() {
    let bench = Bench::new();
    bench.program("letter", "Dear referee,\nplease let me play.\n");
    let told = fouls(&bench.game(&["letter"]));
    assert_eq!(told.lines().count(), 11);
    for line in told.lines() {
        let start = "Foul by letter (start): it could not be started: Exec format error";
        assert!(line.starts_with(start), "{line}");
    }
}

#[test]
fn a_program_that_changes_its_own_file_is_not_started_again() {
    let bench = Bench::new();
    let changes = "[ $1 = 1 ] && echo >> $0";
    bench.program("changeling", &plays_low("Changeling", changes));
    let told = fouls(&bench.game(&["changeling"]));
    assert_eq!(told.lines().count(), 10, "{told}");
    for line in told.lines() {
        let start = "Foul by Changeling (start): its file has changed since the match began, \
                     so it is not started; ";
        assert!(line.starts_with(start), "{line}");
    }
}

#[test]
fn a_program_that_never_reads_its_input_fouls_only_for_its_answers() {
    let bench = Bench::new();
    bench.program("deaf", "#!/bin/sh\nexec <&-\necho 12\n");
    let told = bench.game(&["deaf"]);
    let first = fouls(&told).lines().next().unwrap().to_owned();
    assert!(
        first.starts_with("Foul by 12 (unreadable): '12' is not three two-digit numbers; "),
        "{first}"
    );
    assert!(told.contains("Finishing Positions\n"));
}
