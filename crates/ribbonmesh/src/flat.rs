//! Flat topology: the first step of constructing any mesh.
use crate::array::Groups;
use crate::corners::{FlatCornersArguments, FlatMeshArguments};
use crate::kernels::construct::edges::counter;
use crate::kernels::construct::flat::{
    CheckCorners, CountNeighbours, ListNeighbours, MarkLeaders, NumberSides, WholeCorners,
};
use crate::static_mesh::build::edges::{Sides, link};
use crate::static_mesh::build::{Phases, check_faces, check_numbers};
use crate::{Buffer, BuildReport, Device, Error, Result, array};
use ribbonmesh_device::NONE;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Triangles in the order of the input, and the edges that they share, on a device. [`StaticMesh`], which
/// partitions it into patches, and [`DynamicMesh`], which changes it, are both built from this type.
///
/// A *corner* `3 f + i` is vertex `i` of face `f`, and also the side of `f` from that vertex to the next. Any
/// triangles are accepted: edges with more than two faces, faces with the same vertex twice, vertices without
/// faces.
///
/// ```
/// use ribbonmesh::{Device, FlatTopology};
///
/// # fn main() -> ribbonmesh::Result<()> {
/// let square = FlatTopology::new(&Device::auto(), 4, &[[0, 1, 2], [0, 2, 3]])?;
/// assert_eq!((square.edges(), square.boundary_edges()), (5, 4));
/// // across the side from 2 to 0 of the first face is the side from 0 to 2 of the second
/// assert_eq!(square.ring().read()?[2], 3);
/// # Ok(())
/// # }
/// ```
///
/// [`StaticMesh`]: crate::StaticMesh
/// [`DynamicMesh`]: crate::dynamic::DynamicMesh
pub struct FlatTopology {
    device: Device,
    vertices: u32,
    fv: Arc<Buffer<u32>>,
    sides: Sides,
    report: BuildReport,
    /// A number that only this topology has, and its copies on other devices.
    id: u64,
}

/// The edges of a flat topology, numbered in the order of their first corners.
pub struct FlatEdges {
    /// For each corner the dart of its side: twice the index of the edge, plus 1 if the side runs against the
    /// first side of the edge. Shifted right by one bit this is FE.
    pub darts: Buffer<u32>,
    /// EV: the two vertices of each edge, in the direction of its first side.
    pub ends: Buffer<[u32; 2]>,
}

/// The neighbours of each vertex of a flat topology, in a fixed order: by [`FlatTopology::neighbours`]. Faces
/// that have a vertex twice do not count.
pub struct Neighbours {
    /// The index of the first neighbour of each vertex, and the end.
    pub starts: Buffer<u32>,
    /// The neighbours.
    pub vertices: Buffer<u32>,
    /// The first side of the edge to each of them.
    pub sides: Buffer<u32>,
    /// For each vertex 1 if it is on the boundary, else 0.
    pub boundary: Buffer<u32>,
}

impl FlatTopology {
    /// Uploads triangles, each three indices below `vertices`, and finds the sides of each edge. Linear,
    /// except for sorting the sides of vertices with very many faces.
    /// # Errors
    /// [`Error::IndexOutOfRange`], [`Error::TooMany`]; out of memory; errors of the driver.
    pub fn new(device: &Device, vertices: usize, faces: &[[u32; 3]]) -> Result<Self> {
        device.install(|| check_faces(vertices, faces))?;
        let mut phases = Phases::new(device);
        let fv = device.upload::<u32>(bytemuck::cast_slice(faces))?;
        phases.done("upload")?;
        Self::link(device, vertices as u32, fv.into(), phases)
    }
    /// As [`FlatTopology::new`], for triangles on a device: three vertex indices per face.
    /// # Errors
    /// As [`FlatTopology::new`]; [`Error::Length`] if the length of `faces` is not a multiple of three.
    pub fn from_buffer(vertices: usize, faces: Buffer<u32>) -> Result<Self> {
        check_buffer(vertices, &faces)?;
        Self::from_checked(vertices as u32, faces)
    }
    /// The topology of triangles whose vertices are known to exist.
    pub(crate) fn from_checked(vertices: u32, faces: impl Into<Arc<Buffer<u32>>>) -> Result<Self> {
        let faces = faces.into();
        let device = faces.device().clone();
        Self::link(&device, vertices, faces, Phases::new(&device))
    }
    fn link(device: &Device, vertices: u32, fv: Arc<Buffer<u32>>, mut phases: Phases<'_>) -> Result<Self> {
        let sides = link(device, vertices, &fv)?;
        phases.done("edges")?;
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let id = NEXT.fetch_add(1, Ordering::Relaxed);
        Ok(Self { device: device.clone(), vertices, fv, sides, report: phases.report, id })
    }
    /// A copy on another device.
    /// # Errors
    /// Out of memory, or errors of a driver.
    pub fn to_device(&self, device: &Device) -> Result<Self> {
        Ok(Self {
            device: device.clone(),
            vertices: self.vertices,
            fv: self.fv.to_device(device)?.into(),
            sides: Sides {
                leader: self.sides.leader.to_device(device)?,
                ring: self.sides.ring.to_device(device)?,
                counters: self.sides.counters.clone(),
                faces: self.sides.faces,
            },
            report: self.report.clone(),
            id: self.id,
        })
    }

