//! Paths of files.
use crate::streams::is_standard;
use std::fs;
use std::path::Path;

/// Whether both paths are the same, or lead to one existing file. Standard input and output are not files.
pub fn same_file(a: &Path, b: &Path) -> bool {
    if is_standard(a) || is_standard(b) {
        return false;
    }
    a == b || matches!((fs::canonicalize(a), fs::canonicalize(b)), (Ok(a), Ok(b)) if a == b)
}
