//! Tests of simplification against measurements of its own: a model of the topology, and distances point by
//! point.
use crate::simplify::greedy;
use crate::simplify::support::{run, simplify};
use ribbonmesh::dynamic::ExecutionMode;
use ribbonmesh::glam::{DVec3, Vec3};
use ribbonmesh::{Error, MeshOptions, Surface};
use ribbonmesh_mesh::shapes;
use ribbonmesh_remeshing::simplify::{Bound, Order, SimplifyOptions, Stopped, Target};
use ribbonmesh_suite::{
    Checked, cases,
    checked::points,
    forms::{cube, joined, moved, sheet},
    size, suite,
};
use std::collections::BTreeSet;

fn faces(n: u32) -> SimplifyOptions {
    SimplifyOptions { target: Some(Target::Faces(n)), ..SimplifyOptions::default() }
}
fn ratio(share: f64) -> SimplifyOptions {
    SimplifyOptions { target: Some(Target::Ratio(share)), ..SimplifyOptions::default() }
}
fn within(l: f32) -> SimplifyOptions {
    SimplifyOptions { max_error: Some(Bound::Absolute(l)), ..SimplifyOptions::default() }
}

suite! {
    fn a_plane_needs_few_faces(device) {
        // slanted, so that no coordinate is exact
        let shape = sheet(40, |x, y| [x, y, 0.37 * x - 0.21 * y]);
        let before = Checked::of(&shape);
        let (result, after) = run(device, &shape, &faces(2));
        assert!(after.faces.len() <= 4, "{}", after.faces.len());
        assert!(result.report.largest_quadric_error < 1e-6, "{}", result.report.largest_quadric_error);
        let [most, _] = after.apart(&before);
        assert!(most < 1e-6, "{most}");
        assert!((after.area() / before.area() - 1.0).abs() < 1e-5);
    }
    fn a_plane_within_a_tiny_distance(device) {
        let shape = sheet(30, |x, y| [x, 0.6 * y + 0.1 * x, 0.8 * y]);
        let (result, after) = run(device, &shape, &within(1e-6));
        assert_eq!(result.report.stopped, Stopped::NothingLeft);
        assert!(after.faces.len() < 12, "{}", after.faces.len());
        assert!(after.apart(&Checked::of(&shape))[0] < 2e-6);
    }
    fn exact_numbers_of_faces(device) {
        let sphere = shapes::bumpy_sphere(4, 1).expect("small");
        for n in cases([1234, 5118, 5000, 1001, 500, 60]) {
            let (result, after) = run(device, &sphere, &faces(n));
            // closed: an even number
            assert_eq!(after.faces.len() as u32, n / 2 * 2, "{n}");
            assert_eq!(result.report.stopped, Stopped::Target);
        }
        let sheet = sheet(40, |x, y| [x, y, 0.1 * (5.0 * x).sin() * (4.0 * y).cos()]);
        for n in cases([777, 3199, 3000, 400, 101]) {
            let (_, after) = run(device, &sheet, &faces(n));
            assert!((n - 1..=n).contains(&(after.faces.len() as u32)), "{n}: {}", after.faces.len());
        }
        let (_, after) = run(device, &sheet, &ratio(0.25));
        assert!((799..=800).contains(&after.faces.len()));
    }
    fn nothing_to_do(device) {
        let shape = shapes::bumpy_sphere(3, 1).expect("small");
        let n = shape.faces.len() as u32;
        for options in [faces(n), faces(n + 1), faces(u32::MAX), ratio(1.0)] {
            let (result, after) = run(device, &shape, &options);
            assert_eq!((result.report.collapses, result.report.stages.len()), (0, 0));
            assert_eq!(result.report.stopped, Stopped::Target);
            assert_eq!(result.vertex_inputs, (0..shape.positions.len() as u32).collect::<Vec<_>>());
            assert_eq!(after.positions, points(&shape));
            let turned = |f: &[u32; 3]| {
                let [a, b, c] = *f;
                [[a, b, c], [b, c, a], [c, a, b]].into_iter().min().expect("three")
            };
            let expected: Vec<_> = shape.faces.iter().map(turned).collect();
            assert_eq!(after.faces, expected);
        }
    }
    fn a_sphere_gets_coarser_and_never_inside_out(device) {
        let shape = shapes::icosphere(4).expect("small");
        let before = Checked::of(&shape);
        for n in cases([640, 2560, 1280, 320, 160, 80, 40]) {
            let (_, after) = run(device, &shape, &faces(n));
            for ([a, b, c], normal) in after.triangles().zip(after.normals()) {
                let out = (a + b + c).normalize().dot(normal.normalize());
                assert!(out > 0.7, "{n}: {out}");
            }
            let [most, mean] = after.apart(&before);
            // n equilateral triangles cover 4 π / n each; a circle around one has the squared radius 4 / √27
            // of that, and rises by half of it
            let sagitta = 4.0 * std::f64::consts::PI / n as f64 * 4.0 / 27f64.sqrt() / 2.0;
            assert!(mean < 0.6 * sagitta && most < 2.5 * sagitta, "{n}: {most}, {mean}, {sagitta}");
        }
    }
    fn as_good_as_one_edge_at_a_time(device) {
        let mut torus = shapes::torus(40, 1).expect("small");
        shapes::shuffle(&mut torus, 3);
        let cases = [
            ("bumpy sphere", shapes::bumpy_sphere(4, 1).expect("small")),
            ("torus", torus),
            ("knot", shapes::torus_knot(2, 3, 16, 120).expect("small")),
        ];
        for (name, shape) in ribbonmesh_suite::cases(cases) {
            let before = Checked::of(&shape);
            for share in ribbonmesh_suite::cases([4, 10]) {
                let n = before.faces.len() / share;
                let best = greedy::simplified(&before, n);
                let (_, ours) = run(device, &shape, &faces(n as u32));
                assert!(ours.faces.len() <= best.faces.len());
                let ([most, mean], [best_most, best_mean]) = (ours.apart(&before), best.apart(&before));
                println!("{name} / {share}: {mean:.3e} to {best_mean:.3e}, most {most:.3e} to {best_most:.3e}");
                assert!(mean < 1.15 * best_mean, "{name} / {share}: {mean} to {best_mean}");
                assert!(most < 2.0 * best_most, "{name} / {share}: {most} to {best_most}");
            }
        }
    }
    fn within_a_distance(device) {
        let needles = {
            let mut shape = shapes::icosphere(3).expect("small");
            for (i, p) in shape.positions.iter_mut().enumerate() {
                if i % 47 == 5 {
                    *p = p.map(|c| 1.4 * c);
                }
            }
            shape
        };
        let cases = [
            ("bumpy sphere", shapes::bumpy_sphere(3, 2).expect("small")),
            ("needles", needles),
            ("hills", sheet(25, |x, y| [x, y, 0.05 * (9.0 * x).sin() * (7.0 * y).cos()])),
            ("noise", {
                let mut shape = shapes::icosphere(3).expect("small");
                shapes::add_noise(&mut shape, 0.2, 1);
                shape
            }),
        ];
        for (name, shape) in ribbonmesh_suite::cases(cases) {
            let before = Checked::of(&shape);
            let mut fewer = usize::MAX;
            for l in [0.002, 0.01, 0.03, 0.1] {
                let (result, after) = run(device, &shape, &within(l));
                assert_eq!(result.report.stopped, Stopped::NothingLeft);
                let [most, _] = after.apart(&before);
                println!("{name} within {l}: {} faces, {most:.2e}", after.faces.len());
                assert!(most <= l as f64, "{name} within {l}: {most}");
                assert!(after.faces.len() <= fewer, "{name} within {l}: {}", after.faces.len());
                fewer = after.faces.len();
            }
            assert!(fewer < before.faces.len() / 2, "{name}: {fewer}");
        }
    }
    fn the_first_of_both_limits(device) {
        let shape = shapes::icosphere(4).expect("small");
        let options = SimplifyOptions { max_error: Some(Bound::Diagonal(0.01)), ..faces(2000) };
        let (result, after) = run(device, &shape, &options);
        assert_eq!((after.faces.len(), result.report.stopped), (2000, Stopped::Target));
        let options = SimplifyOptions { max_error: Some(Bound::Diagonal(0.001)), ..faces(100) };
        let (result, after) = run(device, &shape, &options);
        assert_eq!(result.report.stopped, Stopped::NothingLeft);
        assert!(after.faces.len() > 100);
        assert_eq!(result.report.target_faces, Some(100));
    }
    fn boundary(device) {
        // a disc with a hole, its boundary two circles
        let ring = |n: u32| {
            let mut shape = sheet(n, |x, y| {
                let (s, c) = (2.0 * std::f64::consts::PI * x).sin_cos();
                [c * (1.0 + y), s * (1.0 + y), 0.2 * (3.0 * y).sin()]
            });
            // its two ends are one
            let last = |v: u32| if v >= n * (n + 1) { v - n * (n + 1) } else { v };
            for f in &mut shape.faces {
                *f = f.map(last);
            }
            shape.positions.truncate((n * (n + 1)) as usize);
            shape
        };
        let shape = ring(48);
        let before = Checked::of(&shape);
        assert_eq!((before.loops, before.boundary.len()), (2, 96));
        let (result, after) = run(device, &shape, &ratio(0.04));
        assert_eq!(result.report.features.boundary_edges, 96);
        assert!(after.boundary.len() < 96, "{}", after.boundary.len());
        let reach = |v: u32| after.positions[v as usize].truncate().length();
        for &v in &after.boundary {
            let off = (reach(v) - 1.0).abs().min((reach(v) - 2.0).abs());
            assert!(off < 0.01, "{off}");
        }
        assert!((after.area() / before.area() - 1.0).abs() < 0.01);
        let options = SimplifyOptions { fixed_boundary: true, ..ratio(0.1) };
        let (_, after) = run(device, &shape, &options);
        let bits = |m: &Checked| -> BTreeSet<[u32; 3]> {
            m.boundary.iter().map(|&v| m.positions[v as usize].to_array().map(f32::to_bits)).collect()
        };
        assert_eq!(bits(&after), bits(&before));
    }
    fn features_of_a_cube(device) {
        let shape = cube(12);
        let options = SimplifyOptions { feature_angle: Some(40.0), ..faces(12) };
        let (result, after) = run(device, &shape, &options);
        assert_eq!((result.report.features.edges, result.report.features.corners), (144, 8));
        assert_eq!(after.faces.len(), 12);
        let corners: BTreeSet<[i32; 3]> = after.positions.iter().map(|p| p.to_array().map(|c| c as i32)).collect();
        assert_eq!((corners.len(), after.positions.len()), (8, 8));
        assert!(after.positions.iter().all(|p| p.abs() == Vec3::ONE));
        // bent sides, so that edges are wanted that cross the features
        let mut bent = cube(16);
        for p in &mut bent.positions {
            let k = p.as_vec3();
            let [x, y, z] = (Vec3::ONE - k * k).to_array();
            *p = (k * (1.0 + 0.15 * (x * y + y * z + z * x))).as_dvec3();
        }
        let sharp = |m: &Checked| {
            let near = |p: DVec3| p.abs().to_array().iter().filter(|c| (**c - 1.0).abs() < 1e-3).count() >= 2;
            m.faces.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]])
                .map(|e| e.map(|v| m.positions[v as usize].as_dvec3()))
                .filter(|e| e.iter().all(|&p| near(p)) && near(0.5 * (e[0] + e[1])))
                .map(|[a, b]| a.distance(b)).sum::<f64>() / 2.0
        };
        for n in cases([300, 1000, 120]) {
            let options = SimplifyOptions { feature_angle: Some(40.0), ..faces(n) };
            let (_, after) = run(device, &bent, &options);
            // all twelve edges of the cube are there, 2 long
            assert!((sharp(&after) - 24.0).abs() < 1e-3, "{n}: {}", sharp(&after));
        }
    }
    fn components(device) {
        let sphere = shapes::icosphere(3).expect("small");
        let parts = [
            moved(sphere.clone(), 1.0, [0.0; 3]),
            moved(sphere.clone(), 1e-2, [3.0, 0.0, 0.0]),
            moved(shapes::torus(30, 1).expect("small"), 1.0, [9.0, 0.0, 0.0]),
            moved(sheet(20, |x, y| [x, y, 0.1 * (6.0 * x).sin()]), 1.0, [0.0, 5.0, 0.0]),
        ];
        let mut shape = joined(&parts);
        // a vertex without faces stays
        shape.positions.push([7.0, 8.0, 9.0].into());
        let (result, after) = run(device, &shape, &faces(200));
        assert_eq!(after.components, 4);
        assert!(after.faces.len() <= 200);
        assert_eq!(result.vertex_inputs.last(), Some(&(shape.positions.len() as u32 - 1)));
        assert_eq!(after.positions.last(), Some(&Vec3::new(7.0, 8.0, 9.0)));
        // the smallest possible meshes: tetrahedra, a torus of few faces
        let (result, after) = run(device, &shape, &faces(1));
        assert_eq!((after.components, result.report.stopped), (4, Stopped::NothingLeft));
        assert!(after.faces.len() < 80, "{}", after.faces.len());
    }
    fn far_away_huge_and_tiny(device) {
        let sphere = shapes::bumpy_sphere(4, 1).expect("small");
        let mean = |shape: &ribbonmesh_mesh::TriangleMesh, size: f64| {
            let (_, after) = run(device, shape, &faces(500));
            after.apart(&Checked::of(shape))[1] / size
        };
        let here = mean(&sphere, 1.0);
        for size in cases([1e-18f32, 1e-6, 1e6, 1e18]) {
            let there = mean(&moved(sphere.clone(), size, [0.0; 3]), size as f64);
            assert!((there / here - 1.0).abs() < 0.1, "{size}: {there}, {here}");
        }
        // 4096 away, positions are known to 2⁻¹² of the radius
        let there = mean(&moved(sphere.clone(), 1.0, [4096.0, -4096.0, 4096.0]), 1.0);
        assert!(there < 1.5 * here + 3e-4, "{there}, {here}");
    }
    fn slivers_and_flat_faces(device) {
        // squeezed, with faces without area and needles
        let mut shape = shapes::bumpy_sphere(4, 3).expect("small");
        for (i, p) in shape.positions.iter_mut().enumerate() {
            p[2] *= 1e-3;
            if i % 5 == 0 {
                p[0] *= 1.3;
            }
        }
        let [a, b, c] = shape.faces[17];
        shape.positions[a as usize] = shape.positions[b as usize];
        shape.positions[c as usize] = shape.positions[b as usize];
        let (_, after) = run(device, &shape, &ratio(0.2));
        assert!(after.positions.iter().all(|p| p.is_finite()));
        // all in one point
        for p in &mut shape.positions {
            *p = [1.0, 2.0, 3.0].into();
        }
        let (result, after) = run(device, &shape, &ratio(0.5));
        assert!(after.positions.iter().all(|p| *p == Vec3::new(1.0, 2.0, 3.0)));
        assert_eq!(result.report.largest_quadric_error, 0.0);
    }
    fn the_same_every_time(device) {
        let mut shape = shapes::bumpy_sphere(size(5, 3), 1).expect("small");
        shapes::shuffle(&mut shape, 1);
        let once = |device: &ribbonmesh::Device, order: Order, mode: ExecutionMode| {
            let options = SimplifyOptions { order, mode, ..ratio(0.1) };
            let result = simplify(device, &points(&shape), &shape.faces, &options).expect("a sphere");
            let bits: Vec<_> = result.positions.iter().map(|p| p.to_array().map(f32::to_bits)).collect();
            (bits, result.faces, result.vertex_inputs, result.report.stages)
        };
        let first = once(device, Order::Rounds, ExecutionMode::Automatic);
        for mode in [ExecutionMode::Automatic, ExecutionMode::PerPhase, ExecutionMode::Persistent] {
            assert_eq!(first, once(device, Order::Rounds, mode), "{mode:?}");
        }
        if device.kind() == ribbonmesh::DeviceKind::Cpu {
            let one = ribbonmesh::Device::cpu_with_threads(1).expect("a thread");
            assert_eq!(first, once(&one, Order::Rounds, ExecutionMode::Automatic));
            let first = once(device, Order::Sequence, ExecutionMode::Automatic);
            assert_eq!(first, once(device, Order::Auto, ExecutionMode::Automatic));
            assert_eq!(first, once(&one, Order::Auto, ExecutionMode::Automatic));
        }
    }
    fn in_sequence_whatever_ids_the_surface_has(device) {
        if device.kind() != ribbonmesh::DeviceKind::Cpu {
            return;
        }
        let shape = shapes::bumpy_sphere(4, 1).expect("small");
        let once = |prepare: fn(&mut Surface)| {
            let mut surface = Surface::new(device, &shape, &MeshOptions::default()).expect("triangles");
            prepare(&mut surface);
            let report = ribbonmesh_remeshing::simplify::simplify(&mut surface, &ratio(0.1)).expect("a sphere");
            assert_eq!((report.order, report.collapses), (Order::Sequence, 2304));
            let mesh = surface.download().expect("a mesh");
            (mesh.positions, mesh.faces)
        };
        let first = once(|_| {});
        assert_eq!(once(|surface| surface.patches().map(drop).expect("patches")), first);
    }
    fn a_vertex_of_many_faces(device) {
        // a fan, whose middle no edge can be collapsed at before most of its faces are gone
        let n = size(3000, 300);
        let at = |i: u32| std::f64::consts::TAU * f64::from(i) / f64::from(n);
        let rim = (0..n).map(|i| [at(i).cos(), at(i).sin(), 0.1 * (5.0 * at(i)).sin()].into());
        let mut shape = cube(1);
        shape.positions = rim.chain([[0.0; 3].into()]).collect();
        shape.faces = (0..n).map(|i| [i, (i + 1) % n, n]).collect();
        let (_, after) = run(device, &shape, &faces(20));
        assert_eq!(after.faces.len(), 20);
    }
    fn survivors_come_from_near(device) {
        let shape = shapes::icosphere(4).expect("small");
        let x = points(&shape);
        let (result, _) = run(device, &shape, &ratio(0.2));
        for (p, &v) in result.positions.iter().zip(&result.vertex_inputs) {
            assert!(p.distance(x[v as usize]) < 0.15, "{}", p.distance(x[v as usize]));
        }
    }
    fn refusals(device) {
        let points = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z, -Vec3::X];
        let error = simplify(device, &points, &[[0, 1, 2], [1, 0, 3], [0, 1, 4]], &faces(1)).expect_err("three at an edge");
        assert!(error.to_string().contains("edge 0-1"), "{error}");
        let error = simplify(device, &points, &[], &faces(1)).expect_err("no faces");
        assert!(matches!(error, Error::NoFaces { .. }), "{error}");
        let bad = [
            SimplifyOptions::default(),
            ratio(1.5),
            ratio(-0.1),
            ratio(f64::NAN),
            within(-1.0),
            within(f32::INFINITY),
            SimplifyOptions { feature_angle: Some(0.0), ..faces(1) },
            SimplifyOptions { share: 0.0, ..faces(1) },
            SimplifyOptions { max_turn: 91.0, ..faces(1) },
            SimplifyOptions { curve_weight: f32::NAN, ..faces(1) },
        ];
        for options in bad {
            let error = simplify(device, &points, &[[0, 1, 2]], &options).expect_err("no such option");
            assert!(matches!(error, Error::Option { .. }), "{error}");
        }
        let in_sequence = SimplifyOptions { order: Order::Sequence, ..faces(1) };
        match simplify(device, &points, &[[0, 1, 2]], &in_sequence) {
            Ok(result) => {
                assert_eq!(device.kind(), ribbonmesh::DeviceKind::Cpu);
                assert_eq!(result.report.order, Order::Sequence);
            }
            Err(error) => {
                assert_eq!(device.kind(), ribbonmesh::DeviceKind::Cuda);
                assert!(error.to_string().contains("rounds or auto"), "{error}");
            }
        }
        let far = [Vec3::ZERO, Vec3::X, Vec3::NAN];
        let error = simplify(device, &far, &[[0, 1, 2]], &faces(1)).expect_err("not finite");
        assert!(matches!(error, Error::NotFinite { vertex: 2 }), "{error}");
    }
}

#[test]
fn bounds_by_name() {
    for (text, bound) in
        [("0.01", Bound::Absolute(0.01)), ("0", Bound::Absolute(0.0)), ("1%", Bound::Diagonal(0.01))]
    {
        assert_eq!(text.parse::<Bound>().expect("a bound"), bound);
        assert_eq!(bound.to_string(), text);
    }
    for bad in ["", "%", "-1", "nan", "inf", "1y"] {
        assert!(matches!(bad.parse::<Bound>(), Err(Error::Option { option: "max error", .. })), "{bad}");
    }
}
