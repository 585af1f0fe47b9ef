//! Reading files.

use std::{
    fs, io,
    io::Read,
    path::{Path, PathBuf},
};

use ribbonmesh_mesh::TriangleMesh;

use crate::{
    Compression, Format, Notes, Place, ReadError, ReadErrorKind,
    compression::contents,
    glb, obj, off, ply, sniff, stl,
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
/// Files that begin with the bytes of gzip or Zstandard are decompressed; a file named `.gz` or `.zst` must begin with them.
///
/// The whole file is read into memory, after decompression. One thread parses it in one pass; text with coordinates in
/// double precision takes a second pass. STL and GLB need additional memory for merging vertices. Material files beside
/// an OBJ file are read with it.
///
/// # Errors
/// [`ReadError`]: the file is missing or a directory, its extension is unknown, or its content is invalid.
///
/// # Sources
/// OBJ: Wavefront, *Advanced Visualizer manual*, appendix B1. PLY: Turk, *The PLY polygon file format*, 1994.
/// OFF: *Geomview manual*, section 4.2.5. STL: 3D Systems, *StereoLithography interface specification*, 1988.
/// GLB: Khronos Group, *glTF 2.0 Specification*, 2021.
pub fn read(path: impl AsRef<Path>) -> Result<Loaded, ReadError> {
    read_as(path, None)
}

/// As [`read`], and in `format` where the extension names none. A pipe or device whose name has no known extension is read
/// as [`read_stream`] reads.
///
/// # Errors
/// As [`read`].
pub fn read_as(path: impl AsRef<Path>, format: Option<Format>) -> Result<Loaded, ReadError> {
    read_file(path.as_ref(), format, Least::Face)
}

/// As [`read_as`], of files that may have points alone, without a face.
///
/// # Errors
/// As [`read`], but for [`ReadErrorKind::NoFaces`].
pub fn read_points(path: impl AsRef<Path>, format: Option<Format>) -> Result<Loaded, ReadError> {
    read_file(path.as_ref(), format, Least::Point)
}

/// What a file must have at least one of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Least {
    Point,
    Face,
}

fn read_file(path: &Path, format: Option<Format>, least: Least) -> Result<Loaded, ReadError> {
    let error = |kind| ReadError { file: path.into(), place: Place::File, kind };
    let found = fs::metadata(path);
    if found.as_ref().is_ok_and(fs::Metadata::is_dir) {
        return Err(error(ReadErrorKind::Directory));
    }
    let format = match (Format::from_path(path), format) {
        (Ok(named), _) | (Err(_), Some(named)) => Some(named),
        (Err(_), None) if found.is_ok_and(|found| !found.is_file()) => None,
        (Err(unknown), None) => return Err(error(unknown.into())),
    };
    let bytes = read_bytes(path)?;
    let mut loaded = sniffed(&bytes, format, path, least)?;
    obj::library::read(path, &mut loaded.mesh, &mut loaded.notes);
    Ok(loaded)
}

/// Reads the bytes of any file, decompressed as [`read`] does: the counterpart of [`write_file`](crate::write_file).
///
/// # Errors
/// [`ReadError`]: the file is missing or a directory, cannot be read, or its compressed data are damaged.
pub fn read_bytes(path: impl AsRef<Path>) -> Result<Vec<u8>, ReadError> {
    let path = path.as_ref();
    let error = |kind| ReadError { file: path.into(), place: Place::File, kind };
    if fs::metadata(path).is_ok_and(|found| found.is_dir()) {
        return Err(error(ReadErrorKind::Directory));
    }
    let source = fs::File::open(path).map_err(|cause| match cause.kind() {
        io::ErrorKind::NotFound => error(ReadErrorKind::Missing),
        _ => error(ReadErrorKind::Io(cause)),
    })?;
    contents(source, Compression::from_path(path)).map_err(|(place, kind)| ReadError {
        file: path.into(),
        place,
        kind,
    })
}

