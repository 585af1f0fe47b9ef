//! The `ribbonmesh` command: arguments, progress and reports around the libraries.
#![forbid(unsafe_code)]
mod args;
mod batch;
mod bench_query;
mod changing;
mod clean;
mod completions;
mod convert;
mod curvature;
mod delaunay;
mod denoise;
mod distance;
mod elasticity;
mod encoding;
mod exact;
mod failure;
mod fill;
mod generate;
mod geodesic;
mod info;
mod inside;
mod intersections;
mod lengths;
mod machine;
mod noise;
mod normals;
mod numbers;
mod patch_colours;
mod paths;
mod query;
mod remesh;
mod render;
mod repair;
mod report;
mod resolve;
mod rows;
mod session;
mod shape;
mod shared;
#[cfg(unix)]
mod signals;
mod simplify;
mod smooth;
mod streams;
mod suggest;
mod track;
mod volume;
mod words;
mod wrap;

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
