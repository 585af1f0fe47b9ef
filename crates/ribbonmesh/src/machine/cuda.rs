//! NVIDIA GPUs through the CUDA driver, which is loaded when first asked for. This module, its part `text`
//! and `staging` are the only ones that name cudarc.
mod text;
pub(super) use text::TextFunction;

use super::code::Archive;
use super::foreign::{CudaHandles, Order, Release};
use super::loading::Loading;
use super::ptx;
use super::staging::{self, Small, Staging};
use crate::{Error, Result};
use cudarc::driver::{
    CudaContext, CudaFunction, CudaModule, CudaSlice, CudaStream, DevicePtr, DevicePtrMut, DriverError,
    result, sys,
};
use ribbonmesh_device::{AnyKernel, KernelEntry, PtxFile, PtxModule, Status};
use std::collections::HashMap;
use std::mem::ManuallyDrop;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};
use std::time::Instant;

pub(super) struct Cuda {
    ordinal: usize,
    name: String,
    pub stream: Arc<CudaStream>,
    context: Arc<CudaContext>,
    pub shared_limit: u64,
    pub multiprocessors: u32,
    /// The chip: 90 for `sm_90`.
    chip: u32,
    /// Machine code; empty if kernels are to be compiled.
    archive: &'static Archive<'static>,
    loaded: Mutex<Loaded>,
    /// The status record, and the word of the barrier between blocks.
    status: Mutex<CudaSlice<u32>>,
    status_ptr: u64,
    /// For large copies, once there was one; `None` if pinned memory was refused.
    staging: OnceLock<Option<Mutex<Staging>>>,
    /// For small copies to the host; `None` if pinned memory was refused.
    small: OnceLock<Option<Mutex<Small>>>,
    /// Whether kernels were queued since the status record was last read.
    queued: AtomicBool,
}
#[derive(Default)]
struct Loaded {
    /// The PTX of source files with kernels that were launched, decompressed.
    texts: HashMap<FileKey, Arc<str>>,
    /// Their machine code, where there is some that the driver takes.
    code: HashMap<FileKey, Option<Arc<CudaModule>>>,
    functions: HashMap<(ModuleKey, &'static str), Function>,
    loading: Loading,
}

/// The identity of a crate's kernels: the address of its PTX, since crates of one name, and versions of one
/// crate, have PTX of their own, and none of them gets the code of another.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct ModuleKey(usize);
impl ModuleKey {
    fn of(module: &'static PtxModule) -> Self {
        Self(std::ptr::from_ref(module).addr())
    }
}

/// The identity of the PTX of a source file: its address.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct FileKey(usize);
impl FileKey {
    fn of(file: &'static PtxFile) -> Self {
        Self(std::ptr::from_ref(file).addr())
    }
}

/// An entry point that was loaded.
struct Function {
    function: CudaFunction,
    /// Bytes of shared memory that it may have.
    allowed: u32,
    /// The memory layout of its parameter.
    layout: u64,
}

/// The offset in words of the barrier's word from the status record: in another line of the cache.
const BARRIER: usize = 32;
const _: () = assert!(Status::WORDS <= BARRIER);

/// Memory on the device.
pub(super) struct Memory {
    slice: ManuallyDrop<CudaSlice<u8>>,
    /// The owner's function, for memory that others own.
    release: Option<Release>,
}
impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: taken here alone.
        let slice = unsafe { ManuallyDrop::take(&mut self.slice) };
        if self.release.is_some() {
            // its owner may free it: nothing uses it any more. What fails here fails at the next call, too
            let _ = slice.stream().synchronize();
            slice.leak();
        }
    }
}

/// A call of the driver that queues a launch: function, blocks, threads, shared memory, stream, parameters.
type Launcher = unsafe fn(
    sys::CUfunction,
    (u32, u32, u32),
    (u32, u32, u32),
    u32,
    sys::CUstream,
    &mut [*mut std::ffi::c_void],
) -> std::result::Result<(), DriverError>;

