//! Splits, collapses, flips for valences and remeshing in the store: the surface stays one, and nothing is
//! left to be done.
use crate::model::Model;
use crate::queries;
use ribbonmesh::device::{Edge, ElementKind, Face, NONE, Vec3, Vertex};
use ribbonmesh::{Device, MeshOptions};
use ribbonmesh_dynamic::{
    Carried, PatchAttribute, PatchStore, StoreChange, StoreChanges, StoreError, StoreOp, StoreOptions,
    StoreRemeshOptions,
};
use ribbonmesh_mesh::shapes;
use ribbonmesh_suite::adjacency::Oracle;
use ribbonmesh_suite::meshes::Case;
use ribbonmesh_suite::{ids, meshes, size, suite};

/// A store with positions.
pub struct Subject {
    pub name: String,
    pub store: PatchStore,
    pub x: PatchAttribute<Vertex, Vec3>,
    before: [usize; 3],
    boundary: usize,
}
impl Subject {
    pub fn new(device: &Device, case: &Case, x: &[Vec3], patch_size: u32, options: &StoreOptions) -> Self {
        let patches = MeshOptions { patch_size, ..MeshOptions::default() };
        let store = PatchStore::new(device, case.vertices, &case.faces, &patches, options).expect("a store");
        let x = PatchAttribute::from_input(&store, x).expect("positions");
        let o = Oracle::new(case);
        let before = [o.vertices, o.edges.len(), o.faces.len()];
        let boundary = o.edges.values().filter(|faces| faces.len() == 1).count();
        Self { name: format!("{}, patches of {patch_size}", case.name), store, x, before, boundary }
    }
    pub fn change(&mut self, change: StoreChange) -> StoreChanges {
        let report = self.store.change_enlarging(change, &mut self.x, &mut Carried::none());
        let report = report.unwrap_or_else(|e| panic!("{change:?} of {}: {e}", self.name));
        println!("{change:?} of {}: {report:?}", self.name);
        report
    }
    fn lengths(&self) -> Vec<f32> {
        let x = self.x.values(&self.store).expect("positions");
        let case = Case::new(self.name.clone(), x.len(), self.store.triangles().expect("faces"));
        let o = Oracle::new(&case);
        o.edges.keys().map(|&(a, b)| (x[a as usize] - x[b as usize]).length()).collect()
    }
    fn mean(&self) -> f32 {
        let lengths = self.lengths();
        lengths.iter().sum::<f32>() / lengths.len() as f32
    }
    /// The store is whole, its queries are those of its faces, and the surface is of the same kind.
    pub fn check(self, manifold: bool) -> (Model, Vec<Vec3>) {
        let name = &self.name;
        let whole = self.store.validate().unwrap_or_else(|e| panic!("{name}: {e}"));
        let count = [ElementKind::Vertex, ElementKind::Edge, ElementKind::Face].map(|k| self.store.count(k));
        assert_eq!(whole.owned.map(|n| n as usize), count, "{name}");
        assert_eq!(whole.longest_chain, 1, "{name}");
        let x = self.x.values(&self.store).expect("positions");
        assert!(x.iter().all(|x| x.is_finite()), "{name}");
        let model = Model::now(name, self.store);
        queries::all(&model);
        let o = &model.oracle;
        assert_eq!([o.vertices, o.edges.len(), o.faces.len()], count, "{name}");
        let euler = |[v, e, f]: [usize; 3]| v as i64 - e as i64 + f as i64;
        assert_eq!(euler(count), euler(self.before), "{name}");
        if manifold {
            assert!(o.edges.values().all(|faces| faces.len() <= 2), "{name}");
            assert!((0..o.vertices as u32).all(|v| !o.vertex_faces[v as usize].is_empty()), "{name}");
            let boundary = o.edges.values().filter(|faces| faces.len() == 1).count();
            assert_eq!(boundary > 0, self.boundary > 0, "{name}");
        }
        // no face twice, none with two corners at one vertex
        let mut faces: Vec<_> = o.faces.iter().map(|face| ids::sorted(*face)).collect();
        assert!(!manifold || faces.iter().all(|f| f[0] != f[1] && f[1] != f[2]), "{name}");
        faces.sort();
        let n = faces.len();
        faces.dedup();
        assert!(!manifold || faces.len() == n, "{name}");
        (model, x)
    }
}

