//! The `ribbonmesh` command: arguments, progress and reports around the libraries.
#![forbid(unsafe_code)]
mod application;
mod args;
mod batch;
mod bench_query;
mod clean;
mod completions;
mod convert;
mod curvature;
mod distance;
mod elasticity;
mod encoding;
mod exact;
mod failure;
mod generate;
mod geodesic;
mod info;
mod inside;
mod intersections;
mod machine;
mod noise;
mod normals;
mod patch_colours;
mod paths;
mod query;
mod render;
mod repair;
mod report;
mod resolve;
mod rows;
mod session;
mod shared;
#[cfg(unix)]
mod signals;
mod streams;
mod suggest;
mod track;
mod volume;

use args::Cli;
use clap::Parser;
use failure::Failure;
use session::Session;
use std::io::Write;
use std::process::ExitCode;

fn main() -> ExitCode {
    match run(Cli::try_parse().unwrap_or_else(|error| suggest::with_commands(error).exit())) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            if failure.status() != 0 {
                // nobody is left to be told that standard error is closed
                _ = writeln!(std::io::stderr(), "error: {failure}");
            }
            failure.exit_code()
        }
    }
}

fn run(cli: Cli) -> Result<(), Failure> {
    #[cfg(unix)]
    signals::watch();
    let mut session = Session::new(cli.globals)?;
    let outcome = cli.command.run(&mut session);
    session.finish(outcome)
}
