//! Kernels of one closure find what loops over the faces find.
use ribbonmesh::device::{ColumnViewMut, Vec3};
use ribbonmesh::{Attribute, Device, Face, MeshOptions, Op, StaticMesh, Vertex};
use ribbonmesh_suite::suite;
use ribbonmesh_testing::primitives::per_patch::{
    EdgeEnds, EdgeSums, FaceCentres, NeighbourMeans, OpenSides, VertexAreas,
};
use std::collections::BTreeSet;

/// A bumpy sphere, with a vertex without faces and a face with a vertex twice.
fn mesh(device: &Device) -> (StaticMesh, Vec<Vec3>, Vec<[u32; 3]>) {
    let shape = ribbonmesh_mesh::shapes::bumpy_sphere(ribbonmesh_suite::size(5, 3), 1).expect("small");
    let mut x: Vec<Vec3> = shape.positions.iter().map(|p| p.as_vec3()).collect();
    let mut faces = shape.faces;
    x.push(Vec3::splat(9.0));
    faces.push([0, 1, 0]);
    let mesh = StaticMesh::new(device, x.len(), &faces, &MeshOptions::default()).expect("a mesh");
    (mesh, x, faces)
}

fn near(a: f32, b: f64) -> bool {
    (a as f64 - b).abs() <= 1e-5 * b.abs().max(1.0)
}

suite! {
    fn a_query_of_two_is_asked_as_one(device) {
        let mesh = StaticMesh::new(device, 4, &[[0, 1, 2], [0, 2, 3], [0, 3, 1]], &MeshOptions::default());
        let mesh = mesh.expect("three sides of a tetrahedron");
        let mut open = Attribute::<Vertex, i32>::zeros(&mesh).expect("memory");
        mesh.run(OpenSides { open: open.values_mut() }).expect("a launch");
        assert_eq!(open.download().expect("memory"), [0, 1, 1, 1]);
    }

    fn sums_over_faces_neighbours_and_edges(device) {
        let (mesh, points, faces) = mesh(device);
        let x = Attribute::<Vertex, Vec3>::from_input(&mesh, &points).expect("memory");
        let n = points.len();
        let (mut areas, mut around) = (vec![0f64; n], vec![BTreeSet::new(); n]);
        for face in &faces {
            let [a, b, c] = face.map(|v| points[v as usize].as_dvec3());
            for v in BTreeSet::from(*face) {
                areas[v as usize] += (b - a).cross(c - a).length() / 6.0;
            }
            for (u, v) in [(0, 1), (1, 2), (2, 0)].map(|(i, j)| (face[i], face[j])) {
                if u != v {
                    around[u as usize].insert(v);
                    around[v as usize].insert(u);
                }
            }
        }
        let mut found = Attribute::<Vertex, f32>::zeros(&mesh).expect("memory");
        mesh.run(VertexAreas { x: x.values(), areas: found.values_mut() }).expect("areas");
        for (v, (a, b)) in found.download().expect("areas").into_iter().zip(&areas).enumerate() {
            assert!(near(a, *b), "vertex {v}: {a} {b}");
        }
        let mut means = Attribute::<Vertex, Vec3>::zeros(&mesh).expect("memory");
        mesh.run(NeighbourMeans { x: x.values(), means: means.values_mut() }).expect("means");
        let mut lengths = found;
        let mut sums = Attribute::<Vertex, u32>::zeros(&mesh).expect("memory");
        let kernel = EdgeSums { x: x.values(), lengths: lengths.values_mut(), ids: sums.values_mut() };
        mesh.run(kernel).expect("sums");
        let rows = mesh.query(Op::VE).expect("edges").download().expect("edges");
        let mut expected = vec![0u32; n];
        for (id, input) in mesh.vertex_inputs().read().expect("inputs").into_iter().enumerate() {
            expected[input as usize] = rows.row(id).fold(0, |sum, e| sum.wrapping_add(e));
        }
        assert_eq!(sums.download().expect("sums"), expected);
        let (means, lengths) = (means.download().expect("means"), lengths.download().expect("lengths"));
        for v in 0..n {
            let there: Vec<_> = around[v].iter().map(|&u| points[u as usize].as_dvec3()).collect();
            let here = points[v].as_dvec3();
            let mean = if there.is_empty() { here } else { there.iter().sum::<ribbonmesh::glam::DVec3>() / there.len() as f64 };
            assert!(means[v].as_dvec3().distance(mean) < 1e-5, "vertex {v}");
            assert!(near(lengths[v], there.iter().map(|u| u.distance(here)).sum()), "vertex {v}");
        }
    }
    fn faces_and_edges(device) {
        let (mesh, points, faces) = mesh(device);
        let x = Attribute::<Vertex, Vec3>::from_input(&mesh, &points).expect("memory");
        let mut centres = Attribute::<Face, Vec3>::zeros(&mesh).expect("memory");
        let kernel = FaceCentres { x: x.values(), centres: centres.values_mut() };
        mesh.run(kernel).expect("centres");
        for (centre, face) in centres.download().expect("centres").into_iter().zip(&faces) {
            let expected = face.iter().map(|&v| points[v as usize]).sum::<Vec3>() / 3.0;
            assert!(centre.distance(expected) < 1e-5);
        }
        let mut ends = device.zeros::<[u32; 2]>(mesh.edges()).expect("memory");
        let kernel = EdgeEnds { ends: ColumnViewMut::new(ends.view_mut()) };
        mesh.run(kernel).expect("ends");
        let rows = mesh.query(Op::EV).expect("ends").download().expect("ends");
        for (e, ends) in ends.read().expect("ends").into_iter().enumerate() {
            assert!(rows.row(e).eq(ends), "edge {e}");
        }
    }
}
