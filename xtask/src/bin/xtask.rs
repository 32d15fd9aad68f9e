//! The `cargo xtask` entry point.
fn main() -> std::process::ExitCode {
    wirelock_xtask::run("cargo xtask", std::env::args_os().skip(1))
}
