//! How a process starts.

use std::fs::File;
use std::os::unix::fs::symlink;
use std::thread;
use std::time::Duration;

use croupier_bots::{HowEnded, Limits, Tier};

use crate::place::{HELD, Place, printed};

/// Prints what is not as it is for a program that a shell starts.
const SIGNALS: &str = r#"
    #include <signal.h>
    #include <stdio.h>
    int main(void) {
        sigset_t blocked;
        sigprocmask(SIG_BLOCK, NULL, &blocked);
        for (int number = 1; number < 65; number++) {
            struct sigaction is;
            if (sigaction(number, NULL, &is) == 0 && is.sa_handler != SIG_DFL)
                printf("%d is not default\n", number);
            if (sigismember(&blocked, number) == 1)
                printf("%d is blocked\n", number);
        }
        puts("done");
    }
"#;

#[test]
fn every_program_starts_with_an_empty_signal_mask_and_default_dispositions() {
    let place = Place::new();
    let program = place.c("signals", SIGNALS);
    for tier in Tier::ALL {
        let run = place.run(tier, Limits::default(), &program);
        assert_eq!(printed(&run), "done\n", "{tier}");
    }
}

/// `nohup`, a shell in the background and others hand their own settings on to what they start.
#[test]
fn what_whoever_started_us_does_with_signals_is_no_matter() {
    let place = Place::new();
    let program = place.c("signals", SIGNALS);
    let minder = env!("CARGO_BIN_EXE_croupier-minder");
    let deaf = format!(
        r#"
        #include <signal.h>
        #include <unistd.h>
        int main(int count, char **words) {{
            sigset_t all;
            sigfillset(&all);
            sigprocmask(SIG_BLOCK, &all, NULL);
            for (int number = 1; number < 65; number++)
                signal(number, SIG_IGN);
            execv("{minder}", words);
        }}
        "#
    );
    let deaf = place.c("deaf", &deaf);
    for tier in Tier::ALL {
        let mut house = place.house(tier, Limits::default());
        house.minder = deaf.clone();
        let program = crate::prepared(&program, &house);
        let mut bot = croupier_bots::Bot::take_on(program, &house).unwrap();
        let run = bot.run(&[], b"", crate::place::LONG).unwrap();
        assert_eq!(printed(&run), "done\n", "{tier}");
    }
}

#[test]
fn no_program_that_is_held_can_gain_privileges() {
    let place = Place::new();
    let text = r#"
        #include <stdio.h>
        #include <sys/prctl.h>
        int main(void) { printf("%d\n", prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0)); }
    "#;
    let program = place.c("privileges", text);
    for tier in HELD {
        let run = place.run(tier, Limits::default(), &program);
        assert_eq!(printed(&run), "1\n", "{tier}");
    }
}

/// Limits bind the bot and not the minder, so that the least that is accepted lets a modest program
/// run, and nobody is blamed for anything.
#[test]
fn a_modest_program_runs_with_the_least_of_everything() {
    let usual = Limits::default;
    let least = [
        (
            "memory",
            Limits {
                memory: 1 << 20,
                ..usual()
            },
        ),
        (
            "processes",
            Limits {
                processes: 1,
                ..usual()
            },
        ),
        (
            "files",
            Limits {
                files: 8,
                ..usual()
            },
        ),
        (
            "file size",
            Limits {
                file_size: 0,
                ..usual()
            },
        ),
        (
            "all",
            Limits {
                memory: 1 << 20,
                processes: 1,
                files: 8,
                file_size: 0,
                ..usual()
            },
        ),
    ];
    let place = Place::new();
    // It takes its time, so that it is looked at.
    let text = r#"
        #include <stdio.h>
        #include <unistd.h>
        int main(void) { usleep(50000); puts("wild"); }
    "#;
    let program = place.c("modest", text);
    for tier in HELD {
        for (what, limits) in &least {
            let mut bot = place.take_on(tier, limits.clone(), &program);
            for _ in 0..3 {
                let run = bot.run(&[], b"", crate::place::LONG).unwrap();
                assert_eq!(printed(&run), "wild\n", "{tier} {what}: {run:?}");
                assert_eq!(run.ended.unwrap().how, HowEnded::Status(0));
            }
        }
    }
}

#[test]
fn the_limits_bind_the_program() {
    let text = r#"
        #include <stdio.h>
        #include <sys/resource.h>
        int main(void) {
            int which[] = {RLIMIT_NOFILE, RLIMIT_FSIZE, RLIMIT_DATA, RLIMIT_CORE};
            for (int n = 0; n < 4; n++) {
                struct rlimit is;
                getrlimit(which[n], &is);
                printf("%lu %lu\n", (unsigned long)is.rlim_cur, (unsigned long)is.rlim_max);
            }
        }
    "#;
    let place = Place::new();
    let program = place.c("limits", text);
    let limits = Limits {
        files: 99,
        file_size: 7777,
        memory: 64 << 20,
        ..Limits::default()
    };
    for tier in HELD {
        let run = place.run(tier, limits.clone(), &program);
        let expected = "99 99\n7777 7777\n67108864 67108864\n0 0\n";
        assert_eq!(printed(&run), expected, "{tier}");
    }
}

