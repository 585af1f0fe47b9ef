//! Smoothing of a mesh without patches: the host's part.
use crate::smooth::direct::{Direct, HostMatrix};
use crate::smooth::divided::Divided;
use crate::smooth::flat::{
    BARYCENTRIC, Entries, FlatAssemble, FlatMatrixArguments, FlatMultiply, FlatStart, FlatVolumes, MIXED,
    ROWS, UNIT,
};
use crate::smooth::intrinsic::intrinsic_step;
use crate::smooth::multiply::{DirectionsArguments, StartArguments};
use crate::smooth::options::{Boundary, Mass, Preconditioner, Solver, Weights};
use crate::smooth::parts::Parts;
use crate::smooth::prepare::{Displace, ScaleAbout};
use crate::smooth::smoother::{check_volume, scale_for, time_of};
use crate::smooth::system::{limits, report};
use crate::smooth::{SmoothOptions, SmoothReport, StepReport};
use ribbonmesh::array::Groups;
use ribbonmesh::device::{BufferView, tiles};
use ribbonmesh::glam::Vec3;
use ribbonmesh::{Buffer, Error, FlatTopology, Neighbours, Result, array};
use ribbonmesh_linear::{ConjugateGradients, Operator, Run};
use ribbonmesh_solid::intersections::{SearchAgain, Triangles, hold_back};

/// The reason for a solver that was given.
pub(crate) const ASKED: &str = "asked for";
/// The reason for iterations after a factorization was tried.
const NO_FACTOR: &str = "the matrix is not positive definite but for rounding, so it has no factorization";
/// The same where the factorization has lost too many digits.
const INEXACT: &str = "a factorization does not reach the tolerance, by rounding";

/// Moves the vertices of triangles without patches as [`Smoother::smooth`](crate::smooth::Smoother::smooth)
/// does, for vertices of any number of faces. The mean length of the edges is given. The matrix is assembled
/// for the solvers auto and matrix-free, too.
/// # Errors
/// [`Error::OtherDevice`]; [`Error::Length`] unless there is a position for each vertex; as
/// [`Smoother::new`](crate::smooth::Smoother::new) and [`Smoother::smooth`](crate::smooth::Smoother::smooth).
pub fn smooth_triangles(
    topology: &FlatTopology,
    x: &mut Buffer<Vec3>,
    mean: f64,
    options: &SmoothOptions,
) -> Result<SmoothReport> {
    smooth_flat(topology, x, mean, options, None)
}
/// The same; with a reason for a factorization that the caller has chosen, by iterations where the matrix has
/// none.
pub(crate) fn smooth_flat(
    topology: &FlatTopology,
    x: &mut Buffer<Vec3>,
    mean: f64,
    options: &SmoothOptions,
    factor: Option<&'static str>,
) -> Result<SmoothReport> {
    options.check()?;
    check_positions(topology, x)?;
    check_volume(options, topology.boundary_edges() > 0, topology.inconsistent_edges() > 0)?;
    let t = time_of(options.time_step, mean)?;
    let chosen = match (factor, options.solver) {
        (Some(reason), _) => (Solver::Direct, reason),
        (None, Solver::Direct) => (Solver::Direct, ASKED),
        (None, Solver::Assembled) => (Solver::Assembled, ASKED),
        (None, Solver::Auto | Solver::MatrixFree) => {
            (Solver::Assembled, "the one of the two for meshes without patches")
        }
    };
    let (solver, reason) = chosen;
    let (preconditioner, steps) = (preconditioner_of(options, solver), vec![]);
    let mut report =
        SmoothReport { time_step: t, mean_edge_length: mean, solver, reason, preconditioner, steps };
    if topology.faces() == 0 {
        return Ok(report);
    }
    let mut system = FlatSystem::new(topology, options, t, scale_for(mean), chosen)?;
    let faces = || topology.face_vertices().read();
    let parts = if options.keep_volume { Parts::of(topology.vertices(), faces()?) } else { None };
    let mut search = SearchAgain::default();
    for _ in 0..options.steps {
        let before = options.no_self_intersections.then(|| x.try_clone()).transpose()?;
        let mut step = system.step_within(x, parts.as_ref())?;
        if let Some(before) = &before {
            let faces = Triangles { positions: before, faces: topology.face_vertices() };
            step.held = hold_back(&mut search, faces, x)?.vertices;
        }
        report.steps.push(step);
    }
    (report.solver, report.reason) = system.chosen;
    report.preconditioner = preconditioner_of(options, report.solver);
    topology.device().synchronize()?;
    Ok(report)
}

