//! Problems of elasticity.
use super::error::{ElasticityError, Result};
use super::selection::Selection;
use ribbonmesh::glam::DVec3;

/// A body of isotropic materials, its supports, and its loads.
#[derive(Clone, Debug)]
pub struct Problem {
    /// Young's modulus, above 0.
    pub young: f64,
    /// Poisson's ratio, above -1 and below 0.5.
    pub poisson: f64,
    /// Mass per volume, for gravity.
    pub density: f64,
    /// Other materials of some cells; the last one that selects a cell counts.
    pub materials: Vec<Material>,
    /// Acceleration of gravity.
    pub gravity: DVec3,
    /// Supports of the body.
    pub supports: Vec<Support>,
    /// Loads in addition to gravity.
    pub loads: Vec<Load>,
    /// The von Mises stress at which the material yields, above 0, for the safety factor.
    pub yield_stress: Option<f64>,
}
impl Default for Problem {
    fn default() -> Self {
        Self {
            young: 1.0,
            poisson: 0.3,
            density: 1.0,
            materials: vec![],
            gravity: DVec3::ZERO,
            supports: vec![],
            loads: vec![],
            yield_stress: None,
        }
    }
}
/// Prescribed displacements.
#[derive(Clone, Debug)]
pub struct Support {
    /// Nodes all of whose vertices are selected.
    pub at: Selection,
    /// The displacement along x, y and z; `None` if the body may slide. If a node has several supports, the
    /// last one counts for each direction.
    pub values: [Option<f64>; 3],
}
/// A load on faces of the surface all of whose vertices are selected, or that a region of faces lists.
#[derive(Clone, Debug)]
pub enum Load {
    /// A force that is spread over the faces by area.
    Force {
        /// The faces.
        at: Selection,
        /// The total force.
        total: DVec3,
    },
    /// A force per area.
    Traction {
        /// The faces.
        at: Selection,
        /// The force per area.
        force: DVec3,
    },
    /// A force per area against the outer normal.
    Pressure {
        /// The faces.
        at: Selection,
        /// The pressure; negative if it pulls.
        pressure: f64,
    },
}
impl Load {
    /// The faces of the load.
    pub fn at(&self) -> &Selection {
        let (Self::Force { at, .. } | Self::Traction { at, .. } | Self::Pressure { at, .. }) = self;
        at
    }
}

/// The material of some cells.
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// Cells all of whose vertices are selected, or the cells of a region.
    pub at: Selection,
    /// Young's modulus.
    pub young: f64,
    /// Poisson's ratio.
    pub poisson: f64,
    /// Mass per volume; `None` for that of the problem.
    pub density: Option<f64>,
}

/// The precision of the matrix in the iteration. Vectors, sums, and the residual that decides whether a
/// solution is accepted, are always in double precision.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Precision {
    /// The iteration has the matrix in single precision, which is read in half the time, and is refined: it
    /// is restarted with the residual of the matrix in double precision until that is within the tolerance.
    /// The solution is the same. Both matrices are in memory, which takes one and a half times as much. If
    /// single precision does not converge, as for slender bodies and stiff parts in soft ones, the iteration
    /// continues in double precision, and [`Report::fallbacks`](crate::elasticity::Report::fallbacks) says
    /// so.
    Mixed,
    /// All numbers are in double precision.
    #[default]
    Double,
}
/// Preconditioner of conjugate gradients.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Preconditioner {
    /// Multigrid; blocks if that breaks down, and
    /// [`Report::fallbacks`](crate::elasticity::Report::fallbacks) says so.
    #[default]
    Automatic,
    /// Multigrid by smoothed aggregation ([`crate::Multigrid`]): some tens of iterations for a mesh
    /// of any size.
    Multigrid,
    /// The inverted block of each node: no memory and no preparation, but hundreds of iterations, more with
    /// every refinement.
    Blocks,
}
/// Options of [`solve`](crate::elasticity::solve()).
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The order of the elements: 1, 2 or 3 on tetrahedra, 1 on hexahedra.
    pub order: u32,
    /// Ratio of the residual at the end to that at the beginning. Of large displacements that is the sum of
    /// forces of elements and loads.
    pub tolerance: f64,
    /// Most iterations; of large displacements most steps of Newton's method.
    pub max_iterations: usize,
    /// The numbers of the matrix.
    pub precision: Precision,
    /// The preconditioner.
    pub preconditioner: Preconditioner,
    /// Displacements and strains may be large: neo-Hookean tetrahedra of order 1, which have the same moduli
    /// where strains are small. Loads keep their forces and directions.
    pub large: bool,
}
impl Options {
    /// Refuses what large displacements do not have.
    pub(crate) fn check_large(&self) -> Result<()> {
        let what = if self.order != 1 {
            "elements of order 2 or 3"
        } else if self.precision != Precision::Double {
            "single precision"
        } else if self.preconditioner == Preconditioner::Blocks {
            "the preconditioner of blocks"
        } else {
            return Ok(());
        };
        Err(ElasticityError::Large { what })
    }
}
impl Default for Options {
    fn default() -> Self {
        Self {
            order: 1,
            tolerance: 1e-8,
            max_iterations: 20_000,
            precision: Precision::Double,
            preconditioner: Preconditioner::Automatic,
            large: false,
        }
    }
}

