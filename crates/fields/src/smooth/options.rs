//! Options of smoothing.
use ribbonmesh::Error;
use ribbonmesh_application::{Choice, Kind, OptionValue, Options, expected};
use std::fmt;
use std::str::FromStr;

/// The weight of an edge in L.
#[derive(Choice, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Weights {
    /// Half the sum of the cotangents of the angles opposite to the edge: L x is the mean curvature normal,
    /// and the surface flows by its mean curvature (Desbrun et al. 1999).
    #[default]
    Cotangent,
    /// 1: every vertex moves towards the mean of its neighbours, also tangentially.
    Uniform,
    /// Cotangents of the intrinsic Delaunay triangulation of the same surface: never negative, and few
    /// iterations on scans with slivers, by multigrid. With masses barycentric or mixed.
    Intrinsic,
}
/// The mass of a vertex in M.
#[derive(Choice, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Mass {
    /// A third of the area of its faces.
    #[default]
    Barycentric,
    /// Its Voronoi area, with the usual exception for obtuse faces (Meyer et al. 2003).
    Mixed,
    /// 1.
    Unit,
}
/// The representation of the matrix, and the solver.
#[derive(Choice, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Solver {
    /// `assembled`; on a CPU, where a hundred edges are stiff or 120 iterations do not suffice, `direct`. The
    /// report has the reason.
    #[default]
    Auto,
    /// A stored matrix with the pattern of VV, whose values are recomputed for each step: least work per
    /// iteration.
    Assembled,
    /// Weights are recomputed in every iteration, from neighbours in shared memory: less memory.
    MatrixFree,
    /// A Cholesky factorization in double precision, on one core of the host: no iterations.
    Direct,
}
/// Boundary condition.
#[derive(Choice, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Boundary {
    /// Boundary vertices move like all others, so open surfaces shrink.
    #[default]
    Free,
    /// Boundary vertices do not move.
    Fixed,
}
/// The preconditioner of conjugate gradients.
#[derive(Choice, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Preconditioner {
    /// `jacobi`; on a GPU, where a hundred edges are stiff or 240 iterations do not suffice, `schwarz`.
    #[default]
    Auto,
    /// The diagonal of the matrix. Needs a third of the iterations on scanned surfaces, whose vertices differ
    /// in area and weight.
    Jacobi,
    /// Exact solutions on domains of 64 vertices that depend on each other most (an additive Schwarz method):
    /// slivers cost few iterations. With the matrix in flat arrays, without patches.
    Schwarz,
    /// No preconditioner: a little less work in each iteration.
    None,
}

/// The time of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TimeStep {
    /// Time in squared units of the positions.
    Absolute(f64),
    /// Time in squared mean edge lengths of the mesh before the first step.
    Edges(f64),
}
impl fmt::Display for TimeStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Absolute(t) => write!(f, "{t}"),
            Self::Edges(t) => write!(f, "{t}h2"),
        }
    }
}
impl FromStr for TimeStep {
    type Err = Error;
    /// Parses `0.01`, or `1.5h2` for 1.5 squared mean edge lengths.
    fn from_str(s: &str) -> ribbonmesh::Result<Self> {
        let refused = || Error::Option {
            option: "time step",
            value: s.to_owned(),
            expected: "a number that is not negative, such as 0.01, or 1.5h2 for 1.5 squared mean edge lengths",
        };
        let (number, edges) = match s.strip_suffix("h2") {
            Some(number) => (number, true),
            None => (s, false),
        };
        let t: f64 = number.parse().map_err(|_| refused())?;
        if !(t >= 0.0 && t.is_finite()) {
            return Err(refused());
        }
        Ok(if edges { Self::Edges(t) } else { Self::Absolute(t) })
    }
}

impl OptionValue for TimeStep {
    const KIND: Kind = Kind::Measure;
    fn parse(text: &str) -> Result<Self, String> {
        text.parse().map_err(expected)
    }
    fn text(&self) -> Option<String> {
        Some(self.to_string())
    }
}

