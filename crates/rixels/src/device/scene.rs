//! Triangles with values.
use super::camera::{Camera, Corner};
use super::exact::{between, cross, greatest, least, mul};
use super::heights::{CENTRES, Grid};
use ribbonmesh::device::{Block, In, Parameter, StatusCode, Vec3};

/// Status: a face names a vertex that does not exist. Details: the face, the vertex.
pub const NO_VERTEX: u32 = StatusCode::User as u32;

/// No values.
pub const PLAIN: u32 = 0;
/// A value for each vertex.
pub const OF_VERTICES: u32 = 1;
/// A value for each face.
pub const OF_FACES: u32 = 2;

/// Triangles, listed or of a grid, and their values.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Surface<'a> {
    /// Places of vertices of a mesh.
    pub positions: In<'a, Vec3>,
    /// Vertices of faces of a mesh, three each.
    pub faces: In<'a, u32>,
    /// Heights of a grid; empty if it is flat.
    pub heights: In<'a, f32>,
    /// Whether a height counts; empty if all do.
    pub wet: In<'a, u8>,
    /// Values.
    pub values: In<'a, f32>,
    /// The grid.
    pub grid: Grid,
    /// [`PLAIN`], [`OF_VERTICES`] or [`OF_FACES`].
    pub of: u32,
    /// The number of faces.
    pub count: u32,
}

/// Methods know at compile time whether the surface is a `GRID`, 1, or a mesh, 0: kernels for meshes would be
/// slower by half if they could also draw grids.
impl Surface<'_> {
    #[inline(always)]
    fn vertices<const GRID: u32>(&self, face: u32) -> [u32; 3] {
        if GRID == 0 {
            [self.faces.get(3 * face), self.faces.get(3 * face + 1), self.faces.get(3 * face + 2)]
        } else {
            self.grid.vertices(face)
        }
    }
    #[inline(always)]
    fn corner<const GRID: u32>(
        &self,
        block: &Block,
        camera: &Camera,
        face: u32,
        vertex: u32,
    ) -> Option<Corner> {
        if GRID != 0 {
            return Some(camera.corner(self.grid.place(self.heights, self.wet, vertex)?));
        }
        let position = self.positions.try_get(vertex);
        if position.is_none() {
            block.status().record_code(NO_VERTEX, block.index(), face, vertex);
        }
        Some(camera.corner(position?))
    }
    /// The corners of a face; none if it has no height there; none, and a status, if a vertex does not exist.
    #[inline(always)]
    pub fn corners<const GRID: u32>(&self, block: &Block, camera: &Camera, face: u32) -> Option<[Corner; 3]> {
        if GRID != 0 && self.grid.kind == CENTRES {
            self.grid.sample(self.heights, self.wet, face / 2)?;
        }
        let [a, b, c] = self.vertices::<GRID>(face);
        Some([
            self.corner::<GRID>(block, camera, face, a)?,
            self.corner::<GRID>(block, camera, face, b)?,
            self.corner::<GRID>(block, camera, face, c)?,
        ])
    }
    /// The value of a face in the middle of a pixel; NaN if it has none that is finite.
    #[inline(always)]
    pub fn value<const GRID: u32>(&self, block: &Block, camera: &Camera, face: u32, x: u32, y: u32) -> f32 {
        let value = match self.of {
            PLAIN => Some(0.0),
            OF_FACES if GRID == 0 => self.values.try_get(face),
            OF_FACES => self.values.try_get(face / 2),
            _ => self.between_vertices::<GRID>(block, camera, face, x, y),
        };
        match value {
            Some(value) if value.is_finite() => value,
            _ => f32::NAN,
        }
    }
    #[inline(always)]
    fn between_vertices<const GRID: u32>(
        &self,
        block: &Block,
        camera: &Camera,
        face: u32,
        x: u32,
        y: u32,
    ) -> Option<f32> {
        let corners = self.corners::<GRID>(block, camera, face)?;
        let [a, b, c] = self.vertices::<GRID>(face);
        let (a, b, c) = (self.values.try_get(a)?, self.values.try_get(b)?, self.values.try_get(c)?);
        let [of_a, of_b, of_c] = shares(camera, corners, x, y);
        let value = mul(of_a, a) + mul(of_b, b) + mul(of_c, c);
        // NaN where one of them is NaN; the sum of two infinities is none
        let finite = a.is_finite() && b.is_finite() && c.is_finite();
        let value = between(value, least(least(a, b), c), greatest(greatest(a, b), c));
        if finite { Some(value) } else { None }
    }
}

/// The shares of the corners in the point of a face that the middle of a pixel shows: areas of the triangles
/// between the eye's ray and two corners each, which need no division, and so no clipping.
#[inline(always)]
fn shares(camera: &Camera, corners: [Corner; 3], x: u32, y: u32) -> [f32; 3] {
    let middle = camera.middle(x, y);
    // from the ray, so that little is lost in small faces
    let from_ray = |c: Corner| {
        let w = camera.divisor(c.away);
        [c.x - mul(middle[0], w), c.y - mul(middle[1], w)]
    };
    let [a, b, c] = [from_ray(corners[0]), from_ray(corners[1]), from_ray(corners[2])];
    let area = |p: [f32; 2], q: [f32; 2]| cross(p[0], q[1], p[1], q[0]);
    let (of_a, of_b, of_c) = (area(b, c), area(c, a), area(a, b));
    let sign = if of_a + of_b + of_c < 0.0 { -1.0 } else { 1.0 };
    // corners are placed on steps, so that the middle may be a little outside
    let inside = |of: f32| greatest(mul(sign, of), 0.0);
    let (of_a, of_b, of_c) = (inside(of_a), inside(of_b), inside(of_c));
    let sum = of_a + of_b + of_c;
    if sum > 0.0 && sum.is_finite() { [of_a / sum, of_b / sum, of_c / sum] } else { [1.0, 0.0, 0.0] }
}
