//! Kernels of repair: what faces, sides and vertices are, and what becomes of them.
pub mod faces;
pub mod look;
pub mod sides;
pub mod vertices;
pub mod weld;

use ribbonmesh::device::In;

/// No vertex, side or face.
pub const NONE: u32 = u32::MAX;

/// Notes about sides.
pub mod note {
    /// The edge has no other face.
    pub const OPEN: u32 = 1;
    /// The edge has more than two faces.
    pub const CROWDED: u32 = 2;
    /// The face across has the opposite orientation; noted at the lesser of the two sides.
    pub const DISAGREES: u32 = 4;
    /// Other faces may have the same three vertices. Noted at the side between the two lesser ones.
    pub const TWIN: u32 = 8;
}

/// Verdicts about faces.
pub mod verdict {
    /// The face stays.
    pub const WHOLE: u32 = 0;
    /// It has a vertex twice.
    pub const DEGENERATE: u32 = 1;
    /// It has no area.
    pub const FLAT: u32 = 2;
}

/// The side before another in its face. Side `3 f + i` of face `f` leads from corner `i` to the next.
#[inline(always)]
pub(crate) fn before(side: u32) -> u32 {
    if side.is_multiple_of(3) { side + 2 } else { side - 1 }
}
/// The side after another in its face.
#[inline(always)]
pub(crate) fn behind(side: u32) -> u32 {
    if side % 3 == 2 { side - 2 } else { side + 1 }
}
/// The vertices of a face.
#[inline(always)]
pub(crate) fn corners(faces: In<'_, u32>, f: u32) -> [u32; 3] {
    [faces.get(3 * f), faces.get(3 * f + 1), faces.get(3 * f + 2)]
}
/// The corners of a vertex: their places in the list.
#[inline(always)]
pub(crate) fn corners_at(v: u32, ends: In<'_, u32>) -> (u32, u32) {
    (if v == 0 { 0 } else { ends.get(v - 1) }, ends.get(v))
}

/// The face of the input that a face is: one of `inputs`, if there are any.
#[inline(always)]
pub(crate) fn input(inputs: In<'_, u32>, face: u32) -> u32 {
    if inputs.is_empty() { face } else { inputs.get(face) }
}
