//! Writing files.

use std::{io::Write, path::Path};

use glam::DVec3;
use ribbonmesh_mesh::{MeshError, TriangleMesh};

use crate::{
    Format, Loss, WriteError, WriteErrorKind, WriteOptions, glb, losses::Losses, obj, off, ply,
    replace::write_whole, sink::Sink, stl,
};

/// Writes a mesh with all its attributes to a file, in the format of its extension. Returns the content that
/// the format cannot store.
///
/// A new file is written beside the target and replaces it only when it is complete. If writing fails, the
/// new file is removed and the old file does not change. The new file has the permissions of the old one. The
/// target of a symbolic link is replaced; a device or pipe is written directly. Data are not synchronised to
/// the disk.
///
/// A file whose name ends in `.gz` or `.zst` is compressed: gzip with level 6, or Zstandard in frames of 4
/// MiB.
///
/// Material files of an OBJ file and their pictures are written beside it, unless other files of these names
/// exist.
///
/// Reading the file gives the same mesh, bit for bit, apart from the losses; see the [crate's table](crate)
/// for the content of each format.
///
/// # Errors
/// [`WriteError`]: the extension is unknown; the mesh is empty, has an index out of range, a coordinate that
/// is not finite, or a column of the wrong length; an attribute has a name that cannot be written; the file
/// cannot be written.
pub fn write(
    path: impl AsRef<Path>,
    mesh: &TriangleMesh,
    options: &WriteOptions,
) -> Result<Vec<Loss>, WriteError> {
    let path = path.as_ref();
    let format = Format::from_path(path).map_err(|e| WriteError { file: path.into(), kind: e.into() })?;
    write_as(path, format, mesh, options)
}

/// As [`write`](write()), in that format, whatever the extension names.
///
/// # Errors
/// As [`write`](write()).
pub fn write_as(
    path: impl AsRef<Path>,
    format: Format,
    mesh: &TriangleMesh,
    options: &WriteOptions,
) -> Result<Vec<Loss>, WriteError> {
    let path = path.as_ref();
    let outcome = check(format, mesh, options).and_then(|()| {
        let mut losses = Losses::new(mesh);
        let library = if format == Format::Obj { obj::library::made(path, mesh) } else { None };
        let known = mesh.tables.libraries.iter().any(|library| library.bytes.is_some());
        if format == Format::Obj && (library.is_some() || known) {
            losses.keep_definitions();
        }
        write_whole(path, |out| {
            let library = library.as_ref().map(|(name, _)| name.as_str());
            encode(out, format, mesh, options, library, &mut losses)
        })?;
        let mut losses = losses.finish();
        if format == Format::Obj {
            obj::library::write(path, mesh, library, &mut losses)?;
        }
        Ok(losses)
    });
    outcome.map_err(|kind| WriteError { file: path.into(), kind })
}

/// Writes a mesh in a format to any writer, in pieces of about a megabyte. Material files are not written.
///
/// # Errors
/// As [`write`](write()); if `out` fails, part of the file has been written.
pub fn write_to(
    out: &mut dyn Write,
    format: Format,
    mesh: &TriangleMesh,
    options: &WriteOptions,
) -> Result<Vec<Loss>, WriteErrorKind> {
    check(format, mesh, options)?;
    let mut losses = Losses::new(mesh);
    encode(out, format, mesh, options, None, &mut losses)?;
    Ok(losses.finish())
}

fn encode(
    out: &mut dyn Write,
    format: Format,
    mesh: &TriangleMesh,
    options: &WriteOptions,
    library: Option<&str>,
    losses: &mut Losses<'_>,
) -> Result<(), WriteErrorKind> {
    let mut sink = Sink::new(out);
    match format {
        Format::Obj => obj::write::write(&mut sink, mesh, options, library, losses)?,
        Format::Ply => ply::write::write(&mut sink, mesh, options, losses)?,
        Format::Off => off::write::write(&mut sink, mesh, options, losses)?,
        Format::Stl => stl::write::write(&mut sink, mesh, options, losses)?,
        Format::Glb | Format::Gltf => glb::write::write(&mut sink, mesh, format, losses)?,
    }
    Ok(sink.flush()?)
}

fn check(format: Format, mesh: &TriangleMesh, options: &WriteOptions) -> Result<(), WriteErrorKind> {
    let (vertices, faces) = (mesh.positions.len(), mesh.faces.len());
    let points_alone = options.points && format == Format::Ply;
    if (vertices == 0 || faces == 0) && !points_alone {
        return Err(WriteErrorKind::Empty { what: "mesh", vertices, elements: "faces", count: faces });
    }
    let limit = u64::from(u32::MAX);
    if vertices as u64 > limit {
        let (format, what, count) = (format.to_string(), "vertices", vertices as u64);
        return Err(WriteErrorKind::TooLarge { format, what, count, limit });
    }
    if format == Format::Stl && faces as u64 > limit {
        let (format, what, count) = (format.to_string(), "faces", faces as u64);
        return Err(WriteErrorKind::TooLarge { format, what, count, limit });
    }
    let infinite = |position: &DVec3| !position.as_vec3().is_finite();
    if let Some(vertex) = mesh.positions.iter().position(infinite) {
        return Err(WriteErrorKind::NotFinite { vertex, value: mesh.positions[vertex].to_array() });
    }
    mesh.check().map_err(|error| match error {
        MeshError::FaceIndex { face, index, vertices } => {
            WriteErrorKind::IndexOutOfRange { face, index, vertices }
        }
        error => WriteErrorKind::Mesh(error),
    })
}
