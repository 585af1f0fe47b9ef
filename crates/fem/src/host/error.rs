//! The errors of this crate.
use ribbonmesh::mesh::{Class, Classified, Phrase, Subject};
use ribbonmesh_multigrid::MultigridError;

/// Result with the error type of this crate.
pub type Result<T> = std::result::Result<T, FemError>;

/// A problem that cannot be assembled or solved. Elements are numbered from 0, in the order of the input.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FemError {
    /// The device or the library.
    #[error(transparent)]
    Library(#[from] ribbonmesh::Error),
    /// The mesh.
    #[error(transparent)]
    Volume(#[from] ribbonmesh_volume::VolumeError),
    /// Multigrid.
    #[error(transparent)]
    Multigrid(MultigridError),
    /// A cell is turned inside out, or flat.
    #[error("cell {cell} is turned inside out, or flat")]
    Inverted {
        /// The first such cell.
        cell: usize,
    },
    /// Elements exist up to an order.
    #[error("elements of order {order}: there are those of orders 1 to {most}")]
    Order {
        /// The order that was asked for.
        order: u32,
        /// The largest order.
        most: u32,
    },
    /// Triangles have no elasticity here, and no space of tetrahedra.
    #[error("a mesh of triangles, where tetrahedra are needed")]
    Triangles,
    /// Tetrahedra are not a surface.
    #[error("a mesh of tetrahedra, where triangles are needed")]
    Tetrahedra,
    /// An element belongs to cells of another kind or order than the space.
    #[error("an element with {element} nodes on a space whose cells have {space}")]
    OtherCells {
        /// The nodes of the element.
        element: u32,
        /// The nodes of a cell of the space.
        space: u32,
    },
    /// A matrix belongs to another pattern.
    #[error("the matrix has another pattern than the assembler, or other blocks than the element")]
    OtherPattern,
    /// A block of the diagonal is not positive definite where its unknowns are free: the node belongs to no
    /// cell, or the matrix is not that of a problem with a minimum.
    #[error(
        "the diagonal block of node {node} is not positive definite: the node belongs to no cell, or its material is not stable"
    )]
    NotPositive {
        /// The first such node.
        node: usize,
    },
    /// Conjugate gradients found a direction along which the energy does not grow, or a number that is not
    /// finite: the problem is not constrained enough, or not positive definite.
    #[error(
        "conjugate gradients broke down in iteration {iteration}: the problem is not positive definite, or not held well enough"
    )]
    Breakdown {
        /// The iteration.
        iteration: usize,
    },
}

impl From<MultigridError> for FemError {
    fn from(error: MultigridError) -> Self {
        match error {
            MultigridError::Library(error) => Self::Library(error),
            MultigridError::NotPositive { node } => Self::NotPositive { node },
            other => Self::Multigrid(other),
        }
    }
}

impl Classified for FemError {
    fn class(&self) -> Class {
        match *self {
            Self::Library(ref error) => error.class(),
            Self::Multigrid(_) => Class::data(),
            Self::Volume(ref error) => error.class(),
            Self::Inverted { cell } => Class::mesh()
                .cell(cell)
                .helped(&[Phrase::Option("turn_inverted"), Phrase::Text(" turns cells of negative volume")]),
            Self::Order { .. } => Class::refused(Subject::Option),
            Self::Triangles | Self::Tetrahedra | Self::NotPositive { .. } => Class::mesh(),
            Self::OtherCells { .. } | Self::OtherPattern => Class::data(),
            Self::Breakdown { .. } => Class::refused(Subject::Solution),
        }
    }
}
