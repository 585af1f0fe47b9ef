//! GLB files that are read piece by piece.

use std::{
    collections::BTreeMap,
    fs::File,
    io::{Read, Seek, SeekFrom},
    path::{Path, PathBuf},
};

use glam::{DMat4, DVec3};
use rustc_hash::FxHashMap;

use super::{
    accessor::size_of,
    container::{BIN, JSON},
    document::{Document, Primitive, part},
    read::is_known,
    resources::Resources,
    scene::{INSTANCING, instances},
};
use crate::{
    Notes, ReadError, ReadErrorKind,
    fault::{Fault, Outcome, fault, fault_of_file, quote},
    pieces::{Pieces, error, of_system},
};

/// The longest description of a scene, in bytes.
const LONGEST: u64 = 1 << 26;
/// The most primitives at places.
const MOST: u64 = 1 << 20;

/// A GLB file of triangles that is never in memory as a whole: its description is, and each pass reads the
/// arrays from their beginnings, a mebibyte at a time. Only positions and faces are read: those of the scene,
/// moved as its nodes say. Rows with equal [keys](Self::each_row) are one vertex.
#[derive(Debug)]
pub struct GlbStream {
    file: PathBuf,
    blocks: Vec<Block>,
    draws: Vec<Draw>,
    single: bool,
    rows: u64,
    faces: u64,
    left_out: Vec<String>,
}

/// An array of numbers in the file.
#[derive(Clone, Copy, Debug)]
struct Array {
    at: u64,
    stride: usize,
    component: u32,
    width: usize,
    normalized: bool,
    count: u64,
}

/// Rows of positions at one place.
#[derive(Debug)]
struct Block {
    positions: Array,
    transform: DMat4,
    /// Rows of one number are one vertex; [`None`]: rows of one place.
    numbers: Option<Numbers>,
    /// Rows of other blocks of the same group may be the same vertex.
    group: u32,
}

/// Numbers of vertices that this crate has written.
#[derive(Clone, Copy, Debug)]
enum Numbers {
    /// Each row is a vertex.
    Own,
    Of(Array),
}

/// The faces of a primitive.
#[derive(Debug)]
struct Draw {
    first: u64,
    rows: u64,
    indices: Option<Array>,
    mirrored: bool,
}

fn unsupported(what: impl Into<String>) -> Box<Fault> {
    fault_of_file(ReadErrorKind::NotInPieces { what: what.into() })
}
fn bad(what: &'static str, index: usize, reason: &'static str) -> Box<Fault> {
    fault_of_file(ReadErrorKind::BadReference { what, index: index as u64, reason })
}

