//! What a reader wants to see of a contest, as it stands in the address.

use std::fmt::Write as _;

use croupier_arena::RankBy;

use super::snapshot::{Row, Snapshot};
use super::text::segment;

/// So many can be selected.
const MOST_PICKED: usize = 40;

/// What a reader wants to see.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Wish {
    pub(super) sort: Sort,
    /// Whether the order is the other way round.
    pub(super) reversed: bool,
    /// Part of a name.
    pub(super) search: String,
    /// Only those with faults of this kind; any kind if it is `any`.
    pub(super) kind: String,
    /// The handles of those who are selected.
    pub(super) picks: Vec<String>,
    /// The page, from 1.
    pub(super) page: usize,
}

/// By what the standings are sorted.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) enum Sort {
    #[default]
    Rank,
    Name,
    Points,
    Score,
    Rating,
    Wins,
    Games,
    Faults,
}

impl Sort {
    const ALL: [(Sort, &'static str); 8] = [
        (Sort::Rank, "rank"),
        (Sort::Name, "name"),
        (Sort::Points, "points"),
        (Sort::Score, "score"),
        (Sort::Rating, "rating"),
        (Sort::Wins, "wins"),
        (Sort::Games, "games"),
        (Sort::Faults, "faults"),
    ];

    fn word(self) -> &'static str {
        let found = Sort::ALL.iter().find(|(sort, _)| *sort == self);
        found.map_or("rank", |(_, word)| word)
    }

    /// Whether the first of the list has most of it.
    fn is_from_the_top(self) -> bool {
        !matches!(self, Sort::Rank | Sort::Name)
    }
}

impl Wish {
    /// What an address asks for. What makes no sense is left out.
    pub(super) fn read(fields: &[(String, String)]) -> Wish {
        let mut wish = Wish {
            page: 1,
            ..Wish::default()
        };
        for (name, value) in fields {
            let value = value.trim();
            match name.as_str() {
                "sort" => {
                    let found = Sort::ALL.iter().find(|(_, word)| *word == value);
                    wish.sort = found.map_or(Sort::Rank, |(sort, _)| *sort);
                }
                "order" => wish.reversed = value == "reversed",
                "search" => wish.search = value.chars().take(64).collect(),
                "faults" => wish.kind = value.chars().take(16).collect(),
                "pick" if wish.picks.len() < MOST_PICKED => {
                    let pick: String = value.chars().take(100).collect();
                    if !pick.is_empty() && !wish.picks.contains(&pick) {
                        wish.picks.push(pick);
                    }
                }
                "page" => wish.page = value.parse().unwrap_or(1).clamp(1, 1 << 20),
                _ => {}
            }
        }
        wish
    }

    /// The query of an address that asks for this.
    pub(super) fn query(&self) -> String {
        let mut query = String::new();
        let mut add = |name: &str, value: &str| {
            let mark = if query.is_empty() { '?' } else { '&' };
            let _ = write!(query, "{mark}{name}={}", segment(value));
        };
        if self.sort != Sort::Rank {
            add("sort", self.sort.word());
        }
        if self.reversed {
            add("order", "reversed");
        }
        if !self.search.is_empty() {
            add("search", &self.search);
        }
        if !self.kind.is_empty() {
            add("faults", &self.kind);
        }
        for pick in &self.picks {
            add("pick", pick);
        }
        if self.page > 1 {
            add("page", &self.page.to_string());
        }
        if query.is_empty() {
            "?".to_owned()
        } else {
            query
        }
    }

    /// What a form has to send along besides what is entered in it.
    pub(super) fn hidden(&self) -> Vec<(&'static str, String)> {
        let mut hidden = Vec::new();
        if self.sort != Sort::Rank {
            hidden.push(("sort", self.sort.word().to_owned()));
        }
        if self.reversed {
            hidden.push(("order", "reversed".to_owned()));
        }
        hidden.extend(self.picks.iter().map(|pick| ("pick", pick.clone())));
        hidden
    }

