//! The same in a control group, where we may make one: the kernel counts, and the minder reads what
//! it has counted.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use croupier_bots::{Bot, Limits, Overrun, Silence};

use crate::place::{HELD, LONG, Place, printed};
use crate::supervision::{ORPHANS, holding_too_much};

/// A part of the tree of control groups that is ours, removed with this value.
struct Tree(PathBuf);

impl Tree {
    /// None, and a word about it, where we may not have one.
    fn new(place: &Place) -> Option<Tree> {
        let roots = ["/sys/fs/cgroup", "/sys/fs/cgroup/unified"].map(Path::new);
        let root = roots
            .into_iter()
            .find(|root| root.join("cgroup.procs").exists());
        let name = place
            .path("")
            .components()
            .next_back()?
            .as_os_str()
            .to_owned();
        let tree = root
            .map(|root| root.join(name))
            .filter(|tree| fs::create_dir(tree).is_ok());
        let Some(tree) = tree else {
            eprintln!("there are no control groups to be had: this test has tested nothing");
            return None;
        };
        fs::create_dir(tree.join("referee")).unwrap();
        Some(Tree(tree))
    }

    /// A bot whose minder starts in this tree.
    fn take_on(&self, place: &Place, program: &Path, house: croupier_bots::House) -> Bot {
        let minder = place.script(
            "in-a-group",
            &format!(
                "#!/bin/sh\necho $$ > {}/referee/cgroup.procs\nexec {} \"$@\"\n",
                self.0.display(),
                place.path("minder").display()
            ),
        );
        let house = croupier_bots::House { minder, ..house };
        let bot = Bot::take_on(crate::prepared(program, &house), &house).unwrap();
        assert_eq!(bot.counted_by_kernel().first().unwrap(), "processor time");
        bot
    }

    fn groups_of_bots(&self) -> usize {
        let entries = fs::read_dir(&self.0).unwrap().flatten();
        let names = entries.map(|entry| entry.file_name().into_string().unwrap());
        names
            .filter(|name| name.starts_with("croupier-bot-"))
            .count()
    }
}

impl Drop for Tree {
    fn drop(&mut self) {
        // The last one in a group may still be about to leave it.
        for _ in 0..1000 {
            for entry in fs::read_dir(&self.0).into_iter().flatten().flatten() {
                let _ = fs::remove_dir(entry.path());
            }
            match fs::remove_dir(&self.0) {
                Ok(()) => return,
                Err(_) => std::thread::sleep(Duration::from_millis(5)),
            }
        }
    }
}

#[test]
fn processor_time_is_charged_for_all_who_are_or_were_in_the_group() {
    let place = Place::new();
    let Some(tree) = Tree::new(&place) else {
        return;
    };
    let program = place.c("orphans", ORPHANS);
    let limits = Limits {
        cpu: Duration::from_millis(600),
        ..Limits::default()
    };
    for tier in HELD {
        let mut bot = tree.take_on(&place, &program, place.house(tier, limits.clone()));
        for _ in 0..2 {
            let run = bot.run(&[], b"", LONG).unwrap();
            let expected = Some(Silence::TooMuch(Overrun::Cpu));
            assert_eq!(run.silence, expected, "{tier}: {run:?}");
        }
    }
}

#[test]
fn a_modest_program_is_not_charged_for_its_minder() {
    let place = Place::new();
    let Some(tree) = Tree::new(&place) else {
        return;
    };
    let script = place.script("answers", "#!/bin/sh\necho wild\n");
    for tier in HELD {
        let mut bot = tree.take_on(&place, &script, place.house(tier, Limits::default()));
        for _ in 0..20 {
            let run = bot.run(&[], b"", LONG).unwrap();
            assert_eq!(printed(&run), "wild\n");
            let cpu = run.ended.unwrap().cpu;
            assert!(cpu < Duration::from_millis(100), "{tier}: {cpu:?}");
        }
    }
}

#[test]
fn memory_is_counted_for_all() {
    let place = Place::new();
    let Some(tree) = Tree::new(&place) else {
        return;
    };
    let program = place.c("holds", &holding_too_much("for (;;) pause();"));
    let limits = Limits {
        memory: 64 << 20,
        ..Limits::default()
    };
    for tier in HELD {
        let mut bot = tree.take_on(&place, &program, place.house(tier, limits.clone()));
        let run = bot.run(&[], b"", LONG).unwrap();
        let expected = Some(Silence::TooMuch(Overrun::Memory));
        assert_eq!(run.silence, expected, "{tier}: {run:?}");
    }
}

#[test]
fn the_group_of_a_bot_that_is_gone_is_removed_by_the_next_one() {
    let place = Place::new();
    let Some(tree) = Tree::new(&place) else {
        return;
    };
    let script = place.script("answers", "#!/bin/sh\necho wild\n");
    for _ in 0..3 {
        let house = place.house(HELD[0], Limits::default());
        drop(tree.take_on(&place, &script, house));
        // This process is not in the tree, so that nobody has removed its group.
        assert_eq!(tree.groups_of_bots(), 1);
    }
}
