//! The resulting tetrahedra.
use super::error::Result;
use super::quality::quality;
use super::report::TetrahedraReport;
use crate::tetrahedra::device::units::{Centroids, FromLattice, place};
use crate::{CellList, SimplexMesh, VolumeMesh, VolumeOptions, VolumeSurface};
use glam::{DVec3, Vec3};
use ribbonmesh::{Buffer, Device, Surface};

/// Tetrahedra on a device, made by [`tetrahedralize`](crate::tetrahedra::tetrahedralize).
///
/// Vertices and tetrahedra are numbered along the lattice. The numbers, and every bit of every position, are
/// the same in every run and on every machine.
pub struct Tetrahedra {
    pub(super) x: Buffer<Vec3>,
    pub(super) cells: Buffer<[u32; 4]>,
    pub(super) centre: DVec3,
    pub(super) origin: DVec3,
    pub(super) side: f32,
    pub(super) report: TetrahedraReport,
}

impl Tetrahedra {
    /// The report of the run.
    pub fn report(&self) -> &TetrahedraReport {
        &self.report
    }
    /// The device on which they are.
    pub fn device(&self) -> &Device {
        self.x.device()
    }
    /// The number of vertices.
    pub fn vertices(&self) -> usize {
        self.x.len()
    }
    /// The number of tetrahedra.
    pub fn len(&self) -> usize {
        self.cells.len()
    }
    /// Whether there are no tetrahedra; false for every result of
    /// [`tetrahedralize`](crate::tetrahedra::tetrahedralize).
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }
    /// The vertices of each tetrahedron, in VTK's order: volumes are positive.
    pub fn cells(&self) -> &Buffer<[u32; 4]> {
        &self.cells
    }
    /// The origin of the surface, to which [`Self::relative_positions`] refer.
    pub fn origin(&self) -> DVec3 {
        self.origin
    }
    /// The positions relative to [`Self::origin`], in single precision, on the device.
    /// # Errors
    /// Out of memory; errors of the driver.
    pub fn relative_positions(&self) -> Result<Buffer<Vec3>> {
        let (device, n) = (self.device(), self.vertices() as u32);
        let mut to = device.unspecified::<Vec3>(n as usize)?;
        let kernel = FromLattice {
            x: self.x.view(),
            centre: self.centre.to_array(),
            side: self.side,
            to: to.view_mut(),
        };
        device.launch_each(n, kernel)?;
        Ok(to)
    }
    /// The positions in double precision, on the host; waits.
    /// # Errors
    /// Errors of earlier kernels or of the driver.
    pub fn positions(&self) -> Result<Vec<DVec3>> {
        let centre = self.origin + self.centre;
        Ok(self.x.read()?.into_iter().map(|x| place(x, centre, self.side)).collect())
    }
    /// The tetrahedra as a list, on the host; waits.
    /// # Errors
    /// Errors of earlier kernels or of the driver.
    pub fn to_cells(&self) -> Result<CellList> {
        Ok(CellList::tetrahedra(&self.cells.read()?))
    }
    /// The mesh with all its relations, on the same device; positions relative to [`Self::origin`].
    /// # Errors
    /// The errors of [`VolumeMesh::new`].
    pub fn to_mesh(&self) -> Result<VolumeMesh> {
        let x = self.relative_positions()?.read()?;
        Ok(VolumeMesh::new(self.device(), &x, &self.to_cells()?, &VolumeOptions::default())?)
    }
    /// The mesh in the form that needs the least memory, on the same device; positions relative to
    /// [`Self::origin`].
    /// # Errors
    /// The errors of [`SimplexMesh::tetrahedra`].
    pub fn to_simplices(&self) -> Result<SimplexMesh> {
        let x = self.relative_positions()?.read()?;
        Ok(SimplexMesh::tetrahedra(self.device(), &x, &self.cells.read()?)?)
    }
    /// The volume of each part of the mesh that [`Self::to_mesh`] has made, by [`VolumeMesh::parts`]: its
    /// smallest tetrahedron and its volume, the largest first. A part consists of tetrahedra that are
    /// connected through faces. There are several parts if the surface has islands, or if it is thinner than
    /// cells somewhere. Waits.
    /// # Errors
    /// Out of memory; errors of the driver.
    pub fn parts(&self, mesh: &VolumeMesh) -> Result<Vec<(u32, f64)>> {
        let volumes = mesh.volumes()?.read()?;
        let mut sums = std::collections::BTreeMap::new();
        for (part, volume) in mesh.parts()?.into_iter().zip(&volumes) {
            *sums.entry(part).or_insert(0.0) += volume;
        }
        let mut all: Vec<(u32, f64)> = sums.into_iter().collect();
        all.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        Ok(all)
    }
    /// The largest part, with a report of its own: vertices and tetrahedra in the same order. On the host;
    /// waits.
    /// # Errors
    /// Out of memory; errors of the driver.
    pub fn largest_part(&self, mesh: &VolumeMesh) -> Result<Self> {
        let largest = self.parts(mesh)?.first().map(|(part, _)| *part);
        let (x, cells) = (self.x.read()?, self.cells.read()?);
        let of = mesh.parts()?;
        let kept: Vec<[u32; 4]> = cells
            .iter()
            .zip(&of)
            .filter(|(_, part)| Some(**part) == largest)
            .map(|(cell, _)| *cell)
            .collect();
        let mut numbers = vec![u32::MAX; x.len()];
        kept.iter().flatten().for_each(|&v| numbers[v as usize] = 0);
        let mut places = vec![];
        for (number, &place) in numbers.iter_mut().zip(&x).filter(|(number, _)| **number == 0) {
            *number = places.len() as u32;
            places.push(place);
        }
        let kept: Vec<[u32; 4]> = kept.iter().map(|cell| cell.map(|v| numbers[v as usize])).collect();
        let device = self.device();
        let (x, cells) = (device.upload(&places)?, device.upload(&kept)?);
        let mut quality = quality(&x, &cells)?;
        quality.volume *= f64::from(self.side).powi(3);
        let (vertices, tetrahedra) = (places.len() as u64, kept.len() as u64);
        let report = TetrahedraReport { vertices, tetrahedra, quality, ..self.report.clone() };
        Ok(Self { x, cells, report, ..*self })
    }
    /// For each triangle around the mesh that [`Self::to_mesh`] has made, the face of the surface that is
    /// closest to its centroid, as [`Surface::download`] numbers them. A tree, and one search per triangle;
    /// waits.
    /// # Errors
    /// [`Error::OtherDevice`](ribbonmesh::Error::OtherDevice); out of memory; errors of the driver.
    pub fn nearest_faces(&self, boundary: &VolumeSurface, surface: &Surface) -> Result<Vec<u32>> {
        let (device, n) = (self.device(), boundary.triangles());
        let mut points = device.unspecified::<Vec3>(n)?;
        let kernel = Centroids {
            x: boundary.positions().view(),
            corners: boundary.corners().view().wide(),
            to: points.view_mut(),
        };
        device.launch_each(n as u32, kernel)?;
        let places = surface.triangles().face_places()?.read()?;
        Ok(surface
            .tree()?
            .closest(&points, None)?
            .read()?
            .into_iter()
            .map(|found| places[found.face as usize])
            .collect())
    }
}

impl std::fmt::Debug for Tetrahedra {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} tetrahedra on {:?}", self.len(), self.device())
    }
}
