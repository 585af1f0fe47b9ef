//! Small inputs of other people that once failed, one test a case: `case_05_...` reads `cases/05-...`. Each
//! expected value comes from another program: numpy, trimesh, manifold3d, pymeshlab, libigl, a validator.
// The two programs of tests share how they run the command.
#[path = "../common/mod.rs"]
mod common;

mod charts;
mod files;
mod measures;
mod remeshing;
mod repairing;
mod volumes;

use common::Folder;
use std::path::Path;

/// A folder with the files of a case.
fn case(name: &str) -> Folder {
    let folder = Folder::new();
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/regressions/cases").join(name);
    for file in std::fs::read_dir(&from).unwrap_or_else(|e| panic!("{}: {e}", from.display())) {
        let file = file.expect("a file");
        std::fs::copy(file.path(), folder.path(&file.file_name().to_string_lossy())).expect("a copy");
    }
    folder
}
