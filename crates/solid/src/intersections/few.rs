//! Intersections of few triangles, without a device.
use crate::intersections::boxes::{Around, Cells};
use crate::intersections::pair::intersect;
use crate::intersections::plane::Triangle;
use glam::Vec3;
use rayon::prelude::*;

/// Least number of faces that one task compares with others, if pairs of a few of them are wanted.
const TOGETHER: usize = 1 << 10;
/// By how many times pairs of a wanted face take more time than the look for those of another one.
const HEAVY: usize = 8;

/// The pairs of faces that intersect of which at least one has an index of `from` or more; ascending, the
/// first less than the second. All decisions are those of
/// [`self_intersections`](crate::intersections::self_intersections), but the function runs on the threads of
/// the host, which for thousands of faces takes less time than a search on a device.
///
/// Takes time in proportion to all faces, and to the cells of a grid that they share with faces of which
/// pairs are wanted. Faces with positions that are not finite intersect no others.
/// # Panics
/// If an index of a face is too large.
pub fn intersections_of_few(points: &[Vec3], faces: &[[u32; 3]], from: usize) -> Vec<[u32; 2]> {
    intersections_of_some(points, faces, |f| f as usize >= from)
}

/// As [`intersections_of_few`], for the pairs with a face that is `wanted`.
pub fn intersections_of_some(
    points: &[Vec3],
    faces: &[[u32; 3]],
    wanted: impl Fn(u32) -> bool + Sync,
) -> Vec<[u32; 2]> {
    let corners = |f: u32| faces[f as usize].map(|v| points[v as usize]);
    let of = |f: u32| Around::of(f, corners(f));
    let cells = Cells::of((0..faces.len() as u32).filter(|f| wanted(*f)).filter_map(of).collect());
    if cells.is_empty() {
        return vec![];
    }
    let add_pairs_of = |f: u32, pairs: &mut Vec<[u32; 2]>| {
        let Some(own) = of(f).filter(|own| cells.meet(own)) else { return };
        // a pair of two wanted faces is found once
        let after = if wanted(f) { f + 1 } else { 0 };
        let mut triangle = None;
        cells.each_near(&own, |other| {
            if other >= after
                && intersect(triangle.get_or_insert_with(|| Triangle::new(corners(f))), corners(other))
            {
                pairs.push([f.min(other), f.max(other)]);
            }
        });
    };
    // the more are wanted, the fewer faces are a task
    let together = (TOGETHER * faces.len() / (HEAVY * cells.len())).clamp(TOGETHER / HEAVY, TOGETHER);
    let of_task = |task: usize| {
        let mut pairs = vec![];
        let faces = task * together..faces.len().min((task + 1) * together);
        faces.for_each(|f| add_pairs_of(f as u32, &mut pairs));
        pairs
    };
    let tasks = faces.len().div_ceil(together);
    let mut pairs: Vec<[u32; 2]> = match tasks {
        1 => of_task(0),
        _ => (0..tasks).into_par_iter().flat_map_iter(of_task).collect(),
    };
    pairs.sort_unstable();
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use ribbonmesh_mesh::SplitMix64;

    /// All pairs, without a grid.
    fn oracle(points: &[Vec3], faces: &[[u32; 3]], wanted: impl Fn(u32) -> bool) -> Vec<[u32; 2]> {
        let corners = |f: u32| faces[f as usize].map(|v| points[v as usize]);
        let finite = |f: u32| corners(f).iter().all(|p| p.is_finite());
        let n = faces.len() as u32;
        let pairs = (0..n).flat_map(|f| (f + 1..n).map(move |g| [f, g]));
        let meets = |&[f, g]: &[u32; 2]| {
            (wanted(f) || wanted(g)) && finite(f) && finite(g) && {
                let (p, q) = (corners(f), corners(g));
                intersect(&Triangle::new(p), q)
            }
        };
        pairs.filter(meets).collect()
    }

    #[test]
    fn pairs_of_the_grid_are_all_pairs() {
        let mut random = SplitMix64::new(7);
        let mut unit = || (random.bits() >> 40) as f32 / (1 << 23) as f32 - 1.0;
        // extent of the soup along each axis, and size of its faces
        let soups = [
            (Vec3::ONE, 0.2),
            (Vec3::ONE, 2.0),
            (Vec3::new(1.0, 1.0, 0.0), 0.2),
            (Vec3::new(1.0, 0.0, 0.0), 0.1),
            (Vec3::ZERO, 0.0),
            (Vec3::splat(1e37), 1e37),
            (Vec3::splat(1e-44), 1e-44),
            (Vec3::new(1e30, 1.0, 1e-30), 0.5),
        ];
        for (extent, size) in soups {
            let n = 240;
            let mut points: Vec<Vec3> = vec![];
            for _ in 0..n {
                let middle = Vec3::new(unit(), unit(), unit()) * extent;
                points.extend([(); 3].map(|()| {
                    let by = Vec3::new(unit(), unit(), unit()) * size;
                    middle + if size > 1.0 { by } else { by * extent.min(Vec3::ONE) }
                }));
            }
            points[3 * 17] = Vec3::NAN;
            points[3 * 18] = Vec3::INFINITY;
            // neighbours share corners
            let faces: Vec<[u32; 3]> =
                (0..n).map(|f| [3 * f, 3 * f + 1, if f % 3 == 2 { 3 * f - 1 } else { 3 * f + 2 }]).collect();
            for part in [1, 2, 7, 300] {
                let wanted = |f: u32| f % part == part - 1 || f == 5;
                assert_eq!(intersections_of_some(&points, &faces, wanted), oracle(&points, &faces, wanted));
            }
        }
        assert!(intersections_of_some(&[], &[], |_| true).is_empty());
    }
    #[test]
    fn many_faces_are_searched_on_all_threads() {
        let sphere = ribbonmesh_mesh::shapes::icosphere(4).expect("a sphere");
        let mut points = sphere.points();
        let mut faces = sphere.faces.clone();
        let first = points.len() as u32;
        let moved: Vec<Vec3> = points.iter().map(|p| *p + Vec3::new(0.5, 0.1, 0.2)).collect();
        points.extend(moved);
        faces.extend(sphere.faces.iter().map(|face| face.map(|v| v + first)));
        let wanted = |f: u32| f.is_multiple_of(11);
        let found = intersections_of_some(&points, &faces, wanted);
        assert!(found.len() > 30, "{}", found.len());
        assert_eq!(found, oracle(&points, &faces, wanted));
    }
}
