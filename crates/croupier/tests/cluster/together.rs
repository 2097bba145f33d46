//! The same contest here and on many machines.

use crate::lab::Lab;

const PROGRAM: &str = include_str!("../../../../examples/intensity/bot.c");
const IN_PYTHON: &str = include_str!("../../../../examples/intensity/bot.py");
const IN_JSON_LINES: &str = include_str!("../../../../examples/any/bot.py");

/// Holds a contest on one machine and with two workers, and compares what came out.
fn same_on_many(lab: &Lab, contest: &[&str]) {
    let contest = [&["tournament"], contest, &["--seed", "5", "--quiet"]].concat();
    lab.do_it(&[&contest[..], &["--out", "one"]].concat());
    let _workers = [lab.worker("ann"), lab.worker("bob")];
    let url = lab.url();
    lab.do_it(&[&contest[..], &["--out", "many", "--nats", &url]].concat());
    assert_eq!(lab.results("many"), lab.results("one"));
}

#[test]
fn built_in_players() {
    let Some(lab) = Lab::open() else { return };
    let players = ["careful", "random", "a=careful", "b=random", "c=random"];
    let contest = [&["intensity"], &players[..], &["--rounds", "400"]].concat();
    same_on_many(&lab, &contest);
}

/// Here every block of a table goes on from the one before, and a Swiss round from all results.
#[test]
fn rounds_that_depend_on_each_other() {
    let Some(lab) = Lab::open() else { return };
    let contest = ["uno", "careful", "naive", "random", "a=naive", "b=careful"];
    same_on_many(&lab, &[&contest[..], &["--rounds", "6"]].concat());
    let Some(lab) = Lab::open() else { return };
    let contest = ["austerity", "ed", "random", "shenzi", "banzai", "a=ed"];
    let swiss = ["--format", "swiss", "--rounds", "5"];
    same_on_many(&lab, &[&contest[..], &swiss].concat());
}

/// Two contests that need different things of a worker share it.
#[test]
fn two_contests_at_once() {
    let Some(lab) = Lab::open() else { return };
    let c = lab.file("c/bot.c", PROGRAM);
    let url = lab.url();
    let rest = ["careful", "random", "a=random", "--rounds", "10"];
    let rest = [&rest[..], &["--seed", "5", "--quiet", "--out"]].concat();
    let contests = [("programs", c.as_str()), ("built-in", "careful")];
    let contests = contests.map(|(out, player)| {
        let first = format!("first={player}");
        let contest = [&["tournament", "intensity", &first], &rest[..]].concat();
        let one = format!("{out} on one machine");
        lab.do_it(&[&contest[..], &[&one]].concat());
        let says = format!("coordinator of {out}");
        let many = [&contest[..], &[out, "--nats", &url]].concat();
        (out, one, lab.start(&many, &says), says)
    });
    let _ann = lab.worker("ann");
    for (out, one, many, says) in contests {
        assert_eq!(many.end().status.code(), Some(0), "{}", lab.said(&says));
        assert_eq!(lab.results(out), lab.results(&one));
    }
}

/// A contest can be begun on one machine, go on with workers, and end on one machine.
#[test]
fn a_contest_moves_between_one_machine_and_many() {
    let Some(lab) = Lab::open() else { return };
    let _ann = lab.worker("ann");
    let players = ["intensity", "careful", "random", "a=random", "b=careful"];
    let contest = [&["tournament"], &players[..], &["--seed", "5", "--quiet"]].concat();
    lab.do_it(&[&contest[..], &["--rounds", "60", "--out", "one"]].concat());
    lab.do_it(&[&contest[..], &["--rounds", "20", "--out", "many"]].concat());
    let url = lab.url();
    let resume = ["tournament", "--resume", "many", "--quiet", "--rounds"];
    lab.do_it(&[&resume[..], &["40", "--nats", &url]].concat());
    lab.do_it(&[&resume[..], &["60"]].concat());
    assert_eq!(lab.results("many"), lab.results("one"));
}

/// Programs in C and Python, one with a file of its own; one only fails and is suspended.
#[test]
fn programs_travel_and_are_suspended_as_on_one_machine() {
    let Some(lab) = Lab::open() else { return };
    let c = lab.file("c/bot.c", PROGRAM);
    let python = lab.file("python/a 'bot' $(of)\n*.mine.py", IN_PYTHON);
    lab.file("own/source", "#define HASTY 1\n");
    let hasty = PROGRAM.replace("laid > 0", "laid > HASTY");
    let hasty = lab.file("own/bot.c", &format!("#include \"source\"\n{hasty}"));
    let fails = lab.file("fails/bot.c", "int main(void) { return 3; }\n");
    let named = [
        format!("c={c}"),
        format!("python={python}"),
        format!("hasty={hasty}"),
        format!("fails={fails}"),
    ];
    let mut contest = vec!["intensity"];
    contest.extend(named.iter().map(String::as_str));
    contest.extend(["careful", "--rounds", "6", "--suspend-after", "100"]);
    same_on_many(&lab, &contest);
    let (report, ..) = lab.results("many");
    let faults = report["faults"].as_array().unwrap();
    assert!(!faults.is_empty());
    // Where the program lies here, and not where it lay on the worker.
    let fault = faults
        .iter()
        .find(|fault| fault["name"] == "hasty")
        .unwrap();
    let id = fault["kinds"][0]["id"]
        .as_str()
        .or(fault["id"].as_str())
        .unwrap();
    let again = lab.run(&["repro", "many", id]);
    let said = String::from_utf8_lossy(&again.stdout);
    assert!(
        said.contains("own/bot.c") || again.status.code() == Some(1),
        "{said}"
    );
}

