//! Meshes in files.
use crate::content::Content;
use crate::failure::Failure;
use crate::mesh::{NativeMesh, options};
use crate::options::parse_some;
use crate::watch::{self, Size};
use pyo3::prelude::*;
use ribbonmesh_io::{Format, PlyEncoding, ReadOptions, StlEncoding, WriteOptions};
use std::path::PathBuf;
use std::sync::Arc;

/// Reads a mesh, or with `points` a file that need have no faces. Also returns the changes of reading, as
/// JSON.
#[pyfunction]
#[pyo3(signature = (path, device, format=None, points=false, strict=false, patch_size=None, seed=None))]
#[expect(clippy::too_many_arguments, reason = "those of the function in Python")]
pub fn read(
    py: Python<'_>,
    path: PathBuf,
    device: &str,
    format: Option<&str>,
    points: bool,
    strict: bool,
    patch_size: Option<u32>,
    seed: Option<u64>,
) -> PyResult<(NativeMesh, String)> {
    let (choice, format) = (device.parse()?, parse_some::<Format>("format", format)?);
    let loaded = watch::run(py, Size::Long, None, move |_| {
        Ok(ribbonmesh_io::read_with(path, &ReadOptions { format, points, strict })?)
    })?;
    let options = options(patch_size, seed);
    // types without maps of other keys than text cannot fail
    let notes = serde_json::to_string(&loaded.notes).unwrap_or_default();
    Ok((NativeMesh::new(Content::of_host(loaded.mesh, choice, options)), notes))
}

/// Reads a mesh from bytes, as [`read`] does from a file.
#[pyfunction]
#[pyo3(signature = (bytes, device, format, points, strict, patch_size, seed))]
#[expect(clippy::too_many_arguments, reason = "those of the function in Python")]
pub fn read_bytes(
    py: Python<'_>,
    bytes: Vec<u8>,
    device: &str,
    format: Option<&str>,
    points: bool,
    strict: bool,
    patch_size: Option<u32>,
    seed: Option<u64>,
) -> PyResult<(NativeMesh, String)> {
    let (choice, format) = (device.parse()?, parse_some::<Format>("format", format)?);
    let loaded = watch::run(py, Size::Long, None, move |_| {
        let mut bytes = &bytes[..];
        let options = ReadOptions { format, points, strict };
        Ok(ribbonmesh_io::read_stream_with(&mut bytes, &options, "the bytes")?)
    })?;
    let notes = serde_json::to_string(&loaded.notes).unwrap_or_default();
    Ok((NativeMesh::new(Content::of_host(loaded.mesh, choice, options(patch_size, seed))), notes))
}

/// Writes a mesh; returns the data that the format cannot hold, in words.
#[pyfunction]
#[pyo3(signature = (mesh, path, format=None, ascii=false))]
pub fn write(
    py: Python<'_>,
    mesh: &NativeMesh,
    path: PathBuf,
    format: Option<&str>,
    ascii: bool,
) -> PyResult<Vec<String>> {
    let format = match parse_some::<Format>("format", format)? {
        Some(format) => format,
        None => Format::from_path(&path)
            .map_err(|unknown| Failure::argument(format!("{}: {unknown}", path.display())))?,
    };
    let mut options = WriteOptions::default();
    if ascii {
        (options.ply_encoding, options.stl_encoding) = (PlyEncoding::Ascii, StlEncoding::Ascii);
    }
    let content = Arc::clone(&mesh.content);
    let losses = watch::run(py, Size::Long, None, move |session| {
        Ok(ribbonmesh_io::write_as(path, format, content.host(session)?, &options)?)
    })?;
    Ok(losses.iter().map(ToString::to_string).collect())
}
