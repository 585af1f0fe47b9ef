//! The filter of face normals.
use crate::denoise::exact::{dot, polar, product, root, scaled};
use crate::denoise::exp2::exact_exp2;
use crate::denoise::faces::{Rows, Shapes};
use core::f32::consts::LOG2_E;
use glam::Vec3;
use ribbonmesh::device::{Each, Out, kernel};

/// Runs one iteration of bilateral normal filtering (Zheng, Fu, Au and Tai 2011, equation 3, local scheme):
/// the new normal of a face is the mean of those around it, and its own, weighted by area, by the distance of
/// centres, and by the difference of normals. σc is the mean distance of the centres around; `sharpness` is 1
/// / (2 σs² ln 2), for differences of unit vectors. A face without neighbours, or whose mean is 0, keeps its
/// normal.
#[kernel(threads = 128)]
pub fn filter_normals<'a>(f: Each, around: Rows<'a>, shapes: Shapes<'a>, sharpness: f32, to: Out<'a, Vec3>) {
    let (own, at) = (shapes.normals.get(f), shapes.centres.get(f));
    let (mut distances, mut count) = (0.0, 0.0);
    around.of(f, |g| {
        let d = shapes.centres.get(g) - at;
        distances += root(dot(d, d));
        count += 1.0;
    });
    if distances <= 0.0 {
        return to.set(f, own);
    }
    let mean = (distances / count) as f32;
    let closeness = (0.5 * LOG2_E as f64 / product(mean, mean)) as f32;
    // its own weight is its area: both differences are 0
    let mut sum = scaled(shapes.areas.get(f), own);
    around.of(f, |g| {
        let other = shapes.normals.get(g);
        let (d, e) = (shapes.centres.get(g) - at, other - own);
        let (dd, ee) = (dot(d, d) as f32, dot(e, e) as f32);
        let w = exact_exp2(-((product(dd, closeness) + product(ee, sharpness)) as f32));
        sum += scaled(w * shapes.areas.get(g), other);
    });
    let filtered = polar(sum).1;
    to.set(f, if filtered == Vec3::ZERO { own } else { filtered });
}
