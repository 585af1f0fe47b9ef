//! Two halves of a patch by Lloyd's method.
use super::Slice;
use crate::draft::OWNED;
use ribbonmesh::device::NONE;

/// Iterations of Lloyd's method.
const ITERATIONS: u32 = 10;

impl Slice<'_, '_> {
    /// The owned faces of each edge, two at most.
    #[inline(always)]
    pub(super) fn find_pairs(&self) {
        let Self { block, draft, memory, .. } = *self;
        let [_, edges, faces] = draft.row.count;
        block.for_each(edges, |e| memory.degrees.set(e, 0));
        block.for_each(faces, |f| {
            if draft.words[2].get(f) & OWNED != 0 {
                for i in [0, 1, 2] {
                    let e = draft.side(f, i).0;
                    let k = memory.degrees.fetch_add(e, 1);
                    if k < 2 {
                        memory.pairs.set(2 * e + k, f as u16);
                    }
                }
            }
        });
    }
    /// Visits the owned faces beside an owned face.
    #[inline(always)]
    pub(super) fn beside(&self, f: u32, mut visit: impl FnMut(u32)) {
        for i in [0, 1, 2] {
            let e = self.draft.side(f, i).0;
            let mut k = 0;
            while k < 2 && k < self.memory.degrees.get(e) {
                let g = self.memory.pairs.get(2 * e + k) as u32;
                if g != f {
                    visit(g);
                }
                k += 1;
            }
        }
    }
    /// Distances of owned faces from those at distance 0, level by level; with `spread` each face gets the
    /// half of a face before it.
    #[inline(always)]
    pub(super) fn flood(&self, spread: bool) {
        let Self { block, draft, memory, .. } = *self;
        let (faces, halves) = (draft.row.count[2], memory.halves[2]);
        let mut level = 0;
        loop {
            block.for_each(faces, |f| {
                memory.next.set(f, NONE);
                if draft.words[2].get(f) & OWNED != 0 && memory.distances.get(f) == NONE {
                    self.beside(f, |g| {
                        if memory.distances.get(g) == level {
                            memory.next.set(f, halves.get(g));
                        }
                    });
                }
            });
            let more = block.any(faces, |f| memory.next.get(f) != NONE);
            block.for_each(faces, |f| {
                if memory.next.get(f) != NONE {
                    memory.distances.set(f, level + 1);
                    if spread {
                        halves.set(f, memory.next.get(f));
                    }
                }
            });
            if !more {
                return;
            }
            level += 1;
        }
    }
    /// The face of the greatest distance of a half, or of all for 2.
    #[inline(always)]
    pub(super) fn farthest(&self, half: u32) -> u32 {
        let Self { block, draft, memory, .. } = *self;
        let of = |f: u32| {
            let counts = draft.words[2].get(f) & OWNED != 0
                && (half == 2 || memory.halves[2].get(f) == half)
                && memory.distances.get(f) != NONE;
            if counts { (memory.distances.get(f) << 16 | f) + 1 } else { 0 }
        };
        let most = block.reduce(draft.row.count[2], 0, of, |a, b| if a > b { a } else { b });
        if most == 0 { NONE } else { (most - 1) & 0xffff }
    }
    /// Two halves of the owned faces by Lloyd's method: from two centres, which then move to the faces that
    /// are farthest from the border of their halves. Faces that no centre reaches are halved by their number.
    #[inline(always)]
    pub(super) fn halve(&self) {
        let Self { block, draft, memory, .. } = *self;
        let (faces, halves) = (draft.row.count[2], memory.halves[2]);
        let owned = |f: u32| draft.words[2].get(f) & OWNED != 0;
        let first =
            block.reduce(faces, NONE, |f| if owned(f) { f } else { NONE }, |a, b| if a < b { a } else { b });
        let start = |centres: [u32; 2]| {
            block.for_each(faces, |f| {
                let at = if f == centres[0] {
                    0
                } else if f == centres[1] {
                    1
                } else {
                    NONE
                };
                memory.distances.set(f, if at == NONE { NONE } else { 0 });
                halves.set(f, if at == NONE { 0 } else { at });
            });
        };
        start([first, NONE]);
        self.flood(false);
        let mut centres = [first, self.farthest(2)];
        let mut iteration = 0;
        while iteration < ITERATIONS {
            start(centres);
            self.flood(true);
            if iteration + 1 < ITERATIONS {
                // distances from the border between the halves
                block.for_each(faces, |f| {
                    let mut at_border = false;
                    if owned(f) && memory.distances.get(f) != NONE {
                        self.beside(f, |g| at_border |= halves.get(g) != halves.get(f));
                    }
                    memory.next.set(f, at_border as u32);
                });
                block.for_each(faces, |f| {
                    memory.distances.set(f, if memory.next.get(f) == 1 { 0 } else { NONE });
                });
                self.flood(false);
                let found = [self.farthest(0), self.farthest(1)];
                for half in [0, 1] {
                    if found[half] != NONE {
                        centres[half] = found[half];
                    }
                }
            }
            iteration += 1;
        }
        // what no face is beside, and all of it where one half would have nothing, by halves in order
        let all = block.compact(faces, memory.next, memory.locals[2], owned);
        let of_first =
            block.count_where(faces, |f| owned(f) && memory.distances.get(f) != NONE && halves.get(f) == 0);
        let of_second =
            block.count_where(faces, |f| owned(f) && memory.distances.get(f) != NONE && halves.get(f) == 1);
        let one_sided = of_first == 0 || of_second == 0;
        block.for_each(faces, |f| {
            if owned(f) && (one_sided || memory.distances.get(f) == NONE) {
                halves.set(f, (2 * memory.next.get(f) >= all) as u32);
            }
        });
    }
}
