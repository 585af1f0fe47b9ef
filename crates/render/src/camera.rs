//! Cameras and projections.

use crate::{RenderError, Scene, Style, Up, View};
use glam::{DMat3, DVec2, DVec3};
use rayon::prelude::*;
use ribbonmesh_mesh::BoundingBox;

/// A projection onto the picture, with its measures.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Projection {
    /// Parallel projection; objects behind the eye are visible, too.
    Orthographic {
        /// Height of the picture, in the mesh's units.
        height: f64,
    },
    /// Perspective projection.
    Perspective {
        /// Vertical field of view in degrees.
        field_of_view: f64,
    },
}

/// The kind of projection, without its measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Lens {
    /// Parallel projection.
    #[default]
    Orthographic,
    /// Perspective projection with a vertical field of view of 30°.
    Perspective,
}

/// Position, direction and projection of the camera.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Camera {
    /// Position of the eye.
    pub eye: DVec3,
    /// The point at the centre of the picture.
    pub target: DVec3,
    /// The up direction of the picture; it need not be perpendicular to the view.
    pub up: DVec3,
    /// The projection.
    pub projection: Projection,
}

const FIELD_OF_VIEW: f64 = 30.0;
/// Part of the picture's width and height that the mesh may fill.
const FILL: f64 = 0.94;
/// Distance of the near plane, in distances from the eye to the target.
const NEAR: f64 = 1e-4;

impl Camera {
    /// A camera in the direction of `view` that fits all faces into a picture of the style's size, with a
    /// margin. Faces with coordinates that are not finite do not count. If no faces count, or all are a
    /// single point, the picture is one unit high.
    /// # Errors
    /// [`RenderError`]: the scene or the style is invalid.
    pub fn fit(scene: &Scene<'_>, view: View, lens: Lens, style: &Style) -> Result<Self, RenderError> {
        scene.check()?;
        Self::around(scene.up, view, lens, style, |map| Ok(bounds(scene, map)))
    }

    /// As [`Camera::fit`], of a mesh that is not in memory: `points` gives the corners of its faces, all of
    /// them finite, in any order, and more than once if that is easier. It is called three times at most.
    /// # Errors
    /// Those of `points`; [`RenderError`]: the style is invalid.
    pub fn fit_points<E: From<RenderError>>(
        up: Up,
        view: View,
        lens: Lens,
        style: &Style,
        mut points: impl FnMut(&mut dyn FnMut(DVec3)) -> Result<(), E>,
    ) -> Result<Self, E> {
        Self::around(up, view, lens, style, |map| {
            let mut all = BoundingBox::EMPTY;
            points(&mut |p| all = all.with(map(p)))?;
            Ok(or_origin(all))
        })
    }

