//! Programs in the languages in which people write bots, in the strictest tier: each with threads,
//! memory, chance and the clock.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use croupier_bots::{Limits, Tier};

use crate::place::{LONG, Place, printed};

/// The program answers a line, in every tier.
fn answers(place: &Place, program: &Path) {
    let limits = Limits {
        cpu: Duration::from_secs(300),
        ..Limits::default()
    };
    for tier in Tier::ALL {
        let mut bot = place.take_on(tier, limits.clone(), program);
        let run = bot.run(&[], b"7 blue\n", 2 * LONG).unwrap();
        assert_eq!(printed(&run), "7 blue\n", "{tier}: {}", run.errors.text());
    }
}

fn answers_if_there(language: &str, place: &Place, program: Option<PathBuf>) {
    match program {
        Some(program) => answers(place, &program),
        None => eprintln!("{language} is missing: this test has tested nothing"),
    }
}

#[test]
fn c() {
    let place = Place::new();
    let text = r#"
        #include <pthread.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        #include <sys/random.h>
        #include <time.h>
        static char line[256];
        static void *think(void *nothing) {
            char *much = malloc(9 << 20);
            struct timespec a_while = {0, 1000000};
            memset(much, time(NULL), 9 << 20);
            getrandom(much, 16, 0);
            nanosleep(&a_while, NULL);
            return fgets(line, 256, stdin);
        }
        int main(void) {
            pthread_t other;
            pthread_create(&other, NULL, think, NULL);
            pthread_join(other, NULL);
            fputs(line, stdout);
            return 0;
        }
    "#;
    let program = place.c("player", text);
    answers(&place, &program);
}

#[test]
fn cpp() {
    let place = Place::new();
    let text = r#"
        #include <chrono>
        #include <iostream>
        #include <random>
        #include <stdexcept>
        #include <string>
        #include <thread>
        #include <vector>
        int main() {
            std::string line;
            std::thread other([&] {
                std::vector<int> much(1 << 20, std::random_device{}());
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
                try { throw std::runtime_error("caught"); } catch (const std::exception &) {}
                std::getline(std::cin, line);
            });
            other.join();
            std::cout << line << std::endl;
        }
    "#;
    let program = place.compiled(&["c++", "-pthread"], "player.cc", text);
    answers_if_there("C++", &place, program);
}

#[test]
fn rust() {
    let place = Place::new();
    let text = r#"
        use std::collections::HashMap;
        fn main() {
            let line = std::thread::spawn(|| {
                let mut line = String::new();
                std::io::stdin().read_line(&mut line).unwrap();
                let hands: HashMap<usize, String> = (0..9).map(|n| (n, line.clone())).collect();
                std::thread::sleep(std::time::Duration::from_millis(1));
                hands[&7].clone()
            });
            print!("{}", line.join().unwrap());
        }
    "#;
    let program = place.compiled(&["rustc", "-C", "debuginfo=0"], "player.rs", text);
    answers_if_there("Rust", &place, program);
}

#[test]
fn go() {
    let place = Place::new();
    let text = r#"
        package main
        import ("bufio"; "fmt"; "os"; "runtime"; "time")
        func main() {
            lines := make(chan string)
            go func() {
                line, _ := bufio.NewReader(os.Stdin).ReadString('\n')
                time.Sleep(time.Millisecond)
                runtime.GC()
                lines <- line
            }()
            fmt.Print(<-lines)
        }
    "#;
    let program = place.compiled(&["go", "build"], "player.go", text);
    answers_if_there("Go", &place, program);
}

#[test]
fn python() {
    let place = Place::new();
    let program = place.path("player.py");
    let text = "\
import json, random, sys, threading, time
said = []
def think():
    random.seed()
    time.sleep(0.001)
    said.append(sys.stdin.readline())
other = threading.Thread(target=think)
other.start()
other.join()
print(json.loads(json.dumps(said))[0], end='', flush=True)
";
    std::fs::write(&program, text).unwrap();
    let there = croupier_bots::python_here().is_ok().then_some(program);
    answers_if_there("Python", &place, there);
}

#[test]
fn javascript() {
    let place = Place::new();
    let text = "\
#!/usr/bin/env node
const { createInterface } = require('readline');
const much = new Array(1 << 20).fill(Math.random());
setTimeout(() => {
    createInterface({ input: process.stdin }).once('line', line => {
        console.log(line);
        process.exit(0);
    });
}, much.length && 1);
";
    let program = place.script("player.js", text);
    // Where people have it in their own folders, nobody who is held can read it.
    let there = Command::new("sh")
        .args(["-c", "command -v node"])
        .env("PATH", "/usr/local/bin:/usr/bin:/bin")
        .output();
    let there = there.is_ok_and(|output| output.status.success());
    answers_if_there("JavaScript", &place, there.then_some(program));
}
