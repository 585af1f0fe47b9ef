//! Inputs of applications: repair, and reasons why one is refused.
use ribbonmesh::{Device, Error, TriangleMesh};
use ribbonmesh_application::{Description, Failure};
use ribbonmesh_solid::repair::{RepairOptions, RepairReport, manifold_violations, repair_mesh};

/// Help of the option that repairs an input first.
pub const REPAIR: &str = "Make an oriented manifold of the input first, as the command repair does";

/// Refuses a mesh without faces where the application needs some.
///
/// # Errors
/// [`Error::NoFaces`].
pub fn no_faces(application: &Description, faces: usize) -> Result<(), Failure> {
    match faces {
        0 if application.traits.faces => Err(Error::NoFaces { what: "the mesh" }.into()),
        _ => Ok(()),
    }
}

/// Makes an oriented manifold of a mesh. Vertices without faces stay.
///
/// # Errors
/// The mesh is refused, or all of its faces are degenerate.
pub fn repaired(mesh: &mut TriangleMesh) -> Result<RepairReport, Failure> {
    let report = repair_mesh(&Device::cpu(), mesh, &RepairOptions::default()).map_err(Failure::of)?.report;
    if mesh.faces.is_empty() { Err(Failure::NothingLeft) } else { Ok(report) }
}

/// The failure with all that is wrong with a mesh, if the reason is that it is not an oriented manifold.
pub fn explained(failure: Failure, mesh: &TriangleMesh) -> Failure {
    if matches!(failure, Failure::Library(Error::NotManifold(_)))
        && let Ok(found) = manifold_violations(&Device::cpu(), mesh.positions.len(), &mesh.faces)
        && !found.is_empty()
    {
        return Failure::of(found);
    }
    failure
}
