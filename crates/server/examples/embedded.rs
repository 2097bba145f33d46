//! A server inside another program: the games, a folder for the tables, an address.
//!
//! `cargo run -p croupier-server --example embedded -- DIR 127.0.0.1:8080`

use std::path::PathBuf;

use croupier_games::GAMES;
use croupier_server::{Server, Settings};
use tokio::net::TcpListener;

#[tokio::main]
async fn main() -> std::io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments
        .next()
        .map_or_else(std::env::temp_dir, PathBuf::from);
    let address = arguments.next().unwrap_or("127.0.0.1:0".to_owned());
    let listener = TcpListener::bind(address).await?;
    println!("http://{}/", listener.local_addr()?);
    let server = Server::open(Settings::new(GAMES.clone(), folder), listener)?;
    let ctrl_c = async {
        // Without Ctrl-C it goes on until it is ended in another way.
        let _ = tokio::signal::ctrl_c().await;
    };
    server.serve(ctrl_c).await
}
