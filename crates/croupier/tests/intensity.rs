//! `croupier match`, `check` and `repro` with programs that play Intensity.

#![expect(clippy::unwrap_used, reason = "a test may fail by panicking")]

use std::fs::{self, Permissions};
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::Value;
use tempfile::TempDir;

/// A file that is being written cannot be started, and whoever is born while it is written holds
/// it open for a moment: so nobody is born meanwhile.
fn alone() -> MutexGuard<'static, ()> {
    static WRITING_OR_STARTING: Mutex<()> = Mutex::new(());
    WRITING_OR_STARTING
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
}

/// A folder of programs in which croupier is run.
struct Bench(TempDir);

impl Bench {
    fn new() -> Bench {
        Bench(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        let _alone = alone();
        fs::write(self.path(name), text).unwrap();
        fs::set_permissions(self.path(name), Permissions::from_mode(0o755)).unwrap();
    }

    /// A player for the shell which does this before it plays its lowest legal card. There, `$1`
    /// is the question and `$2` the number of cards in hand.
    fn player(&self, name: &str, first: &str) {
        self.write(name, &PLAYS_LOW.replace("FIRST", first));
    }

    /// Runs a program with this input; whatever is started is started here.
    fn start(&self, command: &mut Command, input: &[u8]) -> Output {
        command
            .current_dir(self.0.path())
            .env("XDG_CACHE_HOME", self.path("cache"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = {
            let _alone = alone();
            command.spawn().unwrap()
        };
        // Not everybody reads all of it.
        let _ = child.stdin.take().unwrap().write_all(input);
        child.wait_with_output().unwrap()
    }

    fn croupier(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_croupier"));
        self.start(command.args(arguments), b"")
    }

    /// What croupier prints in JSON, and its status.
    fn json(&self, arguments: &[&str]) -> (Value, Option<i32>) {
        let output = self.croupier(&[arguments, &["--json"]].concat());
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(said, "", "{arguments:?}");
        let report = serde_json::from_slice(&output.stdout).unwrap();
        (report, output.status.code())
    }

    /// What croupier prints when all is well.
    fn printed(&self, arguments: &[&str]) -> String {
        let output = self.croupier(arguments);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{said}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// The only failure that a check of this program finds.
    fn only_failure(&self, program: &str, more: &[&str]) -> Value {
        let check = ["check", "intensity", program, "--seed", "7"];
        let some = ["--situations", "100"];
        let (report, status) = self.json(&[&check[..], &some, more].concat());
        assert_eq!(status, Some(1), "{report}");
        assert_eq!(report["ok"], false);
        let failures = report["failures"].as_array().unwrap();
        assert_eq!(failures.len(), 1, "{report}");
        failures[0].clone()
    }

    /// What the program does with the input of a failure, without any of us in between.
    fn repeat(&self, program: &str, failure: &Value) -> Output {
        let input = failure["input"].as_str().unwrap();
        self.start(&mut Command::new(self.path(program)), input.as_bytes())
    }
}

const PLAYS_LOW: &str = r#"#!/bin/sh
set -- $(cat)
FIRST
case $1 in
0) echo 'Shelly' ;;
1) echo $2 $3 $4 ;;
2)
    held=$2 laid=$3 hand= lead= calf=
    shift 4
    while [ $held -gt 0 ]; do hand="$hand $1" held=$((held - 1)); shift; done
    if [ $laid -gt 0 ]; then lead=${1%?}; shift $laid; fi
    while [ $# -gt 6 ]; do [ ${1%?} = 3 ] && calf=seen; shift; done
    for card in $hand; do
        case $lead$calf/${card%?} in
        1*/1 | 2*/2 | 3*/3 | 4*/4 | /[124] | seen/?) break ;;
        esac
    done
    echo $card
    ;;
esac
"#;

/// A small player of the guide.
fn example(file: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/intensity");
    folder.canonicalize().unwrap().join(file)
}

/// Whether this tool is here; says so if it is not.
fn is_here(tool: &str) -> bool {
    let found = Command::new(tool).arg("--version").output();
    let found = found.is_ok_and(|output| output.status.success());
    if !found {
        eprintln!("skipped: there is no {tool} on this machine");
    }
    found
}

fn strict_is_possible(bench: &Bench) -> bool {
    let (report, _) = bench.json(&["doctor"]);
    let possible = report["tiers"]["strict"] == true;
    if !possible {
        eprintln!("skipped: {}", report["reasons"]["strict"]);
    }
    possible
}

#[test]
fn a_program_that_keeps_the_protocol_passes_the_check() {
    let bench = Bench::new();
    bench.player("shelly.sh", "");
    let check = ["check", "intensity", "shelly.sh", "--seed", "7"];
    let check = [&check[..], &["--situations", "150"]].concat();
    let (report, status) = bench.json(&check);
    assert_eq!(status, Some(0), "{report}");
    assert_eq!(report["player"], "shelly.sh");
    assert_eq!(report["ok"], true);
    assert_eq!(report["situations"], 150);
    assert_eq!(report["failures"], Value::Array(Vec::new()));
    let told = bench.printed(&check);
    let says =
        "Shelly at Intensity: no fault in 150 situations\n--seed 7\n\n  Among them: passing on, ";
    assert!(told.starts_with(says), "{told}");
    let single = bench.json(&[&check[..], &["--threads", "1"]].concat());
    assert_eq!(single, (report, status), "threads do not matter");
}

#[test]
fn the_example_players_pass_the_check_in_the_strictest_sandbox() {
    let bench = Bench::new();
    if !strict_is_possible(&bench) {
        return;
    }
    for (tool, file) in [("cc", "bot.c"), ("python3", "bot.py")] {
        if is_here(tool) {
            let file = example(file);
            let file = file.to_str().unwrap();
            let check = ["check", "intensity", file, "--sandbox", "strict"];
            bench.printed(&[&check[..], &["--situations", "100"]].concat());
        }
    }
}

/// As make has it: nothing is the usual compiler, and several words are a command.
#[test]
fn the_c_compiler_is_the_one_that_cc_names() {
    if !is_here("cc") {
        return;
    }
    let bench = Bench::new();
    let file = example("bot.c");
    let check = |compiler: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_croupier"));
        command.args(["check", "intensity"]).arg(&file);
        command.args(["--situations", "20"]);
        let cache = bench.path("cache");
        command.env("XDG_CACHE_HOME", cache).env("CC", compiler);
        bench.start(&mut command, b"")
    };
    for compiler in ["", "env  cc -DNDEBUG"] {
        let output = check(compiler);
        assert_eq!(output.status.code(), Some(0), "'{compiler}': {output:?}");
    }
    let output = check("no-such-compiler -O1");
    assert_eq!(output.status.code(), Some(3));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("'no-such-compiler -O1'"), "{said}");
}

