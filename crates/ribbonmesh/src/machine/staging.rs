//! Large copies between the memory of the host and that of a GPU, and small ones from a GPU.
//!
//! The driver copies pageable memory through pinned memory of its own, by one thread, and waits for each
//! copy. Of large copies, here all threads copy a piece at a time, while pieces before it are on their way.
//! Small ones are waited for together. Memory that is pinned is copied as it is.
use super::buffer::copy;
use cudarc::driver::{CudaContext, CudaEvent, CudaStream, DriverError, result, sys};
use std::mem::ManuallyDrop;
use std::sync::Arc;

/// Copies of fewer bytes are left to the driver.
pub const LEAST: usize = 1 << 20;
/// Bytes of a piece.
const PIECE: usize = 2 << 20;
/// Pieces on their way at the same time.
const PIECES: usize = 4;

/// Bytes of the pinned memory for small copies.
const SMALL: usize = 4096;

/// Pinned memory of the host. It is freed when it is dropped; copies have been waited for then.
pub struct Pinned {
    context: Arc<CudaContext>,
    memory: *mut u8,
    bytes: usize,
}
// SAFETY: the memory is this value's own, and may be used by any thread.
unsafe impl Send for Pinned {}
// SAFETY: as above; shared references only read.
unsafe impl Sync for Pinned {}

impl Pinned {
    /// Zeros.
    pub fn new(context: &Arc<CudaContext>, bytes: usize) -> Result<Self, DriverError> {
        context.bind_to_thread()?;
        // SAFETY: the context is current.
        let memory = unsafe { result::malloc_host(bytes, 0)? }.cast::<u8>();
        // SAFETY: as many bytes have just been allocated.
        unsafe { memory.write_bytes(0, bytes) };
        Ok(Self { context: context.clone(), memory, bytes })
    }
    pub fn bytes(&self) -> &[u8] {
        // SAFETY: this value's own memory, which copies change only while it is borrowed exclusively.
        unsafe { std::slice::from_raw_parts(self.memory, self.bytes) }
    }
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: this value's own memory, which is borrowed exclusively.
        unsafe { std::slice::from_raw_parts_mut(self.memory, self.bytes) }
    }
    /// Whether memory of the host is pinned, by this library or by another one, or managed by the driver:
    /// copies from and to there may still be on their way when the call returns. The driver is loaded, and a
    /// context is current.
    pub fn has(memory: &[u8]) -> bool {
        let mut attribute = sys::CUpointer_attribute::CU_POINTER_ATTRIBUTE_MEMORY_TYPE;
        let (mut kind, at) = (0_u32, memory.as_ptr().addr() as u64);
        let mut to = (&raw mut kind).cast();
        // SAFETY: one attribute, which is a number of 32 bits. This call, unlike that for a single attribute,
        // does not fail for memory that the driver does not know, but leaves 0.
        let asked = unsafe { sys::cuPointerGetAttributes(1, &raw mut attribute, &raw mut to, at) };
        asked == sys::CUresult::CUDA_SUCCESS && kind != 0
    }
}
impl Drop for Pinned {
    fn drop(&mut self) {
        if self.context.bind_to_thread().is_ok() {
            // SAFETY: allocated by `malloc_host`, and every copy has been waited for. What fails here leaves
            // the memory allocated.
            let _ = unsafe { result::free_host(self.memory.cast()) };
        }
    }
}

/// Pinned memory for small copies from the device.
pub struct Small {
    context: Arc<CudaContext>,
    /// [`SMALL`] bytes.
    memory: Pinned,
}

