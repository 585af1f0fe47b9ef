//! Delaunay flips in the store: the surface stays one, and no edge is left that may be flipped.
use crate::model::Model;
use crate::queries;
use ribbonmesh::device::{NONE, Vec3, Vertex};
use ribbonmesh::{Device, MeshOptions};
use ribbonmesh_dynamic::{
    PatchAttribute, PatchStore, QueueOrder, StoreChanges, StoreError, StoreOp, StoreOptions,
};
use ribbonmesh_mesh::shapes;
use ribbonmesh_suite::adjacency::{Oracle, key};
use ribbonmesh_suite::meshes::Case;
use ribbonmesh_suite::{Random, meshes, size, suite};

/// The faces of a store, in the order of the input.
fn faces(store: &PatchStore) -> Vec<[u32; 3]> {
    let rows = store.query(StoreOp::FV).and_then(|rows| rows.download()).expect("FV");
    let vertex = store.inputs::<Vertex>().expect("inputs");
    let face = store.inputs::<ribbonmesh::Face>().expect("inputs");
    let mut faces = vec![[NONE; 3]; store.count(StoreOp::FV.source())];
    for (place, &input) in face.iter().enumerate().filter(|(_, input)| **input != NONE) {
        let row = rows.row(place);
        faces[input as usize] = [row[0], row[1], row[2]].map(|v| vertex[v as usize]);
    }
    faces
}

fn angle(x: &[Vec3], at: u32, to: u32, and: u32) -> f64 {
    let [p, q, r] = [at, to, and].map(|v| x[v as usize].as_dvec3());
    (q - p).angle_between(r - p)
}
/// The vertices opposite of an edge, one for each of its faces.
fn opposite(faces: &[[u32; 3]], o: &Oracle, k: (u32, u32)) -> Vec<u32> {
    let of = |f: &u32| faces[*f as usize].into_iter().find(|&v| v != k.0 && v != k.1);
    o.edges[&k].iter().filter_map(of).collect()
}
/// Edges with opposite angles of more than 180 degrees that nothing keeps from being flipped.
fn left(faces: &[[u32; 3]], o: &Oracle, x: &[Vec3]) -> usize {
    let flippable = |k: &(u32, u32)| {
        let [c, d] = opposite(faces, o, *k)[..] else { return false };
        let (a, b) = *k;
        // a face runs along the edge from a to b, the other one back
        let along =
            |f: &u32| (0..3).any(|i| faces[*f as usize][i] == a && faces[*f as usize][(i + 1) % 3] == b);
        if o.edges[k].iter().filter(|f| along(f)).count() != 1 {
            return false;
        }
        let angles = angle(x, c, a, b) + angle(x, d, a, b);
        let least = |f: [u32; 3]| {
            let all = [angle(x, f[0], f[1], f[2]), angle(x, f[1], f[2], f[0]), angle(x, f[2], f[0], f[1])];
            all.into_iter().fold(f64::INFINITY, f64::min)
        };
        let before = least([a, b, c]).min(least([b, a, d]));
        let after = least([c, d, b]).min(least([d, c, a]));
        let two = |v: u32, w: u32| o.edges.get(&key(v, w)).is_some_and(|faces| faces.len() <= 2);
        let loose = two(b, c) && two(c, a) && two(a, d) && two(d, b);
        angles > std::f64::consts::PI + 1e-3
            && after > before + 1e-3
            && !o.edges.contains_key(&key(c, d))
            && loose
    };
    o.edges.keys().filter(|k| flippable(k)).count()
}
fn area(faces: &[[u32; 3]], x: &[Vec3]) -> f64 {
    let of = |f: &[u32; 3]| {
        let [a, b, c] = f.map(|v| x[v as usize].as_dvec3());
        (b - a).cross(c - a).length() / 2.0
    };
    faces.iter().map(of).sum()
}

