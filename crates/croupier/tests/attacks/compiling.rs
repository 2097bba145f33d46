//! Sources that attack whoever compiles them: the compiler reads, waits and writes for them.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use croupier_bots::{House, Limits, Tier, Unusable};
use nix::sys::signal::{Signal, kill};
use nix::sys::stat::Mode;
use nix::unistd::{Pid, mkfifo};
use serde_json::Value;

use crate::stage::{LONG, Spoken, Stage, ends_soon, house, plays_on, prepared, small, soon};

/// A player that does no harm; what comes before it in the source may.
const HONEST: &str = "#include \"table.h\"\nint main(void) { asked(); return play_on(); }\n";

/// What `check` finds wrong with a source, after which nothing is left.
fn failures(stage: &Stage, tier: Tier, source: &Path) -> Vec<(String, String)> {
    let tier = tier.to_string();
    let mut command = stage.croupier(&["check", "austerity", "--json", "--seed", "1"]);
    let output = command.args(["--sandbox", &tier]).arg(source).output();
    let output = output.unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    let report: Value = serde_json::from_slice(&output.stdout).expect(&said);
    stage.is_clean(&format!("{} {tier}", source.display()));
    let failures = report["failures"].as_array().unwrap();
    let text = |failure: &Value, key: &str| failure[key].as_str().unwrap().to_owned();
    failures
        .iter()
        .map(|failure| (text(failure, "kind"), text(failure, "detail")))
        .collect()
}

/// The source does not compile in this tier, and this is said of it.
fn does_not_compile(stage: &Stage, tier: Tier, source: &Path, said: &str) {
    match &failures(stage, tier, source)[..] {
        [(kind, detail)] if kind == "compile" => {
            assert!(detail.contains(said), "{tier}: {detail}");
            assert!(detail.len() < 10_000, "{tier}: {} bytes", detail.len());
            assert!(!detail.contains(SECRET), "{tier}: {detail}");
        }
        other => panic!("{} {tier}: {other:?}", source.display()),
    }
}

const SECRET: &str = "the_organisers_secret";

/// A file that is none of the program's business, and its path.
fn secret(stage: &Stage) -> PathBuf {
    let secret = stage.path("secret");
    fs::write(&secret, format!("const char *{SECRET} = \"42\";\n")).unwrap();
    fs::set_permissions(&secret, fs::Permissions::from_mode(0o600)).unwrap();
    secret
}

/// Ways of taking a file in; in the last two the name is put together by the compiler.
fn ways_to_take_in(path: &Path) -> Vec<String> {
    let path = path.display();
    vec![
        format!("#include \"{path}\"\n"),
        format!("__asm__(\".incbin \\\"{path}\\\"\");\n"),
        format!("__asm__(\".include \\\"{path}\\\"\");\n"),
        format!("__asm__(\".inc\" \"bin \\\"{path}\\\"\");\n"),
        format!("#define QUOTED(x) #x\n#define NAME(x) QUOTED(x)\n#include NAME({path})\n"),
    ]
}

#[test]
fn a_strictly_held_source_takes_in_nothing_but_its_own() {
    for way in ways_to_take_in(Path::new("/etc/passwd")) {
        let stage = Stage::new();
        let source = stage.source("bot.c", &format!("{way}{HONEST}"));
        does_not_compile(&stage, Tier::Strict, &source, "/etc/passwd");
    }
    let stage = Stage::new();
    let secret = secret(&stage);
    for way in ways_to_take_in(&secret) {
        let source = stage.source("bot.c", &format!("{way}{HONEST}"));
        does_not_compile(&stage, Tier::Strict, &source, "secret");
    }
}

/// What was compiled where everything may be read must not be used where nothing may.
#[test]
fn what_a_looser_tier_has_compiled_is_not_used_in_a_stricter_one() {
    let stage = Stage::new();
    let path = secret(&stage);
    let way = format!(
        "__asm__(\".section .rodata\\n.incbin \\\"{}\\\"\\n.text\");\n",
        path.display()
    );
    let source = stage.source("bot.c", &format!("{way}{HONEST}"));
    assert_eq!(failures(&stage, Tier::Limits, &source), []);
    does_not_compile(&stage, Tier::Strict, &source, "secret");
}

