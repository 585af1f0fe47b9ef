//! Cutting into patches by Lloyd's algorithm (thesis 4.3.3.2).
use super::BuildReport;
use super::edges::{Components, Sides, components};
use super::flood::Flood;
use super::scan::{filled, put};
use crate::kernels::construct::patching::{
    BoundaryFront, FindFarthest, FrontsArguments, Grow, PickSeeds, PlantPairs, PlantSeeds, ResetLarge,
    ResetWords, TakePatches, decode,
};
use crate::static_mesh::MeshOptions;
use crate::{Buffer, Device, Result, array};
use ribbonmesh_device::{BufferView, NONE, first_of_card, tiles};

/// Iterations of Lloyd's algorithm; what is too large then is divided.
const ITERATIONS: u32 = 2;
/// Initial seeds are as many as would give patches of this part of the patch size.
const FILL: f64 = 0.84;

/// Steps of a search that are launched before the host looks whether there is more to do.
const STEPS: usize = 8;
/// Lengths of fronts that are in use at a time.
const LENGTHS: usize = 3;
/// Blocks of a step at least, one for each card and more, and at most.
const LEAST_BLOCKS: u32 = 64;
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
    fronts: Fronts,
    patch: Buffer<u32>,
}

/// The fronts of a search.
struct Fronts {
    lists: [Buffer<u32>; 2],
    lengths: Buffer<u32>,
    cards: u32,
}

