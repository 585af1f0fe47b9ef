//! Downloads return the uploaded columns.
use ribbonmesh::Surface;
use ribbonmesh::glam::{DVec3, Vec3};
use ribbonmesh::surface::Parts;
use ribbonmesh::{Attribute, Error, MeshOptions, Vertex};
use ribbonmesh_mesh::shapes;
use ribbonmesh_mesh::{ColourSpace, Column, ColumnError, Element, Role, Scalar, Scalars, TriangleMesh};
use ribbonmesh_suite::suite;

/// A column of every type and width.
fn every_column(rows: usize) -> Vec<Column> {
    let mut columns = vec![];
    for scalar in Scalar::ALL {
        for width in 1..=4 {
            let bytes: Vec<u8> =
                (0..rows * width * scalar.size()).map(|i| (i * 7 + i / 251 + width) as u8 & 0x3f).collect();
            let scalars = Scalars::from_bytes(scalar, &bytes);
            let name = format!("{scalar}-{width}");
            columns.push(Column::from_scalars(name, Role::Custom, width, scalars).expect("whole rows"));
        }
    }
    columns
}

/// A shuffled mesh with every column everywhere.
fn full() -> TriangleMesh {
    let mut mesh = shapes::bumpy_sphere(4, 1).expect("small");
    shapes::shuffle(&mut mesh, 3);
    // faces begin anywhere
    for (i, face) in mesh.faces.iter_mut().enumerate() {
        face.rotate_left(i % 3);
    }
    mesh.positions.push(DVec3::new(3.0, 0.0, 0.0));
    mesh.edges = mesh.sides().into_iter().step_by(5).collect();
    for element in [Element::Vertex, Element::Face, Element::Corner, Element::Edge] {
        let rows = mesh.attributes(element).rows();
        for column in every_column(rows) {
            mesh.attributes_mut(element).insert_column(column).expect("a row each");
        }
    }
    mesh.tables.groups = vec!["all".into()];
    mesh
}

