//! A surface: connectivity, positions and attributes on one device.
use super::column::Column;
use super::columns::{Columns, ColumnsMut};
use super::kept::Kept;
use super::note::{Note, Why};
use super::order::Order;
use crate::flat::check_buffer;
use crate::static_mesh::build::{check_numbers, check_options};
use crate::{Attribute, Buffer, Device, Error, Face, MeshOptions, Result, StaticMesh, Vertex};
use glam::{DVec3, Vec3};
use rayon::prelude::*;
use ribbonmesh_mesh::{Column as HostColumn, Element, Policy, Precision, Role, Tables, TriangleMesh};
use std::sync::Arc;

/// A triangle mesh with its attributes, on a device: what applications take and give back.
///
/// Positions are single precision relative to a local origin ([`TriangleMesh::local_origin`]); vertices that
/// no application moves keep their double precision.
///
/// *Order of the ids.* Positions, faces and columns have the order of the ids. Ids are the places of the
/// output ([`Surface::download`]) until edges of 32,768 faces or more are found, which puts ids along a
/// space-filling curve, or until patches are made, which gives ids by patch. A change of triangles gives the
/// ids of the changed mesh. No other call changes ids, and none changes the order of the output but a change
/// of triangles.
///
/// *Kept quantities.* Edges, patches and the search tree are computed when they are first asked for, and kept
/// until what they depend on changes: the tree until positions, triangles or ids change, edges until
/// triangles or ids change, patches until triangles change. [`Surface::purge`] drops them earlier. An error
/// leaves the mesh and its attributes valid, as they were before the call.
pub struct Surface {
    pub(super) device: Device,
    /// How it is cut into patches.
    pub(super) options: MeshOptions,
    /// By id; an attribute of the patches, where there are patches.
    pub(super) positions: Attribute<Vertex, Vec3>,
    /// Three vertices for each face, by id.
    pub(super) faces: Arc<Buffer<u32>>,
    /// Place of each vertex and face in the output; `None` means the order of the ids.
    pub(super) order: Option<Order>,
    pub(super) of_vertices: Vec<Column>,
    pub(super) of_faces: Vec<Column>,
    /// Three rows per face.
    pub(super) of_corners: Vec<Column>,
    /// Quantities computed from positions and faces.
    pub(super) kept: Kept,
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

impl Surface {
    /// Uploads a mesh with its attributes. Edges, and patches by `options`, are computed when they are first
    /// asked for. Linear.
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
        Self::of_arrays(positions, faces, mesh, options)
    }
    /// Of triangles that are on a device already, without attributes: three vertices for each face. No vertex
    /// goes through the host. Positions are single precision, and their local origin is 0.
    /// # Errors
    /// [`Error::IndexOutOfRange`]; [`Error::Length`] if the length of `faces` is not a multiple of three;
    /// [`Error::OtherDevice`]; [`Error::TooMany`]; errors of the driver.
    pub fn from_buffers(positions: Buffer<Vec3>, faces: Buffer<u32>, options: &MeshOptions) -> Result<Self> {
        check_options(options)?;
        if !faces.device().same(positions.device()) {
            return Err(Error::OtherDevice { what: "the faces" });
        }
        check_buffer(positions.len(), &faces)?;
        Self::of_arrays(positions, faces, &TriangleMesh::default(), options)
    }
    /// As [`Surface::new`], with patches that have been made of the mesh's faces.
    /// # Errors
    /// As [`Surface::new`]; [`Error::Length`] if the patches have other numbers of vertices and faces.
    pub fn from_patches(patches: StaticMesh, mesh: &TriangleMesh) -> Result<Self> {
        for (what, expected, found) in [
            ("vertices of the patches", mesh.positions.len(), patches.vertices()),
            ("faces of the patches", mesh.faces.len(), patches.faces()),
        ] {
            if expected != found {
                return Err(Error::Length { what, expected, found });
            }
        }
        let mut surface = Self::new(patches.device(), mesh, patches.options())?;
        let output = surface.output()?;
        surface.take_patches(patches, &output)?;
        Ok(surface)
    }
    /// With positions and faces, and columns in the order of the mesh.
    fn of_arrays(
        positions: Buffer<Vec3>,
        faces: Buffer<u32>,
        mesh: &TriangleMesh,
        options: &MeshOptions,
    ) -> Result<Self> {
        let device = positions.device().clone();
        let origin = mesh.local_origin();
        let upload = |element: Element| -> Result<Vec<Column>> {
            mesh.attributes(element).iter().map(|column| Column::upload(&device, column)).collect()
        };
        let exact = (origin != DVec3::ZERO || mesh.precision == Precision::Double)
            .then(|| copy(&device, &mesh.positions));
        let edges = Edges { pairs: mesh.edges.clone(), columns: mesh.edges_of().iter().cloned().collect() };
        Ok(Self {
            options: options.clone(),
            positions: Attribute::of_no_mesh(positions)?,
            faces: faces.into(),
            order: None,
            of_vertices: upload(Element::Vertex)?,
            of_faces: upload(Element::Face)?,
            of_corners: upload(Element::Corner)?,
            kept: Kept::default(),
            edges,
            normals: vec![],
            origin,
            precision: mesh.precision,
            exact,
            tables: mesh.tables.clone(),
            notes: vec![],
            device,
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
    /// asked for, and brought up to date after an application has changed triangles of a surface that had
    /// patches. Ids are those of the patches from then on; the order of the patches' input
    /// ([`StaticMesh::vertex_inputs`]) is that of the output ([`Surface::download`]).
    /// # Errors
    /// As [`StaticMesh::from_flat`] or [`DynamicMesh::refresh`](crate::dynamic::DynamicMesh::refresh); after
    /// an error of the latter, the next call makes patches anew.
    pub fn patches(&mut self) -> Result<(&StaticMesh, &Attribute<Vertex, Vec3>)> {
        self.make_patches()?;
        self.have_patches()
    }
    /// The same, with positions to be changed. Call [`Surface::moved`] afterwards.
    /// # Errors
    /// As [`Surface::patches`].
    pub fn patches_mut(&mut self) -> Result<(&StaticMesh, &mut Attribute<Vertex, Vec3>)> {
        self.make_patches()?;
        self.kept.forget_tree();
        let mesh = self.kept.patches.as_ref().ok_or(Error::StalePatches)?;
        Ok((mesh, &mut self.positions))
    }
    /// The patches and the positions, if patches have been made.
    /// # Errors
    /// [`Error::StalePatches`] if [`Surface::patches`] has not been called since the upload or the last
    /// change of triangles.
    pub fn have_patches(&self) -> Result<(&StaticMesh, &Attribute<Vertex, Vec3>)> {
        let mesh = self.kept.patches.as_ref().ok_or(Error::StalePatches)?;
        Ok((mesh, &self.positions))
    }
    /// The attributes of vertices.
    pub fn vertices(&self) -> Columns<'_, Vertex> {
        Columns::new(&self.of_vertices, self.kept.patches.as_ref())
    }
    /// The attributes of faces.
    pub fn faces(&self) -> Columns<'_, Face> {
        Columns::new(&self.of_faces, self.kept.patches.as_ref())
    }
    /// The attributes of vertices, to be changed.
    /// # Errors
    /// As [`Surface::patches`].
    pub fn vertices_mut(&mut self) -> Result<ColumnsMut<'_, Vertex>> {
        self.make_patches()?;
        let mesh = self.kept.patches.as_ref().ok_or(Error::StalePatches)?;
        Ok(ColumnsMut::<Vertex>::new(&mut self.of_vertices, Some(&mut self.normals), mesh))
    }
    /// The attributes of faces, to be changed.
    /// # Errors
    /// As [`Surface::patches`].
    pub fn faces_mut(&mut self) -> Result<ColumnsMut<'_, Face>> {
        self.make_patches()?;
        let mesh = self.kept.patches.as_ref().ok_or(Error::StalePatches)?;
        Ok(ColumnsMut::<Face>::new(&mut self.of_faces, None, mesh))
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
        self.kept.forget_tree();
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