/// Options of smoothing.
#[derive(Options, Clone, Debug, PartialEq)]
#[options(check)]
pub struct SmoothOptions {
    /// Time of a step: in squared units of the mesh, such as 0.01, or in squared mean edge lengths of the
    /// input, such as
    /// 1.5h2; with `--mass unit` a number that multiplies L
    #[option(unit = "T|Th2", default = "1h2, with --mass unit 1", usual = usual_time_step, negative)]
    pub time_step: TimeStep,
    /// Steps; weights and masses are computed anew for each
    #[option(least = 1)]
    pub steps: usize,
    /// Weights of edges: cotangent (flow by mean curvature), uniform (evens out the edges, too) or intrinsic
    /// (flow by mean curvature, of a better triangulation)
    pub weights: Weights,
    /// Masses of vertices: barycentric (a third of the area of the faces), mixed (Voronoi areas, Meyer et al.
    /// 2003), or unit
    pub mass: Mass,
    /// Store the matrix, compute its weights in every iteration, which takes less memory, or factor it
    pub solver: Solver,
    /// Let the vertices of the boundary move, or keep them where they are
    pub boundary: Boundary,
    /// It takes fewer iterations where faces differ in size or shape
    pub preconditioner: Preconditioner,
    /// How much smaller than the first the last residual of a step shall be
    ///
    /// A residual is divided by the step's first residual; with a preconditioner, both are divided by the
    /// square root of the diagonal.
    #[option(unit = "R")]
    pub tolerance: f64,
    /// Iterations after which a step ends even so
    pub max_iterations: usize,
    /// Number of iterations between two checks of the residual, for which the host waits for the device.
    #[option(skip)]
    pub check_every: usize,
    /// Scale each component of a closed surface about its centre after each step, so that it keeps its volume
    ///
    /// Components share no vertex.
    pub keep_volume: bool,
    /// Move vertices less far where faces would intersect others
    pub no_self_intersections: bool,
}

/// The default of the time step.
fn usual_time_step(options: &SmoothOptions) -> TimeStep {
    if options.mass == Mass::Unit { TimeStep::Absolute(1.0) } else { TimeStep::Edges(1.0) }
}

impl Default for SmoothOptions {
    fn default() -> Self {
        Self {
            time_step: TimeStep::Edges(1.0),
            steps: 1,
            weights: Weights::default(),
            mass: Mass::default(),
            solver: Solver::default(),
            boundary: Boundary::default(),
            preconditioner: Preconditioner::default(),
            tolerance: 1e-4,
            max_iterations: 5000,
            check_every: 16,
            keep_volume: false,
            no_self_intersections: false,
        }
    }
}
impl SmoothOptions {
    /// Whether the matrix is in flat arrays, without patches.
    pub(crate) fn in_flat_arrays(&self) -> bool {
        self.solver == Solver::Direct
            || self.weights == Weights::Intrinsic
            || self.preconditioner == Preconditioner::Schwarz
    }
    pub(crate) fn check(&self) -> ribbonmesh::Result<()> {
        let refuse = |option, value: String, expected| Err(Error::Option { option, value, expected });
        let (TimeStep::Absolute(t) | TimeStep::Edges(t)) = self.time_step;
        if !(t >= 0.0 && t.is_finite()) {
            return refuse("time step", self.time_step.to_string(), "a number that is not negative");
        }
        if !(self.tolerance >= 0.0 && self.tolerance < 1.0) {
            return refuse("tolerance", self.tolerance.to_string(), "at least 0 and less than 1");
        }
        if self.weights == Weights::Intrinsic && self.mass == Mass::Unit {
            return refuse("mass", "unit".to_owned(), "barycentric or mixed with intrinsic weights");
        }
        if self.weights == Weights::Intrinsic && self.solver == Solver::MatrixFree {
            let expected = "auto, assembled or direct with intrinsic weights";
            return refuse("solver", self.solver.to_string(), expected);
        }
        if self.preconditioner == Preconditioner::Schwarz && self.solver == Solver::MatrixFree {
            let expected = "auto, assembled or direct with the preconditioner schwarz";
            return refuse("solver", self.solver.to_string(), expected);
        }
        if self.check_every == 0 {
            return refuse("iterations between two looks at the residual", "0".to_owned(), "at least 1");
        }
        Ok(())
    }
}
