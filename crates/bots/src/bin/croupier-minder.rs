//! A minder and nothing else, for those who run bots but cannot become one themselves: tests.

fn main() {
    croupier_bots::mind_if_asked();
    eprintln!("croupier-minder: this program is started by others, to mind a bot");
    std::process::exit(2);
}
