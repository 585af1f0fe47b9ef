//! Charts as kernels see them: disks whose triangles know their shape in the plane.
use super::complex::{Linear, turned};
use glam::{DVec2, DVec3};
use ribbonmesh::device::{Block, In, Parameter};

/// Many charts, each with vertices and faces of its own.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Charts<'a> {
    /// The first vertex of each chart, and the end.
    pub vertex_starts: In<'a, u32>,
    /// The first face of each chart, and the end.
    pub face_starts: In<'a, u32>,
    /// Three vertices of each face.
    pub faces: In<'a, u32>,
    /// The first place of each vertex in `stars`, and the end.
    pub star_starts: In<'a, u32>,
    /// The corners of each vertex.
    pub stars: In<'a, u32>,
    /// For each face (a, b, c): the inverse of its shape (1/a, -b/(a c); 0, 1/c) in the plane.
    pub rest: In<'a, DVec3>,
    /// The place of each vertex on the boundary, from 0 to 1; -1 within.
    pub boundary: In<'a, f64>,
}

/// The vertices and faces of a chart.
#[derive(Clone, Copy)]
pub struct Chart {
    /// The first vertex.
    pub vertex: u32,
    /// The number of vertices.
    pub vertices: u32,
    /// The first face.
    pub face: u32,
    /// The number of faces.
    pub faces: u32,
}

/// How a corner enters the columns of a face's map.
#[inline(always)]
pub fn weights(rest: DVec3, corner: u32) -> DVec2 {
    match corner {
        0 => DVec2::new(-rest.x, -rest.y - rest.z),
        1 => DVec2::new(rest.x, rest.y),
        _ => DVec2::new(0.0, rest.z),
    }
}
/// The map of a face from its shape to the plane, where its vertices have these positions.
#[inline(always)]
pub fn map_of(rest: DVec3, [p, q, r]: [DVec2; 3]) -> Linear {
    let (u, v) = (q - p, r - p);
    Linear::of_columns(u * rest.x, u * rest.y + v * rest.z)
}
/// The area of a face in space.
#[inline(always)]
pub fn area(rest: DVec3) -> f64 {
    0.5 / (rest.x * rest.z)
}
/// The force at a corner with these weights, for a derivative with respect to the map.
#[inline(always)]
pub fn force(derivative: Linear, weights: DVec2) -> DVec2 {
    let (first, second) = derivative.columns();
    first * weights.x + second * weights.y
}
/// The change of a map when a corner with these weights moves.
#[inline(always)]
pub fn response(weights: DVec2, by: DVec2) -> Linear {
    let other = turned(by) * weights.y;
    Linear { z: (by * weights.x - other) * 0.5, w: (by * weights.x + other) * 0.5 }
}

impl Charts<'_> {
    /// The chart of a block.
    #[inline(always)]
    pub fn of(&self, block: &Block) -> Chart {
        let i = block.index();
        let (vertex, face) = (self.vertex_starts.get(i), self.face_starts.get(i));
        Chart {
            vertex,
            vertices: self.vertex_starts.get(i + 1) - vertex,
            face,
            faces: self.face_starts.get(i + 1) - face,
        }
    }
    /// The map of a face, from its shape in space to the plane, where vertices have these positions.
    #[inline(always)]
    pub fn map(&self, face: u32, at: impl Fn(u32) -> DVec2) -> Linear {
        map_of(self.rest.get(face), [0, 1, 2].map(|k| at(self.faces.get(3 * face + k))))
    }
    /// Calls `f` with the face and the corner, 0 to 2, of each corner of a vertex.
    #[inline(always)]
    pub fn star(&self, vertex: u32, mut f: impl FnMut(u32, u32)) {
        let (mut k, end) = (self.star_starts.get(vertex), self.star_starts.get(vertex + 1));
        while k < end {
            let corner = self.stars.get(k);
            f(corner / 3, corner % 3);
            k += 1;
        }
    }
}
