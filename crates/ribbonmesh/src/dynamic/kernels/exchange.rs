//! Kernels that exchange faces of a dynamic mesh for others, in place.
use crate::device::atomic::{self, Order::Relaxed, Scope::Device};
use crate::device::{Each, In, NONE, Out, Parameter, Quad, kernel};
use crate::dynamic::Tables;

/// Key of a slot without a side.
pub const EMPTY: u64 = u64::MAX;
/// Bit of a value that is the dart of an edge that stays; the other bits are the dart.
const STAYS: u32 = 1 << 31;

/// Word with the first new side that is there twice, or begins where it ends; begins as [`NONE`].
pub const WRONG_SIDE: u32 = 0;
/// Word with the first place in the list of a face that is deleted already; begins as [`NONE`].
pub const WRONG_FACE: u32 = 1;
/// Counter of sides of new faces on the boundary.
pub const BOUNDARY: u32 = 2;
/// Counter of edges that stay and have lost a face.
pub const OPENED: u32 = 3;
/// Counter of those that have got one again.
pub const CLOSED: u32 = 4;
/// The words at the beginning.
pub const WORDS: [u32; 5] = [NONE, NONE, 0, 0, 0];

/// A hash table of sides by their ends. Its length is a power of two, and twice the number of sides.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct SideTable<'a> {
    /// The two vertices of a side, or [`EMPTY`].
    pub keys: Out<'a, u64>,
    /// The number of the side among those of new faces, or the dart of an edge that stays.
    pub values: Out<'a, u32>,
    /// Findings: see [`WORDS`].
    pub found: Out<'a, u32>,
}
impl SideTable<'_> {
    #[inline(always)]
    fn key(from: u32, to: u32) -> u64 {
        (from as u64) << 32 | to as u64
    }
    #[inline(always)]
    fn first(self, key: u64) -> u32 {
        (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as u32
    }
    #[inline(always)]
    fn count(self, which: u32) {
        atomic::fetch_add(self.found, which, 1, Relaxed, Device);
    }
    #[inline(always)]
    fn insert(self, from: u32, to: u32, value: u32) {
        let (key, mask) = (Self::key(from, to), self.keys.len() as u32 - 1);
        let mut at = self.first(key) & mask;
        loop {
            let found = atomic::compare_exchange(self.keys, at, EMPTY, key, Relaxed, Device);
            if found == EMPTY {
                self.values.set(at, value);
                return;
            }
            if found == key {
                return self.refuse(value);
            }
            at = (at + 1) & mask;
        }
    }
    #[inline(always)]
    fn refuse(self, side: u32) {
        atomic::fetch_min(self.found, WRONG_SIDE, side, Relaxed, Device);
    }
    #[inline(always)]
    fn find(self, from: u32, to: u32) -> u32 {
        let (key, mask) = (Self::key(from, to), self.keys.len() as u32 - 1);
        let mut at = self.first(key) & mask;
        loop {
            let found = self.keys.get(at);
            if found == key {
                return self.values.get(at);
            }
            if found == EMPTY {
                return NONE;
            }
            at = (at + 1) & mask;
        }
    }
}

#[inline(always)]
fn set_dead(mesh: Tables<'_>, v: u32, dead: u32) {
    atomic::store(mesh.dead, v, dead, Relaxed, Device);
}

/// Deletes the faces of a list, and their vertices, in `pass`. Keeps the vertices and the patch of each, and
/// its darts.
#[kernel(threads = 256)]
pub fn delete_faces<'a>(
    i: Each,
    mesh: Tables<'a>,
    list: In<'a, u32>,
    pass: u32,
    vertices: Out<'a, Quad>,
    darts: Out<'a, Quad>,
    found: Out<'a, u32>,
) {
    let f = list.get(i);
    let (fv, fe) = (mesh.fv.wide::<Quad>(), mesh.fe.wide::<Quad>());
    let Quad([a, b, c, patch]) = fv.get(f);
    let Quad([d, e, g, _]) = fe.get(f);
    vertices.set(i, Quad([a, b, c, patch]));
    darts.set(i, Quad([d, e, g, 0]));
    if a == NONE {
        atomic::fetch_min(found, WRONG_FACE, i, Relaxed, Device);
        return;
    }
    for v in [a, b, c] {
        set_dead(mesh, v, 1);
    }
    for dart in [d, e, g] {
        mesh.eh.set(dart, NONE);
    }
    fv.set(f, Quad([NONE; 4]));
    fe.set(f, Quad([NONE, NONE, NONE, pass]));
}

