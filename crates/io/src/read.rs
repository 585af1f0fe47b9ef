//! Reading files.

use std::{fs, io, path::Path};

use ribbonmesh_mesh::TriangleMesh;

use crate::{
    Format, Notes, Place, ReadError, ReadErrorKind, glb, obj, off, ply, sniff, stl,
    text::{Outcome, fault_of_file, line_of},
};

/// A mesh from a file.
#[derive(Debug, Clone, PartialEq)]
pub struct Loaded {
    /// The mesh.
    pub mesh: TriangleMesh,
    /// The detected format of the file.
    pub format: Format,
    /// Content that was changed or ignored.
    pub notes: Notes,
}

/// Reads a mesh with all its attributes from a file, in the format of its extension. A file that begins like another
/// format (`ply`, `OFF`, `glTF`, `solid` and `facet`) is read as that format.
///
/// The whole file is read into memory. One thread parses it in one pass; text with coordinates in double precision
/// takes a second pass. STL and GLB need additional memory for merging vertices. Material files beside an OBJ file are
/// read with it.
///
/// # Errors
/// [`ReadError`]: the file is missing or a directory, its extension is unknown, or its content is invalid.
///
/// # Sources
/// OBJ: Wavefront, *Advanced Visualizer manual*, appendix B1. PLY: Turk, *The PLY polygon file format*, 1994.
/// OFF: *Geomview manual*, section 4.2.5. STL: 3D Systems, *StereoLithography interface specification*, 1988.
/// GLB: Khronos Group, *glTF 2.0 Specification*, 2021.
pub fn read(path: impl AsRef<Path>) -> Result<Loaded, ReadError> {
    let path = path.as_ref();
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
    let mut loaded = parse(bytes, sniff::format_of(bytes, named), path)?;
    obj::library::read(path, &mut loaded.mesh, &mut loaded.notes);
    Ok(loaded)
}

/// Reads a mesh from the bytes of a file of the given format; `name` is the file name in errors. Material files are not
/// read; only their names are stored.
///
/// # Errors
/// [`ReadError`]: the content is invalid.
pub fn read_from(bytes: &[u8], format: Format, name: &str) -> Result<Loaded, ReadError> {
    parse(sniff::without_mark(bytes, format), format, Path::new(name))
}

fn parse(bytes: &[u8], format: Format, file: &Path) -> Result<Loaded, ReadError> {
    let outcome = match format {
        _ if bytes.iter().all(u8::is_ascii_whitespace) => Err(fault_of_file(ReadErrorKind::Empty)),
        Format::Obj => obj::read::read(bytes),
        Format::Ply => ply::read(bytes),
        Format::Off => off::read::read(bytes),
        Format::Stl => stl::read(bytes),
        Format::Glb => glb::read::read(bytes),
    };
    let (mut mesh, mut notes) = outcome.and_then(refuse_empty).map_err(|fault| {
        let place = match fault.offset {
            None => Place::File,
            Some(offset) if is_text(bytes, format, offset) => Place::Line(line_of(bytes, offset)),
            Some(offset) => Place::Byte(offset as u64),
        };
        ReadError { file: file.into(), place, kind: fault.kind }
    })?;
    std::mem::take(&mut notes.polygons).settle(&mut mesh);
    Ok(Loaded { mesh, format, notes })
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
