//! Memory and streams shared with other libraries.
use super::cuda;
use super::{Buffer, Device, Machine};
use crate::{Error, Result};
use bytemuck::Pod;
use ribbonmesh_device::{BufferView, BufferViewMut};
use std::sync::Mutex;

/// The address of memory on a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemoryAddress {
    /// In the memory of the host.
    Host(*mut u8),
    /// On a CUDA device: a `CUdeviceptr`, or a pointer of the CUDA runtime.
    Cuda(u64),
}

/// CUDA handles of a [`Device`] for other libraries, as plain numbers.
///
/// The handles are valid as long as the device, a clone of it, or one of its [`Buffer`]s lives. The device
/// owns them: other libraries must not destroy them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CudaHandles {
    /// Ordinal of the device.
    pub ordinal: usize,
    /// The primary context, a `CUcontext`, which the CUDA runtime uses, and so cuBLAS and PyTorch.
    pub context: usize,
    /// The stream that executes all work of the [`Device`] in the order of the calls, a `CUstream` or
    /// `cudaStream_t`.
    pub stream: usize,
}

/// The stream of two that runs first.
pub(super) enum Order {
    Other,
    Own,
}

/// The owner's function that is called when its memory is not used any more.
pub(super) struct Release(Mutex<Option<Box<dyn FnOnce() + Send>>>);
impl Drop for Release {
    fn drop(&mut self) {
        if let Some(release) = self.0.get_mut().unwrap_or_else(|e| e.into_inner()).take() {
            release();
        }
    }
}

/// Memory of the host that others own.
pub(super) struct HostMemory {
    at: *mut u8,
    bytes: usize,
    _release: Release,
}
// SAFETY: bytes that any thread may use, by the contract of `Device::adopt`.
unsafe impl Send for HostMemory {}
// SAFETY: as above; shared references only read.
unsafe impl Sync for HostMemory {}
impl HostMemory {
    pub fn bytes(&self) -> &[u8] {
        // SAFETY: valid for reads while this lives, by the contract of `Device::adopt`.
        unsafe { std::slice::from_raw_parts(self.at, self.bytes) }
    }
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: valid for reads and writes, and not used by other code, by the same contract.
        unsafe { std::slice::from_raw_parts_mut(self.at, self.bytes) }
    }
}

/// Memory that [`Device::adopt`] has taken.
pub(super) enum Adopted {
    Host(HostMemory),
    Cuda(cuda::Memory),
}

/// Number of bytes that kernels load and store at once.
const ALIGNMENT: usize = 16;

