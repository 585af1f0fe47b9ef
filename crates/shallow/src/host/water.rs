//! The simulation.
use super::error::{Result, ShallowError};
use super::options::{Options, Tiles};
use super::progress::Progress;
use super::seen::Seen;
use super::snapshot::Snapshot;
use super::terrain::Terrain;
use crate::device::domain::{Domain, SIDE, Scale, middle};
use crate::device::state::{
    ACTIVE, CLOCK, COMPUTED, COUNT, CellsArguments, CellsOutArguments, DT, END, HIGHEST, Inflow, NOT_FINITE,
    SHORTEST, STATE, STEPS, TIME, TOO_HIGH,
};
use crate::device::step::{Begin, FED, FirstStage, ListTiles, SecondStage, Survey};
use crate::device::view::ViewWater;
use ribbonmesh::device::tiles;
use ribbonmesh::{Buffer, Device, Error};

/// Steps between two looks of the host at the clock, at most.
const BATCH: u32 = 64;

/// Levels and momenta on the device.
struct State {
    level: Buffer<i32>,
    x: Buffer<f32>,
    y: Buffer<f32>,
}
impl State {
    fn new(device: &Device, levels: &[i32]) -> Result<Self> {
        let zeros = || device.zeros(levels.len());
        Ok(Self { level: device.upload(levels)?, x: zeros()?, y: zeros()? })
    }
    fn read(&self) -> CellsArguments<'_> {
        CellsArguments { level: self.level.view(), x: self.x.view(), y: self.y.view() }
    }
    fn write(&mut self) -> CellsOutArguments<'_> {
        CellsOutArguments { level: self.level.view_mut(), x: self.x.view_mut(), y: self.y.view_mut() }
    }
}

/// Shallow water over a terrain on a device. 28 bytes for each cell.
pub struct Water {
    device: Device,
    domain: Domain,
    scale: Scale,
    /// Length of the unit of heights, and the height of 0.
    unit: f64,
    origin: f64,
    corners: Buffer<i32>,
    /// Before a step, and after its first stage.
    now: State,
    middle: State,
    inflows: Buffer<Inflow>,
    wet: Buffer<u32>,
    live: Buffer<u32>,
    list: Buffer<u32>,
    state: Buffer<u32>,
    clock: Buffer<f64>,
    progress: Progress,
    broken: bool,
}

