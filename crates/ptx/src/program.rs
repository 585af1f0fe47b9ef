//! Running programs and finding them.

use crate::BuildError;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Runs a command to its end with its output captured.
pub(crate) fn run(command: &mut Command) -> Result<Output, BuildError> {
    command.output().map_err(|source| BuildError::Spawn {
        program: command.get_program().to_string_lossy().into_owned(),
        source,
    })
}

/// The first file of this name in the folders of PATH.
pub(crate) fn on_path(name: &str) -> Option<PathBuf> {
    let file = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    std::env::split_paths(&std::env::var_os("PATH")?).map(|dir| dir.join(&file)).find(|path| path.is_file())
}

/// A program that succeeds without doing anything, which replaces a linker whose output is not needed.
pub(crate) fn no_op() -> &'static Path {
    // `cmd` with arguments it does not know and no `/c` reads an empty stdin and leaves.
    let candidates: &[&str] = if cfg!(windows) { &["cmd.exe"] } else { &["/bin/true", "/usr/bin/true"] };
    Path::new(candidates.iter().find(|path| Path::new(path).exists()).unwrap_or(&candidates[0]))
}
