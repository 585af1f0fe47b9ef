//! Columns of a surface whose edges are flipped.
use ribbonmesh::{Device, DeviceKind, MeshOptions, Surface};
use ribbonmesh_mesh::{Column, Policy, Role, TriangleMesh, shapes};
use ribbonmesh_remeshing::delaunay::{DelaunayOptions, Order, delaunay};
use ribbonmesh_suite::suite;
use std::collections::BTreeSet;

/// A torus of two materials, with ids of vertices.
fn painted() -> TriangleMesh {
    let mut shape = shapes::torus(30, 1).expect("small");
    let materials: Vec<u32> = (0..shape.faces.len() as u32).map(|f| u32::from(f % 5 == 0)).collect();
    let ids: Vec<u32> = (0..shape.positions.len() as u32).collect();
    let material = Column::with_role("material", Role::Material, materials);
    shape.faces_of_mut().insert_column(material).expect("a row each");
    let ids = Column::new("id", ids).with_policy(Policy::Copy);
    shape.vertices_mut().insert_column(ids).expect("a row each");
    shape
}
/// The edges between the materials.
fn seams(mesh: &TriangleMesh) -> BTreeSet<[u32; 2]> {
    let materials = mesh.faces_of().get::<u32>("material").expect("materials");
    let of = |wanted: u32| -> BTreeSet<[u32; 2]> {
        let faces = mesh.faces.iter().zip(materials).filter(|of| *of.1 == wanted);
        faces
            .flat_map(|(&[a, b, c], _)| [[a, b], [b, c], [c, a]])
            .map(|[a, b]| [a.min(b), a.max(b)])
            .collect()
    };
    of(0).intersection(&of(1)).copied().collect()
}
fn flipped(device: &Device, mesh: &TriangleMesh, options: &DelaunayOptions) -> (TriangleMesh, u64, u32) {
    let mut surface = Surface::new(device, mesh, &MeshOptions::default()).expect("triangles");
    let report = delaunay(&mut surface, options).expect("a manifold");
    (surface.download().expect("memory"), report.flips, report.blocked.seams)
}

suite! {
    fn follow_and_seams_stay(device) {
        let shape = painted();
        let before = seams(&shape);
        let orders = if device.kind() == DeviceKind::Cpu { 2 } else { 1 };
        for order in [Order::Rounds, Order::Sequence].into_iter().take(orders) {
            for no_self_intersections in [false, true] {
                let options = DelaunayOptions { order, no_self_intersections, ..DelaunayOptions::default() };
                let (mesh, flips, blocked) = flipped(device, &shape, &options);
                assert!(flips > 30 && blocked > 0, "{order}: {flips}, {blocked}");
                assert_eq!(seams(&mesh), before, "{order}");
                assert_eq!(mesh.positions, shape.positions);
                let ids = mesh.vertices().get::<u32>("id").expect("ids");
                assert!(ids.iter().enumerate().all(|(v, &id)| v as u32 == id), "{order}");
            }
        }
    }
    fn of_vertices_alone_stay(device) {
        let mut shape = painted();
        shape.faces_of_mut().remove("material");
        let (mesh, flips, _) = flipped(device, &shape, &DelaunayOptions::default());
        assert!(flips > 100, "{flips}");
        assert_eq!(mesh.positions, shape.positions);
        assert_eq!(mesh.vertices().get::<u32>("id").expect("ids"), shape.vertices().get::<u32>("id").expect("ids"));
    }
}
