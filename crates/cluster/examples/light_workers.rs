//! Many light workers in one process: what the server and the coordinator of a large contest bear.
//!
//! `light_workers URL CONTEST WORKERS SECONDS` hires so many workers, each with a connection of its own and one
//! thread. They are real ones but for the game: what came of a block they look up in the folder of a
//! contest that was played, and they take so many seconds for each. It ends when it is killed.

use std::error::Error;
use std::path::Path;
use std::sync::Mutex;
use std::time::Duration;

use croupier_arena::Store;
use croupier_bots::{Interrupt, Times};
use croupier_cluster::wire::Need;
use croupier_cluster::{Address, Bench, Hiring, working};

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [url, contest, workers, seconds] = &words[..] else {
        return Err("usage: light_workers URL CONTEST WORKERS SECONDS".into());
    };
    let (workers, pause): (usize, f64) = (workers.parse()?, seconds.parse()?);
    let store = Store::find_to_read(Path::new(contest))?.ok_or("there is no contest")?;
    let settings = store.settings()?;
    let game: &'static str = Box::leak(settings.game.into_boxed_str());
    let table = Mutex::new(store);
    let bench = Bench::answering(game, settings.version, move |key, plan| {
        std::thread::sleep(Duration::from_secs_f64(pause));
        let table = table.lock().map_err(|error| error.to_string())?;
        let played = table.played(key).map_err(|error| error.to_string())?;
        let mut played = played.ok_or("another contest was played")?;
        played.times = vec![Times::default(); plan.table.len()];
        Ok(played)
    });
    let folder = tempfile::tempdir()?;
    let runtime = tokio::runtime::Runtime::new()?;
    runtime.block_on(async {
        let mut all = tokio::task::JoinSet::new();
        for number in 0..workers {
            all.spawn(working(Hiring {
                address: Address {
                    url: url.clone(),
                    ..Address::default()
                },
                name: format!("light-{number}"),
                threads: 1,
                needs: vec![Need::BuiltIn],
                benches: vec![bench.clone()],
                folder: folder.path().to_owned(),
                interrupt: Interrupt::new()?,
                tell: |text| eprintln!("{text}"),
            }));
        }
        while let Some(worked) = all.join_next().await {
            worked??;
        }
        Ok(())
    })
}
