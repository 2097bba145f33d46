//! Programs in C, which the referee compiles.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::bench::{Bench, fouls, names};

/// The small player of the guide, and a folder to play in; none, with a message, if there is no
/// compiler.
fn small_player() -> Option<(Bench, String)> {
    let compiler = std::env::var("CC").unwrap_or("cc".to_owned());
    if Command::new(&compiler).arg("--version").output().is_err() {
        eprintln!("skipped: there is no {compiler} on this machine");
        return None;
    }
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/intensity/bot.c");
    Some((Bench::new(), fs::read_to_string(file).unwrap()))
}

/// The text with one thing replaced that is there.
fn changed(text: &str, from: &str, to: &str) -> String {
    assert!(text.contains(from), "{from}");
    text.replace(from, to)
}

#[test]
fn a_game_of_four_programs_in_c() {
    let Some((bench, low)) = small_player() else {
        return;
    };
    bench.write("low.c", &low);
    let high = "for (int i = held - 1; i >= 0; i--) {";
    let high = changed(&low, "for (int i = 0; i < held; i++) {", high);
    bench.write("high.c", &changed(&high, "Low C", "High C"));
    let keeper = changed(
        &low,
        "hand[7], hand[8], hand[9]",
        "hand[0], hand[1], hand[2]",
    );
    bench.write("keeper.c", &changed(&keeper, "Low C\\n", "Keeper"));
    let prompter = r#"printf("Which card? "); printf("%d\n", choose"#;
    let prompter = changed(&low, r#"printf("%d\n", choose"#, prompter);
    bench.write("prompter.c", &prompter);
    let told = bench.game(&["low.c", "high.c", "keeper.c", "prompter.c"]);
    insta::assert_snapshot!(told);
    let again = bench.game(&["low.c", "high.c", "keeper.c", "prompter.c"]);
    assert_eq!(told, again, "compiled before or not");
}

/// Compilers for students watch memory unless they are told not to.
#[test]
fn an_executable_that_watches_its_own_memory_plays() {
    let Some((bench, low)) = small_player() else {
        return;
    };
    bench.write("low.c", &low);
    let compiler = std::env::var("CC").unwrap_or("cc".to_owned());
    let compiled = Command::new(compiler)
        .args(["-fsanitize=address", "-o", "low", "low.c"])
        .current_dir(bench.path())
        .status()
        .unwrap();
    if !compiled.success() {
        eprintln!("skipped: this compiler has no sanitizers");
        return;
    }
    let told = bench.game(&["./low"]);
    assert_eq!(fouls(&told), "");
}

#[test]
fn a_program_that_does_not_compile_is_refused_with_the_compilers_words() {
    let Some((bench, low)) = small_player() else {
        return;
    };
    bench.write("low.c", &low);
    bench.write("bad.c", "int main(void) {\n    return 0\n}\n");
    let said = bench.refused(&["low.c", "bad.c"]);
    let (first, words) = said.split_once('\n').unwrap();
    assert!(first.starts_with("intensity_referee: "), "{said}");
    assert!(first.ends_with("bad.c does not compile:"), "{said}");
    assert!(
        words.contains("bad.c:2:") && words.contains("error:"),
        "{said}"
    );
}

#[test]
fn warnings_are_no_reason_to_refuse_a_program() {
    let Some((bench, low)) = small_player() else {
        return;
    };
    let sloppy = changed(
        &low,
        "int main(void) {",
        "int main(void) {\n    int unused; long *p = 7;",
    );
    bench.write("sloppy.c", &sloppy);
    assert_eq!(fouls(&bench.game(&["sloppy.c"])), "");
}

#[test]
fn a_memory_error_is_told_once_and_the_game_goes_on() {
    let Some((bench, low)) = small_player() else {
        return;
    };
    let beyond = changed(
        &low,
        "int calf_seen =",
        "volatile int sum = 0;\n        for (int i = 0; i <= 10; i++) sum += hand[i];\n        int calf_seen =",
    );
    let line = beyond.lines().position(|line| line.contains("i <= 10"));
    let line = line.unwrap() + 1;
    bench.write("beyond.c", &beyond);
    bench.write("low.c", &low);
    let plain = bench.game(&["beyond.c", "low.c"]);
    let checked = bench.game(&["beyond.c", "low.c", "--check-memory"]);
    assert_eq!(
        memory_errors(&checked),
        [format!(
            "Memory error in Low C: beyond.c:{line}: index 10 out of bounds for type 'int [10]'"
        )]
    );
    // It costs nothing, and the game is the same.
    let without: String = checked
        .lines()
        .filter(|line| !line.starts_with("Memory error in "))
        .map(|line| format!("{line}\n"))
        .collect();
    assert_eq!(without, plain);
    let summary = bench.game(&["beyond.c", "low.c", "--check-memory", "--print-summary"]);
    assert_eq!(names(&summary).len(), 4, "{summary}");
}

/// The lines that tell of memory errors.
fn memory_errors(told: &str) -> Vec<&str> {
    let lines = told.lines();
    lines
        .filter(|line| line.starts_with("Memory error in "))
        .collect()
}

#[test]
fn memory_errors_are_told_under_the_name_that_the_program_has_at_the_table() {
    let Some((bench, low)) = small_player() else {
        return;
    };
    let beyond = "volatile int ten = 10; ten = hand[ten];\n        int calf_seen =";
    let beyond = changed(&low, "int calf_seen =", beyond);
    bench.write("one.c", &beyond);
    bench.write("two.c", &beyond);
    let told = bench.game(&["one.c", "two.c", "--check-memory"]);
    let mut named: Vec<&str> = memory_errors(&told)
        .iter()
        .filter_map(|line| line.split(".c:").next())
        .collect();
    named.sort_unstable();
    assert_eq!(
        named,
        ["Memory error in Low C0: two", "Memory error in Low C: one"]
    );
}

#[test]
fn the_same_error_with_other_numbers_is_not_told_again() {
    let Some((bench, low)) = small_player() else {
        return;
    };
    let beyond = "volatile int beyond = hand[10 + held];\n        int calf_seen =";
    bench.write("beyond.c", &changed(&low, "int calf_seen =", beyond));
    let told = bench.game(&["beyond.c", "--check-memory"]);
    assert_eq!(memory_errors(&told).len(), 1, "{told}");
}

#[test]
fn a_null_pointer_is_a_crash_by_signal() {
    let Some((bench, low)) = small_player() else {
        return;
    };
    let crash =
        "if (held == 8) { volatile int *nowhere = 0; *nowhere = 1; }\n        int calf_seen =";
    bench.write("crash.c", &changed(&low, "int calf_seen =", crash));
    let told = fouls(&bench.game(&["crash.c"]));
    assert_eq!(told.lines().count(), 1, "{told}");
    assert!(
        told.starts_with("Foul by Low C (crash): it was killed by signal 11 (SIGSEGV); the "),
        "{told}"
    );
}
