//! Ids: faces by patch, vertices and edges by the first face that touches them, so that the elements of a
//! patch are contiguous and near each other. All prefix sums and minima: the result does not depend on the
//! machine.
use crate::device::{Block, Each, In, NONE, Out, kernel};
use crate::kernels::construct::{add, load, min, next, some};

/// Puts every face into its patch's part, as `distance from the seed << 32 | face`. `rank[p]` is the patch's
/// final number, `cursors` begins as the parts' offsets.
#[kernel(threads = 256)]
pub fn scatter_faces<'a>(
    f: Each,
    words: In<'a, u64>,
    patch: In<'a, u32>,
    rank: In<'a, u32>,
    cursors: Out<'a, u32>,
    keys: Out<'a, u64>,
) {
    let at = add(cursors, rank.get(patch.get(f)), 1);
    keys.set(at, words.get(f) >> 32 << 32 | f as u64);
}

/// Orders the faces of each patch by distance from the seed, then by number: `inputs[new] = old`,
/// `ids[old] = new`, `patch_of[new]` = patch. `most`: the largest patch.
#[kernel(threads = 128, shared = arena.take::<u64>(most.next_power_of_two()))]
pub fn order_faces<'a>(
    block: &Block,
    most: u32,
    first: In<'a, u32>,
    keys: In<'a, u64>,
    inputs: Out<'a, u32>,
    ids: Out<'a, u32>,
    patch_of: Out<'a, u32>,
) {
    let p = block.index();
    let (f0, n) = (first.get(p), first.get(p + 1) - first.get(p));
    let s = block.shared::<u64>(most.next_power_of_two());
    block.for_each(n, |i| s.set(i, keys.get(f0 + i)));
    block.sort_u64(s, n);
    block.for_each_nosync(n, |i| {
        let old = s.get(i) as u32;
        inputs.set(f0 + i, old);
        ids.set(old, f0 + i);
        patch_of.set(f0 + i, p);
    });
}

/// The first new corner of every vertex and of every edge (at its leader).
#[kernel(threads = 256)]
pub fn first_touch<'a>(
    c: Each,
    fv: In<'a, u32>,
    leader: In<'a, u32>,
    inputs: In<'a, u32>,
    first_v: Out<'a, u32>,
    first_e: Out<'a, u32>,
) {
    let old = 3 * inputs.get(c / 3) + c % 3;
    let (v, e) = (fv.get(old), leader.get(old));
    if load(first_v, v) > c {
        min(first_v, v, c);
    }
    if load(first_e, e) > c {
        min(first_e, e, c);
    }
}

/// 1 for the new corners at which a vertex, or an edge, is touched first.
#[kernel(threads = 256)]
pub fn mark_first<'a>(
    c: Each,
    fv: In<'a, u32>,
    leader: In<'a, u32>,
    inputs: In<'a, u32>,
    first_v: In<'a, u32>,
    first_e: In<'a, u32>,
    mark_v: Out<'a, u32>,
    mark_e: Out<'a, u32>,
) {
    let old = 3 * inputs.get(c / 3) + c % 3;
    mark_v.set(c, (first_v.get(fv.get(old)) == c) as u32);
    mark_e.set(c, (first_e.get(leader.get(old)) == c) as u32);
}

/// 1 for vertices without a face.
#[kernel(threads = 256)]
pub fn mark_isolated<'a>(v: Each, first_v: In<'a, u32>, marks: Out<'a, u32>) {
    marks.set(v, !some(first_v.get(v)) as u32);
}

/// Ids of vertices: by first corner, then vertices without a face in input order, from `used` on.
#[kernel(threads = 256)]
pub fn number_vertices<'a>(
    v: Each,
    used: u32,
    first_v: In<'a, u32>,
    number_v: In<'a, u32>,
    isolated: In<'a, u32>,
    ids: Out<'a, u32>,
    inputs: Out<'a, u32>,
) {
    let first = first_v.get(v);
    let id = if first == NONE { used + isolated.get(v) } else { number_v.get(first) };
    ids.set(v, id);
    inputs.set(id, v);
}

/// FV and FE in ids, and the ring of corners in the new order. FE: `edge << 2 | slot << 1 | reversed`. An
/// edge points from tail to head of its first corner; that corner's face has slot 0, the other slot 1.
#[kernel(threads = 256)]
pub fn renumber_corners<'a>(
    block: &Block,
    corners: u32,
    fv: In<'a, u32>,
    leader: In<'a, u32>,
    ring: In<'a, u32>,
    face_inputs: In<'a, u32>,
    face_ids: In<'a, u32>,
    vertex_ids: In<'a, u32>,
    first_e: In<'a, u32>,
    number_e: In<'a, u32>,
    new_fv: Out<'a, u32>,
    new_fe: Out<'a, u64>,
    new_ring: Out<'a, u32>,
) {
    let old_of = |c: u32| 3 * face_inputs.get(c / 3) + c % 3;
    block.for_each_of_tile(corners, |c| {
        let old = old_of(c);
        let first = first_e.get(leader.get(old));
        let reversed = first != c && fv.get(old) != fv.get(old_of(first));
        let slot = first != c;
        new_fv.set(c, vertex_ids.get(fv.get(old)));
        new_fe.set(c, (number_e.get(first) as u64) << 2 | (slot as u64) << 1 | reversed as u64);
        let d = ring.get(old);
        new_ring.set(c, 3 * face_ids.get(d / 3) + d % 3);
    });
}

/// At each first corner: EV of the edge, and the owner (the corner's patch) of edge and vertex.
#[kernel(threads = 256)]
pub fn own_elements<'a>(
    block: &Block,
    corners: u32,
    used: u32,
    edges: u32,
    fv: In<'a, u32>,
    patch_of: In<'a, u32>,
    number_v: In<'a, u32>,
    number_e: In<'a, u32>,
    ev: Out<'a, u64>,
    owner_v: Out<'a, u32>,
    owner_e: Out<'a, u32>,
) {
    let is_first = |number: In<'a, u32>, c: u32, total: u32| {
        number.get(c) != if c + 1 < corners { number.get(c + 1) } else { total }
    };
    block.for_each_of_tile(corners, |c| {
        if is_first(number_v, c, used) {
            owner_v.set(number_v.get(c), patch_of.get(c / 3));
        }
        if is_first(number_e, c, edges) {
            let e = number_e.get(c);
            owner_e.set(e, patch_of.get(c / 3));
            ev.set(e, fv.get(c) as u64 | (fv.get(next(c)) as u64) << 32);
        }
    });
}

/// The first vertex and edge of each patch: the numbers at its first corner. `first_v` and `first_e` have one
/// entry per patch and one more.
#[kernel(threads = 256)]
pub fn patch_firsts<'a>(
    block: &Block,
    patches: u32,
    used: u32,
    edges: u32,
    first_f: In<'a, u32>,
    number_v: In<'a, u32>,
    number_e: In<'a, u32>,
    first_v: Out<'a, u32>,
    first_e: Out<'a, u32>,
) {
    block.for_each_of_tile(patches + 1, |p| {
        let c = 3 * first_f.get(p);
        first_v.set(p, if p < patches { number_v.get(c) } else { used });
        first_e.set(p, if p < patches { number_e.get(c) } else { edges });
    });
}
