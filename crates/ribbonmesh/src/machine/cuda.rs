//! NVIDIA GPUs through the CUDA driver, which is loaded when first asked for. This module, its parts and
//! `staging` are the only ones that name cudarc.
mod group;
mod memory;
mod range;
mod text;
pub(super) use super::staging::Pinned;
pub(super) use memory::Memory;
pub(super) use text::TextFunction;

use super::cards::{self, Cards, Sharing};
use super::code::Archive;
use super::foreign::{CudaHandles, Order};
use super::loading::Loading;
use super::ptx;
use super::staging::{Small, Staging};
use crate::{Error, Result};
use cudarc::driver::{
    CudaContext, CudaFunction, CudaModule, CudaSlice, CudaStream, DevicePtr, DriverError, result, sys,
};
use group::{Card, Group};
use ribbonmesh_device::{AnyKernel, KernelEntry, PtxFile, PtxModule, Status};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};
use std::time::Instant;

pub(super) struct Cuda {
    ordinal: usize,
    /// The ordinals of all cards, as text.
    numbers: String,
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
    /// All cards of a device of several, of which this is the first.
    group: Option<Arc<Group>>,
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

/// An entry point on each card.
type Functions = Arc<[CudaFunction]>;

/// An entry point that was loaded.
struct Function {
    functions: Functions,
    /// Bytes of shared memory that it may have.
    allowed: u32,
    /// The memory layout of its parameter.
    layout: u64,
}

/// The offset in words of the barrier's word from the status record: in another line of the cache.
const BARRIER: usize = 32;
const _: () = assert!(Status::WORDS <= BARRIER);

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

/// A launch, or a card's part of one: the first block, and the number of blocks of all cards, for kernels of
/// several cards.
#[derive(Clone, Copy)]
struct Part {
    shape: Shape,
    of_all: Option<(u32, u32)>,
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
    /// Several GPUs as one; one alone is as [`Cuda::new`] opens it.
    pub fn with_cards(cards: &Cards) -> Result<Self> {
        let ordinals = cards.ordinals(available()?)?;
        if let [only] = ordinals[..] {
            return Self::new(only);
        }
        let numbers = Cards::of(&ordinals)?.to_string();
        Self::grouped(&ordinals, numbers, cards)
    }
    /// One GPU as if it were several cards.
    pub fn as_cards(ordinal: usize, number: usize) -> Result<Self> {
        let least = Cards::first().sharing_blocks(1).sharing_bytes(4096);
        Self::grouped(&vec![ordinal; number.max(1)], ordinal.to_string(), &least)
    }
    /// The number of cards that share a launch of so many blocks.
    pub fn cards_of(&self, blocks: u32) -> u32 {
        let group = self.group.as_deref().filter(|group| group.is_enough(blocks));
        group.map_or(1, |group| group.cards.len().min(blocks as usize).max(1) as u32)
    }
    /// Bytes of a buffer from which on several cards have parts of it; 0 for one card.
    pub fn least_shared_bytes(&self) -> usize {
        self.group.as_deref().map_or(0, Group::least_bytes)
    }
    fn grouped(ordinals: &[usize], numbers: String, cards: &Cards) -> Result<Self> {
        // the machine code is for one card
        let mut first = Self::with_archive(ordinals[0], Archive::empty())?;
        let doing = |ordinal| failed(format!("to open device {ordinal}"));
        let card = |context: Arc<CudaContext>, stream| {
            let ordinal = context.ordinal();
            Card::new(context, stream).map_err(doing(ordinal))
        };
        let mut all = vec![card(first.context.clone(), first.stream.clone())?];
        for &ordinal in &ordinals[1..] {
            let (context, stream) = open(ordinal).map_err(doing(ordinal))?;
            all.push(card(context, stream)?);
        }
        first.group = Some(Arc::new(Group::new(all, cards)?));
        first.name = format!("{} × {}", ordinals.len(), first.name);
        first.numbers = numbers;
        Ok(first)
    }
    /// The same with machine code of one's own.
    fn with_archive(ordinal: usize, archive: &'static Archive<'static>) -> Result<Self> {
        let available = available()?;
        if ordinal >= available {
            return Err(Error::NoSuchDevice { ordinal, available });
        }
        let doing = || failed(format!("to open device {ordinal}"));
        let (context, stream) = open(ordinal).map_err(doing())?;
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
            numbers: ordinal.to_string(),
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
            group: None,
        })
    }
    /// How launches were shared; `None` for one card.
    pub fn sharing(&self) -> Option<Sharing> {
        self.group.as_deref().map(Group::sharing)
    }
    pub fn name(&self) -> String {
        format!("CUDA:{} {}", self.numbers, self.name)
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
    /// The entry point on each card, as the driver compiles it.
    fn compiled(&self, entry: &KernelEntry, file: &'static PtxFile) -> Result<Functions> {
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
        let text = match &self.group {
            None => text,
            Some(_) => cards::text::of_several(&text).map_err(|reason| Error::OneCardOnly {
                module,
                kernel,
                reason,
            })?,
        };
        self.contexts().map(|context| load_text(context, entry, text.clone())).collect()
    }
    /// The context of each card.
    fn contexts(&self) -> impl Iterator<Item = &Arc<CudaContext>> {
        let others = self.group.as_deref().map_or(&[][..], |group| &group.cards[1..]);
        std::iter::once(&self.context).chain(others.iter().map(|card| &card.context))
    }
    /// The entry point on each card, from machine code if there is some, else as the driver compiles it.
    fn load(&self, entry: &KernelEntry) -> Result<Functions> {
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
        let functions = match assembled {
            Some(function) => [function].into(),
            None => self.compiled(entry, file)?,
        };
        let loading = &mut lock(&self.loaded).loading;
        *(if from_machine_code { &mut loading.from_machine_code } else { &mut loading.compiled }) += 1;
        loading.seconds += start.elapsed().as_secs_f64();
        Ok(functions)
    }
    /// The function of an entry point on each card, allowed to use `shared` bytes.
    fn functions(&self, entry: &KernelEntry, shared: u32) -> Result<Functions> {
        let (module, name) = (entry.module, entry.name);
        let key = (ModuleKey::of(module), name);
        let known = lock(&self.loaded)
            .functions
            .get(&key)
            .map(|known| (known.functions.clone(), known.allowed, known.layout));
        let functions = match known {
            // another kernel of this name in the same crate: the PTX has one of them
            Some((_, _, layout)) if layout != entry.layout => {
                return Err(Error::StalePtx { module: module.name, kernel: name });
            }
            Some((functions, allowed, _)) if shared <= allowed => return Ok(functions),
            Some((functions, ..)) => functions,
            None => self.load(entry)?,
        };
        use sys::CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES as SIZE;
        let allowed = shared.max(48 << 10);
        if shared > 48 << 10 {
            let doing = || failed(format!("to give {name} {shared} bytes"));
            for (f, context) in functions.iter().zip(self.contexts()) {
                context.bind_to_thread().map_err(doing())?;
                f.set_attribute(SIZE, shared as i32).map_err(doing())?;
            }
        }
        let known = Function { functions: functions.clone(), allowed, layout: entry.layout };
        lock(&self.loaded).functions.insert(key, known);
        Ok(functions)
    }
    /// Queues a launch of `blocks`. Several cards run a part of them each, unless they weigh as few.
    /// # Safety
    /// The views of `kernel` lead to memory of this GPU that lives until the launch has been queued, and that
    /// nothing else uses but in the order of the stream.
    pub unsafe fn launch(
        &self,
        (blocks, weight): (u32, u32),
        threads: u32,
        shared: u32,
        number: u32,
        kernel: &dyn AnyKernel,
    ) -> Result<()> {
        let functions = self.functions(&kernel.entry(), shared)?;
        let shape = Shape { blocks, threads, shared };
        // SAFETY: by this function's contract.
        unsafe { self.queue_shared(&functions, (shape, weight), number, kernel, result::launch_kernel) }
    }
    /// As many blocks as run at the same time, at most `most`; returns their number. Several cards run a part
    /// of them each, unless there are few: the barrier's word is in memory that all cards use, and what the
    /// blocks do at it has the scope of the system.
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
        let functions = self.functions(&kernel.entry(), shared)?;
        let asked = |f: &CudaFunction| {
            self.context.bind_to_thread()?;
            f.occupancy_max_active_blocks_per_multiprocessor(threads, shared as usize, None)
        };
        let each = asked(&functions[0]).map_err(failed(format!("to ask for the occupancy of {name}")))?;
        let cards = match &self.group {
            Some(group) if group.is_enough(most) && group.waits_across() => functions.len() as u32,
            _ => 1,
        };
        let blocks = most.min(each * self.multiprocessors * cards);
        let shape = Shape { blocks, threads, shared };
        let weight = if cards == 1 { 0 } else { u32::MAX };
        let call = result::launch_cooperative_kernel;
        // SAFETY: by this function's contract.
        unsafe { self.queue_shared(&functions, (shape, weight), number, kernel, call)? };
        Ok(blocks)
    }
    /// Queues a launch, on the first card alone if its weight is that of few blocks.
    /// # Safety
    /// As [`Cuda::launch`].
    unsafe fn queue_shared(
        &self,
        functions: &Functions,
        (shape, weight): (Shape, u32),
        number: u32,
        kernel: &dyn AnyKernel,
        call: Launcher,
    ) -> Result<()> {
        let blocks = shape.blocks;
        let Some(group) = self.group.as_deref().filter(|group| group.shares(weight)) else {
            // SAFETY: by this function's contract.
            return unsafe { self.queue_alone(&functions[0], shape, number, kernel, call) };
        };
        let queued = group.together(|i, card| {
            let own = cards::part(blocks, group.cards.len(), i);
            if own.is_empty() {
                return Ok(());
            }
            let shape = Shape { blocks: own.end - own.start, ..shape };
            let part = Part { shape, of_all: Some((own.start, blocks)) };
            // SAFETY: by this function's contract; the function is the card's own.
            unsafe { self.queue(&functions[i], &card.stream, part, number, kernel, call) }
        });
        queued.map_err(failed(format!("to launch {}", kernel.entry().name)))
    }
    /// Queues a whole launch on this GPU, or on the first of several cards.
    /// # Safety
    /// As [`Cuda::launch`].
    unsafe fn queue_alone(
        &self,
        function: &CudaFunction,
        shape: Shape,
        number: u32,
        kernel: &dyn AnyKernel,
        call: Launcher,
    ) -> Result<()> {
        let doing = || failed(format!("to launch {}", kernel.entry().name));
        let _turn = self.turn().map_err(doing())?;
        self.context.bind_to_thread().map_err(doing())?;
        let part = Part { shape, of_all: self.group.is_some().then_some((0, shape.blocks)) };
        // SAFETY: by this function's contract.
        unsafe { self.queue(function, &self.stream, part, number, kernel, call) }.map_err(doing())
    }
    /// Queues a launch of `function`, the entry point of `kernel`, on a stream of its card, whose context is
    /// current, by a call of the driver.
    /// # Safety
    /// As [`Cuda::launch`].
    unsafe fn queue(
        &self,
        function: &CudaFunction,
        stream: &CudaStream,
        Part { shape, of_all }: Part,
        number: u32,
        kernel: &dyn AnyKernel,
        call: Launcher,
    ) -> std::result::Result<(), DriverError> {
        // SAFETY: the machine's own record, which lives as long as it.
        let status = unsafe { Status::new(self.status_ptr as *const u32, number) };
        let (blocks, threads) = ((shape.blocks, 1, 1), (shape.threads, 1, 1));
        let (function, stream) = (function.cu_function(), stream.cu_stream());
        let mut queued = Ok(());
        kernel.with_parameter(status, &mut |parameter| {
            let (mut first, mut count) = of_all.unwrap_or_default();
            let all = [parameter.cast_mut().cast(), (&raw mut first).cast(), (&raw mut count).cast()];
            let mut parameters = all;
            let parameters = &mut parameters[..if of_all.is_some() { 3 } else { 1 }];
            // SAFETY: the entry point takes exactly this struct, and for several cards two numbers, which the
            // driver copies; the struct's views are valid by this function's contract.
            queued = unsafe { call(function, blocks, threads, shape.shared, stream, parameters) };
        });
        // behind the call: whoever reads the record in between does not hide what this kernel will record
        self.queued.store(true, Ordering::Release);
        queued
    }
    /// The word of the barrier between blocks.
    pub fn barrier(&self) -> *mut u32 {
        (self.status_ptr as *mut u32).wrapping_add(BARRIER)
    }
    /// Waits; returns the record, which is cleared, and the barrier with it.
    pub fn take_status(&self) -> Result<[u32; Status::WORDS]> {
        if !self.queued.swap(false, Ordering::AcqRel) {
            let doing = || failed("while it ran kernels");
            drop(self.turn().map_err(doing())?);
            self.stream.synchronize().map_err(doing())?;
            return Ok([0; Status::WORDS]);
        }
        self.take_status_with(0, &mut [])
    }
    /// The same with a copy of a few bytes from an address of the device: one wait for both.
    fn take_status_with(&self, from: u64, data: &mut [u8]) -> Result<[u32; Status::WORDS]> {
        let mut status = lock(&self.status);
        let mut words = [0; Status::WORDS];
        let doing = || failed("while it ran kernels");
        let _turn = self.turn().map_err(doing())?;
        match self.small() {
            Some(small) => {
                let record = (self.status_ptr, bytemuck::cast_slice_mut(&mut words));
                // SAFETY: the machine's own record, and by the callers bytes of this GPU, both used in the
                // order of the device's work alone.
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
        let from = memory.on_one_card(at, data.len());
        if let Some(from) = from.filter(|_| fits && self.small().is_some()) {
            self.queued.store(false, Ordering::Release);
            return self.take_status_with(from, data);
        }
        self.context.bind_to_thread().map_err(failed("to copy from the device"))?;
        if !fits && Pinned::has(data) {
            // SAFETY: `data` is borrowed until this returns, and is waited for before.
            let copies = unsafe { self.read_pinned(memory, at, data) };
            let status = self.take_status();
            if copies.is_err() || status.is_err() {
                // what fails here has failed before
                let _ = self.stream.synchronize();
            }
            copies.map_err(failed("to copy from the device"))?;
            return status;
        }
        let status = self.take_status()?;
        if status[0] == 0 {
            self.read(memory, at, data)?;
        }
        Ok(status)
    }

    /// The handles that other libraries need.
    pub fn handles(&self) -> CudaHandles {
        if let Some(group) = &self.group {
            // what fails here fails at the next call, too
            let _ = group.open_to_others();
        }
        CudaHandles {
            ordinal: self.ordinal,
            context: self.context.cu_ctx().addr(),
            stream: self.stream.cu_stream().addr(),
        }
    }
    pub fn event(&self) -> Result<cudarc::driver::CudaEvent> {
        let flags = Some(sys::CUevent_flags::CU_EVENT_DEFAULT);
        let recorded = self.turn().and_then(|_turn| self.stream.record_event(flags));
        recorded.map_err(failed("to record an event"))
    }
    /// Has this stream wait for what `other` has been given so far, or `other` for this one.
    /// # Safety
    /// `other` is a stream of this context, or the number of one of its default streams.
    pub unsafe fn order(&self, other: usize, first: Order) -> Result<()> {
        let doing = || failed("to order two streams");
        let _turn = self.turn().map_err(doing())?;
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

impl Drop for Cuda {
    fn drop(&mut self) {
        if let Some(group) = &self.group {
            // no card uses the status record any more. What fails here leaves the driver in that state
            let _ = group.synchronize();
        }
    }
}

/// Number of GPUs of this host, by the driver, which is loaded.
fn available() -> Result<usize> {
    // SAFETY: only looks whether the library can be loaded; cudarc's calls panic where it cannot.
    if !unsafe { sys::is_culib_present() } {
        return Err(Error::NoDriver);
    }
    result::init().map_err(failed("to start"))?;
    Ok(result::device::get_count().map_err(failed("to count the devices"))? as usize)
}

/// The context of a GPU, and a stream.
fn open(ordinal: usize) -> std::result::Result<(Arc<CudaContext>, Arc<CudaStream>), DriverError> {
    let context = CudaContext::new(ordinal)?;
    // SAFETY: one stream is used, so its order is the order of all work; a group orders the streams of
    // several cards.
    unsafe { context.disable_event_tracking() };
    let stream = context.new_stream()?;
    memory::keep_freed_memory(&context)?;
    Ok((context, stream))
}

/// The entry point in a text of PTX, which the driver compiles for a card.
fn load_text(context: &Arc<CudaContext>, entry: &KernelEntry, text: String) -> Result<CudaFunction> {
    let (module, kernel) = (entry.module.name, entry.name);
    let loaded = context.load_module(cudarc::nvrtc::Ptx::from_src(text)).map_err(|e| {
        if e.0 == sys::CUresult::CUDA_ERROR_UNSUPPORTED_PTX_VERSION {
            let driver = driver_version().unwrap_or_else(|| "unknown version".into());
            return Error::DriverTooOld { driver, module };
        }
        failed(format!("to load the kernel {kernel} of {module}"))(e)
    })?;
    loaded.load_function(kernel).map_err(failed(format!("to find kernel {kernel} in {module}")))
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
