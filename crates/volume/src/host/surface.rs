//! The surface of a volume, as triangles.
use super::error::Result;
use super::mesh::VolumeMesh;
use super::relation::Relation;
use super::tcsr::count;
use crate::device::boundary::{CountBoundary, FillBoundary};
use glam::Vec3;
use ribbonmesh::{Buffer, Device, FlatTopology, MeshOptions, StaticMesh, TriangleMesh, array};

/// The triangles around a volume, with normals out of it, and what they belong to in the volume.
///
/// A side of a face belongs to the surface if a cell looks at the face from within and none from without. A
/// face without cells is there twice, once from each side. Faces of more than three vertices are cut into
/// triangles at their smallest vertex; triangles of a face follow each other.
pub struct VolumeSurface {
    x: Buffer<Vec3>,
    corners: Buffer<u32>,
    vertices: Buffer<u32>,
    faces: Buffer<u32>,
    cells: Buffer<u32>,
}

impl VolumeMesh {
    /// The surface of the volume. Two launches over the faces, three prefix sums; makes FC and FV; waits.
    /// # Errors
    /// [`Error::TooMany`](ribbonmesh::Error::TooMany) beyond 2³¹ corners; out of memory; errors of the
    /// driver.
    pub fn surface(&self) -> Result<VolumeSurface> {
        let (device, n) = (self.device(), self.faces() as u32);
        let (fc, fv) = (self.relation(Relation::FC)?, self.relation(Relation::FV)?);
        let mut starts = device.zeros::<u32>(n as usize + 1)?;
        let (rows, counts) = (fv.view(), starts.view_mut());
        device.launch_each(n, CountBoundary { fc: fc.view(), fe: rows, counts })?;
        let triangles = array::exclusive_scan(&mut starts)? as usize;
        count("corners of the surface", 3 * triangles)?;
        let mut corners = device.unspecified::<u32>(3 * triangles)?;
        let mut faces = device.unspecified::<u32>(triangles)?;
        let mut cells = device.unspecified::<u32>(triangles)?;
        let fill = FillBoundary {
            fc: fc.view(),
            fv: fv.view(),
            starts: starts.view(),
            triangles: corners.view_mut(),
            faces: faces.view_mut(),
            cells: cells.view_mut(),
        };
        device.launch_each(n, fill)?;
        let mut numbers = self.boundary_vertices()?;
        let vertices = array::select(&numbers)?;
        array::exclusive_scan(&mut numbers)?;
        let corners = array::gather(&numbers, &corners)?;
        let x = array::gather(self.positions(), &vertices)?;
        Ok(VolumeSurface { x, corners, vertices, faces, cells })
    }
}

impl VolumeSurface {
    /// The device that holds it.
    pub fn device(&self) -> &Device {
        self.corners.device()
    }
    /// The number of triangles.
    pub fn triangles(&self) -> usize {
        self.faces.len()
    }
    /// Positions of the surface's vertices.
    pub fn positions(&self) -> &Buffer<Vec3> {
        &self.x
    }
    /// Three vertices for each triangle, as numbers of the surface.
    pub fn corners(&self) -> &Buffer<u32> {
        &self.corners
    }
    /// For each vertex of the surface that of the volume; ascending.
    pub fn volume_vertices(&self) -> &Buffer<u32> {
        &self.vertices
    }
    /// For each triangle the face of the volume of which it is a part; ascending.
    pub fn volume_faces(&self) -> &Buffer<u32> {
        &self.faces
    }
    /// For each triangle the cell behind it, the smallest if there are several;
    /// [`NONE`](ribbonmesh::device::NONE) if there is none.
    pub fn volume_cells(&self) -> &Buffer<u32> {
        &self.cells
    }
    /// Vertices and edges of the triangles on the same device: what meshes are made of.
    /// # Errors
    /// Out of memory; errors of the driver.
    pub fn topology(&self) -> Result<FlatTopology> {
        Ok(FlatTopology::from_buffer(self.vertices.len(), self.corners.try_clone()?)?)
    }
    /// The surface as a mesh of patches. Vertices and faces in the order of the input, as
    /// [`StaticMesh::vertex_inputs`] has it, belong to this surface.
    /// # Errors
    /// Errors of [`StaticMesh::from_flat`].
    pub fn to_static_mesh(&self, options: &MeshOptions) -> Result<StaticMesh> {
        Ok(StaticMesh::from_flat(&self.topology()?, options)?)
    }
    /// The surface on the host, with the columns `volume_vertex` of vertices, `volume_face` and `volume_cell`
    /// of faces, which applications carry along; waits.
    /// # Errors
    /// Errors of earlier kernels or of the driver.
    pub fn download(&self) -> Result<TriangleMesh> {
        let positions = self.x.read()?;
        let faces = self.corners.read()?.chunks_exact(3).map(|c| [c[0], c[1], c[2]]).collect();
        let mut mesh = TriangleMesh::from_f32(positions.iter().map(Vec3::to_array), faces);
        let columns = (|| {
            mesh.vertices_mut().insert("volume_vertex", self.vertices.read()?)?;
            mesh.faces_of_mut().insert("volume_face", self.faces.read()?)?;
            mesh.faces_of_mut().insert("volume_cell", self.cells.read()?)?;
            Ok::<_, ribbonmesh::Error>(())
        })();
        columns?;
        Ok(mesh)
    }
}

impl std::fmt::Debug for VolumeSurface {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "VolumeSurface of {} triangles on {:?}", self.triangles(), self.device())
    }
}
