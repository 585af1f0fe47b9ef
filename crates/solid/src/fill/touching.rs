//! Holes that touch at vertices, on the device.
use crate::fill::FillError;
use crate::fill::around::{Around, behind, start};
use crate::fill::loops::{fans, turns};
use crate::fill::outline_kernels::{FindSides, TurnLinks};
use crate::fill::surroundings::Whole;
use crate::repair::Looked;
use ribbonmesh::device::Quad;
use ribbonmesh::{Buffer, Error, array};
use rustc_hash::FxHashSet;

/// Most vertices at which holes touch that are looked at in this way.
const MOST: usize = 1 << 14;

/// Where boundary loops touch at vertices of several fans of faces.
#[derive(Default)]
pub(crate) struct Touching {
    /// The sides of the boundary that end or begin at these vertices, ascending.
    listed: Vec<u32>,
    /// For each fan the side that ends there and the one that follows it, by their places in the list; fans
    /// of a vertex follow each other.
    turns: Vec<[u32; 2]>,
    /// The first fan of each vertex, and the end.
    starts: Vec<usize>,
}

impl Touching {
    /// Finds out which sides follow each other at vertices of several fans. `None` if there are very many, or
    /// if one of them has a closed fan. Waits for what is around these vertices.
    pub fn of(whole: &mut impl Whole, looked: &Looked) -> Result<Option<Self>, FillError> {
        let several = &looked.boundary.several_fans;
        let Some(corners) = looked.corners.as_ref().filter(|_| several.len() <= MOST) else {
            return Ok(None);
        };
        if several.is_empty() {
            return Ok(Some(Self::default()));
        }
        let device = whole.device().clone();
        let bounds = several.iter().flat_map(|&v| [v.saturating_sub(1), v]).collect::<Vec<u32>>();
        let ends = array::gather(&corners.ends, &device.upload(&bounds)?)?.read()?;
        let ranges = several.iter().zip(ends.as_chunks::<2>().0);
        let places = ranges.flat_map(|(&v, &[begin, end])| if v == 0 { 0..end } else { begin..end });
        let around = array::gather(&corners.list, &device.upload(&places.collect::<Vec<u32>>())?)?.read()?;
        let mut of: Vec<u32> = around.into_iter().map(|corner| corner / 3).collect();
        of.sort_unstable();
        of.dedup();
        let corners: Vec<u32> = of.iter().flat_map(|f| [3 * f, 3 * f + 1, 3 * f + 2]).collect();
        let global = array::gather(&looked.faces, &device.upload(&corners)?)?.read()?;
        let mut vertices = global.clone();
        vertices.sort_unstable();
        vertices.dedup();
        let positions = whole.points(&device.upload(&vertices)?)?.read()?;
        let place = |v: &u32| vertices.binary_search(v).unwrap_or_default() as u32;
        let local: Vec<u32> = global.iter().map(place).collect();
        let faces = local.as_chunks::<3>().0;
        let several: Vec<u32> = several.iter().map(place).collect();
        let sides = open_sides(faces, &several);
        let corners = Around::of(vertices.len(), faces, &sides);
        let (mut all, mut starts) = (vec![], vec![0]);
        for &v in &several {
            let Some(fans) = fans(v, faces, &sides, &corners) else { return Ok(None) };
            all.extend(turns(v, &fans, &sides, &positions, faces).into_iter().map(|(a, b)| [a, b]));
            starts.push(all.len());
        }
        let listed = sides.iter().map(|side| 3 * of[*side as usize / 3] + side % 3).collect();
        Ok(Some(Self { listed, turns: all, starts }))
    }
    /// Lets links follow the turns. Returns the places of the listed sides among all.
    pub fn turn(
        &self,
        sides: &Buffer<u32>,
        count: u32,
        links: &mut Buffer<Quad>,
    ) -> Result<Buffer<u32>, Error> {
        let device = sides.device();
        let listed = device.upload(&self.listed)?;
        let mut places = device.unspecified::<u32>(listed.len())?;
        if !self.listed.is_empty() {
            let find = FindSides { sides: sides.view(), listed: listed.view(), places: places.view_mut() };
            device.launch_each(count, find)?;
            let turns = device.upload(&self.turns)?;
            let turn = TurnLinks { turns: turns.view(), places: places.view(), links: links.view_mut() };
            device.launch_each(self.turns.len() as u32, turn)?;
        }
        Ok(places)
    }
    /// Whether the loops may be filled apart from each other: none passes a vertex twice, no two touch at
    /// several vertices, and no two have the same first vertex. `links` lead to the first side of each loop,
    /// at whose place `firsts` has the first vertex. Waits if loops touch.
    pub fn is_simple(
        &self,
        places: &Buffer<u32>,
        links: &Buffer<Quad>,
        firsts: &Buffer<u32>,
    ) -> Result<bool, Error> {
        if self.listed.is_empty() {
            return Ok(true);
        }
        let links = array::gather(links, places)?.read()?;
        let loops: Vec<u32> = links.into_iter().map(|Quad([_, _, place, _])| place).collect();
        let firsts = array::gather(firsts, &places.device().upload(&loops)?)?.read()?;
        let mut pairs = FxHashSet::default();
        for bounds in self.starts.windows(2) {
            let out: Vec<usize> =
                self.turns[bounds[0]..bounds[1]].iter().map(|turn| turn[1] as usize).collect();
            for (i, &a) in out.iter().enumerate() {
                for &b in &out[..i] {
                    let (one, other) = (loops[a].min(loops[b]), loops[a].max(loops[b]));
                    if one == other || firsts[a] == firsts[b] || !pairs.insert([one, other]) {
                        return Ok(false);
                    }
                }
            }
        }
        Ok(true)
    }
}

/// The sides of the boundary that begin or end at some vertices, of which all faces are there; ascending.
fn open_sides(faces: &[[u32; 3]], at: &[u32]) -> Vec<u32> {
    let all: FxHashSet<[u32; 2]> =
        (0..3 * faces.len() as u32).map(|side| [start(faces, side), start(faces, behind(side))]).collect();
    let is_open = |side: &u32| {
        let [a, b] = [start(faces, *side), start(faces, behind(*side))];
        (at.binary_search(&a).is_ok() || at.binary_search(&b).is_ok()) && !all.contains(&[b, a])
    };
    (0..3 * faces.len() as u32).filter(is_open).collect()
}
