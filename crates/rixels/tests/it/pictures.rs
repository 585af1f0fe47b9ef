//! Pictures against rays in double precision, and against each other.
use crate::support::{Random, Shape, hit, looking};
use ribbonmesh::Device;
use ribbonmesh::glam::{DVec3, Vec3};
use ribbonmesh::mesh::shapes::{bumpy_sphere, torus_knot};
use ribbonmesh_rixels::{Options, Painter, Picture, Values, View};
use ribbonmesh_suite::suite;

/// How near to a side, in pixels, either answer is right.
const SIDE: f64 = 0.02;

fn views(size: [u32; 2]) -> Vec<View> {
    let aspect = f64::from(size[0]) / f64::from(size[1]);
    let eye = DVec3::new(1.0, 2.0, 3.0);
    vec![
        looking(eye, DVec3::Y, View::perspective(0.9, aspect, 0.5, 20.0), size),
        looking(eye, DVec3::Y, View::parallel(4.0, 4.0 / aspect, 0.5, 20.0), size),
        // in the middle of things, with faces behind the eye
        looking(0.2 * eye, DVec3::X, View::perspective(1.5, aspect, 0.01, 3.0), size),
        // a narrow part, in which faces reach far beyond the picture
        looking(eye, DVec3::Y, View::perspective(0.01, aspect, 0.5, 20.0), size),
        looking(1.01 * eye.normalize(), DVec3::Z, View::perspective(2.5, aspect, 1e-4, 20.0), size),
    ]
}

/// Each pixel has the first face on its ray, but where two faces, or a side, are too near to tell.
fn check(picture: &Picture, view: &View, shape: &Shape, values: &[f32]) {
    for i in 0..picture.faces.len() {
        let (x, y) = (i as u32 % picture.width, i as u32 / picture.width);
        let corners = |face: usize| shape.faces[face].map(|v| shape.points[v as usize]);
        let value = |face: usize| shape.faces[face].map(|v| values[v as usize]);
        let hits = (0..shape.faces.len()).filter_map(|f| Some((f, hit(view, corners(f), value(f), x, y)?)));
        let hits: Vec<_> = hits.filter(|(_, hit)| hit.within > -SIDE).collect();
        let sure = hits.iter().filter(|(_, hit)| hit.within > SIDE).map(|(_, hit)| hit.away);
        let nearest = sure.fold(f64::INFINITY, f64::min);
        let slack = |away: f64| 2e-3 * away;
        let found = f64::from(picture.distances[i]);
        let what = format!("pixel {x}, {y}: face {} at {found}, expected {nearest}", picture.faces[i]);
        if picture.faces[i] == Picture::NOTHING {
            assert!(nearest.is_infinite() && found.is_infinite() && picture.values[i].is_nan(), "{what}");
            continue;
        }
        assert!(found <= nearest + slack(nearest.min(1e3)), "{what}");
        let face = hits.iter().find(|(f, _)| *f == picture.faces[i] as usize);
        let (_, hit) = face.unwrap_or_else(|| panic!("{what}: not on the ray"));
        // steep faces change much within a side's width
        if hit.within > SIDE {
            assert!((hit.away - found).abs() <= slack(found), "{what}: {}", hit.away);
            assert!((hit.value - f64::from(picture.values[i])).abs() < 2e-3, "{what}: {}", hit.value);
        }
    }
}

fn of_triangles(device: &Device, count: usize, size: f32, seed: u64) -> (Shape, Vec<f32>) {
    let mut random = Random(seed);
    let mut points = vec![];
    for _ in 0..count {
        let middle = random.point();
        points.extend([0; 3].map(|_| middle + size * random.point()));
    }
    let faces = (0..count as u32).map(|f| [3 * f, 3 * f + 1, 3 * f + 2]).collect();
    let values = points.iter().map(|_| random.number()).collect();
    (Shape::new(device, points, faces), values)
}

suite! {
    fn rays(device) {
        let mut painter = Painter::new(device);
        // triangles below a pixel, of some pixels, larger than the picture
        for (count, size, seed) in [(300, 0.02, 1), (100, 0.3, 2), (12, 3.0, 3)] {
            let (shape, values) = of_triangles(device, count, size, seed);
            let on_device = device.upload(&values).expect("memory");
            for view in views([37, 29]) {
                let scene = shape.scene(Values::OfVertices(&on_device));
                let picture = painter.paint(&scene, &view).expect("a picture");
                check(&picture, &view, &shape, &values);
            }
        }
    }
    /// On the GPU: the same bits as on the CPU. Large pictures have faces of all sizes.
    fn same_bits(device) {
        let cpu = Device::cpu();
        let knot = Shape::of(device, &torus_knot(2, 3, 40, 400).expect("a knot"));
        let sphere = Shape::of(device, &bumpy_sphere(6, 1).expect("a sphere"));
        let (few, _) = of_triangles(device, 40, 2.0, 5);
        let (mut painter, mut other) = (Painter::new(device), Painter::new(&cpu));
        for shape in [knot, sphere, few] {
            let values: Vec<f32> = shape.points.iter().map(|p| p.x * p.y + p.z).collect();
            let on_cpu = shape.on(&cpu);
            let (a, b) = (device.upload(&values).expect("memory"), cpu.upload(&values).expect("memory"));
            for view in views([640, 500]) {
                let (scene, on_cpu) = (shape.scene(Values::OfVertices(&a)), on_cpu.scene(Values::OfVertices(&b)));
                let picture = painter.paint(&scene, &view).expect("a picture");
                let expected = other.paint(&on_cpu, &view).expect("a picture");
                assert!(picture.faces == expected.faces);
                assert!(bits(&picture.distances) == bits(&expected.distances));
                assert!(bits(&picture.values) == bits(&expected.values));
                let options = Options::default();
                let rixels = painter.encode(&scene, &view, &options).expect("rixels");
                assert!(rixels == other.encode(&on_cpu, &view, &options).expect("rixels"));
            }
        }
    }
    /// Values of faces, and pixels without a value.
    fn values_of_faces(device) {
        let square = [Vec3::ZERO, Vec3::X, Vec3::X + Vec3::Y, Vec3::Y].map(|p| p * 2.0 - Vec3::new(1.0, 1.0, 0.0));
        let shape = Shape::new(device, square.to_vec(), vec![[0, 1, 2], [0, 2, 3]]);
        let view = looking(DVec3::Z, DVec3::Y, View::parallel(2.0, 2.0, 0.1, 2.0), [8, 8]);
        let mut painter = Painter::new(device);
        let values = device.upload(&[7.0, f32::INFINITY]).expect("memory");
        let picture = painter.paint(&shape.scene(Values::OfFaces(&values)), &view).expect("a picture");
        for (face, value) in picture.faces.iter().zip(&picture.values) {
            assert!(if *face == 0 { *value == 7.0 } else { *face == 1 && value.is_nan() });
        }
        let values = device.upload(&[0.0, 1.0, 2.0, f32::NAN]).expect("memory");
        let picture = painter.paint(&shape.scene(Values::OfVertices(&values)), &view).expect("a picture");
        assert!(picture.faces.iter().zip(&picture.values).all(|(face, value)| value.is_nan() == (*face == 1)));
        let picture = painter.paint(&shape.scene(Values::Plain), &view).expect("a picture");
        assert!(picture.values.iter().all(|value| *value == 0.0));
    }
}

fn bits(numbers: &[f32]) -> Vec<u32> {
    numbers.iter().map(|x| if x.is_nan() { f32::NAN.to_bits() } else { x.to_bits() }).collect()
}
