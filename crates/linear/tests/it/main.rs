//! Conjugate gradients on both machines, over operators without kernels of their own.
use ribbonmesh::device::BufferView;
use ribbonmesh::glam::Vec3;
use ribbonmesh::{Buffer, Device, Error, Result};
use ribbonmesh_linear::{
    Cholesky, ConjugateGradients, Elimination, Limits, Numbers, Operator, Outcome, Preconditioner, Progress,
    Real, Run, Vector, axpby, dot,
};
use ribbonmesh_suite::{gpu_tests, suite};

const TOLERANCE: f64 = 1e-5;
const LIMITS: Limits = Limits { iterations: 50, look: 2 };

/// `scale (1 + v v*)`: two different eigenvalues, so two iterations.
struct Updated<'a, V> {
    scale: f64,
    v: &'a V,
}
impl<R: Numbers> Updated<'_, Buffer<R>> {
    fn multiply(&self, p: &Buffer<R>, q: &mut Buffer<R>) -> Result<()> {
        let (device, along) = (p.device(), dot(p.device(), self.v, p)?);
        axpby(device, R::from_f64(self.scale), p, R::ZERO, q)?;
        axpby(device, R::from_f64(self.scale * along), self.v, R::ONE, q)
    }
}
impl<R: Numbers> Operator for Updated<'_, Buffer<R>> {
    type Vector = Buffer<R>;
    type Error = Error;
    fn direct(&mut self, z: &Buffer<R>, p: &mut Buffer<R>, q: &mut Buffer<R>, run: &mut Run) -> Result<()> {
        run.turn(z, p)?;
        self.multiply(p, q)?;
        run.step(p, q)
    }
}
type Solver<R> = ConjugateGradients<Buffer<R>>;
/// Solves from x.
fn solve<R: Numbers>(
    solver: &mut Solver<R>,
    a: &mut Updated<'_, Buffer<R>>,
    m: Option<&mut dyn Preconditioner<Buffer<R>, Error>>,
    (b, x): (&Buffer<R>, &mut Buffer<R>),
    (tolerance, limits): (f64, &Limits),
) -> Result<Progress> {
    solver.begin(tolerance, |to, run| {
        a.multiply(x, &mut to.r)?;
        axpby(run.device(), R::ONE, b, -R::ONE, &mut to.r)?;
        run.begin(&to.r)
    })?;
    solver.finish(a, m, x, limits)
}
/// A fifth of the residual.
struct Fifth<R: Numbers>(Buffer<R>);
impl<R: Numbers> Preconditioner<Buffer<R>, Error> for Fifth<R> {
    fn apply(&mut self, _state: BufferView<'_, f64>, r: &Buffer<R>) -> Result<&Buffer<R>> {
        axpby(r.device(), R::from_f64(0.2), r, R::ZERO, &mut self.0)?;
        Ok(&self.0)
    }
}

fn numbers<R: Real>(n: usize, seed: usize) -> Vec<R> {
    (0..n).map(|i| R::from_f64((i * (seed + 7) % 23) as f64 / 23.0 + 0.01)).collect()
}
fn solves<R: Numbers>(device: &Device) {
    // tails of words of 16 bytes, of tiles, of blocks
    for n in [1, 2, 3, 4, 5, 1023, 1026, 2049, 8195] {
        let unit = 1.0 / (n as f64).sqrt();
        let v: Vec<R> = numbers(n, 1).into_iter().map(|v: R| v * R::from_f64(unit)).collect();
        let exact = numbers::<R>(n, 4);
        let (v, exact) = (device.upload(&v).expect("memory"), device.upload(&exact).expect("memory"));
        let mut b = device.zeros::<R>(n).expect("memory");
        Updated { scale: 3.0, v: &v }.multiply(&exact, &mut b).expect("a product");
        let mut a = Updated { scale: 3.0, v: &v };
        let mut solver = ConjugateGradients::new(device, 1, || device.zeros::<R>(n)).expect("a solver");
        let mut fifth = Fifth(device.zeros::<R>(n).expect("memory"));
        for apart in [false, true] {
            let mut first = None;
            for _ in 0..2 {
                let mut x = device.zeros::<R>(n).expect("memory");
                let m: Option<&mut dyn Preconditioner<_, _>> = if apart { Some(&mut fifth) } else { None };
                let limits = (TOLERANCE, &LIMITS);
                let progress = solve(&mut solver, &mut a, m, (&b, &mut x), limits).expect("a solve");
                assert_eq!(progress.outcome, Outcome::Converged, "{n}: {progress:?}");
                assert!(progress.iterations <= 3 && progress.residual() <= TOLERANCE, "{n}: {progress:?}");
                let (x, exact) = (x.read().expect("memory"), exact.read().expect("memory"));
                for (x, exact) in x.iter().zip(&exact) {
                    assert!((x.to_f64() - exact.to_f64()).abs() < 1e-4, "{n}: {x:?} {exact:?}");
                }
                assert_eq!(first.get_or_insert_with(|| (progress, x.clone())), &(progress, x));
            }
        }
    }
}

/// The bits of a sum over so many blocks.
fn bits_of_sums(device: &Device) -> Vec<u64> {
    let sum = |n: usize| {
        let x = device.upload(&numbers::<f64>(n, 5)).expect("memory");
        dot(device, &x, &x).expect("memory").to_bits()
    };
    [1000, 1_000_001, 1_700_001, 9_000_005].map(sum).to_vec()
}

#[test]
fn the_same_sums_on_the_cpu_as_several_cards() {
    let alone = bits_of_sums(&Device::cpu());
    for cards in [2, 3, 7] {
        assert_eq!(bits_of_sums(&Device::cpu_as_cards(cards)), alone, "{cards} cards");
    }
}

