//! Programs that cannot be started, and the interpreter of those that are scripts.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use croupier_bots::{Bot, Silence, Tier};

use crate::stage::{HELD, LONG, Spoken, Stage, fouls_of, house, plays_on, prepared, small};

/// One line that says what is wrong, status 2, and nothing left.
fn refused(stage: &Stage, bot: &std::path::Path) -> String {
    let mut said = String::new();
    for tier in Tier::ALL {
        let mut command = stage.match_command(tier, Spoken::Own, bot, &[]);
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{}", bot.display());
        assert!(output.stdout.is_empty());
        said = String::from_utf8(output.stderr).unwrap();
        stage.is_clean("a program that is refused");
    }
    said
}

#[test]
fn a_program_that_is_not_there_is_refused() {
    let stage = Stage::new();
    let said = refused(&stage, &stage.path("bots/nobody"));
    assert!(said.contains("No such file"), "{said}");
    assert_eq!(said.lines().count(), 1);
}

#[test]
fn a_program_that_is_not_executable_is_refused() {
    let stage = Stage::new();
    fs::write(stage.path("bots/notes"), "buy milk\n").unwrap();
    let said = refused(&stage, &stage.path("bots/notes"));
    assert!(said.contains("chmod +x"), "{said}");
    assert_eq!(said.lines().count(), 1);
}

/// Such a file takes no room on the disk, but would take all memory.
#[test]
fn a_program_without_end_is_refused() {
    let stage = Stage::new();
    for name in ["huge", "huge.py", "huge.c"] {
        let bot = stage.script(name, "#!/bin/sh\n");
        let file = fs::File::options().write(true).open(&bot).unwrap();
        file.set_len(1 << 40).unwrap();
        let said = refused(&stage, &bot);
        assert!(said.contains("more than"), "{said}");
        assert_eq!(said.lines().count(), 1);
        // In a contest it is listed, and the others play.
        let mut contest = stage.croupier(&["tournament", "austerity", "shenzi", "ed", "banzai"]);
        let output = contest.args(["--rounds", "1"]).arg(&bot).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{output:?}");
    }
}

#[test]
fn a_folder_is_no_program() {
    let stage = Stage::new();
    refused(&stage, &stage.path("bots"));
}

#[test]
fn a_c_file_that_does_not_compile_is_refused_with_the_compilers_words() {
    let stage = Stage::new();
    let source = stage.path("bots/wrong.c");
    fs::write(&source, "int main(void) { return nothing; }\n").unwrap();
    let said = refused(&stage, &source);
    assert!(said.contains("does not compile"), "{said}");
    assert!(said.contains("nothing"), "{said}");
    let compiled = stage.path("home/croupier/compiled");
    assert_eq!(fs::read_dir(compiled).unwrap().count(), 0, "no scraps");
}

/// Once where the compiler may read everything, and once where it may not.
#[test]
fn a_c_file_is_compiled_once() {
    let stage = Stage::new();
    let source = stage.path("bots/good.c");
    let text = "#include <stdio.h>\nint main(void) { char l[256]; while (fgets(l, 256, stdin)) \
                if (l[0] == 'd') { puts(\"wild\"); fflush(stdout); } return 0; }\n";
    fs::write(&source, text).unwrap();
    let compiled = stage.path("home/croupier/compiled");
    for (tier, times) in [(Tier::None, 1), (Tier::Limits, 1), (Tier::Strict, 2)] {
        for _ in 0..2 {
            plays_on("a C file", &stage.play(tier, Spoken::Own, &source, &[]));
            assert_eq!(fs::read_dir(&compiled).unwrap().count(), times, "{tier}");
        }
    }
}

/// A shell would run it; the kernel does not, and neither do we, in any tier.
/// A trusted program is started as a shell starts it, which takes such a text for its own.
#[test]
fn a_text_without_an_interpreter_does_not_start() {
    let stage = Stage::new();
    let text = stage.script("text", "echo wild\n");
    let held = [Tier::Limits, Tier::Strict];
    for tier in held {
        let mut bot = stage.take_on(tier, small(), &text);
        let run = bot.run(&[], b"dowhat\n", LONG).unwrap();
        assert!(
            matches!(run.silence, Some(Silence::NotStarted(_))),
            "{tier}: {run:?}"
        );
    }
    let wrong = "it is no program for this machine, and no script that begins with #!";
    fouls_of(&stage, &text, &held, "start", wrong);
}

#[test]
fn a_script_whose_interpreter_is_missing_does_not_start() {
    let stage = Stage::new();
    let script = stage.script("script", "#!/no/such/interpreter\n");
    let missing = "its first line asks for /no/such/interpreter, which does not exist";
    fouls_of(&stage, &script, &Tier::ALL, "start", missing);
}

/// The kernel says of it that it does not exist.
#[test]
fn a_script_that_was_written_on_windows_is_told_so() {
    let stage = Stage::new();
    let script = stage.script("script", "#!/bin/sh\r\necho wild\r\n");
    let wrong = "its first line has the line ending of Windows (CRLF)";
    fouls_of(&stage, &script, &Tier::ALL, "start", wrong);
}

