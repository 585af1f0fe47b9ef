//! A crate that `cargo xtask new` makes compiles, and its test passes on the CPU.
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().expect("the repository")
}

fn xtask(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
    command.current_dir(root()).args(arguments).output().expect("xtask runs")
}

#[test]
fn a_new_crate_works() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path().to_str().expect("a path");
    let made = xtask(&["new", "my-kernels", "--in", place]);
    assert!(made.status.success(), "{made:?}");
    let again = xtask(&["new", "my-kernels", "--in", place]);
    assert!(
        !again.status.success() && String::from_utf8_lossy(&again.stderr).contains("exists"),
        "{again:?}"
    );

    let krate = folder.path().join("my-kernels");
    assert!(!krate.join("cargo-generate.toml").exists());
    std::fs::copy(root().join("Cargo.lock"), krate.join("Cargo.lock"))
        .expect("the workspace has a lock file");
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("the target folder");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.current_dir(&krate).env("CARGO_TARGET_DIR", target).args(["test", "--offline"]);
    let output = cargo.output().expect("cargo runs");
    let said = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}\n{errors}");
    assert!(said.contains("test cpu ... ok") && said.contains("test cuda ... ignored"), "{said}");
    // its PTX is empty as yet, of which its build script tells
    assert!(
        errors.contains("ptx/my-kernels.ptx does not say which sources it was compiled from"),
        "{errors}"
    );
}

#[test]
fn a_wrong_name_is_refused() {
    let refused = xtask(&["new", "../elsewhere"]);
    let errors = String::from_utf8_lossy(&refused.stderr);
    assert!(!refused.status.success() && errors.contains("no name of a crate"), "{errors}");
}
