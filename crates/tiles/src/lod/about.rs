//! The head of a file of levels.
use crate::frame::Frame;
use glam::DVec3;
use ribbonmesh_mesh::{Precision, TriangleMesh};
use serde::{Deserialize, Serialize};

/// The name of the format.
pub const FORMAT: &str = "ribbonmesh levels of detail";
/// Its version.
pub const VERSION: u32 = 1;

/// One level: the whole surface by the meshlets that are there after so many rounds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LevelReport {
    /// Meshlets.
    pub meshlets: u64,
    /// Triangles of these.
    pub triangles: u64,
    /// The largest error of one of them.
    pub error: f32,
}

/// A table in the file of data.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Table {
    /// Its first byte.
    pub offset: u64,
    /// Number of rows.
    pub rows: u64,
    /// Bytes of a row.
    pub row_bytes: u64,
}

/// The sizes of levels, and where their data are: the JSON file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct About {
    pub(super) format: String,
    pub(super) version: u32,
    /// Name of the file of data, beside this one.
    pub data: String,
    /// Bytes of that file.
    pub bytes: u64,
    /// An offset of positions and centres of spheres.
    pub origin: [f64; 3],
    /// Whether the coordinates of the input are in single precision.
    pub single: bool,
    /// Vertices of the input.
    pub vertices: u64,
    /// Faces of the input.
    pub faces: u64,
    /// The corners of the box around the input.
    pub bounding_box: [[f64; 3]; 2],
    /// Rows of [`GroupRow`](super::GroupRow).
    pub groups: Table,
    /// Rows of [`MeshletRow`](super::MeshletRow).
    pub meshlets: Table,
    /// The first byte of pages.
    pub pages: u64,
    /// CRC 32 of both tables.
    pub check: u32,
    /// The levels, the finest first.
    pub levels: Vec<LevelReport>,
}

impl About {
    pub(super) fn new(
        frame: &Frame,
        mesh: &TriangleMesh,
        box_of: [DVec3; 2],
        levels: Vec<LevelReport>,
    ) -> Self {
        Self {
            format: FORMAT.into(),
            version: VERSION,
            data: String::new(),
            bytes: 0,
            origin: frame.origin().to_array(),
            single: mesh.precision == Precision::Single,
            vertices: mesh.positions.len() as u64,
            faces: mesh.faces.len() as u64,
            bounding_box: box_of.map(|p| p.to_array()),
            groups: Table::default(),
            meshlets: Table::default(),
            pages: 0,
            check: 0,
            levels,
        }
    }
    /// The length of the diagonal of the box.
    pub fn diagonal(&self) -> f64 {
        let [low, high] = self.bounding_box.map(DVec3::from_array);
        low.distance(high)
    }
}
