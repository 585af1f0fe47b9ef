//! Pieces of a mesh with vertices of their own.
use glam::{DVec2, DVec3};
use ribbonmesh::device::NONE;

/// Faces of a mesh, and how their sides are glued.
pub struct Glued<'a> {
    /// Positions of vertices, about 1 in size.
    pub positions: &'a [DVec3],
    /// Vertices of faces.
    pub faces: &'a [[u32; 3]],
    /// For each corner, the corner on the other side of its side; [`NONE`] on the boundary.
    pub twins: &'a [u32],
    /// The piece of each face; [`NONE`] for a face of none.
    pub pieces: &'a [u32],
    /// The place of each face in its piece.
    pub places: &'a [u32],
}
impl Glued<'_> {
    /// The vertices of a face in space.
    pub fn corners(&self, face: u32) -> [DVec3; 3] {
        self.faces[face as usize].map(|v| self.positions[v as usize])
    }
    /// The face on the other side of a corner's side, if it is of the same piece, and its corner there.
    pub fn across(&self, corner: u32) -> Option<u32> {
        let twin = self.twins[corner as usize];
        let same = |twin: u32| self.pieces[twin as usize / 3] == self.pieces[corner as usize / 3];
        (twin != NONE && same(twin)).then_some(twin)
    }
}

/// A piece of a mesh as a surface of its own: its vertices are the fans of its faces.
pub struct Disk {
    /// Faces of the mesh.
    pub faces: Vec<u32>,
    /// The piece's vertices of these.
    pub corners: Vec<[u32; 3]>,
    /// The number of vertices.
    pub vertices: usize,
    /// Boundary loops, each a list of vertices.
    pub loops: Vec<Vec<u32>>,
    /// The edges within.
    inner_edges: usize,
}

impl Disk {
    /// Glues the faces of a piece.
    pub fn new(mesh: &Glued<'_>, faces: Vec<u32>) -> Self {
        let local = |corner: u32| 3 * mesh.places[corner as usize / 3] as usize + corner as usize % 3;
        let mut number = vec![NONE; 3 * faces.len()];
        let mut vertices = 0;
        let mut next = vec![];
        let mut inner_sides = 0;
        for &face in &faces {
            for corner in 3 * face..3 * face + 3 {
                inner_sides += usize::from(mesh.across(corner).is_some());
                if number[local(corner)] != NONE {
                    continue;
                }
                // around the corner: back to the first face of the fan, then through it
                let mut first = corner;
                while let Some(twin) = mesh.across(first) {
                    first = after(twin);
                    if first == corner {
                        break;
                    }
                }
                let mut at = first;
                loop {
                    number[local(at)] = vertices;
                    match mesh.across(before(at)) {
                        Some(twin) if twin != first => at = twin,
                        _ => break,
                    }
                }
                vertices += 1;
            }
        }
        let corners: Vec<[u32; 3]> = (0..faces.len()).map(|f| [0, 1, 2].map(|k| number[3 * f + k])).collect();
        next.resize(vertices as usize, NONE);
        for &face in &faces {
            for corner in 3 * face..3 * face + 3 {
                if mesh.across(corner).is_none() {
                    next[number[local(corner)] as usize] = number[local(after(corner))];
                }
            }
        }
        let loops = loops(next);
        Self { faces, corners, vertices: vertices as usize, loops, inner_edges: inner_sides / 2 }
    }
    /// Vertices minus edges plus faces: 1 for a disk.
    pub fn euler_characteristic(&self) -> i64 {
        let edges = 3 * self.faces.len() - self.inner_edges;
        self.vertices as i64 - edges as i64 + self.faces.len() as i64
    }
    /// Whether it is a disk.
    pub fn is_disk(&self) -> bool {
        self.euler_characteristic() == 1 && self.loops.len() == 1
    }
    /// The position of each vertex in space.
    pub fn in_space(&self, mesh: &Glued<'_>) -> Vec<DVec3> {
        let mut at = vec![DVec3::ZERO; self.vertices];
        for (face, corners) in self.faces.iter().zip(&self.corners) {
            for (v, p) in corners.iter().zip(mesh.corners(*face)) {
                at[*v as usize] = p;
            }
        }
        at
    }
    /// The place of each vertex on the boundary by length, from 0 to 1; -1 for those within.
    pub fn boundary(&self, mesh: &Glued<'_>) -> Vec<f64> {
        let mut places = vec![-1.0; self.vertices];
        let at = self.in_space(mesh);
        for boundary in &self.loops {
            let n = boundary.len();
            let length = |i: usize| at[boundary[i] as usize].distance(at[boundary[(i + 1) % n] as usize]);
            let whole: f64 = (0..n).map(length).sum();
            // no two vertices at one place, and none beyond half of the circle
            let least = (0.05 * whole).max(f64::MIN_POSITIVE) / n as f64;
            let most = whole.max(f64::MIN_POSITIVE) / 3.0;
            let lengths: Vec<f64> = (0..n).map(|i| length(i).clamp(least, most)).collect();
            let (whole, mut sum) = (lengths.iter().sum::<f64>(), 0.0);
            for (v, length) in boundary.iter().zip(lengths) {
                places[*v as usize] = sum / whole;
                sum += length;
            }
        }
        places
    }
    /// The vertices seen along the mean normal of the faces.
    pub fn projected(&self, mesh: &Glued<'_>) -> Vec<DVec2> {
        let normal: DVec3 = self.faces.iter().map(|&f| normal(mesh.corners(f))).sum();
        let normal = normal.try_normalize().unwrap_or(DVec3::Z);
        let (right, up) = normal.any_orthonormal_pair();
        self.in_space(mesh).into_iter().map(|p| DVec2::new(p.dot(right), p.dot(up))).collect()
    }
    /// The shapes of the faces in the plane: see [`Charts::rest`](crate::device::chart::Charts). Of a
    /// triangle without height all sides become longer by the same, so that it has one.
    pub fn shapes(&self, mesh: &Glued<'_>) -> Vec<DVec3> {
        let sides = |f: u32| {
            let [a, b, c] = mesh.corners(f);
            [b - a, c - b, a - c].map(DVec3::length)
        };
        let all: f64 = self.faces.iter().flat_map(|&f| sides(f)).sum();
        let mean = (all / (3 * self.faces.len()) as f64).max(1e-12);
        self.faces.iter().map(|&f| shape(sides(f), mean)).collect()
    }
}

