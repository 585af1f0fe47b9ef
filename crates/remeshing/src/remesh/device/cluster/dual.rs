//! The triangles that connect clusters, and the places where they would not be a manifold.
//!
//! A face whose vertices are in three clusters joins these three; all such faces are the dual mesh. Its edges
//! are paths: from a face across edges between the same two clusters to the next such face, or to the
//! boundary. The paths give the order of the faces around a cluster, even if two clusters meet in several
//! places. A cluster inside the surface gets a vertex for each of its fans: one with a handle inside loses
//! it, and a tunnel through one becomes two caps. Clusters around thin parts, which would be cut off, and
//! clusters that are not discs at the boundary are divided instead.
use super::NONE;
use super::place::PLACES;
use glam::Vec3;
use ribbonmesh::array::GroupsView;
use ribbonmesh::corners::after;
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope::Device};
use ribbonmesh::device::math::sqrt;
use ribbonmesh::device::{Block, In, Out, Parameter, kernel};

/// -1, as a `u32` that wraps when it is added.
const LESS: u32 = u32::MAX;

/// Flags faces whose vertices are in three clusters. Blocks: tiles.
#[kernel(threads = 256)]
pub fn flag_faces<'a>(block: &Block, faces: In<'a, [u32; 3]>, clusters: In<'a, u32>, flags: Out<'a, u32>) {
    block.for_each_of_tile(faces.len() as u32, |f| {
        let [a, b, c] = faces.get(f).map(|v| clusters.get(v));
        flags.set(f, (a != b && b != c && c != a) as u32);
    });
}

/// The surface, its clusters and the faces of the dual mesh.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Joined<'a> {
    /// Vertices of the faces of the surface.
    pub vertices: In<'a, u32>,
    /// The next corner of the same edge.
    pub ring: In<'a, u32>,
    /// Cluster of each vertex.
    pub clusters: In<'a, u32>,
    /// The faces of the surface that are faces of the dual mesh, ascending.
    pub list: In<'a, u32>,
    /// For each face of the surface, the number of faces before it in the list.
    pub numbers: In<'a, u32>,
}
impl Joined<'_> {
    #[inline(always)]
    fn cluster(&self, c: u32) -> u32 {
        self.clusters.get(self.vertices.get(c))
    }
    /// The other face of the edge of the dual mesh that begins at corner `c` of a face of the surface: its
    /// corner in the dual mesh; `NONE` where the path ends at the boundary.
    #[inline(always)]
    fn twin(&self, mut c: u32) -> u32 {
        let [own, other] = [self.cluster(c), self.cluster(after(c))];
        loop {
            let d = self.ring.get(c);
            if d == c {
                return NONE;
            }
            let third = self.cluster(after(after(d)));
            if third != own && third != other {
                return 3 * self.numbers.get(d / 3) + d % 3;
            }
            // the other side of this face between the two clusters, seen from the first
            c = if third == own { after(after(d)) } else { after(d) };
        }
    }
}

/// The clusters and the twins of the corners of the dual mesh. Edges of the surface have at most two faces.
/// Blocks: tiles of the faces of the dual mesh.
#[kernel(threads = 256)]
pub fn join<'a>(block: &Block, s: Joined<'a>, faces: Out<'a, u32>, twins: Out<'a, u32>) {
    block.for_each_of_tile(s.list.len() as u32, |i| {
        let f = s.list.get(i);
        for k in 0..3 {
            faces.set(3 * i + k, s.cluster(3 * f + k));
            twins.set(3 * i + k, s.twin(3 * f + k));
        }
    });
}

/// Adds vertices, minus edges, plus faces with all vertices in one cluster to the cluster's Euler
/// characteristic. `leader`: the first corner of each corner's edge. Blocks: tiles of the vertices or the
/// faces, whichever are more.
#[kernel(threads = 256)]
pub fn characteristics<'a>(
    block: &Block,
    n: u32,
    vertices: In<'a, u32>,
    leader: In<'a, u32>,
    clusters: In<'a, u32>,
    sums: Out<'a, u32>,
) {
    let add = |cluster: u32, more: u32| {
        atomic::fetch_add(sums, cluster, more, Relaxed, Device);
    };
    block.for_each_of_tile(n, |i| {
        if i < clusters.len() as u32 {
            add(clusters.get(i), 1);
        }
        if i < vertices.len() as u32 / 3 {
            let own = [0, 1, 2].map(|k| clusters.get(vertices.get(3 * i + k)));
            let inside = own[0] == own[1] && own[1] == own[2];
            let mut edges = 0;
            for k in 0..3 {
                let within = own[k as usize] == own[after(k) as usize] && leader.get(3 * i + k) == 3 * i + k;
                if within && !inside {
                    add(own[k as usize], LESS);
                }
                edges += within as u32;
            }
            // one addition for the face and its edges
            if inside && edges != 1 {
                add(own[0], 1_u32.wrapping_sub(edges));
            }
        }
    });
}
/// Bit of a cluster with a side of the boundary at one of its vertices.
pub const TOUCHES: u32 = 1 << 31;
/// Counts for each cluster the sides of the boundary that lead from it to another one or to it; [`TOUCHES`]
/// is set where there is a side at all. Blocks: tiles of the corners.
#[kernel(threads = 256)]
pub fn count_crossings<'a>(
    block: &Block,
    vertices: In<'a, u32>,
    ring: In<'a, u32>,
    clusters: In<'a, u32>,
    counts: Out<'a, u32>,
) {
    block.for_each_of_tile(ring.len() as u32, |c| {
        if ring.get(c) == c {
            let [a, b] = [c, after(c)].map(|c| clusters.get(vertices.get(c)));
            for k in [a, b] {
                atomic::fetch_or(counts, k, TOUCHES, Relaxed, Device);
                if a != b {
                    atomic::fetch_add(counts, k, 1, Relaxed, Device);
                }
            }
        }
    });
}
/// The cluster may be cut.
const CUT: u32 = 1;
/// The cluster may not be cut.
const WHOLE: u32 = 2;

