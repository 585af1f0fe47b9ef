//! The folder of a simulation: frames, and a line for each step.
use crate::failure::Failure;
use ribbonmesh_io::{WriteError, WriteErrorKind};
use serde::Serialize;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Makes a folder; one that is there must be empty, for the reason given.
pub fn begin_folder(path: &Path, reason: &str) -> Result<(), Failure> {
    if path.exists() {
        let mut entries = fs::read_dir(path)
            .map_err(|_| Failure::Usage(format!("{} is not a folder that can be read", path.display())))?;
        if entries.next().is_some() {
            return Err(Failure::Usage(format!("{} is not empty: {reason}", path.display())));
        }
    }
    fs::create_dir_all(path).map_err(|cause| cannot_write(path, cause))
}

/// The name of a file of a frame.
pub fn frame(step: u64, ending: &str) -> String {
    format!("frame-{step:06}.{ending}")
}

/// A file of lines, each written when its step is done.
pub struct Lines {
    path: PathBuf,
    out: BufWriter<File>,
}
impl Lines {
    /// Appends to a file, which need not exist.
    pub fn new(path: &Path) -> Result<Self, Failure> {
        let out = File::options()
            .create(true)
            .append(true)
            .open(path)
            .map_err(|cause| cannot_write(path, cause))?;
        Ok(Self { path: path.to_owned(), out: BufWriter::new(out) })
    }
    /// Writes a line of JSON.
    pub fn put(&mut self, report: &impl Serialize) -> Result<(), Failure> {
        let written = serde_json::to_writer(&mut self.out, report).map_err(io::Error::from);
        let written = written.and_then(|()| self.out.write_all(b"\n")).and_then(|()| self.out.flush());
        written.map_err(|cause| cannot_write(&self.path, cause))
    }
}

/// A file that cannot be written.
pub fn cannot_write(path: &Path, cause: io::Error) -> Failure {
    WriteError { file: path.to_owned(), kind: WriteErrorKind::Io(cause) }.into()
}