pub fn roomy() -> StoreOptions {
    StoreOptions { room: 2.0, spare: 1.0, ..StoreOptions::default() }
}
pub fn torus(n: u32) -> (Case, Vec<Vec3>) {
    let shape = shapes::torus(n, 1).expect("small");
    let x = shape.points();
    (Case::new(format!("torus of {} faces", shape.faces.len()), x.len(), shape.faces), x)
}
/// A flat square.
fn grid(n: u32) -> (Case, Vec<Vec3>) {
    let x = (0..n * n).map(|i| Vec3::new((i % n) as f32, (i / n) as f32, 0.0)).collect();
    (meshes::grid(n), x)
}
fn area(faces: &[[u32; 3]], x: &[Vec3]) -> f64 {
    let of = |f: &[u32; 3]| {
        let [a, b, c] = f.map(|v| x[v as usize].as_dvec3());
        (b - a).cross(c - a).length() / 2.0
    };
    faces.iter().map(of).sum()
}
/// Whether all faces of a flat mesh have the same side up.
fn same_side_up(faces: &[[u32; 3]], x: &[Vec3]) -> bool {
    let up = |f: &[u32; 3]| {
        let [a, b, c] = f.map(|v| x[v as usize]);
        (b - a).cross(c - a).z
    };
    faces.iter().all(|f| up(f) > 0.0) || faces.iter().all(|f| up(f) < 0.0)
}

/// Splits to half of the mean length: no edge is longer than that.
fn splits(device: &Device, (case, x): &(Case, Vec<Vec3>), patch_size: u32, flat: bool) -> StoreChanges {
    let mut subject = Subject::new(device, case, x, patch_size, &roomy());
    let longest = 0.6 * subject.mean();
    let before = area(&case.faces, x);
    let report = subject.change(StoreChange::Split { longest });
    let most = subject.lengths().into_iter().fold(0.0, f32::max);
    assert!(most <= longest, "{}: {most}, {longest}", subject.name);
    assert_eq!(report.grown[0], i64::from(report.filled));
    let (model, x) = subject.check(true);
    let after = area(&model.oracle.faces, &x);
    assert!((after - before).abs() < 1e-4 * before, "{}: area {before}, {after}", model.name);
    assert!(!flat || same_side_up(&model.oracle.faces, &x), "{}", model.name);
    report
}
/// Collapses edges shorter than one and a half of the mean length.
fn collapses(device: &Device, (case, x): &(Case, Vec<Vec3>), patch_size: u32, flat: bool) -> StoreChanges {
    let mut subject = Subject::new(device, case, x, patch_size, &roomy());
    let mean = subject.mean();
    let report = subject.change(StoreChange::Collapse { shortest: 1.5 * mean, longest: 3.0 * mean });
    let longest = subject.lengths().into_iter().fold(0.0, f32::max);
    assert!(longest <= 3.0 * mean * 1.0001, "{}: {longest}, {mean}", subject.name);
    assert_eq!(report.grown, [-1, -3, -2].map(|n| n * i64::from(report.filled)));
    let before = area(&case.faces, x);
    let (model, x) = subject.check(true);
    if flat {
        let after = area(&model.oracle.faces, &x);
        assert!((after - before).abs() < 1e-4 * before, "{}: area {before}, {after}", model.name);
        assert!(same_side_up(&model.oracle.faces, &x), "{}", model.name);
    }
    report
}

/// More threads than cores, which take locks away from each other.
#[test]
fn many_threads_change() {
    let device = Device::cpu_with_threads(8).expect("threads");
    for _ in 0..3 {
        let torus = torus(size(40, 20));
        assert!(splits(&device, &torus, 32, false).moved > 0);
        assert!(collapses(&device, &torus, 32, false).moved > 0);
    }
}

