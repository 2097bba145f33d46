//! The Python package: its checks, in a virtual environment of their own.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{cargo, run};

/// Set to `must`, it makes a missing Python an error instead of a remark.
const DEMAND: &str = "CROUPIER_PYTHON";

const MISSING: &str = "there is no python3 (3.10 or later, with venv); apt install python3-venv";

const PACKAGE: &str = "crates/python";

/// Installs the package from the source tree into a fresh virtual environment and tests it there; why
/// not, if there is no Python.
pub(crate) fn test() -> Result<Option<String>, String> {
    let Some(python) = found() else {
        return match std::env::var(DEMAND).is_ok_and(|demand| demand == "must") {
            true => Err(format!("{MISSING}; {DEMAND}=must asks for it")),
            false => Ok(Some(MISSING.to_owned())),
        };
    };
    let target = target()?;
    let clippy = ["clippy", "--quiet", "--locked", "--", "--deny", "warnings"];
    for check in [&["fmt", "--check"][..], &clippy] {
        run(cargo(check)
            .current_dir(PACKAGE)
            .env("CARGO_TARGET_DIR", &target))?;
    }
    let venv = environment(&python, "tests")?;
    // The same profile as the other tests: optimised, and checked for overflow.
    install(&venv, "--profile=dev --locked")?;
    let outside = venv.join("outside");
    std::fs::create_dir_all(&outside).map_err(|error| error.to_string())?;
    let tests = std::path::absolute(PACKAGE).map_err(|error| error.to_string())?;
    // Away from the sources, so that what is tested is what was installed.
    let python = || {
        let mut python = Command::new(venv.join("bin/python"));
        python.current_dir(&outside);
        python
    };
    // Contests in which a program takes part need the program `croupier`.
    crate::bench::build(true)?;
    let program =
        std::path::absolute("target/debug/croupier").map_err(|error| error.to_string())?;
    // With -rs it names the tests that it leaves out, and why.
    let pytest = ["-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider"];
    run(python()
        .args(pytest)
        .arg(tests.join("tests"))
        .env("CROUPIER_PROGRAM", program))?;
    run(python().args(["-m", "mypy.stubtest", "croupier"]))?;
    source_distribution(&venv)?;
    Ok(None)
}

/// Makes the source distribution, and checks that it compiles by itself.
fn source_distribution(venv: &Path) -> Result<(), String> {
    let folder = target()?.join("source");
    // What an earlier run has left would hide that a file is missing.
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    run(Command::new(venv.join("bin/maturin"))
        .args(["sdist", "--out"])
        .arg(&folder)
        .current_dir(PACKAGE))?;
    let version = env!("CARGO_PKG_VERSION");
    let unpack = ["--extract", "--gzip", "--touch", "--file"];
    run(Command::new("tar")
        .args(unpack)
        .arg(format!("croupier-{version}.tar.gz"))
        .current_dir(&folder))?;
    run(cargo(&["check", "--quiet", "--locked"])
        .current_dir(folder.join(format!("croupier-{version}/python")))
        .env("CARGO_TARGET_DIR", target()?))
}

/// Measures the package beside its peers.
pub(crate) fn bench() -> Result<(), String> {
    let python = found().ok_or(MISSING)?;
    let venv = environment(&python, "bench")?;
    install(&venv, "--release --locked")?;
    let script = Path::new(PACKAGE).join("bench/side_by_side.py");
    run(Command::new(venv.join("bin/python")).arg(script))
}

/// Installs the package from the source tree, built in this way.
fn install(venv: &Path, build: &str) -> Result<(), String> {
    // Without an isolated build pip looks for maturin there.
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::iter::once(venv.join("bin")).chain(std::env::split_paths(&path));
    let path = std::env::join_paths(path).map_err(|error| error.to_string())?;
    run(Command::new(venv.join("bin/pip"))
        .env("PATH", path)
        .args(["install", "--quiet", "--no-build-isolation", "--no-deps"])
        .arg(format!("--config-settings=build-args={build}"))
        .arg(".")
        .current_dir(PACKAGE)
        .env("CARGO_TARGET_DIR", target()?))
}

/// Where the package is built: apart from the workspace, whose lock file it does not share.
fn target() -> Result<PathBuf, String> {
    std::path::absolute("target/python").map_err(|error| error.to_string())
}

/// A Python that can make virtual environments.
fn found() -> Option<PathBuf> {
    let python = PathBuf::from("python3");
    let asks = "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))";
    let answer = Command::new(&python).args(["-c", asks]).output();
    answer
        .is_ok_and(|answer| answer.status.success())
        .then_some(python)
}

/// A fresh virtual environment with what a file of requirements of the package asks for.
fn environment(python: &Path, purpose: &str) -> Result<PathBuf, String> {
    let venv = std::path::absolute(format!("target/python/{purpose}"));
    let venv = venv.map_err(|error| error.to_string())?;
    run(Command::new(python)
        .args(["-m", "venv", "--clear"])
        .arg(&venv))?;
    let requirements = Path::new(PACKAGE).join(purpose).join("requirements.txt");
    let pip = venv.join("bin/pip");
    run(Command::new(pip)
        .args(["install", "--quiet", "--requirement"])
        .arg(requirements))?;
    Ok(venv)
}
