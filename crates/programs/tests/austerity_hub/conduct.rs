//! Players who misbehave, each in its own way, at every moment of a game.
//!
//! A is a shenzi who takes a gift every turn; B is the one to watch. With two points for A the
//! game is over after two rounds.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use super::table::Table;
use super::{FOUR_GIFTS, SHENZI};

const GOES_ON: &str = "\
Player A purchased 3 using 0,0,0,0,0
Player B took a wild
Player A purchased 2 using 0,0,0,0,0
Player B took a wild
Winner(s) A
";

const GONE: &str = "\
Player A purchased 3 using 0,0,0,0,0
Game ended due to disconnect
";

const NO_ANSWER: &str = "Player A purchased 3 using 0,0,0,0,0\n";

/// What becomes of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Game {
    GoesOn,
    Disconnect,
    ProtocolError,
}

impl Game {
    fn status(self) -> i32 {
        match self {
            Game::GoesOn => 0,
            Game::Disconnect => 6,
            Game::ProtocolError => 7,
        }
    }

    fn out(self) -> String {
        let turns = match self {
            Game::GoesOn => GOES_ON,
            Game::Disconnect => GONE,
            Game::ProtocolError => NO_ANSWER,
        };
        format!("{FOUR_GIFTS}{turns}")
    }

    fn err(self) -> &'static str {
        match self {
            Game::GoesOn => "",
            Game::Disconnect => "Client disconnected\n",
            Game::ProtocolError => "Protocol error by client\n",
        }
    }
}

/// When B does it, as the beginning of its script.
const MOMENTS: [(&str, &str); 5] = [
    ("at the start", ""),
    ("when asked", "until_asked"),
    (
        "when asked a second time",
        "until_asked; echo rubbish; until_asked",
    ),
    ("in its second turn", "until_asked; echo wild; until_asked"),
    ("at the end of the game", "until_eog"),
];

/// What B does; what becomes of a game in which it is asked then or later; and what is told of B.
const DEEDS: [(&str, &str, Game, &str); 16] = [
    (
        "closes its output and waits",
        "exec >&-; cat >/dev/null",
        Game::Disconnect,
        "",
    ),
    (
        "closes its output and stays",
        "exec >&-; exec sleep 1000",
        Game::Disconnect,
        "Player B shutdown after receiving signal 9\n",
    ),
    (
        "closes everything and ends",
        "exec >&- <&-; exit 0",
        Game::Disconnect,
        "",
    ),
    ("ends well but early", "exit 0", Game::Disconnect, ""),
    (
        "ends with a status",
        "exit 3",
        Game::Disconnect,
        "Player B ended with status 3\n",
    ),
    (
        "ends with the largest status",
        "exit 255",
        Game::Disconnect,
        "Player B ended with status 255\n",
    ),
    (
        "dies of a signal",
        "kill -TERM $$; sleep 1000",
        Game::Disconnect,
        "Player B shutdown after receiving signal 15\n",
    ),
    (
        "kills itself",
        "kill -KILL $$",
        Game::Disconnect,
        "Player B shutdown after receiving signal 9\n",
    ),
    (
        "says half a word and closes",
        "printf wil; exec >&-; cat >/dev/null",
        Game::Disconnect,
        "",
    ),
    (
        "says a whole word without its newline and ends",
        "printf wild; exit 4",
        Game::Disconnect,
        "Player B ended with status 4\n",
    ),
    (
        "answers for ever",
        "exec yes wild",
        Game::GoesOn,
        "Player B shutdown after receiving signal 9\n",
    ),
    (
        "talks nonsense for ever",
        "exec yes nonsense",
        Game::ProtocolError,
        "Player B shutdown after receiving signal 9\n",
    ),
    (
        "says one endless word",
        "exec cat /dev/zero",
        Game::ProtocolError,
        "Player B shutdown after receiving signal 9\n",
    ),
    (
        "answers, but never reads again",
        "echo wild; echo wild; exec sleep 1000",
        Game::GoesOn,
        "Player B shutdown after receiving signal 9\n",
    ),
    (
        "answers in advance",
        "printf 'wild\\nwild\\nwild\\n'; while read -r line; do :; done; exit 0",
        Game::GoesOn,
        "",
    ),
    (
        "talks nonsense twice",
        "printf 'nonsense\\n\\n'; while read -r line; do :; done; exit 0",
        Game::ProtocolError,
        "",
    ),
];

