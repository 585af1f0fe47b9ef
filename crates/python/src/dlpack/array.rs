//! Arrays of the package on a device.
use super::abi::{self, Managed, ManagedVersioned, Place, Tensor, Type, Version};
use super::{Copied, count};
use crate::arrays::give;
use crate::content::Content;
use crate::device::Session;
use crate::failure::Failure;
use crate::watch::{self, Size};
use pyo3::exceptions::{PyAttributeError, PyBufferError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use ribbonmesh::glam::Vec3;
use ribbonmesh::{Buffer, Device, MemoryAddress};
use std::ffi::c_void;
use std::sync::Arc;

/// Whose memory it is.
#[derive(Clone)]
pub enum Source {
    Positions(Arc<Content>),
    Faces(Arc<Content>),
    Vectors(Arc<Buffer<Vec3>>),
    Floats(Arc<Buffer<f32>>),
    Doubles(Arc<Buffer<f64>>),
    /// Three numbers in each row.
    DoubleVectors(Arc<Buffer<f64>>),
    Numbers(Arc<Buffer<u32>>),
    /// 1 for true, 0 for false.
    Flags(Arc<Buffer<u8>>),
}
impl Source {
    /// Whether its numbers are integers.
    fn is_integral(&self) -> bool {
        matches!(self, Self::Faces(_) | Self::Numbers(_))
    }
}

/// An array in the memory of a device, which nothing writes.
///
/// Other libraries read it without a copy by DLPack (``torch.from_dlpack``) or the CUDA array interface.
#[pyclass(frozen, module = "ribbonmesh")]
pub struct DeviceArray {
    source: Source,
    device: Device,
    /// The address of its first number: a pointer of the host, or a `CUdeviceptr`.
    address: usize,
    shape: Vec<i64>,
}

impl DeviceArray {
    pub fn new(source: Source) -> Result<Self, Failure> {
        let (address, device, shape) = {
            let missing = || Failure::bug("a mesh without a surface");
            // SAFETY: readers keep the source, and the owners of these buffers do not write them; a reader's
            // stream is ordered with the device's when the array is lent and given back.
            unsafe {
                match &source {
                    Source::Positions(content) => {
                        let surface = content.kept().ok_or_else(missing)?;
                        let triangles = surface.triangles();
                        let x = triangles.positions();
                        (x.address(), x.device().clone(), vec![x.len() as i64, 3])
                    }
                    Source::Faces(content) => {
                        let surface = content.kept().ok_or_else(missing)?;
                        let triangles = surface.triangles();
                        let f = triangles.faces();
                        (f.address(), f.device().clone(), vec![(f.len() / 3) as i64, 3])
                    }
                    Source::Vectors(buffer) => {
                        (buffer.address(), buffer.device().clone(), vec![buffer.len() as i64, 3])
                    }
                    Source::Floats(buffer) => {
                        (buffer.address(), buffer.device().clone(), vec![buffer.len() as i64])
                    }
                    Source::Doubles(buffer) => {
                        (buffer.address(), buffer.device().clone(), vec![buffer.len() as i64])
                    }
                    Source::DoubleVectors(buffer) => {
                        (buffer.address(), buffer.device().clone(), vec![(buffer.len() / 3) as i64, 3])
                    }
                    Source::Numbers(buffer) => {
                        (buffer.address(), buffer.device().clone(), vec![buffer.len() as i64])
                    }
                    Source::Flags(buffer) => {
                        (buffer.address(), buffer.device().clone(), vec![buffer.len() as i64])
                    }
                }
            }
        };
        let address = match address {
            MemoryAddress::Host(at) => at.expose_provenance(),
            MemoryAddress::Cuda(address) => address as usize,
        };
        Ok(Self { source, device, address, shape })
    }
    fn place(&self) -> Place {
        match self.device.cuda_handles() {
            None => Place { kind: abi::CPU, id: 0 },
            Some(handles) => Place { kind: abi::CUDA, id: handles.ordinal as i32 },
        }
    }
    fn of(&self) -> Type {
        let (code, bits) = match &self.source {
            source if source.is_integral() => (abi::SIGNED, 32),
            Source::Flags(_) => (abi::BOOL, 8),
            Source::Doubles(_) | Source::DoubleVectors(_) => (abi::FLOAT, 64),
            _ => (abi::FLOAT, 32),
        };
        Type { code, bits, lanes: 1 }
    }
    /// The type of its numbers by numpy's name, and as the CUDA array interface spells it.
    fn names(&self) -> [&'static str; 2] {
        match &self.source {
            source if source.is_integral() => ["int32", "<i4"],
            Source::Flags(_) => ["bool", "|b1"],
            Source::Doubles(_) | Source::DoubleVectors(_) => ["float64", "<f8"],
            _ => ["float32", "<f4"],
        }
    }
    fn data(&self) -> *mut c_void {
        std::ptr::with_exposed_provenance_mut(self.address)
    }
    /// Lends the array to a stream. None means no ordering.
    fn order(&self, stream: Option<i64>) -> PyResult<Option<usize>> {
        if self.device.cuda_handles().is_none() {
            return match stream {
                None | Some(-1) => Ok(None),
                Some(_) => Err(PyBufferError::new_err("stream: an array of the CPU has none")),
            };
        }
        let stream = match stream {
            Some(-1) => return Ok(None),
            Some(0) => {
                return Err(PyBufferError::new_err("stream 0 is ambiguous: 1 is the legacy default stream"));
            }
            None => 1,
            Some(stream) => stream as usize,
        };
        // SAFETY: the consumer names a stream of its device, by the protocol.
        unsafe { self.device.let_stream_wait(stream) }.map_err(Failure::from)?;
        Ok(Some(stream))
    }
}

/// Memory that a capsule keeps until its consumer has released it.
struct Lent<T> {
    managed: T,
    /// The shape that the tensor points to.
    _shape: Vec<i64>,
    _strides: Vec<i64>,
    /// Dropped after the consumer's stream was waited for.
    source: Option<Source>,
    device: Device,
    stream: Option<usize>,
}
impl<T> Drop for Lent<T> {
    fn drop(&mut self) {
        if let Some(stream) = self.stream {
            // the memory may be used again: only after the work that the consumer has queued so far. A
            // failure here also occurs at the next call
            // SAFETY: the consumer's own stream, which lives as long as it uses the memory.
            let _ = unsafe { self.device.wait_for_stream(stream) };
        }
        self.source = None;
    }
}

/// Ends a loan.
///
/// # Safety
/// `managed` is the first field's address in a box of [`lend`], and this is called once.
unsafe extern "C" fn end(managed: *mut Managed) {
    // SAFETY: by this function's contract.
    unsafe { drop(Box::from_raw((*managed).context.cast::<Lent<Managed>>())) }
}
/// As [`end`].
///
/// # Safety
/// As [`end`].
unsafe extern "C" fn end_versioned(managed: *mut ManagedVersioned) {
    // SAFETY: by this function's contract.
    unsafe { drop(Box::from_raw((*managed).context.cast::<Lent<ManagedVersioned>>())) }
}

/// Ends the loan of a capsule that no consumer has taken.
unsafe extern "C" fn destroy(capsule: *mut ffi::PyObject) {
    // SAFETY: a capsule of this module, with one of two names, whose content has its deleter; called by the
    // interpreter.
    unsafe {
        if ffi::PyCapsule_IsValid(capsule, abi::NAMES[0].as_ptr()) == 1 {
            end(ffi::PyCapsule_GetPointer(capsule, abi::NAMES[0].as_ptr()).cast());
        } else if ffi::PyCapsule_IsValid(capsule, abi::VERSIONED[0].as_ptr()) == 1 {
            end_versioned(ffi::PyCapsule_GetPointer(capsule, abi::VERSIONED[0].as_ptr()).cast());
        }
    }
}

impl DeviceArray {
    /// A capsule with the value that `make` makes of a tensor.
    fn lend<'py, T>(
        &self,
        py: Python<'py>,
        stream: Option<usize>,
        name: &'static std::ffi::CStr,
        make: impl FnOnce(Tensor) -> T,
        context: impl FnOnce(&mut T, *mut c_void),
    ) -> PyResult<Bound<'py, PyAny>> {
        let mut shape = self.shape.clone();
        let mut strides = vec![1; shape.len()];
        for i in (1..shape.len()).rev() {
            strides[i - 1] = strides[i] * shape[i];
        }
        let tensor = Tensor {
            data: self.data(),
            place: self.place(),
            dimensions: shape.len() as i32,
            of: self.of(),
            shape: shape.as_mut_ptr(),
            strides: strides.as_mut_ptr(),
            offset: 0,
        };
        let (source, device) = (Some(self.source.clone()), self.device.clone());
        let lent = Box::new(Lent {
            managed: make(tensor),
            _shape: shape,
            _strides: strides,
            source,
            device,
            stream,
        });
        let lent = Box::into_raw(lent);
        // SAFETY: it was just made, and no other code has it; the vectors' numbers stay where they are until
        // it is dropped.
        unsafe {
            context(&mut (*lent).managed, lent.cast());
            let capsule = ffi::PyCapsule_New((&raw mut (*lent).managed).cast(), name.as_ptr(), Some(destroy));
            if capsule.is_null() {
                drop(Box::from_raw(lent));
                return Err(PyErr::fetch(py));
            }
            Ok(Bound::from_owned_ptr(py, capsule))
        }
    }
}

