//! Patches of a mesh that changes, kept up to date.
mod refresh;
mod renumber;

pub use refresh::Refreshed;

use super::{BuildReport, MeshOptions, StaticMesh};
use crate::kernels::construct::refresh::{ReadRanges, TablesArguments, summary};
use crate::kernels::construct::ribbon::Bounds;
use crate::{Buffer, Device, Result, array};
use ribbonmesh_device::{Counts, MeshView, tiles};
use std::sync::Arc;

/// The half-edge tables of an oriented manifold, from which patches are made. The module `dynamic` describes
/// their contents.
#[derive(Clone, Copy)]
pub struct HalfEdges<'a> {
    /// Four words per face: three vertices (`NONE`: deleted) and the patch.
    pub fv: &'a Buffer<u32>,
    /// Four words per face: three darts and the number of the pass that made it.
    pub fe: &'a Buffer<u32>,
    /// The half-edge of each dart.
    pub eh: &'a Buffer<u32>,
    /// 1 for deleted vertices.
    pub dead: &'a Buffer<u32>,
}
impl<'a> HalfEdges<'a> {
    fn view(&self) -> TablesArguments<'a> {
        TablesArguments { fv: self.fv.view(), fe: self.fe.view(), eh: self.eh.view(), dead: self.dead.view() }
    }
}

/// Room for the ribbon of a patch of a mesh that has not been cut; it grows where it is short.
const FIRST_GUESS: Bounds = Bounds { f: 512, e: 1024, v: 512 };

/// Patches over half-edge tables, as a [`StaticMesh`] that is rebuilt where the mesh has changed.
///
/// The patches are a cache over the tables: [`PatchCache::refresh`] finds the patches that have changed and
/// rebuilds them, in their old memory if they fit. Ids, and the ranges of ids that patches own, do not
/// change. If elements were created or deleted, call [`PatchCache::renumber`] first.
pub struct PatchCache {
    mesh: StaticMesh,
    firsts: [Buffer<u32>; 3],
    rooms: Buffer<u32>,
    dirty: Buffer<u32>,
    half_edges: Buffer<u32>,
    summary: Buffer<u32>,
    /// The bounds for which there is shared memory.
    most: Bounds,
    /// All patches have to be made anew.
    all: bool,
    /// Patches are pieces of the order of faces, so that faces can be ordered by them, and no more.
    cut: bool,
}

