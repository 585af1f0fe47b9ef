//! In which order vertices and faces are given out.
use super::surface::{State, Surface, lost};
use crate::device::ElementKind;
use crate::dynamic::Compaction;
use crate::{Buffer, Device, Error, Result, StaticMesh, array};

/// For each vertex and each face by id, a number by which they stand.
pub type Places = [Buffer<u32>; 2];

impl Surface {
    /// Vertices by their place in the input order of the patches ([`StaticMesh::vertex_inputs`]), from their place in what
    /// [`Surface::download`] gives. Both are the same, unless triangles have changed. What is no place stays.
    /// # Errors
    /// [`Error::StalePatches`] as [`Surface::have_patches`]; what the driver says.
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
        (None, None) => sizes.map(|n| device.upload(&(0..n as u32).collect::<Vec<_>>())),
    };
    Ok([v?, f?])
}

/// What was a place in the input order of patches, as a number by which elements stand: that of `order`, which has them by
/// the ids of the patches.
pub fn composed(mesh: &StaticMesh, order: &Places, given: &Places) -> Result<Places> {
    let compose = |inputs: &Buffer<u32>, order: &Buffer<u32>, given: &Buffer<u32>| {
        let (inputs, order) = (inputs.read()?, order.read()?);
        let mut of_input = vec![0; inputs.len()];
        for (&input, &place) in inputs.iter().zip(&order) {
            of_input[input as usize] = place;
        }
        let place = |&input: &u32| of_input.get(input as usize).copied();
        let places: Option<Vec<u32>> = given.read()?.iter().map(place).collect();
        let outside = || Error::Invalid("a place that is not in the input order of the patches".to_owned());
        mesh.device().upload(&places.ok_or_else(outside)?)
    };
    let ([of_vertices, of_faces], [vertices, faces]) = (order, given);
    Ok([compose(mesh.vertex_inputs(), of_vertices, vertices)?, compose(mesh.face_inputs(), of_faces, faces)?])
}

/// The place of each id, from the ids in the order of their places.
pub fn ranks(ids: &[u32]) -> Vec<u32> {
    let mut places = vec![0; ids.len()];
    for (place, &id) in (0..).zip(ids) {
        places[id as usize] = place;
    }
    places
}

/// The ids of elements in the order of their places.
pub fn ascending(places: &[u32]) -> Vec<u32> {
    let mut ids: Vec<u32> = (0..places.len() as u32).collect();
    // a permutation, most often; after simplification the places of what is left
    if places.iter().all(|&place| (place as usize) < places.len()) {
        for (id, &place) in (0..).zip(places) {
            ids[place as usize] = id;
        }
    } else {
        ids.sort_unstable_by_key(|&id| places[id as usize]);
    }
    ids
}
