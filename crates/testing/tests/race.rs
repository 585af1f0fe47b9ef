//! Races in shared memory in the phases of a round: none as written, and some for each barrier that orders
//! shared memory. With `--features race-check`, on the CPU.
#![cfg(feature = "race-check")]
use ribbonmesh::Device;
use ribbonmesh::device::race::{needed_barriers, take_report};
use ribbonmesh::dynamic::templates::ThesisTemplate as Template;
use ribbonmesh_testing::trial::{Choice, Filling, Naming, Subject};

/// Barriers that the checker misses when they are left out: the barriers of planning's counting, of
/// allocation's and filling's scans, of the last block's counters. All others order global memory, or come
/// after the last access. One less is seen where nothing is executed, since filling then scans nothing, and
/// on the icosphere.
const NEEDED: usize = 4;

/// One test: the checker's state is the process's.
#[test]
fn no_race_and_barriers_matter() {
    let device = Device::cpu();
    let cases = [
        (Template::VF, Filling::Fan),
        (Template::EF, Filling::Split),
        (Template::EV, Filling::Collapse),
        (Template::F, Filling::Nothing),
    ];
    let shapes = ribbonmesh_testing::trial::manifolds().expect("small");
    for (template, filling) in cases {
        let mut most = 0;
        for (name, shape) in &shapes {
            let pass = || {
                let (n, faces) = (shape.positions.len(), &shape.faces);
                let mut subject = Subject::new(&device, n, faces, 2.0).expect("a manifold");
                let choice = Choice::every(Naming::Template(template), filling, subject.ids());
                // of the pass alone
                take_report();
                subject.pass(&choice).map(drop)
            };
            let needed = needed_barriers(format!("{name}, {template:?}"), pass);
            let found = needed.iter().filter(|needed| **needed).count();
            assert!(found + 1 >= NEEDED, "{name}, {template:?}: {found} of {} barriers", needed.len());
            most = most.max(found);
        }
        assert!(most >= NEEDED, "{template:?}: {most} barriers at most");
    }
}
