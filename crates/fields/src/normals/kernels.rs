//! Kernels of normals.
use crate::normals::corner::{Angle, Area, Max, Weighting};
use crate::normals::row;
use glam::Vec3;
use ribbonmesh::corners::FlatCorners;
use ribbonmesh::device::{Block, In, Out, kernel};

/// Computes the normals of all vertices; in `f64` where `f32` is not precise enough.
#[inline(always)]
fn flat<W: Weighting>(block: &Block, corners: FlatCorners<'_>, x: In<'_, Vec3>, normals: Out<'_, Vec3>) {
    block.for_each_of_tile(normals.len() as u32, |v| {
        let around = corners.of(v);
        normals.set(
            v,
            match row::normal::<W>(around, x, v) {
                Some(n) => n,
                None => row::careful_normal::<W>(around, x, v),
            },
        );
    });
}

macro_rules! kernels { ($($w:ident $flat:ident $doc:literal;)*) => { $(
    #[doc = concat!("Unit normals of all vertices, weighted ", $doc, ". Blocks: tiles.")]
    #[kernel(threads = 128)]
    pub fn $flat<'a>(block: &Block, corners: FlatCorners<'a>, x: In<'a, Vec3>, normals: Out<'a, Vec3>) {
        flat::<$w>(block, corners, x, normals)
    }
)* } }
kernels! {
    Area normals_by_area_flat "by area";
    Angle normals_by_angle_flat "by angle";
    Max normals_by_max_flat "as by Max";
}
