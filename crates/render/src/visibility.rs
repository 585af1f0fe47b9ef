//! The face that each sample shows.
use crate::Scene;
use crate::camera::Frame;
use glam::{DVec2, DVec3};
use rayon::prelude::*;

/// No face.
pub(crate) const NOTHING: u32 = u32::MAX;
/// Rows of samples that are drawn together.
const BAND: usize = 32;
/// Faces that are sorted into bands together.
const CHUNK: usize = 1 << 14;

/// The face that each sample shows, row by row from the top, and its distance.
pub(crate) struct Visibility {
    pub width: usize,
    pub height: usize,
    /// [`NOTHING`] where there is none.
    pub faces: Vec<u32>,
    /// See [`Frame::project`].
    pub keys: Vec<f32>,
}

impl Visibility {
    /// Draws all faces, of which `corners` are the vertices in view space. Of equally near faces the first is
    /// seen.
    pub fn new(scene: &Scene<'_>, corners: &[DVec3], frame: &Frame) -> Self {
        let (width, height) = (frame.size.x as usize, frame.size.y as usize);
        let mut faces = vec![NOTHING; width * height];
        let mut keys = vec![f32::NEG_INFINITY; width * height];
        let bands = height.div_ceil(BAND);
        let triangles =
            |face: u32| Triangle::of(scene.faces[face as usize].map(|v| corners[v as usize]), frame);
        let sorted: Vec<Vec<Vec<u32>>> = (0..scene.faces.len().div_ceil(CHUNK))
            .into_par_iter()
            .map(|chunk| {
                let mut lists = vec![vec![]; bands];
                for face in chunk * CHUNK..((chunk + 1) * CHUNK).min(scene.faces.len()) {
                    let rows = triangles(face as u32).into_iter().flatten().map(|t| t.rows(height));
                    let Some(rows) = rows.reduce(|a, b| [a[0].min(b[0]), a[1].max(b[1])]) else { continue };
                    if rows[0] < rows[1] {
                        for list in &mut lists[rows[0] / BAND..=(rows[1] - 1) / BAND] {
                            list.push(face as u32);
                        }
                    }
                }
                lists
            })
            .collect();
        let stripes = faces.par_chunks_mut(BAND * width).zip(keys.par_chunks_mut(BAND * width));
        stripes.enumerate().for_each(|(band, (faces, keys))| {
            let mut stripe = Stripe { first: band * BAND, width, faces, keys };
            for face in sorted.iter().flat_map(|lists| &lists[band]) {
                for triangle in triangles(*face).into_iter().flatten() {
                    stripe.draw(&triangle, *face);
                }
            }
        });
        Self { width, height, faces, keys }
    }
}

/// A triangle on the picture: corners as [`Frame::project`] gives them.
struct Triangle([DVec3; 3]);

impl Triangle {
    /// The part of a face in front of the near plane: nothing, one triangle, or two.
    fn of(corners: [DVec3; 3], frame: &Frame) -> [Option<Self>; 2] {
        if !corners.iter().all(|p| p.is_finite()) {
            return [None, None];
        }
        let behind = |p: DVec3| frame.perspective && p.z > frame.near;
        match corners.map(behind) {
            [false, false, false] => [Some(Self(corners.map(|p| frame.project(p)))), None],
            [true, true, true] => [None, None],
            behind => {
                let mut polygon = Vec::with_capacity(4);
                for i in 0..3 {
                    let j = (i + 1) % 3;
                    if !behind[i] {
                        polygon.push(frame.project(corners[i]));
                    }
                    if behind[i] != behind[j] {
                        let (seen, unseen) = if behind[i] { (j, i) } else { (i, j) };
                        polygon.push(frame.project(cut(corners[seen], corners[unseen], frame.near)));
                    }
                }
                let fan = |i: usize| Some(Self([*polygon.first()?, *polygon.get(i)?, *polygon.get(i + 1)?]));
                [fan(1), fan(2)]
            }
        }
    }
    /// Rows of samples that it may reach, the last one excluded.
    fn rows(&self, height: usize) -> [usize; 2] {
        let [a, b, c] = self.0;
        span(a.y.min(b.y).min(c.y), a.y.max(b.y).max(c.y), height)
    }
}

/// Samples, whose middles are at halves, from `low` to `high`: the first, and the one after the last.
fn span(low: f64, high: f64, limit: usize) -> [usize; 2] {
    // conversion saturates
    let end = ((high + 0.5).floor().max(0.0) as usize).min(limit);
    [((low - 0.5).ceil().max(0.0) as usize).min(end), end]
}

/// The point at which the line between a point in front of the plane and one behind it meets the plane.
fn cut(seen: DVec3, unseen: DVec3, near: f64) -> DVec3 {
    let t = (near - seen.z) / (unseen.z - seen.z);
    (seen.truncate() + (unseen.truncate() - seen.truncate()) * t).extend(near)
}

/// A line as a function that is 0 on it: `a x + b y + c`, positive to the left of the way from `from` to `to`
/// where y points down. Exactly the negative of the line from `to` to `from`, so that no sample falls between
/// two triangles.
fn line(from: DVec2, to: DVec2) -> [f64; 3] {
    let swap = (to.x, to.y) < (from.x, from.y);
    let (p, q) = if swap { (to, from) } else { (from, to) };
    let (a, b) = (p.y - q.y, q.x - p.x);
    let line = [a, b, -(a * p.x + b * p.y)];
    if swap { line.map(|x| -x) } else { line }
}

/// Rows of samples.
struct Stripe<'a> {
    first: usize,
    width: usize,
    faces: &'a mut [u32],
    keys: &'a mut [f32],
}

impl Stripe<'_> {
    fn draw(&mut self, triangle: &Triangle, face: u32) {
        let [a, b, c] = triangle.0;
        let corners = [a, b, c].map(DVec3::truncate);
        let area = (corners[1] - corners[0]).perp_dot(corners[2] - corners[0]);
        if area == 0.0 || !area.is_finite() {
            return;
        }
        let sides = [(1, 2), (2, 0), (0, 1)].map(|(i, j)| line(corners[i], corners[j]));
        let sides = if area < 0.0 { sides.map(|side| side.map(|x| -x)) } else { sides };
        let [left, right] = span(a.x.min(b.x).min(c.x), a.x.max(b.x).max(c.x), self.width);
        let [top, bottom] = triangle.rows(self.first + self.faces.len() / self.width);
        for y in top.max(self.first)..bottom {
            let row = (y - self.first) * self.width;
            let at_row = sides.map(|[_, b, c]| b * (y as f64 + 0.5) + c);
            for x in left..right {
                let weights = [0, 1, 2].map(|i| sides[i][0] * (x as f64 + 0.5) + at_row[i]);
                let sum = weights[0] + weights[1] + weights[2];
                if weights.iter().any(|w| *w < 0.0) || sum <= 0.0 {
                    continue;
                }
                let key = ((weights[0] * a.z + weights[1] * b.z + weights[2] * c.z) / sum) as f32;
                if key > self.keys[row + x] {
                    (self.keys[row + x], self.faces[row + x]) = (key, face);
                }
            }
        }
    }
}
