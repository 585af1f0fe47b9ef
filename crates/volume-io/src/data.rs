//! Volumes on the host, as files hold them.

use glam::{DVec3, Vec3};
use ribbonmesh::Device;
use ribbonmesh_mesh::{Precision, Scalars, TriangleMesh};
use ribbonmesh_volume::{CellList, Result, VolumeMesh, VolumeOptions};

/// Named numbers: a row for each vertex, cell or face.
#[derive(Debug, Clone, PartialEq)]
pub struct DataArray {
    /// The name.
    pub name: String,
    /// Numbers per row, at least 1.
    pub width: usize,
    /// The numbers, row after row.
    pub scalars: Scalars,
}

impl DataArray {
    /// An array of rows of one number.
    pub fn new(name: impl Into<String>, scalars: impl Into<Scalars>) -> Self {
        Self { name: name.into(), width: 1, scalars: scalars.into() }
    }

    /// An array of rows of `width` numbers.
    pub fn of_width(name: impl Into<String>, width: usize, scalars: impl Into<Scalars>) -> Self {
        Self { name: name.into(), width, scalars: scalars.into() }
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.scalars.len() / self.width.max(1)
    }

    /// The type of a row, such as `f64 × 3`.
    pub fn type_name(&self) -> String {
        self.scalars.scalar().of_width(self.width)
    }

    /// Whole numbers of 32 bits, if that is what it has, one per row.
    pub fn tags(&self) -> Option<Vec<i32>> {
        if self.width != 1 || !self.scalars.scalar().is_integer() {
            return None;
        }
        let value = |i| self.scalars.as_f64(i).filter(|&x| x.abs() <= f64::from(i32::MAX)).map(|x| x as i32);
        (0..self.scalars.len()).map(value).collect()
    }

    /// The rows that `rows` names, in that order; rows that do not exist become zeros.
    #[must_use]
    pub fn select(&self, rows: &[u32]) -> Self {
        let mut scalars = Scalars::with_capacity(self.scalars.scalar(), rows.len() * self.width);
        scalars.append_rows(&self.scalars, self.width, rows);
        Self { name: self.name.clone(), width: self.width, scalars }
    }
}

/// A name for the cells or faces whose `region` is a number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Region {
    /// 3 for cells, 2 for faces; 1 and 0 occur in Gmsh files.
    pub dimension: u8,
    /// The number.
    pub tag: i32,
    /// The name.
    pub name: String,
}

/// Name of the data array with the numbers of regions: Gmsh's physical groups, MEDIT's references. Whole
/// numbers; 0 means none.
pub const REGION: &str = "region";
/// Name of the data array with the numbers of further regions, where cells or faces belong to several: the
/// `k`-th one, from 2 on, is `region_k`. Rows with fewer have 0.
pub fn further_region(k: usize) -> String {
    format!("{REGION}_{k}")
}
/// Whether an array has numbers of regions: [`REGION`], or one of [`further_region`].
pub fn is_region(name: &str) -> bool {
    let number = name.strip_prefix(REGION).and_then(|rest| rest.strip_prefix('_'));
    name == REGION
        || number.is_some_and(|k| k.parse().is_ok_and(|k: usize| k >= 2 && further_region(k) == name))
}
/// Name of the data array with the numbers of geometric entities, in Gmsh files.
pub const ENTITY: &str = "entity";

/// A volume with all its data. The order of vertices, cells and faces is that of the file.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct VolumeData {
    /// Positions of the vertices, in the file's units.
    pub positions: Vec<DVec3>,
    /// The precision of the positions in files.
    pub precision: Precision,
    /// Cells, and faces that the file lists by themselves.
    pub cells: CellList,
    /// Data of vertices: as many rows as there are positions.
    pub point_data: Vec<DataArray>,
    /// Data of cells.
    pub cell_data: Vec<DataArray>,
    /// Data of faces that are listed by themselves.
    pub face_data: Vec<DataArray>,
    /// Names of regions.
    pub regions: Vec<Region>,
    /// The title; empty if there is none.
    pub title: String,
}

impl VolumeData {
    /// A volume without data, of positions in single precision.
    pub fn from_f32(positions: &[Vec3], cells: CellList) -> Self {
        Self { positions: positions.iter().map(|p| p.as_dvec3()).collect(), cells, ..Self::default() }
    }

    /// Data of vertices by its name.
    pub fn points(&self, name: &str) -> Option<&DataArray> {
        self.point_data.iter().find(|array| array.name == name)
    }

    /// Data of cells by its name.
    pub fn of_cells(&self, name: &str) -> Option<&DataArray> {
        self.cell_data.iter().find(|array| array.name == name)
    }

    /// Data of faces by its name.
    pub fn of_faces(&self, name: &str) -> Option<&DataArray> {
        self.face_data.iter().find(|array| array.name == name)
    }

    /// A local origin for single precision, as [`TriangleMesh::local_origin`]: zero if single precision
    /// represents every coordinate exactly.
    pub fn local_origin(&self) -> DVec3 {
        self.vertices_alone().local_origin()
    }

    /// Positions relative to an origin, rounded to single precision.
    pub fn points_around(&self, origin: DVec3) -> Vec<Vec3> {
        self.positions.iter().map(|&position| (position - origin).as_vec3()).collect()
    }

    /// Sets positions from points relative to an origin, one per vertex. A vertex whose point has not changed
    /// keeps its position in double precision. Nothing happens unless there is one point per vertex.
    pub fn move_points_around(&mut self, origin: DVec3, points: &[Vec3]) {
        if points.len() == self.positions.len() {
            for (position, &point) in self.positions.iter_mut().zip(points) {
                if (*position - origin).as_vec3() != point {
                    *position = origin + point.as_dvec3();
                }
            }
        }
    }

    /// The mesh on a device, its positions relative to an origin.
    ///
    /// # Errors
    /// Errors of [`VolumeMesh::new`].
    pub fn upload(&self, device: &Device, origin: DVec3, options: &VolumeOptions) -> Result<VolumeMesh> {
        VolumeMesh::new(device, &self.points_around(origin), &self.cells, options)
    }

    fn vertices_alone(&self) -> TriangleMesh {
        let mut mesh = TriangleMesh::default();
        mesh.positions.clone_from(&self.positions);
        mesh.precision = self.precision;
        mesh
    }
}

/// Coordinates of positions, in their precision.
pub(crate) fn coordinates(positions: &[DVec3], precision: Precision) -> Scalars {
    let all = positions.iter().flat_map(|p| p.to_array());
    match precision {
        Precision::Single => Scalars::F32(all.map(|x| x as f32).collect()),
        Precision::Double => Scalars::F64(all.collect()),
    }
}
