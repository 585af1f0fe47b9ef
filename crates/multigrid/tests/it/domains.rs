//! Domains and exact solutions on them, beside plain code.
use crate::plain::{Plain, grid};
use ribbonmesh::device::BufferView;
use ribbonmesh::{Buffer, Device};
use ribbonmesh_linear::{ConjugateGradients, Limits, Outcome, axpby};
use ribbonmesh_multigrid::{Additive, Lanes, MultigridError, Schwarz};
use ribbonmesh_suite::{Random, suite};

/// A grid with edges of random stiffness, over six orders of magnitude.
fn stiff(n: usize, seed: u64) -> Plain {
    let mut random = Random(seed);
    let factors: Vec<f64> = (0..n * n).map(|_| 10_f64.powi(random.below(7) as i32 - 3)).collect();
    grid(n, |i, j| factors[i * n + j] * (1.0 + 1e-3 * (i * n + j) as f64), 1e-2)
}
/// The hash of a place.
fn scramble(mut x: u32) -> u32 {
    x ^= x >> 16;
    x = x.wrapping_mul(0x7feb_352d);
    x ^= x >> 15;
    x = x.wrapping_mul(0x846c_a68b);
    x ^ (x >> 16)
}
/// Domains by one edge after the other, the strongest first, numbered by their first nodes.
fn kruskal(plain: &Plain, most: usize) -> Vec<u32> {
    let diagonal: Vec<f64> = (0..plain.rows as u32).map(|i| plain.blocks[&(i, i)][0]).collect();
    let mut edges = vec![];
    for (place, (&(i, j), block)) in plain.blocks.iter().enumerate() {
        let strength = (block[0].abs() / (diagonal[i as usize] * diagonal[j as usize]).sqrt()) as f32;
        if i < j && strength > 0.0 {
            edges.push((strength.to_bits() >> 16, scramble(place as u32), i as usize, j as usize));
        }
    }
    edges.sort_unstable();
    let (mut of, mut members): (Vec<usize>, Vec<Vec<usize>>) = (0..plain.rows).map(|i| (i, vec![i])).unzip();
    for &(_, _, i, j) in edges.iter().rev() {
        let (a, b) = (of[i].min(of[j]), of[i].max(of[j]));
        if a != b && members[a].len() + members[b].len() <= most {
            let moved = std::mem::take(&mut members[b]);
            moved.iter().for_each(|&node| of[node] = a);
            members[a].extend(moved);
        }
    }
    let mut numbers = vec![u32::MAX; plain.rows];
    let mut count = 0;
    of.iter()
        .map(|&root| {
            if numbers[root] == u32::MAX {
                numbers[root] = count;
                count += 1;
            }
            numbers[root]
        })
        .collect()
}
/// The solution of a dense system, by elimination with the greatest pivots.
fn dense(mut a: Vec<Vec<f64>>, mut b: Vec<f64>) -> Vec<f64> {
    let n = b.len();
    for p in 0..n {
        let best = (p..n).max_by(|&i, &j| a[i][p].abs().total_cmp(&a[j][p].abs())).expect("rows");
        a.swap(p, best);
        b.swap(p, best);
        let pivot = a[p].clone();
        for i in p + 1..n {
            let by = a[i][p] / pivot[p];
            a[i].iter_mut().zip(&pivot).skip(p).for_each(|(to, from)| *to -= by * from);
            b[i] -= by * b[p];
        }
    }
    for p in (0..n).rev() {
        b[p] = (b[p] - (p + 1..n).map(|j| a[p][j] * b[j]).sum::<f64>()) / a[p][p];
    }
    b
}
fn numbers(n: usize, seed: u64) -> Vec<f64> {
    let mut random = Random(seed);
    (0..n).map(|_| f64::from(random.below(2001)) / 1000.0 - 1.0).collect()
}
/// The iterations to 10⁻¹⁰, and the solution, with domains of a size; without any where it is 0.
fn iterations(device: &Device, plain: &Plain, size: u32) -> (usize, Vec<f64>) {
    let n = plain.rows;
    let a = plain.upload::<f64>(device);
    let exact = numbers(n, 5);
    let b = device.upload(&plain.apply(&exact, 1)).expect("memory");
    let (mut x, mut z) = (device.zeros::<f64>(n).expect("memory"), device.zeros::<f64>(n).expect("memory"));
    let zeros = || Ok::<Buffer<f64>, MultigridError>(device.zeros(n)?);
    let mut solver = ConjugateGradients::new(device, 0, zeros).expect("memory");
    let begun = solver.begin::<MultigridError>(1e-10, |to, run| {
        axpby(run.device(), 1.0, &b, 0.0, &mut to.r)?;
        Ok(run.begin(&to.r)?)
    });
    begun.expect("a residual");
    let schwarz = Schwarz::new(&a, size).expect("domains");
    let mut additive = Additive { schwarz: &schwarz, lanes: 1, z: &mut z };
    let limits = Limits { iterations: 5000, look: 3 };
    let mut rows = Lanes { matrix: &a, lanes: 1 };
    let progress = solver.finish(&mut rows, Some(&mut additive), &mut x, &limits).expect("a solve");
    assert_eq!(progress.outcome, Outcome::Converged, "{progress:?}, {schwarz:?}");
    let found = x.read().expect("memory");
    let wrong = found.iter().zip(&exact).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(wrong < 1e-2, "{wrong}");
    (progress.iterations, found)
}