/// Blocks, threads of each, and bytes of shared memory of each.
#[derive(Clone, Copy)]
struct Shape {
    blocks: u32,
    threads: u32,
    shared: u32,
}

fn failed(doing: impl Into<String>) -> impl FnOnce(DriverError) -> Error {
    let doing = doing.into();
    |e| Error::Cuda { doing, message: e.to_string() }
}
fn lock<T>(m: &Mutex<T>) -> MutexGuard<'_, T> {
    m.lock().unwrap_or_else(|e| e.into_inner())
}

/// The machine code to be used: none if `CUDA_FORCE_PTX_JIT` is 1, which has the driver refuse it.
fn archive() -> &'static Archive<'static> {
    let forced = std::env::var_os("CUDA_FORCE_PTX_JIT").is_some_and(|value| value == "1");
    if forced { Archive::empty() } else { Archive::built_in() }
}

impl Cuda {
    pub fn new(ordinal: usize) -> Result<Self> {
        Self::with_archive(ordinal, archive())
    }
    /// The same with machine code of one's own.
    fn with_archive(ordinal: usize, archive: &'static Archive<'static>) -> Result<Self> {
        // SAFETY: only looks whether the library can be loaded; cudarc's calls panic where it cannot.
        if !unsafe { sys::is_culib_present() } {
            return Err(Error::NoDriver);
        }
        result::init().map_err(failed("to start"))?;
        let available = result::device::get_count().map_err(failed("to count the devices"))? as usize;
        if ordinal >= available {
            return Err(Error::NoSuchDevice { ordinal, available });
        }
        let doing = || failed(format!("to open device {ordinal}"));
        let context = CudaContext::new(ordinal).map_err(doing())?;
        // SAFETY: one stream is used, so its order is the order of all work.
        unsafe { context.disable_event_tracking() };
        let stream = context.new_stream().map_err(doing())?;
        keep_freed_memory(&context).map_err(doing())?;
        let name = context.name().map_err(doing())?;
        use sys::CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN as LIMIT;
        let shared_limit = context.attribute(LIMIT).map_err(doing())? as u64;
        let status = stream.alloc_zeros::<u32>(BARRIER + 1).map_err(doing())?;
        let status_ptr = status.device_ptr(&stream).0;
        use sys::CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT as MULTIPROCESSORS;
        let multiprocessors = context.attribute(MULTIPROCESSORS).map_err(doing())? as u32;
        let (major, minor) = context.compute_capability().map_err(doing())?;
        let chip = 10 * major as u32 + minor as u32;
        Ok(Self {
            ordinal,
            name,
            stream,
            context,
            shared_limit,
            multiprocessors,
            chip,
            archive,
            loaded: Mutex::default(),
            status: Mutex::new(status),
            status_ptr,
            staging: OnceLock::new(),
            small: OnceLock::new(),
            queued: AtomicBool::new(false),
        })
    }
    pub fn name(&self) -> String {
        format!("CUDA:{} {}", self.ordinal, self.name)
    }
    pub fn shared_limit(&self) -> u64 {
        self.shared_limit
    }
    pub fn multiprocessors(&self) -> u32 {
        self.multiprocessors
    }
    pub fn loading(&self) -> Loading {
        lock(&self.loaded).loading.clone()
    }
    /// The machine code of a file of PTX, if there is some that this GPU takes.
    fn code(&self, module: &'static PtxModule, file: &'static PtxFile) -> Option<Arc<CudaModule>> {
        let (mut loaded, key) = (lock(&self.loaded), FileKey::of(file));
        if let Some(known) = loaded.code.get(&key) {
            return known.clone();
        }
        let image = self.archive.find(module.name, file.hash, self.chip);
        let found = image.and_then(|image| {
            let taken = |image| self.context.load_module(cudarc::nvrtc::Ptx::from_binary(image));
            let found = image.and_then(|image| taken(image).map_err(|e| e.to_string()));
            found.map_err(|reason| loaded.loading.reject(module.name, &reason)).ok()
        });
        loaded.code.insert(key, found.clone());
        found
    }
    /// The entry point in the machine code of its file, if there is some.
    fn assembled(&self, entry: &KernelEntry, file: &'static PtxFile) -> Option<CudaFunction> {
        let found = self.code(entry.module, file)?.load_function(entry.name);
        let reject = |e: DriverError| lock(&self.loaded).loading.reject(entry.module.name, &e.to_string());
        found.map_err(reject).ok()
    }
    /// The entry point, as the driver compiles it.
    fn compiled(&self, entry: &KernelEntry, file: &'static PtxFile) -> Result<CudaFunction> {
        let (module, kernel) = (entry.module.name, entry.name);
        let stale = || Error::StalePtx { module, kernel };
        let known = lock(&self.loaded).texts.get(&FileKey::of(file)).cloned();
        let text: Arc<str> = match known {
            Some(text) => text,
            None => {
                let text: Arc<str> = ptx::unpack(file).ok_or_else(stale)?.into();
                lock(&self.loaded).texts.insert(FileKey::of(file), text.clone());
                text
            }
        };
        let text = ptx::entry(&text, kernel).ok_or_else(stale)?;
        let loaded = self.context.load_module(cudarc::nvrtc::Ptx::from_src(text)).map_err(|e| {
            if e.0 == sys::CUresult::CUDA_ERROR_UNSUPPORTED_PTX_VERSION {
                let driver = driver_version().unwrap_or_else(|| "unknown version".into());
                return Error::DriverTooOld { driver, module };
            }
            failed(format!("to load the kernel {kernel} of {module}"))(e)
        })?;
        loaded.load_function(kernel).map_err(failed(format!("to find kernel {kernel} in {module}")))
    }
    /// The entry point, from machine code if there is some, else as the driver compiles it.
    fn load(&self, entry: &KernelEntry) -> Result<CudaFunction> {
        let (module, kernel, start) = (entry.module, entry.name, Instant::now());
        if module.files.is_empty() {
            return Err(Error::NoPtx { module: module.name, kernel });
        }
        let stale = || Error::StalePtx { module: module.name, kernel };
        let (file, layout) = module.find(kernel).ok_or_else(stale)?;
        if layout != entry.layout {
            return Err(stale());
        }
        let assembled = self.assembled(entry, file);
        let from_machine_code = assembled.is_some();
        let function = assembled.map_or_else(|| self.compiled(entry, file), Ok)?;
        let loading = &mut lock(&self.loaded).loading;
        *(if from_machine_code { &mut loading.from_machine_code } else { &mut loading.compiled }) += 1;
        loading.seconds += start.elapsed().as_secs_f64();
        Ok(function)
    }
    /// The function of an entry point, allowed to use `shared` bytes.
    fn function(&self, entry: &KernelEntry, shared: u32) -> Result<CudaFunction> {
        let (module, name) = (entry.module, entry.name);
        let key = (ModuleKey::of(module), name);
        let known = lock(&self.loaded)
            .functions
            .get(&key)
            .map(|known| (known.function.clone(), known.allowed, known.layout));
        let f = match known {
            // another kernel of this name in the same crate: the PTX has one of them
            Some((_, _, layout)) if layout != entry.layout => {
                return Err(Error::StalePtx { module: module.name, kernel: name });
            }
            Some((f, allowed, _)) if shared <= allowed => return Ok(f),
            Some((f, ..)) => f,
            None => self.load(entry)?,
        };
        use sys::CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES as SIZE;
        let allowed = shared.max(48 << 10);
        if shared > 48 << 10 {
            f.set_attribute(SIZE, shared as i32).map_err(failed(format!("to give {name} {shared} bytes")))?;
        }
        let known = Function { function: f.clone(), allowed, layout: entry.layout };
        lock(&self.loaded).functions.insert(key, known);
        Ok(f)
    }
    /// Queues a launch.
    /// # Safety
    /// The views of `kernel` lead to memory of this GPU that lives until the launch has been queued, and that
    /// nothing else uses but in the order of the stream.
    pub unsafe fn launch(
        &self,
        blocks: u32,
        threads: u32,
        shared: u32,
        number: u32,
        kernel: &dyn AnyKernel,
    ) -> Result<()> {
        let f = self.function(&kernel.entry(), shared)?;
        // SAFETY: by this function's contract.
        unsafe { self.queue(&f, Shape { blocks, threads, shared }, number, kernel, result::launch_kernel) }
    }
    /// As many blocks as run at the same time, at most `most`; returns their number.
    /// # Safety
    /// As [`Cuda::launch`].
    pub unsafe fn launch_resident(
        &self,
        most: u32,
        shared: u32,
        number: u32,
        kernel: &dyn AnyKernel,
    ) -> Result<u32> {
        let KernelEntry { name, threads, .. } = kernel.entry();
        let f = self.function(&kernel.entry(), shared)?;
        let each = f.occupancy_max_active_blocks_per_multiprocessor(threads, shared as usize, None);
        let each = each.map_err(failed(format!("to ask for the occupancy of {name}")))?;
        let blocks = most.min(each * self.multiprocessors);
        let shape = Shape { blocks, threads, shared };
        // SAFETY: by this function's contract.
        unsafe { self.queue(&f, shape, number, kernel, result::launch_cooperative_kernel)? };
        Ok(blocks)
    }
    /// Queues a launch of `function`, the entry point of `kernel`, by a call of the driver.
    /// # Safety
    /// As [`Cuda::launch`].
    unsafe fn queue(
        &self,
        function: &CudaFunction,
        shape: Shape,
        number: u32,
        kernel: &dyn AnyKernel,
        call: Launcher,
    ) -> Result<()> {
        let doing = || failed(format!("to launch {}", kernel.entry().name));
        self.context.bind_to_thread().map_err(doing())?;
        // SAFETY: the machine's own record, which lives as long as it.
        let status = unsafe { Status::new(self.status_ptr as *const u32, number) };
        let (blocks, threads) = ((shape.blocks, 1, 1), (shape.threads, 1, 1));
        let (function, stream) = (function.cu_function(), self.stream.cu_stream());
        let mut queued = Ok(());
        kernel.with_parameter(status, &mut |parameter| {
            let mut parameters = [parameter.cast_mut().cast()];
            // SAFETY: the entry point takes exactly this struct, which the driver copies; its views are valid
            // by this function's contract.
            queued = unsafe { call(function, blocks, threads, shape.shared, stream, &mut parameters) };
        });
        // behind the call: whoever reads the record in between does not hide what this kernel will record
        self.queued.store(true, Ordering::Release);
        queued.map_err(doing())
    }
    /// The word of the barrier between blocks.
    pub fn barrier(&self) -> *mut u32 {
        (self.status_ptr as *mut u32).wrapping_add(BARRIER)
    }
    /// Waits; returns the record, which is cleared, and the barrier with it.
    pub fn take_status(&self) -> Result<[u32; Status::WORDS]> {
        if !self.queued.swap(false, Ordering::AcqRel) {
            self.stream.synchronize().map_err(failed("while it ran kernels"))?;
            return Ok([0; Status::WORDS]);
        }
        self.take_status_with(0, &mut [])
    }
    /// The same with a copy of a few bytes from an address of the device: one wait for both.
    fn take_status_with(&self, from: u64, data: &mut [u8]) -> Result<[u32; Status::WORDS]> {
        let mut status = lock(&self.status);
        let mut words = [0; Status::WORDS];
        let doing = || failed("while it ran kernels");
        match self.small() {
            Some(small) => {
                let record = (self.status_ptr, bytemuck::cast_slice_mut(&mut words));
                // SAFETY: the machine's own record, and by the callers bytes of this GPU, both used in the
                // order of its stream alone.
                unsafe { lock(small).download(&self.stream, [record, (from, data)]) }.map_err(doing())?;
            }
            None => {
                self.stream.memcpy_dtoh(&status.slice(..Status::WORDS), &mut words).map_err(doing())?;
                self.stream.synchronize().map_err(doing())?;
            }
        }
        if words[0] != 0 {
            self.stream.memset_zeros(&mut *status).map_err(doing())?;
        }
        Ok(words)
    }

