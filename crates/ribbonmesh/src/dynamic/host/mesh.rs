//! The dynamic mesh, host side.
use super::attribute::copy_words;
use super::numbering::Numbering;
use super::patches::PatchQuality;
use super::working::Working;
use crate::device::{BufferView, ElementKind, NONE, tiles};
use crate::dynamic::DynamicViewArguments;
use crate::dynamic::TablesArguments;
use crate::dynamic::control;
use crate::dynamic::kernels::elements::{
    CountCorners, FindSplitVertices, LeastHalfEdges, LoadCorners, LoadEnds, LoadFaces,
};
use crate::dynamic::rounds::{ReportWordsArguments, RoundsArguments};
use crate::{
    Buffer, Defect, Device, DeviceKind, Error, FlatTopology, HalfEdges, MeshOptions, PatchCache, Result,
    StaticMesh, array,
};
use std::sync::Arc;

/// Capacity of a dynamic mesh: the number of elements that its memory can hold, including deleted ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capacity {
    /// Vertices.
    pub vertices: u32,
    /// Edges.
    pub edges: u32,
    /// Faces.
    pub faces: u32,
}
impl Capacity {
    /// Most seeds of an operator.
    pub(super) fn seeds(self) -> usize {
        self.vertices.max(self.edges).max(self.faces) as usize
    }
}

/// Most edges: darts and the mark of those to be fit 32 bits.
const MOST_EDGES: u32 = 1 << 29;
/// Words of the records of a round, per face of a large mesh, at the beginning.
pub(super) const RECORDS: usize = 2;

/// A mesh whose triangles change. It is an oriented manifold: every edge has at most two faces, of consistent
/// orientation, and the faces of every vertex form one fan. It may have a boundary and several components.
///
/// Only the cavity that deletes an element may reuse its id; all other free ids stay unused until
/// [`DynamicMesh::compact`].
pub struct DynamicMesh {
    pub(super) device: Device,
    pub(super) capacity: Capacity,
    /// Ids in use.
    pub(super) ids: [u32; 3],
    /// The numbers of ids when the memory was divided among cards.
    used: [u32; 3],
    pub(super) fv: Buffer<u32>,
    pub(super) fe: Buffer<u32>,
    pub(super) eh: Buffer<u32>,
    pub(super) dead: Buffer<u32>,
    pub(super) vh: Buffer<u32>,
    pub(super) out: Buffer<u32>,
    pub(super) look_even: Buffer<u32>,
    pub(super) look_odd: Buffer<u32>,
    pub(super) control: Buffer<u32>,
    pub(super) working: Working,
    /// The cards that share the rounds of this run.
    pub(super) parts: u32,
    /// The round that begins next, and the pass.
    pub(super) stamp: u32,
    pub(super) pass: u32,
    pub(super) patches: PatchCache,
    /// The pass that came next when the patches were refreshed, or 0.
    pub(super) refreshed: u32,
    /// Whose ids these are.
    pub(super) numbering: Numbering,
    /// The flat topology of which it was made; 0 for none.
    pub(super) topology: u64,
    /// Quality of the patches when they were cut.
    pub(super) quality: Option<PatchQuality>,
}

impl DynamicMesh {
    /// The dynamic mesh of a flat topology: ids of vertices and faces are in the order of the input, ids of
    /// edges in the order in which faces touch them. `spare`: additional capacity, as a fraction of the
    /// numbers of elements. Linear. The first [`DynamicMesh::refresh`] partitions the mesh into patches.
    /// # Errors
    /// [`Error::NotManifold`] names an edge, a face or a vertex (as indices of the input) that breaks the
    /// manifold property; out of memory; errors of the driver.
    pub fn from_flat(flat: &FlatTopology, spare: f32) -> Result<Self> {
        let device = flat.device();
        let ids = [flat.vertices() as u32, flat.edges() as u32, flat.faces() as u32];
        let options = MeshOptions::default();
        let mut result = Self::empty(device, ids, spare)?;
        result.topology = flat.id();
        let edges = flat.number_edges()?;
        let mut wrong = device.upload(&[NONE; 3])?;
        let load = LoadCorners {
            per_patch: options.patch_size,
            vertices: flat.face_vertices().view(),
            darts: edges.darts.view(),
            fv: result.fv.view_mut(),
            fe: result.fe.view_mut(),
            eh: result.eh.view_mut(),
            wrong: wrong.view_mut(),
        };
        device.launch_each(ids[2], load)?;
        drop(edges.darts);
        result.patches = PatchCache::not_cut(device, ids, options)?;
        let ends = |edge: u32| Ok(edges.ends.read_range(edge as usize, 1)?[0]);
        result.check(wrong, ends, Ok, Ok)?;
        Ok(result)
    }

