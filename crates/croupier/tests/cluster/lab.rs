//! A lab: a real NATS server, and workers on this machine that stand in for others.

use std::fs;
use std::io::Read;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread::{JoinHandle, sleep};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

/// How long is waited for something that comes soon.
const SOON: Duration = Duration::from_secs(120);

/// A short contest of built-in players.
pub(crate) const CONTEST: [&str; 9] = [
    "tournament",
    "intensity",
    "careful",
    "random",
    "a=careful",
    "b=random",
    "--rounds",
    "40",
    "--quiet",
];

/// Where the server is; none if the tests with it are to be left out.
pub(crate) fn nats_server() -> Option<PathBuf> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/nats/bin/nats-server");
    let found = [PathBuf::from("nats-server"), own]
        .into_iter()
        .find(|program| {
            let version = Command::new(program).arg("--version").output();
            version.is_ok_and(|output| output.status.success())
        });
    let is_needed = std::env::var("CROUPIER_NATS").is_ok_and(|value| value == "must");
    assert!(
        found.is_some() || !is_needed,
        "there is no nats-server; cargo xtask test gets it"
    );
    found
}

/// A folder with a server in it.
pub(crate) struct Lab {
    folder: TempDir,
    program: PathBuf,
    pub(crate) port: u16,
    pub(crate) config: String,
    /// The size of the disk of the server, if it has one of its own.
    small_disk: Option<&'static str>,
    server: Option<Running>,
}

/// A process that ends with the test.
pub(crate) struct Running(pub(crate) Child);

impl Running {
    pub(crate) fn kill(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }

    pub(crate) fn terminate(&mut self) {
        self.signal("-TERM");
    }

    pub(crate) fn interrupt(&mut self) {
        self.signal("-INT");
    }

    /// It does nothing until it is resumed.
    pub(crate) fn pause(&mut self) {
        self.signal("-STOP");
    }

    pub(crate) fn resume(&mut self) {
        self.signal("-CONT");
    }

    fn signal(&mut self, name: &str) {
        let process = self.0.id().to_string();
        let sent = Command::new("kill").args([name, &process]).status();
        assert!(sent.unwrap().success());
    }

    /// Waits for its end; its status and what it said.
    pub(crate) fn end(mut self) -> Output {
        let pipes = (self.0.stdout.take(), self.0.stderr.take());
        let (stdout, stderr) = (read(pipes.0), read(pipes.1));
        Output {
            status: wait(&mut self.0),
            stdout: stdout.join().unwrap(),
            stderr: stderr.join().unwrap(),
        }
    }

    pub(crate) fn is_over(&mut self) -> bool {
        self.0.try_wait().unwrap().is_some()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Whether a disk of its own can be given to a process.
pub(crate) fn has_small_disks() -> bool {
    let unshare = Command::new("unshare")
        .args(["--user", "--map-root-user", "--mount", "true"])
        .status();
    let has = unshare.is_ok_and(|status| status.success());
    if !has {
        eprintln!("left out: this machine has no unprivileged mount namespaces");
    }
    has
}

/// A program for which a folder is a disk of this size.
fn on_small_disk(size: &str, folder: &Path, program: &Path) -> Command {
    fs::create_dir_all(folder).unwrap();
    let mount = format!("mount -t tmpfs -o size={size} none \"$0\" && exec \"$@\"");
    let mut unshare = Command::new("unshare");
    unshare.args(["--user", "--map-root-user", "--mount", "sh", "-c", &mount]);
    unshare.arg(folder).arg(program);
    unshare
}

/// Reads what a process says, while others wait for its end.
fn read(pipe: Option<impl Read + Send + 'static>) -> JoinHandle<Vec<u8>> {
    std::thread::spawn(|| {
        let mut said = Vec::new();
        if let Some(mut pipe) = pipe {
            pipe.read_to_end(&mut said).unwrap();
        }
        said
    })
}

fn wait(child: &mut Child) -> std::process::ExitStatus {
    let begun = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status;
        }
        assert!(begun.elapsed() < 2 * SOON, "it does not end");
        sleep(Duration::from_millis(20));
    }
}

/// Whoever reads that a test has failed wants to know what its processes said.
impl Drop for Lab {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            return;
        }
        let Ok(entries) = fs::read_dir(self.folder.path()) else {
            return;
        };
        for path in entries.flatten().map(|entry| entry.path()) {
            let is_said = path.is_file() && path.extension().is_none();
            if let (true, Ok(said)) = (is_said, fs::read_to_string(&path)) {
                eprintln!("{} said:\n{said}", path.display());
            }
        }
    }
}

impl Lab {
    /// A lab with a server that runs; none if there is no server.
    pub(crate) fn open() -> Option<Lab> {
        Lab::with("")
    }

    /// The same with more in the server's configuration.
    pub(crate) fn with(more: &str) -> Option<Lab> {
        let mut lab = Lab::closed()?;
        lab.config = more.to_owned();
        lab.start_server(true);
        Some(lab)
    }

    /// The same with a small disk for the server; none if a mount namespace cannot be had.
    pub(crate) fn with_small_disk(size: &'static str, more: &str) -> Option<Lab> {
        let mut lab = Lab::closed()?;
        if !has_small_disks() {
            return None;
        }
        lab.config = more.to_owned();
        lab.small_disk = Some(size);
        lab.start_server(true);
        Some(lab)
    }

