//! Requests with which the referee does not even begin.

use crate::bench::{Bench, plays_low};

fn bench() -> Bench {
    let bench = Bench::new();
    bench.program("good", &plays_low("Good", ""));
    bench
}

#[test]
fn one_to_four_programs_can_play() {
    let bench = bench();
    for arguments in [
        &[][..],
        &["--seed", "7"],
        &["good"; 5],
        &["-i", "good", "good", "good", "good"],
    ] {
        let said = bench.refused(arguments);
        assert_eq!(said.lines().count(), 1, "{said}");
        assert!(
            said.starts_with(
                "intensity_referee: one to four programs can play, with -i none to three, not "
            ),
            "{said}"
        );
    }
}

#[test]
fn a_program_that_does_not_exist() {
    assert_eq!(
        bench().refused(&["good", "nowhere"]),
        "intensity_referee: cannot use the program nowhere: No such file or directory (os error 2)\n"
    );
}

#[test]
fn a_program_that_is_not_executable() {
    let bench = bench();
    bench.write("notes", "remember the milk\n");
    assert_eq!(
        bench.refused(&["good", "notes"]),
        "intensity_referee: cannot use the program notes: it is not executable (chmod +x), and no source in C (.c), C++ (.cpp, .cc, .cxx) or Python (.py)\n"
    );
    let said = bench.refused(&["."]);
    assert!(
        said.starts_with("intensity_referee: cannot use the program .: "),
        "{said}"
    );
}

#[test]
fn options_that_make_no_sense() {
    let bench = bench();
    for arguments in [
        &["good", "--sed", "7"][..],
        &["good", "--seed"],
        &["good", "--seed", "x"],
        &["good", "--seed", "-1"],
        &["good", "--time-limit", "0"],
        &["good", "--time-limit", "soon"],
        &["good", "-x"],
    ] {
        let said = bench.refused(arguments);
        assert_eq!(said.lines().count(), 1, "{said}");
        assert!(said.starts_with("intensity_referee: "), "{said}");
    }
}

#[test]
fn nobody_can_play_at_a_terminal_that_shows_only_the_summary() {
    assert_eq!(
        bench().refused(&["-i", "good", "--print-summary"]),
        "intensity_referee: with --print-summary the game is not told, so nobody can play it with \
         -i; leave out one of the two\n"
    );
}

#[test]
fn numbers_that_make_no_sense_are_told_what_would_be_right() {
    let bench = bench();
    for limit in ["2s", "0.5", "0", "-1", "86401"] {
        assert_eq!(
            bench.refused(&["good", "--time-limit", limit]),
            format!(
                "intensity_referee: invalid value '{limit}' for '--time-limit <S>': it must be a \
                 whole number from 1 to 86400\n"
            )
        );
    }
}

#[test]
fn only_an_ordinary_file_is_a_program() {
    let bench = bench();
    nix::unistd::mkfifo(&bench.path().join("pipe"), nix::sys::stat::Mode::S_IRWXU).unwrap();
    let told = bench.refused(&["./pipe"]);
    assert!(told.contains("it is no ordinary file"), "{told}");
}

#[test]
fn its_help_tells_all_it_can_do() {
    let told = bench().run(&["--help"], "");
    assert_eq!((told.status, told.stderr.as_str()), (Some(0), ""));
    insta::assert_snapshot!(told.stdout);
}