    /// The dynamic mesh with the ids and patches of a static one. `spare`: additional capacity, as a fraction
    /// of the numbers of elements. Linear.
    /// # Errors
    /// As [`DynamicMesh::from_flat`].
    pub fn new(mesh: &StaticMesh, spare: f32) -> Result<Self> {
        let ids = [mesh.vertices() as u32, mesh.edges() as u32, mesh.faces() as u32];
        let device = mesh.device();
        let mut result = Self::empty(device, ids, spare)?;
        result.patches = PatchCache::new(mesh)?;
        result.quality = Some(PatchQuality::of(mesh));
        let mut wrong = device.upload(&[NONE; 3])?;
        let load = LoadFaces {
            mesh: mesh.view(),
            fv: result.fv.view_mut(),
            fe: result.fe.view_mut(),
            eh: result.eh.view_mut(),
            wrong: wrong.view_mut(),
        };
        device.launch(mesh.patches() as u32, load)?;
        let ends = |edge: u32| {
            let mut ends = device.zeros::<[u32; 2]>(mesh.edges())?;
            device.launch(mesh.patches() as u32, LoadEnds { mesh: mesh.view(), ends: ends.view_mut() })?;
            let (ends, inputs) = (ends.read_range(edge as usize, 1)?[0], mesh.vertex_inputs().read()?);
            Ok(ends.map(|v| inputs[v as usize]))
        };
        let input = |inputs: &Buffer<u32>, id: u32| Ok(inputs.read_range(id as usize, 1)?[0]);
        result.check(wrong, ends, |f| input(mesh.face_inputs(), f), |v| input(mesh.vertex_inputs(), v))?;
        Ok(result)
    }

    /// An empty mesh with room for these numbers of elements, and for the spare ones.
    fn empty(device: &Device, ids: [u32; 3], spare: f32) -> Result<Self> {
        let more = |n: u32| (n as f64 * (1.0 + spare.max(0.0) as f64)) as u32;
        let capacity = Capacity { vertices: more(ids[0]), edges: more(ids[1]), faces: more(ids[2]) };
        if capacity.edges > MOST_EDGES {
            let (count, limit) = (capacity.edges as u64, MOST_EDGES as u64);
            return Err(Error::TooMany { what: "edges of a dynamic mesh", count, limit });
        }
        let mut result = Self::tables_of(device, ids, capacity)?;
        array::fill_words(&mut result.eh, 2 * ids[1], NONE)?;
        result.write_control()?;
        Ok(result)
    }

    /// The tables of the mesh, without the memory of runs.
    fn tables_of(device: &Device, ids: [u32; 3], capacity: Capacity) -> Result<Self> {
        let Capacity { vertices, edges, faces } = capacity;
        let [v, e, f] = ids.map(|n| n as usize);
        // each card sets those of its own seeds, however few words that is
        let bits = |used: usize, most: usize| {
            let words = device.on_all_cards::<u32>(most.div_ceil(32));
            device.zeros_with_room(used.div_ceil(32), words)
        };
        Ok(Self {
            device: device.clone(),
            capacity,
            ids,
            used: ids,
            fv: device.zeros_with_room(4 * f, 4 * faces as usize)?,
            fe: device.zeros_with_room(4 * f, 4 * faces as usize)?,
            eh: device.zeros_with_room(2 * e, 2 * edges as usize)?,
            dead: device.zeros_with_room(v, vertices as usize)?,
            vh: device.zeros_with_room(v, vertices as usize)?,
            out: bits(v.max(e).max(f), capacity.seeds())?,
            look_even: bits(e, edges as usize)?,
            look_odd: bits(e, edges as usize)?,
            control: device.zeros((device.cards_of(u32::MAX) * apart(device)) as usize)?,
            parts: 1,
            working: Working::none(device)?,
            stamp: 1,
            pass: 1,
            patches: PatchCache::empty(device)?,
            refreshed: 0,
            numbering: Numbering::of_new_mesh(),
            topology: 0,
            quality: None,
        })
    }

