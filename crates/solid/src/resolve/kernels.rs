//! Kernels that choose the faces of a region that stay (Chentanez and others 2016, sections 3.2 and 3.4).
//!
//! `ring` has for each corner the corner across its side, or itself where the region ends. `gone` has for
//! each face [`STAYS`], or why it is deleted. A cluster is a set of connected faces that stay; its number is
//! that of its first face.
use glam::{DVec3, Vec3};
use ribbonmesh::array::GroupsView;
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope::Device};
use ribbonmesh::device::{Each, In, NONE, Out, Parameter, kernel};
use ribbonmesh::sets;

/// A face that stays.
pub const STAYS: u32 = 0;
/// A face that intersects others, or is left over.
pub const CUT: u32 = 1;
/// A face inside of the volume.
pub const INSIDE: u32 = 2;

/// Mark of a cluster with a side at which a face was deleted.
const OPEN: u32 = 1;
/// Mark of a cluster that continues beyond the region.
const BEYOND: u32 = 2;

/// Number of faces of a cluster that are tested for being inside (w of the paper).
const ASKED: u32 = 9;
/// A cluster of at most this many faces that deletion has cut off is deleted, too.
pub const CRUMB: u32 = 12;
/// Distance in front of a face of the point that is tested, in lengths of its shortest edge.
const BEFORE: f64 = 0.05;

/// The faces across the sides of one; [`NONE`] where the region ends.
#[inline(always)]
fn across(ring: In<'_, u32>, f: u32) -> [u32; 3] {
    [3 * f, 3 * f + 1, 3 * f + 2].map(|corner| {
        let other = ring.get(corner);
        if other == corner { NONE } else { other / 3 }
    })
}

/// Deletes the faces of pairs.
#[kernel(threads = 256)]
pub fn cut_pairs<'a>(i: Each, pairs: In<'a, u32>, gone: Out<'a, u32>) {
    atomic::store(gone, pairs.get(i), CUT, Relaxed, Device);
}

/// Deletes faces that at most one edge connects with one that stays; beyond the border, faces stay. The first
/// word of `more` becomes 1 if there are any: repeated until there are none, this deletes the same faces in
/// every order.
#[kernel(threads = 256)]
pub fn cut_ears_of<'a>(f: Each, ring: In<'a, u32>, gone: Out<'a, u32>, more: Out<'a, u32>) {
    let stays = |f: u32| atomic::load(gone, f, Relaxed, Device) == STAYS;
    if !stays(f) {
        return;
    }
    let [a, b, c] = across(ring, f).map(|other| (other == NONE || stays(other)) as u32);
    if a + b + c <= 1 {
        atomic::store(gone, f, CUT, Relaxed, Device);
        atomic::store(more, 0, 1, Relaxed, Device);
    }
}

/// Unites faces that stay with those across their sides. `parents` begins with each face its own parent.
#[kernel(threads = 256)]
pub fn unite_kept<'a>(f: Each, ring: In<'a, u32>, gone: In<'a, u32>, parents: Out<'a, u32>) {
    if gone.get(f) != STAYS {
        return;
    }
    for other in across(ring, f) {
        // none is not less
        if other < f && gone.get(other) == STAYS {
            sets::unite(parents, f, other);
        }
    }
}

/// Stores the cluster of each face, or `total` for a deleted one, and the marks of clusters.
#[kernel(threads = 256)]
pub fn mark_clusters<'a>(
    f: Each,
    total: u32,
    ring: In<'a, u32>,
    gone: In<'a, u32>,
    parents: Out<'a, u32>,
    cluster: Out<'a, u32>,
    marks: Out<'a, u32>,
) {
    if gone.get(f) != STAYS {
        cluster.set(f, total);
        return;
    }
    sets::flatten(parents, f);
    let root = atomic::load(parents, f, Relaxed, Device);
    cluster.set(f, root);
    let mut mark = 0;
    for other in across(ring, f) {
        if other == NONE {
            mark |= BEYOND;
        } else if gone.get(other) != STAYS {
            mark |= OPEN;
        }
    }
    if atomic::load(marks, root, Relaxed, Device) & mark != mark {
        atomic::fetch_or(marks, root, mark, Relaxed, Device);
    }
}

