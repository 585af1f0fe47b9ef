//! Patches in terms of the input, for pictures and inspection.
use crate::{Device, Result, StaticMesh};
use ribbonmesh_device::{ElementKind, ResolveRibbon};

impl StaticMesh {
    /// For each face of the input, the patch that owns it.
    /// # Errors
    /// Errors of the driver.
    pub fn face_patches(&self) -> Result<Vec<u32>> {
        let (firsts, inputs) = (self.patch_firsts(ElementKind::Face)?, self.face_inputs().read()?);
        let mut patches = vec![0; inputs.len()];
        for (patch, ids) in (0..).zip(firsts.windows(2)) {
            for &face in &inputs[ids[0] as usize..ids[1] as usize] {
                patches[face as usize] = patch;
            }
        }
        Ok(patches)
    }
    /// For each patch, the faces in its ribbon (thesis 4.2.2.5), as indices of the input. Copies the topology
    /// to the host.
    /// # Errors
    /// Errors of the driver.
    pub fn ribbon_faces(&self) -> Result<Vec<Vec<u32>>> {
        let inputs = self.face_inputs().read()?;
        let host = self.to_device(&Device::cpu())?;
        let Some(view) = host.view().on_host() else { return Ok(vec![]) };
        let ribbon = |patch| {
            let patch = view.patch(patch);
            let locals = patch.counts.f_owned..patch.counts.f_all;
            locals.map(|local| inputs[patch.f.global(local) as usize]).collect()
        };
        Ok((0..view.patches).map(ribbon).collect())
    }
}
