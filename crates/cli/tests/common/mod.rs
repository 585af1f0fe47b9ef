//! Helpers that the suites share: a folder with meshes in which the program runs.
#![allow(dead_code)]
use ribbonmesh_io::WriteOptions;
use ribbonmesh_mesh::TriangleMesh;
use ribbonmesh_mesh::shapes;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use tempfile::TempDir;

/// A folder of its own for a test.
pub struct Folder(TempDir);

/// The output of one run of the program.
#[derive(Debug)]
pub struct Ran {
    pub status: i32,
    pub out: String,
    pub err: String,
}

impl Folder {
    pub fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }
    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }
    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), text).expect("a file");
    }
    pub fn text(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }
    pub fn json(&self, name: &str) -> serde_json::Value {
        serde_json::from_str(&self.text(name)).expect("JSON")
    }
    pub fn mesh(&self, name: &str, mesh: &TriangleMesh) {
        ribbonmesh_io::write(self.path(name), mesh, &WriteOptions::default()).expect("a mesh");
    }
    pub fn read(&self, name: &str) -> TriangleMesh {
        ribbonmesh_io::read(self.path(name)).expect("a mesh").mesh
    }
    /// The program on the CPU.
    pub fn run<A: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = A>) -> Ran {
        let mut command = program(self.0.path());
        command.args(["--device", "cpu"]).args(arguments);
        Ran::of(command.output().expect("the program"))
    }
    /// The program on the CPU; it must succeed.
    pub fn succeed<A: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = A>) -> Ran {
        let ran = self.run(arguments);
        assert_eq!(ran.status, 0, "{ran:?}");
        ran
    }
    /// The program as the words of a command line say it.
    pub fn line(&self, words: &str) -> Ran {
        Ran::of(program(self.0.path()).args(words.split_whitespace()).output().expect("the program"))
    }
    /// The program as the words of a command line say it must end with this status, and say this.
    pub fn refuses(&self, words: &str, status: i32, message: &str) {
        let ran = self.line(words);
        assert_eq!(ran.status, status, "{words}: {ran:?}");
        assert!(ran.err.contains(message), "{words}: {}", ran.err);
    }
    /// A running shell that finds the program.
    pub fn start(&self, line: &str) -> Child {
        self.in_shell(line).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("a shell")
    }
    /// A shell that finds the program.
    pub fn shell(&self, line: &str) -> Ran {
        Ran::of(self.in_shell(line).output().expect("a shell"))
    }
    fn in_shell(&self, line: &str) -> Command {
        let program = binary();
        let program = program.parent().expect("a folder");
        let path = std::env::var("PATH").unwrap_or_default();
        let mut command = Command::new("sh");
        command.args(["-c", line]).current_dir(self.0.path()).stdin(Stdio::null());
        command.env("PATH", format!("{}:{path}", program.display()));
        command
    }
}
impl Ran {
    fn of(output: Output) -> Self {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
        let status = output.status.code().expect("an exit, not a signal");
        Self { status, out: text(output.stdout), err: text(output.stderr) }
    }
}
/// The program that cargo built, or the one that `RIBBONMESH_PROGRAM` names.
fn binary() -> PathBuf {
    std::env::var_os("RIBBONMESH_PROGRAM").unwrap_or_else(|| env!("CARGO_BIN_EXE_ribbonmesh").into()).into()
}
fn program(folder: &Path) -> Command {
    let mut command = Command::new(binary());
    command.current_dir(folder).stdin(Stdio::null());
    command
}

pub fn mesh(shape: TriangleMesh) -> TriangleMesh {
    shape
}
pub fn shuffled(mut shape: TriangleMesh) -> TriangleMesh {
    shapes::shuffle(&mut shape, 7);
    mesh(shape)
}
/// Triangles on vertices at places of their own.
pub fn triangles(vertices: u32, faces: &[[u32; 3]]) -> TriangleMesh {
    let place = |i: u32| [i as f32, (i * i % 7) as f32, (i * 3 % 5) as f32];
    TriangleMesh::from_f32((0..vertices).map(place), faces.to_vec())
}
/// A non-manifold edge and vertex, an isolated vertex, degenerate and duplicate faces, a turned one.
pub fn soup() -> TriangleMesh {
    let faces = [
        [0, 1, 2],
        [1, 0, 3],
        [0, 1, 4],
        [4, 5, 6],
        [6, 5, 4],
        [7, 7, 8],
        [9, 9, 9],
        [1, 2, 7],
        [2, 3, 1],
        [5, 10, 11],
    ];
    triangles(13, &faces)
}
/// A mesh of each kind that a query must serve.
pub fn every_kind() -> Vec<(&'static str, TriangleMesh)> {
    vec![
        ("sphere", mesh(shapes::icosphere(2).expect("small"))),
        ("torus", shuffled(shapes::torus(20, 1).expect("small"))),
        ("grid", shuffled(shapes::grid(15, 2).expect("small"))),
        ("mobius", mesh(shapes::mobius(20, 4).expect("small"))),
        ("one face", triangles(3, &[[2, 0, 1]])),
        ("soup", soup()),
    ]
}
