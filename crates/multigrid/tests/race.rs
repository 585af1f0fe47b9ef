//! Races in shared memory: none, since blocks exchange values by collectives alone. With
//! `--features race-check`, on the CPU.
#![cfg(feature = "race-check")]
use ribbonmesh::Device;
use ribbonmesh::device::BufferView;
use ribbonmesh::device::race::{assert_each_barrier_needed, assert_none};
use ribbonmesh_multigrid::{Blocks, Modes, Multigrid, MultigridOptions, Schwarz};

/// One test: the checker's state is the process's.
#[test]
fn no_race() {
    let (device, n) = (Device::cpu(), 900_u32);
    let (mut starts, mut columns, mut values) = (vec![0], vec![], vec![]);
    for i in 0..n {
        for j in i.max(1) - 1..(i + 2).min(n) {
            columns.push(j);
            values.push(if i == j { 2.1 } else { -1.0 });
        }
        starts.push(columns.len() as u32);
    }
    assert_none("levels and a cycle", || {
        let upload = |x: &[u32]| device.upload(x).expect("memory");
        let of_values = device.upload(&values).expect("memory");
        let a =
            Blocks::new(n as usize, [1, 1], upload(&starts), upload(&columns), of_values).expect("a matrix");
        let options = MultigridOptions { coarsest: 40, ..MultigridOptions::default() };
        let mut levels = Multigrid::<f64>::new(a, Modes::Constant, None, 1, options).expect("levels");
        let (r, mut z) = (
            device.upload(&vec![1.0; n as usize]).expect("memory"),
            device.zeros(n as usize).expect("memory"),
        );
        levels.apply(BufferView::empty(), &r, &mut z).expect("a cycle");
        assert!(z.read().expect("memory").iter().all(|z: &f64| z.is_finite()));
    });
    let upload = |x: &[u32]| device.upload(x).expect("memory");
    let of_values = device.upload(&values).expect("memory");
    let a = Blocks::new(n as usize, [1, 1], upload(&starts), upload(&columns), of_values).expect("a matrix");
    let r = device.upload(&vec![1.0_f64; 3 * n as usize]).expect("memory");
    let mut z = device.zeros::<f64>(3 * n as usize).expect("memory");
    let mut made = None;
    assert_none("domains", || made = Some(Schwarz::new(&a, 24).expect("domains")));
    let schwarz = made.expect("domains");
    assert_each_barrier_needed("solutions on domains", || schwarz.apply(3, BufferView::empty(), &r, &mut z));
}
