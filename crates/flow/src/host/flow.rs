//! A flow: its grid, its obstacle, its state.
use super::closed::Closed;
use super::error::{FlowError, Result};
use super::geometry::{Geometry, Obstacle};
use super::options::{FlowOptions, Side};
use super::poisson::Poisson;
use super::report::{FlowReport, Solve};
use super::viscosity::Viscosity;
use crate::device::assemble::Assemble;
use crate::device::cells::Cells;
use crate::device::fastest::Fastest;
use crate::device::project::{MostLeaving, ToMiddles};
use crate::device::solid::Boundary;
use ribbonmesh::device::tiles;
use ribbonmesh::{Buffer, Device, Error};

/// Smoke in a box around an obstacle, on a device. About 120 bytes for each cell.
pub struct Flow {
    pub(super) device: Device,
    pub(super) options: FlowOptions,
    pub(super) cells: Cells,
    pub(super) boundary: Boundary,
    pub(super) obstacle: Option<Obstacle>,
    pub(super) geometry: Geometry,
    pub(super) system: Poisson,
    pub(super) viscosity: Option<Viscosity>,
    /// Velocities of faces, and memory for those that are moved.
    pub(super) velocity: Buffer<f32>,
    pub(super) spare: [Buffer<f32>; 2],
    pub(super) marks: [Buffer<u32>; 2],
    pub(super) smoke: Buffer<f32>,
    pub(super) next_smoke: Buffer<f32>,
    pub(super) most: Buffer<u32>,
    pub(super) time: f64,
    pub(super) last_step: f64,
    pub(super) report: FlowReport,
}

impl Flow {
    /// A flow around an obstacle, if there is one. The fluid begins with the velocity of inflows, made free
    /// of divergence, and without smoke but that of the source. Waits.
    /// # Errors
    /// [`Error::Option`]; [`Error::TooMany`]; [`Error::WouldNotFit`]; [`Error::OtherDevice`];
    /// [`FlowError::Full`]; [`FlowError::NotFinite`]; out of memory; errors of the driver.
    pub fn new(device: &Device, options: &FlowOptions, obstacle: Option<Obstacle>) -> Result<Self> {
        let mut flow = Self::begin(device, options, obstacle)?;
        match &flow.obstacle {
            Some(obstacle) => flow.geometry.cut(obstacle)?,
            None => flow.geometry.given(None)?,
        }
        flow.settle()?;
        Ok(flow)
    }
    /// A flow with these open fractions of faces instead of an obstacle, in the order of
    /// [`faces`](Self::faces), each 0 to 1.
    /// # Errors
    /// As [`Flow::new`]; [`Error::Length`]; [`Error::Option`] names the first fraction that is not valid.
    pub fn with_fractions(device: &Device, options: &FlowOptions, open: &[f32]) -> Result<Self> {
        let mut flow = Self::begin(device, options, None)?;
        let expected = 3 * flow.cells.nodes() as usize;
        if open.len() != expected {
            return Err(Error::Length { what: "open fractions", expected, found: open.len() }.into());
        }
        if let Some(face) = open.iter().position(|open| !(0.0..=1.0).contains(open)) {
            let value = format!("{} of face {face}", open[face]);
            return Err(Error::Option { option: "open fraction", value, expected: "0 to 1" }.into());
        }
        flow.geometry.given(Some(open))?;
        flow.settle()?;
        Ok(flow)
    }
    fn begin(device: &Device, options: &FlowOptions, mut obstacle: Option<Obstacle>) -> Result<Self> {
        options.check()?;
        device.check_room(options.count(), "cells of a flow", options.bytes())?;
        let mut boundary = options.boundary();
        if let Some(obstacle) = &mut obstacle {
            if !obstacle.triangles().0.device().same(device) {
                return Err(Error::OtherDevice { what: "the obstacle" }.into());
            }
            obstacle.move_to(0.0, &mut boundary)?;
        }
        let cells = options.grid();
        let (nodes, count) = (cells.nodes() as usize, cells.count() as usize);
        let faces = || device.zeros::<f32>(3 * nodes);
        Ok(Self {
            device: device.clone(),
            options: options.clone(),
            cells,
            boundary,
            obstacle,
            geometry: Geometry::new(device, cells)?,
            system: Poisson::new(device, cells.n, &options.pressure)?,
            viscosity: Viscosity::new(device, options)?,
            velocity: device.upload(&first_velocities(options, cells))?,
            spare: [faces()?, faces()?],
            marks: [device.zeros(nodes)?, device.zeros(nodes)?],
            smoke: device.zeros(count)?,
            next_smoke: device.zeros(count)?,
            most: device.zeros(1)?,
            time: 0.0,
            last_step: 0.0,
            report: FlowReport::default(),
        })
    }
    /// Assembles the matrix, and makes the velocity free of divergence.
    fn settle(&mut self) -> Result<()> {
        self.assemble()?;
        if ribbonmesh::array::max(self.system.diagonal())?.unwrap_or(0.0) == 0.0 {
            return Err(FlowError::Full);
        }
        self.project()?;
        self.add_smoke()?;
        Ok(())
    }
    pub(super) fn assemble(&mut self) -> Result<()> {
        let (device, cells, boundary) = (&self.device, self.cells, self.boundary);
        let open = &self.geometry.open;
        self.system.assemble(|level| {
            device.launch(tiles(cells.count()), Assemble { cells, boundary, open: open.view(), level })
        })?;
        let closed = Closed::of(&self.system, cells, boundary, open)?;
        self.system.set_closed(closed);
        Ok(())
    }

