//! Why a call failed, and the Python exception that says so.
use pyo3::prelude::*;
use pyo3::types::PyDict;
use ribbonmesh::{Defect, Error};
use ribbonmesh_clean::CleanError;
use ribbonmesh_fill::FillError;
use ribbonmesh_io::{ReadError, WriteError};
use ribbonmesh_mesh::shapes::ShapeError;
use ribbonmesh_mesh::{ColumnError, MeshError};
use ribbonmesh_render::RenderError;
use ribbonmesh_repair::{RepairError, Violation, Violations};
use ribbonmesh_resolve::ResolveError;
use ribbonmesh_track::TrackError;
use std::path::Path;

/// Exceptions of `ribbonmesh._errors`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Argument,
    Mesh,
    NotManifold,
    Device,
    Memory,
    Read,
    Write,
    Internal,
}
impl Kind {
    fn exception(self) -> &'static str {
        match self {
            Self::Argument => "ArgumentError",
            Self::Mesh => "MeshError",
            Self::NotManifold => "NotManifoldError",
            Self::Device => "DeviceError",
            Self::Memory => "OutOfMemoryError",
            Self::Read => "ReadError",
            Self::Write => "WriteError",
            Self::Internal => "InternalError",
        }
    }
}

/// Why a call failed.
#[derive(Debug)]
pub struct Failure {
    kind: Kind,
    message: String,
    /// Attributes of the exception: the element that is named.
    named: Vec<(&'static str, Named)>,
    /// The exception that a function of the caller has raised.
    raised: Option<Box<PyErr>>,
}

/// The value of an attribute of an exception.
#[derive(Debug)]
enum Named {
    Number(u64),
    Pair([u64; 2]),
    Text(String),
}

impl Failure {
    pub fn new(kind: Kind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), named: vec![], raised: None }
    }
    pub fn argument(message: impl Into<String>) -> Self {
        Self::new(Kind::Argument, message)
    }
    /// The failure of an application that has left a mesh in another place.
    pub fn of_place() -> Self {
        Self::new(Kind::Internal, "an application has left its mesh in another place")
    }
    /// The failure of a function of the caller, which raised this.
    pub fn raised(error: PyErr) -> Self {
        Self { raised: Some(Box::new(error)), ..Self::new(Kind::Internal, "a function of the caller failed") }
    }
    fn with(mut self, name: &'static str, value: impl Into<Named>) -> Self {
        self.named.push((name, value.into()));
        self
    }
    /// The same with the file that it is about.
    pub fn of_file(self, file: &Path) -> Self {
        self.with("file", file)
    }
    /// The same with the point, of several that were given, that it is about.
    pub fn of_point(self, point: usize) -> Self {
        self.with("point", point as u64)
    }
    /// The same with the vertex that it is about.
    pub fn of_vertex(self, vertex: usize) -> Self {
        self.with("vertex", vertex as u64)
    }
    /// The same with the mesh of several that it is about.
    pub fn of_mesh(self, mesh: usize) -> Self {
        self.with("mesh", mesh as u64)
    }
}

impl From<u64> for Named {
    fn from(number: u64) -> Self {
        Self::Number(number)
    }
}
impl From<[u32; 2]> for Named {
    fn from(pair: [u32; 2]) -> Self {
        Self::Pair(pair.map(u64::from))
    }
}
impl From<&Path> for Named {
    fn from(path: &Path) -> Self {
        Self::Text(path.display().to_string())
    }
}

impl From<Failure> for PyErr {
    fn from(mut failure: Failure) -> Self {
        if let Some(error) = failure.raised.take() {
            return *error;
        }
        if matches!(failure.kind, Kind::NotManifold) {
            failure.message += "; .repair() makes it an oriented manifold, .clean() a closed one";
        }
        Python::attach(|py| {
            let made = || -> PyResult<PyErr> {
                let errors = py.import("ribbonmesh._errors")?;
                let named = PyDict::new(py);
                for (name, value) in &failure.named {
                    match value {
                        Named::Number(number) => named.set_item(name, number)?,
                        Named::Pair(pair) => named.set_item(name, (pair[0], pair[1]))?,
                        Named::Text(text) => named.set_item(name, text)?,
                    }
                }
                let class = errors.getattr(failure.kind.exception())?;
                Ok(PyErr::from_value(class.call((&failure.message,), Some(&named))?))
            };
            made().unwrap_or_else(|error| error)
        })
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let text = error.to_string();
        let of = |kind| Self::new(kind, text.clone());
        match error {
            Error::IndexOutOfRange { face, vertex, .. } => {
                of(Kind::Mesh).with("face", face as u64).with("vertex", u64::from(vertex))
            }
            Error::NotFinite { vertex } => of(Kind::Mesh).with("vertex", vertex as u64),
            Error::PointNotFinite { point } => of(Kind::Argument).with("point", point as u64),
            Error::NotManifold(defect) => {
                let failure = of(Kind::NotManifold);
                match defect {
                    Defect::Edge { ends } => failure.with("edge", ends),
                    Defect::Face { face } => failure.with("face", u64::from(face)),
                    Defect::Vertex { vertex } => failure.with("vertex", u64::from(vertex)),
                }
            }
            Error::PatchTooLarge { vertex, face, .. } => {
                of(Kind::Mesh).with("vertex", vertex as u64).with("face", face as u64)
            }
            Error::NonManifoldEdges { .. } => of(Kind::NotManifold),
            Error::NoFaces { .. } | Error::Invalid(_) | Error::BrokenMesh { .. } => of(Kind::Mesh),
            Error::Option { .. }
            | Error::Length { .. }
            | Error::OtherDevice { .. }
            | Error::TooMany { .. } => of(Kind::Argument),
            Error::OutOfMemory { .. } | Error::WouldNotFit { .. } => of(Kind::Memory),
            Error::Mesh(error) => error.into(),
            Error::Column(error) => error.into(),
            Error::BuiltWithoutCuda
            | Error::NoDriver
            | Error::NoSuchDevice { .. }
            | Error::DriverTooOld { .. }
            | Error::Cuda { .. }
            | Error::SharedMemory { .. }
            | Error::Threads { .. } => of(Kind::Device),
            _ => of(Kind::Internal),
        }
    }
}

