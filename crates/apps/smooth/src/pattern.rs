//! Stored neighbours, on the host's side.
use crate::ring::{RingChains, RingLengths, RingView};
use crate::rows::{RowsView, StoreRows};
use ribbonmesh::{Attribute, Buffer, Error, Result, StaticMesh, Vertex};

/// The chains of neighbours around all vertices.
pub struct Ring {
    starts: Attribute<Vertex, u32>,
    chains: Buffer<u16>,
    most: u32,
}
impl Ring {
    /// Finds them: two launches, linear in the mesh (quadratic in the faces of one vertex).
    pub fn new(mesh: &StaticMesh) -> Result<Self> {
        let (device, patches) = (mesh.device(), mesh.patches());
        let mut lengths = device.zeros::<u32>(patches)?;
        device.launch(patches as u32, RingLengths { mesh: mesh.view(), lengths: lengths.view_mut() })?;
        let (mut bases, mut end, mut most) = (vec![0], 0u64, 0);
        for n in lengths.read()? {
            let padded = (n as u64).next_multiple_of(8);
            end += padded;
            most = most.max(padded as u32);
            bases.push(end as u32);
        }
        let limit = u32::MAX as u64;
        if end > limit {
            return Err(Error::TooMany { what: "entries of stored chains", count: end, limit });
        }
        let mut starts = Attribute::zeros(mesh)?;
        let mut chains = device.zeros(end as usize)?;
        let bases = device.upload(&bases)?;
        let kernel = RingChains {
            mesh: mesh.view(),
            bases: bases.view(),
            starts: starts.view_mut(),
            chains: chains.view_mut(),
        };
        device.launch(patches as u32, kernel)?;
        Ok(Self { starts, chains, most })
    }
    pub fn bytes(&self) -> u64 {
        (self.starts.buffer().bytes() + self.chains.bytes()) as u64
    }
    pub fn view(&self) -> RingView<'_> {
        RingView { starts: self.starts.view(), chains: self.chains.view(), most: self.most }
    }
}

/// The rows of VV of all patches, as local indices.
pub struct Rows {
    starts: Buffer<u16>,
    columns: Buffer<u16>,
}
impl Rows {
    /// Finds them: one launch, linear in the mesh (quadratic in the neighbours of one vertex).
    pub fn new(mesh: &StaticMesh) -> Result<Self> {
        let device = mesh.device();
        let entries = mesh.totals().vv as u64 + 8 * mesh.patches() as u64 + 8;
        let limit = u32::MAX as u64;
        if entries > limit {
            return Err(Error::TooMany { what: "entries of a matrix", count: entries, limit });
        }
        let mut rows =
            Self { starts: device.zeros(mesh.vertices())?, columns: device.zeros(entries as usize)? };
        let kernel =
            StoreRows { mesh: mesh.view(), starts: rows.starts.view_mut(), columns: rows.columns.view_mut() };
        device.launch(mesh.patches() as u32, kernel)?;
        Ok(rows)
    }
    /// Places for entries.
    pub fn len(&self) -> usize {
        self.columns.len()
    }
    pub fn bytes(&self) -> u64 {
        (self.starts.bytes() + self.columns.bytes()) as u64
    }
    pub fn view(&self) -> RowsView<'_> {
        RowsView { starts: self.starts.view(), columns: self.columns.view() }
    }
}
