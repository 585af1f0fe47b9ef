//! The store.
use super::error::StoreError;
use super::layout::{Floor, Layout, Measured};
use super::memory::StoreMemory;
use super::options::StoreOptions;
use crate::Handle;
use crate::build::{Fill, InputsArguments, MEASURES, Measure};
use crate::kernels::{Handles, ResolveHandles};
use crate::row::StoreRow;
use crate::view::{StoreViewArguments, StoreViewMutArguments};
use ribbonmesh::device::{BufferView, BufferViewMut, ElementKind, NONE};
use ribbonmesh::{Buffer, Device, Element, MeshOptions, StaticMesh};
use std::sync::atomic::{AtomicU64, Ordering};

/// Times that tables are made again, each time a fifth less full.
const TRIES: u32 = 4;
/// Vertices without faces in a patch of their own, at least.
const POINTS: u32 = 256;

/// A mesh of patches that own their storage (thesis 5.3.1), on a device.
///
/// For each patch, with fixed room: EV and FE in 16-bit local indices, masks of active and owned elements,
/// a cuckoo table of its ribbon for each kind, and a stash of the patches around. Any triangles are accepted.
/// A place is an index into attributes: `first[kind] + local` of the owner's [`StoreRow`].
pub struct PatchStore {
    device: Device,
    number: u64,
    pub(super) rows: Buffer<u32>,
    pub(super) ev: Buffer<u32>,
    pub(super) fe: Buffer<u16>,
    pub(super) masks: Buffer<u32>,
    pub(super) tables: Buffer<u32>,
    pub(super) stashes: Buffer<u32>,
    /// Input index by place; [`NONE`] where there was no owned element.
    vertex_inputs: Buffer<u32>,
    face_inputs: Buffer<u32>,
    patches: u32,
    places: [u32; 3],
    most: [u32; 3],
    most_table: u32,
    /// Room of a free patch.
    typical: Floor,
    counts: [u32; 3],
    /// Elements of the mesh from which it was made.
    inputs: [u32; 3],
    load: f32,
    settled: bool,
    /// Most faces of a patch, and the seed, of the mesh from which it was made.
    patch_options: MeshOptions,
    /// Free patches.
    pub(super) free: Vec<u32>,
    /// Where elements have gone in a cut, by place, as words of handles; until the cleanup after it.
    pub(super) gone: Option<[Buffer<u64>; 3]>,
    /// Whether some patch has no room for more patches around, so that nothing can change.
    pub(super) still: bool,
}

/// The arrays of a store, to be written, for tests of validation.
#[doc(hidden)]
pub struct StoreParts<'a> {
    pub rows: &'a mut Buffer<u32>,
    pub ev: &'a mut Buffer<u32>,
    pub fe: &'a mut Buffer<u16>,
    pub masks: &'a mut Buffer<u32>,
    pub tables: &'a mut Buffer<u32>,
    pub stashes: &'a mut Buffer<u32>,
}