/// The clusters of a region.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Clusters<'a> {
    /// The cluster of each face.
    pub of: In<'a, u32>,
    /// The faces of each cluster.
    pub faces: GroupsView<'a>,
    /// The marks of each cluster.
    pub marks: In<'a, u32>,
}
impl Clusters<'_> {
    #[inline(always)]
    fn size(&self, cluster: u32) -> u32 {
        let (start, end) = self.faces.range(cluster);
        end - start
    }
    #[inline(always)]
    fn step(&self, cluster: u32) -> u32 {
        self.size(cluster).div_ceil(ASKED).max(1)
    }
    /// Number of its faces that are tested.
    #[inline(always)]
    fn asked(&self, cluster: u32) -> u32 {
        let step = self.step(cluster);
        (self.size(cluster) - step / 2).div_ceil(step)
    }
    #[inline(always)]
    fn is_crumb(&self, cluster: u32) -> bool {
        self.marks.get(cluster) == OPEN && self.size(cluster) <= CRUMB
    }
    /// Whether it is tested: one that no cut touches belongs to the part beyond the region, and stays.
    #[inline(always)]
    fn is_tested(&self, cluster: u32) -> bool {
        !self.is_crumb(cluster) && self.marks.get(cluster) != BEYOND
    }
}

/// Sets 1 for each place in the lists of clusters of a face that is tested, else 0: faces spread over each
/// cluster.
#[kernel(threads = 256)]
pub fn flag_asked<'a>(place: Each, total: u32, clusters: Clusters<'a>, asked: Out<'a, u32>) {
    let cluster = clusters.of.get(clusters.faces.places.get(place));
    let mut is_asked = false;
    if cluster < total && clusters.is_tested(cluster) {
        let rank = place - clusters.faces.starts.get(cluster);
        let step = clusters.step(cluster);
        is_asked = rank % step == step / 2;
    }
    asked.set(place, is_asked as u32);
}

/// Stores a point just in front of each face that is tested.
#[kernel(threads = 256)]
pub fn place_before<'a>(
    i: Each,
    asked: In<'a, u32>,
    places: In<'a, u32>,
    positions: In<'a, Vec3>,
    faces: In<'a, u32>,
    points: Out<'a, Vec3>,
) {
    let f = places.get(asked.get(i));
    let [a, b, c] = [3 * f, 3 * f + 1, 3 * f + 2].map(|corner| positions.get(faces.get(corner)).as_dvec3());
    let mut shortest = (b - a).length_squared();
    for side in [c - b, a - c] {
        if side.length_squared() < shortest {
            shortest = side.length_squared();
        }
    }
    let normal = (b - a).cross(c - a);
    let length = libm::sqrt(normal.dot(normal));
    let unit = if length > 0.0 { normal / length } else { DVec3::ZERO };
    points.set(i, ((a + b + c) / 3.0 + BEFORE * libm::sqrt(shortest) * unit).as_vec3());
}

/// Counts for each cluster the tested points that are inside of the volume.
#[kernel(threads = 256)]
pub fn count_inside<'a>(
    i: Each,
    asked: In<'a, u32>,
    clusters: Clusters<'a>,
    winding: In<'a, f32>,
    inside: Out<'a, u32>,
) {
    if winding.get(i) != 0.0 {
        let cluster = clusters.of.get(clusters.faces.places.get(asked.get(i)));
        atomic::fetch_add(inside, cluster, 1, Relaxed, Device);
    }
}

/// Deletes crumbs, and the clusters of whose tested points most are inside.
#[kernel(threads = 256)]
pub fn cut_clusters<'a>(
    f: Each,
    total: u32,
    clusters: Clusters<'a>,
    inside: In<'a, u32>,
    gone: Out<'a, u32>,
) {
    let cluster = clusters.of.get(f);
    if cluster == total {
        return;
    }
    if clusters.is_crumb(cluster) {
        gone.set(f, CUT);
    } else if clusters.is_tested(cluster) && 2 * inside.get(cluster) > clusters.asked(cluster) {
        gone.set(f, INSIDE);
    }
}
