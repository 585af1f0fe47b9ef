//! Arrays of other libraries on a device.
use super::abi::{self, Managed, ManagedVersioned, Tensor, Type};
use super::{Copied, count};
use crate::arrays::give;
use crate::device::{Choice, Turn};
use crate::failure::Failure;
use crate::watch::{self, Size};
use pyo3::exceptions::PyTypeError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use ribbonmesh::glam::Vec3;
use ribbonmesh::{Buffer, Device, MemoryAddress, array};

/// An array that another library lends.
struct Taken {
    address: usize,
    shape: Vec<i64>,
    /// In elements; `None` if rows follow each other.
    strides: Option<Vec<i64>>,
    of: Type,
    /// Gives it back.
    release: Box<dyn FnOnce() + Send>,
}

impl Taken {
    /// Whether its numbers follow each other.
    fn is_contiguous(&self) -> bool {
        let Some(strides) = &self.strides else { return true };
        let mut expected = 1;
        let in_order = self.shape.iter().zip(strides).rev().all(|(&n, &stride)| {
            let fits = n == 1 || stride == expected;
            expected *= n;
            fits
        });
        in_order || self.shape.contains(&0)
    }
    fn dtype(&self) -> String {
        let name = match self.of.code {
            abi::SIGNED => "int",
            abi::UNSIGNED => "uint",
            abi::FLOAT => "float",
            abi::BOOL => "bool",
            _ => "type of another kind, ",
        };
        format!("{name}{}", self.of.bits)
    }
}

/// Numbers of another library on a device.
pub enum Given<T> {
    /// A copy.
    Own(Buffer<T>),
    /// The memory of the owner, who gets it back when the buffer is dropped: after the work that reads it, so
    /// that the drop need not wait.
    Lent(Buffer<T>),
}
impl<T: bytemuck::Pod> Given<T> {
    /// The numbers, to be read.
    pub fn buffer(&self) -> &Buffer<T> {
        let (Self::Own(buffer) | Self::Lent(buffer)) = self;
        buffer
    }
    /// A copy, and what is to be dropped when the device has made it.
    pub fn copy(self) -> Result<(Buffer<T>, Option<Buffer<T>>), Failure> {
        count(Copied::OnDevice);
        Ok(match self {
            Self::Own(buffer) => (buffer, None),
            Self::Lent(buffer) => (buffer.try_clone()?, Some(buffer)),
        })
    }
}

/// Positions or other vectors, called `what` in messages.
pub fn vectors(
    py: Python<'_>,
    device: &Device,
    object: &Bound<'_, PyAny>,
    what: &str,
) -> PyResult<Given<Vec3>> {
    let taken = take(py, device, object, what)?;
    if taken.of != (Type { code: abi::FLOAT, bits: 32, lanes: 1 }) {
        let text = format!("{what} have the dtype {}: float32 is needed on a device", taken.dtype());
        (taken.release)();
        return Err(Failure::argument(text).into());
    }
    let n = taken.shape[0] as usize;
    Ok(borrow::<Vec3>(device, taken, n, what)?)
}

/// Three coordinates for each vertex.
pub enum Coordinates {
    Single(Given<Vec3>),
    Double(Given<f64>),
}
/// Coordinates in single or double precision, called `what` in messages.
pub fn coordinates(
    py: Python<'_>,
    device: &Device,
    object: &Bound<'_, PyAny>,
    what: &str,
) -> PyResult<Coordinates> {
    let taken = take(py, device, object, what)?;
    let n = taken.shape[0] as usize;
    match (taken.of.code, taken.of.bits, taken.of.lanes) {
        (abi::FLOAT, 32, 1) => Ok(Coordinates::Single(borrow(device, taken, n, what)?)),
        (abi::FLOAT, 64, 1) => Ok(Coordinates::Double(borrow(device, taken, 3 * n, what)?)),
        _ => {
            let found = taken.dtype();
            (taken.release)();
            let text = format!("{what} have the dtype {found}: float32 or float64 is needed on a device");
            Err(Failure::argument(text).into())
        }
    }
}

