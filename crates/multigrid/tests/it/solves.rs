//! Conjugate gradients with multigrid: right solutions, in few iterations whatever the size.
use crate::plain::{Plain, grid, motions, springs};
use ribbonmesh::device::BufferView;
use ribbonmesh::{Buffer, Device};
use ribbonmesh_linear::{ConjugateGradients, Limits, Operator, Outcome, Progress, axpby};
use ribbonmesh_multigrid::{Cycle, Lanes, Modes, Multigrid, MultigridError, MultigridOptions, Numbers};
use ribbonmesh_suite::{Random, suite};

/// Solves for `exact`, and compares; the iterations.
fn solve<R: Numbers>(
    device: &Device,
    plain: &Plain,
    multigrid: &mut Multigrid<R>,
    fixed: &[u32],
    lanes: u32,
    tolerance: f64,
) -> (usize, Vec<R>)
where
    for<'a> Lanes<'a, R>: Operator<Vector = Buffer<R>, Error = MultigridError>,
{
    let mut random = Random(9);
    let n = plain.rows * plain.height * lanes as usize;
    let is_fixed = |i: usize| {
        let unknown = i / lanes as usize;
        fixed.get(unknown / plain.height).is_some_and(|word| word >> (unknown % plain.height) & 1 == 1)
    };
    let exact: Vec<f64> = (0..n)
        .map(|i| if is_fixed(i) { 0.0 } else { f64::from(random.below(2001)) / 1000.0 - 1.0 })
        .collect();
    let mut b = plain.apply(&exact, lanes as usize);
    (0..n).filter(|&i| is_fixed(i)).for_each(|i| b[i] = 0.0);
    let b: Vec<R> = b.iter().map(|x| R::from_f64(*x)).collect();
    let b = device.upload(&b).expect("memory");
    // rows and columns of fixed unknowns are those of the unit matrix
    let mut free = plain.clone();
    for (&(row, column), block) in &mut free.blocks {
        for (k, number) in block.iter_mut().enumerate() {
            let (i, j) = (
                row as usize * plain.height + k / plain.width,
                column as usize * plain.width + k % plain.width,
            );
            if is_fixed(i * lanes as usize) || is_fixed(j * lanes as usize) {
                *number = f64::from(u8::from(i == j));
            }
        }
    }
    let a = free.upload::<R>(device);
    let (mut x, mut z) = (device.zeros::<R>(n).expect("memory"), device.zeros::<R>(n).expect("memory"));
    let mut solver =
        ConjugateGradients::new::<MultigridError>(device, 0, || Ok(device.zeros(n)?)).expect("memory");
    let begun = solver.begin(tolerance, |to, run| {
        axpby(run.device(), R::ONE, &b, R::ZERO, &mut to.r)?;
        run.begin(&to.r)
    });
    begun.expect("a residual");
    let limits = Limits { iterations: 200, look: 3 };
    let mut cycle = Cycle { multigrid, z: &mut z };
    let progress: Progress =
        solver.finish(&mut Lanes { matrix: &a, lanes }, Some(&mut cycle), &mut x, &limits).expect("a solve");
    assert_eq!(progress.outcome, Outcome::Converged, "{progress:?}, {multigrid:?}");
    let found = x.read().expect("memory");
    let scale = exact.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    let wrong = found.iter().zip(&exact).map(|(a, b)| (a.to_f64() - b).abs()).fold(0.0, f64::max);
    // a part of the matrix may be as much softer than the stiffest as its diagonal says
    let diagonal = || plain.blocks.iter().filter(|((i, j), _)| i == j).map(|(_, block)| block[0].abs());
    let contrast = diagonal().fold(0.0, f64::max) / diagonal().fold(f64::INFINITY, f64::min);
    assert!(wrong < 1e4 * tolerance * contrast * scale, "{wrong}, {multigrid:?}");
    (progress.iterations, found)
}
fn bits<R: Numbers>(x: &[R]) -> Vec<u64> {
    x.iter().map(|x| x.to_f64().to_bits()).collect()
}
fn of_grid(device: &Device, plain: &Plain, lanes: u32) -> Multigrid<f64> {
    let options = MultigridOptions { coarsest: 60, ..MultigridOptions::default() };
    Multigrid::new(plain.upload(device), Modes::Constant, None, lanes, options).expect("levels")
}

