//! The part of a mesh around its boundary, which is all that filling holes reads.
use crate::fill::FillError;
use crate::fill::around::NONE;
use crate::fill::kernels::{Flatten, LabelListed, LeadDown, UniteVertices};
use crate::repair::{Looked, Violations, compacted, rows};
use glam::DVec3;
use ribbonmesh::{Buffer, Device, Error, Surface, array};
use ribbonmesh_mesh::{Column, Policy, Sides, TriangleMesh};
use std::sync::Arc;

/// A mesh on a device, or on the host beside one.
pub(crate) trait Whole {
    /// The device.
    fn device(&self) -> &Device;
    /// Number of vertices.
    fn vertices(&self) -> usize;
    /// Three vertices of each face, on the device.
    fn faces(&self) -> Result<Buffer<u32>, Error>;
    /// Positions, on the device.
    fn positions(&self) -> Result<Buffer<DVec3>, Error>;
    /// Positions of some vertices, on the device.
    fn points(&mut self, vertices: &Buffer<u32>) -> Result<Buffer<DVec3>, Error>;
    /// Whether new faces between vertices that are there get no attributes, and none is dropped.
    fn has_bare_faces(&self) -> bool;
    /// Copies of some elements with their attributes; `corners` has the vertices of the faces by their places
    /// in the list.
    fn part(
        &mut self,
        vertices: &[u32],
        faces: &[u32],
        corners: Vec<[u32; 3]>,
    ) -> Result<TriangleMesh, FillError>;
}

/// A mesh of the host beside a device.
pub(crate) struct OnHost<'a> {
    pub device: &'a Device,
    pub mesh: &'a TriangleMesh,
}
impl Whole for OnHost<'_> {
    fn device(&self) -> &Device {
        self.device
    }
    fn vertices(&self) -> usize {
        self.mesh.positions.len()
    }
    fn faces(&self) -> Result<Buffer<u32>, Error> {
        self.device.upload(self.mesh.faces.as_flattened())
    }
    fn positions(&self) -> Result<Buffer<DVec3>, Error> {
        self.device.upload(&self.mesh.positions)
    }
    fn points(&mut self, vertices: &Buffer<u32>) -> Result<Buffer<DVec3>, Error> {
        let at = |v: &u32| self.mesh.positions[*v as usize];
        self.device.upload(&vertices.read()?.iter().map(at).collect::<Vec<DVec3>>())
    }
    fn has_bare_faces(&self) -> bool {
        let goes = |column: &Column| column.policy() == Policy::Drop;
        self.mesh.faces_of().is_empty()
            && self.mesh.corners().is_empty()
            && !self.mesh.vertices().into_iter().any(goes)
    }
    fn part(
        &mut self,
        vertices: &[u32],
        faces: &[u32],
        corners: Vec<[u32; 3]>,
    ) -> Result<TriangleMesh, FillError> {
        let faces: Vec<(u32, [u32; 3])> = faces.iter().copied().zip(corners).collect();
        Ok(self.mesh.part(vertices, &faces)?)
    }
}

/// A surface whose ids are the places of its elements.
impl Whole for Surface {
    fn device(&self) -> &Device {
        self.device()
    }
    fn vertices(&self) -> usize {
        self.triangles().positions().len()
    }
    fn faces(&self) -> Result<Buffer<u32>, Error> {
        self.triangles().faces().try_clone()
    }
    fn positions(&self) -> Result<Buffer<DVec3>, Error> {
        self.exact_positions()
    }
    fn points(&mut self, vertices: &Buffer<u32>) -> Result<Buffer<DVec3>, Error> {
        self.exact_positions_of(vertices)
    }
    fn has_bare_faces(&self) -> bool {
        self.has_bare_faces()
    }
    fn part(
        &mut self,
        vertices: &[u32],
        faces: &[u32],
        corners: Vec<[u32; 3]>,
    ) -> Result<TriangleMesh, FillError> {
        Ok(self.part(vertices, faces, corners)?)
    }
}

/// The faces at the vertices of a boundary as a mesh of its own. Vertices and faces are numbered among
/// themselves, in the order of the whole mesh.
pub(crate) struct Surroundings {
    /// Number of vertices of the whole mesh.
    pub whole: usize,
    /// Number of its faces.
    pub whole_faces: usize,
    /// The faces with their vertices and all attributes.
    pub mesh: TriangleMesh,
    /// The vertices in the whole mesh, ascending.
    pub vertices: Vec<u32>,
    /// The faces in the whole mesh, ascending.
    pub faces: Vec<u32>,
    /// The sides of the boundary, ascending.
    pub sides: Vec<u32>,
    /// The vertices of several fans, ascending, with their numbers in the whole mesh. Vertices whose fans are
    /// all closed may be left out of the part, and are [`NONE`] then.
    pub several_fans: Vec<(u32, u32)>,
    /// Reasons for which the mesh is not an oriented manifold.
    pub violations: Violations,
    /// The first vertex, in the whole mesh, of the component of each vertex.
    pub components: Vec<u32>,
    /// The same on the device as trees, and three vertices of each face, for the whole mesh; `None` without a
    /// boundary.
    pub on_device: Option<OnDevice>,
}
/// A mesh whose components are known.
pub(crate) struct OnDevice {
    pub parent: Buffer<u32>,
    pub faces: Arc<Buffer<u32>>,
}

