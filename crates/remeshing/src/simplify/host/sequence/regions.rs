//! Collapses in several regions of a mesh at the same time.
use super::begin::FIXED;
use super::collapse::Vertices;
use super::collapses::{Collapses, ORDERED, add};
use super::queue::{BUCKETS, end_for};
use crate::triangles::{Crossing, Mesh};
use rayon::prelude::*;
use ribbonmesh::dynamic::PassReport;
use ribbonmesh::{Result, Watch};
use std::ops::Range;

/// Faces of a region: enough that few vertices have faces in several regions, and few enough for many cores.
const FACES: usize = 1 << 15;
/// Faces that are left for the collapses afterwards, for each vertex that has faces in several regions:
/// those at such vertices, and some around them.
const RIM: f64 = 3.0;
/// Most looks at the costs of all regions.
const ROUNDS: usize = 16;

/// A stretch of faces as a mesh of its own.
struct Region {
    /// The vertices that are the first ones of its faces; they are the first ones of its mesh, too.
    own: Range<u32>,
    /// Other vertices of its faces, ascending; they follow in its mesh.
    others: Vec<u32>,
    /// Sides that it has in common with other regions.
    crossing: Vec<Crossing>,
    collapses: Collapses,
}

/// A region before its mesh is made.
struct Stretch {
    faces: Range<usize>,
    own: Range<u32>,
    others: Vec<u32>,
}

impl Stretch {
    fn number(&self, v: u32) -> u32 {
        let own = self.own.end - self.own.start;
        if v < self.own.end {
            v - self.own.start
        } else {
            own + self.others.partition_point(|&u| u < v) as u32
        }
    }
}

