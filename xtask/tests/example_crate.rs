//! A kernel crate outside the workspace, `examples/curvature`: its tests pass on both machines, under the race checker
//! on the CPU, and its program works.
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn target() -> &'static Path {
    Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("the target folder")
}

/// The crate's tests. They share the workspace's versions and target folder, so that little is compiled.
fn tests() -> Command {
    let example = root().join("examples/curvature");
    std::fs::copy(root().join("Cargo.lock"), example.join("Cargo.lock"))
        .expect("the workspace has a lock file");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.current_dir(example).env("CARGO_TARGET_DIR", target()).env_remove("RIBBONMESH_REQUIRE_CUDA");
    cargo.args(["test", "--offline", "--lib", "--bins", "--tests", "--features", "race-check"]);
    cargo
}

fn succeed(mut command: Command) -> String {
    let output = command.output().unwrap_or_else(|e| panic!("{command:?}: {e}"));
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (said, errors) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{command:?}\n{said}\n{errors}");
    said
}

#[test]
fn works_outside_the_workspace() {
    let said = succeed(tests());
    for test in ["cpu", "cuda_equals_brute_force", "no_race"] {
        assert!(said.contains(&format!("test {test} ... ")), "{said}");
    }

    let folder = tempfile::tempdir().expect("a folder");
    let (mesh, out) = (folder.path().join("spike.obj"), folder.path().join("flat.obj"));
    std::fs::write(&mesh, SPIKE).expect("a file");
    // its tests need it, so it is there
    let mut program = Command::new(target().join(format!("debug/curvature{}", std::env::consts::EXE_SUFFIX)));
    program.arg(&mesh).arg(&out);
    let said = succeed(program);
    assert!(said.contains("vertices: 5") && said.contains("total curvature: 2.0000 π"), "{said}");
    let flat = std::fs::read_to_string(&out).expect("the program wrote a mesh");
    let last = flat.lines().filter(|line| line.starts_with("v ")).nth(4).expect("five vertices");
    assert_eq!(last.split_whitespace().collect::<Vec<_>>()[1..], ["0.5", "0.5", "0"], "{flat}");
}

/// A square with a point high over its middle.
const SPIKE: &str = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0.5 0.5 9\nf 1 2 5\nf 2 3 5\nf 3 4 5\nf 4 1 5\n";