/// Finds the sides of deleted faces on whose other side a face is left: their vertices stay, and so does
/// their edge, which waits for another face.
#[kernel(threads = 256)]
pub fn leave_sides<'a>(
    i: Each,
    mesh: Tables<'a>,
    vertices: In<'a, Quad>,
    darts: In<'a, Quad>,
    table: SideTable<'a>,
) {
    let (Quad([a, b, c, _]), Quad([d, e, g, _])) = (vertices.get(i), darts.get(i));
    if a == NONE {
        return;
    }
    for (from, to, dart) in [(a, b, d), (b, c, e), (c, a, g)] {
        if mesh.eh.get(dart ^ 1) != NONE {
            set_dead(mesh, from, 0);
            set_dead(mesh, to, 0);
            table.count(OPENED);
            table.insert(to, from, STAYS | dart);
        }
    }
}

/// Lists the sides of new faces; the vertices of these live.
#[kernel(threads = 256)]
pub fn add_sides<'a>(side: Each, mesh: Tables<'a>, faces: In<'a, u32>, table: SideTable<'a>) {
    let (from, to) = (faces.get(side), faces.get(next(side)));
    set_dead(mesh, from, 0);
    if from == to {
        return table.refuse(side);
    }
    table.insert(from, to, side);
}
#[inline(always)]
fn next(side: u32) -> u32 {
    if side % 3 == 2 { side - 2 } else { side + 1 }
}

/// Finds what is on the other side of each side of new faces; 1 for each that is the first side of a new
/// edge, else 0.
#[kernel(threads = 256)]
pub fn match_sides<'a>(
    side: Each,
    faces: In<'a, u32>,
    table: SideTable<'a>,
    across: Out<'a, u32>,
    leads: Out<'a, u32>,
) {
    let other = table.find(faces.get(next(side)), faces.get(side));
    across.set(side, other);
    if other == NONE {
        table.count(BOUNDARY);
    } else if other & STAYS != 0 {
        table.count(CLOSED);
    }
    leads.set(side, (other == NONE || (other & STAYS == 0 && side < other)) as u32);
}

/// Writes new faces, with ids from `first[1]` on; new edges have ids from `first[0]` on. They belong to the
/// patches of deleted faces.
#[kernel(threads = 256)]
pub fn write_faces<'a>(
    i: Each,
    mesh: Tables<'a>,
    faces: In<'a, u32>,
    across: In<'a, u32>,
    numbers: In<'a, u32>,
    gone: In<'a, Quad>,
    first: [u32; 2],
    pass: u32,
) {
    let f = first[1] + i;
    let mut darts = [0, 0, 0];
    for k in [0, 1, 2] {
        let side = 3 * i + k;
        let other = across.get(side);
        let dart = if other != NONE && other & STAYS != 0 {
            other & !STAYS
        } else if other == NONE || side < other {
            2 * (first[0] + numbers.get(side))
        } else {
            2 * (first[0] + numbers.get(other)) + 1
        };
        if other == NONE {
            mesh.eh.set(dart ^ 1, NONE);
        }
        mesh.eh.set(dart, 4 * f + k);
        darts[k as usize] = dart;
    }
    let deleted = gone.len() as u32;
    let patch = if deleted == 0 { 0 } else { gone.get(i % deleted).0[3] };
    let [a, b, c] = [faces.get(3 * i), faces.get(3 * i + 1), faces.get(3 * i + 2)];
    mesh.fv.wide::<Quad>().set(f, Quad([a, b, c, patch]));
    mesh.fe.wide::<Quad>().set(f, Quad([darts[0], darts[1], darts[2], pass]));
}
