//! How much maps to the plane distort.
use super::disk::Glued;
use super::flatten::Flat;
use glam::DVec2;
use rayon::prelude::*;
use serde::Serialize;

/// Distortion of a map from a surface to the plane. Means are by area in space; triangles without area there,
/// and those that are turned over in the plane, do not count. With the singular values s ≥ t of a triangle's
/// map, after all of the map is scaled so that areas in space and in the plane have the same sum:
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Distortion {
    /// The mean of s/t: 1 where angles are kept.
    pub angle: f64,
    /// The mean of the greater of st and 1/(st): 1 where areas are kept.
    pub area: f64,
    /// The mean of the greater of s and 1/t: the factor by which lengths change most.
    pub lengths: f64,
    /// The root of the mean of (1/s² + 1/t²)/2 (L² stretch; Sander and others 2001): 1 for an isometry.
    pub stretch: f64,
    /// The greatest 1/t (L^∞ stretch).
    pub max_stretch: f64,
    /// The mean symmetric Dirichlet energy (s² + t² + 1/s² + 1/t²)/4: 1 for an isometry.
    pub dirichlet: f64,
}

/// Sums over triangles, in the scale of the map.
#[derive(Clone, Copy, Default)]
pub struct Sums {
    area: f64,
    flat_area: f64,
    angle: f64,
    lengths: f64,
    squares: f64,
    inverse_squares: f64,
    least: f64,
    /// Triangles whose corners do not turn left.
    pub folded: u64,
}
impl Sums {
    /// Those of a flat disk.
    pub fn of(mesh: &Glued<'_>, flat: &Flat) -> Self {
        let mut sums = Self { least: f64::INFINITY, ..Self::default() };
        for (face, corners) in flat.disk.faces.iter().zip(&flat.disk.corners) {
            sums.add(mesh.corners(*face), corners.map(|v| flat.positions[v as usize]));
        }
        sums
    }
    fn add(&mut self, [a, b, c]: [glam::DVec3; 3], [p, q, r]: [DVec2; 3]) {
        let twice = (q - p).perp_dot(r - p);
        self.folded += u64::from(twice.is_nan() || twice <= 0.0);
        let (u, v) = (b - a, c - a);
        let (long, height) = (u.length(), u.cross(v).length());
        if height <= 1e-12 * (u.length_squared() + v.length_squared()) || twice <= 0.0 {
            return;
        }
        let (x, y) = (v.dot(u) / long, height / long);
        let (first, second) = ((q - p) / long, (r - p) / y - (q - p) * (x / (long * y)));
        let (e, g) = (first.length_squared(), second.length_squared());
        let (trace, determinant) = (e + g, twice / height);
        let root = (trace * trace - 4.0 * determinant * determinant).max(0.0).sqrt();
        let (large, small) = ((0.5 * (trace + root)).sqrt(), determinant / (0.5 * (trace + root)).sqrt());
        let area = 0.5 * height;
        self.area += area;
        self.flat_area += 0.5 * twice;
        self.angle += area * large / small;
        self.lengths += area * large.max(1.0 / small);
        self.squares += area * trace;
        self.inverse_squares += area * (1.0 / (large * large) + 1.0 / (small * small));
        self.least = self.least.min(small);
    }
    fn and(self, other: Self) -> Self {
        Self {
            area: self.area + other.area,
            flat_area: self.flat_area + other.flat_area,
            angle: self.angle + other.angle,
            lengths: self.lengths + other.lengths,
            squares: self.squares + other.squares,
            inverse_squares: self.inverse_squares + other.inverse_squares,
            least: self.least.min(other.least),
            folded: self.folded + other.folded,
        }
    }
    /// The square of the factor that gives the map the area of space.
    fn scale(&self) -> f64 {
        if self.flat_area > 0.0 { self.area / self.flat_area } else { 1.0 }
    }
    /// The mean of the factor by which lengths change most, for a map of the scale of space.
    pub fn lengths(&self) -> f64 {
        if self.area > 0.0 { self.lengths / self.area } else { 1.0 }
    }
    /// The factor of lengths that gives the map the area of space.
    pub fn factor(&self) -> f64 {
        self.scale().sqrt()
    }
    /// The L² stretch.
    pub fn stretch(&self) -> f64 {
        if self.area > 0.0 { (0.5 * self.inverse_squares / self.scale() / self.area).sqrt() } else { 1.0 }
    }
}

/// The distortion of all maps together.
pub fn distortion(mesh: &Glued<'_>, flats: &[Flat]) -> Distortion {
    let sums: Vec<Sums> = flats.par_iter().map(|flat| Sums::of(mesh, flat)).collect();
    let all = sums.into_iter().fold(Sums { least: f64::INFINITY, ..Sums::default() }, Sums::and);
    if all.area <= 0.0 {
        let one = 1.0;
        return Distortion {
            angle: one,
            area: one,
            lengths: one,
            stretch: one,
            max_stretch: one,
            dirichlet: one,
        };
    }
    let scale = all.scale();
    let areas: f64 = flats.par_iter().map(|flat| area_ratios(mesh, flat, scale)).sum();
    // maps of disks have the scale of space, or nearly so
    let lengths = all.lengths();
    Distortion {
        angle: all.angle / all.area,
        area: areas / all.area,
        lengths,
        stretch: all.stretch(),
        max_stretch: 1.0 / (all.least * scale.sqrt()),
        dirichlet: 0.25 * (all.squares * scale + all.inverse_squares / scale) / all.area,
    }
}
/// The sum of areas times the greater of the ratio of both areas and its inverse.
fn area_ratios(mesh: &Glued<'_>, flat: &Flat, scale: f64) -> f64 {
    let of_face = |(face, corners): (&u32, &[u32; 3])| {
        let [a, b, c] = mesh.corners(*face);
        let [p, q, r] = corners.map(|v| flat.positions[v as usize]);
        let (in_space, in_plane) =
            (0.5 * (b - a).cross(c - a).length(), 0.5 * scale * (q - p).perp_dot(r - p));
        let counts = in_space > 0.0 && in_plane > 0.0;
        if counts { in_space * (in_plane / in_space).max(in_space / in_plane) } else { 0.0 }
    };
    flat.disk.faces.iter().zip(&flat.disk.corners).map(of_face).sum()
}
