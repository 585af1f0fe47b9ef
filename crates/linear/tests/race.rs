//! Races in shared memory: none, since blocks exchange values by collectives alone, without a barrier of
//! their own. With `--features race-check`, on the CPU.
#![cfg(feature = "race-check")]
use ribbonmesh::device::race::take_report;
use ribbonmesh::{Buffer, Device, Error, Result};
use ribbonmesh_linear::{ConjugateGradients, Operator, Run, axpby};

/// Twice the unit matrix.
struct Twice;
impl Operator for Twice {
    type Vector = Buffer<f64>;
    type Error = Error;
    fn direct(
        &mut self,
        z: &Buffer<f64>,
        p: &mut Buffer<f64>,
        q: &mut Buffer<f64>,
        run: &mut Run,
    ) -> Result<()> {
        run.turn(z, p)?;
        axpby(run.device(), 2.0, p, 0.0, q)?;
        run.step(p, q)?;
        run.weigh(z, p)
    }
}

/// One test: the checker's state is the process's.
#[test]
fn no_race_and_no_barrier() {
    let (device, n) = (Device::cpu(), 5000);
    let b = device.upload(&vec![1.0; n]).expect("memory");
    let mut x = device.zeros(n).expect("memory");
    let mut solver = ConjugateGradients::new(&device, 1, || device.zeros(n)).expect("memory");
    let mut step = || {
        solver.begin(1e-9, |to, run| {
            axpby(run.device(), 1.0, &b, 0.0, &mut to.r)?;
            run.begin(&to.r)
        })?;
        solver.iterate(&mut Twice, None, &mut x)
    };
    take_report();
    step().expect("an iteration");
    let report = take_report();
    assert_eq!(report.races, 0, "{:?}", report.first);
    // a kernel that gets a barrier needs a test here that leaves it out
    assert_eq!(report.barriers, 0);
}
