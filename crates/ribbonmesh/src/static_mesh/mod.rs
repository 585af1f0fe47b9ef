//! The static mesh (thesis chapter 4).
pub(crate) mod build;
mod cache;
mod options;
mod patches;
mod validate;

pub use build::BuildReport;
pub use cache::{HalfEdges, PatchCache, Refreshed};
pub use options::MeshOptions;

use crate::{Buffer, Device, FlatTopology, Result, array};
use ribbonmesh_device::launch::{
    Column, MeshArgument, MeshArrays, MeshNumbers, OverPatches, PatchLaunchable,
};
use ribbonmesh_device::{Counts, ElementKind, MeshView, PatchRow};
use std::sync::Arc;

/// A triangle mesh whose connectivity does not change: patches with ribbons (thesis 4.2, 4.3.1).
///
/// Vertices, edges and faces have ids, numbered so that the elements owned by a patch are contiguous.
/// [`StaticMesh::vertex_inputs`] and [`StaticMesh::face_inputs`] map each id to its index in the input.
pub struct StaticMesh {
    device: Device,
    rows: Buffer<u32>,
    general_rows: Buffer<u32>,
    ev: Buffer<u32>,
    fe: Buffer<u16>,
    ribbon_v: Buffer<u32>,
    ribbon_e: Buffer<u32>,
    ribbon_f: Buffer<u32>,
    /// Input index of each vertex id.
    vertex_inputs: Arc<Buffer<u32>>,
    /// Input index of each face id.
    face_inputs: Arc<Buffer<u32>>,
    patches: u32,
    vertices: u32,
    edges: u32,
    faces: u32,
    flags: u32,
    max: Counts,
    total: Counts,
    report: BuildReport,
    options: MeshOptions,
}

