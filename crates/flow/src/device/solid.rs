//! The bounds of the fluid: the sides of the box, and the motion of the obstacle.
use super::cells::Cells;
use glam::Vec3;
use ribbonmesh::device::{In, Parameter};

/// The boundary as kernels see it.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Parameter)]
pub struct Boundary {
    /// Bit 2 a + s: beyond side s of axis a the pressure is 0. The velocities on other sides are given.
    pub outflow: u32,
    /// The velocity of the obstacle at the origin.
    pub velocity: [f32; 3],
    /// The angular velocity of the obstacle, around the origin.
    pub turn: [f32; 3],
}

impl Boundary {
    /// Whether there is an outflow through side `s` of axis `a`.
    #[inline(always)]
    pub fn flows_out(&self, a: usize, s: u32) -> bool {
        self.outflow >> (2 * a as u32 + s) & 1 == 1
    }
    /// Whether the velocity of a face of component `d` is given: it is on a side that is not an outflow.
    #[inline(always)]
    pub fn is_given(&self, cells: Cells, d: usize, at: [u32; 3]) -> bool {
        at[d] == 0 && !self.flows_out(d, 0) || at[d] == cells.n[d] && !self.flows_out(d, 1)
    }
    /// Component `d` of the obstacle's velocity in the middle of a face.
    #[inline(always)]
    pub fn of_solid(&self, cells: Cells, d: usize, at: [u32; 3]) -> f32 {
        let p = Vec3::from_array(cells.middle(d, at));
        (Vec3::from_array(self.velocity) + Vec3::from_array(self.turn).cross(p)).to_array()[d]
    }
    /// The volume that passes a face in a unit of time, over the area of a whole face: of the fluid through
    /// the open part, of the obstacle through the rest.
    #[inline(always)]
    pub fn flux(
        &self,
        cells: Cells,
        open: In<'_, f32>,
        velocity: In<'_, f32>,
        d: usize,
        at: [u32; 3],
    ) -> f32 {
        let face = d as u32 * cells.nodes() + cells.node(at);
        let open = open.get(face);
        let solid = if open < 1.0 { (1.0 - open) * self.of_solid(cells, d, at) } else { 0.0 };
        open * velocity.get(face) + solid
    }
    /// The volume that leaves a cell in a unit of time, over the area of a face.
    #[inline(always)]
    pub fn leaving(&self, cells: Cells, open: In<'_, f32>, velocity: In<'_, f32>, at: [u32; 3]) -> f32 {
        let (mut sum, mut d) = (0.0, 0);
        while d < 3 {
            let mut beyond = at;
            beyond[d] += 1;
            sum += self.flux(cells, open, velocity, d, beyond) - self.flux(cells, open, velocity, d, at);
            d += 1;
        }
        sum
    }
}
