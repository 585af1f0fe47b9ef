//! Geodesic distances: the host's part.
use crate::geodesic::kernels::band::{
    AcceptOnce, BandArguments, BandListsArguments, CLEARED, March, OfferOnce, Step, WORDS,
};
use crate::geodesic::kernels::levels::{ExpandLevel, LevelSets, TURNS};
use crate::geodesic::kernels::paths::{
    JoinSources, JoinVertices, JoinsArguments, LinesArguments, MeasurePaths, NEAREST,
};
use crate::geodesic::kernels::prepare::{Begin, EdgeLengths, Finish, LargestCoordinate, StartArguments};
use crate::geodesic::kernels::propagate::{FrontArguments, Propagate, RelaxOnce};
use crate::geodesic::kernels::window::Window;
use crate::geodesic::kernels::{CHUNK, NOT_SETTLED, OrderedArguments};
use crate::geodesic::{GeodesicOptions, GeodesicReport, Order, Ring};
use ribbonmesh::device::{BufferViewMut, GridArgument, Quad, tiles};
use ribbonmesh::glam::Vec3;
use ribbonmesh::{Buffer, Device, DeviceKind, Error, FlatTopology, Result};

/// Blocks of a resident launch per multiprocessor: enough for the windows of large meshes, and few enough for
/// fast barriers.
const BLOCKS: u32 = 2;

/// Number of vertices below which rounds take so little time that they end only when no distance moves.
const SMALL: u32 = 1 << 14;

/// Number of rounds of paths after which they may end even if distances are still reduced.
const ROUNDS: usize = 32;

/// Width of the band, in mean edge lengths.
const WIDTH: f32 = 2.0;

/// Distances on triangles without patches, for repeated runs. It has the ring and the memory of a run, about
/// 140 bytes per vertex.
pub struct FlatGeodesic<'m> {
    device: Device,
    /// The number that names each vertex where sources are given.
    inputs: &'m Buffer<u32>,
    positions: Buffer<Vec3>,
    ring: Ring,
    scale: f32,
    /// Mean length of an edge, times the scale.
    edge: f32,
    states: [Buffer<Quad>; 2],
    lists: Lists,
    seen: Buffer<u32>,
    vertices: Buffer<Quad>,
    limits: Buffer<u32>,
    stamps: Buffer<u32>,
    sources: Vec<u32>,
    levels: u32,
    reached: u32,
}

/// Lists of vertices: see [`Band`].
struct Lists {
    updates: [Buffer<u32>; 2],
    waits: [Buffer<u32>; 2],
    offers: Buffer<f32>,
    waiting: Buffer<u32>,
}