#[test]
fn an_illegal_card_is_reported_with_an_input_that_repeats_it() {
    let bench = Bench::new();
    let leads_a_calf = r#"hand() { echo $* | cut -d' ' -f5-$((4 + $2)); }
    [ "$1 $3" = '2 0' ] && for c in $(hand $*); do
        case $c in 3?) echo $c; exit ;; esac
    done"#;
    bench.player("calf.sh", leads_a_calf);
    let failure = bench.only_failure("calf.sh", &[]);
    assert_eq!(failure["kind"], "illegal");
    let detail = failure["detail"].as_str().unwrap();
    assert!(detail.starts_with("play 3"), "{detail}");
    let answer = String::from_utf8(bench.repeat("calf.sh", &failure).stdout).unwrap();
    assert!(
        detail.starts_with(&format!("play {}: ", answer.trim())),
        "{detail} {answer}"
    );
}

#[test]
fn an_unreadable_answer_is_reported_with_an_input_that_repeats_it() {
    let bench = Bench::new();
    bench.player(
        "shy.sh",
        r#"[ "$1 $2" = '2 10' ] && echo perhaps the first && exit"#,
    );
    let failure = bench.only_failure("shy.sh", &[]);
    assert_eq!(failure["kind"], "malformed");
    assert_eq!(
        failure["detail"],
        "'perhaps the first' is not a two-digit number"
    );
    assert_eq!(
        bench.repeat("shy.sh", &failure).stdout,
        b"perhaps the first\n"
    );
}

#[test]
fn no_answer_is_reported_as_such() {
    let bench = Bench::new();
    bench.player("silent.sh", "[ $1 = 1 ] && exit");
    let failure = bench.only_failure("silent.sh", &[]);
    assert_eq!(failure["kind"], "malformed");
    assert_eq!(failure["detail"], "no answer");
    let input = failure["input"].as_str().unwrap();
    assert!(input.starts_with("1\n"), "{input}");
    assert_eq!(bench.repeat("silent.sh", &failure).stdout, b"");
}