impl PatchStore {
    /// Patches of `faces`, each three indices below `vertices`, and their store.
    /// # Errors
    /// As [`StaticMesh::new`] and [`PatchStore::from_mesh`].
    pub fn new(
        device: &Device,
        vertices: usize,
        faces: &[[u32; 3]],
        patches: &MeshOptions,
        options: &StoreOptions,
    ) -> Result<Self, StoreError> {
        Self::from_mesh(&StaticMesh::new(device, vertices, faces, patches)?, options)
    }
    /// The store of a mesh's patches, with their ribbons. Vertices without faces get patches of their own.
    /// Linear in the mesh: two launches with a block for each patch, and one wait between.
    /// # Errors
    /// [`StoreError::PatchTooLarge`], [`StoreError::TooManyNeighbours`], [`StoreError::TableFull`]; an option
    /// out of range; more places than 32 bits number; out of memory; errors of the driver.
    pub fn from_mesh(mesh: &StaticMesh, options: &StoreOptions) -> Result<Self, StoreError> {
        options.check()?;
        let (device, patches) = (mesh.device(), mesh.patches());
        let mut numbers = device.zeros(MEASURES as usize * patches)?;
        if patches > 0 {
            device.launch(patches as u32, Measure { mesh: mesh.view(), numbers: numbers.view_mut() })?;
        }
        let numbers = numbers.read()?;
        let firsts =
            [ElementKind::Vertex, ElementKind::Edge, ElementKind::Face].map(|k| mesh.patch_firsts(k));
        let [vertices, edges, faces] = firsts;
        let (mut vertices, edges, faces) = (vertices?, edges?, faces?);
        // the ids after those of the patches belong to vertices without faces
        let of_faces = mesh.totals().v_owned;
        if let Some(end) = vertices.last_mut() {
            *end = of_faces;
        }
        let measured = Measured {
            numbers: &numbers,
            firsts: [&vertices, &edges, &faces],
            isolated: mesh.vertices() as u32 - of_faces,
            points: numbers.iter().step_by(MEASURES as usize).copied().max().unwrap_or(0).max(POINTS),
        };
        let mut load = options.load;
        for _ in 0..TRIES {
            if let Some(store) = Self::filled(mesh, &measured, options, load)? {
                return Ok(store);
            }
            load *= 0.8;
        }
        Err(StoreError::TableFull { load: load / 0.8 })
    }
    /// The store with tables of this load; `None` if one has no room.
    fn filled(
        mesh: &StaticMesh,
        measured: &Measured<'_>,
        options: &StoreOptions,
        load: f32,
    ) -> Result<Option<Self>, StoreError> {
        let layout = Layout::new(measured, options, load, None)?;
        let counts = [mesh.vertices(), mesh.edges(), mesh.faces()].map(|n| n as u32);
        let mut store = Self::empty(mesh.device(), &layout, load, [counts; 2], mesh.options())?;
        let device = mesh.device();
        if store.patches == 0 {
            return Ok(Some(store));
        }
        let mut full = device.zeros(1)?;
        let patches = store.patches;
        let (view, [vertex_places, face_places]) = store.view_mut();
        let inputs = InputsArguments {
            vertices: mesh.vertex_inputs().view(),
            faces: mesh.face_inputs().view(),
            vertex_places,
            face_places,
            isolated: mesh.totals().v_owned,
            points: measured.points,
        };
        let kernel = Fill { mesh: mesh.view(), store: view, inputs, full: full.view_mut() };
        device.launch(patches, kernel)?;
        Ok((full.read()?[0] == 0).then_some(store))
    }