/// Least length of the mean normal of a cluster that is flat enough to lose a handle.
const FLAT: f32 = 0.5;

/// The surface and its clusters, for [`mark_clusters`].
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Known<'a> {
    /// Positions of the surface.
    pub x: In<'a, Vec3>,
    /// Vertices of its faces.
    pub vertices: In<'a, u32>,
    /// The corners at each vertex.
    pub corners: GroupsView<'a>,
    /// The vertices of each cluster.
    pub members: GroupsView<'a>,
    /// Positions times this are not far from 1.
    pub scale: f32,
    /// The Euler characteristic of each cluster.
    pub characteristics: In<'a, u32>,
    /// Result of [`count_crossings`]; empty for a mesh without boundary.
    pub crossings: In<'a, u32>,
    /// The number of fans of each cluster.
    pub fans: In<'a, u32>,
}
impl Known<'_> {
    /// Whether cluster `k` is a vertex without faces.
    #[inline(always)]
    fn is_isolated(&self, k: u32) -> bool {
        let (from, to) = self.corners.range(self.members.places.get(self.members.range(k).0));
        from == to
    }
    /// Whether the surface of cluster `k` may be cut where its fans are. It may if the cluster is flat apart
    /// from what the cut removes, or if it is around a tunnel. A cluster around a finger may not: the finger
    /// would be cut off.
    #[inline(always)]
    fn may_be_cut(&self, k: u32) -> bool {
        let (first, end) = self.members.range(k);
        let origin = self.x.get(self.members.places.get(first));
        let (mut sum, mut moment, mut area, mut volume) = (Vec3::ZERO, Vec3::ZERO, 0.0_f32, 0.0_f32);
        for i in first..end {
            let v = self.members.places.get(i);
            let at = |v: u32| (self.x.get(v) - origin) * self.scale;
            let p = at(v);
            let (from, to) = self.corners.range(v);
            for j in from..to {
                let c = self.corners.places.get(j);
                let [next, last] = [after(c), after(after(c))].map(|c| at(self.vertices.get(c)));
                let n = (next - p).cross(last - p);
                let twice = sqrt(n.dot(n));
                sum += n;
                moment += p * twice;
                area += twice;
                volume += n.dot(p);
            }
        }
        let centre = if area > 0.0 { moment / area } else { Vec3::ZERO };
        sqrt(sum.dot(sum)) > FLAT * area || volume - sum.dot(centre) < 0.0
    }
}

/// Marks clusters to be divided: clusters without a fan; at the boundary, clusters that are not discs with
/// one fan and one piece of the boundary; elsewhere, clusters that are not discs and may not be cut. Whether
/// a cluster may be cut depends on its vertices alone: `cuts` keeps it, `CUT` or `WHOLE`, or is 0. One
/// block per [`PLACES`].
#[kernel(threads = 128)]
pub fn mark_clusters<'a>(block: &Block, known: Known<'a>, cuts: Out<'a, u32>, marks: Out<'a, u32>) {
    let (n, base) = (marks.len() as u32, PLACES * block.index());
    block.for_each_nosync(if n - base < PLACES { n - base } else { PLACES }, |i| {
        let k = base + i;
        let (fans, disc) = (known.fans.get(k), known.characteristics.get(k) == 1);
        let at_boundary = !known.crossings.is_empty() && known.crossings.get(k) != 0;
        let good = if at_boundary {
            disc && fans == 1 && known.crossings.get(k) == TOUCHES + 2
        } else {
            if fans > 0 { disc || may_be_cut(known, cuts, k) } else { known.is_isolated(k) }
        };
        marks.set(k, !good as u32);
    });
}
/// The same as [`Known::may_be_cut`], which takes long for a cluster of many vertices, from what is kept.
#[inline(always)]
fn may_be_cut(known: Known<'_>, cuts: Out<'_, u32>, k: u32) -> bool {
    let mut kept = cuts.get(k);
    if kept == 0 {
        kept = if known.may_be_cut(k) { CUT } else { WHOLE };
        cuts.set(k, kept);
    }
    kept == CUT
}
/// Marks the cluster around a cluster of one vertex that has no fan: the cluster of one vertex cannot be
/// divided. Blocks: tiles.
#[kernel(threads = 256)]
pub fn mark_around<'a>(
    block: &Block,
    neighbours: GroupsView<'a>,
    clusters: In<'a, u32>,
    fans: In<'a, u32>,
    marks: Out<'a, u32>,
) {
    block.for_each_of_tile(clusters.len() as u32, |v| {
        let own = clusters.get(v);
        if fans.get(own) != 0 {
            return;
        }
        let (first, end) = neighbours.range(v);
        let mut i = first;
        while i < end {
            if clusters.get(neighbours.places.get(i)) == own {
                return;
            }
            i += 1;
        }
        for i in first..end {
            atomic::store(marks, clusters.get(neighbours.places.get(i)), 1, Relaxed, Device);
        }
    });
}
