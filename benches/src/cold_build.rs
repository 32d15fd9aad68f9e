//! `build`: how long a package takes that generates its types in a build script, from nothing, beside
//! one that does the same with typify.

use crate::clock::median;
use crate::options::Shared;
use anyhow::{Context as _, Result, bail};
use clap::Args;
use std::fmt::Write as _;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A cold `cargo build` of a package whose build script generates types, beside typify
///
/// Each is built in turn: the crates that were compiled, wall time, and CPU time of all compilers (Linux).
#[derive(Args)]
pub(crate) struct Options {
    #[command(flatten)]
    shared: Shared,
    /// How many times each is built
    #[arg(long, value_name = "COUNT", default_value = "1")]
    rounds: NonZeroUsize,
}

/// One way to the types.
struct Peer {
    name: &'static str,
    dependencies: String,
    script: &'static str,
    library: &'static str,
}

/// What one build took.
struct Built {
    crates: usize,
    wall: Duration,
    cpu: Option<Duration>,
}

/// Runs the benchmark.
pub(crate) fn run(options: &Options) -> Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let root = root
        .canonicalize()
        .context("the repository cannot be found")?;
    let peers = peers(&root);
    let mut built: Vec<Vec<Built>> = peers.iter().map(|_| Vec::new()).collect();
    for _ in 0..options.rounds.get() {
        for (peer, built) in peers.iter().zip(&mut built) {
            built.push(build(peer, &root)?);
        }
    }
    print(&peers, &built, options.shared.as_json());
    Ok(())
}

fn peers(root: &Path) -> [Peer; 2] {
    let path = |name: &str| format!("{{ path = {:?} }}", root.join(name));
    [
        Peer {
            name: "wirelock",
            dependencies: format!(
                "[dependencies]\nwirelock-runtime = {}\n\n[build-dependencies]\nwirelock-codegen = {}\n",
                path("runtime"),
                path("codegen")
            ),
            script: WIRELOCK,
            library: "wirelock_runtime::include_contract!(pub mod event = \"event\");\n",
        },
        Peer {
            name: "typify",
            dependencies: "[dependencies]\nserde = { version = \"1\", features = [\"derive\"] }\nserde_json = \"1\"\n\n\
                [build-dependencies]\nprettyplease = \"0.3\"\nschemars = \"0.8\"\nserde_json = \"1\"\nsyn = \"3\"\n\
                typify = { version = \"=0.8.0\", default-features = false }\n"
                .to_owned(),
            script: TYPIFY,
            library: "include!(concat!(env!(\"OUT_DIR\"), \"/event.rs\"));\n",
        },
    ]
}

/// Builds a package in a target folder of its own, which is empty before and gone after.
fn build(peer: &Peer, root: &Path) -> Result<Built> {
    let folder = tempfile::tempdir().context("no folder can be made")?;
    let folder = folder.path();
    let write = |name: &str, text: &str| -> Result<()> {
        let path: PathBuf = folder.join(name);
        std::fs::create_dir_all(path.parent().unwrap_or(folder))?;
        std::fs::write(&path, text).with_context(|| format!("{} cannot be written", path.display()))
    };
    let manifest = format!(
        "[package]\nname = \"cold\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n{}",
        peer.dependencies
    );
    write("Cargo.toml", &manifest)?;
    write("build.rs", peer.script)?;
    write("src/lib.rs", peer.library)?;
    write("event.schema.json", SCHEMA)?;
    // The versions that the repository builds with, for both; resolving is no part of what is measured.
    let lock = std::fs::read_to_string(root.join("Cargo.lock")).context("there is no lock file")?;
    write("Cargo.lock", &lock)?;
    let cargo = || {
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        cargo
            .current_dir(folder)
            .stdin(Stdio::null())
            .stderr(Stdio::piped());
        cargo
            .env_remove("CARGO_TARGET_DIR")
            .env("CARGO_INCREMENTAL", "0");
        cargo
    };
    let fetched = cargo()
        .arg("fetch")
        .output()
        .context("cargo cannot be started")?;
    if !fetched.status.success() {
        bail!("{}", String::from_utf8_lossy(&fetched.stderr));
    }
    let (before, started) = (cpu_of_children(), Instant::now());
    let output = cargo()
        .args(["build", "--message-format", "json", "--offline"])
        .output()
        .context("cargo cannot be started")?;
    let wall = started.elapsed();
    if !output.status.success() {
        bail!("{}: {}", peer.name, String::from_utf8_lossy(&output.stderr));
    }
    let told = String::from_utf8_lossy(&output.stdout);
    let is_crate = |line: &&str| line.contains(r#""reason":"compiler-artifact""#);
    Ok(Built {
        crates: told.lines().filter(is_crate).count(),
        wall,
        cpu: cpu_of_children()
            .zip(before)
            .map(|(after, before)| after - before),
    })
}

/// The CPU time of the processes that this one started and that have ended; Linux alone tells it.
fn cpu_of_children() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the program stands in brackets and may hold anything.
    let (_, fields) = text.rsplit_once(')')?;
    let ticks: Vec<u64> = fields
        .split_whitespace()
        .skip(13)
        .take(2)
        .flat_map(str::parse)
        .collect();
    // A tick is a hundredth of a second wherever Linux shows ticks to programs.
    (ticks.len() == 2).then(|| Duration::from_millis(ticks.iter().sum::<u64>() * 10))
}

