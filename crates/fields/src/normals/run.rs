//! Normals: the host's part.
use crate::normals::Weight;
use crate::normals::kernels::{
    LONG, LinkCorners, NormalsByAngleFlat, NormalsByAngleLinked, NormalsByAreaFlat, NormalsByAreaLinked,
    NormalsByMaxFlat, NormalsByMaxLinked, VERTICES, WITHOUT,
};
use ribbonmesh::array::Groups;
use ribbonmesh::corners::FlatCornersArguments;
use ribbonmesh::device::tiles;
use ribbonmesh::glam::Vec3;
use ribbonmesh::{Buffer, DeviceKind, Error, Result, array};

/// Unit normals of all vertices of triangles, three indices each: without edges, without patches. Linear in
/// the mesh. On a GPU two launches link the corners of each vertex and add them up; on a processor, and where
/// a vertex has more than 32 corners, these are grouped by vertex. Waits once, twice where both is done.
/// # Errors
/// [`Error::OtherDevice`]; [`Error::Length`] if the length of `faces` is not a multiple of three;
/// [`Error::Index`] if there is no position for a vertex; out of memory; errors of the driver.
pub fn normals_of_triangles(
    faces: &Buffer<u32>,
    positions: &Buffer<Vec3>,
    weight: Weight,
) -> Result<Buffer<Vec3>> {
    Ok(counted_normals(faces, positions, weight)?.0)
}

/// As [`normals_of_triangles`], with the number of vertices without a normal.
pub fn counted_normals(
    faces: &Buffer<u32>,
    positions: &Buffer<Vec3>,
    weight: Weight,
) -> Result<(Buffer<Vec3>, usize)> {
    let (device, n) = (faces.device(), positions.len());
    if !positions.device().same(device) {
        return Err(Error::OtherDevice { what: "the positions" });
    }
    if !faces.len().is_multiple_of(3) {
        let expected = faces.len() / 3 * 3;
        return Err(Error::Length { what: "vertices of triangles", expected, found: faces.len() });
    }
    let mut normals = device.unspecified::<Vec3>(n)?;
    // whether a vertex has many corners, and the number of zeros: one read for both
    let mut found = device.zeros::<u32>(WITHOUT as usize + 1)?;
    // a processor walks along links more slowly than along groups
    if device.kind() == DeviceKind::Cuda {
        add_linked(faces, positions, weight, &mut normals, &mut found)?;
        let read = found.read()?;
        if read[LONG as usize] == 0 {
            return Ok((normals, read[WITHOUT as usize] as usize));
        }
        found.clear()?;
    }
    let around = array::group_short(faces, n as u32, &mut found)?;
    add_up(faces, positions, weight, &around, &mut normals, &mut found)?;
    let mut read = found.read()?;
    if read[LONG as usize] != 0 {
        found.clear()?;
        add_up(faces, positions, weight, &around.sorted(faces, n as u32)?, &mut normals, &mut found)?;
        read = found.read()?;
    }
    Ok((normals, read[WITHOUT as usize] as usize))
}

/// Links the corners of each vertex, and adds them up in their order. Does not wait.
fn add_linked(
    faces: &Buffer<u32>,
    positions: &Buffer<Vec3>,
    weight: Weight,
    normals: &mut Buffer<Vec3>,
    found: &mut Buffer<u32>,
) -> Result<()> {
    let (device, blocks) = (faces.device(), (normals.len() as u32).div_ceil(VERTICES));
    let mut last = device.zeros::<u32>(normals.len())?;
    let mut links = device.unspecified::<u32>(faces.len())?;
    let link = LinkCorners { faces: faces.view(), last: last.view_mut(), before: links.view_mut() };
    device.launch(tiles(faces.len() as u32), link)?;
    let (faces, last, links) = (faces.view(), last.view(), links.view());
    let (x, normals, found) = (positions.view(), normals.view_mut(), found.view_mut());
    match weight {
        Weight::Area => device.launch(blocks, NormalsByAreaLinked { faces, last, links, x, normals, found }),
        Weight::Angle => {
            device.launch(blocks, NormalsByAngleLinked { faces, last, links, x, normals, found })
        }
        Weight::Max => device.launch(blocks, NormalsByMaxLinked { faces, last, links, x, normals, found }),
    }
}

/// Adds up the corners of each vertex, which were grouped. Does not wait.
fn add_up(
    faces: &Buffer<u32>,
    positions: &Buffer<Vec3>,
    weight: Weight,
    around: &Groups,
    normals: &mut Buffer<Vec3>,
    found: &mut Buffer<u32>,
) -> Result<()> {
    let corners = FlatCornersArguments { faces: faces.view(), corners: around.view() };
    let (device, blocks) = (faces.device(), tiles(normals.len() as u32));
    let (x, normals, found) = (positions.view(), normals.view_mut(), found.view_mut());
    match weight {
        Weight::Area => device.launch(blocks, NormalsByAreaFlat { corners, x, normals, found }),
        Weight::Angle => device.launch(blocks, NormalsByAngleFlat { corners, x, normals, found }),
        Weight::Max => device.launch(blocks, NormalsByMaxFlat { corners, x, normals, found }),
    }
}
