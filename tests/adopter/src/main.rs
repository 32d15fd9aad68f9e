//! Commands of this repository; those of the gate come from its library.
fn main() -> std::process::ExitCode {
    wirelock_xtask::run("cargo xtask", std::env::args_os().skip(1))
}
