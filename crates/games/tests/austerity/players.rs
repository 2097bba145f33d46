//! What shenzi, banzai and ed do on hand-made markets, tie-break by tie-break.

use croupier_core::{Offered, Player, Seat, Seed, play};
use croupier_games::austerity::{
    Austerity, BANZAI, ED, Ending, Holdings, SHENZI, Setup, Strategy, View,
};

use super::deck;

/// A table of three, seen by B, with full piles and empty hands.
fn view(cards: &[&str]) -> View {
    let mut view = View::new(3, Seat(1));
    view.table.piles = [7; 4];
    if !cards.is_empty() {
        view.table.market = deck(cards).cards().to_vec();
    }
    view
}

trait Hand {
    /// The same table with these tokens in the hand of this player.
    fn holding(self, player: usize, tokens: [i64; 5]) -> Self;
    /// The same table with these discounts of this player.
    fn discounted(self, player: usize, discounts: [i64; 4]) -> Self;
    /// The same table with these piles.
    fn piles(self, piles: [i64; 4]) -> Self;
}

impl Hand for View {
    fn holding(mut self, player: usize, tokens: [i64; 5]) -> View {
        self.table.players[player].tokens = tokens;
        self
    }
    fn discounted(mut self, player: usize, discounts: [i64; 4]) -> View {
        self.table.players[player].discounts = discounts;
        self
    }
    fn piles(mut self, piles: [i64; 4]) -> View {
        self.table.piles = piles;
        self
    }
}

fn does(player: Strategy, view: View) -> String {
    (player.decide)(&view).to_string()
}

#[test]
fn shenzi_buys_the_card_with_most_points() {
    let view = view(&["P:1:0,0,0,0", "P:3:0,2,0,0", "P:2:0,0,0,0", "P:9:5,5,5,5"]);
    assert_eq!(does(SHENZI, view.holding(1, [0, 1, 0, 0, 1])), "purchase 1");
}

#[test]
fn shenzi_buys_worthless_cards_too() {
    assert_eq!(does(SHENZI, view(&["P:0:0,0,0,0"])), "purchase 0");
}

#[test]
fn of_equal_points_shenzi_buys_the_cheapest_after_discount() {
    let cards = ["P:3:0,2,0,0", "P:3:3,0,0,0", "P:3:0,0,2,0"];
    let view = view(&cards).holding(1, [3, 3, 3, 3, 0]);
    let plain = does(SHENZI, view.clone());
    assert_eq!(plain, "purchase 2");
    assert_eq!(does(SHENZI, view.discounted(1, [2, 0, 0, 0])), "purchase 1");
}

#[test]
fn wild_tokens_are_part_of_the_price_for_shenzi() {
    let cards = ["P:3:0,2,0,0", "P:3:3,0,0,0"];
    let view = view(&cards).holding(1, [3, 0, 0, 0, 2]);
    assert_eq!(
        does(SHENZI, view),
        "purchase 0",
        "two wilds are fewer than three coloured"
    );
}

#[test]
fn of_equal_points_and_price_shenzi_buys_the_newest() {
    let cards = ["P:3:0,1,0,0", "P:3:1,0,0,0", "P:3:0,0,1,0", "P:2:0,0,0,0"];
    assert_eq!(
        does(SHENZI, view(&cards).holding(1, [1, 1, 1, 1, 0])),
        "purchase 2"
    );
}

#[test]
fn shenzi_takes_the_first_three_of_pbyr_and_else_a_wild() {
    let view = view(&["P:3:1,1,1,1"]);
    assert_eq!(does(SHENZI, view.clone()), "take PBY");
    assert_eq!(does(SHENZI, view.clone().piles([0, 1, 1, 1])), "take BYR");
    assert_eq!(does(SHENZI, view.clone().piles([1, 0, 1, 1])), "take PYR");
    assert_eq!(does(SHENZI, view.clone().piles([1, 1, 0, 1])), "take PBR");
    assert_eq!(does(SHENZI, view.clone().piles([1, 1, 1, 0])), "take PBY");
    assert_eq!(does(SHENZI, view.piles([7, 0, 7, 0])), "wild");
}

#[test]
fn banzai_first_fills_an_empty_hand_in_the_order_ybpr() {
    let view = view(&["P:3:0,0,0,0"]);
    assert_eq!(does(BANZAI, view.clone()), "take PBY");
    assert_eq!(does(BANZAI, view.clone().piles([1, 1, 0, 1])), "take PBR");
    assert_eq!(does(BANZAI, view.clone().piles([1, 0, 1, 1])), "take PYR");
    assert_eq!(does(BANZAI, view.clone().piles([0, 1, 1, 1])), "take BYR");
    assert_eq!(
        does(BANZAI, view.clone().holding(1, [1, 0, 0, 0, 1])),
        "take PBY"
    );
    let wilds_count = view.clone().holding(1, [1, 0, 0, 0, 2]);
    assert_eq!(does(BANZAI, wilds_count), "purchase 0");
    assert_eq!(
        does(BANZAI, view.piles([7, 7, 0, 0])),
        "purchase 0",
        "nothing to take"
    );
}

