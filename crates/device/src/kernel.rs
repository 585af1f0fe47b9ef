//! The trait of kernels, on both machines.
use crate::{Arena, Block, Status};

/// A kernel with its arguments as the kernel gets them. [`crate::kernel`] writes the implementations.
///
/// The struct is `repr(C)` and is the kernel's only parameter, so the two sides agree by type. The host does
/// not fill it: it fills the struct of the same kernel that borrows buffers, `Launchable`, which becomes this
/// one when the kernel is launched.
///
/// # Safety
/// The struct is `repr(C)` and holds plain numbers and views only. `NAME` is the entry point of `MODULE` that
/// takes [`Launch`]`<'_, Self>`, and `THREADS` a number of threads that it can run with.
pub unsafe trait Kernel: Copy + Send + Sync {
    /// Name of the entry point.
    const NAME: &'static str;
    /// Threads per block on the GPU.
    const THREADS: u32;
    /// The memory layout of the parameter, which the PTX also states.
    const LAYOUT: u64;
    /// The PTX that holds the entry point.
    #[cfg(not(target_arch = "nvptx64"))]
    const MODULE: &'static PtxModule;
    /// The work of one block.
    /// # Safety
    /// The views lead to memory of the machine that runs this, alive, and not written by anything else
    /// meanwhile.
    unsafe fn run(self, block: &Block);
    /// Carves the shared memory of the largest block of the launch; the host measures it. It does not read
    /// the memory behind views.
    fn carve(&self, arena: &Arena);
    /// The argument whose memory has this address.
    #[cfg(not(target_arch = "nvptx64"))]
    fn argument_at(&self, address: usize) -> Option<&'static str>;
}

/// A kernel with its arguments, of whatever type: what a launch needs of it. Checks and launches are compiled
/// once for all kernels, and the body of a kernel once.
///
/// # Safety
/// It is a [`Kernel`]: no other type implements it.
#[cfg(not(target_arch = "nvptx64"))]
pub unsafe trait AnyKernel: Send + Sync {
    /// Its entry point.
    fn entry(&self) -> KernelEntry;
    /// The work of one block.
    /// # Safety
    /// As [`Kernel::run`].
    unsafe fn run(&self, block: &Block);
    /// As [`Kernel::carve`].
    fn carve(&self, arena: &Arena);
    /// As [`Kernel::argument_at`].
    fn argument_at(&self, address: usize) -> Option<&'static str>;
    /// Calls `launch` with the address of the entry point's parameter, which lives during the call.
    fn with_parameter(&self, status: Status<'_>, launch: &mut dyn FnMut(*const ()));
}
// SAFETY: a kernel.
#[cfg(not(target_arch = "nvptx64"))]
unsafe impl<K: Kernel> AnyKernel for K {
    fn entry(&self) -> KernelEntry {
        KernelEntry { name: K::NAME, threads: K::THREADS, layout: K::LAYOUT, module: K::MODULE }
    }
    unsafe fn run(&self, block: &Block) {
        // SAFETY: the same contract.
        unsafe { Kernel::run(*self, block) }
    }
    fn carve(&self, arena: &Arena) {
        Kernel::carve(self, arena);
    }
    fn argument_at(&self, address: usize) -> Option<&'static str> {
        Kernel::argument_at(self, address)
    }
    fn with_parameter(&self, status: Status<'_>, launch: &mut dyn FnMut(*const ())) {
        let parameter = Launch { kernel: *self, status };
        launch((&raw const parameter).cast());
    }
}

/// The constants of a [`Kernel`].
#[cfg(not(target_arch = "nvptx64"))]
#[derive(Clone, Copy, Debug)]
pub struct KernelEntry {
    /// [`Kernel::NAME`].
    pub name: &'static str,
    /// [`Kernel::THREADS`].
    pub threads: u32,
    /// [`Kernel::LAYOUT`].
    pub layout: u64,
    /// [`Kernel::MODULE`].
    pub module: &'static PtxModule,
}

/// A type that is an argument of a kernel with types.
#[doc(hidden)]
#[cfg(not(target_arch = "nvptx64"))]
pub trait KernelArgument: crate::layout::Layout + crate::Parameter {}
#[cfg(not(target_arch = "nvptx64"))]
impl<T: crate::layout::Layout + crate::Parameter> KernelArgument for T {}
#[doc(hidden)]
#[cfg(target_arch = "nvptx64")]
pub trait KernelArgument: crate::layout::Layout {}
#[cfg(target_arch = "nvptx64")]
impl<T: crate::layout::Layout> KernelArgument for T {}

/// The parameter of an entry point.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Launch<'s, K> {
    /// The kernel's own arguments.
    pub kernel: K,
    /// The record in which the blocks of this launch store their errors.
    pub status: Status<'s>,
}

/// The PTX of one kernel crate, made by [`ptx!`](crate::ptx): a static `PTX` at the crate's root.
#[cfg(not(target_arch = "nvptx64"))]
#[derive(Debug)]
pub struct PtxModule {
    /// Name of the crate, for messages.
    pub name: &'static str,
    /// The PTX of each source file with kernels; empty if the kernels were not compiled for the GPU.
    pub files: &'static [PtxFile],
}
#[cfg(not(target_arch = "nvptx64"))]
impl PtxModule {
    /// The module of kernels that run on the CPU alone, such as those of a test.
    pub const fn cpu_only(name: &'static str) -> Self {
        Self { name, files: &[] }
    }

    /// The file with a kernel, and the layout of the kernel's parameter that it states.
    pub fn find(&self, kernel: &str) -> Option<(&'static PtxFile, u64)> {
        self.files.iter().find_map(|file| {
            let i = file.kernels.binary_search_by_key(&kernel, |(name, _)| name).ok()?;
            Some((file, file.kernels[i].1))
        })
    }
}

/// The PTX of the kernels of one source file, compressed.
#[cfg(not(target_arch = "nvptx64"))]
#[derive(Debug)]
pub struct PtxFile {
    /// The hash of the text, which its header states.
    pub hash: &'static str,
    /// The kernels, sorted by name, each with the layout of its parameter ([`Kernel::LAYOUT`]).
    pub kernels: &'static [(&'static str, u64)],
    /// The text in zlib's format.
    pub packed: &'static [u8],
    /// Bytes of the text.
    pub len: usize,
}
