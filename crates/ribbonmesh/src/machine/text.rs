//! Kernels from PTX that a program writes while it runs.
use super::{Device, Machine, cuda, watch};
use crate::{Buffer, Error, Result};
use bytemuck::Pod;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};

/// Texts that a device keeps loaded: those used last.
const KEPT: usize = 64;
/// Texts that are loaded at the same time, at most.
const AT_ONCE: usize = 4;

/// A kernel from a text of PTX, on the GPU that has loaded it. Cheap to clone. The GPU's code is freed with
/// the last clone, when the device does not keep it any more.
#[derive(Clone)]
pub struct TextKernel {
    device: Device,
    function: cuda::TextFunction,
}

/// A parameter of 64 bits of a [`TextKernel`].
#[derive(Clone, Copy)]
pub struct TextArgument<'a> {
    number: u64,
    device: Option<&'a Device>,
}
impl TextArgument<'static> {
    /// A number.
    pub fn number(number: u64) -> Self {
        Self { number, device: None }
    }
}
impl<'a> TextArgument<'a> {
    /// The address of a buffer that the kernel reads.
    pub fn read<T: Pod>(buffer: &'a Buffer<T>) -> Self {
        Self { number: buffer.view_address().addr() as u64, device: Some(buffer.device()) }
    }
    /// The address of a buffer that the kernel writes.
    pub fn write<T: Pod>(buffer: &'a mut Buffer<T>) -> Self {
        let number = buffer.view_address_mut().addr() as u64;
        Self { number, device: Some(buffer.device()) }
    }
    /// The address so many bytes further.
    #[must_use]
    pub fn after(self, bytes: u64) -> Self {
        Self { number: self.number.wrapping_add(bytes), ..self }
    }
}

/// The texts of a device: each with its entry point.
#[derive(Default)]
pub(super) struct Texts {
    known: HashMap<Key, Known>,
    /// Counts uses.
    clock: u64,
}
type Key = (Arc<str>, Arc<str>);
struct Known {
    state: State,
    used: u64,
}
#[derive(Clone)]
enum State {
    Loading,
    Loaded(cuda::TextFunction),
    /// The failed step, and the message.
    Refused(String, String),
}
impl State {
    fn of(loaded: Result<cuda::TextFunction>) -> Self {
        match loaded {
            Ok(function) => Self::Loaded(function),
            Err(Error::Cuda { doing, message }) => Self::Refused(doing, message),
            Err(error) => Self::Refused("to load a text of PTX".into(), error.to_string()),
        }
    }
}
impl Texts {
    fn get(&mut self, key: &Key) -> Option<State> {
        self.clock += 1;
        let known = self.known.get_mut(key)?;
        known.used = self.clock;
        Some(known.state.clone())
    }
    fn put(&mut self, key: Key, state: State) {
        self.clock += 1;
        self.known.insert(key, Known { state, used: self.clock });
        while self.known.len() > KEPT {
            let idle = self.known.iter().filter(|(_, known)| !matches!(known.state, State::Loading));
            let oldest = idle.min_by_key(|(_, known)| known.used).map(|(key, _)| key.clone());
            let Some(oldest) = oldest else { return };
            self.known.remove(&oldest);
        }
    }
    fn loading(&self) -> usize {
        self.known.values().filter(|known| matches!(known.state, State::Loading)).count()
    }
}
fn lock(texts: &Mutex<Texts>) -> MutexGuard<'_, Texts> {
    texts.lock().unwrap_or_else(|e| e.into_inner())
}

impl Device {
    fn gpu(&self) -> Result<&cuda::Cuda> {
        match &self.0.machine {
            Machine::Cpu(_) => Err(Error::NoGpu { what: "a text of PTX" }),
            Machine::Cuda(cuda) => Ok(cuda),
        }
    }
    fn text_kernel_of(&self, state: State) -> Result<Option<TextKernel>> {
        match state {
            State::Loading => Ok(None),
            State::Loaded(function) => Ok(Some(TextKernel { device: self.clone(), function })),
            State::Refused(doing, message) => Err(Error::Cuda { doing, message }),
        }
    }
    /// The kernel `entry` of a text of PTX that a program has written, if it is loaded. Else the driver
    /// begins to compile it on another thread, and a later call with the same text gets it. The device keeps
    /// the 64 texts that were used last, and loads four at the same time.
    /// # Errors
    /// [`Error::NoGpu`] on the CPU; [`Error::Cuda`] for a text that the driver has refused, at each call
    /// after that.
    pub fn text_kernel(&self, text: &str, entry: &str) -> Result<Option<TextKernel>> {
        let (cuda, key): (_, Key) = (self.gpu()?, (text.into(), entry.into()));
        let mut texts = lock(&self.0.texts);
        if let Some(state) = texts.get(&key) {
            return self.text_kernel_of(state);
        }
        if texts.loading() >= AT_ONCE {
            return Ok(None);
        }
        texts.put(key.clone(), State::Loading);
        drop(texts);
        let (loader, all, of) = (cuda.text_loader(), self.0.texts.clone(), key.clone());
        let work = move || {
            let loaded = loader.load(&of.0, &of.1);
            lock(&all).put(of, State::of(loaded));
        };
        let started = std::thread::Builder::new().name("ptx".into()).spawn(work);
        if let Err(error) = started {
            lock(&self.0.texts).known.remove(&key);
            return Err(Error::Threads { threads: 1, message: error.to_string() });
        }
        Ok(None)
    }
    /// As [`Device::text_kernel`], but waits until the text is loaded.
    /// # Errors
    /// As [`Device::text_kernel`].
    pub fn wait_for_text_kernel(&self, text: &str, entry: &str) -> Result<TextKernel> {
        let (cuda, key): (_, Key) = (self.gpu()?, (text.into(), entry.into()));
        let known = lock(&self.0.texts).get(&key);
        if let Some(kernel) = known.map_or(Ok(None), |state| self.text_kernel_of(state))? {
            return Ok(kernel);
        }
        let state = State::of(cuda.text_loader().load(text, entry));
        lock(&self.0.texts).put(key, state.clone());
        let kernel = self.text_kernel_of(state)?;
        Ok(kernel.unwrap_or_else(|| unreachable!("loaded or refused")))
    }
    /// Launches a kernel from a text of PTX, in the order of this device's work. With 0 blocks nothing is
    /// launched.
    /// # Safety
    /// The entry point takes as many parameters of 64 bits as there are `arguments`, runs with `threads`
    /// threads a block without shared memory of the launch, and ends. It reads only what
    /// [`TextArgument::read`] gives, writes only what [`TextArgument::write`] gives, and stays within these
    /// buffers.
    /// # Errors
    /// [`Error::OtherDevice`] for a kernel or a buffer of another device; errors of the driver.
    pub unsafe fn launch_text(
        &self,
        kernel: &TextKernel,
        (blocks, threads): (u32, u32),
        arguments: &[TextArgument<'_>],
    ) -> Result<()> {
        let (cuda, other) = (self.gpu()?, |what| Err(Error::OtherDevice { what }));
        if !kernel.device.same(self) {
            return other("the kernel from a text of PTX");
        }
        if arguments.iter().filter_map(|argument| argument.device).any(|device| !device.same(self)) {
            return other("an argument of a kernel from a text of PTX");
        }
        if blocks == 0 {
            return Ok(());
        }
        watch::pass()?;
        let mut numbers: Vec<u64> = arguments.iter().map(|argument| argument.number).collect();
        // SAFETY: by this function's contract; the function is one of this device, compared above.
        unsafe { cuda.launch_text(&kernel.function, (blocks, threads), &mut numbers) }
    }
}
