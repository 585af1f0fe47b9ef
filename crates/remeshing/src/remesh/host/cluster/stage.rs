//! A stage of clustering: a coarser surface, made of clusters.
use super::dual::{Checked, Dual};
use super::lloyd::{Clusters, Input};
use super::options::ClusterOptions;
use super::report::ClusterReport;
use crate::remesh::cluster::Grid;
use crate::remesh::cluster::place::{ClustersArguments, PLACES, Place};
use glam::Vec3;
use ribbonmesh::array::Groups;
use ribbonmesh::dynamic::DynamicMesh;
use ribbonmesh::{Buffer, Error, FlatTopology, Result, array};
use std::time::Instant;

/// Number of vertices that a stage puts into a cluster; the last stage up to about twice as many. Larger
/// steps would leave more parts that are thinner than a cluster.
const MOST: u32 = 8;

/// A surface of clusters.
pub struct Stage {
    pub topology: FlatTopology,
    pub positions: Buffer<Vec3>,
    /// For each vertex and each face, one of the surface from which the first stage began.
    pub sources: [Buffer<u32>; 2],
}
impl Stage {
    /// Makes about `count` clusters, in as many stages as needed. Waits.
    pub fn of(
        topology: &FlatTopology,
        x: &Buffer<Vec3>,
        grid: Grid,
        count: u32,
        options: &ClusterOptions,
        report: &mut ClusterReport,
    ) -> Result<Self> {
        let (mut before, mut most): (Option<Self>, _) = (None, u32::MAX);
        loop {
            let (topology, x) = before.as_ref().map_or((topology, x), |b| (&b.topology, &b.positions));
            let vertices = topology.vertices() as u32;
            // thin parts may keep many of their vertices
            let last = vertices / MOST <= 2 * count || vertices > most;
            most = vertices / 2;
            let aim = if last { count } else { vertices / MOST };
            let mut next = Self::one(topology, x, grid, aim, options, report)?;
            if let Some(Self { sources: [v, f], .. }) = &before {
                next.sources = [array::gather(v, &next.sources[0])?, array::gather(f, &next.sources[1])?];
            }
            if last {
                return Ok(next);
            }
            before = Some(next);
        }
    }
    fn one(
        topology: &FlatTopology,
        x: &Buffer<Vec3>,
        grid: Grid,
        count: u32,
        options: &ClusterOptions,
        report: &mut ClusterReport,
    ) -> Result<Self> {
        let device = topology.device().clone();
        let start = Instant::now();
        let input = Input::new(topology, x, grid)?;
        device.synchronize()?;
        report.prepare_seconds += start.elapsed().as_secs_f64();

        let start = Instant::now();
        let mut clusters = Clusters::new(&input, count, options.iterations)?;
        device.synchronize()?;
        report.cluster_seconds += start.elapsed().as_secs_f64();

        let start = Instant::now();
        let mut parted = 0;
        let made = loop {
            let (members, dual) = clusters.joined(&input, &mut report.divisions)?;
            let (positions, sources) = clusters.place(&input, &members, &dual)?;
            if !options.no_self_intersections {
                break (dual, positions, sources);
            }
            let (marks, pairs) = dual.crossing(&positions, &members)?;
            let Some(marks) = marks else {
                report.kept_pairs = pairs;
                break (dual, positions, sources);
            };
            clusters.divide(&input, &members, &marks, runs(parted))?;
            parted += 1;
        };
        let (dual, positions, of_vertices) = made;
        device.synchronize()?;
        report.parted += parted;
        report.stages += 1;
        report.join_seconds += start.elapsed().as_secs_f64();
        Ok(Self { topology: dual.topology, positions, sources: [of_vertices, dual.sources] })
    }
}

/// The number of runs into which clusters are divided in a round: more of them the longer it takes.
fn runs(round: u32) -> u32 {
    2 << (round / 2).min(30)
}

impl Clusters {
    /// Joins clusters to triangles; divides those that would not make a manifold, in as many rounds as it
    /// takes, which are added to `divisions`. Waits.
    fn joined(&mut self, input: &Input<'_>, divisions: &mut u32) -> Result<(Groups, Box<Dual>)> {
        let mut round = 0;
        loop {
            let members = self.members()?;
            match Dual::join(input, self, &members)? {
                Checked::Manifold(dual) => {
                    *divisions += round;
                    return Ok((members, dual));
                }
                Checked::Faults(marks) => {
                    let before = self.len();
                    self.divide(input, &members, &marks, runs(round))?;
                    if self.len() == before {
                        return Err(not_manifold(input.topology));
                    }
                    round += 1;
                }
            }
        }
    }
    /// Positions of the vertices of the triangles, and for each of them a vertex of the surface. Uses up the
    /// centres.
    fn place(
        &mut self,
        input: &Input<'_>,
        members: &Groups,
        dual: &Dual,
    ) -> Result<(Buffer<Vec3>, Buffer<u32>)> {
        let (topology, device) = (input.topology, input.topology.device());
        let count = self.len();
        let mut sources = device.unspecified::<u32>(count as usize)?;
        let place = Place {
            s: ClustersArguments {
                x: input.x.view(),
                vertices: topology.face_vertices().view(),
                ring: topology.ring().view(),
                corners: input.corners.view(),
                members: members.view(),
                scale: input.grid.scale,
            },
            centres: self.centres.view_mut(),
            sources: sources.view_mut(),
        };
        device.launch(count.div_ceil(PLACES), place)?;
        Ok((dual.positions(&self.centres, input.grid)?, array::gather(&sources, &dual.clusters)?))
    }
}

/// The error of a surface that is not a manifold.
pub fn not_manifold(topology: &FlatTopology) -> Error {
    match DynamicMesh::from_flat(topology, 0.0) {
        Err(error) => error,
        Ok(_) => Error::Invalid("clusters of single vertices make no manifold of a manifold".into()),
    }
}
