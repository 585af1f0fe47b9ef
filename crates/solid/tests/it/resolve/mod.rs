//! Tests of surfaces that pass through each other, are within each other, or are apart.
use glam::DVec3;
use ribbonmesh::Device;
use ribbonmesh_mesh::{Sides, TriangleMesh, shapes};
use ribbonmesh_solid::inside::InsideTest;
use ribbonmesh_solid::intersections::{Triangles, self_intersections};
use ribbonmesh_solid::repair::manifold_violations;
use ribbonmesh_solid::resolve::{
    ResolveError, ResolveOptions, ResolveReport, ResolvedRegion, resolve, resolve_region,
};
use ribbonmesh_suite::Random;
use std::f64::consts::PI;

/// Options that split no edges first.
const AS_IT_IS: ResolveOptions =
    ResolveOptions { longest: f64::INFINITY, most_deviation: f64::INFINITY, ..DEFAULT };
const DEFAULT: ResolveOptions =
    ResolveOptions { attempts: 100, join: 2.5, longest: 0.01, most_deviation: 0.02, exact_up_to: 800 };

fn moved(mesh: &TriangleMesh, by: f64, way: DVec3) -> TriangleMesh {
    let mut moved = mesh.clone();
    moved.positions.iter_mut().for_each(|p| *p = (*p * by + way).as_vec3().as_dvec3());
    moved
}
/// Resolves, and makes the checks that hold for every result.
fn checked(meshes: &[TriangleMesh]) -> (TriangleMesh, ResolveReport) {
    checked_with(meshes, &AS_IT_IS)
}
fn checked_with(meshes: &[TriangleMesh], options: &ResolveOptions) -> (TriangleMesh, ResolveReport) {
    let device = Device::cpu();
    let (mesh, report) = resolve(&device, meshes, options).expect("resolved");
    assert!(mesh.is_closed() && mesh.volume().expect("closed") > 0.0);
    let found = manifold_violations(&Device::cpu(), mesh.positions.len(), &mesh.faces).expect("indices");
    assert!(found.is_empty(), "{found}");
    let positions = device.upload(&mesh.points_around(mesh.local_origin())).expect("memory");
    let faces = device.upload(mesh.faces.as_flattened()).expect("memory");
    let pairs = self_intersections(Triangles { positions: &positions, faces: &faces }).expect("pairs");
    assert!(pairs.pairs.is_empty(), "{report:?}");
    println!("{report:?}");
    (mesh, report)
}

#[test]
fn two_overlapping_spheres() {
    let sphere = shapes::icosphere(4).expect("small");
    let own = sphere.volume().expect("closed");
    for d in [0.5, 1.0, 1.5] {
        let way = DVec3::new(0.6, 0.64, 0.48) * d;
        let (union, report) = checked(&[sphere.clone(), moved(&sphere, 1.0, way)]);
        // the lens of two unit spheres d apart
        let lens = PI * (4.0 + d) * (2.0 - d) * (2.0 - d) / 12.0;
        let expected = 2.0 * own - lens * own / (4.0 / 3.0 * PI);
        let volume = union.volume().expect("closed");
        assert!((volume / expected - 1.0).abs() < 0.02, "{d}: {volume} {expected}");
        assert!(report.intersecting_pairs > 0 && report.joined == 1 && report.faces_inside > 0);
    }
}

#[test]
fn a_sphere_in_a_sphere_vanishes() {
    let sphere = shapes::icosphere(3).expect("small");
    let inner = moved(&sphere, 0.5, DVec3::new(0.1, 0.0, 0.2));
    for meshes in [[sphere.clone(), inner.clone()], [inner, sphere.clone()]] {
        let (union, report) = checked(&meshes);
        assert_eq!(union, sphere);
        assert_eq!((report.faces_inside, report.faces_cut, report.attempts), (1280, 0, 0));
    }
}

