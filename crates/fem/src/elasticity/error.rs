//! The errors of this crate.
use crate::FemError;
use ribbonmesh::mesh::{Class, Classified, Phrase, Subject};
use ribbonmesh_energies::EnergyError;
use ribbonmesh_volume::{CellKind, VolumeError};

/// Result with the error type of this crate.
pub type Result<T> = std::result::Result<T, ElasticityError>;

/// Reason for which a problem cannot be solved. Elements are numbered from 0, in the order of the file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ElasticityError {
    /// An error of the mesh.
    #[error(transparent)]
    Volume(#[from] VolumeError),
    /// An error of assembly or solution.
    #[error(transparent)]
    Fem(#[from] FemError),
    /// The search for a minimum of the energy of large displacements.
    #[error(transparent)]
    Energy(#[from] EnergyError),
    /// Large displacements and motion do not have this.
    #[error("large displacements have tetrahedra of order 1 in double precision, not {what}")]
    Large {
        /// The option or kind of cells.
        what: &'static str,
    },
    /// More modes than the body has, or none.
    #[error("modes is {count}: 1 to {free}, the number of unknowns that no support holds")]
    Modes {
        /// The requested number.
        count: usize,
        /// Unknowns that are not fixed.
        free: usize,
    },
    /// There are no cells.
    #[error("the volume has no cells")]
    NoCells,
    /// Cells are neither all tetrahedra nor all hexahedra.
    #[error(
        "cell {cell} is a {kind}, and cell 0 a {first}: elasticity needs only tetrahedra or only hexahedra"
    )]
    Mixed {
        /// The first cell of another kind.
        cell: usize,
        /// Its kind.
        kind: CellKind,
        /// The kind of cell 0.
        first: CellKind,
    },
    /// The elements do not support this kind of cells.
    #[error("cells are of the kind {kind}: elasticity needs only tetrahedra or only hexahedra")]
    Kind {
        /// The kind of cell 0.
        kind: CellKind,
    },
    /// Hexahedra only have order 1.
    #[error("hexahedra of order {order}: there are those of order 1")]
    HexOrder {
        /// The requested order.
        order: u32,
    },
    /// A number of the problem is out of range.
    #[error("{what} is {value}; it must be {expected}")]
    Value {
        /// The name of the number.
        what: &'static str,
        /// The given value.
        value: f64,
        /// The condition that it must meet.
        expected: &'static str,
    },
    /// A selection has no vertices that belong to cells.
    #[error("{selection} selects no vertex{}", hint(.regions))]
    NoVertices {
        /// The selection in words.
        selection: String,
        /// The regions of the file, if the selection is a region.
        regions: Vec<String>,
    },
    /// A material selects no cell.
    #[error(
        "{selection} selects no cell: a material needs cells all of whose vertices are selected, or a region of cells{}",
        hint(.regions)
    )]
    NoCellsSelected {
        /// The selection in words.
        selection: String,
        /// The regions of the file, if the selection is a region.
        regions: Vec<String>,
    },
    /// A load on a surface selects no face.
    #[error(
        "{selection} selects no face of the surface, but {vertices} vertices: a load needs faces all of whose vertices are selected"
    )]
    NoFaces {
        /// The selection in words.
        selection: String,
        /// Number of vertices that the selection has.
        vertices: usize,
    },
    /// A part of the body is not held.
    #[error(
        "the part of the body with cell {cell} is not held: {}",
        if *.motions == 6 { "no support touches it".to_owned() } else { format!("{} of its 6 rigid motions {} free", .motions, if *.motions == 1 { "is" } else { "are" }) }
    )]
    Loose {
        /// The smallest cell of the part.
        cell: usize,
        /// Number of its six rigid motions that no support prevents.
        motions: usize,
    },
    /// A part of the body is connected to others only by vertices or edges, as by a hinge, and can still
    /// move.
    #[error(
        "{}, of which cell {cell} is the first, are connected to other cells only by {}, not by a face: {} of the rigid motions of such parts {} free",
        counted(*.cells, "cell", "cells"),
        joint(*.vertex, *.vertices),
        .motions,
        if *.motions == 1 { "is" } else { "are" }
    )]
    Hinge {
        /// The smallest cell of a part that moves; a part consists of cells that are connected through faces.
        cell: usize,
        /// Number of cells of the part.
        cells: usize,
        /// The first vertex that it shares with other parts.
        vertex: usize,
        /// Number of such vertices.
        vertices: usize,
        /// Number of rigid motions of all such parts together that nothing prevents.
        motions: usize,
    },
}
fn counted(count: usize, one: &str, more: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { more })
}
fn joint(vertex: usize, vertices: usize) -> String {
    if vertices == 1 {
        format!("vertex {vertex}")
    } else {
        format!("{vertices} vertices, vertex {vertex} and others,")
    }
}
fn hint(regions: &[String]) -> String {
    if regions.is_empty() { String::new() } else { format!("; regions of the file: {}", regions.join(", ")) }
}
impl From<ribbonmesh::Error> for ElasticityError {
    fn from(error: ribbonmesh::Error) -> Self {
        Self::Volume(error.into())
    }
}

impl Classified for ElasticityError {
    fn class(&self) -> Class {
        match *self {
            Self::Volume(ref error) => error.class(),
            Self::Fem(ref error) => error.class(),
            Self::Energy(ref error) => error.class(),
            Self::Large { .. } => Class::refused(Subject::Option),
            Self::Modes { count, free } => Class::option(
                "modes",
                format!("is {count}: 1 to {free}, the number of unknowns that no support holds"),
            ),
            Self::Mixed { cell, .. } => Class::mesh().cell(cell),
            Self::HexOrder { .. } | Self::Value { .. } => Class::refused(Subject::Option),
            Self::NoCells
            | Self::Kind { .. }
            | Self::NoVertices { .. }
            | Self::NoCellsSelected { .. }
            | Self::NoFaces { .. } => Class::mesh(),
            Self::Loose { cell, .. } => Class::mesh().cell(cell).helped(&[
                Phrase::Option("fix"),
                Phrase::Text(" or "),
                Phrase::Option("move"),
                Phrase::Text(" holds it"),
            ]),
            Self::Hinge { cell, vertex, .. } => Class::mesh().cell(cell).vertex(vertex).helped(&[
                Phrase::Option("fix"),
                Phrase::Text(" or "),
                Phrase::Option("move"),
                Phrase::Text(" with box:X,Y,Z,X,Y,Z holds them, "),
                Phrase::Application("tetrahedralize"),
                Phrase::Text(" with "),
                Phrase::Option("keep_largest"),
                Phrase::Text(" leaves such parts out"),
            ]),
        }
    }
}
