//! Machines: where kernels run and buffers live.
mod buffer;
mod cards;
mod choice;
#[cfg(feature = "cuda")]
mod code;
mod cpu;
#[cfg_attr(not(feature = "cuda"), path = "no_cuda.rs")]
mod cuda;
mod foreign;
mod free;
mod host_buffer;
mod loading;
#[cfg(feature = "cuda")]
mod ptx;
#[cfg(feature = "cuda")]
mod staging;
mod text;
mod timing;
mod watch;

pub use buffer::Buffer;
#[cfg(test)]
pub(crate) use cards::part;
pub use cards::{Cards, Sharing};
pub use choice::DeviceChoice;
pub use foreign::{CudaHandles, MemoryAddress};
pub use free::FreeMemory;
pub use host_buffer::HostBuffer;
pub use loading::Loading;
pub use text::{TextArgument, TextKernel};
pub use timing::Timing;
pub use watch::Watch;

use crate::{Error, Result};
use bytemuck::Pod;
use ribbonmesh_device::launch::{
    self, ArgumentProblem, EachLaunchable, Launchable, Lowering, MachineId, OverElements,
};
use ribbonmesh_device::{AnyKernel, Fault, FaultKind, Kernel, KernelEntry, Status, StatusCode, tiles};
use std::sync::{Arc, Mutex};

/// A machine that runs kernels: the CPU with a pool of threads, or an NVIDIA GPU. Cheap to clone.
///
/// Work on a device is executed in the order of the calls. On a GPU, launches return before the work is done;
/// [`Buffer::read`] and [`Device::synchronize`] wait, and return errors of earlier kernels.
///
/// Any number of threads may use a device at the same time. On the CPU a launch runs before it returns, and
/// returns the errors of its own blocks alone. On a GPU all launches share a stream and a record of errors,
/// which keeps the first one: whichever thread waits first gets it, so that threads that want their own
/// errors take turns, each of which ends with [`Device::synchronize`].
#[derive(Clone)]
pub struct Device(Arc<Inner>);

struct Inner {
    machine: Machine,
    /// Names of the kernels launched so far; a launch's number in the status record is its place here.
    kernels: Mutex<Vec<&'static str>>,
    why_not_cuda: Option<String>,
    /// The memory to which its buffers belong.
    memory: MachineId,
    /// Kernels from texts of PTX.
    texts: Arc<Mutex<text::Texts>>,
}
enum Machine {
    Cpu(cpu::Cpu),
    Cuda(Box<cuda::Cuda>),
}

/// Kind of a [`Device`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeviceKind {
    /// The CPU.
    Cpu,
    /// An NVIDIA GPU.
    Cuda,
}
impl DeviceKind {
    /// `cpu` or `cuda`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Cpu => "cpu",
            Self::Cuda => "cuda",
        }
    }
}

