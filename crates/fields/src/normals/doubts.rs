//! Two passes over patches: a fast one in `f32`, and a careful one in `f64` for the patches that need it.
use ribbonmesh::device::{Block, In, Out};
#[cfg(not(target_arch = "nvptx64"))]
use ribbonmesh::{Attribute, Error, Result, StaticMesh, Vertex, glam::Vec3};

/// Blocks of a careful kernel at most, for each multiprocessor. They stride over the patches, so that
/// doubtful ones, which come in groups, are shared among them.
#[cfg(not(target_arch = "nvptx64"))]
pub const CAREFUL: u32 = 4;

/// Treatment of vertices for which `f32` is not precise enough.
#[derive(Clone, Copy)]
pub enum How<'a> {
    /// Tell in the patch's entry: the kernel needs no registers for `f64`.
    Fast(Out<'a, u32>),
    /// `f64`.
    Careful,
}

/// Runs `f` for those of the block's patches that have doubts: every so many, as there are blocks.
#[inline(always)]
pub fn each_doubtful(block: &Block, patches: u32, doubts: In<'_, u32>, f: impl Fn(u32)) {
    let (first, step) = (block.index(), block.count());
    if !block.any((patches - first).div_ceil(step), |i| doubts.get(first + i * step) != 0) {
        return;
    }
    // no barrier between two: what is still read behind the last one of a patch, its normals on their way, is
    // written again behind the first one of the next
    let mut patch = first;
    while patch < patches {
        if doubts.get(patch) != 0 {
            f(patch);
        }
        patch += step;
    }
}

/// Checks that all belong together, and whether there is a patch: without one, all normals become zero.
/// # Errors
/// [`Error::OtherDevice`]; [`Error::OtherMesh`]; errors of the driver.
#[cfg(not(target_arch = "nvptx64"))]
pub fn have_patches(
    mesh: &StaticMesh,
    positions: &Attribute<Vertex, Vec3>,
    normals: &mut Attribute<Vertex, Vec3>,
) -> Result<bool> {
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
