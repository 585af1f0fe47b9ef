//! Notes about data that a surface has lost.
use ribbonmesh_mesh::{Column, Element};
use std::fmt;

/// An attribute that did not follow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Of which elements.
    pub element: Element,
    /// Its name.
    pub name: String,
    /// Why not.
    pub why: Why,
}

/// Why an attribute did not follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// Edges of the mesh before are not edges of it any more.
    EdgesChanged,
    /// Its policy is [`ribbonmesh_mesh::Policy::Drop`].
    Policy,
    /// It would have to be computed anew, and who made it is not known.
    Recompute,
}

impl Note {
    pub(super) fn new(element: Element, column: &Column, why: Why) -> Self {
        Self { element, name: column.name().to_owned(), why }
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let why = match self.why {
            Why::EdgesChanged => "edges have changed",
            Why::Policy => "it is to go when the mesh changes",
            Why::Recompute => "it has to be computed from the new mesh",
        };
        write!(f, "the {} attribute {:?} is left out: {why}", self.element, self.name)
    }
}
