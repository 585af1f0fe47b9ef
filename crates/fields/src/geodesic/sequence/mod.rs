//! Distances by one thread of a CPU, in their order.
//!
//! The front passes the vertex with the least distance first, as in Dijkstra's algorithm and fast marching. A
//! vertex that it passes offers distances to its neighbours: along edges, and through the faces whose third
//! vertex the front has passed, by the same update as in rounds. A vertex is passed again when a shorter
//! distance arrives later, which obtuse triangles do. So nearly all vertices are passed once, and there are
//! neither lists of edges nor levels.
//!
//! Where distances are to be lengths of paths, a vertex gets its path when the front passes it: a straight
//! line to a vertex that already has one ([`line`]). So distances are those of paths wherever they are read,
//! errors of estimates do not add up, and there are no rounds.
mod fans;
mod front;
mod heap;
mod line;

use crate::geodesic::ring::check_faces_of_vertices;
use crate::geodesic::solver::{check_sources, scale_for};
use crate::geodesic::{GeodesicOptions, GeodesicReport, Order};
use fans::Fans;
use front::{Front, State};
use glam::Vec3;
use heap::Heap;
use ribbonmesh::{Error, Result, Watch};

/// Distances on triangles by one thread, in order of distance, for repeated runs. It has about 80 bytes for
/// each vertex.
pub struct SequentialGeodesic {
    fans: Fans,
    states: Vec<State>,
    heap: Heap,
    scale: f32,
}
impl SequentialGeodesic {
    /// Groups the faces by vertex. Linear; any triangles will do.
    /// # Errors
    /// [`Error::IndexOutOfRange`] for a vertex without a position; [`Error::TooMany`] for a vertex of more
    /// than 1024 faces, or for more than 2³¹ vertices or corners.
    pub fn new(positions: &[Vec3], triangles: &[[u32; 3]]) -> Result<Self> {
        let vertices = positions.len();
        let limit = u64::from(u32::MAX / 2);
        for (what, count) in [("vertices", vertices), ("corners of faces", 3 * triangles.len())] {
            if count as u64 > limit {
                return Err(Error::TooMany { what, count: count as u64, limit });
            }
        }
        let is_wrong = |&v: &u32| v as usize >= vertices;
        if let Some(face) = triangles.iter().position(|corners| corners.iter().any(is_wrong)) {
            let vertex = triangles[face].into_iter().find(is_wrong).unwrap_or_default();
            return Err(Error::IndexOutOfRange { face, vertex, vertices });
        }
        let fans = Fans::new(vertices, triangles);
        check_faces_of_vertices(fans.most())?;
        let finite = positions.iter().flat_map(|p| p.to_array()).filter(|x| x.is_finite());
        let scale = scale_for(finite.fold(0.0, |most, x| most.max(x.abs())));
        let states = positions.iter().map(|&p| State::new(p * scale)).collect();
        Ok(Self { fans, states, heap: Heap::new(vertices), scale })
    }
    /// Computes the distances from `sources`, vertices. About n log n for n vertices; asks the watch of this
    /// thread now and then. The same distances in every run.
    /// # Errors
    /// [`Error::Option`] without sources, or if a source is not a vertex, or for a tolerance out of its
    /// range, or an order other than [`Order::Sequence`] and [`Order::Auto`]; [`Error::Stopped`].
    pub fn run(&mut self, sources: &[u32], options: &GeodesicOptions) -> Result<GeodesicReport> {
        options.check()?;
        if let Order::Distance | Order::Hops = options.order {
            let (value, expected) = (options.order.to_string(), "sequence or auto for one thread");
            return Err(Error::Option { option: "order", value, expected });
        }
        let sources = check_sources(sources, self.states.len())?;
        let (levels, reached) = self.fans.levels(&sources);
        let Self { fans, states, heap, .. } = self;
        let how = (1.0 - options.tolerance, options.paths);
        let iterations =
            Front::new(fans, states, heap, &sources, how).run(Watch::of_this_thread().as_ref())?;
        Ok(GeodesicReport {
            order: Order::Sequence,
            sources: sources.len(),
            levels,
            iterations,
            rounds: options.paths.into(),
            reached,
            unreachable: states.len() - reached,
        })
    }
    /// The distances, in the units of the positions; +∞ for vertices that are not connected with a source.
    pub fn distances(&self) -> Vec<f32> {
        let unscale = 1.0 / self.scale;
        self.states.iter().map(|state| state.passed() * unscale).collect()
    }
}
