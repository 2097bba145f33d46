//! What becomes of a bot when the machine fails: nobody is blamed, and it is known at once.
//!
//! A machine that has run out of something is played by taking it away from the minder.

use std::process::Command;
use std::time::{Duration, Instant};

use croupier_bots::{Bot, Limits, Silence, Tier};

use crate::place::{LONG, Place, blamed, printed};

/// What would be waited for in vain for a minute is known in less.
const AT_ONCE: Duration = Duration::from_secs(30);

/// Takes something away from the minder of the bot that was started here.
fn take_away(place: &Place, what: &str) {
    let minder = place.minder();
    let mut command = Command::new("prlimit");
    let status = command.args(["--pid", &minder, what]).status();
    assert!(
        status.is_ok_and(|status| status.success()),
        "prlimit is part of util-linux"
    );
}

/// The bot is not started, which is the machine's fault and known at once; the next one is started
/// again by a minder that has what it needs.
fn fails(tier: Tier, what: &str) -> String {
    let place = Place::new();
    let script = place.script("answers", "#!/bin/sh\necho wild\n");
    let mut bot = place.take_on(tier, Limits::default(), &script);
    take_away(&place, what);
    let asked = Instant::now();
    let said = blamed(bot.run(&[], b"", LONG));
    assert!(asked.elapsed() < AT_ONCE, "{tier}: {:?}", asked.elapsed());
    said
}

#[test]
fn without_descriptors_no_bot_is_blamed() {
    for tier in Tier::ALL {
        let said = fails(tier, "--nofile=4:4");
        assert!(said.contains("too many are open"), "{tier}: {said}");
    }
}

/// The kernel has no memory for a program that is there and could be started.
#[test]
fn without_memory_no_bot_is_blamed() {
    let place = Place::new();
    let script = place.script("answers", "#!/bin/sh\necho wild\n");
    for tier in [Tier::None, Tier::Limits] {
        let mut house = place.house(tier, Limits::default());
        house.minder = without(&place, "SYS_execve", "ENOMEM");
        let mut bot = Bot::take_on(crate::prepared(&script, &house), &house).unwrap();
        let asked = Instant::now();
        for _ in 0..3 {
            let said = blamed(bot.run(&[], b"", LONG));
            assert!(said.contains("start a process"), "{tier}: {said}");
            assert!(said.contains("allocate memory"), "{tier}: {said}");
        }
        assert!(asked.elapsed() < AT_ONCE, "{tier}: {:?}", asked.elapsed());
    }
}

#[test]
fn without_memory_for_a_minder_no_bot_is_taken_on() {
    let place = Place::new();
    let script = place.script("answers", "#!/bin/sh\necho wild\n");
    for tier in Tier::ALL {
        let mut house = place.house(tier, Limits::default());
        house.minder = without(&place, "SYS_mmap", "ENOMEM");
        let taken = Bot::take_on(crate::prepared(&script, &house), &house);
        let said = taken.unwrap_err().to_string();
        assert!(
            said.starts_with("failed to start a minder"),
            "{tier}: {said}"
        );
    }
}

/// A minder to which the kernel refuses this call.
fn without(place: &Place, call: &str, error: &str) -> std::path::PathBuf {
    let minder = env!("CARGO_BIN_EXE_croupier-minder");
    let text = format!(
        r#"
        #include <errno.h>
        #include <fcntl.h>
        #include <linux/filter.h>
        #include <linux/seccomp.h>
        #include <stddef.h>
        #include <sys/prctl.h>
        #include <sys/syscall.h>
        #include <unistd.h>
        int main(int count, char **words) {{
            struct sock_filter steps[] = {{
                BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
                BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, {call}, 0, 1),
                BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | {error}),
                BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
            }};
            struct sock_fprog filter = {{4, steps}};
            if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, 2, &filter))
                return 1;
            syscall(SYS_execveat, AT_FDCWD, "{minder}", words, environ, 0);
        }}
        "#
    );
    place.c("without", &text)
}

