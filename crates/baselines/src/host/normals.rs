//! Vertex normals by atomics, on the host's side.
use crate::each::blocks;
use crate::normals::{AddIndexedTriangles, AddPatches, Normalize};
use ribbonmesh::glam::Vec3;
use ribbonmesh::{Attribute, Buffer, Device, Error, Result, StaticMesh, Vertex};

/// Indexed triangles on a device: the whole input of the hard-wired normals.
pub struct IndexedTriangles {
    faces: Buffer<[u32; 3]>,
    positions: Buffer<Vec3>,
}
impl IndexedTriangles {
    /// Copies them.
    /// # Errors
    /// [`Error::IndexOutOfRange`]; out of memory.
    pub fn new(device: &Device, positions: &[Vec3], faces: &[[u32; 3]]) -> Result<Self> {
        let vertices = positions.len();
        let wrong = |corners: &[u32; 3]| corners.iter().copied().find(|&v| v as usize >= vertices);
        let found = faces.iter().enumerate().find_map(|(face, corners)| Some((face, wrong(corners)?)));
        if let Some((face, vertex)) = found {
            return Err(Error::IndexOutOfRange { face, vertex, vertices });
        }
        Ok(Self { faces: device.upload(faces)?, positions: device.upload(positions)? })
    }
    /// Memory for normals.
    /// # Errors
    /// Out of memory.
    pub fn normals(&self) -> Result<Buffer<Vec3>> {
        self.positions.device().zeros(self.positions.len())
    }
    /// Adds the faces' weighted normals to `sums`, which has three numbers for each vertex: the work that the
    /// thesis times.
    /// # Errors
    /// [`Error::Length`]; errors of the driver.
    pub fn add_normals(&self, sums: &mut Buffer<Vec3>) -> Result<()> {
        let (expected, found) = (self.positions.len(), sums.len());
        if found != expected {
            return Err(Error::Length { what: "normals", expected, found });
        }
        let kernel = AddIndexedTriangles {
            faces: self.faces.view(),
            n: self.faces.len() as u32,
            positions: self.positions.view(),
            sums: sums.view_mut().wide(),
        };
        self.faces.device().launch(blocks(self.faces.len()), kernel)
    }
}

/// Unit normals of all vertices, in the order of the input, by one thread per face and atomics (thesis
/// 4.5.4). Three passes over `normals`: zeros, sums, lengths.
/// # Errors
/// [`Error::Length`]; errors of the driver.
pub fn hard_wired_normals(mesh: &IndexedTriangles, normals: &mut Buffer<Vec3>) -> Result<()> {
    normals.clear()?;
    mesh.add_normals(normals)?;
    let n = normals.len();
    mesh.faces.device().launch(blocks(n), Normalize { n: n as u32, sums: normals.view_mut() })
}

/// Unit normals of all vertices with the FV query of patches and atomics (thesis Listing 4.1). Passes as
/// [`hard_wired_normals`].
/// # Errors
/// [`Error::OtherMesh`]; errors of the driver.
pub fn atomic_normals(
    mesh: &StaticMesh,
    positions: &Attribute<Vertex, Vec3>,
    normals: &mut Attribute<Vertex, Vec3>,
) -> Result<()> {
    if !positions.belongs_to(mesh) || !normals.belongs_to(mesh) {
        return Err(Error::OtherMesh { what: "an attribute" });
    }
    let (device, n) = (mesh.device(), mesh.vertices());
    normals.fill(Vec3::ZERO)?;
    let kernel =
        AddPatches { mesh: mesh.view(), positions: positions.view(), sums: normals.view_mut().wide() };
    device.launch(mesh.patches() as u32, kernel)?;
    device.launch(blocks(n), Normalize { n: n as u32, sums: normals.view_mut() })
}
