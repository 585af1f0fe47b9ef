//! Ribbons and local topology (thesis 4.2.2.5): for each patch the faces, edges and vertices around it that
//! queries about its owned elements need, and FE and EV in local indices.
//!
//! The ribbon is the least that makes every query complete: faces with an owned vertex, and faces across an
//! edge from an owned face. The groups and their order are as in `crate::device::MeshView`.
use crate::device::{Arena, Block, In, NONE, Out, Parameter, Shared, kernel, pack};
use crate::kernels::construct::add;
use crate::kernels::construct::id_map::IdMap;

/// The mesh in ids, flat, while it is built.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Flat<'a> {
    /// Three vertices per face.
    pub fv: In<'a, u32>,
    /// Three `edge << 2 | slot << 1 | reversed` per face.
    pub fe: In<'a, u64>,
    /// Two vertices per edge: `tail | head << 32`.
    pub ev: In<'a, u64>,
    /// The next corner of the same edge.
    pub ring: In<'a, u32>,
    /// Patch of each face.
    pub patch_of: In<'a, u32>,
    /// Owner of each vertex that has a face.
    pub owner_v: In<'a, u32>,
    /// Owner of each edge.
    pub owner_e: In<'a, u32>,
    /// Number of faces.
    pub faces: u32,
}
impl Flat<'_> {
    #[inline(always)]
    fn edge(&self, c: u32) -> u32 {
        (self.fe.get(c) >> 2) as u32
    }
    #[inline(always)]
    fn owner_of_corner(&self, c: u32) -> u32 {
        self.owner_v.get(self.fv.get(c))
    }
    /// The owner of corner `c`'s vertex, if that is another patch and no earlier corner of the face has told
    /// it.
    #[inline(always)]
    fn foreign_owner(&self, c: u32) -> Option<u32> {
        let f = c / 3;
        let q = self.owner_of_corner(c);
        let mut told = q == self.patch_of.get(f);
        let mut b = 3 * f;
        while b < c {
            told |= self.owner_of_corner(b) == q;
            b += 1;
        }
        (!told).then_some(q)
    }
    /// The faces across the edge of corner `c` that its patch needs for that: in another patch, without a
    /// vertex that its patch owns (see [`Flat::foreign_owner`] for those). Of several corners of the edge in
    /// this patch the smallest tells.
    #[inline(always)]
    fn across(&self, c: u32, mut f: impl FnMut(u32)) {
        let p = self.patch_of.get(c / 3);
        let mut d = self.ring.get(c);
        while d != c {
            if d < c && self.patch_of.get(d / 3) == p {
                return;
            }
            d = self.ring.get(d);
        }
        d = self.ring.get(c);
        while d != c {
            let g = d / 3;
            let owned = |k: u32| self.owner_of_corner(3 * g + k) == p;
            if self.patch_of.get(g) != p && !owned(0) && !owned(1) && !owned(2) {
                f(g);
            }
            d = self.ring.get(d);
        }
    }
}

/// Per patch: faces with a vertex it owns, faces across (possibly repeated), corners with an edge it does not
/// own, corners with a vertex it does not own. `counts`: four words a patch.
#[kernel(threads = 256)]
pub fn count_ribbons<'a>(block: &Block, mesh: Flat<'a>, counts: Out<'a, u32>) {
    block.for_each_of_tile(3 * mesh.faces, |c| {
        let p = mesh.patch_of.get(c / 3);
        if let Some(q) = mesh.foreign_owner(c) {
            add(counts, 4 * q, 1);
        }
        mesh.across(c, |_| {
            add(counts, 4 * p + 1, 1);
        });
        if mesh.owner_e.get(mesh.edge(c)) != p {
            add(counts, 4 * p + 2, 1);
        }
        if mesh.owner_of_corner(c) != p {
            add(counts, 4 * p + 3, 1);
        }
    });
}

/// Collects these faces. `cursors`: two words a patch, where its two parts of `list` begin.
#[kernel(threads = 256)]
pub fn collect_ribbons<'a>(block: &Block, mesh: Flat<'a>, cursors: Out<'a, u32>, list: Out<'a, u32>) {
    block.for_each_of_tile(3 * mesh.faces, |c| {
        if let Some(q) = mesh.foreign_owner(c) {
            list.set(add(cursors, 2 * q, 1), c / 3);
        }
        let p = mesh.patch_of.get(c / 3);
        mesh.across(c, |g| list.set(add(cursors, 2 * p + 1, 1), g));
    });
}

