//! Algorithm 3 finds the triangulation of least weight among all.
use crate::shapes::Mesh;
use ribbonmesh::glam::Vec3;
use ribbonmesh_holes::HoleOptions;
use ribbonmesh_suite::{Random, suite};

/// The least weight of all triangulations of a polygon, one by one.
fn least(points: &[Vec3]) -> f64 {
    let square = |p: Vec3, q: Vec3| f64::from((p - q).length_squared());
    let n = points.len();
    if n < 3 {
        return 0.0;
    }
    let (first, last) = (points[0], points[n - 1]);
    let of = |k: usize| {
        let face = square(first, points[k]) + square(points[k], last) + square(last, first);
        face + least(&points[..=k]) + least(&points[k..])
    };
    (1..n - 1).map(of).fold(f64::INFINITY, f64::min)
}

suite! {
    fn least_weight(device) {
        let mut random = Random(9);
        for n in 4..11 {
            let mut cone = Mesh::cone(n);
            for p in &mut cone.x {
                *p += Vec3::from_array([(); 3].map(|()| random.below(1000) as f32 / 2000.0));
            }
            let weight = |faces: &[[u32; 3]]| -> f64 {
                let sides = faces.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
                sides.map(|side| side.map(|v| cone.x[v as usize])).map(|[p, q]| f64::from((p - q).length_squared())).sum()
            };
            // far vertices are no candidates of algorithm 4
            let near = HoleOptions::of_edges(0.1);
            let [exact, fast] = [128, 0].map(|exact| {
                let found = cone.filled(device, &HoleOptions { exact, ..near }).expect("filled");
                weight(&found.faces[n as usize..])
            });
            let loop_points: Vec<Vec3> = (0..n).map(|i| cone.x[i as usize]).collect();
            let expected = least(&loop_points);
            assert!((exact - expected).abs() < 1e-4 * expected, "{n} vertices: {exact}, {expected}");
            assert!(fast >= exact * (1.0 - 1e-5), "{n} vertices: {fast}, {exact}");
        }
    }
}
