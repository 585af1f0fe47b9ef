//! Figures of meshes compared with geometry.
use glam::DVec3;
use ribbonmesh_mesh::quality::{Histogram, Quality};
use ribbonmesh_mesh::shapes;

#[track_caller]
fn near(found: f64, expected: f64) {
    assert!((found - expected).abs() <= 1e-5 * (1.0 + expected.abs()), "{found}, expected {expected}");
}
fn complete(histogram: &Option<Histogram>, count: u64) -> &Histogram {
    let h = histogram.as_ref().expect("values");
    assert_eq!((h.spread.count, h.bins.iter().sum::<u64>() + h.below + h.above), (count, count));
    h
}

#[test]
fn right_triangle() {
    // sides 3, 4, 5: circles of radius 2.5 and 1, angles 36.87° and 90°
    let x = [[1.0, 1.0, 0.0], [4.0, 1.0, 0.0], [1.0, 5.0, 0.0]];
    let q = Quality::of(&x.map(DVec3::from_array), &[[0, 1, 2]], Some(4.0));
    near(complete(&q.aspect_ratio, 1).spread.mean, 1.25);
    near(complete(&q.smallest_angle, 1).spread.min, 0.75f64.atan().to_degrees());
    near(complete(&q.largest_angle, 1).spread.max, 90.0);
    let lengths = complete(&q.edge_length, 3);
    near(lengths.spread.min, 0.75);
    near(lengths.spread.max, 1.25);
    near(lengths.spread.standard_deviation, (1.0 / 24f64).sqrt());
    // 0.75 and 1.25 lie in the middle of their bins, 1 begins one
    let filled: Vec<usize> = (0..20).filter(|&i| lengths.bins[i] == 1).collect();
    assert_eq!(filled, [7, 10, 12]);
    assert_eq!((q.valence.interior, q.valence.regular), (0, None));
}

#[test]
fn lengths_relative_to_their_mean() {
    let x = [[0.0, 0.0, 0.0], [30.0, 0.0, 0.0], [0.0, 40.0, 0.0]];
    let q = Quality::of(&x.map(DVec3::from_array), &[[0, 1, 2]], None);
    near(q.target_length.expect("edges"), 40.0);
    near(complete(&q.edge_length, 3).spread.mean, 1.0);
}

#[test]
fn icosahedron_and_subdivisions() {
    let shape = shapes::icosphere(0).expect("small");
    let q = Quality::of(&shape.positions, &shape.faces, None);
    for angles in [&q.smallest_angle, &q.largest_angle] {
        near(complete(angles, 20).spread.mean, 60.0);
    }
    near(complete(&q.aspect_ratio, 20).spread.max, 1.0);
    near(complete(&q.edge_length, 30).spread.standard_deviation, 0.0);
    assert_eq!((q.valence.interior, q.valence.counts[5], q.valence.regular), (12, 12, Some(0.0)));
    // all vertices but twelve have six edges
    let shape = shapes::icosphere(3).expect("small");
    let q = Quality::of(&shape.positions, &shape.faces, None);
    assert_eq!((q.valence.interior, q.valence.counts[5], q.valence.counts[6]), (642, 12, 630));
    near(q.valence.regular.expect("vertices"), 630.0 / 642.0);
    complete(&q.edge_length, 1920);
}

#[test]
fn boundary_and_non_manifold_vertices_are_not_interior() {
    let shape = shapes::grid(10, 1).expect("small");
    let q = Quality::of(&shape.positions, &shape.faces, None);
    assert_eq!(q.valence.interior, 64);
    for (valence, &count) in q.valence.counts.iter().enumerate() {
        let has = |v: &u32| {
            let of_v = shape.faces.iter().filter(|f| f.contains(v)).flatten().filter(|u| *u != v);
            of_v.collect::<std::collections::BTreeSet<_>>().len() == valence
        };
        let inside = |v: &u32| (1..9).contains(&(v % 10)) && (1..9).contains(&(v / 10));
        assert_eq!((0..100).filter(|v| inside(v) && has(v)).count() as u64, count, "{valence}");
    }
    // three faces at an edge of the icosahedron
    let mut shape = shapes::icosphere(0).expect("small");
    let [a, b, _] = shape.faces[0];
    shape.positions.push(DVec3::splat(2.0));
    shape.faces.push([a, b, 12]);
    let q = Quality::of(&shape.positions, &shape.faces, None);
    assert_eq!((q.valence.interior, q.valence.counts[5]), (10, 10));
    // many edges
    let fan: Vec<[u32; 3]> = (0..40).map(|i| [0, i + 1, (i + 1) % 40 + 1]).collect();
    let x: Vec<DVec3> = (0..41).map(|i| DVec3::new(f64::from(i).sin(), f64::from(i).cos(), 0.0)).collect();
    assert_eq!(Quality::of(&x, &fan, None).valence.counts[12], 1);
}

#[test]
fn what_does_not_count() {
    let x = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0, 1.0, 0.0], [f64::NAN, 0.0, 0.0]];
    let x = x.map(DVec3::from_array);
    // a line, a point, one that refers to nothing, one that is nowhere, and a good one
    let faces = [[0, 1, 2], [3, 3, 3], [0, 1, 99], [0, 4, 1], [0, 1, 3]];
    let q = Quality::of(&x, &faces, Some(1.0));
    assert_eq!(q.faces_without_shape, 4);
    near(complete(&q.smallest_angle, 1).spread.min, 45.0);
    // 0-1, 1-2, 0-2, 1-3, 0-3; not the edges of vertex 4
    near(complete(&q.edge_length, 5).spread.max, 2.0);
    assert_eq!(q.edge_length.as_ref().map(|h| h.above), Some(1));
    let nothing = Quality::of(&[], &[], Some(1.0));
    assert!(nothing.edge_length.is_none() && nothing.aspect_ratio.is_none());
    let nothing = Quality::of(&[DVec3::ONE; 3], &[[0, 1, 2]], None);
    assert_eq!((nothing.target_length, nothing.edge_length, nothing.faces_without_shape), (None, None, 1));
}

#[test]
fn sizes_do_not_matter() {
    let shape = shapes::bumpy_sphere(4, 1).expect("small");
    let q = Quality::of(&shape.positions, &shape.faces, None);
    for scale in [2f64.powi(-60), 2f64.powi(60)] {
        let x: Vec<DVec3> = shape.positions.iter().map(|p| *p * scale).collect();
        let scaled = Quality::of(&x, &shape.faces, None);
        assert_eq!((&scaled.aspect_ratio, &scaled.smallest_angle), (&q.aspect_ratio, &q.smallest_angle));
        assert_eq!(scaled.edge_length, q.edge_length);
    }
}
