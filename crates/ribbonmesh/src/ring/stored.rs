//! The stored ring.
use crate::corners::RingViewArguments;
use crate::ring::kernels::{RingChains, RingLengths};
use crate::{Attribute, Buffer, Error, Result, StaticMesh, Vertex};

/// The stored neighbours of each vertex, in the order of its faces. Speeds up repeated computations on the
/// same mesh.
///
/// The ring of an inner vertex of a manifold takes 2 bytes per neighbour plus 6 bytes: about 9 bytes per face
/// in total. A kernel that reads the ring needs neither EV nor FE, nor a transpose.
pub struct Ring {
    starts: Attribute<Vertex, u32>,
    chains: Buffer<u16>,
    most: u32,
}
impl Ring {
    /// Computes the ring: two launches, linear in the mesh (quadratic in the number of faces of a vertex).
    /// # Errors
    /// [`Error::TooMany`] for more than 2³² entries; out of memory; errors of the driver.
    pub fn new(mesh: &StaticMesh) -> Result<Self> {
        let (device, patches) = (mesh.device(), mesh.patches());
        let mut lengths = device.zeros::<u32>(patches)?;
        device.launch(patches as u32, RingLengths { mesh: mesh.view(), lengths: lengths.view_mut() })?;
        let padded: Vec<u64> = lengths.read()?.into_iter().map(|n| (n as u64).next_multiple_of(8)).collect();
        let (count, limit) = (padded.iter().sum::<u64>(), u32::MAX as u64);
        if count > limit {
            return Err(Error::TooMany { what: "entries of a stored ring", count, limit });
        }
        let mut end = 0;
        let mut bases = vec![0];
        for n in &padded {
            end += *n as u32;
            bases.push(end);
        }
        let mut starts = Attribute::zeros(mesh)?;
        let mut chains = device.zeros(count as usize)?;
        let bases = device.upload(&bases)?;
        let kernel = RingChains {
            mesh: mesh.view(),
            bases: bases.view(),
            starts: starts.view_mut(),
            chains: chains.view_mut(),
        };
        device.launch(patches as u32, kernel)?;
        Ok(Self { starts, chains, most: padded.into_iter().max().unwrap_or(0) as u32 })
    }
    /// Bytes on the device.
    pub fn bytes(&self) -> usize {
        self.starts.buffer().bytes() + self.chains.bytes()
    }
    /// Whether the ring belongs to `mesh`.
    pub fn belongs_to(&self, mesh: &StaticMesh) -> bool {
        self.starts.belongs_to(mesh)
    }
    /// The ring as an argument of kernels.
    pub fn view(&self) -> RingViewArguments<'_> {
        RingViewArguments { starts: self.starts.view(), chains: self.chains.view(), most: self.most }
    }
}