impl StaticMesh {
    /// Builds the mesh of `faces`, each three indices below `vertices`. Any triangles are accepted:
    /// non-manifold, several components, isolated vertices, duplicate or degenerate faces, any orientation.
    ///
    /// Linear in the mesh. The same options give the same patches on every device.
    /// # Errors
    /// [`crate::Error::IndexOutOfRange`], [`crate::Error::Option`], [`crate::Error::TooMany`];
    /// [`crate::Error::PatchTooLarge`] if a vertex or an edge has more faces than a patch's 16-bit indices
    /// hold (about 5000); out of memory.
    pub fn new(device: &Device, vertices: usize, faces: &[[u32; 3]], options: &MeshOptions) -> Result<Self> {
        Self::from_flat(&FlatTopology::new(device, vertices, faces)?, options)
    }
    /// Partitions a flat topology into patches, on its device.
    /// # Errors
    /// As [`StaticMesh::new`], except [`crate::Error::IndexOutOfRange`].
    pub fn from_flat(flat: &FlatTopology, options: &MeshOptions) -> Result<Self> {
        build::build(flat, options)
    }
    /// A copy of the mesh on another device.
    /// # Errors
    /// Out of memory, or errors of a driver.
    pub fn to_device(&self, device: &Device) -> Result<Self> {
        Ok(Self {
            device: device.clone(),
            rows: self.rows.to_device(device)?,
            general_rows: self.general_rows.to_device(device)?,
            ev: self.ev.to_device(device)?,
            fe: self.fe.to_device(device)?,
            ribbon_v: self.ribbon_v.to_device(device)?,
            ribbon_e: self.ribbon_e.to_device(device)?,
            ribbon_f: self.ribbon_f.to_device(device)?,
            vertex_inputs: Arc::new(self.vertex_inputs.to_device(device)?),
            face_inputs: Arc::new(self.face_inputs.to_device(device)?),
            report: self.report.clone(),
            options: self.options.clone(),
            ..*self
        })
    }
    /// Phases and times of construction.
    pub fn build_report(&self) -> &BuildReport {
        &self.report
    }
    /// The options of construction.
    pub fn options(&self) -> &MeshOptions {
        &self.options
    }
    /// The maximum of each count over all patches.
    pub fn max_counts(&self) -> Counts {
        self.max
    }
    /// Bytes of the topology on the device: EV, FE, ribbon tables and rows, without the maps to input order.
    pub fn topology_bytes(&self) -> usize {
        let words =
            [&self.rows, &self.general_rows, &self.ev, &self.ribbon_v, &self.ribbon_e, &self.ribbon_f];
        words.iter().map(|b| b.bytes()).sum::<usize>() + self.fe.bytes()
    }
    /// Whether every edge has at most two faces, and no face has the same vertex twice.
    pub fn edge_manifold(&self) -> bool {
        self.flags & MeshView::EDGE_MANIFOLD != 0
    }
    /// Whether some face has the same vertex twice.
    pub(crate) fn degenerate_faces(&self) -> bool {
        self.flags & MeshView::DEGENERATE_FACES != 0
    }
    /// The mesh as an argument of kernels, which get a [`MeshView`].
    pub fn view(&self) -> MeshArgument<'_> {
        let arrays = MeshArrays {
            rows: self.rows.view(),
            general_rows: self.general_rows.view(),
            ev: self.ev.view(),
            fe: self.fe.view(),
            ribbon_v: self.ribbon_v.view(),
            ribbon_e: self.ribbon_e.view(),
            ribbon_f: self.ribbon_f.view(),
        };
        let numbers = MeshNumbers {
            patches: self.patches,
            vertices: self.vertices,
            edges: self.edges,
            faces: self.faces,
            flags: self.flags,
            max: self.max,
        };
        let keys =
            [ElementKind::Vertex, ElementKind::Edge, ElementKind::Face].map(|kind| self.key(kind).mesh);
        // SAFETY: construction has made these arrays, and nothing but its kernels and the kernels of a
        // refresh writes them.
        unsafe { MeshArgument::new(arrays, numbers, keys) }
    }
    /// Launches a kernel whose first argument is a [`PerPatch`](crate::device::PerPatch): one block per
    /// patch, with the shared memory that its query needs for the largest patch. `kernel` is the struct that
    /// [`kernel`](crate::device::kernel) generates for the host, with the other arguments.
    /// # Errors
    /// As [`Device::launch`].
    pub fn run<'a, L: PatchLaunchable<'a>>(&'a self, kernel: L) -> Result<()> {
        self.device.launch(self.patches, OverPatches { mesh: self.view(), kernel })
    }
    /// The device that holds the mesh.
    pub fn device(&self) -> &Device {
        &self.device
    }
    /// Number of vertices, isolated ones included.
    pub fn vertices(&self) -> usize {
        self.vertices as usize
    }
    /// Number of edges: unordered pairs of vertices that some face has as a side.
    pub fn edges(&self) -> usize {
        self.edges as usize
    }
    /// Number of faces.
    pub fn faces(&self) -> usize {
        self.faces as usize
    }
    /// Number of patches.
    pub fn patches(&self) -> usize {
        self.patches as usize
    }
    /// For each vertex id, the index of the vertex in the input.
    pub fn vertex_inputs(&self) -> &Buffer<u32> {
        &self.vertex_inputs
    }
    /// For each face id, the index of the face in the input.
    pub fn face_inputs(&self) -> &Buffer<u32> {
        &self.face_inputs
    }
    /// The key by which a launch knows that values belong to this mesh.
    pub(crate) fn key(&self, kind: ElementKind) -> Column {
        Column { kind, mesh: Arc::as_ptr(self.shared_inputs(kind)).addr() }
    }
    /// Renumbers the input order: input index `i` becomes entry `i` of these.
    pub(crate) fn compose_inputs(&mut self, [vertices, faces]: &[Buffer<u32>; 2]) -> Result<()> {
        let composed =
            [array::gather(vertices, &self.vertex_inputs)?, array::gather(faces, &self.face_inputs)?];
        let [vertices, faces] = composed.map(Arc::new);
        (self.vertex_inputs, self.face_inputs) = (vertices, faces);
        Ok(())
    }
    /// The array by which attributes of a kind know their mesh: the map from ids to input order, for edges
    /// the map of the faces.
    pub(crate) fn shared_inputs(&self, kind: ElementKind) -> &Arc<Buffer<u32>> {
        if kind == ElementKind::Vertex { &self.vertex_inputs } else { &self.face_inputs }
    }
    /// For each patch, the first id of its owned elements of a kind, followed by the number of elements:
    /// patch `p` owns the ids `firsts[p]..firsts[p + 1]`.
    /// # Errors
    /// Errors of the driver.
    pub fn patch_firsts(&self, kind: ElementKind) -> Result<Vec<u32>> {
        let end = match kind {
            ElementKind::Vertex => self.vertices,
            ElementKind::Edge => self.edges,
            ElementKind::Face => self.faces,
        };
        let rows = self.rows.read()?;
        let rows = rows.chunks_exact(PatchRow::WORDS as usize).filter_map(PatchRow::of_words);
        Ok(rows.map(|row| row.first[kind as usize]).chain([end]).collect())
    }
    /// The sum of each count over all patches: entries of results, ribbon sizes.
    pub fn totals(&self) -> Counts {
        self.total
    }
}
