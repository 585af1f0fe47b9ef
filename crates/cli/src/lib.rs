//! The `ribbonmesh` command: arguments, progress and reports around the libraries. A library, so that the
//! Python package has the command without a second program.
#![forbid(unsafe_code)]
mod application;
mod args;
mod bake;
mod batch;
mod bench_query;
mod completions;
mod convert;
mod distance;
mod elasticity;
mod encoding;
mod failure;
mod flow;
mod frames;
mod generate;
mod info;
mod inside;
mod intersections;
mod laplacian;
mod lod;
mod noise;
mod npy;
mod numbers;
mod patch_colours;
#[cfg(feature = "patches")]
mod patches;
mod paths;
mod query;
mod render;
mod report;
mod resolver;
mod rows;
mod serve;
mod serving;
mod session;
mod shallow;
mod shared;
#[cfg(unix)]
mod signals;
mod spectrum;
mod streams;
mod suggest;
mod tiles;
mod track;
mod view;
mod volume;

use args::Cli;
use clap::Parser;
use failure::Failure;
use session::Session;
use std::ffi::OsString;
use std::io::Write;

/// Runs the command with these arguments, the first of which is the program's name; returns the exit status.
/// Ends the process where the arguments are wrong, or ask for help.
pub fn run_with(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let cli = Cli::try_parse_from(arguments).unwrap_or_else(|error| suggest::with_commands(error).exit());
    let status = match run(cli) {
        Ok(()) => 0,
        Err(failure) => {
            if failure.status() != 0 {
                // if standard error is closed, there is no way to report that
                _ = writeln!(std::io::stderr(), "error: {failure}");
            }
            failure.status()
        }
    };
    // a Rust program does this at its end, and Python does not
    _ = std::io::stdout().flush();
    status
}

fn run(cli: Cli) -> Result<(), Failure> {
    #[cfg(unix)]
    signals::watch();
    let mut session = Session::new(cli.globals)?;
    let outcome = cli.command.run(&mut session);
    let afterwards = session.take_afterwards();
    session.finish(outcome)?;
    // reports and files are complete
    afterwards();
    Ok(())
}
