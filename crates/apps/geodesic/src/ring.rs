//! The stored ring.
use crate::kernels::ring::{NewRingArguments, RingByWalks, RingOfAny, RingViewArguments};
use ribbonmesh::device::Quad;
use ribbonmesh::{Buffer, Error, Result, StaticMesh};

/// The neighbours around each vertex, in global memory: about 24 bytes for each face.
pub struct Ring {
    rows: Buffer<u64>,
    entries: Buffer<Quad>,
}

impl Ring {
    /// Finds it: one launch, or two where some vertex has no walk around it. Linear in the mesh (quadratic in the
    /// faces of one vertex where an edge has more than two faces).
    /// # Errors
    /// [`Error::TooMany`] for more than 2³² entries; out of memory; errors of the driver.
    pub fn new(mesh: &StaticMesh) -> Result<Self> {
        let device = mesh.device();
        let mut narrow = device.zeros::<u32>(1)?;
        for room in 1..=2 {
            // as many as the rows' first places allow, see `NewRing::write`
            let count = room as u64 * mesh.totals().vf as u64 + 4 * mesh.vertices() as u64 + 4;
            let limit = u32::MAX as u64 - 4;
            if count > limit {
                return Err(Error::TooMany { what: "entries of a stored ring", count, limit });
            }
            let mut rows = device.zeros::<u64>(mesh.vertices())?;
            let mut entries = device.unspecified::<Quad>(count.div_ceil(4) as usize)?;
            narrow.clear()?;
            let ring = NewRingArguments {
                rows: rows.view_mut(),
                entries: entries.view_mut().wide(),
                room,
                narrow: narrow.view_mut(),
            };
            let (patches, mesh) = (mesh.patches() as u32, mesh.view());
            if mesh.edge_manifold() {
                device.launch(patches, RingByWalks { mesh, ring })?;
            } else {
                device.launch(patches, RingOfAny { mesh, ring })?;
            }
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
