//! The table itself, with a game just large enough to show everything it must be able to do:
//! hidden cards, illegal moves, a house that first asks again and then plays a card of its own.

#![expect(clippy::unwrap_used, reason = "a test may fail by panicking")]

use std::borrow::Cow;
use std::collections::VecDeque;
use std::fmt;
use std::ops::ControlFlow;
use std::str::FromStr;
use std::sync::{Arc, Mutex};

use croupier_core::{
    Audience, BadSetup, BuiltIn, Cancel, Company, Drawn, Entry, Event, Foul, FoulKind, Game, Heard,
    Instead, Moment, NoAdvice, NoMove, Observer, Offered, Options, Outcome, PlayError, Player,
    Profile, RandomPlayer, Reading, Record, RecordError, Recorder, Registry, ReplayError, Rng,
    Seat, Seed, Step, Stepper, Strength, Told, Turn, Unfinished, built_in, parse_duration, play,
    replay,
};
use proptest::prelude::*;
use serde::{Deserialize, Serialize};

/// Everyone holds three of the cards 0 to 8 and plays one a turn; the sum of the cards played
/// after a higher one counts. The second foul of a turn costs a point and a random card.
#[derive(Clone)]
struct Climb {
    hands: [Vec<u8>; 3],
    pile: Vec<u8>,
    scores: [i64; 3],
    warned: bool,
    rng: Rng,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Card(u8);

/// The card that is laid face down.
const SECRET: u8 = 8;

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "play {}", self.0)
    }
}

impl FromStr for Card {
    type Err = ();
    fn from_str(text: &str) -> Result<Card, ()> {
        let card = text.strip_prefix("play ").ok_or(())?;
        card.parse().map(Card).map_err(drop)
    }
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct NoChoice {}

#[derive(Clone, PartialEq, Debug, Serialize)]
struct View {
    hand: Vec<u8>,
    pile: Vec<u8>,
}

#[derive(Clone, PartialEq, Debug, thiserror::Error)]
enum Illegal {
    #[error("the game is over")]
    Over,
    #[error("a card must be in the hand to be played")]
    NotInHand,
}

impl Game for Climb {
    const NAME: &'static str = "climb";
    const VERSION: u32 = 3;
    type Setup = NoChoice;
    type Move = Card;
    type View = View;
    type Illegal = Illegal;

    fn deal(_: &NoChoice, seed: Seed) -> Climb {
        let mut rng = seed.rng();
        let mut cards: Vec<u8> = (0..9).collect();
        rng.shuffle(&mut cards);
        let hand = |i: usize| cards[3 * i..3 * i + 3].to_vec();
        Climb {
            hands: [hand(0), hand(1), hand(2)],
            pile: vec![],
            scores: [0; 3],
            warned: false,
            rng,
        }
    }
    fn seats(&self) -> usize {
        3
    }
    fn to_move(&self) -> Option<Seat> {
        (self.pile.len() < 9).then(|| Seat::from(self.pile.len() % 3))
    }
    fn legal(&self, moves: &mut Vec<Card>) {
        if let Some(seat) = self.to_move() {
            moves.extend(self.hands[seat.index()].iter().copied().map(Card));
        }
    }
    fn play(&mut self, Card(card): Card) -> Result<(), Illegal> {
        let seat = self.to_move().ok_or(Illegal::Over)?.index();
        let place = self.hands[seat].iter().position(|&c| c == card);
        let place = place.ok_or(Illegal::NotInHand)?;
        self.hands[seat].remove(place);
        if self.pile.last().is_some_and(|&last| card < last) {
            self.scores[seat] += i64::from(card);
        }
        self.pile.push(card);
        self.warned = false;
        Ok(())
    }
    fn foul(&mut self) -> Option<Card> {
        if !std::mem::replace(&mut self.warned, true) {
            return None;
        }
        let seat = self.to_move()?;
        let mut rng = self.rng.clone();
        let card = self.random_move(&mut rng)?;
        self.rng = rng;
        self.scores[seat.index()] += 1;
        self.play(card).ok().map(|()| card)
    }
    fn view(&self, seat: Seat) -> View {
        View {
            hand: self.hands[seat.index()].clone(),
            pile: self.pile.clone(),
        }
    }
    fn outcome(&self) -> Outcome {
        Outcome::lowest_wins(self.scores.to_vec())
    }
    fn is_open(Card(card): Card) -> bool {
        card != SECRET
    }
}

/// It is drawn in the plain way.
impl Drawn for Climb {
    type Open = Vec<u8>;
    fn open(&self) -> Vec<u8> {
        self.pile.clone()
    }
}

impl Told for Climb {}

impl Offered for Climb {
    const PROFILE: Profile = Profile {
        name: Climb::NAME,
        title: "Climb",
        aim: "Play a higher card than the one before.",
        seats: 3..=3,
        decisions: true,
        programs: "not at all",
        example_program: "./mybot",
        rules: "Play a higher card than the one before.",
        options: &[],
    };
    const PLAYERS: &'static [BuiltIn<Climb>] = &[
        BuiltIn {
            name: "random",
            about: "any legal card",
            strength: Strength::Weak,
            options: &[],
            make: |_| Ok(Box::new(RandomPlayer::default())),
        },
        BuiltIn {
            name: "patient",
            about: "any legal card, in its own time",
            strength: Strength::Weak,
            options: &[("time", "how long it takes"), ("often", "how often")],
            make: |options| {
                parse_duration(options.get("time").map_or("1s", |time| time.as_str()))?;
                Ok(Box::new(RandomPlayer::default()))
            },
        },
    ];
    const OPPONENTS: &'static [&'static str] = &["random"];

    fn setup(_: &Options) -> Result<NoChoice, BadSetup> {
        Ok(NoChoice {})
    }
}

