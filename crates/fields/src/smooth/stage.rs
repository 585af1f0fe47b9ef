//! Vectors of a patch's near vertices, copied from and to global memory 16 bytes at a time.
use glam::Vec3;
use ribbonmesh::device::{Arena, Block, Counts, Elements, In, Out, Quad, Shared};

/// A vector for each near vertex of a patch, in shared memory.
///
/// The owned ones have the same layout as in global memory: the first is `shift` words after a multiple of 16
/// bytes.
#[derive(Clone, Copy)]
pub struct Vectors<'b> {
    words: Shared<'b, f32>,
    shift: u32,
}
impl<'b> Vectors<'b> {
    /// Reserves 12 bytes for each vertex.
    #[inline(always)]
    pub fn layout(arena: &'b Arena, vertices: u32) -> Shared<'b, f32> {
        // up to 3 words before the first, and the rest of the last 16 bytes
        arena.take(3 * vertices + 6)
    }
    /// The value, before memory of [`Vectors::layout`] is filled.
    #[inline(always)]
    pub fn new(words: Shared<'b, f32>, v: Elements<'_>) -> Self {
        Self { words, shift: 3 * v.first % 4 }
    }
    /// The vector of local vertex `l`.
    #[inline(always)]
    pub fn get(&self, l: u32) -> Vec3 {
        let at = self.shift + 3 * l;
        Vec3::new(self.words.get(at), self.words.get(at + 1), self.words.get(at + 2))
    }
    /// Sets the vector of local vertex `l`.
    #[inline(always)]
    pub fn set(&self, l: u32, x: Vec3) {
        let at = self.shift + 3 * l;
        self.words.set(at, x.x);
        self.words.set(at + 1, x.y);
        self.words.set(at + 2, x.z);
    }
    /// Sets the vectors to `combine` of the words of the one or two vectors `from` (0 for the second). The
    /// vectors of owned vertices are written to `copy`, too. Runs `between` while the loads of ribbon
    /// vertices' ids are in flight. No barrier.
    #[inline(always)]
    pub fn stage_nosync(
        &self,
        block: &Block,
        (v, counts): (Elements<'_>, &Counts),
        from: (In<'_, Vec3>, Option<In<'_, Vec3>>),
        copy: Option<Out<'_, Vec3>>,
        combine: impl Fn(f32, f32) -> f32 + Copy,
        between: impl FnOnce(),
    ) {
        let words = self.words;
        let begin = self.shift + 3 * v.owned;
        let ribbon = |r: u32, id: u32| {
            let (a, b) = (from.0.get(id), from.1.map_or(Vec3::ZERO, |from| from.get(id)));
            let at = begin + 3 * r;
            words.set(at, combine(a.x, b.x));
            words.set(at + 1, combine(a.y, b.y));
            words.set(at + 2, combine(a.z, b.z));
        };
        let owned = || {
            between();
            self.stage_owned_nosync(block, v, from, copy, combine);
        };
        block.for_each_ahead_nosync::<u32, 1>(counts.v_near - v.owned, |r| v.ribbon.get(r), owned, ribbon);
    }
    /// The same for the owned vertices only.
    #[inline(always)]
    fn stage_owned_nosync(
        &self,
        block: &Block,
        v: Elements<'_>,
        from: (In<'_, Vec3>, Option<In<'_, Vec3>>),
        copy: Option<Out<'_, Vec3>>,
        combine: impl Fn(f32, f32) -> f32,
    ) {
        let Self { words, shift } = *self;
        let (first, end) = (3 * v.first / 4, shift + 3 * v.owned);
        let quad = |from: In<'_, Vec3>, q: u32| {
            let (quads, flat) = (from.wide::<Quad>(), from.wide::<f32>());
            let word = |i: u32| if (i as usize) < flat.len() { flat.get(i).to_bits() } else { 0 };
            if (q as usize) < quads.len() {
                quads.get(q)
            } else {
                Quad([word(4 * q), word(4 * q + 1), word(4 * q + 2), word(4 * q + 3)])
            }
        };
        let load =
            |g: u32| [quad(from.0, first + g), from.1.map_or(Quad::default(), |from| quad(from, first + g))];
        let (to, out) = (words.wide::<Quad>(), copy.map(|copy| (copy.wide::<Quad>(), copy.wide::<f32>())));
        let n = if v.owned == 0 { 0 } else { end.div_ceil(4) };
        block.for_each_ahead_nosync::<[Quad; 2], 2>(
            n,
            load,
            || (),
            |g, [a, b]| {
                let word = |k: usize| combine(f32::from_bits(a.0[k]), f32::from_bits(b.0[k]));
                let value = [word(0), word(1), word(2), word(3)];
                if 4 * g >= shift && 4 * g + 4 <= end {
                    let value = Quad(value.map(f32::to_bits));
                    to.set(g, value);
                    if let Some((out, _)) = out {
                        out.set(first + g, value);
                    }
                    return;
                }
                // words before are those of other patches' vertices, words after those of ribbon vertices
                let one = |k: u32, value: f32| {
                    if 4 * g + k >= shift && 4 * g + k < end {
                        words.set(4 * g + k, value);
                        if let Some((_, out)) = out {
                            out.set(4 * (first + g) + k, value);
                        }
                    }
                };
                one(0, value[0]);
                one(1, value[1]);
                one(2, value[2]);
                one(3, value[3]);
            },
        );
    }
    /// Writes the vectors of the owned vertices to `out`, after a barrier; no barrier after it.
    #[inline(always)]
    pub fn write_nosync(&self, block: &Block, v: Elements<'_>, out: Out<'_, Vec3>) {
        let Self { words, shift } = *self;
        let (first, end) = (3 * v.first / 4, shift + 3 * v.owned);
        let (from, quads, flat) = (words.wide::<Quad>(), out.wide::<Quad>(), out.wide::<f32>());
        block.for_each_nosync(if v.owned == 0 { 0 } else { end.div_ceil(4) }, |g| {
            if 4 * g >= shift && 4 * g + 4 <= end {
                return quads.set(first + g, from.get(g));
            }
            let one = |k: u32| {
                let i = 4 * g + k;
                if i >= shift && i < end {
                    flat.set(4 * first + i, words.get(i));
                }
            };
            one(0);
            one(1);
            one(2);
            one(3);
        });
    }
}
