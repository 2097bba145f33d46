//! How War is drawn.

use croupier_core::{Drawn, Game, Seat};

use super::{View, War};

impl Drawn for War {
    type Open = View;

    fn open(&self) -> View {
        self.view(Seat(0))
    }
}
