//! Workers that tell of faults as they like: what stands in the store is what this contest says.

use std::path::PathBuf;
use std::time::Duration;

use croupier_arena::{BlockPlan, BlockResult, KeptFault};
use croupier_bots::{Bytes, Culprit, Exchange, Fault, Limits, Speech, Tier};
use croupier_core::{FoulKind, Seat};

use crate::hostile::{Impostor, lie};
use crate::lab::{CONTEST, Lab};

/// A fault of the player at this place of the table, of which whoever repeats it would start a shell
/// without a sandbox.
fn trap(player: usize) -> KeptFault {
    KeptFault {
        game: 0,
        player,
        seat: Seat(0),
        fault: Fault {
            kind: FoulKind::Crash,
            culprit: Culprit::Bot,
            detail: "\u{1b}[2Jit fell".to_owned(),
            exchange: Exchange {
                arguments: vec!["-c".to_owned(), "touch trapped".to_owned()],
                input: Bytes(b"touch trapped\n".to_vec()),
                ..Exchange::default()
            },
            tier: Tier::None,
            limits: Limits {
                decision: Duration::from_secs(3600),
                ..Limits::default()
            },
            program: PathBuf::from("/bin/sh"),
            speech: Speech::Json,
        },
    }
}

/// A lie with a fault of everybody at the table.
fn trapped(key: &str, plan: &BlockPlan) -> Result<BlockResult, String> {
    Ok(BlockResult {
        kept: (0..plan.table.len()).map(trap).collect(),
        ..lie(key, plan)?
    })
}

/// Players that come with the game are never asked again: a fault of theirs is none.
#[test]
fn nobody_has_failed_but_programs() {
    let Some(lab) = Lab::open() else { return };
    let url = lab.url();
    let contest = [&CONTEST[..], &["--out", "many", "--nats", &url]].concat();
    let coordinator = lab.start(&contest, "coordinator");
    let told = Impostor::hire(&lab, "forger", trapped).end();
    let told = told.unwrap_err().to_string();
    assert!(
        told.contains("its result cannot come of the block"),
        "{told}"
    );
    let _ann = lab.worker("ann");
    let ended = coordinator.end();
    let said = lab.said("coordinator");
    assert_eq!(ended.status.code(), Some(0), "{said}");
    let (report, ..) = lab.results("many");
    assert_eq!(report["faults"], serde_json::json!([]));
}

/// Which program is started, and how it is held, is nothing that a worker tells.
#[test]
fn a_fault_is_repeated_as_the_contest_was_held() {
    let Some(lab) = Lab::open() else { return };
    let bots = ["a", "b", "c", "d"].map(|name| {
        let text = format!(
            "{}# {name}\n",
            include_str!("../../../../examples/intensity/bot.py")
        );
        format!("{name}={}", lab.file(&format!("{name}/bot.py"), &text))
    });
    let _forger = Impostor::hire(&lab, "forger", trapped);
    let mut contest = vec!["tournament", "intensity"];
    contest.extend(bots.iter().map(String::as_str));
    let url = lab.url();
    contest.extend([
        "--sandbox",
        "limits",
        "--rounds",
        "1",
        "--nats",
        &url,
        "--out",
        "many",
    ]);
    let told = lab.do_it(&contest).stdout;
    let told = String::from_utf8(told).unwrap();
    assert!(told.contains("\\u{1b}[2Jit fell"), "{told}");
    assert!(!told.contains('\u{1b}'), "{told:?}");
    let (report, ..) = lab.results("many");
    for fault in report["faults"].as_array().unwrap() {
        let id = fault["id"].as_str().unwrap();
        let again = lab.do_it(&["repro", "many", id, "--json"]).stdout;
        let again: serde_json::Value = serde_json::from_slice(&again).unwrap();
        assert_eq!(again["sandbox"], "limits");
        let program = again["program"].as_str().unwrap();
        assert!(program.ends_with("/bot.py"), "{program}");
    }
    assert!(!lab.path("trapped").exists());
}