suite! {
    fn all_that_went_up_comes_down(device) {
        let mesh = full();
        let surface = Surface::new(device, &mesh, &MeshOptions { patch_size: 64, ..MeshOptions::default() }).expect("a mesh");
        assert_eq!(surface.download().expect("memory"), mesh);
        assert_eq!(surface.notes(), []);
    }
    fn a_column_becomes_an_attribute(device) {
        let mut mesh = full();
        let heat: Vec<_> = (0..mesh.positions.len()).map(|v| Vec3::new(v as f32, 0.5, -(v as f32))).collect();
        mesh.vertices_mut().insert("heat", heat.clone()).expect("a row each");
        let mut surface = Surface::new(device, &mesh, &MeshOptions::default()).expect("a mesh");
        let early = surface.vertices().to_attribute::<Vec3>("heat");
        assert!(matches!(early, Err(Error::StalePatches)));

        let Parts { mesh: patches, positions, vertices, faces } = surface.parts().expect("patches");
        let attribute = vertices.to_attribute::<Vec3>("heat").expect("a column");
        assert!(attribute.belongs_to(patches) && positions.belongs_to(patches));
        assert_eq!(attribute.download().expect("memory"), heat);
        let wrong = faces.to_attribute::<f32>(&format!("{}-2", Scalar::U32));
        assert!(matches!(wrong, Err(Error::Column(ColumnError::Type { .. }))), "{:?}", wrong.err());
        assert!(matches!(faces.info("heat"), Err(Error::Column(ColumnError::Missing { .. }))));
        let info = vertices.info("heat").expect("a column");
        assert_eq!((info.name, info.scalar, info.width), ("heat", Scalar::F32, 3));
        assert_eq!((info.role, info.policy), (Role::Custom, Role::Custom.policy(Scalar::F32)));
        assert_eq!(vertices.infos().map(|info| info.name).collect::<Vec<_>>(), vertices.names().collect::<Vec<_>>());
    }
    fn far_from_the_origin(device) {
        let mut mesh = shapes::grid(20, 1).expect("small");
        let far = DVec3::new(467_123.125, 5_412_987.25, 312.0);
        mesh.positions.iter_mut().for_each(|p| *p = far + *p * 1e-3 / 3.0);
        mesh.precision = ribbonmesh_mesh::Precision::Double;
        let mut surface = Surface::new(device, &mesh, &MeshOptions::default()).expect("a mesh");
        assert_eq!(surface.download().expect("memory").positions, mesh.positions);
        // what does not move stays exact, what moves is as fine as single precision around the mesh
        let (_, x) = surface.patches_mut().expect("patches");
        let mut points = x.download().expect("memory");
        points[7] += Vec3::new(1.0, 0.0, 0.0);
        x.upload(&points).expect("memory");
        surface.moved();
        let after = surface.download().expect("memory").positions;
        for (v, (old, new)) in mesh.positions.iter().zip(&after).enumerate() {
            let moved = if v == 7 { 1.0 } else { 0.0 };
            let error = (*new - *old - DVec3::X * moved).length();
            assert!(if v == 7 { error < 1e-6 } else { error == 0.0 }, "vertex {v}: {error}");
        }
    }
    fn columns_by_name_and_type(device) {
        let mut mesh = shapes::grid(5, 1).expect("small");
        let n = mesh.positions.len();
        mesh.vertices_mut().insert("heat", (0..n).map(|i| i as f32).collect::<Vec<_>>()).expect("a row each");
        let colours = Column::with_role("colour", Role::Colour(ColourSpace::Srgb), vec![[1_u8, 2, 3]; n]);
        mesh.vertices_mut().insert_column(colours).expect("a row each");
        let mut surface = Surface::new(device, &mesh, &MeshOptions::default()).expect("a mesh");
        assert_eq!(surface.vertices().names().collect::<Vec<_>>(), ["heat", "colour"]);
        assert_eq!(surface.vertices().with_role(Role::Colour(ColourSpace::Srgb)), Some("colour"));
        assert_eq!(surface.vertices().get::<f32>("heat").map(|view| view.memory().len()).expect("a column"), n);
        let kind = |error| matches!(error, Some(Error::Column(ColumnError::Type { .. })));
        assert!(kind(surface.vertices().get::<Vec3>("heat").err()));
        assert!(kind(surface.vertices().get::<[u8; 3]>("colour").err()), "rows are padded");
        assert!(matches!(surface.faces().get::<f32>("heat").err(), Some(Error::Column(ColumnError::Missing { .. }))));

        let (patches, _) = surface.patches().expect("patches");
        let doubled: Vec<f32> = (0..n).map(|i| 2.0 * i as f32).collect();
        let values = Attribute::<Vertex, f32>::from_input(patches, &doubled).expect("memory");
        surface.vertices_mut().and_then(|mut v| v.insert("doubled", Role::Custom, &values)).expect("a column");
        let mut other = Surface::new(device, &mesh, &MeshOptions::default()).expect("a mesh");
        let (other_patches, _) = other.patches().expect("patches");
        let values = Attribute::<Vertex, f32>::zeros(other_patches).expect("memory");
        let wrong = surface.vertices_mut().and_then(|mut v| v.insert("wrong", Role::Custom, &values));
        assert!(matches!(wrong, Err(Error::OtherMesh { .. })), "{wrong:?}");
        let after = surface.download().expect("memory");
        assert_eq!(after.vertices().get::<f32>("doubled").expect("a column"), doubled);
        assert_eq!(after.vertices().len(), 3);
    }
    fn a_mesh_that_contradicts_itself(device) {
        let mesh = TriangleMesh::from_f32([[0.0; 3]], vec![[0, 0, 1]]);
        assert!(matches!(Surface::new(device, &mesh, &MeshOptions::default()), Err(Error::Mesh(_))));
    }
}
