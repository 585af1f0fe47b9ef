//! Tests of surfaces: marks, indices in the input, origins.
use crate::intersections::{expected_of_one, marked};
use ribbonmesh::glam::{DVec3, Vec3};
use ribbonmesh::mesh::{Element, Role};
use ribbonmesh::{Device, Error, MeshOptions, Surface, TriangleMesh};
use ribbonmesh_mesh::shapes;
use ribbonmesh_solid::intersections::{IntersectionOptions, intersections, intersections_of_two};
use ribbonmesh_suite::suite;

fn surface(device: &Device, mesh: &TriangleMesh) -> Surface {
    Surface::new(device, mesh, &MeshOptions::default()).expect("a surface")
}
/// Two spheres that intersect, as one mesh in no order.
fn two_spheres(level: u32) -> TriangleMesh {
    let sphere = shapes::icosphere(level).expect("small");
    let n = sphere.positions.len() as u32;
    let mut points = sphere.points_as_arrays();
    let moved: Vec<_> = points.iter().map(|[x, y, z]| [x + 0.7, y + 0.31, z - 0.2]).collect();
    points.extend(moved);
    let others = sphere.faces.iter().map(|face| face.map(|v| v + n));
    let mut mesh = TriangleMesh::from_f32(points, sphere.faces.iter().copied().chain(others).collect());
    shapes::shuffle(&mut mesh, 3);
    mesh
}
/// The marks that were downloaded.
fn marks(surface: &Surface, name: &str) -> Vec<u32> {
    surface.download().expect("memory").faces_of().get::<u32>(name).expect("marks").to_vec()
}

suite! {
    fn marks_and_places(device) {
        for level in [2, 6] {
            // 640 faces; 163,840, which get ids along a curve
            let mesh = two_spheres(level);
            let n = mesh.faces.len();
            let mut plain = surface(device, &mesh);
            let found = intersections(&mut plain, &IntersectionOptions::default()).expect("pairs");
            let pairs = found.pairs().expect("pairs");
            if level == 2 {
                assert_eq!(pairs, expected_of_one((&mesh.points(), &mesh.faces)));
            }
            assert!(pairs.len() > 20 && pairs.is_sorted() && pairs.iter().all(|[i, j]| i < j));
            let expected = marked(n, pairs.iter().flatten().copied());
            assert_eq!(marks(&plain, "intersects"), expected);
            assert_eq!(found.report.pairs, pairs.len() as u64);
            assert_eq!(found.report.faces, expected.iter().map(|&m| u64::from(m)).sum::<u64>());
            assert_eq!(found.report.faces_of_second, 0);

            // with patches, which have other ids; searched twice; with another name
            let mut cut = surface(device, &mesh);
            cut.patches().expect("patches");
            let options = IntersectionOptions { mark: Some("marked".into()) };
            for _ in 0..2 {
                let found = intersections(&mut cut, &options).expect("pairs");
                assert_eq!(found.pairs().expect("pairs"), pairs);
                assert_eq!(marks(&cut, "marked"), expected);
            }
            assert_eq!(cut.download().expect("memory").attributes(Element::Face).iter().count(), 1);
            // patches that are made after the marks
            plain.patches().expect("patches");
            assert_eq!(marks(&plain, "intersects"), expected);
        }
    }

    fn two_surfaces(device) {
        let mesh = shapes::icosphere(3).expect("small");
        // far from 0, with another origin
        for far in [0.0, 1e6] {
            let moved = |by: DVec3| {
                let mut moved = mesh.clone();
                moved.positions.iter_mut().for_each(|p| *p += by + far);
                moved
            };
            let (one, other) = (moved(DVec3::ZERO), moved(DVec3::new(0.5, 0.25, 0.125)));
            let [mut a, mut b] = [&one, &other].map(|mesh| surface(device, mesh));
            let found = intersections_of_two(&mut a, &mut b, &IntersectionOptions::default()).expect("pairs");
            let pairs = found.pairs().expect("pairs");
            assert!(pairs.len() > 50, "{}", pairs.len());
            assert_eq!(marks(&a, "intersects"), marked(1280, pairs.iter().map(|pair| pair[0])));
            assert_eq!(marks(&b, "intersects"), marked(1280, pairs.iter().map(|pair| pair[1])));
            let count = |column: usize| {
                let mut faces: Vec<u32> = pairs.iter().map(|pair| pair[column]).collect();
                faces.sort_unstable();
                faces.dedup();
                faces.len() as u64
            };
            let report = found.report;
            assert_eq!((report.faces, report.faces_of_second), (count(0), count(1)));
            if far == 0.0 {
                let expected = crate::intersections::expected((&one.points(), &one.faces), (&other.points(), &other.faces));
                assert_eq!(pairs, expected);
            }
            // in the opposite order; without marks
            let [mut a, mut b] = [&one, &other].map(|mesh| surface(device, mesh));
            let other = intersections_of_two(&mut b, &mut a, &IntersectionOptions { mark: None }).expect("pairs");
            assert_eq!(a.faces().names().count() + b.faces().names().count(), 0);
            let mut turned: Vec<_> = other.pairs().expect("pairs").into_iter().map(|[i, j]| [j, i]).collect();
            turned.sort_unstable();
            if far == 0.0 {
                assert_eq!(turned, pairs);
            }
        }
    }

    fn a_vertex_that_is_not_finite(device) {
        let mut mesh = two_spheres(6);
        mesh.positions[4321] = DVec3::new(0.0, f64::INFINITY, 0.0);
        let error = intersections(&mut surface(device, &mesh), &IntersectionOptions::default()).err();
        assert!(matches!(error, Some(Error::NotFinite { vertex: 4321 })), "{error:?}");
        let points = [Vec3::ZERO, Vec3::X, Vec3::Y].map(|p| p.to_array());
        let mut empty = surface(device, &TriangleMesh::from_f32(points, vec![]));
        let found = intersections(&mut empty, &IntersectionOptions::default()).expect("none");
        assert_eq!((found.report.pairs, found.pairs().expect("none").len()), (0, 0));
    }

    fn columns_without_patches(device) {
        let mesh = two_spheres(1);
        let mut surface = surface(device, &mesh);
        let places = surface.triangles().face_places().and_then(|places| places.try_clone()).expect("memory");
        surface.insert_of_faces("place", Role::Custom, &places).expect("a value per face");
        assert!(matches!(surface.have_patches(), Err(Error::StalePatches)));
        assert!(marks(&surface, "place").into_iter().eq(0..mesh.faces.len() as u32));
        let short = device.zeros::<u32>(3).expect("memory");
        let error = surface.insert_of_faces("short", Role::Custom, &short).expect_err("too few");
        assert!(matches!(error, Error::Length { expected: 160, found: 3, .. }), "{error}");
        let elsewhere = Device::cpu_with_threads(1).expect("a thread").zeros::<u32>(160).expect("memory");
        let error = surface.insert_of_faces("other", Role::Custom, &elsewhere).expect_err("elsewhere");
        assert!(matches!(error, Error::OtherDevice { .. }), "{error}");
    }
}
