//! Paths of files.
use crate::failure::Failure;
use ribbonmesh_io::Format;
use std::fs;
use std::path::Path;

/// Whether both paths are the same, or lead to one existing file.
pub fn same_file(a: &Path, b: &Path) -> bool {
    a == b || matches!((fs::canonicalize(a), fs::canonicalize(b)), (Ok(a), Ok(b)) if a == b)
}

/// The format that an output's extension names, before any work is done for it.
pub fn output_format(path: &Path) -> Result<Format, Failure> {
    Format::from_path(path).map_err(|e| Failure::Usage(format!("{}: {e}", path.display())))
}