/// A program that is started anew for every batch costs more than its games. In Uno each block of a table goes
/// on from the one before, so that each is a batch of its own.
#[test]
fn programs_stay_from_batch_to_batch() {
    let Some(lab) = Lab::open() else { return };
    let starts = lab.path("starts");
    let noted = format!("open({starts:?}, 'a').write('started\\n')\n");
    let bot = lab.file("bot.py", &format!("{noted}{IN_JSON_LINES}"));
    let _ann = lab.worker_with("ann", &["--sandbox", "none"]);
    let (bot, url) = (format!("json:{bot}"), lab.url());
    let rest = ["--sandbox", "none", "--rounds", "8", "--nats", &url];
    let players = ["tournament", "uno", &bot, "naive", "a=naive", "b=naive"];
    lab.do_it(&[&players[..], &rest, &["--quiet", "--out", "many"]].concat());
    let starts = std::fs::read_to_string(starts).unwrap().lines().count();
    // Once to ask for its name, and once to play.
    assert_eq!(starts, 2);
}

/// A contest of Uno in which a program that notes each of its starts meets others.
fn noting(lab: &Lab, name: &str) -> (Vec<String>, std::path::PathBuf) {
    let starts = lab.path(&format!("starts of {name}"));
    let noted = format!("open({starts:?}, 'a').write('started\\n')\n");
    let bot = lab.file(
        &format!("{name}/bot.py"),
        &format!("{noted}{IN_JSON_LINES}"),
    );
    let bot = format!("json:{bot}");
    let words = ["tournament", "uno", &bot, "naive", "a=naive", "b=naive"];
    let rest = [
        "--sandbox",
        "none",
        "--rounds",
        "12",
        "--quiet",
        "--seed",
        "5",
    ];
    let words = words.iter().chain(&rest).map(|&word| word.to_owned());
    (words.collect(), starts)
}

/// Their batches come one after the other, and none waits for the other's programs.
#[test]
fn contests_that_take_turns_do_not_send_programs_home() {
    let Some(lab) = Lab::open() else { return };
    let url = lab.url();
    let contests = ["one", "other"].map(|name| {
        let (words, starts) = noting(&lab, name);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let many = [&words[..], &["--out", name, "--nats", &url]].concat();
        let says = format!("coordinator of {name}");
        (lab.start(&many, &says), says, starts)
    });
    let _ann = lab.worker_with("ann", &["--sandbox", "none"]);
    for (contest, says, starts) in contests {
        assert_eq!(contest.end().status.code(), Some(0), "{}", lab.said(&says));
        let starts = std::fs::read_to_string(starts).unwrap().lines().count();
        assert_eq!(starts, 2, "once to ask for its name, and once to play");
    }
}

/// Programs that sit on have played other blocks before, at every worker others, and some have crashed there.
#[test]
fn what_was_played_before_changes_no_byte() {
    let Some(lab) = Lab::open() else { return };
    let c = format!("c={}", lab.file("c/bot.c", PROGRAM));
    let python = format!("python={}", lab.file("python/bot.py", IN_PYTHON));
    let first = IN_JSON_LINES.replace("random.choice(message[\"legal\"])", "message[\"legal\"][0]");
    assert_ne!(first, IN_JSON_LINES);
    // The same questions break it every time, in one way or another.
    let breaks = "        if len(line) % 7 == 0: sys.exit(3)
        if len(line) % 5 == 0: print('nonsense', flush=True); continue\n";
    let (head, tail) = first.split_once("        move = ").unwrap();
    let fragile = lab.file(
        "fragile/bot.py",
        &format!("{head}{breaks}        move = {tail}"),
    );
    let fragile = format!("fragile=json:{fragile}");
    let first = format!("first=json:{}", lab.file("first/bot.py", &first));
    let players = ["intensity", &c, &python, &fragile, &first, "careful"];
    let contest = [&["tournament"], &players[..], &["--seed", "5", "--quiet"]].concat();
    let contest = [&contest[..], &["--rounds", "3", "--suspend-after", "never"]].concat();
    lab.do_it(&[&contest[..], &["--out", "one"]].concat());
    let _workers = [lab.worker("ann"), lab.worker("bob")];
    let url = lab.url();
    let audited = ["--audit", "100%", "--audit-programs", "--nats", &url];
    lab.do_it(&[&contest[..], &["--out", "many"], &audited].concat());
    assert_eq!(lab.results("many"), lab.results("one"));
    let (report, ..) = lab.results("many");
    let faults = report["faults"].as_array().unwrap();
    assert!(faults.iter().any(|fault| fault["name"] == "fragile"));
}
