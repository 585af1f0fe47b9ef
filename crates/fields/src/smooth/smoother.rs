//! Smoothing: the host's part.
use crate::smooth::flat_system::ASKED;
use crate::smooth::measure::{SumEdgeLengths, Volumes};
use crate::smooth::parts::Parts;
use crate::smooth::prepare::ScaleAbout;
use crate::smooth::system::{Stored, System};
use crate::smooth::{Preconditioner, SmoothOptions, SmoothReport, Solver, StepReport, TimeStep, Weights};
use ribbonmesh::glam::Vec3;
use ribbonmesh::{Attribute, Buffer, Edge, Error, Op, Result, StaticMesh, Vertex};
use ribbonmesh_solid::intersections::{SearchAgain, Triangles, hold_back};

type Vectors = Attribute<Vertex, Vec3>;

/// Smooths positions on one mesh. Reuses stored neighbours and memory in repeated runs.
pub struct Smoother<'m> {
    mesh: &'m StaticMesh,
    options: SmoothOptions,
    system: System<'m>,
    /// The parts of the surface; with `keep_volume`, if there are several.
    parts: Option<Parts>,
    /// The faces by vertices' ids; with `no_self_intersections`.
    faces: Option<Buffer<u32>>,
}

/// The matrix M + t L of a step, assembled: see [`Smoother::matrix`].
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix {
    /// The diagonal entry of each vertex, in the order of the input.
    pub diagonal: Vec<f64>,
    /// The other entries, as (row, column, value), by row; vertices in the order of the input.
    pub entries: Vec<(u32, u32, f64)>,
}

