//! A small player of Intensity: leads and follows low, throws away high.
//!
//! It is started once for every decision and reads integers from stdin. Compile it with
//! `rustc -O bot.rs`.

use std::io::{self, Read};

/// The cards of the hand that may be played.
fn legal(hand: &[u8], round: &[u8], earlier: &[u8]) -> Vec<u8> {
    let calf_seen = earlier.iter().any(|card| card / 10 == 3);
    let first_choice = |card: &u8| match round.first() {
        Some(lead) => card / 10 == lead / 10,
        None => card / 10 != 3 || calf_seen,
    };
    let cards: Vec<u8> = hand.iter().copied().filter(first_choice).collect();
    if cards.is_empty() {
        hand.to_vec()
    } else {
        cards
    }
}

/// The lowest legal card; the highest if the lead cannot be followed.
fn choose(hand: &[u8], round: &[u8], earlier: &[u8]) -> u8 {
    let cards = legal(hand, round, earlier);
    match round.first() {
        Some(lead) if cards[0] / 10 != lead / 10 => cards[cards.len() - 1],
        _ => cards[0],
    }
}

fn run_tests() {
    assert_eq!(choose(&[11, 23, 25, 31], &[24, 29], &[]), 23); // follows
    assert_eq!(choose(&[11, 23, 25, 31], &[41], &[]), 31); // cannot follow
    assert_eq!(legal(&[31, 41], &[], &[]), [41]); // no calf may be led yet
    assert_eq!(legal(&[31, 41], &[], &[36]), [31, 41]);
    assert_eq!(choose(&[33, 34], &[], &[]), 33); // only calves to lead
}

fn main() {
    let mut text = String::new();
    io::stdin()
        .read_to_string(&mut text)
        .expect("the input can be read");
    let mut numbers = text
        .split_whitespace()
        .map(|word| word.parse::<u8>().expect("a number"));
    let mut take = |count: usize| -> Vec<u8> {
        let next = |_| numbers.next().expect("the input is not cut off");
        (0..count).map(next).collect()
    };
    match take(1)[0] {
        0 => println!("Low Rust"),
        1 => {
            let hand = take(10);
            println!("{} {} {}", hand[7], hand[8], hand[9]);
        }
        2 => {
            let counts = take(3); // the third is the own position
            let (held, laid) = (counts[0] as usize, counts[1] as usize);
            let (hand, round, earlier) = (take(held), take(laid), take(4 * (10 - held)));
            // The cards passed on and received follow; this player does not need them.
            println!("{}", choose(&hand, &round, &earlier));
        }
        _ => {
            run_tests();
            println!("ok");
        }
    }
}