/// What is seen of a misbehaving player, at every moment.
#[test]
fn misbehaviour_at_every_moment_ends_as_the_rules_say_and_leaves_nobody_behind() {
    let cases: Vec<_> = MOMENTS
        .iter()
        .flat_map(|moment| DEEDS.iter().map(move |deed| (moment, deed)))
        .collect();
    let next = AtomicUsize::new(0);
    // Most of the time is spent waiting for players who do not go.
    thread::scope(|scope| {
        for _ in 0..10 {
            scope.spawn(|| {
                while let Some(((when, before), deed)) =
                    cases.get(next.fetch_add(1, Ordering::Relaxed))
                {
                    observe(when, before, deed);
                }
            });
        }
    });
}

fn observe(when: &str, before: &str, (deed, script, game, told): &(&str, &str, Game, &str)) {
    let game = match before {
        "until_eog" => Game::GoesOn,
        _ => *game,
    };
    // In its second turn it has had a first one.
    let first_turn = "Player B took a wild\nPlayer A purchased 2 using 0,0,0,0,0\n";
    let mut out = game.out();
    if before.contains("echo wild") && game != Game::GoesOn {
        out = out.replace(NO_ANSWER, &format!("{NO_ANSWER}{first_turn}"));
    }
    let table = Table::with_gifts();
    table.player("odd", &format!("{before}\n{script}"));
    let ended = table.play_for_gifts(&[SHENZI, "./odd"]);
    let seen = (ended.status, ended.out.as_str(), ended.err.as_str());
    let err = format!("{told}{}", game.err());
    let expected = (Some(game.status()), out.as_str(), err.as_str());
    assert_eq!(seen, expected, "B {deed} {when}");
}

#[test]
fn what_is_said_in_advance_waits_for_the_next_question() {
    let table = Table::with_gifts();
    // Two wrong answers, but not in a row.
    let in_advance = "printf 'nonsense\\nwild\\nnonsense\\nwild\\nnonsense\\nnonsense\\n'";
    table.player("hasty", &format!("{in_advance}; cat >/dev/null"));
    let ended = table.play_for_gifts(&[SHENZI, "./hasty"]);
    ended.is(0, &format!("{FOUR_GIFTS}{GOES_ON}"), "");
}

#[test]
fn an_answer_comes_in_pieces_and_may_be_the_last_thing_its_player_does() {
    let table = Table::with_gifts();
    table.player(
        "slow",
        "until_asked; printf wi; sleep 0.05; printf 'ld\\nwi'; sleep 0.05; printf 'ld\\n'; exit 0",
    );
    let ended = table.play_for_gifts(&[SHENZI, "./slow"]);
    ended.is(0, &format!("{FOUR_GIFTS}{GOES_ON}"), "");
}

/// Wrong in structure or in this game: each of these is asked for once more, and not twice.
#[test]
fn an_invalid_answer_is_asked_for_once_more() {
    let wrong = [
        "",
        " wild",
        "wild ",
        "wild\\r",
        "wildB",
        "WILD",
        "take",
        "take1,1,1",
        "take1,1,1,0,0",
        "take1,1,1,1",
        "take2,1,0,0",
        "take3,0,0,0",
        "take-1,1,1,1",
        "take1,1,0,0",
        "take0,0,0,0",
        "purchase",
        "purchase0",
        "purchase0:0,0,0,0",
        "purchase0:0,0,0,0,0,0",
        "purchase0:1,0,0,0,0",
        "purchase0:0,0,0,0,1",
        "purchase7:0,0,0,0,0",
        "purchase8:0,0,0,0,0",
        "purchase-1:0,0,0,0,0",
        "purchasedB:0:0,0,0,0,0",
        "dowhat",
        "eog",
        "wild\\000",
        "\\377",
    ];
    for answer in wrong {
        let table = Table::with_gifts();
        let say = format!("until_asked; printf '{answer}\\n'");
        table.player("once", &format!("{say}\nuntil_eog"));
        let ended = table.play_for_gifts(&[SHENZI, "./once"]);
        let seen = (ended.status, ended.out, ended.err);
        let fine = (Some(0), format!("{FOUR_GIFTS}{GOES_ON}"), String::new());
        assert_eq!(seen, fine, "{answer}");
        table.player(
            "twice",
            &format!("{say}\n{say}\nuntil_asked; : >asked; until_eog"),
        );
        let ended = table.play_for_gifts(&[SHENZI, "./twice"]);
        let seen = (ended.status, ended.out, ended.err);
        let error = "Protocol error by client\n".to_owned();
        let refused = (Some(7), format!("{FOUR_GIFTS}{NO_ANSWER}"), error);
        assert_eq!(seen, refused, "{answer}");
        assert!(
            !table.path("asked").exists(),
            "asked a third time after {answer}"
        );
    }
}

