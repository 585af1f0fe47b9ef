//! In which order vertices and faces are given out.
use super::surface::{State, Surface, lost};
use crate::device::{ElementKind, tiles};
use crate::dynamic::Compaction;
use crate::dynamic::kernels::elements::Invert;
use crate::{Buffer, Device, Result, array};

/// For each vertex and each face by id, a number by which they stand.
pub type Places = [Buffer<u32>; 2];

impl Surface {
    /// Vertices by their place in the input order of the patches ([`crate::StaticMesh::vertex_inputs`]), from
    /// their place in what [`Surface::download`] gives. Both are the same, unless triangles have changed.
    /// A value that is not a place stays.
    /// # Errors
    /// [`crate::Error::StalePatches`] as [`Surface::have_patches`]; errors of the driver.
    pub fn inputs_of(&self, places: &[u32]) -> Result<Vec<u32>> {
        let (mesh, _) = self.have_patches()?;
        let State::Patches { order, .. } = &self.state else { return Err(lost()) };
        let Some([of_vertices, _]) = order else { return Ok(places.to_vec()) };
        let (ids, inputs) = (ascending(&of_vertices.read()?), mesh.vertex_inputs().read()?);
        let input = |&place: &u32| ids.get(place as usize).map_or(place, |&id| inputs[id as usize]);
        Ok(places.iter().map(input).collect())
    }
}

/// The places that elements had before they were renumbered; those by id if there were none.
pub fn renumbered(
    device: &Device,
    places: Option<Places>,
    sizes: [usize; 2],
    compaction: Option<&Compaction>,
) -> Result<Places> {
    let kinds = [ElementKind::Vertex, ElementKind::Face];
    let [v, f] = match (places, compaction) {
        (Some(places), None) => return Ok(places),
        (Some([v, f]), Some(compaction)) => [(v, kinds[0]), (f, kinds[1])].map(|(places, kind)| {
            let at = compaction.new_to_old(kind);
            let (n, mut moved) = (at.len() as u32, device.zeros(at.len())?);
            let (from, to) = (places.view(), moved.view_mut());
            array::gather_rows(device, n, 1, at.view(), from, to)?;
            Ok(moved)
        }),
        (None, Some(compaction)) => kinds.map(|kind| compaction.new_to_old(kind).try_clone()),
        (None, None) => sizes.map(|n| array::count_up(device, n as u32)),
    };
    Ok([v?, f?])
}

/// Numbers from 0 on without gaps in the order of these: the same ones in the order of the ids.
pub fn ranked(numbers: &Buffer<u32>) -> Result<Buffer<u32>> {
    inverse(&array::order_of(numbers, u32::BITS)?)
}

/// The inverse of a permutation: from ids by place to places by id, and back.
pub fn inverse(permutation: &Buffer<u32>) -> Result<Buffer<u32>> {
    let (device, n) = (permutation.device(), permutation.len() as u32);
    let mut inverse = device.unspecified::<u32>(n as usize)?;
    let invert = Invert { n, new_to_old: permutation.view(), old_to_new: inverse.view_mut() };
    device.launch(tiles(n), invert)?;
    Ok(inverse)
}

/// The ids of elements in the order of their places, a permutation.
pub fn ascending(places: &[u32]) -> Vec<u32> {
    let mut ids: Vec<u32> = (0..places.len() as u32).collect();
    for (id, &place) in (0..).zip(places) {
        ids[place as usize] = id;
    }
    ids
}
