//! Kernels: faces into the table of a plane, rays of points, clusters of faces and their rays.
use super::shadow::{Shadows, Way, crossings, shadow};
use glam::Vec3;
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope::Device};
use ribbonmesh::device::{Block, Each, In, NONE, Out, Parameter, kernel};
use ribbonmesh_solid::intersections::{Faces, block_of};

/// Inserts each face, seen along an axis, into the cells of its level that its shadow covers.
#[kernel(threads = 256)]
pub fn insert_shadows<'a>(block: &Block, faces: Faces<'a>, n: u32, axis: u32, shadows: Shadows<'a>) {
    let (well, scale) = (shadows.facts.is_well(), shadows.facts.scale());
    let way = Way { axis, back: false };
    block.for_each_tile(if well { n } else { 0 }, |base, len| {
        let of_face = |i: u32| {
            let placed = shadow(faces.corners(base + i), way, scale);
            shadows.facts.insert(shadows.table, &placed, base + i)
        };
        let levels = block.reduce(len, 0, of_face, |a, b| a | b);
        block.single_nosync(|| shadows.facts.inserted(levels));
    });
}
/// The crossings of the ray from each point along +x, as a tree has them. One block per
/// [`TRIANGLES`](ribbonmesh_solid::intersections::TRIANGLES).
#[kernel(threads = 128)]
pub fn cast_in_plane<'a>(
    block: &Block,
    faces: Faces<'a>,
    shadows: Shadows<'a>,
    points: In<'a, Vec3>,
    sums: Out<'a, f32>,
    odd: Out<'a, u32>,
) {
    let (base, len) = block_of(block, points.len() as u32);
    block.for_each_nosync(len, |i| {
        let sum = crossings(faces, shadows, points.get(base + i), Way::X, NONE);
        sums.set(base + i, sum as f32);
        odd.set(base + i, (sum & 1) as u32);
    });
}

/// Marks the vertices of marked faces.
#[kernel(threads = 256)]
pub fn near_marked<'a>(face: Each, vertices: In<'a, [u32; 3]>, marks: In<'a, u32>, near: Out<'a, u32>) {
    if marks.get(face) != 0 {
        vertices.get(face).iter().for_each(|&v| atomic::store(near, v, 1, Relaxed, Device));
    }
}
/// Marks the vertices of faces with a marked vertex: one more ring.
#[kernel(threads = 256)]
pub fn one_more_ring<'a>(face: Each, vertices: In<'a, [u32; 3]>, from: In<'a, u32>, to: Out<'a, u32>) {
    let corners = vertices.get(face);
    if corners.iter().any(|&v| from.get(v) != 0) {
        corners.iter().for_each(|&v| atomic::store(to, v, 1, Relaxed, Device));
    }
}

/// The faces that are in clusters: those without a vertex near marked faces.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Clusters<'a> {
    /// Vertices of faces.
    pub vertices: In<'a, [u32; 3]>,
    /// 1 for vertices near marked faces.
    pub near: In<'a, u32>,
    /// The cluster of each vertex: one of its vertices.
    pub labels: In<'a, u32>,
}
impl Clusters<'_> {
    #[inline(always)]
    fn has(&self, face: u32) -> bool {
        !self.vertices.get(face).iter().any(|&v| self.near.get(v) != 0)
    }
    /// The cluster of a face, which is that of its first vertex.
    #[inline(always)]
    fn of(&self, face: u32) -> u32 {
        self.labels.get(self.vertices.get(face)[0])
    }
}

