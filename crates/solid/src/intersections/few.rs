//! Intersections of few triangles, without a device.
use crate::intersections::pair::intersect;
use crate::intersections::plane::Triangle;
use glam::Vec3;
use rayon::prelude::*;

/// Least number of faces that one task compares with others.
const TOGETHER: usize = 1 << 7;

/// The pairs of faces that intersect of which at least one has an index of `from` or more; ascending, the
/// first less than the second. All decisions are those of
/// [`self_intersections`](crate::intersections::self_intersections), but the function runs on the threads of
/// the host, which for hundreds of faces takes less time than to start a kernel.
///
/// Sorts the faces along the axis in which they extend farthest: the more of them overlap there, the nearer
/// it comes to testing all pairs. Faces whose boxes are apart from the box around all faces of which pairs
/// are wanted are left out before. Faces with positions that are not finite intersect no others.
/// # Panics
/// If an index of a face is too large.
pub fn intersections_of_few(points: &[Vec3], faces: &[[u32; 3]], from: usize) -> Vec<[u32; 2]> {
    intersections_of_some(points, faces, |f| f as usize >= from)
}

/// As [`intersections_of_few`], for the pairs with a face that is `wanted`.
pub(crate) fn intersections_of_some(
    points: &[Vec3],
    faces: &[[u32; 3]],
    wanted: impl Fn(u32) -> bool + Sync,
) -> Vec<[u32; 2]> {
    let corners = |f: u32| faces[f as usize].map(|v| points[v as usize]);
    let mut boxes: Vec<Around> = (0..faces.len() as u32)
        .map(|f| (f, corners(f)))
        .filter(|(_, corners)| corners.iter().all(|p| p.is_finite()))
        .map(|(f, [a, b, c])| Around {
            low: a.min(b).min(c),
            high: a.max(b).max(c),
            face: f,
            wanted: wanted(f),
        })
        .collect();
    let all = boxes.iter().filter(|of| of.wanted);
    let all = all
        .fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(low, high), of| (low.min(of.low), high.max(of.high)));
    boxes.retain(|of| of.low.cmple(all.1).all() && all.0.cmple(of.high).all());
    let axis = (all.1 - all.0).max_position();
    boxes.sort_unstable_by(|a, b| a.low[axis].total_cmp(&b.low[axis]).then(a.face.cmp(&b.face)));
    let pairs_of = |at: usize| {
        let (first, boxes, corners) = (boxes[at], &boxes, &corners);
        let after = boxes[at + 1..].iter().take_while(move |other| other.low[axis] <= first.high[axis]);
        let near = move |other: &&Around| {
            (first.wanted || other.wanted)
                && first.low.cmple(other.high).all()
                && other.low.cmple(first.high).all()
        };
        let mut triangle = None;
        after.filter(near).filter_map(move |other| {
            let first_triangle = triangle.get_or_insert_with(|| Triangle::new(corners(first.face)));
            let [f, g] = [first.face, other.face];
            intersect(first_triangle, corners(g)).then(|| [f.min(g), f.max(g)])
        })
    };
    let mut pairs: Vec<[u32; 2]> = match boxes.len() {
        n if n < 2 * TOGETHER => (0..n).flat_map(pairs_of).collect(),
        n => (0..n).into_par_iter().with_min_len(TOGETHER).flat_map_iter(pairs_of).collect(),
    };
    pairs.sort_unstable();
    pairs
}

/// The box around a face.
#[derive(Clone, Copy)]
struct Around {
    low: Vec3,
    high: Vec3,
    face: u32,
    /// Whether its pairs are wanted.
    wanted: bool,
}
