//! Checks for the build scripts of kernel crates.

use crate::TARGET;
use crate::folder::{Freshness, freshness};
use std::path::Path;

/// Has each build compare the crate's PTX with its sources; for the `main` of a build script.
///
/// PTX that is stale, damaged or missing gives a warning that names the remedy; with the environment variable
/// `RIBBONMESH_PTX=deny`, which belongs into continuous integration, it fails the build. Builds for the GPU
/// itself compare nothing.
///
/// The body of `main` in `build.rs`, with `ribbonmesh-ptx` under `[build-dependencies]`, where
/// `default-features = false` leaves out the dependencies of the builder:
///
/// ```no_run
/// ribbonmesh_ptx::verify();
/// ```
///
/// It writes cargo's instructions to the standard output, where cargo expects them; a file that cannot be
/// read is reported there as well.
pub fn verify() {
    // cargo takes a folder that is not there for one that changes with each build; the builder, which makes
    // it, touches `src`
    for changed in ["src", "ptx"].map(Path::new).into_iter().filter(|path| path.is_dir()) {
        println!("cargo::rerun-if-changed={}", changed.display());
    }
    println!("cargo::rerun-if-env-changed={POLICY}");
    if std::env::var("TARGET").as_deref() == Ok(TARGET) {
        return;
    }
    let Err(complaint) = compare(Path::new(".")) else { return };
    let instruction = if std::env::var(POLICY) == Ok("deny".to_owned()) { "error" } else { "warning" };
    println!("cargo::{instruction}={complaint}");
}

/// The environment variable that makes of a warning an error.
const POLICY: &str = "RIBBONMESH_PTX";

/// Compares the PTX of the crate in this folder with its sources; the error is a description of the
/// difference.
fn compare(dir: &Path) -> Result<(), String> {
    let what = match freshness(dir).map_err(|e| e.to_string())? {
        Freshness::Current => return Ok(()),
        Freshness::Stale => "the PTX is older than the kernels in src".to_owned(),
        Freshness::Damaged(reason) => format!("the PTX is not what was compiled: {reason}"),
        Freshness::Missing => "the kernels are not compiled for GPUs".to_owned(),
    };
    Err(format!("{what}; `cargo run --example ptx` compiles them"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_complaint_names_the_remedy() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::create_dir(folder.path().join("src")).expect("a folder");
        std::fs::write(folder.path().join("src/lib.rs"), "fn a() {}\n").expect("a file");
        let missing = compare(folder.path()).expect_err("no PTX");
        assert!(missing.contains("not compiled") && missing.contains("cargo run --example ptx"), "{missing}");
    }
}
