//! Names and kinds of queries.
use crate::{Error, Result};
use ribbonmesh_device::ElementKind;
use std::fmt;
use std::str::FromStr;

/// A query (thesis Table 2.1, and two more of RXMesh). The first letter is the source, which has a row in the
/// result; the second is the target, the elements in the row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// The neighbours of a vertex: each once, without the vertex itself.
    VV,
    /// The edges of a vertex.
    VE,
    /// The faces of a vertex.
    VF,
    /// The two vertices of an edge.
    EV,
    /// The faces of an edge.
    EF,
    /// The three vertices of a face, in the order of the input.
    FV,
    /// The three edges of a face: edge `i` goes from vertex `i` to vertex `i + 1`.
    FE,
    /// The faces that share an edge with a face: on edge-manifold meshes entry `i` is the face across edge
    /// `i`.
    FF,
    /// The edges that share a face with an edge: on edge-manifold meshes the next and the previous edge in
    /// each of its faces, so that an edge that shares two faces occurs twice.
    EE,
    /// Four vertices of an edge: its first end, the opposite vertex in its first face, its second end, the
    /// opposite vertex in its second face. For edge-manifold meshes only.
    EVDiamond,
}
impl Op {
    /// All queries.
    pub const ALL: [Self; 10] = [
        Self::VV,
        Self::VE,
        Self::VF,
        Self::EV,
        Self::EF,
        Self::FV,
        Self::FE,
        Self::FF,
        Self::EE,
        Self::EVDiamond,
    ];
    /// Name of the query, for example `VV`.
    pub fn name(self) -> &'static str {
        match self {
            Self::VV => "VV",
            Self::VE => "VE",
            Self::VF => "VF",
            Self::EV => "EV",
            Self::EF => "EF",
            Self::FV => "FV",
            Self::FE => "FE",
            Self::FF => "FF",
            Self::EE => "EE",
            Self::EVDiamond => "EVDiamond",
        }
    }
    /// Kind of the elements that have a row in the result.
    pub fn source(self) -> ElementKind {
        match self {
            Self::VV | Self::VE | Self::VF => ElementKind::Vertex,
            Self::EV | Self::EF | Self::EE | Self::EVDiamond => ElementKind::Edge,
            Self::FV | Self::FE | Self::FF => ElementKind::Face,
        }
    }
    /// Kind of the elements in the rows.
    pub fn target(self) -> ElementKind {
        match self {
            Self::VV | Self::EV | Self::FV | Self::EVDiamond => ElementKind::Vertex,
            Self::VE | Self::FE | Self::EE => ElementKind::Edge,
            Self::VF | Self::EF | Self::FF => ElementKind::Face,
        }
    }
    /// Entries of each row on an edge-manifold mesh, if all have as many.
    pub(super) fn width(self, edge_manifold: bool) -> Option<usize> {
        match self {
            Self::VV | Self::VE | Self::VF => None,
            Self::EV => Some(2),
            Self::FV | Self::FE => Some(3),
            Self::EVDiamond => Some(4),
            Self::EF => edge_manifold.then_some(2),
            Self::FF => edge_manifold.then_some(3),
            Self::EE => edge_manifold.then_some(4),
        }
    }
}
impl fmt::Display for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
impl FromStr for Op {
    type Err = Error;
    /// Upper or lower case does not matter.
    fn from_str(s: &str) -> Result<Self> {
        let found = Self::ALL.into_iter().find(|op| op.name().eq_ignore_ascii_case(s));
        found.ok_or_else(|| Error::Option {
            option: "query",
            value: s.to_owned(),
            expected: "VV, VE, VF, EV, EF, FV, FE, FF, EE or EVDiamond",
        })
    }
}