/// Words that [`localize`] writes for each patch.
pub mod word {
    /// Ribbon faces with an owned vertex.
    pub const F_OF_V: u32 = 0;
    /// Other ribbon faces.
    pub const F_ACROSS: u32 = 1;
    /// Ribbon edges of owned faces.
    pub const E_OF_F: u32 = 2;
    /// Further ones with an owned vertex.
    pub const E_OF_V: u32 = 3;
    /// Further ones of faces with an owned vertex.
    pub const E_NEAR: u32 = 4;
    /// Others.
    pub const E_REST: u32 = 5;
    /// Ribbon vertices of faces that are owned or have an owned vertex.
    pub const V_NEAR: u32 = 6;
    /// Others.
    pub const V_REST: u32 = 7;
    /// Entries of VV, VE, VF, and bounds for EF, FF and EE.
    pub const VV: u32 = 8;
    /// Number of words.
    pub const COUNT: u32 = 14;
}

/// Upper bounds of a patch, or of all patches, that size the shared memory of [`localize`].
#[repr(C)]
#[derive(Clone, Copy, Default, Debug, Parameter)]
pub struct Bounds {
    /// Ribbon faces.
    pub f: u32,
    /// Ribbon edges.
    pub e: u32,
    /// Ribbon vertices.
    pub v: u32,
}
struct Scratch<'b> {
    faces: Shared<'b, u32>,
    fresh: Shared<'b, u32>,
    edges: Shared<'b, u32>,
    vertices: Shared<'b, u32>,
    edge_map: IdMap<'b>,
    vertex_map: IdMap<'b>,
    counter: Shared<'b, u32>,
}
impl<'b> Scratch<'b> {
    fn take(arena: &'b Arena, b: Bounds) -> Self {
        let most = if b.e > b.v { b.e } else { b.v };
        let most = if b.f > most { b.f } else { most };
        Self {
            faces: arena.take(b.f),
            fresh: arena.take(most.next_power_of_two()),
            edges: arena.take(b.e),
            vertices: arena.take(b.v),
            edge_map: IdMap::take(arena, b.e),
            vertex_map: IdMap::take(arena, b.v),
            counter: arena.take(1),
        }
    }
}

/// The first ids of each patch's elements, and its parts of the scratch arrays.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Parts<'a> {
    /// First vertex, edge and face id of each patch, and the end: three arrays.
    pub first_v: In<'a, u32>,
    /// Edges.
    pub first_e: In<'a, u32>,
    /// Faces.
    pub first_f: In<'a, u32>,
    /// The first index of each of the two parts of the collected faces, and the end.
    pub near: In<'a, u32>,
    /// The collected faces.
    pub list: In<'a, u32>,
    /// The index in the scratch array of each patch's first ribbon edge.
    pub at_e: In<'a, u32>,
    /// The index of its first ribbon vertex.
    pub at_v: In<'a, u32>,
    /// Bounds over all patches.
    pub most: Bounds,
    /// Whether to compute bounds for EF, FF and EE.
    pub general: u32,
}

