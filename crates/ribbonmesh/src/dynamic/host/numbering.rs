//! Whose ids values have.
use crate::{Error, Result};
use std::sync::atomic::{AtomicU64, Ordering};

/// The ids of a [`DynamicMesh`](crate::dynamic::DynamicMesh) between two renumberings: which mesh, and how
/// often its ids have been renumbered. Two numberings are equal only if an id means the same element in both.
///
/// Attributes, snapshots and compactions carry the numbering that they belong to, and are refused by a mesh
/// that has another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numbering {
    mesh: u64,
    renumbered: u32,
}

impl Numbering {
    /// The numbering of a mesh that has just been made.
    pub(super) fn of_new_mesh() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        Self { mesh: NEXT.fetch_add(1, Ordering::Relaxed), renumbered: 0 }
    }
    /// After one more renumbering.
    pub(super) fn next(self) -> Self {
        Self { renumbered: self.renumbered + 1, ..self }
    }
    /// The number of times that the ids have been renumbered since the mesh was made.
    pub fn renumberings(&self) -> u32 {
        self.renumbered
    }
    /// Refuses what has other ids. `what` names it in the message.
    /// # Errors
    /// [`Error::OtherMesh`] if it belongs to another mesh; [`Error::OtherNumbering`] if it belongs to the
    /// same mesh before or after a renumbering.
    pub fn require(self, what: &'static str, found: Self) -> Result<()> {
        if found.mesh != self.mesh {
            return Err(Error::OtherMesh { what });
        }
        if found.renumbered != self.renumbered {
            let (expected, found) = (self.renumbered, found.renumbered);
            return Err(Error::OtherNumbering { what, expected, found });
        }
        Ok(())
    }
}
