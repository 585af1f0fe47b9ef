//! Normals: the host's part.
use crate::kernels::{
    CAREFUL, CarefulByAngle, CarefulByAngleWithRing, CarefulByArea, CarefulByAreaWithRing, CarefulByMax,
    CarefulByMaxWithRing, NormalsByAngle, NormalsByAngleFlat, NormalsByAngleWithRing, NormalsByArea,
    NormalsByAreaFlat, NormalsByAreaWithRing, NormalsByMax, NormalsByMaxFlat, NormalsByMaxWithRing,
};
use crate::{Ring, Weight};
use ribbonmesh::corners::FlatCornersArguments;
use ribbonmesh::device::tiles;
use ribbonmesh::glam::Vec3;
use ribbonmesh::{Attribute, Buffer, Error, Result, StaticMesh, Vertex, array};

type Vectors = Attribute<Vertex, Vec3>;

/// Computes the unit normals of all vertices. Linear in the mesh. One launch, and a short second one that
/// recomputes in `f64` the patches for which `f32` is not precise enough.
/// # Errors
/// [`Error::OtherDevice`] or [`Error::OtherMesh`] if `positions` are not of this mesh; out of memory; errors
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
    if !prepare(mesh, positions, normals)? {
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

/// As [`normals_of`], from a stored ring. Results differ only by the order in which corners are added.
/// # Errors
/// As [`normals_of`]; [`Error::OtherMesh`] if the ring is not of this mesh.
pub fn normals_with_ring(
    mesh: &StaticMesh,
    ring: &Ring,
    positions: &Vectors,
    weight: Weight,
) -> Result<Vectors> {
    let mut normals = Vectors::zeros(mesh)?;
    normals_with_ring_into(mesh, ring, positions, weight, &mut normals)?;
    Ok(normals)
}

/// As [`normals_with_ring`], into an existing attribute.
/// # Errors
/// As [`normals_with_ring`].
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
    if !prepare(mesh, positions, normals)? {
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

/// Computes the unit normals of all vertices of triangles, three indices each, without edges and patches.
/// Groups the corners by vertex, then one launch; linear in the mesh. The quickest way to the normals of a
/// mesh that is used once; results differ from those of [`normals_of`] only by the order in which corners are
/// added.
/// # Errors
/// [`Error::OtherDevice`]; [`Error::Length`] if the length of `faces` is not a multiple of three;
/// [`Error::Index`] if there is no position for a vertex; out of memory; errors of the driver.
pub fn normals_of_triangles(
    faces: &Buffer<u32>,
    positions: &Buffer<Vec3>,
    weight: Weight,
) -> Result<Buffer<Vec3>> {
    let (device, n) = (faces.device(), positions.len());
    if !positions.device().same(device) {
        return Err(Error::OtherDevice { what: "the positions" });
    }
    if !faces.len().is_multiple_of(3) {
        let expected = faces.len() / 3 * 3;
        return Err(Error::Length { what: "vertices of triangles", expected, found: faces.len() });
    }
    let around = array::group_by(faces, n as u32)?;
    let corners = FlatCornersArguments { faces: faces.view(), corners: around.view() };
    let mut normals = device.unspecified::<Vec3>(n)?;
    let (blocks, x) = (tiles(n as u32), positions.view());
    match weight {
        Weight::Area => {
            device.launch(blocks, NormalsByAreaFlat { corners, x, normals: normals.view_mut() })?;
        }
        Weight::Angle => {
            device.launch(blocks, NormalsByAngleFlat { corners, x, normals: normals.view_mut() })?;
        }
        Weight::Max => device.launch(blocks, NormalsByMaxFlat { corners, x, normals: normals.view_mut() })?,
    }
    Ok(normals)
}

/// Checks that the arguments belong together. Returns whether there is a patch: without one, all normals are
/// set to zero.
fn prepare(mesh: &StaticMesh, positions: &Vectors, normals: &mut Vectors) -> Result<bool> {
    let given = [(positions, "the attribute of positions"), (&*normals, "the attribute for the normals")];
    for (attribute, what) in given {
        if !attribute.device().same(mesh.device()) {
            return Err(Error::OtherDevice { what });
        }
        if !attribute.belongs_to(mesh) {
            return Err(Error::OtherMesh { what });
        }
    }
    if mesh.patches() == 0 {
        normals.fill(Vec3::ZERO)?;
    }
    Ok(mesh.patches() > 0)
}

/// Minimal number of bytes that a launch must read and write, the lower bound for its time.
///
/// The patches' rows, ids and positions (12 bytes) of all vertices that occur, the normals; and EV of the
/// edges (4 bytes) and FE of the faces (6 bytes) around owned vertices, or the ring.
pub fn floor_bytes(mesh: &StaticMesh, ring: Option<&Ring>) -> u64 {
    let t = mesh.totals();
    let (near, owned) = (t.v_near as u64, t.v_owned as u64);
    let topology = match ring {
        Some(ring) => ring.bytes() as u64,
        None => 4 * t.e_near as u64 + 6 * t.f_of_v as u64,
    };
    topology + 12 * near + 4 * (near - owned) + 12 * mesh.vertices() as u64 + 80 * mesh.patches() as u64
}
