//! Meshes to files.

use std::{collections::HashSet, io::Write, path::Path};

use crate::{
    Format, Property, TriangleMesh, WriteError, WriteErrorKind, WriteOptions, glb, obj, off, ply, replace,
    sink::Sink, stl,
};

/// Writes a mesh to a file, in the format that its extension names.
///
/// A new file is written beside the target and takes its place only when it is complete; where writing fails,
/// it is removed and the old file is untouched. The new file keeps the permissions of the old one. Where the
/// path is a symbolic link, what it leads to is replaced; a device or pipe is written to directly. Data are
/// not forced to the disk.
///
/// Reading the file back gives the same mesh, bit for bit, but for STL, which keeps neither isolated vertices
/// nor which corners share one.
///
/// # Errors
/// [`WriteError`]: the extension is unknown; the mesh is empty, has an index out of range, or a coordinate
/// that is not finite; a property has the wrong length or a name that cannot be written; the format cannot
/// carry normals or a property; the file cannot be written.
pub fn write(path: &Path, mesh: &TriangleMesh, options: &WriteOptions) -> Result<(), WriteError> {
    let outcome = Format::from_path(path).map_err(WriteErrorKind::from).and_then(|format| {
        check(format, mesh, options)?;
        replace::with(path, |out| encode(out, format, mesh, options))
    });
    outcome.map_err(|kind| WriteError { file: path.into(), kind })
}

/// Writes a mesh in a format to anything that takes bytes. The bytes come in pieces of about a megabyte.
///
/// # Errors
/// As [`write`](write()); where `out` fails, part of the file has been written.
pub fn write_to(
    out: &mut dyn Write,
    format: Format,
    mesh: &TriangleMesh,
    options: &WriteOptions,
) -> Result<(), WriteErrorKind> {
    check(format, mesh, options)?;
    encode(out, format, mesh, options)
}

fn encode(
    out: &mut dyn Write,
    format: Format,
    mesh: &TriangleMesh,
    options: &WriteOptions,
) -> Result<(), WriteErrorKind> {
    let mut sink = Sink::new(out);
    match format {
        Format::Obj => obj::write::write(&mut sink, mesh, options)?,
        Format::Ply => ply::write::write(&mut sink, mesh, options)?,
        Format::Off => off::write::write(&mut sink, mesh, options)?,
        Format::Stl => stl::write::write(&mut sink, mesh, options)?,
        Format::Glb => glb::write(&mut sink, mesh, options)?,
    }
    Ok(sink.flush()?)
}

fn check(format: Format, mesh: &TriangleMesh, options: &WriteOptions) -> Result<(), WriteErrorKind> {
    let (vertices, faces) = (mesh.positions.len(), mesh.faces.len());
    if vertices == 0 || faces == 0 {
        return Err(WriteErrorKind::Empty { vertices, faces });
    }
    let limit = u64::from(u32::MAX);
    if vertices as u64 > limit {
        let (what, count) = ("vertices", vertices as u64);
        return Err(WriteErrorKind::TooLarge { format, what, count, limit });
    }
    if format == Format::Stl && faces as u64 > limit {
        return Err(WriteErrorKind::TooLarge { format, what: "faces", count: faces as u64, limit });
    }
    finite("position", &mesh.positions)?;
    for (face, corners) in mesh.faces.iter().enumerate() {
        if let Some(&index) = corners.iter().find(|&&corner| corner as usize >= vertices) {
            return Err(WriteErrorKind::IndexOutOfRange { face, index, vertices });
        }
    }
    if let Some(normals) = &options.normals {
        if format == Format::Stl {
            return Err(WriteErrorKind::CannotCarry { format, property: "normals of vertices".into() });
        }
        length("normals", "vertices", vertices, normals.len())?;
        finite("normal", normals)?;
    }
    let axes = ["x", "y", "z"].map(String::from);
    let normals = ["nx", "ny", "nz"].map(String::from);
    let mut taken = HashSet::from(axes);
    if options.normals.is_some() {
        taken.extend(normals);
    }
    check_properties(format, &options.vertex_properties, "vertices", vertices, taken)?;
    let taken = HashSet::from(["vertex_indices", "vertex_index"].map(String::from));
    check_properties(format, &options.face_properties, "faces", faces, taken)
}

fn finite(what: &'static str, rows: &[[f32; 3]]) -> Result<(), WriteErrorKind> {
    match rows.iter().position(|row| row.iter().any(|value| !value.is_finite())) {
        Some(vertex) => Err(WriteErrorKind::NotFinite { what, vertex, value: rows[vertex] }),
        None => Ok(()),
    }
}

fn length(name: &str, element: &'static str, expected: usize, got: usize) -> Result<(), WriteErrorKind> {
    if expected == got {
        return Ok(());
    }
    Err(WriteErrorKind::PropertyLength { name: name.into(), element, expected, got })
}

fn check_properties(
    format: Format,
    properties: &[Property],
    element: &'static str,
    expected: usize,
    mut taken: HashSet<String>,
) -> Result<(), WriteErrorKind> {
    for property in properties {
        let name = property.name.clone();
        if format != Format::Ply {
            let property = format!("the property {name:?} of {element}");
            return Err(WriteErrorKind::CannotCarry { format, property });
        }
        if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
            let reason = "is not made of ASCII letters, digits and underscores";
            return Err(WriteErrorKind::PropertyName { name, reason });
        }
        if property.columns().into_iter().any(|column| !taken.insert(column)) {
            return Err(WriteErrorKind::PropertyName { name, reason: "is taken" });
        }
        length(&name, element, expected, property.values.len())?;
    }
    Ok(())
}
