//! Flat topology, and meshes of both kinds that begin with it.
use ribbonmesh::device::{ElementKind, VertexId};
use ribbonmesh::dynamic::{DynamicAttribute, DynamicMesh, MeshRef, PatchOptions};
use ribbonmesh::glam::Vec3;
use ribbonmesh::{Defect, Device, Error, FlatTopology, MeshOptions, Op, StaticMesh, Vertex};
use ribbonmesh_suite::{
    dynamic::{manifolds, priorities},
    meshes, suite,
};
use ribbonmesh_testing::classic::{Apply as _, Classic};
use std::collections::{BTreeMap, BTreeSet};

/// The sides of each edge, by its ends.
fn sides(faces: &[[u32; 3]]) -> BTreeMap<[u32; 2], Vec<u32>> {
    let mut all = BTreeMap::<_, Vec<u32>>::new();
    for (f, face) in faces.iter().enumerate() {
        for i in 0..3 {
            let (a, b) = (face[i], face[(i + 1) % 3]);
            all.entry([a.min(b), a.max(b)]).or_default().push((3 * f + i) as u32);
        }
    }
    all
}

suite! {
    fn edges_and_their_sides(device) {
        for case in meshes::all() {
            let flat = FlatTopology::new(device, case.vertices, &case.faces).expect(&case.name);
            let all = sides(&case.faces);
            assert_eq!((flat.edges(), flat.faces()), (all.len(), case.faces.len()), "{}", case.name);
            let alone = all.values().filter(|sides| sides.len() == 1).count();
            assert_eq!(flat.boundary_edges(), alone, "{}", case.name);
            let ring = flat.ring().read().expect("a read");
            let edges = flat.number_edges().expect("edges");
            let (darts, ends) = (edges.darts.read().expect("a read"), edges.ends.read().expect("a read"));
            let mut first_seen = BTreeSet::new();
            for (c, &dart) in darts.iter().enumerate() {
                let face = case.faces[c / 3];
                let (a, b) = (face[c % 3], face[(c % 3 + 1) % 3]);
                let [u, v] = ends[dart as usize >> 1];
                assert_eq!(if dart & 1 == 0 { [u, v] } else { [v, u] }, [a, b], "{}, corner {c}", case.name);
                // numbered in the order in which faces touch them
                if first_seen.insert(dart >> 1) {
                    assert_eq!(dart, 2 * (first_seen.len() as u32 - 1), "{}, corner {c}", case.name);
                }
                // round the ring are all sides of the edge
                let (mut around, mut at) = (vec![c as u32], ring[c]);
                while at != c as u32 {
                    around.push(at);
                    at = ring[at as usize];
                }
                around.sort_unstable();
                assert_eq!(&around, &all[&[a.min(b), a.max(b)]], "{}, corner {c}", case.name);
            }
        }
    }
    fn corners_by_vertex(device) {
        for case in meshes::all() {
            let flat = FlatTopology::new(device, case.vertices, &case.faces).expect(&case.name);
            let found = flat.corners_of_vertices().expect("corners");
            let (starts, places) = (found.starts().read().expect("a read"), found.places().read().expect("a read"));
            let whole = |[a, b, c]: [u32; 3]| a != b && b != c && c != a;
            for v in 0..case.vertices {
                let expected: Vec<u32> = (0..3 * case.faces.len())
                    .filter(|c| whole(case.faces[c / 3]) && case.faces[c / 3][c % 3] == v as u32)
                    .map(|c| c as u32)
                    .collect();
                let row = &places[starts[v] as usize..starts[v + 1] as usize];
                assert_eq!(row, expected, "{}, vertex {v}", case.name);
            }
        }
    }
    fn edges_of_a_vertex_of_very_many_faces(device) {
        let rim = 2_200_000;
        let faces: Vec<[u32; 3]> = (0..rim).map(|i| [0, 1 + i, 1 + (i + 1) % rim]).collect();
        let cone = FlatTopology::new(device, rim as usize + 1, &faces).expect("a cone");
        assert_eq!(cone.edges(), 2 * rim as usize);
        assert_eq!((cone.boundary_edges(), cone.inconsistent_edges()), (rim as usize, 0));
    }
    fn of_memory_on_the_device(device) {
        let case = meshes::torus(14);
        let words: Vec<u32> = case.faces.iter().flatten().copied().collect();
        let here = FlatTopology::new(device, case.vertices, &case.faces).expect("a torus");
        let there = FlatTopology::from_buffer(case.vertices, device.upload(&words).expect("memory")).expect("a torus");
        assert_eq!(here.ring().read().expect("a read"), there.ring().read().expect("a read"));
        let wrong = FlatTopology::from_buffer(case.vertices - 1, device.upload(&words).expect("memory")).err();
        let last = case.vertices as u32 - 1;
        let face = case.faces.iter().position(|face| face.contains(&last)).expect("a face");
        assert!(matches!(wrong, Some(Error::IndexOutOfRange { face: f, vertex, .. }) if (f, vertex) == (face, last)));
        let odd = FlatTopology::from_buffer(case.vertices, device.upload(&words[..7]).expect("memory")).err();
        assert!(matches!(odd, Some(Error::Length { found: 7, .. })));
    }
    fn patches_are_those_of_the_triangles(device) {
        for case in [meshes::torus(14), meshes::book(40), meshes::grid(20)] {
            let options = MeshOptions { patch_size: 64, ..MeshOptions::default() };
            let flat = FlatTopology::new(device, case.vertices, &case.faces).expect(&case.name);
            let (a, b) = (
                StaticMesh::from_flat(&flat, &options).expect(&case.name),
                StaticMesh::new(device, case.vertices, &case.faces, &options).expect(&case.name),
            );
            a.validate().expect("valid");
            let fe = |mesh: &StaticMesh| mesh.query(Op::FE).expect("FE").values().read().expect("a read");
            assert_eq!(fe(&a), fe(&b), "{}", case.name);
        }
    }
    fn what_grows_before_it_is_cut_is_divided(device) {
        let shape = ribbonmesh_mesh::shapes::icosphere(3).expect("small");
        let flat = FlatTopology::new(device, shape.positions.len(), &shape.faces).expect("a mesh");
        let mut mesh = DynamicMesh::from_flat(&flat, 0.0).expect("a manifold");
        let mut x = DynamicAttribute::<Vertex, Vec3>::zeros(&mesh).expect("memory");
        for _ in 0..3 {
            let chosen = device.upload(&vec![1_f32; mesh.ids(ElementKind::Edge) as usize]).expect("memory");
            mesh.apply(Classic::SplitEdge, &chosen, &mut x).expect("a pass");
        }
        let [.., faces] = mesh.living().expect("a read");
        assert!(faces > 4 * 2 * 768, "{faces}");
        mesh.compact().expect("memory").apply_to(&mut x).expect("memory");
        mesh.validate().expect("valid");
        assert!(mesh.patches().is_none());
        mesh.refresh(&PatchOptions::default()).expect("patches");
        mesh.patches().expect("fresh").validate().expect("valid");
    }
    fn dynamic_meshes_change_before_they_are_cut(device) {
        for (name, shape) in manifolds() {
            let n = shape.positions.len();
            let flat = FlatTopology::new(device, n, &shape.faces).expect("a mesh");
            let mut mesh = DynamicMesh::from_flat(&flat, 0.0).expect("a manifold");
            assert_eq!(mesh.read_faces().expect("a read"), shape.faces, "{name}");
            mesh.validate().expect("valid");
            assert!(mesh.patches().is_none());
            let mut x = DynamicAttribute::<Vertex, Vec3>::zeros(&mesh).expect("memory");
            for classic in [Classic::FlipEdge, Classic::SplitEdge, Classic::CollapseEdge] {
                let chosen = device.upload(&priorities(mesh.ids(ElementKind::Edge), 3, 7)).expect("memory");
                mesh.apply(classic, &chosen, &mut x).expect("a pass");
                mesh.validate().expect("valid");
            }
            // ids without gaps, still without patches
            let compaction = mesh.compact().expect("memory");
            compaction.apply_to(&mut x).expect("memory");
            mesh.validate().expect("valid");
            assert!(mesh.patches().is_none());
            let [_, _, faces] = mesh.living().expect("a read");
            assert_eq!(mesh.ids(ElementKind::Face), faces, "{name}");
            let triangles = |mesh: &DynamicMesh| {
                mesh.read_faces().expect("a read").into_iter().filter(|f| f[0] != u32::MAX).count()
            };
            assert_eq!(triangles(&mesh), faces as usize, "{name}");
            // and with them
            let done = mesh.refresh(&PatchOptions::default()).expect("patches");
            assert!(done.cut && done.compaction.is_some(), "{name}");
            mesh.patches().expect("fresh").validate().expect("valid");
            mesh.validate().expect("valid");
            let again = mesh.refresh(&PatchOptions::default()).expect("patches");
            assert!(!again.cut && again.compaction.is_none() && again.refreshed == 0, "{name}");
        }
    }
    fn walks_on_the_host(device) {
        for (name, shape) in manifolds() {
            let n = shape.positions.len();
            let flat = FlatTopology::new(device, n, &shape.faces).expect("a mesh");
            let mesh = DynamicMesh::from_flat(&flat, 0.0).expect("a manifold").half_edges().expect("a read");
            let all = sides(&shape.faces);
            assert_eq!((mesh.edges().count(), mesh.faces().count()), (all.len(), shape.faces.len()), "{name}");
            let mut corners = 0;
            for v in 0..mesh.vertex_ids() {
                let around: Vec<_> = mesh.around(VertexId::new(v)).collect();
                corners += around.len();
                // each face at the vertex once, each next to the following one
                assert!(around.iter().all(|&h| mesh.from(h).index() == v), "{name}");
                assert!(around.windows(2).all(|w| mesh.twin(w[0].prev()) == Some(w[1])), "{name}");
                let faces: BTreeSet<u32> = around.iter().map(|h| h.face().index()).collect();
                let expected = (0..).zip(&shape.faces).filter(|(_, f)| f.contains(&v)).map(|(f, _)| f).collect();
                assert_eq!(faces, expected, "{name}, vertex {v}");
            }
            assert_eq!(corners, 3 * shape.faces.len(), "{name}");
            for e in mesh.edges() {
                let [a, b] = mesh.ends(e).expect("alive").map(VertexId::index);
                let sides = &all[&[a.min(b), a.max(b)]];
                assert_eq!(mesh.diamond(e).expect("alive").on_boundary(), sides.len() == 1, "{name}");
            }
            let loops = mesh.boundary_loops();
            let on_boundary: usize = loops.iter().map(Vec::len).sum();
            assert_eq!(on_boundary, all.values().filter(|sides| sides.len() == 1).count(), "{name}");
            for one in loops {
                let ends = one.iter().cycle().skip(1);
                assert!(one.iter().zip(ends).all(|(&h, &next)| mesh.to(h) == mesh.from(next)), "{name}");
            }
        }
    }
    fn what_a_dynamic_mesh_cannot_have_is_named(device) {
        let of = |vertices: usize, faces: &[[u32; 3]]| {
            let flat = FlatTopology::new(device, vertices, faces).expect("a mesh");
            DynamicMesh::from_flat(&flat, 0.0).err()
        };
        let edge = of(5, &[[0, 1, 2], [1, 0, 3], [0, 1, 4]]);
        assert!(matches!(edge, Some(Error::NotManifold(Defect::Edge { ends: [0, 1] }))), "{edge:?}");
        let turned = of(4, &[[0, 1, 2], [0, 1, 3]]);
        assert!(matches!(turned, Some(Error::NotManifold(Defect::Edge { ends: [0, 1] }))), "{turned:?}");
        let face = of(4, &[[0, 1, 2], [3, 3, 1]]);
        assert!(matches!(face, Some(Error::NotManifold(_))), "{face:?}");
        let vertex = of(5, &[[0, 1, 2], [0, 3, 4]]);
        assert!(matches!(vertex, Some(Error::NotManifold(Defect::Vertex { vertex: 0 }))), "{vertex:?}");
    }
}

#[test]
fn nothing_is_a_mesh_too() {
    let flat = FlatTopology::new(&Device::cpu(), 0, &[]).expect("an empty mesh");
    assert_eq!((flat.vertices(), flat.edges(), flat.faces()), (0, 0, 0));
    let mut mesh = DynamicMesh::from_flat(&flat, 0.0).expect("an empty mesh");
    mesh.refresh(&PatchOptions::default()).expect("no patches");
    mesh.validate().expect("valid");
}
