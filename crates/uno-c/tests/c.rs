//! The C library as C sees it: programs compiled with the C compiler and linked with the static
//! and the shared library, and the example strategy of the guide.

#![expect(clippy::unwrap_used, reason = "a test may fail by panicking")]

use std::path::{Path, PathBuf};
use std::process::Command;

// Links the library into this test, so that it is built.
use croupier_uno as _;

const STRICT: [&str; 4] = ["-Wall", "-Wextra", "-Werror", "-O2"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The folder with the libraries that were built for this test.
fn libraries() -> PathBuf {
    let program = std::env::current_exe().unwrap();
    program.parent().unwrap().to_owned()
}

fn run(command: &mut Command) -> String {
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let complained = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {said}{complained}");
    said
}

fn cc(standard: &str) -> Command {
    let mut cc = Command::new(std::env::var("CC").unwrap_or("cc".to_owned()));
    cc.arg(standard)
        .args(STRICT)
        .arg("-I")
        .arg(root().join("include"));
    cc
}

/// Compiles the test program with this prefix and these further arguments, and runs it.
fn functions(prefix: &str, robust: bool, with: &[&Path]) {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("functions");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/functions.c");
    let mut cc = cc("-std=c11");
    cc.arg(format!("-DPREFIX={prefix}"));
    cc.args(robust.then_some("-DROBUST"));
    cc.arg(source).args(with).arg("-lm").arg("-o").arg(&program);
    run(&mut cc);
    let said = run(Command::new(&program).env("LD_LIBRARY_PATH", libraries()));
    assert_eq!(said, "0 failures\n");
}

#[test]
fn a_c_program_with_the_static_library() {
    functions("crou001", true, &[&libraries().join("libcroupier_uno.a")]);
}

#[test]
fn a_c_program_with_the_shared_library() {
    functions("crou001", true, &[&libraries().join("libcroupier_uno.so")]);
}

#[test]
fn the_example_strategy_of_the_guide() {
    let example = root().join("examples/uno/exam001_proj2.c");
    run(cc("-std=c89")
        .args(["-pedantic", "-fsyntax-only"])
        .arg(&example));
    functions("exam001", false, &[&example]);
}

/// Students' compilers are old and new, and some are for C++.
#[test]
fn the_headers_compile_everywhere() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("empty.c");
    std::fs::write(
        &source,
        "#include \"proj2.h\"\n#include \"croupier_uno.h\"\nint nothing;\n",
    )
    .unwrap();
    for standard in ["-std=c89", "-std=c99", "-std=c11", "-std=c17"] {
        run(cc(standard)
            .args(["-pedantic", "-fsyntax-only"])
            .arg(&source));
    }
    run(cc("-std=c++11")
        .args(["-x", "c++", "-pedantic", "-fsyntax-only"])
        .arg(&source));
}

/// Only the four functions are visible, so that nothing of ours gets in the way of a program's
/// own names.
#[test]
fn the_shared_library_shows_four_functions_and_nothing_else() {
    let library = libraries().join("libcroupier_uno.so");
    let said = run(Command::new("nm")
        .args(["-D", "--defined-only"])
        .arg(library));
    let names: Vec<&str> = said
        .lines()
        .filter_map(|line| line.split(' ').next_back())
        .collect();
    let four = ["CreateDeck", "Play", "ShuffleDeck", "ValidSelection"];
    assert_eq!(names, four.map(|name| format!("crou001_{name}")));
}
