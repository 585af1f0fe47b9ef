//! Cutting into patches by Lloyd's algorithm (thesis 4.3.3.2).
use super::BuildReport;
use super::edges::{Components, Sides, components};
use super::scan::{filled, put};
use crate::kernels::construct::patching::{
    BoundaryFront, FindSeeds, Grow, PickSeeds, PlantPairs, PlantSeeds, ResetLarge, ResetWords, TakePatches,
    decode,
};
use crate::static_mesh::MeshOptions;
use crate::{Buffer, Device, DeviceKind, Result, array};
use ribbonmesh_device::{BufferView, NONE, tiles};

/// Iterations of Lloyd's algorithm at most; what is still too large then is divided.
const MOST_ITERATIONS: u32 = 6;
/// Seeds are added to too large patches from this iteration on.
const ADD_FROM: u32 = 2;
/// Initial seeds are as many as would give patches of this part of the patch size.
const FILL: f64 = 0.72;

/// The faces, cut into patches.
pub(in crate::static_mesh) struct Cut {
    /// Patch of each face.
    pub patch: Buffer<u32>,
    /// `distance from the seed << 32 | patch` of each face.
    pub words: Buffer<u64>,
    /// Faces of each patch.
    pub sizes: Vec<u32>,
}

struct Cutter<'a> {
    device: &'a Device,
    ring: BufferView<'a, u32>,
    faces: u32,
    limit: u32,
    words: Buffer<u64>,
    fronts: [Buffer<u32>; 2],
    lengths: Buffer<u32>,
    patch: Buffer<u32>,
}

pub(in crate::static_mesh) fn cut(
    device: &Device,
    sides: &Sides,
    options: &MeshOptions,
    report: &mut BuildReport,
) -> Result<Cut> {
    let (faces, limit) = (sides.faces, options.patch_size);
    let n = faces as usize;
    let Components { labels, sizes: components } = components(device, sides)?;
    let (whole, small_patches) = pack_small(&components, limit);
    let roots: Vec<u32> = components.iter().map(|c| c.0).collect();
    let mut whole_of = filled(device, n, NONE)?;
    put(device, &roots, &whole, &mut whole_of)?;

    let mut cutter = Cutter {
        device,
        ring: sides.ring.view(),
        faces,
        limit,
        words: device.zeros(n)?,
        fronts: [device.zeros(n)?, device.zeros(n)?],
        lengths: device.zeros(3)?,
        patch: device.zeros(n)?,
    };
    let large: Vec<(u32, u32)> = components.iter().copied().filter(|c| c.1 > limit).collect();
    let mut seeds = if large.is_empty() { Vec::new() } else { cutter.pick(&labels, &large, options.seed)? };
    let salt = crate::kernels::construct::scramble(options.seed as u32, 77);
    let mut sizes = Vec::new();
    for iteration in 0.. {
        let reset = ResetWords {
            faces,
            labels: labels.view(),
            whole: whole_of.view(),
            words: cutter.words.view_mut(),
        };
        device.launch(tiles(faces), reset)?;
        cutter.plant(&seeds, small_patches)?;
        cutter.flood(None, seeds.len() as u32)?;
        sizes = cutter.take(small_patches as usize + seeds.len())?;
        report.lloyd_iterations = iteration + 1;
        if iteration + 1 == MOST_ITERATIONS || sizes.iter().all(|&s| s <= limit) {
            break;
        }
        let salt = salt ^ iteration;
        let (centre, added) = cutter.find_seeds(&sizes, salt)?;
        let first = small_patches as usize;
        for (seed, &key) in seeds.iter_mut().zip(&centre[first..]) {
            *seed = decode(key as u32, salt);
        }
        if iteration >= ADD_FROM {
            let new = (first..sizes.len()).filter(|&p| sizes[p] > limit);
            let new = new.map(|p| (p - first, decode(added[p] as u32, !salt)));
            let new: Vec<u32> = new.filter(|&(s, f)| seeds[s] != f).map(|(_, f)| f).collect();
            seeds.extend(new);
        }
    }
    while sizes.iter().any(|&s| s > limit) {
        sizes = cutter.divide(sizes, salt ^ !report.divisions)?;
        report.divisions += 1;
    }
    Ok(Cut { patch: cutter.patch, words: cutter.words, sizes })
}

