//! The box of a flow around a mesh.
use super::{FlowCommand, Walls};
use crate::failure::Failure;
use ribbonmesh::Device;
use ribbonmesh::glam::{DVec3, Vec3};
use ribbonmesh_flow::{Motion, Obstacle, Result as FlowResult, Side};
use ribbonmesh_mesh::TriangleMesh;

/// A box, its cells, and the mesh in it.
pub struct Placed {
    pub cells: [u32; 3],
    pub edge: f64,
    /// The corner of the box that becomes the origin.
    pub origin: DVec3,
    /// The middle of the mesh.
    pub middle: DVec3,
    pub sides: [[Side; 2]; 3],
    pub inflow: [f64; 3],
    /// In the coordinates of the box.
    pub source: Option<[[f64; 3]; 2]>,
    pub time_step: f64,
    motion: Motion,
}

impl Placed {
    /// The pressure over the solver's, which makes differences of velocities; the density is 1.
    pub fn pressure_factor(&self) -> f32 {
        (self.edge / self.time_step) as f32
    }
    /// The mesh in the coordinates of the box.
    pub fn obstacle(&self, device: &Device, mesh: &TriangleMesh) -> FlowResult<Obstacle> {
        let positions: Vec<Vec3> = mesh.positions.iter().map(|p| (*p - self.origin).as_vec3()).collect();
        Obstacle::new(device, &positions, &mesh.faces, self.motion)
    }
}

impl FlowCommand {
    /// The box around a mesh.
    pub(super) fn place(&self, mesh: &TriangleMesh) -> Result<Placed, Failure> {
        if let Some(vertex) = mesh.positions.iter().position(|p| !p.is_finite()) {
            return Err(Failure::of_file(&self.mesh, ribbonmesh::Error::NotFinite { vertex }));
        }
        let Some(around) = mesh.bounding_box() else { return Err(Failure::NoFaces(self.mesh.clone())) };
        let (middle, length) = (around.middle(), around.size().max_element());
        if self.size.is_none() && length == 0.0 {
            return Err(Failure::Refused(format!("{}: the mesh is a point", self.mesh.display())));
        }
        let flows = |a: usize| if self.inflow[a] == 0.0 { 0.0 } else { self.inflow[a].signum() };
        let flow = DVec3::from_array([0, 1, 2].map(flows));
        // one length before and behind the mesh, and two more where it flows
        let usual = around.size() + length * (2.0 + 2.0 * flow.abs());
        let size = self.size.map_or(usual, DVec3::from_array);
        if size.min_element() <= 0.0 {
            return Err(Failure::Usage("--size: three positive lengths are wanted".into()));
        }
        let mut ahead = usual - around.size();
        ahead = ahead.max(DVec3::splat(f64::MIN_POSITIVE));
        // the part of the free length that is before the mesh
        let before = DVec3::splat(0.5) - flow * length / ahead;
        let low = around.low - (size - around.size()) * before;
        let sizes = if self.flat { DVec3::new(size.x, size.y, 0.0) } else { size };
        let edge = sizes.max_element() / f64::from(self.cells);
        let mut cells = size.to_array().map(|s| (s / edge).round().clamp(1.0, 8192.0) as u32);
        let mut origin = low;
        if self.flat {
            (cells[2], origin.z) = (1, middle.z - 0.5 * edge);
        }
        let side = |a: usize, s: usize| {
            let flow = flow[a];
            let into = if s == 0 { flow > 0.0 } else { flow < 0.0 };
            if into {
                Side::Inflow
            } else if flow != 0.0 {
                Side::Outflow
            } else if self.walls == Walls::Stick && !(self.flat && a == 2) {
                Side::NoSlip
            } else {
                Side::Wall
            }
        };
        let mut sides = [0, 1, 2].map(|a| [side(a, 0), side(a, 1)]);
        let mut inflow = self.inflow;
        if self.flat {
            (sides[2], inflow[2]) = ([Side::Wall; 2], 0.0);
        }
        let mut placed = Placed {
            cells,
            edge,
            origin,
            middle,
            sides,
            inflow,
            source: None,
            time_step: 0.0,
            motion: Motion { velocity: self.velocity, centre: (middle - origin).to_array(), turn: self.turn },
        };
        placed.time_step = self.time_step.map_or_else(|| self.usual_step(&placed, length), Ok)?;
        placed.source = match self.source {
            Some([a, b, c, d, e, f]) => {
                let corners = [DVec3::new(a, b, c), DVec3::new(d, e, f)];
                Some(corners.map(|corner| (corner - origin).to_array()))
            }
            None => placed.usual_source(around.low - origin, around.high - origin),
        };
        Ok(placed)
    }
    /// The time in which the inflow, or else the mesh, passes a cell.
    fn usual_step(&self, placed: &Placed, length: f64) -> Result<f64, Failure> {
        let fastest = |v: [f64; 3]| v.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        let turning = fastest(self.turn) * length / 2.0;
        let speed = fastest(placed.inflow).max(fastest(self.velocity)).max(turning);
        if speed > 0.0 {
            return Ok(placed.edge / speed);
        }
        Err(Failure::Usage("--time-step: nothing moves at the beginning, so that no step is usual".into()))
    }
}

impl Placed {
    /// Two layers of cells at the first side with an inflow, as wide as the mesh.
    fn usual_source(&self, mut low: DVec3, mut high: DVec3) -> Option<[[f64; 3]; 2]> {
        let axis = (0..3).find(|a| self.sides[*a].contains(&Side::Inflow))?;
        let size = f64::from(self.cells[axis]) * self.edge;
        let thick = 2.0 * self.edge;
        (low[axis], high[axis]) = match self.sides[axis][0] == Side::Inflow {
            true => (0.0, thick),
            false => (size - thick, size),
        };
        Some([low.to_array(), high.to_array()])
    }
}
