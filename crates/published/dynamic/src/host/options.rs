//! Options of a store.
use ribbonmesh::{Error, Result};

/// How much memory a store takes beyond what its patches need at first (thesis 5.3.1).
#[derive(Clone, Debug, PartialEq)]
pub struct StoreOptions {
    /// Room of each patch, as a multiple of the elements that it owns at first: 1 to 8. The thesis grows a
    /// patch to twice its size. Its ribbon has room by the square root of this. With 1 the stash has room
    /// for the patches around and no more.
    pub room: f32,
    /// Free patches, as a part of the patches of the mesh: 0 to 8.
    pub spare: f32,
    /// Load of the hash tables, 0.3 to 0.9. A table in which an entry finds no place is made again, with a
    /// smaller one.
    pub load: f32,
}
impl Default for StoreOptions {
    fn default() -> Self {
        Self { room: 2.0, spare: 0.25, load: 0.8 }
    }
}
impl StoreOptions {
    /// No room to grow: for a mesh that does not change.
    pub fn still() -> Self {
        Self { room: 1.0, spare: 0.0, ..Self::default() }
    }
    pub(crate) fn check(&self) -> Result<()> {
        let within = |option, value: f32, low: f32, high: f32, expected| {
            if (low..=high).contains(&value) {
                return Ok(());
            }
            Err(Error::Option { option, value: value.to_string(), expected })
        };
        within("room", self.room, 1.0, 8.0, "1 to 8")?;
        within("spare", self.spare, 0.0, 8.0, "0 to 8")?;
        within("load", self.load, 0.3, 0.9, "0.3 to 0.9")
    }
}