/// Components that fit into a patch are not cut: neighbours in the input share one while they fit. Returns the
/// patch of each component (or none) and the number of those patches.
fn pack_small(components: &[(u32, u32)], limit: u32) -> (Vec<u32>, u32) {
    let (mut patches, mut fill) = (0, limit);
    let mut place = |&(_, size): &(u32, u32)| {
        if size > limit {
            return NONE;
        }
        if fill + size > limit {
            patches += 1;
            fill = 0;
        }
        fill += size;
        patches - 1
    };
    let whole = components.iter().map(&mut place).collect();
    (whole, patches)
}

impl Cutter<'_> {
    /// Random seeds for the large components, in proportion to their sizes, in the order of faces.
    fn pick(&self, labels: &Buffer<u32>, large: &[(u32, u32)], seed: u64) -> Result<Vec<u32>> {
        let target = (self.limit as f64 * FILL).max(1.0);
        let quota = ((1u64 << 32) as f64 / target).min(u32::MAX as f64) as u32;
        let roots: Vec<u32> = large.iter().map(|c| c.0).collect();
        let mut quotas = self.device.zeros(self.faces as usize)?;
        put(self.device, &roots, &vec![quota; roots.len()], &mut quotas)?;
        let mut flags = self.device.zeros::<u32>(self.faces as usize)?;
        let pick = PickSeeds {
            faces: self.faces,
            labels: labels.view(),
            quota: quotas.view(),
            seed: crate::kernels::construct::scramble(seed as u32, (seed >> 32) as u32),
            flags: flags.view_mut(),
        };
        self.device.launch(tiles(self.faces), pick)?;
        array::select(&flags)?.read()
    }
    fn plant(&mut self, seeds: &[u32], first: u32) -> Result<()> {
        let n = seeds.len() as u32;
        let list = self.device.upload(seeds)?;
        let plant = PlantSeeds {
            seeds: list.view(),
            n,
            first,
            words: self.words.view_mut(),
            front: self.fronts[0].view_mut(),
        };
        self.device.launch(tiles(n), plant)
    }
    /// Breadth-first search from the first `n` of the first front, within equal labels if given.
    fn flood(&mut self, within: Option<&Buffer<u32>>, n: u32) -> Result<()> {
        self.lengths.write(&[n, 0, 0])?;
        self.flood_counted(within, n)
    }
    /// As [`Cutter::flood`], the length of the first front being on the device already.
    fn flood_counted(&mut self, within: Option<&Buffer<u32>>, mut n: u32) -> Result<()> {
        // on a GPU the host looks at the length only now and then
        let (steps, most) = match self.device.kind() {
            DeviceKind::Cpu => (1, u32::MAX),
            DeviceKind::Cuda => (8, 1056),
        };
        let mut step = 0;
        while n > 0 {
            for _ in 0..steps {
                let [a, b] = &mut self.fronts;
                let (front, next) = if step % 2 == 0 { (a, b) } else { (b, a) };
                let grow = Grow {
                    step,
                    ring: self.ring,
                    within: within.map_or(BufferView::empty(), |w| w.view()),
                    words: self.words.view_mut(),
                    front: front.view(),
                    next: next.view_mut(),
                    lengths: self.lengths.view_mut(),
                };
                let blocks = if steps == 1 { tiles(3 * n) } else { tiles(3 * self.faces).min(most) };
                self.device.launch(blocks, grow)?;
                step += 1;
            }
            n = self.lengths.read()?[step as usize % 3];
        }
        Ok(())
    }
    /// Patches from the words; returns their sizes.
    fn take(&mut self, patches: usize) -> Result<Vec<u32>> {
        let mut sizes = self.device.zeros::<u32>(patches)?;
        let take = TakePatches {
            faces: self.faces,
            words: self.words.view(),
            patch: self.patch.view_mut(),
            sizes: sizes.view_mut(),
        };
        self.device.launch(tiles(self.faces), take)?;
        sizes.read()
    }
    /// Per patch the keys of its centre and, where it is too large, of a boundary face. Overwrites the words.
    fn find_seeds(&mut self, sizes: &[u32], salt: u32) -> Result<(Vec<u64>, Vec<u64>)> {
        self.lengths.clear()?;
        let front = BoundaryFront {
            faces: self.faces,
            ring: self.ring,
            patch: self.patch.view(),
            words: self.words.view_mut(),
            front: self.fronts[0].view_mut(),
            lengths: self.lengths.view_mut(),
        };
        self.device.launch(tiles(self.faces), front)?;
        self.search_within_patches()?;
        self.keys(sizes, salt)
    }
    fn search_within_patches(&mut self) -> Result<()> {
        let patch = std::mem::replace(&mut self.patch, self.device.zeros(0)?);
        let n = self.lengths.read()?[0];
        let done = self.flood_counted(Some(&patch), n);
        self.patch = patch;
        done
    }
    fn keys(&self, sizes: &[u32], salt: u32) -> Result<(Vec<u64>, Vec<u64>)> {
        let sizes = self.device.upload(sizes)?;
        let mut centre = self.device.zeros::<u64>(sizes.len())?;
        let mut added = self.device.zeros::<u64>(sizes.len())?;
        let find = FindSeeds {
            faces: self.faces,
            salt,
            limit: self.limit,
            patch: self.patch.view(),
            sizes: sizes.view(),
            words: self.words.view(),
            centre: centre.view_mut(),
            added: added.view_mut(),
        };
        self.device.launch(tiles(self.faces), find)?;
        Ok((centre.read()?, added.read()?))
    }
    /// Divides every too large patch in two, between a face at its boundary and the face farthest from that. Both
    /// parts are contiguous and smaller, so this ends.
    fn divide(&mut self, sizes: Vec<u32>, salt: u32) -> Result<Vec<u32>> {
        let large: Vec<usize> = (0..sizes.len()).filter(|&p| sizes[p] > self.limit).collect();
        let (_, boundary) = self.find_seeds(&sizes, salt)?;
        let ends: Vec<u32> = large.iter().map(|&p| decode(boundary[p] as u32, !salt)).collect();
        let pairs = |faces: &[u32], first: usize| -> Vec<u32> {
            let number = |k: usize| if first == 0 { large[k] } else { first + k } as u32;
            faces.iter().enumerate().flat_map(|(k, &f)| [f, number(k)]).collect()
        };
        // the farthest from each end
        let sizes_on_device = self.device.upload(&sizes)?;
        self.restart(&sizes_on_device, &pairs(&ends, 0))?;
        self.search_within_patches()?;
        let (farthest, _) = self.keys(&sizes, salt)?;
        let others: Vec<u32> = large.iter().map(|&p| decode(farthest[p] as u32, salt)).collect();
        // both grow
        let mut seeds = pairs(&ends, 0);
        seeds.extend(pairs(&others, sizes.len()));
        self.restart(&sizes_on_device, &seeds)?;
        self.search_within_patches()?;
        self.take(sizes.len() + large.len())
    }
    fn restart(&mut self, sizes: &Buffer<u32>, pairs: &[u32]) -> Result<()> {
        let n = (pairs.len() / 2) as u32;
        let pairs = self.device.upload(pairs)?;
        let reset = ResetLarge {
            faces: self.faces,
            limit: self.limit,
            patch: self.patch.view(),
            sizes: sizes.view(),
            words: self.words.view_mut(),
        };
        self.device.launch(tiles(self.faces), reset)?;
        let plant = PlantPairs {
            pairs: pairs.view(),
            n,
            words: self.words.view_mut(),
            front: self.fronts[0].view_mut(),
        };
        self.device.launch(tiles(n), plant)?;
        self.lengths.write(&[n, 0, 0])
    }
}
