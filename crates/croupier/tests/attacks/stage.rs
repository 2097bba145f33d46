//! Where attacks are performed: a folder of their own, by which everything that is left behind
//! can be found.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::{LazyLock, Mutex, OnceLock};
use std::time::{Duration, Instant};

use croupier_bots::{Bot, Entries, House, Limits, Preparation, Program, Tier, Unusable};
use serde_json::Value;
use tempfile::TempDir;

/// The tiers that limit what a program uses.
pub(crate) const HELD: [Tier; 2] = [Tier::Limits, Tier::Strict];

/// Longer than anything takes that is not stuck, on however busy a machine.
pub(crate) const LONG: Duration = Duration::from_secs(180);

/// Little time, for those who are late whatever they are given; but enough to write half an answer.
pub(crate) const A_LITTLE: Duration = Duration::from_secs(2);

/// The same for a match.
pub(crate) const HASTE: [&str; 4] = ["--time-limit", "2s", "--start-limit", "3s"];

/// A folder for one attack. Every process of the attack, whoever started it, has this folder in
/// its program's path or in its environment.
pub(crate) struct Stage {
    folder: TempDir,
}

/// How a program is spoken to in a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Spoken {
    /// In Austerity's own protocol.
    Own,
    /// In JSON lines.
    Json,
}

/// What came of a match.
#[derive(Debug)]
pub(crate) struct Played {
    pub(crate) report: Value,
    spoken: Spoken,
}

impl Played {
    /// The faults of one game: seat, kind, culprit, detail.
    pub(crate) fn faults(&self, game: usize) -> Vec<(u64, String, String, String)> {
        let text = |fault: &Value, key: &str| fault[key].as_str().unwrap().to_owned();
        let faults = self.report["games"][game]["faults"].as_array().unwrap();
        faults
            .iter()
            .map(|fault| {
                (
                    fault["seat"].as_u64().unwrap(),
                    text(fault, "kind"),
                    text(fault, "culprit"),
                    text(fault, "detail"),
                )
            })
            .collect()
    }
}

