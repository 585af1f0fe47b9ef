//! Kernels of normals.
use crate::normals::corner::{Angle, Area, Max, Weighting};
use crate::normals::row;
use glam::Vec3;
use ribbonmesh::corners::{FlatCorners, Points};
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope::Device};
use ribbonmesh::device::{Block, In, Out, kernel};

/// The word of what kernels find out that counts vertices without a normal.
pub const WITHOUT: u32 = 1;

/// Positions of vertices of which some may not exist: the host finds such a face only after the launch, and
/// drops what was computed. It is computed from the last vertex then.
#[derive(Clone, Copy)]
struct Within<'a>(In<'a, Vec3>);
impl Points for Within<'_> {
    #[inline(always)]
    fn at(&self, vertex: u32) -> Vec3 {
        let last = self.0.len() as u32 - 1;
        self.0.get(if vertex < last { vertex } else { last })
    }
}

/// Computes the normals of all vertices; in `f64` where `f32` is not precise enough. Counts zeros.
#[inline(always)]
fn flat<W: Weighting>(
    block: &Block,
    corners: FlatCorners<'_>,
    x: In<'_, Vec3>,
    normals: Out<'_, Vec3>,
    found: Out<'_, u32>,
) {
    let x = Within(x);
    block.for_each_of_tile(normals.len() as u32, |v| {
        let around = corners.of(v);
        let normal = match row::normal::<W>(around, x, v) {
            Some(n) => n,
            None => row::careful_normal::<W>(around, x, v),
        };
        normals.set(v, normal);
        if normal == Vec3::ZERO {
            atomic::fetch_add(found, WITHOUT, 1, Relaxed, Device);
        }
    });
}

macro_rules! kernels { ($($w:ident $flat:ident $doc:literal;)*) => { $(
    #[doc = concat!("Unit normals of all vertices, weighted ", $doc, ". Counts zeros. Blocks: tiles.")]
    #[kernel(threads = 128)]
    pub fn $flat<'a>(
        block: &Block,
        corners: FlatCorners<'a>,
        x: In<'a, Vec3>,
        normals: Out<'a, Vec3>,
        found: Out<'a, u32>,
    ) {
        flat::<$w>(block, corners, x, normals, found)
    }
)* } }
kernels! {
    Area normals_by_area_flat "by area";
    Angle normals_by_angle_flat "by angle";
    Max normals_by_max_flat "as by Max";
}