#[test]
fn a_source_that_includes_what_lies_elsewhere_is_refused_in_every_tier() {
    for tier in Tier::ALL {
        let stage = Stage::new();
        let path = secret(&stage);
        symlink("../secret", stage.path("bots/leads.h")).unwrap();
        let cases = [
            (format!("#include \"{}\"\n", path.display()), "secret"),
            (
                "#include \"../secret\"\n".to_owned(),
                "outside of its folder",
            ),
            (
                "#include \"leads.h\"\n".to_owned(),
                "leads out of its folder",
            ),
        ];
        for (way, said) in cases {
            let source = stage.source("bot.c", &format!("{way}{HONEST}"));
            does_not_compile(&stage, tier, &source, said);
        }
    }
}

/// What a compiler tells of the files that it reads, a source has a say in.
#[test]
fn a_source_that_hides_what_it_includes_from_elsewhere_is_refused_in_every_tier() {
    for tier in Tier::ALL {
        let stage = Stage::new();
        let path = secret(&stage);
        let path = path.display();
        fs::create_dir(stage.path("bots/deep")).unwrap();
        fs::write(stage.path("bots/deep/empty.h"), "").unwrap();
        let hidden = format!("#pragma GCC system_header\n#include \"{path}\"\n");
        fs::write(stage.path("bots/hides.h"), hidden).unwrap();
        let up = "../".repeat(stage.path("tmp").components().count() + 3);
        let spellings = (0..330).map(|number| {
            let way = "../deep/".repeat(400) + &"./".repeat(number);
            format!("#include \"deep/{way}empty.h\"\n")
        });
        let cases = [
            "#include \"hides.h\"\n".to_owned(),
            format!("# 1 \"bot.c\" 3\n#include \"{path}\"\n"),
            format!("#include \"deep/empty.h\"\n#include \"deep/{up}{path}\"\n"),
            format!("#include \"/usr/{up}{path}\"\n"),
            // So many names that the list of them is too long.
            format!("{}#include \"{path}\"\n", spellings.collect::<String>()),
        ];
        for way in cases {
            let source = stage.source("bot.c", &format!("{way}{HONEST}"));
            let said = match tier {
                Tier::None | Tier::Limits => "it includes",
                // The compiler itself cannot read it.
                Tier::Strict => "secret",
            };
            does_not_compile(&stage, tier, &source, said);
        }
    }
}

/// Whether a file is there can be learnt without reading it.
#[test]
fn a_strictly_held_source_cannot_ask_what_files_there_are() {
    let stage = Stage::new();
    let secret = secret(&stage);
    let text = format!(
        "#include \"table.h\"\nint main(void) {{ asked();\n\
         #if __has_include(\"{}\") || __has_include(\"/etc/passwd\")\n\
         breach(\"it knows\");\n#endif\nreturn play_on(); }}\n",
        secret.display()
    );
    let source = stage.source("bot.c", &text);
    // A compiler may also refuse to answer.
    let found = failures(&stage, Tier::Strict, &source);
    let is_refused = |(kind, _): &(String, String)| kind == "compile";
    assert!(found.iter().all(is_refused), "{found:?}");
}

/// Neither the source of another player nor the same under another name.
#[test]
fn the_source_of_another_player_cannot_be_included() {
    for tier in Tier::ALL {
        let stage = Stage::new();
        let rival = stage.source("rival.c", HONEST);
        fs::hard_link(&rival, stage.path("bots/mine.h")).unwrap();
        for name in ["rival.c", "mine.h"] {
            let source = stage.source("bot.c", &format!("#include \"{name}\"\n"));
            let tier = tier.to_string();
            let mut command = stage.croupier(&["match", "austerity", "--sandbox", &tier]);
            let output = command.args([&source, &rival]).output().unwrap();
            let said = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{said}");
            let reason = format!("note: {name} is another player's program");
            assert!(said.contains(&reason), "{tier}: {said}");
            // By itself it is a file like any other.
            assert_eq!(failures(&stage, Tier::Limits, &source), []);
        }
    }
}