impl Water {
    /// Water at rest over a terrain: `levels` has the height of the surface of each cell, row by row; a cell
    /// whose bed is not below is dry.
    /// # Errors
    /// [`ShallowError::Length`] and [`ShallowError::Level`] for levels, [`ShallowError::Option`] and
    /// [`ShallowError::Outside`] for options; out of memory; errors of the driver.
    pub fn new(device: &Device, terrain: &Terrain, levels: &[f64], options: &Options) -> Result<Self> {
        options.check()?;
        let domain = Domain {
            columns: terrain.columns(),
            rows: terrain.rows(),
            walls: options.sides.bits(),
            everywhere: u32::from(options.tiles == Tiles::All),
        };
        let heights = Heights::new(terrain, levels, options)?;
        device.check_room(domain.cells() as u64, "cells", 28 * domain.cells() as u64)?;
        let (corners, surface) = (heights.corners(terrain), heights.surface(terrain, levels));
        let (tiles, fed) = (domain.tiles() as usize, fed_tiles(terrain, &domain, options)?);
        let progress = Progress {
            time: 0.0,
            steps: 0,
            step: 0.0,
            shortest_step: f32::INFINITY,
            active: 0,
            tiles: domain.tiles(),
            computed: 0,
        };
        let mut state = [0; STATE];
        state[SHORTEST as usize] = f32::INFINITY.to_bits();
        let mut water = Self {
            device: device.clone(),
            domain,
            scale: heights.scale(terrain, options),
            unit: heights.unit,
            origin: heights.origin,
            corners: device.upload(&corners)?,
            now: State::new(device, &surface)?,
            middle: State::new(device, &surface)?,
            inflows: device.upload(&heights.inflows(terrain, options))?,
            wet: device.upload(&fed)?,
            live: device.zeros(tiles)?,
            list: device.unspecified(tiles)?,
            state: device.upload(&state)?,
            clock: device.zeros(CLOCK)?,
            progress,
            broken: false,
        };
        water.survey()?;
        Ok(water)
    }
    /// Gives the water of each cell a velocity along x and y, row by row; dry cells have none.
    /// # Errors
    /// [`ShallowError::Length`]; [`ShallowError::NotFinite`] for a velocity that is not finite; errors of the
    /// driver.
    pub fn set_velocities(&mut self, velocities: &[[f32; 2]]) -> Result<()> {
        let (expected, found) = (self.domain.cells(), velocities.len());
        if found != expected {
            return Err(ShallowError::Length { what: "velocities", expected, found });
        }
        if let Some(at) = velocities.iter().position(|v| !v.iter().all(|x| x.is_finite())) {
            let (column, row) = (at as u32 % self.domain.columns, at as u32 / self.domain.columns);
            return Err(ShallowError::NotFinite { column, row });
        }
        let (_, waters) = self.waters()?;
        let momentum = |k: usize| -> Vec<f32> {
            let of = |(&water, v): (&i32, &[f32; 2])| self.scale.length(self.scale.moving(water)) * v[k];
            waters.iter().zip(velocities).map(of).collect()
        };
        let (x, y) = (momentum(0), momentum(1));
        self.now.x.write(&x)?;
        self.now.y.write(&y)?;
        self.survey()
    }
    /// Looks at all cells: water and speeds.
    fn survey(&mut self) -> Result<()> {
        let survey = Survey {
            domain: self.domain,
            scale: self.scale,
            corners: self.corners.view(),
            cells: self.now.read(),
            wet: self.wet.view_mut(),
            state: self.state.view_mut(),
        };
        self.device.launch(self.domain.tiles().min(4096), survey)?;
        Ok(())
    }
    /// The device.
    pub fn device(&self) -> &Device {
        &self.device
    }
    /// How far it is.
    pub fn progress(&self) -> Progress {
        self.progress
    }
    /// The unit in which heights are kept, a power of two.
    pub fn unit(&self) -> f64 {
        self.unit
    }
    /// Simulates until a time. Its last step ends exactly there. The host waits once for up to 64 steps.
    /// # Errors
    /// [`ShallowError::NotFinite`] and [`ShallowError::TooHigh`], after which the water is not valid;
    /// [`ShallowError::Option`] for a time that is not finite; errors of the driver.
    pub fn advance_to(&mut self, time: f64) -> Result<Progress> {
        loop {
            let progress = self.advance_towards(time, BATCH)?;
            if progress.time >= time {
                return Ok(progress);
            }
        }
    }
    /// Simulates until a time, but at most so many steps, of up to 64: those that
    /// [`advance_to`](Self::advance_to) makes. The host waits once.
    /// # Errors
    /// As [`Water::advance_to`].
    pub fn advance_towards(&mut self, time: f64, steps: u32) -> Result<Progress> {
        if !time.is_finite() {
            return Err(ShallowError::Option { option: "time", value: time, expected: "a finite number" });
        }
        if self.progress.time < time {
            // about as many as are left, by the last time step
            let left = ((time - self.progress.time) / f64::from(self.progress.step)).ceil() + 1.0;
            let most = steps.min(BATCH);
            self.batch(if left < f64::from(most) { left as u32 } else { most }, time)?;
        }
        Ok(self.progress)
    }
    /// Makes a number of steps, as long as waves allow.
    /// # Errors
    /// As [`Water::advance_to`].
    pub fn advance_steps(&mut self, steps: u32) -> Result<Progress> {
        let mut left = steps;
        while left > 0 {
            let now = left.min(BATCH);
            self.batch(now, f64::INFINITY)?;
            left -= now;
        }
        Ok(self.progress)
    }
    /// Makes up to `steps` steps until a time, and then reads the clock.
    fn batch(&mut self, steps: u32, end: f64) -> Result<()> {
        if self.broken {
            return Err(ShallowError::Broken);
        }
        self.broken = true;
        self.clock.write_range(END as usize, &[end])?;
        for _ in 0..steps {
            self.step().map_err(|error| self.named(error))?;
        }
        self.look().map_err(|error| self.named(error))?;
        self.broken = false;
        Ok(())
    }
    /// Launches a step.
    fn step(&mut self) -> std::result::Result<(), Error> {
        let Self { device, domain, scale, .. } = self;
        let (domain, scale) = (*domain, *scale);
        let begin = Begin {
            scale,
            inflows: self.inflows.view_mut(),
            clock: self.clock.view_mut(),
            state: self.state.view_mut(),
        };
        device.launch(1, begin)?;
        let list = ListTiles {
            domain,
            wet: self.wet.view(),
            live: self.live.view_mut(),
            list: self.list.view_mut(),
            state: self.state.view_mut(),
        };
        device.launch(tiles(domain.tiles()), list)?;
        // as many as had something to do, and some more for those that the water reaches since
        let blocks = domain.tiles().min(self.progress.active.max(256).saturating_mul(2));
        let first = FirstStage {
            domain,
            scale,
            corners: self.corners.view(),
            from: self.now.read(),
            to: self.middle.write(),
            list: self.list.view(),
            state: self.state.view(),
        };
        device.launch(blocks, first)?;
        let second = SecondStage {
            domain,
            scale,
            corners: self.corners.view(),
            from: self.middle.read(),
            to: self.now.write(),
            inflows: self.inflows.view(),
            list: self.list.view(),
            wet: self.wet.view_mut(),
            state: self.state.view_mut(),
        };
        device.launch(blocks, second)
    }
    /// Reads how far it is. Waits.
    fn look(&mut self) -> std::result::Result<(), Error> {
        let (state, clock) = (self.state.read()?, self.clock.read()?);
        let number = |which: u32| f32::from_bits(state[which as usize]);
        let active = state[COUNT as usize];
        // after the end the last step has made no list
        let ended = state[DT as usize] == 0;
        self.progress = Progress {
            time: clock[TIME as usize],
            steps: state[STEPS as usize],
            step: if ended { self.progress.step } else { number(DT) },
            shortest_step: number(SHORTEST),
            active: if ended { state[ACTIVE as usize] } else { active },
            tiles: self.domain.tiles(),
            computed: clock[COMPUTED as usize] as u64 + u64::from(active),
        };
        Ok(())
    }
    /// The error of a kernel, with its cell.
    fn named(&self, error: Error) -> ShallowError {
        let cell = |cell: u32| (cell % self.domain.columns, cell / self.domain.columns);
        match error {
            Error::Kernel { kernel: "second_stage", code: NOT_FINITE, first, .. } => {
                let (column, row) = cell(first);
                ShallowError::NotFinite { column, row }
            }
            Error::Kernel { kernel: "second_stage", code: TOO_HIGH, first, .. } => {
                let (column, row) = cell(first);
                ShallowError::TooHigh { column, row, highest: self.origin + f64::from(HIGHEST) * self.unit }
            }
            error => error.into(),
        }
    }
    /// Water above the middle of the bed of each cell, in units.
    fn waters(&self) -> Result<(Vec<i32>, Vec<i32>)> {
        let (corners, levels) = (self.corners.read()?, self.now.level.read()?);
        let (columns, wide) = (self.domain.columns as usize, self.domain.columns as usize + 1);
        let bed = |cell: usize| {
            let at = cell / columns * wide + cell % columns;
            middle(corners[at], corners[at + 1], corners[at + wide], corners[at + wide + 1])
        };
        let beds: Vec<i32> = (0..levels.len()).map(bed).collect();
        let waters = levels.iter().zip(&beds).map(|(level, bed)| level - bed).collect();
        Ok((beds, waters))
    }
    /// The volume of the water, exact. Copies all levels to the host.
    /// # Errors
    /// Errors of the driver.
    pub fn volume(&self) -> Result<f64> {
        let units: i64 = self.waters()?.1.into_iter().map(i64::from).sum();
        Ok(self.volume_of(units))
    }
    /// The volume that came in by sources so far.
    /// # Errors
    /// Errors of the driver.
    pub fn came_in(&self) -> Result<f64> {
        let of = |inflow: &Inflow| {
            let cells = i64::from(inflow.x_end - inflow.x) * i64::from(inflow.y_end - inflow.y);
            cells * inflow.sum as i64
        };
        Ok(self.volume_of(self.inflows.read()?.iter().map(of).sum()))
    }
    /// The volume of a number of units of height, each of a cell.
    fn volume_of(&self, units: i64) -> f64 {
        let spacing = f64::from(self.scale.spacing);
        units as f64 * self.unit * spacing * spacing
    }
    /// The water now, on the device, for programs that show it: 28 bytes for each cell.
    /// # Errors
    /// Out of memory; errors of the driver.
    pub fn seen(&self) -> Result<Seen> {
        let (device, cells) = (&self.device, self.domain.cells());
        let (mut heights, mut levels) = (device.unspecified(cells)?, device.unspecified(cells)?);
        let mut depths = device.unspecified(cells)?;
        let (mut velocities, mut speeds) = (device.unspecified(cells)?, device.unspecified(cells)?);
        let kernel = ViewWater {
            domain: self.domain,
            scale: self.scale,
            corners: self.corners.view(),
            cells: self.now.read(),
            lowest: self.origin as f32,
            height: heights.view_mut(),
            to_level: levels.view_mut(),
            depth: depths.view_mut(),
            velocity: velocities.view_mut(),
            speed: speeds.view_mut(),
        };
        device.launch(tiles(cells as u32), kernel)?;
        Ok(Seen { heights, levels, depths, velocities, speeds })
    }
    /// The water now. Copies everything to the host.
    /// # Errors
    /// Errors of the driver.
    pub fn snapshot(&self) -> Result<Snapshot> {
        let (beds, waters) = self.waters()?;
        let (x, y) = (self.now.x.read()?, self.now.y.read()?);
        let velocity = |cell: usize| {
            let water = self.scale.moving(waters[cell]);
            self.scale.velocity(water, [x[cell], y[cell]])
        };
        Ok(Snapshot {
            time: self.progress.time,
            columns: self.domain.columns,
            rows: self.domain.rows,
            beds: beds.iter().map(|&bed| self.origin + f64::from(bed) * self.unit).collect(),
            depths: waters.iter().map(|&water| self.scale.length(water)).collect(),
            velocities: (0..waters.len()).map(velocity).collect(),
            wet: waters.iter().map(|&water| self.scale.moving(water) != 0).collect(),
        })
    }
}