#[test]
fn banzai_buys_the_most_expensive_card_after_discount() {
    let cards = ["P:1:0,2,0,0", "P:1:3,0,0,0", "P:9:0,0,1,0", "P:9:0,0,0,9"];
    let view = view(&cards).holding(1, [3, 3, 3, 3, 0]);
    assert_eq!(does(BANZAI, view.clone()), "purchase 1");
    assert_eq!(does(BANZAI, view.discounted(1, [2, 0, 0, 0])), "purchase 0");
}

#[test]
fn banzai_never_buys_what_is_worth_nothing() {
    let cards = ["P:0:0,3,0,0", "P:0:0,0,0,0"];
    let view = view(&cards).holding(1, [3, 3, 3, 3, 0]);
    assert_eq!(
        does(BANZAI, view),
        "wild",
        "and with three tokens in hand it takes no more"
    );
}

#[test]
fn of_equal_prices_banzai_buys_what_uses_most_wilds() {
    let cards = ["P:1:2,0,0,0", "P:1:1,1,0,0", "P:1:0,2,0,0", "P:1:2,0,0,0"];
    assert_eq!(
        does(BANZAI, view(&cards).holding(1, [2, 0, 0, 0, 2])),
        "purchase 2"
    );
    assert_eq!(
        does(BANZAI, view(&cards).holding(1, [2, 0, 1, 0, 1])),
        "purchase 1"
    );
}

#[test]
fn of_equal_prices_and_wilds_banzai_buys_the_oldest() {
    let cards = ["P:1:1,0,0,0", "P:1:0,2,0,0", "P:5:2,0,0,0"];
    assert_eq!(
        does(BANZAI, view(&cards).holding(1, [2, 2, 0, 0, 0])),
        "purchase 1"
    );
}

#[test]
fn ed_buys_the_best_card_that_an_opponent_could_buy() {
    let cards = ["P:1:0,1,0,0", "P:3:0,2,0,0", "P:9:0,3,0,0"];
    let view = view(&cards).holding(1, [0, 7, 0, 0, 0]);
    assert_eq!(
        does(ED, view.clone().holding(0, [0, 2, 0, 0, 0])),
        "purchase 1"
    );
    assert_eq!(
        does(ED, view.clone().holding(2, [0, 0, 0, 0, 1])),
        "purchase 0"
    );
    let nobody_else = does(ED, view);
    assert_eq!(
        nobody_else, "take BYR",
        "what only ed could buy does not interest it"
    );
}

#[test]
fn of_equal_points_ed_prefers_what_the_next_opponent_could_buy() {
    let cards = ["P:3:1,0,0,0", "P:3:0,1,0,0", "P:3:0,0,1,0"];
    let view = view(&cards).holding(1, [7; 5]);
    let a_and_c = view.holding(0, [1, 0, 0, 0, 0]).holding(2, [0, 1, 0, 0, 0]);
    assert_eq!(
        does(ED, a_and_c.clone()),
        "purchase 1",
        "C moves right after B, A later"
    );
    let mut from_c = a_and_c.clone();
    from_c.seat = Seat(2);
    let from_c = from_c.holding(2, [7; 5]).holding(1, [0, 0, 1, 0, 0]);
    assert_eq!(
        does(ED, from_c),
        "purchase 0",
        "after C it is A's turn, then B's"
    );
    let both = a_and_c.holding(2, [0, 1, 1, 0, 0]);
    assert_eq!(does(ED, both), "purchase 1", "then the oldest");
}

#[test]
fn points_come_before_the_order_of_opponents_for_ed() {
    let cards = ["P:3:0,1,0,0", "P:4:1,0,0,0"];
    let view = view(&cards).holding(1, [7; 5]);
    let view = view.holding(0, [1, 0, 0, 0, 0]).holding(2, [0, 1, 0, 0, 0]);
    assert_eq!(does(ED, view), "purchase 1");
}

