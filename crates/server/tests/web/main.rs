//! The web table as a browser and as a program meet it: a real server on a port.

mod api;
mod contests;
mod guest;
mod hall;
#[path = "../held/mod.rs"]
mod held;
mod leaks;
mod limits;
mod noise;
mod replay;
mod safety;
#[path = "../served/mod.rs"]
mod served;
mod tables;
mod war;
