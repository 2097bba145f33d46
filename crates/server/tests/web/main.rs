//! The web table as a browser and as a program meet it: a real server on a port.

mod api;
mod guest;
mod hall;
mod leaks;
mod noise;
mod replay;
mod safety;
#[path = "../served/mod.rs"]
mod served;
mod tables;
mod war;
