//! The crate that holds the types of all schemas: written below the target folder, compiled once with
//! the warnings of rustc and clippy denied, and run over the documents.

use super::cases::Case;
use super::documents::Tried;
use super::schemas;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use wirelock_tests::scratch::{Scratch, dependency};

/// What came of it.
pub(crate) struct Outcome {
    pub(crate) faults: Vec<String>,
}

/// Compiles and runs the types of all schemas.
pub(crate) fn run(cases: &[Case], tried: &[Tried]) -> Outcome {
    let scratch = Scratch::new(Path::new(env!("CARGO_TARGET_TMPDIR")), "scratch-types");
    let mut library = LIBRARY.to_owned();
    let mut program = PROGRAM.to_owned();
    program.push_str("\nfn run() -> usize {\n    let mut faults = 0;\n");
    for (case, tried) in cases.iter().zip(tried) {
        let module = case.module();
        let _ = writeln!(library, "#[rustfmt::skip]\npub mod {module};");
        scratch.write(&format!("src/{module}.rs"), &case.emitted.code);
        let mut lines = String::new();
        for (root, line) in &tried.lines {
            let _ = writeln!(lines, "{root} {line}");
        }
        scratch.write(&format!("src/{module}.txt"), &lines);
        let _ = writeln!(
            program,
            "    faults += all({:?}, include_str!(\"{module}.txt\"), &[",
            case.name
        );
        for root in &case.emitted.roots {
            let _ = writeln!(
                program,
                "        both!(scratch_types::{module}::{root}, scratch_types::{module}::borrowed::{root}),"
            );
        }
        program.push_str("    ]);\n");
        for (root, name) in case.telling() {
            let _ = writeln!(
                program,
                "    tell::<scratch_types::{module}::{name}>({:?}, {root});",
                case.name
            );
        }
    }
    program.push_str("    faults\n}\n");
    scratch.write("src/lib.rs", &library);
    scratch.write("src/main.rs", &program);
    let runtime = dependency("runtime", &["pattern", "schemars"]);
    scratch.manifest(&format!(
        "[dependencies]\n{runtime}\n[profile.dev]\ndebug = false\n"
    ));
    let (Some(clippy), Some(mut cargo)) = (scratch.cargo("clippy"), scratch.cargo("run")) else {
        return Outcome { faults: Vec::new() };
    };
    let mut faults = lint(&scratch, clippy);
    if cases.iter().any(Case::is_large) {
        cargo.env("SCRATCH_LARGE", "1");
    }
    let output = cargo.output().expect("cargo starts");
    let (out, err) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    let told = out.lines().filter(|line| line.starts_with("fault: "));
    faults.extend(told.map(str::to_owned));
    for line in out.lines().filter_map(|line| line.strip_prefix("schema: ")) {
        faults.extend(schemas::fault(cases, line));
    }
    let told = out
        .lines()
        .filter(|line| line.starts_with("schema: "))
        .count();
    let telling: usize = cases.iter().map(|case| case.telling().len()).sum();
    if told != telling {
        faults.push(format!("{told} of {telling} types told their schema"));
    }
    let done = out
        .lines()
        .filter(|line| line.starts_with("done: "))
        .count();
    if done != cases.len() || (!output.status.success() && faults.is_empty()) {
        let start: String = err.chars().take(6000).collect();
        faults.push(format!("the types do not compile or run: {start}"));
    }
    Outcome { faults }
}

/// What clippy finds in the types; what it warns of is denied in the crate's first lines.
fn lint(scratch: &Scratch, mut clippy: Command) -> Vec<String> {
    let output = clippy.arg("--lib").output().expect("cargo starts");
    if output.status.success() {
        return Vec::new();
    }
    let told = String::from_utf8_lossy(&output.stderr);
    scratch.write("clippy.txt", &told);
    vec![format!(
        "clippy finds faults: {}",
        told.chars().take(6000).collect::<String>()
    )]
}

const LIBRARY: &str = "//! Types of every schema that is tried.\n#![deny(warnings)]\n\
    // Where a schema has names that look alike, its users are warned of that, as they should be.\n\
    #![allow(confusable_idents, mixed_script_confusables)]\n";

const PROGRAM: &str = r#"//! Reads every document as its root's type and compares what is written with it, by value.
use wirelock_runtime::schemars::{JsonSchema, SchemaGenerator};
use wirelock_runtime::{Encode, IntoOwned, Json, from_str};

/// The types of vega-lite hold each other by value, and what reads them without optimisation takes
/// more than 16 MB of stack; those of every other schema are read within the usual eight.
const STACK: usize = 64 << 20;

fn main() {
    let large = option_env!("SCRATCH_LARGE").is_some();
    let faults = if large {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn(run);
        thread.expect("a thread").join().expect("no panic")
    } else {
        run()
    };
    std::process::exit(i32::from(faults > 0));
}

/// What is written with a text's value; else why it cannot be read, or how the two modes differ.
type Again = fn(&str) -> Result<String, String>;

/// One function for each root, which reads a text in both modes.
macro_rules! both {
    ($owned:ty, $lent:ty) => {
        |text| match (from_str::<$owned>(text), from_str::<$lent>(text)) {
            (Ok(owned), Ok(lent)) => {
                let (written, again) = (owned.to_json(), lent.to_json());
                if written != again {
                    Err(format!("is borrowed as {again}"))
                } else if owned != IntoOwned::into_owned(lent) {
                    Err("is not the same when it is borrowed and then owned".to_owned())
                } else {
                    Ok(written)
                }
            }
            (Err(owned), Err(lent)) if owned == lent => Err(format!("is refused: {owned}")),
            (owned, lent) => Err(format!("is read otherwise: {:?} and {:?}", owned.err(), lent.err())),
        }
    };
}

/// Prints the schema that a type tells of itself.
fn tell<T: JsonSchema>(schema: &str, root: usize) {
    let told = SchemaGenerator::default().into_root_schema_for::<T>();
    println!("schema: {schema} {root} {}", told.to_value());
}

fn all(schema: &str, documents: &str, roots: &[Again]) -> usize {
    let mut faults = 0;
    for line in documents.lines() {
        let (root, text) = line.split_once(' ').expect("a root and a document");
        let root: usize = root.parse().expect("a number");
        // Whatever a cut text is, both modes say the same of it.
        for end in (1..text.len()).step_by(7).filter(|end| text.is_char_boundary(*end)) {
            if let Err(why) = roots[root](&text[..end])
                && !why.starts_with("is refused")
            {
                faults += 1;
                println!("fault: {schema}, root {root}: {} {why}", &text[..end]);
            }
        }
        let told = match roots[root](text) {
            Err(why) => why,
            Ok(written) if Json::from_str(&written).ok() != Json::from_str(text).ok() => {
                format!("comes back as {written}")
            }
            Ok(written) => match roots[root](&written) {
                Ok(again) if again == written => continue,
                _ => format!("is written as {written}, which is not read as it was written"),
            },
        };
        faults += 1;
        println!("fault: {schema}, root {root}: {text} {told}");
    }
    println!("done: {schema}");
    faults
}
"#;