impl<'m> FlatGeodesic<'m> {
    /// Computes the ring of `topology` and copies `positions`, one for each vertex. `inputs` has the number
    /// of each vertex for sources and hops: a permutation of all numbers below the number of vertices. No
    /// patches are needed; linear, also where a vertex has very many faces.
    /// # Errors
    /// [`Error::OtherDevice`]; [`Error::Length`] unless there is a position and a number for each vertex;
    /// [`Error::TooMany`]; out of memory; errors of the driver.
    pub fn new(topology: &FlatTopology, positions: &Buffer<Vec3>, inputs: &'m Buffer<u32>) -> Result<Self> {
        let (device, expected) = (topology.device(), topology.vertices());
        for (what, same, found) in [
            ("the positions", positions.device().same(device), positions.len()),
            ("the numbers of vertices", inputs.device().same(device), inputs.len()),
        ] {
            if !same {
                return Err(Error::OtherDevice { what });
            }
            if found != expected {
                return Err(Error::Length { what, expected, found });
            }
        }
        Self::of_ring(Ring::of_triangles(topology)?, positions, inputs)
    }
    /// Computes distances with a ring that is there; otherwise as [`FlatGeodesic::new`].
    /// # Errors
    /// Out of memory; errors of the driver.
    pub fn of_ring(ring: Ring, positions: &Buffer<Vec3>, inputs: &'m Buffer<u32>) -> Result<Self> {
        let (device, n) = (positions.device(), positions.len());
        let mut largest = device.zeros::<f32>(1)?;
        let kernel =
            LargestCoordinate { n: n as u32, positions: positions.view(), largest: largest.view_mut() };
        device.launch(tiles(n as u32), kernel)?;
        let scale = scale_for(largest.read()?[0]);
        let edge = mean_edge(&ring, positions, scale)?;
        let lists = Lists {
            updates: [device.unspecified(n)?, device.unspecified(n)?],
            waits: [device.unspecified(n)?, device.unspecified(n)?],
            offers: device.unspecified(n)?,
            waiting: device.unspecified(n)?,
        };
        Ok(Self {
            device: device.clone(),
            inputs,
            positions: positions.try_clone()?,
            ring,
            scale,
            edge,
            lists,
            states: [device.unspecified(n)?, device.unspecified(n)?],
            seen: device.unspecified(n)?,
            vertices: device.unspecified(n)?,
            limits: device.unspecified(n + 2)?,
            stamps: device.unspecified(n + 2)?,
            sources: vec![],
            levels: 0,
            reached: 0,
        })
    }
    /// Computes the distances from `sources`: [`FlatGeodesic::level_sets`], [`FlatGeodesic::propagate`], and
    /// unless only estimates are wanted [`FlatGeodesic::trace`].
    /// # Errors
    /// As these functions.
    pub fn run(&mut self, sources: &[u32], options: &GeodesicOptions) -> Result<GeodesicReport> {
        options.check()?;
        self.level_sets(sources)?;
        let report = self.propagate(options)?;
        let rounds = if options.paths { self.trace()? } else { 0 };
        Ok(GeodesicReport { rounds, ..report })
    }
    /// Orders the vertices by their numbers of edges from `sources`, which are numbers of vertices. Linear in
    /// the mesh. On a GPU one resident launch for all levels; on a CPU one launch for each level.
    /// # Errors
    /// [`Error::Option`] without sources, or if a source is not a vertex; out of memory; errors of the
    /// driver.
    pub fn level_sets(&mut self, sources: &[u32]) -> Result<()> {
        let device = self.device.clone();
        self.sources = check_sources(sources, self.positions.len())?;
        self.start()?;
        let mut counts = device.zeros::<u32>(TURNS as usize)?;
        let mut result = device.zeros::<u32>(1)?;
        let ring = self.ring.view();
        let mut ordered =
            OrderedArguments { vertices: self.vertices.view_mut(), limits: self.limits.view_mut() };
        let mut seen = self.seen.view_mut();
        self.levels = match device.kind() {
            DeviceKind::Cuda => {
                let (counts, levels) = (counts.view_mut(), result.view_mut());
                device.launch_resident(
                    BLOCKS * device.multiprocessors(),
                    LevelSets { grid: GridArgument::default(), ring, ordered, seen, counts, result: levels },
                )?;
                result.read()?[0]
            }
            DeviceKind::Cpu => {
                let mut limits = vec![0, self.sources.len() as u32];
                while limits[limits.len() - 2] < limits[limits.len() - 1] {
                    let (begin, end) = (limits[limits.len() - 2], limits[limits.len() - 1]);
                    counts.clear()?;
                    let blocks = (end - begin).div_ceil(CHUNK);
                    let counts_view = counts.view_mut();
                    let kernel = ExpandLevel {
                        ring,
                        ordered: ordered.reborrow(),
                        seen: seen.reborrow(),
                        counts: counts_view,
                        begin,
                        end,
                    };
                    device.launch(blocks, kernel)?;
                    limits.push(end + counts.read_range(0, 1)?[0]);
                }
                limits.pop();
                self.limits.write_range(0, &limits)?;
                limits.len() as u32 - 1
            }
        };
        self.reached = self.limits.read_range(self.levels as usize, 1)?[0];
        Ok(())
    }
    /// Sets the states of all vertices and the first level.
    fn start(&mut self) -> Result<()> {
        let (device, n) = (self.device.clone(), self.positions.len() as u32);
        self.limits.write_range(0, &[0, self.sources.len() as u32])?;
        let (sources, mut count) = (device.upload(&self.sources)?, device.zeros::<u32>(1)?);
        let start = StartArguments {
            inputs: self.inputs.view(),
            sources: sources.view(),
            positions: self.positions.view(),
            scale: self.scale,
        };
        let [first, second] = &mut self.states;
        let kernel = Begin {
            n,
            start,
            ring: self.ring.view(),
            first: first.view_mut(),
            second: second.view_mut(),
            seen: self.seen.view_mut(),
            ordered: OrderedArguments { vertices: self.vertices.view_mut(), limits: self.limits.view_mut() },
            waits: self.lists.waits[0].view_mut(),
            count: count.view_mut(),
        };
        device.launch(tiles(n), kernel)
    }
    /// Computes the distances from the sources of [`FlatGeodesic::level_sets`], which must be called before.
    /// On a GPU one resident launch for all iterations; on a CPU one or two launches for each. One machine
    /// gives the same distances in every run.
    /// # Errors
    /// [`Error::Option`]; [`Error::Kernel`] with `NOT_SETTLED` if distances still change after 64 iterations
    /// for each vertex; out of memory; errors of the driver.
    pub fn propagate(&mut self, options: &GeodesicOptions) -> Result<GeodesicReport> {
        options.check()?;
        self.start()?;
        self.stamps.clear()?;
        let most = (self.positions.len() as u32).saturating_mul(64).saturating_add(64);
        let keep = 1.0 - options.tolerance;
        let (order, iterations) = match options.order {
            Order::Auto | Order::Distance => (Order::Distance, self.march(keep, most)?),
            Order::Hops => (Order::Hops, self.sweep(keep, most)?),
            Order::Sequence => {
                let (value, expected) =
                    (Order::Sequence.to_string(), "distance, hops or auto for many threads");
                return Err(Error::Option { option: "order", value, expected });
            }
        };
        let reached = self.reached as usize;
        Ok(GeodesicReport {
            order,
            sources: self.sources.len(),
            levels: self.levels as usize,
            iterations: iterations as usize,
            rounds: 0,
            reached,
            unreachable: self.positions.len() - reached,
        })
    }
    /// Replaces the distances that propagation has found by the lengths of paths on the surface, in rounds;
    /// returns their number. In a round, a search from each vertex along the way of the front finds vertices
    /// that straight lines through unfolded faces reach, and the vertex takes the best path through one of
    /// them. Rounds end when they reduce the distances of at most one vertex in 64 by more than a thousandth;
    /// on meshes of less than 16,384 vertices, when they reduce none. After it, no distance is less than the
    /// exact one, but for rounding. A line passes up to 64 faces; usually two to five rounds are needed.
    /// # Errors
    /// Out of memory; errors of the driver.
    pub fn trace(&mut self) -> Result<usize> {
        let (device, n) = (self.device.clone(), self.positions.len() as u32);
        let (to, lengths) = (&mut self.lists.updates[0], &mut self.lists.offers);
        to.clear()?;
        let mut joins = JoinsArguments { to: to.view_mut(), lengths: lengths.view_mut() };
        let (sources, vertices) = (self.sources.len() as u32, self.vertices.view());
        device.launch(tiles(sources), JoinSources { n: sources, vertices, joins: joins.reborrow() })?;
        let (mut counts, mut before) = (device.zeros::<u32>(2)?, None);
        for round in 1.. {
            // the first two rounds change most distances, and need only the way of the front
            let around = if round < 3 { 0 } else { 1 + round as u32 % NEAREST };
            let lines = LinesArguments { ring: self.ring.view(), states: self.states[0].view() };
            device.launch(tiles(n), JoinVertices { n, lines, joins: joins.reborrow(), around })?;
            counts.clear()?;
            let (states, views) = (self.states[0].view_mut(), counts.view_mut());
            device.launch(tiles(n), MeasurePaths { n, joins: joins.reborrow(), states, counts: views })?;
            let [moved, none] = counts.read()?[..] else { break };
            // a vertex without a path gets one in the round after its first neighbour
            let few = moved <= if n < SMALL { 0 } else { n / 64 };
            let settled = before == Some(none) && (few || round >= ROUNDS);
            if settled {
                return Ok(round);
            }
            before = Some(none);
        }
        Ok(0)
    }
    /// Propagates by distance; returns the number of iterations.
    fn march(&mut self, keep: f32, most: u32) -> Result<u32> {
        let device = self.device.clone();
        let mut turns = device.upload(&[CLEARED; TURNS as usize].concat())?;
        let mut result = device.zeros::<u32>(1)?;
        self.lists.waiting.clear()?;
        let ([a, b], [c, d]) = (&mut self.lists.updates, &mut self.lists.waits);
        let mut band = BandArguments {
            ring: self.ring.view(),
            states: self.states[0].view_mut(),
            odd: BandListsArguments {
                updates: a.view_mut(),
                waits: c.view_mut(),
                stamps: self.stamps.view_mut(),
            },
            even: BandListsArguments {
                updates: b.view_mut(),
                waits: d.view_mut(),
                stamps: self.seen.view_mut(),
            },
            offers: self.lists.offers.view_mut(),
            waiting: self.lists.waiting.view_mut(),
            width: WIDTH * self.edge,
            keep,
        };
        let sources = self.sources.len() as u32;
        if device.kind() == DeviceKind::Cuda {
            let (turns_view, result_view) = (turns.view_mut(), result.view_mut());
            let blocks = BLOCKS * device.multiprocessors();
            device.launch_resident(
                blocks,
                March {
                    grid: GridArgument::default(),
                    band,
                    sources,
                    most,
                    turns: turns_view,
                    result: result_view,
                },
            )?;
            return Ok(result.read()?[0]);
        }
        let mut step = Step::first(sources, band.width);
        loop {
            device.launch(step.updates.div_ceil(CHUNK), OfferOnce { band: band.reborrow(), step })?;
            device.launch(
                (step.updates + step.waits).div_ceil(CHUNK),
                AcceptOnce { band: band.reborrow(), step, turns: turns.view_mut() },
            )?;
            let turn = (WORDS * (step.number % TURNS)) as usize;
            let counts = turns.read_range(turn, 3)?;
            turns.write_range(turn, &CLEARED)?;
            match step.next([counts[0], counts[1], counts[2]], band.width) {
                Some(next) if step.number < most => step = next,
                Some(_) => return Err(not_settled("accept_once", step.number)),
                None => return Ok(step.number),
            }
        }
    }
    /// Propagates by hops; returns the number of iterations.
    fn sweep(&mut self, keep: f32, most: u32) -> Result<u32> {
        let device = self.device.clone();
        let mut changes = device.upload(&[u32::MAX; 2 * TURNS as usize])?;
        let mut result = device.zeros::<u32>(1)?;
        let [first, second] = &mut self.states;
        let mut front = FrontArguments {
            ring: self.ring.view(),
            vertices: self.vertices.view(),
            limits: self.limits.view(),
            levels: self.levels,
            first: first.view_mut(),
            second: second.view_mut(),
            stamps: self.stamps.view_mut(),
            keep,
        };
        if device.kind() == DeviceKind::Cuda {
            let (changes, result_view) = (changes.view_mut(), result.view_mut());
            device.launch_resident(
                BLOCKS * device.multiprocessors(),
                Propagate { grid: GridArgument::default(), front, changes, most, result: result_view },
            )?;
            return Ok(result.read()?[0]);
        }
        let limits = self.limits.read_range(0, self.levels as usize + 1)?;
        let (mut window, mut iteration) = (Window::first(self.levels), 1);
        loop {
            changes.write_range(0, &[u32::MAX; 2])?;
            let (bottom, top) = window.range();
            let blocks = (limits[top as usize] - limits[bottom as usize]).div_ceil(CHUNK);
            device.launch(
                blocks,
                RelaxOnce { front: front.reborrow(), iteration, window, changes: changes.view_mut() },
            )?;
            let changed = changes.read_range(0, 2)?;
            match window.next(changed[0] as u64 | (changed[1] as u64) << 32) {
                Some(next) if iteration < most => (window, iteration) = (next, iteration + 1),
                Some(_) => return Err(not_settled("relax_once", iteration)),
                None => return Ok(iteration),
            }
        }
    }
    /// The distances of the last run, in the units of the positions; +∞ for vertices that are not connected
    /// with a source.
    /// # Errors
    /// Out of memory; errors of the driver.
    pub fn distances(&self) -> Result<Buffer<f32>> {
        let mut distances = self.device.zeros(self.positions.len())?;
        self.write_distances(distances.view_mut())?;
        Ok(distances)
    }
    /// Writes [`FlatGeodesic::distances`] to memory with a place for each vertex.
    /// # Errors
    /// Errors of the driver.
    pub fn write_distances(&self, distances: BufferViewMut<'_, f32>) -> Result<()> {
        let n = self.positions.len() as u32;
        let (unscale, state) = (1.0 / self.scale, self.states[0].view());
        let kernel = Finish { n, unscale, state, distances };
        self.device.launch(tiles(n), kernel)
    }
    /// The smallest number of edges from a source to each vertex, after [`FlatGeodesic::level_sets`];
    /// `u32::MAX` for vertices that are not connected with a source. In the order of the input; copies to the
    /// host.
    /// # Errors
    /// Errors of the driver.
    pub fn hops(&self) -> Result<Vec<u32>> {
        let inputs = self.inputs.read()?;
        let mut hops = vec![u32::MAX; inputs.len()];
        for quad in self.vertices.read_range(0, self.reached as usize)? {
            let [v, _, _, level] = quad.0;
            hops[inputs[v as usize] as usize] = level;
        }
        Ok(hops)
    }
    /// Bytes on the device.
    pub fn bytes(&self) -> usize {
        let ([a, b], [c, d]) = (&self.lists.updates, &self.lists.waits);
        let words = [&self.seen, &self.limits, &self.stamps, &self.lists.waiting, a, b, c, d];
        let words = words.map(|b| b.bytes()).iter().sum::<usize>() + self.lists.offers.bytes();
        let quads = self.states.iter().map(|b| b.bytes()).sum::<usize>() + self.vertices.bytes();
        self.ring.bytes() + self.positions.bytes() + words + quads
    }
}