#[test]
fn ed_takes_what_its_target_lacks_then_the_rest_in_the_order_yrbp() {
    let target = |price: &str, own: [i64; 5], discounts: [i64; 4]| {
        view(&[&format!("P:5:{price}")])
            .holding(0, [9, 9, 9, 9, 0])
            .holding(1, own)
            .discounted(1, discounts)
    };
    let poor = [0; 5];
    assert_eq!(
        does(ED, target("1,1,0,0", poor, [0; 4])),
        "take PBY",
        "B and P, then Y"
    );
    assert_eq!(
        does(ED, target("1,0,0,0", poor, [0; 4])),
        "take PYR",
        "P, then Y and R"
    );
    assert_eq!(
        does(ED, target("1,1,1,1", poor, [0; 4])),
        "take BYR",
        "Y, R, B"
    );
    assert_eq!(
        does(ED, target("1,1,0,1", poor, [0; 4])),
        "take PBR",
        "R, B, P"
    );
    let some = target("2,1,0,1", [1, 0, 0, 0, 0], [0, 1, 0, 1]);
    assert_eq!(does(ED, some), "take PYR", "only P is lacking");
    let covered = target("2,1,0,1", [1, 0, 0, 0, 0], [1, 0, 0, 1]);
    assert_eq!(
        does(ED, covered),
        "take BYR",
        "tokens and discount together cover P"
    );
}

#[test]
fn ed_skips_empty_piles_and_takes_a_wild_when_two_are_empty() {
    let view = view(&["P:5:1,1,0,0"]).holding(0, [9; 5]);
    assert_eq!(does(ED, view.clone().piles([0, 1, 1, 1])), "take BYR");
    assert_eq!(does(ED, view.clone().piles([1, 1, 0, 1])), "take PBR");
    assert_eq!(does(ED, view.clone().piles([7, 7, 0, 0])), "wild");
}

#[test]
fn without_a_target_ed_takes_yrb() {
    assert_eq!(does(ED, view(&["P:5:1,1,0,0"])), "take BYR");
    assert_eq!(does(ED, view(&[])), "take BYR");
    assert_eq!(does(ED, view(&[]).piles([1, 1, 0, 1])), "take PBR");
    assert_eq!(does(ED, view(&[]).piles([1, 1, 0, 0])), "wild");
}

#[test]
fn a_target_that_ed_cannot_pay_with_wilds_is_saved_for_in_colours() {
    let view = view(&["P:5:0,0,0,3"])
        .holding(0, [9; 5])
        .holding(1, [0, 0, 0, 0, 2]);
    assert_eq!(does(ED, view.clone()), "take BYR");
    assert_eq!(does(ED, view.holding(1, [0, 0, 0, 1, 2])), "purchase 0");
}

#[test]
fn numbers_out_of_all_bounds_break_no_player() {
    let monster = Holdings {
        points: i64::MAX,
        discounts: [i64::MAX, 0, 0, 0],
        tokens: [i64::MAX, i64::MAX, i64::MIN, i64::MIN, i64::MAX],
    };
    let mut view = view(&["P:2147483647:2147483647,2147483647,2147483647,2147483647"]);
    view.table.players = vec![monster; 3];
    view.table.piles = [i64::MIN; 4];
    for player in [SHENZI, BANZAI, ED] {
        assert_eq!(does(player, view.clone()), "purchase 0");
    }
}

/// Plays a deal among these.
fn ending(setup: &Setup, seed: Seed, players: [Strategy; 3]) -> Option<Ending> {
    struct Last(Option<Ending>);
    impl croupier_core::Observer<Austerity> for Last {
        fn see(
            &mut self,
            game: &Austerity,
            _: &croupier_core::Moment<'_, Austerity>,
        ) -> std::ops::ControlFlow<()> {
            self.0 = game.ending();
            std::ops::ControlFlow::Continue(())
        }
    }
    let mut players = players.map(|player| Box::new(player) as Box<dyn Player<Austerity>>);
    let mut last = Last(None);
    play::<Austerity, _, _>(setup, seed, &mut players, &mut last).unwrap();
    last.0
}

#[test]
fn with_a_made_up_deck_every_table_of_them_comes_to_its_end() {
    let setup = Austerity::setup(&[].into()).unwrap();
    for number in 0..100 {
        for players in [[SHENZI; 3], [BANZAI; 3], [ED; 3], [SHENZI, BANZAI, ED]] {
            let ended = ending(&setup, Seed(5).deal(number), players);
            assert_eq!(ended, Some(Ending::Target));
        }
    }
}

#[test]
fn banzais_who_face_only_worthless_cards_take_wilds_until_they_are_stopped() {
    let worthless = deck(&["P:0:0,0,0,0"; 9]);
    let setup = Setup::new(3, 7, 15, Some(worthless), Some(10_000)).unwrap();
    assert_eq!(ending(&setup, Seed(0), [BANZAI; 3]), Some(Ending::Stopped));
}
