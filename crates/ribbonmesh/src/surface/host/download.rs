//! Back to the host.
use super::column::Column;
use super::kept::Kept;
use super::order::inverse;
use super::surface::{Edges, Surface};
use crate::device::tiles;
use crate::surface::kernels::order::FacesInOrder;
use crate::{Attribute, Buffer, Result, array};
use glam::{DVec3, Vec3};
use rayon::prelude::*;
use ribbonmesh_mesh::{Column as HostColumn, Element, Role, TriangleMesh};
use std::sync::Arc;

/// Triangles in the order of the output.
pub struct Output {
    /// Three vertices for each face.
    pub faces: Arc<Buffer<u32>>,
    /// The ids of vertices, faces and corners by place; no corners if they have no columns. `None` if that is
    /// the order of the ids.
    pub at: Option<[Buffer<u32>; 3]>,
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
        let Output { faces, at } = self.output()?;
        let points = match &at {
            Some([vertices, ..]) => array::gather(self.positions.buffer(), vertices)?.read()?,
            None => self.positions.buffer().read()?,
        };
        let mut mesh = self.mesh_of(&points, triangles_of(faces.read()?));
        let all = [
            (Element::Vertex, &self.of_vertices),
            (Element::Face, &self.of_faces),
            (Element::Corner, &self.of_corners),
        ];
        for (i, (element, columns)) in all.into_iter().enumerate() {
            for column in columns {
                let column = match &at {
                    Some(at) => column.gather(&at[i], 1)?.download()?,
                    None => column.download()?,
                };
                mesh.attributes_mut(element).insert_column(column)?;
            }
        }
        self.complete(mesh)
    }
    /// The same surface again, on its device: positions and triangles in the order in which
    /// [`Surface::download`] gives them, with all attributes, and without kept quantities. Nothing goes
    /// through the host.
    /// # Errors
    /// Out of memory; errors of the driver.
    pub fn try_clone(&self) -> Result<Self> {
        let Output { faces, at } = self.output()?;
        let of = |i: usize, columns: &[Column]| -> Result<Vec<Column>> {
            let copy = |column: &Column| match &at {
                Some(at) => column.gather(&at[i], 1),
                None => column.try_clone(),
            };
            columns.iter().map(copy).collect()
        };
        // memory of the copy is its own: others may have been given that of this surface
        let (positions, faces) = match &at {
            Some([vertices, ..]) => (array::gather(self.positions.buffer(), vertices)?, faces),
            None => (self.positions.buffer().try_clone()?, faces.try_clone()?.into()),
        };
        Ok(Self {
            device: self.device.clone(),
            options: self.options.clone(),
            positions: Attribute::of_no_mesh(positions)?,
            order: None,
            of_vertices: of(0, &self.of_vertices)?,
            of_faces: of(1, &self.of_faces)?,
            of_corners: of(2, &self.of_corners)?,
            faces,
            kept: Kept::default(),
            edges: Edges { pairs: self.edges.pairs.clone(), columns: self.edges.columns.clone() },
            normals: self.normals.clone(),
            origin: self.origin,
            precision: self.precision,
            exact: self.exact.clone(),
            tables: self.tables.clone(),
            notes: self.notes.clone(),
        })
    }
    /// The triangles in the order in which they are given out.
    pub(super) fn output(&self) -> Result<Output> {
        let Some(order) = &self.order else { return Ok(Output { faces: self.faces.clone(), at: None }) };
        let (vertices_at, faces_at) = (inverse(&order.vertices)?, inverse(&order.faces)?);
        let corners = if self.of_corners.is_empty() { 0 } else { self.faces.len() };
        let mut corners_at = self.device.unspecified::<u32>(corners)?;
        let n = faces_at.len() as u32;
        let mut faces = self.device.unspecified::<u32>(self.faces.len())?;
        let kernel = FacesInOrder {
            n,
            at: faces_at.view(),
            faces: self.faces.view(),
            places: order.vertices.view(),
            turn: order.turn as u32,
            to: faces.view_mut(),
            corners: corners_at.view_mut(),
        };
        self.device.launch(tiles(n), kernel)?;
        Ok(Output { faces: faces.into(), at: Some([vertices_at, faces_at, corners_at]) })
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
    pub(super) fn restore_exact(&self, mesh: &mut TriangleMesh, points: &[Vec3]) {
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
}
