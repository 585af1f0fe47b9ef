//! Races in shared memory: none. With `--features race-check`, on the CPU.
#![cfg(feature = "race-check")]
use ribbonmesh::Device;
use ribbonmesh::device::race::assert_none;
use ribbonmesh::mesh::shapes;
use ribbonmesh_flow::{Flow, FlowOptions, Motion, Obstacle, Side};

/// One test: the checker's state is the process's.
#[test]
fn no_race() {
    let mut sphere = shapes::icosphere(2).expect("small");
    sphere.positions.iter_mut().for_each(|p| *p = 0.2 * *p + 0.5);
    let report = assert_none("smoke past a moving sphere, without an outflow", || {
        let device = Device::cpu();
        let motion = Motion { velocity: [0.5, 0.0, 0.0], ..Motion::default() };
        let obstacle = Obstacle::new(&device, &sphere.points(), &sphere.faces, motion).expect("closed");
        let sides = [[Side::Wall; 2]; 3];
        let options = FlowOptions { cells: [12; 3], edge: 1.0 / 12.0, sides, ..FlowOptions::default() };
        let mut flow = Flow::new(&device, &options, Some(obstacle)).expect("a flow");
        for _ in 0..2 {
            flow.step(0.05).expect("a step");
        }
    });
    assert!(report.barriers > 0);
}