impl<'m> Smoother<'m> {
    /// Computes the neighbours and allocates memory: about 100 bytes per vertex.
    /// # Errors
    /// [`Error::Option`] for invalid options, for [`Solver::Direct`], [`Weights::Intrinsic`] and
    /// [`Preconditioner::Schwarz`], which need no patches
    /// ([`smooth_triangles`](crate::smooth::smooth_triangles)), or for `keep_volume` with a surface that is
    /// open or not oriented consistently; out of memory; errors of the driver.
    pub fn new(mesh: &'m StaticMesh, options: &SmoothOptions) -> Result<Self> {
        options.check()?;
        refuse_flat(options)?;
        let mut parts = None;
        if options.keep_volume {
            let open = mesh.boundary::<Edge>()?.read()?.contains(&1);
            check_volume(options, open, !open && mesh.topology()?.inconsistent_edges > 0)?;
            parts = Parts::of(mesh.vertices(), mesh.query(Op::FV)?.values().read()?);
        }
        let faces = match options.no_self_intersections {
            true => Some(mesh.query(Op::FV)?.values().try_clone()?),
            false => None,
        };
        Ok(Self { mesh, options: options.clone(), system: System::new(mesh, options)?, parts, faces })
    }
    /// Moves `positions` by mean curvature flow, `steps` implicit steps (M + t L) x' = M x.
    ///
    /// Weights and masses are computed from the positions at the beginning of each step. Each iteration of
    /// conjugate gradients is linear in the mesh. With `keep_volume`, parts that share no vertex keep their
    /// own volumes; if there are several, positions are copied to the host and back in each step. With
    /// `no_self_intersections`, each step ends by [`hold_back`]. Isolated vertices do not move; see the
    /// crate's page for faces without area. One machine gives the same bits in every run.
    /// # Errors
    /// [`Error::OtherDevice`] or [`Error::OtherMesh`] if `positions` are not of this mesh; [`Error::Option`]
    /// for a time step that is not finite; out of memory; errors of the driver. A step that does not converge
    /// is not an error; the report states it.
    pub fn smooth(&mut self, positions: &mut Vectors) -> Result<SmoothReport> {
        self.smooth_while(positions, false)
    }
    /// The same; with `converging` only up to the first step that does not converge.
    pub(crate) fn smooth_while(&mut self, positions: &mut Vectors, converging: bool) -> Result<SmoothReport> {
        let (time_step, mean_edge_length) = self.set_time(positions)?;
        let (solver, reason) = match self.options.solver {
            Solver::Auto => (Solver::Assembled, "the one of the solvers with patches for most meshes"),
            asked => (asked, ASKED),
        };
        let preconditioner = match self.options.preconditioner {
            Preconditioner::None => "none",
            _ => "jacobi",
        };
        let steps = Vec::new();
        let mut report = SmoothReport { time_step, mean_edge_length, solver, reason, preconditioner, steps };
        if self.mesh.patches() == 0 {
            return Ok(report);
        }
        let mut search = SearchAgain::default();
        for _ in 0..self.options.steps {
            let before = self.faces.as_ref().map(|_| positions.buffer().try_clone()).transpose()?;
            let mut step = self.step(positions)?;
            if let (Some(faces), Some(before)) = (&self.faces, &before) {
                let mut after = positions.buffer().try_clone()?;
                let from = Triangles { positions: before, faces };
                step.held = hold_back(&mut search, from, &mut after)?.vertices;
                if step.held > 0 {
                    positions.copy_by_id(&after)?;
                }
            }
            report.steps.push(step);
            if converging && !step.converged {
                break;
            }
        }
        self.mesh.device().synchronize()?;
        Ok(report)
    }
    /// Edges at `positions` whose entries of the matrix are more than `least` of the root of the product of
    /// both diagonal entries, 0 where no matrix is stored: edges of vertices that move together, whatever
    /// their other neighbours do. Waits.
    pub(crate) fn stiff_edges(&mut self, positions: &Vectors, least: f32) -> Result<usize> {
        self.set_time(positions)?;
        if self.mesh.patches() == 0 {
            return Ok(0);
        }
        self.system.stiff_edges(positions, least)
    }
    /// Runs one step, and scales the result if the volume is to be kept.
    fn step(&mut self, positions: &mut Vectors) -> Result<StepReport> {
        if let Some(parts) = &self.parts {
            let before = parts.volumes(&positions.buffer().read()?);
            let mut step = self.system.step(positions)?;
            let mut x = positions.buffer().read()?;
            parts.restore(&mut x, &before, &mut step);
            positions.upload_by_id(&x)?;
            return Ok(step);
        }
        let before = if self.options.keep_volume { Some(self.volume(positions)?) } else { None };
        let mut step = self.system.step(positions)?;
        if let Some((volume, _)) = before {
            let (after, centre) = self.volume(positions)?;
            step.volume = Some((volume, after));
            let factor = (volume / after).cbrt() as f32;
            // a surface that has no volume, or has turned inside out, keeps its size
            if factor.is_finite() && factor > 0.0 {
                let n = self.mesh.vertices() as u32;
                let kernel = ScaleAbout { centre, factor, x: positions.view_mut() };
                self.mesh.device().launch_each(n, kernel)?;
            }
        }
        Ok(step)
    }
    /// Begins a step at `positions` without iterations; continue with [`Smoother::iterate`]. For
    /// measurements.
    /// # Errors
    /// As [`Smoother::smooth`].
    pub fn begin(&mut self, positions: &Vectors) -> Result<()> {
        self.set_time(positions)?;
        if self.mesh.patches() > 0 {
            self.system.begin(positions)?;
        }
        Ok(())
    }
    /// Runs one iteration of conjugate gradients of the step that began at `positions`: two launches; does
    /// not wait. Once the tolerance is reached, an iteration does nothing.
    /// # Errors
    /// As [`Smoother::smooth`].
    pub fn iterate(&mut self, positions: &Vectors) -> Result<()> {
        if self.mesh.patches() == 0 {
            return Ok(());
        }
        self.system.iterate(positions)
    }
    /// The state of the step that [`Smoother::begin`] began; waits for its iterations.
    /// # Errors
    /// Errors of earlier kernels or of the driver.
    pub fn progress(&self) -> Result<StepReport> {
        self.system.look()
    }
    /// Minimal number of bytes that an iteration must read and write, the lower bound for its time.
    pub fn floor_bytes(&self) -> u64 {
        self.system.floor_bytes()
    }
    /// The assembled matrix of the step that begins at `positions`, as conjugate gradients use it: divided by
    /// 1 + t and, except for unit masses, in units in which the mean edge length is from 1 to 2. It does not
    /// contain boundary condition and preconditioner. For tests and other solvers.
    /// # Errors
    /// [`Error::Option`] if the solver is [`Solver::MatrixFree`]; as [`Smoother::smooth`].
    pub fn matrix(&mut self, positions: &Vectors) -> Result<Matrix> {
        self.begin(positions)?;
        let Some(Stored { starts, columns, values, masses }) = self.system.download()? else {
            let (value, expected) = (Solver::MatrixFree.to_string(), "assembled, to have a matrix");
            return Err(Error::Option { option: "solver", value, expected });
        };
        let inputs = self.mesh.vertex_inputs().read()?;
        let mut diagonal = vec![0.0; inputs.len()];
        let mut entries = Vec::with_capacity(values.len());
        // vertices after those of the last patch have no rows
        let end =
            |v: usize| starts.get(v + 1).map_or(values.len(), |&s| (s as usize).max(starts[v] as usize));
        for (v, &input) in inputs.iter().enumerate() {
            diagonal[input as usize] += masses[v] as f64;
            for k in starts[v] as usize..end(v) {
                diagonal[input as usize] += values[k] as f64;
                entries.push((input, inputs[columns[k] as usize], -(values[k] as f64)));
            }
        }
        Ok(Matrix { diagonal, entries })
    }
    /// The time step, in the units of the positions, squared, and the mean edge length.
    fn set_time(&mut self, x: &Vectors) -> Result<(f64, f64)> {
        let what = "the attribute of positions";
        if !x.device().same(self.mesh.device()) {
            return Err(Error::OtherDevice { what });
        }
        if !x.belongs_to(self.mesh) {
            return Err(Error::OtherMesh { what });
        }
        let mean = self.mean_edge_length(x)?;
        let t = time_of(self.options.time_step, mean)?;
        self.system.set_time(t, scale_for(mean));
        Ok((t, mean))
    }
    fn mean_edge_length(&self, x: &Vectors) -> Result<f64> {
        let (device, patches) = (self.mesh.device(), self.mesh.patches());
        let mut sums = device.zeros::<f64>(2 * patches)?;
        let kernel = SumEdgeLengths { mesh: self.mesh.view(), x: x.view(), sums: sums.view_mut() };
        device.launch(patches as u32, kernel)?;
        let (mut sum, mut count) = (0.0, 0.0);
        for part in sums.read()?.chunks_exact(2) {
            sum += part[0];
            count += part[1];
        }
        Ok(if count > 0.0 { sum / count } else { 0.0 })
    }
    /// The volume, and the mean of the vertices.
    fn volume(&self, x: &Vectors) -> Result<(f64, Vec3)> {
        let (device, patches) = (self.mesh.device(), self.mesh.patches());
        let centre = (x.sum()? / self.mesh.vertices() as f64).as_vec3();
        let mut sums = device.zeros::<f64>(patches)?;
        let kernel = Volumes { mesh: self.mesh.view(), x: x.view(), origin: centre, sums: sums.view_mut() };
        device.launch(patches as u32, kernel)?;
        Ok((sums.read()?.into_iter().sum::<f64>() / 6.0, centre))
    }
}

