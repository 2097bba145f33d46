//! Contests with real programs: stopped and resumed, changed and cut off.

#![expect(clippy::unwrap_used, reason = "a test may fail by panicking")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use croupier_core::Seed;
use serde_json::Value;
use tempfile::TempDir;

/// A folder for programs and results.
struct Hall(TempDir);

impl Hall {
    fn new() -> Hall {
        Hall(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn file(&self, name: &str, text: &str) -> String {
        fs::write(self.path(name), text).unwrap();
        self.path(name).to_str().unwrap().to_owned()
    }

    /// A player of Intensity in C that is sound but for what comes first.
    fn spoiled(&self, name: &str, first: &str) -> String {
        let sound = include_str!("../../../examples/intensity/bot.c");
        let (before, after) = sound.split_once("int main(void) {\n").unwrap();
        self.file(
            name,
            &format!("{before}int main(void) {{\n{first}\n{after}"),
        )
    }

    /// Runs croupier in this folder.
    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_croupier"));
        command.current_dir(self.0.path()).args(arguments);
        command
    }

    /// What a contest found, but for how long it took.
    fn found(&self, arguments: &[&str]) -> Value {
        let output = self.run(&[arguments, &["--json"]].concat());
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{said}");
        timeless(&serde_json::from_slice(&output.stdout).unwrap())
    }

    /// The line with which a contest is refused.
    fn refused(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert_eq!(said.lines().count(), 1, "{said}");
        said
    }
}

fn timeless(report: &Value) -> Value {
    let mut report = report.clone();
    let fields = report.as_object_mut().unwrap();
    fields.shift_remove("seconds");
    // The command that repeats a fault names the folder, and the folders differ.
    for fault in report["faults"].as_array_mut().unwrap() {
        fault.as_object_mut().unwrap().shift_remove("repeat");
    }
    report
}

fn standing<'a>(report: &'a Value, name: &str) -> &'a Value {
    let standings = report["standings"].as_array().unwrap();
    standings.iter().find(|line| line["name"] == name).unwrap()
}

/// Whatever the moment, a contest that is killed goes on where it was, and its table is the one
/// of a contest that nobody has killed.
fn survives_kills(format: &str, seed: u64) {
    let hall = Hall::new();
    let sound = hall.spoiled("sound.c", "");
    let crashes = hall.spoiled("crashes.c", "abort();");
    let contest = [
        "tournament",
        "intensity",
        &sound,
        &crashes,
        "careful",
        "random",
        "last=random",
        "--format",
        format,
        "--rounds",
        "12",
        "--seed",
        "31",
        "--sandbox",
        "limits",
    ];
    let undisturbed = hall.found(&[&contest[..], &["--out", "undisturbed"]].concat());
    assert_eq!(standing(&undisturbed, "careful")["faults"], 0);
    assert!(
        standing(&undisturbed, "crashes")["faults"]
            .as_u64()
            .unwrap()
            > 100
    );

    let mut rng = Seed(seed).rng();
    let begin = [&contest[..], &["--out", "killed", "--quiet"]].concat();
    for _ in 0..20 {
        // The same command goes on, also if it was killed before there was anything to resume.
        let mut command = hall.command(&begin);
        let mut child = command
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(rng.below(420) as u64));
        child.kill().unwrap();
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.is_empty(), "{said}");
    }
    let resumed = hall.found(&["tournament", "--resume", "killed"]);
    assert_eq!(resumed, undisturbed);
    let kept = |folder: &str| {
        let text = fs::read_to_string(hall.path(folder).join("report.json")).unwrap();
        timeless(&serde_json::from_str(&text).unwrap())
    };
    assert_eq!(kept("killed"), kept("undisturbed"));
}

#[test]
fn a_round_robin_that_is_killed_twenty_times_ends_in_the_same_table() {
    survives_kills("round-robin", 1);
}

#[test]
fn a_swiss_contest_that_is_killed_twenty_times_ends_in_the_same_table() {
    survives_kills("swiss", 2);
}

