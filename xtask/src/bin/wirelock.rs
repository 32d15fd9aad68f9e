//! The installable entry point, for repositories that bring a contract of their own.
fn main() -> std::process::ExitCode {
    wirelock_xtask::run("wirelock", std::env::args_os().skip(1))
}
