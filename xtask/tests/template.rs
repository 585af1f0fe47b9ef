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

/// Makes a crate and runs its tests; what they say on the standard output.
fn made(name: &str, more: &[&str]) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path().to_str().expect("a path");
    let arguments = [&["new", name, "--in", place], more].concat();
    let made = xtask(&arguments);
    assert!(made.status.success(), "{made:?}");
    let again = xtask(&arguments);
    assert!(
        !again.status.success() && String::from_utf8_lossy(&again.stderr).contains("exists"),
        "{again:?}"
    );

    let krate = folder.path().join(name);
    assert!(!krate.join("cargo-generate.toml").exists());
    std::fs::copy(root().join("Cargo.lock"), krate.join("Cargo.lock"))
        .expect("the workspace has a lock file");
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("the target folder");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.current_dir(&krate).env("CARGO_TARGET_DIR", target).env_remove("RIBBONMESH_REQUIRE_CUDA");
    cargo.args(["test", "--offline", "--lib", "--bins", "--tests"]);
    let output = cargo.output().expect("cargo runs");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}\n{errors}");
    // of which its build script tells
    assert!(errors.contains("the kernels are not compiled for GPUs"), "{errors}");
    said
}

#[test]
#[ignore = "compiles the library again, which takes minutes: run with --ignored after changes of templates"]
fn a_new_crate_works() {
    let said = made("my-kernels", &[]);
    assert!(said.contains("test cpu ... ok") && said.contains("test cuda ... ignored"), "{said}");
}

#[test]
#[ignore = "compiles the library again, which takes minutes: run with --ignored after changes of templates"]
fn a_new_operator_works() {
    let said = made("my-operator", &["--operator"]);
    assert!(said.contains("test cpu ... ok"), "{said}");
}

#[test]
fn a_wrong_name_is_refused() {
    let refused = xtask(&["new", "../elsewhere"]);
    let errors = String::from_utf8_lossy(&refused.stderr);
    assert!(!refused.status.success() && errors.contains("no name of a crate"), "{errors}");
}
