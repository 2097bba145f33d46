//! Programs that want more than their share.

use std::fs;

use croupier_bots::{Bot, Folder, HowEnded, Left, Limits, Overrun, Silence, Tier};

use crate::stage::{HELD, LONG, Stage, fouls, house, is_kept_from_it, prepared, small};

#[test]
fn a_fork_bomb_is_put_out() {
    fouls("fork_bomb", &HELD, &[], "crash", "16 processes");
}

#[test]
fn a_fork_bomb_that_never_rests_is_put_out() {
    fouls("fork_storm", &HELD, &[], "crash", "16 processes");
}

#[test]
fn a_bomb_of_threads_is_put_out() {
    fouls("thread_bomb", &HELD, &[], "crash", "16 processes");
}

#[test]
fn a_memory_bomb_is_put_out() {
    fouls("memory", &HELD, &[], "memory", "64 MiB");
}

#[test]
fn shared_memory_counts() {
    fouls("shared_memory", &HELD, &[], "memory", "64 MiB");
}

#[test]
fn what_the_kernel_keeps_to_find_memory_counts() {
    fouls("page_tables", &HELD, &[], "memory", "64 MiB");
}

#[test]
fn the_memory_of_all_its_processes_counts() {
    fouls("memory_of_many", &HELD, &[], "memory", "64 MiB");
}

/// When a bot is looked at is not for the bot to say.
#[test]
fn who_keeps_its_minder_busy_is_looked_at_all_the_same() {
    for name in ["hides_behind_orphans", "hides_behind_stops"] {
        // The dead who wait to be buried are processes too.
        fouls(
            name,
            &HELD,
            &["--process-limit", "4096"],
            "memory",
            "64 MiB",
        );
    }
}

#[test]
fn memory_is_not_hidden_in_files_without_a_name() {
    is_kept_from_it("memory_files", &[Tier::Strict], &[]);
}

#[test]
fn a_full_disk_is_prevented() {
    fouls("disk", &[Tier::Limits], &[], "crash", "SIGXFSZ");
    is_kept_from_it("disk", &[Tier::Strict], &[]);
}

/// However many files it writes, and whether they have names: what it fills is its own.
#[test]
fn who_fills_its_folder_fills_nothing_else() {
    let stage = Stage::new();
    let house = house(Tier::Strict, small());
    let program = prepared(&stage.bot("fills_folder"), &house).unwrap();
    let mut bot = Bot::take_on_in(Folder::Own, program, &house).unwrap();
    if !bot.folder().starts_with("/proc") {
        eprintln!("no file system can be mounted here: this test has tested nothing");
        return;
    }
    for _ in 0..2 {
        let ran = bot.run_on_file("state", b"1", 10, &[], LONG);
        let (run, left) = ran.unwrap();
        let ended = run.ended.map(|ended| ended.how);
        assert_eq!(ended, Some(HowEnded::Status(3)), "{:?}", run.silence);
        assert_eq!(left, Left::Contents(b"1".to_vec()));
        let files = fs::read_dir(bot.folder()).unwrap().flatten();
        let bytes: u64 = files.map(|file| file.metadata().unwrap().len()).sum();
        assert!((1 << 20..=8 << 20).contains(&bytes), "{bytes}");
    }
}

#[test]
fn thousands_of_open_files_are_refused() {
    is_kept_from_it("descriptors", &HELD, &[]);
}

/// A limit binds the bot and not who minds it, so that nobody is blamed for a tight one.
#[test]
fn an_honest_program_plays_with_few_of_everything() {
    for limit in [
        ["--open-files-limit", "8"],
        ["--open-files-limit", "10"],
        ["--process-limit", "1"],
        ["--memory-limit", "1M"],
        ["--file-limit", "1"],
    ] {
        is_kept_from_it("honest", &HELD, &limit);
    }
}

#[test]
fn bombs_are_put_out_between_decisions_too() {
    let stage = Stage::new();
    for (name, overrun) in [
        ("fork_bomb", Overrun::Processes),
        ("memory_of_many", Overrun::Memory),
    ] {
        for tier in HELD {
            let mut bot = stage.take_on(tier, small(), &stage.bot(name));
            for _ in 0..2 {
                let run = bot.run(&[], b"dowhat\n", LONG).unwrap();
                assert_eq!(
                    run.silence,
                    Some(Silence::TooMuch(overrun)),
                    "{name} {tier}"
                );
            }
        }
    }
    stage.is_clean("bombs");
}

#[test]
fn a_folder_is_gone_with_its_bot_and_all_that_was_written_there() {
    let stage = Stage::new();
    let limits = Limits {
        file_size: 3 << 20,
        ..small()
    };
    let mut bot = stage.take_on(Tier::Limits, limits, &stage.bot("disk"));
    bot.run(&[], b"dowhat\n", LONG).unwrap();
    let folder = bot.folder().to_owned();
    assert!(folder.join("fill").exists(), "it may write there");
    drop(bot);
    assert!(!folder.exists());
}