/// The order in which players are named, and the number of threads, change nothing.
#[test]
fn neither_the_order_of_naming_nor_threads_change_a_result() {
    let hall = Hall::new();
    for (game, players) in [
        (
            "intensity",
            [
                "careful",
                "random",
                "b=careful",
                "c=random",
                "d=random",
                "e=random",
            ],
        ),
        (
            "friday13",
            [
                "majority",
                "optimal",
                "smallest",
                "drop-biggest",
                "random",
                "b=random",
            ],
        ),
        (
            "uno",
            [
                "careful",
                "naive",
                "random",
                "b=naive",
                "c=careful",
                "d=random",
            ],
        ),
        (
            "austerity",
            ["shenzi", "banzai", "ed", "random", "b=ed", "c=shenzi"],
        ),
    ] {
        for format in ["round-robin", "swiss", "gauntlet"] {
            let hold = |players: &[&str], threads: &str| {
                let contest = [
                    "tournament",
                    game,
                    "--format",
                    format,
                    "--rounds",
                    "3",
                    "--seed",
                    "8",
                    "--threads",
                    threads,
                ];
                hall.found(&[&contest[..], players].concat())
            };
            let before = hold(&players, "1");
            let mut turned = players;
            turned.reverse();
            let after = hold(&turned, "3");
            assert_eq!(before, after, "{game} {format}");
        }
    }
}

/// Who sits beside whom is drawn anew for every deal. If it were not, equal players would be half a
/// point apart here; so they are by more than 0.08 with a probability below 10^-4.
#[test]
fn equal_players_are_equal_whoever_they_sit_beside() {
    let hall = Hall::new();
    let players = ["careful", "b=careful", "random", "c=random", "d=random"];
    let contest = ["tournament", "intensity", "--rounds", "500", "--seed", "6"];
    let report = hall.found(&[&contest[..], &players].concat());
    let points = |name: &str| standing(&report, name)["mean_points"].as_f64().unwrap();
    for (one, other) in [("careful", "b"), ("random", "c"), ("random", "d")] {
        let apart = points(one) - points(other);
        assert!(apart.abs() < 0.08, "{one} and {other}: {apart}");
    }
}

/// A program that notes each of its runs beside itself.
fn noting(hall: &Hall, name: &str, extra: &str) -> String {
    let notes = hall.path(name).with_extension("runs");
    let first = format!(
        "{extra} FILE *notes = fopen(\"{}\", \"a\"); fputc('x', notes); fclose(notes);",
        notes.display()
    );
    hall.spoiled(name, &first)
}

fn runs(hall: &Hall, name: &str) -> u64 {
    let notes = hall.path(name).with_extension("runs");
    fs::metadata(notes).map_or(0, |file| file.len())
}

/// Of six tables with two of these programs each, only those of the changed one are played again.
#[test]
fn only_the_blocks_of_a_changed_program_are_played_again() {
    let hall = Hall::new();
    let (one, two) = (noting(&hall, "one.c", ""), noting(&hall, "two.c", ""));
    let contest = [
        "tournament",
        "intensity",
        &one,
        &two,
        "careful",
        "random",
        "b=random",
        "--rounds",
        "1",
        "--seed",
        "2",
        "--sandbox",
        "none",
        "--out",
        "results",
        "--json",
    ];
    let before = hall.found(&contest[..contest.len() - 1]);
    assert_eq!(before["games"], 20);
    let (first, second) = (runs(&hall, "one.c"), runs(&hall, "two.c"));
    assert_eq!(hall.found(&["tournament", "--resume", "results"]), before);
    assert_eq!(
        (runs(&hall, "one.c"), runs(&hall, "two.c")),
        (first, second)
    );

    // Four tables have the second one; one of them has not the first.
    noting(&hall, "two.c", "(void)1;");
    let after = hall.found(&["tournament", "--resume", "results"]);
    assert_eq!(runs(&hall, "two.c"), 2 * second);
    assert_eq!(4 * (runs(&hall, "one.c") - first), 3 * first);
    let played = |report: &Value| {
        let name = |line: &Value| (line["name"].clone(), line["points"].clone());
        let lines = report["standings"].as_array().unwrap().iter();
        let mut lines: Vec<String> = lines.map(|line| format!("{:?}", name(line))).collect();
        lines.sort();
        lines
    };
    // It was changed in nothing that matters, but its deals are new.
    assert_eq!(after["games"], 20);
    assert_eq!(played(&before).len(), played(&after).len());

    // One that is added plays its own six tables, and one that is withdrawn takes its games along.
    let total = runs(&hall, "one.c");
    let more = hall.found(&["tournament", "--resume", "results", "--add", "c=random"]);
    assert_eq!(more["games"], 15 * 4);
    assert_eq!(4 * (runs(&hall, "one.c") - total), 6 * first);
    let total = runs(&hall, "one.c");
    let less = hall.found(&["tournament", "--resume", "results", "--withdraw", "c"]);
    assert_eq!(less, after);
    assert_eq!(runs(&hall, "one.c"), total);
}