/// Rounds that make trees of most of a component before its vertices are united.
const ROUNDS: u32 = 2;

/// Finds the components: trees of vertices whose roots are the first vertices of the components.
pub(crate) fn trees(device: &Device, vertices: usize, faces: &Buffer<u32>) -> Result<Buffer<u32>, Error> {
    let mut parent = array::count_up(device, vertices as u32)?;
    let n = faces.len() as u32 / 3;
    for _ in 0..ROUNDS {
        device.launch_each(n, LeadDown { faces: faces.view(), parent: parent.view_mut() })?;
        device.launch_each(vertices as u32, Flatten { parent: parent.view_mut() })?;
    }
    device.launch_each(n, UniteVertices { faces: faces.view(), parent: parent.view_mut() })?;
    Ok(parent)
}

impl Surroundings {
    /// Reads the part around the boundary, which was found. Linear.
    pub fn of(whole: &mut impl Whole, mut looked: Looked) -> Result<Self, FillError> {
        let vertices = looked.vertices;
        looked.read_sides()?;
        let boundary = &looked.boundary;
        let mut around = Self {
            whole: vertices,
            whole_faces: looked.faces.len() / 3,
            mesh: TriangleMesh::default(),
            vertices: vec![],
            faces: vec![],
            sides: vec![],
            several_fans: boundary.several_fans.iter().map(|&v| (NONE, v)).collect(),
            violations: boundary.violations.clone(),
            components: vec![],
            on_device: None,
        };
        if boundary.sides.is_empty() {
            return Ok(around);
        }
        let device = whole.device().clone();
        let list = looked.faces_around(&device.upload(&boundary.sides)?)?;
        let faces = looked.faces;
        let corners = rows(&faces, &list)?;
        let (inner, corners) = compacted(vertices, &corners)?;

        let parent = trees(&device, vertices, &faces)?;
        let mut labels = device.unspecified::<u32>(inner.len())?;
        let label = LabelListed { list: inner.view(), parent: parent.view(), labels: labels.view_mut() };
        device.launch_each(inner.len() as u32, label)?;

        (around.vertices, around.faces) = (inner.read()?, list.read()?);
        around.components = labels.read()?;
        let corners = corners.read()?.as_chunks().0.to_vec();
        around.mesh = whole.part(&around.vertices, &around.faces, corners)?;
        let place = |list: &[u32], id: u32| list.binary_search(&id).map_or(NONE, |place| place as u32);
        for (local, v) in &mut around.several_fans {
            *local = place(&around.vertices, *v);
        }
        let side = |side: &u32| 3 * place(&around.faces, side / 3) + side % 3;
        around.sides = boundary.sides.iter().map(side).collect();
        around.on_device = Some(OnDevice { parent, faces });
        Ok(around)
    }
    /// All of a mesh of few faces, an oriented manifold except that its boundary loops may touch. Linear, on
    /// the calling thread. Components are not found.
    pub fn of_few(mesh: TriangleMesh) -> Self {
        let (vertices, faces) = (mesh.positions.len(), mesh.faces.len());
        let open: Vec<(u32, usize)> = Sides::of(vertices, &mesh.faces).open().collect();
        // each fan with a boundary has one side of it that begins at its vertex
        let mut fans = vec![0_u32; vertices];
        open.iter().for_each(|(f, side)| fans[mesh.faces[*f as usize][*side] as usize] += 1);
        let several = |v: &u32| fans[*v as usize] > 1;
        Self {
            whole: vertices,
            whole_faces: faces,
            mesh,
            vertices: (0..vertices as u32).collect(),
            faces: (0..faces as u32).collect(),
            sides: open.into_iter().map(|(f, side)| 3 * f + side as u32).collect(),
            several_fans: (0..vertices as u32).filter(several).map(|v| (v, v)).collect(),
            violations: Violations::default(),
            components: vec![0; vertices],
            on_device: None,
        }
    }
    /// The vertex of the whole mesh; copies follow all vertices.
    pub fn vertex(&self, v: u32) -> u32 {
        match self.vertices.get(v as usize) {
            Some(&vertex) => vertex,
            None => (self.whole + v as usize - self.vertices.len()) as u32,
        }
    }
    /// The face of the whole mesh of which a corner is, as a corner there.
    pub fn corner(&self, corner: u32) -> u32 {
        3 * self.faces[corner as usize / 3] + corner % 3
    }
}
