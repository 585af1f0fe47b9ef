//! Distances on a mesh of patches.
use crate::geodesic::{RingByWalks, RingOfAny};
use ribbonmesh::glam::Vec3;
use ribbonmesh::{Attribute, Error, Result, StaticMesh, Vertex};
use ribbonmesh_fields::geodesic::{FlatGeodesic, GeodesicOptions, GeodesicReport, Ring};

/// The neighbours around each vertex of a mesh: one launch, or two where some vertex has no walk around it.
/// Linear in the mesh (quadratic in the faces of one vertex where an edge has more than two faces).
/// # Errors
/// [`Error::TooMany`] for more than 2³² entries; out of memory; errors of the driver.
pub fn ring_of(mesh: &StaticMesh) -> Result<Ring> {
    let (corners, patches) = (mesh.totals().vf, mesh.patches() as u32);
    Ring::written(mesh.device(), mesh.vertices(), corners, |ring| {
        let view = mesh.view();
        if mesh.edge_manifold() {
            mesh.device().launch(patches, RingByWalks { mesh: view, ring })
        } else {
            mesh.device().launch(patches, RingOfAny { mesh: view, ring })
        }
    })
}

/// Distances on one mesh, for repeated runs. It has the ring and the memory of a run, about 140 bytes per
/// vertex.
pub struct Geodesic<'m> {
    mesh: &'m StaticMesh,
    solver: FlatGeodesic<'m>,
}

impl<'m> Geodesic<'m> {
    /// Computes the ring of `mesh` and copies `positions`.
    /// # Errors
    /// [`Error::OtherDevice`] or [`Error::OtherMesh`] if `positions` are not of this mesh;
    /// [`Error::TooMany`]; out of memory; errors of the driver.
    pub fn new(mesh: &'m StaticMesh, positions: &Attribute<Vertex, Vec3>) -> Result<Self> {
        let what = "the attribute of positions";
        if !positions.device().same(mesh.device()) {
            return Err(Error::OtherDevice { what });
        }
        if !positions.belongs_to(mesh) {
            return Err(Error::OtherMesh { what });
        }
        let solver = FlatGeodesic::of_ring(ring_of(mesh)?, positions.buffer(), mesh.vertex_inputs())?;
        Ok(Self { mesh, solver })
    }
    /// As [`FlatGeodesic::run`]; sources are vertex indices of the input.
    /// # Errors
    /// The errors of [`FlatGeodesic::run`].
    pub fn run(&mut self, sources: &[u32], options: &GeodesicOptions) -> Result<GeodesicReport> {
        self.solver.run(sources, options)
    }
    /// As [`FlatGeodesic::level_sets`].
    /// # Errors
    /// The errors of [`FlatGeodesic::level_sets`].
    pub fn level_sets(&mut self, sources: &[u32]) -> Result<()> {
        self.solver.level_sets(sources)
    }
    /// As [`FlatGeodesic::propagate`].
    /// # Errors
    /// The errors of [`FlatGeodesic::propagate`].
    pub fn propagate(&mut self, options: &GeodesicOptions) -> Result<GeodesicReport> {
        self.solver.propagate(options)
    }
    /// As [`FlatGeodesic::trace`].
    /// # Errors
    /// The errors of [`FlatGeodesic::trace`].
    pub fn trace(&mut self) -> Result<usize> {
        self.solver.trace()
    }
    /// The distances of the last run, in the units of the positions; +∞ for vertices that are not connected
    /// with a source.
    /// # Errors
    /// Out of memory; errors of the driver.
    pub fn distances(&self) -> Result<Attribute<Vertex, f32>> {
        let mut distances = Attribute::zeros(self.mesh)?;
        self.solver.write_distances(distances.view_mut())?;
        Ok(distances)
    }
    /// As [`FlatGeodesic::hops`], in the order of the input.
    /// # Errors
    /// Errors of the driver.
    pub fn hops(&self) -> Result<Vec<u32>> {
        self.solver.hops()
    }
    /// Bytes on the device.
    pub fn bytes(&self) -> usize {
        self.solver.bytes()
    }
}

/// Least number of bytes that finding the ring, finding the level sets, and propagation have to read and
/// write; measured times are compared with these.
///
/// The ring: the patches, its entries (4 bytes for each face at a vertex, and for each vertex) and rows (8).
/// The others: coordinates, indices in the input, states and marks of all vertices at the start (52 bytes),
/// the ring once; of each vertex, the list in the order of levels and the marks (24 bytes), or the state,
/// once (20). These bytes do not limit the last two; the time between two iterations does.
pub fn geodesic_floor_bytes(mesh: &StaticMesh) -> [u64; 3] {
    let n = mesh.vertices() as u64;
    let ring = 4 * u64::from(mesh.totals().vf) + 12 * n;
    [mesh.topology_bytes() as u64 + ring, ring + 76 * n, ring + 72 * n]
}
