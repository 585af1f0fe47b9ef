//! Standard input and output instead of files: the path `-`.
use crate::failure::Failure;
use ribbonmesh_io::{
    Format, Loaded, Loss, ReadError, ReadOptions, TriangleMesh, WriteError, WriteErrorKind, WriteOptions,
    read_stream_with, read_with, write_as, write_to,
};
use std::fmt::Display;
use std::io::{self, Write};
use std::path::Path;

/// Whether a path means standard input or output.
pub fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// The name of an input in messages.
pub fn input_name(path: &Path) -> impl Display {
    if is_standard(path) { Path::new("standard input").display() } else { path.display() }
}

/// The name of an output in messages.
pub fn output_name(path: &Path) -> impl Display {
    if is_standard(path) { Path::new("standard output").display() } else { path.display() }
}

/// Reads a mesh.
pub fn read(path: &Path, options: &ReadOptions) -> Result<Loaded, ReadError> {
    if is_standard(path) {
        read_stream_with(&mut io::stdin().lock(), options, "standard input")
    } else {
        read_with(path, options)
    }
}

/// Writes a mesh.
pub fn write(
    path: &Path,
    format: Format,
    mesh: &TriangleMesh,
    options: &WriteOptions,
) -> Result<Vec<Loss>, Failure> {
    if !is_standard(path) {
        return Ok(write_as(path, format, mesh, options)?);
    }
    let mut out = io::stdout().lock();
    let written = write_to(&mut out, format, mesh, options);
    written.and_then(|losses| Ok(out.flush().map(|()| losses)?)).map_err(|kind| match kind {
        WriteErrorKind::Io(cause) => Failure::Stdout(cause),
        kind => WriteError { file: "standard output".into(), kind }.into(),
    })
}
