//! Colours of faces by patch.
use ribbonmesh::{Result, StaticMesh};
use ribbonmesh_io::TriangleMesh;
use ribbonmesh_render::{PATCH_PALETTE, Rgb, patch_colours, tint};

/// A colour per face of the input.
pub type PatchColours = Vec<Rgb>;

/// The amount by which ribbons are lighter.
const RIBBON: f32 = 0.6;

/// A colour per face; with `ribbons`, lighter where the face is in the ribbon of another patch.
pub fn of(mesh: &StaticMesh, input: &TriangleMesh, ribbons: bool) -> Result<PatchColours> {
    let patch_of = mesh.face_patches()?;
    let count = PATCH_PALETTE.len();
    let colours = patch_colours(input.positions.len(), &input.faces, &patch_of, mesh.patches(), count);
    let mut of_faces: Vec<Rgb> =
        patch_of.iter().map(|&patch| PATCH_PALETTE[colours[patch as usize]]).collect();
    if ribbons {
        let mut in_ribbon = vec![false; of_faces.len()];
        for face in mesh.ribbon_faces()?.into_iter().flatten() {
            in_ribbon[face as usize] = true;
        }
        for (colour, in_ribbon) in of_faces.iter_mut().zip(in_ribbon) {
            if in_ribbon {
                *colour = tint(*colour, RIBBON);
            }
        }
    }
    Ok(of_faces)
}
