//! Reading files.

use std::{
    fs, io,
    io::Read,
    path::{Path, PathBuf},
};

use ribbonmesh_mesh::{Column, Element, Role, Scalars, TriangleMesh};

use crate::{
    Compression, Format, Notes, Place, ReadError, ReadErrorKind, ReadOptions,
    compression::contents,
    fault::{Outcome, fault, fault_of_file, place},
    glb, obj, off, ply, sniff, stl,
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

/// Reads a mesh with all its attributes from a file, in the format of its extension. A file that begins like
/// another format (`ply`, `OFF`, `glTF`, `solid` and `facet`) is read as that format. Text in UTF-16 with its
/// mark is read, too.
///
/// An element that cannot be used, such as a face of two corners or a vertex that is not finite, is left out,
/// and [`Notes`] counts it; [`read_with`] can refuse it.
///
/// Files that begin with the bytes of gzip or Zstandard are decompressed; a file named `.gz` or `.zst` must
/// begin with them.
///
/// The whole file is read into memory, after decompression. One thread parses it in one pass; text with
/// coordinates in double precision takes a second pass. STL and GLB need additional memory for merging
/// vertices. Material files beside an OBJ file are read with it, and buffers and images beside a glTF file.
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

/// As [`read`], and in `format` where the extension names none. A pipe or device whose name has no known
/// extension is read as [`read_stream`] reads.
///
/// # Errors
/// As [`read`].
pub fn read_as(path: impl AsRef<Path>, format: Option<Format>) -> Result<Loaded, ReadError> {
    read_with(path, &ReadOptions { format, ..ReadOptions::default() })
}

/// As [`read_as`], of files that may have points alone, without a face.
///
/// # Errors
/// As [`read`], except for [`ReadErrorKind::NoFaces`].
pub fn read_points(path: impl AsRef<Path>, format: Option<Format>) -> Result<Loaded, ReadError> {
    read_with(path, &ReadOptions { format, points: true, ..ReadOptions::default() })
}

/// As [`read`], with options.
///
/// # Errors
/// As [`read`]; [`ReadErrorKind::NoFaces`] only without [`ReadOptions::points`]. With
/// [`ReadOptions::strict`], also if data would be left out with a note.
pub fn read_with(path: impl AsRef<Path>, options: &ReadOptions) -> Result<Loaded, ReadError> {
    let path = path.as_ref();
    let error = |kind| ReadError { file: path.into(), place: Place::File, kind };
    let found = fs::metadata(path);
    if found.as_ref().is_ok_and(fs::Metadata::is_dir) {
        return Err(error(ReadErrorKind::Directory));
    }
    let format = match (Format::from_path(path), options.format) {
        (Ok(named), _) | (Err(_), Some(named)) => Some(named),
        (Err(_), None) if found.is_ok_and(|found| !found.is_file()) => None,
        (Err(unknown), None) => return Err(error(unknown.into())),
    };
    let bytes = read_bytes(path)?;
    let mut loaded = sniffed(&bytes, format, path, Some(path), options)?;
    obj::library::read(path, &mut loaded.mesh, &mut loaded.notes);
    Ok(loaded)
}

/// Reads the bytes of any file, decompressed as [`read`] does: the counterpart of
/// [`write_file`](crate::write_file).
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

/// Reads a mesh from a stream, such as standard input, to its end; `name` is its name in errors. Without a
/// format, the content determines it: by its first bytes, as in [`read`]; by the length of a binary STL file;
/// by a first statement of OBJ. Compressed streams are decompressed. Material files are not read; only their
/// names are stored.
///
/// # Errors
/// [`ReadError`]: the stream fails, its format cannot be told, or its content is refused.
pub fn read_stream(source: &mut dyn Read, format: Option<Format>, name: &str) -> Result<Loaded, ReadError> {
    read_stream_with(source, &ReadOptions { format, ..ReadOptions::default() }, name)
}

/// As [`read_stream`], of streams that may have points alone, without a face.
///
/// # Errors
/// As [`read_stream`], except for [`ReadErrorKind::NoFaces`].
pub fn read_points_stream(
    source: &mut dyn Read,
    format: Option<Format>,
    name: &str,
) -> Result<Loaded, ReadError> {
    read_stream_with(source, &ReadOptions { format, points: true, ..ReadOptions::default() }, name)
}

/// As [`read_stream`], with options.
///
/// # Errors
/// As [`read_stream`]; [`ReadErrorKind::NoFaces`] only without [`ReadOptions::points`]. With
/// [`ReadOptions::strict`], also if data would be left out with a note.
pub fn read_stream_with(
    source: &mut dyn Read,
    options: &ReadOptions,
    name: &str,
) -> Result<Loaded, ReadError> {
    let file = PathBuf::from(name);
    let bytes = read_bytes_stream(source, name)?;
    let mut loaded = sniffed(&bytes, options.format, &file, None, options)?;
    let libraries = loaded.mesh.tables.libraries.iter().map(|library| library.name.clone());
    loaded.notes.libraries_missing.extend(libraries);
    Ok(loaded)
}

/// Reads bytes in a format, in that with which they begin, or else in the one that they look like.
fn sniffed(
    bytes: &[u8],
    format: Option<Format>,
    file: &Path,
    beside: Option<&Path>,
    options: &ReadOptions,
) -> Result<Loaded, ReadError> {
    let error = |kind| ReadError { file: file.into(), place: Place::File, kind };
    if let Some(what) = sniff::other_kind(bytes) {
        return Err(error(ReadErrorKind::OtherKind { what }));
    }
    let decoded = sniff::decoded(bytes);
    let bytes = decoded.as_deref().unwrap_or(bytes);
    let Some(named) = format.or_else(|| sniff::of_unnamed(bytes)) else {
        let empty = bytes.iter().all(u8::is_ascii_whitespace);
        return Err(error(if empty { ReadErrorKind::Empty } else { ReadErrorKind::UnknownContent }));
    };
    let bytes = sniff::without_mark(bytes, named);
    parse(bytes, sniff::format_of(bytes, named), file, beside, options)
}

/// Reads a mesh from the bytes of a file of the given format; `name` is the file name in errors. Material
/// files and buffers outside of the file are not read.
///
/// # Errors
/// [`ReadError`]: the content is invalid.
pub fn read_from(bytes: &[u8], format: Format, name: &str) -> Result<Loaded, ReadError> {
    let bytes = sniff::without_mark(bytes, format);
    parse(bytes, format, Path::new(name), None, &ReadOptions::default())
}

/// Reads bytes of a format. Files that they name are in the folder of `beside`.
fn parse(
    bytes: &[u8],
    format: Format,
    file: &Path,
    beside: Option<&Path>,
    options: &ReadOptions,
) -> Result<Loaded, ReadError> {
    let notes = Notes { strict: options.strict, ..Notes::default() };
    let outcome = match format {
        _ if bytes.iter().all(u8::is_ascii_whitespace) => Err(fault_of_file(ReadErrorKind::Empty)),
        Format::Obj => obj::read::read(bytes, notes),
        Format::Ply => ply::read(bytes, notes),
        Format::Off => off::read::read(bytes, notes),
        Format::Stl => stl::read(bytes, notes),
        Format::Glb | Format::Gltf => glb::read::read(bytes, format, beside, notes),
    };
    let is_text = |offset| is_text(bytes, format, offset);
    let settled = outcome.and_then(settle).and_then(|read| refuse_empty(read, options.points));
    let (mesh, mut notes) = settled.map_err(|fault| fault.in_file(file, bytes, is_text))?;
    let first = notes.first_bad.take().and_then(|(offset, _)| offset);
    let first = first.map(|offset| place(Some(offset), bytes, is_text).to_string());
    notes.left_out_first = first.map(|place| place.trim_start_matches(", ").to_owned());
    notes.first_unknown = None;
    notes.strict = false;
    Ok(Loaded { mesh, format, notes })
}

/// Makes triangles of polygons, and removes values that are not finite.
fn settle((mut mesh, mut notes): (TriangleMesh, Notes)) -> Outcome<(TriangleMesh, Notes)> {
    let polygons = std::mem::take(&mut notes.polygons);
    let finite = |position: &glam::DVec3| position.as_vec3().is_finite();
    let all_finite = !std::mem::take(&mut notes.not_finite);
    let whole = if all_finite { vec![] } else { polygons.faces_without(&mesh, finite) };
    polygons.settle(&mut mesh);
    let column = |error| fault_of_file(ReadErrorKind::Column(error));
    if !all_finite {
        let bad = |error: ribbonmesh_mesh::MeshError| match error {
            ribbonmesh_mesh::MeshError::Column(error) => column(error),
            error => fault_of_file(ReadErrorKind::Malformed { reason: error.to_string() }),
        };
        notes.faces_left_out += (mesh.faces.len() - whole.len()) as u64;
        mesh.select_faces(&whole).map_err(bad)?;
        let kept: Vec<u32> =
            (0..).zip(&mesh.positions).filter(|(_, p)| finite(p)).map(|(vertex, _)| vertex).collect();
        notes.vertices_left_out = (mesh.positions.len() - kept.len()) as u64;
        mesh.select_vertices(&kept).map_err(bad)?;
    }
    normals(&mut mesh, &mut notes)?;
    Ok((mesh, notes))
}

/// Makes 0 0 0 of normals that are not finite.
fn normals(mesh: &mut TriangleMesh, notes: &mut Notes) -> Outcome<()> {
    for element in [Element::Vertex, Element::Face, Element::Corner] {
        let of = mesh.attributes(element);
        let finite = |column: &Column| match column.scalars() {
            Scalars::F32(values) => values.iter().all(|value| value.is_finite()),
            Scalars::F64(values) => values.iter().all(|value| value.is_finite()),
            _ => true,
        };
        let normals = of.iter().filter(|column| column.role() == Role::Normal);
        let bad = normals.filter(|column| !finite(column));
        let names: Vec<String> = bad.map(|column| column.name().to_owned()).collect();
        if let Some(name) = names.first().filter(|_| notes.strict) {
            let text = format!("of the {element} attribute {name:?}");
            return Err(fault_of_file(ReadErrorKind::NotFinite { text }));
        }
        for name in names {
            let mut of = mesh.attributes_mut(element);
            if let Ok(rows) = of.get_mut::<[f32; 3]>(&name) {
                notes.normals_left_out += zero(rows, |row| row.iter().all(|x| x.is_finite()));
            } else if let Ok(rows) = of.get_mut::<[f64; 3]>(&name) {
                notes.normals_left_out += zero(rows, |row| row.iter().all(|x| x.is_finite()));
            }
        }
    }
    Ok(())
}

/// Sets rows to zero; says how many.
fn zero<T: Default>(rows: &mut [T], keep: impl Fn(&T) -> bool) -> u64 {
    let mut count = 0;
    for row in rows.iter_mut().filter(|row| !keep(row)) {
        *row = T::default();
        count += 1;
    }
    count
}

fn refuse_empty((mesh, mut notes): (TriangleMesh, Notes), points: bool) -> Outcome<(TriangleMesh, Notes)> {
    let empty = mesh.positions.is_empty() || mesh.faces.is_empty() && !points;
    // a text without a mesh is rather of another kind
    if let (true, Some((offset, found))) = (empty && mesh.faces.is_empty(), &notes.first_unknown) {
        let (expected, found) = ("a statement of the format", found.clone());
        return Err(fault(*offset, ReadErrorKind::Unexpected { expected, found }));
    }
    // nothing is left
    if let Some(fault) = if empty { notes.first_fault() } else { None } {
        return Err(fault);
    }
    if mesh.positions.is_empty() {
        return Err(fault_of_file(ReadErrorKind::NoVertices));
    }
    if empty {
        let vertices = mesh.positions.len() as u64;
        return Err(fault_of_file(ReadErrorKind::NoFaces { vertices }));
    }
    Ok((mesh, notes))
}

/// Whether a byte belongs to the text of a file, where errors name lines.
fn is_text(bytes: &[u8], format: Format, offset: usize) -> bool {
    match format {
        Format::Obj => true,
        Format::Off => off::read::is_text(bytes, offset),
        Format::Ply => ply::is_text(bytes, offset),
        Format::Stl => !stl::is_binary(bytes),
        Format::Gltf => true,
        Format::Glb => false,
    }
}