fn check_positions(topology: &FlatTopology, x: &Buffer<Vec3>) -> Result<()> {
    if !x.device().same(topology.device()) {
        return Err(Error::OtherDevice { what: "the positions" });
    }
    if x.len() != topology.vertices() {
        return Err(Error::Length { what: "positions", expected: topology.vertices(), found: x.len() });
    }
    Ok(())
}
/// The name of the preconditioner that a solver has.
fn preconditioner_of(options: &SmoothOptions, solver: Solver) -> &'static str {
    match (solver, options.weights, options.preconditioner) {
        (Solver::Direct, ..) => "none",
        (_, Weights::Intrinsic, _) => "multigrid",
        (.., Preconditioner::Auto | Preconditioner::Jacobi) => "jacobi",
        (.., preconditioner) => preconditioner.name(),
    }
}

/// The matrix M + t L, both parts divided by 1 + t, and the memory that solving with it needs. About 190
/// bytes per vertex.
struct FlatSystem<'a> {
    topology: &'a FlatTopology,
    options: &'a SmoothOptions,
    corners: Groups,
    neighbours: Neighbours,
    of: Entries,
    values: Buffer<f32>,
    masses: Buffer<f32>,
    scales: Buffer<f32>,
    d: Buffer<Vec3>,
    last: Buffer<Vec3>,
    solver: ConjugateGradients<Buffer<Vec3>>,
    direct: Direct,
    /// The time of a step.
    t: f64,
    /// The solver, and the reason: of the next step, after the first one that of the last step.
    chosen: (Solver, &'static str),
}

