//! Why a command ended without success, and with which exit status.
use crate::streams::input_name;
use ribbonmesh::Error;
use ribbonmesh_elasticity::ElasticityError;
use ribbonmesh_fem::FemError;
use ribbonmesh_fill::FillError;
use ribbonmesh_io::{ReadError, WriteError};
use ribbonmesh_mesh::shapes::ShapeError;
use ribbonmesh_mesh::{ColumnError, MeshError};
use ribbonmesh_render::RenderError;
use ribbonmesh_repair::{RepairError, Violations};
use ribbonmesh_track::TrackError;
use ribbonmesh_volume::VolumeError;
use ribbonmesh_volume_io::{VolumeReadError, VolumeWriteError};
use std::io;
use std::path::{Path, PathBuf};

/// Which options make a mesh an oriented manifold.
pub const MEND: &str =
    "; `ribbonmesh repair` or `ribbonmesh clean` mends it, or --repair, which some commands have";

/// What helps against an error about a mesh that is no oriented manifold.
fn way_out(error: &Error) -> &'static str {
    match error {
        Error::NotManifold(_) | Error::NonManifoldEdges { .. } => MEND,
        _ => "",
    }
}

/// Why a command ended without success.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error(transparent)]
    Write(#[from] WriteError),
    #[error(transparent)]
    ReadVolume(#[from] VolumeReadError),
    #[error(transparent)]
    WriteVolume(#[from] VolumeWriteError),
    /// A volume is no mesh, or a shape does not exist.
    #[error("{0}")]
    Volume(VolumeError),
    /// A body that cannot be solved.
    #[error("{}: {error}{}", input_name(file), body_hint(error))]
    Body { file: PathBuf, error: Box<ElasticityError> },
    /// Numbers of elasticity that make no problem.
    #[error("{0}")]
    Elasticity(ElasticityError),
    #[error("{}{}", .0, way_out(.0))]
    Library(#[from] Error),
    /// The library's error about edges with more than two faces, with one of them named by its vertices.
    #[error(
        "{} more than two faces, for example {}-{}; {what} needs edges of at most two{MEND}",
        if *count == 1 { "1 edge has".into() } else { format!("{count} edges have") }, edge[0], edge[1]
    )]
    NonManifoldEdges { count: u32, edge: [u32; 2], what: &'static str },
    /// A mesh of points, where a surface is needed.
    #[error("{}: no faces", input_name(.0))]
    NoFaces(PathBuf),
    /// A mesh that has to be an oriented manifold is none.
    #[error("{}: {found}{help}{MEND}", input_name(file))]
    NotManifold { file: PathBuf, found: Box<Violations>, help: &'static str },
    #[error("{}: all faces are degenerate", input_name(.0))]
    NothingLeft(PathBuf),
    #[error(transparent)]
    Shape(#[from] ShapeError),
    #[error(transparent)]
    Render(#[from] RenderError),
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// A surface that cannot be tracked any farther.
    #[error("{0}; frames and steps before it are on disk")]
    Track(TrackError),
    #[error("{0}")]
    Usage(String),
    /// An input that does not fit the others.
    #[error("{0}")]
    Refused(String),
    /// Some meshes of a batch failed.
    #[error("{} of {all} failed\n  {}", list.len(), list.join("\n  "))]
    Batch { all: String, list: Vec<String> },
    /// A mistake in this program.
    #[error("this program has made a mistake")]
    Panic,
    #[error("standard output cannot be written: {0}")]
    Stdout(io::Error),
}

impl Failure {
    /// 0 success, 1 the work failed, 2 wrong usage, 3 the input was refused.
    pub fn status(&self) -> u8 {
        match self {
            // whoever reads has seen enough
            Self::Stdout(cause) if cause.kind() == io::ErrorKind::BrokenPipe => 0,
            Self::Read(error) if error.is_refusal() => 3,
            Self::ReadVolume(error) if error.is_refusal() => 3,
            Self::Volume(VolumeError::Shape { .. }) => 2,
            Self::Volume(_) => 3,
            Self::Elasticity(_) => 2,
            Self::Body { error, .. } if error.is_refusal() => 3,
            Self::Body { .. } => 1,
            Self::NonManifoldEdges { .. } | Self::NoFaces(_) | Self::Refused(_) => 3,
            Self::NotManifold { .. } | Self::NothingLeft(_) => 3,
            Self::Library(error) => match error {
                Error::Option { .. } => 2,
                Error::IndexOutOfRange { .. }
                | Error::NotFinite { .. }
                | Error::PointNotFinite { .. }
                | Error::NoFaces { .. }
                | Error::NonManifoldEdges { .. }
                | Error::NotManifold(_)
                | Error::TooMany { .. }
                | Error::WouldNotFit { .. }
                | Error::PatchTooLarge { .. } => 3,
                _ => 1,
            },
            Self::Usage(_) | Self::Shape(_) => 2,
            Self::Batch { .. } | Self::Panic | Self::Track(_) => 1,
            Self::ReadVolume(_) | Self::WriteVolume(_) => 1,
            Self::Read(_) | Self::Write(_) | Self::Render(_) | Self::Mesh(_) | Self::Stdout(_) => 1,
        }
    }
}

impl Failure {
    /// Of an application that works on the mesh of a file.
    pub fn of_application(file: &Path, failure: ribbonmesh_application::Failure) -> Self {
        use ribbonmesh_application::Failure as Reason;
        match failure {
            Reason::Usage(message) => Self::Usage(message),
            Reason::Library(Error::NoFaces { .. }) => Self::NoFaces(file.to_owned()),
            Reason::Library(error) => error.into(),
            Reason::Mesh(error) => error.into(),
            Reason::NotManifold { found, help } => Self::NotManifold { file: file.to_owned(), found, help },
            Reason::NothingLeft => Self::NothingLeft(file.to_owned()),
            reason => Self::Refused(format!("{}: {reason}", input_name(file))),
        }
    }
}

impl From<ColumnError> for Failure {
    fn from(error: ColumnError) -> Self {
        Self::Mesh(error.into())
    }
}

impl From<FillError> for Failure {
    fn from(error: FillError) -> Self {
        match error {
            FillError::Triangles(error) => error.into(),
            FillError::Mesh(error) => error.into(),
            error => Self::Refused(error.to_string()),
        }
    }
}

impl From<TrackError> for Failure {
    fn from(error: TrackError) -> Self {
        match error {
            TrackError::Library(error) => error.into(),
            error => Self::Track(error),
        }
    }
}

impl From<VolumeError> for Failure {
    fn from(error: VolumeError) -> Self {
        match error {
            VolumeError::Device(error) => error.into(),
            error => Self::Volume(error),
        }
    }
}

impl Failure {
    /// Of the problem on the body of a file.
    pub fn elasticity(file: &Path, error: ElasticityError) -> Self {
        match error {
            ElasticityError::Volume(VolumeError::Device(error))
            | ElasticityError::Fem(FemError::Device(error) | FemError::Volume(VolumeError::Device(error))) => {
                error.into()
            }
            ElasticityError::Value { .. } | ElasticityError::HexOrder { .. } => Self::Elasticity(error),
            error => Self::Body { file: file.to_owned(), error: Box::new(error) },
        }
    }
}

/// The option that helps.
fn body_hint(error: &ElasticityError) -> &'static str {
    match error {
        ElasticityError::Hinge { .. } => {
            "; --fix or --move with box:X,Y,Z,X,Y,Z holds them, volume tetrahedralize --keep-largest leaves such parts out"
        }
        ElasticityError::Loose { .. } => "; --fix or --move holds it",
        error if error.is_inverted() => "; --turn-inverted turns cells of negative volume",
        _ => "",
    }
}

impl From<RepairError> for Failure {
    fn from(error: RepairError) -> Self {
        match error {
            RepairError::Triangles(error) => error.into(),
            RepairError::Mesh(error) => error.into(),
            error => Self::Refused(error.to_string()),
        }
    }
}
