//! The light that samples send to the eye.
use crate::camera::Frame;
use crate::colour::linear;
use crate::obscurance::Obscurance;
use crate::visibility::Visibility;
use crate::{Colouring, Scene, Style};
use glam::{DVec2, DVec3, Vec3};

/// Light from above and from below, before the colours of the mesh.
const SKY: Vec3 = Vec3::new(0.46, 0.49, 0.55);
const GROUND: Vec3 = Vec3::new(0.21, 0.19, 0.175);
/// The main lamp, above on the left, and a weak one on the right.
const KEY: Vec3 = Vec3::new(0.80, 0.775, 0.73);
const FILL: Vec3 = Vec3::new(0.08, 0.10, 0.14);
const TO_KEY: DVec3 = DVec3::new(-0.45, 0.65, 0.61);
const TO_FILL: DVec3 = DVec3::new(0.85, 0.10, 0.50);
const GLOSS: f64 = 0.07;
const SHARPNESS: i32 = 36;
/// Least height of a face, in widths of lines, from which on its edges are drawn in full.
const SPARED: f64 = 6.0;
/// Cosine between the plane of a face and its interpolated normal below which the normal is not believed.
const BELIEVABLE: f64 = 0.05;

/// Input of shading.
pub(crate) struct Shader<'a> {
    pub scene: &'a Scene<'a>,
    pub style: &'a Style,
    pub frame: &'a Frame,
    /// Vertices in view space.
    pub corners: &'a [DVec3],
    /// Normals in the mesh's axes.
    pub normals: &'a [[f32; 3]],
    pub seen: &'a Visibility,
    pub obscurance: Obscurance<'a>,
}

