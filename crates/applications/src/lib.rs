//! The registry of applications: one list, from which the command, Python and the tables of the manual are
//! made.
//!
//! ```
//! use ribbonmesh::{Device, MeshOptions, Surface, TriangleMesh};
//! use ribbonmesh_application::{Failure, Given, Run, Work};
//!
//! # fn main() -> Result<(), Failure> {
//! let points = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.3]];
//! let mesh = TriangleMesh::from_f32(points, vec![[0, 1, 2], [2, 1, 3]]);
//! let mut work = Work::Surface(Surface::new(&Device::cpu(), &mesh, &MeshOptions::default())?);
//! let smooth = ribbonmesh_applications::find("smooth").expect("in the registry");
//! let mut given = Given::default();
//! smooth.description().schema.give(&mut given, "time_step", "0.1")?;
//! let done = smooth.run(&mut work, &given, &mut Run::new(0, &mut ()))?;
//! assert_eq!(done.report()["converged"], true);
//! # Ok(())
//! # }
//! ```
#![forbid(unsafe_code)]

use ribbonmesh_application::AnyApplication;

mod input;
pub use input::{REPAIR, explained, no_faces, repaired};

/// The applications, in the order of the command's help.
pub static APPLICATIONS: &[&dyn AnyApplication] = &[
    &ribbonmesh_fields::normals::Normals,
    &ribbonmesh_fields::curvature::Curvature,
    &ribbonmesh_fields::geodesic::Geodesics,
    &ribbonmesh_fields::denoise::Denoise,
    &ribbonmesh_fields::smooth::Smooth,
    &ribbonmesh_energies::Deform,
    &ribbonmesh_remeshing::delaunay::Delaunay,
    &ribbonmesh_remeshing::remesh::Remesh,
    &ribbonmesh_remeshing::simplify::Simplify,
    &ribbonmesh_solid::fill::Repair,
    &ribbonmesh_solid::fill::Fill,
    &ribbonmesh_solid::resolve::Resolve,
    &ribbonmesh_solid::boolean::Boolean,
    &ribbonmesh_solid::wrap::Wrap,
    &ribbonmesh_clean::Clean,
    &ribbonmesh_unwrap::Parameterize,
    &ribbonmesh_unwrap::Unwrap,
];

/// The application of a name.
pub fn find(name: &str) -> Option<&'static dyn AnyApplication> {
    APPLICATIONS.iter().copied().find(|application| application.description().name == name)
}
