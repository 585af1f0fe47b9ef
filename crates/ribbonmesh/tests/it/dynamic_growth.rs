//! Meshes that outgrow their room many times in one run.
use ribbonmesh::device::{Edge, ElementKind, Face, Vertex};
use ribbonmesh::dynamic::{
    AttributeSet, DynamicAttribute, DynamicMesh, ExecutionMode, Limits, PassReport, PatchOptions,
};
use ribbonmesh::{Device, Element};
use ribbonmesh_mesh::TriangleMesh;
use ribbonmesh_mesh::shapes;
use ribbonmesh_suite::{
    dynamic::{
        Subject,
        patches::{queries, refresh},
    },
    gpu_tests, size, suite,
};
use ribbonmesh_testing::classic::{Apply as _, Classic};

/// A value for every element that no new element has.
fn tags<E: Element>(mesh: &DynamicMesh) -> DynamicAttribute<E, u32> {
    let values: Vec<u32> = (0..mesh.ids(E::KIND)).map(|id| id ^ 0xabcd_0000).collect();
    DynamicAttribute::from_ids(mesh, &values).expect("memory")
}
fn kept<E: Element>(mesh: &DynamicMesh, values: &mut DynamicAttribute<E, u32>, n: u32) {
    let capacity = mesh.capacity();
    values.for_each_attribute(&mut |values| values.grow(capacity)).expect("memory");
    let values = values.read(mesh).expect("values");
    assert!((0..n).all(|id| values[id as usize] == id ^ 0xabcd_0000), "{:?}", E::KIND);
    assert!(values[n as usize..].iter().all(|&x| x == 0), "{:?}", E::KIND);
}
/// Twice the area, in double precision.
fn area(subject: &mut Subject) -> f64 {
    let x = subject.x.read(&subject.mesh).expect("positions");
    let faces = subject.faces();
    let of = |f: &[u32; 3]| {
        let [a, b, c] = f.map(|v| x[v as usize].as_dvec3());
        (b - a).cross(c - a).length()
    };
    faces.iter().map(of).sum()
}

fn grows(
    device: &Device,
    name: &str,
    shape: &TriangleMesh,
    classic: Classic,
    kind: ElementKind,
    passes: u32,
) {
    let what = format!("{name}, {classic:?}");
    let mut subject = Subject::new(device, shape, 0.0);
    let (n, room) = (subject.mesh.living().expect("counted"), subject.mesh.capacity());
    assert_eq!(n, [room.vertices, room.edges, room.faces], "{what}: nothing to spare");
    let (mut v, mut e, mut f) =
        (tags::<Vertex>(&subject.mesh), tags::<Edge>(&subject.mesh), tags::<Face>(&subject.mesh));
    let before = (subject.x.read(&subject.mesh).expect("positions"), area(&mut subject));
    // elements to come are meant, too
    let priority = device.upload(&vec![1f32; 40 * n[kind as usize] as usize]).expect("memory");
    let report = subject
        .mesh
        .apply_within(classic, &priority, &mut subject.x, Limits::passes(passes))
        .unwrap_or_else(|error| panic!("{what}: {error}"));
    assert!(report.grown > 1, "{what}: {report:?}");
    let now = subject.mesh.living().expect("counted");
    assert!((0..3).all(|k| now[k] >= 4 * n[k]), "{what}: from {n:?} to {now:?}");
    subject.check(&what);
    // vertices and edges are never deleted by these; faces give their ids to what takes their place
    kept(&subject.mesh, &mut v, n[0]);
    kept(&subject.mesh, &mut e, n[1]);
    kept(&subject.mesh, &mut f, n[2]);
    let x = subject.x.read(&subject.mesh).expect("positions");
    assert!(x[..before.0.len()].iter().zip(&before.0).all(|(a, b)| a.to_array() == b.to_array()), "{what}");
    // new vertices lie on the surface
    let after = area(&mut subject);
    assert!((after / before.1 - 1.0).abs() < 1e-4, "{what}: area {} and {after}", before.1);
    let done = refresh(&mut subject.mesh, &PatchOptions::default(), &what);
    assert!(done.quality.largest <= 2 * 128, "{what}: {:?}", done.quality);
    queries(&subject.mesh, &what);
}

