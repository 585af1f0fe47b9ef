//! The liquid: its particles, its grid, and its steps.
use super::options::GridOptions;
use super::pressure::Pressure;
use super::report::GridReport;
use crate::device::particles::{
    AdvancePlaces, CellsOfParticles, Reorder, VelocitiesOfFaces, VelocitiesOfParticles,
};
use crate::device::project::Project;
use ribbonmesh::device::tiles;
use ribbonmesh::glam::Vec3;
use ribbonmesh::{Buffer, Device, Error, Result, array};
use ribbonmesh_flow::{Cells, Extrapolate, Fastest, Solve};

/// Distance from a wall, in edges of a cell, from which on particles and vertices are not pushed back.
const MARGIN: f32 = 0.01;
/// The most sub-steps of a step.
const MOST_SUBSTEPS: f64 = 1000.0;

/// A liquid in a box, on a device. About 90 bytes for each cell and 60 for each particle.
pub struct Liquid {
    device: Device,
    options: GridOptions,
    cells: Cells,
    pressure: Pressure,
    x: Buffer<Vec3>,
    v: Buffer<Vec3>,
    spare: [Buffer<Vec3>; 2],
    keys: Buffer<u32>,
    /// Velocities of faces, and the velocities before forces and pressure.
    velocity: Buffer<f32>,
    before: Buffer<f32>,
    marks: [Buffer<u32>; 2],
    most: Buffer<u32>,
    speed: f32,
    solve: Solve,
}

/// The state of a liquid at a time.
pub(super) struct Kept {
    x: Buffer<Vec3>,
    v: Buffer<Vec3>,
    velocity: Buffer<f32>,
    speed: f32,
}

impl Liquid {
    /// Makes a liquid of particles with velocities, which are made free of divergence. About 8 particles in
    /// each cell of liquid are usual.
    /// # Errors
    /// [`Error::Option`] for an option or a particle outside of the box; [`Error::PointNotFinite`] for a
    /// position or a velocity; [`Error::Length`]; [`Error::TooMany`]; out of memory; errors of the driver.
    pub fn new(
        device: &Device,
        options: &GridOptions,
        positions: &[Vec3],
        velocities: &[Vec3],
    ) -> Result<Self> {
        options.check()?;
        if positions.len() != velocities.len() {
            let (expected, found) = (positions.len(), velocities.len());
            return Err(Error::Length { what: "velocities of particles", expected, found });
        }
        let (count, limit) = (positions.len() as u64, i32::MAX as u64);
        if count > limit {
            return Err(Error::TooMany { what: "particles", count, limit });
        }
        for (point, (x, v)) in positions.iter().zip(velocities).enumerate() {
            if !(x.is_finite() && v.is_finite()) {
                return Err(Error::PointNotFinite { point });
            }
            if !options.contains(*x) {
                let expected = "a place in the box";
                return Err(Error::Option { option: "particle", value: format!("{point} at {x}"), expected });
            }
        }
        let cells = options.grid();
        let (nodes, n) = (cells.nodes() as usize, positions.len());
        let mut liquid = Self {
            device: device.clone(),
            options: options.clone(),
            cells,
            pressure: Pressure::new(device, cells, options.tolerance, options.iterations)?,
            x: device.upload(positions)?,
            v: device.upload(velocities)?,
            spare: [device.unspecified(n)?, device.unspecified(n)?],
            keys: device.unspecified(n)?,
            velocity: device.zeros(3 * nodes)?,
            before: device.zeros(3 * nodes)?,
            marks: [device.zeros(nodes)?, device.zeros(nodes)?],
            most: device.zeros(1)?,
            speed: 0.0,
            solve: Solve::default(),
        };
        liquid.solve(0.0)?;
        Ok(liquid)
    }
    /// Its device.
    pub fn device(&self) -> &Device {
        &self.device
    }
    /// Its options.
    pub fn options(&self) -> &GridOptions {
        &self.options
    }
    /// Positions of the particles, in the order of their cells.
    pub fn positions(&self) -> &Buffer<Vec3> {
        &self.x
    }
    /// Velocities of the particles, in the same order.
    pub fn velocities(&self) -> &Buffer<Vec3> {
        &self.v
    }
    /// Velocities of faces: (nx + 1) (ny + 1) (nz + 1) numbers for each component, x fastest; the number at
    /// `(i, j, k)` belongs to the face between the cell there and the one before it along the component's
    /// axis.
    pub fn faces(&self) -> &Buffer<f32> {
        &self.velocity
    }
    /// The pressure of the last sub-step in each cell, x fastest, times the sub-step, over the density and
    /// the edge of a cell: its difference between cells is subtracted from velocities. 0 in air.
    pub fn pressure(&self) -> &Buffer<f32> {
        self.pressure.solution()
    }
    /// Report of the last solve for the pressure.
    pub fn last_solve(&self) -> Solve {
        self.solve
    }
    /// The greatest component of the velocity, in and around the liquid.
    pub fn speed(&self) -> f32 {
        self.speed
    }

