//! Vertex normals of patches, host side.
use crate::normals::{
    CarefulByAngle, CarefulByArea, CarefulByMax, NormalsByAngle, NormalsByArea, NormalsByMax,
};
use ribbonmesh::glam::Vec3;
use ribbonmesh::ring::Ring;
use ribbonmesh::{Attribute, Result, StaticMesh, Vertex};
use ribbonmesh_fields::normals::Weight;
use ribbonmesh_fields::normals::doubts::{CAREFUL, have_patches};

type Vectors = Attribute<Vertex, Vec3>;

/// Unit normals of all vertices. Linear in the mesh. One launch, and a short second one that recomputes
/// patches in `f64` for which `f32` is not precise enough.
/// # Errors
/// `OtherDevice` or `OtherMesh` if `positions` are not of this mesh; out of memory; errors
/// of the driver.
pub fn normals_of(mesh: &StaticMesh, positions: &Vectors, weight: Weight) -> Result<Vectors> {
    let mut normals = Vectors::zeros(mesh)?;
    normals_into(mesh, positions, weight, &mut normals)?;
    Ok(normals)
}

/// As [`normals_of`], into an existing attribute.
/// # Errors
/// As [`normals_of`].
pub fn normals_into(
    mesh: &StaticMesh,
    positions: &Vectors,
    weight: Weight,
    normals: &mut Vectors,
) -> Result<()> {
    if !have_patches(mesh, positions, normals)? {
        return Ok(());
    }
    let (device, patches, mesh) = (mesh.device(), mesh.patches() as u32, mesh.view());
    let mut memory = device.unspecified::<u32>(patches as usize)?;
    let x = positions.view();
    macro_rules! run {
        ($fast:ident, $careful:ident) => {{
            device
                .launch(patches, $fast { mesh, x, normals: normals.view_mut(), doubts: memory.view_mut() })?;
            device.launch(
                patches.min(CAREFUL * device.multiprocessors()),
                $careful { mesh, x, normals: normals.view_mut(), doubts: memory.view() },
            )
        }};
    }
    match weight {
        Weight::Area => run!(NormalsByArea, CarefulByArea),
        Weight::Angle => run!(NormalsByAngle, CarefulByAngle),
        Weight::Max => run!(NormalsByMax, CarefulByMax),
    }
}

/// Minimal number of bytes that a launch must read and write, the lower bound for its time.
///
/// The patches' rows, ids and positions (12 bytes) of all vertices that occur, the normals; and EV of the
/// edges (4 bytes) and FE of the faces (6 bytes) around owned vertices, or the ring.
pub fn normals_floor_bytes(mesh: &StaticMesh, ring: Option<&Ring>) -> u64 {
    let t = mesh.totals();
    let (near, owned) = (t.v_near as u64, t.v_owned as u64);
    let topology = match ring {
        Some(ring) => ring.bytes() as u64,
        None => 4 * t.e_near as u64 + 6 * t.f_of_v as u64,
    };
    topology + 12 * near + 4 * (near - owned) + 12 * mesh.vertices() as u64 + 80 * mesh.patches() as u64
}
