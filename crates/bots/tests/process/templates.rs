//! Programs that are forked from a template: what they find is what they find after an ordinary start.

use std::path::{Path, PathBuf};
use std::time::Duration;

use croupier_bots::{
    Bot, Entries, House, HowEnded, Limits, Preparation, Program, Run, Silence, Tier, Unusable,
};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::place::{HELD, LONG, Place, printed};

/// How often a program is run: the first process is started anew in any case.
const TIMES: usize = 3;

/// Limits that tell a program from one without.
fn limits() -> Limits {
    Limits {
        memory: 300 << 20,
        files: 99,
        ..Limits::default()
    }
}

/// The program run several times, in one way of starting.
fn runs(place: &Place, program: &Path, tier: Tier, fresh_processes: bool) -> Vec<Run> {
    let house = House {
        fresh_processes,
        ..place.house(tier, limits())
    };
    let mut bot = Bot::take_on(crate::prepared(program, &house), &house).unwrap();
    let arguments = ["seven".to_owned(), "of hearts".to_owned()];
    let run = |_| bot.run(&arguments, b"1 2 3\n", LONG).unwrap();
    let times = if fresh_processes { TIMES - 1 } else { TIMES };
    (0..times).map(run).collect()
}

/// What can be seen of a run.
fn seen(run: &Run) -> (String, String, Option<Silence>, Option<HowEnded>) {
    let output = String::from_utf8_lossy(&run.output).into_owned();
    let how = run.ended.as_ref().map(|ended| ended.how);
    (output, run.errors.text(), run.silence.clone(), how)
}

/// Both ways of starting come to the same, every time and in every tier; what it is.
fn same_in_both_ways(place: &Place, program: &Path) -> (String, String, Option<HowEnded>) {
    let mut seen_last = None;
    for tier in Tier::ALL {
        let mut first = None;
        for fresh_processes in [true, false] {
            for run in runs(place, program, tier, fresh_processes) {
                let seen = seen(&run);
                let what = format!("{} {tier}, fresh: {fresh_processes}", program.display());
                assert_eq!(seen.2, None, "{what}: {seen:?}");
                assert_eq!(first.get_or_insert(seen.clone()), &seen, "{what}");
            }
        }
        seen_last = first;
    }
    let (output, errors, _, how) = seen_last.unwrap();
    (output, errors, how)
}

fn source(place: &Place, name: &str, text: &str) -> PathBuf {
    let path = place.path(name);
    std::fs::write(&path, text).unwrap();
    path
}

fn can_fork(place: &Place, program: &Path) -> bool {
    crate::prepared(program, &place.house(Tier::Limits, limits())).can_fork()
}

