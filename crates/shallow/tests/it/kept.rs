//! Water that stays: at rest to the bit, and its amount to the unit.
use ribbonmesh::Device;
use ribbonmesh_shallow::{Options, Sides, Source, Terrain, Tiles, Water};
use ribbonmesh_suite::{Random, size, suite};

/// Hills and pits without order, between 0 and 1.
pub fn rough(columns: usize, rows: usize, seed: u64) -> Terrain {
    let mut random = Random(seed);
    let heights = (0..(columns + 1) * (rows + 1)).map(|_| random.below(1 << 20) as f32 / (1 << 20) as f32);
    Terrain::new([columns + 1, rows + 1], 0.7, heights.collect()).expect("a terrain")
}

fn lake(device: &Device, terrain: &Terrain, level: f64, options: &Options) -> Water {
    Water::new(device, terrain, &terrain.levels(|_, _| level), options).expect("water")
}

suite! {
    /// Lakes with islands and shores, above and below points, with all kinds of sides.
    fn lakes_at_rest(device) {
        for (seed, level) in [(1, 0.5), (2, 0.31), (3, 0.77), (4, 1.5)] {
            for (sides, friction) in [(Sides::WALLS, 0.0), (Sides::OPEN, 0.05)] {
                let options = Options { sides, friction, ..Options::default() };
                let mut water = lake(device, &rough(45, 39, seed), level, &options);
                let before = water.snapshot().expect("a snapshot");
                assert!(before.wet.iter().any(|wet| *wet));
                water.advance_steps(100).expect("steps");
                let after = water.snapshot().expect("a snapshot");
                assert!(after.time > 0.5);
                assert!(before.depths.iter().zip(&after.depths).all(|(a, b)| a.to_bits() == b.to_bits()));
                assert!(after.velocities.as_flattened().iter().all(|v| v.to_bits() == 0));
            }
        }
    }
    /// Not a unit is lost or made in ten thousand steps over rough ground.
    fn mass(device) {
        let terrain = rough(14, 12, 5);
        let mut levels = terrain.levels(|_, _| 0.4);
        terrain.fill(&mut levels, [0.0, 0.0], [5.0, 5.0], 1.6);
        let mut water = Water::new(device, &terrain, &levels, &Options::default()).expect("water");
        let before = water.volume().expect("a volume");
        let progress = water.advance_steps(size(10_000, 500)).expect("steps");
        assert_eq!(progress.steps, size(10_000, 500));
        assert_eq!(water.volume().expect("a volume"), before);
        let after = water.snapshot().expect("a snapshot");
        assert!(after.depths.iter().all(|depth| *depth >= 0.0));
        assert!((0..after.depths.len()).all(|cell| after.speed(cell) < 10.0));
    }
    /// Water that comes in is there, or has left through an open side.
    fn rain_and_a_spring(device) {
        let terrain = rough(30, 24, 6);
        let spring = Source { from: [10.0, 10.0], to: [12.0, 12.0], rate: 0.2 };
        let options = Options { sources: vec![Source::rain(1e-3), spring], ..Options::default() };
        let dry = terrain.levels(|_, _| f64::NEG_INFINITY);
        let mut water = Water::new(device, &terrain, &dry, &options).expect("water");
        let progress = water.advance_to(10.0).expect("steps");
        assert_eq!(progress.time, 10.0);
        let (volume, came_in) = (water.volume().expect("a volume"), water.came_in().expect("a volume"));
        assert_eq!(volume, came_in);
        // three by three middles of cells are in the spring
        let area = 0.7 * 0.7;
        let expected = 10.0 * area * (1e-3 * 30.0 * 24.0 + 0.2 * 9.0);
        assert!((came_in - expected).abs() < 1e-4 * expected, "{came_in} {expected}");

        // no side lets water in
        let level = terrain.levels(|_, _| 0.8);
        let open = Options { sides: Sides { east: false, ..Sides::WALLS }, ..options };
        let mut water = Water::new(device, &terrain, &level, &open).expect("water");
        let before = water.volume().expect("a volume");
        water.advance_to(10.0).expect("steps");
        let gone = before + water.came_in().expect("a volume") - water.volume().expect("a volume");
        assert!(gone > 0.1 * came_in && gone < before, "{gone} {came_in} {before}");
    }
    /// On sides of all kinds, symmetric water stays symmetric, to the bit.
    fn symmetry(device) {
        for sides in [Sides::WALLS, Sides::OPEN] {
            let n = 40;
            let height = |x: usize, y: usize| {
                let far = |i: usize| (i as f32 - 20.0).abs();
                0.004 * far(x) * far(x) + 0.01 * far(y)
            };
            let heights = (0..(n + 1) * (n + 1)).map(|i| height(i % (n + 1), i / (n + 1))).collect();
            let terrain = Terrain::new([n + 1, n + 1], 0.5, heights).expect("a terrain");
            let mut levels = terrain.levels(|_, _| 0.1);
            terrain.fill(&mut levels, [8.0, 8.0], [12.0, 12.0], 2.0);
            let options = Options { sides, ..Options::default() };
            let mut water = Water::new(device, &terrain, &levels, &options).expect("water");
            water.advance_to(3.0).expect("steps");
            let found = water.snapshot().expect("a snapshot");
            for (x, y) in (0..n).flat_map(|x| (0..n).map(move |y| (x, y))) {
                let here = found.depths[y * n + x];
                for there in [y * n + n - 1 - x, (n - 1 - y) * n + x] {
                    assert_eq!(here.to_bits(), found.depths[there].to_bits(), "{x} {y}");
                }
            }
        }
    }
    /// A domain of a single cell, and of a single row.
    fn narrow(device) {
        for points in [[2, 2], [2, 30], [30, 2], [3, 3]] {
            let heights = (0..points[0] * points[1]).map(|i| 0.1 * (i % 3) as f32).collect();
            let terrain = Terrain::new(points, 1.0, heights).expect("a terrain");
            let mut levels = terrain.levels(|_, _| 0.2);
            levels[0] = 1.0;
            let options = Options { tiles: Tiles::All, ..Options::default() };
            let mut water = Water::new(device, &terrain, &levels, &options).expect("water");
            let before = water.volume().expect("a volume");
            water.advance_steps(300).expect("steps");
            assert_eq!(water.volume().expect("a volume"), before);
        }
    }
}
