//! Strategies for Uno as C files and shared objects: good ones, and all that can be wrong with
//! one.

#![expect(clippy::unwrap_used, reason = "a test may fail by panicking")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

/// Plays the first card that can be played; `SPOILED` is what goes wrong before.
const FIRST: &str = r#"
#include "proj2.h"
static int spoiled(GameState *g);
static int is_wild(Card card) { return card.type == WILD || card.type == WILD_D4; }
int good001_Play(GameState *g)
{
    Card top = g->discardPile[g->numberOfDiscards - 1];
    int colour = is_wild(top) ? g->lastColourCalled : top.colour;
    int special = spoiled(g);
    if (special) {
        return special;
    }
    for (int i = 0; i < g->yourNumberOfCards; i++) {
        Card card = g->yourCards[i];
        if (is_wild(card)) {
            return GREEN + i;
        }
        if (card.colour == colour ||
            (!is_wild(top) && card.type == top.type && card.value == top.value)) {
            return i;
        }
    }
    return -1;
}
"#;

struct Bench(TempDir);

impl Bench {
    fn new() -> Bench {
        Bench(tempfile::tempdir().unwrap())
    }

    fn file(&self, name: &str, text: &str) -> String {
        let path = self.0.path().join(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    }

    /// A strategy in which something is done before every decision.
    fn spoiled(&self, name: &str, body: &str) -> String {
        let text = format!("{FIRST}\nstatic int spoiled(GameState *g) {{ (void)g; {body} }}\n");
        self.file(name, &text)
    }

    fn good(&self) -> String {
        self.spoiled("good.c", "return 0;")
    }
}

fn example() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/uno/exam001_proj2.c")
}

fn croupier(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_croupier"))
        .args(arguments)
        .output()
        .unwrap()
}

fn json(arguments: &[&str], status: i32) -> Value {
    let output = croupier(arguments);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(status), "{arguments:?}: {said}");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The faults of the first player in a match against three players that come with the game.
fn faults(strategy: &str, more: &[&str]) -> Vec<(String, String)> {
    let arguments = ["match", "uno", strategy, "naive", "naive", "naive"];
    let fixed = ["--json", "--seed", "6"];
    let report = json(&[&arguments[..], &fixed[..], more].concat(), 0);
    let games = report["games"].as_array().unwrap();
    let faults = games
        .iter()
        .flat_map(|game| game["faults"].as_array().unwrap());
    faults
        .map(|fault| {
            assert_eq!(fault["culprit"], "bot");
            assert_eq!(fault["seat"], 0);
            let text = |name: &str| fault[name].as_str().unwrap().to_owned();
            (text("kind"), text("detail"))
        })
        .collect()
}

/// All faults are of this kind, and there are some; the first one says why.
fn fails(strategy: &str, kind: &str, why: &str, more: &[&str]) {
    let faults = faults(strategy, more);
    assert!(!faults.is_empty(), "{strategy} plays");
    for (found, detail) in &faults {
        assert_eq!(found, kind, "{detail}");
    }
    assert!(faults[0].1.contains(why), "{}", faults[0].1);
}

#[test]
fn a_c_file_and_a_shared_object_play_the_same_in_every_tier() {
    let bench = Bench::new();
    let c = bench.good();
    let so = bench.0.path().join("good.so");
    let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../include");
    let compiled = Command::new("cc")
        .args(["-shared", "-fPIC", "-I"])
        .args([&include, Path::new("-o"), &so, Path::new(&c)])
        .status();
    assert!(compiled.unwrap().success());
    let play = |file: &str, tier: &str| {
        let report = json(
            &[
                "match",
                "uno",
                file,
                "careful",
                "--games",
                "8",
                "--seed",
                "3",
                "--json",
                "--sandbox",
                tier,
            ],
            0,
        );
        let games = report["games"].as_array().unwrap().clone();
        assert!(
            games
                .iter()
                .all(|game| game["faults"].as_array().unwrap().is_empty())
        );
        games
    };
    let games = play(&c, "none");
    assert_eq!(games, play(&c, "limits"));
    assert_eq!(games, play(&c, "strict"));
    assert_eq!(games, play(so.to_str().unwrap(), "strict"));
}

