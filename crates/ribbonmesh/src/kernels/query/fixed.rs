//! Queries with rows of a fixed length.
use super::edge::{Ee, Ef, Ev, EvDiamond};
use super::face::{Fe, Ff, Fv};
use super::{Query, elements, or_none};
use crate::device::query::{Ahead, Ids};
use crate::device::{Arena, Block, Counts, In, MeshView, Out, Patch, Quad, kernel};

/// A query whose rows all have the same number of entries.
pub trait Fixed: Query {
    /// A row of local indices; [`NO_LOCAL`](crate::device::query::NO_LOCAL) for none.
    type Row: Row;
    /// Carves the shared memory of [`Fixed::rows`].
    fn carve(arena: &Arena, counts: &Counts);
    /// The row of each owned element, with loads of `ahead` under way at the start. Collective, ends with a
    /// barrier.
    fn rows<'a>(block: &'a Block, p: Patch<'a>, ahead: impl Ahead) -> impl Fn(u32) -> Self::Row;
    /// Carves the shared memory of [`Fixed::write`].
    fn carve_all(arena: &Arena, counts: &Counts) {
        Ids::layout(arena, (Self::NEAR)(counts));
        Self::carve(arena, counts);
    }
    /// Writes all rows of a patch.
    #[inline(always)]
    fn write<'a>(block: &'a Block, p: Patch<'a>, values: Out<'a, u32>) {
        let ids = ids::<Self>(block, &p);
        let (row, from) = (Self::rows(block, p, ids), elements::<Self::Source>(&p));
        block.for_each_nosync(from.owned, |l| row(l).write(from.first + l, values, or_none(ids)));
    }
}
/// The ids of the elements that are in rows, in shared memory.
#[inline(always)]
pub fn ids<'a, Q: Query>(block: &'a Block, p: &Patch<'a>) -> Ids<'a> {
    let n = (Q::NEAR)(&p.counts);
    Ids::new(elements::<Q::Target>(p), n, Ids::layout(block.arena(), n))
}

/// Entries of a row.
pub trait Row: IntoIterator<Item = u32> {
    /// Number of entries.
    const WIDTH: u32;
    /// Writes row `i` of a result.
    fn write(self, i: u32, values: Out<'_, u32>, id: impl Fn(u32) -> u32);
}
impl<const N: usize> Row for [u32; N] {
    const WIDTH: u32 = N as u32;
    #[inline(always)]
    fn write(self, i: u32, values: Out<'_, u32>, id: impl Fn(u32) -> u32) {
        if let Ok(four) = <[u32; 4]>::try_from(self.as_slice()) {
            return values.wide().set(i, Quad(four.map(id)));
        }
        for (k, local) in self.into_iter().enumerate() {
            values.set(Self::WIDTH * i + k as u32, id(local));
        }
    }
}

/// The rows of all elements.
#[kernel(for Q in [Ev, Ef, Ee, EvDiamond, Fv, Fe, Ff], threads = 128, shared = Q::carve_all(arena, &mesh.max))]
pub fn write<'a, Q: Fixed>(block: &Block, mesh: MeshView<'a>, values: Out<'a, u32>) {
    Q::write(block, mesh.patch(block.index()), values);
}

/// The rows of elements whose `active` is not 0. The others are left as they are; a block without an active
/// element leaves at once.
#[kernel(for Q in [Ev, Ef, Ee, EvDiamond, Fv, Fe, Ff], threads = 128, shared = Q::carve(arena, &mesh.max))]
pub fn active<'a, Q: Fixed>(block: &Block, mesh: MeshView<'a>, active: In<'a, u32>, values: Out<'a, u32>) {
    let p = mesh.patch(block.index());
    let (from, active) = (elements::<Q::Source>(&p), |id: u32| active.get(id) != 0);
    if !block.active(from, active) {
        return;
    }
    let row = Q::rows(block, p, ());
    block.for_active_nosync(from, active, |l| {
        for (k, local) in row(l).into_iter().enumerate() {
            let id = or_none(elements::<Q::Target>(&p))(local);
            values.set(Q::Row::WIDTH * (from.first + l) + k as u32, id);
        }
    });
}
