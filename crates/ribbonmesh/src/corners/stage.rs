//! Positions, and vectors that are computed, in shared memory: from and to global memory with 16-byte loads
//! and stores.
use crate::device::{Arena, Block, Counts, Elements, In, MeshView, Out, Quad, Shared};
use glam::Vec3;

/// The positions of a patch's near vertices.
///
/// They have the same alignment in shared memory as the owned ones in global memory, up to `shift` words of
/// 16 bytes' remainder.
#[derive(Clone, Copy)]
pub struct Positions<'b> {
    words: Shared<'b, f32>,
    shift: u32,
}
impl<'b> Positions<'b> {
    /// Carves 12 bytes per near vertex.
    #[inline(always)]
    pub fn layout(arena: &'b Arena, counts: &Counts) -> Shared<'b, f32> {
        arena.take(3 * counts.v_near + 3)
    }
    /// Loads them; runs `between` while ids of ribbon vertices are under way; no barrier.
    #[inline(always)]
    pub fn stage_nosync(
        block: &Block,
        x: In<'_, Vec3>,
        v: Elements<'_>,
        near: u32,
        words: Shared<'_, f32>,
        between: impl FnOnce(),
    ) {
        let (base, owned) = (3 * v.first, 3 * v.owned);
        let shift = base % 4;
        let stage_owned = || {
            between();
            let (quads, flat, to) = (x.wide::<Quad>(), x.wide::<f32>(), words.wide::<Quad>());
            let (first, end) = (base / 4, shift + owned);
            let word = |i: u32| if (i as usize) < flat.len() { flat.get(i).to_bits() } else { 0 };
            let load = |g: u32| {
                let q = first + g;
                if (q as usize) < quads.len() {
                    quads.get(q)
                } else {
                    Quad([word(4 * q), word(4 * q + 1), word(4 * q + 2), word(4 * q + 3)])
                }
            };
            let n = if owned == 0 { 0 } else { end.div_ceil(4) };
            block.for_each_ahead_nosync::<Quad, 2>(
                n,
                load,
                || (),
                |g, q| {
                    if 4 * g + 4 <= end {
                        return to.set(g, q);
                    }
                    // ribbon vertices follow in this word
                    let one = |k: u32, bits: u32| {
                        if 4 * g + k < end {
                            words.set(4 * g + k, f32::from_bits(bits))
                        }
                    };
                    one(0, q.0[0]);
                    one(1, q.0[1]);
                    one(2, q.0[2]);
                },
            );
        };
        let ribbon = near - v.owned;
        block.for_each_ahead_nosync::<u32, 1>(
            ribbon,
            |r| v.ribbon.get(r),
            stage_owned,
            |r, id| {
                let (p, at) = (x.get(id), shift + owned + 3 * r);
                words.set(at, p.x);
                words.set(at + 1, p.y);
                words.set(at + 2, p.z);
            },
        );
    }
    /// The positions that [`Positions::stage_nosync`] stores in `words`.
    #[inline(always)]
    pub fn new(words: Shared<'b, f32>, v: Elements<'_>) -> Self {
        Self { words, shift: 3 * v.first % 4 }
    }
    /// The position of local vertex `l`.
    #[inline(always)]
    pub fn get(&self, l: u32) -> Vec3 {
        let at = self.shift + 3 * l;
        Vec3::new(self.words.get(at), self.words.get(at + 1), self.words.get(at + 2))
    }
}

/// A vector for each owned vertex of a patch, on its way to global memory.
#[derive(Clone, Copy)]
pub struct Vectors<'a> {
    words: Shared<'a, f32>,
    out: Out<'a, Vec3>,
    first: u32,
    owned: u32,
}
impl<'a> Vectors<'a> {
    /// 16-byte words of shared memory for this many vertices.
    #[inline(always)]
    pub const fn quads(owned: u32) -> u32 {
        (3 * owned + 6) / 4
    }
    /// The vectors of the vertices from `first` on.
    #[inline(always)]
    pub fn new(words: Shared<'a, f32>, out: Out<'a, Vec3>, first: u32, owned: u32) -> Self {
        Self { words, out, first, owned }
    }
    /// Sets that of owned vertex `l`.
    #[inline(always)]
    pub fn set(&self, l: u32, n: Vec3) {
        let at = 3 * self.first % 4 + 3 * l;
        self.words.set(at, n.x);
        self.words.set(at + 1, n.y);
        self.words.set(at + 2, n.z);
    }
    /// Writes them, behind a barrier; no barrier after it. For the last patch, zeros too for the vertices
    /// that no patch owns.
    #[inline(always)]
    pub fn write_nosync(&self, block: &Block, mesh: MeshView<'_>, patch: u32) {
        let (quads, flat) = (self.out.wide::<Quad>(), self.out.wide::<f32>());
        let (base, from) = (3 * self.first, self.words.wide::<Quad>());
        let (begin, end, first) = (base % 4, base % 4 + 3 * self.owned, base / 4);
        block.for_each_nosync(if self.owned == 0 { 0 } else { end.div_ceil(4) }, |g| {
            if 4 * g >= begin && 4 * g + 4 <= end {
                return quads.set(first + g, from.get(g));
            }
            let one = |k: u32| {
                let i = 4 * g + k;
                if i >= begin && i < end {
                    flat.set(4 * first + i, self.words.get(i));
                }
            };
            one(0);
            one(1);
            one(2);
            one(3);
        });
        if patch + 1 == mesh.patches {
            let end = self.first + self.owned;
            block.for_each_nosync(mesh.vertices - end, |i| self.out.set(end + i, Vec3::ZERO));
        }
    }
}