/// In a Swiss contest the rounds that were played stay as they are for those who stay.
#[test]
fn a_swiss_contest_goes_on_with_others() {
    let hall = Hall::new();
    let contest = [
        "tournament",
        "intensity",
        "careful",
        "random",
        "b=random",
        "c=random",
        "d=random",
        "e=careful",
        "f=random",
        "g=random",
        "--format",
        "swiss",
        "--rounds",
        "4",
        "--seed",
        "2",
        "--out",
        "results",
    ];
    let before = hall.found(&contest);
    assert_eq!(before["games"], 2 * 4 * 4);
    let after = hall.found(&[
        "tournament",
        "--resume",
        "results",
        "--withdraw",
        "g",
        "--add",
        "h=random",
    ]);
    let games = |report: &Value, name: &str| standing(report, name)["games"].as_u64().unwrap();
    for name in ["careful", "b", "e", "h"] {
        assert_eq!(games(&after, name), 16, "{name}");
    }
    // Every round the table that lost a player found another with the new one, and no more.
    assert_eq!(after["games"], 2 * 4 * 4);
    assert!(
        after["standings"]
            .as_array()
            .unwrap()
            .iter()
            .all(|line| line["name"] != "g")
    );
}

#[test]
fn who_crashes_in_every_game_costs_itself_and_nobody_else() {
    let hall = Hall::new();
    let crashes = hall.spoiled("crashes.c", "abort();");
    let report = hall.found(&[
        "tournament",
        "intensity",
        &crashes,
        "careful",
        "random",
        "b=random",
        "--rounds",
        "3",
        "--seed",
        "5",
        "--sandbox",
        "limits",
        "--out",
        "results",
    ]);
    for name in ["careful", "random", "b"] {
        assert_eq!(standing(&report, name)["faults"], 0, "{name}");
    }
    let faults = standing(&report, "crashes")["faults"].as_u64().unwrap();
    assert!(faults >= 12 * 10, "{faults}");
    assert_eq!(report["standings"][3]["name"], "crashes");
    // Each foul costs five points, and nobody else has any of them: 17 a game are in the cards.
    let scores: i64 = report["standings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|line| line["score"].as_i64().unwrap())
        .sum();
    assert_eq!(scores, 12 * 17 + 5 * faults as i64);

    // The report gives the command that repeats one of them.
    let id = report["faults"][0]["id"].as_str().unwrap();
    let output = hall.run(&["repro", "results", id]);
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.contains("crashes at intensity"), "{said}");
    assert!(said.contains("It was killed by signal 6."), "{said}");
    // The game in which it happened can be told again.
    let (game, _) = id.rsplit_once('-').unwrap();
    let output = hall.run(&["replay", &format!("results/{game}")]);
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(
        said.contains("crashes fouls: it was killed by signal 6"),
        "{said}"
    );
    for nothing in ["123456789abc-1", "-1"] {
        let said = hall.refused(&["replay", &format!("results/{nothing}")]);
        assert!(said.contains("keeps no record of a game"), "{said}");
    }
    assert!(
        hall.refused(&["repro", "results", "1-1"])
            .contains("there is no fault '1-1'")
    );
    let page = fs::read_to_string(hall.path("results/report.html")).unwrap();
    assert!(
        page.contains(&format!("croupier repro results {id}")),
        "{page}"
    );
}

