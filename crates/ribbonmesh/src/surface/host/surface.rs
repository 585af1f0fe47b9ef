//! A surface: connectivity, positions and attributes on one device.
use super::column::Column;
use super::columns::{Columns, ColumnsMut};
use super::note::{Note, Why};
use super::order::{Places, renumbered};
use crate::device::ElementKind;
use crate::dynamic::{DynamicAttribute, DynamicMesh, PatchOptions};
use crate::{Attribute, Buffer, Device, Error, Face, MeshOptions, Op, Result, StaticMesh, Vertex};
use glam::{DVec3, Vec3};
use ribbonmesh_mesh::{Column as HostColumn, Element, Policy, Precision, Role, Tables, TriangleMesh};

/// A triangle mesh with its attributes, on a device: what applications take and give back.
///
/// Positions are single precision relative to a local origin ([`TriangleMesh::local_origin`]); vertices that no
/// application moves keep their double precision.
pub struct Surface {
    pub(super) device: Device,
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
    /// Faces as they were uploaded, while they are those of the surface.
    pub(super) faces_of_input: Option<Vec<[u32; 3]>>,
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
    /// As patches. With an order if vertices and faces do not stand in the input order of the patches.
    Patches { mesh: Box<StaticMesh>, positions: Attribute<Vertex, Vec3>, order: Option<Places> },
    /// As an application has left them: contiguous ids, no patches yet.
    Flat {
        mesh: Box<DynamicMesh>,
        positions: DynamicAttribute<Vertex, Vec3>,
        places: Option<Places>,
        others: bool,
    },
    /// An error has interrupted a change of the state.
    Lost,
}

impl Surface {
    /// Uploads a mesh with its attributes and cuts it into patches.
    /// # Errors
    /// [`Error::Mesh`] if the mesh contradicts itself; as [`StaticMesh::new`].
    pub fn new(device: &Device, mesh: &TriangleMesh, options: &MeshOptions) -> Result<Self> {
        mesh.check()?;
        let patches = StaticMesh::new(device, mesh.positions.len(), &mesh.faces, options)?;
        Self::of_checked(patches, mesh)
    }
    /// The same for patches that have been made of the mesh's faces.
    /// # Errors
    /// [`Error::Mesh`] if the mesh contradicts itself; [`Error::Length`] if the patches have other numbers of vertices and
    /// faces; out of memory; what the driver says.
    pub fn of_patches(patches: StaticMesh, mesh: &TriangleMesh) -> Result<Self> {
        mesh.check()?;
        for (what, expected, found) in [
            ("vertices of the patches", mesh.positions.len(), patches.vertices()),
            ("faces of the patches", mesh.faces.len(), patches.faces()),
        ] {
            if expected != found {
                return Err(Error::Length { what, expected, found });
            }
        }
        Self::of_checked(patches, mesh)
    }
    fn of_checked(patches: StaticMesh, mesh: &TriangleMesh) -> Result<Self> {
        let device = patches.device().clone();
        let origin = mesh.local_origin();
        let positions = Attribute::from_input(&patches, &mesh.points_around(origin))?;
        let upload = |element: Element, order: &[usize]| -> Result<Vec<Column>> {
            let columns = mesh.attributes(element).iter();
            columns.map(|column| Column::upload(&device, column, order.iter().copied())).collect()
        };
        let places = |inputs: &Buffer<u32>| -> Result<Vec<usize>> {
            Ok(inputs.read()?.into_iter().map(|i| i as usize).collect())
        };
        let of_vertices = match mesh.vertices().is_empty() {
            true => vec![],
            false => upload(Element::Vertex, &places(patches.vertex_inputs())?)?,
        };
        let of_faces = match mesh.faces_of().is_empty() {
            true => vec![],
            false => upload(Element::Face, &places(patches.face_inputs())?)?,
        };
        let of_corners = match mesh.corners().is_empty() {
            true => vec![],
            false => upload(Element::Corner, &corners_by_id(&patches, mesh)?)?,
        };
        let exact =
            (origin != DVec3::ZERO || mesh.precision == Precision::Double).then(|| mesh.positions.clone());
        let edges = Edges { pairs: mesh.edges.clone(), columns: mesh.edges_of().iter().cloned().collect() };
        Ok(Self {
            device,
            state: State::Patches { mesh: Box::new(patches), positions, order: None },
            of_vertices,
            of_faces,
            of_corners,
            edges,
            normals: vec![],
            origin,
            precision: mesh.precision,
            exact,
            faces_of_input: Some(mesh.faces.clone()),
            tables: mesh.tables.clone(),
            notes: vec![],
        })
    }