static GAMES: Registry = Registry(Cow::Borrowed(&[Entry::of::<Climb>()]));

/// Answers what it is told to, then plays at random; remembers what it is told.
struct Scripted {
    answers: VecDeque<Result<Card, NoMove>>,
    heard: Vec<(FoulKind, Instead<Card>)>,
    told_the_end: bool,
    rng: Rng,
}

fn scripted(answers: Vec<Result<Card, NoMove>>) -> Scripted {
    Scripted {
        answers: answers.into(),
        heard: vec![],
        told_the_end: false,
        rng: Seed(4).rng(),
    }
}

impl Player<Climb> for Scripted {
    fn decide(&mut self, turn: &Turn<'_, Climb>) -> Result<Card, NoMove> {
        let next = self.answers.pop_front();
        next.unwrap_or_else(|| Ok(turn.random_move(&mut self.rng)))
    }
    fn listens(&self) -> bool {
        true
    }
    fn hear(&mut self, heard: &Heard<'_, Climb>) {
        match heard.event() {
            Event::Fouled {
                seat,
                foul,
                instead,
            } if *seat == heard.seat() => {
                self.heard.push((foul.kind, *instead));
            }
            Event::Over(_) => self.told_the_end = true,
            _ => {}
        }
    }
}

fn late() -> Result<Card, NoMove> {
    Err(NoMove::Foul(Foul {
        kind: FoulKind::Timeout,
        detail: "no answer within 2 s".into(),
    }))
}

/// Plays at random and writes down the end of the game.
struct Leaving(Seat, Rng, Arc<Mutex<Vec<String>>>);

impl Player<Climb> for Leaving {
    fn decide(&mut self, turn: &Turn<'_, Climb>) -> Result<Card, NoMove> {
        Ok(turn.random_move(&mut self.1))
    }
    fn listens(&self) -> bool {
        true
    }
    fn hear(&mut self, heard: &Heard<'_, Climb>) {
        if let Event::Over(_) = heard.event() {
            self.2.lock().unwrap().push(format!("{} hears", self.0));
        }
    }
    fn leave(&mut self) {
        self.2.lock().unwrap().push(format!("{} leaves", self.0));
    }
}

#[test]
fn nobody_leaves_before_all_have_heard_how_the_game_ended() {
    let log = Arc::default();
    let player = |seat| Leaving(seat, Seed(4).rng(), Arc::clone(&log));
    let mut players: Vec<Leaving> = Seat::all(3).map(player).collect();
    play::<Climb, _, _>(&NoChoice {}, Seed(1), &mut players, &mut ()).unwrap();
    let expected = [
        "0 hears", "1 hears", "2 hears", "0 leaves", "1 leaves", "2 leaves",
    ];
    assert_eq!(*log.lock().unwrap(), expected);
}

