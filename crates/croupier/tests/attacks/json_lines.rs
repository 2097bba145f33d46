//! The JSON-lines protocol at its edges.

use std::fs;
use std::path::PathBuf;

use croupier_bots::Tier;
use serde_json::Value;

use crate::stage::{HASTE, HELD, Spoken, Stage, is_foul, plays_on};

/// A script that is ready when it is greeted and does this when it is asked: `$id` is the number
/// of the question, `$line` the whole of it, `$turn` counts the questions of this process.
fn script(stage: &Stage, when_asked: &str) -> PathBuf {
    let text = format!(
        r#"#!/bin/sh
say() {{ echo "{{\"type\":\"move\",\"id\":$1,\"move\":\"$2\"}}"; }}
turn=0
while read -r line; do
    case $line in
    *'"type":"hello"'*) echo '{{"type":"ready","name":"script"}}' ;;
    *'"type":"turn"'*)
        id=${{line#*\"id\":}}
        id=${{id%%,*}}
        turn=$((turn + 1))
        {when_asked}
        ;;
    esac
done
"#
    );
    stage.script("script", &text)
}

#[test]
fn answers_with_another_id_and_messages_of_unknown_types_are_dropped() {
    let stage = Stage::new();
    let bot = script(
        &stage,
        r#"say $((id - 1)) nonsense
        say 999999 nonsense
        echo '{"type":"chat","move":"nonsense"}'
        echo '{"type":"move","move":"without an id"}'
        echo '{"type":"ready"}'
        echo '{}'
        echo '{"type":7}'
        echo '{"type":"log","id":"abc","move":[]}'
        echo '{"type":"move","id":-1,"move":"nonsense"}'
        echo "{\"type\":\"move\",\"id\":$id,\"move\":\"wild\",\"mood\":[1,{}]}""#,
    );
    for tier in HELD {
        plays_on(
            &tier.to_string(),
            &stage.play(tier, Spoken::Json, &bot, &[]),
        );
    }
}

/// In some languages all numbers are written like this.
#[test]
fn an_id_may_be_written_with_a_fraction_of_nothing() {
    let stage = Stage::new();
    let bot = script(&stage, "say $id.0 wild");
    let played = stage.play(Tier::Limits, Spoken::Json, &bot, &[]);
    plays_on("a fraction", &played);
}

/// Or else its author looks for what keeps it from answering.
#[test]
fn who_answers_with_another_id_is_told_what_was_heard() {
    for (said, heard) in [
        (
            r#"say "\"$id\"" wild"#,
            r#"it wrote '{"type":"move","id":""#,
        ),
        (
            r#"echo "{\"type\":\"Move\",\"id\":$id}""#,
            r#"', no "move" with the id "#,
        ),
    ] {
        let stage = Stage::new();
        let bot = script(&stage, said);
        let played = stage.play(Tier::Limits, Spoken::Json, &bot, &HASTE);
        is_foul(said, &played, "timeout", heard);
    }
}