/// The part of the mean length by which two sides exceed the third.
const SLACK: f64 = 1e-4;

/// The inverse of a triangle's shape in the plane.
fn shape(sides: [f64; 3], mean: f64) -> DVec3 {
    let [a, b, c] = sides;
    let missing = [a + b - c, b + c - a, c + a - b].into_iter().fold(f64::INFINITY, f64::min);
    let longer =
        (SLACK * mean.min(sides.into_iter().fold(0.0, f64::max).max(1e-3 * mean)) - missing).max(0.0);
    let [a, b, c] = sides.map(|side| side + longer);
    let x = (a * a + c * c - b * b) / (2.0 * a);
    let y = (2.0 * area_by_heron([a, b, c]) / a).max(f64::MIN_POSITIVE);
    DVec3::new(1.0 / a, -x / (a * y), 1.0 / y)
}
/// The area of a triangle with these sides, in Kahan's order of Heron's formula.
fn area_by_heron(mut sides: [f64; 3]) -> f64 {
    sides.sort_by(f64::total_cmp);
    let [c, b, a] = sides;
    let product = (a + (b + c)) * (c - (a - b)) * (c + (a - b)) * (a + (b - c));
    0.25 * product.max(0.0).sqrt()
}

/// The normal of a triangle, as long as its area.
pub fn normal([a, b, c]: [DVec3; 3]) -> DVec3 {
    (b - a).cross(c - a) * 0.5
}
/// The corner after another one around its face.
pub fn after(corner: u32) -> u32 {
    if corner % 3 == 2 { corner - 2 } else { corner + 1 }
}
/// The corner before another one around its face.
pub fn before(corner: u32) -> u32 {
    if corner.is_multiple_of(3) { corner + 2 } else { corner - 1 }
}

/// The loops of a list of next vertices.
fn loops(mut next: Vec<u32>) -> Vec<Vec<u32>> {
    let mut found = vec![];
    for start in 0..next.len() {
        let (mut at, mut all) = (start, vec![]);
        while next[at] != NONE {
            all.push(at as u32);
            at = std::mem::replace(&mut next[at], NONE) as usize;
        }
        if !all.is_empty() {
            found.push(all);
        }
    }
    found
}
