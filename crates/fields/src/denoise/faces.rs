//! Faces, their neighbours and their shapes, in flat arrays.
use crate::denoise::exact::{cross, polar};
use crate::denoise::rows::VvRows;
use glam::{DVec3, Vec3};
use ribbonmesh::device::{Block, In, Out, Parameter, kernel};

/// Rows of ids of faces, as [`VvRows`] of vertices.
pub type Rows<'a> = VvRows<'a>;

/// The faces of a mesh.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Faces<'a> {
    /// Number of faces.
    pub n: u32,
    /// Three vertices of each face.
    pub corners: In<'a, u32>,
    /// The faces of each vertex, sorted.
    pub of_vertices: Rows<'a>,
}
impl Faces<'_> {
    /// The vertices of face `f`.
    #[inline(always)]
    pub fn of(&self, f: u32) -> [u32; 3] {
        [self.corners.get(3 * f), self.corners.get(3 * f + 1), self.corners.get(3 * f + 2)]
    }
    /// Whether `g` has the vertex `v`.
    #[inline(always)]
    fn has(&self, g: u32, v: u32) -> bool {
        let [p, q, r] = self.of(g);
        p == v || q == v || r == v
    }
    /// Whether `v` has more faces than [`MOST_FACES`].
    #[inline(always)]
    fn is_hub(&self, v: u32) -> bool {
        self.of_vertices.offsets.get(v + 1) - self.of_vertices.offsets.get(v) > MOST_FACES
    }
    /// Runs `each` once for every other face that shares a vertex with `f` which is not a hub, in a fixed
    /// order.
    #[inline(always)]
    fn around(&self, f: u32, mut each: impl FnMut(u32)) {
        let [a, b, c] = self.of(f);
        let (by_a, by_b) = (!self.is_hub(a), !self.is_hub(b));
        if by_a {
            self.of_vertices.of(a, |g| {
                if g != f {
                    each(g);
                }
            });
        }
        if by_b && b != a {
            self.of_vertices.of(b, |g| {
                if g != f && !(by_a && self.has(g, a)) {
                    each(g);
                }
            });
        }
        if !self.is_hub(c) && c != a && c != b {
            self.of_vertices.of(c, |g| {
                if g != f && !(by_a && self.has(g, a)) && !(by_b && self.has(g, b)) {
                    each(g);
                }
            });
        }
    }
}

/// Faces that share only a vertex with more faces than this, a hub, are not around each other: a fan of n
/// faces would have n² such pairs.
pub const MOST_FACES: u32 = 64;

/// Counts the faces around each face, which share a vertex with it that is not a hub.
#[kernel(threads = 128)]
pub fn count_around<'a>(block: &Block, faces: Faces<'a>, counts: Out<'a, u32>) {
    block.for_each_of_tile(faces.n, |f| {
        let mut count = 0;
        faces.around(f, |_| count += 1);
        counts.set(f, count);
    });
}
/// Lists the faces around each face.
#[kernel(threads = 128)]
pub fn list_around<'a>(block: &Block, faces: Faces<'a>, offsets: In<'a, u32>, to: Out<'a, u32>) {
    block.for_each_of_tile(faces.n, |f| {
        let mut at = offsets.get(f);
        faces.around(f, |g| {
            to.set(at, g);
            at += 1;
        });
    });
}

/// Finds the faces of corners. Blocks: tiles.
#[kernel(threads = 128)]
pub fn faces_of_corners<'a>(block: &Block, corners: In<'a, u32>, to: Out<'a, u32>) {
    block.for_each_of_tile(to.len() as u32, |k| to.set(k, corners.get(k) / 3));
}

/// Shapes of faces.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Shapes<'a> {
    /// Unit normals; 0 for a face without area.
    pub normals: In<'a, Vec3>,
    /// Means of the vertices.
    pub centres: In<'a, Vec3>,
    /// Twice the areas.
    pub areas: In<'a, f32>,
}

/// The mean of three positions.
#[inline(always)]
pub fn centre([a, b, c]: [Vec3; 3]) -> Vec3 {
    let third = |a: f32, b: f32, c: f32| ((a as f64 + b as f64 + c as f64) / 3.0) as f32;
    Vec3::new(third(a.x, b.x, c.x), third(a.y, b.y, c.y), third(a.z, b.z, c.z))
}
/// Twice the area of a triangle, and its unit normal.
#[inline(always)]
pub fn normal([a, b, c]: [Vec3; 3]) -> (f64, Vec3) {
    polar(cross(b - a, c - a))
}

/// Computes the shapes of faces.
#[kernel(threads = 128)]
pub fn measure_faces<'a>(
    block: &Block,
    faces: Faces<'a>,
    x: In<'a, Vec3>,
    normals: Out<'a, Vec3>,
    centres: Out<'a, Vec3>,
    areas: Out<'a, f32>,
) {
    block.for_each_of_tile(faces.n, |f| {
        let at = faces.of(f).map(|v| x.get(v));
        let (area, n) = normal(at);
        normals.set(f, n);
        centres.set(f, centre(at));
        areas.set(f, area as f32);
    });
}

/// A sum of vectors as `f32`.
#[inline(always)]
pub fn rounded(v: DVec3) -> Vec3 {
    Vec3::new(v.x as f32, v.y as f32, v.z as f32)
}
