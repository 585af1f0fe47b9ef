//! The stored ring.
use crate::kernels::flat_ring::RingOfTriangles;
use crate::kernels::ring::{NewRingArguments, RingByWalks, RingOfAny, RingViewArguments};
use ribbonmesh::device::{Quad, tiles};
use ribbonmesh::{Buffer, Device, Error, FlatTopology, Result, StaticMesh};

/// The neighbours around each vertex, in global memory: about 24 bytes for each face.
pub struct Ring {
    rows: Buffer<u64>,
    entries: Buffer<Quad>,
}

/// Most faces of a vertex.
const MOST_FACES: u32 = 1024;

impl Ring {
    /// Makes the ring: one launch, or two if some vertex has no walk around it. Linear in the mesh (quadratic
    /// in the faces of one vertex where an edge has more than two faces).
    /// # Errors
    /// [`Error::TooMany`] for more than 2³² entries; out of memory; errors of the driver.
    pub fn new(mesh: &StaticMesh) -> Result<Self> {
        let (corners, patches) = (mesh.totals().vf, mesh.patches() as u32);
        Self::with_room(mesh.device(), mesh.vertices(), corners, |ring| {
            let view = mesh.view();
            if mesh.edge_manifold() {
                mesh.device().launch(patches, RingByWalks { mesh: view, ring })
            } else {
                mesh.device().launch(patches, RingOfAny { mesh: view, ring })
            }
        })
    }
    /// Makes the ring of triangles without patches: groups the corners by vertex, then as [`Ring::new`].
    /// Linear in the corners, also where a vertex has very many faces.
    /// # Errors
    /// As [`Ring::new`]; [`Error::TooMany`] for a vertex of more than 1024 faces: lines pass at most 64
    /// faces, so distances around such a vertex would be far too large.
    pub fn of_triangles(topology: &FlatTopology) -> Result<Self> {
        let (device, n) = (topology.device(), topology.vertices());
        let faces = topology.face_vertices();
        let groups = topology.all_corners_of_vertices()?;
        let starts = groups.starts().read()?;
        let most = starts.windows(2).map(|ends| ends[1] - ends[0]).max().unwrap_or(0);
        if most > MOST_FACES {
            let what = "faces of one vertex for propagated distances (exact ones have no limit)";
            return Err(Error::TooMany { what, count: most.into(), limit: MOST_FACES.into() });
        }
        Self::with_room(device, n, faces.len() as u32, |ring| {
            let mesh = topology.mesh_view(&groups)?;
            device.launch(tiles(n as u32), RingOfTriangles { n: n as u32, mesh, ring })
        })
    }
    /// Runs `write` with room for one entry per corner and, if that is not enough, for two.
    fn with_room(
        device: &Device,
        vertices: usize,
        corners: u32,
        write: impl Fn(NewRingArguments<'_>) -> Result<()>,
    ) -> Result<Self> {
        let mut narrow = device.zeros::<u32>(1)?;
        for room in 1..=2 {
            // the count follows from the starts of the rows in `NewRing::row`
            let count = u64::from(room) * u64::from(corners) + 4 * vertices as u64 + 4;
            let limit = u32::MAX as u64 - 4;
            if count > limit {
                return Err(Error::TooMany { what: "entries of a stored ring", count, limit });
            }
            let mut rows = device.zeros::<u64>(vertices)?;
            let mut entries = device.unspecified::<Quad>(count.div_ceil(4) as usize)?;
            narrow.clear()?;
            let ring = NewRingArguments {
                rows: rows.view_mut(),
                entries: entries.view_mut().wide(),
                room,
                narrow: narrow.view_mut(),
            };
            write(ring)?;
            if narrow.read()? == [0] {
                return Ok(Self { rows, entries });
            }
        }
        Err(Error::Invalid("a ring that does not fit".into()))
    }
    /// Bytes on the device.
    pub fn bytes(&self) -> usize {
        self.rows.bytes() + self.entries.bytes()
    }
    pub(crate) fn view(&self) -> RingViewArguments<'_> {
        RingViewArguments { rows: self.rows.view(), entries: self.entries.view() }
    }
}
