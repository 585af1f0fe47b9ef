//! Reads and writes mesh files for `cargo xtask`: `weld FROM TO COMMENT`, or `rewrite TO FORMAT… -- FOLDER…`.

mod rewrite;
mod weld;

use anyhow::{Result, bail};
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[&str]) -> Result<()> {
    match arguments {
        ["weld", from, to, comment] => weld::run(from.as_ref(), to.as_ref(), comment),
        ["rewrite", to, rest @ ..] => {
            match rest.split(|argument| *argument == "--").collect::<Vec<_>>()[..] {
                [formats, folders] => rewrite::run(to.as_ref(), formats, folders),
                _ => bail!("rewrite TO FORMAT… -- FOLDER…"),
            }
        }
        _ => bail!("weld FROM TO COMMENT, or rewrite TO FORMAT… -- FOLDER…"),
    }
}