    /// A store with the rows of a layout, and nothing in it.
    fn empty(
        device: &Device,
        layout: &Layout,
        load: f32,
        [counts, inputs]: [[u32; 3]; 2],
        patch_options: &MeshOptions,
    ) -> Result<Self, StoreError> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let [v, e, f] = layout.places.map(|n| n as usize);
        let none = |n: usize| device.upload(&vec![NONE; n]);
        Ok(Self {
            device: device.clone(),
            number: NUMBER.fetch_add(1, Ordering::Relaxed),
            rows: device.upload(&layout.rows)?,
            ev: device.zeros(e)?,
            fe: device.zeros(3 * f)?,
            masks: device.zeros(layout.masks as usize)?,
            tables: none(layout.tables as usize)?,
            stashes: device.zeros(layout.stashes as usize)?,
            vertex_inputs: none(v)?,
            face_inputs: none(f)?,
            patches: layout.patches,
            places: layout.places,
            most: layout.most,
            most_table: layout.most_table,
            typical: layout.free,
            counts,
            inputs,
            load,
            settled: true,
            patch_options: patch_options.clone(),
            free: (layout.first_free..layout.patches).collect(),
            gone: None,
            still: layout.still,
        })
    }
    /// A store with the rows of another layout, for the same elements.
    pub(super) fn empty_like(&self, layout: &Layout, load: f32) -> Result<Self, StoreError> {
        Self::empty(&self.device, layout, load, [self.counts, self.inputs], &self.patch_options)
    }
    /// Room of a free patch.
    pub(super) fn typical(&self) -> Floor {
        self.typical
    }
    /// Counts elements of the input as another store does; the inputs of vertices and faces, to be written.
    pub(super) fn take_inputs_of(&mut self, other: &Self) -> [BufferViewMut<'_, u32>; 2] {
        self.inputs = other.inputs;
        [self.vertex_inputs.view_mut(), self.face_inputs.view_mut()]
    }
    /// The inputs of vertices and faces by place.
    pub(super) fn input_views(&self) -> [BufferView<'_, u32>; 2] {
        [self.vertex_inputs.view(), self.face_inputs.view()]
    }

    /// The store as an argument of kernels that read it.
    pub fn view(&self) -> StoreViewArguments<'_> {
        let [max_vertices, max_edges, max_faces] = self.most;
        StoreViewArguments {
            rows: self.rows.view(),
            ev: self.ev.view(),
            fe: self.fe.view(),
            masks: self.masks.view(),
            tables: self.tables.view(),
            stashes: self.stashes.view(),
            patches: self.patches,
            max_vertices,
            max_edges,
            max_faces,
            settled: u32::from(self.settled),
        }
    }
    /// The store as an argument of kernels that change it, and the inputs of vertices and faces by place.
    pub(super) fn view_mut(&mut self) -> (StoreViewMutArguments<'_>, [BufferViewMut<'_, u32>; 2]) {
        let [max_vertices, max_edges, max_faces] = self.most;
        let [gone_vertices, gone_edges, gone_faces] = match &mut self.gone {
            Some(gone) => gone.each_mut().map(Buffer::view_mut),
            None => [BufferViewMut::empty(), BufferViewMut::empty(), BufferViewMut::empty()],
        };
        let store = StoreViewMutArguments {
            rows: self.rows.view_mut(),
            ev: self.ev.view_mut(),
            fe: self.fe.view_mut(),
            masks: self.masks.view_mut(),
            tables: self.tables.view_mut(),
            stashes: self.stashes.view_mut(),
            patches: self.patches,
            max_vertices,
            max_edges,
            max_faces,
            max_table: self.most_table,
            gone_vertices,
            gone_edges,
            gone_faces,
        };
        (store, [self.vertex_inputs.view_mut(), self.face_inputs.view_mut()])
    }
    /// Ownership is about to move: until the cleanup, chains may have more than one step.
    pub(super) fn unsettle(&mut self) {
        self.settled = false;
    }
    /// More elements, or fewer: numbers of 32 bits that wrap around.
    pub(super) fn grow(&mut self, by: [u32; 3]) {
        for (count, by) in self.counts.iter_mut().zip(by) {
            *count = count.wrapping_add(by);
        }
    }
    /// Replaces rows, tables and stashes by those of a cleanup.
    pub(super) fn renew(&mut self, rows: Buffer<u32>, tables: Buffer<u32>, stashes: Buffer<u32>) {
        (self.rows, self.tables, self.stashes, self.settled) = (rows, tables, stashes, true);
        self.gone = None;
    }
    /// Its arrays, for tests that break it. The store counts as one in which ownership has moved.
    #[doc(hidden)]
    pub fn parts_mut(&mut self) -> StoreParts<'_> {
        self.settled = false;
        StoreParts {
            rows: &mut self.rows,
            ev: &mut self.ev,
            fe: &mut self.fe,
            masks: &mut self.masks,
            tables: &mut self.tables,
            stashes: &mut self.stashes,
        }
    }
    /// The device.
    pub fn device(&self) -> &Device {
        &self.device
    }
    /// Number of patches, free ones and those of isolated vertices included.
    pub fn patches(&self) -> usize {
        self.patches as usize
    }
    /// Number of elements of a kind that patches own.
    pub fn count(&self, kind: ElementKind) -> usize {
        self.counts[kind as usize] as usize
    }
    /// Number of elements of a kind in the mesh from which it was made.
    pub fn input_count(&self, kind: ElementKind) -> usize {
        self.inputs[kind as usize] as usize
    }
    /// Number of places of a kind: values in an attribute.
    pub fn places(&self, kind: ElementKind) -> usize {
        self.places[kind as usize] as usize
    }
    /// The options of the patches of which it was made.
    pub fn patch_options(&self) -> &MeshOptions {
        &self.patch_options
    }
    /// The load of its hash tables: that of the options, or less where a table had no room.
    pub fn load(&self) -> f32 {
        self.load
    }
    /// Bytes of its topology.
    pub fn memory(&self) -> StoreMemory {
        StoreMemory {
            ev: self.ev.bytes() as u64,
            fe: self.fe.bytes() as u64,
            masks: self.masks.bytes() as u64,
            tables: self.tables.bytes() as u64,
            stashes: self.stashes.bytes() as u64,
            rows: self.rows.bytes() as u64,
            faces: u64::from(self.counts[2]),
        }
    }
    /// The rows of all patches. Waits for all earlier work.
    /// # Errors
    /// Errors of the driver.
    pub fn read_rows(&self) -> Result<Vec<StoreRow>, StoreError> {
        let words = self.rows.read()?;
        let (rows, _) = words.as_chunks::<{ StoreRow::WORDS as usize }>();
        Ok(rows.iter().map(|&row| StoreRow::decode(row)).collect())
    }
    /// For each place of vertices or faces the index of its element in the input; [`NONE`] where there is
    /// none, for what was made since, and for edges, which the input does not number.
    /// # Errors
    /// Errors of the driver.
    pub fn inputs<E: Element>(&self) -> Result<Vec<u32>, StoreError> {
        Ok(match E::KIND {
            ElementKind::Vertex => self.vertex_inputs.read()?,
            ElementKind::Face => self.face_inputs.read()?,
            ElementKind::Edge => vec![NONE; self.places(E::KIND)],
        })
    }
    /// The same of vertices, on the device.
    pub fn vertex_inputs(&self) -> &Buffer<u32> {
        &self.vertex_inputs
    }
    /// The handle of each place's owned element; `None` where there is none.
    /// # Errors
    /// Out of memory; errors of the driver.
    pub fn handles(&self, kind: ElementKind) -> Result<Vec<Option<Handle>>, StoreError> {
        let mut handles = self.device.upload(&vec![u64::MAX; self.places(kind)])?;
        if self.patches > 0 {
            let to = handles.view_mut();
            self.device
                .launch(self.patches, Handles { store: self.view(), kind: kind as u32, handles: to })?;
        }
        Ok(named(handles.read()?))
    }
    /// The owners of elements of a kind, from any patch that has them; `None` for a handle that leads to
    /// none. One launch.
    /// # Errors
    /// Out of memory; errors of the driver.
    pub fn owners(&self, kind: ElementKind, of: &[Handle]) -> Result<Vec<Option<Handle>>, StoreError> {
        let words: Vec<u64> = of.iter().map(|handle| handle.word()).collect();
        let handles = self.device.upload(&words)?;
        let mut owners = self.device.zeros(words.len())?;
        let kernel = ResolveHandles {
            store: self.view(),
            kind: kind as u32,
            handles: handles.view(),
            owners: owners.view_mut(),
        };
        self.device.launch_each(words.len() as u32, kernel)?;
        Ok(named(owners.read()?))
    }
    /// Number by which attributes know their store.
    pub(super) fn number(&self) -> u64 {
        self.number
    }
}

fn named(words: Vec<u64>) -> Vec<Option<Handle>> {
    words.into_iter().map(|word| (word != u64::MAX).then_some(Handle::of_word(word))).collect()
}
