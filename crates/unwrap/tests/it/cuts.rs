//! Surfaces that are cut to disks.
use crate::oracle::{coordinates, twice};
use glam::{DVec3, IVec3};
use ribbonmesh::Device;
use ribbonmesh_mesh::{TriangleMesh, shapes};
use ribbonmesh_suite::{size, suite};
use ribbonmesh_unwrap::{Method, ParameterizeError, ParameterizeOptions, ParameterizeReport, parameterize};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::f64::consts::TAU;

fn mapped(device: &Device, mesh: &mut TriangleMesh, method: Method) -> ParameterizeReport {
    let options = ParameterizeOptions { method, cut: true, ..ParameterizeOptions::default() };
    parameterize(device, mesh, &options).expect("a map")
}
/// Vertices, edges and boundary loops of the charts: corners are glued where they have the same vertex and
/// the same coordinates. Euler characteristic, and boundary loops.
fn of_chart(mesh: &TriangleMesh) -> (i64, usize) {
    let mut names = BTreeMap::new();
    let mut faces = vec![];
    for (face, flat) in mesh.faces.iter().zip(coordinates(mesh)) {
        faces.push([0, 1, 2].map(|k| {
            let key = (face[k], flat[k].x.to_bits(), flat[k].y.to_bits());
            let next = names.len();
            *names.entry(key).or_insert(next)
        }));
    }
    let sides: HashSet<(usize, usize)> =
        faces.iter().flat_map(|f| [(f[0], f[1]), (f[1], f[2]), (f[2], f[0])]).collect();
    assert_eq!(sides.len(), 3 * faces.len(), "an oriented manifold");
    let edges: BTreeSet<_> = sides.iter().map(|&(a, b)| (a.min(b), a.max(b))).collect();
    let mut next: BTreeMap<usize, usize> =
        sides.iter().filter(|(a, b)| !sides.contains(&(*b, *a))).copied().collect();
    let mut loops = 0;
    while let Some((_, mut at)) = next.pop_first() {
        loops += 1;
        while let Some(to) = next.remove(&at) {
            at = to;
        }
    }
    (names.len() as i64 - edges.len() as i64 + faces.len() as i64, loops)
}
/// The surface of unit cubes, whose faces are divided into triangles.
fn cubes(filled: impl Fn(IVec3) -> bool, size: IVec3) -> TriangleMesh {
    let mut places: BTreeMap<[i32; 3], u32> = BTreeMap::new();
    let mut faces = vec![];
    let axes = [IVec3::X, IVec3::Y, IVec3::Z];
    for i in 0..size.x * size.y * size.z {
        let cube = IVec3::new(i % size.x, i / size.x % size.y, i / size.x / size.y);
        for (axis, sign) in (0..3).flat_map(|axis| [(axis, 1), (axis, -1)]) {
            if !filled(cube) || filled(cube + sign * axes[axis]) {
                continue;
            }
            let (u, v) = (axes[(axis + 1) % 3], axes[(axis + 2) % 3]);
            let base = cube + axes[axis] * i32::from(sign > 0);
            let mut corners = [base, base + u, base + u + v, base + v];
            if sign < 0 {
                corners.reverse();
            }
            let [a, b, c, d] = corners.map(|p| {
                let next = places.len() as u32;
                *places.entry(p.to_array()).or_insert(next)
            });
            faces.extend([[a, b, c], [a, c, d]]);
        }
    }
    let mut positions = vec![DVec3::ZERO; places.len()];
    places.iter().for_each(|(p, &v)| positions[v as usize] = IVec3::from(*p).as_dvec3());
    crate::mesh(positions, faces)
}
/// A plate with so many holes through it.
fn plate(holes: i32) -> TriangleMesh {
    let size = IVec3::new(2 * holes + 1, 3, 1);
    let within = move |p: IVec3| p.cmpge(IVec3::ZERO).all() && p.cmplt(size).all();
    cubes(move |p| within(p) && !(p.y == 1 && p.x % 2 == 1), size)
}

