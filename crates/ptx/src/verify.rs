//! For the build scripts of kernel crates.

use crate::TARGET;
use crate::header::{Freshness, freshness};
use std::path::Path;

/// What a build script's `main` calls to have each build compare the crate's PTX with its sources.
///
/// PTX that is stale, damaged or without a header gives a warning that names the remedy; with the environment variable
/// `RIBBONMESH_PTX=deny`, which belongs into continuous integration, it fails the build. Builds for the GPU itself
/// compare nothing.
///
/// The body of `main` in `build.rs`, with `ribbonmesh-ptx` under `[build-dependencies]`, where `default-features = false`
/// saves what the builder depends on:
///
/// ```no_run
/// ribbonmesh_ptx::verify("ptx/my-kernels.ptx");
/// ```
///
/// It writes cargo's instructions to the standard output, where cargo expects them; a file that cannot be read is
/// reported there as well.
pub fn verify(file: impl AsRef<Path>) {
    let file = file.as_ref();
    for changed in [Path::new("src"), file] {
        println!("cargo::rerun-if-changed={}", changed.display());
    }
    println!("cargo::rerun-if-env-changed={POLICY}");
    if std::env::var("TARGET").as_deref() == Ok(TARGET) {
        return;
    }
    let Err(complaint) = compare(Path::new("."), file) else { return };
    let instruction = if std::env::var(POLICY) == Ok("deny".to_owned()) { "error" } else { "warning" };
    println!("cargo::{instruction}={complaint}");
}

/// The environment variable that makes of a warning an error.
const POLICY: &str = "RIBBONMESH_PTX";

/// What is wrong with the PTX of the crate in this folder, if anything.
fn compare(dir: &Path, file: &Path) -> Result<(), String> {
    let name = file.display();
    let text = std::fs::read_to_string(dir.join(file)).map_err(|e| format!("{name}: {e}"))?;
    let what = match freshness(dir, &text).map_err(|e| e.to_string())? {
        Freshness::Current => return Ok(()),
        Freshness::Stale => "is older than the kernels in src",
        Freshness::Damaged => "was changed after it was compiled",
        Freshness::Unknown => "does not say which sources it was compiled from",
    };
    Err(format!("{name} {what}: compile the kernels again, with `cargo run --example ptx`"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::header::Header;
    use crate::{own_source_hash, text_hash};

    #[test]
    fn a_complaint_names_the_file_and_the_remedy() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::create_dir(folder.path().join("src")).expect("a folder");
        let source = folder.path().join("src/lib.rs");
        std::fs::write(&source, "fn a() {}\n").expect("a file");
        let ask = || compare(folder.path(), Path::new("k.ptx"));
        assert!(ask().expect_err("no file").starts_with("k.ptx: "));
        std::fs::write(folder.path().join("k.ptx"), ".version 7.8\n").expect("a file");
        assert!(ask().expect_err("no header").contains("does not say"));
        let own_sources = own_source_hash(folder.path()).expect("a hash");
        let header = Header { own_sources, text: text_hash("x\n"), ..Header::default() };
        std::fs::write(folder.path().join("k.ptx"), format!("{header}x\n")).expect("a file");
        assert_eq!(ask(), Ok(()));
        std::fs::write(&source, "fn b() {}\n").expect("a file");
        let stale = ask().expect_err("other sources");
        assert!(stale.contains("older") && stale.contains("cargo run --example ptx"), "{stale}");
    }
}
