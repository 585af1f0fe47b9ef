//! Random triangles: every query against the oracle.
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use ribbonmesh_suite::{check, ids::Pair, meshes::Case, size, suite};

fn soups() -> impl Strategy<Value = Case> {
    (1..60u32, 0..150usize).prop_flat_map(|(vertices, faces)| {
        proptest::collection::vec([0..vertices, 0..vertices, 0..vertices], faces)
            .prop_map(move |faces| Case::new("soup", vertices as usize, faces))
    })
}

suite! {
    fn soup(device) {
        let mut runner = TestRunner::new(Config { cases: size(60, 5), failure_persistence: None, ..Config::default() });
        let run = runner.run(&(soups(), 0..3usize), |(case, size)| {
            let pair = Pair::new(device, &case, [16, 40, 512][size]);
            check::all(&pair);
            check::oriented(&pair);
            check::rings(&pair, 2);
            check::active(&pair, 1);
            Ok(())
        });
        if let Err(e) = run {
            panic!("{e}")
        }
    }
}
