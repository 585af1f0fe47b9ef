//! Viscosity: the implicit diffusion of a component of the velocity, with walls at which the fluid sticks.
//!
//! The equation of a face: (1 + κ Σ w) u − κ Σ w (u beyond) = u before, where κ is the viscosity times the
//! time step, over the square of the edge, and w is 1 for the next face. Where a wall is nearer than that, w
//! is the edge over its distance and u beyond is the velocity of the wall: the matrix is symmetric, and the
//! solution of second order (Gibou, Fedkiw, Cheng and Kang 2002).
//!
//! Distances follow from open fractions. Across a face, they are parts of the line through the middles of
//! this face and the next; along its normal, the line's open part is the mean of the open parts of the faces
//! around the cell. Both are exact for a plane that crosses these faces from side to side. The middle of a
//! face is in the fluid if at least half of the face is.
use super::cells::Cells;
use super::level::{LevelOut, place};
use super::solid::Boundary;
use glam::Vec3;
use ribbonmesh::device::{Block, In, Out, Parameter, kernel};
use ribbonmesh_linear::{Part, Scalars, Value};

/// The open part of a face whose middle is in the fluid, at least.
const HALF: f32 = 0.5;
/// The least distance of a wall, as a part of the edge: below the resolution of open fractions.
const LEAST: f32 = 1.0 / 16.0;

/// The velocities along the sides of the box.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Parameter)]
pub struct Along {
    /// Bit 2 a + s: the velocity along side s of axis a is given. Along other sides the fluid slips.
    pub given: u32,
    /// Those of them at which it is [`inflow`](Self::inflow); at others it is 0.
    pub inflows: u32,
    /// The velocity of inflows.
    pub inflow: [f32; 3],
}

/// The next value beyond a face along an axis.
#[derive(Clone, Copy)]
struct Beyond {
    /// The edge over its distance; 0 if there is none.
    weight: f32,
    velocity: f32,
    is_unknown: bool,
    is_mesh: bool,
}

/// The faces of one component.
#[derive(Clone, Copy)]
struct Faces<'a> {
    cells: Cells,
    boundary: Boundary,
    along: Along,
    d: usize,
    open: In<'a, f32>,
    velocity: In<'a, f32>,
}
impl Faces<'_> {
    #[inline(always)]
    fn index(&self, d: usize, at: [u32; 3]) -> u32 {
        d as u32 * self.cells.nodes() + self.cells.node(at)
    }
    #[inline(always)]
    fn open(&self, at: [u32; 3]) -> f32 {
        self.open.get(self.index(self.d, at))
    }
    #[inline(always)]
    fn velocity(&self, at: [u32; 3]) -> f32 {
        self.velocity.get(self.index(self.d, at))
    }
    /// Whether a face is in the box, and its velocity is not that of a side.
    #[inline(always)]
    fn is_free(&self, at: [u32; 3]) -> bool {
        self.cells.has_face(self.d, at) && !self.boundary.is_given(self.cells, self.d, at)
    }
    #[inline(always)]
    fn is_unknown(&self, at: [u32; 3]) -> bool {
        self.is_free(at) && self.open(at) >= HALF
    }
    /// The open part of the line between the two faces of a cell.
    #[inline(always)]
    fn within(&self, cell: [u32; 3]) -> f32 {
        let (mut sum, mut count, mut b) = (0.0, 0.0, 0);
        while b < 3 {
            // across the layer of a flow in two dimensions nothing changes
            if b != self.d && self.cells.n[b] > 1 {
                let mut above = cell;
                above[b] += 1;
                sum += self.open.get(self.index(b, cell)) + self.open.get(self.index(b, above));
                count += 2.0;
            }
            b += 1;
        }
        if count > 0.0 { sum / count } else { HALF }
    }
    /// The place beyond a face along axis `a`, after it if `after`.
    #[inline(always)]
    fn beyond(&self, at: [u32; 3], a: usize, after: bool) -> Beyond {
        let last = if a == self.d { self.cells.n[a] } else { self.cells.n[a] - 1 };
        if at[a] == if after { last } else { 0 } {
            return self.beyond_side(a, after);
        }
        let (mut other, mut cell) = (at, at);
        if after {
            other[a] += 1;
        } else {
            other[a] -= 1;
            cell[a] -= 1;
        }
        let open = self.open(other);
        if open >= HALF {
            let (velocity, is_unknown) = (self.velocity(other), self.is_free(other));
            return Beyond { weight: 1.0, velocity, is_unknown, is_mesh: false };
        }
        let distance = if a == self.d { self.within(cell) } else { self.open(at) + open - HALF };
        let distance = distance.clamp(LEAST, 1.0);
        let [here, there] = [at, other].map(|at| self.boundary.of_solid(self.cells, self.d, at));
        let velocity = here + distance * (there - here);
        Beyond { weight: 1.0 / distance, velocity, is_unknown: false, is_mesh: true }
    }
    /// The place beyond a face next to a side of the box: half an edge away, or nothing.
    #[inline(always)]
    fn beyond_side(&self, a: usize, after: bool) -> Beyond {
        let bit = 1 << (2 * a as u32 + u32::from(after));
        let given = a != self.d && self.along.given & bit != 0;
        let velocity = if self.along.inflows & bit != 0 { self.along.inflow[self.d] } else { 0.0 };
        Beyond { weight: if given { 2.0 } else { 0.0 }, velocity, is_unknown: false, is_mesh: false }
    }
    /// Runs `f` for what is beyond a face along each axis, with the axis and whether it is after it.
    #[inline(always)]
    fn for_each_beyond(&self, at: [u32; 3], mut f: impl FnMut(usize, bool, Beyond)) {
        let mut a = 0;
        while a < 3 {
            f(a, false, self.beyond(at, a, false));
            f(a, true, self.beyond(at, a, true));
            a += 1;
        }
    }
}

