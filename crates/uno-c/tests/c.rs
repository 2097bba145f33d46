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

/// A header as a course hands it out: without a guard, and with types that have no tags.
const COURSE: &str = "\
#include <stdio.h>\n#include <stdlib.h>\n#include <time.h>
#define NUMBER   0\n#define SKIP     1\n#define REVERSE  2\n#define DRAW_TWO 3
#define WILD     4\n#define WILD_D4  5\n#define PENALTY  6\n#define LEFT     7\n#define RIGHT    8
#define RED    10000\n#define GREEN  20000\n#define BLUE   30000\n#define YELLOW 40000
#define NONE   50000\n#define MAX_CARDS 108\n#define MAX_PLAYERS 4
typedef struct {\n    int type;\n    int colour;\n    int value;\n} Card;
typedef struct {\n    Card cards[MAX_CARDS];\n    int numCards;\n} Deck;
typedef struct {
    int numberOfPlayers;\n    int directionOfPlay;\n    int lastColourCalled;
    int yourPosition;\n    int yourNumberOfCards;\n    Card yourCards[MAX_CARDS];
    int numberOfDiscards;\n    Card discardPile[MAX_CARDS];
    int allPlayersCardsLeft[MAX_PLAYERS];\n    int allPlayersColoursCalled[MAX_PLAYERS];
    int allPlayersScores[MAX_PLAYERS];\n} GameState;
";

/// A program that uses the types, the constants and our functions, and prints the cards it counted.
const MARKER: &str = "\
#include \"players.h\"
int abcd001_Play(GameState *g) { Card first = g->yourCards[0]; return first.type - PENALTY; }
int main(void)
{
    static GameState state;
    static Deck deck;
    int points = 0, i;
    crou001_CreateDeck(&deck);
    crou001_ShuffleDeck(&deck, MAX_CARDS);
    for (i = 0; i < deck.numCards; i++) points += deck.cards[i].value;
    state.yourNumberOfCards = state.numberOfDiscards = 1;
    state.yourCards[0] = deck.cards[0];
    state.discardPile[0] = deck.cards[0];
    state.lastColourCalled = RED;
    printf(\"%d %d %d\\n\", points, crou001_ValidSelection(&state, -2),
           crou001_Play(&state) >= 0 && abcd001_Play(&state) < 0);
    return 0;
}
";

/// Both headers in one file, and another one that uses the types after them.
#[test]
fn a_courses_own_header_may_come_before_ours_or_after_it() {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name);
    std::fs::write(place("proj2.h"), COURSE).unwrap();
    std::fs::write(place("players.h"), "int abcd001_Play(GameState *);\n").unwrap();
    let (ours, theirs) = ("#include \"croupier_uno.h\"\n", "#include \"proj2.h\"\n");
    let stdio = "#include <stdio.h>\n";
    let table = "int (*players[])(GameState *) = {crou001_Play, abcd001_Play};\n";
    let library = libraries().join("libcroupier_uno.so");
    for (number, headers) in [[ours, theirs], [theirs, ours], [ours, stdio], [stdio, ours]]
        .into_iter()
        .enumerate()
    {
        let source = place(&format!("main{number}.c"));
        std::fs::write(&source, headers.concat() + MARKER + table).unwrap();
        for standard in ["-std=gnu89", "-std=c99", "-std=c17"] {
            let program = place("marker");
            let mut command = cc(standard);
            command.arg(&source).arg(&library).arg("-o").arg(&program);
            command.arg(format!("-Wl,-rpath,{}", libraries().display()));
            run(&mut command);
            assert_eq!(
                run(&mut Command::new(&program)),
                "1240 0 1\n",
                "{headers:?}"
            );
        }
        // No table of functions here: where types are checked more strictly, it wants theirs first.
        std::fs::write(&source, headers.concat() + MARKER).unwrap();
        for standard in ["-std=c++11", "-std=gnu++20"] {
            run(cc(standard)
                .args(["-x", "c++", "-fsyntax-only"])
                .arg(&source));
        }
        run(cc("-std=gnu2x").arg("-fsyntax-only").arg(&source));
    }
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
