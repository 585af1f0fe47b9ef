//! Every template with every filling: alone, in conflict, at boundaries, against the oracle.
use crate::common;
use crate::suite;
use common::{cases, size};
use ribbonmesh::Device;
use ribbonmesh::device::{ElementKind, NONE};
use ribbonmesh::dynamic::templates::ThesisTemplate as Template;
use ribbonmesh_mesh::TriangleMesh;
use ribbonmesh_mesh::shapes;
use ribbonmesh_testing::trial::{
    Choice, Filling, Naming, Random, State, Subject, beside, check_pass, manifolds,
};
use std::collections::BTreeSet;

fn begin(device: &Device, shape: &TriangleMesh, spare: f32) -> Subject {
    Subject::new(device, shape.positions.len(), &shape.faces, spare).expect("a manifold")
}
fn check(subject: &mut Subject, choice: &Choice, what: &str) -> State {
    let before = subject.state().expect("readable");
    let report = subject.pass(choice).expect("a pass");
    if let Err(e) = subject.mesh.validate() {
        panic!("{what}: {e}");
    }
    let after = subject.state().expect("readable");
    if let Err(e) = check_pass(&before, &after, choice, subject.serial(), &report) {
        panic!("{what}: {e}");
    }
    after
}
fn all() -> impl Iterator<Item = (Naming, Filling)> {
    let general = Naming::all().into_iter().flat_map(|n| Filling::GENERAL.map(|f| (n, f)));
    general.chain(Filling::CLASSIC.map(|(f, t)| (Naming::Template(t), f)))
}
/// All small meshes as components of one, so that a pass is one on each of them.
fn together() -> TriangleMesh {
    let none = TriangleMesh::default();
    manifolds().expect("small").into_iter().fold(none, |all, (_, shape)| beside(all, shape))
}