fn print(peers: &[Peer], built: &[Vec<Built>], json: bool) {
    let wall = |built: &[Built]| median(&built.iter().map(|one| one.wall).collect::<Vec<_>>());
    let cpu = |built: &[Built]| {
        let times: Option<Vec<Duration>> = built.iter().map(|one| one.cpu).collect();
        times.map(|times| median(&times))
    };
    let crates = |built: &[Built]| built.first().map_or(0, |one| one.crates);
    let mut out = String::new();
    for (peer, built) in peers.iter().zip(built) {
        let (wall, cpu) = (
            wall(built).as_secs_f64(),
            cpu(built).map(|time| time.as_secs_f64()),
        );
        let _ = match json {
            true => writeln!(
                out,
                "{}",
                serde_json::json!({"peer": peer.name, "crates": crates(built), "wall_s": wall, "cpu_s": cpu})
            ),
            false => writeln!(
                out,
                "{:<10} {:>4} crates {wall:>8.1} s wall {:>10}",
                peer.name,
                crates(built),
                cpu.map_or_else(|| "-".to_owned(), |cpu| format!("{cpu:.1} s CPU"))
            ),
        };
    }
    if let (false, [first, second]) = (json, built) {
        let ratio = wall(first).as_secs_f64() / wall(second).as_secs_f64();
        let _ = writeln!(
            out,
            "{} takes {ratio:.2} of the wall time of {}",
            peers[0].name, peers[1].name
        );
    }
    print!("{out}");
}

const WIRELOCK: &str = "fn main() -> Result<(), wirelock_codegen::ConfigError> {
    wirelock_codegen::Config::new().schema(\"event.schema.json\").compile()?;
    Ok(())
}
";

/// As typify's own documentation has it.
const TYPIFY: &str = r#"fn main() {
    println!("cargo::rerun-if-changed=event.schema.json");
    let text = std::fs::read_to_string("event.schema.json").unwrap();
    let schema = serde_json::from_str::<schemars::schema::RootSchema>(&text).unwrap();
    let mut types = typify::TypeSpace::new(&typify::TypeSpaceSettings::default());
    types.add_root_schema(schema).unwrap();
    let file = syn::parse2::<syn::File>(types.to_stream()).unwrap();
    let out = std::path::Path::new(&std::env::var("OUT_DIR").unwrap()).join("event.rs");
    std::fs::write(out, prettyplease::unparse(&file)).unwrap();
}
"#;

/// Small, so that what is measured is what the build script needs and not what it writes.
const SCHEMA: &str = r#"{
  "$schema": "http://json-schema.org/draft-07/schema#",
  "title": "Event",
  "type": "object",
  "required": ["id", "kind"],
  "properties": {
    "id": { "type": "string" },
    "kind": { "type": "string", "enum": ["made", "gone"] },
    "count": { "type": "integer", "minimum": 0 },
    "labels": { "type": "array", "items": { "type": "string" } }
  }
}
"#;