/// Everything that a process can find out about itself and that is the same every time.
#[test]
fn a_forked_process_finds_what_a_fresh_one_finds() {
    let place = Place::new();
    let text = r#"
        #define _GNU_SOURCE
        #include <errno.h>
        #include <fcntl.h>
        #include <pthread.h>
        #include <sched.h>
        #include <signal.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        #include <sys/prctl.h>
        #include <sys/resource.h>
        #include <sys/stat.h>
        #include <sys/syscall.h>
        #include <sys/times.h>
        #include <unistd.h>
        extern char **environ;
        static int counter;
        static void bye(void) { printf("bye\n"); }
        static void *other(void *nothing) { return (void *)syscall(SYS_gettid); }
        int main(int count, char **words) {
            struct sigaction action;
            struct rlimit limit;
            struct tms used;
            sigset_t mask, pending;
            int number, sum = 0, files = 0, signals = 0;
            atexit(bye);
            for (int i = 1; i < count; i++) printf("%s|", words[i]);
            printf("%d %d\n", ++counter, rand());
            while (scanf("%d", &number) == 1) sum += number;
            for (int file = 0; file < 1000; file++) files += fcntl(file, F_GETFD) >= 0;
            sigprocmask(SIG_SETMASK, NULL, &mask);
            sigpending(&pending);
            for (int signal = 1; signal < 65; signal++) {
                if (sigaction(signal, NULL, &action) == 0 && action.sa_handler != SIG_DFL) signals++;
                signals += sigismember(&mask, signal) > 0;
                signals += sigismember(&pending, signal) > 0;
            }
            printf("%d, %d files, %d signals\n", sum, files, signals);
            for (int resource = 0; resource < RLIM_NLIMITS; resource++) {
                getrlimit(resource, &limit);
                /* The number of all processes of the user changes, and with it this limit. */
                if (resource != RLIMIT_NPROC) printf("%lx %lx,", limit.rlim_cur, limit.rlim_max);
            }
            int death = 0;
            prctl(PR_GET_PDEATHSIG, &death);
            printf("\n%d %d %d %d %d %o\n", death, prctl(PR_GET_DUMPABLE), prctl(PR_GET_NO_NEW_PRIVS),
                   getpriority(PRIO_PROCESS, 0), sched_getscheduler(0), umask(022));
            printf("%d %d\n", getpgrp() == getpid(), syscall(SYS_gettid) == getpid());
            times(&used);
            printf("%d %ld\n", used.tms_utime + used.tms_stime < 100, used.tms_cutime + used.tms_cstime);
            char here[4096], exe[4096] = "";
            getcwd(here, sizeof here);
            printf("%d\n", getenv("HOME") && (!strcmp(here, getenv("HOME")) || !getenv("LANG")));
            int settings = 0;
            for (char **setting = environ; *setting; setting++)
                settings += strncmp(*setting, "HOME=", 5) != 0 && puts(*setting) >= 0;
            printf("%d\n", settings);
            /* What the C library remembers of the process: who holds a lock, and who is killed. */
            pthread_mutex_t lock;
            pthread_mutexattr_t kind;
            pthread_t thread;
            void *tid;
            pthread_mutexattr_init(&kind);
            pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK);
            pthread_mutexattr_setrobust(&kind, PTHREAD_MUTEX_ROBUST);
            pthread_mutexattr_setprotocol(&kind, PTHREAD_PRIO_INHERIT);
            pthread_mutex_init(&lock, &kind);
            printf("%d ", pthread_mutex_lock(&lock));
            printf("%d ", pthread_mutex_lock(&lock) == EDEADLK);
            printf("%d ", pthread_mutex_unlock(&lock));
            pthread_create(&thread, NULL, other, NULL);
            pthread_join(thread, &tid);
            printf("%d\n", (pid_t)(long)tid != getpid());
            signal(SIGUSR1, SIG_IGN);
            raise(SIGUSR1);
            fprintf(stderr, "%d", counter);
            return 7; /* and the output is flushed */
        }
    "#;
    let program = source(&place, "finds.c", text);
    assert!(can_fork(&place, &program));
    let (output, errors, how) = same_in_both_ways(&place, &program);
    assert!(output.starts_with("seven|of hearts|1 "), "{output}");
    assert!(output.contains("\n6, 3 files, 0 signals\n"), "{output}");
    assert!(output.ends_with("0 1 0 1\nbye\n"), "{output}");
    assert_eq!((errors.as_str(), how), ("1", Some(HowEnded::Status(7))));
}

#[test]
fn constructors_and_destructors_run_in_every_process() {
    let place = Place::new();
    let text = r#"
        #include <cstdio>
        #include <iostream>
        #include <string>
        #include <vector>
        static int built;
        struct Hall {
            std::vector<std::string> names;
            Hall() : names{"ann", "bob"} { std::cout << "built " << ++built << std::endl; }
            ~Hall() { std::cout << "gone" << std::endl; }
        };
        static Hall hall;
        __attribute__((constructor)) static void early(int count, char **words, char **) {
            printf("early %d %s\n", count, words[1]);
        }
        int main() {
            int sum = 0;
            for (int number; std::cin >> number;) sum += number;
            std::cout << sum << hall.names[1] << '\n';
            try { throw std::string("caught"); } catch (std::string &what) { std::cout << what << '\n'; }
        }
    "#;
    let program = source(&place, "hall.cpp", text);
    assert!(can_fork(&place, &program));
    let (output, ..) = same_in_both_ways(&place, &program);
    assert!(output.contains("early 3 seven\n"), "{output}");
    assert!(output.ends_with("6bob\ncaught\ngone\n"), "{output}");
}

