//! The tests as one program, so that their common parts are compiled and linked once.
mod again;
mod held;
mod oracle;
mod soups;
mod surfaces;

use ribbonmesh::glam::Vec3;

/// The corners of a face.
fn corners(positions: &[Vec3], face: [u32; 3]) -> [Vec3; 3] {
    face.map(|v| positions[v as usize])
}
/// Whether the boxes of two triangles have a common point.
fn near(a: [Vec3; 3], b: [Vec3; 3]) -> bool {
    let ends = |[p, q, r]: [Vec3; 3]| (p.min(q).min(r), p.max(q).max(r));
    let ((a_low, a_high), (b_low, b_high)) = (ends(a), ends(b));
    a_low.cmple(b_high).all() && b_low.cmple(a_high).all()
}
/// Result of the oracle for all pairs of a face of one mesh and a face of another one.
fn expected(a: (&[Vec3], &[[u32; 3]]), b: (&[Vec3], &[[u32; 3]])) -> Vec<[u32; 2]> {
    let is_small = |p: &Vec3| p.to_array().iter().all(|x| x.abs() <= 64.0 && x.fract() == 0.0);
    let oracle = match a.0.iter().chain(b.0).all(is_small) {
        true => oracle::intersect_small,
        false => oracle::intersect,
    };
    let mut pairs = vec![];
    for (i, &f) in (0..).zip(a.1) {
        for (j, &g) in (0..).zip(b.1) {
            let (f, g) = (corners(a.0, f), corners(b.0, g));
            if near(f, g) && oracle(f, g) {
                pairs.push([i, j]);
            }
        }
    }
    pairs
}
/// Result of the oracle for the faces of one mesh.
fn expected_of_one(a: (&[Vec3], &[[u32; 3]])) -> Vec<[u32; 2]> {
    expected(a, a).into_iter().filter(|[i, j]| i < j).collect()
}
/// For each of `n` faces, 1 if it is one of `faces`.
fn marked(n: usize, faces: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut marks = vec![0; n];
    faces.for_each(|face| marks[face as usize] = 1);
    marks
}