impl GlbStream {
    /// Reads the description of the scene.
    ///
    /// # Errors
    /// [`ReadError`]: the file cannot be read, is no GLB file, or has no faces; data are compressed, sparse,
    /// outside of the file, strips, or placed by an extension; there are more rows than 32-bit indices can
    /// name.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, ReadError> {
        let path = path.as_ref();
        Self::opened(path).map_err(|fault| error(path, *fault))
    }

    fn opened(path: &Path) -> Outcome<Self> {
        let Chunks { json, json_at, binary } = Chunks::of(path)?;
        let document: Document =
            serde_json::from_slice(&json).map_err(|error| fault(json_at, ReadErrorKind::Json(error)))?;
        check(&document)?;
        let resources = Resources::of(&document, &[], json.len() as u64, None)?;
        let mut notes = Notes::default();
        let mut scene =
            Scene { document: &document, binary, blocks: vec![], draws: vec![], left_out: vec![] };
        let (mut rows, mut known) = (0, FxHashMap::default());
        for (group, instance) in instances(&document, &resources, MOST, &mut notes)?.iter().enumerate() {
            for primitive in &part(&document.meshes, "mesh", instance.mesh)?.primitives {
                scene.primitive(primitive, instance.transform, group as u32, &mut rows, &mut known)?;
            }
        }
        let identity =
            |block: &Block| block.transform == DMat4::IDENTITY && block.positions.component == FLOAT;
        let faces: u64 = scene.draws.iter().map(|draw| draw.indices.map_or(draw.rows, |i| i.count) / 3).sum();
        if rows == 0 {
            return Err(fault_of_file(ReadErrorKind::NoVertices));
        }
        if faces == 0 {
            return Err(fault_of_file(ReadErrorKind::NoFaces { vertices: rows }));
        }
        if rows > u64::from(u32::MAX) {
            return Err(fault_of_file(ReadErrorKind::TooMany { what: "vertices", count: rows }));
        }
        let single = scene.blocks.iter().all(identity);
        let Scene { blocks, draws, mut left_out, .. } = scene;
        left_out.extend(notes.statements_skipped);
        Ok(Self { file: path.into(), single, rows, faces, blocks, draws, left_out })
    }

    /// Number of rows of positions.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// Number of faces.
    pub fn faces(&self) -> u64 {
        self.faces
    }

    /// Whether all positions are in single precision, and stay where they are.
    pub fn is_single(&self) -> bool {
        self.single
    }

    /// The contents that no pass gives, by name.
    pub fn left_out(&self) -> Vec<String> {
        self.left_out.clone()
    }

    /// Gives each row of positions to `visit`, in the order of the file: a key that is equal where rows are
    /// one vertex, and the position.
    ///
    /// # Errors
    /// Those of `visit`; [`ReadError`]: the file cannot be read or ends early, a coordinate is not finite, or
    /// numbers of vertices are not in their order.
    pub fn each_row<E: From<ReadError>>(
        &self,
        mut visit: impl FnMut([u64; 4], DVec3) -> Result<(), E>,
    ) -> Result<(), E> {
        let told = |fault: Box<Fault>| E::from(error(&self.file, *fault));
        for (number, block) in self.blocks.iter().enumerate() {
            let mut rows = block.positions.rows(&self.file).map_err(told)?;
            let mut numbers = match block.numbers {
                Some(Numbers::Of(array)) => Some(array.rows(&self.file).map_err(told)?),
                _ => None,
            };
            let identity = block.transform == DMat4::IDENTITY;
            let mut seen = 0;
            for row in 0..block.positions.count {
                let offset = rows.pieces.offset();
                let local = DVec3::from_array(rows.floats().map_err(told)?);
                let place = if identity { local } else { block.transform.transform_point3(local) };
                if !place.as_vec3().is_finite() {
                    let text = format!("{local}");
                    return Err(told(fault(offset, ReadErrorKind::NotFinite { text })));
                }
                let vertex = match &mut numbers {
                    Some(numbers) => Some(numbers.index().map_err(told)?),
                    None => block.numbers.map(|_| row),
                };
                let group = match vertex {
                    Some(vertex) if vertex > seen => {
                        return Err(told(unsupported("numbers of vertices in another order")));
                    }
                    Some(vertex) => {
                        seen = seen.max(vertex + 1);
                        1 << 63 | (number as u64) << 32 | vertex
                    }
                    None => block.group.into(),
                };
                let [x, y, z] = place.to_array().map(|value| if value == 0.0 { 0 } else { value.to_bits() });
                visit([group, x, y, z], place)?;
            }
        }
        Ok(())
    }

    /// Gives the rows of each face's corners to `visit`, in the order of the file.
    ///
    /// # Errors
    /// Those of `visit`; [`ReadError`]: the file cannot be read or ends early, or a corner names no row.
    pub fn each_face<E: From<ReadError>>(
        &self,
        mut visit: impl FnMut([u32; 3]) -> Result<(), E>,
    ) -> Result<(), E> {
        let told = |fault: Box<Fault>| E::from(error(&self.file, *fault));
        for draw in &self.draws {
            let mut indices = draw.indices.map(|array| array.rows(&self.file)).transpose().map_err(told)?;
            for face in 0..draw.indices.map_or(draw.rows, |array| array.count) / 3 {
                let mut corners = [0, 1, 2].map(|corner| 3 * face + corner);
                if let Some(indices) = &mut indices {
                    let offset = indices.pieces.offset();
                    for corner in &mut corners {
                        *corner = indices.index().map_err(told)?;
                    }
                    if let Some(&index) = corners.iter().find(|&&corner| corner >= draw.rows) {
                        let (index, vertices) = (index as i64, draw.rows);
                        let kind = ReadErrorKind::IndexOutOfRange { index, vertices, relative: false };
                        return Err(told(fault(offset, kind)));
                    }
                }
                if draw.mirrored {
                    corners.swap(1, 2);
                }
                visit(corners.map(|corner| (draw.first + corner) as u32))?;
            }
        }
        Ok(())
    }
}

const FLOAT: u32 = 5126;

/// Refuses what is not plain arrays of the file.
fn check(document: &Document) -> Outcome<()> {
    for name in &document.extensions_required {
        if !is_known(name) {
            let what = format!("the extension {name:?}, which the file requires,");
            return Err(fault_of_file(ReadErrorKind::Unsupported { what }));
        }
    }
    if document.buffer_views.iter().any(|view| view.extensions.keys().any(|name| name.contains("meshopt"))) {
        return Err(unsupported("compressed data (EXT_meshopt_compression)"));
    }
    if document.nodes.iter().any(|node| node.extensions.contains_key(INSTANCING)) {
        return Err(unsupported(format!("many places of a mesh ({INSTANCING})")));
    }
    match document.buffers.iter().find_map(|buffer| buffer.uri.as_ref()) {
        Some(uri) => Err(unsupported(format!("a buffer outside of the file ({})", quote(uri.as_bytes())))),
        None => Ok(()),
    }
}