/// Rows of one or more numbers, and how many these are.
pub fn rows(
    py: Python<'_>,
    device: &Device,
    object: &Bound<'_, PyAny>,
    what: &str,
) -> PyResult<(Given<f32>, usize)> {
    let taken = lent(py, device, object, what)?;
    let (shape, single) = (taken.shape.clone(), taken.of == Type { code: abi::FLOAT, bits: 32, lanes: 1 });
    let sizes = match shape[..] {
        [n] if n >= 0 && single => Some((n, 1)),
        [n, width] if n >= 0 && width > 0 && single => Some((n, width)),
        _ => None,
    };
    let numbers =
        sizes.and_then(|(n, width)| usize::try_from(n.checked_mul(width)?).ok().zip(width.try_into().ok()));
    let Some((numbers, width)) = numbers else {
        let text = format!(
            "{what} have the shape {shape:?} and the dtype {}: (n,) or (n, k) of float32 are needed on a device",
            taken.dtype()
        );
        (taken.release)();
        return Err(Failure::argument(text).into());
    };
    Ok((borrow::<f32>(device, taken, numbers, what)?, width))
}

/// Vertices of faces on the device, as they were given.
pub enum Corners {
    Words(Given<u32>),
    /// Numbers of 64 bits.
    Wide(Given<u32>),
}
impl Corners {
    /// The number of faces.
    pub fn faces(&self) -> usize {
        match self {
            Self::Words(words) => words.buffer().len() / 3,
            Self::Wide(words) => words.buffer().len() / 6,
        }
    }
    /// A copy as 32-bit numbers, and what is to be dropped when the device has made it. In a turn on the
    /// device; numbers of 64 bits are waited for.
    pub fn copy(self, _turn: &Turn) -> Result<(Buffer<u32>, Option<Buffer<u32>>), Failure> {
        match self {
            Self::Words(words) => words.copy(),
            Self::Wide(words) => {
                count(Copied::OnDevice);
                let negative = || Failure::argument("faces have a vertex that is negative or beyond 2³²");
                Ok((array::narrowed(words.buffer())?.ok_or_else(negative)?, None))
            }
        }
    }
}

/// Vertices of faces.
pub fn faces(py: Python<'_>, device: &Device, object: &Bound<'_, PyAny>) -> PyResult<Corners> {
    let taken = take(py, device, object, "faces")?;
    let n = 3 * taken.shape[0] as usize;
    match (taken.of.code, taken.of.bits, taken.of.lanes) {
        (abi::SIGNED | abi::UNSIGNED, 32, 1) => Ok(Corners::Words(borrow::<u32>(device, taken, n, "faces")?)),
        (abi::SIGNED | abi::UNSIGNED, 64, 1) => {
            Ok(Corners::Wide(borrow::<u32>(device, taken, 2 * n, "faces")?))
        }
        _ => {
            let text = format!(
                "faces have the dtype {}: int32, uint32, int64 or uint64 is needed on a device",
                taken.dtype()
            );
            (taken.release)();
            Err(Failure::argument(text).into())
        }
    }
}

/// `n` elements on the device: on a GPU as they are, on the CPU a copy.
fn borrow<T: bytemuck::Pod>(
    device: &Device,
    taken: Taken,
    n: usize,
    what: &str,
) -> Result<Given<T>, Failure> {
    if n == 0 {
        (taken.release)();
        return Ok(Given::Own(device.zeros(0)?));
    }
    if device.cuda_handles().is_none() {
        let at: *const T = std::ptr::with_exposed_provenance(taken.address);
        let copied = match at.is_aligned() {
            // SAFETY: the owner lends `n` numbers until they are released, and the interpreter's lock is
            // held.
            true => Ok(Given::Own(device.upload(unsafe { std::slice::from_raw_parts(at, n) })?)),
            false => Err(Failure::argument(format!("{what} are not aligned: copy them"))),
        };
        (taken.release)();
        return copied;
    }
    if !taken.address.is_multiple_of(16) {
        (taken.release)();
        return Err(Failure::argument(format!("{what} do not begin at a multiple of 16 bytes: copy them")));
    }
    // SAFETY: the owner lends `n` numbers until they are released, which is after all work that reads them;
    // this device's stream waits for the owner's queued work.
    let adopted = unsafe { device.adopt::<T>(MemoryAddress::Cuda(taken.address as u64), n, taken.release)? };
    Ok(Given::Lent(adopted))
}