impl Fronts {
    fn new(device: &Device, faces: u32) -> Result<Self> {
        let cards = device.cards_of(tiles(faces));
        let n = (faces.div_ceil(cards) * cards) as usize;
        let lengths = (cards as usize * LENGTHS).max(device.on_all_cards::<u32>(LENGTHS));
        Ok(Self { lists: [device.zeros(n)?, device.zeros(n)?], lengths: device.zeros(lengths)?, cards })
    }
    /// Words from the lengths of one card to those of the next.
    fn apart(&self) -> usize {
        self.lengths.len() / self.cards as usize
    }
    /// As an argument of the kernel of a step.
    fn at(&mut self, step: u32) -> FrontsArguments<'_> {
        let (cards, apart) = (self.cards, self.apart() as u32);
        let [even, odd] = &mut self.lists;
        let (front, next) = if step.is_multiple_of(2) { (even, odd) } else { (odd, even) };
        let lengths = self.lengths.view_mut();
        FrontsArguments { front: front.view_mut(), next: next.view_mut(), lengths, apart, cards }
    }
    /// Sets the length of the first front; all other fronts are empty.
    fn begin(&mut self, n: u32) -> Result<()> {
        for card in 0..self.cards {
            let [first, end] = [card, card + 1].map(|card| first_of_card(card, n, self.cards));
            self.lengths.write_range(card as usize * self.apart(), &[end - first, 0, 0])?;
        }
        Ok(())
    }
    /// Faces of the front before a step in each card's part of the list.
    fn lengths(&self, step: u32) -> Result<Vec<u32>> {
        let places = (self.lists[0].len() / self.cards as usize) as u32;
        let of = |card: u32| {
            let lengths = self.lengths.read_range(card as usize * self.apart(), LENGTHS)?;
            Ok(lengths[step as usize % LENGTHS].min(places))
        };
        (0..self.cards).map(of).collect()
    }
    /// Faces of the front before a step.
    fn length(&self, step: u32) -> Result<u32> {
        Ok(self.lengths(step)?.iter().sum())
    }
    /// The faces of the first front.
    fn first(&self) -> Result<Vec<u32>> {
        let places = self.lists[0].len() / self.cards as usize;
        let mut faces = Vec::new();
        for (card, n) in self.lengths(0)?.into_iter().enumerate() {
            faces.extend(self.lists[0].read_range(card * places, n as usize)?);
        }
        Ok(faces)
    }
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
        cutter.flood(None)?;
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
            fronts: Fronts::new(device, sides.faces)?,
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
        let plant =
            PlantSeeds { seeds: list.view(), first, words: self.words.view_mut(), fronts: self.fronts.at(0) };
        self.device.launch_each(n, plant)?;
        self.fronts.begin(n)
    }
    /// Breadth-first search from the first front, within equal labels if given.
    fn flood(&mut self, within: Option<&Buffer<u32>>) -> Result<()> {
        match (self.ring.host_slice(), self.words.host_slice_mut()) {
            // the race checker wants to see the kernels
            (Some(ring), Some(words)) if !cfg!(feature = "race-check") => {
                let front = self.fronts.first()?;
                Flood { ring, within: within.and_then(Buffer::host_slice) }.run(words, front);
                Ok(())
            }
            _ => self.flood_by_steps(within),
        }
    }
    fn flood_by_steps(&mut self, within: Option<&Buffer<u32>>) -> Result<()> {
        let (mut step, mut before, mut n) = (0, 0, self.fronts.length(0)?);
        while n > 0 {
            // a front that has become shorter goes on doing so: few blocks, which one card runs alone
            let sides = if n < before { 3 * n } else { 3 * self.faces };
            // the host looks at the lengths only now and then
            for _ in 0..STEPS {
                self.step(within, step, tiles(sides).clamp(LEAST_BLOCKS, MOST_BLOCKS))?;
                step += 1;
            }
            (before, n) = (n, self.fronts.length(step)?);
        }
        Ok(())
    }
    fn step(&mut self, within: Option<&Buffer<u32>>, step: u32, blocks: u32) -> Result<()> {
        let grow = Grow {
            step,
            ring: self.ring.view(),
            within: within.map_or(BufferView::empty(), |w| w.view()),
            words: self.words.view_mut(),
            fronts: self.fronts.at(step),
        };
        self.device.launch(blocks, grow)
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
    /// The key of the face of each patch that is farthest from the patch's boundary. Overwrites the words.
    fn centres(&mut self, patches: usize, salt: u32) -> Result<Vec<u64>> {
        self.fronts.begin(0)?;
        let front = BoundaryFront {
            faces: self.faces,
            ring: self.ring.view(),
            patch: self.patch.view(),
            words: self.words.view_mut(),
            fronts: self.fronts.at(0),
        };
        self.device.launch(tiles(self.faces), front)?;
        self.search_within_patches()?;
        self.farthest(patches, salt)
    }
    fn search_within_patches(&mut self) -> Result<()> {
        let patch = std::mem::replace(&mut self.patch, self.device.zeros(0)?);
        let done = self.flood(Some(&patch));
        self.patch = patch;
        done
    }
    /// The key of the face of each patch with the largest word.
    fn farthest(&self, patches: usize, salt: u32) -> Result<Vec<u64>> {
        let mut farthest = self.device.zeros::<u64>(patches)?;
        let find = FindFarthest {
            faces: self.faces,
            salt,
            patch: self.patch.view(),
            words: self.words.view(),
            farthest: farthest.view_mut(),
        };
        self.device.launch(tiles(self.faces), find)?;
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
        let plant =
            PlantPairs { pairs: pairs.view(), words: self.words.view_mut(), fronts: self.fronts.at(0) };
        self.device.launch_each(n, plant)?;
        self.fronts.begin(n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FlatTopology;
    use crate::kernels::construct::patching::UNREACHED;
    use ribbonmesh_mesh::shapes;

    /// Words after a search from some faces, by the kernels, on so many cards, or by the host.
    fn found(faces: &[[u32; 3]], within: bool, cards: Option<usize>) -> Vec<u64> {
        let device = cards.map_or_else(Device::cpu, Device::cpu_as_cards);
        let vertices = faces.iter().flatten().max().map_or(0, |&v| v as usize + 1);
        let flat = FlatTopology::new(&device, vertices, faces).expect("triangles");
        let n = faces.len() as u32;
        let labels: Vec<u32> = (0..n).map(|f| if within { f * 7 / n } else { 0 }).collect();
        let labels = device.upload(&labels).expect("memory");
        let labels = within.then_some(&labels);
        let mut cutter = Cutter::new(&device, flat.sides(), 768).expect("memory");
        cutter.words.write(&vec![UNREACHED; n as usize]).expect("as many");
        let seeds: Vec<u32> = (0..n).filter(|f| f % 97 == f / 97 % 97).collect();
        cutter.plant(&seeds, 0).expect("seeds");
        if cards.is_some() {
            cutter.flood_by_steps(labels).expect("a search");
        } else {
            cutter.flood(labels).expect("a search");
        }
        cutter.words.read().expect("a read")
    }

    #[test]
    fn the_host_finds_what_the_kernels_find() {
        let sphere = shapes::bumpy_sphere(5, 1).expect("small");
        let mut shuffled = sphere.clone();
        shapes::shuffle(&mut shuffled, 1);
        let grid = shapes::grid(90, 1).expect("small");
        // 200 pages on one edge, and more on each page's outer edge
        let book: Vec<[u32; 3]> =
            (2..202).flat_map(|v| [[0, 1, v], [0, v, 200 + v], [v, 0, 400 + v]]).collect();
        for faces in [&sphere.faces, &shuffled.faces, &grid.faces, &book] {
            for within in [false, true] {
                let host = found(faces, within, None);
                for cards in [1, 2, 3, 7] {
                    let kernels = found(faces, within, Some(cards));
                    assert_eq!(kernels, host, "{} faces, {cards} cards, within: {within}", faces.len());
                }
                let reached = host.iter().filter(|&&word| word >> 32 > 0 && word != UNREACHED).count();
                // neighbours of shuffled faces seldom have the same label
                let least = if within { 100 } else { faces.len() / 20 };
                assert!(reached > least, "{reached} of {}", faces.len());
            }
        }
    }

    #[test]
    fn a_part_that_is_full_goes_on_in_others() {
        let faces = shapes::grid(90, 1).expect("small").faces;
        let n = faces.len() as u32;
        // seeds of the first of four cards reach two faces each, those of the others are together
        let apart = n * 13 / 100;
        let seeds: Vec<u32> =
            (0..apart).map(|i| 4 * i).chain((4 * apart..n).take(3 * apart as usize)).collect();
        let [host, kernels] = [Device::cpu(), Device::cpu_as_cards(4)].map(|device| {
            let flat = FlatTopology::new(&device, 91 * 91, &faces).expect("triangles");
            let mut cutter = Cutter::new(&device, flat.sides(), 768).expect("memory");
            cutter.words.write(&vec![UNREACHED; n as usize]).expect("as many");
            cutter.plant(&seeds, 0).expect("seeds");
            if cutter.fronts.cards > 1 {
                cutter.step(None, 0, LEAST_BLOCKS).expect("a step");
                let counted = cutter.fronts.lengths.read_range(1, 1).expect("a length")[0];
                let places = n.div_ceil(4);
                assert!(counted > places, "{counted} of {places}");
                assert_eq!(cutter.fronts.lengths(1).expect("lengths")[0], places);
                (1..200).for_each(|step| cutter.step(None, step, LEAST_BLOCKS).expect("a step"));
            } else {
                cutter.flood(None).expect("a search");
            }
            cutter.words.read().expect("a read")
        });
        assert!(kernels.iter().all(|&word| word != UNREACHED));
        assert_eq!(kernels, host);
    }
}
