//! Answers that are none, or far too much of one.

use croupier_bots::{Silence, Tier};

use crate::stage::{
    A_LITTLE, CLOSED, HASTE, HELD, LONG, Spoken, Stage, fouls, goes_badly, in_every, plays_on,
    small,
};

#[test]
fn an_honest_program_plays_in_every_tier_and_protocol() {
    in_every("honest", &Tier::ALL, &[], |tier, spoken, played| {
        plays_on(&format!("{tier} {spoken:?}"), played);
        assert_eq!(played.report["sandbox"], tier.to_string());
    });
}

#[test]
fn no_answer_at_all_is_malformed() {
    fouls("leaves", &Tier::ALL, &[], "malformed", CLOSED);
}

#[test]
fn endless_output_is_too_much() {
    fouls("endless", &Tier::ALL, &[], "output", "65536 bytes");
}

#[test]
fn a_line_of_a_gigabyte_is_too_much() {
    fouls("gigabyte", &Tier::ALL, &[], "output", "65536 bytes");
}

#[test]
fn endless_complaints_are_too_much() {
    fouls("complains", &Tier::ALL, &[], "output", "bytes");
}

#[test]
fn half_a_line_is_no_answer() {
    let detail = "within 2 s; it wrote 'wil' without the newline";
    fouls("half_line", &Tier::ALL, &HASTE, "timeout", detail);
}

#[test]
fn a_line_without_its_end_is_no_answer() {
    fouls("no_newline", &HELD, &[], "malformed", CLOSED);
}

#[test]
fn invalid_utf8_is_malformed() {
    fouls("invalid_utf8", &Tier::ALL, &[], "malformed", "");
}

#[test]
fn a_closed_output_is_malformed_although_the_program_lives_on() {
    fouls("closed_stdout", &Tier::ALL, &[], "malformed", CLOSED);
}

/// Answers ahead of the questions are answers; there is no end to them when the game is over.
#[test]
fn who_answers_unasked_is_taken_at_its_word_and_stopped_in_the_end() {
    let stage = Stage::new();
    let bot = stage.bot("babbles");
    for tier in HELD {
        let played = stage.play(tier, Spoken::Own, &bot, &[]);
        let detail = "after eog: it did not end within 2 s";
        goes_badly(&tier.to_string(), &played, "timeout", detail);
    }
}

#[test]
fn what_a_program_answers_cannot_write_to_the_screen_of_the_reader() {
    let stage = Stage::new();
    let bot = stage.bot("escape_codes");
    for spoken in [Spoken::Own, Spoken::Json] {
        let mut command = stage.match_command(Tier::Limits, spoken, &bot, &[]);
        let arguments: Vec<_> = command.get_args().map(ToOwned::to_owned).collect();
        let told = arguments.iter().filter(|argument| *argument != "--json");
        command = stage.croupier(&[]);
        let output = command.args(told).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.contains("malformed"), "{text}");
        let codes: Vec<char> = text
            .chars()
            .filter(|letter| letter.is_control() && *letter != '\n')
            .collect();
        assert_eq!(codes, [], "{spoken:?}: {text:?}");
    }
}

#[test]
fn a_process_for_a_decision_that_writes_too_much_is_cut_short() {
    let stage = Stage::new();
    for (name, silence) in [
        ("endless", Some(Silence::TooMuchOutput)),
        ("gigabyte", Some(Silence::TooMuchOutput)),
        ("complains", Some(Silence::TooManyErrors)),
        ("half_line", Some(Silence::Late)),
        ("closed_stdout", Some(Silence::Late)),
        ("leaves", None),
        ("no_newline", None),
        ("invalid_utf8", None),
    ] {
        let time = match silence {
            Some(Silence::Late) => A_LITTLE,
            _ => LONG,
        };
        for tier in Tier::ALL {
            let mut bot = stage.take_on(tier, small(), &stage.bot(name));
            let run = bot.run(&[], b"dowhat\n", time).unwrap();
            assert_eq!(run.silence, silence, "{name} {tier}");
            let output = match name {
                "no_newline" => &b"wild"[..],
                "invalid_utf8" => b"wi\xff\xfe\xc0\0ld\n",
                "half_line" => b"wil",
                "endless" | "gigabyte" => continue,
                _ => b"",
            };
            assert_eq!(run.output, output, "{name} {tier}");
        }
    }
    stage.is_clean("programs that write too much");
}
