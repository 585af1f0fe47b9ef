//! The system of a step and its solution by conjugate gradients, on the host's side.
use crate::cg::{
    Advance, CONVERGED, ITERATIONS, OUTCOME, RR, RR_FIRST, RUNNING, STATE, ScalarsArguments, chunks,
};
use crate::links::{AssembledArguments, CotangentsArguments, UniformArguments};
use crate::multiply::{
    DirectionsArguments, MassesArguments, MultiplyAssembled, MultiplyAssembledScaled, MultiplyCotangents,
    MultiplyCotangentsScaled, MultiplyUniform, MultiplyUniformScaled, StartArguments, StartCotangents,
    StartUniform,
};
use crate::options::{Boundary, Mass, Preconditioner, Solver, Weights};
use crate::pattern::Rows;
use crate::prepare::{
    AssembleCotangents, AssembleUniform, ColumnIds, Displace, ScalesCotangents, ScalesUniform, VertexMasses,
};
use crate::{SmoothOptions, StepReport};
use ribbonmesh::device::{BufferView, tiles};
use ribbonmesh::glam::Vec3;
use ribbonmesh::ring::Ring;
use ribbonmesh::{Attribute, Buffer, Result, StaticMesh, Vertex};

type Vectors = Attribute<Vertex, Vec3>;

/// The matrix M + t L of a mesh, both parts divided by 1 + t, and everything that solving with it needs on the device.
///
/// Memory per vertex: 60 bytes for five vectors, 24 for the step's start and the pattern or more; see
/// [`System::bytes`].
pub(crate) struct System<'m> {
    mesh: &'m StaticMesh,
    weights: Weights,
    mass: Mass,
    jacobi: bool,
    tolerance: f64,
    ring: Option<Ring>,
    rows: Option<Rows>,
    /// Of the assembled matrix.
    values: Option<Buffer<f32>>,
    masses: Option<Attribute<Vertex, f32>>,
    scales: Option<Attribute<Vertex, f32>>,
    fixed: Option<Buffer<u32>>,
    r: Vectors,
    d: Vectors,
    q: Vectors,
    p: [Vectors; 2],
    state: Buffer<f64>,
    partials: Buffer<f64>,
    finished: Buffer<u32>,
    /// What positions are multiplied by.
    unit: f32,
    /// Of one edge whose cotangents add up to 2, or with uniform weights of any.
    stiffness: f32,
    /// What masses are multiplied by.
    density: f32,
    iterations: usize,
}

/// The assembled matrix by ids.
pub(crate) struct Stored {
    /// Where each row begins.
    pub starts: Vec<u32>,
    /// The neighbour of each entry.
    pub columns: Vec<u32>,
    /// The stiffness of each entry.
    pub values: Vec<f32>,
    /// Of each vertex.
    pub masses: Vec<f32>,
}