impl Shader<'_> {
    /// The light from a sample, `None` if it shows nothing; `sample` is its index among the samples of its
    /// pixel.
    pub fn light(&self, [x, y]: [usize; 2], sample: usize) -> Option<Vec3> {
        let face = self.seen.faces[y * self.seen.width + x];
        if face == Visibility::NOTHING {
            return None;
        }
        let vertices = self.scene.faces[face as usize].map(|v| v as usize);
        let [a, b, c] = vertices.map(|v| self.corners[v]);
        let at = self.frame.plane(x as f64 + 0.5, y as f64 + 0.5);
        let (from, along) = self.frame.ray(at);
        let weights = meet(from, along, [a, b, c]);
        let point = a * weights[0] + b * weights[1] + c * weights[2];

        let toward = -along.normalize();
        let flat = (b - a).cross(c - a).normalize_or_zero();
        let side = if flat.dot(toward) < 0.0 { -1.0 } else { 1.0 };
        let own = self.own_normal(vertices, weights, self.frame.turn.transpose() * flat);
        let mut normal = self.frame.turn * own * side;
        if normal.dot(flat * side) < BELIEVABLE {
            normal = flat * side;
        }
        let albedo = self.albedo(face as usize, vertices, weights, own);
        let open = self.obscurance.light(point, normal, [x, y], sample) as f32;
        let light = lit(albedo, normal, toward, open);
        Some(self.with_edges(light, [a, b, c], at, point))
    }
    /// The unit normal in the mesh's axes.
    fn own_normal(&self, vertices: [usize; 3], weights: [f64; 3], flat: DVec3) -> DVec3 {
        if !self.style.smooth {
            return flat;
        }
        let normals = vertices.map(|v| DVec3::from_array(self.normals[v].map(f64::from)));
        let sum = normals[0] * weights[0] + normals[1] * weights[1] + normals[2] * weights[2];
        sum.try_normalize().unwrap_or(flat)
    }
    fn albedo(&self, face: usize, vertices: [usize; 3], weights: [f64; 3], normal: DVec3) -> Vec3 {
        match self.scene.colouring {
            Colouring::Plain(colour) => linear(colour),
            Colouring::Faces(colours) => linear(colours[face]),
            Colouring::Vertices(colours) => {
                let parts = [0, 1, 2].map(|i| linear(colours[vertices[i]]) * weights[i] as f32);
                parts[0] + parts[1] + parts[2]
            }
            Colouring::Scalar { values, map, range } => {
                let values = vertices.map(|v| f64::from(values[v]));
                if !values.iter().all(|v| v.is_finite()) {
                    return linear(self.style.no_value);
                }
                let value = values[0] * weights[0] + values[1] * weights[1] + values[2] * weights[2];
                linear(map.at(range.place(value as f32)))
            }
            Colouring::Normals => linear(normal.to_array().map(|x| (127.5 + 127.5 * x).round() as u8)),
        }
    }
    /// The light with lines along the edges of its face.
    fn with_edges(&self, light: Vec3, [a, b, c]: [DVec3; 3], at: DVec2, point: DVec3) -> Vec3 {
        if self.style.edges <= 0.0 {
            return light;
        }
        let sides = [(a, b), (b, c), (c, a)];
        let distance =
            sides.map(|(p, q)| self.distance(p, q, at, point)).into_iter().fold(f64::INFINITY, f64::min);
        let pixel = self.frame.sample() * f64::from(self.style.samples);
        let width = pixel * f64::from(self.style.edges);
        if 2.0 * distance > width {
            return light;
        }
        // lines would leave nothing else of a face that is hardly wider than they are
        let longest = sides.map(|(p, q)| p.distance(q)).into_iter().fold(0.0, f64::max);
        let depth = if self.frame.perspective { -point.z } else { 1.0 };
        let height = (b - a).cross(c - a).length() / longest / depth;
        let strength = (height / (SPARED * width)).min(1.0) as f32;
        light + (linear(self.style.edge_colour) - light) * strength
    }
    /// Distance on the plane of the picture from a point to the line through p and q.
    fn distance(&self, p: DVec3, q: DVec3, at: DVec2, point: DVec3) -> f64 {
        if self.frame.perspective {
            // relative to the point, which keeps digits when the edge is short
            let line = (p - point).cross(q - point) + point.cross(q - p);
            line.dot(at.extend(-1.0)).abs() / line.truncate().length()
        } else {
            let along = (q - p).truncate();
            along.perp_dot(at - p.truncate()).abs() / along.length()
        }
    }
}

/// The point at which a ray meets the plane of a triangle, as weights of the corners (Möller and Trumbore,
/// *Fast, minimum storage ray/triangle intersection*, 1997), within the triangle.
fn meet(from: DVec3, along: DVec3, [a, b, c]: [DVec3; 3]) -> [f64; 3] {
    let (u, v) = (b - a, c - a);
    let p = along.cross(v);
    let determinant = u.dot(p);
    let s = from - a;
    let weights = [s.dot(p) / determinant, along.dot(s.cross(u)) / determinant];
    let [beta, gamma] = weights.map(|w| if w.is_finite() { w.clamp(0.0, 1.0) } else { 1.0 / 3.0 });
    let sum = (beta + gamma).max(1.0);
    [1.0 - (beta + gamma) / sum, beta / sum, gamma / sum]
}

/// Light from a surface; all vectors point away from it.
fn lit(albedo: Vec3, normal: DVec3, toward: DVec3, open: f32) -> Vec3 {
    let up = (0.5 + 0.5 * normal.y) as f32;
    let sky = GROUND + (SKY - GROUND) * up;
    let key = normal.dot(TO_KEY).max(0.0) as f32;
    let fill = normal.dot(TO_FILL).max(0.0) as f32;
    let half = (TO_KEY + toward).normalize_or_zero();
    let gloss = (GLOSS * normal.dot(half).max(0.0).powi(SHARPNESS)) as f32;
    // lamps reach into creases better than the sky does
    let lamps = (KEY * key + FILL * fill) * (0.35 + 0.65 * open);
    albedo * (sky * open + lamps) + Vec3::splat(gloss * open)
}
