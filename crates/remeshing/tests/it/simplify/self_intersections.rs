//! Simplification that makes no self-intersections, checked by a search of its own.
use crate::simplify::support::{Simplified, run};
use ribbonmesh::dynamic::ExecutionMode;
use ribbonmesh::{Device, DeviceKind, MeshOptions, Surface};
use ribbonmesh_mesh::{TriangleMesh, shapes};
use ribbonmesh_remeshing::simplify::{Order, SimplifyOptions, SimplifyReport, Stopped, Target};
use ribbonmesh_solid::intersections::{IntersectionOptions, intersections};
use ribbonmesh_suite::{
    forms::{joined, moved, sheet},
    size, suite,
};

/// Number of pairs of faces that intersect.
fn pairs(device: &Device, mesh: &TriangleMesh) -> u64 {
    let mut surface = Surface::new(device, mesh, &MeshOptions::default()).expect("triangles");
    intersections(&mut surface, &IntersectionOptions::default()).expect("finite").report.pairs
}
/// The orders of collapses that a device has.
fn orders(device: &Device) -> impl Iterator<Item = Order> {
    let on_cpu = device.kind() == DeviceKind::Cpu;
    [Order::Rounds, Order::Sequence].into_iter().filter(move |&order| on_cpu || order == Order::Rounds)
}
fn simplified(device: &Device, shape: &TriangleMesh, options: &SimplifyOptions) -> Simplified {
    let (result, _) = run(device, shape, options);
    let refused = result.report.rejected.get("intersects").copied();
    let repeats: u32 = result.report.stages.iter().map(|stage| stage.repeats).sum();
    match result.report.order {
        Order::Sequence => assert_eq!(repeats, 0),
        _ => assert_eq!(refused.is_some(), repeats > 0),
    }
    assert!(options.no_self_intersections || refused.is_none());
    result
}
/// The number of faces, and of pairs of them that intersect, without and with the option.
fn compared(device: &Device, shape: &TriangleMesh, n: u32, order: Order) -> [(usize, u64); 2] {
    [false, true].map(|no_self_intersections| {
        let target = Some(Target::Faces(n));
        let options = SimplifyOptions { target, order, no_self_intersections, ..SimplifyOptions::default() };
        let result = simplified(device, shape, &options);
        let mesh = TriangleMesh::from_f32(result.positions.iter().copied(), result.faces.clone());
        (mesh.faces.len(), pairs(device, &mesh))
    })
}
/// One sphere closely around another.
fn shells(k: u32) -> TriangleMesh {
    let sphere = shapes::icosphere(k).expect("small");
    joined(&[sphere.clone(), moved(sphere, 0.98, [0.0; 3])])
}

suite! {
    fn of_two_shells(device) {
        let shape = shells(size(5, 3));
        assert_eq!(pairs(device, &shape), 0);
        for order in orders(device) {
            let [(faces, without), (most, with)] = compared(device, &shape, 160, order);
            assert_eq!(faces, 160);
            assert!(without > 0);
            assert_eq!(with, 0);
            // the shells stay apart as long as they have enough faces
            assert!(most >= 160 && most < shape.faces.len() / 2, "{most}");
        }
    }
    fn of_two_waves(device) {
        let wave = |z: f64| move |x: f64, y: f64| [x, y, 0.1 * (9.0 * x).sin() * (7.0 * y).cos() + z];
        let n = size(60, 20);
        let shape = joined(&[sheet(n, wave(0.0)), sheet(n, wave(0.004))]);
        for order in orders(device) {
            let [(_, without), (_, with)] = compared(device, &shape, n * n / 30, order);
            assert!(without > 0);
            assert_eq!(with, 0);
        }
    }
    fn those_of_the_input_do_not_increase(device) {
        let sphere = shapes::icosphere(size(4, 2)).expect("small");
        let shape = joined(&[sphere.clone(), moved(sphere, 1.0, [0.9, 0.1, 0.2])]);
        let before = pairs(device, &shape);
        assert!(before > 0);
        for order in orders(device) {
            let [_, (faces, with)] = compared(device, &shape, shape.faces.len() as u32 / 3, order);
            assert!(with <= before, "{before}, then {with}");
            assert!(faces < shape.faces.len() / 2, "{faces}");
        }
    }
    fn a_surface_without_any_is_not_held_up(device) {
        let sphere = shapes::bumpy_sphere(size(4, 2), 3).expect("small");
        let n = sphere.faces.len() as u32 / 4;
        for order in orders(device) {
            let [(_, without), (faces, with)] = compared(device, &sphere, n, order);
            assert_eq!((without, with, faces), (0, 0, n as usize));
        }
    }
    fn the_number_of_faces_is_exact_where_a_scan_folds(device) {
        // some vertices, apart from each other, lie beyond the rings around them
        let mut shape = shapes::bumpy_sphere(size(4, 3), 3).expect("small");
        let folds = size(12, 4);
        for fold in 0..folds {
            let face = shape.faces[fold * shape.faces.len() / folds];
            let [p, q] = [face[0], face[1]].map(|v| shape.positions[v as usize]);
            shape.positions[face[0] as usize] = 0.97 * (p + 2.6 * (q - p));
        }
        let before = pairs(device, &shape);
        assert!(before >= folds as u64, "{before}");
        for order in orders(device) {
            for n in [shape.faces.len() as u32 / 6 * 2, size(170, 128), size(50, 64)] {
                let [_, (faces, with)] = compared(device, &shape, n, order);
                assert_eq!(faces, n as usize, "{order:?}");
                assert!(with <= before, "{before}, then {with}");
            }
        }
    }
    fn the_number_of_faces_is_exact_down_to_what_a_crossing_needs(device) {
        let sphere = shapes::icosphere(size(4, 2)).expect("small");
        let shape = joined(&[sphere.clone(), moved(sphere, 1.0, [0.9, 0.1, 0.2])]);
        let before = pairs(device, &shape);
        for order in orders(device) {
            let of = |n| {
                let target = Some(Target::Faces(n));
                let options =
                    SimplifyOptions { target, order, no_self_intersections: true, ..SimplifyOptions::default() };
                let SimplifyReport { stopped, after, .. } = simplified(device, &shape, &options).report;
                (stopped, after.faces)
            };
            let n = shape.faces.len() as u64 / 4 * 2;
            assert_eq!(of(n as u32), (Stopped::Target, n));
            // the faces of the crossing stay, and there are more of them
            let (stopped, least) = of(8);
            assert_eq!(stopped, Stopped::NothingLeft);
            assert!(least > 8 && least < n, "{least}, of {before} pairs");
            let enough = least.div_ceil(2) * 2 + 40;
            assert_eq!(of(enough as u32), (Stopped::Target, enough));
        }
    }
    fn the_same_in_every_mode(device) {
        let shape = shells(3);
        let of = |order, mode| {
            let options = SimplifyOptions {
                target: Some(Target::Faces(300)),
                order,
                no_self_intersections: true,
                mode,
                ..SimplifyOptions::default()
            };
            let result = simplified(device, &shape, &options);
            (result.positions, result.faces)
        };
        let first = of(Order::Rounds, ExecutionMode::Automatic);
        assert_eq!(of(Order::Rounds, ExecutionMode::PerPhase), first);
        assert_eq!(of(Order::Rounds, ExecutionMode::Persistent), first);
        if device.kind() == DeviceKind::Cpu {
            let auto = of(Order::Auto, ExecutionMode::Automatic);
            assert_eq!(of(Order::Sequence, ExecutionMode::Automatic), auto);
        }
    }
}
