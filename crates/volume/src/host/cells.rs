//! Cells on the host, by their vertices.
use super::error::{Result, VolumeError};
use super::tcsr::count;
use crate::device::cells as codes;
use rayon::prelude::*;

/// A kind of cell. The order of its vertices is that of VTK.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CellKind {
    /// Four vertices: seen from the fourth, the first three run counter-clockwise.
    Tetrahedron,
    /// Five vertices: seen from the fifth, the first four run counter-clockwise.
    Pyramid,
    /// Six vertices, two triangles: seen from the second triangle, the first one runs clockwise, and so does
    /// the second.
    Wedge,
    /// Eight vertices, two quads: seen from the second quad, the first one runs counter-clockwise, and so
    /// does the second.
    Hexahedron,
    /// Faces of any number: seen from outside they run counter-clockwise.
    Polyhedron,
}
impl CellKind {
    /// The number of vertices; `None` for polyhedra.
    pub const fn vertices(self) -> Option<usize> {
        match self {
            Self::Tetrahedron => Some(4),
            Self::Pyramid => Some(5),
            Self::Wedge => Some(6),
            Self::Hexahedron => Some(8),
            Self::Polyhedron => None,
        }
    }
    /// VTK's number of the kind.
    pub const fn vtk(self) -> u32 {
        match self {
            Self::Tetrahedron => codes::TETRAHEDRON,
            Self::Pyramid => codes::PYRAMID,
            Self::Wedge => codes::WEDGE,
            Self::Hexahedron => codes::HEXAHEDRON,
            Self::Polyhedron => codes::POLYHEDRON,
        }
    }
}
impl std::fmt::Display for CellKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Tetrahedron => "tetrahedron",
            Self::Pyramid => "pyramid",
            Self::Wedge => "wedge",
            Self::Hexahedron => "hexahedron",
            Self::Polyhedron => "polyhedron",
        })
    }
}