    /// The pinned memory for small copies.
    fn small(&self) -> Option<&Mutex<Small>> {
        self.small.get_or_init(|| Small::new(&self.context).ok().map(Mutex::new)).as_ref()
    }
    /// Waits; returns the record as [`Cuda::take_status`], and reads bytes from place `at` on.
    pub fn read_with_status(
        &self,
        memory: &Memory,
        at: usize,
        data: &mut [u8],
    ) -> Result<[u32; Status::WORDS]> {
        let fits = Small::holds([Status::WORDS * size_of::<u32>(), data.len()]);
        if fits && !data.is_empty() && self.small().is_some() {
            let from = memory.slice.slice(at..at + data.len()).device_ptr(&self.stream).0;
            self.queued.store(false, Ordering::Release);
            return self.take_status_with(from, data);
        }
        let status = self.take_status()?;
        if status[0] == 0 {
            self.read(memory, at, data)?;
        }
        Ok(status)
    }

    /// The handles that other libraries need.
    pub fn handles(&self) -> CudaHandles {
        CudaHandles {
            ordinal: self.ordinal,
            context: self.context.cu_ctx().addr(),
            stream: self.stream.cu_stream().addr(),
        }
    }
    /// Memory of others.
    /// # Safety
    /// As `Device::adopt`.
    pub unsafe fn adopt(&self, address: u64, bytes: usize, release: Release) -> Result<Memory> {
        // SAFETY: by this function's contract; dropping the memory does not free it.
        let slice = unsafe { self.stream.upgrade_device_ptr(address, bytes) };
        Ok(Memory { slice: ManuallyDrop::new(slice), release: Some(release) })
    }
    pub fn alloc(&self, bytes: usize) -> Result<Memory> {
        // SAFETY: callers fill the memory, or are documented to return it with any contents.
        let memory = unsafe { self.stream.alloc::<u8>(bytes.max(1)) };
        memory.map(|slice| Memory { slice: ManuallyDrop::new(slice), release: None }).map_err(|e| {
            if e.0 == sys::CUresult::CUDA_ERROR_OUT_OF_MEMORY {
                return super::free::refused(bytes as u64, self.free_memory());
            }
            failed(format!("to allocate {bytes} bytes"))(e)
        })
    }
    /// Free memory of the driver and unused memory of the process's pool.
    pub fn free_memory(&self) -> Option<super::FreeMemory> {
        let (free, total) = self.context.mem_get_info().ok()?;
        let kept = unused_of_pool(&self.context).unwrap_or_default();
        Some(super::FreeMemory { free: free as u64 + kept, total: total as u64 })
    }
    pub fn zero(&self, memory: &mut Memory) -> Result<()> {
        if memory.slice.num_bytes() == 0 {
            return Ok(());
        }
        self.stream.memset_zeros(&mut *memory.slice).map_err(failed("to clear memory"))
    }
    pub fn write(&self, memory: &mut Memory, at: usize, data: &[u8]) -> Result<()> {
        if data.is_empty() {
            return Ok(());
        }
        let mut part = memory.slice.slice_mut(at..at + data.len());
        let doing = failed("to copy to the device");
        if let Some(staging) = self.staging(data.len()) {
            let to = part.device_ptr_mut(&self.stream).0;
            // SAFETY: as many bytes of this GPU, which are used in the order of its stream alone.
            return unsafe { lock(staging).upload(&self.stream, to, data) }.map_err(doing);
        }
        self.stream.memcpy_htod(data, &mut part).map_err(doing)
    }
    /// The staging buffer for copies of `bytes` bytes; `None` if the driver copies them itself.
    fn staging(&self, bytes: usize) -> Option<&Mutex<Staging>> {
        if bytes < staging::LEAST {
            return None;
        }
        self.staging.get_or_init(|| Staging::new(&self.context).ok().map(Mutex::new)).as_ref()
    }
    fn read(&self, memory: &Memory, at: usize, data: &mut [u8]) -> Result<()> {
        if data.is_empty() {
            return Ok(());
        }
        let part = memory.slice.slice(at..at + data.len());
        if let Some(staging) = self.staging(data.len()) {
            let from = part.device_ptr(&self.stream).0;
            // SAFETY: as many bytes of this GPU, which are used in the order of its stream alone.
            let read = unsafe { lock(staging).download(&self.stream, from, data) };
            read.map_err(failed("to copy from the device"))?;
            return self.stream.synchronize().map_err(failed("while it ran kernels"));
        }
        self.stream.memcpy_dtoh(&part, data).map_err(failed("to copy from the device"))?;
        self.stream.synchronize().map_err(failed("while it ran kernels"))
    }
    pub fn copy(&self, from: &Memory, to: &mut Memory, bytes: usize) -> Result<()> {
        if bytes == 0 {
            return Ok(());
        }
        let mut part = to.slice.slice_mut(..bytes);
        let doing = failed("to copy on the device");
        self.stream.memcpy_dtod(&from.slice.slice(..bytes), &mut part).map_err(doing)
    }
    pub fn address(&self, memory: &Memory) -> *const u8 {
        memory.slice.device_ptr(&self.stream).0 as *const u8
    }
    pub fn address_mut(&self, memory: &mut Memory) -> *mut u8 {
        memory.slice.device_ptr_mut(&self.stream).0 as *mut u8
    }
    pub fn event(&self) -> Result<cudarc::driver::CudaEvent> {
        let flags = Some(sys::CUevent_flags::CU_EVENT_DEFAULT);
        self.stream.record_event(flags).map_err(failed("to record an event"))
    }
    /// Has this stream wait for what `other` has been given so far, or `other` for this one.
    /// # Safety
    /// `other` is a stream of this context, or the number of one of its default streams.
    pub unsafe fn order(&self, other: usize, first: Order) -> Result<()> {
        let doing = || failed("to order two streams");
        self.context.bind_to_thread().map_err(doing())?;
        let event = result::event::create(sys::CUevent_flags::CU_EVENT_DISABLE_TIMING).map_err(doing())?;
        let other = std::ptr::with_exposed_provenance_mut(other);
        let own = self.stream.cu_stream();
        let (from, to) = match first {
            Order::Other => (other, own),
            Order::Own => (own, other),
        };
        let flags = sys::CUevent_wait_flags::CU_EVENT_WAIT_DEFAULT;
        // SAFETY: two streams of this context, by this function's contract, and an event that is destroyed
        // once below; the driver keeps it until the wait is over.
        let done = unsafe {
            result::event::record(event, from).and_then(|()| result::stream::wait_event(to, event, flags))
        };
        // SAFETY: as above.
        let destroyed = unsafe { result::event::destroy(event) };
        done.and(destroyed).map_err(doing())
    }
    pub fn seconds_between(
        &self,
        a: &cudarc::driver::CudaEvent,
        b: &cudarc::driver::CudaEvent,
    ) -> Result<f64> {
        self.stream.synchronize().map_err(failed("while it ran kernels"))?;
        Ok(a.elapsed_ms(b).map_err(failed("to read an event"))? as f64 / 1e3)
    }
}

