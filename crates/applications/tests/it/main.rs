//! Files that are made from the registry, and rules that every application keeps.
mod manual;
mod python;
mod rules;

use std::fs;
use std::path::{Path, PathBuf};

/// A file of the repository.
fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

/// Fails if files of the repository are stale, and then writes them.
fn keep_fresh(files: &[(String, String)]) {
    let mut stale = vec![];
    for (path, expected) in files {
        let file = repository(path);
        let found = fs::read_to_string(&file).unwrap_or_default().replace("\r\n", "\n");
        if found != *expected {
            fs::write(&file, expected).expect("a file of the repository");
            stale.push(path.as_str());
        }
    }
    assert!(stale.is_empty(), "stale, and written anew: {}; commit them", stale.join(", "));
}
