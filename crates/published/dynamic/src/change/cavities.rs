//! Cavities of a patch: registered, chosen so that no two have a common face, rejected.
use super::NARROW;
use super::attempt::{ASIDE, Attempt, CANDIDATE, CHOSEN, EXISTS, FILLED, IDLE, LOSERS, LOST, MADE, TICKETS};
use super::operator::StoreOperator;
use crate::draft::{ACTIVE, OWNED, USED, reason};
use crate::local::scrambled;
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope::Device};
use ribbonmesh::device::{NONE, Shared};

/// Cavities at the border of a patch that are filled at once, at most; fewer after refusals.
const BORDER: u32 = 40;

impl Attempt<'_, '_> {
    /// The faces of each edge, and where seeds are vertices those of each vertex.
    #[inline(always)]
    pub(super) fn find_faces<O: StoreOperator>(&self) {
        let Self { block, draft, memory, .. } = *self;
        let [vertices, edges, faces] = draft.row.capacity;
        if O::SEED == 0 {
            block.for_each_nosync(vertices, |v| {
                memory.fans.set(v, 0);
                memory.starts.set(v, NONE);
            });
        }
        block.for_each(edges, |e| memory.degrees.set(e, 0));
        block.for_each(faces, |f| {
            if draft.has(2, f) {
                for i in [0, 1, 2] {
                    let e = draft.side(f, i).0;
                    let k = memory.degrees.fetch_add(e, 1);
                    if k < 2 {
                        memory.pairs.set(2 * e + k, f as u16);
                    }
                    if O::SEED == 0 {
                        let v = draft.corner(f, i);
                        memory.fans.fetch_add(v, 1);
                        memory.starts.fetch_min(v, f);
                    }
                }
            }
        });
    }
    /// Registers cavities: owned seeds that have a rank.
    #[inline(always)]
    pub(super) fn register<O: StoreOperator>(&self) {
        let Self { block, draft, memory, .. } = *self;
        block.for_each(draft.row.capacity[O::SEED], |seed| {
            let owned = draft.words[O::SEED].get(seed) & (ACTIVE | OWNED) == ACTIVE | OWNED;
            let rank = if owned { O::rank(self, seed) } else { None };
            memory.states.set(seed, if rank.is_some() { CANDIDATE } else { IDLE });
            memory.ranks.set(seed, rank.unwrap_or(0));
        });
    }
    /// Sets candidates aside that need locks.
    #[inline(always)]
    pub(super) fn set_aside<O: StoreOperator>(&self) {
        let Self { block, draft, memory, .. } = *self;
        block.for_each(draft.row.capacity[O::SEED], |seed| {
            if memory.states.get(seed) == CANDIDATE && !self.is_inside::<O>(seed) {
                memory.states.set(seed, ASIDE);
            }
        });
    }
    /// Whether the patch owns all vertices of a cavity, and everything around it.
    #[inline(always)]
    fn is_inside<O: StoreOperator>(&self, seed: u32) -> bool {
        let owned = |kind: usize, l: u32| self.draft.words[kind].get(l) & OWNED != 0;
        let mut inside = true;
        self.vertices::<O>(seed, |v| inside &= owned(0, v));
        self.around::<O>(seed, |kind, l| inside &= owned(kind, l));
        inside
    }
    /// Makes seeds of a state candidates again; whether there are any. Collective.
    #[inline(always)]
    pub(super) fn bring_back<O: StoreOperator>(&self, state: u32) -> bool {
        let Self { block, draft, memory, .. } = *self;
        let seeds = draft.row.capacity[O::SEED];
        block.for_each(seeds, |seed| {
            if memory.states.get(seed) == state {
                memory.states.set(seed, CANDIDATE);
            }
        });
        block.any(seeds, |seed| memory.states.get(seed) == CANDIDATE)
    }
    /// Visits what a cavity keeps from others: its faces (0), and its vertices (1) where cavities are apart.
    #[inline(always)]
    fn claims<O: StoreOperator>(&self, seed: u32, mut f: impl FnMut(usize, u32)) {
        if O::WIDE {
            self.around::<O>(seed, |kind, l| {
                if kind == 2 {
                    f(0, l);
                }
            });
        } else {
            O::faces(self, seed, |face| f(0, face));
        }
        if O::APART {
            self.vertices::<O>(seed, |v| f(1, v));
        }
    }
    /// A maximal set of cavities without common faces, greedily by rank: all cavities of which no face has an
    /// earlier one are chosen at once, until none is left (Blelloch et al. 2012).
    #[inline(always)]
    pub(super) fn choose<O: StoreOperator>(&self) {
        let Self { block, draft, memory, .. } = *self;
        let (seeds, of) = (draft.row.capacity[O::SEED], [draft.row.capacity[2], draft.row.capacity[0]]);
        let clear = |[of_faces, of_vertices]: [Shared<'_, u32>; 2], value: u32| {
            block.for_each_nosync(of[0], |i| of_faces.set(i, value));
            if O::APART {
                block.for_each_nosync(of[1], |i| of_vertices.set(i, value));
            }
            block.sync();
        };
        clear(memory.taken, 0);
        let key = |seed: u32| memory.ranks.get(seed) << 16 | seed;
        while block.any(seeds, |seed| memory.states.get(seed) == CANDIDATE) {
            clear(memory.claims, NONE);
            block.for_each(seeds, |seed| {
                if memory.states.get(seed) == CANDIDATE {
                    self.claims::<O>(seed, |kind, i| _ = memory.claims[kind].fetch_min(i, key(seed)));
                }
            });
            block.for_each(seeds, |seed| {
                if memory.states.get(seed) == CANDIDATE {
                    let mut first = true;
                    self.claims::<O>(seed, |kind, i| first &= memory.claims[kind].get(i) == key(seed));
                    if first {
                        memory.states.set(seed, CHOSEN);
                        self.claims::<O>(seed, |kind, i| memory.taken[kind].set(i, 1));
                    }
                }
            });
            block.for_each(seeds, |seed| {
                if memory.states.get(seed) == CANDIDATE {
                    let mut free = true;
                    self.claims::<O>(seed, |kind, i| free &= memory.taken[kind].get(i) == 0);
                    if !free {
                        self.lose(seed);
                    }
                }
            });
        }
    }
    #[inline(always)]
    fn lose(&self, seed: u32) {
        self.memory.states.set(seed, LOST);
        self.memory.counters.fetch_add(LOSERS, 1);
    }
    /// Wants the locks of the owners around each chosen cavity, and the stars of its vertices. Cavities
    /// beyond a number lose.
    #[inline(always)]
    pub(super) fn limit_border<O: StoreOperator>(&self) {
        let Self { block, draft, memory, change, .. } = *self;
        let refused = atomic::load(change.gate, 1 + draft.patch, Relaxed, Device);
        let most = if refused < 2 {
            BORDER
        } else if refused < NARROW {
            BORDER / 6
        } else {
            1
        };
        block.for_each(draft.row.capacity[O::SEED], |seed| {
            if memory.states.get(seed) != CHOSEN {
                return;
            }
            if memory.counters.fetch_add(TICKETS, 1) >= most {
                return self.lose(seed);
            }
            self.vertices::<O>(seed, |v| {
                let word = draft.word_now(0, v);
                if word & OWNED == 0 {
                    memory.expansion.seek(&draft, v, word);
                }
            });
            self.around::<O>(seed, |kind, l| {
                let word = draft.word_now(kind, l);
                if word & OWNED == 0 {
                    memory.expansion.want(word);
                }
            });
        });
    }
    /// Visits the vertices of a cavity's faces, some of them more than once.
    #[inline(always)]
    pub(super) fn vertices<O: StoreOperator>(&self, seed: u32, mut f: impl FnMut(u32)) {
        O::faces(self, seed, |face| {
            f(self.draft.corner(face, 0));
            f(self.draft.corner(face, 1));
            f(self.draft.corner(face, 2));
        });
    }
    /// Visits the faces of a cavity, their edges, and the faces across its loop that the copy has.
    #[inline(always)]
    pub(super) fn around<O: StoreOperator>(&self, seed: u32, mut f: impl FnMut(usize, u32)) {
        O::faces(self, seed, |face| {
            f(2, face);
            for i in [0, 1, 2] {
                let edge = self.draft.side(face, i).0;
                f(1, edge);
                if !O::inside(self, seed, edge) {
                    self.across(face, edge, |other| f(2, other));
                }
            }
        });
    }
    /// Visits the faces across an edge of a face, of the first two of the edge.
    #[inline(always)]
    pub(super) fn across(&self, face: u32, edge: u32, mut f: impl FnMut(u32)) {
        let mut k = 0;
        while k < 2 && k < self.memory.degrees.get(edge) {
            let other = self.memory.pairs.get(2 * edge + k) as u32;
            if other != face {
                f(other);
            }
            k += 1;
        }
    }
    /// Whether no edge of the loop has more than two faces.
    #[inline(always)]
    fn loop_is_two_sided<O: StoreOperator>(&self, seed: u32) -> bool {
        let mut holds = true;
        O::faces(self, seed, |face| {
            for i in [0, 1, 2] {
                holds &= self.memory.degrees.get(self.draft.side(face, i).0) <= 2;
            }
        });
        holds
    }
    /// Rejects chosen cavities whose new edges exist, or are made twice, those with an edge of three or more
    /// faces on their loop, and those that have no rank by the values read under locks; counts the others.
    #[inline(always)]
    pub(super) fn reject<O: StoreOperator>(&self) {
        let Self { block, draft, memory, .. } = *self;
        let seeds = draft.row.capacity[O::SEED];
        block.for_each(MADE, |i| {
            memory.made.set(i, NONE);
            memory.makers.set(i, NONE);
        });
        block.for_each(seeds, |seed| {
            if memory.states.get(seed) != CHOSEN {
                return;
            }
            let holds =
                O::rank(self, seed).is_some() && self.loop_is_two_sided::<O>(seed) && O::allowed(self, seed);
            if !holds {
                return memory.states.set(seed, IDLE);
            }
            let mut room = true;
            O::makes(self, seed, |c, d| match self.place_made(c, d, true) {
                Some(at) => _ = memory.makers.fetch_min(at, seed + 1),
                // no room in the list
                None => room = false,
            });
            if !room {
                self.lose(seed);
            }
        });
        block.for_each(draft.row.capacity[1], |e| {
            if draft.has(1, e) {
                let [a, b] = draft.ends(e);
                if let Some(at) = self.place_made(a, b, false) {
                    memory.makers.fetch_min(at, EXISTS);
                }
            }
        });
        block.for_each(seeds, |seed| {
            if memory.states.get(seed) != CHOSEN {
                return;
            }
            let (mut exists, mut first) = (false, true);
            O::makes(self, seed, |c, d| {
                let maker = self.place_made(c, d, false).map_or(EXISTS, |at| memory.makers.get(at));
                exists |= maker == EXISTS;
                first &= maker == seed + 1;
            });
            if exists {
                memory.states.set(seed, IDLE);
            } else if first {
                memory.counters.fetch_add(FILLED, 1);
            } else {
                self.lose(seed);
            }
        });
    }
    /// Finds local indices for what is made, which stand in [`Memory::fresh`], and gives each chosen cavity a
    /// ticket instead of its rank; those for which there is no room lose. Notes [`reason::ROOM`] if none has
    /// any. How many are left.
    ///
    /// [`Memory::fresh`]: super::attempt::Memory::fresh
    #[inline(always)]
    pub(super) fn allot<O: StoreOperator>(&self, chosen: u32) -> u32 {
        let Self { block, draft, memory, .. } = *self;
        let room = [self.room::<O, 0>(), self.room::<O, 1>(), self.room::<O, 2>()];
        let fit = room.into_iter().fold(chosen, |fit, room| if room < fit { room } else { fit });
        block.for_each(1, |_| memory.counters.set(TICKETS, 0));
        block.for_each(draft.row.capacity[O::SEED], |seed| {
            if memory.states.get(seed) == CHOSEN {
                let ticket = memory.counters.fetch_add(TICKETS, 1);
                memory.ranks.set(seed, ticket);
                if ticket >= fit {
                    memory.states.set(seed, LOST);
                }
            }
        });
        if fit == 0 {
            block.single_nosync(|| draft.fail(reason::ROOM));
        }
        fit
    }
    /// Lists the free local indices of a kind; for how many cavities they are enough.
    #[inline(always)]
    fn room<O: StoreOperator, const KIND: usize>(&self) -> u32 {
        let Self { block, draft, memory, .. } = *self;
        if O::GROWS[KIND] == 0 {
            return u32::MAX;
        }
        let (words, rank) = (draft.words[KIND], memory.expansion.scratch());
        let free = |l: u32| words.get(l) & USED == 0;
        block.compact(draft.row.capacity[KIND], rank, memory.fresh[KIND], free) / O::GROWS[KIND]
    }
    /// The place of the edge between two vertices in the list of those to be made; `insert` puts it there.
    #[inline(always)]
    fn place_made(&self, c: u32, d: u32, insert: bool) -> Option<u32> {
        let key = if c < d { c << 16 | d } else { d << 16 | c };
        let mut at = scrambled(key) % MADE;
        let mut tried = 0;
        while tried < MADE {
            let made = self.memory.made;
            let seen = if insert { made.compare_exchange(at, NONE, key) } else { made.get(at) };
            if seen == key || (insert && seen == NONE) {
                return Some(at);
            }
            if seen == NONE {
                return None;
            }
            at = (at + 1) % MADE;
            tried += 1;
        }
        None
    }
}