#[test]
fn a_program_that_is_removed_during_the_match_does_not_start() {
    let stage = Stage::new();
    let path = stage.bot("honest");
    for tier in Tier::ALL {
        let copy = stage.path("bots/copy");
        fs::copy(&path, &copy).unwrap();
        let mut bot = stage.take_on(tier, small(), &copy);
        fs::remove_file(&copy).unwrap();
        let run = bot.run(&[], b"dowhat\n", LONG).unwrap();
        assert_eq!(run.silence, Some(Silence::Changed), "{tier}");
    }
}

/// Where there is no home, what is compiled is kept where everybody can make folders.
#[test]
fn nobody_can_lay_a_program_into_our_cache() {
    let stage = Stage::new();
    let bot = stage.source("bot.c", "int main(void) { return 0; }\n");
    let place = stage
        .path("tmp")
        .join(format!("croupier-{}", nix::unistd::geteuid()));
    let compile = || {
        let bot = bot.to_str().unwrap();
        let mut command = stage.croupier(&["match", "intensity", bot, "careful", "--quiet"]);
        command.env_remove("XDG_CACHE_HOME").env_remove("HOME");
        let output = command.output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        (output.status.code().unwrap(), said)
    };
    assert_eq!(compile(), (0, String::new()));
    assert_eq!(fs::read_dir(place.join("compiled")).unwrap().count(), 1);
    fs::set_permissions(&place, fs::Permissions::from_mode(0o777)).unwrap();
    let (status, said) = compile();
    assert_eq!(status, 3, "{said}");
    assert!(said.contains("is not ours alone; remove it"), "{said}");
    fs::rename(&place, stage.path("elsewhere")).unwrap();
    std::os::unix::fs::symlink(stage.path("elsewhere"), &place).unwrap();
    assert_eq!(compile().0, 3);
}

/// The cache may be cleared at any time, and a program can do that too where it can write.
#[test]
fn what_was_made_of_a_program_is_made_again_when_it_is_gone() {
    let stage = Stage::new();
    let sources = [
        (
            "bot.c",
            "#include <stdio.h>\nint main(void) { puts(\"7\"); }\n",
        ),
        ("bot.py", "import seven\nprint(seven.VALUE)\n"),
    ];
    stage.source("seven.py", "VALUE = 7\n");
    for (name, text) in sources {
        let source = stage.source(name, text);
        for tier in Tier::ALL
            .into_iter()
            .filter(|&tier| name == "bot.c" || tier == Tier::Strict)
        {
            let house = house(tier, small());
            let program = prepared(&source, &house).unwrap();
            let made = program.command.last().unwrap().clone();
            let mut bot = Bot::take_on(program, &house).unwrap();
            for _ in 0..4 {
                let run = bot.run(&[], b"", LONG).unwrap();
                let said = String::from_utf8_lossy(&run.output);
                assert_eq!(said, "7\n", "{name} {tier}: {:?}", run.silence);
                match name {
                    "bot.c" => fs::remove_file(&made).unwrap(),
                    _ => fs::remove_dir_all(made.parent().unwrap()).unwrap(),
                }
            }
        }
    }
}

#[test]
fn a_program_that_is_linked_or_gets_another_mode_during_the_match_is_the_same() {
    let stage = Stage::new();
    let path = stage.bot("honest");
    let copy = stage.path("bots/copy");
    fs::copy(&path, &copy).unwrap();
    let mut bot = stage.take_on(Tier::Limits, small(), &copy);
    fs::set_permissions(&copy, fs::Permissions::from_mode(0o700)).unwrap();
    fs::hard_link(&copy, stage.path("bots/backup")).unwrap();
    for _ in 0..2 {
        let run = bot.run(&[], b"dowhat\n", LONG).unwrap();
        assert_eq!((run.output.as_slice(), run.silence), (&b"wild\n"[..], None));
    }
}

#[test]
fn a_python_program_plays_in_the_strictest_tier() {
    let there = std::process::Command::new("python3").arg("-V").output();
    if !there.is_ok_and(|output| output.status.success()) {
        eprintln!("python3 is missing: this test has tested nothing");
        return;
    }
    let stage = Stage::new();
    let own = stage.path("bots/own.py");
    let text = "import sys, random, json\nfor line in sys.stdin:\n    if line.startswith('dowhat'):\n        print('wild', flush=True)\n";
    fs::write(&own, text).unwrap();
    let json = stage.path("bots/lines.py");
    let text = "\
import json, random, sys
for line in sys.stdin:
    said = json.loads(line)
    if said['type'] == 'hello':
        print(json.dumps({'type': 'ready', 'name': 'python'}), flush=True)
    elif said['type'] == 'turn':
        move = random.choice(said['legal'])
        print(json.dumps({'type': 'move', 'id': said['id'], 'move': move}), flush=True)
";
    fs::write(&json, text).unwrap();
    for tier in HELD {
        // An interpreter takes its memory.
        let more = ["--memory-limit", "512M"];
        let played = stage.play(tier, Spoken::Own, &own, &more);
        plays_on(&format!("{tier}"), &played);
        let played = stage.play(tier, Spoken::Json, &json, &more);
        plays_on(&format!("{tier}"), &played);
    }
}