/// Runs one step of clustering: the vertices of a face get the smallest of their labels. `to` begins as the
/// labels.
#[kernel(threads = 256)]
pub fn join_clusters<'a>(face: Each, clusters: Clusters<'a>, to: Out<'a, u32>) {
    if clusters.has(face) {
        let corners = clusters.vertices.get(face);
        let [a, b, c] = corners.map(|v| clusters.labels.get(v));
        let least = clusters.labels.get(a.min(b).min(c));
        for v in corners {
            atomic::fetch_min(to, v, least, Relaxed, Device);
        }
    }
}
/// Finds for each cluster its smallest face after `from`, which has a face for each cluster or is empty. `to`
/// begins with [`NONE`].
#[kernel(threads = 256)]
pub fn next_of_clusters<'a>(face: Each, clusters: Clusters<'a>, from: In<'a, u32>, to: Out<'a, u32>) {
    if clusters.has(face) {
        let cluster = clusters.of(face);
        if from.is_empty() || (from.get(cluster) != NONE && face > from.get(cluster)) {
            atomic::fetch_min(to, cluster, face, Relaxed, Device);
        }
    }
}

/// Three tables, of the faces seen along x, y and z.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Planes<'a> {
    /// The table along x.
    pub x: Shadows<'a>,
    /// The table along y.
    pub y: Shadows<'a>,
    /// The table along z.
    pub z: Shadows<'a>,
}

/// Whether a face is inside, by the ray from its barycentre along the axis that is nearest to its normal.
#[inline(never)]
fn is_inside(faces: Faces<'_>, planes: Planes<'_>, face: u32) -> bool {
    let [a, b, c] = faces.corners(face);
    let way = Way::most_along((b - a).cross(c - a));
    let shadows = if way.axis == 0 {
        planes.x
    } else if way.axis == 1 {
        planes.y
    } else {
        planes.z
    };
    let centre = a / 3.0 + b / 3.0 + c / 3.0;
    crossings(faces, shadows, centre, way, face) & 1 == 1
}

/// Casts a ray from a face of each cluster that has one. `votes` counts the rays that say inside in its lower
/// half, and all rays in its upper half.
#[kernel(threads = 128)]
pub fn cast_from_clusters<'a>(
    block: &Block,
    faces: Faces<'a>,
    planes: Planes<'a>,
    chosen: In<'a, u32>,
    votes: Out<'a, u32>,
) {
    block.for_each_of_tile(chosen.len() as u32, |cluster| {
        let face = chosen.get(cluster);
        if face != NONE {
            let inside = is_inside(faces, planes, face) as u32;
            votes.set(cluster, votes.get(cluster) + (1 << 16 | inside));
        }
    });
}
/// Number of counts of [`decide_faces`]: rays of single faces; faces of clusters whose rays disagree.
#[cfg(not(target_arch = "nvptx64"))]
pub const COUNTS: usize = 2;

/// Sets 1 for each face that is inside, else 0, and 0 for marked faces: by the rays of its cluster if these
/// agree, otherwise by its own ray.
#[kernel(threads = 128)]
pub fn decide_faces<'a>(
    block: &Block,
    faces: Faces<'a>,
    planes: Planes<'a>,
    clusters: Clusters<'a>,
    marks: In<'a, u32>,
    votes: In<'a, u32>,
    inside: Out<'a, u32>,
    counts: Out<'a, u32>,
) {
    block.for_each_tile(marks.len() as u32, |base, len| {
        // single rays in the lower half, faces of clusters that disagree in the upper one
        let of_face = |i: u32| {
            let face = base + i;
            if marks.get(face) != 0 {
                inside.set(face, 0);
                return 0_u64;
            }
            let in_cluster = clusters.has(face);
            if in_cluster {
                let votes = votes.get(clusters.of(face));
                let (all, within) = (votes >> 16, votes & 0xffff);
                if all > 0 && (within == 0 || within == all) {
                    inside.set(face, (within != 0) as u32);
                    return 0;
                }
            }
            inside.set(face, is_inside(faces, planes, face) as u32);
            (in_cluster as u64) << 32 | 1
        };
        let sums = block.reduce(len, 0, of_face, |a, b| a + b);
        block.single_nosync(|| {
            atomic::fetch_add(counts, 0, sums as u32, Relaxed, Device);
            atomic::fetch_add(counts, 1, (sums >> 32) as u32, Relaxed, Device);
        });
    });
}
