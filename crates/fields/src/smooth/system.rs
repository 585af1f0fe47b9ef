//! The system of a step and its solution by conjugate gradients: the host's part.
use crate::smooth::links::{AssembledArguments, CotangentsArguments, UniformArguments};
use crate::smooth::multiply::{
    DirectionsArguments, MassesArguments, MultiplyAssembled, MultiplyAssembledScaled, MultiplyCotangents,
    MultiplyCotangentsScaled, MultiplyUniform, MultiplyUniformScaled, StartArguments, StartCotangents,
    StartUniform,
};
use crate::smooth::options::{Boundary, Mass, Preconditioner, Solver, Weights};
use crate::smooth::pattern::Rows;
use crate::smooth::prepare::{
    AssembleCotangents, AssembleUniform, ColumnIds, CountStiff, Displace, ScalesCotangents, ScalesUniform,
    VertexMasses,
};
use crate::smooth::{SmoothOptions, StepReport};
use ribbonmesh::device::BufferView;
use ribbonmesh::glam::Vec3;
use ribbonmesh::ring::Ring;
use ribbonmesh::{Attribute, Buffer, Error, Result, StaticMesh, Vertex};
use ribbonmesh_linear::{ConjugateGradients, Limits, Operator, Outcome, Progress, Run};

type Vectors = Attribute<Vertex, Vec3>;

/// The system of a mesh, and everything that solving it needs on the device.
///
/// Memory per vertex: 60 bytes for five vectors, plus the memory of the matrix.
pub(crate) struct System<'m> {
    matrix: Flow<'m>,
    d: Vectors,
    solver: ConjugateGradients<Vectors>,
    tolerance: f64,
    limits: Limits,
}

/// The matrix M + t L, both parts divided by 1 + t.
struct Flow<'m> {
    mesh: &'m StaticMesh,
    weights: Weights,
    mass: Mass,
    jacobi: bool,
    ring: Option<Ring>,
    rows: Option<Rows>,
    /// Values of the assembled matrix.
    values: Option<Buffer<f32>>,
    masses: Option<Attribute<Vertex, f32>>,
    scales: Option<Attribute<Vertex, f32>>,
    fixed: Option<Buffer<u32>>,
    /// The last direction.
    last: Vectors,
    /// Factor by which positions are multiplied.
    unit: f32,
    /// Stiffness of an edge whose cotangents add up to 2; with uniform weights, of every edge.
    stiffness: f32,
    /// Factor by which masses are multiplied.
    density: f32,
}

/// The assembled matrix by ids.
pub(crate) struct Stored {
    /// Start of each row.
    pub starts: Vec<u32>,
    /// The neighbour of each entry.
    pub columns: Vec<u32>,
    /// The stiffness of each entry.
    pub values: Vec<f32>,
    /// Mass of each vertex.
    pub masses: Vec<f32>,
}

impl<'m> System<'m> {
    pub fn new(mesh: &'m StaticMesh, options: &SmoothOptions) -> Result<Self> {
        let device = mesh.device();
        let assembled = options.solver != Solver::MatrixFree;
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
        let jacobi = options.preconditioner != Preconditioner::None;
        let scaled = jacobi || fixed.is_some();
        let matrix = Flow {
            mesh,
            weights: options.weights,
            mass: options.mass,
            jacobi,
            ring,
            rows,
            values,
            masses: if unit_mass { None } else { Some(Attribute::zeros(mesh)?) },
            scales: if scaled { Some(Attribute::zeros(mesh)?) } else { None },
            fixed,
            last: Attribute::zeros(mesh)?,
            unit: 1.0,
            stiffness: 0.0,
            density: 1.0,
        };
        Ok(Self {
            matrix,
            d: Attribute::zeros(mesh)?,
            solver: ConjugateGradients::new(device, mesh.patches() as u32, || Attribute::zeros(mesh))?,
            tolerance: options.tolerance,
            limits: limits(options),
        })
    }
    /// Sets the time step `t` and the factor by which positions are multiplied; masses and weights follow in
    /// [`System::begin`].
    pub fn set_time(&mut self, t: f64, unit: f32) {
        self.matrix.set_time(t, unit);
    }
    /// Computes weights, masses and the preconditioner at `x`, and the first residual: at most four launches.
    pub fn begin(&mut self, x: &Vectors) -> Result<()> {
        self.matrix.assemble(x)?;
        let (matrix, d) = (&self.matrix, &mut self.d);
        self.solver.begin(self.tolerance, |to, run| {
            let to = StartArguments {
                x: x.view(),
                unit: matrix.unit,
                r: to.r.view_mut(),
                d: d.view_mut(),
                last: to.p.view_mut(),
            };
            matrix.start(x, to, run)
        })
    }
    /// Runs one iteration: two launches; does not wait.
    pub fn iterate(&mut self, x: &Vectors) -> Result<()> {
        self.solver.iterate(&mut FlowAt { matrix: &mut self.matrix, x }, None, &mut self.d)
    }
    /// The progress of the solution on the device; waits for it.
    pub fn look(&self) -> Result<StepReport> {
        Ok(report(self.solver.look()?))
    }
    /// Solves for the positions at the end of the step that begins at `x`, and stores them there.
    pub fn step(&mut self, x: &mut Vectors) -> Result<StepReport> {
        self.begin(x)?;
        let mut matrix = FlowAt { matrix: &mut self.matrix, x };
        let progress = self.solver.finish(&mut matrix, None, &mut self.d, &self.limits)?;
        let (mesh, n) = (self.matrix.mesh, self.matrix.mesh.vertices() as u32);
        let scales = self.matrix.scales.as_ref().map_or(BufferView::empty(), |s| s.view());
        let (d, size) = (self.d.view(), 1.0 / self.matrix.unit);
        mesh.device().launch_each(n, Displace { d, scales, size, x: x.view_mut() })?;
        Ok(report(progress))
    }
    /// The assembled matrix; `None` if the solver does not assemble it.
    pub fn download(&self) -> Result<Option<Stored>> {
        self.matrix.download()
    }
    /// Edges whose entries of the matrix at `x` are more than `least` of the root of the product of both
    /// diagonal entries; 0 without a stored matrix or a preconditioner. Waits.
    pub fn stiff_edges(&mut self, x: &Vectors, least: f32) -> Result<usize> {
        self.matrix.assemble(x)?;
        self.matrix.stiff_edges(least)
    }
    /// Least number of bytes that an iteration has to read and write.
    pub fn floor_bytes(&self) -> u64 {
        self.matrix.floor_bytes()
    }
}