    /// Advances the liquid by a time, in sub-steps in which no particle moves farther than the options allow.
    /// Waits.
    /// # Errors
    /// [`Error::Option`] for a time that is negative or not finite, or that needs more than 1000 sub-steps;
    /// out of memory; errors of the driver.
    pub fn step(&mut self, dt: f64) -> Result<GridReport> {
        let mut nothing = self.device.zeros(0)?;
        self.step_with(dt, &mut nothing)
    }
    /// As [`step`](Self::step), and moves other positions with the liquid.
    /// # Errors
    /// As [`step`](Self::step).
    pub fn step_with(&mut self, dt: f64, places: &mut Buffer<Vec3>) -> Result<GridReport> {
        let refused = |expected| Err(Error::Option { option: "time step", value: dt.to_string(), expected });
        if !(dt >= 0.0 && dt.is_finite()) {
            return refused("a finite time, not negative");
        }
        let gravity = Vec3::from_array(self.options.gravity).length();
        let mut report = GridReport::default();
        let (mut left, mut used) = (dt, 0.0);
        while left > 0.0 {
            // the speed that gravity adds over an edge (Bridson 2015, section 3.2)
            let fastest = f64::from(self.speed + (self.options.edge * gravity).sqrt());
            let most = f64::from(self.options.cfl * self.options.edge) / fastest.max(1e-30);
            let parts = (left / most).ceil().max(1.0);
            used += 1.0;
            if parts + used > MOST_SUBSTEPS || !self.speed.is_finite() {
                return refused("a time of at most 1000 sub-steps; the velocity is too large for the cells");
            }
            let part = left / parts;
            left = if parts == 1.0 { 0.0 } else { left - part };
            self.substep(part as f32, places)?;
            report.count(self.solve);
        }
        report.speed = self.speed;
        Ok(report)
    }
    fn substep(&mut self, dt: f32, places: &mut Buffer<Vec3>) -> Result<()> {
        for x in [places, &mut self.x] {
            let n = x.len() as u32;
            let kernel = AdvancePlaces {
                cells: self.cells,
                velocity: self.velocity.view(),
                n,
                dt,
                margin: MARGIN * self.options.edge,
                x: x.view_mut(),
            };
            self.device.launch(tiles(n), kernel)?;
        }
        self.solve(dt)
    }
    /// Computes a sub-step on the grid: transfer from the particles, forces, pressure, extrapolation, and
    /// transfer back.
    fn solve(&mut self, dt: f32) -> Result<()> {
        let (device, cells) = (self.device.clone(), self.cells);
        let (n, nodes) = (self.x.len() as u32, self.cells.nodes());
        let kernel = CellsOfParticles { cells, n, x: self.x.view(), keys: self.keys.view_mut() };
        device.launch(tiles(n), kernel)?;
        let sorted = array::group_by(&self.keys, cells.count())?;
        let [x, v] = &mut self.spare;
        let kernel = Reorder {
            n,
            places: sorted.places().view(),
            x: self.x.view(),
            v: self.v.view(),
            sorted_x: x.view_mut(),
            sorted_v: v.view_mut(),
        };
        device.launch(tiles(n), kernel)?;
        std::mem::swap(&mut self.x, x);
        std::mem::swap(&mut self.v, v);

        let kernel = VelocitiesOfFaces {
            cells,
            starts: sorted.starts().view(),
            x: self.x.view(),
            v: self.v.view(),
            change: self.options.gravity.map(|g| dt * g),
            velocity: self.velocity.view_mut(),
            before: self.before.view_mut(),
            marks: self.marks[0].view_mut(),
        };
        device.launch(tiles(nodes), kernel)?;
        self.solve = self.pressure.solve(sorted.starts(), &self.velocity)?;
        let kernel = Project {
            cells,
            marks: self.marks[0].view(),
            d: self.pressure.solution().view(),
            velocity: self.velocity.view_mut(),
        };
        device.launch(tiles(nodes), kernel)?;
        for _ in 0..self.options.layers {
            let [marks, next] = &mut self.marks;
            for velocity in [&mut self.velocity, &mut self.before] {
                let (marks, next, velocity) = (marks.view(), next.view_mut(), velocity.view_mut());
                device.launch(tiles(nodes), Extrapolate { cells, marks, next, velocity })?;
            }
            self.marks.swap(0, 1);
        }
        let kernel = VelocitiesOfParticles {
            cells,
            n,
            velocity: self.velocity.view(),
            before: self.before.view(),
            flip: self.options.flip,
            x: self.x.view(),
            v: self.v.view_mut(),
        };
        device.launch(tiles(n), kernel)?;
        self.most.clear()?;
        let (velocity, most) = (self.velocity.view(), self.most.view_mut());
        device.launch(tiles(3 * nodes), Fastest { n: 3 * nodes, velocity, most })?;
        self.speed = f32::from_bits(self.most.read()?[0]);
        Ok(())
    }
    /// Copies the state, so that it can be restored.
    pub(super) fn keep(&self) -> Result<Kept> {
        Ok(Kept {
            x: self.x.try_clone()?,
            v: self.v.try_clone()?,
            velocity: self.velocity.try_clone()?,
            speed: self.speed,
        })
    }
    /// Copies the state into existing memory.
    pub(super) fn keep_in(&self, kept: &mut Kept) -> Result<()> {
        kept.x.copy_from(&self.x)?;
        kept.v.copy_from(&self.v)?;
        kept.velocity.copy_from(&self.velocity)?;
        kept.speed = self.speed;
        Ok(())
    }
    /// Restores the state.
    pub(super) fn restore(&mut self, kept: &Kept) -> Result<()> {
        self.x.copy_from(&kept.x)?;
        self.v.copy_from(&kept.v)?;
        self.velocity.copy_from(&kept.velocity)?;
        self.speed = kept.speed;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ribbonmesh::glam::{DMat3, DVec3};

    const CELLS: [u32; 3] = [8, 7, 9];
    const EDGE: f32 = 0.25;

    fn of_nodes() -> impl Iterator<Item = [u32; 3]> {
        let [nx, ny, nz] = CELLS.map(|n| n + 1);
        (0..nz).flat_map(move |k| (0..ny).flat_map(move |j| (0..nx).map(move |i| [i, j, k])))
    }
    /// The middle of a face.
    fn middle(d: usize, at: [u32; 3]) -> DVec3 {
        let along = |a: usize| f64::from(at[a]) + if a == d { 0.0 } else { 0.5 };
        f64::from(EDGE) * DVec3::new(along(0), along(1), along(2))
    }
    /// A velocity that changes linearly; constant without a matrix.
    fn velocity(matrix: DMat3, p: DVec3) -> DVec3 {
        DVec3::new(0.5, -0.25, 1.0) + matrix * p
    }
    fn matrix() -> DMat3 {
        DMat3::from_cols_array(&[0.3, -1.0, 0.5, 0.8, 0.4, -0.6, 1.1, 0.2, -0.7])
    }
    fn options() -> GridOptions {
        GridOptions { cells: CELLS, edge: EDGE, gravity: [0.0; 3], ..GridOptions::default() }
    }

    #[test]
    fn faces_get_constant_and_linear_velocities() {
        let mut x = vec![];
        for at in of_nodes().filter(|at| (0..3).all(|a| at[a] < CELLS[a])) {
            for eighth in 0..8_u32 {
                let of = |a: usize| at[a] as f32 + if eighth >> a & 1 == 0 { 0.25 } else { 0.75 };
                x.push(EDGE * Vec3::new(of(0), of(1), of(2)));
            }
        }
        for (matrix, margin) in [(DMat3::ZERO, 0), (matrix(), 1)] {
            let v: Vec<Vec3> = x.iter().map(|p| velocity(matrix, p.as_dvec3()).as_vec3()).collect();
            let liquid = Liquid::new(&Device::cpu(), &options(), &x, &v).expect("memory");
            let before = liquid.before.read().expect("memory");
            let nodes = liquid.cells.nodes() as usize;
            for (node, at) in of_nodes().enumerate() {
                for d in (0..3).filter(|d| liquid.cells.has_face(*d, at)) {
                    // near walls a face has particles on one side only
                    let near = |a: usize| {
                        let last = CELLS[a] - if a == d { 0 } else { 1 };
                        at[a] < margin || at[a] + margin > last
                    };
                    let expected = velocity(matrix, middle(d, at))[d];
                    let found = f64::from(before[d * nodes + node]);
                    assert!(
                        (0..3).any(near) || (found - expected).abs() < 1e-5,
                        "{d} {at:?}: {found} {expected}"
                    );
                }
            }
        }
    }
    #[test]
    fn places_go_along_linear_velocities() {
        let device = Device::cpu();
        let cells = options().grid();
        let mut field = vec![0.0; 3 * cells.nodes() as usize];
        for (node, at) in of_nodes().enumerate() {
            for d in 0..3 {
                let of = velocity(matrix(), middle(d, at))[d];
                field[d * cells.nodes() as usize + node] = of as f32;
            }
        }
        let field = device.upload(&field).expect("memory");
        let begin = [DVec3::new(0.9, 0.8, 1.1), DVec3::new(1.3, 0.95, 0.7)];
        let mut x = device.upload(&begin.map(|p| p.as_vec3())).expect("memory");
        let dt = 0.1;
        let kernel = AdvancePlaces { cells, velocity: field.view(), n: 2, dt, margin: 0.01, x: x.view_mut() };
        device.launch(1, kernel).expect("a launch");
        for (p, found) in begin.iter().zip(x.read().expect("memory")) {
            let (a, dt) = (matrix(), f64::from(dt));
            let v = velocity(a, *p);
            // the first terms of the exponential: an error of third order in `dt`
            let expected = *p + dt * v + dt * dt / 2.0 * (a * v) + dt.powi(3) / 6.0 * (a * (a * v));
            assert!(found.as_dvec3().distance(expected) < 1e-6, "{found} {expected}");
        }
    }
    #[test]
    fn pushing_back_keeps_the_order() {
        let cells = options().grid();
        let ends = [-5.0, -0.1, 0.0, 0.005, 0.01, 0.02, 1.0, 1.9, 1.985, 1.99, 1.995, 2.0, 2.1, 7.0];
        let found = ends.map(|x| cells.pushed_back(Vec3::new(x, 1.0, 1.0), 0.01).x);
        assert!(found.windows(2).all(|pair| pair[0] < pair[1]), "{found:?}");
        assert!(found[0] > 0.0 && found[13] < 2.0);
        assert_eq!(found[4..10], ends[4..10]);
    }
}
