//! Kernels that choose among faces with the same three vertices.
//!
//! Such faces are a *group*, which its first face names. The *balance* of a group is the number of its faces
//! that are oriented as the first one, less the number of the others. A group with the balance 0 is a *fold*.
use crate::inside::kernels::{GOLDEN, mix};
use crate::repair::kernels::{NONE, corners, note};
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope::Device};
use ribbonmesh::device::{Each, In, Out, kernel};
use ribbonmesh::sets;

/// The vertices of a face, ascending.
#[inline(always)]
fn ascending([a, b, c]: [u32; 3]) -> [u32; 3] {
    let (a, b) = if a < b { (a, b) } else { (b, a) };
    let (b, c) = if b < c { (b, c) } else { (c, b) };
    let (a, b) = if a < b { (a, b) } else { (b, a) };
    [a, b, c]
}
/// Whether the vertices of a face are an even permutation of the ascending ones.
#[inline(always)]
fn even([a, b, c]: [u32; 3]) -> bool {
    ((a < b) as u32 + (b < c) as u32 + (c < a) as u32) == 2
}

/// Puts faces into a table of a power of two of slots, which begin as [`NONE`]: those of listed sides that
/// may be in a group, which `notes` say. The slot of a group ends with its first face; `at` has the slot
/// of each of these sides, and [`NONE`] for the others.
#[kernel(threads = 128)]
pub fn insert_faces<'a>(
    i: Each,
    list: In<'a, u32>,
    notes: In<'a, u32>,
    faces: In<'a, u32>,
    slots: Out<'a, u32>,
    at: Out<'a, u32>,
) {
    let f = list.get(i) / 3;
    if notes.get(list.get(i)) & note::TWIN == 0 {
        return at.set(i, NONE);
    }
    let own = ascending(corners(faces, f));
    let hash = mix((u64::from(own[0]) << 32 | u64::from(own[1])).wrapping_add(GOLDEN));
    let mask = slots.len() as u32 - 1;
    let mut slot = (mix(hash ^ u64::from(own[2])) >> 32) as u32 & mask;
    loop {
        let mut other = atomic::load(slots, slot, Relaxed, Device);
        if other == NONE {
            other = atomic::compare_exchange(slots, slot, NONE, f, Relaxed, Device);
            if other == NONE {
                break;
            }
        }
        // a slot's faces change, but they are all of one group
        if ascending(corners(faces, other)) == own {
            if f < other {
                atomic::fetch_min(slots, slot, f, Relaxed, Device);
            }
            break;
        }
        slot = (slot + 1) & mask;
    }
    at.set(i, slot);
}
/// Finds the first face of the group of each inserted face, for `group`, which begins with each face
/// itself. Adds up `balances`, by first faces, which begin as 1; `others`, which begin as [`NONE`], get
/// the first face of the other orientation. Sets `found[0]` to 1 if there is a group of several faces.
#[kernel(threads = 256)]
pub fn weigh_groups<'a>(
    i: Each,
    list: In<'a, u32>,
    at: In<'a, u32>,
    slots: In<'a, u32>,
    faces: In<'a, u32>,
    group: Out<'a, u32>,
    balances: Out<'a, u32>,
    others: Out<'a, u32>,
    found: Out<'a, u32>,
) {
    let (slot, f) = (at.get(i), list.get(i) / 3);
    if slot == NONE || slots.get(slot) == f {
        return;
    }
    let first = slots.get(slot);
    group.set(f, first);
    atomic::store(found, 0, 1, Relaxed, Device);
    if even(corners(faces, f)) == even(corners(faces, first)) {
        atomic::fetch_add(balances, first, 1, Relaxed, Device);
    } else {
        atomic::fetch_add(balances, first, u32::MAX, Relaxed, Device);
        atomic::fetch_min(others, first, f, Relaxed, Device);
    }
}
/// The face that stays of the group of each face: the first of the orientation that more of them have, and of
/// a fold the first; and whether it is the face itself. Sets `found[1]` to 1 if there is a fold.
#[kernel(threads = 256)]
pub fn choose_faces<'a>(
    f: Each,
    group: In<'a, u32>,
    balances: In<'a, u32>,
    others: In<'a, u32>,
    kept: Out<'a, u32>,
    stays: Out<'a, u32>,
    found: Out<'a, u32>,
) {
    let first = group.get(f);
    let balance = balances.get(first) as i32;
    let of = if balance < 0 { others.get(first) } else { first };
    kept.set(f, of);
    stays.set(f, (of == f) as u32);
    if balance == 0 {
        atomic::store(found, 1, 1, Relaxed, Device);
    }
}

