//! Plane sections of a volume.
use super::error::Result;
use super::mesh::VolumeMesh;
use super::relation::Relation;
use super::tcsr::{Tcsr, count};
use crate::device::slice::{
    CountSlice, Cut, CutEdges, CutMeshArguments, CutValues, FillSlice, MarkCutEdges, MeasureVertices,
};
use glam::Vec3;
use ribbonmesh::{Buffer, Device, Error, array};

/// The points whose product with a normal is an offset.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane {
    /// The normal, of any length but 0.
    pub normal: Vec3,
    /// The offset: the distance of the plane from the origin along the normal, times the normal's length.
    pub offset: f64,
}

/// The section of a volume by a plane, as triangles: a polygon for each cell that is cut.
///
/// Its vertices are the points where the plane meets edges of the volume, numbered as the edges are;
/// triangles of a cell follow each other, in the order of cells. Seen from where the normal points to, they
/// are counter-clockwise, where cells are not inverted. A polygon is a fan around one of its points, which is
/// right where the section of the cell is convex. Vertices of the volume that are on the plane count as
/// beyond it: a plane along faces between two cells cuts the cell below it, and a plane that only touches the
/// volume from below cuts nothing.
pub struct VolumeSlice {
    x: Buffer<Vec3>,
    corners: Buffer<u32>,
    ends: Buffer<u32>,
    shares: Buffer<f32>,
    cells: Buffer<u32>,
    vertices: usize,
}

impl VolumeMesh {
    /// The section by a plane. Two launches over the edges, one over the vertices, two over the cells, two
    /// prefix sums; waits twice. The same bits on every machine.
    /// # Errors
    /// [`Error::Option`] for a plane without a direction or with numbers that are not finite;
    /// [`Error::TooMany`] beyond 2³¹ corners; out of memory; errors of the driver.
    pub fn slice(&self, plane: &Plane) -> Result<VolumeSlice> {
        let normal = plane.normal.to_array();
        if !(plane.normal.is_finite() && plane.offset.is_finite() && normal != [0.0; 3]) {
            let value = format!("{normal:?}, {}", plane.offset);
            let expected = "a normal that is not 0, and an offset, both finite";
            return Err(Error::Option { option: "slice", value, expected }.into());
        }
        let (device, n) = (self.device(), self.edges() as u32);
        let of = |relation| self.relation(relation);
        let (ev, fe, cf) = (of(Relation::EV)?, of(Relation::FE)?, of(Relation::CF)?);
        let x = self.positions();
        let mut beyond = device.unspecified::<f64>(self.vertices())?;
        let cut = Cut { offset: plane.offset, normal, padding: 0 };
        let measure = MeasureVertices { cut, x: x.view(), to: beyond.view_mut() };
        device.launch_each(self.vertices() as u32, measure)?;
        let mut numbers = device.zeros::<u32>(n as usize + 1)?;
        let mark = MarkCutEdges { ev: ev.view(), beyond: beyond.view(), flags: numbers.view_mut() };
        device.launch_each(n, mark)?;
        let points = array::exclusive_scan(&mut numbers)? as usize;
        let mut ends = device.unspecified::<u32>(2 * points)?;
        let mut shares = device.unspecified::<f32>(points)?;
        let mut places = device.unspecified::<Vec3>(points)?;
        let edges = CutEdges {
            ev: ev.view(),
            numbers: numbers.view(),
            beyond: beyond.view(),
            x: x.view(),
            ends: ends.view_mut(),
            shares: shares.view_mut(),
            places: places.view_mut(),
        };
        device.launch_each(n, edges)?;
        let relations = [ev, fe, cf];
        let n = self.cells() as u32;
        let mut starts = device.zeros::<u32>(n as usize + 1)?;
        device.launch_each(
            n,
            CountSlice { mesh: cut_mesh(relations, &numbers, &beyond), counts: starts.view_mut() },
        )?;
        let triangles = array::exclusive_scan(&mut starts)? as usize;
        count("corners of the slice", triangles.saturating_mul(3))?;
        let mut corners = device.unspecified::<u32>(3 * triangles)?;
        let mut cells = device.unspecified::<u32>(triangles)?;
        let (starts, corners_to) = (starts.view(), corners.view_mut());
        let fill = FillSlice {
            mesh: cut_mesh(relations, &numbers, &beyond),
            starts,
            corners: corners_to,
            cells: cells.view_mut(),
        };
        device.launch_each(n, fill)?;
        Ok(VolumeSlice { x: places, corners, ends, shares, cells, vertices: self.vertices() })
    }
}

fn cut_mesh<'a>(
    [ev, fe, cf]: [&'a Tcsr; 3],
    numbers: &'a Buffer<u32>,
    beyond: &'a Buffer<f64>,
) -> CutMeshArguments<'a> {
    let (numbers, beyond) = (numbers.view(), beyond.view());
    CutMeshArguments { ev: ev.view(), fe: fe.view(), cf: cf.view(), numbers, beyond }
}

impl VolumeSlice {
    /// The device that holds it.
    pub fn device(&self) -> &Device {
        self.corners.device()
    }
    /// The number of triangles.
    pub fn triangles(&self) -> usize {
        self.cells.len()
    }
    /// Positions of the slice's vertices.
    pub fn positions(&self) -> &Buffer<Vec3> {
        &self.x
    }
    /// Three vertices for each triangle, as numbers of the slice.
    pub fn corners(&self) -> &Buffer<u32> {
        &self.corners
    }
    /// For each triangle the cell of the volume.
    pub fn volume_cells(&self) -> &Buffer<u32> {
        &self.cells
    }
    /// For each vertex the two vertices of the volume between which it is.
    pub fn volume_vertices(&self) -> &Buffer<u32> {
        &self.ends
    }
    /// For each vertex the share of the second of [`VolumeSlice::volume_vertices`].
    pub fn shares(&self) -> &Buffer<f32> {
        &self.shares
    }
    /// Values of the slice's vertices, linear between those of the volume's. Does not wait.
    /// # Errors
    /// [`Error::Length`] for another number of values than the volume has vertices; [`Error::OtherDevice`];
    /// out of memory; errors of the driver.
    pub fn of_vertices(&self, values: &Buffer<f32>) -> Result<Buffer<f32>> {
        if values.len() != self.vertices {
            let (what, expected, found) = ("values of vertices", self.vertices, values.len());
            return Err(Error::Length { what, expected, found }.into());
        }
        if !values.device().same(self.device()) {
            return Err(Error::OtherDevice { what: "the buffer of values" }.into());
        }
        let mut to = self.device().unspecified::<f32>(self.x.len())?;
        let (ends, shares) = (self.ends.view(), self.shares.view());
        let interpolate = CutValues { ends, shares, values: values.view(), to: to.view_mut() };
        self.device().launch_each(self.x.len() as u32, interpolate)?;
        Ok(to)
    }
}

impl std::fmt::Debug for VolumeSlice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "VolumeSlice of {} triangles on {:?}", self.triangles(), self.device())
    }
}
