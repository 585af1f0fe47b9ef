//! Back to the host.
use super::begin::Lent;
use super::column::Column;
use super::order::inverse;
use super::surface::{Edges, State, Surface, lost};
use crate::device::tiles;
use crate::surface::kernels::order::FacesInOrder;
use crate::{Buffer, Op, Result, array};
use glam::{DVec3, Vec3};
use rayon::prelude::*;
use ribbonmesh_mesh::{AttributesMut, Column as HostColumn, Element, Role, TriangleMesh};

/// Arrays to be downloaded, on the device.
pub(super) struct Given<'a> {
    pub positions: Lent<'a, Buffer<Vec3>>,
    /// Three vertices for each face.
    pub faces: Lent<'a, Buffer<u32>>,
    /// The place of each vertex and each face.
    pub places: [Lent<'a, Buffer<u32>>; 2],
    /// Whether faces begin with the vertex of the least place: which one they begin with by id depends on the
    /// machine.
    pub turn: bool,
}

/// Arrays to be downloaded, in the order of the output.
struct Ordered {
    positions: Buffer<Vec3>,
    faces: Buffer<u32>,
    /// The old vertex, face and corner of each new one; no corners if they have no columns.
    at: [Buffer<u32>; 3],
}

/// Corners in threes.
fn triangles_of(corners: Vec<u32>) -> Vec<[u32; 3]> {
    bytemuck::allocation::try_cast_vec(corners).unwrap_or_else(|(_, corners)| corners.as_chunks().0.to_vec())
}

impl Surface {
    /// The mesh with all its attributes. Vertices and faces stand in the order of the input as far as they
    /// are left of it; after remeshing, in the order of the ids that it gave. A vertex that has not moved has
    /// the position that was uploaded. Waits.
    /// # Errors
    /// Out of memory; what a kernel recorded, or the driver says.
    pub fn download(&self) -> Result<TriangleMesh> {
        if let State::Given { positions, faces } = &self.state {
            return self.download_given(&positions.read()?, faces);
        }
        let Ordered { positions, faces, at: [vertices_at, faces_at, corners_at] } = self.ordered()?;
        let points = positions.read()?;
        let triangles = triangles_of(faces.read()?);
        let mut mesh = self.mesh_of(&points, triangles);
        insert(mesh.vertices_mut(), &self.of_vertices, &vertices_at)?;
        insert(mesh.faces_of_mut(), &self.of_faces, &faces_at)?;
        insert(mesh.corners_mut(), &self.of_corners, &corners_at)?;
        self.complete(mesh)
    }
    /// The same surface again, on its device: positions and triangles in the order in which
    /// [`Surface::download`] gives them, with all attributes, and without patches. Nothing goes through the
    /// host.
    /// # Errors
    /// Out of memory; errors of the driver; after an error that has lost the surface,
    /// [`Error::Invalid`](crate::Error::Invalid).
    pub fn try_clone(&self) -> Result<Self> {
        let in_order = |columns: &[Column], at: &Buffer<u32>| -> Result<Vec<Column>> {
            columns.iter().map(|column| column.gather(at, 1)).collect()
        };
        let (positions, faces, [of_vertices, of_faces, of_corners]) = match &self.state {
            State::Given { positions, faces } => {
                let all =
                    |columns: &[Column]| columns.iter().map(Column::try_clone).collect::<Result<Vec<_>>>();
                let columns = [all(&self.of_vertices)?, all(&self.of_faces)?, all(&self.of_corners)?];
                (positions.try_clone()?, faces.try_clone()?, columns)
            }
            _ => {
                let Ordered { positions, faces, at: [vertices_at, faces_at, corners_at] } = self.ordered()?;
                let columns = [
                    in_order(&self.of_vertices, &vertices_at)?,
                    in_order(&self.of_faces, &faces_at)?,
                    in_order(&self.of_corners, &corners_at)?,
                ];
                (positions, faces, columns)
            }
        };
        Ok(Self {
            device: self.device.clone(),
            options: self.options.clone(),
            state: State::Given { positions, faces },
            of_vertices,
            of_faces,
            of_corners,
            edges: Edges { pairs: self.edges.pairs.clone(), columns: self.edges.columns.clone() },
            normals: self.normals.clone(),
            origin: self.origin,
            precision: self.precision,
            exact: self.exact.clone(),
            tables: self.tables.clone(),
            notes: self.notes.clone(),
        })
    }
    /// Positions and triangles on the device, in the order in which they are given out.
    fn ordered(&self) -> Result<Ordered> {
        let Given { positions, faces, places: [of_vertices, of_faces], turn } = self.given()?;
        let vertices_at = inverse(&of_vertices)?;
        let positions = array::gather(&positions, &vertices_at)?;
        let faces_at = inverse(&of_faces)?;
        let with_corners = !self.of_corners.is_empty();
        let mut corners_at = self.device.unspecified::<u32>(if with_corners { faces.len() } else { 0 })?;
        let n = faces_at.len() as u32;
        let mut triangles = self.device.unspecified::<u32>(faces.len())?;
        let order = FacesInOrder {
            n,
            at: faces_at.view(),
            faces: faces.view(),
            places: of_vertices.view(),
            turn: turn as u32,
            to: triangles.view_mut(),
            corners: corners_at.view_mut(),
        };
        self.device.launch(tiles(n), order)?;
        Ok(Ordered { positions, faces: triangles, at: [vertices_at, faces_at, corners_at] })
    }
    /// Downloads a surface whose elements are still in input order.
    fn download_given(&self, points: &[Vec3], faces: &Buffer<u32>) -> Result<TriangleMesh> {
        let mut mesh = self.mesh_of(points, triangles_of(faces.read()?));
        let columns = [
            (Element::Vertex, &self.of_vertices),
            (Element::Face, &self.of_faces),
            (Element::Corner, &self.of_corners),
        ];
        for (element, columns) in columns {
            for column in columns {
                mesh.attributes_mut(element).insert_column(column.download()?)?;
            }
        }
        self.complete(mesh)
    }