struct Scene<'d> {
    document: &'d Document,
    /// Place and length of the binary chunk.
    binary: [u64; 2],
    blocks: Vec<Block>,
    draws: Vec<Draw>,
    left_out: Vec<String>,
}

/// The first row of a block, and the block.
type Known = FxHashMap<([u64; 16], BTreeMap<String, usize>), (u64, usize)>;

impl Scene<'_> {
    fn primitive(
        &mut self,
        primitive: &Primitive,
        transform: DMat4,
        group: u32,
        rows: &mut u64,
        known: &mut Known,
    ) -> Outcome<()> {
        match primitive.mode.unwrap_or(4) {
            0..=3 => {
                self.leave_out("points and lines");
                return Ok(());
            }
            4 => {}
            5 | 6 => return Err(unsupported("strips and fans of triangles")),
            _ => return Err(bad("mesh", 0, "has a primitive of an unknown mode")),
        }
        if primitive.extensions.keys().any(|name| name.contains("draco")) {
            return Err(unsupported("compressed data (KHR_draco_mesh_compression)"));
        }
        let Some(&positions) = primitive.attributes.get("POSITION") else {
            return Err(bad("mesh", 0, "has a primitive without POSITION"));
        };
        primitive.attributes.keys().filter(|name| *name != "POSITION").for_each(|name| self.leave_out(name));
        let key = (transform.to_cols_array().map(f64::to_bits), primitive.attributes.clone());
        let (first, block) = match known.get(&key) {
            Some(&known) => known,
            None => {
                let positions = self.array(positions, "VEC3")?;
                let own = &primitive.extras["ribbonmesh"];
                let numbers = match (own["vertices"].as_u64(), own["welded"].as_bool()) {
                    (Some(index), _) => Some(Numbers::Of(self.array(index as usize, "SCALAR")?)),
                    (None, Some(true)) => Some(Numbers::Own),
                    _ => None,
                };
                if matches!(numbers, Some(Numbers::Of(array)) if array.count != positions.count) {
                    return Err(bad("accessor", 0, "has another count than the positions"));
                }
                let found = (*rows, self.blocks.len());
                *rows += positions.count;
                self.blocks.push(Block { positions, transform, numbers, group });
                known.insert(key, found);
                found
            }
        };
        let indices = primitive.indices.map(|index| self.array(index, "SCALAR")).transpose()?;
        if indices.is_some_and(|array| !matches!(array.component, 5121 | 5123 | 5125)) {
            return Err(bad("accessor", 0, "holds indices and is not of an unsigned type"));
        }
        let rows = self.blocks[block].positions.count;
        self.draws.push(Draw { first, rows, indices, mirrored: transform.determinant() < 0.0 });
        Ok(())
    }

    fn leave_out(&mut self, name: &str) {
        if !self.left_out.iter().any(|known| known == name) {
            self.left_out.push(name.into());
        }
    }

    /// The place of an accessor's numbers.
    fn array(&self, index: usize, kind: &str) -> Outcome<Array> {
        let accessor = part(&self.document.accessors, "accessor", index)?;
        let (Some(view), None) = (accessor.buffer_view, &accessor.sparse) else {
            return Err(unsupported("arrays that are sparse"));
        };
        let view_of = part(&self.document.buffer_views, "bufferView", view)?;
        if accessor.kind != kind {
            return Err(bad("accessor", index, "is of a type that it cannot have"));
        }
        let Some(size) = size_of(accessor.component_type) else {
            return Err(bad("accessor", index, "has an unknown componentType"));
        };
        let width = if kind == "VEC3" { 3 } else { 1 };
        let row = size * width as u64;
        let stride = view_of.byte_stride.unwrap_or(row);
        if stride < row || stride > 1 << 16 {
            return Err(bad("bufferView", view, "has a byteStride that is less than a row, or too large"));
        }
        let length = match accessor.count {
            0 => 0,
            count => (count - 1).saturating_mul(stride).saturating_add(row),
        };
        let needed = accessor.byte_offset.saturating_add(length);
        let end = view_of.byte_offset.saturating_add(view_of.byte_length);
        let [start, available] = self.binary;
        if view_of.buffer != 0 || needed > view_of.byte_length || end > available {
            let (what, index, available) = ("accessor", index as u64, view_of.byte_length.min(available));
            return Err(fault_of_file(ReadErrorKind::OutOfBounds { what, index, needed, available }));
        }
        Ok(Array {
            at: start + view_of.byte_offset + accessor.byte_offset,
            stride: stride as usize,
            component: accessor.component_type,
            width,
            normalized: accessor.normalized,
            count: accessor.count,
        })
    }
}

/// The rows of an array, one after the other.
struct Rows {
    pieces: Pieces,
    array: Array,
    left: u64,
}

