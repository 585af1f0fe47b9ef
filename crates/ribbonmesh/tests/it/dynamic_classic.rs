//! The classic operators, alone, in conflict and at boundaries, against a list of triangles.
use ribbonmesh::Device;
use ribbonmesh::device::ElementKind;
use ribbonmesh_mesh::TriangleMesh;
use ribbonmesh_suite::{
    cases,
    dynamic::{Subject, manifolds, priorities},
    suite,
};
use ribbonmesh_testing::classic::{Apply as _, Classic};

const ALL: [(Classic, ElementKind); 9] = [
    (Classic::FlipEdge, ElementKind::Edge),
    (Classic::SplitEdge, ElementKind::Edge),
    (Classic::CollapseEdge, ElementKind::Edge),
    (Classic::SplitFace, ElementKind::Face),
    (Classic::CollapseFace, ElementKind::Face),
    (Classic::SplitVertex, ElementKind::Vertex),
    (Classic::DeleteVertex, ElementKind::Vertex),
    (Classic::DeleteEdge, ElementKind::Edge),
    (Classic::DeleteFace, ElementKind::Face),
];

/// Faces and edges that one operator adds, inside of a surface.
fn growth(classic: Classic) -> Option<(i64, i64)> {
    match classic {
        Classic::FlipEdge => Some((0, 0)),
        Classic::SplitFace => Some((2, 3)),
        Classic::SplitVertex => Some((2, 3)),
        Classic::CollapseFace => Some((-4, -6)),
        _ => None,
    }
}

/// Each mesh with each operator.
fn subjects() -> impl Iterator<Item = (&'static str, TriangleMesh, Classic, ElementKind)> {
    manifolds()
        .into_iter()
        .flat_map(|(name, shape)| ALL.map(|(classic, kind)| (name, shape.clone(), classic, kind)))
}

suite! {
    fn many_at_once(device) {
        for (name, shape, classic, kind) in cases(subjects()) {
            for of in [1, 3, 40] {
                let mut subject = Subject::new(device, &shape, 0.0);
                let what = format!("{name}, {classic:?}, one in {of}");
                let before = subject.check(&what);
                let chosen = priorities(subject.mesh.ids(kind), of, 7);
                let priority = device.upload(&chosen).expect("memory");
                let report = subject.mesh.apply(classic, &priority, &mut subject.x).expect("a pass");
                let after = subject.check(&what);
                let n = report.executed as i64;
                let rejected: u32 = report.rejected.iter().sum();
                assert!(report.executed > 0 || rejected > 0 || chosen.iter().all(|p| p.is_nan()), "{what}");
                if let Some((faces, edges)) = growth(classic) {
                    assert_eq!(after.faces as i64 - before.faces as i64, faces * n, "{what}");
                    assert_eq!(after.edges.len() as i64 - before.edges.len() as i64, edges * n, "{what}");
                }
                if !matches!(classic, Classic::DeleteVertex | Classic::DeleteEdge | Classic::DeleteFace) {
                    assert_eq!(after.euler(), before.euler(), "{what}: Euler characteristic");
                    assert!(after.boundary() <= 2 * before.boundary() , "{what}: boundary");
                }
            }
        }
    }
    fn the_same_as_on_the_cpu(device) {
        for (name, shape, classic, kind) in cases(subjects()) {
            let [a, b] = [device.clone(), Device::cpu_with_threads(1).expect("a thread")].map(|device| {
                let mut subject = Subject::new(&device, &shape, 0.5);
                let chosen = priorities(subject.mesh.ids(kind), 1, 3);
                let priority = device.upload(&chosen).expect("memory");
                let report = subject.mesh.apply(classic, &priority, &mut subject.x).expect("a pass");
                (report.executed, report.rejected, subject.mesh.read_faces().expect("readable"))
            });
            assert_eq!(a, b, "{name}, {classic:?}");
        }
    }
}