#[test]
fn a_crash_is_reported_with_its_last_words_and_an_input_that_repeats_it() {
    let bench = Bench::new();
    let crash = |how| format!(r#"[ "$1 $2" = '2 1' ] && {{ echo 'oh dear' >&2; {how}; }}"#);
    bench.player("status.sh", &crash("exit 3"));
    let failure = bench.only_failure("status.sh", &[]);
    assert_eq!(failure["kind"], "crash");
    assert_eq!(failure["detail"], "it ended with status 3\noh dear");
    let again = bench.repeat("status.sh", &failure);
    assert_eq!(again.status.code(), Some(3));
    assert_eq!(again.stderr, b"oh dear\n");

    bench.player("signal.sh", &crash("kill -SEGV $$"));
    let failure = bench.only_failure("signal.sh", &[]);
    assert_eq!(failure["kind"], "crash");
    assert_eq!(
        failure["detail"],
        "it was killed by signal 11 (SIGSEGV)\noh dear"
    );
    assert_eq!(bench.repeat("signal.sh", &failure).status.code(), None);
}

#[test]
fn too_slow_and_too_much_are_reported_each_as_its_own_kind() {
    let bench = Bench::new();
    bench.player("slow.sh", r#"[ "$1 $2 $3" = '2 1 0' ] && sleep 60"#);
    let failure = bench.only_failure("slow.sh", &["--time-limit", "2s"]);
    assert_eq!(failure["kind"], "timeout");
    assert_eq!(failure["detail"], "it did not answer within 2 s");
    let input = failure["input"].as_str().unwrap();
    assert!(input.starts_with("2\n1 0 "), "{input}");

    bench.player("loud.sh", "[ $1 = 1 ] && yes 12");
    let failure = bench.only_failure("loud.sh", &[]);
    assert_eq!(failure["kind"], "output");
    assert_eq!(failure["detail"], "it wrote more than 65536 bytes");

    bench.write(
        "greedy.c",
        r#"
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        int main(void) {
            for (int megabyte = 0; megabyte < 64; megabyte++) {
                char *more = malloc(1 << 20);
                if (!more) return 1;
                memset(more, 1, 1 << 20);
            }
            return 0;
        }"#,
    );
    let failure = bench.only_failure("greedy.c", &["--memory-limit", "32M"]);
    assert_eq!(failure["kind"], "memory", "{failure}");

    bench.write("letter", "Dear referee,\nplease let me play.\n");
    let failure = bench.only_failure("./letter", &[]);
    assert_eq!(failure["kind"], "start");
}

#[test]
fn a_program_that_always_hangs_is_not_asked_for_long() {
    let bench = Bench::new();
    bench.player("asleep.sh", "sleep 60");
    let (report, status) = bench.json(&[
        "check",
        "intensity",
        "asleep.sh",
        "--time-limit",
        "200ms",
        "--seed",
        "7",
        "--threads",
        "1",
        // Or else ten seconds end it, which a busy machine may need for one.
        "--situations",
        "80",
    ]);
    assert_eq!(status, Some(1));
    assert_eq!(report["situations"], 3);
    assert_eq!(report["failures"][0]["kind"], "timeout");
}

/// A program that lives on has to bear the end of a game.
#[test]
fn who_does_not_survive_the_end_of_a_game_is_found() {
    let bench = Bench::new();
    bench.write(
        "mortal.sh",
        r#"#!/bin/sh
while read -r line; do
    case $line in
    *'"type":"hello"'*) echo '{"type":"ready","name":"mortal"}' ;;
    *'"type":"over"'*) exit 3 ;;
    *'"type":"turn"'*)
        id=${line#*\"id\":}
        move=${line#*\"legal\":[\"}
        echo "{\"type\":\"move\",\"id\":${id%%,*},\"move\":\"${move%%\"*}\"}"
        ;;
    esac
done
"#,
    );
    // In every other situation it is found dead. After an odd number it is alive, and told to quit.
    let check = ["check", "intensity", "json:./mortal.sh", "--seed", "7"];
    let in_turn = ["--situations", "21", "--threads", "1"];
    let (report, status) = bench.json(&[&check[..], &in_turn].concat());
    assert_eq!(status, Some(1), "{report}");
    let failures = report["failures"].as_array().unwrap();
    let details: Vec<&Value> = failures.iter().map(|failure| &failure["detail"]).collect();
    let end = "after quit: it ended with status 3";
    assert_eq!(details, [end, "it ended with status 3"]);
}

#[test]
fn every_rule_that_is_broken_is_reported_once_with_its_shortest_input() {
    let bench = Bench::new();
    let wrong = r#"case "$1 $2" in
    1*) exit 1 ;;
    '2 10') exit ;;
    '2 '[2-4]) exit 5 ;;
    '2 1') echo 99; exit ;;
    esac"#;
    bench.player("wrong.sh", wrong);
    let check = ["check", "intensity", "wrong.sh", "--seed", "7"];
    let check = [&check[..], &["--situations", "150"]].concat();
    let (report, status) = bench.json(&check);
    assert_eq!(status, Some(1));
    let kinds: Vec<&str> = report["failures"]
        .as_array()
        .unwrap()
        .iter()
        .map(|failure| failure["kind"].as_str().unwrap())
        .collect();
    assert_eq!(kinds, ["crash", "crash", "illegal", "malformed"]);
    assert_eq!(report["failures"][1]["detail"], "it ended with status 5");
    let crash = &report["failures"][0];
    assert_eq!(crash["detail"], "it ended with status 1");
    assert_eq!(crash["input"].as_str().unwrap().lines().count(), 2);
    let output = bench.croupier(&check);
    assert_eq!(output.status.code(), Some(1));
    let told = String::from_utf8(output.stdout).unwrap();
    let quiet = bench.croupier(&[&check[..], &["--quiet", "--threads", "2"]].concat());
    let quiet = String::from_utf8(quiet.stdout).unwrap();
    assert!(!quiet.contains("when it is given"), "{quiet}");
    assert!(quiet.lines().all(|line| told.contains(line)), "{quiet}");
    insta::assert_snapshot!("check-wrong", told);
}