impl<'m> System<'m> {
    pub fn new(mesh: &'m StaticMesh, options: &SmoothOptions) -> Result<Self> {
        let device = mesh.device();
        let assembled = options.solver == Solver::Assembled;
        let (cotangent, unit_mass) = (options.weights == Weights::Cotangent, options.mass == Mass::Unit);
        let ring = if cotangent || !unit_mass { Some(Ring::new(mesh)?) } else { None };
        let rows = if assembled || !cotangent { Some(Rows::new(mesh)?) } else { None };
        let values = match &rows {
            Some(rows) if assembled => Some(device.zeros(rows.len())?),
            _ => None,
        };
        let fixed = match options.boundary {
            Boundary::Fixed => Some(mesh.boundary::<Vertex>()?),
            Boundary::Free => None,
        };
        let jacobi = options.preconditioner == Preconditioner::Jacobi;
        let scaled = jacobi || fixed.is_some();
        let blocks = mesh.patches().max(chunks(mesh.vertices() as u32) as usize);
        Ok(Self {
            mesh,
            weights: options.weights,
            mass: options.mass,
            jacobi,
            tolerance: options.tolerance,
            ring,
            rows,
            values,
            masses: if unit_mass { None } else { Some(Attribute::zeros(mesh)?) },
            scales: if scaled { Some(Attribute::zeros(mesh)?) } else { None },
            fixed,
            r: Attribute::zeros(mesh)?,
            d: Attribute::zeros(mesh)?,
            q: Attribute::zeros(mesh)?,
            p: [Attribute::zeros(mesh)?, Attribute::zeros(mesh)?],
            state: device.zeros(STATE)?,
            partials: device.zeros(blocks)?,
            finished: device.zeros(1)?,
            unit: 1.0,
            stiffness: 0.0,
            density: 1.0,
            iterations: 0,
        })
    }
    /// Sets the time step `t` and what positions are multiplied by; masses and weights follow in [`System::assemble`].
    pub fn set_time(&mut self, t: f64, unit: f32) {
        let t = if self.mass == Mass::Unit { t } else { t * unit as f64 * unit as f64 };
        self.unit = unit;
        self.stiffness = (t / (1.0 + t)) as f32;
        self.density = (1.0 / (1.0 + t)) as f32;
    }
    /// Weights, masses and the preconditioner at `x`: three launches at most.
    pub fn assemble(&mut self, x: &Vectors) -> Result<()> {
        let (device, blocks, mesh) = (self.mesh.device(), self.mesh.patches() as u32, self.mesh.view());
        let mixed = (self.mass == Mass::Mixed) as u32;
        let (unit, stiffness, density) = (self.unit, self.stiffness, self.density);
        if let (Some(masses), Some(ring)) = (&mut self.masses, &self.ring) {
            let links = cotangents(ring, x, unit, stiffness);
            let masses = masses.view_mut();
            device.launch(blocks, VertexMasses { mesh, links, mixed, factor: density, masses })?;
        }
        let masses = masses(&self.masses, density);
        if let Some(scales) = &mut self.scales {
            let (jacobi, scales) = (self.jacobi as u32, scales.view_mut());
            let fixed = self.fixed.as_ref().map_or(BufferView::empty(), |f| f.view());
            match (self.weights, &self.ring, &self.rows) {
                (Weights::Cotangent, Some(ring), _) => {
                    let links = cotangents(ring, x, unit, stiffness);
                    device.launch(blocks, ScalesCotangents { mesh, links, masses, fixed, jacobi, scales })?;
                }
                (_, _, Some(rows)) => {
                    let links = UniformArguments { rows: rows.view(), stiffness };
                    device.launch(blocks, ScalesUniform { mesh, links, masses, fixed, jacobi, scales })?;
                }
                _ => {}
            }
        }
        if let (Some(values), Some(rows)) = (&mut self.values, &self.rows) {
            let (values, rows) = (values.view_mut(), rows.view());
            match (self.weights, &self.ring) {
                (Weights::Cotangent, Some(ring)) => {
                    let links = cotangents(ring, x, unit, stiffness);
                    device.launch(blocks, AssembleCotangents { mesh, links, rows, values })?;
                }
                _ => device.launch(blocks, AssembleUniform { mesh, stiffness, values })?,
            }
        }
        Ok(())
    }
    /// The first residual: one launch.
    pub fn start(&mut self, x: &Vectors) -> Result<()> {
        let (device, blocks, mesh) = (self.mesh.device(), self.mesh.patches() as u32, self.mesh.view());
        let (stiffness, unit) = (self.stiffness, self.unit);
        self.iterations = 0;
        let scales = self.scales.as_ref().map_or(BufferView::empty(), |s| s.view());
        let [last, _] = &mut self.p;
        let to = StartArguments {
            x: x.view(),
            unit,
            r: self.r.view_mut(),
            d: self.d.view_mut(),
            last: last.view_mut(),
        };
        let scalars = scalars(&mut self.state, &mut self.partials, &mut self.finished, self.tolerance);
        match (self.weights, &self.rows, &self.ring) {
            (Weights::Cotangent, _, Some(ring)) => {
                let links = cotangents(ring, x, unit, stiffness);
                device.launch(blocks, StartCotangents { mesh, scalars, links, scales, to })
            }
            (_, Some(rows), _) => {
                let links = UniformArguments { rows: rows.view(), stiffness };
                device.launch(blocks, StartUniform { mesh, scalars, links, scales, to })
            }
            _ => Ok(()),
        }
    }
    /// One iteration: two launches. Nothing waits for them.
    pub fn iterate(&mut self, x: &Vectors) -> Result<()> {
        let (device, blocks, mesh) = (self.mesh.device(), self.mesh.patches() as u32, self.mesh.view());
        let (stiffness, unit) = (self.stiffness, self.unit);
        let masses = masses(&self.masses, self.density);
        let [first, second] = &mut self.p;
        let (last, p) = if self.iterations.is_multiple_of(2) { (first, second) } else { (second, first) };
        let to = DirectionsArguments {
            r: self.r.view(),
            last: last.view(),
            p: p.view_mut(),
            q: self.q.view_mut(),
        };
        macro_rules! launch {
            ($plain:ident $scaled:ident $links:expr) => {{
                let links = $links;
                let scalars =
                    scalars(&mut self.state, &mut self.partials, &mut self.finished, self.tolerance);
                match &self.scales {
                    None => device.launch(blocks, $plain { mesh, scalars, links, masses, to })?,
                    Some(scales) => {
                        let scales = scales.view();
                        device.launch(blocks, $scaled { mesh, scalars, links, masses, scales, to })?;
                    }
                }
            }};
        }
        match (&self.values, &self.rows, &self.ring) {
            (Some(values), Some(rows), _) => {
                launch!(MultiplyAssembled MultiplyAssembledScaled AssembledArguments { rows: rows.view(), values: values.view() })
            }
            (None, Some(rows), _) => {
                launch!(MultiplyUniform MultiplyUniformScaled UniformArguments { rows: rows.view(), stiffness })
            }
            (_, _, Some(ring)) => {
                launch!(MultiplyCotangents MultiplyCotangentsScaled
                    cotangents(ring, x, unit, stiffness))
            }
            _ => {}
        }
        let vertices = self.mesh.vertices() as u32;
        let advance = Advance {
            vertices,
            scalars: scalars(&mut self.state, &mut self.partials, &mut self.finished, self.tolerance),
            p: p.view(),
            q: self.q.view(),
            d: self.d.view_mut(),
            r: self.r.view_mut(),
        };
        self.iterations += 1;
        device.launch(chunks(vertices), advance)
    }
    /// What the device knows of the solution; waits for it.
    pub fn look(&self) -> Result<(bool, StepReport)> {
        look(&self.state)
    }
    /// Solves for the positions at the end of the step that begins at `x`, which becomes them.
    pub fn step(&mut self, x: &mut Vectors, options: &SmoothOptions) -> Result<StepReport> {
        self.assemble(x)?;
        self.start(x)?;
        let report = loop {
            let (done, report) = self.look()?;
            if done || self.iterations >= options.max_iterations {
                break report;
            }
            for _ in 0..options.check_every.min(options.max_iterations - self.iterations) {
                self.iterate(x)?;
            }
        };
        let n = self.mesh.vertices() as u32;
        let scales = self.scales.as_ref().map_or(BufferView::empty(), |s| s.view());
        let kernel = Displace { n, d: self.d.view(), scales, size: 1.0 / self.unit, x: x.view_mut() };
        self.mesh.device().launch(tiles(n), kernel)?;
        Ok(report)
    }
    /// The assembled matrix, if it is.
    pub fn download(&self) -> Result<Option<Stored>> {
        let (Some(values), Some(rows)) = (&self.values, &self.rows) else {
            return Ok(None);
        };
        let (device, n) = (self.mesh.device(), self.mesh.totals().vv as usize);
        let (mut starts, mut ids) = (device.zeros::<u32>(self.mesh.vertices())?, device.zeros::<u32>(n)?);
        let mut out = device.zeros::<f32>(n)?;
        let kernel = ColumnIds {
            mesh: self.mesh.view(),
            matrix: AssembledArguments { rows: rows.view(), values: values.view() },
            starts: starts.view_mut(),
            ids: ids.view_mut(),
            values: out.view_mut(),
        };
        device.launch(self.mesh.patches() as u32, kernel)?;
        let masses = match &self.masses {
            Some(masses) => masses.download_by_id()?,
            None => vec![self.density; self.mesh.vertices()],
        };
        Ok(Some(Stored { starts: starts.read()?, columns: ids.read()?, values: out.read()?, masses }))
    }
    /// Bytes that an iteration must at least read and write: 10 vectors of owned and one or two of ribbon vertices, the
    /// patches' rows and the ids of ribbon vertices, masses, and the pattern, with positions or values.
    pub fn floor_bytes(&self) -> u64 {
        let t = self.mesh.totals();
        let (vertices, ribbon) = (self.mesh.vertices() as u64, (t.v_near - t.v_owned) as u64);
        let patches = 80 * self.mesh.patches() as u64;
        let vectors = 120 * vertices + 24 * ribbon + 4 * ribbon + patches;
        let per_vertex = |there: bool| if there { 4 * vertices } else { 0 };
        let masses = per_vertex(self.masses.is_some());
        let scales = if self.scales.is_some() { 4 * (vertices + ribbon) } else { 0 };
        let links = match (&self.values, &self.rows, &self.ring) {
            (Some(_), Some(rows), _) => rows.bytes() + 4 * t.vv as u64,
            (None, Some(rows), _) => rows.bytes(),
            (_, _, Some(ring)) => ring.bytes() as u64 + 12 * (vertices + ribbon),
            _ => 0,
        };
        vectors + masses + scales + links
    }
}

