//! Tiles that are computed, and the same bits whichever they are.
use crate::kept::rough;
use ribbonmesh::Device;
use ribbonmesh_shallow::{Options, Sides, Snapshot, Source, Terrain, Tiles, Water};
use ribbonmesh_suite::suite;

/// Two dams that break over rough ground, a spring, and an open side.
fn flood(device: &Device, tiles: Tiles, steps: u32) -> (Snapshot, u64) {
    let terrain = rough(150, 120, 9);
    let mut levels = terrain.levels(|_, _| f64::NEG_INFINITY);
    terrain.fill(&mut levels, [0.0, 0.0], [9.0, 9.0], 3.0);
    terrain.fill(&mut levels, [60.0, 60.0], [64.0, 66.0], 2.0);
    let spring = Source { from: [90.0, 10.0], to: [92.0, 12.0], rate: 0.1 };
    let sides = Sides { north: false, ..Sides::WALLS };
    let options = Options { tiles, sides, friction: 0.02, sources: vec![spring], ..Options::default() };
    let mut water = Water::new(device, &terrain, &levels, &options).expect("water");
    let progress = water.advance_steps(steps).expect("steps");
    (water.snapshot().expect("a snapshot"), progress.computed)
}
fn bits(snapshot: &Snapshot) -> Vec<[u32; 3]> {
    let of = |cell: usize| {
        let [u, v] = snapshot.velocities[cell];
        [snapshot.depths[cell], u, v].map(f32::to_bits)
    };
    (0..snapshot.depths.len()).map(of).collect()
}

suite! {
    fn active_tiles_are_enough(device) {
        let ((active, some), (all, every)) = (flood(device, Tiles::Active, 200), flood(device, Tiles::All, 200));
        assert_eq!(every, 200 * 10 * 8);
        assert!(2 * some < every, "{some}");
        assert!(active.wet_cells() > 1000);
        assert!(active.time == all.time && bits(&active) == bits(&all));
    }
    /// On the GPU: the same bits as on the CPU.
    fn same_bits(device) {
        let (found, expected) = (flood(device, Tiles::Active, 200), flood(&Device::cpu(), Tiles::Active, 200));
        assert!(found.1 == expected.1 && found.0.time == expected.0.time);
        assert!(bits(&found.0) == bits(&expected.0));
    }
    /// Steps until a time have the same bits as the steps themselves, and end there.
    fn batches(device) {
        let terrain = rough(40, 40, 3);
        let of = |times: &[f64]| {
            let mut levels = terrain.levels(|_, _| f64::NEG_INFINITY);
            terrain.fill(&mut levels, [0.0, 0.0], [9.0, 9.0], 3.0);
            let mut water = Water::new(device, &terrain, &levels, &Options::default()).expect("water");
            for time in times {
                assert_eq!(water.advance_to(*time).expect("steps").time, *time);
            }
            let progress = water.progress();
            // nothing is left to do
            assert_eq!(water.advance_to(1.0).expect("no step"), progress);
            (bits(&water.snapshot().expect("a snapshot")), progress)
        };
        let (once, again) = (of(&[5.0]), of(&[5.0]));
        assert!(once == again);
        let parts = of(&[1.0, 2.0, 5.0]);
        assert!(parts.1.steps >= once.1.steps);
    }
    /// Water that falls dry leaves no tiles behind; dry terrain has none.
    fn dry_tiles(device) {
        let terrain = rough(200, 200, 4);
        let dry = terrain.levels(|_, _| f64::NEG_INFINITY);
        let mut water = Water::new(device, &terrain, &dry, &Options::default()).expect("water");
        let progress = water.advance_to(10.0).expect("steps");
        assert!(progress.computed == 0 && progress.time == 10.0);

        // a slope to an open side
        let heights = (0..97 * 18).map(|i| 0.2 * (96 - i % 97) as f32).collect();
        let terrain = Terrain::new([97, 18], 1.0, heights).expect("a terrain");
        let mut levels = terrain.levels(|_, _| f64::NEG_INFINITY);
        terrain.fill(&mut levels, [0.0, 0.0], [20.0, 18.0], 20.0);
        let sides = Sides { east: false, ..Sides::WALLS };
        let mut water = Water::new(device, &terrain, &levels, &Options { sides, ..Options::default() }).expect("water");
        let first = water.advance_steps(1).expect("steps");
        assert!(first.active <= 2 * 2, "{}", first.active);
        let volume = water.volume().expect("a volume");
        let last = water.advance_to(30.0).expect("steps");
        assert_eq!(last.time, 30.0);
        assert!(water.volume().expect("a volume") < 0.01 * volume);
    }
}
