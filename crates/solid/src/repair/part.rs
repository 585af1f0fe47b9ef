//! Repair of a part of a mesh for the whole.
use crate::repair::check::{NONE, indices};
use crate::repair::linked::places_in;
use crate::repair::run::run;
use crate::repair::{RepairError, RepairOptions, Repaired};
use glam::DVec3;
use ribbonmesh::{Buffer, Device, Error, array};
use ribbonmesh_mesh::{MeshError, UnionFind};

/// Faces of a larger mesh of which some stand for others that need no decision: a *patch*, faces that agree
/// with each other in orientation.
#[derive(Clone, Copy, Debug)]
pub struct Part<'p> {
    /// For each face, how many faces of the mesh it is.
    pub weights: &'p [u32],
    /// Pairs of faces that agree in orientation in the mesh, by way of faces that are not in the part. None
    /// of them may be dropped by repair.
    pub agree: &'p [[u32; 2]],
}

/// Repairs some faces of a mesh as [`repair`](crate::repair::repair()) repairs them within it. All else has
/// to be a patch: a set of faces that agree with each other, and with the faces of the part at its border.
///
/// The part has, in the order of the mesh, every face with a vertex at which the mesh is no oriented
/// manifold, and a face for each patch next to these, at the place of the patch's first face; such a face has
/// vertices of its own. Whether it is turned, or dropped with a small component, holds for the patch. Where a
/// vertex of the mesh has faces in a patch too, its copies in the result are to be ignored: it has one fan.
/// # Errors
/// [`RepairError::Length`] unless there is a weight for each face;
/// [`FaceIndex`](ribbonmesh_mesh::MeshError::FaceIndex) for a pair with a face that is not there; those of
/// [`repair`](crate::repair::repair()).
pub fn repair_part(
    device: &Device,
    positions: &[DVec3],
    faces: &[[u32; 3]],
    part: &Part<'_>,
    options: &RepairOptions,
) -> Result<Repaired, RepairError> {
    if part.weights.len() != faces.len() {
        let (expected, found) = (faces.len(), part.weights.len());
        return Err(RepairError::Length { what: "weights of faces", expected, found });
    }
    let outside = |&(_, face): &(usize, u32)| face as usize >= faces.len();
    let mut ends = part.agree.iter().enumerate().flat_map(|(pair, ends)| ends.map(|face| (pair, face)));
    if let Some((face, index)) = ends.find(outside) {
        return Err(MeshError::FaceIndex { face, index, vertices: faces.len() }.into());
    }
    device.install(|| indices(positions.len(), faces))?;
    run(device, positions, faces, options, Some(part))
}

/// The faces of a part that are left.
pub(crate) struct Left {
    /// For each face, the first face with which it agrees by way of others.
    pub first: Vec<u32>,
    weights: Vec<u32>,
}

impl Left {
    /// `inputs`: the faces that are left, if these are not all `faces`.
    pub fn of(part: &Part<'_>, inputs: Option<&Buffer<u32>>) -> Result<Self, Error> {
        let mut sets = UnionFind::new(inputs.map_or(part.weights.len(), Buffer::len));
        let Some(inputs) = inputs else {
            part.agree.iter().for_each(|&[a, b]| _ = sets.join(a, b));
            return Ok(Self { first: sets.roots(), weights: part.weights.to_vec() });
        };
        let places = places_in(inputs, part.weights.len())?.read()?;
        for pair in part.agree {
            let [a, b] = pair.map(|face| places[face as usize]);
            if a != NONE && b != NONE {
                sets.join(a, b);
            }
        }
        let weights = inputs.read()?.into_iter().map(|face| part.weights[face as usize]).collect();
        Ok(Self { first: sets.roots(), weights })
    }
    /// The first links of faces: on the same side as the first face that agrees.
    pub fn links(&self, device: &Device) -> Result<Buffer<u32>, Error> {
        device.upload(&self.first.iter().map(|first| first << 1).collect::<Vec<_>>())
    }
    /// Numbers of faces of the mesh with each link.
    pub fn sizes(&self, links: &Buffer<u32>) -> Result<Buffer<u32>, Error> {
        let mut sizes = vec![0_u32; 2 * self.weights.len()];
        for (link, &weight) in links.read()?.into_iter().zip(&self.weights) {
            sizes[link as usize] = sizes[link as usize].saturating_add(weight);
        }
        links.device().upload(&sizes)
    }
}

/// The first parents of faces: each its own, or those of a part.
pub(crate) fn parents(device: &Device, n: usize, left: Option<&Left>) -> Result<Buffer<u32>, Error> {
    left.map_or_else(|| array::count_up(device, n as u32), |left| device.upload(&left.first))
}
