//! The stored ring.
use crate::geodesic::kernels::flat_ring::RingOfTriangles;
use crate::geodesic::stored::{NewRingArguments, RingViewArguments};
use ribbonmesh::device::{Quad, tiles};
use ribbonmesh::{Buffer, Device, Error, FlatTopology, Result};

/// The neighbours around each vertex, in global memory: about 24 bytes for each face.
pub struct Ring {
    rows: Buffer<u64>,
    entries: Buffer<Quad>,
}

/// Most faces of a vertex.
const MOST_FACES: u32 = 1024;

/// Refuses vertices of too many faces, of which `most` is the greatest number.
pub(crate) fn check_faces_of_vertices(most: u32) -> Result<()> {
    if most > MOST_FACES {
        let what = "faces of one vertex for propagated distances (exact ones have no limit)";
        return Err(Error::TooMany { what, count: most.into(), limit: MOST_FACES.into() });
    }
    Ok(())
}

impl Ring {
    /// Finds it: groups the corners by vertex, then one launch, or two where some vertex has no walk around
    /// it. Linear in the corners.
    /// # Errors
    /// [`Error::TooMany`] for more than 2³² entries, or for a vertex of more than 1024 faces: lines pass 64
    /// faces at most, and around such a vertex distances would be far too large; out of memory; errors of the
    /// driver.
    pub fn of_triangles(topology: &FlatTopology) -> Result<Self> {
        let (device, n) = (topology.device(), topology.vertices());
        let faces = topology.face_vertices();
        let groups = topology.all_corners_of_vertices()?;
        let starts = groups.starts().read()?;
        let most = starts.windows(2).map(|ends| ends[1] - ends[0]).max().unwrap_or(0);
        check_faces_of_vertices(most)?;
        Self::written(device, n, faces.len() as u32, |ring| {
            let mesh = topology.mesh_view(&groups)?;
            device.launch(tiles(n as u32), RingOfTriangles { n: n as u32, mesh, ring })
        })
    }
    /// The ring that `write` writes: with room for one entry of each corner and, if that does not do, for
    /// two.
    /// # Errors
    /// [`Error::TooMany`] for more than 2³² entries; those of `write`; out of memory; errors of the driver.
    pub fn written(
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
