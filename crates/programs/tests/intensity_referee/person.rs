//! A person at the terminal.

use crate::bench::{Bench, Told, plays_low};

/// A seed with which the person sits at position 0, and so leads the first round.
const LEADS: &str = "9";

/// A whole game of the person with that seed: what it passes on, and its ten cards.
const ENTRIES: &str = "42 43 44\n16\n20\n22\n23\n26\n34\n38\n40\n41\n47\n";

fn enter(entries: &str) -> Told {
    Bench::new().run(&["-i", "--seed", LEADS], entries)
}

/// A game with this program, in which the person passes its first three cards on and leaves.
fn passing_on(bench: &Bench, program: &str, seed: &str) -> Told {
    let arguments = ["-i", program, "--seed", seed];
    let dealt = bench.run(&arguments, "");
    bench.run(&arguments, &first_three(&dealt.stdout))
}

#[test]
fn a_whole_game() {
    let told = enter(ENTRIES);
    assert_eq!((told.status, told.stderr.as_str()), (Some(0), ""));
    insta::assert_snapshot!(told.stdout);
}

#[test]
fn an_illegal_entry_is_refused_with_the_rule_and_asked_for_again() {
    let entries = "\n\
let me think
42 43
41 42 43 44
42 43 43
42 43 99
42 43 10
42, 43 and 44
38

20 22
7
123
45
20
";
    let told = enter(entries);
    assert_eq!(told.status, Some(1));
    insta::assert_snapshot!(told.stdout);
}

#[test]
fn at_the_end_of_the_input_one_line_is_said() {
    let cut: Vec<&str> = ENTRIES.lines().collect();
    for entries in [0, 1, 4, 10].map(|count| cut[..count].join("\n")) {
        let told = enter(&entries);
        assert_eq!(told.status, Some(1));
        assert_eq!(
            told.stderr,
            "intensity_referee: the input ended before the game did\n"
        );
        assert!(told.stdout.ends_with(": "), "{}", told.stdout);
    }
    assert_eq!(enter(ENTRIES.trim_end()).status, Some(0));
}

#[test]
fn the_other_hands_are_hidden() {
    let told = enter(ENTRIES).stdout;
    assert!(!told.contains("Deal:") && !told.contains("holding"));
    for line in told.lines().filter(|line| line.contains('[')) {
        assert!(line.starts_with("Hand: ["), "{line}");
    }
}

#[test]
fn what_others_pass_on_is_hidden_even_when_it_is_a_foul() {
    let bench = Bench::new();
    let wrong = "[ $1 = 1 ] && { echo my hand is $* >&2; echo $2 $3 10 10 10; exit; }";
    bench.program("wrong", &plays_low("Wrong", wrong));
    let told = passing_on(&bench, "wrong", LEADS);
    // What is entered here is not echoed, so the line goes on behind the question.
    assert!(
        told.stdout.contains(
            ": Foul by Wrong (illegal); three random cards are passed on instead, \
             and it costs 5 penalty points\n"
        ),
        "{}",
        told.stdout
    );
    assert!(!told.stdout.contains("my hand"), "{}", told.stdout);
}

#[test]
fn a_crash_with_discards_is_told_with_its_status() {
    let bench = Bench::new();
    let crash = "[ $1 = 1 ] && { echo my hand is $* >&2; exit 3; }";
    bench.program("brittle", &plays_low("Brittle", crash));
    let told = passing_on(&bench, "brittle", LEADS);
    assert!(
        told.stdout.contains(
            ": Foul by Brittle (crash): it ended with status 3; three random cards are passed on \
             instead, and it costs 5 penalty points\n"
        ),
        "{}",
        told.stdout
    );
    assert!(!told.stdout.contains("my hand"), "{}", told.stdout);
}

/// A program may print its input, in which its cards are.
#[test]
fn what_programs_write_to_stderr_is_not_shown() {
    let bench = Bench::new();
    let crash = "echo my hand is $* >&2; [ $1 = 2 ] && kill -SEGV $$";
    bench.program("brittle", &plays_low("Brittle", crash));
    let told = passing_on(&bench, "brittle", "2").stdout;
    assert!(
        told.contains("Foul by Brittle (crash): it was killed by signal 11 (SIGSEGV); the "),
        "{told}"
    );
    assert!(!told.contains("my hand"), "{told}");
}

/// What the referee does whose input and output a shell connects like this.
fn connected(script: &str) -> (Option<i32>, String) {
    let referee = env!("CARGO_BIN_EXE_intensity_referee");
    let output = std::process::Command::new("bash")
        .args(["-c", &script.replace("REFEREE", referee)])
        .output()
        .unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    (output.status.code(), said)
}

#[test]
fn a_reader_who_has_seen_enough_is_no_error() {
    let script = "yes 2>&- | REFEREE -i --seed 4 | head -n 1; exit ${PIPESTATUS[1]}";
    assert_eq!(connected(script), (Some(0), String::new()));
}

#[test]
fn a_full_disk_is_the_machines_fault() {
    let failed = |why: &str| {
        let said = format!("intensity_referee: failed to write the output: {why}\n");
        (Some(3), said)
    };
    assert_eq!(
        connected("REFEREE -i --seed 4 </dev/zero >/dev/full"),
        failed("No space left on device (os error 28)")
    );
    // Here it is full only after some entries have been refused.
    let bench = Bench::new();
    let file = bench.path().join("told");
    let script = format!(
        "trap '' XFSZ; ulimit -f 1; yes 2>&- | REFEREE -i --seed 4 >{}; exit ${{PIPESTATUS[1]}}",
        file.display()
    );
    assert_eq!(connected(&script), failed("File too large (os error 27)"));
}

#[test]
fn a_line_without_end_is_refused_in_parts() {
    let script = "head -c 100000000 /dev/zero | (ulimit -v 50000; REFEREE -i --seed 4 >/dev/null)";
    let said = "intensity_referee: the input ended before the game did\n";
    assert_eq!(connected(script), (Some(1), said.to_owned()));
}

/// The first three cards of the hand that is shown.
fn first_three(told: &str) -> String {
    let hand = told.split_once("Hand: [").unwrap().1;
    let cards: Vec<&str> = hand.split(", ").take(3).collect();
    cards.join(" ") + "\n"
}

#[test]
fn the_person_keeps_the_name_whatever_three_programs_are_called() {
    let bench = Bench::new();
    bench.program("shelly", &plays_low("Interactive Player", ""));
    let arguments = ["-i", "shelly", "shelly", "shelly", "--seed", "2"];
    let told = bench.run(&arguments, "");
    let told = bench.run(&arguments, &first_three(&told.stdout)).stdout;
    assert!(
        told.contains("Interactive Player turn to play.\n"),
        "{told}"
    );
    for suffix in ["0", "1", "2"] {
        let line = format!("Round 0: Interactive Player{suffix} plays the ");
        assert!(told.contains(&line), "{told}");
    }
}

#[test]
fn a_file_of_anything_is_refused_line_by_line() {
    let told = enter(&"\u{0}\u{1b}[2J nonsense \u{7f}\n".repeat(50));
    assert_eq!(told.status, Some(1));
    assert!(!told.stdout.contains('\u{1b}'));
    assert_eq!(told.stdout.matches("Enter cards to discard: ").count(), 51);
}
