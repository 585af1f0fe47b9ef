//! Patches as a cache: after every kind of change they are as if the mesh had been built of its triangles.
use crate::common;
use crate::suite;
use crate::support;
use common::{Random, cases, sanitized, size};
use ribbonmesh::device::ElementKind;
use ribbonmesh::dynamic::{Classic, DynamicAttribute, DynamicMesh, PatchOptions, PatchQuality};
use ribbonmesh::glam::Vec3;
use ribbonmesh::{Attribute, Error, Face, MeshOptions, Op, StaticMesh, Vertex};
use ribbonmesh_mesh::TriangleMesh;
use ribbonmesh_mesh::shapes;
use support::patches::{contents, queries, refresh};
use support::{Subject, manifolds, priorities};

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

/// Many small components next to each other.
fn islands() -> TriangleMesh {
    let mut all = shapes::icosphere(1).expect("small");
    for k in 0..60 {
        let one = if k % 2 == 0 { shapes::grid(3, 1) } else { shapes::icosphere(0) }.expect("small");
        let n = all.positions.len() as u32;
        let mut positions = one.positions;
        positions.iter_mut().for_each(|p| p[0] += f64::from(3 * (k + 1)));
        all.positions.append(&mut positions);
        all.faces.extend(one.faces.iter().map(|f| f.map(|v| v + n)));
    }
    // vertices without a face
    all.positions.resize(all.positions.len() + 100, Default::default());
    all
}
fn subjects() -> Vec<(&'static str, TriangleMesh)> {
    let mut all = manifolds();
    all.push(("islands", islands()));
    all
}
/// All of them; under a sanitizer one that has several patches and a boundary.
fn some() -> Vec<(&'static str, TriangleMesh)> {
    let mut all = subjects();
    all.retain(|(name, _)| size(true, *name == "grid"));
    all
}

fn apply(subject: &mut Subject, classic: Classic, kind: ElementKind, of: u32, seed: u64) -> u64 {
    let chosen = priorities(subject.mesh.ids(kind), of, seed);
    let priority = subject.mesh.device().upload(&chosen).expect("memory");
    subject.mesh.apply(classic, &priority, &mut subject.x).expect("a pass").executed
}

