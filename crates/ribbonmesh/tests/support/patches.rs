//! The patches of a dynamic mesh against its own tables.
use crate::common::check;
use crate::common::ids::Pair;
use crate::common::meshes::Case;
use crate::common::oracle::{Oracle, key};
use ribbonmesh::device::{Edge, ElementKind, Face, Vertex};
use ribbonmesh::dynamic::{DynamicAttribute, DynamicMesh, PatchOptions, Refresh};
use ribbonmesh::{Element, Op, StaticMesh};
use std::collections::BTreeMap;

fn tags<E: Element>(mesh: &DynamicMesh) -> DynamicAttribute<E, u32> {
    let ids: Vec<u32> = (0..mesh.ids(E::KIND)).collect();
    DynamicAttribute::from_ids(mesh, &ids).expect("memory")
}

/// Living faces and edges by id, in vertices.
struct Before {
    faces: BTreeMap<u32, [u32; 3]>,
    edges: BTreeMap<u32, (u32, u32)>,
}
impl Before {
    fn of(mesh: &mut DynamicMesh) -> Self {
        let words = mesh.read_faces().expect("readable");
        let faces: BTreeMap<u32, [u32; 3]> = (0..).zip(words).filter(|f| f.1[0] != u32::MAX).collect();
        // the ends of an edge, from the faces that have it
        let sides = mesh.read_sides().expect("readable");
        let mut edges = BTreeMap::new();
        for (&f, &v) in &faces {
            for i in 0..3 {
                edges.insert(sides[f as usize][i], key(v[i], v[(i + 1) % 3]));
            }
        }
        Self { faces, edges }
    }
}

/// Refreshes the patches, with a value on every element that has to follow the element, and checks them by
/// themselves.
pub fn refresh(mesh: &mut DynamicMesh, options: &PatchOptions, what: &str) -> Refresh {
    let before = Before::of(mesh);
    let (mut v, mut e, mut f) = (tags::<Vertex>(mesh), tags::<Edge>(mesh), tags::<Face>(mesh));
    let done = mesh.refresh(options).unwrap_or_else(|e| panic!("{what}: {e}"));
    if let Some(compaction) = &done.compaction {
        compaction.apply_to(&mut v).expect("vertices follow");
        compaction.apply_to(&mut e).expect("edges follow");
        compaction.apply_to(&mut f).expect("faces follow");
        check_maps(compaction, &before, what);
    }
    mesh.validate().unwrap_or_else(|e| panic!("{what}: {e}"));
    let patches = mesh.patches().expect("fresh");
    if let Err(e) = patches.validate() {
        panic!("{what}: {e}");
    }
    assert_eq!(patches.faces(), before.faces.len(), "{what}");
    assert_eq!(patches.edges(), before.edges.len(), "{what}");
    // the same faces and edges, where their values are
    let v = v.to_static(patches).and_then(|v| v.download_by_id()).expect("values");
    let f = f.to_static(patches).and_then(|f| f.download_by_id()).expect("values");
    let e = e.to_static(patches).and_then(|e| e.download_by_id()).expect("values");
    let rows = |op| patches.query(op).and_then(|r| r.download()).expect("a query");
    for (id, fv) in rows(Op::FV).iter().enumerate() {
        let found: Vec<u32> = fv.iter().map(|&u| v[u as usize]).collect();
        assert_eq!(found, before.faces[&f[id]], "{what}: face {id}");
    }
    for (id, ev) in rows(Op::EV).iter().enumerate() {
        let found = key(v[ev[0] as usize], v[ev[1] as usize]);
        assert_eq!(found, before.edges[&e[id]], "{what}: edge {id}");
    }
    let places: Vec<u32> = (0..patches.vertices() as u32).collect();
    let mut inputs = patches.vertex_inputs().read().expect("a map");
    inputs.sort_unstable();
    assert_eq!(inputs, places, "{what}: order of the input");
    done
}

fn check_maps(compaction: &ribbonmesh::dynamic::Compaction, before: &Before, what: &str) {
    for kind in [ElementKind::Vertex, ElementKind::Edge, ElementKind::Face] {
        let (old_to_new, new_to_old) =
            (compaction.old_to_new(kind).read(), compaction.new_to_old(kind).read());
        let (old_to_new, new_to_old) = (old_to_new.expect("a map"), new_to_old.expect("a map"));
        let alive = old_to_new.iter().filter(|&&n| n != u32::MAX).count();
        assert_eq!(alive, new_to_old.len(), "{what}: {kind:?}");
        assert!(
            (0..).zip(&new_to_old).all(|(new, &old)| old_to_new[old as usize] == new),
            "{what}: {kind:?}"
        );
        for (old, &new) in (0..).zip(&old_to_new) {
            let lives = match kind {
                ElementKind::Vertex => continue,
                ElementKind::Edge => before.edges.contains_key(&old),
                ElementKind::Face => before.faces.contains_key(&old),
            };
            assert_eq!(lives, new != u32::MAX, "{what}: {kind:?} {old}");
        }
    }
}

/// The mesh and an oracle that is made of the triangles of the dynamic mesh.
pub fn pair(mesh: &DynamicMesh, name: &str) -> Pair {
    let patches = mesh.patches().expect("fresh");
    let (vertex, face) = (patches.vertex_inputs().read(), patches.face_inputs().read());
    let (vertex, face) = (vertex.expect("a map"), face.expect("a map"));
    let mut faces = vec![[0; 3]; face.len()];
    for (id, f) in mesh.read_faces().expect("readable").into_iter().enumerate() {
        faces[face[id] as usize] = f.map(|v| vertex[v as usize]);
    }
    let copy: StaticMesh = patches.to_device(patches.device()).expect("memory");
    let ends = copy.query(Op::EV).and_then(|r| r.download()).expect("EV");
    let edge = ends.iter().map(|e| key(vertex[e[0] as usize], vertex[e[1] as usize])).collect();
    let oracle = Oracle::new(&Case::new(name, vertex.len(), faces));
    Pair { name: name.to_owned(), mesh: copy, oracle, vertex, face, edge }
}

/// Every query of the patches.
pub fn queries(mesh: &DynamicMesh, name: &str) {
    let pair = pair(mesh, name);
    check::all(&pair);
    check::oriented(&pair);
    check::active(&pair, 5);
    check::rings(&pair, 3);
}

/// All content of patches, except for their places in memory.
pub fn contents(mesh: &StaticMesh) -> impl PartialEq + std::fmt::Debug + use<> {
    let rows = |op| mesh.query_oriented(op).and_then(|r| r.download()).expect("a query");
    let all = |op| mesh.query(op).and_then(|r| r.download()).expect("a query");
    let lists =
        |rows: ribbonmesh::Rows, n: usize| (0..n).map(|i| rows.entries(i).to_vec()).collect::<Vec<_>>();
    let firsts = [ElementKind::Vertex, ElementKind::Edge, ElementKind::Face]
        .map(|kind| mesh.patch_firsts(kind).expect("ranges"));
    (
        firsts,
        mesh.ribbon_faces().expect("ribbons"),
        [mesh.max_counts(), mesh.totals()],
        [Op::VV, Op::VE, Op::VF].map(|op| lists(rows(op), mesh.vertices())),
        [Op::EV, Op::EF, Op::EE].map(|op| lists(all(op), mesh.edges())),
        [Op::FV, Op::FE, Op::FF].map(|op| lists(all(op), mesh.faces())),
    )
}
