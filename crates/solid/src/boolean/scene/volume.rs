//! Volumes between faces and a point.
use crate::boolean::kernels::places::SumVolumes;
use crate::boolean::scene::Scene;
use glam::{DVec3, Vec3};
use ribbonmesh::device::tiles;
use ribbonmesh::{Buffer, Result, array};

/// The volume between a range of faces, as the first one and a number, and a point.
fn volume_between(
    points: &Buffer<Vec3>,
    faces: &Buffer<u32>,
    [first, n]: [u32; 2],
    middle: Vec3,
) -> Result<f64> {
    let device = points.device();
    if n == 0 {
        return Ok(0.0);
    }
    let mut sums = device.zeros::<f64>(tiles(n) as usize)?;
    let sum = SumVolumes {
        points: points.view(),
        faces: faces.view().wide(),
        first,
        n,
        middle: middle.to_array(),
        sums: sums.view_mut(),
    };
    device.launch(tiles(n), sum)?;
    Ok(sums.read()?.into_iter().sum::<f64>() / 6.0)
}

/// A point in the middle of others; `None` if there are none.
pub(crate) fn middle(points: &Buffer<Vec3>) -> Result<Option<DVec3>> {
    let ends = array::min(points)?.zip(array::max(points)?);
    Ok(ends.map(|(low, high)| (low.as_dvec3() + high.as_dvec3()) / 2.0))
}

/// The volume within closed triangles.
pub(crate) fn volume(points: &Buffer<Vec3>, faces: &Buffer<u32>) -> Result<f64> {
    let middle = middle(points)?.unwrap_or_default().as_vec3();
    volume_between(points, faces, [0, (faces.len() / 3) as u32], middle)
}

impl Scene {
    /// The volume within all faces.
    pub(crate) fn volume_of_all(&self) -> Result<f64> {
        volume(&self.points, &self.faces)
    }
    /// The volume between the faces of a mesh and a point.
    pub(crate) fn volume(&self, mesh: usize, middle: DVec3) -> Result<f64> {
        volume_between(&self.points, &self.faces, self.range(mesh), (middle - self.origin).as_vec3())
    }
}
