//! Half-edges on the host.
use crate::device::triangle::{area, cotangent, other_diagonal};
use glam::DVec2;

/// As for flips on a device.
const TOLERANCE: f64 = 2e-6;

/// Half-edges on the host.
#[derive(Clone, Debug)]
pub struct Links {
    pub twin: Vec<u32>,
    pub next: Vec<u32>,
    pub origin: Vec<u32>,
    pub length: Vec<f64>,
    /// The fan of triangles around the origin: a vertex of a cover may have several.
    pub fan: Vec<u32>,
}
impl Links {
    pub fn around(&self, h: u32) -> [u32; 3] {
        let next = self.next[h as usize];
        [h, next, self.next[next as usize]]
    }
    pub fn lengths(&self, h: u32) -> [f64; 3] {
        self.around(h).map(|h| self.length[h as usize])
    }
    pub fn twin(&self, h: u32) -> u32 {
        self.twin[h as usize]
    }
    /// The next half-edge around the origin, counterclockwise.
    pub fn turned(&self, h: u32) -> u32 {
        self.twin(self.around(h)[2])
    }
    /// The number of an edge: the lesser of its half-edges.
    pub fn edge(&self, h: u32) -> u32 {
        h.min(self.twin(h))
    }
    /// The number of a triangle: the least of its half-edges.
    pub fn triangle(&self, h: u32) -> u32 {
        let [a, b, c] = self.around(h);
        a.min(b).min(c)
    }
    /// One half-edge of each triangle.
    pub fn triangles(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.twin.len() as u32).filter(|&h| self.triangle(h) == h)
    }
    pub fn ends(&self, h: u32) -> [u32; 2] {
        [self.origin[h as usize], self.origin[self.twin(h) as usize]]
    }
    /// The place of the vertex opposite to a half-edge along the x axis, above it.
    pub fn opposite(&self, h: u32) -> DVec2 {
        let [a, b, c] = self.lengths(h);
        DVec2::new(((a - b) * (a + b) + c * c) / (2.0 * a), 2.0 * area(a, b, c) / a)
    }
    /// The corners of a triangle in a plane, the given half-edge along the x axis.
    pub fn laid_out(&self, h: u32) -> [DVec2; 3] {
        [DVec2::ZERO, DVec2::new(self.length[h as usize], 0.0), self.opposite(h)]
    }
    /// The angles at the corners of a triangle, in radians.
    pub fn angles(&self, h: u32) -> [f64; 3] {
        let [a, b, c] = self.lengths(h);
        // the corner at which a half-edge begins is opposite to the next one
        [[b, c, a], [c, a, b], [a, b, c]].map(|[opposite, x, y]| {
            let across = 4.0 * area(opposite, x, y);
            across.atan2((x - opposite) * (x + opposite) + y * y)
        })
    }
    /// Whether an edge is not Delaunay, and can be flipped.
    pub fn wants(&self, h: u32) -> bool {
        let t = self.twin(h);
        let around = self.around(h);
        if around[1] == t || around[2] == t {
            return false;
        }
        let ([a, b, c], [_, d, e]) = (self.lengths(h), self.lengths(t));
        let sum = cotangent(a, b, c) + cotangent(a, d, e);
        let length = other_diagonal(a, [c, b], [d, e]);
        sum < -TOLERANCE && length > 0.0 && length.is_finite()
    }
    /// Replaces an edge by the other diagonal of its two triangles.
    pub fn flip(&mut self, h: u32) {
        let t = self.twin(h);
        let (a, b) = (self.around(h), self.around(t));
        let ([e, p, q], [_, r, s]) = (self.lengths(h), self.lengths(t));
        let new = other_diagonal(e, [q, p], [r, s]);
        for (x, from) in [(h, b[2]), (t, a[2])] {
            self.origin[x as usize] = self.origin[from as usize];
            self.fan[x as usize] = self.fan[from as usize];
        }
        for [x, y, z] in [[h, a[2], b[1]], [t, b[2], a[1]]] {
            self.glue([x, y, z]);
            self.length[x as usize] = new;
        }
    }
    /// Makes three half-edges a triangle.
    pub fn glue(&mut self, [x, y, z]: [u32; 3]) {
        self.next[x as usize] = y;
        self.next[y as usize] = z;
        self.next[z as usize] = x;
    }
    /// Adds an edge that belongs to no triangle yet: its half-edge from the first end; the other one follows.
    pub fn add_edge(&mut self, origins: [u32; 2], fans: [u32; 2], length: f64) -> u32 {
        let h = self.twin.len() as u32;
        self.twin.extend([h + 1, h]);
        self.next.extend([h, h + 1]);
        self.origin.extend(origins);
        self.fan.extend(fans);
        self.length.extend([length; 2]);
        h
    }
}
