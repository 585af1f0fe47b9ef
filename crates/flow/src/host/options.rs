//! Options of flows.
use super::poisson::PoissonOptions;
use crate::device::cells::Cells;
use crate::device::solid::Boundary;
use crate::device::viscosity::Along;
use ribbonmesh::{Error, Result};

/// Most cells along an axis.
const MOST_CELLS: u32 = 8192;
/// Fewest cells of a grid.
const FEWEST: u64 = 8;
/// Most faces, so that their indices, and those of words for them, have 31 bits.
const MOST_FACES: u64 = 1 << 30;

/// The condition at a side of the box.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Side {
    /// A wall, along which the fluid slips.
    #[default]
    Wall,
    /// A wall at which the fluid sticks, as fluid with a [viscosity](FlowOptions::viscosity) does.
    NoSlip,
    /// Fluid with the velocity [`FlowOptions::inflow`]. If that leads along the side, it is a wall that
    /// moves.
    Inflow,
    /// The pressure 0, half a cell beyond the side.
    Outflow,
}

/// How velocities and smoke are moved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Advection {
    /// Forth and back, with half of the difference as a correction (Selle and others 2008): second order.
    #[default]
    MacCormack,
    /// Once (Stam 1999): half of the time, and vortices and smoke are smeared.
    SemiLagrangian,
}

/// The box of a flow, its sides, and the parameters of the solution.
#[derive(Clone, Debug, PartialEq)]
pub struct FlowOptions {
    /// Cells along each axis, 1 to 8192. A flow in two dimensions has one cell along z.
    pub cells: [u32; 3],
    /// The edge of a cell, 1e-6 to 1e6. The box has one corner at the origin.
    pub edge: f32,
    /// The lower and the upper side along each axis.
    pub sides: [[Side; 2]; 3],
    /// The velocity at the beginning, and at inflows.
    pub inflow: [f32; 3],
    /// The kinematic viscosity: that of the fluid over its density. With 0 the fluid slips along the obstacle
    /// and along walls; otherwise it sticks to the obstacle, and to sides that are [`Side::NoSlip`].
    pub viscosity: f32,
    /// An acceleration of all fluid.
    pub acceleration: [f32; 3],
    /// An acceleration of fluid with smoke: of fluid with as much smoke as the source has.
    pub lift: [f32; 3],
    /// Opposite corners of a box in which all cells get smoke of 1 after each step.
    pub source: Option<[[f32; 3]; 2]>,
    /// How velocities and smoke are moved.
    pub advection: Advection,
    /// The solution of the pressure.
    pub pressure: PoissonOptions,
    /// Layers of closed faces that get a velocity from open ones; beyond them the fluid has the velocity of
    /// the obstacle. At least as many as cells are passed in a step.
    pub layers: u32,
    /// Measure the seconds of each part of a step, for which the host waits after each part.
    pub measure: bool,
}
impl Default for FlowOptions {
    fn default() -> Self {
        Self {
            cells: [64, 32, 32],
            edge: 1.0 / 32.0,
            sides: [[Side::Inflow, Side::Outflow], [Side::Wall; 2], [Side::Wall; 2]],
            inflow: [1.0, 0.0, 0.0],
            viscosity: 0.0,
            acceleration: [0.0; 3],
            lift: [0.0; 3],
            source: None,
            advection: Advection::default(),
            pressure: PoissonOptions::default(),
            layers: 3,
            measure: false,
        }
    }
}
impl FlowOptions {
    /// Refuses values that are not valid.
    /// # Errors
    /// [`Error::Option`]; [`Error::TooMany`].
    pub fn check(&self) -> Result<()> {
        let wrong = |option, value: String, expected| -> Result<()> {
            Err(Error::Option { option, value, expected })
        };
        if self.cells.iter().any(|n| !(1..=MOST_CELLS).contains(n)) || self.count() < FEWEST {
            let expected = "1 to 8192 along each axis, and 8 or more in all";
            return wrong("cells", format!("{:?}", self.cells), expected);
        }
        let faces = 3 * self.cells.iter().map(|n| u64::from(n + 1)).product::<u64>();
        if faces > MOST_FACES {
            return Err(Error::TooMany { what: "faces of cells", count: faces, limit: MOST_FACES });
        }
        if !(1e-6..=1e6).contains(&self.edge) {
            return wrong("edge", self.edge.to_string(), "a length from 1e-6 to 1e6");
        }
        if !(self.viscosity >= 0.0 && self.viscosity.is_finite()) {
            return wrong("viscosity", self.viscosity.to_string(), "a number of at least 0");
        }
        if self.viscosity == 0.0 && self.sides.as_flattened().contains(&Side::NoSlip) {
            return wrong("sides", "NoSlip".into(), "walls along which fluid without viscosity slips");
        }
        let vectors = [("inflow", self.inflow), ("acceleration", self.acceleration), ("lift", self.lift)];
        for (option, vector) in vectors {
            if !vector.iter().all(|x| x.is_finite()) {
                return wrong(option, format!("{vector:?}"), "three finite numbers");
            }
        }
        if let Some(source) = self.source
            && !source.as_flattened().iter().all(|x| x.is_finite())
        {
            return wrong("source", format!("{source:?}"), "six finite numbers");
        }
        if !(1..=MOST_CELLS).contains(&self.layers) {
            return wrong("layers", self.layers.to_string(), "1 to 8192");
        }
        self.pressure.check()
    }
    /// Number of cells.
    pub fn count(&self) -> u64 {
        self.cells.iter().map(|n| u64::from(*n)).product()
    }
    /// Bytes that a flow with these options needs on its device, about. The tree of an obstacle comes in
    /// addition.
    pub fn bytes(&self) -> u64 {
        let nodes = self.cells.iter().map(|n| u64::from(n + 1)).product::<u64>();
        // the system of a component
        let viscous = if self.viscosity > 0.0 { nodes * 54 } else { 0 };
        // levels, vectors and smoke; velocities, fractions, marks, scratch of the cut
        self.count() * 68 + nodes * (4 * 3 * 4 + 3 * 4) + viscous
    }
    pub(crate) fn grid(&self) -> Cells {
        Cells { n: self.cells, edge: self.edge }
    }
    /// A bit for each side that is of a kind.
    fn sides_with(&self, is: impl Fn(Side) -> bool) -> u32 {
        let sides = self.sides.as_flattened().iter().enumerate();
        sides.map(|(i, side)| u32::from(is(*side)) << i).sum()
    }
    /// The boundary without the motion of an obstacle.
    pub(crate) fn boundary(&self) -> Boundary {
        let outflow = self.sides_with(|side| side == Side::Outflow);
        Boundary { outflow, velocity: [0.0; 3], turn: [0.0; 3] }
    }
    /// The velocities along sides.
    pub(crate) fn along(&self) -> Along {
        let inflows = self.sides_with(|side| side == Side::Inflow);
        let given = inflows | self.sides_with(|side| side == Side::NoSlip);
        Along { given, inflows, inflow: self.inflow }
    }
}