/// The matrix of the diffusion of component `d`, its residual for the velocities as they are, which are the
/// first solution, and r·r. `factor` is κ; `n` has the unknowns along each axis, one for each face. 40 bytes
/// for each of them.
#[kernel(threads = 256)]
pub fn begin_diffusion<'a>(
    block: &Block,
    cells: Cells,
    boundary: Boundary,
    along: Along,
    d: u32,
    factor: f32,
    open: In<'a, f32>,
    velocity: In<'a, f32>,
    n: [u32; 3],
    level: LevelOut<'a>,
    scalars: Scalars<'a>,
    r: Out<'a, f32>,
    x: Out<'a, f32>,
) {
    let faces = Faces { cells, boundary, along, d: d as usize, open, velocity };
    let of = |i: u32| {
        let at = place(n, i);
        if !faces.is_unknown(at) {
            level.set(i, [0.0; 3], 0.0);
            return 0.0;
        }
        let here = faces.velocity(at);
        let (mut lower, mut weights, mut change) = ([0.0; 3], 0.0, 0.0);
        faces.for_each_beyond(at, |a, after, beyond| {
            weights += beyond.weight;
            change += beyond.weight * (beyond.velocity - here);
            if !after && beyond.is_unknown {
                lower[a] = factor;
            }
        });
        level.set(i, lower, 1.0 + factor * weights);
        let left = factor * change;
        r.set(i, left);
        x.set(i, here);
        left.dot(left)
    };
    let part = Part::of_tile(block, n[0] * n[1] * n[2]).sum(block, of);
    scalars.begin(block, part);
}

/// Sets the velocities of component `d` to the solution; faces whose middles are not in the fluid get the
/// velocity of the obstacle. 12 bytes for each face.
#[kernel(threads = 256)]
pub fn end_diffusion<'a>(
    block: &Block,
    cells: Cells,
    boundary: Boundary,
    d: u32,
    n: [u32; 3],
    open: In<'a, f32>,
    x: In<'a, f32>,
    velocity: Out<'a, f32>,
) {
    block.for_each_of_tile(n[0] * n[1] * n[2], |i| {
        let (at, d) = (place(n, i), d as usize);
        if cells.has_face(d, at) && !boundary.is_given(cells, d, at) {
            let face = d as u32 * cells.nodes() + cells.node(at);
            let is_fluid = open.get(face) >= HALF;
            velocity.set(face, if is_fluid { x.get(i) } else { boundary.of_solid(cells, d, at) });
        }
    });
}

/// The force on the obstacle, in parts whose sum it is: of the pressure in each cell, over the area that
/// closes its open faces; of the friction at each face next to the obstacle. `pressure` and `friction` are
/// the factors of both. 52 bytes for each node.
#[kernel(threads = 256)]
pub fn forces<'a>(
    block: &Block,
    cells: Cells,
    boundary: Boundary,
    along: Along,
    pressure: f32,
    friction: f32,
    open: In<'a, f32>,
    velocity: In<'a, f32>,
    p: In<'a, f32>,
    to: Out<'a, Vec3>,
) {
    block.for_each_of_tile(cells.nodes(), |node| {
        let (at, mut force, mut d) = (cells.of_node(node), [0.0; 3], 0);
        let is_cell = at[0] < cells.n[0] && at[1] < cells.n[1] && at[2] < cells.n[2];
        while d < 3 {
            let faces = Faces { cells, boundary, along, d, open, velocity };
            if is_cell {
                let mut above = at;
                above[d] += 1;
                force[d] += pressure * p.get(cells.cell(at)) * (faces.open(at) - faces.open(above));
            }
            if friction != 0.0 && faces.is_unknown(at) {
                let (here, mut sum) = (faces.velocity(at), 0.0);
                faces.for_each_beyond(at, |_, _, beyond| {
                    if beyond.is_mesh {
                        sum += beyond.weight * (here - beyond.velocity);
                    }
                });
                // a face on a side has half of the volume of others
                force[d] += friction * if cells.is_wall(d, at) { 0.5 * sum } else { sum };
            }
            d += 1;
        }
        to.set(node, Vec3::from_array(force));
    });
}
