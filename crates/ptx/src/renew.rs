//! The program that a kernel crate has as its example `ptx`.

use crate::{BuildError, Builder};
use std::error::Error;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Compiles the kernels of the crate in this folder to the folder `ptx` inside it. A program may consist of
/// this call alone:
///
/// ```no_run
/// // examples/ptx.rs
/// fn main() -> std::process::ExitCode {
///     ribbonmesh_ptx::renew(env!("CARGO_MANIFEST_DIR"))
/// }
/// ```
///
/// Prints to standard error: the compiler's warnings and errors, in colours on a terminal, and the names of
/// the files that have changed. The exit status is 1 if there is no PTX.
pub fn renew(manifest_dir: impl AsRef<Path>) -> ExitCode {
    let builder = Builder::new(manifest_dir.as_ref()).colour(std::io::stderr().is_terminal());
    match write(&builder) {
        Ok((changed, log)) => {
            if !log.is_empty() {
                eprintln!("{log}");
            }
            for path in &changed {
                eprintln!("{} {}", if path.exists() { "wrote" } else { "removed" }, path.display());
            }
            if changed.is_empty() {
                eprintln!("the PTX is current");
            }
            ExitCode::SUCCESS
        }
        Err(BuildError::Compile { package, output }) => {
            eprintln!("{output}\n\nerror: {package} does not compile for the GPU");
            ExitCode::FAILURE
        }
        Err(other) => {
            eprint!("error: {other}");
            let mut cause = other.source();
            while let Some(deeper) = cause {
                eprint!(": {deeper}");
                cause = deeper.source();
            }
            eprintln!();
            ExitCode::FAILURE
        }
    }
}

/// Compiles and writes; returns the files that have changed, and the compiler's messages.
fn write(builder: &Builder) -> Result<(Vec<PathBuf>, String), BuildError> {
    let ptx = builder.build()?;
    Ok((ptx.write()?, ptx.log))
}
