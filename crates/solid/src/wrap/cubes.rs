//! Extraction of the surface where the field changes its sign, by marching tetrahedra.
use crate::wrap::field::Field;
use crate::wrap::grid::NODES;
use crate::wrap::kernels::cubes::{CountElements, PlaceVertices, WriteFaces};
use glam::Vec3;
use ribbonmesh::{Buffer, Error, Result, array};

/// Extracts the surface on which a field is 0: positions of vertices, and the corners of faces, which are
/// oriented towards its positive side (Doi and Koide 1991). Each triangle is within a tetrahedron, and meets
/// its sides in the same segments as its neighbours, so the surface is a closed oriented manifold without
/// self-intersections. No vertex is nearer to a node than a twentieth of its edge.
pub(crate) fn extract(field: &Field) -> Result<(Buffer<Vec3>, Buffer<u32>)> {
    let (device, slots) = (field.device(), field.slots());
    let nodes = field.nodes();
    let mut edges = device.unspecified::<u8>(nodes)?;
    // one more, for the sum
    let mut vertex_starts = device.zeros::<u32>(slots as usize + 1)?;
    let mut face_starts = device.zeros::<u32>(slots as usize + 1)?;
    let count = CountElements {
        field: field.view(),
        edges: edges.view_mut(),
        vertices: vertex_starts.view_mut(),
        faces: face_starts.view_mut(),
    };
    device.launch(slots, count)?;
    let vertices = array::exclusive_scan(&mut vertex_starts)?;
    let faces = array::exclusive_scan(&mut face_starts)?;
    let (corners, limit) = (3 * u64::from(faces), u64::from(u32::MAX));
    if corners > limit {
        return Err(Error::TooMany { what: "corners of faces", count: corners, limit });
    }
    let mut first = device.unspecified::<u32>(NODES as usize * slots as usize)?;
    let mut positions = device.unspecified::<Vec3>(vertices as usize)?;
    let place = PlaceVertices {
        field: field.view(),
        edges: edges.view(),
        starts: vertex_starts.view(),
        first: first.view_mut(),
        positions: positions.view_mut(),
    };
    device.launch(slots, place)?;
    let mut all = device.unspecified::<u32>(corners as usize)?;
    let write = WriteFaces {
        field: field.view(),
        edges: edges.view(),
        first: first.view(),
        starts: face_starts.view(),
        faces: all.view_mut().wide(),
    };
    device.launch(slots, write)?;
    Ok((positions, all))
}
