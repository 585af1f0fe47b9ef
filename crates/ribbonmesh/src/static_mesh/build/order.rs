//! The order of patches: breadth-first over neighbouring patches, so that neighbours are near in memory.
use super::patching::Cut;
use super::scan::offsets;
use crate::kernels::construct::patching::NeighbourPairs;
use crate::{Buffer, Device, Result};
use rayon::prelude::*;
use ribbonmesh_device::{NONE, tiles};

/// The final number of each patch.
pub(in crate::static_mesh) fn rank(device: &Device, ring: &Buffer<u32>, cut: &Cut) -> Result<Vec<u32>> {
    let corners = ring.len() as u32;
    let mut capacity = corners as usize / 12 + 1024;
    let mut pairs = loop {
        let mut pairs = device.zeros::<u64>(capacity)?;
        let mut counters = device.zeros::<u32>(1)?;
        let find = NeighbourPairs {
            corners,
            ring: ring.view(),
            patch: cut.patch.view(),
            pairs: pairs.view_mut(),
            counters: counters.view_mut(),
        };
        device.launch(tiles(corners), find)?;
        let n = counters.read()?[0] as usize;
        if n <= capacity {
            break pairs.read_range(0, n)?;
        }
        capacity = n;
    };
    pairs.par_sort_unstable();
    pairs.dedup();
    Ok(breadth_first(cut.sizes.len(), &pairs))
}

fn breadth_first(n: usize, pairs: &[u64]) -> Vec<u32> {
    let ends = |pair: u64| ((pair >> 32) as usize, pair as u32 as usize);
    let mut counts = vec![0; n];
    for (p, q) in pairs.iter().map(|&pair| ends(pair)) {
        counts[p] += 1;
        counts[q] += 1;
    }
    let offsets = offsets(counts);
    let (mut cursors, mut neighbours) = (offsets.clone(), vec![0; 2 * pairs.len()]);
    for (p, q) in pairs.iter().map(|&pair| ends(pair)) {
        for (a, b) in [(p, q), (q, p)] {
            neighbours[cursors[a] as usize] = b;
            cursors[a] += 1;
        }
    }
    let mut rank = vec![NONE; n];
    let mut queue = Vec::with_capacity(n);
    for start in 0..n {
        if rank[start] != NONE {
            continue;
        }
        rank[start] = queue.len() as u32;
        let mut at = queue.len();
        queue.push(start);
        while at < queue.len() {
            let p = queue[at];
            for &q in &neighbours[offsets[p] as usize..offsets[p + 1] as usize] {
                if rank[q] == NONE {
                    rank[q] = queue.len() as u32;
                    queue.push(q);
                }
            }
            at += 1;
        }
    }
    rank
}