/// For each edge, by its number in `edges`: the number of faces that are no folds, and the first face
/// that is one, which begins as [`NONE`]. `list`: the faces that stay, by which `balances` are known.
#[kernel(threads = 256)]
pub fn count_at_folds<'a>(
    c: Each,
    list: In<'a, u32>,
    balances: In<'a, u32>,
    edges: In<'a, u32>,
    counts: Out<'a, u32>,
    folds: Out<'a, u32>,
) {
    if balances.get(list.get(c / 3)) == 0 {
        atomic::fetch_min(folds, edges.get(c), c / 3, Relaxed, Device);
    } else {
        atomic::fetch_add(counts, edges.get(c), 1, Relaxed, Device);
    }
}
/// The vote of each fold for dropping it: 1 if more of its edges have an even number of other faces, at least
/// two, than an odd number, else −1; and 0 for other faces. Unites folds that share an edge.
#[kernel(threads = 256)]
pub fn vote_of_folds<'a>(
    f: Each,
    list: In<'a, u32>,
    balances: In<'a, u32>,
    edges: In<'a, u32>,
    counts: In<'a, u32>,
    folds: In<'a, u32>,
    parents: Out<'a, u32>,
    votes: Out<'a, u32>,
) {
    if balances.get(list.get(f)) != 0 {
        return votes.set(f, 0);
    }
    let mut met = 0_i32;
    for side in 3 * f..3 * f + 3 {
        let edge = edges.get(side);
        let count = counts.get(edge);
        met += if count == 0 {
            0
        } else if count.is_multiple_of(2) {
            1
        } else {
            -1
        };
        let first = folds.get(edge);
        if first != f {
            sets::unite(parents, f, first);
        }
    }
    votes.set(f, if met > 0 { 1 } else { u32::MAX });
}
/// Adds the votes of folds up, by the first one of those that are united.
#[kernel(threads = 256)]
pub fn add_votes<'a>(f: Each, parents: In<'a, u32>, votes: In<'a, u32>, sums: Out<'a, u32>) {
    let vote = votes.get(f);
    if vote != 0 {
        atomic::fetch_add(sums, parents.get(f), vote, Relaxed, Device);
    }
}
/// Says by the sum of votes whether each face stays; `folded`, by the faces before, which begins as 0, gets
/// marks of folds that are dropped.
#[kernel(threads = 256)]
pub fn settle_folds<'a>(
    f: Each,
    list: In<'a, u32>,
    parents: In<'a, u32>,
    votes: In<'a, u32>,
    sums: In<'a, u32>,
    stays: Out<'a, u32>,
    folded: Out<'a, u32>,
) {
    let goes = votes.get(f) != 0 && sums.get(parents.get(f)) as i32 >= 0;
    stays.set(f, !goes as u32);
    if goes {
        folded.set(list.get(f), 1);
    }
}
/// Marks the faces of folds that are dropped, by the marks of their first ones; and the others for which
/// another face stays.
#[kernel(threads = 256)]
pub fn part_dropped<'a>(
    f: Each,
    group: In<'a, u32>,
    kept: In<'a, u32>,
    folded: In<'a, u32>,
    of_folds: Out<'a, u32>,
    doubled: Out<'a, u32>,
) {
    let of_fold = folded.get(group.get(f)) != 0;
    of_folds.set(f, of_fold as u32);
    doubled.set(f, (!of_fold && kept.get(f) != f) as u32);
}
