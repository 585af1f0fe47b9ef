//! Machines: where kernels run and buffers live.
mod buffer;
mod cpu;
#[cfg_attr(not(feature = "cuda"), path = "no_cuda.rs")]
mod cuda;
mod timing;

pub use buffer::Buffer;
pub use timing::Timing;

use crate::{Error, Result};
use bytemuck::Pod;
use ribbonmesh_device::{Arena, Grid, Kernel, Launch, Status, StatusCode};
use std::sync::{Arc, Mutex};

/// A machine that runs kernels: the CPU with a pool of threads, or an NVIDIA GPU. Cheap to clone.
///
/// Work on a device is done in the order of the calls. On a GPU, launches return before the work is done;
/// [`Buffer::read`] and [`Device::synchronize`] wait, and report what kernels recorded.
#[derive(Clone)]
pub struct Device(Arc<Inner>);

struct Inner {
    machine: Machine,
    /// Names of the kernels launched so far; a launch's number in the status record is its place here.
    kernels: Mutex<Vec<&'static str>>,
    why_not_cuda: Option<String>,
}
enum Machine {
    Cpu(cpu::Cpu),
    Cuda(Box<cuda::Cuda>),
}

/// Which kind of machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeviceKind {
    /// The CPU.
    Cpu,
    /// An NVIDIA GPU.
    Cuda,
}

