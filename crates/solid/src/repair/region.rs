//! Parts of a mesh that the host reads.
use crate::repair::check::NONE;
use crate::repair::kernels::faces::GatherFaces;
use crate::repair::linked::with_marked;
use crate::repair::links::Links;
use rayon::prelude::*;
use ribbonmesh::{Buffer, Result};

/// The faces around some vertices, on the host. Vertices and faces are numbered among themselves, in the
/// order of the mesh.
#[derive(Default)]
pub(crate) struct Region {
    /// The faces in the mesh.
    pub ids: Vec<u32>,
    /// The faces in the input.
    pub inputs: Vec<u32>,
    /// The vertices in the mesh.
    pub vertices: Vec<u32>,
    /// Three vertices of each face.
    pub faces: Vec<[u32; 3]>,
    /// Sides across; none leads out of the region.
    pub links: Links,
}

impl Region {
    /// Reads the faces with a vertex that is marked. `inputs`: the faces of the input that stay, if some do
    /// not. Waits twice.
    pub fn around(
        marked: &Buffer<u32>,
        faces: &Buffer<u32>,
        inputs: Option<&Buffer<u32>>,
        across: &Buffer<u32>,
    ) -> Result<Self> {
        let (device, list) = (faces.device(), with_marked(faces, marked)?);
        let mut found = device.unspecified::<[u32; 8]>(list.len())?;
        let nothing = device.unspecified::<u32>(0)?;
        let gather = GatherFaces {
            list: list.view(),
            faces: faces.view(),
            inputs: inputs.unwrap_or(&nothing).view(),
            across: across.view(),
            rows: found.view_mut(),
        };
        device.launch_each(list.len() as u32, gather)?;
        let rows = found.read()?;
        let ids: Vec<u32> = rows.iter().map(|row| row[0]).collect();
        let mut vertices: Vec<u32> = rows.iter().flat_map(|&[_, a, b, c, ..]| [a, b, c]).collect();
        vertices.par_sort_unstable();
        vertices.dedup();
        let place = |list: &[u32], id: u32| list.binary_search(&id).map_or(NONE, |place| place as u32);
        let corners = |&[_, a, b, c, ..]: &[u32; 8]| [a, b, c].map(|v| place(&vertices, v));
        let faces = rows.par_iter().map(corners).collect();
        let across = |&[.., x, y, z, _]: &[u32; 8]| {
            [x, y, z].map(|side| match place(&ids, side / 3) {
                NONE => NONE,
                face => 3 * face + side % 3,
            })
        };
        let links = Links::new(rows.par_iter().flat_map_iter(across).collect());
        let inputs = rows.iter().map(|row| row[7]).collect();
        Ok(Self { ids, inputs, vertices, faces, links })
    }
    /// The numbers within the region of vertices of the mesh, which ascend; others are left out.
    pub fn places(&self, of: &[u32]) -> Vec<u32> {
        let place = |v: &u32| self.vertices.binary_search(v).ok().map(|place| place as u32);
        of.iter().filter_map(place).collect()
    }
    /// The number within the region of a side of the mesh whose face is in it.
    pub fn side(&self, side: u32) -> Option<u32> {
        let face = self.ids.binary_search(&(side / 3)).ok()?;
        Some(3 * face as u32 + side % 3)
    }
    /// The side in the mesh.
    pub fn side_of(&self, side: u32) -> u32 {
        3 * self.ids[side as usize / 3] + side % 3
    }
}