#[test]
fn spheres_that_are_apart_stay() {
    let sphere = shapes::icosphere(3).expect("small");
    let other = moved(&sphere, 1.0, DVec3::new(2.5, 0.0, 0.0));
    let (both, report) = checked(&[sphere.clone(), other.clone()]);
    let n = sphere.positions.len();
    assert_eq!((&both.positions[..n], &both.positions[n..]), (&sphere.positions[..], &other.positions[..]));
    assert_eq!(both.faces[..1280], sphere.faces);
    assert!(both.faces[1280..].iter().zip(&other.faces).all(|(a, b)| *a == b.map(|v| v + n as u32)));
    assert_eq!(report, ResolveReport::default());
    // one alone, and none
    assert_eq!(checked(std::slice::from_ref(&sphere)).0, sphere);
    let (none, _) = resolve(&Device::cpu(), &[], &ResolveOptions::default()).expect("nothing");
    assert!(none.faces.is_empty());
}

#[test]
fn a_tube_through_itself() {
    // a ring of overlapping ends: the curve runs one and a quarter times around, on a slight spiral
    let (around, along, radius) = (32_u32, 180_u32, 0.3);
    let mut positions = vec![];
    for i in 0..along {
        let t = f64::from(i) / f64::from(along - 1) * 2.5 * PI;
        let out = DVec3::new(t.cos(), t.sin(), 0.0);
        // the end passes through the beginning at an angle
        let middle = out * (1.0 + 0.05 * t) + DVec3::Z * 0.02 * t;
        for j in 0..around {
            let a = f64::from(j) / f64::from(around) * 2.0 * PI;
            positions.push(middle + radius * (a.cos() * out + a.sin() * DVec3::Z));
        }
    }
    let mut faces = vec![];
    for i in 0..along - 1 {
        for j in 0..around {
            let at = |i: u32, j: u32| i * around + j % around;
            let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
            faces.extend([[a, b, c], [a, c, d]]);
        }
    }
    // lids
    for (first, turned) in [(0, false), ((along - 1) * around, true)] {
        let middle = positions.len() as u32;
        let of = |k: u32| positions[(first + k) as usize];
        positions.push((0..around).map(of).sum::<DVec3>() / f64::from(around));
        for j in 0..around {
            let [a, b] = [first + j, first + (j + 1) % around];
            faces.push(if turned { [b, a, middle] } else { [a, b, middle] });
        }
    }
    let mut tube = TriangleMesh::new(positions, faces);
    if tube.volume().expect("closed") < 0.0 {
        tube.faces.iter_mut().for_each(|face| face.swap(0, 1));
    }
    let before = tube.volume().expect("closed");
    let (resolved, report) = checked(std::slice::from_ref(&tube));
    let volume = resolved.volume().expect("closed");
    // the overlap, which was counted twice, is counted once
    assert!(volume < before && volume > 0.5 * before, "{volume} {before}");
    assert!(report.faces_inside > 0 && report.faces_cut > 0);
}

#[test]
fn many_at_random() {
    let ball = shapes::icosphere(4).expect("small");
    let ring = shapes::torus(40, 1).expect("small");
    let mut random = Random(1);
    let mut number = || f64::from(random.next()) / f64::from(1_u32 << 31);
    let mut gave_up = 0;
    for case in 0..12 {
        let place = |number: &mut dyn FnMut() -> f64| DVec3::new(number(), number(), number()) * 1.6 - 0.8;
        let mut meshes = vec![];
        for i in 0..2 + case % 4 {
            let shape = if i == 0 && case % 2 == 0 { &ring } else { &ball };
            meshes.push(moved(shape, 0.6 + 0.4 * number(), place(&mut number)));
        }
        let least = meshes.iter().map(|mesh| mesh.volume().expect("closed")).fold(0.0, f64::max);
        let sum: f64 = meshes.iter().map(|mesh| mesh.volume().expect("closed")).sum();
        println!("{case}: {}", meshes.len());
        match resolve(&Device::cpu(), &meshes, &AS_IT_IS) {
            Err(ResolveError::GaveUp { last, .. }) => {
                println!("{case}: {last}");
                gave_up += 1;
                continue;
            }
            Err(error) => panic!("{case}: {error}"),
            Ok(_) => {}
        }
        let (union, _) = checked(&meshes);
        let volume = union.volume().expect("closed");
        assert!(volume > 0.99 * least && volume < 1.01 * sum, "{case}: {least} {volume} {sum}");
    }
    assert_eq!(gave_up, 0);
}