#[test]
fn a_program_that_does_not_compile_is_reported_and_not_asked() {
    if !is_here("cc") {
        return;
    }
    let bench = Bench::new();
    bench.write("bad.c", "int main(void) {\n    return 0\n}\n");
    let failure = bench.only_failure("bad.c", &[]);
    assert_eq!(failure["kind"], "compile");
    let detail = failure["detail"].as_str().unwrap();
    assert!(
        detail.contains("bad.c:2:") && detail.contains("error:"),
        "{detail}"
    );
}

#[test]
fn a_memory_error_that_does_no_harm_yet_is_found_and_its_place_is_told() {
    if !is_here("cc") {
        return;
    }
    let bench = Bench::new();
    let text = fs::read_to_string(example("bot.c")).unwrap();
    let before = "int calf_seen =";
    assert!(text.contains(before));
    let beyond = "volatile int all = 0; for (int i = 0; i <= 10; i++) all += hand[i];\n";
    let text = text.replace(before, &format!("{beyond}{before}"));
    let line = text
        .lines()
        .position(|line| line.contains("i <= 10"))
        .unwrap()
        + 1;
    bench.write("beyond.c", &text);
    let failure = bench.only_failure("beyond.c", &[]);
    assert_eq!(failure["kind"], "crash");
    assert_eq!(
        failure["detail"],
        format!("memory error at beyond.c:{line}: index 10 out of bounds for type 'int [10]'")
    );
}

