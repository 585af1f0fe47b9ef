//! Random sequences of operations against the oracle. `RIBBONMESH_OPERATIONS` is the number of operations of
//! a sequence, 10,000 without, 500 under a sanitizer; on small meshes it is less.
use ribbonmesh::Device;
use ribbonmesh_mesh::shapes;
use ribbonmesh_mesh::{SplitMix64, TriangleMesh};
use ribbonmesh_suite::{sanitized, size, suite};
use ribbonmesh_testing::trial::{
    Choice, Filling, Manner, Naming, Sequence, Subject, adversaries, check_compaction, check_pass, manifolds,
};

fn operations() -> u64 {
    std::env::var("RIBBONMESH_OPERATIONS").ok().and_then(|n| n.parse().ok()).unwrap_or(size(10_000, 500))
}
/// A mesh and what is done to it.
struct Trial<'t> {
    name: &'t str,
    shape: &'t TriangleMesh,
    manner: Manner,
    seed: u64,
    operations: u64,
}
fn run(device: &Device, trial: &Trial<'_>) {
    let Trial { name, shape, manner, seed, operations } = *trial;
    let mut sequence = Sequence::new(device, shape, manner, seed, 1).expect("a manifold");
    while sequence.tally.operations < operations {
        if let Err(e) = sequence.step() {
            let (tally, last) = (sequence.tally, sequence.last);
            panic!("{name}, seed {seed}, {tally:?}, {last}: {e}");
        }
    }
    let tally = sequence.tally;
    println!("{name}: {tally:?}");
    assert!(tally.checks >= tally.passes, "{name}: {tally:?}");
    assert!(tally.grown > 0 || operations < 300 || sanitized(), "{name}: {tally:?}");
    // by chance: a few dozen passes over one vertex of many faces may end without one
    assert!(tally.compactions > 0 || tally.passes < 400, "{name}: {tally:?}");
}

suite! {
    fn small_meshes(device) {
        for (name, shape) in manifolds().expect("small") {
            // passes on few faces do few operations, and take as long as others
            let operations = operations() / if shape.faces.len() < 10 { 30 } else { 10 };
            run(device, &Trial { name, shape: &shape, manner: Manner::Random, seed: 1, operations });
        }
    }
    fn with_boundary(device) {
        let (shape, operations) = (shapes::grid(15, 1).expect("small"), operations());
        run(device, &Trial { name: "grid", shape: &shape, manner: Manner::Random, seed: 2, operations });
    }
    fn closed(device) {
        let (shape, operations) = (shapes::torus(14, 1).expect("small"), operations());
        run(device, &Trial { name: "torus", shape: &shape, manner: Manner::Random, seed: 3, operations });
    }
    fn adversarial(device) {
        for (name, shape) in adversaries(size(1000, 100)).expect("small") {
            // passes over a vertex of many faces are long
            let share = match name {
                "slivers" | "fan" | "cone" | "double cone" => 1,
                _ => 4,
            };
            let operations = operations() / share;
            run(device, &Trial { name, shape: &shape, manner: Manner::Random, seed: 4, operations });
        }
    }
    fn all_edges_are_bad(device) {
        let shapes = [("torus", shapes::torus(24, 1)), ("grid", shapes::grid(24, 1)), ("sphere", shapes::icosphere(3))];
        for (name, shape) in shapes {
            let (shape, operations) = (shape.expect("small"), operations());
            run(device, &Trial { name, shape: &shape, manner: Manner::EveryEdge, seed: 6, operations });
        }
    }
    fn growth_from_no_room_to_four_times(device) {
        let shape = shapes::torus(14, 1).expect("small");
        let mut subject = Subject::new(device, shape.positions.len(), &shape.faces, 0.0).expect("a manifold");
        let first = subject.ids();
        let mut random = SplitMix64::new(5);
        let mut grown = 0;
        while subject.ids()[2] < 4 * first[2] {
            let naming = Naming::Template(ribbonmesh::dynamic::templates::ThesisTemplate::EF);
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