impl Device {
    /// The handles with which other libraries can queue work on this device's stream; none on the CPU.
    ///
    /// Work of other libraries on this stream is executed in order with the work of this library. Work on
    /// another stream is not ordered: synchronise both streams by events in both directions, or call
    /// [`Device::synchronize`].
    pub fn cuda_handles(&self) -> Option<CudaHandles> {
        match &self.0.machine {
            Machine::Cpu(_) => None,
            Machine::Cuda(m) => Some(m.handles()),
        }
    }
    /// Has this device's work wait for the work that another stream has been given so far. The host does not
    /// wait. On the CPU, where all work is done when a call returns, nothing happens.
    /// # Safety
    /// `stream` is a `CUstream` of the context of [`Device::cuda_handles`], or the number of a default
    /// stream: 0 or 1 for the legacy one, 2 for that of this thread.
    /// # Errors
    /// Errors of the driver.
    pub unsafe fn wait_for_stream(&self, stream: usize) -> Result<()> {
        match &self.0.machine {
            Machine::Cpu(_) => Ok(()),
            // SAFETY: by this function's contract.
            Machine::Cuda(m) => unsafe { m.order(stream, Order::Other) },
        }
    }
    /// Has the later work of another stream wait for this device's work so far, as
    /// [`Device::wait_for_stream`] the other way round.
    /// # Safety
    /// As [`Device::wait_for_stream`].
    /// # Errors
    /// Errors of the driver.
    pub unsafe fn let_stream_wait(&self, stream: usize) -> Result<()> {
        match &self.0.machine {
            Machine::Cpu(_) => Ok(()),
            // SAFETY: by this function's contract.
            Machine::Cuda(m) => unsafe { m.order(stream, Order::Own) },
        }
    }
    /// A buffer in memory that another library has allocated. Dropping the buffer calls `release` after all
    /// work queued on the device has finished; on a GPU the drop waits for this work.
    ///
    /// The device does not free the memory; its owner frees it, in `release` or later.
    /// # Safety
    /// From now until `release` is called,
    /// * `address` points to `len` elements of allocated memory on this device (on the CPU, of this process).
    ///   On the CPU all of it is initialised;
    /// * nothing else reads or writes the memory, except in order with the device's work: on the CPU between
    ///   calls that use the buffer; on a GPU on the stream of [`Device::cuda_handles`], or on another stream
    ///   that is synchronised with it in both directions. Work queued earlier on other streams has finished,
    ///   or this stream waits for it.
    /// # Errors
    /// [`Error::OtherDevice`] for an address of the other kind of device; [`Error::Option`] for an address
    /// that is null or not a multiple of 16 bytes and of the alignment of `T`; [`Error::OutOfMemory`] for a
    /// length whose size in bytes overflows. `release` is called after an error, too.
    pub unsafe fn adopt<T: Pod>(
        &self,
        address: MemoryAddress,
        len: usize,
        release: impl FnOnce() + Send + 'static,
    ) -> Result<Buffer<T>> {
        let release = Release(Mutex::new(Some(Box::new(release))));
        let bytes = self.check_address::<T>(address, len)?;
        let memory = match (address, &self.0.machine) {
            (MemoryAddress::Cuda(address), Machine::Cuda(m)) => {
                // SAFETY: by this function's contract.
                Adopted::Cuda(unsafe { m.adopt(address, bytes, release) }?)
            }
            (MemoryAddress::Host(at), Machine::Cpu(_)) => {
                let at = if bytes == 0 { std::ptr::without_provenance_mut(ALIGNMENT) } else { at };
                Adopted::Host(HostMemory { at, bytes, _release: release })
            }
            _ => return Err(other_kind()),
        };
        Ok(Buffer::adopted(self, memory, len))
    }
    /// Memory that another library has allocated, as an argument that a kernel reads.
    /// # Safety
    /// As [`Device::adopt`], during `'a` and until all work queued during `'a` has finished; but other
    /// libraries may also read the memory.
    /// # Errors
    /// As [`Device::adopt`].
    pub unsafe fn borrow<'a, T: Pod>(&self, address: MemoryAddress, len: usize) -> Result<BufferView<'a, T>> {
        let at = self.borrowed::<T>(address, len)?;
        // SAFETY: by this function's contract.
        Ok(unsafe { BufferView::new(at, len, self.memory()) })
    }
    /// Memory that another library has allocated, as an argument that a kernel writes.
    /// # Safety
    /// As [`Device::adopt`], during `'a` and until all work queued during `'a` has finished.
    /// # Errors
    /// As [`Device::adopt`].
    pub unsafe fn borrow_mut<'a, T: Pod>(
        &self,
        address: MemoryAddress,
        len: usize,
    ) -> Result<BufferViewMut<'a, T>> {
        let at = self.borrowed::<T>(address, len)?;
        // SAFETY: by this function's contract.
        Ok(unsafe { BufferViewMut::new(at, len, self.memory()) })
    }
    fn borrowed<T: Pod>(&self, address: MemoryAddress, len: usize) -> Result<*mut T> {
        self.check_address::<T>(address, len)?;
        match (address, &self.0.machine) {
            (MemoryAddress::Cuda(address), Machine::Cuda(_)) => {
                Ok(std::ptr::without_provenance_mut(address as usize))
            }
            (MemoryAddress::Host(at), Machine::Cpu(_)) => Ok(at.cast()),
            _ => Err(other_kind()),
        }
    }
    /// The bytes of `len` elements, if they can be at this address.
    fn check_address<T: Pod>(&self, address: MemoryAddress, len: usize) -> Result<usize> {
        let address = match address {
            MemoryAddress::Host(at) => at.addr() as u64,
            MemoryAddress::Cuda(address) => address,
        };
        let Some(bytes) = len.checked_mul(size_of::<T>()).filter(|&bytes| bytes <= isize::MAX as usize)
        else {
            return Err(Error::OutOfMemory { needed: u64::MAX, free: 0, total: 0 });
        };
        let alignment = align_of::<T>().max(ALIGNMENT) as u64;
        if bytes > 0 && (address == 0 || !address.is_multiple_of(alignment)) {
            return Err(Error::Option {
                option: "address",
                value: format!("{address:#x}"),
                expected: "not null, a multiple of 16 bytes and of the elements' alignment",
            });
        }
        Ok(bytes)
    }
}
fn other_kind() -> Error {
    Error::OtherDevice { what: "the memory at the address" }
}

impl<T: Pod> Buffer<T> {
    /// The address of the elements, for other libraries that read them.
    ///
    /// The buffer owns the memory and frees it when it is dropped; until then the address does not change.
    /// # Safety
    /// Every use of the address must keep this contract:
    /// * the memory is used only while the buffer lives, and nothing else frees it;
    /// * the memory is only read, and in order with the device's work: on the CPU, while no call writes the
    ///   buffer; on a GPU on the stream of [`Device::cuda_handles`], or on another stream that waits for the
    ///   earlier work there, and for which this stream waits before the buffer is written or dropped.
    pub unsafe fn address(&self) -> MemoryAddress {
        self.raw(self.view_address().cast_mut())
    }
    /// The address of the elements, for other libraries that read and write them.
    /// # Safety
    /// As [`Buffer::address`], but the memory may also be written; the writes are complete, in the order of
    /// the device's work, before the next use of the buffer.
    pub unsafe fn address_mut(&mut self) -> MemoryAddress {
        let at = self.view_address_mut();
        self.raw(at)
    }
    fn raw(&self, at: *mut u8) -> MemoryAddress {
        match self.device().0.machine {
            Machine::Cpu(_) => MemoryAddress::Host(at),
            Machine::Cuda(_) => MemoryAddress::Cuda(at.addr() as u64),
        }
    }
}