    /// Points and triangles in the order of the input, where vertices that have not moved have the position
    /// that was uploaded.
    fn mesh_of(&self, points: &[Vec3], triangles: Vec<[u32; 3]>) -> TriangleMesh {
        let mut mesh = self
            .device
            .install(|| TriangleMesh::from_points_around(self.origin, points, triangles, self.precision));
        self.restore_exact(&mut mesh, points);
        mesh
    }
    /// Gives vertices that have not moved the position that was uploaded.
    fn restore_exact(&self, mesh: &mut TriangleMesh, points: &[Vec3]) {
        let Some(exact) = &self.exact else { return };
        let restore = |((position, point), exact): ((&mut DVec3, &Vec3), &DVec3)| {
            if (*exact - self.origin).as_vec3() == *point {
                *position = *exact;
            }
        };
        self.device.install(|| mesh.positions.par_iter_mut().zip(points).zip(exact).for_each(restore));
    }

    /// Adds the data that the device does not have, and the columns that are computed from the mesh.
    fn complete(&self, mut mesh: TriangleMesh) -> Result<TriangleMesh> {
        mesh.tables = self.tables.clone();
        mesh.edges.clone_from(&self.edges.pairs);
        for column in &self.edges.columns {
            mesh.edges_of_mut().insert_column(column.clone())?;
        }
        if !self.normals.is_empty() {
            let normals = mesh.vertex_normals();
            for name in &self.normals {
                let column = HostColumn::with_role(name.clone(), Role::Normal, normals.clone());
                mesh.vertices_mut().insert_column(column)?;
            }
        }
        Ok(mesh)
    }

    /// The arrays on the device.
    pub(super) fn given(&self) -> Result<Given<'_>> {
        let (positions, faces, places, turn) = match &self.state {
            State::Given { positions, faces } => {
                (Lent::Borrowed(positions), Lent::Borrowed(faces), None, false)
            }
            State::Triangles { topology, positions, order, turn } => {
                let faces = Lent::Borrowed(topology.face_vertices());
                (Lent::Borrowed(positions), faces, order.as_ref(), *turn)
            }
            State::Patches { mesh, positions, order } => {
                let faces = Lent::Owned(mesh.query(Op::FV)?.into_values());
                let positions = Lent::Borrowed(positions.buffer());
                if order.is_none() {
                    let places = [mesh.vertex_inputs(), mesh.face_inputs()].map(Lent::Borrowed);
                    return Ok(Given { positions, faces, places, turn: false });
                }
                (positions, faces, order.as_ref(), false)
            }
            State::Changed { mesh, positions, places, others } => {
                let (positions, faces) = (positions.to_buffer(mesh)?, mesh.faces()?);
                (Lent::Owned(positions), Lent::Owned(faces), places.as_ref(), *others && places.is_some())
            }
            State::Lost => return Err(lost()),
        };
        let places = match places {
            Some([vertices, faces]) => [Lent::Borrowed(vertices), Lent::Borrowed(faces)],
            None => {
                let [vertices, faces] = self.numbers()?.map(|n| n as u32);
                [array::count_up(&self.device, vertices)?, array::count_up(&self.device, faces)?]
                    .map(Lent::Owned)
            }
        };
        Ok(Given { positions, faces, places, turn })
    }
}

/// Adds the columns of an element, in an order of ids.
fn insert(mut attributes: AttributesMut<'_>, columns: &[Column], at: &Buffer<u32>) -> Result<()> {
    for column in columns {
        attributes.insert_column(column.gather(at, 1)?.download()?)?;
    }
    Ok(())
}