/// The numbers of an array of a device, copied to the host: their bytes, the type as numpy calls it, and the
/// shape.
#[pyfunction]
pub fn fetch<'py>(
    py: Python<'py>,
    object: &Bound<'py, PyAny>,
    device: &str,
    what: &str,
) -> PyResult<(Bound<'py, PyAny>, String, Vec<i64>)> {
    let device = device.parse::<Choice>()?.open().map_err(Failure::from)?;
    let taken = lent(py, &device, object, what)?;
    let kind = match taken.of {
        Type { code: abi::SIGNED, bits: 8 | 16 | 32 | 64, lanes: 1 } => 'i',
        Type { code: abi::UNSIGNED, bits: 8 | 16 | 32 | 64, lanes: 1 } => 'u',
        Type { code: abi::FLOAT, bits: 16 | 32 | 64, lanes: 1 } => 'f',
        Type { code: abi::BOOL, bits: 8, lanes: 1 } => 'b',
        _ => {
            let text =
                format!("{what} have the dtype {}: integers or real numbers are needed", taken.dtype());
            (taken.release)();
            return Err(Failure::argument(text).into());
        }
    };
    let (name, shape) = (format!("{kind}{}", taken.of.bits / 8), taken.shape.clone());
    let numbers = shape.iter().try_fold(1_usize, |n, &of| n.checked_mul(usize::try_from(of).ok()?));
    let Some(bytes) = numbers.and_then(|n| n.checked_mul(usize::from(taken.of.bits / 8))) else {
        (taken.release)();
        return Err(Failure::argument(format!("{what} have the shape {shape:?}")).into());
    };
    let lent = borrow::<u8>(&device, taken, bytes, what)?;
    count(Copied::ToHost);
    let size = Size::Faces(bytes / 12);
    let read =
        watch::run(py, size, None, move |session| session.turn(&device, |_| Ok(lent.buffer().read()?)))?;
    Ok((give(py, read, 1)?, name, shape))
}

/// Borrows the array of an object, of the shape (n, 3), on this device, in order.
fn take(py: Python<'_>, device: &Device, object: &Bound<'_, PyAny>, what: &str) -> PyResult<Taken> {
    let taken = lent(py, device, object, what)?;
    if !matches!(taken.shape[..], [n, 3] if n >= 0) {
        let shape: Vec<String> = taken.shape.iter().map(i64::to_string).collect();
        (taken.release)();
        let text = format!("{what} have the shape ({}): (n, 3) is needed", shape.join(", "));
        return Err(Failure::argument(text).into());
    }
    Ok(taken)
}

/// Borrows the array of an object on this device, in order.
fn lent(py: Python<'_>, device: &Device, object: &Bound<'_, PyAny>, what: &str) -> PyResult<Taken> {
    let taken = if object.hasattr("__dlpack__")? && object.hasattr("__dlpack_device__")? {
        by_dlpack(py, device, object, what)?
    } else if object.hasattr("__cuda_array_interface__")? {
        by_interface(device, object, what)?
    } else {
        let kind = object.get_type().name()?.to_string();
        return Err(
            Failure::argument(format!("{what} are a {kind}, which lends no memory on a device")).into()
        );
    };
    if !taken.is_contiguous() {
        let text = format!("{what} have the strides {:?}: make them contiguous", taken.strides);
        (taken.release)();
        return Err(Failure::argument(text).into());
    }
    Ok(taken)
}

fn elsewhere(what: &str, of: &str, device: &Device) -> PyErr {
    Failure::argument(format!("{what} are {of}, and the mesh is to work on {}", device.name())).into()
}

fn by_dlpack(py: Python<'_>, device: &Device, object: &Bound<'_, PyAny>, what: &str) -> PyResult<Taken> {
    let (kind, id): (i32, i32) = object.call_method0("__dlpack_device__")?.extract()?;
    let handles = device.cuda_handles();
    let here = match handles {
        None => kind == abi::CPU,
        Some(handles) => kind == abi::CUDA && id as usize == handles.ordinal,
    };
    if !here {
        return Err(elsewhere(what, &format!("on the device ({kind}, {id}) of DLPack"), device));
    }
    let arguments = PyDict::new(py);
    if let Some(handles) = handles {
        arguments.set_item("stream", handles.stream)?;
    }
    arguments.set_item("max_version", (1, 0))?;
    let capsule = match object.call_method("__dlpack__", (), Some(&arguments)) {
        Err(error) if error.is_instance_of::<PyTypeError>(py) => {
            arguments.del_item("max_version")?;
            object.call_method("__dlpack__", (), Some(&arguments))?
        }
        capsule => capsule?,
    };
    let at = capsule.as_ptr();
    // SAFETY: the pointer of a capsule of this name is such a structure, and the code that renames the
    // capsule owns it, by the protocol.
    unsafe {
        if ffi::PyCapsule_IsValid(at, abi::VERSIONED[0].as_ptr()) == 1 {
            let managed: *mut ManagedVersioned =
                ffi::PyCapsule_GetPointer(at, abi::VERSIONED[0].as_ptr()).cast();
            if (*managed).version.major != 1 {
                return Err(Failure::argument(format!(
                    "{what}: DLPack of version {}",
                    (*managed).version.major
                ))
                .into());
            }
            ffi::PyCapsule_SetName(at, abi::VERSIONED[1].as_ptr());
            let owned = Owned(managed);
            return of_tensor(&raw const (*managed).tensor, what, move || owned.end());
        }
        if ffi::PyCapsule_IsValid(at, abi::NAMES[0].as_ptr()) == 1 {
            let managed: *mut Managed = ffi::PyCapsule_GetPointer(at, abi::NAMES[0].as_ptr()).cast();
            ffi::PyCapsule_SetName(at, abi::NAMES[1].as_ptr());
            let owned = Owned(managed);
            return of_tensor(&raw const (*managed).tensor, what, move || owned.end());
        }
    }
    Err(Failure::argument(format!("{what}: __dlpack__ gave no capsule of DLPack that is still to be taken"))
        .into())
}

