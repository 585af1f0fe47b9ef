//! Triangles that connect clusters.
use super::lloyd::{Clusters, Input};
use crate::remesh::cluster::assign::Centres;
use crate::remesh::cluster::dual::{
    Characteristics, CountCrossings, FlagFaces, Join, JoinedArguments, KnownArguments, MarkAround,
    MarkClusters,
};
use crate::remesh::cluster::fans::{
    ClustersOf, CountFans, FlagFans, JoinFans, MarkCrossing, MarkDualEdges, SplitFans, SumAround,
};
use crate::remesh::cluster::parts::{Alone, NameParts};
use crate::remesh::cluster::place::PLACES;
use crate::remesh::cluster::{Grid, NONE, SUMS};
use glam::Vec3;
use ribbonmesh::array::Groups;
use ribbonmesh::device::tiles;
use ribbonmesh::{Buffer, FlatTopology, Result, array};
use ribbonmesh_solid::intersections::{Triangles, self_intersections};

/// The dual mesh of clusters, with a vertex for each fan.
pub struct Dual {
    /// The vertices of each face: first the clusters, then the further vertices of clusters with several
    /// fans.
    pub topology: FlatTopology,
    /// The face of the surface from which each face was made.
    pub sources: Buffer<u32>,
    /// The cluster of each vertex.
    pub clusters: Buffer<u32>,
    /// The number of vertices of each cluster.
    fans: Buffer<u32>,
}

/// Result of joining clusters: a manifold, or the clusters that prevent one.
pub enum Checked {
    /// A manifold.
    Manifold(Box<Dual>),
    /// Not a manifold: the clusters whose entries are not 0 have to be divided.
    Faults(Buffer<u32>),
}

impl Dual {
    /// Joins clusters to triangles. Waits.
    pub fn join(input: &Input<'_>, clusters: &mut Clusters, members: &Groups) -> Result<Checked> {
        let topology = input.topology;
        let (device, f, k) = (topology.device(), topology.faces() as u32, clusters.len());
        let (vertices, of) = (topology.face_vertices().view(), clusters.of.view());
        let mut numbers = device.unspecified::<u32>(f as usize)?;
        device.launch(
            tiles(f),
            FlagFaces { faces: vertices.wide(), clusters: of, flags: numbers.view_mut() },
        )?;
        let sources = array::select(&numbers)?;
        array::exclusive_scan(&mut numbers)?;
        let corners = 3 * sources.len() as u32;
        let mut faces = device.unspecified::<u32>(corners as usize)?;
        let mut twins = device.unspecified::<u32>(corners as usize)?;
        let join = Join {
            s: JoinedArguments {
                vertices,
                ring: topology.ring().view(),
                clusters: of,
                list: sources.view(),
                numbers: numbers.view(),
            },
            faces: faces.view_mut(),
            twins: twins.view_mut(),
        };
        device.launch(tiles(corners / 3), join)?;
        drop(numbers);

        let mut fans = device.unspecified::<u32>(corners as usize)?;
        device.launch(tiles(corners), Alone { parents: fans.view_mut() })?;
        device.launch(tiles(corners), JoinFans { twins: twins.view(), parents: fans.view_mut() })?;
        device.launch(tiles(corners), NameParts { parents: fans.view_mut() })?;
        let mut counts = device.zeros::<u32>(k as usize)?;
        let mut first = device.unspecified::<u32>(k as usize)?;
        array::fill(&mut first, NONE)?;
        let (vertices, of_corners) = (faces.view(), fans.view());
        let (numbers, least) = (counts.view_mut(), first.view_mut());
        device.launch(
            tiles(corners),
            CountFans { vertices, fans: of_corners, counts: numbers, first: least },
        )?;
        let mut marks = marked_clusters(input, clusters, members, &counts)?;

        let mut numbers = device.unspecified::<u32>(corners as usize)?;
        let (first, flags) = (first.view(), numbers.view_mut());
        device.launch(tiles(corners), FlagFans { vertices, fans: of_corners, first, flags })?;
        let more = array::exclusive_scan(&mut numbers)?;
        let mut further = device.unspecified::<u32>(more as usize)?;
        if more > 0 {
            let split = SplitFans {
                fans: of_corners,
                first,
                numbers: numbers.view(),
                vertices: faces.view_mut(),
                sources: further.view_mut(),
            };
            device.launch(tiles(corners), split)?;
        }
        let n = k + more;
        let mut clusters = device.unspecified::<u32>(n as usize)?;
        let name = ClustersOf { further: further.view(), own: k, clusters: clusters.view_mut() };
        device.launch(tiles(n), name)?;
        let topology = FlatTopology::from_buffer(n as usize, faces)?;
        let mark = MarkDualEdges {
            vertices: topology.face_vertices().view(),
            ring: topology.ring().view(),
            twins: twins.view(),
            clusters: clusters.view(),
            marks: marks.view_mut(),
        };
        device.launch(tiles(corners), mark)?;
        Ok(match array::sum(&marks)? {
            0 => Checked::Manifold(Box::new(Self { topology, sources, clusters, fans: counts })),
            _ => Checked::Faults(marks),
        })
    }
    /// Positions of all vertices. A cluster's vertex is at the given position; if the cluster has several
    /// vertices, each of them is at the mean of its neighbours.
    pub fn positions(&self, centres: &Buffer<Vec3>, grid: Grid) -> Result<Buffer<Vec3>> {
        let n = self.clusters.len() as u32;
        let device = centres.device();
        let mut all = array::gather(centres, &self.clusters)?;
        if n as usize == centres.len() {
            return Ok(all);
        }
        let mut sums = device.zeros::<u64>(SUMS as usize * n as usize)?;
        let sum = SumAround {
            vertices: self.topology.face_vertices().view(),
            counts: self.fans.view(),
            positions: all.view(),
            grid,
            sums: sums.view_mut(),
        };
        device.launch(tiles(3 * self.topology.faces() as u32), sum)?;
        device.launch(tiles(n), Centres { sums: sums.view_mut(), grid, centres: all.view_mut() })?;
        Ok(all)
    }
    /// The clusters to be divided because their faces intersect others; `None` if no face does, or only faces
    /// between single vertices, which are faces of the surface. Also the number of pairs that intersect.
    /// Waits.
    pub fn crossing(&self, positions: &Buffer<Vec3>, members: &Groups) -> Result<(Option<Buffer<u32>>, u64)> {
        let (device, faces) = (positions.device(), self.topology.face_vertices());
        let found = self_intersections(Triangles { positions, faces })?;
        let pairs = found.pairs.len() as u64;
        if pairs == 0 {
            return Ok((None, 0));
        }
        let mut marks = device.zeros::<u32>(self.fans.len())?;
        let mark = MarkCrossing {
            vertices: faces.view(),
            intersects: found.marks.view(),
            clusters: self.clusters.view(),
            members: members.view(),
            marks: marks.view_mut(),
        };
        device.launch(tiles(faces.len() as u32), mark)?;
        Ok(((array::sum(&marks)? > 0).then_some(marks), pairs))
    }
}

