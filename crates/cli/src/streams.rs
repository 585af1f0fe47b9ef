//! Standard input and output in the place of files: the path `-`.
use crate::failure::Failure;
use ribbonmesh_io::{
    Format, Loaded, Loss, ReadError, TriangleMesh, WriteError, WriteErrorKind, WriteOptions, read_as,
    read_points_stream, read_stream, write_as, write_to,
};
use std::fmt::Display;
use std::io::{self, Write};
use std::path::Path;

/// Whether a path stands for standard input or output.
pub fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// What messages call an input.
pub fn input_name(path: &Path) -> impl Display {
    if is_standard(path) { Path::new("standard input").display() } else { path.display() }
}

/// What messages call an output.
pub fn output_name(path: &Path) -> impl Display {
    if is_standard(path) { Path::new("standard output").display() } else { path.display() }
}

/// Reads a mesh, in `format` where nothing else names one.
pub fn read(path: &Path, format: Option<Format>) -> Result<Loaded, ReadError> {
    if is_standard(path) {
        read_stream(&mut io::stdin().lock(), format, "standard input")
    } else {
        read_as(path, format)
    }
}

/// Reads points, with or without faces.
pub fn read_points(path: &Path, format: Option<Format>) -> Result<Loaded, ReadError> {
    if is_standard(path) {
        read_points_stream(&mut io::stdin().lock(), format, "standard input")
    } else {
        ribbonmesh_io::read_points(path, format)
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
