//! Edges across which attributes are not continuous.
use crate::device::atomic::{self, Order, Scope};
use crate::device::{Block, Edge, EdgeId, In, Out, Parameter, Values, ValuesMut, kernel};
use crate::dynamic::{DynamicView, MeshRef};

/// Marked edges.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Curves<'a> {
    /// Not 0 for each edge that is marked; empty where none is.
    pub marks: Values<'a, Edge, u32>,
}
impl Curves<'_> {
    /// Whether any edge may be.
    #[inline(always)]
    pub fn some(&self) -> bool {
        !self.marks.is_empty()
    }
    /// Whether edge `e` is.
    #[inline(always)]
    pub fn has(&self, e: EdgeId) -> bool {
        self.marks.get(e) != 0
    }
}

/// Marks those of `n` edges whose two faces have different rows of `words` words, and counts them in
/// `count[0]`. Others keep their marks.
#[kernel(threads = 256)]
pub fn mark_seams<'a>(
    block: &Block,
    mesh: DynamicView<'a>,
    n: u32,
    words: u32,
    rows: In<'a, u32>,
    marks: ValuesMut<'a, Edge, u32>,
    count: Out<'a, u32>,
) {
    let differ = |a: u32, b: u32| {
        let (mut k, mut found) = (0, false);
        while k < words {
            found |= rows.get(words * a + k) != rows.get(words * b + k);
            k += 1;
        }
        found
    };
    block.for_each_of_tile(n, |e| {
        let e = EdgeId::new(e);
        let [Some(g), Some(h)] = mesh.sides(e) else { return };
        let seam = differ(g.face().index(), h.face().index());
        if seam {
            marks.set(e, 1);
            atomic::fetch_add(count, 0, 1, Order::Relaxed, Scope::Device);
        }
    });
}