/// Root has capabilities that undo limits, and its programs must not: three runs, as a program is
/// forked from the second on.
#[test]
fn not_even_a_program_of_root_gets_round_its_limits() {
    let text = r#"
        #include <fcntl.h>
        #include <linux/fs.h>
        #include <sched.h>
        #include <stdio.h>
        #include <sys/ioctl.h>
        #include <sys/resource.h>
        int main(void) {
            struct rlimit all = {RLIM_INFINITY, RLIM_INFINITY};
            if (setrlimit(RLIMIT_FSIZE, &all) == 0 || setrlimit(RLIMIT_DATA, &all) == 0)
                puts("it raised a limit");
            struct sched_param first = {2};
            if (sched_setscheduler(0, SCHED_FIFO, &first) == 0 || sched_setscheduler(0, SCHED_RR, &first) == 0)
                puts("it runs before its minder");
            if (setpriority(PRIO_PROCESS, 0, getpriority(PRIO_PROCESS, 0) - 1) == 0)
                puts("it runs before others");
            int file = open("stays", O_CREAT | O_RDWR, 0600), flags = FS_IMMUTABLE_FL;
            if (file >= 0 && ioctl(file, FS_IOC_SETFLAGS, &flags) == 0) {
                puts("nobody can remove its file");
                flags = 0;
                ioctl(file, FS_IOC_SETFLAGS, &flags);
            }
            puts("done");
        }
    "#;
    let place = Place::new();
    let program = place.path("raises.c");
    std::fs::write(&program, format!("#define _GNU_SOURCE\n{text}")).unwrap();
    for tier in HELD {
        let mut bot = place.take_on(tier, Limits::default(), &program);
        for _ in 0..3 {
            let run = bot.run(&[], b"", crate::place::LONG).unwrap();
            assert_eq!(printed(&run), "done\n", "{tier}");
        }
    }
}

/// How much memory a process had tells why it died, so that of its minder must not be in it.
#[test]
fn the_memory_of_the_minder_is_not_the_bots() {
    let place = Place::new();
    let program = place.c("dies", "int main(void) { return 3; }");
    for tier in HELD {
        let run = place.run(tier, Limits::default(), &program);
        let ended = run.ended.unwrap();
        assert_eq!(ended.how, HowEnded::Status(3));
        assert!(ended.peak_memory < 2 << 20, "{tier}: {}", ended.peak_memory);
    }
}

#[test]
fn an_executable_behind_a_link_is_started_by_the_name_of_the_link() {
    let place = Place::new();
    place.script("players", "#!/bin/sh\necho \"${0##*/}\"\n");
    for name in ["shenzi", "banzai"] {
        let link = place.path(name);
        symlink("players", &link).unwrap();
        for tier in Tier::ALL {
            let run = place.run(tier, Limits::default(), &link);
            assert_eq!(printed(&run), format!("{name}\n"), "{tier}");
        }
    }
}

#[test]
fn a_link_that_is_called_like_a_source_does_not_make_one_of_an_executable() {
    let place = Place::new();
    place.script("players", "#!/bin/sh\necho \"${0##*/}\"\n");
    let link = place.path("players.py");
    symlink("players", &link).unwrap();
    for tier in Tier::ALL {
        let run = place.run(tier, Limits::default(), &link);
        assert_eq!(printed(&run), "players\n", "{tier}");
    }
}

/// Of the tiers only the loosest starts a program as a shell would.
#[test]
fn a_script_without_an_interpreter_is_the_shells_where_nothing_is_held() {
    let place = Place::new();
    let script = place.script("script", "echo \"$0 $1\"\n");
    let mut bot = place.take_on(Tier::None, Limits::default(), &script);
    let run = bot
        .run(&["seven".to_owned()], b"", crate::place::LONG)
        .unwrap();
    assert_eq!(printed(&run), format!("{} seven\n", script.display()));
}

#[test]
fn a_name_is_looked_up_where_nothing_is_held() {
    let place = Place::new();
    let program = croupier_bots::Program::command("echo".as_ref());
    let house = place.house(Tier::None, Limits::default());
    let mut bot = croupier_bots::Bot::take_on(program, &house).unwrap();
    let run = bot
        .run(&["wild".to_owned()], b"", crate::place::LONG)
        .unwrap();
    assert_eq!(printed(&run), "wild\n");
}

/// Whoever starts a process while a program is written, in another thread, hands the open file on for a
/// moment; that is no fault of the program, which cannot be started meanwhile.
#[test]
fn a_program_that_somebody_still_has_open_for_writing_is_waited_for() {
    let place = Place::new();
    let script = place.script("answers", "#!/bin/sh\necho wild\n");
    for tier in Tier::ALL {
        let mut bot = place.take_on(tier, Limits::default(), &script);
        let writing = File::options().write(true).open(&script).unwrap();
        let run = thread::scope(|scope| {
            scope.spawn(move || {
                thread::sleep(Duration::from_millis(300));
                drop(writing);
            });
            bot.run(&[], b"", crate::place::LONG).unwrap()
        });
        assert_eq!(printed(&run), "wild\n", "{tier}");
    }
}
