//! Memory of the simulation on the device.
use super::domain::Domain;
use ribbonmesh::device::{In, Out, Parameter};

/// Levels in units and momenta of all cells, to read.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Cells<'a> {
    /// Height of the surface; where there is no water, of the bed.
    pub level: In<'a, i32>,
    /// Depth times velocity along x.
    pub x: In<'a, f32>,
    /// Depth times velocity along y.
    pub y: In<'a, f32>,
}
/// The same, to write.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct CellsOut<'a> {
    /// Height of the surface; where there is no water, of the bed.
    pub level: Out<'a, i32>,
    /// Depth times velocity along x.
    pub x: Out<'a, f32>,
    /// Depth times velocity along y.
    pub y: Out<'a, f32>,
}
macro_rules! fits { ($($cells:ident)*) => { $(
    impl $cells<'_> {
        /// Whether each array has a value for each cell.
        #[inline(always)]
        pub fn fits(&self, domain: &Domain) -> bool {
            let n = domain.cells();
            self.level.len() == n && self.x.len() == n && self.y.len() == n
        }
    }
)* } }
fits!(Cells CellsOut);

/// Words of the state.
pub const STATE: usize = 6;
/// Number of tiles in the list.
pub const COUNT: u32 = 0;
/// The greatest speed of a wave, as bits.
pub const SPEED: u32 = 1;
/// The time step, as bits; 0 after the end.
pub const DT: u32 = 2;
/// Steps.
pub const STEPS: u32 = 3;
/// The shortest time step, as bits.
pub const SHORTEST: u32 = 4;
/// Number of tiles of the step before.
pub const ACTIVE: u32 = 5;

/// Numbers of the clock.
pub const CLOCK: usize = 3;
/// The time.
pub const TIME: u32 = 0;
/// The time at which to stop.
pub const END: u32 = 1;
/// Tiles that were computed, the sum over all steps.
pub const COMPUTED: u32 = 2;

/// Where water comes in: columns `x` to `x_end`, rows `y` to `y_end`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct Inflow {
    /// The first column.
    pub x: u32,
    /// The first row.
    pub y: u32,
    /// The column after the last.
    pub x_end: u32,
    /// The row after the last.
    pub y_end: u32,
    /// Units of height per time.
    pub rate: f32,
    /// Units that each of its cells gets in this step.
    pub gain: i32,
    /// Units that came so far, with a fraction.
    pub sum: f64,
}

/// Status: a velocity is not a number. First detail: the cell.
pub const NOT_FINITE: u32 = 1000;
/// Status: the water is too high for the numbers that heights are kept in. First detail: the cell.
pub const TOO_HIGH: u32 = 1001;
/// The highest level.
pub const HIGHEST: i32 = 1 << 30;