    /// Refuses what a dynamic mesh cannot have. `wrong`: what loading has found; and for messages the ends of
    /// an edge, a face and a vertex as the input has them.
    fn check(
        &mut self,
        wrong: Buffer<u32>,
        ends: impl Fn(u32) -> Result<[u32; 2]>,
        face_input: impl Fn(u32) -> Result<u32>,
        vertex_input: impl Fn(u32) -> Result<u32>,
    ) -> Result<()> {
        let [edge, face, _] = take3(&wrong.read()?);
        if edge != NONE {
            let [a, b] = ends(edge)?;
            return Err(Error::NotManifold(Defect::Edge { ends: [a.min(b), a.max(b)] }));
        }
        if face != NONE {
            return Err(Error::NotManifold(Defect::Face { face: face_input(face)? }));
        }
        match self.split_vertex()? {
            Some(vertex) => Err(Error::NotManifold(Defect::Vertex { vertex: vertex_input(vertex)? })),
            None => Ok(()),
        }
    }
    /// The least vertex whose faces are not one fan. Finds a half-edge of each vertex. Waits.
    pub(super) fn split_vertex(&mut self) -> Result<Option<u32>> {
        let (device, [v, _, f]) = (self.device.clone(), self.ids);
        self.refresh_vertices()?;
        let mut corners = device.zeros::<u32>(v as usize)?;
        let mut wrong = device.upload(&[NONE; 3])?;
        let count = CountCorners { rounds: self.rounds(), corners: corners.view_mut() };
        device.launch(tiles(f), count)?;
        let find =
            FindSplitVertices { rounds: self.rounds(), corners: corners.view(), wrong: wrong.view_mut() };
        device.launch(tiles(v), find)?;
        let [_, _, vertex] = take3(&wrong.read()?);
        Ok(Some(vertex).filter(|vertex| *vertex != NONE))
    }

    /// Finds a half-edge of each vertex.
    pub(super) fn refresh_vertices(&mut self) -> Result<()> {
        let (device, [v, _, f]) = (self.device.clone(), self.ids);
        array::fill_words(&mut self.vh, v, NONE)?;
        device.launch(tiles(f), LeastHalfEdges { rounds: self.rounds() })
    }

