//! Unique edges: buckets of sides.
use super::scan::filled;
use crate::kernels::construct::edges::{
    CountSides, LARGE, LinkSides, SMALL, ScatterSides, SortLargeBuckets, SortSmallBuckets, counter,
};
use crate::{Buffer, Device, Result, array};
use ribbonmesh_device::tiles;

/// The sides of all faces, linked by edge.
pub(crate) struct Sides {
    /// First corner of each corner's edge.
    pub leader: Buffer<u32>,
    /// Next corner of the same edge.
    pub ring: Buffer<u32>,
    /// Counters, by the indices of [`counter`].
    pub counters: Vec<u32>,
    pub faces: u32,
}

pub(crate) fn link(device: &Device, vertices: u32, fv: &Buffer<u32>) -> Result<Sides> {
    let corners = fv.len() as u32;
    let mut ends = device.zeros::<u32>(vertices as usize)?;
    device.launch_each(corners, CountSides { fv: fv.view(), counts: ends.view_mut() })?;
    array::scan_counts(&mut ends)?;
    let mut sides = device.zeros::<u64>(corners as usize)?;
    let scatter = ScatterSides { fv: fv.view(), cursors: ends.view_mut(), sides: sides.view_mut() };
    device.launch_each(corners, scatter)?;

    let mut counters = device.zeros::<u32>(counter::COUNT)?;
    let mut large = device.zeros::<u32>((corners / SMALL) as usize + 1)?;
    let sort = SortSmallBuckets {
        vertices,
        ends: ends.view(),
        sides: sides.view_mut(),
        large: large.view_mut(),
        counters: counters.view_mut(),
    };
    device.launch(tiles(vertices), sort)?;
    let n = counters.read()?[counter::LARGE_BUCKETS as usize];
    if n > 0 {
        sort_large(device, n, &large, &ends, &mut sides)?;
    }

    let mut leader = device.zeros::<u32>(corners as usize)?;
    let mut ring = device.zeros::<u32>(corners as usize)?;
    let link = LinkSides {
        vertices,
        fv: fv.view(),
        ends: ends.view(),
        sides: sides.view(),
        leader: leader.view_mut(),
        ring: ring.view_mut(),
        counters: counters.view_mut(),
    };
    device.launch(tiles(vertices), link)?;
    Ok(Sides { leader, ring, counters: counters.read()?, faces: corners / 3 })
}

/// Buckets too long for one iteration: a block each, or the host.
fn sort_large(
    device: &Device,
    n: u32,
    large: &Buffer<u32>,
    ends: &Buffer<u32>,
    sides: &mut Buffer<u64>,
) -> Result<()> {
    let list = large.read_range(0, n as usize)?;
    let all_ends = ends.read()?;
    let span = |v: u32| {
        let first = if v == 0 { 0 } else { all_ends[v as usize - 1] };
        (first as usize, (all_ends[v as usize] - first) as usize)
    };
    let most = list.iter().map(|&v| span(v).1 as u32).filter(|&len| len <= LARGE).max();
    if let Some(most) = most {
        let sort = SortLargeBuckets { most, large: large.view(), ends: ends.view(), sides: sides.view_mut() };
        device.launch(n, sort)?;
    }
    for (first, len) in list.into_iter().map(span).filter(|s| s.1 > LARGE as usize) {
        let mut bucket = sides.read_range(first, len)?;
        rayon::slice::ParallelSliceMut::par_sort_unstable(&mut bucket[..]);
        sides.write_range(first, &bucket)?;
    }
    Ok(())
}

/// The connected components of the faces, by way of edges.
pub(in crate::static_mesh) struct Components {
    /// Each face's component, named by its smallest face.
    pub labels: Buffer<u32>,
    /// Labels, ascending, and numbers of faces.
    pub sizes: Vec<(u32, u32)>,
}

/// Finds the connected components.
pub(in crate::static_mesh) fn components(device: &Device, sides: &Sides) -> Result<Components> {
    use crate::kernels::construct::components::{CountLabels, LabelFaces, UniteFaces};
    let faces = sides.faces;
    let mut parent = array::count_up(device, faces)?;
    let unite = UniteFaces { ring: sides.ring.view(), parent: parent.view_mut() };
    device.launch_each(3 * faces, unite)?;
    device.launch_each(faces, LabelFaces { parent: parent.view_mut() })?;
    let mut sizes = device.zeros::<u32>(faces as usize)?;
    let mut roots = filled(device, faces as usize, 0)?;
    let mut counters = device.zeros::<u32>(1)?;
    let count = CountLabels {
        faces,
        labels: parent.view(),
        sizes: sizes.view_mut(),
        roots: roots.view_mut(),
        counters: counters.view_mut(),
    };
    device.launch(tiles(faces), count)?;
    let n = counters.read()?[0] as usize;
    let mut roots = roots.read_range(0, n)?;
    roots.sort_unstable();
    let sizes = if n <= 64 {
        let one = |&r: &u32| Ok((r, sizes.read_range(r as usize, 1)?[0]));
        roots.iter().map(one).collect::<Result<Vec<_>>>()?
    } else {
        let all = sizes.read()?;
        roots.iter().map(|&r| (r, all[r as usize])).collect()
    };
    Ok(Components { labels: parent, sizes })
}
