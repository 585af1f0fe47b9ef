//! Options of the liquid.
use ribbonmesh::glam::Vec3;
use ribbonmesh::{Error, Result};
use ribbonmesh_flow::Cells;

/// Most cells along an axis.
const MOST_CELLS: u32 = 1024;
/// Fewest cells along an axis, so that there are cells between walls.
const FEWEST_CELLS: u32 = 4;

/// The box of a liquid, and the parameters of its solution.
#[derive(Clone, Debug, PartialEq)]
pub struct GridOptions {
    /// Cells along each axis, 4 to 1024. The box has one corner at the origin; its walls are solid, and free
    /// to slip along.
    pub cells: [u32; 3],
    /// The edge of a cell.
    pub edge: f32,
    /// The acceleration.
    pub gravity: [f32; 3],
    /// The part of a particle's velocity that is updated by the change on the grid (FLIP); the rest is taken
    /// from the grid (PIC). 0 to 1.
    pub flip: f32,
    /// Layers of faces around the liquid that get an extrapolated velocity, at least 1. Beyond these it is 0.
    pub layers: u32,
    /// Greatest distance, in edges, that the fastest component moves in a sub-step. Above 0, at most 5.
    pub cfl: f32,
    /// The length of the residual, as a part of that of the right-hand side, at which the pressure is solved.
    pub tolerance: f64,
    /// Most iterations of a solve.
    pub iterations: u32,
}
impl Default for GridOptions {
    fn default() -> Self {
        Self {
            cells: [32, 32, 32],
            edge: 1.0 / 32.0,
            gravity: [0.0, -9.81, 0.0],
            flip: 0.95,
            layers: 8,
            cfl: 1.0,
            tolerance: 1e-4,
            iterations: 100,
        }
    }
}
impl GridOptions {
    /// Refuses values that are not valid.
    /// # Errors
    /// [`Error::Option`].
    pub fn check(&self) -> Result<()> {
        let wrong = |option, value: String, expected| -> Result<()> {
            Err(Error::Option { option, value, expected })
        };
        if self.cells.iter().any(|n| !(FEWEST_CELLS..=MOST_CELLS).contains(n)) {
            return wrong("cells", format!("{:?}", self.cells), "4 to 1024 along each axis");
        }
        if !(1e-6..=1e6).contains(&self.edge) {
            return wrong("edge", self.edge.to_string(), "a length from 1e-6 to 1e6");
        }
        if !self.gravity.iter().all(|g| g.is_finite()) {
            return wrong("gravity", format!("{:?}", self.gravity), "three finite numbers");
        }
        if !(0.0..=1.0).contains(&self.flip) {
            return wrong("flip", self.flip.to_string(), "0 to 1");
        }
        if !(1..=MOST_CELLS).contains(&self.layers) {
            return wrong("layers", self.layers.to_string(), "1 to 1024");
        }
        if !(self.cfl > 0.0 && self.cfl <= 5.0) {
            return wrong("cfl", self.cfl.to_string(), "above 0, at most 5");
        }
        if !(1e-6..1.0).contains(&self.tolerance) {
            return wrong(
                "tolerance",
                self.tolerance.to_string(),
                "1e-6, which single precision reaches, to 1",
            );
        }
        if self.iterations == 0 {
            return wrong("iterations", "0".into(), "at least 1");
        }
        Ok(())
    }
    /// The box's corner that is not the origin.
    pub fn size(&self) -> [f32; 3] {
        self.cells.map(|n| n as f32 * self.edge)
    }
    /// Whether a position is in the box; false for one that is not finite.
    pub(super) fn contains(&self, p: Vec3) -> bool {
        p.cmpge(Vec3::ZERO).all() && p.cmple(Vec3::from_array(self.size())).all()
    }
    pub(super) fn grid(&self) -> Cells {
        Cells { n: self.cells, edge: self.edge }
    }
}