#[test]
fn a_foul_costs_the_player_who_made_it_and_the_game_goes_on() {
    let mut players = [
        scripted(vec![]),
        scripted(vec![Ok(Card(99)), late()]),
        scripted(vec![]),
    ];
    let outcome = play::<Climb, _, _>(&NoChoice {}, Seed(1), &mut players, &mut ()).unwrap();
    let [a, b, c] = players;
    assert_eq!(
        b.heard[0],
        (FoulKind::Illegal, Instead::Nothing),
        "the first foul is asked again"
    );
    let (kind, instead) = b.heard[1];
    assert_eq!(kind, FoulKind::Timeout);
    assert!(
        matches!(instead, Instead::Move(_)),
        "the second foul is played for the player"
    );
    assert_eq!(b.heard.len(), 2);
    assert!(a.heard.is_empty() && c.heard.is_empty());
    assert!(a.told_the_end && b.told_the_end && c.told_the_end);
    assert_eq!(outcome.scores.len(), 3);
}

#[test]
fn what_the_machine_did_wrong_ends_in_no_outcome() {
    let void = Err(NoMove::Void("no process could be started".into()));
    let mut players = [scripted(vec![]), scripted(vec![void]), scripted(vec![])];
    let result = play::<Climb, _, _>(&NoChoice {}, Seed(1), &mut players, &mut ());
    assert_eq!(
        result,
        Err(Unfinished::Void("no process could be started".into()))
    );
    assert!(players[1].heard.is_empty(), "nobody is charged");
}