impl PatchCache {
    /// A cache for a mesh with the ids and patches of `mesh`. Copies nothing.
    /// # Errors
    /// Out of memory; errors of the driver.
    pub fn new(mesh: &StaticMesh) -> Result<Self> {
        let device = &mesh.device;
        let n = mesh.patches as usize + 1;
        let mut firsts = [device.unspecified(n)?, device.unspecified(n)?, device.unspecified(n)?];
        let [v, e, f] = &mut firsts;
        let read = ReadRanges {
            rows: mesh.rows.view(),
            patches: mesh.patches,
            vertices: mesh.vertices,
            edges: mesh.edges,
            faces: mesh.faces,
            v: v.view_mut(),
            e: e.view_mut(),
            f: f.view_mut(),
        };
        device.launch(tiles(mesh.patches + 1), read)?;
        let t = mesh.total;
        let each = |all: u32, own: u32| 3 * ((all - own) / mesh.patches.max(1)) + 64;
        let most =
            Bounds { f: each(t.f_all, t.f_owned), e: each(t.e_all, t.e_owned), v: each(t.v_all, t.v_owned) };
        Self::with_mesh(shell(mesh)?, firsts, most)
    }
    /// A cache without a mesh.
    /// # Errors
    /// Errors of the driver.
    pub fn empty(device: &Device) -> Result<Self> {
        let none = || device.zeros::<u32>(0);
        let mesh = StaticMesh {
            device: device.clone(),
            rows: none()?,
            general_rows: none()?,
            ev: none()?,
            fe: device.zeros(0)?,
            ribbon_v: none()?,
            ribbon_e: none()?,
            ribbon_f: none()?,
            vertex_inputs: Arc::new(none()?),
            face_inputs: Arc::new(none()?),
            patches: 0,
            vertices: 0,
            edges: 0,
            faces: 0,
            flags: MeshView::EDGE_MANIFOLD,
            max: Counts::default(),
            total: Counts::default(),
            report: BuildReport::default(),
            options: MeshOptions::default(),
        };
        Self::with_mesh(mesh, [none()?, none()?, none()?], Bounds::default())
    }
    /// A cache for a mesh that has not been partitioned: until it is, every `patch_size` consecutive faces
    /// count as a patch. Indices of the input are the ids.
    /// # Errors
    /// Out of memory; errors of the driver.
    pub fn not_cut(
        device: &Device,
        [vertices, edges, faces]: [u32; 3],
        options: MeshOptions,
    ) -> Result<Self> {
        let ids = |n: u32| array::count_up(device, n).map(Arc::new);
        let patches = faces.div_ceil(options.patch_size);
        let mut cache = Self::empty(device)?;
        cache.mesh = StaticMesh {
            vertices,
            edges,
            faces,
            patches,
            vertex_inputs: ids(vertices)?,
            face_inputs: ids(faces)?,
            options,
            ..cache.mesh
        };
        cache.most = FIRST_GUESS;
        cache.cut = false;
        Ok(cache)
    }
    /// Whether the mesh has been partitioned.
    pub fn is_cut(&self) -> bool {
        self.cut
    }
    fn with_mesh(mesh: StaticMesh, firsts: [Buffer<u32>; 3], most: Bounds) -> Result<Self> {
        let device = mesh.device.clone();
        Ok(Self {
            mesh,
            firsts,
            rooms: device.zeros(0)?,
            dirty: device.zeros(0)?,
            half_edges: device.zeros(0)?,
            summary: device.zeros(summary::COUNT as usize)?,
            most,
            all: true,
            cut: true,
        })
    }
    /// The mesh of the last refresh; before the first refresh, a mesh without patches.
    pub fn mesh(&self) -> &StaticMesh {
        &self.mesh
    }
    /// The mesh of the last refresh, without the cache.
    pub fn into_mesh(self) -> StaticMesh {
        self.mesh
    }
    /// Numbers of vertices, edges and faces of the mesh.
    pub fn elements(&self) -> [u32; 3] {
        [self.mesh.vertices, self.mesh.edges, self.mesh.faces]
    }
    /// The options for partitioning the mesh.
    pub fn options(&self) -> &MeshOptions {
        &self.mesh.options
    }
    /// Bytes on the device.
    pub fn bytes(&self) -> usize {
        let words = [&self.rooms, &self.dirty, &self.half_edges, &self.summary];
        let own: usize = words.into_iter().chain(&self.firsts).map(|b| b.bytes()).sum();
        own + self.mesh.topology_bytes()
    }
}

/// A mesh of the same elements and patches, with nothing in them yet.
fn shell(mesh: &StaticMesh) -> Result<StaticMesh> {
    let device = &mesh.device;
    Ok(StaticMesh {
        device: device.clone(),
        rows: device.zeros(0)?,
        general_rows: device.zeros(0)?,
        ev: device.zeros(0)?,
        fe: device.zeros(0)?,
        ribbon_v: device.zeros(0)?,
        ribbon_e: device.zeros(0)?,
        ribbon_f: device.zeros(0)?,
        vertex_inputs: Arc::clone(&mesh.vertex_inputs),
        face_inputs: Arc::clone(&mesh.face_inputs),
        flags: MeshView::EDGE_MANIFOLD,
        max: Counts::default(),
        total: mesh.total,
        report: BuildReport::default(),
        options: mesh.options.clone(),
        ..*mesh
    })
}

/// Makes a buffer at least so long; what was in it is lost then. Half as much more, where it was too short
/// before.
fn reserve<T: bytemuck::Pod>(device: &Device, buffer: &mut Buffer<T>, len: usize) -> Result<()> {
    if buffer.len() < len {
        let spare = if buffer.is_empty() { 0 } else { len / 2 };
        *buffer = device.zeros(0)?;
        *buffer = device.zeros(len + spare)?;
    }
    Ok(())
}
