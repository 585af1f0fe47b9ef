//! Attempts of safe code with a block outside of a launch. Lifetimes refuse the rest: see the documentation
//! of `Shared`, `Status` and `Arena`, whose examples must not compile.
#![forbid(unsafe_code)]
use ribbonmesh_device::{Arena, Block, FaultKind, Faults, In, Out, Status};
use std::cell::Cell;
use std::panic::catch_unwind;

/// Runs a block of 32 threads with 4 KiB of shared memory; whether it came to its end, and its fault.
fn block(work: impl FnOnce(&Block)) -> (bool, Option<FaultKind>) {
    let (faults, ended) = (Faults::default(), Cell::new(false));
    Block::run_on_cpu((0, 1), 32, 4096, (Status::none(), &faults), |block| {
        work(block);
        ended.set(true);
    });
    (ended.get(), faults.take().map(|fault| fault.kind))
}

#[test]
fn shared_memory_that_was_only_measured_has_no_elements() {
    let uses: [fn(&Block, &Arena); 5] = [
        |_, arena| _ = arena.take::<u32>(4).get(0),
        |_, arena| arena.take::<u32>(4).set(0, 1),
        |_, arena| _ = arena.take::<u32>(4).fetch_add(0, 1),
        |_, arena| _ = arena.take::<u64>(4).wide::<u8>().get(0),
        |block, arena| _ = block.exclusive_scan(arena.take(4), 1),
    ];
    for (which, uses) in uses.iter().enumerate() {
        let (ended, fault) = block(|block| _ = Arena::measure(|arena| uses(block, arena)));
        let expected = FaultKind::OutOfBounds { index: 0, len: 0, base: None };
        assert_eq!((ended, fault), (false, Some(expected)), "{which}");
    }
    // where nothing is touched, nothing is wrong
    let (ended, fault) = block(|block| {
        Arena::measure(|arena| {
            block.sort(arena.take(4), 0);
            block.sort_u64(arena.take(4), 0);
            assert_eq!(block.exclusive_scan(arena.take(4), 0), 0);
            assert!(arena.take::<u32>(1 << 30).is_empty());
        });
    });
    assert_eq!((ended, fault), (true, None));
    assert!(catch_unwind(|| Arena::measure(|arena| arena.take::<u32>(4).set(0, 1))).is_err());
}

#[test]
fn a_block_with_too_little_memory_ends() {
    let (ended, _) = block(|block| _ = block.shared::<u32>(1 << 20));
    assert!(!ended);
    let (ended, _) = block(|block| _ = block.shared::<u64>(u32::MAX));
    assert!(!ended);
    let (ended, fault) = block(|block| {
        let s = block.shared::<u32>(4);
        s.set(4, 1);
    });
    assert_eq!((ended, fault), (false, Some(FaultKind::OutOfBounds { index: 4, len: 4, base: None })));
}

#[test]
fn a_block_within_a_block_gets_none_of_its_memory() {
    let inner = catch_unwind(|| block(|_| _ = block(|_| ())));
    assert!(inner.is_err(), "the memory is lent already");
    // and the next block runs
    assert!(block(|block| block.shared::<u32>(4).set(3, 1)).0);
}

#[test]
fn values_per_thread_are_as_many_as_the_threads_hold() {
    for (n, fits) in [(0, true), (32, true), (33, false), (1000, false), (u32::MAX, false)] {
        let (ended, _) = block(|block| block.per_thread::<u32, 1>(n, |i| i).for_each(|_, _| ()));
        assert_eq!(ended, fits, "{n}");
    }
    assert!(block(|block| block.per_thread::<u32, 4>(128, |i| i).for_each(|_, _| ())).0);
    assert!(!block(|block| block.per_thread::<u32, 4>(129, |i| i).for_each(|_, _| ())).0);
    // loads ahead are not kept: any number
    let sum = Cell::new(0);
    let (ended, _) = block(|block| {
        block.for_each_ahead_nosync::<u32, 1>(1000, |i| i, || (), |_, v| sum.set(sum.get() + v));
    });
    assert_eq!((ended, sum.get()), (true, 499_500));
}

#[test]
fn views_without_memory_have_no_elements() {
    let (ended, fault) = block(|_| _ = In::<u32>::empty().get(0));
    assert!(!ended);
    assert!(matches!(fault, Some(FaultKind::OutOfBounds { index: 0, len: 0, base: Some(_) })), "{fault:?}");
    assert!(!block(|_| Out::<[f32; 4]>::empty().set(0, [1.0; 4])).0);
    assert!(!block(|_| _ = In::<u32>::empty().at(1)).0);
    assert!(In::<u32>::empty().at(0).wide::<u64>().try_get(0).is_none());
}