impl Device {
    fn new(machine: Machine, why_not_cuda: Option<String>) -> Self {
        let memory = match &machine {
            Machine::Cpu(_) => MachineId::HOST,
            Machine::Cuda(_) => MachineId::unique(),
        };
        let (kernels, texts) = Default::default();
        Self(Arc::new(Inner { machine, kernels, why_not_cuda, memory, texts }))
    }
    /// The CPU with one thread per core.
    pub fn cpu() -> Self {
        Self::new(Machine::Cpu(cpu::Cpu::shared()), None)
    }
    /// The CPU with its own pool of `threads` threads.
    /// # Errors
    /// [`Error::Option`] for 0 threads, [`Error::Threads`] if the pool cannot be created.
    pub fn cpu_with_threads(threads: usize) -> Result<Self> {
        Ok(Self::new(Machine::Cpu(cpu::Cpu::with_threads(threads)?), None))
    }
    /// The `ordinal`-th NVIDIA GPU.
    /// # Errors
    /// [`Error::NoDriver`], [`Error::NoSuchDevice`], or errors of the driver; [`Error::BuiltWithoutCuda`]
    /// without this crate's feature `cuda`.
    pub fn cuda(ordinal: usize) -> Result<Self> {
        Ok(Self::new(Machine::Cuda(Box::new(cuda::Cuda::new(ordinal)?)), None))
    }
    /// Several NVIDIA GPUs of this host as one device; a single one is as [`Device::cuda`] opens it.
    ///
    /// Large buffers are in one range of addresses, of which each card has a part, and each card runs a part
    /// of the blocks of a launch, so that it works on the elements that it has. Everything is in the order of
    /// the calls, and results have the same bits as on one card. Blocks that wait for each other
    /// ([`Device::launch_resident`]) do so across cards. Texts of PTX, small launches and small buffers are
    /// on the first card; [`Device::sharing`] counts the launches.
    /// # Errors
    /// As [`Device::cuda`]; [`Error::CardsApart`] for cards
    /// of different kinds, or that cannot use each other's memory. A launch is [`Error::OneCardOnly`] for a
    /// kernel that cannot be shared.
    pub fn cards(cards: &Cards) -> Result<Self> {
        Ok(Self::new(Machine::Cuda(Box::new(cuda::Cuda::with_cards(cards)?)), None))
    }
    /// The NVIDIA GPUs of these ordinals as one device: [`Device::cards`].
    /// # Errors
    /// As [`Cards::of`] and [`Device::cards`].
    pub fn cuda_cards(ordinals: &[usize]) -> Result<Self> {
        Self::cards(&Cards::of(ordinals)?)
    }
    /// All NVIDIA GPUs of this host as one device: [`Device::cards`].
    /// # Errors
    /// As [`Device::cards`].
    pub fn cuda_all() -> Result<Self> {
        Self::cards(&Cards::all())
    }
    /// The CPU as if it were several cards, for tests: the blocks of a launch run in as many parts as
    /// [`Device::cards`] makes, the last part first.
    pub fn cpu_as_cards(cards: usize) -> Self {
        Self::new(Machine::Cpu(cpu::Cpu::as_cards(cards.max(1))), None)
    }
    /// One NVIDIA GPU as if it were several cards, for tests: a stream for each part of a launch, and memory
    /// in as many parts. Even the smallest launches are shared, and all but the smallest buffers; resident
    /// launches are not, since their blocks would have to be on the one GPU together.
    /// # Errors
    /// As [`Device::cuda`]; [`Error::CardsApart`] if the driver cannot map memory.
    pub fn cuda_as_cards(ordinal: usize, cards: usize) -> Result<Self> {
        Ok(Self::new(Machine::Cuda(Box::new(cuda::Cuda::as_cards(ordinal, cards)?)), None))
    }
    /// How a device of several cards has shared its launches so far; `None` for one card, and for the CPU.
    pub fn sharing(&self) -> Option<Sharing> {
        match &self.0.machine {
            Machine::Cpu(_) => None,
            Machine::Cuda(m) => m.sharing(),
        }
    }
    /// The first NVIDIA GPU if there is one, else the CPU; [`Device::why_not_cuda`] then gives the reason.
    pub fn auto() -> Self {
        Self::cuda(0).unwrap_or_else(|e| Self::new(Machine::Cpu(cpu::Cpu::shared()), Some(e.to_string())))
    }
    /// Why [`Device::auto`] returned the CPU; `None` for other devices.
    pub fn why_not_cuda(&self) -> Option<&str> {
        self.0.why_not_cuda.as_deref()
    }
    /// CPU or NVIDIA GPU.
    pub fn kind(&self) -> DeviceKind {
        match &self.0.machine {
            Machine::Cpu(_) => DeviceKind::Cpu,
            Machine::Cuda(_) => DeviceKind::Cuda,
        }
    }
    /// A name for people: `CPU, 8 threads`, `CUDA:0 NVIDIA H100 80GB HBM3`, `CUDA:0-1 2 × NVIDIA H200`.
    pub fn name(&self) -> String {
        match &self.0.machine {
            Machine::Cpu(m) => m.name(),
            Machine::Cuda(m) => m.name(),
        }
    }
    /// The kernels that have been loaded so far, and the time it took; none on the CPU.
    pub fn loading(&self) -> Loading {
        match &self.0.machine {
            Machine::Cpu(_) => Loading::default(),
            Machine::Cuda(m) => m.loading(),
        }
    }
    /// Bytes of shared memory that a block can have.
    pub fn shared_memory_limit(&self) -> u64 {
        match &self.0.machine {
            Machine::Cpu(_) => cpu::SHARED_LIMIT,
            Machine::Cuda(m) => m.shared_limit(),
        }
    }
    /// The memory that is free: on a GPU what the driver has, and what this process keeps for its next
    /// buffers; on the CPU what the system has, or the process's control group. `None` if this cannot be
    /// found out.
    pub fn free_memory(&self) -> Option<FreeMemory> {
        match &self.0.machine {
            Machine::Cpu(_) => free::of_host(),
            Machine::Cuda(m) => m.free_memory(),
        }
    }
    /// Refuses work that needs more memory than is free. `count` and `what` say what needs it.
    /// # Errors
    /// [`Error::WouldNotFit`] with these numbers.
    pub fn check_room(&self, count: u64, what: &'static str, needed: u64) -> Result<()> {
        match self.free_memory() {
            Some(FreeMemory { free, total }) if needed > free => {
                Err(Error::WouldNotFit { count, what, needed, free, total })
            }
            _ => Ok(()),
        }
    }
    /// Number of multiprocessors of a GPU, of one of several cards, or of threads in a CPU's pool.
    pub fn multiprocessors(&self) -> u32 {
        match &self.0.machine {
            Machine::Cpu(m) => m.threads() as u32,
            Machine::Cuda(m) => m.multiprocessors(),
        }
    }
    /// Runs `f` in the thread pool of this device, which rayon's functions in `f` then use: the device's pool
    /// on the CPU, rayon's global pool for a GPU.
    pub fn install<R: Send>(&self, f: impl FnOnce() -> R + Send) -> R {
        let (mut f, mut result) = (Some(f), None);
        // by address, so that it is compiled once
        let work: &mut (dyn FnMut() + Send) = &mut || result = f.take().map(|f| f());
        match &self.0.machine {
            Machine::Cpu(m) => m.install(work),
            Machine::Cuda(_) => work(),
        }
        result.unwrap_or_else(|| unreachable!("the pool has run it, or panicked"))
    }
    /// The memory to which its buffers belong: two devices of the CPU share theirs.
    pub(crate) fn memory(&self) -> MachineId {
        self.0.memory
    }
    /// Whether both are the same device.
    pub fn same(&self, other: &Device) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// The number of cards that share a launch of so many blocks.
    pub(crate) fn cards_of(&self, blocks: u32) -> u32 {
        match &self.0.machine {
            Machine::Cpu(m) => m.cards().min(blocks as usize).max(1) as u32,
            Machine::Cuda(m) => m.cards_of(blocks),
        }
    }
    /// Launches `blocks` blocks of a kernel, with the shared memory and the number of threads that the kernel
    /// declares. `arguments` is the struct that [`kernel`](crate::device::kernel) generates for the host.
    /// With 0 blocks, the arguments are only checked.
    ///
    /// Checking the arguments takes well below a microsecond.
    /// # Errors
    /// [`Error::Argument`] for an argument of another device or mesh, or for a broken requirement of the
    /// kernel; [`Error::SharedMemory`]; errors of the driver. The next call that waits returns errors inside
    /// the kernel; on the CPU this call does.
    pub fn launch<L: Launchable>(&self, blocks: u32, arguments: L) -> Result<()> {
        self.launch_with_threads(blocks, L::Kernel::THREADS, arguments)
    }
    /// The same on all cards, even if the blocks are few: for kernels that take long in spite of that.
    pub(crate) fn launch_on_all<L: Launchable>(&self, blocks: u32, arguments: L) -> Result<()> {
        let mut lowering = self.lowering(std::ptr::null_mut());
        let kernel = arguments.lower(&mut lowering);
        checked(&kernel, lowering)?;
        // SAFETY: as in `launch_with_threads`.
        unsafe { self.launch_weighed(blocks, L::Kernel::THREADS, &kernel, u32::MAX) }
    }
    /// Launches a kernel whose first argument is [`Each`](crate::device::Each) for `count` elements, with a
    /// block for each tile of them.
    /// # Errors
    /// As [`Device::launch`].
    pub fn launch_each<L: EachLaunchable>(&self, count: u32, arguments: L) -> Result<()> {
        self.launch(tiles(count), OverElements { count, kernel: arguments })
    }
    /// As [`Device::launch`], with another number of threads per block on the GPU.
    /// # Errors
    /// As [`Device::launch`]; [`Error::Option`] unless `threads` is a multiple of 32 from 32 to 1024.
    pub fn launch_with_threads<L: Launchable>(&self, blocks: u32, threads: u32, arguments: L) -> Result<()> {
        let mut lowering = self.lowering(std::ptr::null_mut());
        let kernel = arguments.lower(&mut lowering);
        // SAFETY: the arguments were lowered for this machine, and are borrowed until the work is queued; the
        // device's one stream orders it before everything that follows.
        unsafe { self.launch_lowered(blocks, threads, &kernel, lowering) }
    }
    /// Launches a kernel with unchecked arguments, for libraries with views of their own memory.
    /// # Safety
    /// Every view in `kernel` points to memory of this device that stays allocated until the launch has
    /// finished, or is freed in the order of the device's stream. Nothing else uses memory that the kernel
    /// writes until then. The arguments satisfy the kernel's requirements. The kernel can run with `threads`
    /// threads per block.
    /// # Errors
    /// As [`Device::launch`], without [`Error::Argument`].
    pub unsafe fn launch_raw(&self, blocks: u32, threads: u32, kernel: &dyn AnyKernel) -> Result<()> {
        // SAFETY: by this function's contract.
        unsafe { self.launch_weighed(blocks, threads, kernel, blocks) }
    }
    /// The same; cards share it as if it had `weight` blocks.
    /// # Safety
    /// As [`Device::launch_raw`].
    unsafe fn launch_weighed(
        &self,
        blocks: u32,
        threads: u32,
        kernel: &dyn AnyKernel,
        weight: u32,
    ) -> Result<()> {
        if blocks == 0 {
            return Ok(());
        }
        watch::pass()?;
        let needed = self.shared_memory(kernel)?;
        let number = self.number(kernel.entry().name);
        match &self.0.machine {
            Machine::Cpu(m) => {
                // SAFETY: by this function's contract.
                let done = unsafe { m.launch(blocks, threads, needed, number, kernel) };
                self.done(kernel, done)
            }
            // SAFETY: by this function's contract.
            Machine::Cuda(m) => unsafe { m.launch((blocks, weight), threads, needed, number, kernel) },
        }
    }
    /// Launches a kernel whose arguments were lowered.
    /// # Safety
    /// As [`Device::launch_raw`], for arguments that `lowering` finds no problem with.
    unsafe fn launch_lowered(
        &self,
        blocks: u32,
        threads: u32,
        kernel: &dyn AnyKernel,
        lowering: Lowering,
    ) -> Result<()> {
        if threads == 0 || threads > 1024 || !threads.is_multiple_of(32) {
            let expected = "a multiple of 32 from 32 to 1024";
            return Err(Error::Option { option: "threads", value: threads.to_string(), expected });
        }
        checked(kernel, lowering)?;
        // SAFETY: by this function's contract.
        unsafe { self.launch_raw(blocks, threads, kernel) }
    }
    /// Launches as many blocks of a kernel as run at the same time, at most `most`, so that the blocks can
    /// wait for each other with [`Block::grid_sync`]. Returns the number of blocks. The kernel has an
    /// argument of type [`Grid`](crate::device::Grid), for which the host passes
    /// [`GridArgument::default`](crate::device::GridArgument). With `most` 0 nothing is launched.
    ///
    /// On a GPU this is a cooperative launch: the number of blocks is the occupancy of the kernel, with its
    /// threads and shared memory, times the number of multiprocessors. On the CPU it is one block, on one
    /// thread. To use all cores of a CPU, write each phase between barriers as a function, and launch a
    /// separate kernel for each phase there.
    ///
    /// [`Block::grid_sync`]: crate::device::Block::grid_sync
    /// # Errors
    /// As [`Device::launch`].
    pub fn launch_resident<L: Launchable>(&self, most: u32, arguments: L) -> Result<u32> {
        let barrier = match &self.0.machine {
            Machine::Cpu(_) => std::ptr::null_mut(),
            Machine::Cuda(m) => m.barrier(),
        };
        let mut lowering = self.lowering(barrier);
        let kernel = arguments.lower(&mut lowering);
        // SAFETY: as in `launch_with_threads`.
        unsafe { self.launch_resident_lowered(most, &kernel, lowering) }
    }
    /// Launches a kernel whose arguments were lowered, with as many blocks as run at the same time.
    /// # Safety
    /// As [`Device::launch_lowered`].
    unsafe fn launch_resident_lowered(
        &self,
        most: u32,
        kernel: &dyn AnyKernel,
        lowering: Lowering,
    ) -> Result<u32> {
        checked(kernel, lowering)?;
        if most == 0 {
            return Ok(0);
        }
        watch::pass()?;
        let needed = self.shared_memory(kernel)?;
        let KernelEntry { name, threads, .. } = kernel.entry();
        let number = self.number(name);
        match &self.0.machine {
            Machine::Cpu(m) => {
                // SAFETY: by this function's contract.
                let done = unsafe { m.launch(1, threads, needed, number, kernel) };
                self.done(kernel, done)?;
                Ok(1)
            }
            // SAFETY: by this function's contract.
            Machine::Cuda(m) => unsafe { m.launch_resident(most, needed, number, kernel) },
        }
    }
    /// Checks of arguments. `barrier` is this machine's, or null.
    fn lowering(&self, barrier: *mut u32) -> Lowering {
        // SAFETY: the machine's own word lives as long as it; launches of one stream follow each other.
        unsafe { Lowering::new(self.0.memory, barrier) }
    }
    /// Converts the outcome of a launch on the CPU to a result.
    fn done(
        &self,
        kernel: &dyn AnyKernel,
        (fault, status): (Option<Fault>, [u32; Status::WORDS]),
    ) -> Result<()> {
        let Some(Fault { kind, block, at }) = fault else { return self.check(status) };
        let name = kernel.entry().name;
        Err(match kind {
            FaultKind::OutOfBounds { index, len, base } => Error::OutOfBounds {
                kernel: name,
                block,
                argument: base.and_then(|base| kernel.argument_at(base)),
                shared: base.is_none(),
                index,
                len,
                at,
            },
            FaultKind::Unreadable { base } => {
                let error = launch::of_argument(kernel, Some(base), ArgumentProblem::Unreadable { at });
                Error::Argument { kernel: name, error }
            }
            FaultKind::Misaligned { base, alignment } => {
                let problem = ArgumentProblem::Misaligned { alignment, at };
                Error::Argument { kernel: name, error: launch::of_argument(kernel, Some(base), problem) }
            }
            FaultKind::Nested { call } => Error::NestedCollective { kernel: name, block, call, at },
        })
    }
    /// Bytes of shared memory that a block of `kernel` needs, if the machine has them.
    fn shared_memory(&self, kernel: &dyn AnyKernel) -> Result<u32> {
        let name = kernel.entry().name;
        let wrong = |error| Error::Argument { kernel: name, error };
        let needed = launch::shared_memory(kernel).map_err(wrong)?;
        let limit = self.shared_memory_limit();
        if needed > limit {
            return Err(Error::SharedMemory { kernel: name, needed, limit });
        }
        Ok(needed as u32)
    }
    fn number(&self, name: &'static str) -> u32 {
        let mut kernels = self.0.kernels.lock().unwrap_or_else(|e| e.into_inner());
        let found = kernels.iter().position(|k| std::ptr::eq(*k, name));
        found.unwrap_or_else(|| {
            kernels.push(name);
            kernels.len() - 1
        }) as u32
    }
    /// Waits until all work is done.
    /// # Errors
    /// [`Error::Kernel`] if a kernel recorded an error; errors of the driver.
    pub fn synchronize(&self) -> Result<()> {
        match &self.0.machine {
            Machine::Cpu(_) => Ok(()),
            Machine::Cuda(m) => self.check(m.take_status()?),
        }
    }
    fn check(&self, status: [u32; Status::WORDS]) -> Result<()> {
        let [code, launch, block, first, second] = status;
        if code == StatusCode::Ok as u32 {
            return Ok(());
        }
        let kernels = self.0.kernels.lock().unwrap_or_else(|e| e.into_inner());
        let kernel = kernels.get(launch as usize).copied().unwrap_or("unknown");
        if code == StatusCode::Index as u32 {
            return Err(Error::Index { kernel, place: first, index: second });
        }
        let what = match code {
            c if c == StatusCode::SharedMemory as u32 => "needs more shared memory than the launch gave it",
            c if c == StatusCode::Capacity as u32 => "a list is too short",
            c if c == StatusCode::PerThread as u32 => {
                "keeps more values per thread than `per_thread` was told"
            }
            c if c == StatusCode::NotEdgeManifold as u32 => {
                "asks a query for edge-manifold meshes on one that is not: `requires(mesh.edge_manifold() == true)`, or `EfRows`"
            }
            c if c == StatusCode::Stalled as u32 => "waited too long for other blocks",
            _ => "status of the application",
        };
        Err(Error::Kernel { kernel, block, what, code, first, second })
    }