/// A sphere of few patches, each beside most others, that are split, collapsed and flipped by many threads,
/// again and again: blocks refuse each other, and chains of owners become long.
#[test]
fn many_threads_in_a_clique() {
    let device = Device::cpu_with_threads(8).expect("threads");
    let case = meshes::icosphere(2);
    let x: Vec<Vec3> = shapes::icosphere(2).expect("small").points();
    let mut subject = Subject::new(&device, &case, &x, 24, &roomy());
    let mean = subject.mean();
    let mut longest = 0;
    for _ in 0..size(4, 2) {
        for change in [
            StoreChange::Split { longest: 0.7 * mean },
            StoreChange::Collapse { shortest: mean, longest: 2.0 * mean },
            StoreChange::FlipValences,
        ] {
            longest = longest.max(subject.change(change).longest_chain);
        }
    }
    assert!(longest > 1, "no chain was followed");
    subject.check(true);
}

/// A patch of nearly as many edges as keys name grows: the store has no room for more, so it is laid out
/// again, and the patch is cut in two. On a GPU no block has the memory for such a patch.
#[test]
fn a_patch_of_as_many_edges_as_keys_name_is_cut() {
    let device = Device::cpu();
    // a strip of triangles, of which some edges from side to side are long; each split of one adds
    // three, from 8,159 to 8,192 if patches had room for as many
    let faces: Vec<[u32; 3]> =
        (0..4079).map(|i| if i % 2 == 0 { [i, i + 1, i + 2] } else { [i + 1, i, i + 2] }).collect();
    let far = |i: u32| if (2..60).contains(&i) { 3.0 } else { 1.0 };
    let x: Vec<Vec3> = (0..4081).map(|i| Vec3::new(i as f32 / 2.0, (i % 2) as f32 * far(i), 0.0)).collect();
    let case = Case::new("strip".to_owned(), x.len(), faces);
    let options = StoreOptions { spare: 0.0, ..StoreOptions::default() };
    let mut subject = Subject::new(&device, &case, &x, 4096, &options);
    let report = subject.change(StoreChange::Split { longest: 2.5 });
    assert!(report.enlarged > 0 && report.cuts > 0, "{report:?}");
    assert!(subject.lengths().into_iter().all(|length| length <= 2.5));
    subject.check(true);
}

/// The vertices of each edge by place, as indices of the input, the lower one first.
fn ends(store: &PatchStore) -> Vec<[u32; 2]> {
    let rows = store.query(StoreOp::EV).and_then(|rows| rows.download()).expect("edges");
    let inputs = store.inputs::<Vertex>().expect("inputs");
    let of = |place: usize| match rows.row(place) {
        &[a, b] => {
            let [a, b] = [a, b].map(|v| inputs[v as usize]);
            [a.min(b), a.max(b)]
        }
        _ => [NONE; 2],
    };
    (0..store.places(ElementKind::Edge)).map(of).collect()
}