/// The work of an operator on all elements of a kind in three passes: the report, vertices of faces,
/// positions. `room`: for candidates and words of their records at the beginning; `None`: as many as are
/// expected.
fn changed(
    device: &Device,
    shape: &TriangleMesh,
    (classic, kind): (Classic, ElementKind),
    mode: ExecutionMode,
    room: Option<[usize; 2]>,
) -> (PassReport, Vec<[u32; 3]>, Vec<[u32; 3]>) {
    let what = format!("{classic:?}, {mode:?}, {room:?}");
    let mut subject = Subject::new(device, shape, 0.0);
    if let Some([candidates, words]) = room {
        subject.mesh.begin_with_room(candidates, words).expect("freed");
    }
    let ids = subject.mesh.ids(kind);
    // like priorities, so that many rounds follow
    let priorities: Vec<f32> = (0..40 * ids).map(|id| (id % 7) as f32).collect();
    let priority = device.upload(&priorities).expect("memory");
    let limits = Limits { passes: 3, mode };
    let report = subject
        .mesh
        .apply_within(classic, &priority, &mut subject.x, limits)
        .unwrap_or_else(|error| panic!("{what}: {error}"));
    subject.check(&what);
    let faces = subject.mesh.read_faces().expect("readable");
    let x = subject.x.read(&subject.mesh).expect("positions");
    (report, faces, x.iter().map(|x| x.to_array().map(f32::to_bits)).collect())
}

const OPERATORS: [(Classic, ElementKind); 5] = [
    (Classic::FlipEdge, ElementKind::Edge),
    (Classic::SplitEdge, ElementKind::Edge),
    (Classic::CollapseEdge, ElementKind::Edge),
    (Classic::SplitFace, ElementKind::Face),
    (Classic::SplitVertex, ElementKind::Vertex),
];

/// Rounds that cards share make what one makes, with any room for each one's part at the beginning. Both are
/// CPUs, or both GPUs, which contract products and sums.
fn check_cards(alone: &Device, device: &Device, cards: usize) {
    let shape = shapes::icosphere(3).expect("small");
    for operator in OPERATORS {
        let expected = changed(alone, &shape, operator, ExecutionMode::PerPhase, None);
        assert!(expected.0.executed > 0, "{operator:?}");
        for mode in [ExecutionMode::PerPhase, ExecutionMode::Persistent] {
            for room in [None, Some([0, 0]), Some([1 << 16, 0]), Some([900, 1 << 18]), Some([300, 500])] {
                let found = changed(device, &shape, operator, mode, room);
                let what = format!("{cards} cards, {operator:?}, {mode:?}, {room:?}");
                assert_eq!(found.0, expected.0, "{what}");
                assert!(found.1 == expected.1, "{what}: other faces");
                assert!(found.2 == expected.2, "{what}: other positions");
            }
        }
    }
}

#[test]
fn the_same_on_the_cpu_as_several_cards() {
    for cards in [2, 3, 7] {
        check_cards(&Device::cpu(), &Device::cpu_as_cards(cards), cards);
    }
}

gpu_tests! {
    fn the_same_on_one_gpu_as_several_cards() {
        let Some(gpu) = ribbonmesh_suite::cuda().filter(|device| device.sharing().is_none()) else { return };
        for cards in [2, 3] {
            check_cards(&gpu, &Device::cuda_as_cards(0, cards).expect("a GPU"), cards);
        }
    }
}

suite! {
    // rounds without room for their candidates or records are run again, also while the mesh grows
    fn the_same_with_any_room_at_the_beginning(device) {
        let shape = shapes::icosphere(size(3, 2)).expect("small");
        for operator in OPERATORS {
            for mode in [ExecutionMode::PerPhase, ExecutionMode::Persistent] {
                let expected = changed(device, &shape, operator, mode, None);
                assert!(expected.0.executed > 0, "{operator:?}");
                for room in [[0, 0], [1, 1 << 18], [1 << 16, 0], [300, 500]] {
                    let found = changed(device, &shape, operator, mode, Some(room));
                    assert_eq!(found, expected, "{operator:?}, {mode:?}, {room:?}");
                }
            }
        }
    }
    fn four_times_the_elements_in_one_run(device) {
        let subjects = [
            ("sphere", shapes::icosphere(size(2, 1)).expect("small")),
            ("grid", shapes::grid(size(12, 5), 1).expect("small")),
        ];
        for (name, shape) in subjects {
            grows(device, name, &shape, Classic::SplitEdge, ElementKind::Edge, 3);
            grows(device, name, &shape, Classic::SplitFace, ElementKind::Face, 2);
        }
    }
}
