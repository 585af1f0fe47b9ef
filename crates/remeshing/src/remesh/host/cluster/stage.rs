//! A stage of clustering: a coarser surface, made of clusters.
use super::dual::{Checked, Dual};
use super::lloyd::{Clusters, Input};
use super::report::ClusterReport;
use crate::remesh::cluster::Grid;
use crate::remesh::cluster::place::{ClustersArguments, PLACES, Place};
use glam::Vec3;
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
        rounds: u32,
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
            let mut next = Self::one(topology, x, grid, aim, rounds, report)?;
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
        rounds: u32,
        report: &mut ClusterReport,
    ) -> Result<Self> {
        let device = topology.device().clone();
        let start = Instant::now();
        let input = Input::new(topology, x, grid)?;
        device.synchronize()?;
        report.prepare_seconds += start.elapsed().as_secs_f64();

        let start = Instant::now();
        let mut clusters = Clusters::new(&input, count, rounds)?;
        device.synchronize()?;
        report.cluster_seconds += start.elapsed().as_secs_f64();

        let start = Instant::now();
        let mut divisions = 0;
        let (members, dual) = loop {
            let members = clusters.members()?;
            match Dual::join(&input, &clusters, &members)? {
                Checked::Manifold(dual) => break (members, dual),
                Checked::Faults(marks) => {
                    let before = clusters.len();
                    clusters.divide(&input, &members, &marks, 2 << (divisions / 2).min(30))?;
                    if clusters.len() == before {
                        return Err(not_manifold(topology));
                    }
                    divisions += 1;
                }
            }
        };
        let mut sources = device.unspecified::<u32>(clusters.centres.len())?;
        let blocks = clusters.len().div_ceil(PLACES);
        let place = Place {
            s: ClustersArguments {
                x: input.x.view(),
                vertices: topology.face_vertices().view(),
                ring: topology.ring().view(),
                corners: input.corners.view(),
                members: members.view(),
                scale: grid.scale,
            },
            centres: clusters.centres.view_mut(),
            sources: sources.view_mut(),
        };
        device.launch(blocks, place)?;
        let of_vertices = array::gather(&sources, &dual.clusters)?;
        let positions = dual.positions(clusters.centres, grid)?;
        device.synchronize()?;
        report.divisions += divisions;
        report.stages += 1;
        report.join_seconds += start.elapsed().as_secs_f64();
        Ok(Self { topology: dual.topology, positions, sources: [of_vertices, dual.sources] })
    }
}

/// The error of a surface that is not a manifold.
pub fn not_manifold(topology: &FlatTopology) -> Error {
    match DynamicMesh::from_flat(topology, 0.0) {
        Err(error) => error,
        Ok(_) => Error::Invalid("clusters of single vertices make no manifold of a manifold".into()),
    }
}
