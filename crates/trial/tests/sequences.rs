//! Random sequences of operations against the oracle. `RIBBONMESH_OPERATIONS` is the number of operations of a sequence,
//! 10,000 without; on small meshes a tenth, on adversarial ones less.
#[path = "../../ribbonmesh/tests/common/mod.rs"]
mod common;
use ribbonmesh::Device;
use ribbonmesh_shapes::{self as shapes, Shape};
use ribbonmesh_trial::{
    Choice, Filling, Naming, Random, Sequence, Subject, adversaries, check_compaction, check_pass, manifolds,
};

fn operations() -> u64 {
    std::env::var("RIBBONMESH_OPERATIONS").ok().and_then(|n| n.parse().ok()).unwrap_or(10_000)
}
/// The oracle looks at one in `every` passes.
fn run(device: &Device, name: &str, shape: &Shape, seed: u64, operations: u64, every: u32) {
    let mut sequence = Sequence::new(device, shape, seed, every).expect("a manifold");
    while sequence.tally.operations < operations {
        if let Err(e) = sequence.step() {
            panic!("{name}, seed {seed}, {:?}, {}: {e}", sequence.tally, sequence.last);
        }
    }
    let tally = sequence.tally;
    println!("{name}: {tally:?}");
    assert!((every > 1 || tally.checks >= tally.passes) && tally.grown > 0, "{name}: {tally:?}");
    assert!(tally.compactions > 0 || operations < 10_000, "{name}: {tally:?}");
}

suite! {
    fn small_meshes(device) {
        for (name, shape) in manifolds().expect("small") {
            run(device, name, &shape, 1, operations() / 10, 1);
        }
    }
    fn with_boundary(device) {
        run(device, "grid", &shapes::grid(15, 1).expect("small"), 2, operations(), 1);
    }
    fn closed(device) {
        run(device, "torus", &shapes::torus(14, 1).expect("small"), 3, operations(), 1);
    }
    fn adversarial(device) {
        for (name, shape) in adversaries().expect("small") {
            // where each cavity is large, all are in conflict
            let (share, every) = if shape.faces.len() > 900 { (20, 2) } else { (4, 1) };
            run(device, name, &shape, 4, operations() / share, every);
        }
    }
    fn growth_from_no_room_to_four_times(device) {
        let shape = shapes::torus(14, 1).expect("small");
        let mut subject = Subject::new(device, shape.positions.len(), &shape.faces, 0.0).expect("a manifold");
        let first = subject.ids();
        let mut random = Random(5);
        let mut grown = 0;
        while subject.ids()[2] < 4 * first[2] {
            let naming = Naming::Template(ribbonmesh_dynamic::templates::Template::EF);
            let choice = Choice::random(naming, Filling::Split, subject.ids(), 2, &mut random);
            let before = subject.state().expect("readable");
            let report = subject.pass(&choice).expect("a pass");
            grown += report.grown;
            subject.mesh.validate().expect("valid");
            let after = subject.state().expect("readable");
            check_pass(&before, &after, &choice, subject.serial(), &report).expect("right");
        }
        assert!(grown > 1, "{grown}");
        assert_eq!(subject.state().expect("readable").surface.euler(), 0);
        // nothing is deleted: compaction changes no more than the order
        let before = subject.state().expect("readable");
        subject.compact().expect("memory");
        let after = subject.state().expect("readable");
        assert_eq!(after.ids(), before.ids());
        check_compaction(&before, &after).expect("the same");
    }
}
