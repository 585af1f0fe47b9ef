//! Cutting into patches by Lloyd's algorithm (thesis 4.3.3.2).
use super::BuildReport;
use super::edges::{Components, Sides, components};
use super::flood::Flood;
use super::scan::{filled, put};
use crate::kernels::construct::patching::{
    BoundaryFront, FindFarthest, Grow, PickSeeds, PlantPairs, PlantSeeds, ResetLarge, ResetWords,
    TakePatches, decode,
};
use crate::static_mesh::MeshOptions;
use crate::{Buffer, Device, Result, array};
use ribbonmesh_device::{BufferView, NONE, tiles};

/// Iterations of Lloyd's algorithm; what is too large then is divided.
const ITERATIONS: u32 = 2;
/// Initial seeds are as many as would give patches of this part of the patch size.
const FILL: f64 = 0.84;

/// Steps of a search that are launched before the host looks whether there is more to do.
const STEPS: usize = 8;
/// Blocks of a step at most.
const MOST_BLOCKS: u32 = 1056;

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
    ring: &'a Buffer<u32>,
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
    let Components { labels, sizes: components } = components(device, sides)?;
    let (whole, small_patches) = pack_small(&components, limit);
    let roots: Vec<u32> = components.iter().map(|c| c.0).collect();
    let mut whole_of = filled(device, faces as usize, NONE)?;
    put(device, &roots, &whole, &mut whole_of)?;

    let mut cutter = Cutter::new(device, sides, limit)?;
    let has_large = components.iter().any(|component| component.1 > limit);
    let salt = crate::kernels::construct::scramble(options.seed as u32, 77);
    let mut seeds = if has_large { cutter.pick(&labels, &whole_of, options.seed)? } else { Vec::new() };
    let mut sizes = Vec::new();
    // without a large component, no seed is moved
    report.lloyd_iterations = if has_large { ITERATIONS } else { 1 };
    for iteration in 0..report.lloyd_iterations {
        if iteration > 0 {
            let salt = salt ^ iteration;
            let centres = cutter.centres(sizes.len(), salt)?;
            for (seed, &key) in seeds.iter_mut().zip(&centres[small_patches as usize..]) {
                *seed = decode(key as u32, salt);
            }
        }
        let reset =
            ResetWords { labels: labels.view(), whole: whole_of.view(), words: cutter.words.view_mut() };
        device.launch_each(faces, reset)?;
        cutter.plant(&seeds, small_patches)?;
        cutter.flood(None, seeds.len() as u32)?;
        sizes = cutter.take(small_patches as usize + seeds.len())?;
    }
    while sizes.iter().any(|&s| s > limit) {
        sizes = cutter.divide(sizes, salt ^ !report.divisions)?;
        report.divisions += 1;
    }
    Ok(Cut { patch: cutter.patch, words: cutter.words, sizes })
}

/// Components that fit into a patch are not cut: neighbours in the input share one while they fit. Returns
/// the patch of each component (or none) and the number of these patches.
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