#[test]
fn a_check_that_is_stopped_is_not_told_as_a_failure() {
    let bench = Bench::new();
    let began = bench.path("began");
    bench.write(
        "slow.sh",
        &format!("#!/bin/sh\n: > '{}'\nsleep 60\n", began.display()),
    );
    let mut command = Command::new(env!("CARGO_BIN_EXE_croupier"));
    command
        .args(["check", "intensity", "./slow.sh"])
        .current_dir(bench.0.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let child = {
        let _alone = alone();
        command.spawn().unwrap()
    };
    while !began.exists() {
        std::thread::sleep(Duration::from_millis(20));
    }
    let pid = child.id().to_string();
    let told = Command::new("kill").args(["-INT", &pid]).status();
    assert!(told.unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(
        String::from_utf8(output.stderr).unwrap(),
        "croupier: stopped before the check was complete\n"
    );
    assert_eq!(output.status.code(), Some(130));
}

#[test]
fn only_programs_are_checked() {
    let bench = Bench::new();
    for player in ["careful", "nowhere.c", "./nowhere"] {
        let output = bench.croupier(&["check", "intensity", player]);
        assert_eq!(output.status.code(), Some(2), "{player}");
        assert_eq!(output.stdout, b"");
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(said.lines().count(), 1, "{said}");
    }
}

#[test]
fn a_match_is_told_and_summed_up() {
    let bench = Bench::new();
    bench.player("shelly.sh", "");
    let arguments = ["match", "intensity", "shelly.sh", "careful", "--seed", "7"];
    let told = bench.printed(&arguments);
    insta::assert_snapshot!("match", told);
    assert_eq!(told, bench.printed(&arguments));
}

#[test]
fn a_match_in_json_is_in_the_order_in_which_the_players_were_named() {
    let bench = Bench::new();
    bench.player("shelly.sh", "");
    bench.player("lost.sh", "exit");
    let (report, status) = bench.json(&[
        "match",
        "intensity",
        "shelly.sh",
        "Lost=lost.sh",
        "careful",
        "--games",
        "4",
        "--seed",
        "7",
    ]);
    assert_eq!(status, Some(0), "a match with faults has a result");
    assert_eq!(report["game"], "intensity");
    assert_eq!(report["seed"], "7");
    assert_eq!(report["sandbox"], "limits");
    let players = report["players"].as_array().unwrap().iter();
    let players: Vec<_> = players
        .map(|player| [&player["name"], &player["spec"]].map(|text| text.as_str().unwrap()))
        .collect();
    assert_eq!(
        players,
        [
            ["Shelly", "shelly.sh"],
            ["Lost", "Lost=lost.sh"],
            ["careful", "careful"],
            ["random", "random"]
        ]
    );
    let games = report["games"].as_array().unwrap();
    assert_eq!(games.len(), 4);
    for game in games {
        assert!(game["seed"].is_string());
        let scores: Vec<i64> = serde_json::from_value(game["scores"].clone()).unwrap();
        assert_eq!(scores.iter().sum::<i64>(), 17 + 55);
        assert!(scores[1] >= 55, "{scores:?}");
        assert_eq!(game["places"][1], 4);
        let faults = game["faults"].as_array().unwrap();
        assert_eq!(faults.len(), 11);
        for fault in faults {
            assert_eq!(fault["seat"], 1);
            assert_eq!(fault["kind"], "malformed");
            assert_eq!(fault["culprit"], "bot");
            assert_eq!(fault["detail"], "no answer");
            assert!(fault["id"].is_string());
        }
    }
}

#[test]
fn programs_in_c_and_python_play_in_the_strictest_sandbox() {
    let bench = Bench::new();
    if !is_here("cc") || !is_here("python3") || !strict_is_possible(&bench) {
        return;
    }
    let (c, python) = (example("bot.c"), example("bot.py"));
    let (c, python) = (c.to_str().unwrap(), python.to_str().unwrap());
    let arguments = ["match", "intensity", c, python, "--sandbox", "strict"];
    let (report, status) = bench.json(&arguments);
    assert_eq!(status, Some(0));
    assert_eq!(report["sandbox"], "strict");
    assert_eq!(report["players"][0]["name"], "Low C");
    assert_eq!(report["players"][1]["name"], "Low Python");
    assert_eq!(
        report["games"][0]["faults"],
        Value::Array(Vec::new()),
        "{report}"
    );
}

#[test]
fn a_fault_of_a_match_can_be_repeated() {
    let bench = Bench::new();
    let crash = r#"[ "$1 $2" = '2 8' ] && { echo 'oh dear' >&2; exit 3; }"#;
    bench.player("brittle.sh", crash);
    let arguments = [
        "match",
        "intensity",
        "brittle.sh",
        "--seed",
        "7",
        "--out",
        "kept",
    ];
    let (report, _) = bench.json(&arguments);
    let faults = report["games"][0]["faults"].as_array().unwrap();
    assert_eq!(faults.len(), 1);
    let id = faults[0]["id"].as_str().unwrap();
    let told = bench.printed(&["repro", "kept", id]);
    let here = bench.0.path().canonicalize().unwrap();
    insta::assert_snapshot!("repro", told.replace(here.to_str().unwrap(), "[folder]"));

    // What was kept is all that is needed to do it by hand.
    let kept = fs::read(bench.path(&format!("kept/faults/{id}.json"))).unwrap();
    let kept: Value = serde_json::from_slice(&kept).unwrap();
    assert_eq!(kept["kind"], "crash");
    let again = bench.repeat("brittle.sh", &kept["exchange"]);
    assert_eq!(again.status.code(), Some(3));

    let (again, status) = bench.json(&["repro", "kept", id]);
    assert_eq!(status, Some(0));
    assert_eq!(again["kind"], "crash");
    assert_eq!(again["ended"], "It ended with status 3.");
    let refused = |id: &str| {
        let output = bench.croupier(&["repro", "kept", id]);
        assert_eq!(output.status.code(), Some(2));
        String::from_utf8(output.stderr).unwrap()
    };
    let said = refused("7-7");
    assert!(said.contains("there is no fault '7-7' in kept"), "{said}");
    fs::write(bench.path("kept/faults/9-9.json"), "{}\n").unwrap();
    let said = refused("9-9");
    assert!(
        said.contains("kept/faults/9-9.json cannot be read: the file is damaged: missing field"),
        "{said}"
    );
}

/// It has the time to start, and to be asked again what it was asked before.
#[test]
fn a_fault_of_a_program_that_lives_on_can_be_repeated() {
    let bench = Bench::new();
    bench.write(
        "slow.sh",
        r#"#!/bin/sh
turn=0
while read -r line; do
    case $line in
    *'"type":"hello"'*) sleep 2.1; echo '{"type":"ready"}' ;;
    *'"type":"turn"'*)
        turn=$((turn + 1))
        id=${line#*\"id\":}
        move=${line#*\"legal\":[\"}
        [ $turn = 3 ] && echo nonsense && continue
        sleep 0.7
        echo "{\"type\":\"move\",\"id\":${id%%,*},\"move\":\"${move%%\"*}\"}"
        ;;
    esac
done
"#,
    );
    let start = ["match", "intensity", "json:./slow.sh", "--seed", "7"];
    let limits = [
        "--time-limit",
        "2s",
        "--start-limit",
        "60s",
        "--quiet",
        "--out",
        "out",
    ];
    bench.printed(&[&start[..], &limits].concat());
    let (again, status) = bench.json(&["repro", "out", "1-1"]);
    assert_eq!(status, Some(0));
    assert_eq!(again["answer_then"], "nonsense", "{again}");
    assert_eq!(again["answer"], "nonsense", "{again}");
}

#[test]
fn a_match_replaces_what_an_earlier_one_has_left() {
    let bench = Bench::new();
    bench.player("crashes.sh", "kill -9 $$");
    let start = [
        "match",
        "intensity",
        "--seed",
        "7",
        "--quiet",
        "--out",
        "out",
    ];
    bench.printed(&[&start[..], &["crashes.sh", "--games", "2"]].concat());
    fs::write(bench.path("out/records/notes.txt"), "mine").unwrap();
    assert!(bench.path("out/faults/1-1.json").exists());
    bench.printed(&start);
    assert!(!bench.path("out/faults/1-1.json").exists());
    assert!(!bench.path("out/records/2.jsonl").exists());
    assert!(bench.path("out/records/1.jsonl").exists());
    assert!(bench.path("out/records/notes.txt").exists());
}

#[test]
fn a_repeated_time_out_is_told_in_words() {
    let bench = Bench::new();
    bench.player("asleep.sh", r#"[ "$1 $2" = '2 5' ] && sleep 60"#);
    bench.json(&[
        "match",
        "intensity",
        "asleep.sh",
        "--time-limit",
        "2s",
        "--out",
        "kept",
    ]);
    let told = bench.printed(&["repro", "kept", "1-1"]);
    assert!(
        told.ends_with(
            "It answered then\n  nothing\nIt answers now\n  nothing\n\
             It was cut short: it did not answer in time.\n"
        ),
        "{told}"
    );
}

#[test]
fn of_many_last_words_the_first_and_the_last_are_kept() {
    let bench = Bench::new();
    let verbose = r#"[ $1 = 1 ] && { seq 10000 19999 >&2; exit 1; }"#;
    bench.player("verbose.sh", verbose);
    let arguments = ["match", "intensity", "verbose.sh", "--out", "kept"];
    for _ in 0..5 {
        bench.json(&arguments);
        let kept = fs::read(bench.path("kept/faults/1-1.json")).unwrap();
        let kept: Value = serde_json::from_slice(&kept).unwrap();
        let errors = kept["exchange"]["errors"].as_str().unwrap();
        assert!(errors.starts_with("10000\n10001\n"));
        assert!(
            errors.ends_with("19998\n19999\n"),
            "{}",
            &errors[errors.len() - 40..]
        );
    }
}
