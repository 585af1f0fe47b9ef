//! Speed of steps on the first GPU, or on the CPU:
//! `cargo run --release -p ribbonmesh-shallow --example speed -- SIDE STEPS`.
//!
//! A paraboloid with a hill in it, of SIDE by SIDE cells: under water, and with a small lake whose dam
//! breaks.
use ribbonmesh::Device;
use ribbonmesh_shallow::{Options, Terrain, Tiles, Water};
use std::time::Instant;

fn terrain(side: usize) -> Terrain {
    let at = |i: usize| 2.0 * i as f64 / side as f64 - 1.0;
    let height = |x: f64, y: f64| {
        let hill = 30.0 * (-40.0 * ((x - 0.3).powi(2) + (y - 0.2).powi(2))).exp();
        100.0 * (x * x + y * y) + hill + 0.5 * (60.0 * x).sin() * (50.0 * y).cos()
    };
    let heights = (0..(side + 1) * (side + 1)).map(|i| height(at(i % (side + 1)), at(i / (side + 1))) as f32);
    Terrain::new([side + 1; 2], 2.0, heights.collect()).expect("a terrain")
}

fn time(name: &str, water: &mut Water, steps: u32) {
    water.advance_steps(10).expect("steps");
    let (before, wet) = (water.progress(), water.snapshot().expect("a snapshot").wet_cells());
    let start = Instant::now();
    let after = water.advance_steps(steps).expect("steps");
    let seconds = start.elapsed().as_secs_f64();
    let tiles = (after.computed - before.computed) as f64 / f64::from(steps);
    println!(
        "{name}: {:.1} us a step, {wet} wet cells, {tiles:.0} of {} tiles, {:.3e} wet cells a second, time step {:.4}",
        1e6 * seconds / f64::from(steps),
        after.tiles,
        wet as f64 * f64::from(steps) / seconds,
        after.step,
    );
}

fn main() {
    let mut arguments = std::env::args().skip(1).map(|a| a.parse().expect("a number"));
    let side: usize = arguments.next().unwrap_or(512);
    let steps = arguments.next().unwrap_or(100) as u32;
    let device = Device::auto();
    println!("{}, {side} x {side} cells, {steps} steps", device.name());
    let terrain = terrain(side);
    let middle = side as f64;
    let wet = terrain.levels(|x, _| if x < middle { 250.0 } else { 245.0 });
    let friction = Options { friction: 0.03, ..Options::default() };
    for (name, options) in [("all wet", Options::default()), ("all wet, friction", friction.clone())] {
        let mut water = Water::new(&device, &terrain, &wet, &options).expect("water");
        time(name, &mut water, steps);
    }
    // a lake whose radius is a twelfth of the terrain: 2 percent of the cells
    let lake =
        terrain.levels(|x, y| if (x - middle).hypot(y - middle) < side as f64 / 6.0 { 3.0 } else { 0.0 });
    for (name, options) in [
        ("2 % wet", friction.clone()),
        ("2 % wet, all tiles", Options { tiles: Tiles::All, ..friction.clone() }),
    ] {
        let mut water = Water::new(&device, &terrain, &lake, &options).expect("water");
        time(name, &mut water, steps);
    }
    let dry = terrain.levels(|_, _| f64::NEG_INFINITY);
    let mut water = Water::new(&device, &terrain, &dry, &friction).expect("water");
    time("dry", &mut water, steps);
}
