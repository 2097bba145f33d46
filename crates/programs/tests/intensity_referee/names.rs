//! What programs are called.

use crate::bench::{Bench, names, plays_low};

/// The program of this file that answers like this when it is asked for its name.
fn named(bench: &Bench, file: &str, answer: &str) {
    let first = format!("[ $1 = 0 ] && {{ {answer}; exit; }}");
    bench.program(file, &plays_low("not asked", &first));
}

/// What the programs are called that answer like this, besides the system players.
fn called(answers: &[&str]) -> Vec<String> {
    let bench = Bench::new();
    let files: Vec<String> = (0..answers.len()).map(|n| format!("file{n}.sh")).collect();
    for (file, answer) in files.iter().zip(answers) {
        named(&bench, file, answer);
    }
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    let summary = bench.game(&[&files[..], &["--print-summary"]].concat());
    let system = ["Amy", "Lulu", "Morgan"];
    let all = names(&summary).into_iter();
    all.filter(|name| !system.contains(name))
        .map(str::to_owned)
        .collect()
}

#[test]
fn a_name_needs_no_newline() {
    assert_eq!(called(&["printf 'Ada Lovelace'"]), ["Ada Lovelace"]);
}

#[test]
fn space_around_a_name_is_stripped() {
    assert_eq!(called(&[r"printf '\n\n \t Ada \r\n \n'"]), ["Ada"]);
}

#[test]
fn a_long_name_is_cut_at_32_characters() {
    let hundred = "printf '%0100d' 7 | tr 07 ab";
    assert_eq!(called(&[hundred]), ["a".repeat(32)]);
}

#[test]
fn odd_characters_are_left_out() {
    assert_eq!(
        called(&[r#"printf '\033[31m<b>O'"'"'Neil_2-x</b>\t[!]\n'"#]),
        ["31mbO'Neil_2-xb"]
    );
    assert_eq!(
        called(&[r"printf 'Ren\303\251e \377 \360\237\220\204'"]),
        ["Renée"]
    );
}

#[test]
fn equal_names_get_a_digit() {
    assert_eq!(called(&["echo Twin"; 3]), ["Twin", "Twin0", "Twin1"]);
    assert_eq!(
        called(&["echo Twin0", "echo Twin", "echo Twin"]),
        ["Twin", "Twin0", "Twin1"]
    );
    let long = "printf '%040d' 7 | tr 07 ab";
    assert_eq!(
        called(&[long; 2]),
        [format!("{}0", "a".repeat(31)), "a".repeat(32)]
    );
}

#[test]
fn the_system_players_keep_their_names() {
    let bench = Bench::new();
    bench.program(
        "mute",
        "#!/bin/sh\nread -r asked; [ $asked = 0 ] && echo Lulu\n",
    );
    let told = bench.game(&["mute"]);
    let fouls = told.lines().filter(|line| line.starts_with("Foul by "));
    for foul in fouls {
        assert!(foul.starts_with("Foul by Lulu0 "), "{foul}");
    }
    assert!(
        told.contains("Foul by Lulu0 ") && told.contains(": Lulu holding "),
        "{told}"
    );
}

#[test]
fn a_program_that_tells_no_name_is_called_by_its_file() {
    assert_eq!(called(&["exit 1"]), ["file0"]);
    assert_eq!(called(&["echo '!!!'"]), ["file0"]);
    assert_eq!(called(&["kill -KILL $$"; 2]), ["file0", "file1"]);
}

#[test]
fn the_deal_has_the_hands_below_each_other() {
    let bench = Bench::new();
    named(
        &bench,
        "wide",
        r"printf '\303\211\303\211\303\211 \303\211\303\211\303\211'",
    );
    named(&bench, "long", "echo Somewhat longer");
    let told = bench.game(&["wide", "long"]);
    let deal = told.lines().skip(1).take(4);
    let places: Vec<usize> = deal
        .map(|line| line.chars().position(|c| c == '[').unwrap())
        .collect();
    assert_eq!(places, [places[0]; 4], "{told}");
}