    /// A buffer of `len` elements, all bytes zero.
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub fn zeros<T: Pod>(&self, len: usize) -> Result<Buffer<T>> {
        Buffer::zeros(self, len)
    }
    /// A buffer of `len` zeros, or of more where several cards would have no parts of so few: for what the
    /// blocks of a launch use each by itself, [`Block::reduce_blocks`](crate::device::Block::reduce_blocks).
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub fn zeros_on_all_cards<T: Pod>(&self, len: usize) -> Result<Buffer<T>> {
        self.zeros(self.on_all_cards::<T>(len))
    }
    /// So many elements, or as many more as it takes for each of several cards to have a part of them.
    pub(crate) fn on_all_cards<T>(&self, len: usize) -> usize {
        let least = match &self.0.machine {
            Machine::Cpu(_) => 0,
            Machine::Cuda(m) => m.least_shared_bytes(),
        };
        len.max(least.div_ceil(size_of::<T>().max(1)))
    }
    /// A buffer of `len` zeros. Several cards have equal parts of its first `used` elements, and of the rest,
    /// which is room for others.
    pub(crate) fn zeros_with_room<T: Pod>(&self, used: usize, len: usize) -> Result<Buffer<T>> {
        Buffer::zeros_with_room(self, used, len)
    }
    /// A buffer of `len` elements with unspecified contents, for buffers that a kernel overwrites completely:
    /// saves the time to clear it.
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub fn unspecified<T: Pod>(&self, len: usize) -> Result<Buffer<T>> {
        Buffer::unspecified(self, len)
    }
    /// A buffer with the elements of `data`.
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub fn upload<T: Pod>(&self, data: &[T]) -> Result<Buffer<T>> {
        Buffer::upload(self, data)
    }
}

/// Reports what is wrong with the arguments of a kernel.
fn checked(kernel: &dyn AnyKernel, lowering: Lowering) -> Result<()> {
    lowering.finish().map_err(|error| Error::Argument { kernel: kernel.entry().name, error })
}

impl std::fmt::Debug for Device {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Device({})", self.name())
    }
}
