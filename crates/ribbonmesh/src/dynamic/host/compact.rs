//! Compaction: contiguous ids in the order of patches.
use super::mesh::DynamicMesh;
use super::numbering::Numbering;
use super::run::PassReport;
use super::set::AttributeSet;
use crate::device::{ElementKind, NONE, tiles};
use crate::dynamic::kernels::elements::{
    CountLiving, Follow, Invert, MoveTopology, NumberLiving, OldEdges, PlainFaces, ScanLiving,
};
use crate::{Buffer, Device, MeshOptions, Result, array};
use std::sync::Arc;

/// Patches with more than this many times the faces that a patch is to have are cut anew.
pub(super) const OUTGROWN: u32 = 2;

/// A renumbering of the elements of a mesh.
pub struct Compaction {
    old_to_new: [Buffer<u32>; 3],
    new_to_old: [Buffer<u32>; 3],
    /// The numberings that it leads from and to.
    between: [Numbering; 2],
    /// The identities of attributes of static meshes with the new ids: of vertices, edges, faces.
    inputs: [Arc<Buffer<u32>>; 3],
}
impl Compaction {
    /// The numbering of what it can be applied to.
    pub fn before(&self) -> Numbering {
        self.between[0]
    }
    /// The numbering of what it has been applied to.
    pub fn after(&self) -> Numbering {
        self.between[1]
    }
    pub(super) fn inputs(&self, kind: ElementKind) -> &Arc<Buffer<u32>> {
        &self.inputs[kind as usize]
    }
    /// For each old id, the new id; `NONE` for deleted elements.
    pub fn old_to_new(&self, kind: ElementKind) -> &Buffer<u32> {
        &self.old_to_new[kind as usize]
    }
    /// For each new id, the old id.
    pub fn new_to_old(&self, kind: ElementKind) -> &Buffer<u32> {
        &self.new_to_old[kind as usize]
    }
    /// This one, and then another.
    pub(super) fn then(self, next: Self) -> Result<Self> {
        next.before().require("a compaction", self.after())?;
        let between = [self.before(), next.after()];
        let (mut old_to_new, mut new_to_old) = (self.old_to_new, next.new_to_old);
        for kind in 0..3 {
            follow(&mut new_to_old[kind], &self.new_to_old[kind])?;
            follow(&mut old_to_new[kind], &next.old_to_new[kind])?;
        }
        Ok(Self { old_to_new, new_to_old, between, inputs: next.inputs })
    }
}

/// `maps[i] = then[maps[i]]`.
fn follow(maps: &mut Buffer<u32>, then: &Buffer<u32>) -> Result<()> {
    let (device, n) = (maps.device().clone(), maps.len() as u32);
    device.launch_each(n, Follow { maps: maps.view_mut(), then: then.view() })
}
/// From old ids of new elements, new ids of `n` old ones.
fn invert(device: &Device, new_to_old: &Buffer<u32>, n: u32) -> Result<Buffer<u32>> {
    let mut old_to_new = device.unspecified(n as usize)?;
    array::fill_words(&mut old_to_new, n, NONE)?;
    let left = new_to_old.len() as u32;
    device.launch_each(left, Invert { new_to_old: new_to_old.view(), old_to_new: old_to_new.view_mut() })?;
    Ok(old_to_new)
}

impl DynamicMesh {
    /// The number of living elements of each kind: vertices, edges, faces. Waits.
    /// # Errors
    /// Out of memory; errors of the driver.
    pub fn living(&mut self) -> Result<[u32; 3]> {
        let (_, total) = self.sums()?;
        let words = total.read()?;
        Ok([words[0], words[1], words[2]])
    }

    fn sums(&mut self) -> Result<([Buffer<u32>; 3], Buffer<u32>)> {
        self.write_control()?;
        let device = self.device.clone();
        let mut total = device.zeros::<u32>(3)?;
        let mut all = Vec::new();
        for kind in 0..3 {
            let n = tiles(self.ids[kind as usize]);
            let mut sums = device.zeros::<u32>(n as usize)?;
            device.launch(n, CountLiving { rounds: self.rounds(), kind, sums: sums.view_mut() })?;
            let scan =
                ScanLiving { rounds: self.rounds(), kind, sums: sums.view_mut(), total: total.view_mut() };
            device.launch(1, scan)?;
            all.push(sums);
        }
        let [v, e, f] = three(all);
        Ok(([v, e, f], total))
    }

    /// Gives living elements contiguous ids in the order of patches. Within a patch, faces are in the order
    /// of their old ids. Edges and vertices belong to the first patch with one of their faces, in the order
    /// in which its faces touch them. Vertices without a face are last. If a patch has more than twice the
    /// patch size, the whole mesh is partitioned anew. Attributes are renumbered by [`Compaction::apply_to`].
    /// Linear.
    /// # Errors
    /// Out of memory; errors of the driver.
    pub fn compact(&mut self) -> Result<Compaction> {
        self.renumber(None)
    }

    /// As [`DynamicMesh::compact`], but partitions the mesh anew (thesis 4.3.3), as construction does.
    /// # Errors
    /// Out of memory; errors of the driver.
    pub fn repartition(&mut self) -> Result<Compaction> {
        let options = self.patches.options().clone();
        self.renumber(Some(&options))
    }