#[test]
fn what_is_no_ordinary_file_keeps_nobody_waiting() {
    for tier in Tier::ALL {
        let stage = Stage::new();
        mkfifo(&stage.path("bots/pipe.h"), Mode::S_IRWXU).unwrap();
        symlink("/dev/zero", stage.path("bots/zero.h")).unwrap();
        symlink("/proc/self/fd/0", stage.path("bots/input.h")).unwrap();
        fs::create_dir(stage.path("bots/folder.h")).unwrap();
        for name in ["pipe.h", "zero.h", "input.h", "folder.h"] {
            let source = stage.source("bot.c", &format!("#include \"{name}\"\n{HONEST}"));
            does_not_compile(&stage, tier, &source, name);
        }
    }
}

/// The house of these tests has shorter limits than the usual ones, so that they end soon.
fn impatient(tier: Tier, time: Duration) -> House {
    House {
        compiling: Limits {
            decision: time,
            memory: 96 << 20,
            file_size: 1 << 20,
            ..Limits::COMPILING
        },
        ..house(tier, small())
    }
}

/// Something stops the compiler, soon or in the end the clock.
fn is_stopped(what: &str, text: &str) {
    is_stopped_within(Duration::from_secs(2), what, text, "");
}

/// The compiler is stopped in every tier, and this is said of it.
fn is_stopped_within(time: Duration, what: &str, text: &str, said: &str) {
    for tier in Tier::ALL {
        let stage = Stage::new();
        let end = if what.contains("C++") { "cpp" } else { "c" };
        let source = stage.source(format!("bot.{end}"), text);
        match prepared(&source, &impatient(tier, time)) {
            Err(Unusable::Compile { said: words, .. }) => {
                assert!(words.contains(said), "{what} {tier}: {words}");
                assert!(words.len() < 10_000, "{what} {tier}: {}", words.len());
            }
            other => panic!("{what} {tier}: {other:?}"),
        }
        stage.is_clean(what);
    }
}

#[test]
fn a_compiler_that_waits_for_ever_is_stopped() {
    let stage = Stage::new();
    let pipe = stage.path("pipe");
    mkfifo(&pipe, Mode::S_IRWXU).unwrap();
    let text = format!("#include \"{}\"\n", pipe.display());
    for tier in [Tier::None, Tier::Limits] {
        let source = stage.source("bot.c", &text);
        let house = impatient(tier, Duration::from_secs(2));
        let error = prepared(&source, &house).unwrap_err().to_string();
        let said = "the compiler was stopped: it did not end within 2 s";
        assert!(error.contains(said), "{tier}: {error}");
    }
}

#[test]
fn a_compiler_that_takes_too_much_memory_is_stopped() {
    // Each line is as long as all before it together, four times over.
    let doubled = |number: u32| {
        format!(
            "#define A{} A{number} A{number} A{number} A{number}\n",
            number + 1
        )
    };
    let bomb: String = (0..16).map(doubled).collect();
    let bomb = format!("#define A0 1 +\n{bomb}int x = A16 1;\nint main(void) {{ return x; }}\n");
    is_stopped_within(LONG, "memory", &bomb, "memory");
}

#[test]
fn a_device_without_end_is_no_header() {
    is_stopped("a device", "#include \"/dev/zero\"\n");
}

#[test]
fn templates_without_end_are_stopped() {
    let bomb = "template<int N, int M> struct Bomb {\n\
                static const long value = Bomb<N - 1, 2 * M>::value + Bomb<N - 1, 2 * M + 1>::value; };\n\
                template<int M> struct Bomb<0, M> { static const long value = M; };\n\
                int main() { return Bomb<28, 0>::value; }\n";
    is_stopped("C++ templates", bomb);
}

#[test]
fn a_program_that_fills_the_disk_is_not_written() {
    for text in [
        "char room[1 << 30] = {1};\nint main(void) { return room[5]; }\n",
        "char room[1L << 40] = {1};\nint main(void) { return room[5]; }\n",
        "__asm__(\".fill 1000000000, 1, 7\");\nint main(void) { return 0; }\n",
    ] {
        is_stopped("disk", text);
    }
}

