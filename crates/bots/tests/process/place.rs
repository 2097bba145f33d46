//! Where programs are made and run.

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use croupier_bots::{Bot, House, Limits, MachineFault, Run, Tier};
use tempfile::TempDir;

/// The tiers that limit what a program uses.
pub(crate) const HELD: [Tier; 2] = [Tier::Limits, Tier::Strict];

/// Longer than anything takes that is not stuck, on however busy a machine.
pub(crate) const LONG: Duration = Duration::from_secs(90);

/// A folder for the programs of one test.
pub(crate) struct Place {
    folder: TempDir,
}

impl Place {
    pub(crate) fn new() -> Place {
        let folder = tempfile::Builder::new()
            .prefix("process-")
            .tempdir_in(env!("CARGO_TARGET_TMPDIR"))
            .unwrap();
        symlink(
            env!("CARGO_BIN_EXE_croupier-minder"),
            folder.path().join("minder"),
        )
        .unwrap();
        Place { folder }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// An executable script.
    pub(crate) fn script(&self, name: &str, text: &str) -> PathBuf {
        let place = self.path(name);
        // Written by a process of its own: a child that another test forks meanwhile would keep a file of
        // ours open for writing, and such a file cannot be started (ETXTBSY).
        let mut writer = Command::new("sh")
            .args(["-c", "cat >\"$0\" && chmod 755 \"$0\""])
            .arg(&place)
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        let mut pipe = writer.stdin.take().unwrap();
        pipe.write_all(text.as_bytes()).unwrap();
        drop(pipe);
        assert!(writer.wait().unwrap().success());
        place
    }

    /// A program from this text, by this compiler, which takes `-o`; none if there is no such
    /// compiler.
    pub(crate) fn compiled(&self, compiler: &[&str], source: &str, text: &str) -> Option<PathBuf> {
        let (source, program) = (self.path(source), self.path(source).with_extension("run"));
        fs::write(&source, text).unwrap();
        let mut command = Command::new(compiler[0]);
        command
            .args(&compiler[1..])
            .arg("-o")
            .arg(&program)
            .arg(source);
        let output = command.output().ok()?;
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{compiler:?}: {said}");
        Some(program)
    }

    /// A program from this text in C.
    pub(crate) fn c(&self, name: &str, text: &str) -> PathBuf {
        let compiler = ["cc", "-D_GNU_SOURCE", "-O1", "-pthread", "-w"];
        let program = self.compiled(&compiler, &format!("{name}.c"), text);
        program.expect("a C compiler")
    }

    /// A house whose minders can be told by their command line from those of other tests.
    pub(crate) fn house(&self, tier: Tier, limits: Limits) -> House {
        House {
            minder: self.path("minder"),
            ..House::new(tier, limits)
        }
    }

    pub(crate) fn take_on(&self, tier: Tier, limits: Limits, program: &Path) -> Bot {
        let house = self.house(tier, limits);
        let program = crate::prepared(program, &house);
        Bot::take_on(program, &house).unwrap()
    }

    /// What comes of a program that is run once.
    pub(crate) fn run(&self, tier: Tier, limits: Limits, program: &Path) -> Run {
        let mut bot = self.take_on(tier, limits, program);
        bot.run(&[], b"", LONG).unwrap()
    }

    /// The minder that was started here.
    pub(crate) fn minder(&self) -> String {
        let mark = self.path("minder").display().to_string();
        let all = fs::read_dir("/proc").unwrap().flatten();
        let mut ours = all.filter(|entry| {
            let words = fs::read(entry.path().join("cmdline")).unwrap_or_default();
            words.starts_with(mark.as_bytes())
        });
        let minder = ours.next().expect("a minder");
        minder.file_name().into_string().unwrap()
    }
}

/// What a program has printed, which must not have been cut short.
pub(crate) fn printed(run: &Run) -> String {
    assert_eq!(run.silence, None, "{run:?}");
    String::from_utf8(run.output.clone()).unwrap()
}

/// What the machine is blamed for.
pub(crate) fn blamed(run: Result<Run, MachineFault>) -> String {
    run.unwrap_err().to_string()
}
