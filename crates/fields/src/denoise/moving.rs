//! Moving vertices: to filtered normals, and by Taubin's filter.
use crate::denoise::exact::{dot, product, root, scaled};
use crate::denoise::faces::{Faces, Rows, centre, rounded};
use glam::{DVec3, Vec3};
use ribbonmesh::device::{Block, Each, In, Out, Parameter, kernel};

/// Bound on the movement of vertices.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Bound<'a> {
    /// Positions at the beginning.
    pub first: In<'a, Vec3>,
    /// 1 for a vertex that stays; empty if all move.
    pub fixed: In<'a, u32>,
    /// Greatest distance of a vertex from its first position.
    pub most: f32,
}
impl Bound<'_> {
    /// The new position of vertex `v`, which would be at `to` without the bound.
    #[inline(always)]
    fn moved(&self, v: u32, to: Vec3) -> Vec3 {
        let first = self.first.get(v);
        if !self.fixed.is_empty() && self.fixed.get(v) != 0 {
            return first;
        }
        let way = to - first;
        let length = root(dot(way, way));
        if length <= self.most as f64 {
            return to;
        }
        let part = (self.most as f64 / length) as f32;
        let at = |a: f32, w: f32| (a as f64 + product(part, w)) as f32;
        Vec3::new(at(first.x, way.x), at(first.y, way.y), at(first.z, way.z))
    }
}

/// Runs one step of Sun, Rosin, Martin and Langbein 2007, equation 13: every vertex moves by the mean, over
/// its faces, of the offset to the plane through the face's centre with the filtered normal.
#[kernel(threads = 128)]
pub fn follow_normals<'a>(
    v: Each,
    faces: Faces<'a>,
    normals: In<'a, Vec3>,
    x: In<'a, Vec3>,
    bound: Bound<'a>,
    y: Out<'a, Vec3>,
) {
    let at = x.get(v);
    let (mut sum, mut count) = (DVec3::ZERO, 0.0);
    faces.of_vertices.of(v, |f| {
        let normal = normals.get(f);
        if normal != Vec3::ZERO {
            let to = centre(faces.of(f).map(|u| x.get(u)));
            sum += scaled(dot(normal, to - at) as f32, normal);
            count += 1.0;
        }
    });
    if count == 0.0 {
        return y.set(v, at);
    }
    let step = rounded(sum / count);
    y.set(v, bound.moved(v, at + step));
}

/// Runs one step of Taubin 1995: every vertex moves by `factor` times the mean of its neighbours' differences
/// from it. Only neighbours on the boundary count for a vertex on the boundary.
#[kernel(threads = 128)]
pub fn umbrella<'a>(
    v: Each,
    neighbours: Rows<'a>,
    boundary: In<'a, u32>,
    factor: f32,
    x: In<'a, Vec3>,
    bound: Bound<'a>,
    y: Out<'a, Vec3>,
) {
    let (at, border) = (x.get(v), boundary.get(v) != 0);
    let (mut sum, mut count) = (DVec3::ZERO, 0.0);
    neighbours.of(v, |u| {
        if !border || boundary.get(u) != 0 {
            let d = x.get(u) - at;
            sum += DVec3::new(d.x as f64, d.y as f64, d.z as f64);
            count += 1.0;
        }
    });
    if count == 0.0 {
        return y.set(v, at);
    }
    let mean = rounded(sum / count);
    let to = |a: f32, d: f32| (a as f64 + product(factor, d)) as f32;
    let to = Vec3::new(to(at.x, mean.x), to(at.y, mean.y), to(at.z, mean.z));
    y.set(v, bound.moved(v, to));
}

/// Computes `factor` times the positions. Blocks: tiles.
#[kernel(threads = 256)]
pub fn scale_positions<'a>(block: &Block, factor: f32, from: In<'a, Vec3>, to: Out<'a, Vec3>) {
    block.for_each_of_tile(to.len() as u32, |v| to.set(v, from.get(v) * factor));
}
