//! Patches: sets of faces that agree across their edges. What is decided about orientation is decided about
//! whole patches.
use crate::repair::kernels::{CountLabels, GatherPatches, LabelFaces, UniteAgreeing};
use crate::repair::linked::{Linked, Side};
use ribbonmesh::device::tiles;
use ribbonmesh::{Buffer, Result, array};
use ribbonmesh_mesh::SidedUnionFind;
use std::collections::VecDeque;

/// The patch of each face, on a device.
pub(crate) struct Labels {
    /// The least face of each face's patch.
    pub of: Buffer<u32>,
    /// Number of faces of the patch of each label.
    pub sizes: Buffer<u32>,
}

impl Labels {
    /// Labels faces that are linked and agree, directly or by way of others. Does not wait.
    pub fn of(linked: &Linked) -> Result<Self> {
        let (device, n) = (linked.faces().device(), linked.len() as u32);
        let mut labels = array::count_up(device, n)?;
        let (faces, across) = (linked.faces().view(), linked.across.view());
        device.launch_each(3 * n, UniteAgreeing { faces, across, parent: labels.view_mut() })?;
        device.launch_each(n, LabelFaces { parent: labels.view_mut() })?;
        let mut sizes = device.zeros::<u32>(n as usize)?;
        let count = CountLabels { faces: n, labels: labels.view(), sizes: sizes.view_mut() };
        device.launch(tiles(n), count)?;
        Ok(Self { of: labels, sizes })
    }
}

/// The patches of some faces, and how they are joined, on the host.
pub(crate) struct Patches {
    /// Faces, ascending, and the number of the patch of each.
    of: Vec<(u32, u32)>,
    /// The label of each patch, ascending.
    pub labels: Vec<u32>,
    /// Number of faces of each patch.
    pub sizes: Vec<u32>,
    /// Patches that are joined, on the same side if they have the same orientation.
    sets: SidedUnionFind,
}

/// Edges at which faces cannot be oriented.
#[derive(Default)]
pub(crate) struct Cuts {
    /// The sides, of which each is the lesser one at its edge; ascending.
    pub sides: Vec<Side>,
    /// Components that have such edges.
    pub components: u64,
}

impl Patches {
    /// Reads the patches of some faces. Waits once.
    pub fn of(labels: &Labels, mut faces: Vec<u32>) -> Result<Self> {
        faces.sort_unstable();
        faces.dedup();
        let device = labels.of.device();
        let list = device.upload(&faces)?;
        let mut found = device.unspecified::<[u32; 2]>(faces.len())?;
        let gather = GatherPatches {
            list: list.view(),
            labels: labels.of.view(),
            sizes: labels.sizes.view(),
            pairs: found.view_mut(),
        };
        device.launch_each(faces.len() as u32, gather)?;
        let found = found.read()?;
        let mut all = found.clone();
        all.sort_unstable();
        all.dedup();
        let number = |label: u32| all.partition_point(|[other, _]| *other < label) as u32;
        let of = faces.into_iter().zip(found.iter().map(|[label, _]| number(*label))).collect();
        let (labels, sizes) = all.iter().map(|&[label, size]| (label, size)).unzip();
        Ok(Self { of, sets: SidedUnionFind::new(all.len()), labels, sizes })
    }
    /// The patch of the face of a side.
    pub fn at(&self, side: u32) -> u32 {
        let at = self.of.partition_point(|(face, _)| *face < side / 3);
        self.of.get(at).map_or(0, |(_, patch)| *patch)
    }
    /// The first of the patches joined to a patch.
    pub fn root(&mut self, patch: u32) -> u32 {
        self.sets.root(patch).0
    }
    /// For each patch the first of those joined to it.
    pub fn roots(&mut self) -> Vec<u32> {
        (0..self.labels.len() as u32).map(|patch| self.sets.root(patch).0).collect()
    }
    /// Joins the patches of two sides of an edge; `opposite`: their faces have opposite orientations.
    pub fn join(&mut self, [a, b]: [u32; 2], opposite: bool) -> bool {
        let [a, b] = [self.at(a), self.at(b)];
        self.sets.join(a, b, opposite)
    }
    /// Joins patches across edges at which they disagree, which ascend, and finds the edges where that is a
    /// contradiction.
    ///
    /// Breadth-first from the first such edge of each component, so that a patch is turned if it is an odd
    /// number of edges away. Linear in these edges.
    pub fn orient(&mut self, disagreeing: &[Side]) -> Cuts {
        const UNSEEN: u8 = 2;
        let ends: Vec<[u32; 2]> =
            disagreeing.iter().map(|side| [side.side, side.across].map(|side| self.at(side))).collect();
        // the neighbours of each patch
        let mut starts = vec![0_usize; self.labels.len() + 1];
        ends.iter().flatten().for_each(|&patch| starts[patch as usize + 1] += 1);
        (1..starts.len()).for_each(|i| starts[i] += starts[i - 1]);
        let mut neighbours = vec![0; 2 * ends.len()];
        let mut cursors = starts.clone();
        for [a, b] in ends.iter().flat_map(|&[a, b]| [[a, b], [b, a]]) {
            neighbours[cursors[a as usize]] = b;
            cursors[a as usize] += 1;
        }
        let mut turned = vec![UNSEEN; self.labels.len()];
        let mut component = vec![0_u32; self.labels.len()];
        for (number, &[first, _]) in (0..).zip(&ends) {
            if turned[first as usize] != UNSEEN {
                continue;
            }
            turned[first as usize] = 0;
            component[first as usize] = number;
            let mut next = VecDeque::from([first]);
            while let Some(patch) = next.pop_front() {
                for &other in &neighbours[starts[patch as usize]..starts[patch as usize + 1]] {
                    if turned[other as usize] == UNSEEN {
                        turned[other as usize] = turned[patch as usize] ^ 1;
                        component[other as usize] = number;
                        next.push_back(other);
                    }
                }
            }
        }
        let mut cuts = Cuts::default();
        let mut cut = vec![];
        for (side, &[a, b]) in disagreeing.iter().zip(&ends) {
            if turned[a as usize] == turned[b as usize] {
                cuts.sides.push(*side);
                cut.push(component[a as usize]);
            } else {
                self.sets.join(a, b, true);
            }
        }
        cut.sort_unstable();
        cut.dedup();
        cuts.components = cut.len() as u64;
        cuts
    }
    /// Whether each patch is turned: of the two orientations of joined patches, the one that turns fewer
    /// faces; if both turn the same number, that of the first face.
    pub fn turned(&mut self) -> Vec<bool> {
        let n = self.labels.len();
        let roots: Vec<(u32, bool)> = (0..n as u32).map(|patch| self.sets.root(patch)).collect();
        // faces on the side of the first face, and on the other
        let mut faces = vec![[0_u64; 2]; n];
        for (&(root, other), &size) in roots.iter().zip(&self.sizes) {
            faces[root as usize][usize::from(other)] += u64::from(size);
        }
        let fewer = |&(root, other): &(u32, bool)| {
            let [like, unlike] = faces[root as usize];
            other != (unlike > like)
        };
        roots.iter().map(fewer).collect()
    }
}
