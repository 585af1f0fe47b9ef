//! Marks of new edges.
use crate::Marks;
use ribbonmesh_cavity::{Fill, Refusal, Side};

/// Fills, and marks new edges.
pub struct Marking<'f, 'a, F, M> {
    fill: &'f mut F,
    marks: Marks<'a>,
    mark: M,
}
impl<'f, 'a, F: Fill, M: Fn(u32, u32) -> bool> Marking<'f, 'a, F, M> {
    /// Edges for whose ends `mark` is true get the mark, others none.
    #[inline(always)]
    pub fn new(fill: &'f mut F, marks: Marks<'a>, mark: M) -> Self {
        Self { fill, marks, mark }
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
        if self.marks.some() {
            let (marks, mark) = (self.marks, &self.mark);
            self.fill.write(|| marks.set(side.dart >> 1, mark(from, to)));
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
    fn consider(&mut self, f: impl FnOnce() -> Option<Refusal>) {
        self.fill.consider(f)
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