/// A structure of DLPack with its deleter, which any thread may call.
struct Owned<T>(*mut T);
// SAFETY: the owner of the structure may call its deleter once, from any thread, by the protocol.
unsafe impl<T> Send for Owned<T> {}
impl Owned<Managed> {
    fn end(self) {
        // SAFETY: owned, and called once.
        unsafe { (*self.0).deleter.into_iter().for_each(|deleter| deleter(self.0)) }
    }
}
impl Owned<ManagedVersioned> {
    fn end(self) {
        // SAFETY: owned, and called once.
        unsafe { (*self.0).deleter.into_iter().for_each(|deleter| deleter(self.0)) }
    }
}

/// # Safety
/// `tensor` is as its producer has made it, and lives until `release` is called.
unsafe fn of_tensor(
    tensor: *const Tensor,
    what: &str,
    release: impl FnOnce() + Send + 'static,
) -> PyResult<Taken> {
    // SAFETY: by this function's contract: arrays of as many numbers as there are dimensions.
    let (tensor, shape, strides) = unsafe {
        let tensor = &*tensor;
        let n = tensor.dimensions.max(0) as usize;
        let of =
            |at: *const i64| (n > 0 && !at.is_null()).then(|| std::slice::from_raw_parts(at, n).to_vec());
        (tensor, of(tensor.shape).unwrap_or_default(), of(tensor.strides))
    };
    let address = tensor.data.expose_provenance().wrapping_add(tensor.offset as usize);
    if address == 0 && !shape.contains(&0) {
        release();
        return Err(Failure::argument(format!("{what} have no memory")).into());
    }
    Ok(Taken { address, shape, strides, of: tensor.of, release: Box::new(release) })
}

fn by_interface(device: &Device, object: &Bound<'_, PyAny>, what: &str) -> PyResult<Taken> {
    if device.cuda_handles().is_none() {
        return Err(elsewhere(what, "on a GPU", device));
    }
    let interface = object.getattr("__cuda_array_interface__")?;
    let text: String = interface.get_item("typestr")?.extract()?;
    let code = match text.as_bytes() {
        [b'<' | b'|' | b'=', b'f', ..] => abi::FLOAT,
        [b'<' | b'|' | b'=', b'i', ..] => abi::SIGNED,
        [b'<' | b'|' | b'=', b'u', ..] => abi::UNSIGNED,
        [b'<' | b'|' | b'=', b'b', ..] => abi::BOOL,
        _ => return Err(Failure::argument(format!("{what} have the type {text:?}")).into()),
    };
    let bytes: u8 = text.get(2..).and_then(|n| n.parse().ok()).filter(|n| *n <= 16).unwrap_or(0);
    let of = Type { code, bits: 8 * bytes, lanes: 1 };
    let shape: Vec<i64> = interface.get_item("shape")?.extract()?;
    let get = |name: &str| -> PyResult<Option<Bound<'_, PyAny>>> {
        let found = interface.call_method1("get", (name,))?;
        Ok(if found.is_none() { None } else { Some(found) })
    };
    let strides = match get("strides")? {
        None => None,
        Some(strides) => {
            let strides: Vec<i64> = strides.extract()?;
            Some(strides.into_iter().map(|stride| stride / i64::from(bytes.max(1))).collect())
        }
    };
    if get("mask")?.is_some() {
        return Err(Failure::argument(format!("{what} have a mask")).into());
    }
    let (address, _): (usize, bool) = interface.get_item("data")?.extract()?;
    if let Some(stream) = get("stream")? {
        // SAFETY: the object names the stream of its work, by the protocol.
        unsafe { device.wait_for_stream(stream.extract()?) }.map_err(Failure::from)?;
    }
    let owner = object.clone().unbind();
    let release = Box::new(move || Python::attach(|_| drop(owner)));
    Ok(Taken { address, shape, strides, of, release })
}