    /// A lab in which no server runs yet.
    pub(crate) fn closed() -> Option<Lab> {
        let program = nats_server()?;
        let free = TcpListener::bind("127.0.0.1:0").unwrap();
        Some(Lab {
            folder: tempfile::tempdir().unwrap(),
            program,
            port: free.local_addr().unwrap().port(),
            config: String::new(),
            small_disk: None,
            server: None,
        })
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    pub(crate) fn start_server(&mut self, jetstream: bool) {
        let store = self.path("server");
        let jetstream = match jetstream {
            true => format!(
                "jetstream {{ store_dir: {:?}, max_file_store: 100GB }}\n",
                store.to_str().unwrap()
            ),
            false => String::new(),
        };
        let config = format!(
            "listen: 127.0.0.1:{}\n{jetstream}{}",
            self.port, self.config
        );
        fs::write(self.path("server.conf"), config).unwrap();
        let log = fs::File::create(self.path("server.log")).unwrap();
        let mut server = match &self.small_disk {
            None => Command::new(&self.program),
            Some(size) => on_small_disk(size, &store, &self.program),
        };
        server.arg("-c").arg(self.path("server.conf"));
        let server = server.stdout(Stdio::null()).stderr(log).spawn();
        self.server = Some(Running(server.unwrap()));
        let begun = Instant::now();
        while !fs::read_to_string(self.path("server.log"))
            .unwrap()
            .contains("Server is ready")
        {
            assert!(begun.elapsed() < SOON, "the server does not start");
            sleep(Duration::from_millis(10));
        }
    }

    /// Kills the server, does something to its storage, and starts it again.
    pub(crate) fn restart_server(&mut self, meanwhile: impl FnOnce(&Path)) {
        if let Some(mut server) = self.server.take() {
            server.kill();
        }
        meanwhile(&self.path("server"));
        self.start_server(true);
    }

    /// Does something to the storage of the server, which is stopped meanwhile and then goes on.
    pub(crate) fn while_the_server_stands_still(&mut self, act: impl FnOnce(&Path)) {
        let store = self.path("server");
        let server = self.server.as_mut().unwrap();
        server.pause();
        act(&store);
        server.resume();
    }

    pub(crate) fn file(&self, name: &str, text: &str) -> String {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        self.as_here(Command::new(env!("CARGO_BIN_EXE_croupier")), arguments)
    }

    /// The command with these arguments, in this lab.
    fn as_here(&self, mut command: Command, arguments: &[&str]) -> Command {
        command
            .current_dir(self.folder.path())
            .args(arguments)
            .env("XDG_CACHE_HOME", self.path("cache"))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        Running(self.command(arguments).spawn().unwrap()).end()
    }

    /// Starts croupier; what it says goes into a file.
    pub(crate) fn start(&self, arguments: &[&str], says: &str) -> Running {
        self.start_command(self.command(arguments), says)
    }

    fn start_command(&self, mut command: Command, says: &str) -> Running {
        let says = fs::File::options()
            .create(true)
            .append(true)
            .open(self.path(says))
            .unwrap();
        command.stdout(Stdio::null()).stderr(says);
        Running(command.spawn().unwrap())
    }

    /// Starts a worker with one thread.
    pub(crate) fn worker(&self, name: &str) -> Running {
        self.worker_with(name, &[])
    }

    pub(crate) fn worker_with(&self, name: &str, more: &[&str]) -> Running {
        let program = Command::new(env!("CARGO_BIN_EXE_croupier"));
        self.start_worker(program, name, more)
    }

    /// Starts a worker whose cache is on a disk of this size.
    pub(crate) fn worker_on_small_disk(&self, name: &str, size: &str) -> Running {
        let program = Path::new(env!("CARGO_BIN_EXE_croupier"));
        let program = on_small_disk(size, &self.cache(name), program);
        self.start_worker(program, name, &[])
    }

    /// Starts a worker by this command.
    pub(crate) fn start_worker(&self, program: Command, name: &str, more: &[&str]) -> Running {
        let (cache, url) = (self.cache(name), self.url());
        let arguments = ["work", "--nats", &url, "--name", name, "--threads", "1"];
        let cache = ["--cache", cache.to_str().unwrap()];
        let arguments = [&arguments, &cache[..], more].concat();
        self.start_command(self.as_here(program, &arguments), name)
    }

    fn cache(&self, worker: &str) -> PathBuf {
        self.path(&format!("cache-{worker}"))
    }

    /// What a process has said.
    pub(crate) fn said(&self, says: &str) -> String {
        fs::read_to_string(self.path(says)).unwrap_or_default()
    }

    /// Runs croupier, which must succeed.
    pub(crate) fn do_it(&self, arguments: &[&str]) -> Output {
        let output = self.run(arguments);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{said}");
        output
    }

    /// The line with which croupier refuses, and its status.
    pub(crate) fn refused(&self, arguments: &[&str]) -> (String, i32) {
        let output = self.run(arguments);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(said.lines().count(), 1, "{said}");
        (said, output.status.code().unwrap())
    }

    /// What is the same in every run of a contest: the report but for its section on the run, and the
    /// tables.
    pub(crate) fn results(&self, folder: &str) -> (Value, Vec<u8>, Vec<u8>) {
        let file = |name: &str| fs::read(self.path(folder).join(name)).unwrap();
        let mut report: Value = serde_json::from_slice(&file("report.json")).unwrap();
        let fields = report.as_object_mut().unwrap();
        fields.shift_remove("run");
        for fault in report["faults"].as_array_mut().unwrap() {
            // The command that repeats it names the folder.
            fault.as_object_mut().unwrap().shift_remove("repeat");
        }
        (report, file("standings.csv"), file("pairs.csv"))
    }
}