    /// Its device.
    pub fn device(&self) -> &Device {
        &self.device
    }
    /// Its options.
    pub fn options(&self) -> &FlowOptions {
        &self.options
    }
    /// Its obstacle, where it is now.
    pub fn obstacle(&self) -> Option<&Obstacle> {
        self.obstacle.as_ref()
    }
    /// Its system for the pressure.
    pub fn system(&self) -> &Poisson {
        &self.system
    }
    /// Number of connected parts of the fluid that have no outflow.
    pub fn closed_parts(&self) -> usize {
        self.system.closed().map_or(0, Closed::parts)
    }
    /// The time.
    pub fn time(&self) -> f64 {
        self.time
    }
    /// Sums over the steps.
    pub fn report(&self) -> FlowReport {
        self.report
    }
    /// Velocities of faces: (nx + 1) (ny + 1) (nz + 1) numbers for each component, x fastest; the number at
    /// `(i, j, k)` belongs to the face between the cell there and the one before it along the component's
    /// axis.
    pub fn faces(&self) -> &Buffer<f32> {
        &self.velocity
    }
    /// The open fractions of the same faces.
    pub fn open(&self) -> &Buffer<f32> {
        &self.geometry.open
    }
    /// The smoke in each cell, x fastest.
    pub fn smoke(&self) -> &Buffer<f32> {
        &self.smoke
    }
    /// The pressure of the last step in each cell, x fastest, times the step, over the density and the edge
    /// of a cell: its difference between cells is subtracted from velocities. 0 in cells without an open
    /// face.
    pub fn pressure(&self) -> &Buffer<f32> {
        self.system.solution()
    }
    /// Sets the velocities of all faces, also those of inflows and walls, and makes them free of divergence.
    /// # Errors
    /// [`Error::Length`]; [`FlowError::NotFinite`]; out of memory; errors of the driver.
    pub fn set_faces(&mut self, velocities: &[f32]) -> Result<Solve> {
        let (expected, found) = (self.velocity.len(), velocities.len());
        if expected != found {
            return Err(Error::Length { what: "velocities of faces", expected, found }.into());
        }
        self.velocity.write(velocities)?;
        self.project()
    }
    /// Sets the smoke of all cells.
    /// # Errors
    /// [`Error::Length`]; errors of the driver.
    pub fn set_smoke(&mut self, smoke: &[f32]) -> Result<()> {
        let (expected, found) = (self.smoke.len(), smoke.len());
        if expected != found {
            return Err(Error::Length { what: "smoke of cells", expected, found }.into());
        }
        Ok(self.smoke.write(smoke)?)
    }
    /// Velocities in the middles of cells: means of the faces on both sides. A pass over the grid.
    /// # Errors
    /// Out of memory; errors of the driver.
    pub fn middles(&self) -> Result<Buffer<[f32; 3]>> {
        let (cells, velocity) = (self.cells, self.velocity.view());
        let mut to = self.device.unspecified(cells.count() as usize)?;
        self.device.launch(tiles(cells.count()), ToMiddles { cells, velocity, to: to.view_mut() })?;
        Ok(to)
    }
    /// The greatest component of the velocity. A pass over the faces; waits.
    /// # Errors
    /// [`FlowError::NotFinite`]; errors of the driver.
    pub fn speed(&mut self) -> Result<f32> {
        self.most.clear()?;
        let (velocity, n) = (self.velocity.view(), self.velocity.len() as u32);
        self.device.launch(tiles(n), Fastest { n, velocity, most: self.most.view_mut() })?;
        let speed = f32::from_bits(self.most.read()?[0]);
        if speed.is_finite() { Ok(speed) } else { Err(FlowError::NotFinite { step: self.report.steps }) }
    }
    /// The most that leaves or enters a cell in a unit of time, over the area of a face: the divergence that
    /// the solution has left. A pass over the grid; waits.
    /// # Errors
    /// Errors of the driver.
    pub fn leak(&mut self) -> Result<f32> {
        self.most.clear()?;
        let kernel = MostLeaving {
            cells: self.cells,
            boundary: self.boundary,
            open: self.geometry.open.view(),
            velocity: self.velocity.view(),
            diagonal: self.system.diagonal().view(),
            most: self.most.view_mut(),
        };
        self.device.launch(tiles(self.cells.count()), kernel)?;
        Ok(f32::from_bits(self.most.read()?[0]))
    }
}

/// The velocity of inflows on all faces but those of walls.
fn first_velocities(options: &FlowOptions, cells: Cells) -> Vec<f32> {
    let nodes = cells.nodes() as usize;
    let mut velocities = vec![0.0; 3 * nodes];
    for (d, of) in velocities.chunks_exact_mut(nodes).enumerate() {
        for (node, value) in of.iter_mut().enumerate() {
            let at = cells.of_node(node as u32);
            let is_wall = |s: usize| matches!(options.sides[d][s], Side::Wall | Side::NoSlip);
            let wall = at[d] == 0 && is_wall(0) || at[d] == cells.n[d] && is_wall(1);
            if cells.has_face(d, at) && !wall {
                *value = options.inflow[d];
            }
        }
    }
    velocities
}
