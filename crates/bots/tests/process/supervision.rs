//! What a process is charged for, whatever it does to be overlooked.

use std::path::Path;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use croupier_bots::{Limits, Overrun, Silence, Tier};

use crate::place::{HELD, LONG, Place};

/// A program that holds too much memory in children, and does this.
pub(crate) fn holding_too_much(what: &str) -> String {
    format!(
        r#"
        #include <signal.h>
        #include <stdlib.h>
        #include <string.h>
        #include <sys/wait.h>
        #include <unistd.h>
        static char *volatile mine;
        int main(void) {{
            pid_t parent = getpid();
            for (int child = 0; child < 3; child++)
                if (fork() == 0) {{
                    mine = malloc(40 << 20);
                    memset(mine, 1, 40 << 20);
                    for (;;)
                        pause();
                }}
            alarm(100);
            {what}
        }}
        "#
    )
}

/// Never looked at if what it does puts the next look off.
fn holds_too_much(what: &str) {
    let place = Place::new();
    let program = place.c("hides", &holding_too_much(what));
    let limits = Limits {
        memory: 64 << 20,
        ..Limits::default()
    };
    for tier in HELD {
        let run = place.run(tier, limits.clone(), &program);
        let expected = Some(Silence::TooMuch(Overrun::Memory));
        assert_eq!(run.silence, expected, "{tier}: {run:?}");
    }
}

#[test]
fn orphans_that_die_without_pause_do_not_put_off_the_next_look() {
    holds_too_much(
        "for (;;) { pid_t child = fork(); \
           if (child == 0) { if (fork() == 0) _exit(0); _exit(0); } \
           waitpid(child, NULL, 0); }",
    );
}

#[test]
fn who_stops_and_goes_on_without_pause_does_not_put_off_the_next_look() {
    holds_too_much(
        "if (fork() == 0) for (;;) { kill(parent, SIGSTOP); kill(parent, SIGCONT); } \
         for (;;) pause();",
    );
}

#[test]
fn questions_without_pause_do_not_put_off_the_next_look() {
    let text = r#"
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        #include <unistd.h>
        static char *volatile mine;
        int main(void) {
            char line[256];
            for (int child = 0; child < 3; child++)
                if (fork() == 0) {
                    mine = malloc(40 << 20);
                    memset(mine, 1, 40 << 20);
                    for (;;)
                        pause();
                }
            while (fgets(line, 256, stdin)) {
                puts("wild");
                fflush(stdout);
            }
            return 0;
        }
    "#;
    let place = Place::new();
    let program = place.c("asked", text);
    // With so little processor time the minder is told of every question.
    let limits = Limits {
        memory: 64 << 20,
        cpu: Duration::from_micros(4),
        ..Limits::default()
    };
    let limits = Limits {
        cpu: LONG,
        ..limits
    };
    for tier in HELD {
        let mut bot = place.take_on(tier, limits.clone(), &program);
        let mut process = bot.open(&[], true).unwrap();
        let until = Instant::now() + LONG;
        loop {
            process.send(b"dowhat\n");
            match process.line(LONG, None).unwrap() {
                Ok(line) => assert_eq!(line, b"wild"),
                Err(silence) => {
                    let ended = process.ended().map(|ended| ended.overrun);
                    let told =
                        matches!(silence, Silence::TooMuch(Overrun::Memory) | Silence::Closed);
                    assert!(told, "{tier}: {silence:?} {ended:?}");
                    break;
                }
            }
            assert!(Instant::now() < until, "{tier}: it is never looked at");
        }
    }
}

/// Computes in grandchildren that are nobody's when they die, a little in each.
pub(crate) const ORPHANS: &str = r#"
    #include <signal.h>
    #include <sys/resource.h>
    #include <sys/wait.h>
    #include <unistd.h>
    int main(void) {
        alarm(100);
        for (;;) {
            int ends[2];
            char nothing;
            pipe(ends);
            if (fork() == 0) {
                if (fork() == 0) {
                    struct rusage used;
                    do
                        getrusage(RUSAGE_SELF, &used);
                    while (used.ru_utime.tv_usec + used.ru_stime.tv_usec < 30000);
                }
                _exit(0);
            }
            wait(0);
            close(ends[1]);
            read(ends[0], &nothing, 1);
            close(ends[0]);
        }
    }
"#;

#[test]
fn the_processor_time_of_buried_orphans_is_charged() {
    let place = Place::new();
    let program = place.c("orphans", ORPHANS);
    let limits = Limits {
        cpu: Duration::from_millis(600),
        ..Limits::default()
    };
    for tier in HELD {
        let run = place.run(tier, limits.clone(), &program);
        let expected = Some(Silence::TooMuch(Overrun::Cpu));
        assert_eq!(run.silence, expected, "{tier}: {run:?}");
        let cpu = run.ended.unwrap().cpu;
        assert!(cpu >= limits.cpu, "{tier}: {cpu:?} in the end");
    }
}

/// What the minder reports in the end is what all of it has used.
#[test]
fn processor_time_is_reported_of_all() {
    let place = Place::new();
    let text = ORPHANS.replace("for (;;) {", "for (int n = 0; n < 10; n++) {");
    let program = place.c("orphans", &text);
    for tier in Tier::ALL {
        let mut bot = place.take_on(tier, Limits::default(), &program);
        for _ in 0..2 {
            let run = bot.run(&[], b"", LONG).unwrap();
            assert_eq!(run.silence, None);
            let cpu = run.ended.unwrap().cpu;
            // The kernel counts in steps, and forks besides; but not what an earlier one has used.
            let right = Duration::from_millis(200)..Duration::from_millis(590);
            assert!(right.contains(&cpu), "{tier}: {cpu:?}");
        }
    }
}

struct Rival(Child);

impl Rival {
    fn start(program: &Path) -> Rival {
        Rival(Command::new(program).arg("rival").spawn().unwrap())
    }
}

impl Drop for Rival {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Who is late is given back the time for which the machine kept it waiting since it was asked, and
/// none of the time before, in which it may have queued on purpose.
#[test]
fn no_time_is_given_back_for_waiting_before_the_question() {
    let text = r#"
        #include <sched.h>
        #include <stdio.h>
        #include <string.h>
        #include <sys/time.h>
        #include <unistd.h>
        int main(int count, char **words) {
            cpu_set_t one;
            struct timeval begun, now;
            CPU_ZERO(&one);
            CPU_SET(0, &one);
            sched_setaffinity(0, sizeof one, &one);
            while (count > 1)
                ;
            gettimeofday(&begun, NULL);
            do
                gettimeofday(&now, NULL);
            while (now.tv_sec < begun.tv_sec + 9);
            puts("ready");
            fflush(stdout);
            for (;;)
                pause();
        }
    "#;
    let place = Place::new();
    let program = place.c("queues", text);
    let time = Duration::from_secs(3);
    std::thread::scope(|scope| {
        for tier in Tier::ALL {
            let (place, program) = (&place, &program);
            scope.spawn(move || {
                let _rival = Rival::start(program);
                let mut bot = place.take_on(tier, Limits::default(), program);
                let mut process = bot.open(&[], true).unwrap();
                assert_eq!(process.line(LONG, None).unwrap(), Ok(b"ready".to_vec()));
                let asked = Instant::now();
                assert_eq!(
                    process.line(time, None).unwrap(),
                    Err(Silence::Late),
                    "{tier}"
                );
                assert!(asked.elapsed() < 2 * time, "{tier}: {:?}", asked.elapsed());
            });
        }
    });
}
