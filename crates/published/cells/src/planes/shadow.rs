//! Faces seen along an axis: their tables, and the crossings of a ray with them.
use crate::cells::{CellFacts, Placed, place};
use crate::table::CellTableView;
use glam::Vec3;
use ribbonmesh::device::Parameter;
use ribbonmesh_solid::inside::crossing;
use ribbonmesh_solid::intersections::Faces;

/// The faces of a mesh seen along an axis, in a table.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Shadows<'a> {
    /// The cells that shadows cover.
    pub table: CellTableView<'a>,
    /// The sizes of the cells.
    pub facts: CellFacts<'a>,
}

/// A direction along an axis.
#[derive(Clone, Copy)]
pub struct Way {
    /// The axis: 0, 1 or 2.
    pub axis: u32,
    /// Whether the direction is against the axis.
    pub back: bool,
}

impl Way {
    /// The direction along x.
    pub const X: Self = Self { axis: 0, back: false };
    /// The direction in which a vector has its largest component; along x if it is zero.
    #[inline(always)]
    pub fn most_along(n: Vec3) -> Self {
        let size = n.abs();
        let axis = if size.y > size.x && size.y >= size.z { 1 } else { 2 * (size.z > size.x) as u32 };
        let along = if axis == 0 {
            n.x
        } else if axis == 1 {
            n.y
        } else {
            n.z
        };
        Self { axis, back: along < 0.0 }
    }
    /// A point with this direction as its x. Exact.
    #[inline(always)]
    pub fn turned(self, p: Vec3) -> Vec3 {
        let (x, y, z) = if self.axis == 0 {
            (p.x, p.y, p.z)
        } else if self.axis == 1 {
            (p.y, p.z, p.x)
        } else {
            (p.z, p.x, p.y)
        };
        Vec3::new(if self.back { -x } else { x }, y, z)
    }
}

/// The box of a triangle's shadow.
#[inline(always)]
pub fn shadow(corners: [Vec3; 3], way: Way, scale: f32) -> Placed<2> {
    let [a, b, c] = corners.map(|p| way.turned(p));
    let (low, high) = (a.min(b).min(c), a.max(b).max(c));
    let of = |p: Vec3| [place(p.y, scale), place(p.z, scale)];
    Placed::new(of(low), of(high))
}

/// The sum of the crossings, as of [`crossing`], of the ray from `p` in the direction `way` with all faces
/// except `but`.
///
/// Each cell at the ray has a face once. The entries that the table also has from other cells are not at the
/// ray, so the ray does not cross their faces.
#[inline(always)]
pub fn crossings(faces: Faces<'_>, shadows: Shadows<'_>, p: Vec3, way: Way, but: u32) -> i32 {
    let from = way.turned(p);
    let scale = shadows.facts.scale();
    let at = [place(from.y, scale), place(from.z, scale)];
    let mut sum = 0;
    shadows.facts.visit(shadows.table, &Placed::new(at, at), 0, |_, _, entry, _| {
        if entry.face() != but {
            sum += crossing(from, faces.corners(entry.face()).map(|q| way.turned(q)));
        }
    });
    sum
}
