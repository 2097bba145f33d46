//! Contests that are not held.

use std::fs;

use crate::hall::Hall;

#[test]
fn a_contest_that_cannot_be_held_is_refused_in_one_line() {
    let hall = Hall::new();
    let four = ["careful", "random", "random", "random"];
    let begin = |more: &[&'static str]| [&["tournament", "intensity"], &four[..], more].concat();
    hall.found(&begin(&[
        "--rounds", "2", "--seed", "3", "--out", "results",
    ]));
    let wrong = |arguments: &[&str], says: &str| {
        let said = hall.refused(arguments);
        assert!(said.contains(says), "{said}");
    };
    wrong(
        &["tournament", "intensity", "random", "random"],
        "seats 4 players, not 2; ",
    );
    wrong(
        &[
            "tournament",
            "intensity",
            "a=random",
            "a=careful",
            "random",
            "random",
        ],
        "two players are named 'a'",
    );
    wrong(
        &[
            "tournament",
            "intensity",
            "./nothing.c",
            "random",
            "random",
            "random",
        ],
        "nothing.c",
    );
    hall.file("one.c", "int main(void) { return x; }");
    hall.file("two.c", "int main(void) { return y; }");
    let output = hall.run(&[
        "tournament",
        "intensity",
        "one.c",
        "two.c",
        "random",
        "no.c",
        "--strict-entry",
    ]);
    let said = String::from_utf8_lossy(&output.stderr);
    let both = "croupier: two, no cannot be used, and neither can this one: ";
    assert!(said.starts_with(both), "{said}");
    wrong(
        &[
            "tournament",
            "intensity",
            "one.c",
            "random",
            "random",
            "no.c",
        ],
        "cannot use the program no.c",
    );
    wrong(
        &[
            "tournament",
            "intensity",
            "one.c",
            "two.c",
            "random",
            "random",
        ],
        "; one, two cannot be used: croupier check intensity shows why",
    );
    wrong(&["tournament", "intensity"], "seats 4 players, not 0; ");
    wrong(&["tournament"], "needs a game and players");
    wrong(&["tournament", "war"], "war");
    wrong(
        &begin(&["--seed", "4", "--out", "results"]),
        "belongs to another contest, in which seed is 3",
    );
    wrong(
        &begin(&["--rounds", "2", "--seed", "4", "--out", "results"]),
        "in which seed is 3, not 4",
    );
    wrong(
        &[
            "tournament",
            "uno",
            "random",
            "random",
            "random",
            "random",
            "--out",
            "results",
        ],
        "another contest",
    );
    wrong(
        &begin(&["--out", "results", "--rounds", "1"]),
        "in which rounds is 2",
    );
    wrong(
        &["tournament", "--resume", "nowhere"],
        "there is no contest in nowhere",
    );
    wrong(
        &["tournament", "intensity", "--resume", "results"],
        "croupier tournament --resume, without intensity",
    );
    wrong(
        &["tournament", "--resume", "results", "--withdraw", "zoe"],
        "nobody named 'zoe'",
    );
    wrong(
        &["tournament", "--resume", "results", "--withdraw", "careful"],
        "seats 4 players, not 3; ",
    );
    wrong(
        &["tournament", "--resume", "results", "--rounds", "1"],
        "the contest has 2 rounds: there can be more, but not fewer, such as 1",
    );
    wrong(
        &begin(&["--suspend-after", "0"]),
        "it must be a whole number, 1 or more, or never",
    );
    let players: Vec<String> = (0..100).map(|number| format!("p{number}=random")).collect();
    let players: Vec<&str> = players.iter().map(String::as_str).collect();
    wrong(
        &[&["tournament", "intensity"], &players[..]].concat(),
        "use the format swiss",
    );

    let config = |text: &str, says: &str| {
        hall.file("contest.toml", text);
        let said = hall.refused(&["tournament", "--config", "contest.toml"]);
        assert!(
            said.contains("contest.toml") && said.contains(says),
            "{said}"
        );
    };
    config(
        "game = \"intensity\"\nround = 3\n",
        "there is no key 'round'; the keys are: game,",
    );
    config(
        "game = \"bridge\"\n",
        "there is no game 'bridge'; the games are: war, intensity",
    );
    config("game = \"war\"\n", "programs do not play the game 'war'");
    // A byte order mark and the ends of lines of another system do no harm here.
    config("\u{feff}game = \"bridge\"\r\n", "no game 'bridge'");
    config(
        "",
        "the file is empty; croupier tournament --example prints one",
    );
    config("players = []\n", "which game");
    config("game = \"intensity\"\nplayers = 4\n", "must be a list");
    config("game = \"intensity\"\nplayers = [\n", "line ");
    config(
        "game = \"intensity\"\n[seed]\n",
        "'seed' must be a string, a number",
    );
    config(
        "game = \"intensity\"\nrounds = 1\nrounds = 2\n",
        "line 3: duplicate key",
    );
    config(
        "game = \"intensity\"\nplayers = [[\"careful\", \"random\"]]\n",
        "must be a list",
    );
    for (text, says) in [
        (
            "penalties = \"yes\"",
            "unexpected value 'yes' for '--penalties'",
        ),
        ("seatings = false", "invalid value 'no' for '--seatings"),
        ("seed = -5", "invalid value '-5' for '--seed"),
        (
            "staff = [\"random\", \"random\", \"random\", \"careful\"]",
            "at most 3 seats can be empty, but --staff names 4 players",
        ),
    ] {
        let players = "players = [\"random\", \"random\", \"random\", \"random\"]";
        config(&format!("game = \"intensity\"\n{text}\n{players}\n"), says);
    }
    hall.file("taken", "a file");
    wrong(
        &begin(&["--out", "taken"]),
        "cannot make the folder taken: File exists",
    );
    wrong(
        &["tournament", "--config", "nothing.toml"],
        "nothing.toml: No such file",
    );

    let other = [
        "zoe=careful",
        "random",
        "random",
        "random",
        "--out",
        "results",
    ];
    let forgotten = [&["tournament", "intensity", "--rounds", "2"], &other[..]].concat();
    wrong(
        &forgotten,
        "careful takes part in the contest in results; croupier tournament --resume results \
         --withdraw careful takes it out",
    );

    // Rounds may be added, and nothing that was played is played again.
    let more = hall.found(&begin(&["--rounds", "4", "--out", "results"]));
    assert_eq!((&more["games"], &more["seed"]), (&16.into(), &"3".into()));
}

/// A store of which the end is missing, or which is something else, is not gone on with.
#[test]
fn a_store_that_is_cut_off_is_refused() {
    let hall = Hall::new();
    let begin = [
        "tournament",
        "uno",
        "random",
        "random",
        "random",
        "random",
        "--rounds",
        "40",
        "--out",
        "results",
    ];
    hall.found(&begin);
    let place = hall.path("results/contest.sqlite");
    let whole = fs::read(&place).unwrap();
    for length in [
        0,
        10,
        100,
        3_000,
        4_096,
        whole.len() / 2,
        whole.len() - 4_096,
    ] {
        fs::write(&place, &whole[..length]).unwrap();
        let said = hall.refused(&["tournament", "--resume", "results"]);
        let nothing = said.contains("there is no contest in results") && length == 0;
        assert!(
            nothing || said.contains("cannot be read as a contest"),
            "{length}: {said}"
        );
    }
    let other = 8 * 7 + 4;
    for format in [1u32, 99] {
        let mut another = whole.clone();
        another[other..other + 4].copy_from_slice(&format.to_be_bytes());
        fs::write(&place, another).unwrap();
        let said = hall.refused(&["tournament", "--resume", "results"]);
        let format = format!("format {format} of another version");
        assert!(said.contains(&format), "{said}");
        assert!(said.contains("begin the contest anew"), "{said}");
    }
    fs::write(&place, &whole).unwrap();
    assert_eq!(
        hall.run(&["tournament", "--resume", "results"])
            .status
            .code(),
        Some(0)
    );
}

#[test]
fn a_contest_that_is_refused_leaves_nothing_behind() {
    let hall = Hall::new();
    let three = ["tournament", "intensity", "careful", "random", "a=random"];
    let said = hall.refused(&[&three[..], &["--out", "results"]].concat());
    assert!(said.contains("seats 4 players, not 3; "), "{said}");
    assert!(!hall.path("results").exists());
}
