//! War has no decisions, so there is nothing to ask a program; whoever takes a seat all the same is
//! spoken to in JSON lines.

use croupier_games::war::War;

use super::Hosted;

impl Hosted for War {}