/// Makes the ribbon of one patch: its ids in order, local EV and FE, and the numbers of [`word`]. EV is
/// stored from `first_e + at_e` of `ev` on, FE from `3 (first_f + near)` of `fe` on.
#[kernel(threads = 256, shared = Scratch::take(arena, parts.most))]
pub fn localize<'a>(
    block: &Block,
    mesh: Flat<'a>,
    parts: Parts<'a>,
    ribbon_f: Out<'a, u32>,
    ribbon_e: Out<'a, u32>,
    ribbon_v: Out<'a, u32>,
    ev: Out<'a, u32>,
    fe: Out<'a, u16>,
    words: Out<'a, u32>,
) {
    let p = block.index();
    let span = |a: In<'a, u32>| (a.get(p), a.get(p + 1) - a.get(p));
    let ((v0, vn), (e0, en), (f0, fn_)) = (span(parts.first_v), span(parts.first_e), span(parts.first_f));
    let (near, across, end) = (parts.near.get(2 * p), parts.near.get(2 * p + 1), parts.near.get(2 * p + 2));
    let (at_e, at_v) = (parts.at_e.get(p), parts.at_v.get(p));
    let s = Scratch::take(block.arena(), parts.most);
    s.edge_map.clear_nosync(block);
    s.vertex_map.clear_nosync(block);

    // ribbon faces: both groups sorted, the second without repetitions
    let n_v = across - near;
    block.for_each(n_v, |i| s.fresh.set(i, parts.list.get(near + i)));
    block.sort(s.fresh, n_v);
    block.for_each_nosync(n_v, |i| s.faces.set(i, s.fresh.get(i)));
    let n_all = end - across;
    block.for_each(n_all, |i| s.fresh.set(i, parts.list.get(across + i)));
    block.sort(s.fresh, n_all);
    block.for_each_nosync(1, |_| {
        let (mut n, mut i) = (n_v, 0);
        while i < n_all {
            if i == 0 || s.fresh.get(i) != s.fresh.get(i - 1) {
                s.faces.set(n, s.fresh.get(i));
                n += 1;
            }
            i += 1;
        }
        s.counter.set(0, n);
    });
    block.sync();
    let n_f = s.counter.get(0);
    let face = |l: u32| if l < fn_ { f0 + l } else { s.faces.get(l - fn_) };
    let own = |x: u32, first: u32, n: u32| x.wrapping_sub(first) < n;
    let own_v = |v: u32| own(v, v0, vn);
    block.sync();

    // ribbon edges and vertices, group by group
    let pick_e = |c: u32, wanted: bool| {
        let e = mesh.edge(c);
        if wanted && !own(e, e0, en) { e } else { NONE }
    };
    let (corner_of, corner_across) =
        (|i: u32| 3 * face(fn_ + i / 3) + i % 3, |i: u32| 3 * face(fn_ + n_v + i / 3) + i % 3);
    let at_owned_v = |c: u32| {
        let ends = mesh.ev.get(mesh.edge(c));
        own_v(ends as u32) || own_v((ends >> 32) as u32)
    };
    let edges = Group { block, map: s.edge_map, list: s.edges, fresh: s.fresh, counter: s.counter };
    let e_of_f = edges.extend(0, 3 * fn_, |i| pick_e(3 * f0 + i, true));
    let e_of_v = edges.extend(e_of_f, 3 * n_v, |i| pick_e(corner_of(i), at_owned_v(corner_of(i))));
    let e_near = edges.extend(e_of_v, 3 * n_v, |i| pick_e(corner_of(i), true));
    let e_all = edges.extend(e_near, 3 * (n_f - n_v), |i| pick_e(corner_across(i), true));
    let pick_v = |c: u32| {
        let v = mesh.fv.get(c);
        if own_v(v) { NONE } else { v }
    };
    let vertices = Group { map: s.vertex_map, list: s.vertices, ..edges };
    let v_near = vertices.extend(0, 3 * (fn_ + n_v), |i| pick_v(3 * face(i / 3) + i % 3));
    let v_all = vertices.extend(v_near, 3 * (n_f - n_v), |i| pick_v(corner_across(i)));
    block.sync();
    block.for_each_nosync(e_all, |i| s.edge_map.set(s.edges.get(i), en + i));
    block.for_each(v_all, |i| s.vertex_map.set(s.vertices.get(i), vn + i));

    // ids of the ribbon, and EV and FE in local indices
    block.for_each_nosync(n_f, |i| ribbon_f.set(near + i, s.faces.get(i)));
    block.for_each_nosync(e_all, |i| ribbon_e.set(at_e + i, s.edges.get(i)));
    block.for_each_nosync(v_all, |i| ribbon_v.set(at_v + i, s.vertices.get(i)));
    let local_v = |v: u32| if own_v(v) { v - v0 } else { s.vertex_map.get(v) };
    let local_e = |e: u32| if own(e, e0, en) { e - e0 } else { s.edge_map.get(e) };
    let global_e = |l: u32| if l < en { e0 + l } else { s.edges.get(l - en) };
    block.for_each_nosync(en + e_all, |l| {
        let ends = mesh.ev.get(global_e(l));
        ev.set(e0 + at_e + l, pack(local_v(ends as u32), local_v((ends >> 32) as u32)));
    });
    block.for_each_nosync(3 * (fn_ + n_f), |i| {
        let entry = mesh.fe.get(3 * face(i / 3) + i % 3);
        fe.set(3 * (f0 + near) + i, (local_e((entry >> 2) as u32) << 2 | entry as u32 & 3) as u16);
    });

    // lengths of results
    let incidences = block.reduce(
        en + e_of_v,
        0u64,
        |l| {
            let ends = mesh.ev.get(global_e(l));
            let (a, b) = (ends as u32, (ends >> 32) as u32);
            let n = own_v(a) as u64 + (own_v(b) && a != b) as u64;
            // a loop is an edge of its vertex, but no neighbour
            (if a == b { 0 } else { n }) | n << 32
        },
        |a, b| a + b,
    );
    let vf = block.reduce(
        fn_ + n_v,
        0u32,
        |l| {
            let v = |k: u32| mesh.fv.get(3 * face(l) + k);
            let (a, b, c) = (v(0), v(1), v(2));
            own_v(a) as u32 + (own_v(b) && b != a) as u32 + (own_v(c) && c != a && c != b) as u32
        },
        |a, b| a + b,
    );
    let sides = |c: u32| {
        let (mut d, mut n) = (mesh.ring.get(c), 1);
        while d != c {
            d = mesh.ring.get(d);
            n += 1;
        }
        n
    };
    // of the sides of owned faces: other faces there; and for owned edges, told by their first corner: faces
    let corners = if parts.general != 0 { 3 * fn_ } else { 0 };
    let ff = block.reduce(corners, 0u32, |i| sides(3 * f0 + i) - 1, |a, b| a + b);
    let ef = block.reduce(
        corners,
        0u32,
        |i| {
            let c = 3 * f0 + i;
            let first = mesh.fe.get(c) & 2 == 0 && own(mesh.edge(c), e0, en);
            if first { sides(c) } else { 0 }
        },
        |a, b| a + b,
    );
    block.single_nosync(|| {
        let counts = [
            n_v,
            n_f - n_v,
            e_of_f,
            e_of_v - e_of_f,
            e_near - e_of_v,
            e_all - e_near,
            v_near,
            v_all - v_near,
            incidences as u32,
            (incidences >> 32) as u32,
            vf,
            ef,
            ff,
            2 * ef,
        ];
        let mut k = 0;
        while k < word::COUNT {
            words.set(word::COUNT * p + k, counts[k as usize]);
            k += 1;
        }
    });
}

