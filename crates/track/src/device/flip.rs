//! Flipping edges.
use super::values::*;
use glam::Vec3;
use ribbonmesh::device::math::sqrt;
use ribbonmesh::device::{Edge, EdgeId, Parameter, VertexId};
use ribbonmesh::dynamic::fillings;
use ribbonmesh::dynamic::templates::FacesOfEdge;
use ribbonmesh::dynamic::{LocalEdge, MeshRef, Operator, Rejection, operator};
use ribbonmesh::features::triangle::{normal, not_delaunay, smallest_sine};

/// Least excess of the sum of two opposite angles over 180°, as a sine, for which an edge is flipped.
const BEYOND: f32 = 1e-2;
/// Greatest ratio of the squared lengths of the new and the old diagonal.
const SHORTENS: f32 = 0.999;
/// Greatest change of the area of the two faces by a flip, as a part of it.
const AREA: f32 = 0.1;

/// Flips edges that are not Delaunay, or that get shorter by it. The surface and its normals must not change
/// much.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Flip<'a> {
    /// The attributes.
    pub values: Values<'a>,
}

impl Flip<'_> {
    /// The reason, if there is one, why the edge a b with faces a b c and b a d may not be flipped.
    #[inline(always)]
    fn check(&self, ids: [VertexId; 4]) -> Result<(), Rejection> {
        let v = &self.values;
        if v.held(ids[0]) || v.held(ids[1]) || v.held(ids[2]) || v.held(ids[3]) {
            return Err(PINNED);
        }
        if v.criteria.has(RANKS) && (v.rank.get(ids[0]) > 1 || v.rank.get(ids[1]) > 1) {
            return Err(PINNED);
        }
        let longest = v.criteria.longest * v.scale([ids[2], ids[3]]);
        let [a, b, c, d] = ids.map(|u| v.x.get(u));
        let across = (d - c).length_squared();
        if across > longest * longest && across > (b - a).length_squared() {
            return Err(TOO_LONG);
        }
        let volume = (b - a).dot((c - a).cross(d - a)) / 6.0;
        if volume.abs() > v.criteria.volume {
            return Err(VOLUME);
        }
        let (old, new) = ([[a, b, c], [b, a, d]], [[c, a, d], [d, b, c]]);
        let (n, m) = (old.map(normal), new.map(normal));
        let agree = |p: Vec3, q: Vec3| p.dot(q) > 0.0;
        let all = agree(m[0], m[1]) && n.map(|n| agree(n, m[0]) && agree(n, m[1])) == [true; 2];
        if agree(n[0], n[1]) && !all {
            return Err(TURNS);
        }
        let twice = |n: Vec3| sqrt(n.length_squared());
        let (before, after) = (n.map(twice), m.map(twice));
        let (was, is) = (before[0] + before[1], after[0] + after[1]);
        if (was - is).abs() > AREA * was {
            return Err(VOLUME);
        }
        let worst = [before[0].min(before[1]), smallest_sine(old[0]).min(smallest_sine(old[1]))];
        if v.criteria.thin(new[0], after[0], worst) || v.criteria.thin(new[1], after[1], worst) {
            return Err(SLIVER);
        }
        Ok(())
    }
}

#[operator(seed = Edge, cavity = FacesOfEdge, filling = fillings::Flip)]
impl Operator for Flip<'_> {
    fn priority_local(&self, edge: LocalEdge<impl MeshRef>) -> Option<f32> {
        let v = &self.values;
        let x = edge.diamond()?.corners()?.map(|u| v.x.get(u));
        let [a, b, c, d] = x;
        let wanted = if v.criteria.has(SHORTER) {
            (d - c).length_squared() < SHORTENS * (b - a).length_squared()
        } else {
            not_delaunay(x, BEYOND)
        };
        wanted.then_some(0.0)
    }
    fn precheck(&self, mesh: impl MeshRef, seed: EdgeId) -> Result<(), Rejection> {
        let corners = mesh.diamond(seed).and_then(|diamond| diamond.corners());
        corners.map_or(Ok(()), |corners| self.check(corners))
    }
}
