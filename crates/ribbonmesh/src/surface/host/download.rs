//! Back to the host.
use super::column::Column;
use super::order::{Places, ascending, ranks};
use super::surface::{State, Surface, lost};
use crate::device::ElementKind;
use crate::{Buffer, Op, Result, array};
use glam::Vec3;
use ribbonmesh_mesh::{AttributesMut, Column as HostColumn, Role, TriangleMesh};

/// Connectivity in host memory: by id, and the ids in the order in which they are given out.
struct Host {
    points: Vec<Vec3>,
    faces: Vec<[u32; 3]>,
    /// Place of each vertex, by id.
    vertex_places: Vec<u32>,
    vertex_order: Vec<u32>,
    face_order: Vec<u32>,
    /// Whether the places are those of the input.
    of_input: bool,
    /// Whether faces begin with the vertex of the least place: which one they begin with by id depends on the machine.
    turn: bool,
}

impl Surface {
    /// The mesh with all its attributes. Vertices and faces stand in the order of the input as far as they are left of it;
    /// after remeshing, in the order of the ids that it gave. A vertex that has not moved has the position that was uploaded. Waits.
    /// # Errors
    /// Out of memory; what a kernel recorded, or the driver says.
    pub fn download(&self) -> Result<TriangleMesh> {
        if let Some(mesh) = self.download_unchanged()? {
            return Ok(mesh);
        }
        let host = self.read()?;
        let points: Vec<Vec3> = host.vertex_order.iter().map(|&v| host.points[v as usize]).collect();
        let places = |f: u32| host.faces[f as usize].map(|v| host.vertex_places[v as usize]);
        let first = |f: u32| if host.turn { first_of(places(f)) } else { 0 };
        let turned = |f: u32| [0, 1, 2].map(|i| (first(f) + i) % 3);
        let faces = host.face_order.iter().map(|&f| turned(f).map(|i| places(f)[i as usize]));
        let faces = faces.collect();
        let mut mesh = TriangleMesh::from_points_around(self.origin, &points, faces, self.precision);
        if host.of_input {
            self.restore_exact(&mut mesh, &points);
        }
        insert(mesh.vertices_mut(), &self.of_vertices, &host.vertex_order)?;
        insert(mesh.faces_of_mut(), &self.of_faces, &host.face_order)?;
        if !self.of_corners.is_empty() {
            let corners: Vec<u32> =
                host.face_order.iter().flat_map(|&f| turned(f).map(|i| 3 * f + i)).collect();
            insert(mesh.corners_mut(), &self.of_corners, &corners)?;
        }
        self.complete(mesh)
    }

    /// The same where triangles are those that were uploaded, and corners have no columns: only what may have changed is
    /// read. None elsewhere.
    fn download_unchanged(&self) -> Result<Option<TriangleMesh>> {
        let Some(faces) = &self.faces_of_input else { return Ok(None) };
        if !self.of_corners.is_empty() {
            return Ok(None);
        }
        let (points, places) = match &self.state {
            State::Patches { mesh, positions, order: None } => {
                (positions.download()?, Some([mesh.vertex_inputs(), mesh.face_inputs()]))
            }
            State::Triangles { positions, order: None, .. } => (positions.read()?, None),
            State::Triangles { positions, order: Some([v, f]), .. } => {
                let mut points = self.device.unspecified(positions.len())?;
                array::scatter(positions, v, &mut points)?;
                (points.read()?, Some([v, f]))
            }
            _ => return Ok(None),
        };
        let mut mesh = TriangleMesh::from_points_around(self.origin, &points, faces.clone(), self.precision);
        self.restore_exact(&mut mesh, &points);
        let order = |inputs: Option<&Buffer<u32>>, n: usize| -> Result<Vec<u32>> {
            Ok(match inputs {
                Some(inputs) => ascending(&inputs.read()?),
                None => (0..n as u32).collect(),
            })
        };
        if !self.of_vertices.is_empty() {
            let order = order(places.map(|[v, _]| v), points.len())?;
            insert(mesh.vertices_mut(), &self.of_vertices, &order)?;
        }
        if !self.of_faces.is_empty() {
            let order = order(places.map(|[_, f]| f), faces.len())?;
            insert(mesh.faces_of_mut(), &self.of_faces, &order)?;
        }
        self.complete(mesh).map(Some)
    }

    /// Gives vertices that have not moved the position that was uploaded.
    fn restore_exact(&self, mesh: &mut TriangleMesh, points: &[Vec3]) {
        let Some(exact) = &self.exact else { return };
        for ((position, point), exact) in mesh.positions.iter_mut().zip(points).zip(exact) {
            if (*exact - self.origin).as_vec3() == *point {
                *position = *exact;
            }
        }
    }

    /// What does not lie on the device, and what is computed from the mesh.
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

    fn read(&self) -> Result<Host> {
        match &self.state {
            State::Patches { mesh, positions, order } => {
                let faces = mesh.query(Op::FV)?.values().read()?;
                let [vertices, of_faces] = match order {
                    Some([vertices, faces]) => [vertices, faces],
                    None => [mesh.vertex_inputs(), mesh.face_inputs()],
                };
                let vertex_order = ascending(&vertices.read()?);
                Ok(Host {
                    points: positions.buffer().read()?,
                    faces: triples(&faces),
                    vertex_places: ranks(&vertex_order),
                    vertex_order,
                    face_order: ascending(&of_faces.read()?),
                    of_input: self.exact.is_some(),
                    turn: false,
                })
            }
            State::Triangles { topology, positions, order, turn } => {
                let sizes = [topology.vertices(), topology.faces()];
                let faces = triples(&topology.face_vertices().read()?);
                self.host(positions.read()?, faces, order, sizes, *turn)
            }
            State::Changed { mesh, positions, places, others } => {
                let kinds = [ElementKind::Vertex, ElementKind::Face];
                let sizes = kinds.map(|kind| mesh.ids(kind) as usize);
                let (points, faces) = (positions.read(mesh)?, triples(&mesh.faces()?.read()?));
                self.host(points, faces, places, sizes, *others && places.is_some())
            }
            State::Lost => Err(lost()),
        }
    }
}

impl Surface {
    fn host(
        &self,
        points: Vec<Vec3>,
        faces: Vec<[u32; 3]>,
        places: &Option<Places>,
        [v, f]: [usize; 2],
        turn: bool,
    ) -> Result<Host> {
        let (vertex_order, face_order) = match places {
            Some([vertices, faces]) => (ascending(&vertices.read()?), ascending(&faces.read()?)),
            None => ((0..v as u32).collect(), (0..f as u32).collect()),
        };
        Ok(Host {
            points,
            faces,
            vertex_places: ranks(&vertex_order),
            vertex_order,
            face_order,
            of_input: self.exact.is_some(),
            turn,
        })
    }
}

/// Adds the columns of an element, in an order of ids.
fn insert(mut attributes: AttributesMut<'_>, columns: &[Column], order: &[u32]) -> Result<()> {
    for column in columns {
        attributes.insert_column(column.download(order.iter().map(|&i| i as usize))?)?;
    }
    Ok(())
}

/// The corner with the least number.
fn first_of([a, b, c]: [u32; 3]) -> u32 {
    if a < b && a < c {
        0
    } else if b < c {
        1
    } else {
        2
    }
}

fn triples(indices: &[u32]) -> Vec<[u32; 3]> {
    indices.chunks_exact(3).map(|f| [f[0], f[1], f[2]]).collect()
}
