//! Measures of noise: differences of positions that are 0 on a surface without curvature, divided by their
//! standard deviation for noise of 1.
use crate::denoise::exact::{cross, dot, polar, product, root};
use crate::denoise::faces::{Faces, Rows, normal, rounded};
use glam::{DVec3, Vec3};
use ribbonmesh::device::{Block, Each, In, Out, kernel};

/// The entry that stands for no sample: greater than all samples when sorted.
pub const NO_SAMPLE: u64 = 0xffff_ffff;

/// Computes a sample for each side of a face at which a face with a greater id is: the offset of that face's
/// third vertex from the plane of this face, divided by its standard deviation for noise of 1, as the bits of
/// an `f32`.
#[kernel(threads = 128)]
pub fn sample_folds<'a>(block: &Block, faces: Faces<'a>, x: In<'a, Vec3>, to: Out<'a, u64>) {
    block.for_each_of_tile(faces.n, |f| {
        let corners = faces.of(f);
        let (_, n) = normal(corners.map(|v| x.get(v)));
        let mut i = 0;
        while i < 3 {
            let (a, b, c) =
                (corners[i as usize], corners[(i as usize + 1) % 3], corners[(i as usize + 2) % 3]);
            let mut other = None;
            let mut count = 0;
            let rows = faces.of_vertices;
            let length = |v: u32| rows.offsets.get(v + 1) - rows.offsets.get(v);
            // the shorter row, since a hub's is long for each of its faces
            let (from, end) = if length(b) < length(a) { (b, a) } else { (a, b) };
            rows.of(from, |g| {
                let [p, q, r] = faces.of(g);
                if g != f && (p == end || q == end || r == end) {
                    let third = if p != a && p != b {
                        p
                    } else if q != a && q != b {
                        q
                    } else {
                        r
                    };
                    count += 1;
                    other = (g > f).then_some(third);
                }
            });
            let sample = match other {
                Some(d) if count == 1 && n != Vec3::ZERO => fold([a, b, c, d].map(|v| x.get(v)), n),
                _ => None,
            };
            to.set(3 * f + i, sample.map_or(NO_SAMPLE, |s| s.to_bits() as u64));
            i += 1;
        }
    });
}

/// The offset of `d` from the plane of a, b and c with normal `n`. With barycentric coordinates α, β and γ of
/// the nearest point of the plane it is n · (d − α a − β b − γ c).
#[inline(always)]
fn fold([a, b, c, d]: [Vec3; 4], n: Vec3) -> Option<f32> {
    let (e, u, w) = (b - a, c - a, d - a);
    let p = rounded(cross(n, e));
    let up = dot(u, p);
    let ee = dot(e, e);
    let gamma = (dot(w, p) / up) as f32;
    let beta = ((dot(w, e) - product(gamma, dot(u, e) as f32)) / ee) as f32;
    let alpha = (1.0 - beta as f64 - gamma as f64) as f32;
    let gain = root(1.0 + product(alpha, alpha) + product(beta, beta) + product(gamma, gamma));
    let sample = (dot(n, w) / gain) as f32;
    sample.is_finite().then_some(sample.abs())
}

/// Computes the difference of each vertex from the mean of its neighbours, and its unit normal by area; 0 for
/// a vertex on the boundary, or with fewer than three neighbours.
#[kernel(threads = 128)]
pub fn differences<'a>(
    v: Each,
    neighbours: Rows<'a>,
    faces: Faces<'a>,
    boundary: In<'a, u32>,
    x: In<'a, Vec3>,
    to: Out<'a, Vec3>,
    normals: Out<'a, Vec3>,
) {
    let at = x.get(v);
    let (mut sum, mut count) = (DVec3::ZERO, 0.0);
    neighbours.of(v, |u| {
        let d = at - x.get(u);
        sum += DVec3::new(d.x as f64, d.y as f64, d.z as f64);
        count += 1.0;
    });
    let mut area = DVec3::ZERO;
    faces.of_vertices.of(v, |f| {
        let [a, b, c] = faces.of(f).map(|u| x.get(u));
        area += cross(b - a, c - a);
    });
    let inside = count >= 3.0 && boundary.get(v) == 0;
    to.set(v, if inside { rounded(sum / count) } else { Vec3::ZERO });
    normals.set(v, if inside { polar(area).1 } else { Vec3::ZERO });
}

/// Computes a sample for each vertex: its difference minus the mean difference of its neighbours, along its
/// normal, divided by the standard deviation of this for noise of 1 on a mesh whose vertices all have the
/// same number of neighbours.
#[kernel(threads = 128)]
pub fn sample_differences<'a>(
    v: Each,
    neighbours: Rows<'a>,
    differences: In<'a, Vec3>,
    normals: In<'a, Vec3>,
    to: Out<'a, u64>,
) {
    let normal = normals.get(v);
    let (mut sum, mut k, mut inside) = (DVec3::ZERO, 0.0_f64, normal != Vec3::ZERO);
    neighbours.of(v, |u| {
        let d = differences.get(u);
        sum += DVec3::new(d.x as f64, d.y as f64, d.z as f64);
        inside &= normals.get(u) != Vec3::ZERO;
        k += 1.0;
    });
    if !inside {
        return to.set(v, NO_SAMPLE);
    }
    let mean = rounded(sum / k);
    let h = (dot(normal, differences.get(v)) - dot(normal, mean)) as f32;
    // coefficients 1 + 1/k of the vertex and −(2 − 2/k)/k of each neighbour, if two neighbours are
    // neighbours of each other and the next ring is small
    let (own, other) = ((1.0 + 1.0 / k) as f32, (2.0 * (1.0 - 1.0 / k)) as f32);
    let gain = root(product(own, own) + product(other, other) / k);
    let sample = (h as f64 / gain) as f32;
    to.set(v, if sample.is_finite() { sample.abs().to_bits() as u64 } else { NO_SAMPLE });
}

/// Computes the lengths of the sides of faces.
#[kernel(threads = 128)]
pub fn side_lengths<'a>(block: &Block, faces: Faces<'a>, x: In<'a, Vec3>, to: Out<'a, f32>) {
    block.for_each_of_tile(faces.n, |f| {
        let [a, b, c] = faces.of(f).map(|v| x.get(v));
        let (u, v, w) = (b - a, c - b, a - c);
        to.set(3 * f, root(dot(u, u)) as f32);
        to.set(3 * f + 1, root(dot(v, v)) as f32);
        to.set(3 * f + 2, root(dot(w, w)) as f32);
    });
}