gpu_tests! {
    fn the_same_sums_on_one_gpu_as_several_cards() {
        let Some(gpu) = ribbonmesh_suite::cuda().filter(|device| device.sharing().is_none()) else { return };
        let alone = bits_of_sums(&gpu);
        for cards in [2, 3] {
            let several = Device::cuda_as_cards(0, cards).expect("a GPU");
            assert_eq!(bits_of_sums(&several), alone, "{cards} cards");
        }
    }
}

suite! {
    fn numbers_of_both_precisions(device) {
        solves::<f32>(device);
        solves::<f64>(device);
    }
    fn outcomes(device) {
        let n = 100;
        let zeros = || device.zeros::<f64>(n);
        let (v, none) = (device.upload(&numbers::<f64>(n, 2)).expect("memory"), zeros().expect("memory"));
        let mut solver = ConjugateGradients::new(device, 1, zeros).expect("a solver");
        let mut solve = |scale: f64, b: &Buffer<f64>, limits: (f64, &Limits)| {
            let mut x = device.zeros(n).expect("memory");
            solve(&mut solver, &mut Updated { scale, v: &v }, None, (b, &mut x), limits).expect("a solve")
        };
        let b = device.upload(&numbers::<f64>(n, 3)).expect("memory");
        let nothing = solve(1.0, &none, (TOLERANCE, &LIMITS));
        assert_eq!((nothing.outcome, nothing.iterations), (Outcome::Converged, 0));
        assert_eq!(nothing.residual().to_bits(), 0.0_f64.to_bits());
        // a matrix that is not positive definite
        assert_eq!(solve(-1.0, &b, (TOLERANCE, &LIMITS)).outcome, Outcome::Broken);
        let one = solve(1.0, &b, (1e-12, &Limits { iterations: 1, look: 0 }));
        assert_eq!((one.outcome, one.iterations), (Outcome::Running, 1));
        assert!(one.residual() > 1e-12);
        let infinite = device.upload(&vec![f64::INFINITY; n]).expect("memory");
        assert_eq!(solve(1.0, &infinite, (TOLERANCE, &LIMITS)).outcome, Outcome::Broken);
    }
    // one word, groups of blocks, and blocks of several tiles: sums of small whole numbers are exact
    fn sums_of_many_blocks(device) {
        for n in [1_000_000, 1_050_001, 1_600_003, 9_000_005] {
            let of = |most: usize| (0..n).map(|i| (i % most) as f32).collect::<Vec<_>>();
            let (x, y) = (of(7), of(5));
            let exact = x.iter().zip(&y).map(|(x, y)| f64::from(x * y)).sum::<f64>();
            let (x, y) = (device.upload(&x).expect("memory"), device.upload(&y).expect("memory"));
            for _ in 0..2 {
                assert_eq!(dot(device, &x, &y).expect("memory").to_bits(), exact.to_bits(), "{n}");
            }
        }
    }
    fn steps_refuse_other_lengths(device) {
        let vector = |n: usize| device.zeros::<f32>(n).expect("memory");
        assert!(matches!(dot(device, &vector(3), &vector(4)), Err(Error::Length { expected: 3, found: 4, .. })));
        assert!(matches!(axpby(device, 1.0, &vector(3), 0.0, &mut vector(2)), Err(Error::Length { .. })));
    }
    fn coordinates_are_numbers(device) {
        let x = device.upload(&[Vec3::new(1.0, 2.0, 3.0), Vec3::new(-1.0, 0.5, 0.0)]).expect("memory");
        assert_eq!(x.numbers().len(), 6);
        assert!((dot(device, &x, &x).expect("memory") - 15.25).abs() < 1e-12);
        assert!(dot(device, &device.zeros::<f64>(0).expect("memory"), &device.zeros(0).expect("memory")).expect("memory").abs() < 1e-30);
    }
}

#[test]
fn factorizations() {
    // a path of five vertices, and a matrix that is not definite
    let starts = vec![0, 2, 5, 8, 11, 13];
    let columns = vec![0, 1, 0, 1, 2, 1, 2, 3, 2, 3, 4, 3, 4];
    let order = Elimination::new(starts.clone(), columns.clone()).expect("an order");
    let values = |diagonal: f64| -> Vec<f64> {
        let row = |v: usize| starts[v] as usize..starts[v + 1] as usize;
        (0..5)
            .flat_map(|v| columns[row(v)].iter().map(move |&c| if c as usize == v { diagonal } else { -1.0 }))
            .collect()
    };
    let factor = Cholesky::new(&order, &values(3.0)).expect("positive definite");
    let mut b = [2.0, 3.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 2.0, -3.0];
    factor.solve(&mut b, 2).expect("solutions");
    for (lane, own) in [[2.0, 1.0, 1.0, 1.0, 2.0], [3.0, 0.0, 0.0, 0.0, -3.0]].into_iter().enumerate() {
        let x: Vec<f64> = b.iter().skip(lane).step_by(2).copied().collect();
        let right =
            |v: usize| 3.0 * x[v] - if v > 0 { x[v - 1] } else { 0.0 } - if v < 4 { x[v + 1] } else { 0.0 };
        assert!((0..5).all(|v| (right(v) - own[v]).abs() < 1e-14), "{x:?}");
    }
    assert!(Cholesky::new(&order, &values(1.0)).is_err());
    assert!(Cholesky::new(&order, &[1.0]).is_err() && factor.solve(&mut [0.0; 3], 1).is_err());
    for (starts, columns) in
        [(vec![], vec![]), (vec![0, 2], vec![0, 0]), (vec![0, 1], vec![1]), (vec![0, 1, 0], vec![0])]
    {
        assert!(Elimination::new(starts, columns).is_err());
    }
}
