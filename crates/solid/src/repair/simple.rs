//! A quick look at triangles that are probably an oriented manifold.
use crate::repair::kernels::{CountAtVertices, ListAtVertices, LookAtVertices, count};
use ribbonmesh::device::tiles;
use ribbonmesh::{Buffer, Result, array};

/// Most faces, as for a flat topology.
const FACES: usize = 400_000_000;

/// The boundary of an oriented manifold of which several fans with a boundary may meet at a vertex.
pub(crate) struct Simple {
    /// The sides of faces whose edges have no other face, ascending.
    pub sides: Vec<u32>,
    /// The vertices of several fans, ascending.
    pub several_fans: Vec<u32>,
    /// Number of vertices without a face.
    pub isolated: u32,
}

/// Looks at the faces around each vertex; `None` if there is anything that an oriented manifold does not
/// have, but for vertices of several fans that all have a boundary, or if a vertex has very many faces. Takes
/// about a third of the time of linking all sides; waits twice, and twice again for each list.
pub(crate) fn look_simply(vertices: usize, faces: &Buffer<u32>) -> Result<Option<Simple>> {
    let (device, corners) = (faces.device(), faces.len());
    if vertices.max(corners) > 3 * FACES || !corners.is_multiple_of(3) {
        return Ok(None);
    }
    let mut ends = device.zeros::<u32>(vertices)?;
    let mut found = device.zeros::<u32>(count::ALL)?;
    let (counts, wrong) = (ends.view_mut(), found.view_mut());
    device.launch_each(corners as u32, CountAtVertices { faces: faces.view(), counts, found: wrong })?;
    array::exclusive_scan(&mut ends)?;
    let mut list = device.unspecified::<u32>(corners)?;
    let (cursors, to) = (ends.view_mut(), list.view_mut());
    device.launch_each(corners as u32, ListAtVertices { faces: faces.view(), cursors, list: to })?;
    let mut several = device.unspecified::<u32>(vertices)?;
    let mut open = device.zeros::<u32>(corners)?;
    let look = LookAtVertices {
        vertices: vertices as u32,
        faces: faces.view(),
        ends: ends.view(),
        list: list.view(),
        several: several.view_mut(),
        open: open.view_mut(),
        found: found.view_mut(),
    };
    device.launch(tiles(vertices as u32), look)?;
    let found = found.read()?;
    let of = |which: u32| found[which as usize];
    if of(count::UNFIT) + of(count::WRONG) > 0 {
        return Ok(None);
    }
    let listed = |flags: &Buffer<u32>, any: bool| if any { array::select(flags)?.read() } else { Ok(vec![]) };
    Ok(Some(Simple {
        sides: listed(&open, of(count::RIM) + of(count::SEVERAL) > 0)?,
        several_fans: listed(&several, of(count::SEVERAL) > 0)?,
        isolated: of(count::ISOLATED),
    }))
}
