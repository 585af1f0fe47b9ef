//! A program that computes the same Booleans, in a process of its own.
use anyhow::{Context, Result, ensure};
use ribbonmesh_mesh::TriangleMesh;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use tempfile::TempDir;

/// The running program: it says its name, and then answers each line with a line (see
/// `benches/peers/booleans.py`).
pub(super) struct Peer {
    name: String,
    child: Child,
    ask: ChildStdin,
    answers: BufReader<ChildStdout>,
    folder: TempDir,
}

/// One Boolean by the peer.
pub(super) struct Answer {
    pub(super) ms: f64,
    pub(super) processor_ms: f64,
    /// Without making its meshes.
    pub(super) made_ms: f64,
    pub(super) faces: usize,
    pub(super) volume: f64,
}

impl Peer {
    pub(super) fn new(program: &Path) -> Result<Self> {
        let mut child = Command::new(program)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| program.display().to_string())?;
        let (ask, answers) = child.stdin.take().zip(child.stdout.take()).context("piped")?;
        let mut peer = Self {
            name: String::new(),
            child,
            ask,
            answers: BufReader::new(answers),
            folder: TempDir::new()?,
        };
        peer.name = peer.line()?;
        Ok(peer)
    }
    pub(super) fn name(&self) -> &str {
        &self.name
    }
    /// Gives it the meshes of the next Booleans.
    pub(super) fn give(&mut self, meshes: &[TriangleMesh; 2]) -> Result<()> {
        self.folder = TempDir::new()?;
        for (i, mesh) in meshes.iter().enumerate() {
            let positions = mesh.positions.iter().flat_map(|p| p.as_vec3().to_array());
            let positions: Vec<u8> = positions.flat_map(f32::to_le_bytes).collect();
            let faces: Vec<u8> = mesh.faces.as_flattened().iter().flat_map(|v| v.to_le_bytes()).collect();
            std::fs::write(self.folder.path().join(format!("{i}.positions")), positions)?;
            std::fs::write(self.folder.path().join(format!("{i}.faces")), faces)?;
        }
        Ok(())
    }
    pub(super) fn combined(&mut self, operation: &str) -> Result<Answer> {
        writeln!(self.ask, "{operation} {}", self.folder.path().display())?;
        let line = self.line()?;
        let words: Vec<&str> = line.split(' ').collect();
        let [seconds, processor, made, faces, volume] = words[..] else {
            anyhow::bail!("{}: answer {line:?}", self.name);
        };
        let ms = |word: &str| Ok::<f64, anyhow::Error>(1e3 * word.parse::<f64>()?);
        Ok(Answer {
            ms: ms(seconds)?,
            processor_ms: ms(processor)?,
            made_ms: ms(made)?,
            faces: faces.parse()?,
            volume: volume.parse()?,
        })
    }
    fn line(&mut self) -> Result<String> {
        let mut line = String::new();
        self.answers.read_line(&mut line)?;
        ensure!(!line.is_empty(), "the peer has ended: its error stands above");
        Ok(line.trim_end().to_owned())
    }
}
impl Drop for Peer {
    fn drop(&mut self) {
        // it has no work, or none that anyone waits for
        _ = self.child.kill();
        _ = self.child.wait();
    }
}
