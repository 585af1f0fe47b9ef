//! Everything the repository does beyond `cargo build` and `cargo test`: run as `cargo xtask <command>`.

mod process;
mod ptx;
mod workspace;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Everything the repository does beyond cargo build and cargo test.
#[derive(Parser)]
#[command(name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Compile the kernel crates to assets/ptx, or check that assets/ptx is current.
    Ptx(ptx::Options),
}

fn main() -> ExitCode {
    let result = match Arguments::parse().task {
        Task::Ptx(options) => ptx::run(&options),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
