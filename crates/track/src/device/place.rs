//! Position of the new vertex of a split.
use super::values::{BUTTERFLY, Values};
use glam::Vec3;
use ribbonmesh::device::{EdgeId, HalfEdge, VertexId};
use ribbonmesh::dynamic::MeshRef;

/// Most neighbours of a vertex with a stencil of its own; at an edge whose end has more, the middle is taken.
const MOST_NEIGHBOURS: u32 = 16;
const TURN: f32 = 6.283_185_5;

/// The middle of an edge.
#[inline(always)]
pub fn middle(values: &Values<'_>, [a, b]: [VertexId; 2]) -> Vec3 {
    0.5 * (values.x.get(a) + values.x.get(b))
}

/// The point of the modified butterfly scheme (Zorin, Schröder and Sweldens 1996, section 4), from the ends
/// and their neighbours. `None` for an edge with an end on the boundary, or with very many neighbours.
#[inline(always)]
pub fn butterfly(mesh: impl MeshRef, values: &Values<'_>, edge: EdgeId) -> Option<Vec3> {
    if !values.criteria.has(BUTTERFLY) {
        return None;
    }
    let [Some(g), Some(h)] = mesh.sides(edge) else { return None };
    let (of_a, of_b) = (neighbours(mesh, g)?, neighbours(mesh, h)?);
    match (of_a == 6, of_b == 6) {
        (true, true) => regular(mesh, values, [g, h]),
        (false, true) => irregular(mesh, values, g, of_a),
        (true, false) => irregular(mesh, values, h, of_b),
        (false, false) => Some(0.5 * (irregular(mesh, values, g, of_a)? + irregular(mesh, values, h, of_b)?)),
    }
}

/// Number of neighbours of the start of a half-edge; `None` on the boundary.
#[inline(always)]
fn neighbours(mesh: impl MeshRef, h: HalfEdge) -> Option<u32> {
    let (mut g, mut n) = (h, 0);
    loop {
        g = mesh.twin(g.prev())?;
        n += 1;
        if g == h {
            return Some(n);
        }
        if n > MOST_NEIGHBOURS {
            return None;
        }
    }
}

/// The stencil of ten points.
#[inline(always)]
fn regular(mesh: impl MeshRef, values: &Values<'_>, sides: [HalfEdge; 2]) -> Option<Vec3> {
    let x = |v: VertexId| values.x.get(v);
    let mut sum = Vec3::ZERO;
    let mut k = 0;
    while k < 2 {
        let g = if k == 0 { sides[0] } else { sides[1] };
        sum += 0.5 * x(mesh.from(g)) + 0.125 * x(mesh.opposite(g));
        // neighbours 2 and 4 of six, counted from the edge
        let second = mesh.twin(mesh.twin(g.prev())?.prev())?;
        let fourth = mesh.twin(mesh.twin(second.prev())?.prev())?;
        sum -= 0.0625 * (x(mesh.to(second)) + x(mesh.to(fourth)));
        k += 1;
    }
    Some(sum)
}

/// The stencil at an end that does not have six neighbours.
#[inline(always)]
fn irregular(mesh: impl MeshRef, values: &Values<'_>, h: HalfEdge, n: u32) -> Option<Vec3> {
    let mut sum = 0.75 * values.x.get(mesh.from(h));
    let (mut g, mut k) = (h, 0);
    loop {
        let weight = match (n, k) {
            (3, 0) => 5.0 / 12.0,
            (3, _) => -1.0 / 12.0,
            (4, 0) => 0.375,
            (4, 2) => -0.125,
            (4, _) => 0.0,
            _ => {
                let angle = TURN * k as f32 / n as f32;
                (0.25 + libm::cosf(angle) + 0.5 * libm::cosf(2.0 * angle)) / n as f32
            }
        };
        sum += weight * values.x.get(mesh.to(g));
        g = mesh.twin(g.prev())?;
        k += 1;
        if g == h {
            return Some(sum);
        }
    }
}
