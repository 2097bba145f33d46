//! Makes the library by which a template in Python forks.

use std::env;
use std::path::Path;

fn main() {
    let source = "src/template/template.c";
    println!("cargo::rerun-if-changed={source}");
    let library = env::var_os("OUT_DIR").expect("cargo names a folder");
    let library = Path::new(&library).join("template.so");
    let mut compiler = cc::Build::new();
    let compiler = compiler.opt_level(2).pic(true).warnings(true);
    let mut link = compiler.get_compiler().to_command();
    link.args(["-DAS_A_LIBRARY", "-shared", "-nostdlib", "-s", "-o"]);
    let status = link.arg(&library).arg(source).status();
    let made = status.expect("there is a C compiler").success();
    assert!(made, "{source} is compiled");
}
