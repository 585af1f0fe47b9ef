//! Resident launches: blocks that wait for each other.
use ribbonmesh::device::{GridArgument, StatusCode};
use ribbonmesh::{DeviceKind, Error};
use ribbonmesh_suite::{size, suite};
use ribbonmesh_testing::primitives::resident::{Desert, Exchange};

/// [`Exchange`] in plain Rust.
fn exchanged(mut values: Vec<u32>, rounds: u32) -> Vec<u32> {
    let n = values.len();
    for round in 0..rounds {
        let next = |i: usize| {
            let (left, right) = (values[(i + n - 1) % n], values[(i + 1) % n]);
            values[i].wrapping_mul(3).wrapping_add(left ^ right).wrapping_add(round)
        };
        values = (0..n).map(next).collect();
    }
    values
}

suite! {
    fn neighbours_exchange_values(device) {
        for (n, rounds, most) in [(1, 9, 1), (7, 40, 3), (1000, size(1001, 101), 50), (100_003, size(200, 20), u32::MAX), (64, size(5000, 500), 8)] {
            let first: Vec<u32> = (0..n).map(|i: u32| i.wrapping_mul(2_654_435_761)).collect();
            let mut values = device.zeros::<u32>(2 * n as usize).expect("memory");
            values.write_range(0, &first).expect("room");
            let mut counts = device.zeros::<u32>(1 << 14).expect("memory");
            let grid = GridArgument::default();
            let kernel = Exchange { grid, n, rounds, values: values.view_mut(), counts: counts.view_mut() };
            let blocks = device.launch_resident(most, kernel).expect("a launch");
            let of_device = match device.kind() {
                DeviceKind::Cpu => 1..=1,
                // one of each multiprocessor at least, 32 at most
                DeviceKind::Cuda => most.min(device.multiprocessors())..=most.min(32 * device.multiprocessors()),
            };
            assert!(of_device.contains(&blocks), "{blocks} blocks");
            let half = (rounds % 2 * n) as usize;
            let found = values.read_range(half, n as usize).expect("no status");
            assert!(found == exchanged(first, rounds), "{n} values, {rounds} rounds, {blocks} blocks");
            let counts = counts.read().expect("no status");
            assert!(counts[..blocks as usize].iter().all(|&c| c == blocks));
            assert!(counts[blocks as usize..].iter().all(|&c| c == 0));
        }
    }
    fn no_blocks_do_nothing(device) {
        let mut met = device.zeros::<u32>(1).expect("memory");
        let kernel = Desert { grid: GridArgument::default(), absent: 1, met: met.view_mut() };
        assert_eq!(device.launch_resident(0, kernel).expect("nothing"), 0);
        assert_eq!(met.read().expect("no status"), [0]);
    }
    fn a_block_that_leaves_stalls_the_others_for_a_while(device) {
        let mut met = device.zeros::<u32>(4).expect("memory");
        let mut launch = |absent| {
            let grid = GridArgument { patience: 0.05 };
            device.launch_resident(4, Desert { grid, absent, met: met.view_mut() })?;
            device.synchronize()
        };
        if device.kind() == DeviceKind::Cuda {
            match launch(2) {
                Err(Error::Kernel { kernel: "desert", block, code, first: 4, .. }) => {
                    assert!(block != 2 && code == StatusCode::Stalled as u32);
                }
                other => panic!("{other:?}"),
            }
        }
        // the barrier works again
        launch(9).expect("all are there");
        let blocks = if device.kind() == DeviceKind::Cuda { 4 } else { 1 };
        assert_eq!(met.read().expect("no status").iter().sum::<u32>(), blocks);
    }
    fn a_barrier_between_blocks_that_are_not_resident_is_refused(device) {
        let mut met = device.zeros::<u32>(4).expect("memory");
        let kernel = Desert { grid: GridArgument::default(), absent: 9, met: met.view_mut() };
        let stalled = device.launch(4, kernel).and_then(|()| device.synchronize());
        assert!(matches!(stalled, Err(Error::Kernel { kernel: "desert", code: 3, .. })), "{stalled:?}");
    }
}
