//! Intersections of few triangles, without a device.
use crate::intersections::pair::intersect;
use crate::intersections::plane::Triangle;
use glam::Vec3;

/// The pairs of faces that intersect of which at least one has an index of `from` or more; ascending, the
/// first less than the second. All decisions are those of
/// [`self_intersections`](crate::intersections::self_intersections), but the function runs on the calling
/// thread, which for hundreds of faces takes less time than to start a kernel.
///
/// Sorts the faces along the axis in which they extend farthest: the more of them overlap there, the nearer
/// it comes to testing all pairs. Faces with positions that are not finite intersect no others.
/// # Panics
/// If an index of a face is too large.
pub fn intersections_of_few(points: &[Vec3], faces: &[[u32; 3]], from: usize) -> Vec<[u32; 2]> {
    intersections_of_some(points, faces, |f| f as usize >= from)
}

/// As [`intersections_of_few`], for the pairs with a face that is `wanted`.
pub(crate) fn intersections_of_some(
    points: &[Vec3],
    faces: &[[u32; 3]],
    wanted: impl Fn(u32) -> bool,
) -> Vec<[u32; 2]> {
    let corners: Vec<[Vec3; 3]> = faces.iter().map(|face| face.map(|v| points[v as usize])).collect();
    let finite = |corners: &[Vec3; 3]| corners.iter().all(|p| p.is_finite());
    let mut boxes: Vec<(Vec3, Vec3, u32)> = (0..)
        .zip(&corners)
        .filter(|(_, corners)| finite(corners))
        .map(|(f, &[a, b, c])| (a.min(b).min(c), a.max(b).max(c), f))
        .collect();
    let all = boxes.iter().fold((Vec3::MAX, Vec3::MIN), |all, of| (all.0.min(of.0), all.1.max(of.1)));
    let axis = (all.1 - all.0).max_position();
    boxes.sort_by(|a, b| a.0[axis].total_cmp(&b.0[axis]).then(a.2.cmp(&b.2)));
    let mut pairs = vec![];
    for (at, &(low, high, f)) in boxes.iter().enumerate() {
        let of_first = wanted(f);
        let first = Triangle::new(corners[f as usize]);
        for &(other_low, other_high, g) in
            boxes[at + 1..].iter().take_while(|other| other.0[axis] <= high[axis])
        {
            let near = || low.cmple(other_high).all() && other_low.cmple(high).all();
            if (of_first || wanted(g)) && near() && intersect(&first, corners[g as usize]) {
                pairs.push([f.min(g), f.max(g)]);
            }
        }
    }
    pairs.sort_unstable();
    pairs
}
