//! The C library as C sees it: programs compiled with the C compiler and linked with the static
//! and the shared library, and the example strategy of the guide.

#![expect(clippy::unwrap_used, reason = "a test may fail by panicking")]

use std::os::unix::fs::symlink;
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

const TESTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/functions.c");

/// The commands that a text shows for a program of one's own, in the order in which they stand.
fn shown(file: &str) -> Vec<String> {
    let text = std::fs::read_to_string(root().join(file)).unwrap();
    let lines = text.lines().map(|line| line.trim_start_matches([' ', '*']));
    let commands = lines.filter(|line| line.starts_with("cc -I include main.c "));
    commands.map(str::to_owned).collect()
}

/// Types in a command of the guide where it holds, with the test program for main.c, and runs what
/// it makes.
fn typed_in(command: &str) {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name);
    let main = format!("#define PREFIX crou001\n#define ROBUST\n#include \"{TESTS}\"\n");
    std::fs::write(place("main.c"), main).unwrap();
    symlink(root().join("include"), place("include")).unwrap();
    std::fs::create_dir(place("target")).unwrap();
    symlink(libraries(), place("target/release")).unwrap();
    run(Command::new("sh")
        .args(["-c", command])
        .current_dir(folder.path()));
    let said = run(Command::new(place("a.out"))
        .env("LD_LIBRARY_PATH", "target/release")
        .current_dir(folder.path()));
    assert_eq!(said, "0 failures\n");
}

#[test]
fn the_page_and_the_header_show_commands_that_work() {
    let commands = shown("docs/games/uno.md");
    assert_eq!(commands, shown("include/croupier_uno.h"));
    let [with_static, with_shared] = &commands[..] else {
        panic!("{commands:?}");
    };
    assert!(with_static.contains("libcroupier_uno.a"), "{with_static}");
    assert!(with_shared.contains("-lcroupier_uno"), "{with_shared}");
    run(cc("-std=c11").args(["-fsyntax-only", "-DPREFIX=crou001", "-DROBUST", TESTS]));
    typed_in(with_static);
    typed_in(with_shared);
}

#[test]
fn the_example_strategy_of_the_guide() {
    let example = root().join("examples/uno/exam001_proj2.c");
    run(cc("-std=c89")
        .args(["-pedantic", "-fsyntax-only"])
        .arg(&example));
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("functions");
    run(cc("-std=c11").args(["-DPREFIX=exam001", TESTS]).args([
        &example,
        Path::new("-o"),
        &program,
    ]));
    assert_eq!(run(&mut Command::new(&program)), "0 failures\n");
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
