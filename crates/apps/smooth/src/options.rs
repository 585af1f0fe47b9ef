//! Options of smoothing.
use ribbonmesh::Error;
use std::fmt;
use std::str::FromStr;

macro_rules! named { ($($(#[$doc:meta])* $name:ident $option:literal $expected:literal { $($(#[$variant_doc:meta])* $variant:ident $text:literal),* })*) => { $(
    $(#[$doc])*
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum $name {
        $($(#[$variant_doc])* $variant),*
    }
    impl $name {
        /// All of them.
        pub const ALL: &'static [Self] = &[$(Self::$variant),*];
        /// Its name.
        pub fn name(self) -> &'static str {
            match self {
                $(Self::$variant => $text),*
            }
        }
    }
    impl fmt::Display for $name {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.pad(self.name())
        }
    }
    impl FromStr for $name {
        type Err = Error;
        /// Upper or lower case does not matter.
        fn from_str(s: &str) -> ribbonmesh::Result<Self> {
            let found = Self::ALL.iter().find(|w| w.name().eq_ignore_ascii_case(s));
            found.copied().ok_or_else(|| Error::Option { option: $option, value: s.to_owned(), expected: $expected })
        }
    }
)* } }
named! {
    /// The weight of an edge in L.
    Weights "weights" "cotangent or uniform" {
        /// Half the sum of the cotangents of the angles opposite to the edge: L x is the mean curvature normal, and the
        /// surface flows by its mean curvature (Desbrun et al. 1999).
        #[default]
        Cotangent "cotangent",
        /// 1: every vertex moves towards the mean of its neighbours, also tangentially.
        Uniform "uniform"
    }
    /// The mass of a vertex in M.
    Mass "mass" "barycentric, mixed or unit" {
        /// A third of the area of its faces.
        #[default]
        Barycentric "barycentric",
        /// Its Voronoi area, with the usual exception for obtuse faces (Meyer et al. 2003).
        Mixed "mixed",
        /// 1.
        Unit "unit"
    }
    /// The representation of the matrix.
    Solver "solver" "assembled or matrix-free" {
        /// A stored matrix with the pattern of VV, whose values are recomputed for each step: least work per iteration.
        #[default]
        Assembled "assembled",
        /// Weights are recomputed in every iteration, from neighbours in shared memory: less memory.
        MatrixFree "matrix-free"
    }
    /// Boundary condition.
    Boundary "boundary" "free or fixed" {
        /// Boundary vertices move like all others, so open surfaces shrink.
        #[default]
        Free "free",
        /// Boundary vertices do not move.
        Fixed "fixed"
    }
    /// The preconditioner of conjugate gradients.
    Preconditioner "preconditioner" "jacobi or none" {
        /// The diagonal of the matrix. Needs a third of the iterations on scanned surfaces, whose vertices differ in
        /// area and weight.
        #[default]
        Jacobi "jacobi",
        /// No preconditioner: a little less work in each iteration.
        None "none"
    }
}

/// The time of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TimeStep {
    /// In the units of the positions, squared.
    Absolute(f64),
    /// In squared mean edge lengths of the mesh before the first step.
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
    /// `0.01`, or `1.5h2` for 1.5 squared mean edge lengths.
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

/// Options of smoothing.
#[derive(Clone, Debug, PartialEq)]
pub struct SmoothOptions {
    /// The time of one step.
    pub time_step: TimeStep,
    /// Number of steps.
    pub steps: usize,
    /// The weights of L.
    pub weights: Weights,
    /// The masses of M.
    pub mass: Mass,
    /// Assembled or matrix-free.
    pub solver: Solver,
    /// Boundary condition.
    pub boundary: Boundary,
    /// Jacobi or none.
    pub preconditioner: Preconditioner,
    /// A step is solved when its residual divided by the step's first residual is at most this (with Jacobi: both
    /// divided by the square root of the diagonal).
    pub tolerance: f64,
    /// Maximal number of iterations of a step; it then ends without convergence.
    pub max_iterations: usize,
    /// Number of iterations between two checks of the residual, for which the host waits for the device.
    pub check_every: usize,
    /// Whether to scale each part of the surface about its centre after each step so that its volume stays the same; for
    /// closed surfaces. Parts share no vertex.
    pub keep_volume: bool,
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
        }
    }
}
impl SmoothOptions {
    pub(crate) fn check(&self) -> ribbonmesh::Result<()> {
        let refuse = |option, value: String, expected| Err(Error::Option { option, value, expected });
        let (TimeStep::Absolute(t) | TimeStep::Edges(t)) = self.time_step;
        if !(t >= 0.0 && t.is_finite()) {
            return refuse("time step", self.time_step.to_string(), "a number that is not negative");
        }
        if !(self.tolerance >= 0.0 && self.tolerance < 1.0) {
            return refuse("tolerance", self.tolerance.to_string(), "at least 0 and less than 1");
        }
        if self.check_every == 0 {
            return refuse("iterations between two looks at the residual", "0".to_owned(), "at least 1");
        }
        Ok(())
    }
}
