//! Tests which faces are inside.
use crate::shapes::{Uploaded, cube, icosphere, inverted, scaled, shuffle, together};
use ribbonmesh::glam::DVec3;
use ribbonmesh::{Device, Error, TriangleMesh};
use ribbonmesh_cells::{FacesInside, FacesInsideOptions, PlaneTest};
use ribbonmesh_suite::suite;

/// Centre of the cavity within the first sphere; the solid is beside it.
const CAVITY: DVec3 = DVec3::new(-0.4, 0.03, 0.02);
const SOLID: DVec3 = DVec3::new(-0.2, -0.6, 0.1);

/// Two spheres through each other, within the first a cavity and a solid, and one apart; in no order.
fn spheres(level: u32) -> TriangleMesh {
    let ball = icosphere(level).expect("small");
    let mut mesh = together(&[
        ball.clone(),
        scaled(&ball, 0.7, DVec3::new(0.9, 0.1, 0.2)),
        inverted(&scaled(&ball, 0.2, CAVITY)),
        scaled(&ball, 0.15, SOLID),
        scaled(&ball, 0.5, DVec3::new(-3.0, 0.0, 0.0)),
    ]);
    shuffle(&mut mesh, 5);
    mesh
}
/// Whether a point on one of the first two spheres is inside the other one; `None` near both.
fn expected(p: DVec3) -> Option<bool> {
    let heights = [(DVec3::ZERO, 1.0), (DVec3::new(0.9, 0.1, 0.2), 0.7)].map(|(c, r)| p.distance(c) - r);
    let other = if heights[0].abs() < heights[1].abs() { heights[1] } else { heights[0] };
    (other.abs() > 0.02).then_some(other < 0.0)
}
fn told(
    device: &Device,
    mesh: &TriangleMesh,
    marks: &[u32],
    options: FacesInsideOptions,
) -> (Vec<u32>, [u32; 2]) {
    let uploaded = Uploaded::of(device, mesh);
    let mut test = PlaneTest::new(uploaded.triangles()).expect("tables");
    let marks = device.upload(marks).expect("memory");
    let FacesInside { inside, single, disputed } = test.faces_inside(&marks, &options).expect("faces");
    (inside.read().expect("memory"), [single, disputed])
}
/// The faces that intersect others.
fn intersecting(device: &Device, mesh: &TriangleMesh) -> Vec<u32> {
    let uploaded = Uploaded::of(device, mesh);
    let found = ribbonmesh_solid::intersections::self_intersections(uploaded.triangles()).expect("pairs");
    found.marks.read().expect("memory")
}

suite! {
    fn clusters_say_what_each_face_says(device) {
        let mesh = spheres(4);
        let marks = intersecting(device, &mesh);
        let all_alone = FacesInsideOptions { rings: 1000, casts: 1 };
        let (each, [single, disputed]) = told(device, &mesh, &marks, all_alone);
        let free = marks.iter().filter(|mark| **mark == 0).count();
        // rings over the whole surface: only components without a marked face have clusters
        assert!((single as usize) < free && disputed == 0);
        let mut seen = [0; 2];
        for ((face, &inside), &mark) in mesh.faces.iter().zip(&each).zip(&marks) {
            let centre = face.iter().map(|&v| mesh.positions[v as usize]).sum::<DVec3>() / 3.0;
            if centre.distance(SOLID) < 0.2 {
                assert_eq!(inside, 1, "{centre}");
            } else if centre.distance(CAVITY) < 0.3 || centre.x < -2.0 {
                // surfaces of the volume: the cavity, and the sphere that is apart
                assert_eq!(inside, 0, "{centre}");
            } else if let (0, Some(expected)) = (mark, expected(centre)) {
                assert_eq!(inside == 1, expected, "{centre}");
                seen[inside as usize] += 1;
            }
        }
        assert!(seen.iter().all(|n| *n > 100), "{seen:?}");
        for options in [FacesInsideOptions::default(), FacesInsideOptions { rings: 0, casts: 1 }, FacesInsideOptions { rings: 1, casts: 40 }] {
            let (inside, [fewer, disputed]) = told(device, &mesh, &marks, options);
            assert_eq!(inside, each, "{options:?}");
            assert!(fewer < single && disputed == 0, "{fewer} {disputed}");
        }
    }

    fn marks_that_are_missing(device) {
        // without marks clusters reach across: their rays disagree, and each face has its own
        let mesh = spheres(3);
        let none = vec![0; mesh.faces.len()];
        let (inside, [single, disputed]) = told(device, &mesh, &none, FacesInsideOptions { rings: 2, casts: 60_000 });
        assert!(disputed > 0 && disputed == single, "{single} {disputed}");
        // rays from all faces of a cluster: the decision is that of each face
        let (each, _) = told(device, &mesh, &none, FacesInsideOptions { rings: 0, casts: 60_000 });
        assert_eq!(inside, each);
        for (face, &inside) in mesh.faces.iter().zip(&inside) {
            let centre = face.iter().map(|&v| mesh.positions[v as usize]).sum::<DVec3>() / 3.0;
            if centre.x < -2.0 {
                assert_eq!(inside, 0);
            }
        }
    }

    fn flat_faces_and_bad_input(device) {
        // unwelded, along the axes, with points and segments: no face is inside of a single box
        let mut mesh = cube(3);
        mesh.faces.extend([[0, 0, 0], [0, 1, 0], [5, 5, 5]]);
        let none = vec![0; mesh.faces.len()];
        let (inside, _) = told(device, &mesh, &none, FacesInsideOptions::default());
        assert!(inside[..mesh.faces.len() - 3].iter().all(|inside| *inside == 0));
        let boxes = together(&[cube(4), scaled(&cube(2), 1.0, DVec3::ONE)]);
        let n = cube(4).faces.len();
        let (inside, _) = told(device, &boxes, &vec![0; boxes.faces.len()], FacesInsideOptions::default());
        assert!(inside.iter().enumerate().all(|(face, &inside)| (inside == 1) == (face >= n)));

        let uploaded = Uploaded::of(device, &boxes);
        let mut test = PlaneTest::new(uploaded.triangles()).expect("tables");
        assert!(test.bytes() > 0);
        let marks = device.zeros::<u32>(boxes.faces.len()).expect("memory");
        for casts in [0, 65_536] {
            let error = test.faces_inside(&marks, &FacesInsideOptions { rings: 2, casts }).err();
            assert!(matches!(error, Some(Error::Option { option: "casts", .. })), "{error:?}");
        }
        let error = test.faces_inside(&device.zeros::<u32>(3).expect("memory"), &FacesInsideOptions::default()).err();
        assert!(matches!(error, Some(Error::Length { found: 3, .. })), "{error:?}");
        let elsewhere = Device::cpu_with_threads(1).expect("a thread").zeros::<u32>(boxes.faces.len()).expect("memory");
        let error = test.faces_inside(&elsewhere, &FacesInsideOptions::default()).err();
        assert!(matches!(error, Some(Error::OtherDevice { .. })), "{error:?}");
    }
}
