//! The `cargo xtask` entry point.
fn main() -> std::process::ExitCode {
    wirelock_xtask::main("cargo xtask")
}
