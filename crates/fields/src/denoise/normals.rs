//! Vertex normals from a stored ring, host side.
use crate::denoise::ring_normals::{
    CarefulByAngleWithRing, CarefulByAreaWithRing, CarefulByMaxWithRing, NormalsByAngleWithRing,
    NormalsByAreaWithRing, NormalsByMaxWithRing,
};
use crate::normals::Weight;
use crate::normals::doubts::{CAREFUL, have_patches};
use ribbonmesh::glam::Vec3;
use ribbonmesh::ring::Ring;
use ribbonmesh::{Attribute, Error, Result, StaticMesh, Vertex};

type Vectors = Attribute<Vertex, Vec3>;

/// Writes unit normals of all vertices to `normals`, which bilateral denoising needs in every iteration.
/// Linear in the mesh. One launch, and a short second one that recomputes patches in `f64` for which `f32` is
/// not precise enough.
/// # Errors
/// [`Error::OtherDevice`] or [`Error::OtherMesh`] if positions, normals or ring are not of this mesh; out of
/// memory; errors of the driver.
pub fn normals_with_ring_into(
    mesh: &StaticMesh,
    ring: &Ring,
    positions: &Vectors,
    weight: Weight,
    normals: &mut Vectors,
) -> Result<()> {
    if !ring.belongs_to(mesh) {
        return Err(Error::OtherMesh { what: "the stored ring" });
    }
    if !have_patches(mesh, positions, normals)? {
        return Ok(());
    }
    let (device, patches, mesh, ring) = (mesh.device(), mesh.patches() as u32, mesh.view(), ring.view());
    let mut memory = device.unspecified::<u32>(patches as usize)?;
    let x = positions.view();
    macro_rules! run {
        ($fast:ident, $careful:ident) => {{
            device.launch(
                patches,
                $fast { mesh, ring, x, normals: normals.view_mut(), doubts: memory.view_mut() },
            )?;
            device.launch(
                patches.min(CAREFUL * device.multiprocessors()),
                $careful { mesh, ring, x, normals: normals.view_mut(), doubts: memory.view() },
            )
        }};
    }
    match weight {
        Weight::Area => run!(NormalsByAreaWithRing, CarefulByAreaWithRing),
        Weight::Angle => run!(NormalsByAngleWithRing, CarefulByAngleWithRing),
        Weight::Max => run!(NormalsByMaxWithRing, CarefulByMaxWithRing),
    }
}
