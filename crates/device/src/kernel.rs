//! What a kernel is, to both machines.
use crate::{Arena, Block, Status};

/// A kernel with its arguments, ready to be launched. Written by [`crate::kernel`]; not by hand.
///
/// The struct is `repr(C)` and is the kernel's only parameter, so the two sides agree by type.
pub trait Kernel: Copy + Send + Sync {
    /// Name of the entry point.
    const NAME: &'static str;
    /// Threads per block on the GPU.
    const THREADS: u32;
    /// The PTX that holds the entry point.
    #[cfg(not(target_arch = "nvptx64"))]
    const MODULE: &'static PtxModule;
    /// The work of one block.
    fn run(self, block: &Block);
    /// Carves the shared memory of the largest block of the launch; the host measures it.
    fn carve(&self, arena: &Arena);
}

/// The parameter of an entry point.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Launch<K> {
    /// The kernel's own arguments.
    pub kernel: K,
    /// Where the blocks of this launch record what went wrong.
    pub status: Status,
}

/// The PTX of one kernel crate. A kernel crate has one, named `PTX`, at its root.
#[cfg(not(target_arch = "nvptx64"))]
#[derive(Debug)]
pub struct PtxModule {
    /// Name of the crate, for messages.
    pub name: &'static str,
    /// The PTX text.
    pub text: &'static str,
}