/// What our host needs of it is little, and not the strategy's fault.
#[test]
fn a_strategy_plays_with_few_open_files() {
    let bench = Bench::new();
    let good = bench.good();
    for tier in ["none", "limits", "strict"] {
        for most in ["8", "101", "102"] {
            let held = ["--sandbox", tier, "--open-files-limit", most];
            assert_eq!(faults(&good, &held), [], "{held:?}");
        }
    }
}

#[test]
fn any_integer_is_an_answer_and_most_are_illegal() {
    let bench = Bench::new();
    for (number, why) in [
        ("-2", "-2 is no selection"),
        ("9999", "there is no place 9999"),
        ("50000", "50000, which is no colour"),
        ("2147483647", "no colour"),
        ("-2147483647 - 1", "-2147483648 is no selection"),
    ] {
        let strategy = bench.spoiled("any.c", &format!("return {number};"));
        fails(&strategy, "illegal", why, &[]);
    }
}

#[test]
fn a_strategy_that_loops_is_late() {
    let bench = Bench::new();
    let strategy = bench.spoiled("loops.c", "volatile int on = 1; while (on) {} return 0;");
    let soon = ["--time-limit", "20ms", "--max-turns", "12"];
    fails(
        &strategy,
        "timeout",
        "it did not answer within 20 ms",
        &soon,
    );
}

#[test]
fn a_strategy_that_loops_while_it_is_loaded_is_waited_for_once_a_game() {
    let bench = Bench::new();
    let starts = bench.0.path().join("starts");
    let loops = format!(
        "__attribute__((constructor)) static void never(void)\n\
         {{ FILE *starts = fopen(\"{}\", \"a\"); fputc('x', starts); fclose(starts); for (;;); }}\n",
        starts.display()
    );
    let good = fs::read_to_string(bench.good()).unwrap();
    let strategy = bench.file("never.c", &format!("{good}{loops}"));
    let options = ["--start-limit", "2s", "--games", "3"];
    let late = "it could not be loaded: it did not answer within 2 s";
    fails(&strategy, "timeout", late, &options);
    assert_eq!(fs::read_to_string(starts).unwrap(), "xxx");
}

#[test]
fn crashes_and_exits_are_told_apart() {
    let bench = Bench::new();
    let crash = bench.spoiled("crash.c", "*(volatile int *)0 = 1; return 0;");
    fails(&crash, "crash", "signal 11 (SIGSEGV)", &[]);
    let ends = bench.spoiled("ends.c", "exit(3);");
    fails(&ends, "crash", "status 3", &[]);
    let leaves = bench.spoiled("leaves.c", "exit(0);");
    fails(&leaves, "malformed", "it ended without an answer", &[]);
    let frees = bench.spoiled("frees.c", "void *gift = g; free(gift); return 0;");
    fails(&frees, "crash", "SIGABRT", &[]);
}

#[test]
fn after_a_crash_the_host_is_started_again() {
    let bench = Bench::new();
    let once = "static int calls; if (++calls == 3) abort(); return 0;";
    let strategy = bench.spoiled("thrice.c", once);
    let faults = faults(&strategy, &["--games", "4"]);
    assert!(
        faults.len() > 3,
        "every third decision of a host: {faults:?}"
    );
    assert!(faults.iter().all(|(kind, _)| kind == "crash"));
}

#[test]
fn scribbling_over_the_state_and_printing_disturb_nobody() {
    let bench = Bench::new();
    let scribbles = bench.spoiled(
        "scribbles.c",
        "static GameState copy; static int before; \
         if (before && g->numberOfPlayers != 4) abort(); before = 1; \
         copy = *g; for (unsigned i = 0; i < sizeof *g; i++) ((char *)g)[i] = 0x77; *g = copy; \
         printf(\"7\\n\"); fflush(stdout); puts(\"-1\"); return 0;",
    );
    assert_eq!(faults(&scribbles, &["--games", "4"]), []);
    let reads = bench.spoiled("reads.c", "return getchar() == EOF ? 0 : 12345;");
    assert_eq!(faults(&reads, &[]), []);
}

#[test]
fn what_a_strategy_prints_is_kept_with_its_fault() {
    let bench = Bench::new();
    let strategy = bench.spoiled("talks.c", "printf(\"I am lost\\n\"); abort();");
    fails(&strategy, "crash", "I am lost", &[]);
}

