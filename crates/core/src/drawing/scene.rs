//! What one reader of a drawing sees.

use crate::{Audience, Company, Outcome, Seat, Turn, quoted};

use super::{Drawn, Markup, element};

/// The longest name that is shown whole.
const LONGEST: usize = 40;

/// What one reader of a drawing sees: what lies open, the views of the seats whose cards are shown to
/// it, and the legal moves if it is the turn of the seat through which it looks.
pub struct Scene<'a, G: Drawn> {
    audience: Audience,
    open: G::Open,
    /// In the order of the seats.
    views: Vec<(Seat, G::View)>,
    company: Company<'a>,
    seats: usize,
    to_move: Option<Seat>,
    legal: Vec<G::Move>,
    /// The turn of the seat through which the game is seen, for the rules that forbid a move and nothing else.
    turn: Option<Turn<'a, G>>,
    outcome: Option<Outcome>,
}

impl<'a, G: Drawn> Scene<'a, G> {
    /// What this audience sees of a game. The [referee](Audience::Referee) sees the cards of all
    /// seats, and makes no move. A seat without a name is called by its number. Who looks at a game of
    /// somebody else sees it through a seat, and is not the reader of this company.
    pub fn of(game: &'a G, audience: Audience, company: Company<'a>) -> Scene<'a, G> {
        let seats = game.seats();
        let to_move = game.to_move();
        let sees = |seat: &Seat| match audience {
            Audience::Referee => true,
            Audience::Seat(own) => own == *seat,
            Audience::Onlooker => false,
        };
        let turn = Turn::of(game).filter(|turn| audience == Audience::Seat(turn.seat()));
        Scene {
            audience,
            open: game.open(),
            views: (Seat::all(seats).filter(sees))
                .map(|seat| (seat, game.view(seat)))
                .collect(),
            company,
            seats,
            to_move,
            legal: turn.as_ref().map_or(Vec::new(), Turn::legal_moves),
            turn,
            outcome: to_move.is_none().then(|| game.outcome()),
        }
    }

    /// Who reads the drawing.
    pub fn audience(&self) -> Audience {
        self.audience
    }

    /// What everybody sees.
    pub fn open(&self) -> &G::Open {
        &self.open
    }

    /// What a seat sees, if its cards are shown to the reader.
    pub fn view(&self, seat: Seat) -> Option<&G::View> {
        let place = self.views.binary_search_by_key(&seat, |(own, _)| *own);
        place.ok().map(|place| &self.views[place].1)
    }

    /// The seat that is drawn in front: the one through which the game is seen, or the first.
    pub fn front(&self) -> Seat {
        self.own().unwrap_or(Seat(0))
    }

    /// All seats, in the order in which they are drawn: the one in front first.
    pub fn seats(&self) -> impl DoubleEndedIterator<Item = Seat> + use<G> {
        let (seats, first) = (self.seats, self.front().index());
        (0..seats).map(move |place| Seat::from((first + place) % seats))
    }

    /// The seat through which the game is seen, if it is one.
    pub fn own(&self) -> Option<Seat> {
        match self.audience {
            Audience::Seat(seat) => Some(seat),
            Audience::Referee | Audience::Onlooker => None,
        }
    }

    /// Whether this is the seat of the reader, who is spoken to as "you".
    pub fn is_reader(&self, seat: Seat) -> bool {
        self.company.is_reader(seat)
    }

    /// Whether it is the turn of the reader, who is to make a move now.
    pub fn is_called_upon(&self) -> bool {
        let is_called = |seat| self.company.is_called_upon(seat);
        self.to_move.is_some_and(is_called)
    }

    /// The name of a seat, not longer than can be shown.
    pub fn name(&self, seat: Seat) -> String {
        let name = self.company.names().get(seat.index());
        let name = name.filter(|name| !name.trim().is_empty());
        name.map_or_else(
            || format!("seat {seat}"),
            |name| quoted(name.trim(), LONGEST),
        )
    }

    /// The name of a seat as HTML. It cannot turn the letters around it, whatever its script.
    pub fn name_tag(&self, seat: Seat) -> Markup {
        element("bdi").text(self.name(seat)).into()
    }

    /// Whose turn it is; nobody's when the game is over.
    pub fn to_move(&self) -> Option<Seat> {
        self.to_move
    }

    /// Whether it is the turn of the seat through which the game is seen.
    pub fn is_own_turn(&self) -> bool {
        self.turn.is_some()
    }

    /// The legal moves, if it is the turn of that seat; otherwise none.
    pub fn legal(&self) -> &[G::Move] {
        &self.legal
    }

    /// The rule that a move would break, if it is the turn of that seat and there is one.
    pub fn forbids(&self, choice: G::Move) -> Option<G::Illegal> {
        self.turn.as_ref()?.check(choice).err()
    }

    /// Scores and places, once the game is over.
    pub fn outcome(&self) -> Option<&Outcome> {
        self.outcome.as_ref()
    }
}
