//! Large copies between the memory of the host and that of a GPU, and small ones from a GPU.
//!
//! The driver copies pageable memory through pinned memory of its own, by one thread, and waits for each
//! copy. Of large copies, here all threads copy a piece at a time, while pieces before it are on their way.
//! Small ones are waited for together.
use super::buffer::copy;
use cudarc::driver::{CudaContext, CudaEvent, CudaStream, DriverError, result};
use std::sync::Arc;

/// Copies of fewer bytes are left to the driver.
pub const LEAST: usize = 1 << 20;
/// Bytes of a piece.
const PIECE: usize = 2 << 20;
/// Pieces on their way at the same time.
const PIECES: usize = 4;

/// Bytes of the pinned memory for small copies.
const SMALL: usize = 4096;

/// Pinned memory for small copies from the device.
pub struct Small {
    context: Arc<CudaContext>,
    /// [`SMALL`] bytes, pinned.
    memory: *mut u8,
}
// SAFETY: the memory is this value's own, and may be used by any thread.
unsafe impl Send for Small {}

impl Small {
    pub fn new(context: &Arc<CudaContext>) -> Result<Self, DriverError> {
        context.bind_to_thread()?;
        // SAFETY: the context is current.
        let memory = unsafe { result::malloc_host(SMALL, 0)? }.cast::<u8>();
        // SAFETY: as many bytes have just been allocated.
        unsafe { memory.write_bytes(0, SMALL) };
        Ok(Self { context: context.clone(), memory })
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
        // SAFETY: the memory is borrowed exclusively, and earlier copies have been waited for.
        let mut rest = unsafe { std::slice::from_raw_parts_mut(self.memory, SMALL) };
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
impl Drop for Small {
    fn drop(&mut self) {
        if self.context.bind_to_thread().is_ok() {
            // SAFETY: allocated by `malloc_host`, and every copy has been waited for. What fails here leaves
            // the memory allocated.
            let _ = unsafe { result::free_host(self.memory.cast()) };
        }
    }
}

/// Pinned memory for pieces.
pub struct Staging {
    context: Arc<CudaContext>,
    /// [`PIECES`] times [`PIECE`] bytes, pinned.
    memory: *mut u8,
    /// The events of the last copy from or to each piece.
    done: Vec<CudaEvent>,
}
// SAFETY: the memory is this value's own, and may be used by any thread.
unsafe impl Send for Staging {}

impl Staging {
    pub fn new(context: &Arc<CudaContext>) -> Result<Self, DriverError> {
        let done = (0..PIECES).map(|_| context.new_event(None)).collect::<Result<_, _>>()?;
        context.bind_to_thread()?;
        // SAFETY: the context is current.
        let memory = unsafe { result::malloc_host(PIECES * PIECE, 0)? };
        // SAFETY: as many bytes have just been allocated; they are written before any is read as a number.
        unsafe { memory.cast::<u8>().write_bytes(0, PIECES * PIECE) };
        Ok(Self { context: context.clone(), memory: memory.cast(), done })
    }
    /// The first `n` bytes of a piece, which no copy uses any more.
    fn piece(&mut self, k: usize, n: usize) -> Result<&mut [u8], DriverError> {
        self.done[k].synchronize()?;
        assert!(k < PIECES && n <= PIECE, "a piece of the memory");
        // SAFETY: within the memory, which is borrowed exclusively and which no copy uses, since its event
        // has passed.
        Ok(unsafe { std::slice::from_raw_parts_mut(self.memory.add(k * PIECE), n) })
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
        let passed =
            self.context.bind_to_thread().is_ok() && self.done.iter().all(|e| e.synchronize().is_ok());
        if passed {
            // SAFETY: allocated by `malloc_host`, and no copy uses it any more.
            let _ = unsafe { result::free_host(self.memory.cast()) };
        }
    }
}