/// Copies of meshes next to each other, with one seed in each: cavities that are alone.
#[derive(Default)]
struct Copies {
    positions: Vec<[f32; 3]>,
    faces: Vec<[u32; 3]>,
    /// The name of each copy's mesh, its first vertex, and the index of the seed that is meant.
    parts: Vec<(&'static str, u32, usize)>,
}
impl Copies {
    /// A copy for each of these seeds, numbered in the order of their vertices.
    fn add(&mut self, name: &'static str, shape: &TriangleMesh, seeds: impl IntoIterator<Item = usize>) {
        for seed in seeds {
            let n = self.positions.len() as u32;
            self.parts.push((name, n, seed));
            self.positions.extend(shape.points_as_arrays());
            self.faces.extend(shape.faces.iter().map(|f| f.map(|v| v + n)));
        }
    }
    fn begin(&self, device: &Device) -> Subject {
        Subject::new(device, self.positions.len(), &self.faces, 0.0).expect("a manifold")
    }
    /// The id of each copy's seed.
    fn seeds(&self, subject: &mut Subject, kind: ElementKind) -> Vec<u32> {
        let state = subject.state().expect("readable");
        let (inputs, lists) = (subject.inputs(), elements(&state, kind));
        let mut of_part = vec![vec![]; self.parts.len()];
        for (id, vertices) in lists {
            let mut vertices: Vec<u32> = vertices.iter().map(|v| inputs[*v as usize]).collect();
            vertices.sort_unstable();
            let part = self.parts.partition_point(|(_, first, _)| *first <= vertices[0]) - 1;
            of_part[part].push((vertices, id));
        }
        let parts = of_part.iter_mut().zip(&self.parts);
        parts
            .map(|(elements, (_, _, seed))| {
                elements.sort();
                elements[*seed].1
            })
            .collect()
    }
}
/// The elements of a kind, by id, with their vertices.
fn elements(state: &State, kind: ElementKind) -> Vec<(u32, Vec<u32>)> {
    let lists: Vec<Vec<u32>> = match kind {
        ElementKind::Vertex => (0..state.vertices.len() as u32).map(|v| vec![v]).collect(),
        ElementKind::Edge => state.edges.iter().map(|e| e.to_vec()).collect(),
        ElementKind::Face => state.faces.iter().map(|f| f.to_vec()).collect(),
    };
    (0..).zip(lists).filter(|(_, list)| list[0] != NONE).collect()
}
/// The number of elements of a kind in a mesh.
fn count(shape: &TriangleMesh, kind: ElementKind) -> usize {
    match kind {
        ElementKind::Vertex => shape.positions.len(),
        ElementKind::Face => shape.faces.len(),
        ElementKind::Edge => {
            let ends = |f: &[u32; 3]| [0, 1, 2].map(|i| (f[i].min(f[(i + 1) % 3]), f[i].max(f[(i + 1) % 3])));
            shape.faces.iter().flat_map(ends).collect::<BTreeSet<_>>().len()
        }
    }
}
/// One of the seeds of each copy, none of the others.
fn only(seeds: &[u32], naming: Naming, filling: Filling) -> Choice {
    let mut choice = Choice::one(naming, filling, *seeds.iter().max().expect("a seed"));
    seeds.iter().for_each(|seed| choice.priority[*seed as usize] = 0.0);
    choice
}

suite! {
    fn alone(device) {
        for kind in [ElementKind::Vertex, ElementKind::Edge, ElementKind::Face] {
            let (mut copies, mut random) = (Copies::default(), Random(1));
            for (name, shape) in manifolds().expect("small") {
                // all seeds of small meshes, some of others
                let n = count(&shape, kind);
                copies.add(name, &shape, (0..n).filter(|_| n < size(30, 3) || random.below(n as u32) < 6));
            }
            for (naming, filling) in cases(all().filter(|(naming, _)| naming.seed() == kind)) {
                let mut subject = copies.begin(device);
                let seeds = copies.seeds(&mut subject, kind);
                let named = || copies.parts.iter().zip(&seeds).map(|((name, ..), seed)| format!("{seed}: {name}"));
                let what = format!("{naming:?} {filling:?}, seeds {:?}", named().collect::<Vec<_>>());
                let after = check(&mut subject, &only(&seeds, naming, filling), &what);
                let done = |i: usize| after.executed[seeds[i] as usize] == subject.serial();
                let closed = (0..seeds.len()).filter(|i| copies.parts[*i].0 == "icosphere");
                assert!(filling == Filling::FanWithin || closed.clone().any(done), "{what}: none");
            }
        }
    }
    fn in_conflict(device) {
        for (naming, filling) in cases(all()) {
            let mut subject = begin(device, &together(), 0.0);
            let every = Choice::every(naming, filling, subject.ids());
            check(&mut subject, &every, &format!("{naming:?} {filling:?} everywhere"));
        }
    }
    fn in_conflict_on_each_mesh(device) {
        for (name, shape) in manifolds().expect("small") {
            for (filling, template) in cases(Filling::CLASSIC) {
                let mut subject = begin(device, &shape, 0.0);
                let every = Choice::every(Naming::Template(template), filling, subject.ids());
                check(&mut subject, &every, &format!("{name}, {template:?} {filling:?} everywhere"));
            }
        }
    }
    fn by_priority_and_label(device) {
        let mut random = Random(7);
        for (naming, filling) in cases(all()) {
            let mut subject = begin(device, &together(), 0.0);
            for of in [1, 2, 5] {
                let choice = Choice::random(naming, filling, subject.ids(), of, &mut random);
                check(&mut subject, &choice, &format!("{naming:?} {filling:?}, one in {of}"));
            }
        }
    }
    fn the_greatest_priority_is_executed(device) {
        let shape = shapes::torus(9, 1).expect("small");
        for template in [Template::VF, Template::EV, Template::FV] {
            let (naming, kind) = (Naming::Template(template), template.seed());
            let mut copies = Copies::default();
            copies.add("torus", &shape, (0..count(&shape, kind)).step_by(size(7, 70)));
            let mut subject = copies.begin(device);
            let mut choice = Choice::every(naming, Filling::Fan, subject.ids());
            let best = copies.seeds(&mut subject, kind);
            best.iter().for_each(|best| choice.priority[*best as usize] = 1.0);
            let after = check(&mut subject, &choice, &format!("{template:?}"));
            for best in best {
                assert_eq!(after.executed[best as usize], subject.serial(), "{template:?} at {best}");
            }
        }
    }
    fn the_same_with_one_thread(device) {
        let one = Device::cpu_with_threads(1).expect("a thread");
        for (naming, filling) in cases(all()) {
            let [a, b] = [device, &one].map(|device| {
                let mut subject = begin(device, &together(), 0.0);
                let mut random = Random(3);
                let reports = [0; 2].map(|_| {
                    let choice = Choice::random(naming, filling, subject.ids(), 2, &mut random);
                    subject.pass(&choice).expect("a pass")
                });
                let state = subject.state().expect("readable");
                (reports, state.faces, state.edges, state.vertices, state.tags)
            });
            assert!(a == b, "{naming:?} {filling:?}: reports {:?} and {:?}", a.0, b.0);
        }
    }
}
