//! Validation.
use super::error::StoreError;
use super::store::PatchStore;
use crate::fault::Broken;
use crate::validate::stars::ValidateStars;
use crate::validate::{FindingsArguments, ValidatePatches};
use ribbonmesh::device::ElementKind;

/// Counts of validation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoreReport {
    /// Vertices, edges and faces that patches own.
    pub owned: [u32; 3],
    /// Most tables on the way from an element of a ribbon to its owner.
    pub longest_chain: u32,
}

impl PatchStore {
    /// Checks on the device that counts fit, that masks, tables and stashes agree, that every element of a
    /// ribbon has one owner, found in [`MOST_STEPS`](crate::view::MOST_STEPS) steps at most, which has it
    /// with the same vertices and edges, and that every owned element has its whole star in its patch. Two
    /// launches with a block for each patch. Whatever of the store changes is compared before it is used as
    /// an index, so a broken store is an error and no fault of the device.
    /// # Errors
    /// [`StoreError::Broken`] with the first fault in the order of [`Fault::ALL`](crate::Fault::ALL); a patch
    /// that is too large for the shared memory; out of memory; errors of the driver.
    pub fn validate(&self) -> Result<StoreReport, StoreError> {
        let device = self.device();
        let places = |kind| self.places(kind);
        let mut fault = device.upload(&[u64::MAX])?;
        let mut totals = device.upload(&[0, 0, 0, 1])?;
        let mut vertex_edges = device.zeros(places(ElementKind::Vertex))?;
        let mut vertex_faces = device.zeros(places(ElementKind::Vertex))?;
        let mut edge_faces = device.zeros(places(ElementKind::Edge))?;
        for stars in [false, true] {
            let findings = FindingsArguments {
                fault: fault.view_mut(),
                totals: totals.view_mut(),
                vertex_edges: vertex_edges.view_mut(),
                vertex_faces: vertex_faces.view_mut(),
                edge_faces: edge_faces.view_mut(),
            };
            let (patches, store) = (self.patches() as u32, self.view());
            if patches == 0 {
                break;
            }
            if stars {
                device.launch(patches, ValidateStars { store, findings })?;
            } else {
                device.launch(patches, ValidatePatches { store, findings })?;
            }
            if let Some(broken) = Broken::of(fault.read()?[0]) {
                return Err(StoreError::Broken(broken));
            }
        }
        let totals = totals.read()?;
        Ok(StoreReport { owned: [totals[0], totals[1], totals[2]], longest_chain: totals[3] })
    }
}
