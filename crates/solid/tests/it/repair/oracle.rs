//! Violations found by maps and loops: slow, sequential, and separate from the library.
use std::collections::{BTreeMap, BTreeSet};

pub type Face = [u32; 3];

/// The violations in words; empty for an oriented manifold.
pub fn wrongs(faces: &[Face]) -> Vec<String> {
    let mut wrongs = vec![];
    for (i, f) in faces.iter().enumerate() {
        if BTreeSet::from(*f).len() < 3 {
            wrongs.push(format!("face {i} is degenerate: {f:?}"));
        }
    }
    let mut sets: BTreeMap<BTreeSet<u32>, usize> = BTreeMap::new();
    for (i, f) in faces.iter().enumerate() {
        if let Some(first) = sets.insert(BTreeSet::from(*f), i) {
            wrongs.push(format!("faces {first} and {i} are the same: {f:?}"));
        }
    }
    let mut directed: BTreeMap<(u32, u32), usize> = BTreeMap::new();
    for f in faces {
        for i in 0..3 {
            *directed.entry((f[i], f[(i + 1) % 3])).or_default() += 1;
        }
    }
    for (&(a, b), &count) in &directed {
        if count > 1 {
            wrongs.push(format!("{count} sides run from {a} to {b}"));
        }
    }
    let vertices: BTreeSet<u32> = faces.iter().flatten().copied().collect();
    for v in vertices {
        let around: Vec<Face> = faces.iter().filter(|f| f.contains(&v)).copied().collect();
        let groups = groups(v, &around);
        if groups > 1 {
            wrongs.push(format!("vertex {v} has {groups} fans"));
        }
    }
    wrongs
}

/// Groups of faces at `v` that share a second vertex.
fn groups(v: u32, around: &[Face]) -> usize {
    let mut left: Vec<usize> = (0..around.len()).collect();
    let mut count = 0;
    while let Some(first) = left.pop() {
        count += 1;
        let mut reached = vec![first];
        while let Some(f) = reached.pop() {
            let others: BTreeSet<u32> = around[f].into_iter().filter(|&u| u != v).collect();
            let (near, far) =
                left.into_iter().partition::<Vec<_>, _>(|&g| around[g].iter().any(|u| others.contains(u)));
            (left, reached) = (far, [reached, near].concat());
        }
    }
    count
}

/// The edges with the numbers of their faces that are not degenerate.
pub fn edges(faces: &[Face]) -> BTreeMap<[u32; 2], Vec<u32>> {
    let mut edges: BTreeMap<[u32; 2], Vec<u32>> = BTreeMap::new();
    for (i, f) in (0..).zip(faces).filter(|(_, f)| BTreeSet::from(**f).len() == 3) {
        for k in 0..3 {
            let (a, b) = (f[k], f[(k + 1) % 3]);
            edges.entry([a.min(b), a.max(b)]).or_default().push(i);
        }
    }
    edges
}
