//! New ids in the order of patches.
use super::{HalfEdges, PatchCache, shell};
use crate::kernels::construct::renumber::{CloseRanks, Divide, MarkPlaces, PlainCorners};
use crate::static_mesh::MeshOptions;
use crate::static_mesh::build::edges::Sides;
use crate::static_mesh::build::numbering::{Ids, number};
use crate::static_mesh::build::patching::{Cut, cut};
use crate::static_mesh::build::{BuildReport, order};
use crate::{Buffer, Result, array};
use ribbonmesh_device::NONE;
use std::sync::Arc;

/// Ids in the order of patches, for the living elements of a mesh.
pub struct Renumbering {
    /// For each new vertex id, the vertex's index among the living vertices.
    pub vertices: Buffer<u32>,
    /// For each new face id, the face's index among the living faces.
    pub faces: Buffer<u32>,
    /// Three entries `edge << 2 | slot << 1 | reversed` per new face; its corners keep their order.
    pub fe: Buffer<u64>,
    /// The patch of each new face.
    pub patch_of: Buffer<u32>,
    /// Whether the mesh was partitioned anew.
    pub cut: bool,
    firsts: [Vec<u32>; 3],
}

impl PatchCache {
    /// Finds new ids for the living elements: by patch; within a patch, faces by their old ids, and vertices
    /// and edges in the order in which the faces touch them. Vertices without a face are last. Patches are
    /// the nonempty ones that the faces store. If `cut_by` is given, or a patch has more than `most` faces,
    /// construction's kernels partition the mesh anew (thesis 4.3.3); if it has not been partitioned yet,
    /// large pieces are only divided.
    ///
    /// `living`: numbers of living elements. `numbers`: for each vertex and each face, its index among the
    /// living ones. `ids`: numbers of ids in use. Linear, with a few waits.
    /// # Errors
    /// Out of memory; errors of the driver.
    pub fn number(
        &self,
        mesh: &HalfEdges<'_>,
        ids: [u32; 3],
        living: [u32; 3],
        numbers: [&Buffer<u32>; 2],
        cut_by: Option<&MeshOptions>,
        most: u32,
    ) -> Result<Renumbering> {
        let device = &self.mesh.device;
        let [vertices, _, faces] = living;
        let corners = 3 * faces as usize;
        let (mut fv, mut ring, mut leader) =
            (device.unspecified(corners)?, device.unspecified(corners)?, device.unspecified(corners)?);
        let mut patch = device.unspecified(faces as usize)?;
        let mut sizes = device.zeros::<u32>(self.mesh.patches as usize)?;
        let plain = PlainCorners {
            mesh: mesh.view(),
            v: numbers[0].view(),
            f: numbers[1].view(),
            fv: fv.view_mut(),
            ring: ring.view_mut(),
            leader: leader.view_mut(),
            patch: patch.view_mut(),
            sizes: sizes.view_mut(),
        };
        device.launch_each(ids[2], plain)?;
        let sides = Sides { leader, ring, counters: Vec::new(), faces };
        let sizes = sizes.read()?;
        let too_large = sizes.iter().any(|&n| n > most);
        let by = cut_by.or((too_large && self.cut).then_some(&self.mesh.options));
        let (cut, rank) = match by {
            None if too_large => self.divide(patch, sizes.len() as u32)?,
            Some(options) => {
                let cut = cut(device, &sides, options, &mut BuildReport::default())?;
                let rank = order::rank(device, &sides.ring, &cut)?;
                (cut, rank)
            }
            None => {
                let mut left = 0..;
                let rank = sizes.iter().map(|&n| if n > 0 { left.next().unwrap_or(NONE) } else { NONE });
                let rank = rank.collect();
                (Cut { patch, words: device.zeros(faces as usize)?, sizes }, rank)
            }
        };
        let ids = number(device, vertices, &fv, &sides, cut, &rank)?;
        self.finish(ids, [vertices, faces], by.is_some())
    }
    /// Patches that have not been cut, but grown: their faces in the order of patches, then of numbers, as
    /// many for each as a patch is to have.
    fn divide(&self, mut patch: Buffer<u32>, patches: u32) -> Result<(Cut, Vec<u32>)> {
        let (device, n, each) = (&self.mesh.device, patch.len() as u32, self.mesh.options.patch_size);
        let numbers = array::order_of(&patch, 32 - patches.leading_zeros().min(31))?;
        device.launch_each(n, Divide { each, numbers: numbers.view(), patch: patch.view_mut() })?;
        let sizes: Vec<u32> = (0..n.div_ceil(each)).map(|i| each.min(n - i * each)).collect();
        let rank = (0..sizes.len() as u32).collect();
        Ok((Cut { patch, words: device.zeros(n as usize)?, sizes }, rank))
    }
    fn finish(&self, ids: Ids, [vertices, faces]: [u32; 2], cut: bool) -> Result<Renumbering> {
        let mut firsts = [ids.first_v.read()?, ids.first_e.read()?, ids.first_f];
        // patches of vertices without a face
        let each = self.mesh.options.patch_size.div_ceil(2);
        let mut first = ids.used;
        while first < vertices {
            first = vertices.min(first + each);
            for (firsts, end) in firsts.iter_mut().zip([first, ids.edges, faces]) {
                firsts.push(end);
            }
        }
        Ok(Renumbering {
            vertices: ids.vertex_inputs,
            faces: ids.face_inputs,
            fe: ids.fe,
            patch_of: ids.patch_of,
            cut,
            firsts,
        })
    }

    /// Takes over new ids. `olds`: the old ids of the new vertices and faces; `ids`: numbers of old ids in
    /// use. In the order of the input, the old elements come first, without gaps; new elements follow in the
    /// order of their old ids.
    /// # Errors
    /// Out of memory; errors of the driver.
    pub fn renumber(&mut self, new: &Renumbering, olds: [&Buffer<u32>; 2], ids: [u32; 3]) -> Result<()> {
        let device = self.mesh.device.clone();
        let [v, e, f] = &new.firsts;
        self.firsts = [device.upload(v)?, device.upload(e)?, device.upload(f)?];
        let [vertices, edges, faces] = [v, e, f].map(|firsts| firsts.last().copied().unwrap_or(0));
        let follow = |inputs: &Buffer<u32>, olds: &Buffer<u32>, n: u32| {
            let mut marks = device.zeros::<u32>(n as usize)?;
            let left = olds.len() as u32;
            let (inputs, olds) = (inputs.view(), olds.view());
            device.launch_each(left, MarkPlaces { inputs, olds, marks: marks.view_mut() })?;
            array::scan_counts(&mut marks)?;
            let mut places = device.unspecified::<u32>(left as usize)?;
            let marks = marks.view();
            let close = CloseRanks { inputs, olds, marks, places: places.view_mut() };
            device.launch_each(left, close)?;
            Ok::<_, crate::Error>(Arc::new(places))
        };
        let vertex_inputs = follow(&self.mesh.vertex_inputs, olds[0], ids[0])?;
        let face_inputs = follow(&self.mesh.face_inputs, olds[1], ids[2])?;
        // arrays stay: they may be long enough
        let empty = shell(&self.mesh)?;
        let mesh = std::mem::replace(&mut self.mesh, empty);
        self.mesh = crate::StaticMesh {
            vertices,
            edges,
            faces,
            patches: v.len() as u32 - 1,
            vertex_inputs,
            face_inputs,
            ..mesh
        };
        self.all = true;
        self.cut |= new.cut;
        Ok(())
    }
}
