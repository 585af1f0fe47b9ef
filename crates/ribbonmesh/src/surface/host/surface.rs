//! A surface: connectivity, positions and attributes on one device.
use super::column::Column;
use super::columns::{Columns, ColumnsMut};
use super::locality::{MANY, Reordered, along_curve};
use super::note::{Note, Why};
use super::order::{Places, renumbered};
use crate::device::{ElementKind, tiles};
use crate::dynamic::{DynamicAttribute, DynamicMesh, PatchOptions};
use crate::flat::check_buffer;
use crate::static_mesh::build::{check_numbers, check_options};
use crate::surface::kernels::corners::CornerSources;
use crate::{
    Attribute, Buffer, Defect, Device, Error, Face, FlatTopology, MeshOptions, Op, Result, StaticMesh,
    Vertex, array,
};
use glam::{DVec3, Vec3};
use rayon::prelude::*;
use ribbonmesh_mesh::{Column as HostColumn, Element, Policy, Precision, Role, Tables, TriangleMesh};

/// A triangle mesh with its attributes, on a device: what applications take and give back.
///
/// Positions are single precision relative to a local origin ([`TriangleMesh::local_origin`]); vertices that
/// no application moves keep their double precision.
pub struct Surface {
    pub(super) device: Device,
    /// How it is cut into patches.
    pub(super) options: MeshOptions,
    pub(super) state: State,
    pub(super) of_vertices: Vec<Column>,
    pub(super) of_faces: Vec<Column>,
    /// Three rows per face.
    pub(super) of_corners: Vec<Column>,
    /// Columns of edges stay on the host: no application reads them.
    pub(super) edges: Edges,
    /// Names of normals of vertices that are computed from the mesh when it is downloaded.
    pub(super) normals: Vec<String>,
    pub(super) origin: DVec3,
    pub(super) precision: Precision,
    /// Positions as they were uploaded, by place in the input, while vertices are those of the input.
    pub(super) exact: Option<Vec<DVec3>>,
    pub(super) tables: Tables,
    pub(super) notes: Vec<Note>,
}

/// Columns of edges, as they were uploaded.
#[derive(Default)]
pub(super) struct Edges {
    pub pairs: Vec<[u32; 2]>,
    pub columns: Vec<HostColumn>,
}

/// Connectivity and positions.
pub(super) enum State {
    /// As it was uploaded, in the order of the input.
    Given { positions: Buffer<Vec3>, faces: Buffer<u32> },
    /// As triangles that have not been cut into patches, with contiguous ids.
    Triangles {
        topology: Box<FlatTopology>,
        positions: Buffer<Vec3>,
        /// Output position of each vertex and face; `None` means the order of the ids.
        order: Option<Places>,
        /// Whether faces are given out beginning with the vertex that stands first.
        turn: bool,
    },
    /// As patches. With an order if vertices and faces do not stand in the input order of the patches.
    Patches { mesh: Box<StaticMesh>, positions: Attribute<Vertex, Vec3>, order: Option<Places> },
    /// As an application has left them: contiguous ids, the patches of before, which have changed. Without
    /// places, vertices and faces stand in the order of their ids.
    Changed {
        mesh: Box<DynamicMesh>,
        positions: DynamicAttribute<Vertex, Vec3>,
        places: Option<Places>,
        others: bool,
    },
    /// An error has interrupted a change of the state.
    Lost,
}