impl Array {
    fn rows(self, file: &Path) -> Outcome<Rows> {
        Ok(Rows { pieces: Pieces::open(file, self.at).map_err(Box::new)?, array: self, left: self.count })
    }
    fn size(self) -> usize {
        size_of(self.component).unwrap_or(4) as usize
    }
}

impl Rows {
    fn row(&mut self) -> Outcome<&[u8]> {
        self.left = self.left.saturating_sub(1);
        // nothing needs to follow the last row
        let row = self.array.size() * self.array.width;
        let taken = if self.left == 0 { row } else { self.array.stride };
        self.pieces.take(taken).map_err(Box::new)
    }
    fn floats(&mut self) -> Outcome<[f64; 3]> {
        let Array { component, normalized, .. } = self.array;
        let size = self.array.size();
        let bytes = self.row()?;
        Ok([0, 1, 2].map(|axis| {
            let number = &bytes[axis * size..];
            let (value, most) = match component {
                5120 => (f64::from(number[0] as i8), 127.0),
                5121 => (f64::from(number[0]), 255.0),
                5122 => (f64::from(i16::from_le_bytes([number[0], number[1]])), 32767.0),
                5123 => (f64::from(u16::from_le_bytes([number[0], number[1]])), 65535.0),
                5125 => (f64::from(u32::from_le_bytes([number[0], number[1], number[2], number[3]])), 0.0),
                _ => (f64::from(f32::from_le_bytes([number[0], number[1], number[2], number[3]])), 0.0),
            };
            if normalized && most > 0.0 { (value / most).max(-1.0) } else { value }
        }))
    }
    fn index(&mut self) -> Outcome<u64> {
        let size = self.array.size();
        let bytes = self.row()?;
        Ok(bytes[..size].iter().rev().fold(0, |value, byte| value << 8 | u64::from(*byte)))
    }
}

/// The description of a file, and the place and length of its binary chunk.
struct Chunks {
    json: Vec<u8>,
    json_at: usize,
    binary: [u64; 2],
}

impl Chunks {
    fn of(path: &Path) -> Outcome<Self> {
        let told = |error| Box::new(of_system(error));
        let mut file = File::open(path).map_err(told)?;
        let length = file.metadata().map_err(told)?.len();
        let mut words = |at: u64| -> Outcome<[u32; 3]> {
            file.seek(SeekFrom::Start(at)).map_err(told)?;
            let mut bytes = vec![];
            Read::by_ref(&mut file).take(12).read_to_end(&mut bytes).map_err(told)?;
            let word = |i: usize| {
                bytes.get(4 * i..4 * i + 4).map_or(0, |b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]))
            };
            Ok([0, 1, 2].map(word))
        };
        let [magic, version, whole] = words(0)?;
        if magic != u32::from_le_bytes(*b"glTF") {
            let found = quote(&magic.to_le_bytes());
            return Err(fault(0, ReadErrorKind::Unexpected { expected: "the letters glTF", found }));
        }
        if version != 2 {
            return Err(fault(4, ReadErrorKind::Unsupported { what: format!("glTF of version {version}") }));
        }
        if u64::from(whole) > length {
            let (what, count) = ("bytes".into(), whole.into());
            return Err(fault(
                8,
                ReadErrorKind::CountTooLarge { what, count, needed: count, available: length },
            ));
        }
        let (mut at, mut json, mut binary) = (12, None, [0, 0]);
        while at + 8 <= u64::from(whole) {
            let [size, kind, _] = words(at)?;
            let [start, size] = [at + 8, u64::from(size)];
            if start + size > whole.into() {
                let (what, available) = ("bytes of a chunk".into(), u64::from(whole) - start);
                let kind = ReadErrorKind::CountTooLarge { what, count: size, needed: size, available };
                return Err(fault(at as usize, kind));
            }
            match (kind, &json) {
                (JSON, None) => json = Some([start, size]),
                (_, None) => {
                    let (expected, found) = ("the chunk JSON", quote(&kind.to_le_bytes()));
                    return Err(fault(at as usize + 4, ReadErrorKind::Unexpected { expected, found }));
                }
                (BIN, _) if binary[1] == 0 => binary = [start, size],
                _ => {}
            }
            at = start + size;
        }
        let Some([start, size]) = json else {
            return Err(fault(length as usize, ReadErrorKind::Truncated { what: "the chunk JSON" }));
        };
        if size > LONGEST {
            return Err(unsupported(format!("a description of {size} bytes")));
        }
        let json_at = start as usize;
        let json =
            Pieces::open(path, start).and_then(|mut pieces| pieces.take(size as usize).map(<[u8]>::to_vec));
        Ok(Self { json: json.map_err(Box::new)?, json_at, binary })
    }
}
