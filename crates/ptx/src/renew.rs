//! The program that a kernel crate has as its example `ptx`.

use crate::{BuildError, Builder, error};
use std::error::Error;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Compiles the kernels of the crate in this folder to `ptx/<package>.ptx` inside it. A program may consist of this
/// call alone:
///
/// ```no_run
/// // examples/ptx.rs
/// fn main() -> std::process::ExitCode {
///     ribbonmesh_ptx::renew(env!("CARGO_MANIFEST_DIR"))
/// }
/// ```
///
/// Prints to standard error: the compiler's warnings and errors, in colours on a terminal, and the name of the written
/// file. The exit status is 1 if there is no PTX.
pub fn renew(manifest_dir: impl AsRef<Path>) -> ExitCode {
    let builder = Builder::new(manifest_dir.as_ref()).colour(std::io::stderr().is_terminal());
    match write(&builder) {
        Ok((file, log)) => {
            if !log.is_empty() {
                eprintln!("{log}");
            }
            eprintln!("wrote {}", file.display());
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

/// Compiles and writes; the file, and what the compiler said.
fn write(builder: &Builder) -> Result<(PathBuf, String), BuildError> {
    let ptx = builder.build()?;
    let folder = ptx.dir.join("ptx");
    let file = folder.join(format!("{}.ptx", ptx.package));
    std::fs::create_dir_all(&folder).map_err(error::io(&folder))?;
    std::fs::write(&file, ptx.file()?).map_err(error::io(&file))?;
    Ok((file, ptx.log))
}