impl Problem {
    /// Whether there is a load or a motion: a force, gravity, or a prescribed displacement.
    pub fn has_load(&self) -> bool {
        let of = |load: &Load| match load {
            Load::Force { total, .. } => *total != DVec3::ZERO,
            Load::Traction { force, .. } => *force != DVec3::ZERO,
            Load::Pressure { pressure, .. } => *pressure != 0.0,
        };
        let moved =
            self.supports.iter().flat_map(|support| support.values).flatten().any(|value| value != 0.0);
        let densities = self.materials.iter().map(|m| m.density.unwrap_or(self.density));
        let heavy = densities.chain([self.density]).any(|density| density > 0.0);
        moved || (heavy && self.gravity != DVec3::ZERO) || self.loads.iter().any(of)
    }
    /// Refuses cells without mass.
    pub(crate) fn check_dense(&self, expected: &'static str) -> Result<()> {
        let densities = self.materials.iter().filter_map(|material| material.density);
        match densities.chain([self.density]).find(|density| *density <= 0.0) {
            Some(value) => Err(ElasticityError::Value { what: "the density", value, expected }),
            None => Ok(()),
        }
    }
    /// Refuses numbers that are out of range.
    pub(crate) fn check(&self) -> Result<()> {
        let wrong = |what, value, expected| Err(ElasticityError::Value { what, value, expected });
        let others = self.materials.iter().map(|m| (m.young, m.poisson, m.density.unwrap_or(self.density)));
        for (young, poisson, density) in others.chain([(self.young, self.poisson, self.density)]) {
            if !(young.is_finite() && young > 0.0) {
                return wrong("Young's modulus", young, "above 0");
            }
            if !(poisson > -1.0 && poisson < 0.5) {
                return wrong("Poisson's ratio", poisson, "above -1 and below 0.5");
            }
            if !(density.is_finite() && density >= 0.0) {
                return wrong("the density", density, "0 or more");
            }
        }
        if let Some(stress) = self.yield_stress.filter(|s| !(s.is_finite() && *s > 0.0)) {
            return wrong("the yield stress", stress, "above 0");
        }
        let finite = |what, vector: DVec3| match vector.to_array().into_iter().find(|x| !x.is_finite()) {
            Some(value) => wrong(what, value, "finite"),
            None => Ok(()),
        };
        finite("gravity", self.gravity)?;
        for support in &self.supports {
            if let Some(value) = support.values.into_iter().flatten().find(|x| !x.is_finite()) {
                return wrong("a prescribed displacement", value, "finite");
            }
        }
        for load in &self.loads {
            match load {
                Load::Force { total, .. } => finite("a force", *total)?,
                Load::Traction { force, .. } => finite("a traction", *force)?,
                Load::Pressure { pressure, .. } => finite("a pressure", DVec3::splat(*pressure))?,
            }
        }
        Ok(())
    }
}