/// Freed memory stays with this process: giving it back at every wait costs more than most kernels.
fn keep_freed_memory(context: &CudaContext) -> std::result::Result<(), DriverError> {
    use sys::CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED as POOLS;
    use sys::CUmemPool_attribute_enum::CU_MEMPOOL_ATTR_RELEASE_THRESHOLD as THRESHOLD;
    if context.attribute(POOLS)? == 0 {
        return Ok(());
    }
    let mut all = u64::MAX;
    // SAFETY: the context's own device has pools, and this attribute is a 64-bit number.
    unsafe {
        let pool = result::device::get_default_mem_pool(context.cu_device())?;
        result::mem_pool::set_attribute(pool, THRESHOLD, (&raw mut all).cast())
    }
}

/// Bytes that the process's pool keeps, and that no buffer has; 0 without a pool.
fn unused_of_pool(context: &CudaContext) -> std::result::Result<u64, DriverError> {
    use sys::CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED as POOLS;
    use sys::CUmemPool_attribute_enum::{
        CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT as RESERVED, CU_MEMPOOL_ATTR_USED_MEM_CURRENT as USED,
    };
    if context.attribute(POOLS)? == 0 {
        return Ok(0);
    }
    let mut of = [0_u64; 2];
    for (attribute, number) in [RESERVED, USED].into_iter().zip(&mut of) {
        // SAFETY: the context's own device has pools, and both attributes are 64-bit numbers.
        unsafe {
            let pool = result::device::get_default_mem_pool(context.cu_device())?;
            result::mem_pool::get_attribute(pool, attribute, (&raw mut *number).cast())?;
        }
    }
    Ok(of[0].saturating_sub(of[1]))
}

