//! Quantities that a surface keeps: they do not depend on what was asked before, and go when their source
//! does.
use ribbonmesh::glam::Vec3;
use ribbonmesh::{Device, MeshOptions, Op, Surface};
use ribbonmesh_fields::geodesic::{GeodesicOptions, geodesic};
use ribbonmesh_mesh::{Column, Role, TriangleMesh, shapes};
use ribbonmesh_remeshing::delaunay::{DelaunayOptions, delaunay};
use ribbonmesh_remeshing::remesh::{RemeshOptions, remesh};
use ribbonmesh_suite::suite;

/// A shuffled sphere, large enough for ids along a curve, with a column of corners.
fn sphere() -> TriangleMesh {
    let mut mesh = shapes::bumpy_sphere(6, 1).expect("small");
    shapes::shuffle(&mut mesh, 5);
    let corners: Vec<u32> = (0..3 * mesh.faces.len() as u32).collect();
    mesh.corners_mut().insert_column(Column::with_role("corner", Role::Custom, corners)).expect("rows");
    mesh
}
fn upload(device: &Device, mesh: &TriangleMesh) -> Surface {
    Surface::new(device, mesh, &MeshOptions::default()).expect("a mesh")
}
/// Places of vertices and faces, and the faces, by id.
fn patches(surface: &mut Surface) -> [Vec<u32>; 3] {
    let (mesh, _) = surface.patches().expect("patches");
    mesh.validate().expect("valid");
    let by_id = mesh.query(Op::FV).expect("a query").into_values();
    [mesh.vertex_inputs(), mesh.face_inputs(), &by_id].map(|buffer| buffer.read().expect("memory"))
}
fn distances(surface: &mut Surface) -> Vec<f32> {
    geodesic(surface, &[7, 3000], &GeodesicOptions::default()).expect("distances");
    surface.values_of_vertices::<f32>("distance").and_then(|values| values.read()).expect("a column")
}

suite! {
    fn patches_do_not_depend_on_what_was_asked_before(device) {
        let mesh = sphere();
        let expected = patches(&mut upload(device, &mesh));
        let mut linked = upload(device, &mesh);
        linked.sizes().expect("edges");
        assert_eq!(patches(&mut linked), expected);
        assert_eq!(linked.download().expect("memory"), mesh);
        linked.purge();
        linked.flat_topology().expect("edges");
        assert_eq!(patches(&mut linked), expected);
        assert_eq!(linked.download().expect("memory"), mesh);
    }
    fn distances_do_not_depend_on_patches(device) {
        let mesh = sphere();
        let expected = distances(&mut upload(device, &mesh));
        let mut surface = upload(device, &mesh);
        surface.patches().expect("patches");
        assert_eq!(distances(&mut surface), expected);
        assert!(surface.have_patches().is_ok(), "they stay");
    }
    fn a_tree_is_kept_until_vertices_move(device) {
        let mut surface = upload(device, &sphere());
        surface.sizes().expect("edges");
        let far = device.upload(&[Vec3::splat(9.0)]).expect("memory");
        let nearest = |surface: &Surface| {
            let found = surface.tree().and_then(|tree| tree.closest(&far, None)).and_then(|found| found.read());
            found.expect("a tree")[0].distance
        };
        let before = nearest(&surface);
        let tree: *const _ = surface.tree().expect("a tree");
        assert!(std::ptr::eq(tree, surface.tree().expect("a tree")));
        let half = surface.tree().expect("a tree").scaled(0.5).expect("in range");
        let scaled = device.upload(&[Vec3::splat(4.5)]).and_then(|far| half.closest(&far, None)?.read());
        assert_eq!(2.0 * scaled.expect("memory")[0].distance, before);
        let moved: Vec<Vec3> = surface.triangles().positions().read().expect("memory").iter().map(|x| 0.5 * *x).collect();
        surface.move_to(device.upload(&moved).expect("memory")).expect("moved");
        assert!(nearest(&surface) > before);
        let (_, x) = surface.patches_mut().expect("patches");
        x.upload(&vec![Vec3::splat(9.0); x.len()]).expect("memory");
        surface.moved();
        assert_eq!(nearest(&surface), 0.0);
    }
    /// Whatever is asked after a change of triangles, the output stays; patches follow the surface's options.
    fn queries_leave_the_output(device) {
        type Change = fn(&mut Surface);
        let changes: [Change; 2] = [
            |surface| _ = delaunay(surface, &DelaunayOptions::default()).expect("a manifold"),
            |surface| drop(remesh(surface, &RemeshOptions { iterations: 1, ..RemeshOptions::default() }).expect("a manifold")),
        ];
        for (change, cut) in changes.into_iter().flat_map(|change| [(change, false), (change, true)]) {
            let options = MeshOptions { patch_size: 200, ..MeshOptions::default() };
            let mut mesh = shapes::bumpy_sphere(4, 1).expect("small");
            shapes::shuffle(&mut mesh, 5);
            let mut surface = Surface::new(device, &mesh, &options).expect("a mesh");
            if cut {
                surface.patches().expect("patches");
            }
            change(&mut surface);
            let after = surface.download().expect("memory");
            for edges_first in [false, true] {
                if edges_first {
                    surface.sizes().expect("edges");
                }
                let (mesh, x) = surface.patches().expect("patches");
                mesh.validate().expect("valid");
                assert!(cut || mesh.max_counts().f_owned <= 200);
                assert_eq!(x.download().expect("memory"), after.points());
                assert_eq!(surface.download().expect("memory"), after);
                assert_eq!(surface.try_clone().and_then(|copy| copy.download()).expect("memory"), after);
                surface.purge();
            }
        }
    }
}