impl<'a> FlatSystem<'a> {
    fn new(
        topology: &'a FlatTopology,
        options: &'a SmoothOptions,
        t: f64,
        unit: f32,
        chosen: (Solver, &'static str),
    ) -> Result<Self> {
        let (device, n) = (topology.device(), topology.vertices());
        let corners = topology.corners_of_vertices()?;
        let neighbours = topology.neighbours(&corners)?;
        let uniform = options.weights == Weights::Uniform;
        let own = t;
        let t = if options.mass == Mass::Unit { t } else { t * f64::from(unit) * f64::from(unit) };
        let stiffness = (t / (1.0 + t)) as f32;
        let of = Entries {
            unit,
            stiffness: if uniform { stiffness } else { 0.5 * stiffness },
            density: (1.0 / (1.0 + t)) as f32,
            uniform: u32::from(uniform),
            mass: match options.mass {
                Mass::Unit => UNIT,
                Mass::Barycentric => BARYCENTRIC,
                Mass::Mixed => MIXED,
            },
            jacobi: u32::from(options.preconditioner != Preconditioner::None),
        };
        let vectors = || device.zeros::<Vec3>(n);
        let numbers = |n: usize| device.zeros::<f32>(n);
        Ok(Self {
            topology,
            options,
            values: numbers(neighbours.vertices.len())?,
            corners,
            neighbours,
            of,
            masses: numbers(n)?,
            scales: numbers(n)?,
            d: vectors()?,
            last: vectors()?,
            solver: ConjugateGradients::new(device, (n as u32).div_ceil(ROWS), vectors)?,
            direct: Direct::default(),
            t: own,
            chosen,
        })
    }
    /// As [`FlatSystem::step`]; then scales the result if the volume is to be kept, of each of several parts
    /// on its own.
    fn step_within(&mut self, x: &mut Buffer<Vec3>, parts: Option<&Parts>) -> Result<StepReport> {
        if let Some(parts) = parts {
            let before = parts.volumes(&x.read()?);
            let mut step = self.step(x)?;
            let mut points = x.read()?;
            parts.restore(&mut points, &before, &mut step);
            x.write(&points)?;
            return Ok(step);
        }
        let before = if self.options.keep_volume { Some(self.volume(x)?) } else { None };
        let mut step = self.step(x)?;
        if let Some((volume, _)) = before {
            let (after, centre) = self.volume(x)?;
            step.volume = Some((volume, after));
            let factor = (volume / after).cbrt() as f32;
            // a surface that has no volume, or has turned inside out, keeps its size
            if factor.is_finite() && factor > 0.0 {
                let n = x.len() as u32;
                self.topology.device().launch_each(n, ScaleAbout { centre, factor, x: x.view_mut() })?;
            }
        }
        Ok(step)
    }
    /// Solves for the positions at the end of the step that begins at `x`, and stores them there.
    fn step(&mut self, x: &mut Buffer<Vec3>) -> Result<StepReport> {
        let (device, n) = (self.topology.device(), x.len() as u32);
        if self.options.weights == Weights::Intrinsic {
            let fixed = (self.options.boundary == Boundary::Fixed).then_some(&self.neighbours.boundary);
            let (report, chosen) = intrinsic_step(self.topology, x, self.t, fixed, self.options)?;
            let direct = chosen.solver == ribbonmesh_heat::Solver::Direct;
            self.chosen = (if direct { Solver::Direct } else { Solver::Assembled }, chosen.reason);
            return Ok(report);
        }
        self.begin(x)?;
        let factored = if self.chosen.0 == Solver::Direct { self.factored()? } else { None };
        let report = match factored {
            Some(report) => report,
            None if self.options.preconditioner == Preconditioner::Schwarz => {
                return self.divided()?.step(self.options, 1.0 / self.of.unit, x);
            }
            None => {
                let matrix = matrix_of(&self.neighbours, [&self.values, &self.masses, &self.scales]);
                let mut rows = FlatRows { n, matrix, last: &mut self.last };
                report(self.solver.finish(&mut rows, None, &mut self.d, &limits(self.options))?)
            }
        };
        let (d, scales) = (self.d.view(), self.scales.view());
        device.launch_each(n, Displace { d, scales, size: 1.0 / self.of.unit, x: x.view_mut() })?;
        Ok(report)
    }
    /// Computes the matrix at `x`, and begins with the displacement 0: two launches.
    fn begin(&mut self, x: &Buffer<Vec3>) -> Result<()> {
        let (device, n) = (self.topology.device(), x.len() as u32);
        let fixed = match self.options.boundary {
            Boundary::Fixed => self.neighbours.boundary.view(),
            Boundary::Free => BufferView::empty(),
        };
        let assemble = FlatAssemble {
            n,
            mesh: self.topology.mesh_view(&self.corners)?,
            starts: self.neighbours.starts.view(),
            sides: self.neighbours.sides.view(),
            x: x.view(),
            of: self.of,
            fixed,
            values: self.values.view_mut(),
            masses: self.masses.view_mut(),
            scales: self.scales.view_mut(),
        };
        device.launch(tiles(n), assemble)?;
        let matrix = matrix_of(&self.neighbours, [&self.values, &self.masses, &self.scales]);
        let (topology, corners, of, d) = (self.topology, &self.corners, self.of, &mut self.d);
        self.solver.begin(self.options.tolerance, |to, run| {
            let to = StartArguments {
                x: x.view(),
                unit: of.unit,
                r: to.r.view_mut(),
                d: d.view_mut(),
                last: to.p.view_mut(),
            };
            let mesh = topology.mesh_view(corners)?;
            device.launch(tiles(n), FlatStart { n, scalars: run.scalars(), mesh, matrix, of, to })
        })
    }
    /// The system that has begun, in the order of its domains.
    fn divided(&mut self) -> Result<Divided> {
        let matrix = matrix_of(&self.neighbours, [&self.values, &self.masses, &self.scales]);
        let (entries, residual) = (self.neighbours.vertices.len(), &self.solver.vectors().r);
        Divided::new(self.topology.device(), matrix, entries, residual)
    }
    /// Solves by a factorization. `None` where that fails and was not asked for: this step and the others are
    /// then for iterations, which have begun.
    fn factored(&mut self) -> Result<Option<StepReport>> {
        let matrix = HostMatrix {
            starts: self.neighbours.starts.read()?,
            columns: self.neighbours.vertices.read()?,
            values: self.values.read()?,
            masses: self.masses.read()?,
            scales: self.scales.read()?,
        };
        let mut d = self.solver.vectors().r.read()?;
        let found = self.direct.solve(&matrix, &mut d, self.options.tolerance)?;
        let reason = match &found {
            Some(report) if report.converged || self.options.solver == Solver::Direct => {
                self.d.write(&d)?;
                return Ok(found);
            }
            Some(_) => INEXACT,
            None => NO_FACTOR,
        };
        if self.options.solver == Solver::Direct {
            let expected = "auto or assembled, since the matrix is not positive definite but for rounding";
            return Err(Error::Option { option: "solver", value: "direct".into(), expected });
        }
        self.chosen = (Solver::Assembled, reason);
        Ok(None)
    }
    /// The volume, and the mean of the vertices.
    fn volume(&self, x: &Buffer<Vec3>) -> Result<(f64, Vec3)> {
        let (device, n) = (self.topology.device(), self.topology.faces() as u32);
        let origin = (array::sum(x)? / x.len() as f64).as_vec3();
        let mut sums = device.zeros::<f64>(tiles(n) as usize)?;
        let faces = self.topology.face_vertices().view();
        device.launch(tiles(n), FlatVolumes { n, faces, x: x.view(), origin, sums: sums.view_mut() })?;
        Ok((sums.read()?.into_iter().sum::<f64>() / 6.0, origin))
    }
}

/// A step of conjugate gradients with domains, iteration by iteration; for measurements.
pub struct DividedStep(Divided);
impl DividedStep {
    /// Begins a step at `x`, where edges have this mean length.
    /// # Errors
    /// As [`smooth_triangles`].
    pub fn new(
        topology: &FlatTopology,
        x: &Buffer<Vec3>,
        mean: f64,
        options: &SmoothOptions,
    ) -> Result<Self> {
        options.check()?;
        check_positions(topology, x)?;
        let t = time_of(options.time_step, mean)?;
        let chosen = (Solver::Assembled, ASKED);
        let mut system = FlatSystem::new(topology, options, t, scale_for(mean), chosen)?;
        system.begin(x)?;
        let mut divided = system.divided()?;
        divided.begin(options.tolerance)?;
        Ok(Self(divided))
    }
    /// Runs one iteration: two launches; does not wait. Once the tolerance is reached, it does nothing.
    /// # Errors
    /// Errors of launches.
    pub fn iterate(&mut self) -> Result<()> {
        self.0.iterate()
    }
    /// The state of the step; waits for its iterations.
    /// # Errors
    /// Errors of earlier kernels or of the driver.
    pub fn progress(&self) -> Result<StepReport> {
        self.0.look()
    }
    /// Least number of bytes that an iteration has to read and write.
    pub fn floor_bytes(&self) -> u64 {
        self.0.floor_bytes()
    }
}

fn matrix_of<'a>(of: &'a Neighbours, numbers: [&'a Buffer<f32>; 3]) -> FlatMatrixArguments<'a> {
    let [values, masses, scales] = numbers.map(Buffer::view);
    FlatMatrixArguments { starts: of.starts.view(), columns: of.vertices.view(), values, masses, scales }
}
/// The matrix.
struct FlatRows<'a> {
    n: u32,
    matrix: FlatMatrixArguments<'a>,
    last: &'a mut Buffer<Vec3>,
}
impl Operator for FlatRows<'_> {
    type Vector = Buffer<Vec3>;
    type Error = Error;
    fn direct(
        &mut self,
        r: &Buffer<Vec3>,
        p: &mut Buffer<Vec3>,
        q: &mut Buffer<Vec3>,
        run: &mut Run,
    ) -> Result<()> {
        std::mem::swap(p, self.last);
        let (device, n, matrix) = (run.device().clone(), self.n, self.matrix);
        let (last, p, q) = (self.last.view(), p.view_mut(), q.view_mut());
        let to = DirectionsArguments { r: r.view(), last, p, q };
        device.launch(n.div_ceil(ROWS), FlatMultiply { n, scalars: run.scalars(), matrix, to })
    }
}
