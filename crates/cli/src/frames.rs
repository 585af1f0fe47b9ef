//! Folders of runs that write frames.
use crate::failure::Failure;
use ribbonmesh_io::{WriteError, WriteErrorKind};
use serde::Serialize;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Makes the folder of a run; one that is there must be empty. `remedy` follows the refusal.
pub fn new_folder(path: &Path, remedy: &str) -> Result<(), Failure> {
    if path.exists() {
        let mut entries = fs::read_dir(path)
            .map_err(|_| Failure::Usage(format!("{} is not a folder that can be read", path.display())))?;
        if entries.next().is_some() {
            return Err(Failure::Usage(format!(
                "{} is not empty: frames of two runs would be mixed{remedy}",
                path.display()
            )));
        }
    }
    fs::create_dir_all(path).map_err(|cause| cannot_write(path, cause))
}

/// A file of lines of JSON, each written when its step is done.
pub struct Lines {
    path: PathBuf,
    out: BufWriter<File>,
}
impl Lines {
    pub fn new(path: &Path) -> Result<Self, Failure> {
        let out = File::options()
            .create(true)
            .append(true)
            .open(path)
            .map_err(|cause| cannot_write(path, cause))?;
        Ok(Self { path: path.to_owned(), out: BufWriter::new(out) })
    }
    pub fn put(&mut self, report: &impl Serialize) -> Result<(), Failure> {
        let written = serde_json::to_writer(&mut self.out, report).map_err(io::Error::from);
        let written = written.and_then(|()| self.out.write_all(b"\n")).and_then(|()| self.out.flush());
        written.map_err(|cause| cannot_write(&self.path, cause))
    }
}

pub fn cannot_write(path: &Path, cause: io::Error) -> Failure {
    WriteError { file: path.to_owned(), kind: WriteErrorKind::Io(cause) }.into()
}