#[test]
fn a_contest_that_cannot_be_held_is_refused_in_one_line() {
    let hall = Hall::new();
    let four = ["careful", "random", "random", "random"];
    let begin = |more: &[&'static str]| [&["tournament", "intensity"], &four[..], more].concat();
    hall.found(&begin(&[
        "--rounds", "2", "--seed", "3", "--out", "results",
    ]));
    let wrong = |arguments: &[&str], says: &str| {
        let said = hall.refused(arguments);
        assert!(said.contains(says), "{said}");
    };
    wrong(
        &["tournament", "intensity", "random", "random"],
        "seats 4 players, and 2 take part",
    );
    wrong(
        &[
            "tournament",
            "intensity",
            "a=random",
            "a=careful",
            "random",
            "random",
        ],
        "two players are named 'a'",
    );
    wrong(
        &[
            "tournament",
            "intensity",
            "./nothing.c",
            "random",
            "random",
            "random",
        ],
        "nothing.c",
    );
    wrong(&["tournament", "intensity"], "0 take part");
    wrong(&["tournament"], "needs a game and players");
    wrong(&["tournament", "war"], "war");
    wrong(
        &begin(&["--seed", "4", "--out", "results"]),
        "belongs to another contest, in which seed is 3",
    );
    wrong(
        &begin(&["--rounds", "2", "--seed", "4", "--out", "results"]),
        "in which seed is 3, not 4",
    );
    wrong(
        &[
            "tournament",
            "uno",
            "random",
            "random",
            "random",
            "random",
            "--out",
            "results",
        ],
        "another contest",
    );
    wrong(
        &begin(&["--out", "results", "--rounds", "1"]),
        "in which rounds is 2",
    );
    wrong(
        &["tournament", "--resume", "nowhere"],
        "there is no contest in nowhere",
    );
    wrong(
        &["tournament", "--resume", "results", "--withdraw", "zoe"],
        "nobody named 'zoe'",
    );
    wrong(
        &["tournament", "--resume", "results", "--withdraw", "careful"],
        "3 take part",
    );
    let players: Vec<String> = (0..100).map(|number| format!("p{number}=random")).collect();
    let players: Vec<&str> = players.iter().map(String::as_str).collect();
    wrong(
        &[&["tournament", "intensity"], &players[..]].concat(),
        "use the format swiss",
    );

    let config = |text: &str, says: &str| {
        hall.file("contest.toml", text);
        let said = hall.refused(&["tournament", "--config", "contest.toml"]);
        assert!(
            said.contains("contest.toml") && said.contains(says),
            "{said}"
        );
    };
    config(
        "game = \"intensity\"\nround = 3\n",
        "there is no key 'round'; the keys are: game,",
    );
    config("game = \"bridge\"\n", "the game 'bridge'");
    config("players = []\n", "which game");
    config("game = \"intensity\"\nplayers = 4\n", "must be a list");
    config("game = \"intensity\"\nplayers = [\n", "line ");
    config(
        "game = \"intensity\"\n[seed]\n",
        "'seed' must be a text, a number",
    );
    config(
        "game = \"intensity\"\nrounds = 1\nrounds = 2\n",
        "line 3: duplicate key",
    );
    config(
        "game = \"intensity\"\nplayers = [[\"careful\", \"random\"]]\n",
        "must be a list",
    );
    for (text, says) in [
        (
            "penalties = \"yes\"",
            "unexpected value 'yes' for '--penalties'",
        ),
        ("seatings = false", "invalid value 'no' for '--seatings"),
        ("seed = -5", "invalid value '-5' for '--seed"),
        (
            "staff = [\"random\", \"random\", \"random\", \"careful\"]",
            "no more than 3 can be missing, and staff names 4",
        ),
    ] {
        let players = "players = [\"random\", \"random\", \"random\", \"random\"]";
        config(&format!("game = \"intensity\"\n{text}\n{players}\n"), says);
    }
    hall.file("taken", "a file");
    wrong(
        &begin(&["--out", "taken"]),
        "cannot make the folder taken: File exists",
    );
    wrong(
        &["tournament", "--config", "nothing.toml"],
        "nothing.toml: No such file",
    );

    let other = [
        "zoe=careful",
        "random",
        "random",
        "random",
        "--out",
        "results",
    ];
    let forgotten = [&["tournament", "intensity", "--rounds", "2"], &other[..]].concat();
    wrong(
        &forgotten,
        "careful takes part in the contest in results; croupier tournament --resume results \
         --withdraw careful takes it out",
    );

    // Rounds may be added, and nothing that was played is played again.
    let more = hall.found(&begin(&["--rounds", "4", "--out", "results"]));
    assert_eq!((&more["games"], &more["seed"]), (&16.into(), &3.into()));
}

/// A store of which the end is missing, or which is something else, is not gone on with.
#[test]
fn a_store_that_is_cut_off_is_refused() {
    let hall = Hall::new();
    let begin = [
        "tournament",
        "uno",
        "random",
        "random",
        "random",
        "random",
        "--rounds",
        "40",
        "--out",
        "results",
    ];
    hall.found(&begin);
    let place = hall.path("results/contest.sqlite");
    let whole = fs::read(&place).unwrap();
    for length in [
        0,
        10,
        100,
        3_000,
        4_096,
        whole.len() / 2,
        whole.len() - 4_096,
    ] {
        fs::write(&place, &whole[..length]).unwrap();
        let said = hall.refused(&["tournament", "--resume", "results"]);
        let nothing = said.contains("there is no contest in results") && length == 0;
        assert!(
            nothing || said.contains("cannot be read as a contest"),
            "{length}: {said}"
        );
    }
    let other = 8 * 7 + 4;
    let mut later = whole.clone();
    later[other..other + 4].copy_from_slice(&99u32.to_be_bytes());
    fs::write(&place, later).unwrap();
    let said = hall.refused(&["tournament", "--resume", "results"]);
    assert!(said.contains("format 99 of another version"), "{said}");
    fs::write(&place, &whole).unwrap();
    assert_eq!(
        hall.run(&["tournament", "--resume", "results"])
            .status
            .code(),
        Some(0)
    );
}

/// On a disk that gets full, what was finished is kept, and the command that goes on is told.
#[test]
fn a_full_disk_is_the_machines_fault_and_loses_nothing() {
    let hall = Hall::new();
    let script = "mkdir small && mount -t tmpfs -o size=256k none small || exit 77
        \"$0\" tournament intensity random random random random --rounds 20000 --seed 1 \
            --out small/results --quiet
        echo $? > status; mount -o remount,size=64m small
        \"$0\" tournament --resume small/results --json > report";
    let mut command = Command::new("unshare");
    let command = command.args(["--user", "--map-root-user", "--mount", "sh", "-c", script]);
    let output = command
        .arg(env!("CARGO_BIN_EXE_croupier"))
        .current_dir(hall.0.path())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    if output.status.code() == Some(77) || said.contains("unshare") {
        eprintln!("this machine lets nobody mount a small disk: {said}");
        return;
    }
    assert_eq!(
        fs::read_to_string(hall.path("status")).unwrap().trim(),
        "3",
        "{said}"
    );
    assert!(
        said.contains("croupier tournament --resume small/results goes on"),
        "{said}"
    );
    let report: Value = serde_json::from_slice(&fs::read(hall.path("report")).unwrap()).unwrap();
    assert_eq!(report["games"], 80_000);
    let whole = hall.found(&[
        "tournament",
        "intensity",
        "random",
        "random",
        "random",
        "random",
        "--rounds",
        "20000",
        "--seed",
        "1",
    ]);
    assert_eq!(timeless(&report)["standings"], whole["standings"]);
}

#[test]
fn the_example_of_a_file_can_be_held() {
    let hall = Hall::new();
    let example = hall.run(&["tournament", "--example"]);
    fs::create_dir(hall.path("there")).unwrap();
    fs::write(hall.path("there/contest.toml"), &example.stdout).unwrap();
    let report = hall.found(&[
        "tournament",
        "--config",
        "there/contest.toml",
        "--threads",
        "2",
    ]);
    assert_eq!(report["games"], 5 * 20 * 4);
    assert_eq!(report["sandbox"], "strict");
    // Paths start from the folder of the file.
    for name in ["report.html", "report.json", "standings.csv", "pairs.csv"] {
        assert!(hall.path("there/results").join(name).exists(), "{name}");
    }
    let page = fs::read_to_string(hall.path("there/results/report.html")).unwrap();
    for part in [
        "Standings",
        "Ratings",
        "Pair by pair",
        "Seat by seat",
        "Faults",
        "Conditions",
    ] {
        assert!(page.contains(part), "{part}");
    }
    assert!(
        !page.contains("http"),
        "the page needs nothing from elsewhere"
    );
    let elsewhere = hall.found(&[
        "tournament",
        "--config",
        "there/contest.toml",
        "--out",
        "here",
    ]);
    assert_eq!(elsewhere["games"], 400);
    assert!(Path::new(&hall.path("here/report.html")).exists());
}

/// What is printed for whoever reads it is right in the reader's folder and is one word of a
/// command.
#[test]
fn a_contest_from_a_file_tells_how_to_repeat_a_fault_from_here() {
    let hall = Hall::new();
    fs::create_dir(hall.path("my contest")).unwrap();
    hall.spoiled("my contest/bot.c", "abort();");
    hall.file(
        "my contest/contest.toml",
        "game = \"intensity\"\nrounds = 1\nout = \"results\"\nrecords = true\n\
         quiet = true\nplayers = [\"./bot.c\", \"random\", \"random\", \"random\"]\n",
    );
    let output = hall.run(&[
        "tournament",
        "--config",
        "my contest/contest.toml",
        "--quiet",
    ]);
    let told = String::from_utf8(output.stdout).unwrap();
    let again = told.lines().find(|line| line.contains("croupier repro"));
    let again = again.unwrap_or_else(|| panic!("{told}")).trim();
    let script = again.replace("croupier", env!("CARGO_BIN_EXE_croupier"));
    let mut shell = Command::new("sh");
    let shell = shell.current_dir(hall.0.path()).args(["-c", &script]);
    let output = shell.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.stdout.len() > 100, "{again}: {said}");
}

