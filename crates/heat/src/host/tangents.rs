//! Tangent planes of vertices on a device, and how vectors turn along edges.
use super::poisson::rows;
use crate::device::carried::Planar;
use crate::device::tangent::{FansArguments, FindFans, LookAlong, WriteAngles, WriteTurns, WriteWays};
use ribbonmesh::device::NONE;
use ribbonmesh::glam::DVec3;
use ribbonmesh::{Buffer, Defect, Device, Error, FlatTopology, Result, array};
use ribbonmesh_intrinsic::Laplacian;
use rustc_hash::FxHashSet;

/// The tangent planes of an oriented manifold, with or without boundary.
///
/// The angles around a vertex inside are scaled to a sum of 2π (Knöppel and others, *Globally optimal
/// direction fields*, 2013); those at a boundary are as they are, so that a plane stays flat.
pub struct Tangents {
    topology: FlatTopology,
    positions: Buffer<DVec3>,
    /// The first corner of each vertex.
    firsts: Buffer<u32>,
    /// The angle of each entry of the Laplacian's rows, in the plane of its row.
    angles: Buffer<f64>,
    /// Two directions for each vertex.
    bases: Buffer<DVec3>,
    turns: Buffer<Planar>,
}

/// An edge as both of its ends see it.
pub struct Sight {
    /// Its direction in the plane of the first end.
    pub there: f64,
    /// Its direction in the plane of the second end.
    pub back: f64,
    /// Its length.
    pub length: f64,
}

impl Tangents {
    /// Sorts the edges around each vertex. `of` is a Laplacian of the triangles as they are. Linear; waits.
    pub fn new(topology: FlatTopology, positions: Buffer<DVec3>, of: &Laplacian) -> Result<Self> {
        let (device, n, entries) = (positions.device().clone(), positions.len(), of.columns().len());
        let mut firsts = device.unspecified::<u32>(n)?;
        let mut wrong = device.upload(&[NONE])?;
        let corners = topology.all_corners_of_vertices()?;
        let mesh = topology.mesh_view(&corners)?;
        let find = FindFans { mesh, firsts: firsts.view_mut(), wrong: wrong.view_mut() };
        device.launch_each(n as u32, find)?;
        drop(corners);
        let vertex = wrong.read()?[0];
        if vertex != NONE {
            return Err(Error::NotManifold(Defect::Vertex { vertex }));
        }
        let (angles, bases) = (device.unspecified(entries)?, device.unspecified(2 * n)?);
        let turns = device.unspecified(entries)?;
        let mut made = Self { topology, positions, firsts, angles, bases, turns };
        let write = WriteAngles {
            fans: fans(&made.topology, &made.firsts),
            positions: made.positions.view(),
            rows: rows(of),
            angles: made.angles.view_mut(),
            bases: made.bases.view_mut(),
        };
        device.launch_each(n as u32, write)?;
        let turns = made.turns.view_mut();
        device.launch_each(n as u32, WriteTurns { rows: rows(of), angles: made.angles.view(), turns })?;
        Ok(made)
    }
    pub fn device(&self) -> &Device {
        self.positions.device()
    }
    pub fn topology(&self) -> &FlatTopology {
        &self.topology
    }
    pub fn positions(&self) -> &Buffer<DVec3> {
        &self.positions
    }
    /// The corners around each vertex.
    pub fn fans(&self) -> FansArguments<'_> {
        fans(&self.topology, &self.firsts)
    }
    /// Two directions at right angles for each vertex, next to each other, that span its plane.
    pub fn bases(&self) -> &Buffer<DVec3> {
        &self.bases
    }
    /// The same of some vertices, on the host.
    pub fn bases_of(&self, vertices: &[u32]) -> Result<Vec<[DVec3; 2]>> {
        let places: Vec<u32> = vertices.iter().flat_map(|v| [2 * v, 2 * v + 1]).collect();
        let found = array::gather(&self.bases, &self.device().upload(&places)?)?.read()?;
        Ok(found.as_chunks::<2>().0.to_vec())
    }
    /// How vectors turn along each entry of the rows.
    pub fn turns(&self) -> &Buffer<Planar> {
        &self.turns
    }
    /// The edge of each entry of the rows as a vector of its row's plane. Does not wait.
    pub fn ways(&self, of: &Laplacian) -> Result<Buffer<Planar>> {
        let mut ways = self.device().unspecified(self.angles.len())?;
        let (angles, positions) = (self.angles.view(), self.positions.view());
        let write = WriteWays { rows: rows(of), angles, positions, ways: ways.view_mut() };
        self.device().launch_each(self.positions.len() as u32, write)?;
        Ok(ways)
    }
    /// The edges between some vertices; `None` where they have none. Waits.
    pub fn sights(&self, of: &Laplacian, ends: &[[u32; 2]]) -> Result<Vec<Option<Sight>>> {
        let device = self.device();
        let (list, mut to) = (device.upload(ends)?, device.unspecified::<f64>(3 * ends.len())?);
        let look = LookAlong {
            rows: rows(of),
            angles: self.angles.view(),
            positions: self.positions.view(),
            ends: list.view(),
            to: to.view_mut(),
        };
        device.launch_each(ends.len() as u32, look)?;
        let sight =
            |&[there, back, length]: &[f64; 3]| (!there.is_nan()).then_some(Sight { there, back, length });
        Ok(to.read()?.as_chunks::<3>().0.iter().map(sight).collect())
    }
}

fn fans<'a>(topology: &'a FlatTopology, firsts: &'a Buffer<u32>) -> FansArguments<'a> {
    FansArguments {
        faces: topology.face_vertices().view(),
        ring: topology.ring().view(),
        firsts: firsts.view(),
    }
}

/// An error unless each edge has one face, or two with the same orientation, and no face has a vertex twice.
pub fn check(of: &FlatTopology) -> Result<()> {
    if !of.has_degenerate_faces() && of.non_manifold_edges() == 0 && of.inconsistent_edges() == 0 {
        return Ok(());
    }
    let faces = of.face_vertices().read()?;
    let faces = faces.as_chunks::<3>().0;
    if let Some(face) = faces.iter().position(|&[a, b, c]| a == b || b == c || c == a) {
        return Err(Error::NotManifold(Defect::Face { face: face as u32 }));
    }
    let mut sides = FxHashSet::default();
    let mut each = faces.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
    let [a, b] = each.find(|side| !sides.insert(*side)).unwrap_or_default();
    Err(Error::NotManifold(Defect::Edge { ends: [a.min(b), a.max(b)] }))
}