suite! {
    /// Patches made anew, larger and smaller ones: the same faces, and values of all kinds at their elements.
    fn patches_made_anew(device) {
        let (case, x) = torus(size(30, 20));
        let numbers: Vec<u32> = (0..case.faces.len() as u32).collect();
        for (before, after) in [(32, 256), (256, 48)] {
            let Subject { mut store, x: mut y, .. } = Subject::new(device, &case, &x, before, &roomy());
            let mut faces = PatchAttribute::<Face, u32>::from_input(&store, &numbers).expect("memory");
            let mut edges = PatchAttribute::<Edge, [u32; 2]>::from_input(&store, &ends(&store)).expect("memory");
            let carried = Carried::none().copied(&mut faces).and_then(|carried| carried.copied(&mut edges));
            let patches = MeshOptions { patch_size: after, ..MeshOptions::default() };
            let old = store.patches();
            store.recluster(&mut y, &mut carried.expect("room"), &patches, &roomy()).expect("memory");
            assert_eq!(store.patches() > old, after < before);
            assert_eq!(store.patch_options().patch_size, after);
            store.validate().expect("a whole store");
            let inputs = store.inputs::<Vertex>().expect("inputs").into_iter();
            let living: Vec<u32> = inputs.filter(|&input| input != NONE).collect();
            let expected: Vec<Vec3> = living.iter().map(|&v| x[v as usize]).collect();
            assert_eq!(y.values(&store).expect("values"), expected);
            let triangles = store.triangles().expect("faces").into_iter();
            for (source, corners) in faces.values(&store).expect("values").into_iter().zip(triangles) {
                let now = corners.map(|v| living[v as usize]);
                assert_eq!(ids::sorted(now), ids::sorted(case.faces[source as usize]));
            }
            let order = store.order(ElementKind::Edge).expect("order");
            let expected = ends(&store).into_iter().zip(order).filter(|(_, number)| *number != NONE);
            assert_eq!(edges.values(&store).expect("values"), expected.map(|(ends, _)| ends).collect::<Vec<_>>());
        }
    }
    /// A torus collapsed as far as it goes stays a torus.
    fn collapses_keep_the_topology(device) {
        for patch_size in [32, 128] {
            let (case, x) = torus(20);
            let mut subject = Subject::new(device, &case, &x, patch_size, &roomy());
            for _ in 0..4 {
                subject.change(StoreChange::Collapse { shortest: 1e3, longest: 1e4 });
            }
            subject.check(true);
        }
    }
    fn flips_for_valences(device) {
        let (case, x) = grid(size(24, 16));
        let mut subject = Subject::new(device, &case, &x, 64, &roomy());
        let mean = subject.mean();
        subject.change(StoreChange::Collapse { shortest: 1.5 * mean, longest: 3.0 * mean });
        let square = |subject: &Subject| {
            let faces = subject.store.triangles().expect("faces");
            let o = Oracle::new(&Case::new("valences".to_owned(), subject.store.count(ElementKind::Vertex), faces));
            let inner = |v: &u32| !o.vertex_edges[*v as usize].iter().any(|k| o.edges[k].len() == 1);
            let of = |v: u32| (o.vertex_edges[v as usize].len() as i64 - if inner(&v) { 6 } else { 4 }).pow(2);
            (0..o.vertices as u32).map(of).sum::<i64>()
        };
        let before = square(&subject);
        let report = subject.change(StoreChange::FlipValences);
        let after = square(&subject);
        assert!(report.filled > 0 && after + 2 * i64::from(report.filled) <= before, "{before}, {after}, {report:?}");
        let (model, x) = subject.check(true);
        assert!(same_side_up(&model.oracle.faces, &x));
    }
    /// Three iterations, as in Table 5.4: edges come closer to the length.
    fn remeshing(device) {
        for patch_size in [64, 256] {
            let (case, x) = torus(size(30, 20));
            let mut subject = Subject::new(device, &case, &x, patch_size, &roomy());
            let spread = |subject: &Subject| {
                let (mean, lengths) = (subject.mean(), subject.lengths());
                (lengths.iter().map(|l| (l / mean - 1.0).powi(2)).sum::<f32>() / lengths.len() as f32).sqrt()
            };
            let before = spread(&subject);
            let options = StoreRemeshOptions { length: subject.mean(), ..StoreRemeshOptions::default() };
            let report = subject.store.remesh(&mut subject.x, &mut Carried::none(), &options).expect("room");
            println!("{report:?}");
            let after = spread(&subject);
            assert!(after < 0.8 * before, "{before}, {after}");
            // later iterations may find nothing to do: where vertices are depends on the order of threads
            let first = &report[0];
            assert!([&first.splits, &first.collapses, &first.flips].iter().all(|c| c.filled > 0), "{first:?}");
            subject.check(true);
        }
    }
    /// Attributes of all kinds move with their elements; halves have what the whole had.
    fn attributes_are_carried(device) {
        let (case, x) = grid(size(20, 14));
        for patch_size in [32, 512] {
            let mut subject = Subject::new(device, &case, &x, patch_size, &roomy());
            let store = &subject.store;
            let mut height = PatchAttribute::<Vertex, [f32; 2]>::from_input(
                store, &x.iter().map(|x| [x.x + 2.0 * x.y, x.x]).collect::<Vec<_>>(),
            ).expect("memory");
            let row = |f: &[u32; 3]| f.iter().map(|v| x[*v as usize].y as u32).min().unwrap_or(0);
            let mut row_of_face = PatchAttribute::<Face, u32>::from_input(
                store, &case.faces.iter().map(row).collect::<Vec<_>>(),
            ).expect("memory");
            let one = vec![1u32; store.places(ElementKind::Edge)];
            let mut old = PatchAttribute::<Edge, u32>::from_input(store, &one).expect("memory");
            let mean = subject.mean();
            for change in [StoreChange::Split { longest: 0.6 * mean }, StoreChange::Collapse { shortest: 0.5 * mean, longest: mean }, StoreChange::FlipDelaunay] {
                let mut carried = Carried::none().averaged(&mut height).and_then(|c| c.copied(&mut row_of_face));
                carried = carried.and_then(|c| c.copied(&mut old));
                let report = subject.store.change_enlarging(change, &mut subject.x, &mut carried.expect("room")).expect("room");
                println!("{change:?}: {report:?}");
            }
            let positions = subject.x.values(&subject.store).expect("positions");
            for (x, [a, b]) in positions.iter().zip(height.values(&subject.store).expect("values")) {
                assert!((x.x + 2.0 * x.y - a).abs() < 1e-3 && (x.x - b).abs() < 1e-3, "{x}, {a}, {b}");
            }
            let rows = row_of_face.values(&subject.store).expect("values");
            assert_eq!(rows.len(), subject.store.count(ElementKind::Face));
            assert!(rows.iter().all(|&row| row < size(20, 14)));
            let old = old.values(&subject.store).expect("values");
            assert!(old.contains(&1) && old.iter().all(|&one| one <= 1));
            let other = PatchStore::new(device, case.vertices, &case.faces, &MeshOptions::default(), &roomy());
            let mut elsewhere = PatchAttribute::<Vertex, f32>::zeros(&other.expect("a store")).expect("memory");
            let carried = Carried::none().copied(&mut elsewhere);
            let refused = subject.store.change(StoreChange::FlipDelaunay, &mut subject.x, &mut carried.expect("room"));
            assert!(matches!(refused, Err(StoreError::OtherStore)));
            subject.check(true);
        }
    }
    /// Splits leave edges of three faces, and collapses the vertices there.
    fn meshes_that_are_no_manifolds(device) {
        for case in [meshes::book(40), meshes::mobius(30), meshes::soup(60, 100, 9), meshes::fan(30, true)] {
            let mut random = ribbonmesh_suite::Random(5);
            let x: Vec<Vec3> = (0..case.vertices)
                .map(|_| Vec3::from([0; 3].map(|_| random.below(1000) as f32 / 1000.0)))
                .collect();
            for change in [StoreChange::Split { longest: 0.4 }, StoreChange::Collapse { shortest: 0.5, longest: 2.0 }] {
                let mut subject = Subject::new(device, &case, &x, 48, &roomy());
                subject.change(change);
                subject.check(false);
            }
        }
    }
    /// Without a free patch, splits end with an error, and what was done is whole.
    fn no_room_for_splits(device) {
        let (case, x) = grid(24);
        let options = StoreOptions { room: 1.3, spare: 0.1, ..StoreOptions::default() };
        let mut subject = Subject::new(device, &case, &x, 64, &options);
        let result = subject.store.change(StoreChange::Split { longest: 0.1 }, &mut subject.x, &mut Carried::none());
        assert!(matches!(result, Err(StoreError::Full { .. })), "{result:?}");
        assert!(subject.store.count(ElementKind::Vertex) > case.vertices);
        subject.check(true);
    }
    /// A store without room, and one with little, become larger as often as needed.
    fn stores_are_enlarged(device) {
        for options in [StoreOptions::still(), StoreOptions { room: 1.1, spare: 0.0, ..StoreOptions::default() }] {
            let (case, x) = grid(size(20, 14));
            let mut subject = Subject::new(device, &case, &x, 64, &options);
            let report = subject.change(StoreChange::Split { longest: 0.6 });
            assert!(report.enlarged > 0, "{report:?}");
            subject.check(true);
        }
    }
    /// Splits that make many faces of each of few patches: patches are made anew, of the usual size.
    fn patches_that_have_become_large_are_made_anew(device) {
        let (case, x) = grid(14);
        let options = StoreOptions { room: 1.5, spare: 0.0, ..StoreOptions::default() };
        let mut subject = Subject::new(device, &case, &x, 48, &options);
        let report = subject.change(StoreChange::Split { longest: 0.25 });
        assert!(report.remade > 0, "{report:?}");
        let rows = subject.store.read_rows().expect("rows");
        println!("{} patches, the largest of {:?}", rows.len(), rows.iter().map(|row| row.count[2]).max());
        subject.check(true);
    }
    /// A store that was changed is laid out again: no gaps, no patch without elements, the mesh as before.
    fn compaction(device) {
        for (case, x) in [grid(size(24, 16)), torus(size(24, 16))] {
            let mut subject = Subject::new(device, &case, &x, 64, &roomy());
            let mean = subject.mean();
            subject.change(StoreChange::Collapse { shortest: 1.5 * mean, longest: 3.0 * mean });
            let store = &subject.store;
            let marks: Vec<f32> = (0..case.vertices).map(|v| v as f32).collect();
            let mut mark = PatchAttribute::<Vertex, f32>::from_input(store, &marks).expect("memory");
            let mut stale = PatchAttribute::<Vertex, f32>::zeros(store).expect("memory");
            let before = (subject.x.download(store).expect("x"), store.memory(), store.patches());
            let mut carried = Carried::none().averaged(&mut mark).expect("room");
            subject.store.compact(&mut subject.x, &mut carried, &StoreOptions::still()).expect("room");
            let store = &subject.store;
            assert!(store.patches() < before.2 && 2 * store.memory().total() < before.1.total());
            assert_eq!(subject.x.download(store).expect("x"), before.0);
            let inputs = store.inputs::<Vertex>().expect("inputs");
            let marked = mark.buffer().read().expect("marks");
            assert!(inputs.iter().zip(marked).all(|(&v, m)| v == ribbonmesh::device::NONE || v as f32 == m));
            assert!(matches!(stale.download(store), Err(StoreError::OtherStore)));
            let refused = subject.store.compact(&mut subject.x, &mut Carried::none().copied(&mut stale).expect("room"), &roomy());
            assert!(matches!(refused, Err(StoreError::OtherStore)));
            for row in subject.store.read_rows().expect("rows") {
                assert!(row.count[2] + 8 > row.capacity[2], "{row:?}");
            }
            // with room again, it changes on
            subject.store.compact(&mut subject.x, &mut Carried::none(), &roomy()).expect("room");
            let report = subject.change(StoreChange::Split { longest: mean });
            assert!(report.filled > 0);
            subject.check(true);
        }
    }
    fn refusals_of_remeshing(device) {
        let (case, x) = grid(8);
        let mut subject = Subject::new(device, &case, &x, 64, &roomy());
        for length in [0.0, -1.0, f32::NAN, f32::INFINITY] {
            let options = StoreRemeshOptions { length, ..StoreRemeshOptions::default() };
            let result = subject.store.remesh(&mut subject.x, &mut Carried::none(), &options);
            assert!(matches!(result, Err(StoreError::Library(ribbonmesh::Error::Option { option: "length", .. }))));
        }
    }
}
