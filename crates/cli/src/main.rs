//! The `ribbonmesh` command: arguments, progress and reports around the libraries.
#![forbid(unsafe_code)]
mod args;
mod bench_query;
mod changing;
mod completions;
mod convert;
mod curvature;
mod delaunay;
mod denoise;
mod distance;
mod encoding;
mod exact;
mod failure;
mod generate;
mod geodesic;
mod info;
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
mod rows;
mod session;
#[cfg(unix)]
mod signals;
mod simplify;
mod smooth;
mod streams;
mod words;

use args::{Cli, Command};
use clap::Parser;
use failure::Failure;
use session::Session;
use std::io::Write;
use std::process::ExitCode;

fn main() -> ExitCode {
    match run(Cli::parse()) {
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
    let outcome = match &cli.command {
        Command::Info(command) => command.run(&mut session),
        Command::Query(command) => command.run(&mut session),
        Command::Normals(command) => command.run(&mut session),
        Command::Geodesic(command) => command.run(&mut session),
        Command::Distance(command) => command.run(&mut session),
        Command::Curvature(command) => command.run(&mut session),
        Command::Denoise(command) => command.run(&mut session),
        Command::Smooth(command) => command.run(&mut session),
        Command::Delaunay(command) => command.run(&mut session),
        Command::Remesh(command) => command.run(&mut session),
        Command::Simplify(command) => command.run(&mut session),
        Command::Render(command) => command.run(&mut session),
        Command::Repair(command) => command.run(&mut session),
        Command::Convert(command) => command.run(&mut session),
        Command::Generate(command) => command.run(&mut session),
        Command::BenchQuery(command) => command.run(&mut session),
        Command::Completions(command) => command.run(&mut session),
    };
    session.finish(outcome)
}
