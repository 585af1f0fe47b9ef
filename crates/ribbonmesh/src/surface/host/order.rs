//! In which order vertices and faces are given out.
use crate::dynamic::kernels::elements::Invert;
use crate::{Buffer, Defect, Device, Error, Result, array};
use std::sync::Arc;

/// The order in which vertices and faces are given out.
#[derive(Clone)]
pub struct Order {
    /// The place of each vertex, by id.
    pub vertices: Arc<Buffer<u32>>,
    /// The place of each face, by id.
    pub faces: Arc<Buffer<u32>>,
    /// Whether faces are given out beginning with the vertex of the least place: which one they begin with by
    /// id depends on the machine.
    pub turn: bool,
}

/// An error about triangles, with elements by their places in the output instead of their ids.
pub fn of_output(error: Error, order: &Option<Order>) -> Error {
    let Some(Order { vertices: v, faces: f, .. }) = order else { return error };
    let place = |order: &Buffer<u32>, id: u32| Ok::<u32, Error>(order.read_range(id as usize, 1)?[0]);
    let renamed = match &error {
        Error::NotManifold(Defect::Edge { ends: [a, b] }) => {
            let ends = place(v, *a).and_then(|a| Ok([a, place(v, *b)?]));
            ends.map(|[a, b]| Error::NotManifold(Defect::Edge { ends: [a.min(b), a.max(b)] }))
        }
        Error::NotManifold(Defect::Face { face }) => {
            place(f, *face).map(|face| Error::NotManifold(Defect::Face { face }))
        }
        Error::NotManifold(Defect::Vertex { vertex }) => {
            place(v, *vertex).map(|vertex| Error::NotManifold(Defect::Vertex { vertex }))
        }
        &Error::NotFinite { vertex } => {
            place(v, vertex as u32).map(|vertex| Error::NotFinite { vertex: vertex as usize })
        }
        _ => return error,
    };
    renamed.unwrap_or_else(|error| error)
}

/// The order after vertices and faces were renumbered, given the old id of each new one.
pub fn renumbered(
    device: &Device,
    order: Option<&Order>,
    sizes: [usize; 2],
    maps: Option<[&Buffer<u32>; 2]>,
) -> Result<Order> {
    let [vertices, faces] = match (order, maps) {
        (Some(order), None) => return Ok(order.clone()),
        (Some(order), Some([v, f])) => [array::gather(&order.vertices, v)?, array::gather(&order.faces, f)?],
        (None, Some([v, f])) => [v.try_clone()?, f.try_clone()?],
        (None, None) => {
            [array::count_up(device, sizes[0] as u32)?, array::count_up(device, sizes[1] as u32)?]
        }
    };
    let turn = order.is_some_and(|order| order.turn);
    Ok(Order { vertices: vertices.into(), faces: faces.into(), turn })
}

/// Numbers from 0 on without gaps in the order of these: the same ones in the order of the ids.
pub fn ranked(numbers: &Buffer<u32>) -> Result<Buffer<u32>> {
    inverse(&array::order_of(numbers, u32::BITS)?)
}

/// The inverse of a permutation: from ids by place to places by id, and back.
pub fn inverse(permutation: &Buffer<u32>) -> Result<Buffer<u32>> {
    let (device, n) = (permutation.device(), permutation.len() as u32);
    let mut inverse = device.unspecified::<u32>(n as usize)?;
    let invert = Invert { new_to_old: permutation.view(), old_to_new: inverse.view_mut() };
    device.launch_each(n, invert)?;
    Ok(inverse)
}
