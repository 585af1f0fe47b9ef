//! Faces and their neighbours in flat arrays: the host's part.
use crate::denoise::faces::{CountAround, FacesArguments, FacesOfCorners, ListAround};
use crate::denoise::kernels::SortRows;
use crate::denoise::rows::VvRowsArguments;
use ribbonmesh::device::tiles;
use ribbonmesh::{Buffer, Error, FlatTopology, Neighbours, Op, Result, StaticMesh, array};

/// Rows of ids.
pub struct FlatRows {
    offsets: Buffer<u32>,
    values: Buffer<u32>,
}
impl FlatRows {
    /// Runs a query and sorts its rows, so that their order is the same in every run. Two launches.
    pub fn of(mesh: &StaticMesh, op: Op) -> Result<Self> {
        let (device, found) = (mesh.device(), mesh.query(op)?);
        let Some(offsets) = found.offsets() else {
            return Err(Error::Invalid(format!("{op:?} without offsets")));
        };
        let (offsets, n) = (offsets.try_clone()?, found.rows() as u32);
        let mut values = device.unspecified(found.values().len())?;
        let rows = VvRowsArguments { offsets: offsets.view(), values: found.values().view() };
        device.launch_each(n, SortRows { rows, sorted: values.view_mut() })?;
        Ok(Self { offsets, values })
    }
    pub fn view(&self) -> VvRowsArguments<'_> {
        VvRowsArguments { offsets: self.offsets.view(), values: self.values.view() }
    }
    /// Bytes on the device.
    pub fn bytes(&self) -> usize {
        self.offsets.bytes() + self.values.bytes()
    }
}

/// The faces of a mesh, those of each vertex, and the neighbours of each vertex.
pub struct Adjacency {
    faces: u32,
    corners: Buffer<u32>,
    of_vertices: FlatRows,
    /// The neighbours of each vertex.
    pub neighbours: FlatRows,
}
impl Adjacency {
    /// Runs three queries.
    pub fn new(mesh: &StaticMesh) -> Result<Self> {
        Ok(Self {
            faces: mesh.faces() as u32,
            corners: mesh.query(Op::FV)?.into_values(),
            of_vertices: FlatRows::of(mesh, Op::VF)?,
            neighbours: FlatRows::of(mesh, Op::VV)?,
        })
    }
    /// The adjacency of a mesh without patches, and flags of the vertices on its boundary. Faces that have a
    /// vertex twice have corners, but count for no vertex. Groups the corners by vertex, then four launches
    /// and a prefix sum.
    pub fn of_triangles(topology: &FlatTopology) -> Result<(Self, Buffer<u32>)> {
        let device = topology.device();
        let around = topology.corners_of_vertices()?;
        let Neighbours { starts, vertices, boundary, .. } = topology.neighbours(&around)?;
        let neighbours = FlatRows { offsets: starts, values: vertices };
        let mut values = device.unspecified(around.places().len())?;
        let faces = FacesOfCorners { corners: around.places().view(), to: values.view_mut() };
        device.launch(tiles(around.places().len() as u32), faces)?;
        let of_vertices = FlatRows { offsets: around.starts().try_clone()?, values };
        let corners = topology.face_vertices().try_clone()?;
        Ok((Self { faces: topology.faces() as u32, corners, of_vertices, neighbours }, boundary))
    }
    pub fn view(&self) -> FacesArguments<'_> {
        FacesArguments { n: self.faces, corners: self.corners.view(), of_vertices: self.of_vertices.view() }
    }
    /// The vertices of the faces, three for each.
    pub fn corners(&self) -> &Buffer<u32> {
        &self.corners
    }
    /// Finds the faces around each face. Two launches and a prefix sum.
    pub fn around(&self) -> Result<FlatRows> {
        let (device, n) = (self.corners.device(), self.faces);
        let mut offsets = device.zeros(n as usize + 1)?;
        device.launch(tiles(n), CountAround { faces: self.view(), counts: offsets.view_mut() })?;
        let total = array::exclusive_scan(&mut offsets).map_err(|error| match error {
            Error::TooMany { count, limit, .. } => {
                Error::TooMany { what: "neighbours of faces", count, limit }
            }
            other => other,
        })?;
        let mut values = device.unspecified(total as usize)?;
        let list = ListAround { faces: self.view(), offsets: offsets.view(), to: values.view_mut() };
        device.launch(tiles(n), list)?;
        Ok(FlatRows { offsets, values })
    }
    /// Bytes on the device.
    pub fn bytes(&self) -> usize {
        self.corners.bytes() + self.of_vertices.bytes() + self.neighbours.bytes()
    }
}
