//! Races in shared memory in the phases of a round: none as written, and some for each barrier that orders
//! shared memory. With `--features race-check`, on the CPU.
#![cfg(feature = "race-check")]
use ribbonmesh::Device;
use ribbonmesh::device::race::{leave_out, take_report};
use ribbonmesh::dynamic::templates::ThesisTemplate as Template;
use ribbonmesh_testing::trial::{Choice, Filling, Naming, Subject};

/// Barriers that the checker misses when they are left out: the barriers of planning's counting, of
/// allocation's and filling's scans, of the last block's counters. All others order global memory, or come
/// after the last access.
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
    for (name, shape) in &ribbonmesh_testing::trial::manifolds().expect("small") {
        for (template, filling) in cases {
            let pass = || {
                let (n, faces) = (shape.positions.len(), &shape.faces);
                let mut subject = Subject::new(&device, n, faces, 2.0).expect("a manifold");
                let choice = Choice::every(Naming::Template(template), filling, subject.ids());
                take_report();
                subject.pass(&choice).expect("a pass")
            };
            pass();
            let report = take_report();
            assert_eq!(report.races, 0, "{name}, {template:?}: {:?}", report.first);
            let missed = |barrier: &u32| {
                leave_out(Some(*barrier));
                pass();
                leave_out(None);
                take_report().races > 0
            };
            let found = (0..report.barriers).filter(missed).count();
            assert!(found >= NEEDED, "{name}, {template:?}: {found} of {} barriers", report.barriers);
        }
    }
}
