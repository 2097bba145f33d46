//! The rules read once more, slowly and without looking at the fast ones: from the hands after
//! passing and all cards in order, whose turn it is and what may be played, from scratch.

pub(super) fn turn_and_legal(hands: &[Vec<u8>], played: &[u8]) -> (usize, Vec<u8>) {
    let mut turn = 0;
    let mut hands = hands.to_vec();
    for round in played.chunks(4) {
        let leader = turn;
        for (place, card) in round.iter().enumerate() {
            hands[(leader + place) % 4].retain(|held| held != card);
        }
        turn = leader + round.len();
        if round.len() == 4 {
            let digit = round[0] / 10;
            let following = round.iter().filter(|&&card| card / 10 == digit);
            let highest = following.max().unwrap();
            turn = leader + round.iter().position(|card| card == highest).unwrap();
        }
        turn %= 4;
    }
    let hand = &hands[turn];
    let started = played.len() % 4;
    let allowed = |&&card: &&u8| {
        if started > 0 {
            let digit = played[played.len() - started] / 10;
            card / 10 == digit || hand.iter().all(|held| held / 10 != digit)
        } else {
            !(30..=39).contains(&card)
                || played.iter().any(|earlier| (30..=39).contains(earlier))
                || hand.iter().all(|held| (30..=39).contains(held))
        }
    };
    (turn, hand.iter().filter(allowed).copied().collect())
}

pub(super) fn points(played: &[u8]) -> [u32; 4] {
    let mut points = [0; 4];
    for rounds in 1..=played.len() / 4 {
        let hands = vec![Vec::new(); 4];
        let (winner, _) = turn_and_legal(&hands, &played[..4 * rounds]);
        for card in &played[4 * rounds - 4..4 * rounds] {
            points[winner] += match card {
                30..=39 => 1,
                47 => 7,
                _ => 0,
            };
        }
    }
    points
}