/// The numbers of an array, as words; waits.
fn read(source: &Source) -> Result<Vec<u32>, Failure> {
    let missing = || Failure::bug("a mesh without a surface");
    let vectors = |x: Vec<Vec3>| bytemuck::cast_slice::<Vec3, u32>(&x).to_vec();
    Ok(match source {
        Source::Positions(content) => {
            vectors(content.kept().ok_or_else(missing)?.triangles().positions().read()?)
        }
        Source::Faces(content) => content.kept().ok_or_else(missing)?.triangles().faces().read()?,
        Source::Vectors(buffer) => vectors(buffer.read()?),
        Source::Floats(buffer) => bytemuck::cast_vec(buffer.read()?),
        Source::Doubles(buffer) | Source::DoubleVectors(buffer) => {
            bytemuck::cast_slice::<f64, u32>(&buffer.read()?).to_vec()
        }
        Source::Numbers(buffer) => buffer.read()?,
        Source::Flags(buffer) => buffer.read()?.into_iter().map(u32::from).collect(),
    })
}

#[pymethods]
impl DeviceArray {
    /// The numbers of rows and columns.
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.shape)
    }
    /// The type of its numbers: ``float32``, ``float64``, ``int32`` or ``bool``.
    #[getter]
    fn dtype<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("numpy")?.call_method1("dtype", (self.names()[0],))
    }
    /// The device: ``cpu``, ``cuda:0``, ….
    #[getter]
    fn device(&self) -> String {
        match self.device.cuda_handles() {
            None => "cpu".into(),
            Some(handles) => format!("cuda:{}", handles.ordinal),
        }
    }
    /// The address of its first number, on its device.
    #[getter]
    fn address(&self) -> usize {
        self.address
    }
    fn __len__(&self) -> usize {
        self.shape[0] as usize
    }
    fn __repr__(&self) -> String {
        let shape: Vec<String> = self.shape.iter().map(i64::to_string).collect();
        format!("DeviceArray(({}), {}, {:?})", shape.join(", "), self.names()[0], self.device())
    }
    /// A copy on the host.
    fn numpy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        count(Copied::ToHost);
        let (source, device) = (self.source.clone(), self.device.clone());
        let size = Size::Faces(self.shape[0] as usize);
        let width = if self.shape.len() == 1 { 1 } else { 3 };
        let source = match source {
            Source::Doubles(buffer) | Source::DoubleVectors(buffer) => {
                let read = move |session: &mut Session| session.turn(&device, |_| Ok(buffer.read()?));
                return give::<f64>(py, watch::run(py, size, None, read)?, width);
            }
            Source::Flags(buffer) => {
                let read = move |session: &mut Session| session.turn(&device, |_| Ok(buffer.read()?));
                let flags = watch::run(py, size, None, read)?.into_iter().map(|flag| flag == 1).collect();
                return give::<bool>(py, flags, width);
            }
            source => source,
        };
        let words = watch::run(py, size, None, move |session| session.turn(&device, |_| read(&source)))?;
        if self.of().code == abi::SIGNED {
            return give::<i32>(py, bytemuck::cast_vec(words), width);
        }
        give::<f32>(py, bytemuck::cast_vec(words), width)
    }
    #[pyo3(signature = (dtype=None, copy=None))]
    fn __array__<'py>(
        &self,
        py: Python<'py>,
        dtype: Option<Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if copy == Some(false) {
            return Err(PyValueError::new_err("an array on a device is copied to become one of numpy"));
        }
        let array = self.numpy(py)?;
        match dtype {
            Some(dtype) if !dtype.is_none() => array.call_method1("astype", (dtype,)),
            _ => Ok(array),
        }
    }
    fn __dlpack_device__(&self) -> (i32, i32) {
        let Place { kind, id } = self.place();
        (kind, id)
    }
    #[pyo3(signature = (*, stream=None, max_version=None, dl_device=None, copy=None))]
    fn __dlpack__<'py>(
        &self,
        py: Python<'py>,
        stream: Option<i64>,
        max_version: Option<(u32, u32)>,
        dl_device: Option<(i32, i32)>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if dl_device.is_some_and(|device| device != self.__dlpack_device__()) {
            return Err(PyBufferError::new_err("the array cannot be given on another device: use numpy()"));
        }
        if copy == Some(true) {
            return Err(PyBufferError::new_err("the array is given without a copy; copy what you get"));
        }
        let stream = self.order(stream)?;
        if max_version.is_some_and(|(major, _)| major >= 1) {
            let make = |tensor| ManagedVersioned {
                version: Version { major: 1, minor: 0 },
                context: std::ptr::null_mut(),
                deleter: Some(end_versioned),
                flags: abi::READ_ONLY,
                tensor,
            };
            return self.lend(py, stream, abi::VERSIONED[0], make, |managed, at| managed.context = at);
        }
        let make = |tensor| Managed { tensor, context: std::ptr::null_mut(), deleter: Some(end) };
        self.lend(py, stream, abi::NAMES[0], make, |managed, at| managed.context = at)
    }
    /// The array for libraries that read it so; of an array on a GPU.
    #[getter]
    fn __cuda_array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let Some(handles) = self.device.cuda_handles() else {
            return Err(PyAttributeError::new_err("__cuda_array_interface__"));
        };
        let interface = PyDict::new(py);
        interface.set_item("shape", self.shape(py)?)?;
        interface.set_item("typestr", self.names()[1])?;
        interface.set_item("data", (self.address(), true))?;
        interface.set_item("strides", py.None())?;
        interface.set_item("version", 3)?;
        interface.set_item("stream", handles.stream)?;
        Ok(interface)
    }
}
