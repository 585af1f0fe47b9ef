//! Marks of edges through collapses.
use super::values::{HAS_MARKS, MARKED, MOST_AROUND, Values};
use ribbonmesh_dynamic::{Cavity, Fill, Refusal, Side, next, prev};

/// Fills, and marks new edges.
pub struct Marking<'f, 'a, F, M> {
    fill: &'f mut F,
    values: Values<'a>,
    mark: M,
}
impl<'f, 'a, F: Fill, M: Fn(u32, u32) -> bool> Marking<'f, 'a, F, M> {
    /// Edges for whose ends `mark` is true get the mark, others none.
    #[inline(always)]
    pub fn new(fill: &'f mut F, values: Values<'a>, mark: M) -> Self {
        Self { fill, values, mark }
    }
}
impl<F: Fill, M: Fn(u32, u32) -> bool> Fill for Marking<'_, '_, F, M> {
    #[inline(always)]
    fn vertex(&mut self) -> u32 {
        self.fill.vertex()
    }
    #[inline(always)]
    fn edge(&mut self, from: u32, to: u32) -> Side {
        let side = self.fill.edge(from, to);
        if self.values.has(HAS_MARKS) {
            let (marks, mark) = (self.values.marks, (self.mark)(from, to));
            self.fill.write(|| marks.set(side.dart >> 1, if mark { MARKED } else { 0 }));
        }
        side
    }
    #[inline(always)]
    fn face(&mut self, sides: [Side; 3]) -> u32 {
        self.fill.face(sides)
    }
    #[inline(always)]
    fn refuse(&mut self, reason: Refusal) {
        self.fill.refuse(reason)
    }
    #[inline(always)]
    fn exclusive(&mut self, vertex: u32) {
        self.fill.exclusive(vertex)
    }
    #[inline(always)]
    fn write(&mut self, f: impl FnOnce()) {
        self.fill.write(f)
    }
}

/// Which vertices of a collapse's loop, of at most [`MOST_AROUND`], have a marked edge to one of the ends, as bits.
/// During planning.
#[inline(always)]
pub fn marked_spokes(values: Values<'_>, cavity: &Cavity<'_>, [a, b]: [u32; 2]) -> u32 {
    let (mesh, mut bits, mut i) = (cavity.mesh(), 0, 0);
    while i < cavity.len() && i < MOST_AROUND {
        let h = cavity.inside(i);
        let apex = mesh.opposite(h);
        if apex == a || apex == b {
            // the edge itself is the seed, if the apex is one end and the loop's vertex the other
            let marked = |h: u32| {
                let e = mesh.dart(h) >> 1;
                (e != cavity.seed && values.marked(e)) as u32
            };
            bits |= marked(next(h)) << cavity.after(i) | marked(prev(h)) << i;
        }
        i += 1;
    }
    bits
}