impl From<ribbonmesh_application::Failure> for Failure {
    fn from(failure: ribbonmesh_application::Failure) -> Self {
        use ribbonmesh_application::Failure as Reason;
        let text = failure.to_string();
        match failure {
            Reason::Usage(message) => Self::argument(message),
            Reason::Library(error) => error.into(),
            Reason::Mesh(error) => error.into(),
            Reason::NotManifold { found, .. } => Self { message: text, ..Self::from(&*found) },
            _ => Self::new(Kind::Mesh, text),
        }
    }
}

impl From<MeshError> for Failure {
    fn from(error: MeshError) -> Self {
        let failure = Self::new(Kind::Mesh, error.to_string());
        match error {
            MeshError::FaceIndex { face, index, .. } => {
                failure.with("face", face as u64).with("vertex", u64::from(index))
            }
            MeshError::Column(error) => error.into(),
            _ => failure,
        }
    }
}
impl From<ColumnError> for Failure {
    fn from(error: ColumnError) -> Self {
        Self::argument(error.to_string())
    }
}
impl From<ShapeError> for Failure {
    fn from(error: ShapeError) -> Self {
        Self::argument(error.to_string())
    }
}
impl From<RenderError> for Failure {
    fn from(error: RenderError) -> Self {
        Self::argument(error.to_string())
    }
}
impl From<ReadError> for Failure {
    fn from(error: ReadError) -> Self {
        Self::new(Kind::Read, error.to_string()).with("file", error.file.as_path())
    }
}
impl From<WriteError> for Failure {
    fn from(error: WriteError) -> Self {
        Self::new(Kind::Write, error.to_string()).with("file", error.file.as_path())
    }
}
impl From<&Violations> for Failure {
    fn from(found: &Violations) -> Self {
        let failure = Self::new(Kind::NotManifold, found.to_string());
        match found.first() {
            Some(&Violation::DegenerateFace { face, .. } | &Violation::DuplicateFace { face, .. }) => {
                failure.with("face", u64::from(face))
            }
            Some(&Violation::NonManifoldEdge { edge, .. } | &Violation::InconsistentEdge { edge, .. }) => {
                failure.with("edge", edge)
            }
            Some(&Violation::NonManifoldVertex { vertex, .. }) => failure.with("vertex", u64::from(vertex)),
            _ => failure,
        }
    }
}
impl From<FillError> for Failure {
    fn from(error: FillError) -> Self {
        let text = error.to_string();
        match error {
            FillError::Triangles(error) => error.into(),
            FillError::Mesh(error) => error.into(),
            FillError::NotManifold(found) => Self { message: text, ..Self::from(&*found) },
            _ => Self::new(Kind::Mesh, text),
        }
    }
}
impl From<RepairError> for Failure {
    fn from(error: RepairError) -> Self {
        match error {
            RepairError::Triangles(error) => error.into(),
            RepairError::Mesh(error) => error.into(),
            error => Self::new(Kind::Mesh, error.to_string()),
        }
    }
}
impl From<ResolveError> for Failure {
    fn from(error: ResolveError) -> Self {
        match error {
            ResolveError::Library(error) => error.into(),
            ResolveError::Mesh(error) => error.into(),
            ResolveError::Unfit { mesh, .. } => Self::new(Kind::NotManifold, error.to_string()).of_mesh(mesh),
            error => Self::new(Kind::Mesh, error.to_string()),
        }
    }
}
impl From<TrackError> for Failure {
    fn from(error: TrackError) -> Self {
        match error {
            TrackError::Library(error) => error.into(),
            TrackError::Columns(error) => error.into(),
            TrackError::Column { .. } => Self::argument(error.to_string()),
            TrackError::NotFinite { vertex, .. } | TrackError::TooFar { vertex, .. } => {
                Self::argument(error.to_string()).with("vertex", u64::from(vertex))
            }
            error => Self::new(Kind::Mesh, error.to_string()),
        }
    }
}
impl From<CleanError> for Failure {
    fn from(error: CleanError) -> Self {
        match error {
            CleanError::Library(error) => error.into(),
            CleanError::Mesh(error) => error.into(),
            CleanError::Fill(error) => error.into(),
            error => Self::new(Kind::Mesh, error.to_string()),
        }
    }
}
