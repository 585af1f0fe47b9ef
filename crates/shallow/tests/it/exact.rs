//! Against exact solutions.
use ribbonmesh::Device;
use ribbonmesh_shallow::{Options, Snapshot, Terrain, Water};
use ribbonmesh_suite::suite;

const G: f64 = 9.81;

/// A channel of `n` by 2 cells, 10 long, with water of two depths.
fn channel(device: &Device, n: usize, left: f64, right: f64, time: f64) -> Snapshot {
    let terrain = Terrain::new([n + 1, 3], 10.0 / n as f64, vec![0.0; 3 * (n + 1)]).expect("a terrain");
    let levels = terrain.levels(|x, _| if x < 5.0 { left } else { right });
    let mut water = Water::new(device, &terrain, &levels, &Options::default()).expect("water");
    water.advance_to(time).expect("steps");
    water.snapshot().expect("a snapshot")
}
/// The mean difference of the first row from a depth.
fn l1(found: &Snapshot, exact: impl Fn(f64) -> f64) -> f64 {
    let n = found.columns as usize;
    let x = |i: usize| 10.0 * (i as f64 + 0.5) / n as f64 - 5.0;
    (0..n).map(|i| (f64::from(found.depths[i]) - exact(x(i))).abs()).sum::<f64>() / n as f64
}

/// Depth at `x` from a dam, onto dry ground (Ritter 1892).
fn ritter(x: f64, t: f64, deep: f64) -> f64 {
    let c = (G * deep).sqrt();
    let v = (2.0 * c - x / t) / 3.0;
    if x < -c * t {
        deep
    } else if x > 2.0 * c * t {
        0.0
    } else {
        v * v / G
    }
}
/// Depth at `x` from a dam, onto water (Stoker 1957): the depth behind the shock by bisection.
fn stoker(x: f64, t: f64, deep: f64, low: f64) -> f64 {
    let c = (G * deep).sqrt();
    let shock = |h: f64| (h - low) * (0.5 * G * (h + low) / (h * low)).sqrt();
    let (mut a, mut b) = (low, deep);
    for _ in 0..100 {
        let h = 0.5 * (a + b);
        if shock(h) < 2.0 * (c - (G * h).sqrt()) { a = h } else { b = h }
    }
    let h = 0.5 * (a + b);
    let u = shock(h);
    let front = h * u / (h - low);
    match x {
        x if x < -c * t => deep,
        x if x < (u - (G * h).sqrt()) * t => ((2.0 * c - x / t) / 3.0).powi(2) / G,
        x if x < front * t => h,
        _ => low,
    }
}