/// Reads the bytes of a stream to its end, decompressed; `name` is its name in errors.
///
/// # Errors
/// [`ReadError`]: the stream fails, or its compressed data are damaged.
pub fn read_bytes_stream(source: &mut dyn Read, name: &str) -> Result<Vec<u8>, ReadError> {
    contents(source, None).map_err(|(place, kind)| ReadError { file: PathBuf::from(name), place, kind })
}

/// Reads a mesh from a stream, such as standard input, to its end; `name` is its name in errors. Without a format, the
/// content determines it: by its first bytes, as in [`read`]; by the length of a binary STL file; by a first statement of
/// OBJ. Compressed streams are decompressed. Material files are not read; only their names are stored.
///
/// # Errors
/// [`ReadError`]: the stream fails, its format cannot be told, or its content is refused.
pub fn read_stream(source: &mut dyn Read, format: Option<Format>, name: &str) -> Result<Loaded, ReadError> {
    read_all(source, format, name, Least::Face)
}

/// As [`read_stream`], of streams that may have points alone, without a face.
///
/// # Errors
/// As [`read_stream`], but for [`ReadErrorKind::NoFaces`].
pub fn read_points_stream(
    source: &mut dyn Read,
    format: Option<Format>,
    name: &str,
) -> Result<Loaded, ReadError> {
    read_all(source, format, name, Least::Point)
}

fn read_all(
    source: &mut dyn Read,
    format: Option<Format>,
    name: &str,
    least: Least,
) -> Result<Loaded, ReadError> {
    let file = PathBuf::from(name);
    let bytes = read_bytes_stream(source, name)?;
    let mut loaded = sniffed(&bytes, format, &file, least)?;
    let libraries = loaded.mesh.tables.libraries.iter().map(|library| library.name.clone());
    loaded.notes.libraries_missing.extend(libraries);
    Ok(loaded)
}

/// Reads bytes in a format, in that with which they begin, or else in the one that they look like.
fn sniffed(bytes: &[u8], format: Option<Format>, file: &Path, least: Least) -> Result<Loaded, ReadError> {
    let Some(named) = format.or_else(|| sniff::of_unnamed(bytes)) else {
        let empty = bytes.iter().all(u8::is_ascii_whitespace);
        let kind = if empty { ReadErrorKind::Empty } else { ReadErrorKind::UnknownContent };
        return Err(ReadError { file: file.into(), place: Place::File, kind });
    };
    let bytes = sniff::without_mark(bytes, named);
    parse(bytes, sniff::format_of(bytes, named), file, least)
}

/// Reads a mesh from the bytes of a file of the given format; `name` is the file name in errors. Material files are not
/// read; only their names are stored.
///
/// # Errors
/// [`ReadError`]: the content is invalid.
pub fn read_from(bytes: &[u8], format: Format, name: &str) -> Result<Loaded, ReadError> {
    parse(sniff::without_mark(bytes, format), format, Path::new(name), Least::Face)
}

fn parse(bytes: &[u8], format: Format, file: &Path, least: Least) -> Result<Loaded, ReadError> {
    let outcome = match format {
        _ if bytes.iter().all(u8::is_ascii_whitespace) => Err(fault_of_file(ReadErrorKind::Empty)),
        Format::Obj => obj::read::read(bytes),
        Format::Ply => ply::read(bytes),
        Format::Off => off::read::read(bytes),
        Format::Stl => stl::read(bytes),
        Format::Glb => glb::read::read(bytes),
    };
    let (mut mesh, mut notes) = outcome.and_then(|read| refuse_empty(read, least)).map_err(|fault| {
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

fn refuse_empty((mesh, notes): (TriangleMesh, Notes), least: Least) -> Outcome<(TriangleMesh, Notes)> {
    if mesh.positions.is_empty() {
        return Err(fault_of_file(ReadErrorKind::NoVertices));
    }
    if mesh.faces.is_empty() && least == Least::Face {
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