/// Refuses what is for triangles without patches.
fn refuse_flat(options: &SmoothOptions) -> Result<()> {
    let refuse = |option, value, expected| Err(Error::Option { option, value, expected });
    if options.solver == Solver::Direct {
        return refuse("solver", "direct".to_owned(), "auto, assembled or matrix-free on patches");
    }
    if options.weights == Weights::Intrinsic {
        return refuse("weights", "intrinsic".to_owned(), "cotangent or uniform on patches");
    }
    if options.preconditioner == Preconditioner::Schwarz {
        return refuse("preconditioner", "schwarz".to_owned(), "auto, jacobi or none on patches");
    }
    Ok(())
}
/// Refuses to keep the volume of a surface that does not enclose one.
pub(crate) fn check_volume(options: &SmoothOptions, open: bool, inconsistent: bool) -> Result<()> {
    let expected = if open {
        "this surface has a boundary, only a closed one has a volume"
    } else {
        "faces of this surface have opposite orientations, which have no volume in common"
    };
    if options.keep_volume && (open || inconsistent) {
        return Err(Error::Option { option: "keep volume", value: "on".to_owned(), expected });
    }
    Ok(())
}
/// A time step in the units of the positions, squared, where edges have this mean length.
pub(crate) fn time_of(step: TimeStep, mean: f64) -> Result<f64> {
    let t = match step {
        TimeStep::Absolute(t) => t,
        TimeStep::Edges(t) => t * mean * mean,
    };
    if t.is_finite() {
        return Ok(t);
    }
    let expected = "in edge lengths that are finite";
    Err(Error::Option { option: "time step", value: step.to_string(), expected })
}
/// A power of two near the inverse of the mean edge length, so that nothing is rounded.
pub(crate) fn scale_for(mean: f64) -> f32 {
    let exponent =
        if mean > 0.0 && mean.is_finite() { (-mean.log2().floor()).clamp(-126.0, 127.0) } else { 0.0 };
    (exponent as f32).exp2()
}
