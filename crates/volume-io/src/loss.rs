//! Content that is lost by writing.

use std::fmt;

/// Content of a volume that a format cannot store, or stores only in part.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum VolumeLoss {
    /// A data array is not in the file.
    Array {
        /// The element that it belongs to: point, cell, face.
        element: &'static str,
        /// Its name.
        name: String,
    },
    /// The numbers of a data array have another type in the file.
    Type {
        /// The element that it belongs to.
        element: &'static str,
        /// Its name.
        name: String,
        /// The type in the file.
        stored: &'static str,
    },
    /// Zeros were appended to the rows of a data array.
    Padded {
        /// The element that it belongs to.
        element: &'static str,
        /// Its name.
        name: String,
        /// Numbers per row in the file.
        width: usize,
    },
    /// Six numbers of a symmetric tensor (xx, yy, zz, xy, yz, zx) are stored as all nine, row by row, which
    /// is how the format has tensors.
    Tensor {
        /// The element that it belongs to.
        element: &'static str,
        /// Its name.
        name: String,
    },
    /// Cells or faces without a value got NaN or zero, since the format has one table for both.
    Filled {
        /// The elements that got it.
        element: &'static str,
        /// The array's name.
        name: String,
    },
    /// Cells or faces are in another order in the file, by kind.
    Order {
        /// Cells, faces.
        what: &'static str,
    },
    /// Names of regions are not in the file.
    RegionNames {
        /// Their number.
        count: usize,
    },
    /// The numbers of geometric entities are others in the file: they do not fit the regions.
    Entities,
    /// Faces of cells that the volume also lists by themselves, without data: the file does not say so.
    Listed {
        /// Their number.
        count: usize,
    },
    /// The title is not in the file.
    Title,
}

impl fmt::Display for VolumeLoss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Array { element, name } => write!(f, "{element} data {name:?} not written"),
            Self::Type { element, name, stored } => write!(f, "{element} data {name:?} stored as {stored}"),
            Self::Padded { element, name, width } => {
                write!(f, "{element} data {name:?} padded with zeros to {width} numbers per row")
            }
            Self::Tensor { element, name } => {
                write!(f, "{element} data {name:?} of six numbers stored as the nine of a symmetric tensor")
            }
            Self::Filled { element, name } => {
                write!(f, "data {name:?} filled with NaN or 0 for the {element}s")
            }
            Self::Order { what } => write!(f, "{what} sorted by kind"),
            Self::RegionNames { count } => write!(f, "{count} names of regions not written"),
            Self::Entities => f.write_str("geometric entities numbered anew"),
            Self::Listed { count } => write!(f, "{count} faces of cells no longer listed by themselves"),
            Self::Title => f.write_str("title not written"),
        }
    }
}