#[test]
fn an_observer_can_stop_the_game() {
    struct Bored(usize);
    impl Observer<Climb> for Bored {
        fn see(&mut self, _: &Climb, moment: &Moment<'_, Climb>) -> ControlFlow<()> {
            self.0 += usize::from(matches!(moment, Moment::Played(..)));
            if self.0 == 4 {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        }
    }
    let mut bored = Bored(0);
    let mut players = [scripted(vec![]), scripted(vec![]), scripted(vec![])];
    let result = play::<Climb, _, _>(&NoChoice {}, Seed(1), &mut players, &mut bored);
    assert_eq!(result, Err(Unfinished::Stopped));
    assert_eq!(bored.0, 4);
}

#[test]
fn a_game_is_stepped_from_outside() {
    let mut stepper = Stepper::<Climb>::deal(&NoChoice {}, Seed(3));
    let turn = stepper.turn().unwrap();
    assert_eq!(turn.seat(), Seat(0));
    let card = turn.legal_moves()[0];
    assert_eq!(stepper.answer(Ok(card)), Ok(Step::Played(Seat(0), card)));
    let Ok(Step::Fouled(Seat(1), foul, None)) = stepper.answer(Ok(Card(77))) else {
        panic!("the house asks again");
    };
    assert_eq!(foul.kind, FoulKind::Illegal);
    assert_eq!(stepper.turn().unwrap().seat(), Seat(1));
    assert_eq!(stepper.outcome(), None);
    let mut rng = Seed(1).rng();
    while let Some(turn) = stepper.turn() {
        let card = turn.random_move(&mut rng);
        stepper.answer(Ok(card)).unwrap();
    }
    assert_eq!(stepper.outcome(), Some(stepper.game().outcome()));
}

#[test]
fn a_cancelled_game_takes_no_more_answers_and_others_go_on() {
    let cancel = Cancel::new();
    let game = Climb::deal(&NoChoice {}, Seed(3));
    let mut stepper = Stepper::cancelled_by(game.clone(), cancel.clone());
    let mut other = Stepper::of(game);
    let turn = stepper.turn().unwrap();
    let card = turn.legal_moves()[0];
    cancel.cancel();
    assert!(turn.cancel().is_cancelled());
    assert_eq!(stepper.answer(Ok(card)), Err(Unfinished::Stopped));
    assert!(!other.turn().unwrap().cancel().is_cancelled());
    assert!(other.answer(Ok(card)).is_ok());
}

#[test]
fn who_leaves_the_table_ends_the_game() {
    let left = Err(NoMove::Left);
    let mut players = [scripted(vec![]), scripted(vec![left]), scripted(vec![])];
    let result = play::<Climb, _, _>(&NoChoice {}, Seed(1), &mut players, &mut ());
    assert_eq!(result, Err(Unfinished::Left));
}

/// What three listeners hear of a foul in which seat 1 played a secret card and said something.
#[test]
fn a_foul_is_told_to_each_as_far_as_it_may_know() {
    let foul = Foul {
        kind: FoulKind::Illegal,
        detail: "play 77: a card must be in the hand\nI hold 4 and 5".into(),
    };
    let moment = |instead| Moment::<Climb>::Fouled(Seat(1), &foul, instead);
    let detail = |audience, instead| match moment(instead).heard_by(audience) {
        Some(Event::Fouled { foul, instead, .. }) => (foul.detail, instead),
        _ => panic!("everybody hears of a foul"),
    };
    let (secret, open) = (Some(Card(SECRET)), Some(Card(5)));
    for knows in [Audience::Referee, Audience::Seat(Seat(1))] {
        let all = (foul.detail.clone(), Instead::Move(Card(SECRET)));
        assert_eq!(detail(knows, secret), all);
    }
    for other in [Audience::Onlooker, Audience::Seat(Seat(0))] {
        let kind = "its choice was illegal".to_owned();
        assert_eq!(detail(other, secret), (kind, Instead::Secret));
        let first = "play 77: a card must be in the hand".to_owned();
        assert_eq!(detail(other, open), (first.clone(), Instead::Move(Card(5))));
        assert_eq!(detail(other, None), (first, Instead::Nothing));
    }
}

#[test]
fn how_a_program_died_is_told_but_not_what_it_wrote() {
    let foul = Foul {
        kind: FoulKind::Crash,
        detail: "it was killed by signal 11; it wrote 'play 8' without the newline\nI hold 4"
            .into(),
    };
    let moment = Moment::<Climb>::Fouled(Seat(1), &foul, Some(Card(SECRET)));
    let Some(Event::Fouled { foul, .. }) = moment.heard_by(Audience::Onlooker) else {
        panic!("everybody hears of a foul");
    };
    assert_eq!(foul.detail, "it was killed by signal 11");
}

#[test]
fn thoughts_and_secret_moves_are_heard_by_their_own_seat_alone() {
    let played = |audience| Moment::<Climb>::Played(Seat(1), Card(SECRET)).heard_by(audience);
    let choice = |choice| {
        let seat = Seat(1);
        Some(Event::Played { seat, choice })
    };
    assert_eq!(played(Audience::Seat(Seat(1))), choice(Some(Card(SECRET))));
    assert_eq!(played(Audience::Seat(Seat(2))), choice(None));
    assert_eq!(played(Audience::Onlooker), choice(None));
    let weighed = |audience| Moment::<Climb>::Weighed(Seat(1), &[]).heard_by(audience);
    assert!(weighed(Audience::Seat(Seat(1))).is_some());
    assert_eq!(weighed(Audience::Seat(Seat(0))), None);
    assert_eq!(weighed(Audience::Onlooker), None);
}

#[test]
fn a_game_by_name_can_be_copied_written_down_and_brought_back() {
    let mut game = GAMES
        .find("climb")
        .unwrap()
        .deal(&serde_json::json!({}), Seed(3))
        .unwrap();
    let before = game.copy();
    let first = game.legal()[0].clone();
    game.play(&first).unwrap();
    assert!(matches!(game.play("play 77"), Err(PlayError::Illegal(_))));
    assert!(matches!(game.play("?"), Err(PlayError::Unreadable(_))));
    for _ in 0..2 {
        let foul = Foul {
            kind: FoulKind::Timeout,
            detail: "late".into(),
        };
        game.foul(foul);
    }
    assert_eq!(before.legal().len(), 3, "a copy is a game of its own");
    let names = ["a", "b", "c"].map(str::to_owned).to_vec();
    let mut reading = Reading::default();
    reading.line(&game.header(names.clone()).to_line()).unwrap();
    for event in game.events(Audience::Referee) {
        reading.line(&event.to_line()).unwrap();
    }
    let mut back = GAMES.resume(&reading).unwrap();
    for seat in Seat::all(3) {
        assert_eq!(back.view(seat), game.view(seat));
    }
    while back.to_move().is_some() {
        let choice = back.legal()[0].clone();
        back.play(&choice).unwrap();
        game.play(&choice).unwrap();
    }
    assert_eq!(back.play("play 1"), Err(PlayError::Over));
    let events = back.events(Audience::Referee);
    assert_eq!(events, game.events(Audience::Referee));
    let text =
        back.header(names).to_line() + &events.iter().map(Event::to_line).collect::<String>();
    let record = Record::parse(&text).unwrap();
    assert_eq!(record.replay(&GAMES), Ok(back.outcome()));
    assert_eq!(
        back.ask("random", Seed(1), &Cancel::new()),
        Err(NoAdvice::Over)
    );
}

#[test]
fn a_player_is_asked_by_name_until_it_is_cancelled() {
    let game = GAMES
        .find("climb")
        .unwrap()
        .deal(&serde_json::json!({}), Seed(3))
        .unwrap();
    let advice = game.ask("random", Seed(1), &Cancel::new()).unwrap();
    assert!(game.legal().contains(&advice.choice));
    assert!(advice.thoughts.is_empty(), "it does not weigh moves");
    let cancelled = Cancel::new();
    cancelled.cancel();
    assert_eq!(
        game.ask("random", Seed(1), &cancelled),
        Err(NoAdvice::Cancelled)
    );
    assert!(matches!(
        game.ask("nobody", Seed(1), &Cancel::new()),
        Err(NoAdvice::Player(_))
    ));
}

/// A recorded game with a foul of each sort in it.
fn recorded(seed: Seed) -> (String, Outcome) {
    let names = ["a", "b", "c"].map(str::to_owned).to_vec();
    let mut recorder = Recorder::new::<Climb>(&NoChoice {}, seed, names);
    let mut players = [
        scripted(vec![late(), late(), Ok(Card(77))]),
        scripted(vec![]),
        scripted(vec![]),
    ];
    let outcome = play::<Climb, _, _>(&NoChoice {}, seed, &mut players, &mut recorder).unwrap();
    (recorder.into_text(), outcome)
}

#[test]
fn a_record_looks_like_this() {
    let (text, _) = recorded(Seed(3));
    assert_eq!(
        text,
        r#"{"line":"game","format":2,"game":"climb","version":3,"setup":{},"seed":"3","players":["a","b","c"]}
{"line":"foul","seat":0,"kind":"timeout","detail":"no answer within 2 s"}
{"line":"foul","seat":0,"kind":"timeout","detail":"no answer within 2 s","instead":"play 8"}
{"line":"move","seat":1,"move":"play 5"}
{"line":"move","seat":2,"move":"play 0"}
{"line":"foul","seat":0,"kind":"illegal","detail":"play 77: a card must be in the hand to be played"}
{"line":"move","seat":0,"move":"play 6"}
{"line":"move","seat":1,"move":"play 2"}
{"line":"move","seat":2,"move":"play 3"}
{"line":"move","seat":0,"move":"play 1"}
{"line":"move","seat":1,"move":"play 7"}
{"line":"move","seat":2,"move":"play 4"}
{"line":"outcome","scores":[2,7,4],"places":[1,3,2]}
"#
    );
}

#[test]
fn a_forged_record_does_not_replay() {
    let (text, _) = recorded(Seed(3));
    let replay = |text: String| Record::parse(&text).unwrap().replay(&GAMES).unwrap_err();
    let differs = |error| matches!(error, ReplayError::Differs { .. });
    assert!(matches!(
        replay(text.replace("climb", "clumb")),
        ReplayError::UnknownGame(_)
    ));
    assert!(matches!(
        replay(text.replace("\"version\":3", "\"version\":2")),
        ReplayError::OtherVersion {
            recorded: 2,
            current: 3,
            ..
        }
    ));
    assert!(matches!(
        replay(text.replace("\"setup\":{}", "\"setup\":7")),
        ReplayError::Setup(_)
    ));
    assert!(differs(replay(text.replacen(
        "\"seed\":\"3\"",
        "\"seed\":\"4\"",
        1
    ))));
    assert!(differs(replay(text.replacen("play 8", "play 0", 1))));
    let moves: Vec<&str> = text.lines().collect();
    let cut = [&moves[..moves.len() - 2], &moves[moves.len() - 1..]]
        .concat()
        .join("\n");
    assert!(differs(replay(cut)), "a move is missing");
    let scores = text.rfind("\"scores\":[").unwrap() + "\"scores\":[".len();
    let mut forged = text.clone();
    forged.insert(scores, '9');
    assert_eq!(replay(forged), ReplayError::OtherOutcome);
}

#[test]
fn a_broken_record_is_refused_with_line_and_reason() {
    let (text, _) = recorded(Seed(3));
    let error = |text: &str| {
        let RecordError { line, reason } = Record::parse(text).unwrap_err();
        format!("{line}: {reason}")
    };
    assert_eq!(error(""), "1: the record is empty");
    assert!(error("nonsense").starts_with("1: "));
    let (first, rest) = text.split_once('\n').unwrap();
    assert_eq!(error(rest), "1: a record starts with the line \"game\"");
    assert_eq!(error(first), "2: the record ends before the game does");
    assert_eq!(
        error(&format!("{first}\n{text}")),
        "2: a second game in one record"
    );
    let last = text.lines().count();
    assert_eq!(
        error(&format!("{text}{rest}")),
        format!("{}: nothing may follow the outcome", last + 1)
    );
    assert_eq!(
        error(&text.replace("\"format\":2", "\"format\":3")),
        "1: the record has format 3, only formats up to 2 can be read"
    );
    assert!(
        error(&text.replace("\"seed\":\"3\"", "\"seed\":-1")).contains("a seed: a whole number")
    );
}

#[test]
fn a_record_of_the_first_format_is_still_read() {
    let (text, outcome) = recorded(Seed(3));
    let first = text.replace("\"format\":2", "\"format\":1");
    let first = first.replace("\"seed\":\"3\"", "\"seed\":3");
    let record = Record::parse(&first).unwrap();
    assert_eq!(record.header.seed, Seed(3));
    assert_eq!(record.replay(&GAMES), Ok(outcome));
}

#[test]
fn players_are_called_for_by_name_and_options() {
    let made = |spec: &str| match built_in::<Climb>(spec) {
        Ok(_) => String::new(),
        Err(wrong) => wrong.to_string(),
    };
    assert_eq!(made("random"), "");
    assert_eq!(made("patient:time=100ms"), "");
    assert_eq!(made("patient:often=2:time=0.1s"), "");
    let wrong = [
        (
            "nobody",
            "there is no player 'nobody'; there are: random, patient",
        ),
        ("random:", "the player 'random' takes no options, not ''"),
        (
            "random:x=1",
            "the player 'random' takes no options, not 'x=1'",
        ),
        (
            "patient:space=1",
            "the player 'patient' has no option 'space'; it has: time=, often=",
        ),
        (
            "patient:time=1s:time=2s",
            "the player 'patient:time=1s:time=2s' is given 'time' twice",
        ),
        (
            "patient:time=soon",
            "the player 'patient:time=soon': 'soon' is no time: a number and ms, s or m, as in \
             500ms or 2s",
        ),
    ];
    for (spec, says) in wrong {
        assert_eq!(made(spec), says);
    }
}

#[test]
fn the_registry_finds_games_by_name() {
    let entry = GAMES.find("climb").unwrap();
    assert!(GAMES.find("Climb").is_none());
    assert_eq!(entry.players()[0], ("random", "any legal card"));
    let setup = entry.setup(&Options::new()).unwrap();
    let mut game = entry.deal(&setup, Seed(3)).unwrap();
    let legal = game.legal();
    assert_eq!(legal.len(), 3);
    assert_eq!(
        game.play("swim").unwrap_err().to_string(),
        "'swim' is not a move of this game"
    );
    assert_eq!(
        game.play("play 99").unwrap_err().to_string(),
        "a card must be in the hand to be played"
    );
    game.play(&legal[0]).unwrap();
    assert_eq!(game.view(Seat(0))["hand"].as_array().unwrap().len(), 2);
    assert_eq!(game.to_move(), Some(Seat(1)));
}

#[test]
fn a_house_table_plays_the_same_deal_the_same_way_whatever_came_before() {
    let entry = GAMES.find("climb").unwrap();
    let setup = entry.setup(&Options::new()).unwrap();
    let mut table = entry.table(&setup, &["random"; 3]).unwrap();
    let first = table.play(Seed(1));
    assert_eq!(first.1, 9, "nine cards are nine decisions");
    let other = table.play(Seed(2));
    assert_ne!(first, other);
    assert_eq!(table.play(Seed(1)), first);
    let refused = |players: &[&str]| entry.table(&setup, players).err().unwrap().to_string();
    assert_eq!(
        refused(&["random", "random", "alice"]),
        "there is no player 'alice'; there are: random, patient"
    );
    assert_eq!(
        refused(&["random"]),
        "this table of Climb seats 3 players, not 1"
    );
}

proptest! {
    /// Whatever was played, the record replays to the same outcome, state by state.
    #[test]
    fn a_record_replays_to_the_same_outcome(seed in any::<u64>()) {
        let (text, outcome) = recorded(Seed(seed));
        let record = Record::parse(&text).unwrap();
        let mut shown = 0;
        let replayed = replay::<Climb, ReplayError>(&record, |_| {
            shown += 1;
            Ok(())
        });
        prop_assert_eq!(replayed, Ok(outcome.clone()));
        prop_assert_eq!(shown, record.events.len() + 2, "from the deal to the end");
        prop_assert_eq!(record.replay(&GAMES), Ok(outcome));
    }

    #[test]
    fn no_nonsense_breaks_the_reader(text in ".*", line in "\\{\"(game|move|foul|outcome)\":.{0,30}\\}") {
        let _ = (Record::parse(&text), Record::parse(&line));
        let (good, _) = recorded(Seed(1));
        prop_assert!(Record::parse(&(good + &text)).is_ok() == text.is_empty());
    }

    /// Cut or changed anywhere, a record is either refused or read, and never does harm.
    #[test]
    fn no_text_breaks_the_reader(seed in any::<u64>(), at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let (text, _) = recorded(Seed(seed));
        let at = at.index(text.len());
        let _ = Record::parse(&text[..at]);
        let mut bytes = text.into_bytes();
        bytes[at] = byte;
        if let Ok(record) = Record::parse(&String::from_utf8_lossy(&bytes)) {
            let _ = record.replay(&GAMES);
        }
    }
}

#[test]
fn a_game_without_a_drawing_of_its_own_can_be_played_all_the_same() {
    let entry = GAMES.find("climb").unwrap();
    let game = entry.deal(&serde_json::json!({}), Seed(4)).unwrap();
    let names = ["<b>Ann</b>", "", "Cid"].map(str::to_owned);
    let drawn = |audience| game.drawn(audience, Company::spoken_to(&names, audience));
    let own = drawn(Audience::Seat(Seat(0)));
    let moves: Vec<&str> = own.ways.iter().map(|way| way.choice.as_str()).collect();
    assert_eq!(moves, game.legal());
    for way in &own.ways {
        let button = format!("name=\"move\" value=\"{}\"", way.choice);
        assert!(own.html.contains(&button), "{}", own.html);
        assert!(own.moves().as_str().contains(&button));
    }
    assert!(own.html.contains("&lt;b&gt;Ann&lt;/b&gt;") && own.html.contains("seat 1"));
    let other = drawn(Audience::Seat(Seat(1)));
    assert!(other.ways.is_empty() && other.moves().is_empty());
    let onlooker = drawn(Audience::Onlooker);
    assert!(!onlooker.html.contains("sees"), "{}", onlooker.html);
    let all = drawn(Audience::Referee);
    assert_eq!(all.html.matches("sees").count(), 3);
    assert!(entry.picture().as_str().starts_with("<svg"));
    let page = all.page("Climb & fall", ".table { color: red }");
    assert!(page.contains("<title>Climb &amp; fall</title>") && page.contains(&all.html));
    assert_eq!(entry.in_words("play 3").as_deref(), Some("play 3"));
}
