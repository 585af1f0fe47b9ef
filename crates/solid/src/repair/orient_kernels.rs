//! Kernels that orient faces: union-find of faces that are each on one of two sides of their set, as
//! [`SidedUnionFind`](ribbonmesh_mesh::SidedUnionFind) on the host.
//!
//! A *link* is `parent << 1 | side`: the side is 1 if the face has to be turned to agree with its parent. The
//! link of a root is itself, on the side 0. A link is one word, so whatever a face is linked to by other
//! threads, face and side belong together.
use crate::repair::kernels::NONE;
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope::Device};
use ribbonmesh::device::{Block, Each, In, Out, kernel};
use ribbonmesh::sets;

/// Whether two linked sides run in the same direction, so that their faces disagree.
#[inline(always)]
fn disagree(faces: In<'_, u32>, side: u32, across: u32) -> bool {
    faces.get(side) == faces.get(across)
}

/// Links each face to itself.
#[kernel(threads = 256)]
pub fn begin_sided_links<'a>(f: Each, links: Out<'a, u32>) {
    links.set(f, f << 1);
}
/// The link of a face to its root; halves the path to it.
#[inline(always)]
fn find(links: Out<'_, u32>, f: u32) -> u32 {
    let (mut at, mut side) = (f, 0);
    loop {
        let link = atomic::load(links, at, Relaxed, Device);
        if link >> 1 == at {
            return at << 1 | side;
        }
        let up = atomic::load(links, link >> 1, Relaxed, Device);
        // the parent's own link is on the side 0 if it is a root
        let top = up ^ (link & 1);
        if up >> 1 != link >> 1 {
            atomic::store(links, at, top, Relaxed, Device);
        }
        (at, side) = (top >> 1, side ^ (top & 1));
    }
}
/// Unites the faces on both sides of each edge of two faces, on opposite sides if they disagree there. The
/// root of a set is its least face. Where that is a contradiction, nothing is done.
#[kernel(threads = 256)]
pub fn unite_sides<'a>(c: Each, faces: In<'a, u32>, across: In<'a, u32>, links: Out<'a, u32>) {
    let other = across.get(c);
    if other == NONE || other < c {
        return;
    }
    let turn = disagree(faces, c, other) as u32;
    let (mut a, mut b) = (find(links, c / 3), find(links, other / 3));
    while a >> 1 != b >> 1 {
        let (low, high) = if a < b { (a, b) } else { (b, a) };
        let (root, link) = (high >> 1, low ^ (high & 1) ^ turn);
        if atomic::compare_exchange(links, root, root << 1, link, Relaxed, Device) == root << 1 {
            return;
        }
        (a, b) = (find(links, c / 3), find(links, other / 3));
    }
}
/// Links each face to its root.
#[kernel(threads = 256)]
pub fn flatten_links<'a>(f: Each, links: Out<'a, u32>) {
    // no path is halved: that could write an ancestor over a link that is final already
    let (mut at, mut side) = (f, 0);
    loop {
        let link = atomic::load(links, at, Relaxed, Device);
        if link >> 1 == at {
            break;
        }
        (at, side) = (link >> 1, side ^ (link & 1));
    }
    atomic::store(links, f, at << 1 | side, Relaxed, Device);
}
/// Marks in `wrong`, by their roots, sets in which faces cannot be oriented: a link contradicts an edge.
/// `found[0]` becomes 1 then. Which edge this is depends on the order of events, but not whether there is
/// one.
#[kernel(threads = 256)]
pub fn find_wrong<'a>(
    c: Each,
    faces: In<'a, u32>,
    across: In<'a, u32>,
    links: In<'a, u32>,
    wrong: Out<'a, u32>,
    found: Out<'a, u32>,
) {
    let other = across.get(c);
    if other == NONE || other < c {
        return;
    }
    let (a, b) = (links.get(c / 3), links.get(other / 3));
    if (a ^ b) & 1 != disagree(faces, c, other) as u32 {
        atomic::store(wrong, a >> 1, 1, Relaxed, Device);
        atomic::store(found, 0, 1, Relaxed, Device);
    }
}
/// Whether each side is the lesser one of an edge of two faces that disagree, in a set that is wrong.
#[kernel(threads = 256)]
pub fn flag_wrong<'a>(
    c: Each,
    faces: In<'a, u32>,
    across: In<'a, u32>,
    links: In<'a, u32>,
    wrong: In<'a, u32>,
    flags: Out<'a, u32>,
) {
    let other = across.get(c);
    let lesser = other != NONE && c < other;
    let flag = lesser && wrong.get(links.get(c / 3) >> 1) != 0 && disagree(faces, c, other);
    flags.set(c, flag as u32);
}
/// Unites the faces on both sides of each edge of two faces that agree there. The root of a set is its least
/// face.
#[kernel(threads = 256)]
pub fn unite_agreeing<'a>(c: Each, faces: In<'a, u32>, across: In<'a, u32>, parents: Out<'a, u32>) {
    let other = across.get(c);
    if other != NONE && c < other && !disagree(faces, c, other) {
        sets::unite(parents, c / 3, other / 3);
    }
}
/// Counts the faces on each side of each set: those with a link are added to `sizes[link]`. The set of a
/// tile's first face is counted by the tile, so that few large sets do not contend.
#[kernel(threads = 256)]
pub fn count_links<'a>(block: &Block, faces: u32, links: In<'a, u32>, sizes: Out<'a, u32>) {
    block.for_each_tile(faces, |base, len| {
        let most = links.get(base);
        let like = block.count_where(len, |i| links.get(base + i) == most);
        let unlike = block.count_where(len, |i| links.get(base + i) == most ^ 1);
        block.single_nosync(|| {
            atomic::fetch_add(sizes, most, like, Relaxed, Device);
            if unlike > 0 {
                atomic::fetch_add(sizes, most ^ 1, unlike, Relaxed, Device);
            }
        });
        block.for_each_nosync(len, |i| {
            let link = links.get(base + i);
            if link >> 1 != most >> 1 {
                atomic::fetch_add(sizes, link, 1, Relaxed, Device);
            }
        });
    });
}
/// Whether each face is turned: of the two orientations of a set, the one that turns fewer faces; if both
/// turn the same number, that of the root.
#[kernel(threads = 256)]
pub fn choose_turned<'a>(f: Each, links: In<'a, u32>, sizes: In<'a, u32>, turned: Out<'a, u32>) {
    let link = links.get(f);
    let root = link >> 1 << 1;
    let other = sizes.get(root + 1) > sizes.get(root);
    turned.set(f, link & 1 ^ other as u32);
}
/// Whether the set of each face has fewer faces than `below`, and whether it stays.
#[kernel(threads = 256)]
pub fn find_small<'a>(
    f: Each,
    links: In<'a, u32>,
    sizes: In<'a, u32>,
    below: u32,
    small: Out<'a, u32>,
    stays: Out<'a, u32>,
) {
    let root = links.get(f) >> 1 << 1;
    let less = sizes.get(root) + sizes.get(root + 1) < below;
    small.set(f, less as u32);
    stays.set(f, !less as u32);
}