    /// The device.
    pub fn device(&self) -> &Device {
        &self.device
    }
    /// What positions on the device are relative to.
    pub fn origin(&self) -> DVec3 {
        self.origin
    }
    /// What did not follow changes of the mesh.
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// The mesh as patches, which answer queries, and the positions. After an application that has changed triangles,
    /// patches are made when they are first asked for.
    /// # Errors
    /// As [`DynamicMesh::refresh`]; the surface is lost then, and every later call says so.
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
    /// [`Error::StalePatches`] if [`Surface::patches`] has not been called since triangles have changed.
    pub fn have_patches(&self) -> Result<(&StaticMesh, &Attribute<Vertex, Vec3>)> {
        match &self.state {
            State::Patches { mesh, positions, .. } => Ok((mesh, positions)),
            _ => Err(Error::StalePatches),
        }
    }
    /// The attributes of vertices.
    pub fn vertices(&self) -> Columns<'_, Vertex> {
        Columns::new(&self.of_vertices)
    }
    /// The attributes of faces.
    pub fn faces(&self) -> Columns<'_, Face> {
        Columns::new(&self.of_faces)
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

    /// Says that vertices have moved: columns to be computed from the mesh are, or go with a note, and positions are no
    /// longer those that were uploaded, where they differ.
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

    fn make_patches(&mut self) -> Result<()> {
        if matches!(self.state, State::Patches { .. }) {
            return Ok(());
        }
        let State::Flat { mut mesh, mut positions, places, .. } =
            std::mem::replace(&mut self.state, State::Lost)
        else {
            return Err(lost());
        };
        let done = mesh.refresh(&PatchOptions::NEVER)?;
        if let Some(compaction) = &done.compaction {
            compaction.carry(&mut positions)?;
            let [v, f] = [ElementKind::Vertex, ElementKind::Face].map(|kind| compaction.new_to_old(kind));
            for (columns, at, of) in
                [(&mut self.of_vertices, v, 1), (&mut self.of_faces, f, 1), (&mut self.of_corners, f, 3)]
            {
                for column in columns {
                    *column = column.gather(at, of)?;
                }
            }
        }
        let patches = mesh.patches().ok_or(Error::StalePatches)?;
        let sizes = [patches.vertices(), patches.faces()];
        let order = Some(renumbered(&self.device, places, sizes, done.compaction.as_ref())?);
        let positions = positions.to_static(patches)?;
        self.state = State::Patches { mesh: Box::new(mesh.into_static()?), positions, order };
        Ok(())
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

pub(super) fn lost() -> Error {
    Error::Invalid("an error has interrupted a change of this surface".into())
}

/// For each corner by id the corner of the input. A face begins with the same vertex in both, but for what construction
/// has turned.
fn corners_by_id(patches: &StaticMesh, mesh: &TriangleMesh) -> Result<Vec<usize>> {
    let faces = patches.query(Op::FV)?.values().read()?;
    let (vertices, inputs) = (patches.vertex_inputs().read()?, patches.face_inputs().read()?);
    let mut order = Vec::with_capacity(3 * inputs.len());
    for (by_id, input) in faces.chunks_exact(3).zip(inputs) {
        let of_input = mesh.faces[input as usize];
        let by_id = [0, 1, 2].map(|i| vertices[by_id[i] as usize]);
        let turned = (0..3).find(|turn| (0..3).all(|i| of_input[(i + turn) % 3] == by_id[i])).unwrap_or(0);
        order.extend((0..3).map(|i| 3 * input as usize + (i + turned) % 3));
    }
    Ok(order)
}