/// The different sources, ascending; refuses none, and those that are no vertices.
pub(crate) fn check_sources(sources: &[u32], vertices: usize) -> Result<Vec<u32>> {
    let option = |value: String, expected| Error::Option { option: "source", value, expected };
    if let Some(v) = sources.iter().find(|&&v| v as usize >= vertices) {
        return Err(option(v.to_string(), "the index of a vertex, less than the number of vertices"));
    }
    if sources.is_empty() {
        return Err(option("none".into(), "at least one vertex"));
    }
    let mut sources = sources.to_vec();
    sources.sort_unstable();
    sources.dedup();
    Ok(sources)
}

fn not_settled(kernel: &'static str, iterations: u32) -> Error {
    let what = "distances do not settle";
    Error::Kernel { kernel, block: 0, what, code: NOT_SETTLED, first: iterations, second: 0 }
}

/// The mean length of an edge, times `scale`; 1 without edges.
fn mean_edge(ring: &Ring, positions: &Buffer<Vec3>, scale: f32) -> Result<f32> {
    let (device, n) = (positions.device(), positions.len() as u32);
    let mut sums = device.zeros::<f32>(2 * tiles(n) as usize)?;
    let kernel =
        EdgeLengths { n, ring: ring.view(), positions: positions.view(), scale, sums: sums.view_mut() };
    device.launch(tiles(n), kernel)?;
    let sums = sums.read()?;
    let (length, count) = sums
        .chunks_exact(2)
        .fold((0.0, 0.0), |(length, count), s| (length + f64::from(s[0]), count + f64::from(s[1])));
    Ok(if length > 0.0 { (length / count) as f32 } else { 1.0 })
}

/// A power of two that brings `largest` between 1 and 2, so that products of four lengths neither overflow
/// nor underflow.
pub(crate) fn scale_for(largest: f32) -> f32 {
    if largest < f32::MIN_POSITIVE {
        return 1.0;
    }
    // the stored exponent, negated; clamped to normal numbers
    let exponent = (largest.to_bits() >> 23) & 0xff;
    f32::from_bits((254 - exponent).clamp(1, 254) << 23)
}
