//! Connected components of the faces, through edges. A component's label is its smallest face.
use crate::device::{Block, Each, In, Out, TILE, kernel};
use crate::kernels::construct::add;
use crate::sets::{flatten, unite};

/// Unites the faces of each edge.
#[kernel(threads = 256)]
pub fn unite_faces<'a>(c: Each, ring: In<'a, u32>, parent: Out<'a, u32>) {
    let d = ring.get(c);
    if d <= c {
        return; // the ring closes; a smaller corner has done or will do it
    }
    unite(parent, c / 3, d / 3);
}

/// Labels every face with its component's smallest face.
#[kernel(threads = 256)]
pub fn label_faces<'a>(f: Each, parent: Out<'a, u32>) {
    flatten(parent, f);
}

/// Adds the faces of each label to `sizes[label]`. Each tile adds once for each of its labels, so that few
/// large components do not contend. `roots` lists the labels, in no particular order.
#[kernel(threads = 256, shared = arena.take::<u32>(TILE))]
pub fn count_labels<'a>(
    block: &Block,
    faces: u32,
    labels: In<'a, u32>,
    sizes: Out<'a, u32>,
    roots: Out<'a, u32>,
    counters: Out<'a, u32>,
) {
    let sorted = block.shared::<u32>(TILE);
    block.for_each_tile(faces, |base, len| {
        block.for_each(len, |i| sorted.set(i, labels.get(base + i)));
        block.sort(sorted, len);
        block.for_each(len, |i| {
            let label = sorted.get(i);
            if i + 1 < len && sorted.get(i + 1) == label {
                return;
            }
            // the last of its run: where does the run begin?
            let (mut lo, mut hi) = (0, i);
            while lo < hi {
                let mid = (lo + hi) / 2;
                if sorted.get(mid) < label { lo = mid + 1 } else { hi = mid }
            }
            add(sizes, label, i - lo + 1);
        });
        block.append(len, roots, counters, 0, |i| (labels.get(base + i) == base + i).then_some(base + i));
    });
}
