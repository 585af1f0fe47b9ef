//! Kernel crates outside the workspace, the folders in `examples`: their tests pass on both machines, under
//! the race checker on the CPU, and their programs work.
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn target() -> &'static Path {
    Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("the target folder")
}

/// A crate's tests. They share the workspace's versions and target folder, so that little is compiled.
fn tests(example: &Path) -> Command {
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

/// Runs an example's program on a mesh; what it says, and the mesh that it writes.
fn program(name: &str, format: &str, mesh: &str, more: &[&str]) -> (String, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let [from, to] = ["from", "to"].map(|stem| folder.path().join(format!("{stem}.{format}")));
    std::fs::write(&from, mesh).expect("a file");
    // the example's tests need it, so it is there
    let path = target().join(format!("debug/{name}{}", std::env::consts::EXE_SUFFIX));
    let mut program = Command::new(path);
    program.arg(&from).arg(&to).args(more);
    let said = succeed(program);
    let written = std::fs::read(&to).expect("the program wrote a mesh");
    (said, String::from_utf8_lossy(&written).into_owned())
}

fn blur() {
    let (said, blurred) = program("blur", "ply", HEATED, &["heat", "1"]);
    for line in ["vertices: 4", "heat: 1.25 to 2.5"] {
        assert!(said.lines().any(|l| l == line), "{said}");
    }
    assert!(blurred.contains("property float heat\n"), "{blurred}");
}
/// A square of two triangles, with a number at each vertex.
const HEATED: &str = "ply\nformat ascii 1.0\nelement vertex 4\n\
    property float x\nproperty float y\nproperty float z\nproperty float heat\n\
    element face 2\nproperty list uchar int vertex_indices\nend_header\n\
    0 0 0 1\n1 0 0 2\n1 1 0 4\n0 1 0 0\n3 0 1 2\n3 0 2 3\n";

fn curvature() {
    let (said, flat) = program("curvature", "obj", SPIKE, &[]);
    assert!(said.contains("vertices: 5") && said.contains("total curvature: 2.0000 π"), "{said}");
    let last = flat.lines().filter(|line| line.starts_with("v ")).nth(4).expect("five vertices");
    assert_eq!(last.split_whitespace().collect::<Vec<_>>()[1..], ["0.5", "0.5", "0"], "{flat}");
}
/// A square with a point high over its middle.
const SPIKE: &str = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0.5 0.5 9\nf 1 2 5\nf 2 3 5\nf 3 4 5\nf 4 1 5\n";

fn thinning() {
    let (said, left) = program("thinning", "obj", &SPIKE.replace("0.5 9", "0.5 0"), &[]);
    for line in ["faces: 2 of 4", "vertices removed: 1 in 2 passes", "largest face stands for: 2.0"] {
        assert!(said.lines().any(|l| l == line), "{said}");
    }
    assert_eq!(left.lines().filter(|line| line.starts_with("v ")).count(), 4, "{left}");
    assert_eq!(left.lines().filter(|line| line.starts_with("f ")).count(), 2, "{left}");
}

fn vortices() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = target().join(format!("debug/vortices{}", std::env::consts::EXE_SUFFIX));
    let mut program = Command::new(path);
    program.arg(folder.path().join("frames")).arg("10");
    let said = succeed(program);
    assert!(said.starts_with("step 10: ") && said.contains("components [0]"), "{said}");
    assert!(folder.path().join("frames/0010.ply").is_file());
}

#[test]
#[ignore = "compiles the library again, which takes minutes: `cargo xtask ci --all` does it"]
fn work_outside_the_workspace() {
    let folder = std::fs::read_dir(root().join("examples")).expect("examples");
    let mut names = Vec::new();
    for path in folder.map(|entry| entry.expect("an entry").path()) {
        // with kernels of their own: others have no such suites
        if !path.join("examples/ptx.rs").is_file() {
            continue;
        }
        let said = succeed(tests(&path));
        for test in ["cpu", "cuda_", "no_race"] {
            assert!(said.contains(&format!("test {test}")), "{said}");
        }
        names.push(path.file_name().expect("a name").to_string_lossy().into_owned());
    }
    names.sort_unstable();
    let programs: [(&str, fn()); 4] =
        [("blur", blur), ("curvature", curvature), ("thinning", thinning), ("vortices", vortices)];
    assert_eq!(names, programs.map(|(name, _)| name), "each example's program has a check here");
    programs.iter().for_each(|(_, check)| check());
}