impl Flow<'_> {
    fn set_time(&mut self, t: f64, unit: f32) {
        let t = if self.mass == Mass::Unit { t } else { t * unit as f64 * unit as f64 };
        self.unit = unit;
        self.stiffness = (t / (1.0 + t)) as f32;
        self.density = (1.0 / (1.0 + t)) as f32;
    }
    /// Computes weights, masses and the preconditioner at `x`: at most three launches.
    fn assemble(&mut self, x: &Vectors) -> Result<()> {
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
    /// As [`System::stiff_edges`], of the matrix that is there.
    fn stiff_edges(&self, least: f32) -> Result<usize> {
        let (Some(values), Some(rows), Some(scales)) = (&self.values, &self.rows, &self.scales) else {
            return Ok(0);
        };
        let patches = self.mesh.patches();
        let mut counts = self.mesh.device().unspecified::<u32>(patches)?;
        let kernel = CountStiff {
            mesh: self.mesh.view(),
            matrix: AssembledArguments { rows: rows.view(), values: values.view() },
            scales: scales.view(),
            least,
            counts: counts.view_mut(),
        };
        self.mesh.device().launch(patches as u32, kernel)?;
        // the rows of both ends have an entry for an edge
        Ok(counts.read()?.into_iter().map(|count| count as usize).sum::<usize>() / 2)
    }
    /// Computes the first residual: one launch.
    fn start(&self, x: &Vectors, to: StartArguments<'_>, run: &mut Run) -> Result<()> {
        let (device, blocks, mesh) = (self.mesh.device(), self.mesh.patches() as u32, self.mesh.view());
        let scales = self.scales.as_ref().map_or(BufferView::empty(), |s| s.view());
        let (stiffness, unit, scalars) = (self.stiffness, self.unit, run.scalars());
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
    /// Computes p = r + β p; q = A p; α: one launch.
    fn multiply(&self, x: &Vectors, to: DirectionsArguments<'_>, run: &mut Run) -> Result<()> {
        let (device, blocks, mesh) = (self.mesh.device(), self.mesh.patches() as u32, self.mesh.view());
        let (stiffness, unit, scalars) = (self.stiffness, self.unit, run.scalars());
        let masses = masses(&self.masses, self.density);
        macro_rules! launch {
            ($plain:ident $scaled:ident $links:expr) => {{
                let links = $links;
                match &self.scales {
                    None => device.launch(blocks, $plain { mesh, scalars, links, masses, to }),
                    Some(scales) => {
                        let scales = scales.view();
                        device.launch(blocks, $scaled { mesh, scalars, links, masses, scales, to })
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
            _ => Ok(()),
        }
    }
    /// The assembled matrix; `None` if the solver does not assemble it.
    fn download(&self) -> Result<Option<Stored>> {
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
    /// Least number of bytes that an iteration has to read and write: 10 vectors of owned and one or two of
    /// ribbon vertices, the patches' rows and the ids of ribbon vertices, masses, and the pattern, with
    /// positions or values.
    fn floor_bytes(&self) -> u64 {
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
/// The matrix of a step that begins at `x`.
struct FlowAt<'a, 'm> {
    matrix: &'a mut Flow<'m>,
    x: &'a Vectors,
}
impl Operator for FlowAt<'_, '_> {
    type Vector = Vectors;
    type Error = Error;
    fn direct(&mut self, r: &Vectors, p: &mut Vectors, q: &mut Vectors, run: &mut Run) -> Result<()> {
        std::mem::swap(p, &mut self.matrix.last);
        let (last, p, q) = (self.matrix.last.view(), p.view_mut(), q.view_mut());
        self.matrix.multiply(self.x, DirectionsArguments { r: r.view(), last, p, q }, run)
    }
}

pub(crate) fn limits(options: &SmoothOptions) -> Limits {
    Limits { iterations: options.max_iterations, look: options.check_every }
}
pub(crate) fn report(progress: Progress) -> StepReport {
    StepReport {
        iterations: progress.iterations,
        residual: progress.residual(),
        converged: progress.outcome == Outcome::Converged,
        volume: None,
        held: 0,
    }
}
fn cotangents<'a>(ring: &'a Ring, x: &'a Vectors, unit: f32, stiffness: f32) -> CotangentsArguments<'a> {
    CotangentsArguments { ring: ring.view(), x: x.view(), unit, stiffness: 0.5 * stiffness }
}