    /// The camera that shows what has these boxes under maps of its points.
    fn around<E: From<RenderError>>(
        stand: Up,
        view: View,
        lens: Lens,
        style: &Style,
        mut bounds: impl FnMut(Map<'_>) -> Result<BoundingBox, E>,
    ) -> Result<Self, E> {
        style.check()?;
        let (sin_a, cos_a) = view.azimuth.to_radians().sin_cos();
        let (sin_e, cos_e) = view.elevation.to_radians().sin_cos();
        let back = DVec3::new(sin_a * cos_e, sin_e, cos_a * cos_e);
        let up = DVec3::new(-sin_a * sin_e, cos_e, -cos_a * sin_e);
        let stand = stand.axes();
        let (back, up) = (stand * back, stand * up);
        let axes = DMat3::from_cols(up.cross(back), up, back);
        let aspect = f64::from(style.width) / f64::from(style.height);

        let around = bounds(&|p| axes.transpose() * p)?;
        let (middle, size) = (around.middle(), around.size());
        let height = size.y.max(size.x / aspect) / FILL;
        let height = if height > 0.0 { height } else { size.z.max(f64::from(size.z == 0.0)) };
        let target = axes * middle;
        if lens == Lens::Orthographic {
            let eye = target + back * (size.z + height);
            return Ok(Self { eye, target, up, projection: Projection::Orthographic { height } });
        }
        let half_y = (FIELD_OF_VIEW.to_radians() / 2.0).tan() * FILL;
        let slope = DVec2::new(half_y * aspect, half_y);
        // the planes through the picture's edges, moved until they touch the mesh
        let mut touch = |sign: f64| {
            bounds(&|p| {
                let p = axes.transpose() * p - middle;
                (p.truncate() + slope * p.z * sign).extend(p.z)
            })
        };
        let (upper, lower) = (touch(1.0)?.high, touch(-1.0)?.low);
        let distance = ((upper - lower).truncate() / (2.0 * slope)).max_element();
        let (shift, distance) = if distance > size.z / 2.0 {
            (((upper + lower) / 2.0).truncate(), distance)
        } else {
            (DVec2::ZERO, size.z / 2.0 + height / 2.0 / half_y)
        };
        let target = target + axes * shift.extend(0.0);
        let eye = target + back * distance;
        Ok(Self { eye, target, up, projection: Projection::Perspective { field_of_view: FIELD_OF_VIEW } })
    }
}

/// A map of points.
type Map<'m> = &'m (dyn Fn(DVec3) -> DVec3 + Sync);

/// The box around the points to which `map` takes the corners of finite faces; the origin if there are none.
fn bounds(scene: &Scene<'_>, map: Map<'_>) -> BoundingBox {
    let empty = || BoundingBox::EMPTY;
    let grow = |all: BoundingBox, face: &[u32; 3]| {
        let corners = face.map(|v| scene.positions[v as usize]);
        let finite = corners.iter().all(|p| p.is_finite());
        corners.map(map).into_iter().filter(|_| finite).fold(all, BoundingBox::with)
    };
    let all =
        scene.faces.par_iter().with_min_len(1 << 12).fold(empty, grow).reduce(empty, BoundingBox::union);
    or_origin(all)
}
fn or_origin(all: BoundingBox) -> BoundingBox {
    if all.low.x <= all.high.x { all } else { BoundingBox { low: DVec3::ZERO, high: DVec3::ZERO } }
}

/// A camera made ready for a picture: view space has x to the right, y up and z towards the viewer. Its
/// origin is the eye in perspective, else the target.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Frame {
    /// The rotation from the mesh's axes to the axes of view space.
    pub turn: DMat3,
    origin: DVec3,
    pub perspective: bool,
    /// Half the picture's width and height: at distance 1 in perspective, else anywhere.
    pub half: DVec2,
    /// Samples across and down.
    pub size: DVec2,
    /// z of the near plane.
    pub near: f64,
    /// Height of the picture at the target, in the mesh's units.
    pub height: f64,
}

impl Frame {
    pub fn new(camera: &Camera, style: &Style) -> Self {
        let away = camera.eye - camera.target;
        let back = away.try_normalize().unwrap_or(DVec3::Z);
        let right = camera.up.cross(back).try_normalize().unwrap_or_else(|| back.any_orthonormal_vector());
        let turn = DMat3::from_cols(right, back.cross(right), back).transpose();
        let distance = away.length();
        let distance = if distance > 0.0 && distance.is_finite() { distance } else { 1.0 };
        let (perspective, half, height, origin) = match camera.projection {
            Projection::Orthographic { height } => (false, height / 2.0, height, camera.target),
            Projection::Perspective { field_of_view } => {
                let half = (field_of_view.clamp(0.01, 179.0).to_radians() / 2.0).tan();
                (true, half, 2.0 * half * distance, camera.eye)
            }
        };
        let aspect = f64::from(style.width) / f64::from(style.height);
        let size = DVec2::new(f64::from(style.width), f64::from(style.height)) * f64::from(style.samples);
        Self {
            turn,
            origin,
            perspective,
            half: DVec2::new(half * aspect, half),
            size,
            near: -NEAR * distance,
            height,
        }
    }
    /// A point of the mesh in view space.
    pub fn view(&self, place: DVec3) -> DVec3 {
        self.turn * (place - self.origin)
    }
    /// All vertices in view space.
    pub fn corners(&self, scene: &Scene<'_>) -> Vec<DVec3> {
        scene.positions.par_iter().map(|&p| self.view(p)).collect()
    }
    /// A place among the samples, on the plane of the picture: at distance 1 in perspective.
    pub fn plane(&self, x: f64, y: f64) -> DVec2 {
        DVec2::new((2.0 * x / self.size.x - 1.0) * self.half.x, (1.0 - 2.0 * y / self.size.y) * self.half.y)
    }
    /// The ray through a place on the plane of the picture: its origin and its direction.
    pub fn ray(&self, at: DVec2) -> (DVec3, DVec3) {
        if self.perspective { (DVec3::ZERO, at.extend(-1.0)) } else { (at.extend(0.0), DVec3::NEG_Z) }
    }
    /// The point at a place on the plane of the picture that is this far away.
    pub fn unproject(&self, at: DVec2, away: f32) -> DVec3 {
        let away = f64::from(away);
        if self.perspective { at.extend(-1.0) * away } else { at.extend(-away) }
    }
    /// Length of a sample's side on the plane of the picture.
    pub fn sample(&self) -> f64 {
        2.0 * self.half.y / self.size.y
    }
}
