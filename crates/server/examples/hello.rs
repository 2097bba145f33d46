//! A server that says hello and nothing else: what the web table is measured beside.

use axum::Router;
use axum::routing::get;
use tokio::net::TcpListener;

#[tokio::main]
async fn main() -> std::io::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("http://{}/", listener.local_addr()?);
    let app = Router::new().route("/", get(async || "hello"));
    axum::serve(listener, app).await
}