fn masses(each: &Option<Attribute<Vertex, f32>>, density: f32) -> MassesArguments<'_> {
    MassesArguments { each: each.as_ref().map_or(BufferView::empty(), |m| m.view()), all: density }
}
/// Whether a solution has ended, and how it stands; waits for it.
pub(crate) fn look(state: &Buffer<f64>) -> Result<(bool, StepReport)> {
    let state = state.read()?;
    let at = |i: u32| state[i as usize];
    let residual = if at(RR_FIRST) > 0.0 { (at(RR) / at(RR_FIRST)).sqrt() } else { 0.0 };
    let report = StepReport {
        iterations: at(ITERATIONS) as usize,
        residual,
        converged: at(OUTCOME) == CONVERGED,
        volume: None,
    };
    Ok((at(OUTCOME) != RUNNING, report))
}
pub(crate) fn scalars<'a>(
    state: &'a mut Buffer<f64>,
    partials: &'a mut Buffer<f64>,
    finished: &'a mut Buffer<u32>,
    tolerance: f64,
) -> ScalarsArguments<'a> {
    let [state, partials] = [state, partials].map(|b| b.view_mut());
    ScalarsArguments { state, partials, finished: finished.view_mut(), tolerance2: tolerance * tolerance }
}
fn cotangents<'a>(ring: &'a Ring, x: &'a Vectors, unit: f32, stiffness: f32) -> CotangentsArguments<'a> {
    CotangentsArguments { ring: ring.view(), x: x.view(), unit, stiffness: 0.5 * stiffness }
}
