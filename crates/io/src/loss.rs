//! Content that is lost by writing.

use std::fmt;

use ribbonmesh_mesh::Element;

/// Content of a mesh that a format cannot store, or stores only in part.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Loss {
    /// An attribute is not in the file.
    Attribute {
        /// The elements it belongs to.
        element: Element,
        /// Its name.
        name: String,
    },
    /// Values of an attribute were rounded to another type.
    Rounded {
        /// The elements it belongs to.
        element: Element,
        /// Its name.
        name: String,
    },
    /// Coordinates were rounded to single precision.
    Positions,
    /// Edges are not in the file.
    Edges {
        /// Their number.
        count: usize,
    },
    /// Names of materials, groups or objects are not in the file.
    Names {
        /// The kind of names.
        what: &'static str,
        /// Their number.
        count: usize,
    },
    /// Definitions of materials, with their textures, are not in the file.
    Materials {
        /// Their number.
        count: usize,
    },
    /// Definitions of materials are written in part: base colour, opacity, roughness, emitted light, and
    /// their pictures.
    MaterialsReduced {
        /// Their number.
        count: usize,
    },
    /// Parts of materials are not in the file: pictures for which the mesh has no texture coordinates,
    /// directions without tangents, and parts that are not well formed.
    Textures {
        /// The number of materials.
        count: usize,
    },
    /// A material file or picture was not written: its name refers to another folder, or another file has
    /// this name.
    Library {
        /// The name.
        name: String,
    },
    /// Comments or headers are not in the file.
    Remarks {
        /// Their number.
        count: usize,
    },
    /// Vertices without a face are not in the file.
    Isolated {
        /// Their number.
        count: usize,
    },
    /// Faces are in another order in the file, by object and material.
    FaceOrder,
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Attribute { element, name } => write!(f, "{element} attribute {name:?} not written"),
            Self::Rounded { element, name } => write!(f, "{element} attribute {name:?} rounded"),
            Self::Positions => f.write_str("coordinates rounded to single precision"),
            Self::Edges { count } => write!(f, "{count} edges not written"),
            Self::Names { what, count } => write!(f, "{count} names of {what} not written"),
            Self::Materials { count } => write!(f, "{count} definitions of materials not written"),
            Self::MaterialsReduced { count } => write!(f, "{count} definitions of materials written in part"),
            Self::Textures { count } => {
                write!(
                    f,
                    "parts of {count} materials not written, such as pictures without texture coordinates"
                )
            }
            Self::Library { name } => write!(f, "file of materials {name:?} not written"),
            Self::Remarks { count } => write!(f, "{count} comments not written"),
            Self::Isolated { count } => write!(f, "{count} vertices without a face not written"),
            Self::FaceOrder => f.write_str("faces sorted by object and material"),
        }
    }
}
