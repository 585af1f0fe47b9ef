//! Files to meshes.

use std::{fs, io, path::Path};

use crate::{
    Format, Notes, Place, Property, ReadError, ReadErrorKind, TriangleMesh, obj, off, ply, sniff, stl,
    text::{Outcome, fault_of_file, line_of},
};

/// A mesh from a file.
#[derive(Debug, Clone, PartialEq)]
pub struct Loaded {
    /// The mesh.
    pub mesh: TriangleMesh,
    /// The format that the file turned out to have.
    pub format: Format,
    /// What was changed or passed over.
    pub notes: Notes,
}

/// Reads a mesh from a file, in the format that its extension names; a file that begins like another format
/// (`ply`, `OFF`, `solid` and `facet`) is read as that one.
///
/// The file is read into memory whole. One pass and one thread; beside the file and the mesh, only STL needs
/// memory, for welding.
///
/// # Errors
/// [`ReadError`]: the file is missing or a directory, its extension is unknown, or its content is refused.
///
/// # Sources
/// OBJ: Wavefront, *Advanced Visualizer manual*, appendix B1. PLY: Turk, *The PLY polygon file format*, 1994.
/// OFF: *Geomview manual*, section 4.2.5. STL: 3D Systems, *StereoLithography interface specification*, 1988.
pub fn read(path: &Path) -> Result<Loaded, ReadError> {
    let (loaded, _) = read_properties(path, &[])?;
    Ok(loaded)
}

/// Reads a mesh as [`read`] does, and scalar properties of its vertices: for each name, one number per vertex, rounded
/// to 32 bits; infinities and NaN are kept. Only PLY files have properties.
///
/// Beside the time of [`read`], one pass over the vertices per name.
///
/// # Errors
/// [`ReadError`]: as [`read`]; the file has another format, or no property of such a name ([`ReadErrorKind::NoProperty`]).
pub fn read_properties(path: &Path, names: &[&str]) -> Result<(Loaded, Vec<Vec<f32>>), ReadError> {
    load(path, |bytes, format, notes| columns(bytes, format, names, notes))
}

/// Reads a mesh as [`read`] does, and all scalar properties of its vertices besides the coordinates: whole numbers of 8
/// bits without sign as [`PropertyValues::U8`](crate::PropertyValues::U8), others as `U32` or `I32`, floating point as
/// `F32`, rounded. Files other than PLY have none.
///
/// Beside the time of [`read`], one pass over the vertices per property.
///
/// # Errors
/// [`ReadError`]: as [`read`].
pub fn read_attributes(path: &Path) -> Result<(Loaded, Vec<Property>), ReadError> {
    load(path, |bytes, format, notes| {
        let properties = if format == Format::Ply { ply::read_columns(bytes)? } else { vec![] };
        taken(notes, |name| properties.iter().any(|property| property.name == name));
        Ok(properties)
    })
}

fn load<T>(
    path: &Path,
    attributes: impl FnOnce(&[u8], Format, &mut Notes) -> Outcome<T>,
) -> Result<(Loaded, T), ReadError> {
    let error = |kind| ReadError { file: path.into(), place: Place::File, kind };
    let is_directory = fs::metadata(path).is_ok_and(|metadata| metadata.is_dir());
    if is_directory {
        return Err(error(ReadErrorKind::Directory));
    }
    let named = Format::from_path(path).map_err(|unknown| error(unknown.into()))?;
    let bytes = fs::read(path).map_err(|cause| match cause.kind() {
        io::ErrorKind::NotFound => error(ReadErrorKind::Missing),
        _ => error(ReadErrorKind::Io(cause)),
    })?;
    let bytes = sniff::without_mark(&bytes, named);
    parse(bytes, sniff::format_of(bytes, named), path, attributes)
}

/// Reads a mesh from the bytes of a file of exactly that format; `name` is what errors call the file.
///
/// # Errors
/// [`ReadError`]: the content is refused.
pub fn read_from(bytes: &[u8], format: Format, name: &str) -> Result<Loaded, ReadError> {
    let (loaded, _) = read_properties_from(bytes, format, &[], name)?;
    Ok(loaded)
}

/// What [`read_properties`] does, from the bytes of a file of exactly that format; `name` is what errors call the file.
///
/// # Errors
/// [`ReadError`]: the content is refused.
pub fn read_properties_from(
    bytes: &[u8],
    format: Format,
    names: &[&str],
    name: &str,
) -> Result<(Loaded, Vec<Vec<f32>>), ReadError> {
    let bytes = sniff::without_mark(bytes, format);
    parse(bytes, format, Path::new(name), |bytes, format, notes| columns(bytes, format, names, notes))
}

fn parse<T>(
    bytes: &[u8],
    format: Format,
    file: &Path,
    attributes: impl FnOnce(&[u8], Format, &mut Notes) -> Outcome<T>,
) -> Result<(Loaded, T), ReadError> {
    let outcome = match format {
        _ if bytes.iter().all(u8::is_ascii_whitespace) => Err(fault_of_file(ReadErrorKind::Empty)),
        Format::Obj => obj::read::read(bytes),
        Format::Ply => ply::read(bytes),
        Format::Off => off::read::read(bytes),
        Format::Stl => stl::read(bytes),
        Format::Glb => Err(fault_of_file(ReadErrorKind::WriteOnly(Format::Glb))),
    };
    let outcome = outcome.and_then(refuse_empty).and_then(|(mesh, mut notes)| {
        let attributes = attributes(bytes, format, &mut notes)?;
        Ok((Loaded { mesh, format, notes }, attributes))
    });
    outcome.map_err(|fault| {
        let place = match fault.offset {
            None => Place::File,
            Some(offset) if is_text(bytes, format, offset) => Place::Line(line_of(bytes, offset)),
            Some(offset) => Place::Byte(offset as u64),
        };
        ReadError { file: file.into(), place, kind: fault.kind }
    })
}

/// Scalar properties of the vertices, by name.
fn columns(bytes: &[u8], format: Format, names: &[&str], notes: &mut Notes) -> Outcome<Vec<Vec<f32>>> {
    let columns = names.iter().map(|name| column(bytes, format, name)).collect::<Outcome<_>>()?;
    taken(notes, |name| names.contains(&name));
    Ok(columns)
}

/// Properties of vertices that were read after all.
fn taken(notes: &mut Notes, read: impl Fn(&str) -> bool) {
    notes.properties_skipped.retain(|skipped| !skipped.strip_prefix("vertex.").is_some_and(&read));
}

/// A scalar property of the vertices.
fn column(bytes: &[u8], format: Format, name: &str) -> Outcome<Vec<f32>> {
    match format {
        Format::Ply => ply::read_column(bytes, name),
        _ => Err(fault_of_file(ReadErrorKind::NoProperty { name: name.into(), known: vec![] })),
    }
}

fn refuse_empty((mesh, notes): (TriangleMesh, Notes)) -> Outcome<(TriangleMesh, Notes)> {
    if mesh.positions.is_empty() {
        return Err(fault_of_file(ReadErrorKind::NoVertices));
    }
    if mesh.faces.is_empty() {
        let vertices = mesh.positions.len() as u64;
        return Err(fault_of_file(ReadErrorKind::NoFaces { vertices }));
    }
    Ok((mesh, notes))
}

/// Whether a byte belongs to the text of a file, where errors name lines.
fn is_text(bytes: &[u8], format: Format, offset: usize) -> bool {
    match format {
        Format::Obj | Format::Off => true,
        Format::Ply => ply::is_text(bytes, offset),
        Format::Stl => !stl::is_binary(bytes),
        Format::Glb => false,
    }
}
