//! Estimates of whether the result fits.
use super::values::Values;
use crate::remesh::room::Cover;
use ribbonmesh::device::{ElementKind, tiles};
use ribbonmesh::dynamic::{Capacity, DynamicMesh};
use ribbonmesh::{Error, Result, array};

/// Most faces of the result: numbers of edges have 29 bits.
const MOST_FACES: u64 = (1 << 29) / 3 * 2;
/// After splitting, no edge is longer than 4/3 of its target length: each face has at most 16/9 of the area
/// of an equilateral triangle of that length.
const LEAST: f64 = 9.0 / 16.0;
/// Bytes of the attributes of a vertex: positions, scratch space for them, kind, excess valence.
const OF_VERTEX: u64 = 12 + 12 + 4 + 4;
/// Name of the faces in the error.
const WHAT: &str = "faces, the fewest that the target length gives,";

/// The number of equilateral triangles of the target length that cover the mesh. Waits.
pub fn covering(mesh: &mut DynamicMesh, values: &mut Values) -> Result<f64> {
    let (device, n) = (mesh.device().clone(), mesh.ids(ElementKind::Face));
    let mut sums = device.zeros::<f64>(tiles(n) as usize)?;
    let cover = Cover { mesh: mesh.view(), values: values.view(), n, sums: sums.view_mut() };
    device.launch(tiles(n), cover)?;
    array::sum(&sums)
}

/// Refuses a target length that needs more faces than a mesh can have, or than fit into the device's free
/// memory. The estimates are lower bounds: a target length that is refused cannot work. One launch.
/// # Errors
/// [`Error::TooMany`], [`Error::WouldNotFit`]; errors of the driver.
pub fn check_room(mesh: &mut DynamicMesh, values: &mut Values) -> Result<()> {
    let device = mesh.device().clone();
    let faces = (LEAST * covering(mesh, values)?) as u64;
    if faces > MOST_FACES {
        return Err(Error::TooMany { what: WHAT, count: faces, limit: MOST_FACES });
    }
    let has = mesh.capacity();
    if faces <= u64::from(has.faces) {
        return Ok(());
    }
    // the minimum is that of a closed surface: half as many vertices as faces
    let capacity = Capacity { vertices: faces as u32 / 2, edges: faces as u32 / 2 * 3, faces: faces as u32 };
    let needed = DynamicMesh::bytes_of(capacity) + OF_VERTEX * u64::from(capacity.vertices);
    let more = needed.saturating_sub(DynamicMesh::bytes_of(has) + OF_VERTEX * u64::from(has.vertices));
    device.check_room(faces, WHAT, more)
}