    fn renumber(&mut self, cut_by: Option<&MeshOptions>) -> Result<Compaction> {
        let device = self.device.clone();
        let (sums, total) = self.sums()?;
        let total = total.read()?;
        let living = [total[0], total[1], total[2]];
        let ids = self.ids;
        // numbers of living vertices and faces, in the order of their ids
        let mut number = |kind: u32| {
            let mut numbers = device.unspecified::<u32>(ids[kind as usize] as usize)?;
            let mut new_to_old = device.unspecified::<u32>(living[kind as usize] as usize)?;
            let number = NumberLiving {
                rounds: self.rounds(),
                kind,
                sums: sums[kind as usize].view(),
                ids: numbers.view_mut(),
                new_to_old: new_to_old.view_mut(),
            };
            device.launch(tiles(ids[kind as usize]), number)?;
            Ok::<_, crate::Error>((numbers, new_to_old))
        };
        let ((number_v, old_v), (number_f, old_f)) = (number(0)?, number(2)?);
        // ids by patch among these, and back to old ones
        let most = OUTGROWN * self.patches.options().patch_size;
        let numbers = [&number_v, &number_f];
        let (tables, patches) = self.tables_and_patches();
        let mut new = patches.number(&tables, ids, living, numbers, cut_by, most)?;
        follow(&mut new.vertices, &old_v)?;
        follow(&mut new.faces, &old_f)?;
        let mut old_edges = device.unspecified::<u32>(living[1] as usize)?;
        let edges = OldEdges {
            rounds: self.rounds(),
            faces: living[2],
            sides: new.fe.view(),
            old_faces: new.faces.view(),
            new_to_old: old_edges.view_mut(),
        };
        device.launch(tiles(3 * living[2]), edges)?;
        let old_to_new = [
            invert(&device, &new.vertices, ids[0])?,
            invert(&device, &old_edges, ids[1])?,
            invert(&device, &new.faces, ids[2])?,
        ];
        self.move_topology(&old_to_new, &new.patch_of, living)?;
        self.patches.renumber(&new, [&new.vertices, &new.faces], ids)?;
        if new.cut {
            self.quality = None;
        }
        self.ids = living;
        self.refreshed = 0;
        let between = [self.numbering, self.numbering.next()];
        self.numbering = between[1];
        self.write_control()?;
        Ok(Compaction {
            old_to_new,
            new_to_old: [new.vertices, old_edges, new.faces],
            between,
            inputs: [ElementKind::Vertex, ElementKind::Edge, ElementKind::Face]
                .map(|kind| self.patches.mesh().shared_inputs(kind).clone()),
        })
    }

    fn move_topology(
        &mut self,
        [v, e, f]: &[Buffer<u32>; 3],
        patches: &Buffer<u32>,
        living: [u32; 3],
    ) -> Result<()> {
        let device = self.device.clone();
        let [_, edges, faces] = living.map(|n| n as usize);
        let mut fv = device.zeros_with_room(4 * faces, self.fv.len())?;
        let mut fe = device.zeros_with_room(4 * faces, self.fe.len())?;
        let mut eh = device.zeros_with_room(2 * edges, self.eh.len())?;
        let blocks = tiles(self.ids[1].max(self.ids[2]));
        let moving = MoveTopology {
            rounds: self.rounds(),
            v: v.view(),
            e: e.view(),
            f: f.view(),
            patches: patches.view(),
            fv: fv.view_mut(),
            fe: fe.view_mut(),
            eh: eh.view_mut(),
        };
        device.launch(blocks, moving)?;
        (self.fv, self.fe, self.eh) = (fv, fe, eh);
        self.dead.clear()
    }

    /// The three vertex ids of each face, for a mesh without deleted faces, that is, after
    /// [`DynamicMesh::compact`].
    /// # Errors
    /// Out of memory; errors of the driver.
    pub fn faces(&self) -> Result<Buffer<u32>> {
        let n = self.ids[2];
        let mut faces = self.device.zeros(3 * n as usize)?;
        let plain = PlainFaces { fv: self.fv.view(), faces: faces.view_mut() };
        self.device.launch_each(n, plain)?;
        Ok(faces)
    }
}

fn three<T>(v: Vec<T>) -> [T; 3] {
    let mut v = v.into_iter();
    std::array::from_fn(|_| v.next().unwrap_or_else(|| unreachable!("three kinds of elements")))
}

/// Unused ids of a mesh, as far as its operators have left any since its last compaction.
#[derive(Clone, Copy, Debug, Default)]
pub struct Gaps {
    faces: u64,
    any: bool,
}
impl Gaps {
    /// Counts those of a run that may leave unused ids, and deletes `faces` faces with each operation.
    pub fn add(&mut self, run: &PassReport, faces: u64) {
        self.faces += faces * run.executed;
        self.any |= run.executed > 0;
    }
    /// Counts those of deleted faces.
    pub fn add_faces(&mut self, faces: u64) {
        self.faces += faces;
        self.any |= faces > 0;
    }
    /// Whether a run may have left any.
    pub fn any(&self) -> bool {
        self.any
    }
    /// Number of faces that are not deleted.
    pub fn living_faces(&self, mesh: &DynamicMesh) -> u64 {
        u64::from(mesh.ids(ElementKind::Face)).saturating_sub(self.faces)
    }
    /// Whether more than one face in `parts` is deleted.
    pub fn exceed(&self, mesh: &DynamicMesh, parts: u64) -> bool {
        parts * self.faces > u64::from(mesh.ids(ElementKind::Face))
    }
    /// Makes ids contiguous, unless no run has changed them.
    /// # Errors
    /// As [`DynamicMesh::compact`] and [`Compaction::apply_to`].
    pub fn close(&mut self, mesh: &mut DynamicMesh, attributes: &mut impl AttributeSet) -> Result<()> {
        if self.any {
            mesh.compact()?.apply_to(attributes)?;
            *self = Self::default();
        }
        Ok(())
    }
}