/// One kind of ribbon element while its groups are collected.
#[derive(Clone, Copy)]
struct Group<'b> {
    block: &'b Block,
    map: IdMap<'b>,
    list: Shared<'b, u32>,
    fresh: Shared<'b, u32>,
    counter: Shared<'b, u32>,
}
impl Group<'_> {
    /// Appends, in order, the elements that `pick(i)` names for i < n and that are not in the list yet;
    /// returns its length then. The list is for reading behind a barrier.
    #[inline(always)]
    fn extend(&self, there: u32, n: u32, pick: impl Fn(u32) -> u32) -> u32 {
        self.block.for_each(1, |_| self.counter.set(0, 0));
        self.block.for_each(n, |i| {
            let x = pick(i);
            if x != NONE && self.map.insert(x) {
                self.fresh.set(self.counter.fetch_add(0, 1), x);
            }
        });
        let fresh = self.counter.get(0);
        self.block.sort(self.fresh, fresh);
        self.block.for_each_nosync(fresh, |i| self.list.set(there + i, self.fresh.get(i)));
        there + fresh
    }
}

/// The ranges of each patch's part in a scratch array and in the final one.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Move<'a> {
    /// First entry in the scratch array, per patch.
    pub from: In<'a, u32>,
    /// First entry in the final array, per patch.
    pub to: In<'a, u32>,
    /// Number of entries, per patch.
    pub n: In<'a, u32>,
}

/// Moves each patch's part of an array of words to its final place. One block a patch.
#[kernel(threads = 128)]
pub fn move_parts<'a>(block: &Block, parts: Move<'a>, from: In<'a, u32>, to: Out<'a, u32>) {
    let p = block.index();
    let (a, b) = (parts.from.get(p), parts.to.get(p));
    block.for_each_nosync(parts.n.get(p), |i| to.set(b + i, from.get(a + i)));
}

/// The same for 16-bit entries.
#[kernel(threads = 128)]
pub fn move_parts_u16<'a>(block: &Block, parts: Move<'a>, from: In<'a, u16>, to: Out<'a, u16>) {
    let p = block.index();
    let (a, b) = (parts.from.get(p), parts.to.get(p));
    block.for_each_nosync(parts.n.get(p), |i| to.set(b + i, from.get(a + i)));
}