/// Cells of any kinds, and faces that belong to no cell. It takes what it is given; what is wrong is found
/// when a mesh is built, or by [`CellList::check`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellList {
    kinds: Vec<CellKind>,
    starts: Vec<u32>,
    words: Vec<u32>,
    face_starts: Vec<u32>,
    face_vertices: Vec<u32>,
}
impl Default for CellList {
    fn default() -> Self {
        let (kinds, words, face_vertices) = Default::default();
        Self { kinds, starts: vec![0], words, face_starts: vec![0], face_vertices }
    }
}
impl CellList {
    /// No cells.
    pub fn new() -> Self {
        Self::default()
    }
    /// A list of tetrahedra.
    pub fn tetrahedra(cells: &[[u32; 4]]) -> Self {
        Self::of_kind(CellKind::Tetrahedron, cells)
    }
    /// A list of hexahedra.
    pub fn hexahedra(cells: &[[u32; 8]]) -> Self {
        Self::of_kind(CellKind::Hexahedron, cells)
    }
    fn of_kind<const N: usize>(kind: CellKind, cells: &[[u32; N]]) -> Self {
        Self {
            kinds: vec![kind; cells.len()],
            starts: (0..=cells.len()).map(|i| (N * i) as u32).collect(),
            words: cells.concat(),
            ..Self::default()
        }
    }
    /// Appends a cell by its vertices. The vertices of a polyhedron are VTK's stream of faces: their number;
    /// for each face the number of its vertices, and these.
    pub fn push(&mut self, kind: CellKind, vertices: &[u32]) {
        self.kinds.push(kind);
        self.words.extend(vertices);
        self.starts.push(self.words.len() as u32);
    }
    /// Appends a polyhedron by its faces.
    pub fn push_polyhedron<F: AsRef<[u32]>>(&mut self, faces: &[F]) {
        self.kinds.push(CellKind::Polyhedron);
        self.words.push(faces.len() as u32);
        for face in faces.iter().map(AsRef::as_ref) {
            self.words.push(face.len() as u32);
            self.words.extend(face);
        }
        self.starts.push(self.words.len() as u32);
    }
    /// Appends a face. If a cell has it too, it is the cell's; else it is a face without cells.
    pub fn push_face(&mut self, vertices: &[u32]) {
        self.face_vertices.extend(vertices);
        self.face_starts.push(self.face_vertices.len() as u32);
    }
    /// Replaces the faces that were appended by themselves with the faces of another list.
    pub fn set_faces_of(&mut self, other: &Self) {
        self.face_starts.clone_from(&other.face_starts);
        self.face_vertices.clone_from(&other.face_vertices);
    }
    /// The number of cells.
    pub fn len(&self) -> usize {
        self.kinds.len()
    }
    /// Whether there are no cells.
    pub fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }
    /// The number of faces that were appended by themselves.
    pub fn faces(&self) -> usize {
        self.face_starts.len() - 1
    }
    /// The kind of a cell, and its vertices, or its stream of faces. Panics unless there is such a cell.
    pub fn cell(&self, cell: usize) -> (CellKind, &[u32]) {
        (self.kinds[cell], &self.words[self.starts[cell] as usize..self.starts[cell + 1] as usize])
    }
    /// A face that was appended by itself. Panics unless there is such a face.
    pub fn face(&self, face: usize) -> &[u32] {
        &self.face_vertices[self.face_starts[face] as usize..self.face_starts[face + 1] as usize]
    }
    pub(crate) fn kinds(&self) -> Vec<u32> {
        self.kinds.par_iter().map(|kind| kind.vtk()).collect()
    }
    pub(crate) fn starts(&self) -> &[u32] {
        &self.starts
    }
    pub(crate) fn words(&self) -> &[u32] {
        &self.words
    }
    pub(crate) fn face_starts(&self) -> &[u32] {
        &self.face_starts
    }
    pub(crate) fn face_vertices(&self) -> &[u32] {
        &self.face_vertices
    }

    /// Checks all that needs no geometry: each cell has as many vertices as its kind, all of them exist, none
    /// occurs twice in a cell (in a polyhedron: in a face), and the faces of polyhedra close, none of the
    /// faces from both sides. Returns the error of the first cell with one. In parallel, linear except for
    /// polyhedra, whose sides are sorted.
    /// # Errors
    /// All of [`VolumeError`] that name a cell or a face; [`ribbonmesh::Error::TooMany`] for more than 32
    /// bits count.
    pub fn check(&self, vertices: usize) -> Result<()> {
        count("vertices", vertices)?;
        count("cells", self.len())?;
        count("vertices of cells", self.words.len())?;
        count("vertices of faces", self.face_vertices.len())?;
        // all tasks before the first error run to their ends, so that it is the first
        let cells = (0..self.len()).into_par_iter().with_min_len(4096);
        if let Some(error) = cells.find_map_first(|cell| self.check_cell(cell, vertices).err()) {
            return Err(error);
        }
        let faces = (0..self.faces()).into_par_iter().with_min_len(4096);
        match faces.find_map_first(|face| self.check_face(face, vertices).err()) {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }
    fn check_face(&self, face: usize, vertices: usize) -> Result<()> {
        let own = self.face(face);
        if let Some(&vertex) = own.iter().find(|&&v| v as usize >= vertices) {
            return Err(VolumeError::FaceVertexOutOfRange { face, vertex, vertices });
        }
        if own.len() < 3 || repeated(own).is_some() {
            return Err(VolumeError::BadFace { face });
        }
        Ok(())
    }
    fn check_cell(&self, cell: usize, vertices: usize) -> Result<()> {
        let (kind, words) = self.cell(cell);
        let check = |own: &[u32]| {
            if let Some(&vertex) = own.iter().find(|&&v| v as usize >= vertices) {
                return Err(VolumeError::VertexOutOfRange { cell, vertex, vertices });
            }
            match repeated(own) {
                Some(vertex) => Err(VolumeError::RepeatedVertex { cell, vertex }),
                None => Ok(()),
            }
        };
        if let Some(expected) = kind.vertices() {
            if words.len() != expected {
                return Err(VolumeError::CellLength { cell, kind, expected, found: words.len() });
            }
            return check(words);
        }
        let (mut sides, mut at, mut cycles) = (Vec::new(), 1, Vec::new());
        let faces = words.first().map_or(0, |&n| n as usize);
        for face in 0..faces {
            let len = words.get(at).map_or(0, |&n| n as usize);
            let own = words.get(at + 1..).and_then(|rest| rest.get(..len)).unwrap_or_default();
            if own.len() < 3 {
                return Err(VolumeError::PolyhedronFace { cell, face });
            }
            check(own)?;
            let ends = own.iter().zip(own.iter().cycle().skip(1));
            sides.extend(ends.map(|(&a, &b)| (a.min(b), a.max(b), a < b)));
            cycles.push((cycle(own), face));
            at += 1 + len;
        }
        if faces == 0 || at != words.len() {
            return Err(VolumeError::PolyhedronFace { cell, face: faces });
        }
        sides.sort_unstable();
        let bad = sides.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)).find(|uses| match uses {
            [one, two] => one.2 == two.2,
            _ => true,
        });
        if let Some(&(low, high, along)) = bad.and_then(|uses| uses.first()) {
            return Err(VolumeError::NotClosed { cell, edge: if along { [low, high] } else { [high, low] } });
        }
        cycles.sort_unstable();
        match cycles.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            Some(pair) => Err(VolumeError::RepeatedFace { cell, faces: [pair[0].1, pair[1].1] }),
            None => Ok(()),
        }
    }
}

/// The vertices of a face from the smallest one towards the smaller one beside it: the same from both sides.
fn cycle(face: &[u32]) -> Vec<u32> {
    let mut own = face.to_vec();
    let at = (0..own.len()).min_by_key(|&i| own[i]).unwrap_or_default();
    own.rotate_left(at);
    if own.last() < own.get(1) {
        own[1..].reverse();
    }
    own
}

/// A number that occurs twice in a list.
fn repeated(list: &[u32]) -> Option<u32> {
    if list.len() <= 16 {
        return list.iter().enumerate().find(|&(i, v)| list[..i].contains(v)).map(|(_, &v)| v);
    }
    let mut sorted = list.to_vec();
    sorted.sort_unstable();
    sorted.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| pair[0])
}