/// What runs before us, or is called before us, is not to be run once for all processes.
#[test]
fn who_has_a_say_before_us_is_started_anew() {
    let place = Place::new();
    let main = "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <unistd.h>\n\
                static int early;\n\
                int main(void) { printf(\"%d\\n\", early); return 0; }\n";
    let says = [
        (
            "preinit",
            "static void before(void) { early++; }\n\
             __attribute__((section(\".preinit_array\"), used)) static void (*b)(void) = before;\n",
            "1\n",
        ),
        (
            "ifunc",
            "static int one(void) { return 1; }\n\
             static void *choose(void) { return one; }\n\
             int chosen(void) __attribute__((ifunc(\"choose\")));\n",
            "0\n",
        ),
        (
            "memory",
            "static char room[1 << 20], *next = room;\n\
             void *malloc(size_t size) { early++; next += (size + 31) & ~15ul; return next - size; }\n\
             void free(void *p) {}\n\
             void *calloc(size_t n, size_t size) { return malloc(n * size); }\n\
             void *realloc(void *p, size_t size) { return memcpy(malloc(size), p, size); }\n",
            "",
        ),
        (
            "copies",
            "void *memcpy(void *to, const void *from, size_t n) {\n\
             early++; char *t = to; const char *f = from; while (n--) *t++ = *f++; return to; }\n",
            "",
        ),
        (
            "section",
            "__asm__(\".section .rela.iplt,\\\"a\\\"\\n.quad 0\\n.text\\n\");\n",
            "",
        ),
        (
            "starts",
            "int __libc_start_main(void *m, int c, void *v, void *i, void *f, void *r, void *s) {\n\
             write(1, \"own\\n\", 4); _exit(3); }\n",
            "own\n",
        ),
    ];
    for (name, say, expected) in says {
        let program = source(&place, &format!("{name}.c"), &format!("{main}{say}"));
        assert!(!can_fork(&place, &program), "{name}");
        let (output, ..) = same_in_both_ways(&place, &program);
        assert!(
            expected.is_empty() || output == expected,
            "{name}: {output}"
        );
    }
    // Where a program begins cannot be the program's own: that would be there twice.
    let text = format!("{main}void _start(void) {{ _exit(0); }}\n");
    let program = source(&place, "begins.c", &text);
    let house = place.house(Tier::Limits, limits());
    let entries = Entries::default();
    let refused = Program::prepare(&program, &Preparation::new(&house, &entries)).unwrap_err();
    assert!(matches!(refused, Unusable::Compile { .. }), "{refused}");
    // A name that nobody else uses before is the program's own to use.
    let own = "int index_of(int x) { return x; }\ndouble gamma(double x) { return x; }\n";
    let program = source(&place, "own.c", &format!("{main}{own}"));
    assert!(can_fork(&place, &program));
}

#[test]
fn an_executable_is_started_anew() {
    let place = Place::new();
    let text = "#include <stdio.h>\nconst char *magic = \"croupier-template-1\";\n\
                int main(void) { puts(magic); return 0; }\n";
    let program = place.c("imitates", text);
    assert!(!can_fork(&place, &program));
    let (output, ..) = same_in_both_ways(&place, &program);
    assert_eq!(output, "croupier-template-1\n");
}

/// The bytes of chance that the kernel gives to every program that it loads are those of the template.
#[test]
fn it_is_forked_indeed() {
    let place = Place::new();
    let text = "#include <sys/auxv.h>\n#include <stdio.h>\n\
                int main(void) { printf(\"%016lx\\n\", *(unsigned long *)getauxval(AT_RANDOM)); }\n";
    let program = source(&place, "chance.c", text);
    for tier in HELD {
        let outputs = |fresh| -> Vec<String> {
            runs(&place, &program, tier, fresh)
                .iter()
                .map(printed)
                .collect()
        };
        let (fresh, forked) = (outputs(true), outputs(false));
        assert!(fresh[0] != fresh[1], "{tier}: {fresh:?}");
        assert!(forked[0] != forked[1], "{tier}: {forked:?}");
        assert!(
            (2..TIMES).all(|i| forked[i] == forked[1]),
            "{tier}: {forked:?}"
        );
    }
}

/// A template that somebody outside kills or stops between two processes costs nothing but a new one.
#[test]
fn a_template_that_is_gone_is_replaced() {
    let place = Place::new();
    let text = "#include <stdio.h>\n#include <unistd.h>\n\
                int main(void) { printf(\"%d\\n\", getppid()); return 0; }\n";
    let program = source(&place, "parent.c", text);
    let mut bot = place.take_on(Tier::Limits, limits(), &program);
    let mut run = || printed(&bot.run(&[], b"", LONG).unwrap());
    let parents: Vec<String> = (0..TIMES).map(|_| run()).collect();
    let minder = parents[0].trim();
    for signal in [Signal::SIGKILL, Signal::SIGSTOP, Signal::SIGKILL] {
        // Nothing is left of the program, so the only child is the template.
        let children = std::fs::read_to_string(format!("/proc/{minder}/task/{minder}/children"));
        let template = children.unwrap().trim().parse().unwrap();
        kill(Pid::from_raw(template), signal).unwrap();
        for _ in 0..TIMES {
            assert_eq!(run().trim(), minder);
        }
    }
}

