//! Errors of a store.
use crate::Broken;
use ribbonmesh::Error;
use ribbonmesh_mesh::{Class, Classified};

/// An error of a store.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// An error of the library: of the device, the memory, the mesh.
    #[error(transparent)]
    Library(#[from] Error),
    /// A patch has more local elements than a key of a table has bits for.
    #[error("patch {patch} has {count} local {what}, more than {limit}: make smaller patches")]
    PatchTooLarge {
        /// The patch.
        patch: u32,
        /// Kind of elements.
        what: &'static str,
        /// Their number.
        count: u32,
        /// The largest number.
        limit: u32,
    },
    /// A patch has more patches around it than a patch stash.
    #[error("more than {limit} patches have elements of the ribbon of patch {patch}: make larger patches")]
    TooManyNeighbours {
        /// The patch.
        patch: u32,
        /// The largest number.
        limit: u32,
    },
    /// A table has no room, with any load that was tried.
    #[error("the tables of ribbons have no room for their entries at a load of {load}")]
    TableFull {
        /// The least load that was tried.
        load: f32,
    },
    /// A patch has no room for what it has to own, or has in its ribbon, and was not cut in two: no patch is
    /// free, or the half has no room either.
    #[error("{} no room for more {what}: make a store with more room", whose(*patch))]
    Full {
        /// The patch; `u32::MAX` if it is not known.
        patch: u32,
        /// Kind of what has no room.
        what: &'static str,
    },
    /// Values of another store, or not as many as there are elements.
    #[error("{found} values for {expected} {what}")]
    Length {
        /// Kind of elements.
        what: &'static str,
        /// Number of values.
        found: usize,
        /// Number of elements.
        expected: usize,
    },
    /// More attributes of one kind than a change carries.
    #[error("a change carries {limit} attributes of a kind and no more")]
    TooManyAttributes {
        /// The largest number.
        limit: usize,
    },
    /// An attribute of another store.
    #[error("the attribute belongs to another store")]
    OtherStore,
    /// Validation found a fault.
    #[error("the store is broken: {0}")]
    Broken(Broken),
}

impl StoreError {
    /// Whether a patch needs more shared memory than a block of the device has.
    pub(super) fn is_of_a_block(&self) -> bool {
        matches!(self, Self::Library(Error::SharedMemory { .. }))
    }
}

impl Classified for StoreError {
    fn class(&self) -> Class {
        match self {
            Self::Library(error) => error.class(),
            Self::PatchTooLarge { .. } | Self::TooManyNeighbours { .. } => Class::mesh(),
            Self::Length { .. } | Self::OtherStore | Self::Full { .. } | Self::TooManyAttributes { .. } => {
                Class::data()
            }
            Self::TableFull { .. } | Self::Broken(_) => Class::bug(),
        }
    }
}

fn whose(patch: u32) -> String {
    if patch == u32::MAX { "a patch has".to_owned() } else { format!("patch {patch} has") }
}
