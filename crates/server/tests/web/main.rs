//! The web table as a browser and as a program meet it: a real server on a port.

mod api;
mod hall;
mod leaks;
mod noise;
mod safety;
mod tables;
