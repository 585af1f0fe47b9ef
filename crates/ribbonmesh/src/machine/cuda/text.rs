//! Kernels from PTX that a program writes while it runs.
use super::{Cuda, failed};
use crate::{Error, Result};
use cudarc::driver::{CudaContext, CudaFunction, CudaStream, result};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Loads texts, on any thread.
pub(in crate::machine) struct TextLoader {
    context: Arc<CudaContext>,
    stream: Arc<CudaStream>,
}

/// An entry point of a text.
#[derive(Clone)]
pub(in crate::machine) struct TextFunction(Arc<Loaded>);
struct Loaded {
    function: CudaFunction,
    stream: Arc<CudaStream>,
}
impl Drop for Loaded {
    fn drop(&mut self) {
        // its launches end before its code is gone. What fails here fails at the next call, too
        let _ = self.stream.synchronize();
    }
}

impl TextLoader {
    /// The entry point of a text, which the driver compiles.
    pub fn load(&self, text: &str, entry: &str) -> Result<TextFunction> {
        let doing = || format!("to load a text of PTX with the entry point {entry}");
        if text.contains('\0') || entry.contains('\0') {
            return Err(Error::Cuda { doing: doing(), message: "it contains a zero".into() });
        }
        let module = self.context.load_module(cudarc::nvrtc::Ptx::from_src(text)).map_err(failed(doing()))?;
        let function = module.load_function(entry).map_err(failed(doing()))?;
        Ok(TextFunction(Arc::new(Loaded { function, stream: self.stream.clone() })))
    }
}

impl Cuda {
    pub fn text_loader(&self) -> TextLoader {
        TextLoader { context: self.context.clone(), stream: self.stream.clone() }
    }
    /// Queues a launch of an entry point whose parameters are numbers of 64 bits.
    /// # Safety
    /// As `Device::launch_text`; the function is one of this GPU.
    pub unsafe fn launch_text(
        &self,
        function: &TextFunction,
        (blocks, threads): (u32, u32),
        numbers: &mut [u64],
    ) -> Result<()> {
        let doing = || failed("to launch a kernel from a text of PTX");
        let _turn = self.turn().map_err(doing())?;
        if let Some(group) = &self.group {
            group.texts.fetch_add(1, Ordering::Relaxed);
        }
        self.context.bind_to_thread().map_err(doing())?;
        let (f, stream) = (function.0.function.cu_function(), self.stream.cu_stream());
        let mut parameters: Vec<_> = numbers.iter_mut().map(|number| (&raw mut *number).cast()).collect();
        // SAFETY: by this function's contract; the driver copies the numbers.
        let queued =
            unsafe { result::launch_kernel(f, (blocks, 1, 1), (threads, 1, 1), 0, stream, &mut parameters) };
        queued.map_err(doing())
    }
}
