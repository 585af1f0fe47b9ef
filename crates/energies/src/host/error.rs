//! The errors of this crate.
use ribbonmesh_mesh::{Class, Classified, Phrase, Subject};
use ribbonmesh_multigrid::MultigridError;

/// Result with the error type of this crate.
pub type Result<T> = std::result::Result<T, EnergyError>;

/// An energy that has no minimum to be found, or elements that are wrong. Elements and vertices are numbered
/// from 0.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EnergyError {
    /// The device or the library.
    #[error(transparent)]
    Library(#[from] ribbonmesh::Error),
    /// The levels of the solver.
    #[error(transparent)]
    Solver(#[from] MultigridError),
    /// An element names a vertex twice, or one that does not exist.
    #[error("element {element} names a vertex twice, or one that is not among the {vertices} there are")]
    Element {
        /// The first such element.
        element: usize,
        /// The number of vertices.
        vertices: usize,
    },
    /// Elements of another kind than the energy's.
    #[error("elements of {found} vertices, for an energy of elements with {expected}")]
    OtherElements {
        /// Vertices of the energy's elements.
        expected: usize,
        /// Vertices of these.
        found: usize,
    },
    /// A triangle of the mesh has no area.
    #[error("face {face} has no area, so that nothing tells how it deforms")]
    Flat {
        /// The first such face.
        face: usize,
    },
    /// An edge of the mesh has no length.
    #[error("the edge between vertices {} and {} has no length, so that nothing tells how it deforms", ends[0], ends[1])]
    Short {
        /// Its vertices.
        ends: [u32; 2],
    },
    /// A tetrahedron has no volume.
    #[error("cell {cell} has no volume, or is turned inside out")]
    Empty {
        /// The first such cell.
        cell: usize,
    },
    /// An element has no length, area or volume at rest, or a negative one.
    #[error("element {element} has no length, area or volume at rest, or is turned inside out there")]
    AtRest {
        /// The first such element.
        element: usize,
    },
    /// The energy is not a finite number where the search begins.
    #[error("element {element} has an energy that is not finite: it is degenerate, or turned inside out")]
    NotFinite {
        /// The first such element.
        element: usize,
    },
    /// The energy is not a finite number where the search begins.
    #[error("the energy is {value} where the search begins: an element is degenerate, or turned inside out")]
    Start {
        /// The energy.
        value: f64,
    },
    /// Fixed unknowns cannot be moved to their goals.
    #[error("after {stages} stages supports are still not at their goals: elements between them become flat")]
    Stuck {
        /// Stages that were done.
        stages: usize,
    },
    /// A part of the mesh can move freely.
    #[error("the part of the mesh with vertex {vertex} has no handle: give one of its vertices a position")]
    Free {
        /// The first vertex of the part.
        vertex: usize,
    },
    /// Handles that are wrong.
    #[error("handles: {0}")]
    Handles(String),
    /// An option is out of range.
    #[error("{option} is {value}, not {expected}")]
    Option {
        /// The option.
        option: &'static str,
        /// Its value.
        value: f64,
        /// Values that it may have.
        expected: &'static str,
    },
}
impl Classified for EnergyError {
    fn class(&self) -> Class {
        match self {
            Self::Library(error) => error.class(),
            Self::Handles(what) => Class::option("handles", what.clone()),
            Self::Option { option, value, expected } => {
                Class::option(*option, format!("is {value}, not {expected}"))
            }
            Self::Solver(MultigridError::Library(error)) => error.class(),
            Self::Solver(_) => Class::refused(Subject::Solution),
            Self::OtherElements { .. } => Class::data(),
            Self::Flat { face } => Class::mesh()
                .face(*face)
                .helped(&[Phrase::Application("clean"), Phrase::Text(" removes faces without area")]),
            Self::Short { ends } => Class::mesh().edge(*ends),
            Self::Empty { cell } => Class::mesh().cell(*cell),
            Self::Free { vertex } => Class::mesh().vertex(*vertex),
            Self::Element { .. }
            | Self::AtRest { .. }
            | Self::NotFinite { .. }
            | Self::Stuck { .. }
            | Self::Start { .. } => Class::mesh(),
        }
    }
}

/// A length that must be another one.
pub fn length(what: &'static str, expected: usize, found: usize) -> Result<()> {
    if expected == found { Ok(()) } else { Err(ribbonmesh::Error::Length { what, expected, found }.into()) }
}
/// A number of elements that 32 bits count.
pub fn fits(what: &'static str, count: usize) -> Result<u32> {
    let limit = u64::from(u32::MAX) - 1;
    u32::try_from(count)
        .ok()
        .filter(|&n| u64::from(n) <= limit)
        .ok_or_else(|| ribbonmesh::Error::TooMany { what, count: count as u64, limit }.into())
}
