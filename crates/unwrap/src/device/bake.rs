//! Textures: a value for each texel, from the nearest point of another surface.
use glam::Vec3;
use ribbonmesh::bvh::BvhView;
use ribbonmesh::device::{Each, In, NONE, Out, Parameter, kernel, math};
use ribbonmesh::surface::Location;

/// The mesh that gets a texture.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Target<'a> {
    /// The tree of its faces on the texture, in texels; z is 0.
    pub atlas: BvhView<'a>,
    /// The corners of these.
    pub flat: In<'a, Vec3>,
    /// The corners in space.
    pub corners: In<'a, Vec3>,
    /// Normals of corners; empty unless results are in its tangent space.
    pub normals: In<'a, Vec3>,
}
/// The mesh whose values a texture gets.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Source<'a> {
    /// The tree of its faces.
    pub tree: BvhView<'a>,
    /// Their corners.
    pub corners: In<'a, Vec3>,
    /// Values of corners: so many numbers each as a texel gets.
    pub values: In<'a, f32>,
}

/// Values as they are.
pub const VALUES: u32 = 0;
/// Values are three numbers each, which get the length 1.
pub const DIRECTIONS: u32 = 1;
/// The same, relative to tangent, bitangent and normal of the target.
pub const TANGENT_SPACE: u32 = 2;

/// The distance, in texels, of a texel in a chart that rounding may find.
pub const NEARLY: f32 = 2e-3;
/// A texel that gets nothing.
pub const EMPTY: u32 = 0;
/// A texel near a chart.
pub const NEAR: u32 = 1;
/// A texel whose centre is in a chart.
pub const WITHIN: u32 = 2;

/// The three corners of a face.
#[inline(always)]
fn corners_of(all: In<'_, Vec3>, face: u32) -> [Vec3; 3] {
    [0, 1, 2].map(|k| all.get(3 * face + k))
}
#[inline(always)]
fn blend(corners: [Vec3; 3], [a, b, c]: [f32; 3]) -> Vec3 {
    corners[0] * a + corners[1] * b + corners[2] * c
}
/// The vector of length 1, or zero.
#[inline(always)]
fn unit(v: Vec3) -> Vec3 {
    let length = math::sqrt(v.dot(v));
    if length > 1e-30 { v * (1.0 / length) } else { Vec3::ZERO }
}

/// The values of each texel within `reach` texels of a face of the target: those of the point of the source
/// that is nearest to the target's point there, if it is within `distance`. Others get zeros. `covered` says
/// which. Elements: texels, by rows from below.
#[kernel(threads = 128, requires(
    side > 0 && width > 0,
    to.len() >= count as usize * width as usize && covered.len() >= count as usize,
    target.flat.len() == target.corners.len(),
))]
pub fn bake_texels<'a>(
    i: Each,
    side: u32,
    width: u32,
    kind: u32,
    reach: f32,
    distance: f32,
    target: Target<'a>,
    source: Source<'a>,
    to: Out<'a, f32>,
    covered: Out<'a, u32>,
) {
    let centre = Vec3::new((i % side) as f32 + 0.5, (i / side) as f32 + 0.5, 0.0);
    let place = target.atlas.closest_within(centre, reach);
    let mut state = EMPTY;
    if place.face != NONE {
        let at = Location::in_face(place.face, corners_of(target.flat, place.face), place.point);
        let point = blend(corners_of(target.corners, place.face), at.weights);
        let found = source.tree.closest_within(point, distance);
        if found.face != NONE {
            state = if place.distance > NEARLY { NEAR } else { WITHIN };
            let from = Location::in_face(found.face, corners_of(source.corners, found.face), found.point);
            write(i, width, from, source.values, to);
            if kind != VALUES {
                let direction = unit(Vec3::new(to.get(3 * i), to.get(3 * i + 1), to.get(3 * i + 2)));
                let direction =
                    if kind == TANGENT_SPACE { in_frame(&target, at, direction) } else { direction };
                to.set(3 * i, direction.x);
                to.set(3 * i + 1, direction.y);
                to.set(3 * i + 2, direction.z);
            }
        }
    }
    if state == EMPTY {
        let mut k = 0;
        while k < width {
            to.set(i * width + k, 0.0);
            k += 1;
        }
    }
    covered.set(i, state);
}

/// Writes the values of a location.
#[inline(always)]
fn write(i: u32, width: u32, from: Location, values: In<'_, f32>, to: Out<'_, f32>) {
    let [a, b, c] = from.weights;
    let first = 3 * from.face * width;
    let mut k = 0;
    while k < width {
        let [p, q, r] = [0, 1, 2].map(|corner| values.get(first + corner * width + k));
        to.set(i * width + k, a * p + b * q + c * r);
        k += 1;
    }
}

/// A direction relative to tangent, bitangent and normal of the target: the tangent is that along the first
/// texture coordinate on the face, made normal to the interpolated normal; the bitangent is on the side of
/// the second.
#[inline(always)]
fn in_frame(target: &Target<'_>, at: Location, direction: Vec3) -> Vec3 {
    let [a, b, c] = corners_of(target.corners, at.face);
    let [p, q, r] = corners_of(target.flat, at.face);
    let (u, v) = (q - p, r - p);
    let turn = u.x * v.y - v.x * u.y;
    let along = ((b - a) * v.y - (c - a) * u.y) * (if turn < 0.0 { -1.0 } else { 1.0 });
    let normal = unit(blend(corners_of(target.normals, at.face), at.weights));
    let tangent = unit(along - normal * normal.dot(along));
    let bitangent = normal.cross(tangent) * (if turn < 0.0 { -1.0 } else { 1.0 });
    Vec3::new(direction.dot(tangent), direction.dot(bitangent), direction.dot(normal))
}