#[test]
fn what_cannot_be_read_is_malformed() {
    for (said, detail) in [
        ("echo wild", "no JSON object"),
        ("echo '[1,2'", "no JSON object"),
        (r#"echo "[\"move\",$id,\"wild\"]""#, "no JSON object"),
        ("echo", "no JSON object"),
        (
            r"printf '\357\273\277'; say $id wild",
            "begins with a byte order mark",
        ),
        (r#"echo "{\"type\":\"move\",\"id\":$id}""#, "no \"move\""),
        (
            r#"echo "{\"type\":\"move\",\"id\":$id,\"move\":7}""#,
            "no \"move\"",
        ),
        ("say $id castle", "'castle' is not a move"),
        ("say $id ''", "is not a move"),
        ("say $id 'purchase 99999999999999999999'", "is not a move"),
    ] {
        let stage = Stage::new();
        let bot = script(&stage, said);
        let played = stage.play(Tier::Limits, Spoken::Json, &bot, &[]);
        is_foul(said, &played, "malformed", detail);
    }
}

/// Many short lines are as much as a long one.
#[test]
fn who_babbles_in_messages_writes_too_much() {
    let stage = Stage::new();
    let line = r#"{\"type\":\"log\",\"text\":\"0123456789012345678901234567890123456789\"}"#;
    let bot = script(
        &stage,
        &format!("yes \"{line}\" | head -n 2000; say $id wild"),
    );
    let played = stage.play(Tier::Limits, Spoken::Json, &bot, &[]);
    is_foul(
        "2,000 lines",
        &played,
        "output",
        "it wrote more than 65536 bytes",
    );
}

/// What it said before belongs to other questions, and what it said last is not lost.
#[test]
fn the_last_words_of_a_program_are_told() {
    let stage = Stage::new();
    let bot = script(
        &stage,
        r#"if [ $turn = 1 ]; then
            seq 1000 1020 >&2
            say $id wild
        else
            echo begins >&2
            seq 1 5000 >&2
            echo 'the reason' >&2
            exit 3
        fi"#,
    );
    let out = stage.path("out");
    let more = ["--out", out.to_str().unwrap()];
    let played = stage.play(Tier::Limits, Spoken::Json, &bot, &more);
    for (_, kind, _, detail) in played.faults(0) {
        let said = (kind.as_str(), detail.as_str());
        assert_eq!(
            said,
            (
                "crash",
                "it ended with status 3\n…\n4996\n4997\n4998\n4999\n5000\nthe reason"
            )
        );
    }
    let fault = fs::read_to_string(out.join("faults/1-1.json")).unwrap();
    let fault: Value = serde_json::from_str(&fault).unwrap();
    let errors = fault["exchange"]["errors"].as_str().unwrap();
    assert!(errors.ends_with("5000\nthe reason\n"), "{errors}");
}

/// It is an array in an array in an array; whoever reads it must not run out of stack.
#[test]
fn a_deep_answer_is_malformed() {
    let stage = Stage::new();
    let bot = script(&stage, "head -c 60000 /dev/zero | tr '\\0' '['; echo");
    let played = stage.play(Tier::Limits, Spoken::Json, &bot, &[]);
    is_foul("deep", &played, "malformed", "no JSON object");
}

#[test]
fn a_move_against_the_rules_is_illegal() {
    let stage = Stage::new();
    let bot = script(&stage, "say $id 'purchase 0'");
    let played = stage.play(Tier::Limits, Spoken::Json, &bot, &[]);
    is_foul("purchase", &played, "illegal", "");
}

#[test]
fn a_line_over_64_kib_is_a_foul_however_much_may_be_written() {
    let stage = Stage::new();
    let bot = script(
        &stage,
        r#"printf '{"type":"move","id":%s,"move":"wild","padding":"' $id
        head -c 65536 /dev/zero | tr '\0' x
        echo '"}'"#,
    );
    let long = ["--output-limit", "1M"];
    let played = stage.play(Tier::Limits, Spoken::Json, &bot, &long);
    is_foul("a long line", &played, "malformed", "64 KiB");
    let played = stage.play(Tier::Limits, Spoken::Json, &bot, &[]);
    is_foul("a long line", &played, "output", "65536 bytes");
}

#[test]
fn who_is_never_ready_is_late_and_waited_for_once_a_game() {
    let stage = Stage::new();
    let starts = stage.path("starts");
    let text = format!("echo >> {}; exec sleep 60", starts.display());
    let bot = stage.script("mute", &format!("#!/bin/sh\n{text}\n"));
    let options = ["--start-limit", "2s", "--games", "3"];
    let played = stage.play(Tier::Limits, Spoken::Json, &bot, &options);
    is_foul("mute", &played, "timeout", "within 2 s");
    let (name, games) = ("\n", "\n\n\n");
    assert_eq!(
        fs::read_to_string(starts).unwrap(),
        format!("{name}{games}")
    );
}

#[test]
fn who_dies_in_the_middle_is_greeted_anew_and_plays_on() {
    let stage = Stage::new();
    let bot = script(&stage, "[ $turn -eq 4 ] && exit 5; say $id wild");
    for tier in HELD {
        let played = stage.play(tier, Spoken::Json, &bot, &[]);
        let faults = played.faults(0);
        assert!(faults.len() > 1, "{tier}: {faults:?}");
        for (seat, kind, culprit, detail) in faults {
            assert_eq!((seat, kind.as_str(), culprit.as_str()), (0, "crash", "bot"));
            assert!(detail.contains("status 5"), "{detail}");
        }
        let scores = played.report["games"][0]["scores"].as_array().unwrap();
        let best = scores.iter().map(|score| score.as_i64().unwrap()).max();
        assert!(best >= Some(15), "{tier}: {scores:?}");
    }
}

/// The questions in the input that a fault keeps.
fn questions(fault: &Value) -> Vec<Value> {
    let input = fault["exchange"]["input"].as_str().unwrap();
    input
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .filter(|message| message["type"] == "turn")
        .collect()
}

#[test]
fn a_question_tells_how_much_time_there_is() {
    let stage = Stage::new();
    let out = stage.path("out");
    let bot = script(&stage, "say $id castle");
    let more = ["--time-limit", "7s", "--out", out.to_str().unwrap()];
    stage.play(Tier::Limits, Spoken::Json, &bot, &more);
    let fault = fs::read_to_string(out.join("faults/1-2.json")).unwrap();
    let asked = questions(&serde_json::from_str(&fault).unwrap());
    assert_eq!(asked.len(), 2);
    assert!(asked.iter().all(|turn| turn["time_ms"] == 7000));
}

#[test]
fn time_for_the_game_runs_out_and_each_question_tells_what_is_left() {
    let stage = Stage::new();
    let out = stage.path("out");
    let bot = script(&stage, "sleep 0.8; say $id wild");
    let mut more = vec!["--time-limit", "9s", "--time-bank", "3s"];
    more.extend(["--out", out.to_str().unwrap(), "--games", "2"]);
    let played = stage.play(Tier::Limits, Spoken::Json, &bot, &more);
    for game in 0..2 {
        let faults = played.faults(game);
        assert!(!faults.is_empty(), "game {game}");
        assert!(
            faults
                .iter()
                .all(|(seat, kind, ..)| (*seat, kind.as_str()) == (0, "timeout"))
        );
        let file = out.join(format!("faults/{}-1.json", game + 1));
        let fault: Value = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
        let left: Vec<u64> = questions(&fault)
            .iter()
            .map(|turn| turn["time_ms"].as_u64().unwrap())
            .collect();
        // Each game has its own time, and each answer has taken something from it. How much, the
        // tests of `croupier-bots` show: a process may begin a moment before the clock.
        assert_eq!(left[0], 3000, "{left:?}");
        assert!(left.len() >= 2, "{left:?}");
        assert!(left.is_sorted_by(|one, next| one > next), "{left:?}");
    }
}

#[test]
fn time_that_is_used_up_without_an_answer_is_used_up() {
    let stage = Stage::new();
    let out = stage.path("out");
    let bot = script(&stage, "[ $turn -eq 1 ] && sleep 60; say $id wild");
    let mut more = vec!["--time-limit", "400ms", "--time-bank", "600ms"];
    more.extend(["--out", out.to_str().unwrap()]);
    stage.play(Tier::Limits, Spoken::Json, &bot, &more);
    let fault = fs::read_to_string(out.join("faults/1-2.json")).unwrap();
    let asked = questions(&serde_json::from_str(&fault).unwrap());
    let left = asked[0]["time_ms"].as_u64().unwrap();
    assert!(left <= 200, "{left}");
}

/// Greeted for every game, told of its fouls and how each game ended, and at last to go.
#[test]
fn it_is_told_to_quit_before_its_input_ends() {
    let stage = Stage::new();
    let log = stage.path("log");
    let text = format!(
        r#"#!/bin/sh
while read -r line; do
    kind=${{line#*\"type\":\"}}
    kind=${{kind%%\"*}}
    echo "$kind" >> {log}
    case $kind in
    hello) echo '{{"type":"ready"}}' ;;
    turn) echo nonsense ;;
    esac
done
echo end >> {log}
"#,
        log = log.display()
    );
    let bot = stage.script("writer", &text);
    let more = ["--games", "2"];
    stage.play(Tier::None, Spoken::Json, &bot, &more);
    let game = ["hello", "turn", "foul", "turn", "foul", "over"];
    let heard = fs::read_to_string(log).unwrap();
    let heard: Vec<&str> = heard.lines().collect();
    // Before the match it is asked for its name.
    let name = ["hello", "quit", "end"];
    assert_eq!(heard, [&name[..], &game, &game, &["quit", "end"]].concat());
}

/// Limits for a decision are not for the life of a process.
#[test]
fn a_process_that_lives_long_may_complain_and_work_a_little_each_time() {
    let stage = Stage::new();
    let bot = script(&stage, "head -c 60000 /dev/zero >&2; say $id wild");
    let long = ["--games", "3"];
    let played = stage.play(Tier::Limits, Spoken::Json, &bot, &long);
    for game in 0..3 {
        assert_eq!(played.faults(game), []);
    }
    let bot = stage.bot("works");
    let long = ["--games", "2", "--cpu-limit", "500ms"];
    let played = stage.play(Tier::Limits, Spoken::Json, &bot, &long);
    for game in 0..2 {
        assert_eq!(played.faults(game), []);
    }
}
