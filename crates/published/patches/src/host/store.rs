//! Distances on a store of patches.
use crate::store::RingOfStore;
use ribbonmesh::device::ElementKind;
use ribbonmesh::glam::Vec3;
use ribbonmesh::{Error, Vertex};
use ribbonmesh_dynamic::{PatchAttribute, PatchStore, StoreError};
use ribbonmesh_fields::geodesic::{FlatGeodesic, GeodesicOptions, GeodesicReport, Ring};

/// Distances on a store as it is now, for repeated runs (thesis 5.4.1). It has the ring and the memory of a
/// run, about 140 bytes for each place of a vertex.
pub struct StoreGeodesic<'s> {
    store: &'s PatchStore,
    solver: FlatGeodesic<'s>,
}

impl<'s> StoreGeodesic<'s> {
    /// Computes the ring of a store, and copies positions: one launch, or two where some vertex has no walk
    /// around it. Linear in the store (quadratic in the faces of one vertex).
    /// # Errors
    /// [`StoreError::OtherStore`] for positions of another store; a patch that is too large for the shared
    /// memory; [`Error::TooMany`] for more than 2³² entries; out of memory; errors of the driver.
    pub fn new(store: &'s PatchStore, x: &PatchAttribute<Vertex, Vec3>) -> Result<Self, StoreError> {
        x.require(store)?;
        let [vertices, faces] = [ElementKind::Vertex, ElementKind::Face].map(|kind| store.places(kind));
        let corners = 3 * faces as u32;
        let (device, patches) = (store.device(), store.patches() as u32);
        let ring = Ring::written(device, vertices, corners, |ring| match patches {
            0 => Ok(()),
            _ => device.launch(patches, RingOfStore { store: store.view(), ring }),
        })?;
        Ok(Self { store, solver: FlatGeodesic::of_ring(ring, x.buffer(), store.vertex_inputs())? })
    }
    /// As [`FlatGeodesic::run`]; sources are vertices of the input. One that is deleted reaches nothing.
    /// # Errors
    /// [`Error::Option`] for a source that the input does not have; the errors of [`FlatGeodesic::run`].
    pub fn run(&mut self, sources: &[u32], options: &GeodesicOptions) -> Result<GeodesicReport, StoreError> {
        let vertices = self.store.input_count(ElementKind::Vertex);
        if let Some(v) = sources.iter().find(|&&v| v as usize >= vertices) {
            let expected = "the index of a vertex of the input";
            return Err(Error::Option { option: "source", value: v.to_string(), expected }.into());
        }
        Ok(self.solver.run(sources, options)?)
    }
    /// The distances of the last run by place, in the units of the positions; +∞ for vertices that are not
    /// connected with a source, and where there is no vertex.
    /// # Errors
    /// Out of memory; errors of the driver.
    pub fn distances(&self) -> Result<PatchAttribute<Vertex, f32>, StoreError> {
        let mut distances = PatchAttribute::zeros(self.store)?;
        self.solver.write_distances(distances.buffer_mut().view_mut())?;
        Ok(distances)
    }
    /// Bytes on the device.
    pub fn bytes(&self) -> usize {
        self.solver.bytes()
    }
}