impl Device {
    fn new(machine: Machine, why_not_cuda: Option<String>) -> Self {
        Self(Arc::new(Inner { machine, kernels: Mutex::default(), why_not_cuda }))
    }
    /// The CPU with one thread per core.
    pub fn cpu() -> Self {
        Self::new(Machine::Cpu(cpu::Cpu::shared()), None)
    }
    /// The CPU with its own pool of `threads` threads.
    /// # Errors
    /// [`Error::Option`] for 0 threads, [`Error::Threads`] when the pool cannot be made.
    pub fn cpu_with_threads(threads: usize) -> Result<Self> {
        Ok(Self::new(Machine::Cpu(cpu::Cpu::with_threads(threads)?), None))
    }
    /// The `ordinal`-th NVIDIA GPU.
    /// # Errors
    /// [`Error::NoDriver`], [`Error::NoSuchDevice`], or what the driver says; [`Error::BuiltWithoutCuda`] without this
    /// crate's feature `cuda`.
    pub fn cuda(ordinal: usize) -> Result<Self> {
        Ok(Self::new(Machine::Cuda(Box::new(cuda::Cuda::new(ordinal)?)), None))
    }
    /// The first NVIDIA GPU where there is one, else the CPU; [`Device::why_not_cuda`] then says why.
    pub fn auto() -> Self {
        Self::cuda(0).unwrap_or_else(|e| Self::new(Machine::Cpu(cpu::Cpu::shared()), Some(e.to_string())))
    }
    /// Why [`Device::auto`] took the CPU.
    pub fn why_not_cuda(&self) -> Option<&str> {
        self.0.why_not_cuda.as_deref()
    }
    /// Which kind of machine this is.
    pub fn kind(&self) -> DeviceKind {
        match &self.0.machine {
            Machine::Cpu(_) => DeviceKind::Cpu,
            Machine::Cuda(_) => DeviceKind::Cuda,
        }
    }
    /// The machine in words: `CPU, 8 threads`, `CUDA:0 NVIDIA H100 80GB HBM3`.
    pub fn name(&self) -> String {
        match &self.0.machine {
            Machine::Cpu(m) => m.name(),
            Machine::Cuda(m) => m.name(),
        }
    }
    /// Seconds spent so far on compiling PTX for the GPU; 0 on the CPU.
    pub fn jit_seconds(&self) -> f64 {
        match &self.0.machine {
            Machine::Cpu(_) => 0.0,
            Machine::Cuda(m) => m.jit_seconds(),
        }
    }
    /// Bytes of shared memory that a block can have.
    pub fn shared_memory_limit(&self) -> u64 {
        match &self.0.machine {
            Machine::Cpu(_) => cpu::SHARED_LIMIT,
            Machine::Cuda(m) => m.shared_limit(),
        }
    }
    /// What runs blocks at the same time: the multiprocessors of a GPU, the threads of a CPU's pool.
    pub fn multiprocessors(&self) -> u32 {
        match &self.0.machine {
            Machine::Cpu(m) => m.threads() as u32,
            Machine::Cuda(m) => m.multiprocessors(),
        }
    }
    /// Runs `f` where parallel host code uses this device's threads: all of the pool's on the CPU, rayon's global
    /// pool otherwise.
    pub fn install<R: Send>(&self, f: impl FnOnce() -> R + Send) -> R {
        match &self.0.machine {
            Machine::Cpu(m) => m.install(f),
            Machine::Cuda(_) => f(),
        }
    }
    /// Whether both are the same machine.
    pub fn same(&self, other: &Device) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Launches `blocks` blocks of `kernel`, with the shared memory that it measures and its own number of threads.
    /// No blocks: nothing happens.
    /// # Errors
    /// [`Error::SharedMemory`], or what the driver says. What goes wrong inside the kernel is reported by the next
    /// call that waits.
    pub fn launch<K: Kernel>(&self, blocks: u32, kernel: K) -> Result<()> {
        self.launch_with_threads(blocks, K::THREADS, kernel)
    }
    /// As [`Device::launch`], with another number of threads per block on the GPU (a multiple of 32).
    /// # Errors
    /// As [`Device::launch`].
    pub fn launch_with_threads<K: Kernel>(&self, blocks: u32, threads: u32, kernel: K) -> Result<()> {
        if blocks == 0 {
            return Ok(());
        }
        let needed = self.shared_memory(&kernel)?;
        let number = self.number(K::NAME);
        match &self.0.machine {
            Machine::Cpu(m) => {
                m.launch(blocks, needed, number, kernel);
                self.check(m.take_status())
            }
            Machine::Cuda(m) => m.launch(blocks, threads, needed, number, kernel),
        }
    }
    /// Launches as many blocks of `kernel` as run at the same time, at most `most`, so that they can wait for each
    /// other with [`Block::grid_sync`]; returns their number. The kernel's argument of type [`Grid`] is what `kernel`
    /// is called with. `most` 0: nothing happens.
    ///
    /// On a GPU this is a cooperative launch: the number of blocks is the occupancy of the kernel, with its threads and
    /// shared memory, times the number of multiprocessors. On the CPU it is one block, on one thread: where a
    /// program is to use all cores there, it launches the phases between the barriers one by one, as kernels of their
    /// own that share the phases' functions.
    ///
    /// [`Block::grid_sync`]: crate::device::Block::grid_sync
    /// # Errors
    /// As [`Device::launch`].
    pub fn launch_resident<K: Kernel>(&self, most: u32, kernel: impl FnOnce(Grid) -> K) -> Result<u32> {
        if most == 0 {
            return Ok(0);
        }
        let barrier = match &self.0.machine {
            Machine::Cpu(_) => std::ptr::null_mut(),
            Machine::Cuda(m) => m.barrier(),
        };
        // SAFETY: the device's own word lives as long as it; launches of one stream follow each other; a single block
        // on the CPU does not touch it.
        let kernel = kernel(unsafe { Grid::new(barrier) });
        let needed = self.shared_memory(&kernel)?;
        let number = self.number(K::NAME);
        match &self.0.machine {
            Machine::Cpu(m) => {
                m.launch(1, needed, number, kernel);
                self.check(m.take_status())?;
                Ok(1)
            }
            Machine::Cuda(m) => m.launch_resident(most, needed, number, kernel),
        }
    }
    /// Bytes of shared memory that a block of `kernel` needs, if the machine has them.
    fn shared_memory<K: Kernel>(&self, kernel: &K) -> Result<u32> {
        let needed = Arena::measure(|arena| kernel.carve(arena));
        let limit = self.shared_memory_limit();
        if needed > limit {
            return Err(Error::SharedMemory { kernel: K::NAME, needed, limit });
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
    /// [`Error::Kernel`] when a kernel recorded a status, or what the driver says.
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
        let what = match code {
            c if c == StatusCode::SharedMemory as u32 => "needs more shared memory than the launch gave it",
            c if c == StatusCode::Capacity as u32 => "a list is too short",
            c if c == StatusCode::Stalled as u32 => "waited too long for other blocks",
            _ => "status of the application",
        };
        Err(Error::Kernel { kernel, block, what, code, first, second })
    }
    fn wrap<K: Kernel>(kernel: K, words: *const u32, number: u32) -> Launch<K> {
        // SAFETY: both machines hold a record of that length for as long as they live.
        Launch { kernel, status: unsafe { Status::new(words, number) } }
    }

    /// A buffer of `len` elements, all bytes zero.
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub fn zeros<T: Pod>(&self, len: usize) -> Result<Buffer<T>> {
        Buffer::zeros(self, len)
    }
    /// A buffer of `len` elements with any contents, for what a kernel writes in full: saves the time to clear it.
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

impl std::fmt::Debug for Device {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Device({})", self.name())
    }
}