#[test]
fn many_in_one_mesh() {
    let ball = shapes::icosphere(3).expect("small");
    let part = ball.volume().expect("closed") / (4.0 / 3.0 * PI);
    let mut random = Random(7);
    let mut number = || f64::from(random.next()) / f64::from(1_u32 << 31);
    for case in 0..4 {
        let mut all = TriangleMesh::default();
        let mut balls = vec![];
        for _ in 0..20 {
            let (radius, middle) = (0.6 + 0.4 * number(), DVec3::new(number(), number(), number()) * 4.3);
            all.append(&moved(&ball, radius, middle)).expect("consistent");
            balls.push((radius, middle));
        }
        // the volume, estimated with random points
        let (points, side) = (100_000, 6.5);
        let mut within = || {
            let p = DVec3::new(number(), number(), number()) * side - 1.1;
            balls.iter().any(|(radius, middle)| p.distance(*middle) < *radius)
        };
        let hits = (0..points).filter(|_| within()).count();
        let expected = part * side.powi(3) * hits as f64 / f64::from(points);
        let volume = checked(std::slice::from_ref(&all)).0.volume().expect("closed");
        assert!((0.93..1.03).contains(&(volume / expected)), "{case}: {volume} {expected}");
    }
}

#[test]
fn films_that_cross() {
    // top and bottom of a thin plate cross in many places, so that holes are in front of each other
    let mut random = Random(7);
    let mut next = || (random.state() >> 40) as f64 / f64::from(1 << 24) - 0.5;
    let device = Device::cpu();
    for thickness in [0.03, 0.06, 0.1] {
        let mut plate = shapes::icosphere(4).expect("small");
        plate.positions.iter_mut().for_each(|p| p.z = f64::from((thickness * (p.z + 0.8 * next())) as f32));
        let positions = device.upload(&plate.points_around(DVec3::ZERO)).expect("memory");
        let buffer = device.upload(plate.faces.as_flattened()).expect("memory");
        let triangles = Triangles { positions: &positions, faces: &buffer };
        let pairs = self_intersections(triangles).expect("pairs").pairs.read().expect("memory");
        let test = InsideTest::new(triangles).expect("memory");
        let done = resolve_region(&test, &plate, DVec3::ZERO, &pairs, &AS_IT_IS).expect("resolved");
        let (mesh, report) = (done.mesh, done.report);
        assert!(mesh.is_closed() && report.intersecting_pairs > 700, "{report:?}");
        let found = manifold_violations(&Device::cpu(), mesh.positions.len(), &mesh.faces).expect("indices");
        assert!(found.is_empty(), "{found}");
        let positions = device.upload(&mesh.points_around(DVec3::ZERO)).expect("memory");
        let buffer = device.upload(mesh.faces.as_flattened()).expect("memory");
        let triangles = Triangles { positions: &positions, faces: &buffer };
        assert!(self_intersections(triangles).expect("pairs").pairs.is_empty(), "{report:?}");
        // without other fillings where the first ones intersect, 0.05 and 0.08 of the thicker ones would be
        // lost
        let kept = mesh.volume().expect("closed") / plate.volume().expect("closed");
        assert!((0.955..1.015).contains(&kept), "{kept}: {report:?}");
    }
}

#[test]
fn voids_stay_with_what_they_are_in() {
    // a hollow ball that another ball meets; the void is the second component, and far from the other ball
    let ball = shapes::icosphere(4).expect("small");
    let mut void = moved(&ball, 0.3, DVec3::ZERO);
    void.faces.iter_mut().for_each(|face| face.swap(0, 1));
    let other = moved(&ball, 1.0, DVec3::new(1.5, 0.0, 0.0));
    let mut hollow = ball.clone();
    hollow.append(&void).expect("consistent");
    let (with, _) = checked(&[hollow.clone(), other.clone()]);
    let (without, _) = checked(&[ball.clone(), other.clone()]);
    let difference = without.volume().expect("closed") - with.volume().expect("closed");
    assert!((difference / -void.volume().expect("closed") - 1.0).abs() < 1e-6, "{difference}");
    // the same with the hollow ball last
    let (with, _) = checked(&[other, hollow]);
    assert!((without.volume().expect("closed") / with.volume().expect("closed") - 1.0).abs() < 0.03);
    assert!(with.faces.len() > without.faces.len() + 5000);
}

