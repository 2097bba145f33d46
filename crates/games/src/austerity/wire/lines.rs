//! What the hub prints for people, and what the players print on their standard error. Every line
//! has its newline.

use croupier_core::Seat;

use super::super::Table;
use super::Message;
use super::deck::print_card;
use super::messages::seat_letter;
use super::{print_number, print_numbers};

/// What the hub prints when a player is gone before the game is over.
pub const DISCONNECT_LINE: &str = "Game ended due to disconnect\n";

/// What a player prints when it is its turn.
pub const RECEIVED_DOWHAT: &str = "Received dowhat\n";

/// Adds what the hub prints when it tells this to everyone; nothing for what is not told to all.
pub fn hub_line(out: &mut String, message: &Message) {
    match message {
        Message::Tokens(_) | Message::DoWhat | Message::Eog => return,
        Message::NewCard(card) => {
            out.push_str("New card = Bonus ");
            out.push(card.bonus.letter());
            out.push_str(", worth ");
            print_number(out, i64::from(card.points));
            out.push_str(", costs ");
            print_numbers(out, card.price);
        }
        Message::Purchased { seat, place, paid } => {
            print_player(out, *seat);
            out.push_str(" purchased ");
            print_number(out, *place as i64);
            out.push_str(" using ");
            print_numbers(out, *paid);
        }
        Message::Took { seat, tokens } => {
            print_player(out, *seat);
            out.push_str(" drew ");
            print_numbers(out, *tokens);
        }
        Message::Wild(seat) => {
            print_player(out, *seat);
            out.push_str(" took a wild");
        }
    }
    out.push('\n');
}

fn print_player(out: &mut String, seat: Seat) {
    out.push_str("Player ");
    out.push(seat_letter(seat));
}

/// The letters of the players with the most points: `A,C`.
pub fn winners_text(table: &Table) -> String {
    let letters = table.winners().map(|seat| seat_letter(seat).to_string());
    letters.collect::<Vec<_>>().join(",")
}

/// What the hub prints when the game is over.
pub fn winners_line(table: &Table) -> String {
    format!("Winner(s) {}\n", winners_text(table))
}

/// What a player prints when the game is over.
pub fn game_over_line(table: &Table) -> String {
    format!("Game over. Winners are {}\n", winners_text(table))
}

/// Adds what a player prints when something on the table has changed: the market and everyone's
/// holdings.
pub fn table_lines(out: &mut String, table: &Table) {
    for (place, card) in table.market.iter().enumerate() {
        out.push_str("Card ");
        print_number(out, place as i64);
        out.push(':');
        print_card(out, card, '/');
        out.push('\n');
    }
    for (seat, player) in Seat::all(table.players.len()).zip(&table.players) {
        print_player(out, seat);
        out.push(':');
        print_number(out, player.points);
        out.push_str(":Discounts=");
        print_numbers(out, player.discounts);
        out.push_str(":Tokens=");
        print_numbers(out, player.tokens);
        out.push('\n');
    }
}