/// The clusters to be divided because of their own shape, without a look at the triangles between clusters.
fn marked_clusters(
    input: &Input<'_>,
    clusters: &mut Clusters,
    members: &Groups,
    fans: &Buffer<u32>,
) -> Result<Buffer<u32>> {
    let topology = input.topology;
    let (device, k) = (topology.device(), clusters.len());
    let (vertices, of) = (topology.face_vertices().view(), clusters.of.view());
    let mut characteristics = device.zeros::<u32>(k as usize)?;
    let n = (topology.vertices() as u32).max(topology.faces() as u32);
    let (leader, sums) = (topology.first_corners().view(), characteristics.view_mut());
    device.launch(tiles(n), Characteristics { n, vertices, leader, clusters: of, sums })?;
    let mut crossings = device.zeros::<u32>(if topology.boundary_edges() > 0 { k as usize } else { 0 })?;
    if !crossings.is_empty() {
        let (ring, counts) = (topology.ring().view(), crossings.view_mut());
        let corners = 3 * topology.faces() as u32;
        device.launch(tiles(corners), CountCrossings { vertices, ring, clusters: of, counts })?;
    }
    let mut marks = device.unspecified::<u32>(k as usize)?;
    let mark = MarkClusters {
        known: KnownArguments {
            x: input.x.view(),
            vertices,
            corners: input.corners.view(),
            members: members.view(),
            scale: input.grid.scale,
            characteristics: characteristics.view(),
            crossings: crossings.view(),
            fans: fans.view(),
        },
        cuts: clusters.cuts.view_mut(),
        marks: marks.view_mut(),
    };
    device.launch(k.div_ceil(PLACES), mark)?;
    let around = MarkAround {
        neighbours: input.neighbours(),
        clusters: clusters.of.view(),
        fans: fans.view(),
        marks: marks.view_mut(),
    };
    device.launch(tiles(topology.vertices() as u32), around)?;
    Ok(marks)
}