    /// The same but for one thing.
    pub(super) fn but(&self, change: impl FnOnce(&mut Wish)) -> String {
        let mut other = self.clone();
        change(&mut other);
        other.query()
    }

    /// A link that sorts by this, the other way round if it is sorted so already.
    pub(super) fn sorted_by(&self, sort: Sort) -> String {
        self.but(|wish| {
            wish.reversed = wish.sort == sort && !wish.reversed;
            wish.sort = sort;
            wish.page = 1;
        })
    }

    /// How a column is sorted, in the words of ARIA.
    pub(super) fn direction(&self, sort: Sort) -> &'static str {
        match (self.sort == sort, self.reversed == sort.is_from_the_top()) {
            (false, _) => "none",
            (true, true) => "ascending",
            (true, false) => "descending",
        }
    }

    pub(super) fn has_picked(&self, row: &Row) -> bool {
        self.picks.contains(&row.handle)
    }

    /// A link that selects this one, or does so no more.
    pub(super) fn toggled(&self, row: &Row) -> String {
        self.but(|wish| match wish.has_picked(row) {
            true => wish.picks.retain(|pick| *pick != row.handle),
            false => wish.picks.push(row.handle.clone()),
        })
    }

    /// Whether everybody is shown in the order of the ranks.
    pub(super) fn is_plain(&self) -> bool {
        self.sort == Sort::Rank && !self.reversed && self.search.is_empty() && self.kind.is_empty()
    }

    /// Those who are wanted, in the order that is wanted.
    pub(super) fn rows<'a>(&self, snapshot: &'a Snapshot) -> Vec<&'a Row> {
        let search = self.search.to_lowercase();
        let is_wanted = |row: &&Row| {
            let has_faults = match self.kind.as_str() {
                "" => true,
                "any" => row.faults > 0,
                kind => row.kept.contains_key(kind),
            };
            has_faults && row.name.to_lowercase().contains(&search)
        };
        let mut rows: Vec<&Row> = snapshot.rows.iter().filter(is_wanted).collect();
        let value = |row: &Row| match self.sort {
            Sort::Rank | Sort::Name => 0.0,
            Sort::Points => row.standing.mean_points(),
            Sort::Score => row.standing.mean_score(),
            Sort::Rating => row.rating.rating,
            Sort::Wins => row.standing.wins as f64,
            Sort::Games => row.standing.games as f64,
            Sort::Faults => row.faults as f64,
        };
        match self.sort {
            Sort::Rank => {}
            Sort::Name => rows.sort_by_key(|row| row.name.to_lowercase()),
            _ => rows.sort_by(|a, b| {
                // Of those who have not played nothing is known.
                let played = |row: &Row| row.standing.games > 0;
                let order = value(b).total_cmp(&value(a));
                played(b).cmp(&played(a)).then(order)
            }),
        }
        if self.reversed {
            rows.reverse();
        }
        rows
    }

    /// The column of what is ranked by.
    pub(super) fn ranked(by: RankBy) -> Sort {
        match by {
            RankBy::Points => Sort::Points,
            RankBy::Score => Sort::Score,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_for_is_what_the_address_says() {
        let fields = [
            ("sort", "rating"),
            ("order", "reversed"),
            ("search", " a&b=<c> "),
            ("faults", "crash"),
            ("pick", "x/y"),
            ("pick", "é"),
            ("pick", "x/y"),
            ("page", "3"),
            ("other", "1"),
        ];
        let fields = fields.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let wish = Wish::read(&fields);
        assert_eq!(
            wish.query(),
            "?sort=rating&order=reversed&search=a%26b%3D%3Cc%3E&faults=crash&pick=x%2Fy&pick=%C3%A9&page=3"
        );
        assert_eq!(wish.picks.len(), 2);
    }

    #[test]
    fn nonsense_is_left_out() {
        for fields in [
            vec![("sort", "x"), ("page", "-1")],
            vec![("page", "99999999999999999999"), ("order", "?")],
            vec![],
        ] {
            let fields: Vec<_> = fields
                .iter()
                .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
                .collect();
            assert_eq!(Wish::read(&fields).query(), "?");
        }
    }
}