impl Surface {
    /// Uploads a mesh with its attributes. Edges are found when they are first asked for, and patches, by
    /// `options`, too ([`Surface::patches`]). From 32,768 faces on, ids are then put in an order along a
    /// space-filling curve, so that neighbours are near each other in memory; what is downloaded stands in
    /// the order of the input. Linear.
    /// # Errors
    /// [`Error::Mesh`] if the mesh contradicts itself; [`Error::TooMany`]; out of memory; errors of the
    /// driver.
    pub fn new(device: &Device, mesh: &TriangleMesh, options: &MeshOptions) -> Result<Self> {
        device.install(|| mesh.check())?;
        check_options(options)?;
        check_numbers(mesh.positions.len(), mesh.faces.len())?;
        let points = device.install(|| mesh.points_around(mesh.local_origin()));
        let positions = device.upload(&points)?;
        let faces = device.upload(mesh.faces.as_flattened())?;
        Self::of_state(device, State::Given { positions, faces }, mesh, options)
    }
    /// Of triangles that are on a device already, without attributes: three vertices for each face. No vertex
    /// goes through the host. Positions are single precision, and their local origin is 0.
    /// # Errors
    /// [`Error::IndexOutOfRange`]; [`Error::Length`] if the length of `faces` is not a multiple of three;
    /// [`Error::OtherDevice`]; [`Error::TooMany`]; errors of the driver.
    pub fn from_buffers(positions: Buffer<Vec3>, faces: Buffer<u32>, options: &MeshOptions) -> Result<Self> {
        check_options(options)?;
        let device = positions.device().clone();
        if !faces.device().same(&device) {
            return Err(Error::OtherDevice { what: "the faces" });
        }
        check_buffer(positions.len(), &faces)?;
        Self::of_state(&device, State::Given { positions, faces }, &TriangleMesh::default(), options)
    }
    /// Finds the edges of what was uploaded, of large meshes after putting them in order; nothing if this has
    /// been done.
    pub(super) fn link(&mut self) -> Result<()> {
        if !matches!(self.state, State::Given { .. }) {
            return Ok(());
        }
        let State::Given { positions, faces } = std::mem::replace(&mut self.state, State::Lost) else {
            return Err(lost());
        };
        let Reordered { faces, positions, order } = match faces.len() / 3 < MANY {
            true => Reordered { faces, positions, order: None },
            false => along_curve(&positions, &faces)?,
        };
        if let Some([v, f]) = &order {
            reorder([&mut self.of_vertices, &mut self.of_faces, &mut self.of_corners], [v, f])?;
        }
        let topology = Box::new(FlatTopology::from_checked(positions.len() as u32, faces)?);
        self.state = State::Triangles { topology, positions, order, turn: false };
        Ok(())
    }
    /// The same with patches that have been made of the mesh's faces.
    /// # Errors
    /// [`Error::Mesh`] if the mesh contradicts itself; [`Error::Length`] if the patches have other numbers of
    /// vertices and faces; out of memory; errors of the driver.
    pub fn from_patches(patches: StaticMesh, mesh: &TriangleMesh) -> Result<Self> {
        mesh.check()?;
        for (what, expected, found) in [
            ("vertices of the patches", mesh.positions.len(), patches.vertices()),
            ("faces of the patches", mesh.faces.len(), patches.faces()),
        ] {
            if expected != found {
                return Err(Error::Length { what, expected, found });
            }
        }
        let (device, options) = (patches.device().clone(), patches.options().clone());
        let positions = Attribute::from_input(&patches, &mesh.points_around(mesh.local_origin()))?;
        let state = State::Patches { mesh: Box::new(patches), positions, order: None };
        let mut surface = Self::of_state(&device, state, mesh, &options)?;
        if let State::Patches { mesh: patches, .. } = &surface.state {
            let faces = match surface.of_corners.is_empty() {
                true => device.zeros(0)?,
                false => device.upload(mesh.faces.as_flattened())?,
            };
            let [v, f, c] = surface.columns_of_patches(patches, &faces)?;
            (surface.of_vertices, surface.of_faces, surface.of_corners) = (v, f, c);
        }
        Ok(surface)
    }
    /// With columns in the order of the mesh.
    fn of_state(device: &Device, state: State, mesh: &TriangleMesh, options: &MeshOptions) -> Result<Self> {
        let origin = mesh.local_origin();
        let upload = |element: Element| -> Result<Vec<Column>> {
            mesh.attributes(element).iter().map(|column| Column::upload(device, column)).collect()
        };
        let exact = (origin != DVec3::ZERO || mesh.precision == Precision::Double)
            .then(|| copy(device, &mesh.positions));
        let edges = Edges { pairs: mesh.edges.clone(), columns: mesh.edges_of().iter().cloned().collect() };
        Ok(Self {
            device: device.clone(),
            options: options.clone(),
            state,
            of_vertices: upload(Element::Vertex)?,
            of_faces: upload(Element::Face)?,
            of_corners: upload(Element::Corner)?,
            edges,
            normals: vec![],
            origin,
            precision: mesh.precision,
            exact,
            tables: mesh.tables.clone(),
            notes: vec![],
        })
    }

