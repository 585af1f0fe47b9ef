//! How much memory a store takes, and what it refuses.
use ribbonmesh::device::{Edge, ElementKind, Face, Vertex};
use ribbonmesh::{Error, MeshOptions};
use ribbonmesh_dynamic::{PatchAttribute, PatchStore, StoreError, StoreOptions};
use ribbonmesh_mesh::shapes;
use ribbonmesh_suite::{meshes, size, suite};

suite! {
    /// The thesis names 18.75 bytes a face without room (5.4.1), and the store has 19.7 at most.
    fn bytes_a_face(device) {
        let torus = shapes::torus(size(160, 90), 1).expect("small");
        let (n, faces) = (torus.positions.len(), &torus.faces);
        let patches = |patch_size| MeshOptions { patch_size, ..MeshOptions::default() };
        let still = PatchStore::new(device, n, faces, &patches(1024), &StoreOptions::still()).expect("a store");
        let memory = still.memory();
        println!("without room: {memory}");
        assert_eq!(memory.faces, faces.len() as u64);
        assert!(memory.per_face() <= 19.7, "{memory}");
        let roomy = PatchStore::new(device, n, faces, &patches(512), &StoreOptions::default()).expect("a store");
        println!("with room: {}", roomy.memory());
        assert!(roomy.memory().per_face() <= 55.0, "{}", roomy.memory());
    }
    fn refusals(device) {
        let case = meshes::grid(9);
        let new = |case: &meshes::Case, patch_size, options: &StoreOptions| {
            let patches = MeshOptions { patch_size, ..MeshOptions::default() };
            PatchStore::new(device, case.vertices, &case.faces, &patches, options)
        };
        for (name, options) in [
            ("room", StoreOptions { room: 0.5, ..StoreOptions::default() }),
            ("room", StoreOptions { room: f32::NAN, ..StoreOptions::default() }),
            ("spare", StoreOptions { spare: -0.1, ..StoreOptions::default() }),
            ("load", StoreOptions { load: 1.0, ..StoreOptions::default() }),
        ] {
            match new(&case, 64, &options) {
                Err(StoreError::Library(Error::Option { option, .. })) => assert_eq!(option, name),
                other => panic!("{name}: {:?}", other.map(drop)),
            }
        }
        // the hub's patch has its whole star
        match new(&meshes::fan(4200, true), 512, &StoreOptions::still()) {
            Err(StoreError::PatchTooLarge { what: "edges", count, limit, .. }) => assert!(count > limit),
            other => panic!("{:?}", other.map(drop)),
        }
        match new(&meshes::fan(2500, true), 16, &StoreOptions::still()) {
            Err(StoreError::TooManyNeighbours { limit: 64, .. }) => {}
            other => panic!("{:?}", other.map(drop)),
        }
    }
    fn attributes(device) {
        let case = meshes::torus(14);
        let new = || {
            let patches = MeshOptions { patch_size: 64, ..MeshOptions::default() };
            PatchStore::new(device, case.vertices, &case.faces, &patches, &StoreOptions::default()).expect("a store")
        };
        let (store, other) = (new(), new());
        let data: Vec<f32> = (0..case.vertices).map(|i| i as f32).collect();
        let of_vertices = PatchAttribute::<Vertex, f32>::from_input(&store, &data).expect("memory");
        assert_eq!(of_vertices.download(&store).expect("values"), data);
        assert_eq!(of_vertices.buffer().len(), store.places(ElementKind::Vertex));
        assert!(matches!(of_vertices.download(&other), Err(StoreError::OtherStore)));
        let data: Vec<[u32; 3]> = case.faces.clone();
        let of_faces = PatchAttribute::<Face, [u32; 3]>::from_input(&store, &data).expect("memory");
        assert_eq!(of_faces.download(&store).expect("values"), data);
        let too_few = PatchAttribute::<Edge, u32>::from_input(&store, &[1, 2, 3]).map(drop);
        assert!(matches!(too_few, Err(StoreError::Length { what: "edges", found: 3, .. })));
    }
}