fn driver_version() -> Option<String> {
    let mut v = 0;
    // SAFETY: writes one integer.
    let code = unsafe { sys::cuDriverGetVersion(&mut v) };
    (code == sys::CUresult::CUDA_SUCCESS).then(|| format!("CUDA {}.{}", v / 1000, v % 1000 / 10))
}

#[cfg(test)]
mod tests {
    use super::super::{Device, Machine};
    use super::*;
    use crate::array;
    use ribbonmesh_ptx::{MachineCode, machine_code};
    use ribbonmesh_suite::gpu_tests;
    use std::ffi::CString;
    use std::ptr::null_mut;

    /// The first GPU with machine code of an archive.
    fn device(archive: &'static Archive<'static>) -> Device {
        let cuda = Cuda::with_archive(0, archive).expect("a GPU");
        Device::new(Machine::Cuda(Box::new(cuda)), None)
    }
    fn cuda(device: &Device) -> &Cuda {
        let Machine::Cuda(cuda) = &device.0.machine else { panic!("the CPU") };
        cuda
    }
    /// Sums of numbers that are rounded, and places that are counted.
    fn work(device: &Device) -> (u64, Vec<u32>) {
        let numbers: Vec<f32> = (0..100_000).map(|i| (i as f32 * 0.37).sin()).collect();
        let keys: Vec<u32> = (0..50_000).map(|i| i * i % 97).collect();
        let sum = array::sum(&device.upload(&numbers).expect("room")).expect("a sum");
        let groups = array::group_by(&device.upload(&keys).expect("room"), 97).expect("groups");
        (sum.to_bits(), groups.starts().read().expect("numbers"))
    }
    /// The files of PTX with the kernels that a device has launched.
    fn files(device: &Device) -> Vec<&'static PtxFile> {
        let names = device.0.kernels.lock().expect("no panic").clone();
        let mut files: Vec<_> = names.iter().map(|name| crate::PTX.find(name).expect("its file").0).collect();
        files.sort_by_key(|file| file.hash);
        files.dedup_by_key(|file| file.hash);
        files
    }
    /// Machine code of PTX, by the driver's linker.
    fn linked(cuda: &Cuda, file: &PtxFile) -> Vec<u8> {
        let text = CString::new(ptx::unpack(file).expect("whole")).expect("text");
        let bytes = text.as_bytes_with_nul();
        let (mut linker, mut code, mut len) = (null_mut(), null_mut(), 0);
        let kind = sys::CUjitInputType::CU_JIT_INPUT_PTX;
        cuda.context.bind_to_thread().expect("a context");
        // SAFETY: a linker without options, which reads PTX of its length with a zero at its end; the code
        // belongs to the linker, and is copied before that is destroyed.
        unsafe {
            sys::cuLinkCreate_v2(0, null_mut(), null_mut(), &mut linker).result().expect("a linker");
            let data = bytes.as_ptr().cast_mut().cast();
            let name = c"".as_ptr();
            sys::cuLinkAddData_v2(linker, kind, data, bytes.len(), name, 0, null_mut(), null_mut())
                .result()
                .expect("PTX");
            sys::cuLinkComplete(linker, &mut code, &mut len).result().expect("code");
            let copy = std::slice::from_raw_parts(code.cast::<u8>(), len).to_vec();
            sys::cuLinkDestroy(linker).result().expect("no linker");
            copy
        }
    }
    /// An archive of machine code for a chip.
    fn packed(chip: u32, codes: impl Iterator<Item = (&'static PtxFile, Vec<u8>)>) -> Vec<u8> {
        let entry = |(file, code): (&'static PtxFile, Vec<u8>)| MachineCode {
            package: crate::PTX.name.into(),
            text: file.hash.into(),
            chip,
            code,
        };
        machine_code(&codes.map(entry).collect::<Vec<_>>()).expect("written to memory")
    }
    /// An archive that lives as long as the program.
    fn leaked(archive: Vec<u8>) -> &'static Archive<'static> {
        Box::leak(Box::new(Archive::read(archive.leak())))
    }

    gpu_tests! {
        fn kernels_from_machine_code_give_the_same_bits() {
            let from_ptx = device(Archive::empty());
            let expected = work(&from_ptx);
            let kernels = from_ptx.loading().compiled;
            assert!(kernels > 4 && from_ptx.loading().from_machine_code == 0);

            let gpu = cuda(&from_ptx);
            let codes = files(&from_ptx).into_iter().map(|file| (file, linked(gpu, file)));
            let assembled = device(leaked(packed(gpu.chip, codes)));
            assert_eq!(work(&assembled), expected);
            let Loading { compiled, from_machine_code, rejected, .. } = assembled.loading();
            assert_eq!((compiled, from_machine_code, rejected), (0, kernels, vec![]));

            let built_in = device(Archive::built_in());
            assert_eq!(work(&built_in), expected);
            assert_eq!(built_in.loading().rejected, [""; 0]);
        }

        fn code_that_cannot_be_used_is_compiled() {
            let from_ptx = device(Archive::empty());
            let expected = work(&from_ptx);
            let (gpu, files) = (cuda(&from_ptx), files(&from_ptx));
            let header = || [b"\x7fELF".to_vec(), vec![0; 4096]].concat();
            let refused = packed(gpu.chip, files.iter().map(|&file| (file, header())));
            let mut damaged = refused.clone();
            if let Some(last) = damaged.last_mut() {
                *last ^= 1;
            }
            let next = |i: usize| files[(i + 1) % files.len()];
            let of_others = files.iter().enumerate().map(|(i, &file)| (file, linked(gpu, next(i))));
            let of_others = packed(gpu.chip, of_others);
            let cut = refused[..refused.len() / 2].to_vec();
            let archives = [("refused", refused), ("damaged", damaged), ("other", of_others), ("cut", cut)];
            for (what, archive) in archives {
                let other = device(leaked(archive));
                assert_eq!(work(&other), expected, "{what}");
                let Loading { compiled, from_machine_code, rejected, .. } = other.loading();
                assert_eq!((compiled, from_machine_code), (from_ptx.loading().compiled, 0), "{what}");
                assert!(!rejected.is_empty(), "{what}");
            }
        }
    }
}
