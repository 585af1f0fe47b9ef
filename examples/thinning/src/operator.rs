//! The operator: which vertices go, in which order, and what fills the hole that one leaves.
use ribbonmesh::device::math::sqrt;
use ribbonmesh::device::{ElementKind, In, NONE, Out, Parameter, Vec3};
use ribbonmesh_dynamic::{Cavity, DynamicView, Fill, Operator, Refusal, refusals, templates};

/// Refused: no vertex of the loop sees all others, or only along slivers.
pub const HIDDEN: Refusal = refusals::USER;

/// Vertices with more faces stay: the time to choose a fan is quadratic in their number.
const MOST_FACES: u32 = 12;
/// A face whose height is less than about this part of its longest side is a sliver.
const SLIVER: f32 = 0.04;

/// Removes vertices around which the surface is flat.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Thin<'a> {
    /// Positions of vertices.
    pub x: In<'a, Vec3>,
    /// What each face holds. The new faces get what the deleted ones had, by their areas.
    pub amount: Out<'a, f32>,
    /// The cosine of the largest angle between the normal of a face and the mean normal at its vertex.
    pub least_cosine: f32,
}

/// The normal of a triangle, as long as twice its area.
#[inline(always)]
fn normal([a, b, c]: [Vec3; 3]) -> Vec3 {
    (b - a).cross(c - a)
}

impl Operator for Thin<'_> {
    const SEED: ElementKind = ElementKind::Vertex;
    const CLAIMS: bool = true;
    const GROWS: bool = false;

    /// Flat vertices inside of the surface, the flattest first.
    #[inline(always)]
    fn propose(&self, mesh: DynamicView<'_>, v: u32) -> Option<f32> {
        let h = mesh.vh.get(v);
        if mesh.on_boundary(h) {
            return None;
        }
        let of_face = |g: u32| {
            let [a, b, c, _] = mesh.corners(g >> 2);
            normal([a, b, c].map(|v| self.x.get(v)))
        };
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

    /// The cavity is the star of the vertex.
    #[inline(always)]
    fn faces(&self, mesh: DynamicView<'_>, v: u32, visit: impl FnMut(u32)) {
        templates::star(mesh, v, visit)
    }

    /// Joins the vertices of the loop with one of them, the hub.
    #[inline(always)]
    fn fill<F: Fill>(&self, cavity: &Cavity<'_>, fill: &mut F) {
        let hub = best_hub(self.x, cavity);
        if hub == NONE {
            return fill.refuse(HIDDEN);
        }
        let at = |i: u32| self.x.get(cavity.vertex(i));
        let area = |i: u32| normal([at(hub), at(i), at(cavity.after(i))]).length();
        // what the deleted faces held, for each unit of area: before one of them is made anew
        let mut share = 0.0;
        fill.write(|| {
            let (mut held, mut whole) = (0.0, 0.0);
            for k in 0..cavity.deleted_faces() {
                held += self.amount.get(cavity.deleted_face(k));
            }
            for i in 0..cavity.len() {
                whole += area(i);
            }
            share = held / whole;
        });
        // a face on each side that does not meet the hub; between two of them a new edge, the spoke
        let (mut spoke, mut i) = (cavity.side(hub), cavity.after(hub));
        while cavity.after(i) != hub {
            let end = cavity.after(i);
            let back = if cavity.after(end) == hub {
                cavity.side(end)
            } else {
                fill.edge(cavity.vertex(end), cavity.vertex(hub))
            };
            let face = fill.face([spoke, cavity.side(i), back]);
            fill.write(|| self.amount.set(face, share * area(i)));
            (spoke, i) = (back.reversed(), end);
        }
    }
}

/// The index on the loop of the vertex whose fan has the best worst face; `NONE` if all have a sliver, or a face that is
/// turned over.
///
/// Not inlined: a filling is planned before it is made, both times with the same answer. Of two copies of this function
/// the compiler could fuse other multiplications with additions, and round otherwise.
#[inline(never)]
fn best_hub(x: In<'_, Vec3>, cavity: &Cavity<'_>) -> u32 {
    let at = |i: u32| x.get(cavity.vertex(i));
    let mut up = Vec3::ZERO;
    for i in 0..cavity.len() {
        up += normal([at(0), at(i), at(cavity.after(i))]);
    }
    let (mut best, mut most) = (NONE, SLIVER * 0.5 * up.length());
    for hub in 0..cavity.len() {
        let (mut worst, mut i) = (f32::INFINITY, cavity.after(hub));
        while cavity.after(i) != hub {
            let [a, b, c] = [at(hub), at(i), at(cavity.after(i))];
            let squares = (b - a).length_squared() + (c - b).length_squared() + (a - c).length_squared();
            worst = worst.min(normal([a, b, c]).dot(up) / squares);
            i = cavity.after(i);
        }
        if worst > most {
            (best, most) = (hub, worst);
        }
    }
    best
}

ribbonmesh_dynamic::operator! {
    /// Of [`Thin`].
    Thin<'a>: thin_claim ThinClaim, thin_apply ThinApply
}