impl Collapses {
    /// Collapses edges in regions of the mesh at the same time, as far as the order of all costs does not
    /// matter; no edge is collapsed of which an end has faces in several regions. Regions depend on the mesh
    /// alone, so results do not depend on the number of threads. Nothing, and [`None`], if that does not pay.
    ///
    /// The faces must be in the order of their lowest vertices. Nothing is done when faces have been deleted
    /// already. The report is like that of [`Collapses::run`].
    /// # Errors
    /// [`Error::Stopped`](ribbonmesh::Error::Stopped) by the watch.
    pub fn run_in_regions(&mut self, target: u32, watch: Option<&Watch>) -> Result<Option<PassReport>> {
        let before = self.faces();
        let ordered = ORDERED * target as f64;
        let begun = (before as usize) < self.mesh.len();
        if self.keeps_apart() || begun || self.mesh.len() < 2 * FACES || before as f64 <= 1.5 * ordered {
            return Ok(None);
        }
        let stretches = stretches(&self.mesh, self.vertices.x.len());
        let mut shared = vec![false; self.vertices.x.len()];
        stretches.iter().flat_map(|stretch| &stretch.others).for_each(|&v| shared[v as usize] = true);
        let rim = RIM * shared.iter().filter(|&&shared| shared).count() as f64;
        let least = (ordered + rim) as u32;
        if before as f64 <= 1.5 * least as f64 {
            return Ok(None);
        }
        let mut regions = self.divide(stretches, &shared);
        let (mut run, mut stopped) = (PassReport::default(), None);
        for _ in 0..ROUNDS {
            let faces: u32 = regions.iter().map(|region| region.collapses.faces()).sum();
            let surplus = faces.saturating_sub(least);
            let Some(end) = end_for(&counts(&regions), surplus as usize).filter(|_| surplus > faces / 64)
            else {
                break;
            };
            let one = |region: &mut Region| {
                let own = region.collapses.faces();
                let share = u64::from(surplus) * u64::from(own) / u64::from(faces);
                let mut run = PassReport::default();
                region.collapses.open(end);
                region.collapses.sweep(own - share as u32, watch, &mut run)?;
                Ok(run)
            };
            match regions.par_iter_mut().map(one).collect::<Result<Vec<_>>>() {
                Ok(runs) => runs.iter().for_each(|one| add(&mut run, one)),
                Err(error) => {
                    stopped = Some(error);
                    break;
                }
            }
        }
        self.join(regions);
        if let Some(error) = stopped {
            return Err(error);
        }
        run.own[0] = before;
        Ok(Some(run))
    }
    /// Takes the mesh apart.
    fn divide(&mut self, stretches: Vec<Stretch>, shared: &[bool]) -> Vec<Region> {
        let (mesh, v, limits) = (&self.mesh, &self.vertices, self.limits());
        let region = |stretch: Stretch| {
            let part = mesh.stretch(stretch.faces.clone(), |v| stretch.number(v));
            let crossing = mesh.crossing(stretch.faces.clone());
            let Stretch { own, others, .. } = stretch;
            let at = || own.clone().chain(others.iter().copied()).map(|u| u as usize);
            let kind = |u: usize| if shared[u] { FIXED } else { v.kinds[u] };
            let vertices = Vertices {
                x: at().map(|u| v.x[u]).collect(),
                quadrics: at().map(|u| v.quadrics[u]).collect(),
                kinds: at().map(kind).collect(),
                inputs: at().map(|u| v.inputs[u]).collect(),
            };
            let mut collapses = Collapses::new(part, vertices, limits, false);
            collapses.enqueue();
            Region { own, others, crossing, collapses }
        };
        let regions = stretches.into_par_iter().map(region).collect();
        self.mesh = Mesh::default();
        regions
    }
    /// Puts the regions together again.
    fn join(&mut self, regions: Vec<Region>) {
        let v = &mut self.vertices;
        for Region { own, collapses, .. } in &regions {
            let (own, of) = (own.start as usize..own.end as usize, &collapses.vertices);
            v.x[own.clone()].copy_from_slice(&of.x[..own.len()]);
            v.quadrics[own.clone()].copy_from_slice(&of.quadrics[..own.len()]);
            v.inputs[own.clone()].copy_from_slice(&of.inputs[..own.len()]);
            let kinds = v.kinds[own].iter_mut().zip(&of.kinds);
            kinds.filter(|(_, kind)| **kind != FIXED).for_each(|(to, kind)| *to = *kind);
        }
        let faces = regions.iter().map(|region| region.collapses.faces()).sum();
        let parts = regions.into_par_iter().map(|Region { own, others, crossing, collapses }| {
            let count = own.end - own.start;
            let number = move |v: u32| if v < count { own.start + v } else { others[(v - count) as usize] };
            (collapses.mesh, number, crossing)
        });
        self.put_mesh(Mesh::joined(parts.collect()), faces);
    }
}

/// Divides the faces where the lowest vertex changes.
fn stretches(mesh: &Mesh, vertices: usize) -> Vec<Stretch> {
    let corners = |f: usize| mesh.corners(f).unwrap_or_default();
    let lowest = |f: usize| corners(f).into_iter().min().unwrap_or(0);
    let count = mesh.len().div_ceil(FACES);
    let begin = |region: usize| {
        let (mut f, end) = (region * mesh.len() / count, mesh.len());
        while f > 0 && f < end && lowest(f) == lowest(f - 1) {
            f += 1;
        }
        f
    };
    let begins: Vec<_> = (0..=count).map(begin).collect();
    let first = |f: usize| match f {
        0 => 0,
        f if f < mesh.len() => lowest(f),
        _ => vertices as u32,
    };
    let stretch = |ends: &[usize]| {
        let (faces, own) = (ends[0]..ends[1], first(ends[0])..first(ends[1]));
        let mut others: Vec<_> = faces.clone().flat_map(corners).filter(|&v| v >= own.end).collect();
        others.sort_unstable();
        others.dedup();
        Stretch { faces, own, others }
    };
    begins.par_windows(2).map(stretch).filter(|stretch| !stretch.faces.is_empty()).collect()
}

/// Numbers of edges in the buckets of all regions.
fn counts(regions: &[Region]) -> Vec<usize> {
    let mut counts = vec![0; BUCKETS];
    for region in regions {
        counts.iter_mut().zip(region.collapses.counts()).for_each(|(sum, n)| *sum += n);
    }
    counts
}
