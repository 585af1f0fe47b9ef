//! A mesh on disk, and its tiles.
use crate::disk::{Row, Writer};
use crate::{Result, disk};
use glam::Vec3;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// Sizes of a mesh on disk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sizes {
    /// Number of vertices.
    pub vertices: u64,
    /// Number of faces.
    pub faces: u64,
}

/// The folder of a level: a mesh as arrays, its tiles, and the results of these.
///
/// | file | holds |
/// |---|---|
/// | `vertices` | positions in the units of the frame, three floats each |
/// | `quadrics` | of simplification: [`Row`]s, from level 1 on |
/// | `lengths`, in level 0 `lengths-A` of attempt A | of remeshing to a tolerance: target lengths of vertices, in units of the frame |
/// | `marks` | of remeshing: a byte of bits for each vertex, from level 1 on: [`MARKED`], [`FEATURE`] |
/// | `faces` | three vertices each |
/// | `tiles/corners` | the faces of one tile after the other, three vertices each |
/// | `tiles/ids`, `vertices`, `fixed`, `quadrics` | the vertices of one tile after the other, in ascending order: number in the level, position, [`SHARED`] where other tiles have faces and the mark, quadric |
/// | `tiles/lengths` | the target lengths of these |
/// | `tiles/faces` | as `corners`, with places in the tile's list of vertices |
/// | `results/N.costs` | the faces that the tile's collapses would remove, by classes of their costs |
/// | `results/N.ply` | the tile when it is done |
#[derive(Clone, Debug)]
pub struct Level {
    folder: PathBuf,
    /// Its number: 0 is the input.
    pub number: u32,
    /// Whether vertices carry marks from level to level instead of quadrics.
    marks: bool,
    /// The attempt, where vertices carry target lengths.
    attempt: Option<u32>,
}

/// The bit of a tile's vertex where other tiles have faces.
pub const SHARED: u8 = 1;
/// The bit of a vertex around which more is to be done.
pub const MARKED: u8 = 2;
/// The bit of a vertex that lies on a feature.
pub const FEATURE: u8 = 4;
/// Bits that go with a vertex from level to level.
pub const MARKS: u8 = MARKED | FEATURE;

/// The arrays of tiles.
#[derive(Clone, Copy, Debug)]
pub enum Array {
    Corners,
    Ids,
    Vertices,
    Fixed,
    Quadrics,
    Faces,
    Normals,
    Labels,
    Lengths,
    Deviations,
    Projected,
    Settled,
}

