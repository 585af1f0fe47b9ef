//! The surface of the particles, and the motion of vertices that follow it.
//!
//! The field at a position is the sum of the weights of the particles around it: 1 within the liquid, 0
//! outside, and one half at a plane surface. The surface is a level set of the field.
use super::cells::Cells;
use super::smoothing::{Smoothing, unpack};
use bytemuck::{Pod, Zeroable};
use glam::Vec3;
use ribbonmesh::device::math::sqrt;
use ribbonmesh::device::{Block, In, Out, Parameter, Quad, Values, ValuesMut, Vertex, VertexId, kernel};
use ribbonmesh::dynamic::{DynamicView, MeshRef};
use ribbonmesh_track::rank::{VERTICES, star};

use super::cells::part_of;

/// Newton steps towards the surface.
const STEPS: u32 = 2;
/// Distances in cells at which particles are searched for, one after the other, until there are some.
const REACHES: [i32; 3] = [1, 2, 4];

/// Particles in the order of cells.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Cloud<'a> {
    /// Cells with edges of the kernels' radius.
    pub cells: Cells<'a>,
    /// The positions, packed.
    pub points: In<'a, Quad>,
    /// The kernels.
    pub smoothing: Smoothing,
}
impl Cloud<'_> {
    /// The field at a position, and its derivative.
    #[inline(always)]
    pub fn field(&self, p: Vec3) -> (f32, Vec3) {
        let (mut sum, mut gradient) = (0.0, Vec3::ZERO);
        self.cells.near(p, 1, |l| {
            let way = p - unpack(self.points.get(l)).0;
            sum += self.smoothing.weight_at(way.length_squared());
            gradient += self.smoothing.gradient_at(way);
        });
        (sum, gradient)
    }
    /// The mean displacement of the particles around a position, nearer ones counting more; `None` without
    /// particles within four radii.
    #[inline(always)]
    pub fn way(&self, p: Vec3, ways: In<'_, Quad>) -> Option<Vec3> {
        for reach in REACHES {
            let square = self.smoothing.square * (reach * reach) as f32;
            let (mut weights, mut sum) = (0.0, Vec3::ZERO);
            self.cells.near(p, reach, |l| {
                let rest = 1.0 - (p - unpack(self.points.get(l)).0).length_squared() / square;
                if rest > 0.0 {
                    let weight = rest * rest * rest;
                    weights += weight;
                    sum += weight * unpack(ways.get(l)).0;
                }
            });
            // a single particle at nine tenths of the radius is not enough
            if weights > 0.007 {
                return Some(sum / weights);
            }
        }
        None
    }
}

/// Parameters of vertices that follow the surface in a step.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct Following {
    /// The field's value at the surface.
    pub level: f32,
    /// The longest step to the surface.
    pub draw: f32,
    /// The part of the distance to the middle of the faces around by which vertices move.
    pub relax: f32,
    /// Reciprocal of the time step.
    pub per: f32,
    /// Displacement of a vertex without particles: its fall.
    pub fall: [f32; 3],
}

/// Computes the velocity of each vertex: it moves with the particles around it, and then to the surface.
/// `before` and `after` are the particles at the beginning and at the end of the step, `ways` the
/// displacements of the particles of `before`. Needs half-edges of vertices. One block per [`VERTICES`].
#[kernel(threads = 128)]
pub fn carry<'a>(
    block: &Block,
    mesh: DynamicView<'a>,
    x: Values<'a, Vertex, Vec3>,
    n: u32,
    before: Cloud<'a>,
    ways: In<'a, Quad>,
    after: Cloud<'a>,
    following: Following,
    velocities: ValuesMut<'a, Vertex, Vec3>,
) {
    let base = VERTICES * block.index();
    block.for_each_nosync(if n - base < VERTICES { n - base } else { VERTICES }, |i| {
        let v = VertexId::new(base + i);
        let Some(h) = mesh.half_edge_at(v) else {
            return velocities.set(v, Vec3::ZERO);
        };
        let p = x.get(v);
        let sums = star(mesh, x, h);
        let length = sqrt(sums.normals.length_squared());
        let normal = if length > 0.0 { sums.normals / length } else { Vec3::ZERO };
        let middle = if sums.area > 0.0 { sums.ways / (3.0 * sums.area) } else { Vec3::ZERO };
        let way = match before.way(p, ways) {
            Some(way) => way,
            None => Vec3::from_array(following.fall),
        };
        let moved = way + following.relax * middle;
        let drawn = to_surface(after, p + moved, normal, &following);
        velocities.set(v, following.per * (moved + drawn));
    });
}

/// The displacement from a position to the surface, or the longest allowed one towards it. It is along the
/// field's derivative; where that is 0, along the normal of the mesh, so that voids are filled, and films
/// without particles get thinner.
#[inline(always)]
fn to_surface(cloud: Cloud<'_>, p: Vec3, normal: Vec3, following: &Following) -> Vec3 {
    let radius = cloud.smoothing.radius;
    let mut way = Vec3::ZERO;
    for _ in 0..STEPS {
        let (value, gradient) = cloud.field(p + way);
        let slope = radius * sqrt(gradient.length_squared());
        let towards = 0.25 * normal - radius * gradient;
        let length = sqrt(towards.length_squared());
        if length < 1e-6 {
            break;
        }
        let far = (value - following.level) * radius / if slope > 0.5 { slope } else { 0.5 };
        let far = far.clamp(-following.draw, following.draw);
        way += towards * (far / length);
        let square = way.length_squared();
        if square > following.draw * following.draw {
            way *= following.draw / sqrt(square);
        }
    }
    way
}

/// Computes the field at positions.
#[kernel(threads = 128)]
pub fn sample<'a>(block: &Block, n: u32, cloud: Cloud<'a>, places: In<'a, Vec3>, values: Out<'a, f32>) {
    let (base, count) = part_of(block, n);
    block.for_each_nosync(count, |i| values.set(base + i, cloud.field(places.get(base + i)).0));
}