#[test]
fn a_flood_of_errors_is_cut_short_and_its_end_is_told() {
    let flood = "nonsense here;\n".repeat(30_000) + "#error \"the last of them\"\n";
    for tier in Tier::ALL {
        let stage = Stage::new();
        let source = stage.source("bot.c", &flood);
        does_not_compile(&stage, tier, &source, "it wrote more than 1048576 bytes");
    }
    let some = "nonsense here;\n".repeat(100) + "#error \"the last of them\"\n";
    let stage = Stage::new();
    let source = stage.source("bot.c", &some);
    for said in ["lines left out", "nonsense here"] {
        does_not_compile(&stage, Tier::Limits, &source, said);
    }
}

#[test]
fn what_the_compiler_quotes_moves_no_cursor() {
    let stage = Stage::new();
    let source = stage.source("bot.c", "#error \u{1b}[2J\u{7}\n");
    let found = failures(&stage, Tier::Limits, &source);
    assert!(!found[0].1.contains('\u{1b}'), "{found:?}");
}

/// What is told of files that it is not given is as hostile as all the rest.
#[test]
fn what_a_source_is_not_given_is_told_in_few_words() {
    let stage = Stage::new();
    let way = "x/../".repeat(100);
    let names = (0..5000).map(|number| format!("#include \"../{way}\u{1b}{number}\"\n"));
    fs::create_dir(stage.path("x")).unwrap();
    for number in 0..5000 {
        fs::write(stage.path(&format!("\u{1b}{number}")), "").unwrap();
    }
    let source = stage.source("bot.c", &names.collect::<String>());
    let found = failures(&stage, Tier::Limits, &source);
    let detail = &found[0].1;
    assert!(detail.contains("note: ../x"), "{detail}");
    assert!(detail.len() < 10_000, "{} bytes", detail.len());
    assert!(!detail.contains('\u{1b}'), "{detail}");
}

/// A path that fits into its own folder, but not into that of the compiler, is not the machine's
/// fault.
#[test]
fn a_path_that_is_too_long_is_its_authors_fault() {
    const LONGEST: usize = 4095;
    let stage = Stage::new();
    let mut header = String::new();
    let room = LONGEST - stage.path("bots/").as_os_str().len();
    while room - header.len() > 250 {
        header += &format!("{}/", "d".repeat(200));
    }
    header += &"h".repeat(room - header.len());
    stage.source(&header, "");
    let source = stage.source("bot.c", &format!("#include \"{header}\"\n{HONEST}"));
    for tier in Tier::ALL {
        does_not_compile(&stage, tier, &source, "cannot be used");
    }
}

/// Names that a compiler or a shell would take for something else.
#[test]
fn a_name_is_only_a_name() {
    let names: [&[u8]; 7] = [
        b"-o.c",
        b"@arguments.c",
        b"a b;touch pwned.c",
        b"$(touch pwned).c",
        b"line\nbreak.c",
        b"\xff\xfe.c",
        b"-fplugin=x.cpp",
    ];
    for tier in Tier::ALL {
        for name in names {
            let stage = Stage::new();
            let pwned = stage.path("bots/pwned");
            fs::write(
                stage.path("bots/arguments.c"),
                format!("-o {}", pwned.display()),
            )
            .unwrap();
            let text = match name.ends_with(b"cpp") {
                true => "int main() { return 0; }\n",
                false => HONEST,
            };
            let source = stage.source(Path::new(OsStr::from_bytes(name)), text);
            prepared(&source, &house(tier, small())).unwrap();
            assert!(!pwned.exists());
        }
    }
}

#[test]
fn an_interruption_ends_the_compiler_at_once() {
    let stage = Stage::new();
    let pipe = stage.path("pipe");
    mkfifo(&pipe, Mode::S_IRWXU).unwrap();
    let source = stage.source("bot.c", &format!("#include \"{}\"\n", pipe.display()));
    let mut command = stage.croupier(&["check", "austerity"]);
    let begun = Instant::now();
    let child = command
        .arg(&source)
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    soon("the compiler", || {
        stage
            .processes()
            .values()
            .any(|words| words.contains("cc1"))
    });
    kill(Pid::from_raw(child.id() as i32), Signal::SIGINT).unwrap();
    let output = ends_soon(child, Duration::from_secs(30));
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    assert!(begun.elapsed() < Duration::from_secs(50));
    stage.is_clean("an interruption");
}

