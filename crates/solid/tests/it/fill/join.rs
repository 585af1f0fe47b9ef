//! Tests of joining holes.

use crate::fill::common::{fill, fill_all, without};
use glam::DVec3;
use ribbonmesh::Device;
use ribbonmesh_mesh::{OptionError, TriangleMesh, shapes};
use ribbonmesh_solid::fill::{
    FillError, FillOptions, FillReport, Method, NotJoined, Triangulation, Why, fill_holes,
};
use std::f64::consts::{PI, TAU};

/// A tube around x from `from` to `to`, of `n` vertices around, open at both ends; outward.
fn tube(n: u32, from: f64, to: f64, turned: f64) -> TriangleMesh {
    let rings = 6;
    let place = |i: u32| {
        let (ring, around) = (i / n, i % n);
        let (sin, cos) = (f64::from(around) / f64::from(n) * TAU + turned).sin_cos();
        DVec3::new(from + (to - from) * f64::from(ring) / f64::from(rings), cos, sin)
    };
    let square = |i: u32| {
        let (ring, around) = (i / n, i % n);
        let next = ring * n + (around + 1) % n;
        [[i, next, i + n], [next, next + n, i + n]]
    };
    TriangleMesh::new((0..(rings + 1) * n).map(place).collect(), (0..rings * n).flat_map(square).collect())
}
fn together(a: &TriangleMesh, b: &TriangleMesh) -> TriangleMesh {
    let first = a.positions.len() as u32;
    let faces = a.faces.iter().copied().chain(b.faces.iter().map(|face| face.map(|v| first + v)));
    TriangleMesh::new(a.positions.iter().chain(&b.positions).copied().collect(), faces.collect())
}
fn inside_out(mesh: &TriangleMesh) -> TriangleMesh {
    let mut turned = mesh.clone();
    turned.faces.iter_mut().for_each(|face| face.swap(0, 1));
    turned
}
fn joining(distance: f64, method: Method) -> FillOptions {
    FillOptions { join: Some(distance), method, ..FillOptions::default() }
}
/// Number of the fillings that are strips.
fn strips(report: &FillReport) -> usize {
    let of = |hole: &&ribbonmesh_solid::fill::HoleReport| {
        hole.filling.as_ref().is_some_and(|filling| filling.triangulation == Triangulation::Strip)
    };
    report.holes.iter().filter(of).count()
}

#[test]
fn two_tubes_end_to_end() {
    for (n, turned) in [(24, 0.0), (24, 0.1), (17, 0.05), (40, 3.0)] {
        let mesh = together(&tube(24, 0.0, 2.0, 0.0), &tube(n, 2.3, 4.0, turned));
        for method in Method::ALL {
            let (filled, report) = fill_all(&mesh, &joining(0.6, method));
            assert_eq!((report.joined, strips(&report), report.filled), (1, 1, 4));
            assert_eq!(report.not_joined, []);
            let pairs: Vec<_> = report.holes.iter().map(|hole| hole.joined).collect();
            assert_eq!(pairs.iter().flatten().count(), 2, "{pairs:?}");
            for (i, other) in pairs.iter().enumerate().filter_map(|(i, other)| Some((i, (*other)?))) {
                assert_eq!(pairs[other], Some(i));
            }
            // a tube of length 4, with a fair or a flat lid at each end
            let volume = filled.volume().expect("closed");
            let tube = PI * 4.0 * 0.98;
            assert!(volume > 0.96 * tube && volume < tube + 1.7 * PI * 4.0 / 3.0, "{volume} {tube}");
            let components = ribbonmesh_solid::fill::holes(&Device::cpu(), &filled).expect("a manifold");
            assert!(components.is_empty());
        }
    }
    // joining without filling
    let mesh = together(&tube(24, 0.0, 2.0, 0.0), &tube(30, 2.3, 4.0, 0.0));
    let (joined, report) = fill(&mesh, &FillOptions { up_to: Some(0), ..joining(0.6, Method::Flat) });
    assert_eq!((report.joined, report.left, report.faces_added), (1, 2, 54));
    assert!(!joined.is_closed());
    assert!((joined.area() - TAU * 4.0).abs() < 0.03 * TAU * 4.0, "{}", joined.area());
    // too far apart
    let (_, report) = fill_all(&mesh, &joining(0.2, Method::Flat));
    assert_eq!((report.joined, report.filled), (0, 4));
}