/// Marks of tiles that get water from sources.
fn fed_tiles(terrain: &Terrain, domain: &Domain, options: &Options) -> Result<Vec<u32>> {
    let mut fed = vec![0; domain.tiles() as usize];
    for (k, source) in options.sources.iter().enumerate() {
        let [x, y] = source_cells(terrain, source);
        if x[0] == x[1] || y[0] == y[1] {
            return Err(ShallowError::Outside(k));
        }
        for row in y[0] / SIDE..y[1].div_ceil(SIDE) {
            for column in x[0] / SIDE..x[1].div_ceil(SIDE) {
                fed[(row * domain.across() + column) as usize] = FED;
            }
        }
    }
    Ok(fed)
}
fn source_cells(terrain: &Terrain, source: &super::options::Source) -> [[u32; 2]; 2] {
    let n = [terrain.columns(), terrain.rows()];
    [0, 1].map(|k| terrain.within(n[k], source.from[k], source.to[k]))
}

/// How heights become whole numbers.
struct Heights {
    unit: f64,
    origin: f64,
}
impl Heights {
    /// A unit with which the numbers of terrain, water and highest level are below 2^30.
    fn new(terrain: &Terrain, levels: &[f64], options: &Options) -> Result<Self> {
        let (columns, expected) = (terrain.columns() as usize, (terrain.columns() * terrain.rows()) as usize);
        if levels.len() != expected {
            return Err(ShallowError::Length { what: "levels", expected, found: levels.len() });
        }
        if let Some(at) = levels.iter().position(|level| level.is_nan() || *level > 1e9) {
            let (column, row) = (at % columns, at / columns);
            return Err(ShallowError::Level { column, row, level: levels[at] });
        }
        let heights = || terrain.heights().iter().map(|&h| f64::from(h));
        let lowest = heights().fold(f64::INFINITY, f64::min);
        let top = heights().chain(levels.iter().copied()).fold(lowest, f64::max);
        // flat and dry: a cell
        let span = if top > lowest { top - lowest } else { terrain.spacing() };
        let highest = options.highest.unwrap_or(top + span).max(top);
        let span = (highest - lowest).max(1e-3 * terrain.spacing());
        Ok(Self { unit: span.log2().ceil().exp2() * 2.0_f64.powi(-30), origin: lowest })
    }
    fn whole(&self, height: f64) -> i32 {
        // at most 2^30
        ((height - self.origin) / self.unit).round() as i32
    }
    /// Heights of corners, multiples of four units, so that middles of faces and cells are whole.
    fn corners(&self, terrain: &Terrain) -> Vec<i32> {
        let four = Self { unit: 4.0 * self.unit, ..*self };
        terrain.heights().iter().map(|&h| 4 * four.whole(f64::from(h))).collect()
    }
    /// Levels, at least those of the bed.
    fn surface(&self, terrain: &Terrain, levels: &[f64]) -> Vec<i32> {
        let corners = self.corners(terrain);
        let (columns, wide) = (terrain.columns() as usize, terrain.columns() as usize + 1);
        let bed = |cell: usize| {
            let at = cell / columns * wide + cell % columns;
            middle(corners[at], corners[at + 1], corners[at + wide], corners[at + wide + 1])
        };
        levels.iter().enumerate().map(|(cell, &level)| bed(cell).max(self.whole(level))).collect()
    }
    fn scale(&self, terrain: &Terrain, options: &Options) -> Scale {
        let spacing = terrain.spacing();
        let dry = options.dry.unwrap_or(1e-5 * spacing) / self.unit;
        Scale {
            unit: self.unit as f32,
            spacing: spacing as f32,
            gravity: options.gravity as f32,
            friction: (options.gravity * options.friction * options.friction) as f32,
            thin: options.thin.unwrap_or(1e-3 * spacing) as f32,
            // less could not leave a cell
            dry: dry.round().clamp(7.0, f64::from(HIGHEST)) as i32,
            reach: (options.courant * spacing) as f32,
            // the speed of a wave where the water is a twentieth of a cell deep
            slowest: (options.gravity * 0.05 * spacing).sqrt() as f32,
        }
    }
    fn inflows(&self, terrain: &Terrain, options: &Options) -> Vec<Inflow> {
        let of = |source: &super::options::Source| {
            let [x, y] = source_cells(terrain, source);
            let rate = (source.rate / self.unit) as f32;
            Inflow { x: x[0], y: y[0], x_end: x[1], y_end: y[1], rate, gain: 0, sum: 0.0 }
        };
        options.sources.iter().map(of).collect()
    }
}