/// What the kernel refuses the minder is told when the bot is taken on.
#[test]
fn without_processes_no_bot_is_taken_on() {
    let place = Place::new();
    let script = place.script("answers", "#!/bin/sh\necho wild\n");
    let minder = without(&place, "SYS_clone", "EAGAIN");
    for tier in Tier::ALL {
        let mut house = place.house(tier, Limits::default());
        house.minder = minder.clone();
        let taken = Bot::take_on(crate::prepared(&script, &house), &house);
        let said = taken.unwrap_err().to_string();
        assert!(
            said.contains("EAGAIN") || said.contains("temporarily"),
            "{tier}: {said}"
        );
    }
}

#[test]
fn a_sandbox_that_the_kernel_does_not_give_is_refused_with_the_reason() {
    let place = Place::new();
    let script = place.script("answers", "#!/bin/sh\necho wild\n");
    for (call, what) in [
        ("SYS_landlock_restrict_self", "Landlock"),
        ("SYS_landlock_create_ruleset", "Landlock"),
        ("SYS_seccomp", "filter calls"),
        ("SYS_unshare", "namespaces"),
        ("SYS_prlimit64", "limit"),
    ] {
        let mut house = place.house(Tier::Strict, Limits::default());
        house.minder = without(&place, call, "EPERM");
        let taken = Bot::take_on(crate::prepared(&script, &house), &house);
        let said = taken.unwrap_err().to_string();
        assert!(said.contains(what), "{call}: {said}");
    }
}

/// Only a bot that is out of reach of its minder is known to be innocent; any other could have done
/// it, and nobody else has a reason to.
#[test]
fn a_minder_that_is_killed_is_the_fault_of_a_bot_that_could_do_it() {
    let place = Place::new();
    let script = place.script("waits", "#!/bin/sh\nread word\necho \"$word\"\n");
    for signal in ["-KILL", "-STOP"] {
        for tier in Tier::ALL {
            let mut bot = place.take_on(tier, Limits::default(), &script);
            let mut process = bot.open(&[], true).unwrap();
            assert!(process.is_started().unwrap());
            let minder = place.minder();
            let killed = Command::new("kill").args([signal, &minder]).status();
            assert!(killed.unwrap().success());
            let asked = Instant::now();
            // What is asked of a minder that is stopped is noticed when it is needed.
            let heard = process.line(Duration::from_millis(500), None);
            match tier {
                Tier::Strict => {
                    let said = heard.unwrap_err().to_string();
                    assert!(
                        said.contains("the process that minds the bot was"),
                        "{said}"
                    );
                }
                Tier::None | Tier::Limits => {
                    assert_eq!(heard.unwrap(), Err(Silence::KilledItsMinder), "{tier}");
                }
            }
            assert!(asked.elapsed() < AT_ONCE, "{tier} {signal}");
            drop(process);
            let run = bot.run(&[], b"wild\n", LONG).unwrap();
            assert_eq!(printed(&run), "wild\n", "{tier}: it is given another one");
        }
    }
}

/// All but two signals leave it cold.
#[test]
fn a_minder_is_deaf_to_signals() {
    let place = Place::new();
    let script = place.script("waits", "#!/bin/sh\nread word\necho \"$word\"\n");
    for tier in Tier::ALL {
        let mut bot = place.take_on(tier, Limits::default(), &script);
        let mut process = bot.open(&[], true).unwrap();
        assert!(process.is_started().unwrap());
        for signal in [
            "-TERM", "-INT", "-HUP", "-ABRT", "-SEGV", "-USR1", "-TSTP", "-PIPE", "-CHLD",
        ] {
            let minder = place.minder();
            assert!(
                Command::new("kill")
                    .args([signal, &minder])
                    .status()
                    .unwrap()
                    .success()
            );
        }
        process.send(b"wild\n");
        assert_eq!(
            process.line(LONG, None).unwrap(),
            Ok(b"wild".to_vec()),
            "{tier}"
        );
    }
}
