//! Large meshes get ids along a space-filling curve. Only code that uses ids sees them.
use ribbonmesh::glam::DVec3;
use ribbonmesh::{Attribute, Defect, Error, Face, MeshOptions, Surface, Vertex};
use ribbonmesh_mesh::shapes;
use ribbonmesh_mesh::{Column, Role, TriangleMesh};
use ribbonmesh_remeshing::delaunay::{DelaunayOptions, delaunay};
use ribbonmesh_suite::suite;

/// A shuffled sphere that is large enough, whose faces begin anywhere, with columns.
fn sphere() -> TriangleMesh {
    let mut mesh = shapes::bumpy_sphere(6, 1).expect("small");
    shapes::shuffle(&mut mesh, 5);
    for (i, face) in mesh.faces.iter_mut().enumerate() {
        face.rotate_left(i % 3);
    }
    let (v, f) = (mesh.positions.len() as u32, mesh.faces.len() as u32);
    mesh.vertices_mut().insert("vertex", (0..v).collect()).expect("rows");
    mesh.faces_of_mut().insert("face", (0..f).map(|i| i as u8).collect()).expect("rows");
    let uv = (0..3 * f).map(|c| [c as f32, 0.5]).collect::<Vec<_>>();
    mesh.corners_mut().insert_column(Column::with_role("uv", Role::Custom, uv)).expect("rows");
    mesh
}

fn upload(device: &ribbonmesh::Device, mesh: &TriangleMesh) -> Surface {
    Surface::new(device, mesh, &MeshOptions::default()).expect("a mesh")
}

suite! {
    fn what_went_up_comes_down(device) {
        let mut mesh = sphere();
        let mut surface = upload(device, &mesh);
        assert_eq!(surface.download().expect("memory"), mesh);
        let (patches, x) = surface.patches().expect("patches");
        patches.validate().expect("valid");
        // attributes of the patches are in the order of the input, too
        assert_eq!(x.download().expect("memory"), mesh.points());
        let ids: Vec<u32> = (0..mesh.faces.len() as u32).collect();
        let faces = Attribute::<Face, u32>::from_input(patches, &ids).expect("memory");
        assert_eq!(&faces.download_by_id().expect("memory"), &patches.face_inputs().read().expect("memory"));
        let corners = patches.query(ribbonmesh::Op::FV).expect("a query").download().expect("memory");
        let inputs = patches.vertex_inputs().read().expect("memory");
        for (row, &f) in patches.face_inputs().read().expect("memory").iter().enumerate() {
            let mut found: Vec<u32> = corners.row(row).map(|v| inputs[v as usize]).collect();
            let mut wanted = mesh.faces[f as usize].to_vec();
            found.sort_unstable();
            wanted.sort_unstable();
            assert_eq!(found, wanted);
        }
        assert_eq!(surface.download().expect("memory"), mesh);
        // without columns only what may have changed is read
        assert!(mesh.corners_mut().remove("uv").is_some());
        let mut surface = upload(device, &mesh);
        assert_eq!(surface.download().expect("memory"), mesh);
        surface.patches().expect("patches");
        assert_eq!(surface.download().expect("memory"), mesh);
    }
    fn flips_leave_the_order(device) {
        let mesh = sphere();
        let mut surface = upload(device, &mesh);
        let report = delaunay(&mut surface, &DelaunayOptions::default()).expect("flips");
        assert!(report.flips > 0);
        let after = surface.download().expect("memory");
        assert_eq!(after.positions, mesh.positions);
        assert_eq!(after.vertices().get::<u32>("vertex").expect("kept"), mesh.vertices().get::<u32>("vertex").expect("there"));
        let same = mesh.faces.iter().zip(&after.faces).filter(|(a, b)| a == b).count();
        assert!(same + 2 * report.flips as usize >= mesh.faces.len(), "{same} faces are as they were");
        // and again, from what the first ones left
        let again = delaunay(&mut surface, &DelaunayOptions::default()).expect("flips");
        assert_eq!(again.flips, 0);
        let (patches, x) = surface.patches().expect("patches");
        patches.validate().expect("valid");
        assert_eq!(x.download().expect("memory"), mesh.points());
        assert_eq!(surface.download().expect("memory").faces, after.faces);
    }
    fn errors_name_elements_of_the_input(device) {
        let mesh = sphere();
        let n = mesh.positions.len() as u32;
        let refused = |mesh: &TriangleMesh| upload(device, mesh).to_dynamic(0.0, 1.0).err().expect("refused");
        let more = |points: usize, faces: &[[u32; 3]]| {
            let mut mesh = TriangleMesh::new(mesh.positions.clone(), mesh.faces.clone());
            mesh.positions.extend((0..points).map(|i| DVec3::new(0.1 * i as f64, 0.2, 0.3)));
            mesh.faces.extend(faces);
            mesh
        };
        let [a, b, _] = mesh.faces[4321];
        let error = refused(&more(1, &[[a, b, n]]));
        assert!(matches!(error, Error::NotManifold(Defect::Edge { ends }) if ends == [a.min(b), a.max(b)]), "{error}");
        let error = refused(&more(2, &[[1234, n, n + 1]]));
        assert!(matches!(error, Error::NotManifold(Defect::Vertex { vertex: 1234 })), "{error}");
        let error = refused(&more(2, &[[n, n, n + 1]]));
        let last = mesh.faces.len() as u32;
        assert!(matches!(error, Error::NotManifold(Defect::Face { face }) if face == last), "{error}");
        let mut wrong = more(0, &[]);
        wrong.positions[777].y = f64::NAN;
        let error = upload(device, &wrong).extent("a sphere").expect_err("not finite");
        assert!(matches!(error, Error::NotFinite { vertex: 777 }), "{error}");
    }
    fn sizes_are_those_of_the_mesh(device) {
        for mesh in [sphere(), shapes::grid(9, 1).expect("small")] {
            let edges = mesh.sides().len();
            let lengths: f64 = mesh.sides().iter().map(|&[a, b]| {
                (mesh.positions[a as usize] - mesh.positions[b as usize]).length()
            }).sum();
            let mut surface = upload(device, &mesh);
            for patches in [false, true] {
                if patches {
                    surface.patches().expect("patches");
                }
                assert_eq!(surface.sizes().expect("sizes"), [mesh.positions.len(), edges, mesh.faces.len()]);
                let mean = surface.mean_edge_length(4.0).expect("memory");
                assert!((mean - 4.0 * lengths / edges as f64).abs() < 1e-5 * mean, "{mean}");
            }
            let x = Attribute::<Vertex, _>::from_input(surface.patches().expect("patches").0, &mesh.points()).expect("memory");
            let around = x.bounds().expect("memory").0.expect("points");
            let extent = surface.extent("a sphere").expect("finite");
            assert_eq!(extent.diagonal, around.diagonal());
            assert!((1.0..2.0).contains(&(extent.diagonal * extent.scale)));
        }
    }
}