suite! {
    fn surfaces_of_several_sizes(device) {
        let mut iterations = vec![];
        for n in [20, 60, 180] {
            let plain = grid(n, |_, _| 1.0, 1e-3);
            let mut multigrid = of_grid(device, &plain, 1);
            let (own, found) = solve(device, &plain, &mut multigrid, &[], 1, 1e-10);
            iterations.push(own);
            let levels = &multigrid.hierarchy().levels;
            assert!(levels.len() >= 2 && levels[0].nodes == n * n, "{multigrid:?}");
            assert!(multigrid.hierarchy().operator_complexity() < 1.6, "{multigrid:?}");
            // the same bits, by the same levels and by new ones
            let (_, again) = solve(device, &plain, &mut multigrid, &[], 1, 1e-10);
            assert_eq!(bits(&found), bits(&again));
            let (_, again) = solve(device, &plain, &mut of_grid(device, &plain, 1), &[], 1, 1e-10);
            assert_eq!(bits(&found), bits(&again));
        }
        println!("{iterations:?} iterations");
        assert!(iterations[2] < 30 && iterations[2] <= iterations[0] + 15, "{iterations:?}");
    }
    fn contrast(device) {
        let plain = grid(90, |i, j| if (i / 13 + j / 11) % 2 == 0 { 1e6 } else { 1.0 }, 1e-3);
        let (iterations, _) = solve(device, &plain, &mut of_grid(device, &plain, 1), &[], 1, 1e-11);
        println!("{iterations} iterations");
        assert!(iterations < 50, "{iterations}");
    }
    fn three_right_hand_sides_in_single_precision(device) {
        let plain = grid(70, |_, _| 1.0, 1.0);
        let options = MultigridOptions { coarsest: 60, ..MultigridOptions::default() };
        let mut multigrid =
            Multigrid::<f32>::new(plain.upload(device), Modes::Constant, None, 3, options).expect("levels");
        let (iterations, _) = solve(device, &plain, &mut multigrid, &[], 3, 1e-5);
        println!("{iterations} iterations");
        assert!(iterations < 20, "{iterations}");
    }
    // four numbers for each thread: what one has
    fn lanes_by_fours(device) {
        let plain = grid(60, |_, _| 1.0, 1e-2);
        let make = |lanes| of_grid(device, &plain, lanes);
        let lanes_agree = |n: usize, [one, many]: [&mut Multigrid<f64>; 2]| {
            let mut random = Random(3);
            let r: Vec<f64> = (0..8 * n).map(|_| f64::from(random.below(2001)) / 1000.0 - 1.0).collect();
            let (b, mut z) = (device.upload(&r).expect("memory"), device.zeros(8 * n).expect("memory"));
            many.apply(BufferView::empty(), &b, &mut z).expect("a cycle");
            let found = z.read().expect("memory");
            for lane in 0..8 {
                let own: Vec<f64> = r.iter().skip(lane).step_by(8).copied().collect();
                let (b, mut z) = (device.upload(&own).expect("memory"), device.zeros(n).expect("memory"));
                one.apply(BufferView::empty(), &b, &mut z).expect("a cycle");
                let expected = z.read().expect("memory");
                let scale = expected.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
                for (found, expected) in found.iter().skip(lane).step_by(8).zip(&expected) {
                    assert!((found - expected).abs() <= 1e-12 * scale, "{found}, not {expected}");
                }
            }
        };
        lanes_agree(3600, [&mut make(1), &mut make(8)]);
        let (plain, points) = springs(5, 20, |_| 1.0);
        let make = |lanes| {
            let modes = Modes::Six(device.upload(&motions(&points)).expect("memory"));
            let options = MultigridOptions { coarsest: 60, ..MultigridOptions::default() };
            Multigrid::new(plain.upload(device), modes, None, lanes, options).expect("levels")
        };
        lanes_agree(3 * plain.rows, [&mut make(1), &mut make(8)]);
    }
    fn other_numbers_in_the_same_blocks(device) {
        let plain = grid(50, |_, _| 1.0, 1e-2);
        let other = grid(50, |i, j| 1.0 + ((i * 3 + j) % 5) as f64, 1e-2);
        let mut multigrid = of_grid(device, &plain, 1);
        let levels = multigrid.hierarchy().levels.clone();
        multigrid.update(other.upload(device)).expect("levels");
        assert_eq!(multigrid.hierarchy().levels, levels);
        let (iterations, found) = solve(device, &other, &mut multigrid, &[], 1, 1e-10);
        assert!(iterations < 30, "{iterations}");
        // back to the numbers of before: the bits of before
        let (_, before) = solve(device, &plain, &mut of_grid(device, &plain, 1), &[], 1, 1e-10);
        multigrid.update(plain.upload(device)).expect("levels");
        let (_, after) = solve(device, &plain, &mut multigrid, &[], 1, 1e-10);
        assert_eq!(bits(&before), bits(&after));
        assert_ne!(bits(&before), bits(&found));
    }
    fn slender_bodies_with_rigid_motions(device) {
        for (n, long, contrast) in [(4, 40, 1.0), (7, 20, 1.0), (4, 60, 1e6)] {
            let (plain, points) = springs(n, long, |k| if k < long / 2 { 1.0 } else { contrast });
            // one end is held
            let fixed: Vec<u32> = (0..plain.rows).map(|node| if node < n * n { 7 } else { 0 }).collect();
            let modes = || Modes::Six(device.upload(&motions(&points)).expect("memory"));
            let words = || Some(device.upload(&fixed).expect("memory"));
            let options = MultigridOptions { coarsest: 100, ..MultigridOptions::default() };
            let make = || Multigrid::<f64>::new(plain.upload(device), modes(), words(), 1, options);
            let mut multigrid = make().expect("levels");
            assert!(multigrid.hierarchy().levels.len() >= 2, "{multigrid:?}");
            let tolerance = 1e-10 / contrast.sqrt();
            let (iterations, found) = solve(device, &plain, &mut multigrid, &fixed, 1, tolerance);
            println!("{iterations} iterations, {multigrid:?}");
            assert!(iterations < 60, "{iterations}, {multigrid:?}");
            let (_, again) = solve(device, &plain, &mut make().expect("levels"), &fixed, 1, tolerance);
            assert_eq!(bits(&found), bits(&again));
        }
    }
    /// Nodes in the middle of edges of a chain, whose values are those of the ends: the ends are the next
    /// level.
    fn first_steps_that_are_given(device) {
        let ends = 700;
        let mut plain = Plain::new([2 * ends - 1; 2], [1; 2]);
        let mut first = Plain::new([2 * ends - 1, ends], [1; 2]);
        for i in 0..2 * ends - 1 {
            plain.add(i, i, &[1e-4]);
        }
        for i in 0..ends {
            first.add(i, i, &[1.0]);
        }
        for i in 0..ends - 1 {
            let middle = ends + i;
            first.add(middle, i, &[0.5]);
            first.add(middle, i + 1, &[0.5]);
            for end in [i, i + 1] {
                plain.add(middle, middle, &[1.0]);
                plain.add(end, end, &[1.0]);
                plain.add(middle, end, &[-1.0]);
                plain.add(end, middle, &[-1.0]);
            }
        }
        let make = |first: &Plain| {
            let (matrix, first) = (plain.upload(device), Some(first.upload(device)));
            let options = MultigridOptions::default();
            Multigrid::<f64>::with_first(matrix, first, Modes::Constant, None, 1, options)
        };
        let mut multigrid = make(&first).expect("levels");
        assert_eq!(multigrid.hierarchy().levels[1].nodes, ends);
        let (iterations, found) = solve(device, &plain, &mut multigrid, &[], 1, 1e-10);
        println!("{iterations} iterations, {multigrid:?}");
        assert!(iterations < 40, "{iterations}");
        multigrid.update(plain.upload(device)).expect("levels");
        let (_, again) = solve(device, &plain, &mut multigrid, &[], 1, 1e-10);
        assert_eq!(bits(&found), bits(&again));
        let short = Plain::new([ends, ends], [1; 2]);
        assert!(matches!(make(&short), Err(MultigridError::Library(_))));
        let wide = Plain::new([2 * ends - 1, ends], [1, 2]);
        assert!(matches!(make(&wide), Err(MultigridError::Size { .. })));
    }
    /// Nodes without neighbours, with few, and a matrix that is solved at once.
    fn small_and_loose_matrices(device) {
        let mut loose = Plain::new([500; 2], [1; 2]);
        (0..500).for_each(|i| loose.add(i, i, &[1.0 + i as f64]));
        let (iterations, _) = solve(device, &loose, &mut of_grid(device, &loose, 1), &[], 1, 1e-10);
        assert!(iterations <= 2, "{iterations}");
        // some pairs
        (0..250).for_each(|i| {
            loose.add(2 * i, 2 * i + 1, &[0.5]);
            loose.add(2 * i + 1, 2 * i, &[0.5]);
        });
        solve(device, &loose, &mut of_grid(device, &loose, 1), &[], 1, 1e-10);
        let small = grid(3, |_, _| 1.0, 0.1);
        let (iterations, _) = solve(device, &small, &mut of_grid(device, &small, 2), &[], 2, 1e-10);
        assert!(iterations <= 2, "{iterations}");
        let empty = Plain::new([0, 0], [1, 1]);
        assert_eq!(of_grid(device, &empty, 1).numbers(), 0);
    }
    fn wrong_matrices_and_options_are_refused(device) {
        let plain = grid(20, |_, _| 1.0, 1.0);
        let make = |plain: &Plain, lanes, options| {
            Multigrid::<f64>::new(plain.upload(device), Modes::Constant, None, lanes, options)
        };
        let usual = MultigridOptions::default();
        for (options, named) in [
            (MultigridOptions { sweeps: 0, ..usual }, "sweeps"),
            (MultigridOptions { strength: f64::NAN, ..usual }, "strength"),
            (MultigridOptions { coarsest: 5000, ..usual }, "coarsest"),
        ] {
            let Err(MultigridError::Option { option, .. }) = make(&plain, 1, options) else { panic!("{named}") };
            assert_eq!(option, named);
        }
        assert!(matches!(make(&plain, 0, usual), Err(MultigridError::Option { option: "lanes", .. })));
        let mut wrong = plain.clone();
        wrong.blocks.insert((7, 7), vec![-1.0]);
        assert!(matches!(make(&wrong, 1, usual), Err(MultigridError::NotPositive { node: 7 })));
        wrong.blocks.remove(&(5, 5));
        assert!(matches!(make(&wrong, 1, usual), Err(MultigridError::NotPositive { node: 5 })));
        let wide = Plain::new([2, 3], [1, 1]);
        assert!(matches!(make(&wide, 1, usual), Err(MultigridError::Library(_))));
        let blocks = Plain::new([2, 2], [3, 3]);
        assert!(matches!(make(&blocks, 1, usual), Err(MultigridError::Size { .. })));
        let short = Some(device.upload(&[0_u32; 3]).expect("memory"));
        let made = Multigrid::<f64>::new(plain.upload(device), Modes::Constant, short, 1, usual);
        assert!(matches!(made, Err(MultigridError::Library(_))));
    }
}
