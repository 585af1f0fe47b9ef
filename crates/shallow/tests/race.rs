//! Races in shared memory: none. With `--features race-check`, on the CPU.
#![cfg(feature = "race-check")]
use ribbonmesh::Device;
use ribbonmesh::device::race::assert_none;
use ribbonmesh_shallow::{Options, Source, Terrain, Water};

/// One test: the checker's state is the process's.
#[test]
fn no_race() {
    let heights = (0..41 * 37).map(|i| 0.3 * ((i * 7919 % 101) as f32 / 101.0)).collect();
    let terrain = Terrain::new([41, 37], 1.0, heights).expect("a terrain");
    let mut levels = terrain.levels(|_, _| f64::NEG_INFINITY);
    terrain.fill(&mut levels, [0.0, 0.0], [20.0, 20.0], 1.0);
    let options = Options { friction: 0.03, sources: vec![Source::rain(1e-3)], ..Options::default() };
    let device = Device::cpu();
    assert_none("steps", || {
        let mut water = Water::new(&device, &terrain, &levels, &options).expect("water");
        water.advance_steps(3).expect("steps")
    });
}