impl Stage {
    pub(crate) fn new() -> Stage {
        let folder = tempfile::Builder::new()
            .prefix("attack-")
            .tempdir_in(env!("CARGO_TARGET_TMPDIR"))
            .unwrap();
        for name in ["tmp", "bots", "home"] {
            fs::create_dir(folder.path().join(name)).unwrap();
        }
        Stage { folder }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The attack program with this name, ready to be started, in this stage's folder.
    pub(crate) fn bot(&self, name: &str) -> PathBuf {
        self.bot_with(name, "")
    }

    /// The same, compiled with this flag.
    pub(crate) fn bot_with(&self, name: &str, flag: &str) -> PathBuf {
        let place = self.path("bots").join(name);
        // One that still runs cannot be written to.
        let _ = fs::remove_file(&place);
        fs::copy(compiled(name, flag), &place).unwrap();
        place
    }

    /// An executable script.
    pub(crate) fn script(&self, name: &str, text: &str) -> PathBuf {
        let place = self.path("bots").join(name);
        fs::write(&place, text).unwrap();
        fs::set_permissions(&place, fs::Permissions::from_mode(0o755)).unwrap();
        place
    }

    /// A source that is to be compiled, beside the header that all attack programs share.
    pub(crate) fn source(&self, name: impl AsRef<Path>, text: &str) -> PathBuf {
        let header = "tests/attacks/programs/table.h";
        let header = Path::new(env!("CARGO_MANIFEST_DIR")).join(header);
        fs::copy(header, self.path("bots/table.h")).unwrap();
        let place = self.path("bots").join(name);
        fs::create_dir_all(place.parent().unwrap()).unwrap();
        fs::write(&place, text).unwrap();
        place
    }

    /// `croupier` with these arguments, with this stage as its place for temporary files.
    pub(crate) fn croupier(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_croupier"));
        command
            .args(arguments)
            .env("TMPDIR", self.path("tmp"))
            .env("XDG_CACHE_HOME", self.path("home"))
            .env("SECRET_OF_THE_HOUSE", "42")
            .stdin(Stdio::null());
        command
    }

    /// A match of one program against two built-in players, with little of everything but time: a
    /// busy machine makes nobody late.
    pub(crate) fn match_command(
        &self,
        tier: Tier,
        spoken: Spoken,
        bot: &Path,
        more: &[&str],
    ) -> Command {
        let json = if spoken == Spoken::Json { "json:" } else { "" };
        let player = format!("{json}{}", bot.display());
        let tier = tier.to_string();
        let mut arguments = vec![
            "match",
            "austerity",
            &player,
            "shenzi",
            "shenzi",
            "--json",
            "--seed",
            "7",
        ];
        arguments.extend(["--sandbox", &tier]);
        let usual = [
            ("--time-limit", "60s"),
            ("--start-limit", "60s"),
            ("--memory-limit", "64M"),
            ("--process-limit", "16"),
            ("--file-limit", "1M"),
        ];
        for (option, value) in usual {
            if !more.contains(&option) {
                arguments.extend([option, value]);
            }
        }
        arguments.extend(more);
        self.croupier(&arguments)
    }

    /// Plays such a match, which must come to an end with a result, and leave nothing.
    pub(crate) fn play(&self, tier: Tier, spoken: Spoken, bot: &Path, more: &[&str]) -> Played {
        let command = self.match_command(tier, spoken, bot, more);
        let what = format!("{} {tier} {spoken:?}", bot.display());
        Played {
            spoken,
            ..self.finish(command, &what)
        }
    }

    /// Runs a match that must come to an end with a result, and leave nothing.
    pub(crate) fn finish(&self, mut command: Command, what: &str) -> Played {
        let output = command.output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{what}: {said}");
        assert!(said.is_empty(), "{what}: {said}");
        self.is_clean(what);
        Played {
            report: serde_json::from_slice(&output.stdout).unwrap(),
            spoken: Spoken::Own,
        }
    }

    /// Nothing is left of the attack: no process, no temporary folder.
    pub(crate) fn is_clean(&self, what: &str) {
        let left = self.left_after(LONG);
        assert!(left.is_empty(), "{what} left processes behind: {left:?}");
        let files: Vec<_> = fs::read_dir(self.path("tmp"))
            .unwrap()
            .map(|entry| entry.unwrap().file_name())
            .collect();
        assert!(files.is_empty(), "{what} left files behind: {files:?}");
    }

    /// The processes that are left when they have had this much time to go.
    pub(crate) fn left_after(&self, patience: Duration) -> BTreeMap<u32, String> {
        let until = Instant::now() + patience;
        loop {
            let left = self.processes();
            if left.is_empty() || Instant::now() > until {
                return left;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// All processes that have to do with this stage, with their command lines.
    pub(crate) fn processes(&self) -> BTreeMap<u32, String> {
        let mark = self.folder.path().to_str().unwrap();
        let all = fs::read_dir("/proc").unwrap().flatten();
        all.filter_map(|entry| {
            let pid: u32 = entry.file_name().to_str()?.parse().ok()?;
            let read = |file: &str| {
                let bytes = fs::read(entry.path().join(file)).unwrap_or_default();
                String::from_utf8_lossy(&bytes).replace('\0', " ")
            };
            let program = fs::read_link(entry.path().join("exe")).unwrap_or_default();
            let words = read("cmdline");
            let ours = words.contains(mark)
                || program.to_string_lossy().contains(mark)
                || read("environ").contains(mark);
            // What is dead and waits to be buried has no words any more.
            (ours && !words.is_empty()).then_some((pid, words))
        })
        .collect()
    }

    /// Takes a program on in this process; the folder it is given is somewhere else.
    pub(crate) fn take_on(&self, tier: Tier, limits: Limits, bot: &Path) -> Bot {
        let house = house(tier, limits);
        Bot::take_on(prepared(bot, &house).unwrap(), &house).unwrap()
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        // A test that has found something left behind must not leave it behind itself.
        for pid in self.processes().into_keys() {
            let pid = nix::unistd::Pid::from_raw(pid as i32);
            let _ = nix::sys::signal::kill(pid, nix::sys::signal::Signal::SIGKILL);
        }
    }
}

/// A house whose minder is `croupier`, since a test cannot be one.
pub(crate) fn house(tier: Tier, limits: Limits) -> House {
    House {
        minder: PathBuf::from(env!("CARGO_BIN_EXE_croupier")),
        ..House::new(tier, limits)
    }
}

/// A program that is ready to be run in this house, with nobody else.
pub(crate) fn prepared(bot: &Path, house: &House) -> Result<Program, Unusable> {
    Program::prepare(bot, &Preparation::new(house, &Entries::default()))
}

/// Small limits, but on time.
pub(crate) fn small() -> Limits {
    Limits {
        decision: LONG,
        start: LONG,
        memory: 64 << 20,
        file_size: 1 << 20,
        ..Limits::default()
    }
}

/// The end of a child of ours, which must come soon.
pub(crate) fn ends_soon(mut child: Child, patience: Duration) -> Output {
    let until = Instant::now() + patience;
    while child.try_wait().unwrap().is_none() {
        if Instant::now() > until {
            let _ = child.kill();
            panic!("it has not ended after {patience:?}");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    child.wait_with_output().unwrap()
}

/// Waits until something is so, which must be soon.
pub(crate) fn soon(what: &str, is_so: impl Fn() -> bool) {
    let until = Instant::now() + LONG;
    while !is_so() {
        assert!(Instant::now() < until, "{what} has not happened");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// The attack program with this name, compiled once for all tests.
fn compiled(name: &str, flag: &str) -> PathBuf {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    static DONE: LazyLock<Mutex<BTreeMap<String, PathBuf>>> = LazyLock::new(Mutex::default);
    let folder = FOLDER.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("compiled-attacks");
        fs::create_dir_all(&folder).unwrap();
        folder
    });
    let mut done = DONE.lock().unwrap();
    let key = format!("{name}{flag}");
    let place = folder.join(&key);
    done.entry(key)
        .or_insert_with(|| {
            let source = Path::new(env!("CARGO_MANIFEST_DIR"))
                .join("tests/attacks/programs")
                .join(format!("{name}.c"));
            // It gets its name when it is whole: these tests may run twice at the same time.
            let coming = folder.join(format!("{name}{flag}.{}", std::process::id()));
            let mut compiler = Command::new("cc");
            compiler.args(["-O1", "-pthread", "-o"]).arg(&coming);
            compiler.args((!flag.is_empty()).then_some(flag));
            assert!(compiler.arg(source).status().unwrap().success(), "{name}");
            fs::rename(coming, &place).unwrap();
            place
        })
        .clone()
}

/// Plays a match in each of these tiers, at once, in each protocol; `check` is told the tier.
pub(crate) fn in_every(
    name: &str,
    tiers: &[Tier],
    more: &[&str],
    check: impl Fn(Tier, Spoken, &Played) + Sync,
) {
    std::thread::scope(|scope| {
        for &tier in tiers {
            for spoken in [Spoken::Own, Spoken::Json] {
                let check = &check;
                scope.spawn(move || {
                    let stage = Stage::new();
                    let played = stage.play(tier, spoken, &stage.bot(name), more);
                    check(tier, spoken, &played);
                });
            }
        }
    });
}

/// The program fouls in this way, which ends the game and makes it last; nobody else does.
pub(crate) fn fouls(name: &str, tiers: &[Tier], more: &[&str], kind: &str, detail: &str) {
    in_every(name, tiers, more, |tier, spoken, played| {
        is_foul(&format!("{name} {tier} {spoken:?}"), played, kind, detail);
    });
}

/// The same for a program that is already there, in the game's own protocol and in JSON lines.
pub(crate) fn fouls_of(stage: &Stage, bot: &Path, tiers: &[Tier], kind: &str, detail: &str) {
    for &tier in tiers {
        for spoken in [Spoken::Own, Spoken::Json] {
            let played = stage.play(tier, spoken, bot, &[]);
            let what = format!("{} {tier} {spoken:?}", bot.display());
            is_foul(&what, &played, kind, detail);
        }
    }
}

/// The match ended with such faults of the first player, and with no others: one for each of two
/// answers. Only who is gone is gone in the game's own protocol, and that is one fault, although it
/// is asked twice; in JSON lines it is started anew.
pub(crate) fn is_foul(what: &str, played: &Played, kind: &str, detail: &str) {
    let faults = played.faults(0);
    let has_answered = kind == "illegal" || kind == "malformed" && detail != CLOSED;
    let is_gone = played.spoken == Spoken::Own && !has_answered;
    let times = if is_gone { 1 } else { 2 };
    assert_eq!(faults.len(), times, "{what}: {faults:?}");
    for fault in &faults {
        let (seat, its_kind, culprit, its_detail) = fault;
        assert_eq!((*seat, its_kind.as_str()), (0, kind), "{what}: {fault:?}");
        assert_eq!(culprit, "bot", "{what}: {fault:?}");
        assert!(its_detail.contains(detail), "{what}: {its_detail}");
    }
    let places = played.report["games"][0]["places"].as_array().unwrap();
    assert_eq!(places[0], 3, "{what}: {places:?}");
}

/// What is told of a program whose output ends before its answer.
pub(crate) const CLOSED: &str = "closed its output";

/// The program is kept from what it tries and plays on, without a fault, to the end of the game.
pub(crate) fn is_kept_from_it(name: &str, tiers: &[Tier], more: &[&str]) {
    in_every(name, tiers, more, |tier, spoken, played| {
        plays_on(&format!("{name} {tier} {spoken:?}"), played);
    });
}

/// The match ended without a fault, because somebody had enough points.
pub(crate) fn plays_on(what: &str, played: &Played) {
    assert_eq!(played.faults(0), [], "{what}");
    comes_to_its_end(what, played);
}

/// The program plays on to the end of the game, and fails only when it is told to go: that is noted,
/// and costs it nothing.
pub(crate) fn goes_badly(what: &str, played: &Played, kind: &str, detail: &str) {
    let told = (0, kind.to_owned(), "bot".to_owned(), detail.to_owned());
    assert_eq!(played.faults(0), [told], "{what}");
    comes_to_its_end(what, played);
}

/// The game ended because somebody had enough points.
fn comes_to_its_end(what: &str, played: &Played) {
    let scores = played.report["games"][0]["scores"].as_array().unwrap();
    let best = scores.iter().map(|score| score.as_i64().unwrap()).max();
    assert!(best >= Some(15), "{what}: {scores:?}");
}