#[test]
fn coarse_shapes_are_split_first() {
    // a cube of twelve faces, and another one through its corner, on the same grid
    let corners = (0..8).map(|i| DVec3::new((i & 1) as f64, (i >> 1 & 1) as f64, (i >> 2) as f64)).collect();
    let sides = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let faces = sides.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    let cube = TriangleMesh::new(corners, faces);
    assert_eq!(cube.volume(), Some(1.0));
    let other = moved(&cube, 1.0, DVec3::splat(0.5));
    for (longest, lost) in [(0.05, 0.08), (0.01, 0.02), (0.004, 0.008)] {
        let options = ResolveOptions { longest, most_deviation: 2.0 * longest, ..ResolveOptions::default() };
        let (union, report) = checked_with(&[cube.clone(), other.clone()], &options);
        let volume = union.volume().expect("closed");
        assert!((volume - 1.875).abs() < lost, "{longest}: {volume}");
        assert!(report.faces_split > 0 && report.joined == 1);
    }
    // without splitting, no faces are left
    let error = resolve(&Device::cpu(), &[cube, other], &AS_IT_IS).expect_err("too coarse");
    assert!(matches!(error, ResolveError::NothingLeft), "{error}");
}

#[test]
fn attributes_follow() {
    let ball = shapes::icosphere(3).expect("small");
    let mut one = ball.clone();
    let mut other = moved(&ball, 1.0, DVec3::new(0.9, 0.1, 0.2));
    for (mesh, value) in [(&mut one, 1.0_f32), (&mut other, 2.0)] {
        let n = mesh.positions.len();
        mesh.vertices_mut().insert("heat", vec![value; n]).expect("a row each");
        mesh.faces_of_mut().insert("part", vec![value as u8; 1280]).expect("a row each");
    }
    other.faces_of_mut().insert("own", vec![0.5_f32; 1280]).expect("a row each");
    let (union, report) = checked(&[one, other]);
    assert_eq!(report.columns_dropped, ["face.own"]);
    let heat = union.vertices().get::<f32>("heat").expect("kept");
    for (p, heat) in union.positions.iter().zip(heat) {
        // no vertex was added: each is a vertex of one of the two
        assert_eq!(*heat, if (p.length() - 1.0).abs() < 1e-6 { 1.0 } else { 2.0 }, "{p}");
    }
    let part = union.faces_of().get::<u8>("part").expect("kept");
    assert!(part.iter().all(|part| [1, 2].contains(part)) && part.contains(&1) && part.contains(&2));
}

#[test]
fn what_is_refused() {
    let device = Device::cpu();
    let sphere = shapes::icosphere(2).expect("small");
    let options = ResolveOptions::default();
    let mut open = sphere.clone();
    open.faces.pop();
    let error = resolve(&device, &[sphere.clone(), open], &options).expect_err("a hole");
    assert!(matches!(error, ResolveError::Unfit { mesh: 1, .. }), "{error}");
    let mut turned = sphere.clone();
    turned.faces.iter_mut().for_each(|face| face.swap(0, 1));
    let error = resolve(&device, &[turned], &options).expect_err("inside out");
    assert!(error.to_string().contains("inside out"), "{error}");
    // two copies of a sphere: all faces intersect
    let twice = [sphere.clone(), sphere.clone()];
    let refused = |options| resolve(&device, &twice, options).map(|_| ()).expect_err("nothing left");
    assert!(matches!(refused(&AS_IT_IS), ResolveError::NothingLeft));
    assert!(matches!(refused(&options), ResolveError::Lost { .. }));
    let error = resolve(&device, std::slice::from_ref(&sphere), &ResolveOptions { attempts: 0, ..options })
        .expect_err("0");
    assert!(matches!(error, ResolveError::Library(ribbonmesh::Error::Option { option: "attempts", .. })));
    let mut wrong = sphere;
    wrong.positions[7].x = f64::NAN;
    let error = resolve(&device, &[wrong], &options).expect_err("no number");
    assert!(matches!(error, ResolveError::Library(ribbonmesh::Error::NotFinite { vertex: 7 })), "{error}");
}

