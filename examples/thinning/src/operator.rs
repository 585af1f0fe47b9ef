//! The operator: the vertices that are removed, their order, and the filling of the holes that they leave.
use ribbonmesh::device::math::sqrt;
use ribbonmesh::device::{Face, HalfEdge, NONE, Parameter, Values, ValuesMut, Vec3, Vertex, VertexId};
use ribbonmesh::dynamic::templates::StarOfVertex;
use ribbonmesh::dynamic::{Cavity, Fan, Fill, Filled, MeshRef, Operator, Rejection, operator};

/// No vertex of the loop sees all others, or only along slivers.
pub const HIDDEN: Rejection = Rejection::own(0);

/// Vertices with more faces stay: the time to choose a fan is quadratic in their number.
const MOST_FACES: u32 = 12;
/// A face whose height is less than about this part of its longest side is a sliver.
const SLIVER: f32 = 0.04;

/// Removes vertices around which the surface is flat.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Thin<'a> {
    /// Positions of vertices.
    pub x: Values<'a, Vertex, Vec3>,
    /// Value of each face. The new faces get what the deleted ones had, by their areas.
    pub amount: ValuesMut<'a, Face, f32>,
    /// The cosine of the largest angle between the normal of a face and the mean normal at its vertex.
    pub least_cosine: f32,
}

/// The normal of a triangle, as long as twice its area.
#[inline(always)]
fn normal([a, b, c]: [Vec3; 3]) -> Vec3 {
    (b - a).cross(c - a)
}

impl Thin<'_> {
    /// The vector area of the triangle of vertices `i`, `j` and `k` of the loop, twice.
    #[inline(always)]
    fn area(&self, cavity: &Cavity<'_, Vertex>, i: u32, j: u32, k: u32) -> Vec3 {
        normal([i, j, k].map(|i| self.x.get(cavity.vertex(i))))
    }
}

#[operator(seed = Vertex, cavity = StarOfVertex, in_place)]
impl Operator for Thin<'_> {
    /// The index on the loop of the vertex with which the others are joined, the hub.
    type Decision = u32;
    /// Value of the deleted faces for each unit of area.
    type Gathered = f32;
    type Made = Fan;

    /// Flat vertices inside of the surface, the flattest first.
    fn priority(&self, mesh: impl MeshRef, v: VertexId) -> Option<f32> {
        let h = mesh.half_edge_at(v)?;
        if mesh.on_boundary(h) {
            return None;
        }
        let of_face = |g: HalfEdge| normal(mesh.corners(g.face()).map(|v| self.x.get(v)));
        let (mut faces, mut mean) = (0, Vec3::ZERO);
        mesh.star(h, |g| {
            faces += 1;
            mean += of_face(g);
            faces <= MOST_FACES
        });
        if faces > MOST_FACES {
            return None;
        }
        let mut least = 1.0;
        mesh.star(h, |g| {
            let n = of_face(g);
            let cosine = n.dot(mean) / sqrt(n.dot(n) * mean.dot(mean));
            if cosine < least {
                least = cosine;
            }
            true
        });
        // only 16 bits of a priority count: they tell numbers near 0 apart, not those near 1
        if least >= self.least_cosine { Some(least - 1.0) } else { None }
    }

    /// The hub whose fan has the best worst face; `None` if all have a sliver, or a face that is turned over.
    fn decide(&self, _: impl MeshRef, cavity: &Cavity<'_, Vertex>) -> Result<u32, Rejection> {
        let mut up = Vec3::ZERO;
        for i in 0..cavity.len() {
            up += self.area(cavity, 0, i, cavity.after(i));
        }
        let (mut best, mut most) = (NONE, SLIVER * 0.5 * up.length());
        for hub in 0..cavity.len() {
            let (mut worst, mut i) = (f32::INFINITY, cavity.after(hub));
            while cavity.after(i) != hub {
                let [a, b, c] = [hub, i, cavity.after(i)].map(|i| self.x.get(cavity.vertex(i)));
                let squares = (b - a).length_squared() + (c - b).length_squared() + (a - c).length_squared();
                worst = worst.min(normal([a, b, c]).dot(up) / squares);
                i = cavity.after(i);
            }
            if worst > most {
                (best, most) = (hub, worst);
            }
        }
        if best == NONE { Err(HIDDEN) } else { Ok(best) }
    }

    fn gather(&self, cavity: &Cavity<'_, Vertex>, &hub: &u32) -> f32 {
        let (mut held, mut whole) = (0.0, 0.0);
        for k in 0..cavity.deleted_faces() {
            held += self.amount.get(cavity.deleted_face(k));
        }
        for i in 0..cavity.len() {
            whole += self.area(cavity, hub, i, cavity.after(i)).length();
        }
        held / whole
    }

    fn fill(cavity: &Cavity<'_, Vertex>, &hub: &u32, fill: &mut impl Fill) -> Result<Fan, Rejection> {
        Ok(fill.fan_of_loop(cavity, hub))
    }

    fn scatter(&self, cavity: &Filled<'_, Vertex>, &hub: &u32, share: f32, fan: &Fan) {
        for k in 0..fan.faces {
            let i = fan.side(cavity, k);
            let area = self.area(cavity, hub, i, cavity.after(i)).length();
            self.amount.set(fan.face(cavity, k), share * area);
        }
    }
}
