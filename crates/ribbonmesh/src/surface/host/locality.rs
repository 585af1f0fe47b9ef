//! An order of vertices and faces in which neighbours are near each other in memory. Operators read what is
//! around an edge or a vertex; in another order, more of it comes from other lines of memory.
use super::order::inverse;
use crate::attribute::bounds_of;
use crate::surface::kernels::curve::{BITS, FaceKeys, PointKeys, ReorderFaces};
use crate::{Buffer, Result, array};
use glam::Vec3;

/// So many faces and more are put in order; fewer fit caches in any order.
pub const MANY: usize = 1 << 15;
/// Triangles in another order.
pub struct Reordered {
    /// Three vertices for each face.
    pub faces: Buffer<u32>,
    /// Positions.
    pub positions: Buffer<Vec3>,
    /// The number that each vertex had.
    pub vertices_at: Buffer<u32>,
    /// The number that each face had.
    pub faces_at: Buffer<u32>,
}

/// Vertices and faces in the order of the Morton codes of their places; those of the same cell keep their
/// order. Sorts 30 bits of each.
pub fn along_curve(positions: &Buffer<Vec3>, faces: &Buffer<u32>) -> Result<Reordered> {
    let (device, n, f) = (positions.device(), positions.len() as u32, faces.len() as u32 / 3);
    let around = bounds_of(positions)?.0;
    let [low, high] = around.map_or([Vec3::ZERO; 2], |b| [b.low.as_vec3(), b.high.as_vec3()]);
    let mut keys = device.unspecified::<u64>(n as usize)?;
    let mut of_vertices = device.unspecified::<u32>(n as usize)?;
    let x = positions.view();
    let key = PointKeys { x, low, high, keys: keys.view_mut(), numbers: of_vertices.view_mut() };
    device.launch_each(n, key)?;
    array::sort_pairs(&mut keys, &mut of_vertices, BITS)?;

    let mut keys = device.unspecified::<u64>(f as usize)?;
    let mut of_faces = device.unspecified::<u32>(f as usize)?;
    let (numbers, corners) = (of_faces.view_mut(), faces.view());
    let key = FaceKeys { faces: corners, x, low, high, keys: keys.view_mut(), numbers };
    device.launch_each(f, key)?;
    array::sort_pairs(&mut keys, &mut of_faces, BITS)?;
    drop(keys);

    let old_to_new = inverse(&of_vertices)?;
    let mut reordered = device.unspecified::<u32>(faces.len())?;
    let reorder = ReorderFaces {
        faces: corners,
        order: of_faces.view(),
        vertices: old_to_new.view(),
        to: reordered.view_mut(),
    };
    device.launch_each(f, reorder)?;
    let positions = array::gather(positions, &of_vertices)?;
    Ok(Reordered { faces: reordered, positions, vertices_at: of_vertices, faces_at: of_faces })
}