    /// The device.
    pub fn device(&self) -> &Device {
        &self.device
    }
    /// The point to which positions on the device are relative.
    pub fn origin(&self) -> DVec3 {
        self.origin
    }
    /// Notes about data that did not follow changes of the mesh.
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// The mesh as patches, which answer queries, and the positions. Patches are made when they are first
    /// asked for, and brought up to date after an application has changed triangles.
    /// # Errors
    /// As [`StaticMesh::from_flat`] or [`DynamicMesh::refresh`]; after an error of the latter the surface is
    /// lost, and every later call says so.
    pub fn patches(&mut self) -> Result<(&StaticMesh, &Attribute<Vertex, Vec3>)> {
        let (mesh, positions) = self.patches_mut()?;
        Ok((mesh, positions))
    }
    /// The same, with positions to be changed. Call [`Surface::moved`] afterwards.
    /// # Errors
    /// As [`Surface::patches`].
    pub fn patches_mut(&mut self) -> Result<(&StaticMesh, &mut Attribute<Vertex, Vec3>)> {
        self.make_patches()?;
        match &mut self.state {
            State::Patches { mesh, positions, .. } => Ok((mesh, positions)),
            _ => Err(lost()),
        }
    }
    /// The patches and the positions, if patches have been made.
    /// # Errors
    /// [`Error::StalePatches`] if [`Surface::patches`] has not been called since the upload or the last
    /// change of triangles.
    pub fn have_patches(&self) -> Result<(&StaticMesh, &Attribute<Vertex, Vec3>)> {
        match &self.state {
            State::Patches { mesh, positions, .. } => Ok((mesh, positions)),
            _ => Err(Error::StalePatches),
        }
    }
    fn made_patches(&self) -> Option<&StaticMesh> {
        self.have_patches().ok().map(|(mesh, _)| mesh)
    }
    /// The attributes of vertices.
    pub fn vertices(&self) -> Columns<'_, Vertex> {
        Columns::new(&self.of_vertices, self.made_patches())
    }
    /// The attributes of faces.
    pub fn faces(&self) -> Columns<'_, Face> {
        Columns::new(&self.of_faces, self.made_patches())
    }
    /// The attributes of vertices, to be changed.
    /// # Errors
    /// As [`Surface::patches`].
    pub fn vertices_mut(&mut self) -> Result<ColumnsMut<'_, Vertex>> {
        self.make_patches()?;
        match &self.state {
            State::Patches { mesh, .. } => {
                Ok(ColumnsMut::<Vertex>::new(&mut self.of_vertices, Some(&mut self.normals), mesh))
            }
            _ => Err(lost()),
        }
    }
    /// The attributes of faces, to be changed.
    /// # Errors
    /// As [`Surface::patches`].
    pub fn faces_mut(&mut self) -> Result<ColumnsMut<'_, Face>> {
        self.make_patches()?;
        match &self.state {
            State::Patches { mesh, .. } => Ok(ColumnsMut::<Face>::new(&mut self.of_faces, None, mesh)),
            _ => Err(lost()),
        }
    }

    /// Keeps the columns of an element for which `keep`, given name and role, says so.
    pub fn retain(&mut self, element: Element, mut keep: impl FnMut(&str, Role) -> bool) {
        let columns = match element {
            Element::Vertex => {
                self.normals.retain(|name| keep(name, Role::Normal));
                &mut self.of_vertices
            }
            Element::Face => &mut self.of_faces,
            Element::Corner => &mut self.of_corners,
            Element::Edge => return self.edges.columns.retain(|column| keep(column.name(), column.role())),
        };
        columns.retain(|column| keep(&column.head.name, column.head.role));
    }

    /// Says that vertices have moved: columns to be computed from the mesh are, or go with a note, and
    /// positions are no longer those that were uploaded, where they differ.
    pub fn moved(&mut self) {
        let stale = |column: &Column| column.head.policy == Policy::Recompute;
        for column in self.of_vertices.iter().filter(|column| stale(column)) {
            follow_normal(column, Element::Vertex, &mut self.normals, &mut self.notes);
        }
        for (columns, element) in [(&self.of_faces, Element::Face), (&self.of_corners, Element::Corner)] {
            for column in columns.iter().filter(|column| stale(column)) {
                self.notes.push(Note { element, name: column.head.name.clone(), why: Why::Recompute });
            }
        }
        for columns in [&mut self.of_vertices, &mut self.of_faces, &mut self.of_corners] {
            columns.retain(|column| !stale(column));
        }
        let stale = |column: &HostColumn| column.policy() == Policy::Recompute;
        for column in self.edges.columns.iter().filter(|column| stale(column)) {
            self.notes.push(Note::new(Element::Edge, column, Why::Recompute));
        }
        self.edges.columns.retain(|column| !stale(column));
    }

    /// The columns of vertices, faces and corners in the order of patches that are made of these faces.
    fn columns_of_patches(&self, patches: &StaticMesh, faces: &Buffer<u32>) -> Result<[Vec<Column>; 3]> {
        let gather = |columns: &[Column], at: &Buffer<u32>| -> Result<Vec<Column>> {
            columns.iter().map(|column| column.gather(at, 1)).collect()
        };
        let (vertices, inputs) = (patches.vertex_inputs(), patches.face_inputs());
        let of_corners = match self.of_corners.is_empty() {
            true => vec![],
            false => {
                let (n, by_id) = (patches.faces() as u32, patches.query(Op::FV)?);
                let mut at = self.device.unspecified::<u32>(3 * n as usize)?;
                let sources = CornerSources {
                    n,
                    faces: by_id.values().view(),
                    vertex_inputs: vertices.view(),
                    face_inputs: inputs.view(),
                    input: faces.view(),
                    at: at.view_mut(),
                };
                self.device.launch(tiles(n), sources)?;
                gather(&self.of_corners, &at)?
            }
        };
        Ok([gather(&self.of_vertices, vertices)?, gather(&self.of_faces, inputs)?, of_corners])
    }
    fn make_patches(&mut self) -> Result<()> {
        self.link()?;
        match &self.state {
            State::Patches { .. } => Ok(()),
            State::Triangles { topology, positions, order, .. } => {
                let mut mesh =
                    StaticMesh::from_flat(topology, &self.options).map_err(|e| of_input(e, order))?;
                let columns = self.columns_of_patches(&mesh, topology.face_vertices())?;
                let positions = array::gather(positions, mesh.vertex_inputs())?;
                if let Some(order) = order {
                    mesh.compose_inputs(order)?;
                }
                let positions = Attribute::of_ids(&mesh, positions);
                self.state = State::Patches { mesh: Box::new(mesh), positions, order: None };
                [self.of_vertices, self.of_faces, self.of_corners] = columns;
                Ok(())
            }
            State::Changed { .. } => self.refresh_patches(),
            State::Given { .. } | State::Lost => Err(lost()),
        }
    }
    /// Patches of before are brought up to date.
    fn refresh_patches(&mut self) -> Result<()> {
        let State::Changed { mut mesh, mut positions, places, .. } =
            std::mem::replace(&mut self.state, State::Lost)
        else {
            return Err(lost());
        };
        let done = mesh.refresh(&PatchOptions::NEVER)?;
        if let Some(compaction) = &done.compaction {
            compaction.apply_to(&mut positions)?;
            let [v, f] = [ElementKind::Vertex, ElementKind::Face].map(|kind| compaction.new_to_old(kind));
            reorder([&mut self.of_vertices, &mut self.of_faces, &mut self.of_corners], [v, f])?;
        }
        let patches = mesh.patches().ok_or(Error::StalePatches)?;
        let sizes = [patches.vertices(), patches.faces()];
        let order = Some(renumbered(&self.device, places, sizes, done.compaction.as_ref())?);
        let positions = positions.to_static(patches)?;
        self.state = State::Patches { mesh: Box::new(mesh.into_static()?), positions, order };
        Ok(())
    }
}