    /// The mesh as an argument of kernels that do not change it. The half-edge of each vertex is that of the
    /// last [`DynamicMesh::refresh_view`].
    pub fn view(&self) -> DynamicViewArguments<'_> {
        DynamicViewArguments {
            fv: self.fv.view(),
            fe: self.fe.view(),
            eh: self.eh.view(),
            dead: self.dead.view(),
            vh: self.vh.view(),
        }
    }
    /// One bit per seed, in 32-bit words: whether its cavity was rejected in the last pass after it had
    /// acquired its faces.
    pub fn rejected(&self) -> BufferView<'_, u32> {
        self.out.view()
    }
    /// Words that an application's kernels may write, for the report of the next run:
    /// [`crate::dynamic::PassReport::own`].
    pub fn report_words(&mut self) -> ReportWordsArguments<'_> {
        ReportWordsArguments { control: self.control.view_mut() }
    }
    /// The arrays as an argument of kernels that change them.
    pub(super) fn tables(&mut self) -> TablesArguments<'_> {
        TablesArguments {
            fv: self.fv.view_mut(),
            fe: self.fe.view_mut(),
            eh: self.eh.view_mut(),
            dead: self.dead.view_mut(),
            vh: self.vh.view_mut(),
        }
    }
    /// The arguments that the phases of a run share.
    pub(super) fn rounds(&mut self) -> RoundsArguments<'_> {
        RoundsArguments {
            mesh: TablesArguments {
                fv: self.fv.view_mut(),
                fe: self.fe.view_mut(),
                eh: self.eh.view_mut(),
                dead: self.dead.view_mut(),
                vh: self.vh.view_mut(),
            },
            claims: self.working.claims.view_mut(),
            slots: self.working.slots.view_mut(),
            out: self.out.view_mut(),
            look_even: self.look_even.view_mut(),
            look_odd: self.look_odd.view_mut(),
            place: self.working.place.view_mut(),
            even: self.working.even.view_mut(),
            odd: self.working.odd.view_mut(),
            records: self.working.records.view_mut(),
            needs: self.working.needs.view_mut(),
            control: self.control.view_mut(),
            most_vertices: self.capacity.vertices,
            most_edges: self.capacity.edges,
            most_faces: self.capacity.faces,
            parts: self.parts,
            apart: apart(&self.device),
        }
    }
    /// As [`DynamicMesh::view`], after updating the half-edge of each vertex.
    /// # Errors
    /// Errors of the driver.
    pub fn refresh_view(&mut self) -> Result<DynamicViewArguments<'_>> {
        self.refresh_vertices()?;
        Ok(self.view())
    }

    /// The tables from which patches are made, and the patches.
    pub(super) fn tables_and_patches(&mut self) -> (HalfEdges<'_>, &mut PatchCache) {
        let tables = HalfEdges { fv: &self.fv, fe: &self.fe, eh: &self.eh, dead: &self.dead };
        (tables, &mut self.patches)
    }

    pub(super) fn write_control(&mut self) -> Result<()> {
        self.begin(0)
    }
    /// Writes the counters as they are at the beginning of a run; counters of the application stay.
    pub(super) fn begin(&mut self, passes: u32) -> Result<()> {
        let mut words = [0; control::WORDS as usize];
        words[..3].copy_from_slice(&self.ids);
        words[control::BEGAN as usize..][..3].copy_from_slice(&self.ids);
        words[control::USED as usize..][..3].copy_from_slice(&self.used);
        words[control::STAMP as usize] = self.stamp;
        words[control::PASS as usize] = self.pass;
        words[control::MOST_PASSES as usize] = passes;
        self.control.write_range(0, &words[..control::OWN as usize])
    }

    /// The device that holds the mesh.
    pub fn device(&self) -> &Device {
        &self.device
    }
    /// The capacity for elements of each kind.
    pub fn capacity(&self) -> Capacity {
        self.capacity
    }
    /// Whether it was made of this topology, and still has its ids.
    pub(crate) fn has_ids_of_flat(&self, flat: &FlatTopology) -> bool {
        self.topology == flat.id() && self.numbering.renumberings() == 0
    }
    /// Whether it was made of this mesh, or of a mesh with its ids, and still has these.
    pub(crate) fn has_ids_of(&self, mesh: &StaticMesh) -> bool {
        let kinds = [ElementKind::Vertex, ElementKind::Face];
        let own = self.patches.mesh();
        kinds.into_iter().all(|kind| Arc::ptr_eq(own.shared_inputs(kind), mesh.shared_inputs(kind)))
    }
    /// Whether there are patches, possibly from before changes.
    pub(crate) fn is_cut(&self) -> bool {
        self.patches.is_cut()
    }
    /// Whose ids these are, as attributes, snapshots and compactions of this mesh carry it.
    pub fn numbering(&self) -> Numbering {
        self.numbering
    }
    /// The number of the next pass.
    pub fn pass(&self) -> u32 {
        self.pass
    }
    /// Number of ids of a kind in use, including those of deleted elements.
    pub fn ids(&self, kind: ElementKind) -> u32 {
        self.ids[kind as usize]
    }
    /// The vertices of every face, by id; `NONE` for deleted faces. Waits. After [`DynamicMesh::compact`] no
    /// element is deleted, so these faces and [`crate::dynamic::DynamicAttribute::read`] of renumbered
    /// attributes are an indexed triangle mesh.
    /// # Errors
    /// Errors of earlier kernels or of the driver.
    pub fn read_faces(&self) -> Result<Vec<[u32; 3]>> {
        let words = self.fv.read_range(0, 4 * self.ids[2] as usize)?;
        Ok(words.chunks(4).map(|f| [f[0], f[1], f[2]]).collect())
    }
    /// The edges of every face, by id, in the order of its sides; `NONE` for deleted faces. Waits.
    /// # Errors
    /// Errors of earlier kernels or of the driver.
    pub fn read_sides(&self) -> Result<Vec<[u32; 3]>> {
        let words = self.fe.read_range(0, 4 * self.ids[2] as usize)?;
        let edge = |dart: u32| if dart == NONE { NONE } else { dart >> 1 };
        Ok(words.chunks(4).map(|f| [edge(f[0]), edge(f[1]), edge(f[2])]).collect())
    }
    /// Bytes that a mesh with this capacity needs at least, without attributes and patches.
    pub fn bytes_of(capacity: Capacity) -> u64 {
        let [v, e, f] = [capacity.vertices, capacity.edges, capacity.faces].map(u64::from);
        // fv, fe; eh; dead, vh; bits
        let tables = (16 + 16) * f + 8 * e + (4 + 4) * v + (2 * e + capacity.seeds() as u64) / 8;
        tables + Working::bytes_of(capacity, RECORDS)
    }
    /// Bytes on the device, including spare capacity.
    pub fn bytes(&self) -> usize {
        let words = [
            &self.fv,
            &self.fe,
            &self.eh,
            &self.dead,
            &self.vh,
            &self.out,
            &self.look_even,
            &self.look_odd,
            &self.control,
        ];
        words.iter().map(|b| b.bytes()).sum::<usize>() + self.working.bytes() + self.patches.bytes()
    }

    /// Makes room; what is there stays.
    /// # Errors
    /// [`Error::TooMany`]; out of memory; errors of the driver.
    pub(super) fn grow(&mut self, capacity: Capacity) -> Result<()> {
        if capacity.edges > MOST_EDGES {
            let (count, limit) = (capacity.edges as u64, MOST_EDGES as u64);
            return Err(Error::TooMany { what: "edges of a dynamic mesh", count, limit });
        }
        let [v, e, f] = self.ids.map(|n| n as usize);
        let Capacity { vertices, edges, faces } = capacity;
        let [vertices, edges, faces] = [vertices, edges, faces].map(|n| n as usize);
        // one after the other, so that two copies of one table are the most that there is
        lengthen(&mut self.fv, 4 * f, 4 * faces)?;
        lengthen(&mut self.fe, 4 * f, 4 * faces)?;
        lengthen(&mut self.eh, 2 * e, 2 * edges)?;
        lengthen(&mut self.dead, v, vertices)?;
        lengthen(&mut self.vh, v, vertices)?;
        lengthen(&mut self.out, v.max(e).max(f).div_ceil(32), capacity.seeds().div_ceil(32))?;
        lengthen(&mut self.look_even, e.div_ceil(32), edges.div_ceil(32))?;
        lengthen(&mut self.look_odd, e.div_ceil(32), edges.div_ceil(32))?;
        (self.capacity, self.used) = (capacity, self.ids);
        Ok(())
    }

    /// Makes the memory with which a run begins, as each run does that finds less; `words_per_face` as
    /// [`Operation::RECORDS`](crate::dynamic::Operation::RECORDS). For measurements of runs alone.
    /// # Errors
    /// Out of memory; errors of the driver.
    pub fn make_working_memory(&mut self, words_per_face: usize) -> Result<()> {
        self.working.hold_tables(&self.device, self.ids, self.capacity)?;
        self.working.hold_lists(&self.device, self.capacity, words_per_face)
    }
    /// Frees the memory that only runs need, which the next run makes anew. For a mesh whose changes are
    /// over, before something is made of it.
    /// # Errors
    /// Errors of the driver.
    pub fn free_working_memory(&mut self) -> Result<()> {
        self.working = Working { first: self.working.first, ..Working::none(&self.device)? };
        Ok(())
    }
    /// As [`DynamicMesh::free_working_memory`]; besides, the next run begins with room for this many
    /// candidates and words of their records, instead of as many as are expected. A round that needs more
    /// gets it and is run again: results do not depend on these numbers.
    /// # Errors
    /// Errors of the driver.
    pub fn begin_with_room(&mut self, candidates: usize, words: usize) -> Result<()> {
        self.working = Working { first: Some([candidates, words]), ..Working::none(&self.device)? };
        Ok(())
    }
}

/// Words from the counters of one card to those of the next: on GPUs so many that each are on their card, and
/// that a buffer with those of two cards has a part on each.
fn apart(device: &Device) -> u32 {
    let several = device.cards_of(u32::MAX) > 1 && device.kind() == DeviceKind::Cuda;
    if several { 8 << 20 >> 2 } else { control::WORDS }
}

/// Makes a buffer longer; the first `used` elements stay.
fn lengthen(buffer: &mut Buffer<u32>, used: usize, len: usize) -> Result<()> {
    if buffer.len() < len {
        let mut more = buffer.device().zeros_with_room(used, len)?;
        copy_words(buffer, &mut more, used)?;
        *buffer = more;
    }
    Ok(())
}

fn take3(words: &[u32]) -> [u32; 3] {
    [words[0], words[1], words[2]]
}
