//! What somebody looks at: through whose eyes, at which moment, with which thresholds. All of it stands
//! in the address.

use croupier_core::{Audience, REVIEWER, Seat, Thresholds};
use serde::Deserialize;

use super::source::Recorded;
use crate::refusal::Refusal;

/// What an address asks for.
#[derive(Clone, Default, Debug, Deserialize)]
pub(crate) struct Asked {
    /// A seat, `all` for all cards, or `open` for what lies open.
    seat: Option<String>,
    /// After how many moves and fouls.
    at: Option<usize>,
    /// The seat whose moves are reviewed, if all cards are seen.
    player: Option<usize>,
    /// Whether there is to be a review.
    review: Option<String>,
    inaccuracy: Option<f64>,
    mistake: Option<f64>,
    blunder: Option<f64>,
}

/// What somebody looks at.
#[derive(Clone, Debug)]
pub(crate) struct Looking {
    /// The address without what is asked for.
    pub(crate) base: String,
    pub(crate) audience: Audience,
    /// The audience if nobody says anything else.
    usual: Audience,
    pub(crate) at: usize,
    pub(crate) last: usize,
    /// The seat whose moves are reviewed; none if there is nobody to review them.
    pub(crate) player: Option<Seat>,
    /// Whether the review is asked for.
    pub(crate) review: bool,
    pub(crate) thresholds: Thresholds,
}

impl Looking {
    /// What is asked for, as far as it may be seen.
    pub(crate) fn of(recorded: &Recorded, asked: &Asked) -> Result<Looking, Refusal> {
        let game = &recorded.played.game;
        let profile = recorded.played.entry.profile;
        let last = game.steps();
        let usual = match recorded.own {
            Some(own) => Audience::Seat(own),
            None if profile.decisions && recorded.is_over() => Audience::Seat(Seat(0)),
            None => Audience::Onlooker,
        };
        let seat = |number: usize| {
            let there = (number < game.seats()).then(|| Seat::from(number));
            there.ok_or_else(|| Refusal::missing("There is no such seat in this game."))
        };
        let audience = match asked.seat.as_deref() {
            None | Some("") => usual,
            Some("all") => Audience::Referee,
            Some("open") => Audience::Onlooker,
            Some(number) => {
                let number = number.parse().map_err(|_| {
                    Refusal::bad("A game is seen by a seat, from 0 on, or by all or open.")
                })?;
                Audience::Seat(seat(number)?)
            }
        };
        if !recorded.is_over() && audience != usual && audience != Audience::Onlooker {
            return Err(Refusal::forbidden(
                "The game is not over: the cards of others can be seen when it is.",
            ));
        }
        let at = asked.at.unwrap_or(0);
        if at > last {
            return Err(Refusal::missing("The game has no such moment."));
        }
        let players = recorded.played.entry.players();
        let can_review = recorded.is_over() && players.iter().any(|(name, _)| *name == REVIEWER);
        let player = match audience {
            Audience::Seat(seat) => Some(seat),
            Audience::Referee => {
                let own = recorded.own.map_or(0, Seat::index);
                Some(seat(asked.player.unwrap_or(own))?)
            }
            Audience::Onlooker => None,
        };
        let usual_thresholds = Thresholds::default();
        let thresholds = Thresholds {
            inaccuracy: asked.inaccuracy.unwrap_or(usual_thresholds.inaccuracy),
            mistake: asked.mistake.unwrap_or(usual_thresholds.mistake),
            blunder: asked.blunder.unwrap_or(usual_thresholds.blunder),
        };
        let all = [
            0.0,
            thresholds.inaccuracy,
            thresholds.mistake,
            thresholds.blunder,
            100.0,
        ];
        if !all.is_sorted() {
            return Err(Refusal::bad(
                "The thresholds are numbers of points that grow from 0: inaccuracy, mistake, blunder.",
            ));
        }
        Ok(Looking {
            base: recorded.key.to_string(),
            audience,
            usual,
            at,
            last,
            player: player.filter(|_| can_review),
            review: asked
                .review
                .as_deref()
                .is_some_and(|review| review != "off"),
            thresholds,
        })
    }

    /// The same within another page, which takes the same words in its address.
    pub(crate) fn at_page(self, page: String) -> Looking {
        Looking { base: page, ..self }
    }

    /// What is asked for besides the moment, as it stands in an address.
    pub(crate) fn words(&self) -> String {
        let mut words = Vec::new();
        if self.audience != self.usual {
            words.push(match self.audience {
                Audience::Referee => "seat=all".to_owned(),
                Audience::Onlooker => "seat=open".to_owned(),
                Audience::Seat(seat) => format!("seat={seat}"),
            });
        }
        if let (Audience::Referee, Some(player)) = (self.audience, self.player) {
            words.push(format!("player={player}"));
        }
        if self.review {
            words.push("review=on".to_owned());
        }
        let (usual, own) = (Thresholds::default(), &self.thresholds);
        for (name, own, usual) in [
            ("inaccuracy", own.inaccuracy, usual.inaccuracy),
            ("mistake", own.mistake, usual.mistake),
            ("blunder", own.blunder, usual.blunder),
        ] {
            if own != usual {
                words.push(format!("{name}={own}"));
            }
        }
        words.join("&")
    }

    /// The same in a file, where a moment is a place.
    pub(super) fn within_a_file(self) -> Looking {
        Looking {
            base: String::new(),
            ..self
        }
    }

    /// The same as fields of a form in which the thresholds are set.
    pub(crate) fn form_words(&self) -> Vec<(String, String)> {
        let words = self.words();
        let words = words.split('&').filter_map(|word| word.split_once('='));
        let words = words.filter(|(name, _)| !["inaccuracy", "mistake", "blunder"].contains(name));
        let words = words.map(|(name, value)| (name.to_owned(), value.to_owned()));
        words
            .chain([("at".to_owned(), self.at.to_string())])
            .collect()
    }

    /// The address of a moment.
    pub(crate) fn address(&self, at: usize) -> String {
        match self.base.is_empty() {
            true => format!("#m{at}"),
            false => self.page("", &format!("at={at}")),
        }
    }

    /// The address of the moment that is looked at.
    pub(crate) fn here(&self) -> String {
        self.address(self.at)
    }

    /// The address of the next moment.
    pub(crate) fn next(&self) -> String {
        self.address(self.at + 1)
    }

    /// The address of a page about this game, with something more in it.
    pub(crate) fn page(&self, page: &str, more: &str) -> String {
        let Looking { base, .. } = self;
        let words = [self.words(), more.to_owned()];
        let words: Vec<String> = words.into_iter().filter(|word| !word.is_empty()).collect();
        let sign = match (base.contains('?'), words.is_empty()) {
            (_, true) => "",
            (true, _) => "&",
            (false, _) => "?",
        };
        format!("{base}{page}{sign}{}", words.join("&"))
    }

    /// The same, but seen by somebody else.
    pub(crate) fn seen_by(&self, audience: Audience, player: Option<Seat>) -> Looking {
        Looking {
            audience,
            player: player.and(self.player).and(player),
            ..self.clone()
        }
    }

    /// The same with a review.
    pub(crate) fn reviewed(&self) -> Looking {
        Looking {
            review: true,
            ..self.clone()
        }
    }
}
