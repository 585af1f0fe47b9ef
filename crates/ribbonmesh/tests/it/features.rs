//! Triangles of any size against double precision; which end of an edge stays.
use glam::{DVec3, Vec3};
use ribbonmesh::device::VertexId;
use ribbonmesh::features::kind::{CORNER, CURVE, FREE, joined};
use ribbonmesh::features::triangle::{normal, not_delaunay, quality, sharp, within};

/// Points in a square of side `size`, lifted by a tenth: the same at every size except for rounding.
fn points(size: f32) -> Vec<Vec3> {
    let mut state = 7u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as f32 / (1 << 24) as f32
    };
    (0..400).map(|_| size * Vec3::new(next(), next(), 0.1 * next())).collect()
}
fn wide(t: [Vec3; 3]) -> DVec3 {
    let [a, b, c] = t.map(|p| p.as_dvec3());
    (b - a).cross(c - a)
}

#[test]
fn triangles_of_any_size() {
    for size in [1e-8f32, 1e-4, 1.0, 1e4, 1e8] {
        let points = points(size);
        let mut found = [0; 3];
        for p in points.windows(4) {
            let [a, b, c, d] = [p[0], p[1], p[2], p[3]];
            let (t, u) = ([a, b, c], [b, a, d]);
            let angle = wide(t).angle_between(wide(u)).to_degrees();
            let q = quality(t, normal(t)).min(quality(u, normal(u)));
            for degrees in [30.0f32, 90.0, 150.0] {
                if (angle - degrees as f64).abs() < 0.01 || q < 0.01 {
                    continue;
                }
                let cosine = degrees.to_radians().cos();
                assert_eq!(sharp([t, u], cosine), angle > degrees as f64, "{size}: {angle}, {degrees}");
                assert_eq!(within(normal(t), normal(u), cosine), angle < degrees as f64, "{size}: {angle}");
                found[0] += (angle > degrees as f64) as u32;
            }
            let at = |p: Vec3| (a - p).as_dvec3().angle_between((b - p).as_dvec3());
            let sum = at(c) + at(d) - std::f64::consts::PI;
            if sum.abs() > 1e-3 {
                assert_eq!(not_delaunay([a, b, c, d], 2e-6), sum > 0.0, "{size}: {sum}");
                found[1] += (sum > 0.0) as u32;
                found[2] += (sum < 0.0) as u32;
            }
        }
        assert!(found.iter().all(|n| *n > 50), "{size}: {found:?}");
    }
}

#[test]
fn a_triangle_without_area_is_neither_sharp_nor_within() {
    let [a, b, c] = [Vec3::ZERO, Vec3::X, Vec3::Y];
    assert!(!sharp([[a, b, b], [b, a, c]], 1.0));
    assert!(!within(normal([a, b, b]), normal([a, b, c]), -1.0));
    assert_eq!(quality([a, a, a], normal([a, a, a])), 0.0);
}

#[test]
fn the_end_that_stays() {
    const BOUNDARY: bool = true;
    let one = |kinds: [u32; 2], open: [bool; 2]| {
        let found = joined([10, 11].map(VertexId::new), kinds, |v| open[v.index() as usize - 10]);
        found.map(|(ends, kind)| (ends.map(VertexId::index), kind))
    };
    for kind in [FREE, CURVE, CORNER] {
        // of two alike, the first
        assert_eq!(one([kind; 2], [false; 2]), Some(([10, 11], kind)));
        // an end on a curve or at a corner precedes a free one
        let open = kind != FREE;
        assert_eq!(one([kind, FREE], [open, false]), Some(([10, 11], kind)));
        let kept = if open { [11, 10] } else { [10, 11] };
        assert_eq!(one([FREE, kind], [false, open]), Some((kept, kind)));
    }
    assert_eq!(one([CURVE, CORNER], [BOUNDARY; 2]), Some(([11, 10], CORNER)));
    // an end on the boundary stays there, unless the other one may not move
    assert_eq!(one([CURVE, CURVE], [false, BOUNDARY]), Some(([11, 10], CURVE)));
    assert_eq!(one([CURVE, CURVE], [BOUNDARY, false]), Some(([10, 11], CURVE)));
    assert_eq!(one([CURVE, CORNER], [false, BOUNDARY]), Some(([11, 10], CORNER)));
    assert_eq!(one([CURVE, CORNER], [BOUNDARY, false]), None);
    assert_eq!(one([CORNER, CURVE], [false, BOUNDARY]), None);
}