suite! {
    fn domains_of_kruskals_algorithm(device) {
        for (n, most) in [(7, 1), (12, 2), (30, 9), (60, 32), (45, 64)] {
            let plain = stiff(n, 7 + n as u64);
            let schwarz = Schwarz::new(&plain.upload(device), most).expect("domains");
            let found = schwarz.domains().read().expect("memory");
            assert_eq!(found, kruskal(&plain, most as usize), "{schwarz:?}");
            let mut sizes = vec![0; schwarz.len()];
            found.iter().for_each(|&domain| sizes[domain as usize] += 1);
            assert!(sizes.iter().all(|&size| (1..=most).contains(&size)), "{schwarz:?}");
            // most domains are as large as their neighbours allow
            assert!(schwarz.len() * most as usize <= 3 * n * n, "{schwarz:?}");
        }
        // all edges are alike: no chain of stronger and stronger ones
        let even = grid(50, |_, _| 1.0, 1.0);
        let schwarz = Schwarz::new(&even.upload(device), 32).expect("domains");
        assert_eq!(schwarz.domains().read().expect("memory"), kruskal(&even, 32));
    }
    fn exact_on_domains(device) {
        for (size, lanes) in [(1, 1), (17, 3), (32, 4), (64, 3)] {
            let (n, plain) = (900, grid(30, |i, j| 1.0 + (i * j % 7) as f64, 1e-2));
            let schwarz = Schwarz::new(&plain.upload(device), size).expect("domains");
            let of = schwarz.domains().read().expect("memory");
            let r = numbers(n * lanes, 3);
            let narrow: Vec<f32> = r.iter().map(|&r| r as f32).collect();
            let (mut z, mut again) =
                (device.zeros(n * lanes).expect("memory"), device.zeros(n * lanes).expect("memory"));
            let (wide, narrow) = (device.upload(&r).expect("memory"), device.upload(&narrow).expect("memory"));
            schwarz.apply(lanes as u32, BufferView::empty(), &wide, &mut z).expect("solutions");
            schwarz.apply(lanes as u32, BufferView::empty(), &narrow, &mut again).expect("solutions");
            let (z, again): (Vec<f64>, Vec<f32>) = (z.read().expect("memory"), again.read().expect("memory"));
            assert!(z.iter().zip(&again).all(|(a, b)| *a as f32 == *b), "the same in both precisions");
            for domain in 0..schwarz.len() as u32 {
                let nodes: Vec<usize> = (0..n).filter(|&node| of[node] == domain).collect();
                let entry = |i: usize, j: usize| plain.blocks.get(&(i as u32, j as u32)).map_or(0.0, |b| b[0]);
                let part: Vec<Vec<f64>> =
                    nodes.iter().map(|&i| nodes.iter().map(|&j| entry(i, j)).collect()).collect();
                for lane in 0..lanes {
                    let right = nodes.iter().map(|&node| r[node * lanes + lane]).collect();
                    let exact = dense(part.clone(), right);
                    let scale = exact.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
                    for (node, exact) in nodes.iter().zip(exact) {
                        let wrong = (z[node * lanes + lane] - exact).abs();
                        assert!(wrong <= 1e-5 * scale, "{wrong} of {scale} at node {node}");
                    }
                }
            }
        }
    }
    fn fewer_iterations_where_edges_are_stiff(device) {
        let plain = stiff(60, 3);
        let (jacobi, _) = iterations(device, &plain, 1);
        let (schwarz, found) = iterations(device, &plain, 32);
        println!("{jacobi} iterations, with domains {schwarz}");
        assert!(3 * schwarz < jacobi, "{jacobi} iterations, with domains {schwarz}");
        let (_, again) = iterations(device, &plain, 32);
        assert!(found.iter().zip(&again).all(|(a, b)| a.to_bits() == b.to_bits()), "the same bits");
    }
    fn matrices_without_domains(device) {
        let plain = grid(5, |_, _| 1.0, 1.0);
        for size in [0, 65] {
            let refused = Schwarz::new(&plain.upload(device), size);
            assert!(matches!(refused, Err(MultigridError::Option { .. })), "{size}");
        }
        let mut negative = plain.clone();
        negative.add(7, 7, &[-1e3]);
        let refused = Schwarz::new(&negative.upload(device), 8);
        assert!(matches!(refused, Err(MultigridError::NotPositive { node: 7 })), "{refused:?}");
        let mut missing = plain.clone();
        missing.blocks.remove(&(3, 3));
        let refused = Schwarz::new(&missing.upload(device), 8);
        assert!(matches!(refused, Err(MultigridError::NotPositive { node: 3 })), "{refused:?}");
        let refused = Schwarz::new(&Plain::new([4; 2], [3; 2]).upload(device), 8);
        assert!(matches!(refused, Err(MultigridError::Size { .. })), "{refused:?}");
        let schwarz = Schwarz::new(&plain.upload(device), 8).expect("domains");
        let (r, mut z) = (device.zeros::<f64>(24).expect("memory"), device.zeros(25).expect("memory"));
        assert!(schwarz.apply(1, BufferView::empty(), &r, &mut z).is_err(), "a residual that is too short");
        assert!(schwarz.apply(0, BufferView::empty(), &r, &mut z).is_err(), "no lanes");
    }
}