suite! {
    /// The error halves with the cells, and is small.
    fn dam_break_onto_dry_ground(device) {
        let time = 0.5;
        let error = |n| l1(&channel(device, n, 1.0, 0.0, time), |x| ritter(x, time, 1.0));
        let (coarse, fine) = (error(100), error(400));
        assert!(fine < 2e-3 && fine < coarse / 3.0, "{coarse} {fine}");
    }
    fn dam_break_onto_water(device) {
        let time = 0.8;
        let error = |n| l1(&channel(device, n, 1.0, 0.2, time), |x| stoker(x, time, 1.0, 0.2));
        let (coarse, fine) = (error(100), error(400));
        assert!(fine < 2e-3 && fine < coarse / 3.0, "{coarse} {fine}");
    }
    /// Along y the same bits as along x.
    fn both_directions(device) {
        let (n, heights) = (60, |x: usize| 0.01 * ((x * 37 % 11) as f32));
        let along_x = (0..3 * (n + 1)).map(|i| heights(i % (n + 1))).collect();
        let along_y = (0..3 * (n + 1)).map(|i| heights(i / 3)).collect();
        let of = |points, heights, turned: bool| {
            let terrain = Terrain::new(points, 0.1, heights).expect("a terrain");
            let levels = terrain.levels(|x, y| if (if turned { y } else { x }) < 2.0 { 1.0 } else { 0.05 });
            let mut water = Water::new(device, &terrain, &levels, &Options::default()).expect("water");
            water.advance_to(0.6).expect("steps");
            water.snapshot().expect("a snapshot")
        };
        let (x, y) = (of([n + 1, 3], along_x, false), of([3, n + 1], along_y, true));
        for i in 0..n {
            assert_eq!(x.depths[i].to_bits(), y.depths[2 * i].to_bits());
            assert_eq!(x.velocities[i][0].to_bits(), y.velocities[2 * i][1].to_bits());
        }
    }
    /// Thacker's plane that turns in a paraboloid: the shore moves around.
    fn parabolic_bowl(device) {
        let (deep, radius, offset) = (1.0, 1.0, 0.3);
        let omega = (2.0 * G * deep).sqrt() / radius;
        let bed = |x: f64, y: f64| deep * ((x * x + y * y) / (radius * radius) - 1.0);
        let level = |x: f64, y: f64, t: f64| {
            let along = 2.0 * (x * (omega * t).cos() + y * (omega * t).sin()) - offset;
            offset * deep / (radius * radius) * along
        };
        let error = |n: usize| {
            let spacing = 3.0 / n as f64;
            let at = |i: usize| (i as f64) * spacing - 1.5;
            let heights = (0..(n + 1) * (n + 1)).map(|i| bed(at(i % (n + 1)), at(i / (n + 1))) as f32).collect();
            let terrain = Terrain::new([n + 1, n + 1], spacing, heights).expect("a terrain");
            let levels = terrain.levels(|x, y| level(x - 1.5, y - 1.5, 0.0));
            let mut water = Water::new(device, &terrain, &levels, &Options::default()).expect("water");
            water.set_velocities(&vec![[0.0, (offset * omega) as f32]; n * n]).expect("velocities");
            let before = water.volume().expect("a volume");
            // one round and a quarter
            let time = 1.25 * 2.0 * std::f64::consts::PI / omega;
            water.advance_to(time).expect("steps");
            assert_eq!(water.volume().expect("a volume"), before);
            let found = water.snapshot().expect("a snapshot");
            let exact = terrain.levels(|x, y| {
                (level(x - 1.5, y - 1.5, time) - bed(x - 1.5, y - 1.5)).max(0.0)
            });
            let sum: f64 = exact.iter().zip(&found.depths).map(|(a, b)| (a - f64::from(*b)).abs()).sum();
            sum / exact.iter().sum::<f64>()
        };
        let (coarse, fine) = (error(30), error(60));
        assert!(fine < 0.03 && fine < coarse / 1.8, "{coarse} {fine}");
    }
    /// Flow down a slope with Manning's friction becomes even: the slope is `n^2 u^2 / h^(4/3)`.
    fn friction(device) {
        let (n, slope, manning, spacing) = (200, 0.01, 0.03, 1.0);
        let heights = (0..2 * (n + 1)).map(|i| (slope * spacing * (n - i % (n + 1)) as f64) as f32).collect();
        let terrain = Terrain::new([n + 1, 2], spacing, heights).expect("a terrain");
        let depth = 0.5;
        let levels: Vec<f64> = (0..n as u32).map(|i| terrain.bed(i, 0) + depth).collect();
        let options = Options { friction: manning, ..Options::default() };
        let mut water = Water::new(device, &terrain, &levels, &options).expect("water");
        water.advance_to(10.0).expect("steps");
        let found = water.snapshot().expect("a snapshot");
        let middle = n / 2;
        let exact = slope.sqrt() * depth.powf(2.0 / 3.0) / manning;
        // waves from the ends have not arrived
        let speed = f64::from(found.velocities[middle][0]);
        assert!((f64::from(found.depths[middle]) - depth).abs() < 1e-3);
        // u' = g (slope - C u^2) from rest: the hyperbolic tangent
        let expected = exact * (G * slope * 10.0 / exact).tanh();
        assert!((speed - expected).abs() < 0.01 * expected, "{speed} {expected}");
    }
}
