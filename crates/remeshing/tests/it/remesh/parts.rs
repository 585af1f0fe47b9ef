//! Parts that are remeshed by themselves.
use ribbonmesh::device::NONE;
use ribbonmesh::glam::Vec3;
use ribbonmesh_mesh::{TriangleMesh, shapes};
use ribbonmesh_remeshing::remesh::{
    Boundary, Part, PartOptions, RemeshOptions, Remeshed, Survey, lengths_of_part, remesh_part,
};
use ribbonmesh_suite::forms::cube;
use std::collections::{BTreeMap, BTreeSet};

fn options(length: f32) -> PartOptions {
    let usual = RemeshOptions::default();
    PartOptions {
        length,
        iterations: usual.iterations,
        feature_angle: None,
        thin: false,
        merge: usual.merge,
        boundary: Boundary::Slide,
        project: false,
        smoothing: usual.smoothing,
        step: usual.step,
        weights: usual.weights,
        unsmoothed: 0,
        most_faces: u64::MAX,
    }
}

/// The faces of which a function says so, with the numbers of their vertices.
fn part(mesh: &TriangleMesh, of: impl Fn(Vec3) -> bool) -> (Part, Vec<u32>) {
    let x: Vec<Vec3> = mesh.positions.iter().map(|p| p.as_vec3()).collect();
    let within = |face: &[u32; 3]| of(face.iter().map(|&v| x[v as usize]).sum::<Vec3>() / 3.0);
    let (own, others): (Vec<_>, Vec<_>) = mesh.faces.iter().copied().partition(within);
    let [own_vertices, of_others] =
        [&own, &others].map(|faces| faces.as_flattened().iter().copied().collect::<BTreeSet<u32>>());
    let ids: Vec<u32> = own_vertices.into_iter().collect();
    let place = |v: u32| ids.partition_point(|&u| u < v) as u32;
    let part = Part {
        positions: ids.iter().map(|&v| x[v as usize]).collect(),
        triangles: own.iter().map(|corners| corners.map(place)).collect(),
        fixed: ids.iter().map(|v| of_others.contains(v)).collect(),
        on_feature: vec![],
        later: vec![],
        lengths: vec![],
    };
    (part, ids)
}

/// The two parts of a mesh, remeshed, as faces of one mesh: vertices of the border have their old numbers.
fn both(mesh: &TriangleMesh, options: &PartOptions, of: impl Fn(Vec3) -> bool) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let (mut x, mut faces) = (vec![], vec![]);
    let mut shared: BTreeMap<u32, u32> = BTreeMap::new();
    for side in [true, false] {
        let (part, ids) = part(mesh, |p| of(p) == side);
        let Remeshed { part: done, sources, finished } =
            remesh_part(&part, options).expect("an option").expect("a manifold");
        assert!(finished);
        let numbers: Vec<u32> = (done.positions.iter().zip(&sources))
            .map(|(&p, &source)| {
                let next = x.len() as u32;
                let number =
                    if source == NONE { next } else { *shared.entry(ids[source as usize]).or_insert(next) };
                if number == next {
                    x.push(p);
                }
                assert_eq!(x[number as usize], p);
                number
            })
            .collect();
        faces.extend(done.triangles.iter().map(|corners| corners.map(|v| numbers[v as usize])));
    }
    (x, faces)
}

/// Asserts that each edge has two faces of the same orientation, and returns the Euler characteristic.
fn euler_of_closed(vertices: usize, faces: &[[u32; 3]]) -> i64 {
    let sides: BTreeSet<[u32; 2]> = faces.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]).collect();
    assert_eq!(sides.len(), 3 * faces.len());
    assert!(sides.iter().all(|&[a, b]| sides.contains(&[b, a])));
    vertices as i64 - sides.len() as i64 / 2 + faces.len() as i64
}

fn mean_length(mesh: &TriangleMesh) -> f32 {
    let length = |&[a, b]: &[u32; 2]| mesh.positions[a as usize].distance(mesh.positions[b as usize]);
    let sides = mesh.sides();
    (sides.iter().map(length).sum::<f64>() / sides.len() as f64) as f32
}

/// The faces by the positions of their corners, in any order.
fn faces_of(part: &Part) -> BTreeSet<[[u32; 3]; 3]> {
    let at = |v: u32| part.positions[v as usize].to_array().map(f32::to_bits);
    let face = |corners: &[u32; 3]| {
        let mut corners = corners.map(at);
        corners.sort_unstable();
        corners
    };
    part.triangles.iter().map(face).collect()
}

#[test]
fn no_edge_is_flipped_at_the_border_of_an_even_mesh() {
    let sphere = shapes::icosphere(4).expect("small");
    let options = PartOptions { iterations: 1, smoothing: 0, ..options(mean_length(&sphere)) };
    // borders with corners of one to five faces
    for way in [Vec3::X, Vec3::new(0.3, 0.5, -0.8), Vec3::new(-0.7, 0.1, 0.2)] {
        let (part, _) = part(&sphere, |p| p.dot(way) > 0.1);
        let fixed = part.fixed.iter().filter(|&&fixed| fixed).count();
        assert!((40..part.fixed.len()).contains(&fixed), "{fixed}");
        let done = remesh_part(&part, &options).expect("an option").expect("a manifold").part;
        let (before, after) = (faces_of(&part), faces_of(&done));
        assert_eq!(before.difference(&after).count(), 0, "of {}", before.len());
    }
}