suite! {
    fn unchanged(device) {
        for (name, shape) in some() {
            let mut subject = Subject::new(device, &shape, 0.0);
            assert!(subject.mesh.patches().is_none());
            let done = refresh(&mut subject.mesh, &PatchOptions::default(), name);
            assert!(done.compaction.is_none() && !done.cut, "{name}");
            queries(&subject.mesh, name);
            let again = refresh(&mut subject.mesh, &PatchOptions::default(), name);
            assert_eq!(again.refreshed, 0, "{name}");
            queries(&subject.mesh, name);
        }
    }
    fn after_each_operator(device) {
        let each = |(name, shape): (_, TriangleMesh)| ALL.map(|(classic, kind)| (name, shape.clone(), classic, kind));
        for (name, shape, classic, kind) in cases(subjects().into_iter().flat_map(each)) {
            let what = format!("{name}, {classic:?}");
            let mut subject = Subject::new(device, &shape, 0.0);
            refresh(&mut subject.mesh, &PatchOptions::default(), &what);
            apply(&mut subject, classic, kind, 3, 11);
            let done = refresh(&mut subject.mesh, &PatchOptions::NEVER, &what);
            if let Some(compaction) = &done.compaction {
                compaction.apply_to(&mut subject.x).expect("positions follow");
            }
            queries(&subject.mesh, &what);
        }
    }
    fn many_in_a_row(device) {
        for (name, shape) in some() {
            let mut subject = Subject::new(device, &shape, 0.1);
            let mut random = Random(3);
            for step in 0..size(14, 3) {
                let (classic, kind) = ALL[random.below(9) as usize];
                let what = format!("{name}, step {step}, {classic:?}");
                let deletes = matches!(classic, Classic::DeleteVertex | Classic::DeleteEdge | Classic::DeleteFace);
                apply(&mut subject, classic, kind, if deletes { 60 } else { 4 }, step);
                // some changes are refreshed together
                if random.below(3) > 0 {
                    let done = refresh(&mut subject.mesh, &PatchOptions::default(), &what);
                    if let Some(compaction) = &done.compaction {
                        compaction.apply_to(&mut subject.x).expect("positions follow");
                    }
                    let done = done.quality;
                    assert!(done.largest <= 2 * 128, "{what}: {done:?}");
                }
            }
            refresh(&mut subject.mesh, &PatchOptions::default(), name);
            queries(&subject.mesh, name);
        }
    }
    fn only_what_is_dirty(device) {
        for (name, shape) in some() {
            // flips near one place, then elsewhere; compared with a mesh that is refreshed once
            let mut kept = Subject::new(device, &shape, 0.0);
            let mut whole = Subject::new(device, &shape, 0.0);
            let mut least = u32::MAX;
            for step in 0..size(6, 3) {
                let n = kept.mesh.ids(ElementKind::Edge);
                let mut random = Random(step);
                let from = random.below(n);
                let chosen: Vec<f32> =
                    (0..n).map(|e| if e.wrapping_sub(from) < 40 { random.below(9) as f32 } else { f32::NAN }).collect();
                let priority = device.upload(&chosen).expect("memory");
                for subject in [&mut kept, &mut whole] {
                    subject.mesh.apply(Classic::FlipEdge, &priority, &mut subject.x).expect("a pass");
                }
                let done = refresh(&mut kept.mesh, &PatchOptions::NEVER, name);
                assert!(done.compaction.is_none(), "{name}");
                if step > 0 {
                    least = least.min(done.refreshed);
                }
            }
            let done = refresh(&mut whole.mesh, &PatchOptions::NEVER, name);
            assert_eq!(done.refreshed as usize, whole.mesh.patches().expect("fresh").patches(), "{name}");
            let [a, b] = [&kept, &whole].map(|s| contents(s.mesh.patches().expect("fresh")));
            assert_eq!(a, b, "{name}");
            if whole.mesh.patches().expect("fresh").patches() > 20 && name != "islands" {
                assert!(least < done.refreshed / 2, "{name}: {least} of {} patches", done.refreshed);
            }
            queries(&kept.mesh, name);
        }
    }
    fn flips_until_patches_are_bad(device) {
        let shape = shapes::bumpy_sphere(size(4, 3), 1).expect("small");
        let mut subject = Subject::new(device, &shape, 0.0);
        let first = refresh(&mut subject.mesh, &PatchOptions::NEVER, "at first").quality;
        let (mut step, mut worst) = (0, first.locality);
        loop {
            apply(&mut subject, Classic::FlipEdge, ElementKind::Edge, 2, step);
            let what = format!("step {step}");
            let never = PatchOptions::NEVER;
            worst = refresh(&mut subject.mesh, &never, &what).quality.locality.max(worst);
            if worst > 1.5 * first.locality {
                break;
            }
            step += 1;
            assert!(step < 60, "{worst} after {first:?}");
        }
        queries(&subject.mesh, "scrambled");
        let done = refresh(&mut subject.mesh, &PatchOptions::default(), "cut");
        assert!(done.cut && done.compaction.is_some());
        assert!(done.quality.locality < 0.8 * worst, "{:?}, {worst} before", done.quality);
        assert!(done.quality.largest <= 128);
        queries(&subject.mesh, "cut");
        // as good as the patches of a mesh that is made of the same triangles
        let faces = subject.mesh.read_faces().expect("readable");
        let options = MeshOptions { patch_size: 128, ..MeshOptions::default() };
        let fresh = StaticMesh::new(device, shape.positions.len(), &faces, &options).expect("a mesh");
        let fresh = PatchQuality::of(&fresh);
        // of a dozen patches, one more or less shows
        let more = if sanitized() { 1.2 } else { 1.1 };
        assert!(done.quality.locality < more * fresh.locality, "{:?}, {fresh:?}", done.quality);
    }
    fn attributes_come_and_go(device) {
        let shape = shapes::grid(30, 1).expect("small");
        let mut subject = Subject::new(device, &shape, 0.0);
        apply(&mut subject, Classic::SplitEdge, ElementKind::Edge, 5, 1);
        apply(&mut subject, Classic::CollapseEdge, ElementKind::Edge, 5, 2);
        let points = |subject: &mut Subject| {
            let x = subject.x.read(&subject.mesh).expect("values");
            let mut all: Vec<[[u32; 3]; 3]> =
                subject.faces().iter().map(|f| f.map(|v| x[v as usize].to_array().map(f32::to_bits))).collect();
            all.sort_unstable();
            all
        };
        let before = points(&mut subject);
        let done = subject.mesh.refresh(&PatchOptions::default()).expect("patches");
        done.compaction.expect("elements came and went").apply_to(&mut subject.x).expect("positions follow");
        assert_eq!(points(&mut subject), before);
        let patches = subject.mesh.patches().expect("fresh");
        let mut x: Attribute<Vertex, Vec3> = subject.x.to_static(patches).expect("values");
        assert_eq!(x.download_by_id().expect("values"), subject.x.read(&subject.mesh).expect("values"));
        x.scale(2.0).expect("twice");
        subject.x.copy_from(&x).expect("back");
        assert_eq!(x.download_by_id().expect("values"), subject.x.read(&subject.mesh).expect("values"));
        let mesh = subject.mesh.into_static().expect("fresh");
        mesh.validate().expect("valid");
        assert!(x.belongs_to(&mesh));
    }
    fn values_stay_while_only_flips(device) {
        let shape = shapes::torus(20, 1).expect("small");
        let options = MeshOptions { patch_size: 128, ..MeshOptions::default() };
        let mesh = StaticMesh::new(device, shape.positions.len(), &shape.faces, &options).expect("a mesh");
        let points: Vec<Vec3> = shape.points();
        let x = Attribute::<Vertex, Vec3>::from_input(&mesh, &points).expect("memory");
        let mut dynamic = DynamicMesh::new(&mesh, 0.0).expect("a manifold");
        let mut y = DynamicAttribute::from_static(&dynamic, &x).expect("memory");
        let chosen = priorities(dynamic.ids(ElementKind::Edge), 4, 1);
        let priority = device.upload(&chosen).expect("memory");
        dynamic.apply(Classic::FlipEdge, &priority, &mut y).expect("a pass");
        assert!(dynamic.patches().is_none(), "stale");
        dynamic.refresh(&PatchOptions::default()).expect("patches");
        assert!(x.belongs_to(dynamic.patches().expect("fresh")));
    }
    fn the_order_of_the_input(device) {
        let shape = shapes::icosphere(3).expect("small");
        let options = MeshOptions { patch_size: 128, ..MeshOptions::default() };
        let mesh = StaticMesh::new(device, shape.positions.len(), &shape.faces, &options).expect("a mesh");
        let points: Vec<Vec3> = shape.points();
        let x = Attribute::<Vertex, Vec3>::from_input(&mesh, &points).expect("memory");
        let places = |n: usize| (0..n as u32).collect::<Vec<_>>();
        let v = Attribute::<Vertex, u32>::from_input(&mesh, &places(mesh.vertices())).expect("memory");
        let f = Attribute::<Face, u32>::from_input(&mesh, &places(mesh.faces())).expect("memory");
        let dynamic = DynamicMesh::new(&mesh, 0.0).expect("a manifold");
        let of = "values of the mesh";
        let (mut v, mut f) =
            (DynamicAttribute::from_static(&dynamic, &v).expect(of), DynamicAttribute::from_static(&dynamic, &f).expect(of));
        let x = DynamicAttribute::from_static(&dynamic, &x).expect(of);
        let mut subject = Subject { mesh: dynamic, x };
        // if elements are only deleted, the others keep their order
        apply(&mut subject, Classic::DeleteFace, ElementKind::Face, 4, 1);
        apply(&mut subject, Classic::DeleteVertex, ElementKind::Vertex, 30, 1);
        let done = subject.mesh.refresh(&PatchOptions::default()).expect("patches");
        let compaction = done.compaction.expect("elements went");
        compaction.apply_to(&mut v).expect("vertices follow");
        compaction.apply_to(&mut f).expect("faces follow");
        compaction.apply_to(&mut subject.x).expect("positions follow");
        let patches = subject.mesh.patches().expect("fresh");
        let found = v.to_static(patches).and_then(|v| v.download()).expect("in the order of the input");
        assert!(found.is_sorted() && found.len() < shape.positions.len());
        let found = f.to_static(patches).and_then(|f| f.download()).expect("in the order of the input");
        assert!(found.is_sorted() && found.len() < shape.faces.len());
        // new elements come last; they have no value yet
        let before = patches.vertices();
        apply(&mut subject, Classic::SplitFace, ElementKind::Face, 6, 1);
        let room = subject.mesh.ids(ElementKind::Vertex) as usize - before;
        let tags: Vec<u32> = (0..before + room).map(|id| (id < before) as u32).collect();
        let mut old = DynamicAttribute::<Vertex, u32>::from_ids(&subject.mesh, &tags).expect("memory");
        let done = subject.mesh.refresh(&PatchOptions::default()).expect("patches");
        done.compaction.expect("elements came").apply_to(&mut old).expect("vertices follow");
        let patches = subject.mesh.patches().expect("fresh");
        let found = old.to_static(patches).and_then(|v| v.download()).expect("in the order of the input");
        assert!(room > 0 && found[..before].iter().all(|&x| x == 1) && found[before..].iter().all(|&x| x == 0));
    }
    fn wrong_options(device) {
        let shape = shapes::icosphere(1).expect("small");
        let mut subject = Subject::new(device, &shape, 0.0);
        for options in [
            PatchOptions { balance: 0.5, ..PatchOptions::default() },
            PatchOptions { locality: f32::NAN, ..PatchOptions::default() },
        ] {
            let error = subject.mesh.refresh(&options).err().expect("refused");
            assert!(matches!(error, Error::Option { .. }), "{error}");
        }
        let error = subject.mesh.into_static().err().expect("refused");
        assert!(matches!(error, Error::StalePatches), "{error}");
    }
    fn a_vertex_of_many_faces(device) {
        // all edges of a fan become edges of its hub
        let n = size(900, 200);
        let faces: Vec<[u32; 3]> = (0..n).map(|i| [0, i + 1, (i + 1) % n + 1]).collect();
        let positions = (0..=n).map(|i| [(i as f32).cos(), (i as f32).sin(), 0.0]);
        let shape = TriangleMesh::from_f32(positions, faces);
        let mut subject = Subject::new(device, &shape, 0.0);
        refresh(&mut subject.mesh, &PatchOptions::default(), "fan");
        apply(&mut subject, Classic::FlipEdge, ElementKind::Edge, 2, 1);
        refresh(&mut subject.mesh, &PatchOptions::default(), "fan, flipped");
        queries(&subject.mesh, "fan, flipped");
        apply(&mut subject, Classic::DeleteVertex, ElementKind::Vertex, 20, 1);
        refresh(&mut subject.mesh, &PatchOptions::default(), "fan, deleted");
        queries(&subject.mesh, "fan, deleted");
    }
    fn everything_deleted(device) {
        let positions = (0..900).map(|i| [(i / 3) as f32, (i % 3) as f32, (i % 3 % 2) as f32]);
        let shape = TriangleMesh::from_f32(positions, (0..300).map(|f| [3 * f, 3 * f + 1, 3 * f + 2]).collect());
        let mut subject = Subject::new(device, &shape, 0.0);
        apply(&mut subject, Classic::DeleteFace, ElementKind::Face, 1, 1);
        refresh(&mut subject.mesh, &PatchOptions::default(), "nothing left");
        assert_eq!(subject.mesh.patches().expect("fresh").faces(), 0);
        assert_eq!(subject.mesh.patches().expect("fresh").query(Op::VV).expect("VV").values().len(), 0);
    }
}
