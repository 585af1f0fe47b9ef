//! The program `ribbonmesh`.
#![forbid(unsafe_code)]
use std::process::ExitCode;

fn main() -> ExitCode {
    ribbonmesh_cli::run_with(std::env::args_os()).into()
}