/// As in `croupier tournament … | head -1`.
#[test]
fn the_reports_are_written_also_when_nobody_reads_the_table() {
    let hall = Hall::new();
    let mut child = hall
        .command(&["tournament", "uno", "random", "random", "random", "random"])
        .args(["--rounds", "2", "--out", "results", "--quiet"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert!(hall.path("results/report.html").exists());
}

/// The first block is not over, and still there is one document.
#[test]
fn a_comparison_that_is_stopped_at_once_tells_that_nothing_is_decided() {
    let hall = Hall::new();
    let began = hall.path("began");
    let slow = format!("fopen({began:?}, \"w\"); for (;;);");
    let slow = hall.spoiled("slow.c", &slow);
    let mut child = hall
        .command(&["compare", "intensity", &slow, "random", "--json"])
        .args(["--sandbox", "none"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    while !began.exists() {
        std::thread::sleep(Duration::from_millis(20));
    }
    let pid = child.id().to_string();
    let told = Command::new("kill").args(["-INT", &pid]).status();
    assert!(told.unwrap().success());
    let status = child.wait().unwrap();
    let report: Value = serde_json::from_reader(child.stdout.take().unwrap()).unwrap();
    assert_eq!(status.code(), Some(130));
    assert_eq!(report["verdict"], "undecided");
    assert_eq!(report["games"], 0);
    assert_eq!(report["points"]["a"], Value::Null);
    assert_eq!(report["difference"]["ci95"], serde_json::json!([-2.0, 2.0]));
}

#[test]
fn a_contest_that_is_refused_leaves_nothing_behind() {
    let hall = Hall::new();
    let three = ["tournament", "intensity", "careful", "random", "a=random"];
    let said = hall.refused(&[&three[..], &["--out", "results"]].concat());
    assert!(said.contains("seats 4 players, and 3 take part"), "{said}");
    assert!(!hall.path("results").exists());
}

/// A billion rounds need no more memory than a few, and are stopped as soon.
#[test]
fn a_contest_with_a_billion_rounds_begins_at_once_and_can_be_stopped() {
    let hall = Hall::new();
    let child = hall
        .command(&["tournament", "friday13", "random", "random", "--players"])
        .args(["2", "--rounds", "1000000000", "--out", "results", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // As soon as blocks are written, games are played.
    while !fs::metadata(hall.path("results/contest.sqlite-wal"))
        .is_ok_and(|file| file.len() > 200_000)
    {
        std::thread::sleep(Duration::from_millis(20));
    }
    let pid = child.id().to_string();
    let told = Command::new("kill").args(["-INT", &pid]).status();
    assert!(told.unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(report["games"].as_u64() > Some(0), "{report}");
}

/// What is shown before the first game is the SHA-256 of the seed that is shown after the last.
#[test]
fn the_seed_is_sealed_before_the_first_game() {
    let hall = Hall::new();
    let output = hall.run(&[
        "tournament",
        "uno",
        "random",
        "random",
        "random",
        "random",
        "--seed",
        "42",
        "--rounds",
        "2",
    ]);
    insta::assert_snapshot!("uno-tournament", String::from_utf8(output.stdout).unwrap());
}
