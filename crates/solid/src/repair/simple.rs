//! A quick look at triangles that are probably an oriented manifold.
use crate::repair::RepairOptions;
use crate::repair::kernels::look::{CountAtVertices, FlagAround, ListAtVertices, LookAtVertices, count};
use rayon::prelude::*;
use ribbonmesh::device::tiles;
use ribbonmesh::{Buffer, Result, array};

/// Most faces, as for a flat topology.
const FACES: usize = 400_000_000;

/// The boundary of an oriented manifold of which several fans with a boundary may meet at a vertex.
pub(crate) struct Simple {
    /// Begins with the sides of faces whose edges have no other face, in any order; their number.
    pub open: (Buffer<u32>, u32),
    /// The vertices of several fans, ascending.
    pub several_fans: Vec<u32>,
    /// Number of vertices without a face.
    pub isolated: u32,
    /// The corners of all vertices.
    pub corners: CornersAt,
}
impl Simple {
    /// Whether repair with `options` changes nothing.
    pub fn is_enough(&self, options: &RepairOptions) -> bool {
        options.keep_manifolds()
            && (options.keep_touching || self.several_fans.is_empty())
            && (!options.remove_isolated || self.isolated == 0)
    }
    /// The sides of the boundary, ascending. Waits.
    pub fn open_sides(&self) -> Result<Vec<u32>> {
        sorted(&self.open.0, self.open.1)
    }
}

/// The corners of each vertex, in any order.
pub(crate) struct CornersAt {
    /// The ends of their parts of the list.
    pub ends: Buffer<u32>,
    /// The corners.
    pub list: Buffer<u32>,
}

impl CornersAt {
    /// The faces at the vertices where sides begin, ascending. Waits.
    pub fn faces_around(&self, sides: &Buffer<u32>, faces: &Buffer<u32>) -> Result<Buffer<u32>> {
        let device = faces.device();
        let mut flags = device.zeros::<u32>(faces.len() / 3)?;
        let flag = FlagAround {
            sides: sides.view(),
            faces: faces.view(),
            ends: self.ends.view(),
            list: self.list.view(),
            flags: flags.view_mut(),
        };
        device.launch_each(sides.len() as u32, flag)?;
        array::select(&flags)
    }
}

/// Looks at the faces around each vertex; `None` if there is anything that an oriented manifold does not
/// have, but for vertices of several fans that all have a boundary, or if a vertex has very many faces. Waits
/// twice, and once more if there are such vertices.
pub(crate) fn look_simply(vertices: usize, faces: &Buffer<u32>) -> Result<Option<Simple>> {
    let (device, n) = (faces.device(), faces.len());
    if vertices.max(n) > 3 * FACES || !n.is_multiple_of(3) {
        return Ok(None);
    }
    let mut ends = device.zeros::<u32>(vertices)?;
    let mut found = device.zeros::<u32>(count::ALL)?;
    let (counts, wrong) = (ends.view_mut(), found.view_mut());
    device.launch_each(n as u32, CountAtVertices { faces: faces.view(), counts, found: wrong })?;
    array::exclusive_scan(&mut ends)?;
    let mut list = device.unspecified::<u32>(n)?;
    let (cursors, to) = (ends.view_mut(), list.view_mut());
    device.launch_each(n as u32, ListAtVertices { faces: faces.view(), cursors, list: to })?;
    let mut open = device.unspecified::<u32>(n)?;
    let mut several = device.unspecified::<u32>(vertices)?;
    let look = LookAtVertices {
        vertices: vertices as u32,
        faces: faces.view(),
        ends: ends.view(),
        list: list.view(),
        open: open.view_mut(),
        several: several.view_mut(),
        found: found.view_mut(),
    };
    device.launch(tiles(vertices as u32), look)?;
    let found = found.read()?;
    let of = |which: u32| found[which as usize];
    if of(count::UNFIT) + of(count::WRONG) > 0 {
        return Ok(None);
    }
    Ok(Some(Simple {
        several_fans: sorted(&several, of(count::SEVERAL))?,
        open: (open, of(count::OPEN)),
        isolated: of(count::ISOLATED),
        corners: CornersAt { ends, list },
    }))
}

/// The first `n` numbers, ascending. Waits.
pub(crate) fn sorted(numbers: &Buffer<u32>, n: u32) -> Result<Vec<u32>> {
    let mut list = if n > 0 { numbers.read_range(0, n as usize)? } else { vec![] };
    numbers.device().install(|| list.par_sort_unstable());
    Ok(list)
}