impl Level {
    /// That of a number, in the folder of a run.
    pub fn new(work: &Path, number: u32) -> Self {
        Self { folder: work.join(format!("level-{number}")), number, marks: false, attempt: None }
    }
    /// That of an attempt, whose vertices carry target lengths. Level 0 is the same in all of them.
    pub fn of_attempt(work: &Path, number: u32, attempt: u32) -> Self {
        let name = match (number, attempt) {
            (0, _) | (_, 0) => format!("level-{number}"),
            _ => format!("level-{number}-{attempt}"),
        };
        Self { folder: work.join(name), number, marks: true, attempt: Some(attempt) }
    }
    /// The same, where vertices carry marks instead of quadrics, or not.
    pub fn with_marks(self, marks: bool) -> Self {
        Self { marks, ..self }
    }
    /// Removes all that is left of earlier attempts.
    pub fn empty(&self) -> Result<()> {
        disk::empty_folder(&self.folder)
    }
    /// Removes it.
    pub fn remove(&self) -> Result<()> {
        disk::remove_folder(&self.folder)
    }
    /// Positions of vertices.
    pub fn vertices(&self) -> PathBuf {
        self.folder.join("vertices")
    }
    /// Quadrics of vertices.
    pub fn quadrics(&self) -> PathBuf {
        self.folder.join("quadrics")
    }
    /// Whether its vertices have quadrics.
    pub fn has_quadrics(&self) -> bool {
        self.number > 0 && !self.marks
    }
    /// Marks of vertices.
    pub fn marks(&self) -> PathBuf {
        self.folder.join("marks")
    }
    /// Whether its vertices have marks.
    pub fn has_marks(&self) -> bool {
        self.number > 0 && self.marks
    }
    /// Target lengths of vertices.
    pub fn lengths(&self) -> PathBuf {
        match (self.number, self.attempt) {
            (0, Some(attempt)) => self.folder.join(format!("lengths-{attempt}")),
            _ => self.folder.join("lengths"),
        }
    }
    /// Whether its vertices have target lengths.
    pub fn has_lengths(&self) -> bool {
        self.attempt.is_some()
    }
    /// Faces.
    pub fn faces(&self) -> PathBuf {
        self.folder.join("faces")
    }
    /// The folder of the tiles.
    pub fn tiles(&self) -> PathBuf {
        self.folder.join("tiles")
    }
    /// The folder of the results.
    pub fn results(&self) -> PathBuf {
        self.folder.join("results")
    }
    /// Normals of vertices.
    pub fn normals(&self) -> PathBuf {
        self.folder.join("normals")
    }
    /// Labels of vertices.
    pub fn labels(&self) -> PathBuf {
        self.folder.join("labels")
    }
    /// Faces by blocks of vertices.
    pub fn blocks(&self) -> PathBuf {
        self.folder.join("blocks")
    }
    /// The folder in which rows of the input are welded.
    pub fn weld(&self) -> PathBuf {
        self.folder.join("weld")
    }
    /// The vertices of the input's rows.
    pub fn numbers(&self) -> PathBuf {
        self.folder.join("numbers")
    }
    /// Faces of which some corners are looked up, before and after a pass.
    pub fn looked_up(&self) -> [PathBuf; 2] {
        ["known", "next"].map(|name| self.folder.join(name))
    }
    /// An array of all tiles.
    pub fn array(&self, array: Array) -> PathBuf {
        self.tiles().join(match array {
            Array::Corners => "corners",
            Array::Ids => "ids",
            Array::Vertices => "vertices",
            Array::Fixed => "fixed",
            Array::Quadrics => "quadrics",
            Array::Faces => "faces",
            Array::Normals => "normals",
            Array::Labels => "labels",
            Array::Lengths => "lengths",
            Array::Deviations => "deviations",
            Array::Projected => "projected",
            Array::Settled => "settled",
        })
    }
    /// Distances that were found, those of the faces of all tiles, and those of vertices.
    pub fn deviations(&self) -> [PathBuf; 3] {
        ["found", "of-faces", "deviations"].map(|name| self.folder.join(name))
    }
    /// The result of a tile.
    pub fn result(&self, tile: usize) -> PathBuf {
        self.results().join(format!("{tile}.ply"))
    }
    /// The costs of a tile's collapses.
    pub fn costs(&self, tile: usize) -> PathBuf {
        self.results().join(format!("{tile}.costs"))
    }
}

/// A mesh that is being written as a level.
pub struct NewLevel {
    vertices: Writer,
    quadrics: Option<Writer>,
    marks: Option<Writer>,
    lengths: Option<Writer>,
    faces: Writer,
    sizes: Sizes,
}
impl NewLevel {
    /// In an empty folder.
    pub fn create(level: &Level) -> Result<Self> {
        level.empty()?;
        Ok(Self {
            vertices: Writer::create(level.vertices())?,
            quadrics: level.has_quadrics().then(|| Writer::create(level.quadrics())).transpose()?,
            marks: level.has_marks().then(|| Writer::create(level.marks())).transpose()?,
            lengths: level.has_lengths().then(|| Writer::create(level.lengths())).transpose()?,
            faces: Writer::create(level.faces())?,
            sizes: Sizes { vertices: 0, faces: 0 },
        })
    }
    /// Number of vertices up to now: the next one gets it.
    pub fn next(&self) -> u32 {
        self.sizes.vertices as u32
    }
    /// Adds a vertex.
    pub fn vertex(&mut self, p: Vec3, quadric: Option<&Row>) -> Result<()> {
        self.sizes.vertices += 1;
        if let Some((out, quadric)) = self.quadrics.as_mut().zip(quadric) {
            out.add(quadric)?;
        }
        self.vertices.add(&p.to_array())
    }
    /// Adds the mark of the vertex that was added last.
    pub fn mark(&mut self, mark: u8) -> Result<()> {
        self.marks.as_mut().map_or(Ok(()), |out| out.add(&[mark]))
    }
    /// Adds the target length of the vertex that was added last.
    pub fn length(&mut self, length: f32) -> Result<()> {
        self.lengths.as_mut().map_or(Ok(()), |out| out.add(&[length]))
    }
    /// Adds a face.
    pub fn face(&mut self, corners: [u32; 3]) -> Result<()> {
        self.sizes.faces += 1;
        self.faces.add(&corners)
    }
    /// Waits until all of it is on the disk.
    pub fn finish(self) -> Result<Sizes> {
        self.vertices.finish()?;
        self.quadrics.map(Writer::finish).transpose()?;
        self.marks.map(Writer::finish).transpose()?;
        self.lengths.map(Writer::finish).transpose()?;
        self.faces.finish()?;
        Ok(self.sizes)
    }
}
