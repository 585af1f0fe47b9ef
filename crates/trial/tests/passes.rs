//! Every template with every filling: alone, in conflict, at boundaries, against the oracle.
#[path = "../../ribbonmesh/tests/common/mod.rs"]
mod common;
use ribbonmesh::Device;
use ribbonmesh_dynamic::templates::Template;
use ribbonmesh_trial::{Choice, Filling, Naming, Random, Subject, check_pass, manifolds};

fn begin(device: &Device, shape: &ribbonmesh_shapes::Shape, spare: f32) -> Subject {
    Subject::new(device, shape.positions.len(), &shape.faces, spare).expect("a manifold")
}
fn check(subject: &mut Subject, choice: &Choice, what: &str) -> u64 {
    let before = subject.state().expect("readable");
    let report = subject.pass(choice).expect("a pass");
    if let Err(e) = subject.mesh.validate() {
        panic!("{what}: {e}");
    }
    let after = subject.state().expect("readable");
    if let Err(e) = check_pass(&before, &after, choice, subject.serial(), &report) {
        panic!("{what}: {e}");
    }
    report.executed
}
fn all() -> impl Iterator<Item = (Naming, Filling)> {
    let general = Naming::all().into_iter().flat_map(|n| Filling::GENERAL.map(|f| (n, f)));
    general.chain(Filling::CLASSIC.map(|(f, t)| (Naming::Template(t), f)))
}

suite! {
    fn alone(device) {
        for (name, shape) in manifolds().expect("small") {
            let mut random = Random(1);
            for (naming, filling) in all() {
                let ids = begin(device, &shape, 0.0).ids();
                let n = ids[naming.seed() as usize];
                let mut done = 0;
                // all seeds of small meshes, some of others
                for seed in (0..n).filter(|_| n < 30 || random.below(n) < 6) {
                    let mut subject = begin(device, &shape, 1.0);
                    let what = format!("{name}, {naming:?} {filling:?} at {seed}");
                    done += check(&mut subject, &Choice::one(naming, filling, seed), &what);
                }
                let closed = name == "icosphere" && filling != Filling::FanWithin;
                assert!(!closed || done > 0 , "{name}, {naming:?} {filling:?}: none");
            }
        }
    }
    fn in_conflict(device) {
        for (name, shape) in manifolds().expect("small") {
            for (naming, filling) in all() {
                let mut subject = begin(device, &shape, 0.0);
                let what = format!("{name}, {naming:?} {filling:?} everywhere");
                let every = Choice::every(naming, filling, subject.ids());
                check(&mut subject, &every, &what);
            }
        }
    }
    fn by_priority_and_label(device) {
        let mut random = Random(7);
        for (name, shape) in manifolds().expect("small") {
            for (naming, filling) in all() {
                let mut subject = begin(device, &shape, 0.0);
                for of in [1, 2, 5] {
                    let choice = Choice::random(naming, filling, subject.ids(), of, &mut random);
                    check(&mut subject, &choice, &format!("{name}, {naming:?} {filling:?}, one in {of}"));
                }
            }
        }
    }
    fn the_greatest_priority_is_executed(device) {
        let shape = ribbonmesh_shapes::torus(9, 1).expect("small");
        for template in [Template::VF, Template::EV, Template::FV] {
            let naming = Naming::Template(template);
            let n = begin(device, &shape, 1.0).ids()[naming.seed() as usize];
            for best in (0..n).step_by(7) {
                let mut subject = begin(device, &shape, 1.0);
                let mut choice = Choice::every(naming, Filling::Fan, subject.ids());
                choice.priority[best as usize] = 1.0;
                check(&mut subject, &choice, "torus");
                let executed = subject.state().expect("readable").executed;
                assert_eq!(executed[best as usize], subject.serial(), "{template:?} at {best}");
            }
        }
    }
    fn the_same_with_one_thread(device) {
        let one = Device::cpu_with_threads(1).expect("a thread");
        for (name, shape) in manifolds().expect("small") {
            for (naming, filling) in all() {
                let [a, b] = [device, &one].map(|device| {
                    let mut subject = begin(device, &shape, 0.0);
                    let mut random = Random(3);
                    let reports = [0; 2].map(|_| {
                        let choice = Choice::random(naming, filling, subject.ids(), 2, &mut random);
                        subject.pass(&choice).expect("a pass")
                    });
                    let state = subject.state().expect("readable");
                    (reports, state.faces, state.edges, state.vertices, state.tags)
                });
                assert_eq!(a, b, "{name}, {naming:?} {filling:?}");
            }
        }
    }
}