/// A line that is longer than any answer is invalid too, however much longer.
#[test]
fn an_answer_without_end_is_asked_for_once_more() {
    for length in ["3000000", "67108864", "67108865", "100000000"] {
        let table = Table::with_gifts();
        let say = format!("until_asked; head -c {length} /dev/zero; echo");
        table.player("once", &format!("{say}\nuntil_eog"));
        let ended = table.play_for_gifts(&[SHENZI, "./once"]);
        ended.is(0, &format!("{FOUR_GIFTS}{GOES_ON}"), "");
        table.player("twice", &format!("{say}\n{say}\nuntil_eog"));
        let ended = table.play_for_gifts(&[SHENZI, "./twice"]);
        let refused = "Protocol error by client\n";
        ended.is(7, &format!("{FOUR_GIFTS}{NO_ANSWER}"), refused);
    }
    let table = Table::with_gifts();
    let endless = "until_asked; cat /dev/zero & until_asked; : >asked-again; exec sleep 1000";
    table.player("endless", endless);
    let ended = table.play_for_gifts(&[SHENZI, "./endless"]);
    assert_eq!(ended.status, Some(7));
    assert!(table.path("asked-again").exists());
}

/// The player is the process that was started. When that has ended, nobody else speaks for it.
#[test]
fn who_is_left_behind_by_a_player_does_not_play_on_for_it() {
    let table = Table::with_gifts();
    // What runs in the background is given no input unless one says so.
    let parent = "exec 3<&0; (until_eog <&3) & echo $! >child.new; mv child.new child; exit 4";
    table.player("parent", parent);
    // A thinks until the one who was left behind is gone.
    let first = "until_asked; until [ -e child ]; do :; done\n\
                 while kill -0 $(cat child) 2>/dev/null; do :; done; echo wild; until_eog";
    table.player("first", first);
    let ended = table.play_for_gifts(&["./first", "./parent"]);
    let out = format!("{FOUR_GIFTS}Player A took a wild\nGame ended due to disconnect\n");
    let err = "Player B ended with status 4\nClient disconnected\n";
    ended.is(6, &out, err);
}

/// A pipe holds some tens of thousands of bytes; this game has a few hundred thousand to tell.
#[test]
fn a_player_who_never_reads_does_not_keep_the_others_waiting() {
    let table = Table::new();
    table.file("deck", "P:1:12000,0,0,0\n");
    table.player("deaf", "exec yes wild");
    let ended = table.play(&["0", "1", "deck", "./deaf", SHENZI]);
    let mut out = "New card = Bonus P, worth 1, costs 12000,0,0,0\n".to_owned();
    out += &"Player A took a wild\nPlayer B took a wild\n".repeat(12000);
    out += "Player A took a wild\nPlayer B purchased 0 using 0,0,0,0,12000\nWinner(s) B\n";
    assert!(ended.out == out, "the game takes its course");
    let (status, err) = (ended.status, ended.err.as_str());
    assert_eq!(
        (status, err),
        (Some(0), "Player A shutdown after receiving signal 9\n")
    );
}

/// What a player reads, from the first byte to the last.
#[test]
fn everyone_is_told_everything_and_the_actor_too() {
    let table = Table::new();
    table.file("deck", "P:1:0,0,0,0\n".repeat(9));
    table.player("scribe", "tee heard | { until_eog; cat; }");
    table.player(
        "odd",
        "until_asked; echo nonsense; until_asked; echo take0,1,1,1; until_eog",
    );
    let ended = table.play(&["2", "2", "deck", SHENZI, "./scribe", "./odd"]);
    assert_eq!((ended.status, ended.err.as_str()), (Some(0), ""));
    let heard = std::fs::read_to_string(table.path("heard")).unwrap();
    let gifts = "newcardP:1:0,0,0,0\n".repeat(8);
    let expected = format!(
        "tokens2\n{gifts}purchasedA:7:0,0,0,0,0\nnewcardP:1:0,0,0,0\ndowhat\nwildB\n\
         tookC:0,1,1,1\npurchasedA:7:0,0,0,0,0\ndowhat\nwildB\nwildC\neog\n"
    );
    assert_eq!(heard, expected);
}
