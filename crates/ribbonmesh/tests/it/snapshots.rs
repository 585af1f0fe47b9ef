//! Going back to a snapshot, also after the mesh has outgrown its room.
use ribbonmesh::Error;
use ribbonmesh::device::{ElementKind, Face};
use ribbonmesh::dynamic::{AttributeSet, DynamicAttribute, PatchOptions};
use ribbonmesh_mesh::shapes;
use ribbonmesh_suite::{
    dynamic::{
        Subject,
        patches::{queries, refresh},
    },
    size, suite,
};
use ribbonmesh_testing::classic::{Apply as _, Classic};

fn apply(subject: &mut Subject, classic: Classic, kind: ElementKind) {
    let n = subject.mesh.ids(kind) as usize;
    // every third element
    let wanted: Vec<f32> = (0..n).map(|i| if i % 3 == 0 { i as f32 } else { f32::NAN }).collect();
    let priority = subject.mesh.device().upload(&wanted).expect("memory");
    let report = subject.mesh.apply(classic, &priority, &mut subject.x).expect("applied");
    assert!(report.executed > 0, "{classic:?}");
}

suite! {
    fn restored_exactly(device) {
        let operators = [
            (Classic::SplitEdge, ElementKind::Edge),
            (Classic::CollapseEdge, ElementKind::Edge),
            (Classic::DeleteFace, ElementKind::Face),
            (Classic::FlipEdge, ElementKind::Edge),
        ];
        let shape = shapes::bumpy_sphere(size(4, 2), 1).expect("small");
        for (classic, kind) in operators {
            let what = format!("{classic:?}");
            let mut subject = Subject::new(device, &shape, 0.0);
            // so that there are deleted elements and passes before
            apply(&mut subject, Classic::CollapseEdge, ElementKind::Edge);
            let tags = DynamicAttribute::<Face, u32>::of_ids(&subject.mesh).expect("memory");
            let (snapshot, x) = (subject.mesh.snapshot().expect("memory"), subject.x.try_clone().expect("memory"));
            assert!(snapshot.bytes() > 0);
            let state = |subject: &Subject| {
                let x = subject.x.read(&subject.mesh).expect("positions");
                let faces = subject.mesh.read_faces().expect("faces");
                let sides = subject.mesh.read_sides().expect("edges");
                (x, faces, sides, subject.mesh.read_living_vertices().expect("vertices"))
            };
            let before = state(&subject);
            apply(&mut subject, classic, kind);
            let changed = state(&subject);
            assert!(before != changed, "{what}");
            subject.mesh.restore(&snapshot).expect("the same mesh");
            subject.x.restore(&x).expect("the same mesh");
            assert!(state(&subject) == before, "{what}");
            subject.check(&what);
            apply(&mut subject, classic, kind);
            assert!(state(&subject) != before, "{what}: again");
            subject.check(&what);
            subject.mesh.restore(&snapshot).expect("the same mesh");
            subject.x.restore(&x).expect("the same mesh");
            let mut all = (&mut subject.x, tags);
            let done = refresh(&mut subject.mesh, &PatchOptions::default(), &what);
            if let Some(compaction) = &done.compaction {
                compaction.apply_to(&mut all.0).expect("memory");
                compaction.apply_to(&mut all.1).expect("memory");
            }
            queries(&subject.mesh, &what);
        }
    }
    fn not_after_a_renumbering(device) {
        let shape = shapes::icosphere(2).expect("small");
        let mut subject = Subject::new(device, &shape, 0.0);
        let snapshot = subject.mesh.snapshot().expect("memory");
        let compaction = subject.mesh.compact().expect("memory");
        compaction.apply_to(&mut subject.x).expect("memory");
        let faces = subject.faces();
        let error = subject.mesh.restore(&snapshot).expect_err("ids have changed");
        assert!(matches!(error, Error::OtherMesh { .. }), "{error}");
        assert_eq!(subject.faces(), faces);
        subject.x.for_each_attribute(&mut |x| x.grow(subject.mesh.capacity())).expect("memory");
    }
    fn a_copy_of_another_length(device) {
        let of = |k| Subject::new(device, &shapes::icosphere(k).expect("small"), 0.0);
        let (mut small, large) = (of(1), of(2));
        let error = small.x.restore(&large.x).expect_err("too long");
        assert!(matches!(error, Error::Length { .. }), "{error}");
        let error = small.mesh.restore(&large.mesh.snapshot().expect("memory")).expect_err("too large");
        assert!(matches!(error, Error::OtherMesh { .. }), "{error}");
        small.check("unchanged");
    }
}