    /// The identity of the topology.
    pub(crate) fn id(&self) -> u64 {
        self.id
    }
    /// The device that holds the topology.
    pub fn device(&self) -> &Device {
        &self.device
    }
    /// Number of vertices, those without faces included.
    pub fn vertices(&self) -> usize {
        self.vertices as usize
    }
    /// Number of edges: unordered pairs of vertices that some face has as a side.
    pub fn edges(&self) -> usize {
        self.count(counter::EDGES)
    }
    /// Number of faces.
    pub fn faces(&self) -> usize {
        self.sides.faces as usize
    }
    /// Number of edges with exactly one face.
    pub fn boundary_edges(&self) -> usize {
        self.count(counter::BOUNDARY)
    }
    /// Number of edges with more than two faces.
    pub fn non_manifold_edges(&self) -> usize {
        self.count(counter::NONMANIFOLD)
    }
    /// Number of edges with two faces of opposite orientation: both sides run in the same direction.
    pub fn inconsistent_edges(&self) -> usize {
        self.count(counter::INCONSISTENT)
    }
    /// Whether some face has a vertex twice.
    pub fn has_degenerate_faces(&self) -> bool {
        self.count(counter::LOOPS) > 0
    }
    fn count(&self, which: u32) -> usize {
        self.sides.counters[which as usize] as usize
    }
    /// FV: three vertices for each face.
    pub fn face_vertices(&self) -> &Buffer<u32> {
        &self.fv
    }
    /// FV, shared: it stays when the topology goes.
    pub fn shared_face_vertices(&self) -> Arc<Buffer<u32>> {
        self.fv.clone()
    }
    /// For each corner, the next corner whose side is the same edge, in a cyclic list; the corner itself if
    /// the edge has one face.
    pub fn ring(&self) -> &Buffer<u32> {
        &self.sides.ring
    }
    /// For each corner, the first corner whose side is the same edge.
    pub fn first_corners(&self) -> &Buffer<u32> {
        &self.sides.leader
    }
    /// Numbers the edges. Two launches and a prefix sum; at least 36 bytes per corner.
    /// # Errors
    /// Out of memory; errors of the driver.
    pub fn number_edges(&self) -> Result<FlatEdges> {
        let (device, corners) = (&self.device, 3 * self.sides.faces);
        let mut numbers = device.unspecified::<u32>(corners as usize)?;
        let leader = self.sides.leader.view();
        device.launch_each(corners, MarkLeaders { leader, marks: numbers.view_mut() })?;
        let edges = array::scan_counts(&mut numbers)?;
        let mut darts = device.unspecified::<u32>(corners as usize)?;
        let mut ends = device.unspecified::<[u32; 2]>(edges as usize)?;
        let number = NumberSides {
            fv: self.fv.view(),
            leader,
            numbers: numbers.view(),
            darts: darts.view_mut(),
            ends: ends.view_mut(),
        };
        device.launch_each(corners, number)?;
        Ok(FlatEdges { darts, ends })
    }
    /// For each vertex its corners, ascending, except for corners of faces that have a vertex twice:
    /// [`FlatCorners`] is how kernels see them. As [`array::group_by`] of the corners' vertices; waits.
    /// # Errors
    /// Out of memory; errors of the driver.
    ///
    /// [`FlatCorners`]: crate::corners::FlatCorners
    pub fn corners_of_vertices(&self) -> Result<Groups> {
        if !self.has_degenerate_faces() {
            return self.all_corners_of_vertices();
        }
        let (n, vertices) = (self.sides.faces, self.vertices);
        let mut keys = self.device.unspecified::<u32>(self.fv.len())?;
        let kernel = WholeCorners { vertices, faces: self.fv.view(), keys: keys.view_mut() };
        self.device.launch_each(n, kernel)?;
        // elements that are left out come last
        Ok(array::group_by(&keys, vertices + 1)?.of_topology(self.id))
    }
    /// As [`FlatTopology::corners_of_vertices`], with the corners of faces that have a vertex twice.
    /// # Errors
    /// As [`FlatTopology::corners_of_vertices`].
    pub fn all_corners_of_vertices(&self) -> Result<Groups> {
        Ok(array::group_by(&self.fv, self.vertices)?.of_topology(self.id))
    }
    /// Lists the neighbours of each vertex; `corners` by [`FlatTopology::corners_of_vertices`]. Two launches
    /// and a prefix sum; waits.
    /// # Errors
    /// [`Error::OtherMesh`] for corners of another topology; out of memory; errors of the driver.
    pub fn neighbours(&self, corners: &Groups) -> Result<Neighbours> {
        let (device, n, mesh) = (&self.device, self.vertices, self.mesh_view(corners)?);
        let mut starts = device.zeros::<u32>(n as usize + 1)?;
        let mut boundary = device.unspecified::<u32>(n as usize)?;
        let count = CountNeighbours { mesh, counts: starts.view_mut(), boundary: boundary.view_mut() };
        device.launch_each(n, count)?;
        let total = array::scan_counts(&mut starts)? as usize;
        let mut vertices = device.unspecified::<u32>(total)?;
        let mut sides = device.unspecified::<u32>(total)?;
        let list = ListNeighbours {
            mesh: self.mesh_view(corners)?,
            starts: starts.view(),
            vertices: vertices.view_mut(),
            sides: sides.view_mut(),
        };
        device.launch_each(n, list)?;
        Ok(Neighbours { starts, vertices, sides, boundary })
    }
    /// The corners of all vertices as an argument of kernels; `corners` by
    /// [`FlatTopology::corners_of_vertices`] or [`FlatTopology::all_corners_of_vertices`].
    /// # Errors
    /// [`Error::OtherMesh`] for corners of another topology, and for groups of anything else.
    pub fn corners_view<'a>(&'a self, corners: &'a Groups) -> Result<FlatCornersArguments<'a>> {
        if corners.topology() != self.id {
            return Err(Error::OtherMesh { what: "the list of corners of each vertex" });
        }
        Ok(FlatCornersArguments { faces: self.fv.view(), corners: corners.view() })
    }
    /// The same with the edges that faces share.
    /// # Errors
    /// As [`FlatTopology::corners_view`].
    pub fn mesh_view<'a>(&'a self, corners: &'a Groups) -> Result<FlatMeshArguments<'a>> {
        Ok(FlatMeshArguments { corners: self.corners_view(corners)?, ring: self.sides.ring.view() })
    }
    pub(crate) fn sides(&self) -> &Sides {
        &self.sides
    }
    /// Phases and times of construction.
    pub fn build_report(&self) -> &BuildReport {
        &self.report
    }
}

/// Refuses the first face of a buffer with a vertex that is not there; waits.
pub(crate) fn check_buffer(vertices: usize, faces: &Buffer<u32>) -> Result<()> {
    let (device, n) = (faces.device().clone(), faces.len() / 3);
    check_numbers(vertices, n)?;
    if !faces.len().is_multiple_of(3) {
        return Err(Error::Length { what: "vertices of triangles", expected: 3 * n, found: faces.len() });
    }
    let mut wrong = device.upload(&[NONE])?;
    let check = CheckCorners { vertices: vertices as u32, fv: faces.view(), wrong: wrong.view_mut() };
    device.launch_each(n as u32, check)?;
    let face = wrong.read()?[0];
    if face != NONE {
        let corners = faces.read_range(3 * face as usize, 3)?;
        let vertex = corners.into_iter().find(|&v| v as usize >= vertices).unwrap_or_default();
        return Err(Error::IndexOutOfRange { face: face as usize, vertex, vertices });
    }
    Ok(())
}