/// One line or more on the standard error and status 2.
fn refused(file: &str) -> String {
    let output = croupier(&["match", "uno", file]);
    assert_eq!(output.status.code(), Some(2), "{file}");
    assert!(output.stdout.is_empty());
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn what_is_no_strategy_is_refused_with_the_reason() {
    let bench = Bench::new();
    let none = bench.file(
        "none.c",
        "#include \"proj2.h\"\nint player(GameState *g) { return 0; }\n",
    );
    assert!(refused(&none).contains("no function whose name ends with _Play"));
    let two = "#include \"proj2.h\"\n\
               int bbbb001_Play(GameState *g) { return -1; }\n\
               int aaaa001_Play(GameState *g) { return -1; }\n";
    let said = refused(&bench.file("two.c", two));
    assert!(
        said.contains("several: aaaa001_Play, bbbb001_Play"),
        "{said}"
    );
    let broken = bench.file(
        "broken.c",
        "#include \"proj2.h\"\nint abcd001_Play(GameState *g) {\n",
    );
    let said = refused(&broken);
    assert!(
        said.contains("does not compile") && said.contains("error:"),
        "{said}"
    );
    let calls = "#include \"proj2.h\"\nint nowhere(void);\n\
                 int abcd001_Play(GameState *g) { return nowhere(); }\n";
    let said = refused(&bench.file("calls.c", calls));
    assert!(
        said.contains("undefined reference") && said.contains("nowhere"),
        "{said}"
    );
    assert!(refused(&bench.file("text.so", "no object")).contains("no shared object"));
    fs::create_dir(bench.0.path().join("folder.c")).unwrap();
    let folder = bench.0.path().join("folder.c");
    assert!(refused(folder.to_str().unwrap()).contains("is a directory"));
}

#[test]
fn a_strategy_in_cpp_is_declared_for_c() {
    let bench = Bench::new();
    let good = fs::read_to_string(bench.good()).unwrap();
    let said = refused(&bench.file("mangled.cpp", &good));
    assert!(said.contains("extern \"C\" before it"), "{said}");
    let declared = good.replace("int good001_Play", "extern \"C\" int good001_Play");
    assert_eq!(faults(&bench.file("declared.cpp", &declared), &[]), []);
}

/// Strategies that bring the header of their course along, and take ours as well.
#[test]
fn a_strategy_may_include_its_courses_header_and_ours() {
    let bench = Bench::new();
    let ours = include_str!("../../../include/croupier_uno.h");
    // The same types and constants without a guard and without our ways of avoiding a clash.
    let types = &ours[ours.find("typedef struct").unwrap()..ours.find("} GameState;").unwrap()];
    let constants: String = ours
        .lines()
        .filter(|line| line.starts_with("#define") && line.split(' ').count() == 3)
        .filter(|line| line.ends_with(|last: char| last.is_ascii_digit()))
        .map(|line| format!("{line}\n"))
        .collect();
    let course = format!("{constants}#define PENALTY 6\n{types}}} GameState;\n");
    bench.file("proj2.h", &course);
    let good = fs::read_to_string(bench.good()).unwrap();
    let (_, body) = good.split_once("#include \"proj2.h\"\n").unwrap();
    let (ours, theirs) = ("#include \"croupier_uno.h\"\n", "#include \"proj2.h\"\n");
    for (name, headers) in [("before.c", [theirs, ours]), ("after.c", [ours, theirs])] {
        let strategy = bench.file(name, &format!("{}{body}", headers.concat()));
        assert_eq!(faults(&strategy, &["--sandbox", "strict"]), [], "{name}");
    }
}

#[test]
fn a_function_with_the_prefix_of_the_strategy_is_its_helper() {
    let bench = Bench::new();
    let good = fs::read_to_string(bench.good()).unwrap();
    let helpers = "int good001_Best_Play(GameState *g) { return g->yourPosition; }\n\
                   int good001_Play_Play(GameState *g) { return g->yourPosition; }\n";
    let helped = bench.file("helped.c", &format!("{good}{helpers}"));
    assert_eq!(faults(&helped, &[]), []);
    let other = "int good0012_Play(GameState *g) { return g->yourPosition; }\n";
    let said = refused(&bench.file("two.c", &format!("{good}{helpers}{other}")));
    assert!(
        said.contains("several: good001_Play, good0012_Play"),
        "{said}"
    );
}

/// A strategy that notes its calls and answers with the number that a file beside it tells.
fn helped(bench: &Bench, folder: &str, number: i32) -> String {
    fs::create_dir_all(bench.0.path().join(folder)).unwrap();
    let header = format!("#define ANSWER ({number})\n");
    bench.file(&format!("{folder}/helper.h"), &header);
    let notes = bench.0.path().join("calls");
    let text = format!(
        "#include \"proj2.h\"\n#include \"helper.h\"\nint abcd001_Play(GameState *g)\n{{\n\
         FILE *notes = fopen(\"{}\", \"a\"); fputc('x', notes); fclose(notes);\n\
         return ANSWER;\n}}\n",
        notes.display()
    );
    bench.file(&format!("{folder}/helped.c"), &text)
}

#[test]
fn what_a_strategy_includes_is_part_of_it() {
    let bench = Bench::new();
    let untied = ["--sandbox", "none"];
    let mine = helped(&bench, "mine", -7);
    fails(&mine, "illegal", "selection -7:", &untied);
    helped(&bench, "mine", -8);
    fails(&mine, "illegal", "selection -8:", &untied);
    let theirs = helped(&bench, "theirs", -9);
    fails(&theirs, "illegal", "selection -9:", &untied);
    fs::remove_file(bench.0.path().join("mine/helper.h")).unwrap();
    let said = refused(&mine);
    let named = format!("{mine} does not compile:\n{mine}:2:10: fatal error: helper.h");
    assert!(said.contains(&named), "{said}");
}

#[test]
fn a_contest_notices_what_has_changed_in_a_file_that_is_included() {
    let bench = Bench::new();
    let out = bench.0.path().join("results");
    let fixed = ["--rounds", "1", "--seed", "1", "--sandbox", "none", "--out"];
    let calls = |strategy: &str| {
        let players = ["tournament", "uno", strategy, "careful", "naive", "random"];
        let arguments = [&players[..], &fixed, &[out.to_str().unwrap(), "--json"]];
        json(&arguments.concat(), 0);
        fs::metadata(bench.0.path().join("calls")).unwrap().len()
    };
    let mine = helped(&bench, "mine", -7);
    let first = calls(&mine);
    assert!(first > 0);
    assert_eq!(calls(&mine), first);
    helped(&bench, "mine", -8);
    let second = calls(&mine);
    assert!(second > first, "it plays its games again");
    let moved = helped(&bench, "elsewhere", -8);
    assert_eq!(calls(&moved), second, "it is the same wherever it is");
}

/// Kind and detail of each failure that a check finds; none if it is content.
fn checked(file: &str) -> Vec<(String, String)> {
    let arguments = ["check", "uno", file, "--json", "--seed", "2"];
    let output = croupier(&[&arguments[..], &["--situations", "300"]].concat());
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let failures = report["failures"].as_array().unwrap();
    assert_eq!(output.status.code(), Some(i32::from(!failures.is_empty())));
    assert_eq!(report["ok"], failures.is_empty());
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    failures
        .iter()
        .map(|failure| (text(&failure["kind"]), text(&failure["detail"])))
        .collect()
}

#[test]
fn the_example_passes_its_check() {
    assert_eq!(checked(example().to_str().unwrap()), []);
}

#[test]
fn a_check_tells_which_functions_are_missing() {
    let bench = Bench::new();
    let failures = checked(&bench.good());
    let missing = ["CreateDeck", "ShuffleDeck", "ValidSelection"];
    assert_eq!(failures.len(), missing.len(), "{failures:?}");
    for ((kind, detail), name) in failures.iter().zip(missing) {
        assert_eq!(kind, "malformed");
        assert_eq!(*detail, format!("there is no function good001_{name}"));
    }
    let none = bench.file("none.c", "int nothing;\n");
    assert_eq!(checked(&none)[0].0, "malformed");
    let broken = bench.file("broken.c", "int nothing\n");
    assert_eq!(checked(&broken)[0].0, "compile");
}

/// The example with one thing changed, which must be there to change.
fn changed(bench: &Bench, from: &str, to: &str) -> String {
    let text = fs::read_to_string(example()).unwrap();
    assert!(text.contains(from), "{from}");
    bench.file("changed.c", &text.replace(from, to))
}

#[test]
fn a_check_finds_what_is_wrong_with_deck_shuffle_and_checker() {
    let bench = Bench::new();
    for (from, to, kind, why) in [
        ("number = copy;", "number = 0;", "illegal", "CreateDeck"),
        (
            "deck->numCards = 0;\n",
            "deck->numCards = 1;\n",
            "illegal",
            "CreateDeck",
        ),
        (
            "drawn = drawn % (place + 1);",
            "drawn = rand() % numberOfCards;",
            "illegal",
            "ShuffleDeck is not fair",
        ),
        (
            "drawn = drawn % (place + 1);",
            "drawn = rand() % MAX_CARDS;",
            "illegal",
            "ShuffleDeck of 2 cards touches place",
        ),
        (
            "        deck->cards[drawn] = card;",
            "",
            "illegal",
            "leaves another card",
        ),
        (
            "colour >= RED && colour <= YELLOW",
            "colour >= RED && colour <= NONE",
            "illegal",
            "ValidSelection allows the selection",
        ),
        (
            "return colour == 0 && exam001_Matches(gameInfo, index);",
            "return 0;",
            "illegal",
            "which is valid",
        ),
    ] {
        let failures = checked(&changed(&bench, from, to));
        let found = failures
            .iter()
            .any(|(found, detail)| found == kind && detail.contains(why));
        assert!(found, "{to}: {failures:?}");
    }
}

#[test]
fn a_step_beside_the_deck_is_found_with_sanitizers() {
    let bench = Bench::new();
    let beside = changed(
        &bench,
        "    for (place = numberOfCards - 1;",
        "    deck->cards[numberOfCards].value += 0;\n    for (place = numberOfCards - 1;",
    );
    let failures = checked(&beside);
    let [(kind, detail)] = &failures[..] else {
        panic!("{failures:?}");
    };
    assert_eq!(kind, "crash");
    assert!(detail.starts_with("memory error at changed.c:"), "{detail}");
    assert!(detail.contains("index 108 out of bounds"), "{detail}");
}

#[test]
fn a_fault_is_made_again_from_its_record() {
    let bench = Bench::new();
    let strategy = bench.spoiled("now.c", "if (rand() % 4 == 0) abort(); return 0;");
    let out = bench.0.path().join("results");
    let out = out.to_str().unwrap();
    let found = faults(&strategy, &["--out", out, "--games", "4"]);
    assert!(found.len() > 1, "{found:?}");
    let kept = fs::read_dir(Path::new(out).join("faults")).unwrap();
    for file in kept {
        let file = file.unwrap().path();
        let id = file.file_stem().unwrap().to_str().unwrap();
        let output = croupier(&["repro", out, id]);
        let said = String::from_utf8(output.stdout).unwrap();
        assert!(said.contains("yourCards 0 "), "{said}");
        assert!(said.contains("It was killed by signal 6."), "{said}");
    }
}

#[test]
fn what_a_strategy_answered_then_it_answers_now() {
    let bench = Bench::new();
    let strategy = bench.spoiled("two.c", "return -2;");
    let out = bench.0.path().join("results");
    let out = out.to_str().unwrap();
    faults(&strategy, &["--out", out, "--max-turns", "4"]);
    let output = croupier(&["repro", out, "1-1"]);
    let said = String::from_utf8(output.stdout).unwrap();
    let both = "It answered then\n  -2\nIt answers now\n  -2\n";
    assert!(said.contains(both), "{said}");
}

#[test]
fn a_tournament_goes_on_whatever_a_strategy_does() {
    let bench = Bench::new();
    let good = bench.good();
    let shaky = bench.spoiled("shaky.c", "if (rand() % 40 == 0) abort(); return 0;");
    let arguments = [
        "tournament",
        "uno",
        &good,
        &shaky,
        "careful",
        "naive",
        "--rounds",
        "3",
        "--seed",
        "1",
        "--json",
        "--penalties",
    ];
    let report = json(&arguments, 0);
    assert_eq!(report["game"], "uno");
    assert_eq!(report["rounds"], 3);
    assert_eq!(report["games"], 72);
    assert_eq!(report["sandbox"], "strict");
    let standings = report["standings"].as_array().unwrap();
    let total = |what: &str| -> f64 {
        let numbers = standings
            .iter()
            .map(|player| player[what].as_f64().unwrap());
        numbers.sum()
    };
    assert_eq!(total("wins"), 72.0);
    assert_eq!(total("points"), 72.0 * 6.0);
    assert!(total("score") > 72.0 * 50.0);
    assert!(standings.is_sorted_by_key(|player| -2 * player["wins"].as_i64().unwrap()));
    let faults = |name: &str| {
        let found = standings.iter().find(|player| player["name"] == name);
        found.unwrap()["faults"].as_u64().unwrap()
    };
    assert_eq!(faults("good") + faults("careful") + faults("naive"), 0);
    assert!(faults("shaky") > 5);
    let penalties = report["penalties"].as_array().unwrap();
    assert_eq!(penalties.len() as u64, faults("shaky"));
    for penalty in penalties {
        assert_eq!(penalty["name"], "shaky");
        assert_eq!(penalty["kind"], "crash");
        let state = penalty["state"].as_str().unwrap();
        let position = format!("\nyourPosition {}\n", penalty["seat"]);
        assert!(state.contains(&position), "{state}");
    }
    let told = croupier(&[&arguments[..10], &["--penalties"]].concat()).stdout;
    let told = String::from_utf8(told).unwrap();
    assert!(
        told.contains(": shaky in the first seat selected nothing: "),
        "{told}"
    );
    assert!(!told.contains("in seat "), "{told}");
    // The scores so far are shown: in the last games they are high.
    let shown = penalties.last().unwrap()["state"].as_str().unwrap();
    let (_, shown) = shown.split_once("allPlayersScores").unwrap();
    let scores = shown.split_whitespace().map(str::parse::<i64>);
    assert!(scores.flatten().any(|score| score > 500), "{shown}");
    let timeless = |mut report: Value| {
        for of_this_run in ["run", "seconds", "decisions_per_second"] {
            report.as_object_mut().unwrap().shift_remove(of_this_run);
        }
        report
    };
    assert_eq!(
        timeless(json(&arguments, 0)),
        timeless(report),
        "the seed fixes all"
    );
}

/// One round gives the same chi-square whoever plays.
#[test]
fn so_few_rounds_cannot_tell_who_is_equal() {
    let said = |rounds: &str, first: &str| {
        let arguments = ["tournament", "uno", first, "naive", "naive", "naive"];
        let output = croupier(&[&arguments[..], &["--rounds", rounds, "--seed", "3"]].concat());
        String::from_utf8(output.stdout).unwrap()
    };
    for (first, line) in [
        (
            "naive",
            "All are the same player: is the table fair? 1 round cannot tell, 6 could:",
        ),
        ("careful", "Are all equal? 1 round cannot tell, 3 could:"),
    ] {
        let told = said("1", first);
        assert!(told.contains(line), "{told}");
        assert!(told.contains("chi-square 3.00"), "{told}");
    }
    assert!(said("5", "naive").contains("5 rounds cannot tell"));
    assert!(said("6", "naive").contains("is the table fair? Nothing speaks against it:"));
}

/// With a fixed seed the answer is always the same; equal players are told apart with a
/// probability of one in a thousand.
#[test]
fn equal_strategies_share_equally_and_better_ones_do_not() {
    let p = |players: [&str; 4]| {
        let arguments = [
            "tournament",
            "uno",
            "--rounds",
            "200",
            "--seed",
            "9",
            "--json",
        ];
        let report = json(&[&arguments[..], &players].concat(), 0);
        report["equal_shares"]["p"].as_f64().unwrap()
    };
    assert!(p(["naive"; 4]) > 0.001);
    assert!(p(["naive", "naive", "careful", "naive"]) < 1e-6);
}

#[test]
fn who_moves_on_takes_the_scores_along() {
    let bench = Bench::new();
    let out = bench.0.path().join("results");
    let out = out.to_str().unwrap();
    // With their own scores the players know themselves in every seat.
    let knows = bench.spoiled(
        "knows.c",
        "return g->allPlayersScores[g->yourPosition] == 7 ? 0 : -9;",
    );
    let options = ["--games", "4", "--scores", "7,20,30,40", "--out", out];
    assert_eq!(faults(&knows, &options), []);
    let record = fs::read_to_string(Path::new(out).join("records/2.jsonl")).unwrap();
    assert!(record.contains("\"scores\":[40,7,20,30]"), "{record}");
}

#[test]
fn a_contest_counts_the_scores_itself() {
    let players = ["uno", "careful", "naive", "naive", "naive"];
    let scores = ["--scores", "1,2,3,4"];
    let output = croupier(&[&["tournament"], &players[..], &scores].concat());
    assert_eq!(output.status.code(), Some(2));
    let output = croupier(&[&["compare"], &players[..3], &scores].concat());
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("unexpected argument '--scores'"), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
}
