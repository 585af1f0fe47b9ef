//! Files to meshes.

use std::{fs, io, path::Path};

use crate::{
    Format, Notes, Place, ReadError, ReadErrorKind, TriangleMesh, obj, off, ply, sniff, stl,
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
    parse(bytes, sniff::format_of(bytes, named), names, path)
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
    parse(sniff::without_mark(bytes, format), format, names, Path::new(name))
}

fn parse(
    bytes: &[u8],
    format: Format,
    names: &[&str],
    file: &Path,
) -> Result<(Loaded, Vec<Vec<f32>>), ReadError> {
    let outcome = match format {
        _ if bytes.iter().all(u8::is_ascii_whitespace) => Err(fault_of_file(ReadErrorKind::Empty)),
        Format::Obj => obj::read::read(bytes),
        Format::Ply => ply::read(bytes),
        Format::Off => off::read::read(bytes),
        Format::Stl => stl::read(bytes),
        Format::Glb => Err(fault_of_file(ReadErrorKind::WriteOnly(Format::Glb))),
    };
    let outcome = outcome.and_then(refuse_empty).and_then(|(mesh, mut notes)| {
        let columns: Vec<_> = names.iter().map(|name| column(bytes, format, name)).collect::<Outcome<_>>()?;
        notes.properties_skipped.retain(|skipped| {
            skipped.strip_prefix("vertex.").is_none_or(|property| !names.contains(&property))
        });
        Ok((Loaded { mesh, format, notes }, columns))
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