/// Columns of vertices, faces and corners, with the rows of these vertices and faces.
fn reorder(columns: [&mut Vec<Column>; 3], [v, f]: [&Buffer<u32>; 2]) -> Result<()> {
    for (columns, (at, of)) in columns.into_iter().zip([(v, 1), (f, 1), (f, 3)]) {
        for column in columns {
            *column = column.gather(at, of)?;
        }
    }
    Ok(())
}

/// An error about triangles, in the order of the input.
pub(super) fn of_input(error: Error, order: &Option<Places>) -> Error {
    let Some([v, f]) = order else { return error };
    let place = |order: &Buffer<u32>, id: u32| Ok::<u32, Error>(order.read_range(id as usize, 1)?[0]);
    let renamed = match &error {
        Error::NotManifold(Defect::Edge { ends: [a, b] }) => {
            let ends = place(v, *a).and_then(|a| Ok([a, place(v, *b)?]));
            ends.map(|[a, b]| Error::NotManifold(Defect::Edge { ends: [a.min(b), a.max(b)] }))
        }
        Error::NotManifold(Defect::Face { face }) => {
            place(f, *face).map(|face| Error::NotManifold(Defect::Face { face }))
        }
        Error::NotManifold(Defect::Vertex { vertex }) => {
            place(v, *vertex).map(|vertex| Error::NotManifold(Defect::Vertex { vertex }))
        }
        &Error::PatchTooLarge { vertex, faces, face, what, count, limit } => {
            let places = place(v, vertex as u32).and_then(|vertex| Ok([vertex, place(f, face as u32)?]));
            places.map(|places| {
                let [vertex, face] = places.map(|place| place as usize);
                Error::PatchTooLarge { vertex, faces, face, what, count, limit }
            })
        }
        &Error::NotFinite { vertex } => {
            place(v, vertex as u32).map(|vertex| Error::NotFinite { vertex: vertex as usize })
        }
        _ => return error,
    };
    renamed.unwrap_or_else(|error| error)
}

/// A vertex normal is computed anew; of anything else nobody knows how.
pub(super) fn follow_normal(
    column: &Column,
    element: Element,
    normals: &mut Vec<String>,
    notes: &mut Vec<Note>,
) {
    let head = &column.head;
    if head.role == Role::Normal && element == Element::Vertex {
        normals.push(head.name.clone());
    } else {
        notes.push(Note { element, name: head.name.clone(), why: Why::Recompute });
    }
}

/// A copy by all threads: most of the time of a large copy is that its memory is touched for the first time.
fn copy<T: Copy + Send + Sync>(device: &Device, values: &[T]) -> Vec<T> {
    device.install(|| values.par_iter().copied().collect())
}

pub(super) fn lost() -> Error {
    Error::Invalid("an error has interrupted a change of this surface".into())
}
