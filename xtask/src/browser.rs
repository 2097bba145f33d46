//! What the tests in a browser need: Chromium, its driver, and axe, which looks for what keeps people
//! from using a page. All of it is found here or fetched; none of it is part of the project.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::run;

/// The version of axe that pages are held to.
const AXE: &str = "axe-core@4.11.0";

/// Gets everything; which tests are left out without it, and why.
pub(crate) fn get() -> Vec<(&'static str, String)> {
    let parts = [
        (
            "the tests in a browser",
            chromium as fn() -> Result<(), String>,
        ),
        ("what axe finds in a browser", axe),
    ];
    let missing = parts.into_iter().filter_map(|(tests, get)| {
        let reason = get().err()?;
        Some((tests, reason))
    });
    missing.collect()
}

/// Finds Chromium and its driver, or installs them if that is allowed here.
fn chromium() -> Result<(), String> {
    let is_here = |program: &str| {
        let found = Command::new(program).arg("--version").output();
        found.is_ok_and(|output| output.status.success())
    };
    let are_here = || is_here("chromium") && is_here("chromedriver");
    if are_here() {
        return Ok(());
    }
    for arguments in [
        &["update"][..],
        &["install", "--yes", "chromium", "chromium-driver"],
    ] {
        let mut install = Command::new("apt-get");
        install
            .args(arguments)
            .env("DEBIAN_FRONTEND", "noninteractive");
        run(&mut install)?;
    }
    match are_here() {
        true => Ok(()),
        false => Err("apt install chromium chromium-driver".to_owned()),
    }
}

/// Finds axe in `target/browser`, or fetches its package with npm.
fn axe() -> Result<(), String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/browser");
    let place = folder.join("axe.min.js");
    if place.exists() {
        return Ok(());
    }
    let failed = |error: std::io::Error| format!("failed to write {}: {error}", folder.display());
    fs::create_dir_all(&folder).map_err(failed)?;
    let mut fetch = Command::new("npm");
    fetch.args(["pack", "--silent", AXE]).current_dir(&folder);
    run(&mut fetch)?;
    let package = format!("{}.tgz", AXE.replace('@', "-"));
    let mut unpack = Command::new("tar");
    unpack
        .args(["xzf", &package, "--strip-components=1"])
        .arg("package/axe.min.js")
        .current_dir(&folder);
    run(&mut unpack)
}
