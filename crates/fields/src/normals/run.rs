//! Normals: the host's part.
use crate::normals::Weight;
use crate::normals::kernels::{NormalsByAngleFlat, NormalsByAreaFlat, NormalsByMaxFlat};
use ribbonmesh::corners::FlatCornersArguments;
use ribbonmesh::device::tiles;
use ribbonmesh::glam::Vec3;
use ribbonmesh::{Buffer, Error, Result, array};

/// Unit normals of all vertices of triangles, three indices each: without edges, without patches. Groups the
/// corners by vertex, then one launch; linear in the mesh.
/// # Errors
/// [`Error::OtherDevice`]; [`Error::Length`] if the length of `faces` is not a multiple of three;
/// [`Error::Index`] if there is no position for a vertex; out of memory; errors of the driver.
pub fn normals_of_triangles(
    faces: &Buffer<u32>,
    positions: &Buffer<Vec3>,
    weight: Weight,
) -> Result<Buffer<Vec3>> {
    let (device, n) = (faces.device(), positions.len());
    if !positions.device().same(device) {
        return Err(Error::OtherDevice { what: "the positions" });
    }
    if !faces.len().is_multiple_of(3) {
        let expected = faces.len() / 3 * 3;
        return Err(Error::Length { what: "vertices of triangles", expected, found: faces.len() });
    }
    let around = array::group_by(faces, n as u32)?;
    let corners = FlatCornersArguments { faces: faces.view(), corners: around.view() };
    let mut normals = device.unspecified::<Vec3>(n)?;
    let (blocks, x) = (tiles(n as u32), positions.view());
    match weight {
        Weight::Area => {
            device.launch(blocks, NormalsByAreaFlat { corners, x, normals: normals.view_mut() })?;
        }
        Weight::Angle => {
            device.launch(blocks, NormalsByAngleFlat { corners, x, normals: normals.view_mut() })?;
        }
        Weight::Max => device.launch(blocks, NormalsByMaxFlat { corners, x, normals: normals.view_mut() })?,
    }
    Ok(normals)
}