fn flipped(
    device: &Device,
    case: &Case,
    x: &[Vec3],
    patch_size: u32,
    options: &StoreOptions,
) -> (Model, StoreChanges) {
    let patches = MeshOptions { patch_size, ..MeshOptions::default() };
    let mut store = PatchStore::new(device, case.vertices, &case.faces, &patches, options).expect("a store");
    let mut positions = PatchAttribute::from_input(&store, x).expect("positions");
    let report = store.flip_delaunay(&mut positions).unwrap_or_else(|e| panic!("{}: {e}", case.name));
    println!("{}, patches of {patch_size}: {report:?}", case.name);
    // values move with their elements
    assert_eq!(positions.download(&store).expect("positions"), x, "{}", case.name);
    let after = Case::new(format!("{}, flipped", case.name), case.vertices, faces(&store));
    let whole = store.validate().unwrap_or_else(|e| panic!("{}: {e}", case.name));
    assert_eq!(
        whole.owned,
        [case.vertices as u32, store.count(StoreOp::EV.source()) as u32, case.faces.len() as u32]
    );
    assert_eq!(whole.longest_chain, 1, "{}", case.name);
    // all queries of the changed store
    let model = Model::of(after.name.clone(), store, &after);
    queries::all(&model);
    (model, report)
}
/// Checks the result against plain code.
fn check(device: &Device, case: &Case, x: &[Vec3], patch_size: u32, flat: bool) -> StoreChanges {
    let options = StoreOptions { room: 4.0, ..StoreOptions::default() };
    check_with(device, case, x, patch_size, flat, &options)
}
fn check_with(
    device: &Device,
    case: &Case,
    x: &[Vec3],
    patch_size: u32,
    flat: bool,
    options: &StoreOptions,
) -> StoreChanges {
    let before = Oracle::new(case);
    let (model, report) = flipped(device, case, x, patch_size, options);
    let (o, faces) = (&model.oracle, &model.oracle.faces);
    assert_eq!(o.edges.len(), before.edges.len(), "{}", model.name);
    assert_eq!(o.edge_manifold, before.edge_manifold, "{}", model.name);
    let boundary =
        |o: &Oracle| o.edges.iter().filter(|(_, f)| f.len() != 2).map(|(k, _)| *k).collect::<Vec<_>>();
    assert_eq!(boundary(o), boundary(&before), "{}", model.name);
    assert_eq!(left(faces, o, x), 0, "{}", model.name);
    if flat {
        let (now, then) = (area(faces, x), area(&before.faces, x));
        assert!((now - then).abs() < 1e-4 * then, "{}: area {now}, {then}", model.name);
    }
    report
}

fn torus(n: u32) -> (Case, Vec<Vec3>) {
    let shape = shapes::torus(n, 1).expect("small");
    let x = shape.points();
    (Case::new(format!("torus of {} faces", shape.faces.len()), x.len(), shape.faces), x)
}
/// A square of points that do not stand in rows, all in a plane.
fn grid(n: u32) -> (Case, Vec<Vec3>) {
    let case = meshes::grid(n);
    let mut random = Random(7);
    let mut offset = || random.below(1000) as f32 / 2500.0;
    let x =
        (0..n * n).map(|i| Vec3::new((i % n) as f32 + offset(), (i / n) as f32 + offset(), 0.0)).collect();
    (case, x)
}

/// More threads than cores, which take locks away from each other: all results stay.
#[test]
fn many_threads() {
    let device = Device::cpu_with_threads(8).expect("threads");
    let (case, x) = torus(size(60, 20));
    for _ in 0..4 {
        let report = check(&device, &case, &x, 32, false);
        assert!(report.moved > 0, "{report:?}");
    }
}

