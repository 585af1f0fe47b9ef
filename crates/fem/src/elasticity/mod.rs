//! Linear elasticity of a solid body: tetrahedra of order 1 to 3, or hexahedra of order 1; and neo-Hookean
//! tetrahedra of order 1, whose displacements may be large, at rest and in motion.
//!
//! | to | see |
//! |---|---|
//! | say what a body is made of, what holds and what loads it | [`Problem`], [`Support`], [`Load`] |
//! | choose vertices and faces | [`Selection`] |
//! | solve, with small displacements or large ones | [`solve`], [`Options`] |
//! | have frequencies and shapes of vibration | [`modes`], [`ModeOptions`], [`Vibration`] |
//! | have a body move | [`simulate`], [`MotionOptions`], [`Moment`] |
//! | have the result | [`Solution`], [`Report`], [`Solution::store`] |
//!
//! ```
//! use ribbonmesh::{Device, glam::DVec3};
//! use ribbonmesh_fem::elasticity::{Load, Options, Problem, Support, solve};
//! use ribbonmesh_volume::shapes;
//! use ribbonmesh_volume_io::VolumeData;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // a beam of 4 x 1 x 1 that is held at its left end and pulled at the other with a force of 0.1
//! let (positions, cells) = shapes::kuhn_grid([4, 1, 1])?;
//! let mut beam = VolumeData::from_f32(&positions, cells);
//! let problem = Problem {
//!     young: 100.0,
//!     poisson: 0.0,
//!     supports: vec![Support { at: "min-x".parse()?, values: [Some(0.0); 3] }],
//!     loads: vec![Load::Force { at: "max-x".parse()?, total: DVec3::new(0.1, 0.0, 0.0) }],
//!     ..Problem::default()
//! };
//! let solution = solve(&Device::auto(), &beam, &problem, &Options::default())?;
//! // force · length / (Young's modulus · area)
//! assert!((solution.report.greatest_displacement - 0.004).abs() < 1e-8);
//! solution.store(&mut beam);
//! assert!(beam.points("displacement").is_some() && beam.of_cells("von_mises").is_some());
//! # Ok(())
//! # }
//! ```
//!
//! Units are those of the input: with metres, newtons and kilograms, Young's modulus and stresses are in
//! pascals. Displacements are assumed to be small unless
//! [`Options::large`] is set.

mod body;
mod error;
mod free;
mod held;
mod iterate;
mod large;
mod materials;
mod modes;
mod motion;
mod problem;
mod selection;
mod solution;
mod solve;
mod stresses;
mod surface;

pub use error::{ElasticityError, Result};
pub use modes::{ModeOptions, ModeReport, Vibration, modes};
pub use motion::{Moment, MotionOptions, simulate};
pub use problem::{Load, Material, Options, Precision, Preconditioner, Problem, Support};
pub use selection::{Selection, SelectionError};
pub use solution::{LoadSum, Place, Report, Solution, Times};
pub use solve::solve;