impl Small {
    pub fn new(context: &Arc<CudaContext>) -> Result<Self, DriverError> {
        Ok(Self { context: context.clone(), memory: Pinned::new(context, SMALL)? })
    }
    /// Whether copies of these numbers of bytes fit.
    pub fn holds(bytes: [usize; 2]) -> bool {
        bytes.iter().sum::<usize>() <= SMALL
    }
    /// Copies two pieces of memory of the device, given their addresses, and waits once for all work of the
    /// stream.
    /// # Safety
    /// Each address leads to as many bytes of the stream's device, which nothing else writes but in the order
    /// of the stream.
    pub unsafe fn download(
        &mut self,
        stream: &CudaStream,
        pieces: [(u64, &mut [u8]); 2],
    ) -> Result<(), DriverError> {
        assert!(Self::holds([0, 1].map(|i| pieces[i].1.len())), "pieces of the memory");
        self.context.bind_to_thread()?;
        let mut rest = self.memory.bytes_mut();
        let mut copies = Ok(());
        let mut arriving: [&[u8]; 2] = [&[]; 2];
        for (k, (from, to)) in pieces.iter().enumerate() {
            let (piece, behind) = rest.split_at_mut(to.len());
            if !piece.is_empty() && copies.is_ok() {
                // SAFETY: by this function's contract; the piece is not read before the wait below.
                copies = unsafe { result::memcpy_dtoh_async(piece, *from, stream.cu_stream()) };
            }
            arriving[k] = &*piece;
            rest = behind;
        }
        // also after an error: the memory is used again
        stream.synchronize().and(copies)?;
        for ((_, to), piece) in pieces.into_iter().zip(arriving) {
            to.copy_from_slice(piece);
        }
        Ok(())
    }
}

/// Pinned memory for pieces.
pub struct Staging {
    context: Arc<CudaContext>,
    /// [`PIECES`] times [`PIECE`] bytes.
    memory: ManuallyDrop<Pinned>,
    /// The events of the last copy from or to each piece.
    done: Vec<CudaEvent>,
}

impl Staging {
    pub fn new(context: &Arc<CudaContext>) -> Result<Self, DriverError> {
        let done = (0..PIECES).map(|_| context.new_event(None)).collect::<Result<_, _>>()?;
        let memory = ManuallyDrop::new(Pinned::new(context, PIECES * PIECE)?);
        Ok(Self { context: context.clone(), memory, done })
    }
    /// The first `n` bytes of a piece, which no copy uses any more.
    fn piece(&mut self, k: usize, n: usize) -> Result<&mut [u8], DriverError> {
        self.done[k].synchronize()?;
        assert!(k < PIECES && n <= PIECE, "a piece of the memory");
        // SAFETY: within the memory, which is borrowed exclusively and which no copy uses, since its event
        // has passed.
        Ok(unsafe { std::slice::from_raw_parts_mut(self.memory.memory.add(k * PIECE), n) })
    }
    /// Copies `data` to the device; it may change as soon as this returns.
    /// # Safety
    /// `to` leads to as many bytes of the stream's device, which nothing else uses but in the order of the
    /// stream.
    pub unsafe fn upload(&mut self, stream: &CudaStream, to: u64, data: &[u8]) -> Result<(), DriverError> {
        self.context.bind_to_thread()?;
        for (i, part) in data.chunks(PIECE).enumerate() {
            let piece = self.piece(i % PIECES, part.len())?;
            copy(part, piece);
            let at = to + (i * PIECE) as u64;
            // SAFETY: by this function's contract; the piece is not touched until its event has passed.
            unsafe { result::memcpy_htod_async(at, piece, stream.cu_stream())? };
            self.done[i % PIECES].record(stream)?;
        }
        Ok(())
    }
    /// Copies from the device, and waits for it.
    /// # Safety
    /// `from` leads to as many bytes of the stream's device, which nothing else writes but in the order of
    /// the stream.
    pub unsafe fn download(
        &mut self,
        stream: &CudaStream,
        from: u64,
        data: &mut [u8],
    ) -> Result<(), DriverError> {
        self.context.bind_to_thread()?;
        let (bytes, count) = (data.len(), data.len().div_ceil(PIECE));
        let length = |i: usize| PIECE.min(bytes - i * PIECE);
        for i in 0..count + PIECES {
            if let Some(before) = i.checked_sub(PIECES) {
                let n = length(before);
                copy(self.piece(before % PIECES, n)?, &mut data[before * PIECE..][..n]);
            }
            if i < count {
                let piece = self.piece(i % PIECES, length(i))?;
                let at = from + (i * PIECE) as u64;
                // SAFETY: by this function's contract; the piece is not touched until its event has passed.
                unsafe { result::memcpy_dtoh_async(piece, at, stream.cu_stream())? };
                self.done[i % PIECES].record(stream)?;
            }
        }
        Ok(())
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        // what fails here has failed before, and the memory stays allocated
        if self.done.iter().all(|event| event.synchronize().is_ok()) {
            // SAFETY: dropped here alone, and no copy uses it any more.
            unsafe { ManuallyDrop::drop(&mut self.memory) };
        }
    }
}