#[test]
fn a_sphere_with_a_gap() {
    let sphere = shapes::icosphere(4).expect("small");
    let volume = sphere.volume().expect("closed");
    let open = without(sphere, |p| p.z.abs() < 0.08);
    for method in Method::ALL {
        let (filled, report) = fill_all(&open, &joining(0.35, method));
        assert_eq!((report.joined, report.filled, strips(&report)), (1, 2, 1));
        let again = filled.volume().expect("closed");
        assert!((again / volume - 1.0).abs() < 0.01, "{again} {volume}");
        let farthest = filled.positions.iter().map(|p| (p.length() - 1.0).abs()).fold(0.0, f64::max);
        assert!(farthest < 0.02, "{farthest}");
    }
}

#[test]
fn circles_in_a_plane() {
    // a disc in the hole of a square: the ring between them
    let grid = shapes::grid(40, 1).expect("small");
    let far = |p: DVec3| p.truncate().distance(glam::DVec2::splat(0.5));
    let (low, high) = (0.2, 0.32);
    let open = without(grid.clone(), |p| far(p) > low && far(p) < high);
    let options = FillOptions { keep_largest: true, ..joining(0.2, Method::Flat) };
    let (filled, report) = fill(&open, &options);
    assert_eq!((report.joined, report.left, strips(&report)), (1, 1, 1));
    assert!((filled.area() - grid.area()).abs() < 1e-6, "{} {}", filled.area(), grid.area());
}

#[test]
fn orientation_that_does_not_fit() {
    let mesh = together(&tube(24, 0.0, 2.0, 0.0), &inside_out(&tube(24, 2.3, 4.0, 0.1)));
    let (_, report) = fill_all(&mesh, &joining(0.6, Method::Flat));
    assert_eq!((report.joined, report.filled), (0, 4));
    assert!(matches!(report.not_joined[..], [NotJoined { why: Why::Orientation, .. }]), "{report:?}");
    let [i, j] = report.not_joined[0].holes;
    assert!(i < j && report.holes[i].joined.is_none());
    let word = serde_json::to_value(&report.not_joined).expect("JSON");
    assert_eq!(word[0]["why"], "orientation");
}

#[test]
fn the_nearest_of_three() {
    // three tubes in a row, whose inner ends are joined in pairs, and a far one
    let three = together(
        &together(&tube(24, 0.0, 2.0, 0.0), &tube(24, 2.2, 4.0, 0.1)),
        &together(&tube(20, 4.2, 6.0, 0.2), &tube(24, 9.0, 11.0, 0.0)),
    );
    let (filled, report) = fill_all(&three, &joining(0.5, Method::Flat));
    assert_eq!((report.joined, report.filled), (2, 8));
    let expected = PI * 0.98 * (6.0 + 2.0);
    assert!((filled.volume().expect("closed") / expected - 1.0).abs() < 0.02);
}

#[test]
fn triangles_face_to_face() {
    // two single faces, back to back: the strip makes a prism
    let points = [
        [0.0, 0.0, 0.0],
        [1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [0.0, 0.0, 0.5],
        [1.0, 0.0, 0.5],
        [0.0, 1.0, 0.5],
    ];
    let mesh = TriangleMesh::from_f32(points, vec![[0, 2, 1], [3, 4, 5]]);
    let (filled, report) = fill_all(&mesh, &joining(0.6, Method::Flat));
    assert_eq!((report.joined, report.faces_added), (1, 6));
    assert!((filled.volume().expect("closed") - 0.25).abs() < 1e-9);
}

#[test]
fn distances_that_are_none() {
    let mesh = tube(8, 0.0, 1.0, 0.0);
    for wrong in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let error = fill_holes(&Device::cpu(), &mut mesh.clone(), &joining(wrong, Method::Flat))
            .expect_err("no distance");
        assert!(
            matches!(&error, FillError::Option(OptionError { option, .. }) if option == "join"),
            "{error}"
        );
    }
}
