//! The flow in a browser: slices of the grid, and the mesh.
use super::FlowCommand;
use super::placing::Placed;
use crate::failure::Failure;
use crate::serving::Watched;
use crate::session::Session;
use crate::streams::input_name;
use ribbonmesh_flow::Flow;
use ribbonmesh_render::Up;
use ribbonmesh_serve::stream::Slice;
use ribbonmesh_serve::{CellGrid, Formula, Grid, GridMoment, Server};

/// A flow that clients watch.
pub struct WatchedFlow {
    watched: Watched<Grid>,
    speed: Formula<[f32; 3]>,
    pressure: Formula<f32>,
    moves: bool,
}

impl FlowCommand {
    /// The flow as it is at the beginning, if that is asked for.
    pub(super) fn watched(
        &self,
        server: Option<Server>,
        placed: &Placed,
        flow: &Flow,
    ) -> Result<Option<WatchedFlow>, Failure> {
        let device = flow.device();
        let axis = self.slice as usize;
        let mut normal = [0.0; 3];
        normal[axis] = 1.0;
        let begins = Slice { normal, offset: placed.middle[axis] };
        let grid = CellGrid { cells: placed.cells, edge: placed.edge as f32 };
        let title = (format!("flow {}", input_name(&self.mesh)), Up::default());
        let seen = || Ok(Grid::new(device, grid, placed.origin, Some(begins)));
        let Some(watched) = self.serving.watched_as(server, title, seen)? else { return Ok(None) };
        let factor = placed.pressure_factor();
        let mut watched = WatchedFlow {
            watched,
            speed: Formula::new(device, "mag(v)", "v")?,
            pressure: Formula::new(device, &format!("p * {factor:?}"), "p")?,
            moves: self.velocity != [0.0; 3] || self.turn != [0.0; 3],
        };
        let mut moment = watched.moment(flow)?;
        if let Some(obstacle) = flow.obstacle() {
            let (positions, faces) = obstacle.triangles();
            moment = moment.surface(positions.try_clone()?, faces.try_clone()?);
        }
        watched.watched.show(moment)?;
        Ok(Some(watched))
    }
}

impl WatchedFlow {
    /// Shows the present step, and waits while a client has paused.
    pub fn show(&mut self, flow: &Flow) -> Result<(), Failure> {
        let mut moment = self.moment(flow)?;
        if let Some(obstacle) = flow.obstacle().filter(|_| self.moves) {
            moment = moment.moved(obstacle.triangles().0.try_clone()?);
        }
        self.watched.show(moment)
    }
    /// Serves the last step after the command's end, until the program is ended.
    pub fn stay(self, session: &mut Session) {
        self.watched.stay(session);
    }
    /// The fields of cells. Those without an open face show nothing.
    fn moment(&mut self, flow: &Flow) -> Result<GridMoment, Failure> {
        let velocity = flow.middles()?;
        let (speed, pressure) = (self.speed.of(&velocity)?, self.pressure.of(flow.pressure())?);
        Ok(GridMoment::at(flow.time())
            .open(flow.system().diagonal().try_clone()?)
            .of_cells("smoke", flow.smoke().try_clone()?)
            .of_cells("speed", speed)
            .of_cells("pressure", pressure)
            .of_cells("velocity", velocity))
    }
}
