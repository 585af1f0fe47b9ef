//! Conjugate gradients over the cells that are unknowns: the steps of `ribbonmesh-linear` with the product of
//! the finest level. Values of other cells are neither read nor written.
use super::level::Level;
use ribbonmesh::device::{Block, In, Out, kernel};
use ribbonmesh_linear as linear;
use ribbonmesh_linear::{Moved, Part, Read, Scalars, Turned, Value, Write};

/// Values of the cells that have a diagonal; the values of other cells are 0, and are not written.
#[derive(Clone, Copy)]
struct Unknowns<'a, V> {
    diagonal: In<'a, f32>,
    of: V,
}
impl<V: Read<Value = f32>> Read for Unknowns<'_, V> {
    type Value = f32;
    #[inline(always)]
    fn get(self, cell: u32) -> f32 {
        if self.diagonal.get(cell) > 0.0 { self.of.get(cell) } else { 0.0 }
    }
}
impl<V: Write<Value = f32>> Write for Unknowns<'_, V> {
    #[inline(always)]
    fn set(self, cell: u32, value: f32) {
        if self.diagonal.get(cell) > 0.0 {
            self.of.set(cell, value)
        }
    }
}

/// Computes r·z and β. Blocks: tiles.
#[kernel(threads = 256)]
pub fn weigh<'a>(
    block: &Block,
    n: u32,
    scalars: Scalars<'a>,
    diagonal: In<'a, f32>,
    r: In<'a, f32>,
    z: In<'a, f32>,
) {
    if scalars.done() {
        return;
    }
    let (r, z) = (Unknowns { diagonal, of: r }, Unknowns { diagonal, of: z });
    let part = Part::of_tile(block, n).sum(block, |cell| r.get(cell).dot(z.get(cell)));
    scalars.weigh(block, part);
}

/// Computes p = z + β p into another array (with `alone` p = z), q = A p, p·q and α. A block computes the new
/// direction of other blocks' cells from the old one, since these blocks may not have written it yet. Blocks:
/// tiles.
#[kernel(threads = 256)]
pub fn direction<'a>(
    block: &Block,
    level: Level<'a>,
    scalars: Scalars<'a>,
    alone: u32,
    z: In<'a, f32>,
    old: In<'a, f32>,
    p: Out<'a, f32>,
    q: Out<'a, f32>,
) {
    if scalars.done() {
        return;
    }
    let beta = if alone != 0 { 0.0 } else { scalars.beta::<f32>() };
    let direction = Turned { z, last: old, beta };
    let part = Part::of_tile(block, level.count()).sum(block, |c| {
        let diagonal = level.diagonal.get(c);
        if diagonal == 0.0 {
            return 0.0;
        }
        let here = direction.get(c);
        let product = diagonal * here - level.around(c, level.of(c), |other, _| direction.get(other));
        p.set(c, here);
        q.set(c, product);
        here.dot(product)
    });
    scalars.step::<f32>(block, part);
}

/// Computes d += α p, r -= α q, and r·r. Blocks: tiles.
#[kernel(threads = 256)]
pub fn advance<'a>(
    block: &Block,
    n: u32,
    scalars: Scalars<'a>,
    diagonal: In<'a, f32>,
    p: In<'a, f32>,
    q: In<'a, f32>,
    d: Out<'a, f32>,
    r: Out<'a, f32>,
) {
    let (p, q) = (Unknowns { diagonal, of: p }, Unknowns { diagonal, of: q });
    let moved = Moved { p, q, x: Unknowns { diagonal, of: d }, r: Unknowns { diagonal, of: r } };
    linear::advance(block, Part::of_tile(block, n), scalars, moved, |_, left| left.dot(left));
}
