//! What several of the original programs share.

pub mod austerity_player;