/// Whoever is given up before anybody has heard of it is gone all the same.
#[test]
fn a_process_that_was_only_asked_for_is_killed() {
    let place = Place::new();
    let text = "#include <stdio.h>\n#include <unistd.h>\n\
                int main(void) { int card; if (scanf(\"%d\", &card) == 1) printf(\"%d\\n\", card); else sleep(60); }\n";
    let program = source(&place, "waits.c", text);
    for tier in HELD {
        let mut bot = place.take_on(tier, limits(), &program);
        for card in ["1", "2", "3", "4"] {
            assert_eq!(
                bot.run(&[], card.as_bytes(), LONG).unwrap().output,
                [card.as_bytes(), b"\n"].concat()
            );
            for _ in 0..TIMES {
                drop(bot.open(&[], true).unwrap());
            }
        }
    }
}

#[test]
fn limits_hold_for_each_process_by_itself() {
    let place = Place::new();
    let text = "#include <stdlib.h>\n#include <string.h>\n#include <time.h>\n\
                int main(void) { char *much = malloc(400 << 20); if (much) memset(much, 1, 400 << 20);\n\
                while (clock() < CLOCKS_PER_SEC / 5) {} return much != 0; }\n";
    let program = source(&place, "much.c", text);
    for tier in HELD {
        for run in runs(&place, &program, tier, false) {
            let ended = run.ended.unwrap();
            assert_eq!(ended.how, HowEnded::Status(0), "{tier}");
            let (least, most) = (Duration::from_millis(150), Duration::from_secs(5));
            assert!(
                (least..most).contains(&ended.cpu),
                "{tier}: {:?}",
                ended.cpu
            );
        }
    }
}

fn python_is_there() -> bool {
    let there = std::process::Command::new("python3").arg("-V").output();
    let there = there.is_ok_and(|output| output.status.success());
    if !there {
        eprintln!("python3 is missing: this test has tested nothing");
    }
    there
}

