//! Rows of columns of any type: blended from three, or chosen among them.
use crate::device::{Block, FaceId, HalfEdge, In, Out, Parameter, Quad, kernel};
use crate::dynamic::{DynamicView, MeshRef};
use crate::surface::location::Location;
use glam::Vec3;

/// Numbers of a type, by the place of that type in `ribbonmesh_mesh::Scalar::ALL`.
pub mod scalar {
    /// Unsigned, 8 bits.
    pub const U8: u32 = 0;
    /// Signed, 8 bits.
    pub const I8: u32 = 1;
    /// Unsigned, 16 bits.
    pub const U16: u32 = 2;
    /// Signed, 16 bits.
    pub const I16: u32 = 3;
    /// Unsigned, 32 bits.
    pub const U32: u32 = 4;
    /// Signed, 32 bits.
    pub const I32: u32 = 5;
    /// Floating point, 32 bits.
    pub const F32: u32 = 8;
    /// Floating point, 64 bits.
    pub const F64: u32 = 9;
}

/// How rows are laid out.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Layout {
    /// The type of the numbers, see [`scalar`].
    pub scalar: u32,
    /// Numbers of a row.
    pub width: u32,
    /// Words of a row.
    pub words: u32,
}

/// The row is that of the heaviest corner.
pub const HEAVIEST: u32 = 0;
/// The row is the weighted mean; integers are rounded. 64-bit integers are those of the heaviest corner.
#[cfg(not(target_arch = "nvptx64"))]
pub const MEAN: u32 = 1;
/// The same, and then of length 1, where it has a length.
pub const UNIT: u32 = 2;

/// The rows of `n` elements, from those of the three corners of the faces where they are. `corners` is 1 if
/// there is a row for each corner, else it is for each vertex.
#[kernel(threads = 256)]
pub fn blend_rows<'a>(
    block: &Block,
    n: u32,
    at: In<'a, Quad>,
    faces: In<'a, u32>,
    corners: u32,
    rule: u32,
    layout: Layout,
    from: In<'a, u32>,
    to: Out<'a, u32>,
) {
    let copy = |row: u32, i: u32| {
        let mut k = 0;
        while k < layout.words {
            to.set(layout.words * i + k, from.get(layout.words * row + k));
            k += 1;
        }
    };
    let wide = layout.scalar == scalar::F64;
    let exact = rule == HEAVIEST || layout.scalar > scalar::I32 && layout.scalar < scalar::F32;
    block.for_each_of_tile(n, |i| {
        let location = Location::from_words(at.get(i));
        if let Some(vertex) = location.vertex() {
            return copy(vertex, i);
        }
        let row =
            |k: u32| if corners != 0 { 3 * location.face + k } else { faces.get(3 * location.face + k) };
        let (heaviest, w) = (location.heaviest(), location.weights);
        if exact || w[0] == 1.0 || w[1] == 1.0 || w[2] == 1.0 {
            return copy(row(heaviest), i);
        }
        let rows = [row(0), row(1), row(2)].map(|row| layout.words * row);
        let out = layout.words * i;
        if layout.scalar == scalar::F32 {
            let value = |k: u32| {
                let [a, b, c] = rows.map(|row| f32::from_bits(from.get(row + k)));
                w[0] * a + w[1] * b + w[2] * c
            };
            let mut scale = 1.0;
            if rule == UNIT && layout.width == 3 {
                let n = Vec3::new(value(0), value(1), value(2));
                let length = crate::device::math::sqrt(n.length_squared());
                scale = if length > 0.0 { 1.0 / length } else { 1.0 };
            }
            let mut k = 0;
            while k < layout.width {
                to.set(out + k, (value(k) * scale).to_bits());
                k += 1;
            }
        } else if wide {
            let mut k = 0;
            while k < layout.width {
                let number = |row: u32| {
                    let (low, high) = (from.get(row + 2 * k), from.get(row + 2 * k + 1));
                    f64::from_bits((high as u64) << 32 | low as u64)
                };
                let [a, b, c] = rows.map(number);
                let bits = (w[0] as f64 * a + w[1] as f64 * b + w[2] as f64 * c).to_bits();
                to.set(out + 2 * k, bits as u32);
                to.set(out + 2 * k + 1, (bits >> 32) as u32);
                k += 1;
            }
        } else {
            let mut k = 0;
            while k < layout.words {
                to.set(out + k, whole_numbers(layout.scalar, rows.map(|row| from.get(row + k)), w));
                k += 1;
            }
        }
    });
}