impl<'a> Cutter<'a> {
    fn new(device: &'a Device, sides: &'a Sides, limit: u32) -> Result<Self> {
        let n = sides.faces as usize;
        Ok(Self {
            device,
            ring: &sides.ring,
            faces: sides.faces,
            limit,
            words: device.zeros(n)?,
            fronts: [device.zeros(n)?, device.zeros(n)?],
            lengths: device.zeros(3)?,
            patch: device.zeros(n)?,
        })
    }
    /// Seeds for the components that are not a patch already, in the order of faces.
    fn pick(&self, labels: &Buffer<u32>, whole: &Buffer<u32>, seed: u64) -> Result<Vec<u32>> {
        let mut flags = self.device.zeros::<u32>(self.faces as usize)?;
        let pick = PickSeeds {
            labels: labels.view(),
            whole: whole.view(),
            stride: (self.limit as f64 * FILL) as u32,
            seed: crate::kernels::construct::scramble(seed as u32, (seed >> 32) as u32),
            flags: flags.view_mut(),
        };
        self.device.launch_each(self.faces, pick)?;
        array::select(&flags)?.read()
    }
    fn plant(&mut self, seeds: &[u32], first: u32) -> Result<()> {
        let n = seeds.len() as u32;
        let list = self.device.upload(seeds)?;
        let plant = PlantSeeds {
            seeds: list.view(),
            first,
            words: self.words.view_mut(),
            front: self.fronts[0].view_mut(),
        };
        self.device.launch_each(n, plant)
    }
    /// Breadth-first search from the first `n` of the first front, within equal labels if given.
    fn flood(&mut self, within: Option<&Buffer<u32>>, n: u32) -> Result<()> {
        self.lengths.write(&[n, 0, 0])?;
        self.flood_counted(within, n)
    }
    /// As [`Cutter::flood`], the length of the first front being on the device already.
    fn flood_counted(&mut self, within: Option<&Buffer<u32>>, n: u32) -> Result<()> {
        match (self.ring.host_slice(), self.words.host_slice_mut()) {
            // the race checker wants to see the kernels
            (Some(ring), Some(words)) if !cfg!(feature = "race-check") => {
                let front = self.fronts[0].read_range(0, n as usize)?;
                Flood { ring, within: within.and_then(Buffer::host_slice) }.run(words, front);
                Ok(())
            }
            _ => self.flood_by_steps(within, n),
        }
    }
    fn flood_by_steps(&mut self, within: Option<&Buffer<u32>>, mut n: u32) -> Result<()> {
        let mut step = 0;
        while n > 0 {
            // the host looks at the length only now and then
            for _ in 0..STEPS {
                let [a, b] = &mut self.fronts;
                let (front, next) = if step % 2 == 0 { (a, b) } else { (b, a) };
                let grow = Grow {
                    step,
                    ring: self.ring.view(),
                    within: within.map_or(BufferView::empty(), |w| w.view()),
                    words: self.words.view_mut(),
                    front: front.view(),
                    next: next.view_mut(),
                    lengths: self.lengths.view_mut(),
                };
                self.device.launch(tiles(3 * self.faces).min(MOST_BLOCKS), grow)?;
                step += 1;
            }
            n = self.lengths.read()?[step as usize % 3];
        }
        Ok(())
    }
    /// Patches from the words; returns their sizes.
    fn take(&mut self, patches: usize) -> Result<Vec<u32>> {
        let mut sizes = self.device.zeros::<u32>(patches)?;
        let take =
            TakePatches { words: self.words.view(), patch: self.patch.view_mut(), sizes: sizes.view_mut() };
        self.device.launch_each(self.faces, take)?;
        sizes.read()
    }
    /// The key of the face of each patch that is farthest from the patch's boundary. Overwrites the words.
    fn centres(&mut self, patches: usize, salt: u32) -> Result<Vec<u64>> {
        self.lengths.clear()?;
        let front = BoundaryFront {
            faces: self.faces,
            ring: self.ring.view(),
            patch: self.patch.view(),
            words: self.words.view_mut(),
            front: self.fronts[0].view_mut(),
            lengths: self.lengths.view_mut(),
        };
        self.device.launch(tiles(self.faces), front)?;
        self.search_within_patches()?;
        self.farthest(patches, salt)
    }
    fn search_within_patches(&mut self) -> Result<()> {
        let patch = std::mem::replace(&mut self.patch, self.device.zeros(0)?);
        let n = self.lengths.read()?[0];
        let done = self.flood_counted(Some(&patch), n);
        self.patch = patch;
        done
    }
    /// The key of the face of each patch with the largest word.
    fn farthest(&self, patches: usize, salt: u32) -> Result<Vec<u64>> {
        let mut farthest = self.device.zeros::<u64>(patches)?;
        let find = FindFarthest {
            salt,
            patch: self.patch.view(),
            words: self.words.view(),
            farthest: farthest.view_mut(),
        };
        self.device.launch_each(self.faces, find)?;
        farthest.read()
    }
    /// Divides every too large patch in two, between two faces that are far apart: the one farthest from any
    /// face, and the one farthest from that. Both parts are connected and smaller, so this ends.
    fn divide(&mut self, sizes: Vec<u32>, salt: u32) -> Result<Vec<u32>> {
        let large: Vec<usize> = (0..sizes.len()).filter(|&p| sizes[p] > self.limit).collect();
        let on_device = self.device.upload(&sizes)?;
        let pairs = |faces: &[u32], first: usize| -> Vec<u32> {
            let number = |k: usize| if first == 0 { large[k] } else { first + k } as u32;
            faces.iter().enumerate().flat_map(|(k, &f)| [f, number(k)]).collect()
        };
        let mut ends = [const { Vec::new() }; 3];
        for k in 0..3 {
            // none before the first
            let before = if k > 0 { pairs(&ends[k - 1], 0) } else { Vec::new() };
            self.restart(&on_device, &before)?;
            self.search_within_patches()?;
            let farthest = self.farthest(sizes.len(), salt)?;
            ends[k] = large.iter().map(|&p| decode(farthest[p] as u32, salt)).collect();
        }
        // both ends grow
        let mut seeds = pairs(&ends[1], 0);
        seeds.extend(pairs(&ends[2], sizes.len()));
        self.restart(&on_device, &seeds)?;
        self.search_within_patches()?;
        self.take(sizes.len() + large.len())
    }
    fn restart(&mut self, sizes: &Buffer<u32>, pairs: &[u32]) -> Result<()> {
        let n = (pairs.len() / 2) as u32;
        let pairs = self.device.upload(pairs)?;
        let reset = ResetLarge {
            limit: self.limit,
            patch: self.patch.view(),
            sizes: sizes.view(),
            words: self.words.view_mut(),
        };
        self.device.launch_each(self.faces, reset)?;
        let plant = PlantPairs {
            pairs: pairs.view(),
            words: self.words.view_mut(),
            front: self.fronts[0].view_mut(),
        };
        self.device.launch_each(n, plant)?;
        self.lengths.write(&[n, 0, 0])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FlatTopology;
    use crate::kernels::construct::patching::UNREACHED;
    use ribbonmesh_mesh::shapes;

    /// Words after a search from some faces, by the kernels and by the host.
    fn both(faces: &[[u32; 3]], within: bool) -> [Vec<u64>; 2] {
        let device = Device::cpu();
        let vertices = faces.iter().flatten().max().map_or(0, |&v| v as usize + 1);
        let flat = FlatTopology::new(&device, vertices, faces).expect("triangles");
        let n = faces.len() as u32;
        let labels: Vec<u32> = (0..n).map(|f| if within { f * 7 / n } else { 0 }).collect();
        let labels = device.upload(&labels).expect("memory");
        let labels = within.then_some(&labels);
        [false, true].map(|by_steps| {
            let mut cutter = Cutter::new(&device, flat.sides(), 768).expect("memory");
            let mut words = vec![UNREACHED; n as usize];
            let seeds: Vec<u32> = (0..n).filter(|f| f % 97 == f / 97 % 97).collect();
            for (number, &seed) in (0..).zip(&seeds) {
                words[seed as usize] = number;
            }
            cutter.words.write(&words).expect("as many");
            cutter.fronts[0].write_range(0, &seeds).expect("fewer");
            cutter.lengths.write(&[seeds.len() as u32, 0, 0]).expect("three");
            if by_steps {
                cutter.flood_by_steps(labels, seeds.len() as u32).expect("a search");
            } else {
                cutter.flood_counted(labels, seeds.len() as u32).expect("a search");
            }
            cutter.words.read().expect("a read")
        })
    }

    #[test]
    fn the_host_finds_what_the_kernels_find() {
        let sphere = shapes::bumpy_sphere(5, 1).expect("small");
        let grid = shapes::grid(90, 1).expect("small");
        // 200 pages on one edge, and more on each page's outer edge
        let book: Vec<[u32; 3]> =
            (2..202).flat_map(|v| [[0, 1, v], [0, v, 200 + v], [v, 0, 400 + v]]).collect();
        for faces in [&sphere.faces, &grid.faces, &book] {
            for within in [false, true] {
                let [kernels, host] = both(faces, within);
                assert_eq!(kernels, host, "{} faces, within labels: {within}", faces.len());
                let reached = host.iter().filter(|&&word| word >> 32 > 0 && word != UNREACHED).count();
                assert!(reached > faces.len() / 20, "{reached} of {}", faces.len());
            }
        }
    }
}
