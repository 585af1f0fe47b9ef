//! The water as programs see it that show it.
use crate::kept::rough;
use ribbonmesh_shallow::{Options, Terrain, Water};
use ribbonmesh_suite::suite;

fn bits(numbers: impl IntoIterator<Item = f32>) -> Vec<u32> {
    numbers.into_iter().map(f32::to_bits).collect()
}

suite! {
    /// The same numbers as those that the host computes.
    fn as_a_snapshot(device) {
        let terrain = rough(37, 21, 9);
        let mut levels = terrain.levels(|_, _| 0.4);
        terrain.fill(&mut levels, [0.0, 0.0], [6.0, 6.0], 1.5);
        let mut water = Water::new(device, &terrain, &levels, &Options::default()).expect("water");
        water.advance_steps(30).expect("steps");
        let (seen, snapshot) = (water.seen().expect("memory"), water.snapshot().expect("a snapshot"));
        let read = |buffer: &ribbonmesh::Buffer<f32>| buffer.read().expect("numbers");
        assert_eq!(bits(read(&seen.depths)), bits(snapshot.depths.clone()));
        let velocities = seen.velocities.read().expect("numbers");
        let expected = snapshot.velocities.iter().flat_map(|v| [v[0], v[1], 0.0]);
        assert_eq!(bits(velocities.into_iter().flatten()), bits(expected));
        let lowest = terrain.heights().iter().fold(f32::INFINITY, |low, &height| low.min(height));
        let (heights, levels, speeds) = (read(&seen.heights), read(&seen.levels), read(&seen.speeds));
        for cell in 0..heights.len() {
            assert!((f64::from(levels[cell]) - snapshot.level(cell)).abs() < 1e-6);
            assert!((f64::from(heights[cell]) + f64::from(lowest) - snapshot.level(cell)).abs() < 1e-6);
            assert!((speeds[cell] - snapshot.speed(cell)).abs() <= 1e-6 * snapshot.speed(cell));
        }
        assert!(speeds.iter().any(|speed| *speed > 0.1));
    }
    /// A plateau as high as the greatest whole number of heights.
    fn the_highest_ground(device) {
        let heights = vec![0.0, 1.0, 1.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0];
        let terrain = Terrain::new([3, 3], 1.0, heights).expect("a terrain");
        let levels = terrain.levels(|_, _| f64::NEG_INFINITY);
        let options = Options { highest: Some(1.0), ..Options::default() };
        let water = Water::new(device, &terrain, &levels, &options).expect("water");
        let beds = water.snapshot().expect("a snapshot").beds;
        assert_eq!(beds, [0.5, 1.0, 0.5, 1.0]);
        assert_eq!(water.seen().expect("memory").heights.read().expect("numbers"), [0.5, 1.0, 0.5, 1.0]);
    }
    /// Steps one by one are those of a run to the same time.
    fn step_by_step(device) {
        let terrain = rough(20, 20, 10);
        let levels = terrain.levels(|x, _| if x < 5.0 { 1.3 } else { 0.2 });
        let begin = || Water::new(device, &terrain, &levels, &Options::default()).expect("water");
        let (mut at_once, mut by_step) = (begin(), begin());
        for until in [0.3, 0.7] {
            at_once.advance_to(until).expect("steps");
            let mut steps = 0;
            while by_step.progress().time < until {
                by_step.advance_towards(until, 1).expect("a step");
                steps += 1;
            }
            assert!(steps > 3 && by_step.progress().steps == at_once.progress().steps, "{steps}");
        }
        let [a, b] = [&at_once, &by_step].map(|water| water.snapshot().expect("a snapshot"));
        assert_eq!((a.time, bits(a.depths)), (b.time, bits(b.depths)));
        assert!(by_step.advance_to(f64::NAN).is_err());
    }
}
