//! EF, FF and EE on any mesh: FE transposed by two-pass counting.
use super::Rows;
use super::split::{clear_nosync, split};
use crate::patch::{Counts, Patch};
use crate::{Arena, Block, In, NONE, Shared};

/// Shared memory of [`EfRows`].
#[derive(Clone, Copy)]
pub struct EfRowsLayout<'b> {
    starts: Shared<'b, u32>,
    list: Shared<'b, u16>,
}

/// M_EF = M_FE^T on any mesh: the faces of each edge, each once.
#[derive(Clone, Copy)]
pub struct EfRows<'a> {
    /// A row per edge.
    pub rows: Rows<'a>,
    fe: In<'a, u16>,
}
impl<'a> EfRows<'a> {
    /// Carves its shared memory for the owned edges: 4 bytes per edge, 2 per entry.
    #[inline(always)]
    pub fn layout_owned(arena: &'a Arena, counts: &Counts) -> EfRowsLayout<'a> {
        EfRowsLayout { starts: arena.take(counts.e_owned + 1), list: arena.take(counts.ef) }
    }
    /// Carves its shared memory for the edges of owned faces: 4 bytes per edge, 6 per face of the patch.
    #[inline(always)]
    pub fn layout_of_faces(arena: &'a Arena, counts: &Counts) -> EfRowsLayout<'a> {
        EfRowsLayout { starts: arena.take(counts.e_of_f + 1), list: arena.take(3 * counts.f_all) }
    }
    /// The faces of the first `edges` edges, which the layout was carved for. Collective, ends with a
    /// barrier.
    #[inline(always)]
    pub fn transpose(block: &Block, patch: &Patch<'a>, layout: EfRowsLayout<'a>, edges: u32) -> Self {
        clear_nosync(block, layout.starts);
        block.sync();
        let fe = patch.fe;
        let rows = split(block, edges, (layout.starts, layout.list, 0), patch.counts.f_all, |f| {
            let [a, b, c] = edges_of(fe, f);
            [(a, f), (if b == a { NONE } else { b }, f), (if c == a || c == b { NONE } else { c }, f)]
        });
        Self { rows, fe }
    }
    /// Most faces that share an edge with `face`: the sum over its edges of the other faces there.
    #[inline(always)]
    pub fn neighbour_bound(&self, face: u32) -> u32 {
        let [a, b, c] = edges_of(self.fe, face);
        let others = |e: u32| self.rows.len(e) - 1;
        others(a) + if b == a { 0 } else { others(b) } + if c == a || c == b { 0 } else { others(c) }
    }
    /// M_FF = M_FE M_FE^T: the faces that share an edge with `face`, each once. Work linear in
    /// [`EfRows::neighbour_bound`].
    #[inline(always)]
    pub fn neighbours(&self, face: u32, mut f: impl FnMut(u32)) {
        let own = edges_of(self.fe, face);
        for i in 0..3 {
            let earlier = |e: u32| (i > 0 && own[0] == e) || (i > 1 && own[1] == e);
            if earlier(own[i]) {
                continue;
            }
            for g in self.rows.of(own[i]) {
                let [a, b, c] = edges_of(self.fe, g);
                if g != face && !earlier(a) && !earlier(b) && !earlier(c) {
                    f(g);
                }
            }
        }
    }
    /// M_EE = M_FE^T M_FE: the edges that share a face with `edge`, each once, at most twice as many as it
    /// has faces. Work quadratic in its faces.
    #[inline(always)]
    pub fn edges(&self, edge: u32, mut f: impl FnMut(u32)) {
        let (start, n) = (self.rows.start(edge), self.rows.len(edge));
        let mut k = 0;
        while k < n {
            let [a, b, c] = edges_of(self.fe, self.rows.entry(start + k));
            let mut new = [a != edge, b != edge && b != a, c != edge && c != a && c != b];
            let mut j = 0;
            while j < k {
                let [x, y, z] = edges_of(self.fe, self.rows.entry(start + j));
                let there = |e: u32| e == x || e == y || e == z;
                new = [new[0] && !there(a), new[1] && !there(b), new[2] && !there(c)];
                j += 1;
            }
            if new[0] {
                f(a);
            }
            if new[1] {
                f(b);
            }
            if new[2] {
                f(c);
            }
            k += 1;
        }
    }
}
#[inline(always)]
fn edges_of(fe: In<'_, u16>, face: u32) -> [u32; 3] {
    let e = |i: u32| fe.get(3 * face + i) as u32 >> 2;
    [e(0), e(1), e(2)]
}