#[test]
fn a_region() {
    assert_eq!(ResolveOptions::default(), DEFAULT);
    // two spheres as one mesh
    let sphere = shapes::icosphere(4).expect("small");
    let mut all = sphere.clone();
    all.append(&moved(&sphere, 1.0, DVec3::new(1.2, 0.1, 0.2))).expect("no columns");
    let device = Device::cpu();
    let positions = device.upload(&all.points_around(DVec3::ZERO)).expect("memory");
    let buffer = device.upload(all.faces.as_flattened()).expect("memory");
    let triangles = Triangles { positions: &positions, faces: &buffer };
    let pairs = self_intersections(triangles).expect("pairs").pairs.read().expect("memory");
    let test = InsideTest::new(triangles).expect("memory");
    let mut near = vec![false; all.positions.len()];
    pairs
        .as_flattened()
        .iter()
        .for_each(|f| all.faces[*f as usize].iter().for_each(|v| near[*v as usize] = true));
    let resolved_within = |rings: u32| {
        let mut near = near.clone();
        let touched = |near: &[bool], f: &u32| all.faces[*f as usize].iter().any(|v| near[*v as usize]);
        let mut list: Vec<u32> = vec![];
        for _ in 0..rings {
            list = (0..all.faces.len() as u32).filter(|f| touched(&near, f)).collect();
            list.iter().for_each(|f| all.faces[*f as usize].iter().for_each(|v| near[*v as usize] = true));
        }
        let numbers = |f: u32| list.binary_search(&f).expect("in the region") as u32;
        let pairs: Vec<[u32; 2]> = pairs.iter().map(|pair| pair.map(numbers)).collect();
        let mut region = all.clone();
        let vertices: Vec<u32> = (0..near.len() as u32).filter(|v| near[*v as usize]).collect();
        let place = |v: u32| vertices.binary_search(&v).expect("in the region") as u32;
        let faces: Vec<_> = list.iter().map(|&f| (f, all.faces[f as usize].map(place))).collect();
        region.rebuild(&vertices, &faces).expect("there");
        (resolve_region(&test, &region, DVec3::ZERO, &pairs, &AS_IT_IS), region, list)
    };
    let (refused, region, _) = resolved_within(1);
    let Err(ResolveError::Reached { vertices }) = refused else { panic!("the region is too small") };
    let sides = Sides::of(region.positions.len(), &region.faces);
    let ends: Vec<u32> = sides.open().map(|(f, side)| region.faces[f as usize][side]).collect();
    assert!(!vertices.is_empty() && vertices.iter().all(|v| ends.contains(v)));
    // all faces that are inside are in the region
    let (done, region, list) = resolved_within(14);
    let ResolvedRegion { mesh, vertices, report } = done.expect("large enough");
    for (v, old) in vertices.iter().enumerate().filter_map(|(v, old)| Some((v, (*old)?))) {
        assert_eq!(mesh.positions[v], region.positions[old as usize]);
    }
    assert!(list.len() < all.faces.len() && report.joined == 1 && report.faces_inside > 0, "{report:?}");
    let sides = |mesh: &TriangleMesh| {
        let mut sides: Vec<[[u64; 3]; 2]> = vec![];
        for &[a, b, c] in &mesh.faces {
            for [a, b] in [[a, b], [b, c], [c, a]] {
                sides.push([a, b].map(|v| mesh.positions[v as usize].to_array().map(f64::to_bits)));
            }
        }
        let all: std::collections::HashSet<_> = sides.iter().copied().collect();
        sides.retain(|[a, b]| !all.contains(&[*b, *a]));
        sides.sort_unstable();
        sides
    };
    assert!(!sides(&region).is_empty());
    assert_eq!(sides(&region), sides(&mesh));
}
