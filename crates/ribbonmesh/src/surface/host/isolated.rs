//! Vertices without faces: an application that changes triangles leaves them, in their order.
use crate::device::ElementKind;
use crate::dynamic::DynamicMesh;
use crate::surface::kernels::isolated::{MarkIsolatedVertices, UnmarkCorners};
use crate::{Buffer, Result, array};

/// The ids of the vertices without faces, ascending, of `vertices` whose faces are `faces`. Waits.
pub fn ids(vertices: usize, faces: &Buffer<u32>) -> Result<Buffer<u32>> {
    let device = faces.device();
    let mut marks = device.unspecified::<u32>(vertices)?;
    array::fill(&mut marks, 1)?;
    let n = faces.len() as u32;
    device.launch_each(n, UnmarkCorners { faces: faces.view(), marks: marks.view_mut() })?;
    array::select(&marks)
}

/// The number of vertices without faces before each vertex. Waits.
pub fn ranks(mesh: &mut DynamicMesh) -> Result<Buffer<u32>> {
    let (device, n) = (mesh.device().clone(), mesh.ids(ElementKind::Vertex));
    let mut ranks = device.unspecified::<u32>(n as usize)?;
    let mark = MarkIsolatedVertices { mesh: mesh.refresh_view()?, marks: ranks.view_mut() };
    device.launch_each(n, mark)?;
    array::exclusive_scan(&mut ranks)?;
    Ok(ranks)
}