suite! {
    fn handles(device) {
        for genus in 0..size(6, 4) {
            let mut mesh = plate(genus);
            let edges = 3 * mesh.faces.len() as i64 / 2;
            assert_eq!(mesh.positions.len() as i64 - edges + mesh.faces.len() as i64, 2 - 2 * i64::from(genus));
            for method in [Method::Tutte, Method::Isometric] {
                let report = mapped(device, &mut mesh, method);
                assert!(report.cut_edges > 0 && report.flipped == 0, "{genus} {report:?}");
                assert_eq!(of_chart(&mesh), (1, 1), "{genus}");
                assert!(coordinates(&mesh).iter().all(|face| twice(*face) > 0.0));
            }
        }
    }
    fn every_method(device) {
        for method in Method::ALL {
            for mut mesh in [shapes::icosphere(2).expect("small"), shapes::torus(16, 1).expect("small")] {
                let report = mapped(device, &mut mesh, method);
                assert!(report.cut_edges > 0 && report.distortion.angle.is_finite(), "{method:?} {report:?}");
                if report.flipped == 0 {
                    assert_eq!(of_chart(&mesh), (1, 1), "{method:?}");
                }
            }
        }
    }
    fn spheres(device) {
        for mut mesh in [shapes::icosphere(size(3, 1)).expect("small"), shapes::icosphere(0).expect("small")] {
            let report = mapped(device, &mut mesh, Method::Tutte);
            assert_eq!(of_chart(&mesh), (1, 1));
            // along edges between opposite vertices of a sphere of radius 1
            assert!(report.cut_length > 2.0 && report.cut_length < 3.6, "{report:?}");
        }
        // the fewest faces
        let corners = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
        let mut least = crate::mesh(corners, vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]);
        let report = mapped(device, &mut least, Method::Tutte);
        assert_eq!((report.cut_edges, of_chart(&least)), (2, (1, 1)));
    }
    /// Loops of a torus are as short as they can be along edges.
    fn short_loops(device) {
        let n = size(48, 24);
        let mut mesh = shapes::torus(n, 1).expect("small");
        let report = mapped(device, &mut mesh, Method::Tutte);
        assert_eq!(of_chart(&mesh), (1, 1));
        let far = |p: &DVec3| p.truncate().length();
        let axis = |length: fn(DVec3) -> f64| mesh.positions.iter().map(|p| length(*p)).fold(0.0, f64::max);
        // around the tube, and around the hole on the inside, whatever the axis is
        let flat = [axis(|p| p.x.abs()), axis(|p| p.y.abs()), axis(|p| p.z.abs())];
        let tube = flat.iter().copied().fold(f64::INFINITY, f64::min);
        let outer = flat.iter().copied().fold(0.0, f64::max);
        let shortest = TAU * tube + TAU * (outer - 2.0 * tube);
        println!("{} beside {shortest}, {}", report.cut_length, far(&mesh.positions[0]));
        assert!(report.cut_length < 1.1 * shortest, "{} beside {shortest}", report.cut_length);
    }
    fn holes(device) {
        // a sphere with three holes, and a torus with two
        let mut ball = shapes::icosphere(3).expect("small");
        let x = ball.positions.clone();
        let near = |face: &[u32; 3], p: DVec3| face.iter().any(|&v| x[v as usize].distance(p) < 0.35);
        ball.faces.retain(|f| ![DVec3::X, DVec3::Y, DVec3::NEG_Z].iter().any(|p| near(f, *p)));
        let mut ring = shapes::torus(20, 1).expect("small");
        ring.faces.swap_remove(11);
        ring.faces.swap_remove(301);
        for mut mesh in [ball, ring] {
            crate::compact(&mut mesh);
            let report = mapped(device, &mut mesh, Method::Tutte);
            assert!(report.cut_edges > 0);
            assert_eq!(of_chart(&mesh), (1, 1));
        }
    }
    fn disks_are_not_cut(device) {
        let mut sheet = crate::sheet(6, |x, y| DVec3::new(x, y, x * y));
        let report = mapped(device, &mut sheet, Method::Isometric);
        assert_eq!((report.cut_edges, report.cut_length), (0, 0.0));
    }
}
#[test]
fn several_parts() {
    let mut two = crate::mesh(crate::points(6, 1), vec![[0, 1, 2], [3, 4, 5]]);
    let options = ParameterizeOptions { cut: true, ..ParameterizeOptions::default() };
    let error = parameterize(&Device::cpu(), &mut two, &options).expect_err("refused");
    assert!(matches!(error, ParameterizeError::Parts { face: 1 }), "{error}");
}
