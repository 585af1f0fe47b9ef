//! Faults: errors of a checked kernel, found while a block runs.
//!
//! On the CPU a fault ends the block, and the launch returns it as an error with the kernel, the argument and the
//! caller's line. On the GPU it traps: the launch fails, and the device cannot be used any longer.

/// Whether kernels compare indices with lengths. True unless the crate is compiled with
/// `--cfg ribbonmesh_unchecked`, which is a promise about every index in it: see `docs/decisions/0014-soundness.md`.
pub(crate) const CHECKED: bool = cfg!(not(ribbonmesh_unchecked));

#[cfg(not(target_arch = "nvptx64"))]
pub use cpu::{Fault, FaultKind, Faults};

#[cfg(not(target_arch = "nvptx64"))]
pub(crate) use cpu::{during, nested, out_of_bounds};

#[cfg(not(target_arch = "nvptx64"))]
mod cpu {
    use core::cell::Cell;
    use core::panic::Location;
    use std::sync::Mutex;

    /// What a block did.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum FaultKind {
        /// An index is out of bounds.
        OutOfBounds {
            /// The element asked for, or the one after the last if several were.
            index: u64,
            /// Number of elements there.
            len: u64,
            /// Address of the memory's first element; 0 for shared memory.
            base: usize,
        },
        /// It called a loop, a barrier or a collective from inside a loop, where a GPU would wait for ever.
        Nested {
            /// The call.
            call: &'static str,
        },
    }

    /// A fault and where it happened.
    #[derive(Clone, Copy, Debug)]
    pub struct Fault {
        /// What happened.
        pub kind: FaultKind,
        /// Number of the block.
        pub block: u32,
        /// The line of the kernel.
        pub at: &'static Location<'static>,
    }

    /// Keeps the first fault of a launch.
    #[derive(Debug, Default)]
    pub struct Faults(Mutex<Option<Fault>>);
    impl Faults {
        /// The first fault, if there was one. None is left.
        pub fn take(&self) -> Option<Fault> {
            self.0.lock().unwrap_or_else(|e| e.into_inner()).take()
        }
        fn put(&self, fault: Fault) {
            self.0.lock().unwrap_or_else(|e| e.into_inner()).get_or_insert(fault);
        }
    }

    thread_local! {
        /// The block that this thread runs, and where its launch keeps faults.
        static CURRENT: Cell<Option<(*const Faults, u32)>> = const { Cell::new(None) };
    }

    /// Runs `work`, the block `block`, with `faults` for what it does wrong.
    pub(crate) fn during<R>(faults: &Faults, block: u32, work: impl FnOnce() -> R) -> R {
        struct Restore(Option<(*const Faults, u32)>);
        impl Drop for Restore {
            fn drop(&mut self) {
                CURRENT.set(self.0);
            }
        }
        let _restore = Restore(CURRENT.replace(Some((faults, block))));
        work()
    }

    /// Ends the block: an index is too large.
    #[cold]
    #[inline(never)]
    #[track_caller]
    pub(crate) fn out_of_bounds(base: usize, index: u64, len: u64) -> ! {
        end(FaultKind::OutOfBounds { index, len, base })
    }
    /// Ends the block: `call` stands inside a loop.
    #[cold]
    #[inline(never)]
    #[track_caller]
    pub(crate) fn nested(call: &'static str) -> ! {
        end(FaultKind::Nested { call })
    }
    #[track_caller]
    fn end(kind: FaultKind) -> ! {
        let at = Location::caller();
        match CURRENT.get() {
            Some((faults, block)) => {
                // SAFETY: `during` borrows the faults for as long as the pointer is there.
                unsafe { &*faults }.put(Fault { kind, block, at });
                crate::block::end_block()
            }
            // memory of a kernel that outlived its launch
            None => panic!("{kind:?} outside of a launch, at {at}"),
        }
    }
}

#[cfg(target_arch = "nvptx64")]
#[cold]
#[inline(always)]
pub(crate) fn out_of_bounds(_base: usize, _index: u64, _len: u64) -> ! {
    // SAFETY: ends the launch with an error.
    unsafe { core::arch::nvptx::trap() }
}
