//! Faults: errors of a checked kernel, found while a block runs.
//!
//! On the CPU a fault ends the block by unwinding its stack, and the launch returns it as an error with the
//! kernel, the argument and the caller's line. In a program that is compiled with `panic = "abort"` nothing
//! unwinds: a fault, and a status that ends its block, is then the end of the process, with a message that
//! says so. On the GPU a fault traps: the launch fails, and the device cannot be used any longer.

/// Whether kernels compare indices with lengths. True unless the crate is compiled with
/// `--cfg ribbonmesh_unchecked`, which is a promise about every index in it: see
/// `docs/decisions/0014-soundness.md`.
pub(crate) const CHECKED: bool = cfg!(not(ribbonmesh_unchecked));

#[cfg(not(target_arch = "nvptx64"))]
pub use cpu::{Fault, FaultKind, Faults};

#[cfg(not(target_arch = "nvptx64"))]
pub(crate) use cpu::{during, ends, misaligned, nested, on_host, out_of_bounds};

#[cfg(not(target_arch = "nvptx64"))]
mod cpu {
    use core::cell::Cell;
    use core::panic::Location;
    use std::sync::Mutex;

    /// Mistake of a block.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum FaultKind {
        /// An index is out of bounds.
        OutOfBounds {
            /// The element asked for, or the one after the last if several were.
            index: u64,
            /// Number of elements there.
            len: u64,
            /// Address of the memory's first element; `None` for shared memory.
            base: Option<usize>,
        },
        /// An expression that the host evaluates (`requires`, `shared`) read memory of an argument, of which
        /// the host knows the length alone.
        Unreadable {
            /// Address of the memory's first element.
            base: usize,
        },
        /// It took a view as wider elements, of which none can begin there.
        Misaligned {
            /// Address of the memory's first element.
            base: usize,
            /// The number of which it must be a multiple.
            alignment: usize,
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
        /// The mistake.
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

    /// Runs `work`, the block `block`, with `faults` for its errors.
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

    /// Runs `work`, in which the host looks at arguments of a kernel.
    /// # Errors
    /// Its first mistake.
    pub(crate) fn on_host(work: &mut dyn FnMut()) -> Result<(), Fault> {
        let faults = Faults::default();
        let run = std::panic::AssertUnwindSafe(|| during(&faults, 0, work));
        std::panic::catch_unwind(run).map_err(|payload| match faults.take() {
            Some(fault) if crate::block::is_end_of_block(&*payload) => fault,
            _ => std::panic::resume_unwind(payload),
        })
    }
    /// Says why the process ends, where blocks end by unwinding and the program was compiled without.
    pub(crate) fn ends(block: u32, at: &Location<'_>, why: core::fmt::Arguments<'_>) {
        if cfg!(panic = "abort") {
            panic!(
                "block {block} of a kernel, at {at}: {why}. On the CPU a launch returns this as an error if panics \
                 unwind; this program was compiled with `panic = \"abort\"`, and ends"
            );
        }
    }
    /// Ends the block: an index is too large, or the memory must not be read here.
    #[cold]
    #[inline(never)]
    #[track_caller]
    pub(crate) fn out_of_bounds(base: Option<usize>, index: u64, len: u64) -> ! {
        match base {
            Some(base) if len & crate::view::ABSENT != 0 => end(FaultKind::Unreadable { base }),
            _ => end(FaultKind::OutOfBounds { index, len, base }),
        }
    }
    /// Ends the block: memory at `base` holds no elements that begin at multiples of `alignment`.
    #[cold]
    #[inline(never)]
    #[track_caller]
    pub(crate) fn misaligned(base: usize, alignment: usize) -> ! {
        end(FaultKind::Misaligned { base, alignment })
    }
    /// Ends the block, because `call` is inside a loop.
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
                ends(block, at, format_args!("{kind:?}"));
                crate::block::end_block()
            }
            // a view of the host's memory, or a slice that was only measured
            None => panic!("{kind:?} outside of a launch, at {at}"),
        }
    }
}

#[cfg(target_arch = "nvptx64")]
#[cold]
#[inline(always)]
pub(crate) fn out_of_bounds(_base: Option<usize>, _index: u64, _len: u64) -> ! {
    // SAFETY: ends the launch with an error.
    unsafe { core::arch::nvptx::trap() }
}
#[cfg(target_arch = "nvptx64")]
#[cold]
#[inline(always)]
pub(crate) fn misaligned(_base: usize, _alignment: usize) -> ! {
    // SAFETY: ends the launch with an error.
    unsafe { core::arch::nvptx::trap() }
}
