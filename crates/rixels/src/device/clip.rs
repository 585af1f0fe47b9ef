//! Faces that reach behind the eye or far beyond the picture.
use super::camera::{Camera, Corner};
use super::drawn::Drawn;
use super::exact::mul;

/// Corners of a triangle that was clipped at each plane, at most.
const CORNERS: usize = 3 + Camera::PLANES as usize;

/// A convex polygon.
#[derive(Clone, Copy)]
pub struct Polygon {
    corners: [Corner; CORNERS],
    len: u32,
}

impl Polygon {
    /// The part of a triangle that can be placed. Triangles with a common side have common corners there.
    #[inline(always)]
    pub fn new(camera: &Camera, corners: [Corner; 3]) -> Self {
        let [a, b, c] = corners;
        let mut all = Self { corners: [a; CORNERS], len: 3 };
        all.corners[1] = b;
        all.corners[2] = c;
        if camera.can_place(a) && camera.can_place(b) && camera.can_place(c) {
            return all;
        }
        // no coordinate is a number beyond all others, or none at all
        for corner in corners {
            if !(corner.x.is_finite() && corner.y.is_finite() && corner.away.is_finite()) {
                all.len = 0;
            }
        }
        let mut plane = 0;
        while plane < Camera::PLANES && all.len > 0 {
            all = all.cut(camera, plane);
            plane += 1;
        }
        all
    }
    /// The part within a plane.
    #[inline(always)]
    fn cut(&self, camera: &Camera, plane: u32) -> Self {
        let mut part = Self { corners: self.corners, len: 0 };
        let mut i = 0;
        while i < self.len {
            let from = self.corners[i as usize];
            let to = self.corners[if i + 1 < self.len { i + 1 } else { 0 } as usize];
            let (f, t) = (camera.within(from, plane), camera.within(to, plane));
            if f >= 0.0 {
                part.push(from);
            }
            if (f >= 0.0) != (t >= 0.0) {
                // from the corner within, in whichever direction the face goes around
                let (seen, unseen, share) =
                    if f >= 0.0 { (from, to, f / (f - t)) } else { (to, from, t / (t - f)) };
                part.push(on_the_way(seen, unseen, share));
            }
            i += 1;
        }
        part
    }
    #[inline(always)]
    fn push(&mut self, corner: Corner) {
        if (self.len as usize) < CORNERS {
            self.corners[self.len as usize] = corner;
            self.len += 1;
        }
    }
    /// The triangles of the polygon.
    #[inline(always)]
    pub fn triangles(&self) -> u32 {
        if self.len < 3 { 0 } else { self.len - 2 }
    }
    /// A triangle on the picture.
    #[inline(always)]
    pub fn triangle(&self, camera: &Camera, k: u32) -> Option<Drawn> {
        let place = |i: u32| camera.place(self.corners[i as usize % CORNERS]);
        Drawn::new(camera, place(0), place(k + 1), place(k + 2))
    }
}

#[inline(always)]
fn on_the_way(from: Corner, to: Corner, share: f32) -> Corner {
    let on = |a: f32, b: f32| a + mul(share, b - a);
    Corner { x: on(from.x, to.x), y: on(from.y, to.y), away: on(from.away, to.away) }
}
