//! What to solve, and how.
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
        /// 1: every vertex moves towards the mean of its neighbours, along the surface too.
        Uniform "uniform"
    }
    /// The mass of a vertex in M.
    Mass "mass" "barycentric, mixed or unit" {
        /// A third of the area of its faces.
        #[default]
        Barycentric "barycentric",
        /// The area that is nearest to it, with the usual exception of obtuse faces (Meyer et al. 2003).
        Mixed "mixed",
        /// 1.
        Unit "unit"
    }
    /// What multiplies by the matrix.
    Solver "solver" "assembled or matrix-free" {
        /// The matrix is stored, in the pattern of VV, and its values are written anew for each step: least work in an
        /// iteration.
        #[default]
        Assembled "assembled",
        /// Weights are computed in every iteration, from neighbours in shared memory: less memory.
        MatrixFree "matrix-free"
    }
    /// What holds at the boundary.
    Boundary "boundary" "free or fixed" {
        /// Vertices of the boundary move as all others do, and so shrink open surfaces.
        #[default]
        Free "free",
        /// They stay where they are.
        Fixed "fixed"
    }
    /// What makes conjugate gradients converge faster.
    Preconditioner "preconditioner" "jacobi or none" {
        /// The diagonal of the matrix: a third of the iterations on scanned surfaces, where vertices differ in area and
        /// weight.
        #[default]
        Jacobi "jacobi",
        /// Nothing: a little less work in each iteration.
        None "none"
    }
}

/// How far a step goes.
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

/// How to smooth.
#[derive(Clone, Debug, PartialEq)]
pub struct SmoothOptions {
    /// The time of one step.
    pub time_step: TimeStep,
    /// How many steps.
    pub steps: usize,
    /// The weights of L.
    pub weights: Weights,
    /// The masses of M.
    pub mass: Mass,
    /// Assembled or matrix-free.
    pub solver: Solver,
    /// What holds at the boundary.
    pub boundary: Boundary,
    /// Jacobi or none.
    pub preconditioner: Preconditioner,
    /// A step is solved when its residual is so much smaller than at the beginning of the step (with Jacobi: both
    /// divided by the root of the diagonal).
    pub tolerance: f64,
    /// A step ends after so many iterations even if it is not solved.
    pub max_iterations: usize,
    /// Iterations between two looks at the residual, for which the host waits for the device.
    pub check_every: usize,
    /// Scale the surface about its centre after each step so that it keeps its volume; for closed surfaces.
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
