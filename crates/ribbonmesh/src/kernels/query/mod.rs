//! Kernels that write query results to memory: one block a patch.
//!
//! A query is a type that implements [`Query`] and either [`OfVertices`](vertex::OfVertices), with gapless
//! rows (`offsets` and `values`), or [`Fixed`](fixed::Fixed), with rows of fixed length. Each kernel is
//! compiled for all types of its kind. EF, FF and EE have kernels of their own where an edge has more than
//! two faces ([`general`]). Entries are ids; [`NONE`] is stored where a row of fixed length has no entry.
//!
//! A new query is a type with a line in the table of `query/table.rs`, and in the `for` of the kernels.

pub mod boundary;
pub mod edge;
pub mod face;
pub mod fixed;
pub mod general;
pub mod k_ring;
pub mod oriented;
pub mod vertex;

use crate::device::query::NO_LOCAL;
use crate::device::{
    Block, Counts, Element, ElementKind, Elements, MeshView, NONE, Out, Patch, ResolveRibbon,
};

/// A row of elements for each element of a kind.
pub trait Query: Copy + Send + Sync + 'static {
    /// Elements with a row.
    type Source: Element;
    /// Elements in the rows.
    type Target: Element;
    /// Number of local elements that may be in rows: the first ones of a patch.
    const NEAR: fn(&Counts) -> u32;
    /// Numbers of local edges whose vertices are read, and of local faces whose edges are.
    const READS: fn(&Counts) -> [u32; 2];
}

/// Types of queries.
macro_rules! queries { ($($(#[$doc:meta])* $name:ident: $source:ident to $target:ident, $near:expr, $reads:expr;)*) => { $(
    $(#[$doc])*
    #[derive(Clone, Copy)]
    pub struct $name;
    impl $crate::kernels::query::Query for $name {
        type Source = $crate::device::$source;
        type Target = $crate::device::$target;
        const NEAR: fn(&$crate::device::Counts) -> u32 = $near;
        const READS: fn(&$crate::device::Counts) -> [u32; 2] = $reads;
    }
)* } }
use queries;

/// The elements of a kind in a patch.
#[inline(always)]
fn elements<'a, E: Element>(p: &Patch<'a>) -> Elements<'a> {
    match E::KIND {
        ElementKind::Vertex => p.v,
        ElementKind::Edge => p.e,
        ElementKind::Face => p.f,
    }
}

/// The id of a local element, or none.
#[inline(always)]
fn or_none(ids: impl ResolveRibbon) -> impl Fn(u32) -> u32 {
    move |l| if l == NO_LOCAL { NONE } else { ids.global(l) }
}

/// The last block writes the offsets of what no patch owns (isolated vertices) and the end: `rows + 1` in
/// all.
#[inline(always)]
fn finish_offsets(
    block: &Block,
    mesh: MeshView<'_>,
    owned_end: u32,
    rows: u32,
    end: u32,
    offsets: Out<'_, u32>,
) {
    if block.index() + 1 == mesh.patches {
        block.for_each_nosync(rows + 1 - owned_end, |i| offsets.set(owned_end + i, end));
    }
}
