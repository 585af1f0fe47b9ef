//! Checking a dynamic mesh.
use super::mesh::DynamicMesh;
use ribbonmesh::device::{NONE, tiles};
use ribbonmesh::{Error, Result};
use ribbonmesh_dynamic_kernels::elements::{CountCorners, ValidateElements, ValidateVertices, fault};

impl DynamicMesh {
    /// Checks that faces, darts and half-edges agree, that no face has a deleted vertex or one twice, that each
    /// vertex has one fan of faces and no neighbour twice, and that no cavity is left over. Quadratic in the valence.
    /// # Errors
    /// [`Error::Invalid`] names the first element of each kind of fault; out of memory; what the driver says.
    pub fn validate(&mut self) -> Result<()> {
        self.write_control()?;
        let device = self.device.clone();
        let mut faults = device.upload(&[NONE; fault::COUNT as usize])?;
        let blocks = tiles(self.ids.iter().copied().max().unwrap_or(0));
        device.launch(blocks, ValidateElements { mesh: self.view(), faults: faults.view_mut() })?;
        report(&faults.read()?)?;
        self.refresh_vertices()?;
        let mut corners = device.zeros::<u32>(self.ids[0] as usize)?;
        device.launch(blocks, CountCorners { mesh: self.view(), corners: corners.view_mut() })?;
        let check =
            ValidateVertices { mesh: self.view(), corners: corners.view(), faults: faults.view_mut() };
        device.launch(blocks, check)?;
        report(&faults.read()?)
    }
}

fn report(faults: &[u32]) -> Result<()> {
    let texts = [
        (fault::FACE, "a side of face {} is not that of its dart"),
        (fault::EDGE, "a half-edge of edge {} is not one of it"),
        (fault::ENDS, "the sides of edge {} have different ends"),
        (fault::VERTEX, "face {} has a vertex twice, or one that is deleted"),
        (fault::FAN, "the faces at vertex {} are not one fan"),
        (fault::DOUBLE, "vertex {} has two edges to one neighbour"),
        (fault::PLACE, "the cavity at seed {} was left over"),
    ];
    let found: Vec<_> = texts
        .iter()
        .filter(|(kind, _)| faults[*kind as usize] != NONE)
        .map(|(kind, text)| text.replace("{}", &faults[*kind as usize].to_string()))
        .collect();
    if found.is_empty() { Ok(()) } else { Err(Error::Invalid(found.join("; "))) }
}
