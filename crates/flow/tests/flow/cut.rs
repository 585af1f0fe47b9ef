//! Open fractions of faces.
use crate::support::{cylinder, face, faces, obstacle, options, sphere};
use ribbonmesh::glam::DVec3;
use ribbonmesh::mesh::shapes;
use ribbonmesh::{Device, MeshOptions, Surface};
use ribbonmesh_flow::{Flow, Motion, Side};
use ribbonmesh_mesh::TriangleMesh;
use ribbonmesh_solid::inside::{InsideOptions, Method, inside};
use ribbonmesh_suite::suite;

const SIDES: [[Side; 2]; 3] = [[Side::Inflow, Side::Outflow], [Side::Wall; 2], [Side::Wall; 2]];

fn fractions(device: &Device, n: [u32; 3], mesh: &TriangleMesh) -> Vec<f32> {
    let obstacle = obstacle(device, mesh, Motion::default());
    let flow = Flow::new(device, &options(n, SIDES), Some(obstacle)).expect("a flow");
    flow.open().read().expect("memory")
}
/// The same by a ray from each of 64 points of each face.
fn by_points(n: [u32; 3], mesh: &TriangleMesh) -> Vec<f32> {
    let edge = f64::from(1.0 / n[0] as f32);
    let mut points = vec![];
    for d in 0..3 {
        for at in faces(n, d) {
            for q in 0..64 {
                let within = [q % 8, q / 8].map(|q| (f64::from(q) + 0.5) / 8.0);
                let mut p = at.map(f64::from);
                p[(d + 1) % 3] += within[0];
                p[(d + 2) % 3] += within[1];
                points.push(edge * DVec3::from_array(p));
            }
        }
    }
    let surface = Surface::new(&Device::cpu(), mesh, &MeshOptions::default()).expect("a mesh");
    let options = InsideOptions { method: Method::Rays, ..InsideOptions::default() };
    let found = inside(&surface, &points, &options).expect("closed").inside;
    let mut open = vec![0.0; 3 * crate::support::nodes(n)];
    let mut of_face = found.chunks_exact(64);
    for d in 0..3 {
        for at in faces(n, d) {
            let inside = of_face.next().expect("each").iter().filter(|inside| **inside).count();
            open[face(n, d, at)] = (64 - inside) as f32 / 64.0;
        }
    }
    open
}

suite! {
    fn fractions_are_those_of_points(device) {
        let mut torus = shapes::torus(24, 1).expect("small");
        let middle = DVec3::new(0.52, 0.41, 0.37);
        torus.positions.iter_mut().for_each(|p| *p = 0.3 * DVec3::new(p.y, p.z, p.x) + middle);
        // two shells of one orientation, so that the inner one is open again, and a part beyond the box
        let mut shells = sphere(DVec3::new(0.71, 0.35, 0.3), 0.32);
        shells.append(&sphere(DVec3::new(0.7, 0.36, 0.31), 0.17)).expect("small");
        for mesh in [torus, shells] {
            for n in [[12, 9, 7], [16, 11, 1]] {
                let (found, expected) = (fractions(device, n, &mesh), by_points(n, &mesh));
                let differ = found.iter().zip(&expected).filter(|(a, b)| a != b).count();
                assert_eq!(differ, 0, "{n:?}");
                assert!(found.iter().filter(|open| **open > 0.0 && **open < 1.0).count() > 20);
            }
        }
    }
    fn turned_around_inside_is_the_same(device) {
        let mut mesh = sphere(DVec3::splat(0.5), 0.3);
        let found = fractions(device, [10; 3], &mesh);
        mesh.faces.iter_mut().for_each(|face| face.swap(1, 2));
        assert!(found == fractions(device, [10; 3], &mesh));
    }
    fn areas_are_those_of_a_cylinder(device) {
        // a slice of a cylinder in two dimensions, in the plane z = 0
        let n = [32, 32, 1];
        let open = fractions(device, n, &cylinder([0.5, 0.5], 0.3));
        let solid: f32 = faces(n, 2).filter(|at| at[2] == 0).map(|at| 1.0 - open[face(n, 2, at)]).sum();
        let expected = std::f32::consts::PI * 0.09 * 1024.0;
        assert!((solid / expected - 1.0).abs() < 3e-3, "{solid} {expected}");
    }
}