/// Honest programs of several files, in each language, in every tier.
#[test]
fn programs_of_several_files_play_in_every_tier() {
    let cpp = "#include \"deep/words.h\"\n#include <iostream>\n#include <string>\nint main() {\n\
               std::string line;\nwhile (std::getline(std::cin, line)) {\n\
               if (line == \"eog\") break;\n\
               if (line.rfind(\"dowhat\", 0) == 0) std::cout << WORD << std::endl; }\n}\n";
    let python = "import sys\nfrom words import WORD\nimport deep.end\nfor line in sys.stdin:\n\
                  \x20   if deep.end.is_end(line): break\n\
                  \x20   if line.startswith('dowhat'): print(WORD, flush=True)\n";
    for tier in Tier::ALL {
        let stage = Stage::new();
        let sources = [
            stage.source("bot.c", HONEST),
            stage.source("bot.cpp", cpp),
            stage.source("bot.py", python),
        ];
        stage.source("deep/words.h", "#include \"../word.h\"\n");
        stage.source("word.h", "#define WORD \"wild\"\n");
        stage.source("words.py", "WORD = 'wild'\n");
        stage.source(
            "deep/end.py",
            "def is_end(line):\n    return line == 'eog\\n'\n",
        );
        for source in sources {
            let more = ["--memory-limit", "512M"];
            let played = stage.play(tier, Spoken::Own, &source, &more);
            plays_on(&format!("{} {tier}", source.display()), &played);
        }
    }
}

/// A strictly held program imports its own modules and nothing else that lies beside it, and a
/// module that has changed makes another program of it.
#[test]
fn a_module_is_part_of_the_program_that_imports_it() {
    let stage = Stage::new();
    let source = stage.source("bot.py", "import words\n");
    let hash = |tier| prepared(&source, &house(tier, small())).unwrap().hash;
    stage.source("words.py", "WORD = 'wild'\n");
    let before = Tier::ALL.map(hash);
    assert_eq!(before[0], before[2], "the same program in every tier");
    stage.source("words.py", "WORD = 'tame'\n");
    assert_ne!(before, Tier::ALL.map(hash));
    stage.source("other.py", "");
    let spy = "import importlib, sys\n\
               try:\n    importlib.import_module('other')\n\
               except ImportError as error:\n    sys.exit(str(error))\n";
    let spy = stage.source("spy.py", spy);
    let found = failures(&stage, Tier::Strict, &spy);
    assert!(found[0].1.contains("No module named 'other'"), "{found:?}");
}

#[test]
fn sources_in_other_languages_are_told_what_to_do() {
    let stage = Stage::new();
    for (name, said) in [
        ("bot.rs", "compile it (rustc -O)"),
        ("bot.go", "compile it (go build)"),
        ("Bot.java", "starts it"),
        ("bot.js", "#!/usr/bin/env node"),
        ("bot.sh", "#!/usr/bin/env bash"),
        ("bot.txt", ".cpp, .cc, .cxx"),
    ] {
        let source = stage.source(name, "nothing\n");
        let error = prepared(&source, &house(Tier::None, small())).unwrap_err();
        assert!(error.to_string().contains(said), "{name}: {error}");
    }
}

#[test]
fn a_machine_without_a_compiler_says_so() {
    let stage = Stage::new();
    for (name, variable) in [("bot.c", "CC"), ("bot.cc", "CXX")] {
        let source = stage.source(name, HONEST);
        let mut command = stage.croupier(&["check", "austerity"]);
        command.arg(&source).env("PATH", stage.path("tmp"));
        let output = command.output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{said}");
        assert_eq!(said.lines().count(), 1, "{said}");
        let hint = format!("name one in the variable {variable}");
        assert!(said.contains(&hint), "{said}");
    }
}
