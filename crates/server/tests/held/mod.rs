//! Real contests of Intensity, with programs in them that fail in several ways; in one of them they are
//! named and talk as badly as they can.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use croupier_arena::{Contest, Entrant, Format, Hosting, RankBy, Seatings, Settings, Store, Who};
use croupier_bots::{Entries, House, Limits, Preparation, Program, Speech, Tier};
use croupier_core::{Game, Offered, Options, Seed};
use croupier_games::intensity::Intensity;
use croupier_server::Umpire;

/// A name that would do harm where it is not taken for text.
pub(crate) const EVIL: &str = "<img src=x onerror=alert(1)>'\"&";

/// A name that turns the direction of writing, and one that would lead out of a folder.
pub(crate) const TURNED: &str = "a\u{202e}b\u{7}\u{2066}c";

/// The longest name that a program can give itself.
pub(crate) const LONG: &str = "WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW";

/// Somebody who takes part.
#[derive(Clone, Copy)]
pub(crate) enum Plays {
    /// A player that comes with the game.
    BuiltIn(&'static str),
    /// A program in this file, with this text.
    Program(&'static str, &'static str),
}

/// Who takes part, by name.
pub(crate) type Field = &'static [(&'static str, Plays)];

/// Built-in players with names that are hard to show.
pub(crate) const BUILT_IN: Field = &[
    ("careful", Plays::BuiltIn("careful")),
    ("random", Plays::BuiltIn("random")),
    ("..", Plays::BuiltIn("random")),
    (LONG, Plays::BuiltIn("careful")),
];

/// The same, and programs that fail in three ways and try to do harm.
pub(crate) const HOSTILE: Field = &[
    BUILT_IN[0],
    BUILT_IN[1],
    BUILT_IN[2],
    BUILT_IN[3],
    (EVIL, Plays::Program("talks", TALKS)),
    (TURNED, Plays::Program("crashes", CRASHES)),
    ("alice/cheats", Plays::Program("cheats", CHEATS)),
];

/// Answers with something that is no card, and talks.
const TALKS: &str = "#!/bin/sh\n\
    printf '</pre><script>alert(2)</script>\\033[2J\\342\\200\\256\\n'\n\
    printf '<svg onload=alert(3)>\\342\\200\\256 it went wrong\\n' >&2\n";

/// Ends with a status.
const CRASHES: &str = "#!/bin/sh\necho 'Traceback: <b>no such card</b>' >&2\nexit 3\n";

/// Plays a card that it does not have.
const CHEATS: &str = "#!/bin/sh\necho 99\n";

/// What contest pages have to know.
pub(crate) fn umpires() -> Vec<Umpire> {
    vec![Umpire::of::<Intensity>()]
}

pub(crate) fn settings(rounds: u64, format: Format) -> Settings {
    let setup = Intensity::setup(&Options::new()).expect("a setup");
    Settings {
        game: Intensity::NAME.to_owned(),
        version: Intensity::VERSION,
        setup: serde_json::to_value(setup).expect("plain JSON"),
        seats: 4,
        format,
        rounds,
        seatings: Seatings::Rotations,
        seed: Seed(7),
        rank_by: RankBy::Points,
        anchor: None,
        records: Some(true),
        sandbox: Tier::None,
        limits: Limits::default(),
        suspend_after: Some(60),
        shard: None,
    }
}

fn program(folder: &Path, name: &str, script: &str, house: &House) -> Program {
    let path = folder.join(name);
    fs::write(&path, script).expect("a script");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("it can be started");
    let entries = Entries::of([path.as_path()]);
    Program::prepare(&path, &Preparation::new(house, &entries)).expect("a program")
}

fn entrant(name: &str, who: Who) -> Entrant {
    Entrant {
        name: name.to_owned(),
        spec: match &who {
            Who::BuiltIn(spec) => spec.clone(),
            _ => format!("./{name}"),
        },
        who,
        identity: String::new(),
        added: false,
    }
}

/// The program that minds programs, which a test cannot do itself. Cargo builds it with the workspace,
/// and here if only this package is tested.
fn minder() -> PathBuf {
    let own = std::env::current_exe().expect("a test is a program");
    let folder = own
        .parent()
        .and_then(Path::parent)
        .expect("the folder of the build");
    let minder = folder.join("croupier-minder");
    if !minder.exists() {
        let cargo = std::env::var_os("CARGO").unwrap_or("cargo".into());
        let mut build = Command::new(cargo);
        let build = build.args([
            "build",
            "--package",
            "croupier-bots",
            "--bin",
            "croupier-minder",
        ]);
        assert!(
            build.status().expect("cargo").success(),
            "the minder is built"
        );
    }
    minder
}

/// Holds a contest in this folder; `look` is called from time to time.
pub(crate) fn hold(folder: &Path, rounds: u64, field: Field, mut look: impl FnMut(&Contest)) {
    let programs = tempfile::tempdir().expect("a folder");
    let house = House {
        minder: minder(),
        ..House::new(Tier::None, Limits::default())
    };
    let built_in = |name: &str, spec: &str| entrant(name, Who::BuiltIn(spec.to_owned()));
    let plays = |&(name, plays): &(&str, Plays)| match plays {
        Plays::BuiltIn(spec) => built_in(name, spec),
        Plays::Program(file, script) => {
            let program = program(programs.path(), file, script, &house);
            entrant(name, Who::Program(program, Speech::Own))
        }
    };
    let mut players: Vec<Entrant> = field.iter().map(plays).collect();
    Entrant::identify::<Intensity>(&mut players, &[]);
    let settings = settings(rounds, Format::Swiss);
    let mut staff = vec![built_in("house", "random")];
    Entrant::identify::<Intensity>(&mut staff, &[]);
    staff[0].identity.insert_str(0, "staff ");
    let mut store = Store::create(folder).expect("a store");
    store
        .enter(&settings, &players, &staff, &[])
        .expect("they enter");
    let mut contest = Contest::new::<Intensity>(settings, players, staff).expect("a contest");
    let hosting = Hosting {
        house: &house,
        threads: 1,
        keeps_all_faults: false,
    };
    let setup = Intensity::setup(&Options::new()).expect("a setup");
    let played =
        contest.play::<Intensity>(&setup, &mut store, &hosting, |contest, _| look(contest));
    played.expect("it is played to the end");
}