#[test]
fn parts_fit_each_other() {
    let sphere = shapes::bumpy_sphere(4, 1).expect("small");
    let mean = mean_length(&sphere);
    // a border at which a part has vertices with several fans
    let scattered = |p: Vec3| p.z > 0.2 || p.x.to_bits().is_multiple_of(7);
    for share in [0.5, 1.0, 3.0] {
        let halves = both(&sphere, &options(share * mean), |p| p.x > 0.1);
        assert_eq!(euler_of_closed(halves.0.len(), &halves.1), 2);
        let (x, faces) = both(&sphere, &options(share * mean), scattered);
        assert_eq!(euler_of_closed(x.len(), &faces), 2);
    }
}

#[test]
fn vertices_that_are_smoothed_later_stay() {
    let sphere = shapes::bumpy_sphere(4, 1).expect("small");
    let (half, _) = part(&sphere, |p| p.x > 0.1);
    // nothing is long or short: vertices move by smoothing alone, and a flip has no new one
    let around = Part { later: half.fixed.clone(), ..half.clone() };
    let options = PartOptions { iterations: 1, unsmoothed: 3, ..options(0.05) };
    let moved = |part: &Part| {
        let done = remesh_part(part, &options).expect("an option").expect("a manifold").part;
        let known: BTreeSet<_> = part.positions.iter().map(|p| p.to_array().map(f32::to_bits)).collect();
        done.positions.iter().filter(|p| !known.contains(&p.to_array().map(f32::to_bits))).count()
    };
    let everywhere = PartOptions { unsmoothed: 1_000, ..options };
    let still = remesh_part(&around, &everywhere).expect("an option").expect("a manifold").part;
    let without = PartOptions { smoothing: 0, ..options };
    assert_eq!(still, remesh_part(&half, &without).expect("an option").expect("a manifold").part);
    let [all, fewer] = [&half, &around].map(moved);
    assert!(fewer < all && fewer > 0, "{fewer} {all}");
}

#[test]
fn a_limit_of_faces_ends_the_work() {
    let sphere = shapes::icosphere(2).expect("small");
    let (part, _) = part(&sphere, |p| p.x > 0.1);
    let options = PartOptions { most_faces: 1_000, ..options(0.01) };
    let done = remesh_part(&part, &options).expect("an option").expect("a manifold");
    assert!(
        !done.finished && (1_000..=2_000).contains(&done.part.triangles.len()),
        "{}",
        done.part.triangles.len()
    );
}

#[test]
fn features_are_found_and_go_along() {
    let whole = part(&cube(1), |_| true).0;
    let survey = Survey::new(&whole).expect("a manifold");
    assert_eq!((survey.feature_angle(), survey.is_thin()), (Some(30.0), false));
    let options = PartOptions { feature_angle: Some(30.0), ..options(0.2) };
    let done = remesh_part(&whole, &options).expect("an option").expect("a manifold");
    // corners stay, and edges between them have more vertices
    let corner = |p: &Vec3| done.part.positions.contains(p);
    assert!(whole.positions.iter().all(corner));
    let on = done.part.on_feature.iter().filter(|&&on| on).count();
    assert!(on > 8 && on < done.part.positions.len(), "{on}");
}

#[test]
fn lengths_of_vertices_are_kept_and_go_along() {
    let square = shapes::grid(40, 1).expect("small");
    let (mut half, _) = part(&square, |p| p.x + 0.3 * p.y < 0.6);
    half.positions.iter_mut().for_each(|p| p.z = 0.0);
    let target = |p: Vec3| 0.02 + 0.05 * p.y;
    half.lengths = half.positions.iter().copied().map(target).collect();
    let options = PartOptions { iterations: 5, project: true, ..options(1.0) };
    let done = remesh_part(&half, &options).expect("an option").expect("a manifold").part;
    assert_eq!(done.lengths.len(), done.positions.len());
    // they are linear in the plane of the part
    for (&p, &length) in done.positions.iter().zip(&done.lengths) {
        assert!((length - target(p)).abs() < 1e-5, "{length} at {p}");
    }
    let mut good = [0, 0];
    for [a, b] in done.triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]) {
        let [p, q] = [a, b].map(|v| done.positions[v as usize]);
        let of_target = p.distance(q) / target(0.5 * (p + q));
        good[usize::from((0.7..1.4).contains(&of_target))] += 1;
    }
    assert!(good[0] * 20 < good[1], "{good:?}");
}

#[test]
fn lengths_by_curvature_are_those_of_the_formula() {
    let sphere = shapes::icosphere(4).expect("small");
    // on a sphere of radius 1 the greatest curvature is 1: L² = 6 ε − 3 ε²
    let (tolerance, range) = (2e-3_f32, [0.01, 0.5]);
    let expected = (6.0 * tolerance - 3.0 * tolerance * tolerance).sqrt();
    let whole = part(&sphere, |_| true).0;
    let half = part(&sphere, |p| p.x > 0.1).0;
    for part in [&whole, &half] {
        let found = lengths_of_part(part, &options(0.1), tolerance, range);
        let found = found.expect("an option").expect("a manifold");
        assert_eq!(found.len(), part.positions.len());
        // the greatest curvature over edges, by normals of faces, is a little more
        assert!(
            found.iter().all(|length| (0.94..1.01).contains(&(length / expected))),
            "{found:?} {expected}"
        );
    }
    let clamped = lengths_of_part(&half, &options(0.1), tolerance, [0.2, 0.5]).expect("an option");
    assert!(clamped.expect("a manifold").iter().all(|length| (length - 0.2).abs() < 1e-6));
}

#[test]
fn defects_are_refused() {
    let mut sphere = shapes::icosphere(2).expect("small");
    let [a, b, c] = sphere.faces[7];
    sphere.faces[7] = [a, c, b];
    assert_eq!(remesh_part(&part(&sphere, |_| true).0, &options(0.1)).expect("an option"), None);
    sphere.faces[7] = [a, a, b];
    assert_eq!(remesh_part(&part(&sphere, |_| true).0, &options(0.1)).expect("an option"), None);
}
