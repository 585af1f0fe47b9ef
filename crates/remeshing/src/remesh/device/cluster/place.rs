//! Positions of the vertices that replace clusters: the point where the planes of the cluster's faces meet,
//! as far as they do (P. Lindstrom, *Out-of-core simplification of large polygonal models*, 2000, section 3),
//! else the centre of the cluster.
use glam::{DVec3, Vec3};
use ribbonmesh::array::GroupsView;
use ribbonmesh::device::math::sqrt;
use ribbonmesh::device::{Block, In, Out, Parameter, kernel};

/// Strength with which a vertex is drawn to the centre of its cluster, as a share of the strength with which
/// planes draw it. In directions in which planes have less influence than this, the centre decides.
const TO_CENTRE: f64 = 1e-3;

/// Clusters and the surface, for [`place`].
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Clusters<'a> {
    /// Positions of the surface.
    pub x: In<'a, Vec3>,
    /// Vertices of its faces.
    pub vertices: In<'a, u32>,
    /// The next corner of the same edge.
    pub ring: In<'a, u32>,
    /// The corners at each vertex.
    pub corners: GroupsView<'a>,
    /// The vertices of each cluster.
    pub members: GroupsView<'a>,
    /// Positions times this are not far from 1.
    pub scale: f32,
}

/// The sum of squared distances from planes, relative to a point.
struct Quadric {
    rows: [DVec3; 3],
    right: DVec3,
}
impl Quadric {
    /// Adds a plane with normal `n`, of any length, through `p`. The weight is the length of `n`.
    #[inline(always)]
    fn add(&mut self, n: Vec3, p: Vec3) {
        let length = sqrt(n.dot(n));
        if length > 0.0 {
            let (n, p, unit) = (n.as_dvec3(), p.as_dvec3(), 1.0 / length as f64);
            let m = n * unit;
            self.rows[0] += m * n.x;
            self.rows[1] += m * n.y;
            self.rows[2] += m * n.z;
            self.right += n * m.dot(p);
        }
    }
    /// The point with the smallest sum, drawn to the origin.
    #[inline(always)]
    fn least(&self) -> DVec3 {
        let [a, b, c] = self.rows;
        let more = TO_CENTRE * (a.x + b.y + c.z);
        let (a, b, c) = (a + DVec3::X * more, b + DVec3::Y * more, c + DVec3::Z * more);
        let (bc, ca, ab) = (b.cross(c), c.cross(a), a.cross(b));
        let det = a.dot(bc);
        if det > 0.0 {
            DVec3::new(bc.dot(self.right), ca.dot(self.right), ab.dot(self.right)) / det
        } else {
            DVec3::ZERO
        }
    }
}

/// Clusters per block: one per thread.
pub const PLACES: u32 = 128;

/// Computes the position of each cluster, and the smallest of its vertices; a cluster of one vertex is
/// exactly there. `centres` has the centres at the beginning and the positions at the end. One block per
/// [`PLACES`].
#[kernel(threads = 128)]
pub fn place<'a>(block: &Block, s: Clusters<'a>, centres: Out<'a, Vec3>, sources: Out<'a, u32>) {
    let (n, base) = (centres.len() as u32, PLACES * block.index());
    block.for_each_nosync(if n - base < PLACES { n - base } else { PLACES }, |i| {
        let k = base + i;
        let centre = centres.get(k);
        let at = |v: u32| (s.x.get(v) - centre) * s.scale;
        let mut quadric = Quadric { rows: [DVec3::ZERO; 3], right: DVec3::ZERO };
        let mut farthest = 0.0_f32;
        let (mut i, end) = s.members.range(k);
        let smallest = s.members.places.get(i);
        sources.set(k, smallest);
        let corners = s.corners.range(smallest);
        if end - i == 1 || corners.0 == corners.1 {
            // a vertex by itself, or without faces
            return centres.set(k, s.x.get(smallest));
        }
        while i < end {
            let v = s.members.places.get(i);
            i += 1;
            let p = at(v);
            farthest = farthest.max(p.length_squared());
            let (mut j, last) = s.corners.range(v);
            while j < last {
                let c = s.corners.places.get(j);
                j += 1;
                let face = c - c % 3;
                let [next, before] =
                    [face + (c + 1) % 3, face + (c + 2) % 3].map(|c| (c, at(s.vertices.get(c))));
                let n = (next.1 - p).cross(before.1 - p);
                quadric.add(n, p);
                // planes through the boundary, upright on its faces
                if s.ring.get(c) == c || s.ring.get(before.0) == before.0 {
                    let length = sqrt(n.dot(n));
                    let n = if length > 0.0 { n / length } else { Vec3::ZERO };
                    for (on, to) in [(c, next.1), (before.0, before.1)] {
                        if s.ring.get(on) == on {
                            let side = to - p;
                            quadric.add(side.cross(n) * sqrt(side.dot(side)), p);
                        }
                    }
                }
            }
        }
        let step = quadric.least().as_vec3();
        // nearly parallel planes may meet far away
        if step.length_squared() <= farthest {
            centres.set(k, centre + step / s.scale);
        }
    });
}