suite! {
    /// One patch: nothing to lock.
    fn inside_one_patch(device) {
        let (case, x) = grid(12);
        let report = check(device, &case, &x, 512, true);
        assert!(report.filled > 0 && report.moved == 0 && report.discarded == 0, "{report:?}");
    }
    /// Many patches, whose cavities cross each other's borders.
    fn across_patches(device) {
        for patch_size in [32, 64, 256] {
            let (case, x) = grid(size(40, 20));
            let report = check(device, &case, &x, patch_size, true);
            assert!(report.filled > 0 && report.moved > 0, "{report:?}");
            let (case, x) = torus(size(40, 20));
            check(device, &case, &x, patch_size, false);
        }
    }
    /// Patches with little room to grow are cut in two.
    fn patches_are_cut(device) {
        let mut cuts = 0;
        for (patch_size, room) in [(64, 1.05), (128, 1.02), (256, 1.01)] {
            let options = StoreOptions { room, spare: 4.0, ..StoreOptions::default() };
            let (case, x) = grid(size(40, 20));
            cuts += check_with(device, &case, &x, patch_size, true, &options).cuts;
            let (case, x) = torus(size(40, 20));
            cuts += check_with(device, &case, &x, patch_size, false, &options).cuts;
        }
        assert!(cuts > 0);
    }
    /// Without a free patch an error says which patch has no room.
    fn no_patch_is_free(device) {
        let (case, x) = grid(40);
        let patches = MeshOptions { patch_size: 64, ..MeshOptions::default() };
        let options = StoreOptions { room: 1.02, spare: 0.0, ..StoreOptions::default() };
        let mut store = PatchStore::new(device, case.vertices, &case.faces, &patches, &options).expect("a store");
        let mut positions = PatchAttribute::from_input(&store, &x).expect("positions");
        match store.flip_delaunay(&mut positions) {
            Err(StoreError::Full { patch, .. }) => assert!((patch as usize) < store.patches()),
            // whether a patch needs more room depends on the order of blocks
            Ok(_) => {}
            other => panic!("{other:?}"),
        }
        // what was done is whole
        store.validate().expect("a whole store");
        assert_eq!(positions.download(&store).expect("positions"), x);
    }
    /// Edges of three faces, of faces of opposite orientation, and on boundaries stay.
    fn meshes_that_are_no_manifolds(device) {
        let mut random = Random(5);
        let mut fin = meshes::torus(20);
        fin.vertices += 1;
        fin.faces.push([fin.faces[0][0], fin.faces[0][1], fin.vertices as u32 - 1]);
        for case in [meshes::book(40), meshes::mobius(30), fin, meshes::soup(300, 500, 9), meshes::fan(30, true)] {
            let x: Vec<Vec3> = (0..case.vertices)
                .map(|_| Vec3::from([0; 3].map(|_| random.below(1000) as f32 / 1000.0)))
                .collect();
            check(device, &case, &x, 48, false);
        }
    }
    /// Each patch gets the locks of all patches around it in the end, in any order.
    fn contention(device) {
        let (case, _) = torus(size(60, 20));
        let patches = MeshOptions { patch_size: 64, ..MeshOptions::default() };
        let store = PatchStore::new(device, case.vertices, &case.faces, &patches, &StoreOptions::still()).expect("a store");
        for (order, name) in QueueOrder::ALL {
            let [scheduled, discarded] = store.contention(order).expect("a launch");
            assert_eq!(scheduled - discarded, store.patches() as u32, "{name}");
        }
    }
    /// Values that are set are found again after flips, and only as many as there are elements.
    fn values_by_order(device) {
        let (case, x) = torus(12);
        let new = PatchStore::new(device, case.vertices, &case.faces, &MeshOptions::default(), &StoreOptions::default());
        let mut store = new.expect("a store");
        let mut positions = PatchAttribute::from_input(&store, &x).expect("positions");
        store.flip_delaunay(&mut positions).expect("flips");
        let moved: Vec<Vec3> = positions.values(&store).expect("values").iter().map(|x| 2.0 * *x + Vec3::Y).collect();
        positions.set_values(&store, &moved).expect("as many values");
        assert_eq!(positions.values(&store).expect("values"), moved);
        let by_input: Vec<Vec3> = x.iter().map(|x| 2.0 * *x + Vec3::Y).collect();
        assert_eq!(positions.download(&store).expect("values"), by_input);
        let few = positions.set_values(&store, &moved[1..]);
        assert!(matches!(few, Err(StoreError::Length { found, expected, .. }) if found + 1 == expected), "{few:?}");
    }
    fn refusals(device) {
        let (case, x) = torus(12);
        let new = || PatchStore::new(device, case.vertices, &case.faces, &MeshOptions::default(), &StoreOptions::default());
        let (mut store, other) = (new().expect("a store"), new().expect("a store"));
        let mut elsewhere = PatchAttribute::from_input(&other, &x).expect("positions");
        assert!(matches!(store.flip_delaunay(&mut elsewhere), Err(StoreError::OtherStore)));
        // without room for more patches around, nothing changes
        let still = StoreOptions::still();
        let still = PatchStore::new(device, case.vertices, &case.faces, &MeshOptions::default(), &still);
        let mut still = still.expect("a store");
        let mut positions = PatchAttribute::from_input(&still, &x).expect("positions");
        assert!(matches!(still.flip_delaunay(&mut positions), Err(StoreError::Full { .. })));
        still.validate().expect("a whole store");
    }
}