/// Ways in which programs in Python run and end, with the status of each.
#[test]
fn a_program_in_python_is_the_same_in_both_ways() {
    if !python_is_there() {
        return;
    }
    let place = Place::new();
    source(
        &place,
        "beside.py",
        "import sys\nlog = open('/dev/stderr', 'w')\nlog.write('logged\\n')\n",
    );
    let programs = [
        (
            "plain",
            "import sys\nprint(sum(map(int, sys.stdin.read().split())))\n",
            0,
        ),
        (
            "about",
            "\"\"\"A player.\"\"\"\nimport os, sys\n\
             print(sorted(globals()), __name__, __doc__, os.path.basename(__file__), __spec__, __cached__)\n\
             print(type(__loader__).__name__, __loader__.name, __loader__.path == __file__, __builtins__)\n\
             print(sys.argv[1:], sys.argv[0] == __file__, sys.path[0] == os.path.dirname(__file__))\n\
             print(sys.flags, sys.orig_argv[1:] == sys.argv, sys.getrecursionlimit(), sys.dont_write_bytecode)\n\
             print(sorted(sys.modules), sys.modules['__main__'].__dict__ is globals())\n\
             print(sys.stdin, sys.stdout, sys.stderr, sys.stdin.seekable(), sys.stdout.line_buffering)\n\
             print(sorted(os.environ), os.getpid() == os.getpgrp())\n\
             def is_open(file):\n    try:\n        os.fstat(file)\n    except OSError:\n        return False\n    return True\n\
             print(list(filter(is_open, range(3, 99))) if 'ASAN_OPTIONS' in os.environ else '')\n",
            0,
        ),
        (
            "raises",
            "def play():\n    return {}['card']\n\nprint('thinking')\nplay()\n",
            1,
        ),
        (
            "chained",
            "try:\n    1 / 0\nexcept ZeroDivisionError as e:\n    raise ValueError('x') from e\n",
            1,
        ),
        (
            "deep",
            "def f(n): return f(n + 1)\ntry:\n    f(0)\nexcept RecursionError:\n    print('deep')\n",
            0,
        ),
        (
            "hook",
            "import sys\nsys.excepthook = lambda *a: print('hook', a[0].__name__, a[2].tb_lineno)\n1 / 0\n",
            1,
        ),
        (
            "exit_none",
            "import sys\nprint('x', end='')\nsys.exit()\n",
            0,
        ),
        ("exit_three", "raise SystemExit(3)\n", 3),
        ("exit_big", "import sys\nsys.exit(256 + 5)\n", 5),
        ("exit_minus", "import sys\nsys.exit(-1)\n", 255),
        ("exit_true", "import sys\nsys.exit(True)\n", 1),
        (
            "exit_text",
            "import sys\nprint('out')\nsys.exit('no card')\n",
            1,
        ),
        ("exit_at_once", "import os\nprint('lost')\nos._exit(4)\n", 4),
        ("quit", "quit(6)\n", 6),
        (
            "at_exit",
            "import atexit, sys\natexit.register(print, 'first')\natexit.register(print, 'second')\nsys.exit(2)\n",
            2,
        ),
        (
            "left_open",
            "import sys, beside\nclass Left:\n    def __del__(self): print('left', self.name)\n\
             one, two = Left(), Left()\none.name, two.name = 'one', 'two'\ntwo.self = two\nprint('end')\n",
            0,
        ),
        (
            "unflushed",
            "import sys\nsys.stdout.write('no newline')\nsys.stderr.write('errors')\n",
            0,
        ),
        (
            "threads",
            "import threading\n\
             def late():\n    threading.main_thread().join()\n    print('late')\n\
             threading.Thread(target=late).start()\nprint(threading.current_thread().name, threading.active_count())\n",
            0,
        ),
        (
            "thread_raises",
            "import sys, threading\nthreading.excepthook = lambda a: print(a.exc_type)\n\
             t = threading.Thread(target=lambda: 1 / 0)\nt.start()\nt.join()\n",
            0,
        ),
        (
            "closed",
            "import sys\nprint('x')\nsys.stdout.flush()\nsys.stdout.close()\n",
            0,
        ),
        ("broken", "import os, sys\nprint('x')\nos.close(1)\n", 120),
        (
            "replaced",
            "import io, sys\nsys.stdout = io.StringIO()\nprint('nowhere')\n",
            0,
        ),
        (
            "signals",
            "import signal\nprint([s for s in signal.valid_signals() if signal.getsignal(s) not in (signal.SIG_DFL, None)])\n\
             print(signal.pthread_sigmask(signal.SIG_BLOCK, []))\n",
            0,
        ),
        (
            "imports",
            "import collections, ctypes, json, random, socket, subprocess, tempfile, typing, warnings\n\
             import atexit, gc, _signal\n\
             print(ctypes.CDLL(None).abs(-3), ctypes.sizeof(ctypes.c_int), json.dumps([1]), random.Random(7).random())\n\
             class P(ctypes.Structure):\n    _fields_ = [('x', ctypes.c_int), ('p', ctypes.POINTER(ctypes.c_int))]\n\
             print(P(3).x, ctypes.CFUNCTYPE(ctypes.c_int)(lambda: 9)())\n",
            0,
        ),
        (
            "forks",
            "import os, sys\nprint('one')\nsys.stdout.flush()\nif os.fork() == 0:\n    print('two')\n    sys.exit(9)\n\
             print(os.wait()[1])\n",
            0,
        ),
        ("wrong", "print('x'\n", 1),
        ("null", "print('x')\0\n", 1),
        (
            "latin",
            "# -*- coding: latin-1 -*-\nprint('caf\\xe9' == 'caf\\u00e9')\n",
            0,
        ),
        ("warned", "x = 1\nif x is 1:\n    print('is')\n", 0),
        (
            "future",
            "from __future__ import annotations\nx: nothing = 1\nprint(__annotations__)\n",
            0,
        ),
    ];
    for (name, text, status) in programs {
        let program = source(&place, &format!("{name}.py"), text);
        assert!(can_fork(&place, &program), "{name}");
        let (output, errors, how) = same_in_both_ways(&place, &program);
        assert_eq!(
            how,
            Some(HowEnded::Status(status)),
            "{name}: {output} {errors}"
        );
    }
    let killed = source(
        &place,
        "killed.py",
        "import os, signal\nos.kill(os.getpid(), signal.SIGTERM)\n",
    );
    let (.., how) = same_in_both_ways(&place, &killed);
    assert_eq!(how, Some(HowEnded::Signal(15)));
    let interrupted = source(&place, "interrupted.py", "raise KeyboardInterrupt\n");
    let (.., how) = same_in_both_ways(&place, &interrupted);
    assert_eq!(how, Some(HowEnded::Signal(2)));
}
