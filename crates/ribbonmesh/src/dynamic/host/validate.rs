//! Checking a dynamic mesh.
use super::mesh::DynamicMesh;
use crate::device::{NONE, tiles};
use crate::dynamic::kernels::elements::{CountCorners, ValidateElements, ValidateVertices, fault};
use crate::{Error, MeshFault, Result};

impl DynamicMesh {
    /// Checks that faces, darts and half-edges agree, that no face has a deleted vertex or the same vertex
    /// twice, that the faces of each vertex form one fan, that no vertex has two edges to the same neighbour,
    /// and that no cavity is unfinished. Quadratic in the valence.
    /// # Errors
    /// [`Error::BrokenMesh`] names the first element of each kind of fault; out of memory; errors of the
    /// driver.
    pub fn validate(&mut self) -> Result<()> {
        self.write_control()?;
        let device = self.device.clone();
        let mut faults = device.upload(&[NONE; fault::COUNT as usize])?;
        let blocks = tiles(self.ids.iter().copied().max().unwrap_or(0));
        device.launch(blocks, ValidateElements { rounds: self.rounds(), faults: faults.view_mut() })?;
        report(&faults.read()?)?;
        self.refresh_vertices()?;
        let mut corners = device.zeros::<u32>(self.ids[0] as usize)?;
        device.launch(blocks, CountCorners { rounds: self.rounds(), corners: corners.view_mut() })?;
        let check =
            ValidateVertices { rounds: self.rounds(), corners: corners.view(), faults: faults.view_mut() };
        device.launch(blocks, check)?;
        report(&faults.read()?)
    }
}

fn report(faults: &[u32]) -> Result<()> {
    type Fault = (u32, fn(u32) -> MeshFault);
    let kinds: [Fault; fault::COUNT as usize] = [
        (fault::FACE, MeshFault::Face),
        (fault::EDGE, MeshFault::Edge),
        (fault::ENDS, MeshFault::Ends),
        (fault::VERTEX, MeshFault::Vertex),
        (fault::FAN, MeshFault::Fan),
        (fault::DOUBLE, MeshFault::DuplicateEdge),
        (fault::PLACE, MeshFault::Unfinished),
    ];
    let first = |kind: u32| Some(faults[kind as usize]).filter(|element| *element != NONE);
    let found: Vec<_> = kinds.iter().filter_map(|(kind, fault)| first(*kind).map(fault)).collect();
    if found.is_empty() { Ok(()) } else { Err(Error::BrokenMesh { faults: found, after: None }) }
}