/// The means of the integers in three words, rounded.
#[inline(always)]
fn whole_numbers(scalar: u32, words: [u32; 3], w: [f32; 3]) -> u32 {
    let bits = match scalar {
        scalar::U8 | scalar::I8 => 8,
        scalar::U16 | scalar::I16 => 16,
        _ => 32,
    };
    let (mut at, mut result) = (0, 0);
    while at < 32 {
        let number = |word: u32| {
            let top = word << (32 - bits - at);
            match scalar {
                scalar::U8 | scalar::U16 | scalar::U32 => (top >> (32 - bits)) as f64,
                _ => ((top as i32) >> (32 - bits)) as f64,
            }
        };
        let [a, b, c] = words.map(number);
        let mean = w[0] as f64 * a + w[1] as f64 * b + w[2] as f64 * c;
        let rounded = if mean < 0.0 { (mean - 0.5) as i64 } else { (mean + 0.5) as i64 };
        let mask = if bits == 32 { u32::MAX } else { (1 << bits) - 1 };
        result |= (rounded as u32 & mask) << at;
        at += bits;
    }
    result
}

/// Rows of `n` corners in which corners of one vertex have the same row if they had nearly the same: what
/// lies on both sides of a curve that is not a seam. Nearly is [`NEARLY`] of how much the row changes along
/// the face. Columns of floating point only. Needs half-edges of vertices.
#[kernel(threads = 256)]
pub fn join_corners<'a>(
    block: &Block,
    mesh: DynamicView<'a>,
    n: u32,
    layout: Layout,
    from: In<'a, u32>,
    to: Out<'a, u32>,
) {
    let wide = layout.scalar == scalar::F64;
    let number = |h: HalfEdge, k: u32| {
        let at = layout.words * (3 * h.face().index() + h.corner());
        if wide {
            f64::from_bits((from.get(at + 2 * k + 1) as u64) << 32 | from.get(at + 2 * k) as u64)
        } else {
            f32::from_bits(from.get(at + k)) as f64
        }
    };
    // the greatest difference of a number of two rows
    let apart = |g: HalfEdge, h: HalfEdge| {
        let (mut most, mut k) = (0.0, 0);
        while k < layout.width {
            let d = number(g, k) - number(h, k);
            let d = if d < 0.0 { -d } else { d };
            // not a number counts as far
            most = if d <= most { most } else { d };
            k += 1;
        }
        most
    };
    block.for_each_of_tile(n, |c| {
        let h = FaceId::new(c / 3).half_edge(c % 3);
        let mut same = h;
        if let Some(first) = mesh.half_edge_at(mesh.from(h)) {
            let (next, prev) = (apart(h, h.next()), apart(h, h.prev()));
            let near = NEARLY * if next < prev { prev } else { next };
            let mut looks = 0;
            mesh.star(first, |g| {
                if apart(g, h) <= near {
                    same = g;
                    return false;
                }
                looks += 1;
                looks < MOST_LOOKS
            });
        }
        let row = 3 * same.face().index() + same.corner();
        let mut k = 0;
        while k < layout.words {
            to.set(layout.words * c + k, from.get(layout.words * row + k));
            k += 1;
        }
    });
}

/// Largest difference that counts as nearly the same, see [`join_corners`].
const NEARLY: f64 = 0.08;
/// Faces at a vertex that are looked at for such a corner.
const MOST_LOOKS: u32 = 128;
