//! Test which faces of a mesh are inside of it.
use crate::planes::kernels::{
    COUNTS, CastFromClusters, ClustersArguments, DecideFaces, JoinClusters, NearMarked, NextOfClusters,
    OneMoreRing,
};
use crate::planes::test::PlaneTest;
use ribbonmesh::device::{BufferView, NONE, tiles};
use ribbonmesh::{Buffer, Error, Result, array};

/// Number of steps of clustering.
const STEPS: u32 = 10;

/// Options of [`PlaneTest::faces_inside`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FacesInsideOptions {
    /// Rings around marked faces whose faces have a ray each.
    pub rings: u32,
    /// Most rays of a cluster of other faces, 1 to 65,535.
    pub casts: u32,
}
impl Default for FacesInsideOptions {
    /// The values of the paper.
    fn default() -> Self {
        Self { rings: 2, casts: 9 }
    }
}

/// Result of [`PlaneTest::faces_inside`].
pub struct FacesInside {
    /// For each face 1 if it is inside; 0 if it is outside or marked.
    pub inside: Buffer<u32>,
    /// Number of faces that had a ray of their own.
    pub single: u32,
    /// Number of those whose clusters' rays did not agree.
    pub disputed: u32,
}

impl PlaneTest<'_> {
    /// Finds the faces inside of the volume that the mesh bounds: there is volume on the side to which their
    /// normals point. Faces of the surface of a cavity are not inside. Between marked faces, such as those
    /// that [intersect](ribbonmesh_solid::intersections), faces are all inside or all outside. So connected
    /// faces share rays, and faces near marked ones have a ray each. A ray begins at the barycentre, rounded,
    /// runs along the axis that is nearest to the normal, and does not count its own face. The same on every
    /// machine.
    ///
    /// A cluster is inside if all of its rays say so. If they disagree, because a face is not marked that
    /// should be, each of its faces gets a ray of its own. (The paper takes the majority of the rays. It also
    /// takes rays of arbitrary faces; here they are those with the smallest numbers.) Waits.
    /// # Errors
    /// [`Error::Option`] for `casts` of 0 or more than 65,535; [`Error::Length`] unless there is a mark for
    /// each face; [`Error::OtherDevice`]; out of memory; errors of the driver.
    pub fn faces_inside(&mut self, marks: &Buffer<u32>, options: &FacesInsideOptions) -> Result<FacesInside> {
        let (device, triangles, faces) = (self.device(), self.triangles, self.faces());
        let n = (triangles.faces.len() / 3) as u32;
        if !marks.device().same(device) {
            return Err(Error::OtherDevice { what: "the marks of faces" });
        }
        if marks.len() != n as usize {
            return Err(Error::Length { what: "marks of faces", expected: n as usize, found: marks.len() });
        }
        if !(1..=0xffff).contains(&options.casts) {
            let (value, expected) = (options.casts.to_string(), "1 to 65535");
            return Err(Error::Option { option: "casts", value, expected });
        }
        let (vertices, count) = (triangles.faces.view().wide::<[u32; 3]>(), triangles.positions.len());
        let mut near = device.zeros::<u32>(count)?;
        device.launch_each(n, NearMarked { vertices, marks: marks.view(), near: near.view_mut() })?;
        for _ in 0..options.rings {
            let mut wider = near.try_clone()?;
            device.launch_each(n, OneMoreRing { vertices, from: near.view(), to: wider.view_mut() })?;
            near = wider;
        }
        let mut labels = array::count_up(device, count as u32)?;
        for _ in 0..STEPS {
            let mut joined = labels.try_clone()?;
            let clusters = ClustersArguments { vertices, near: near.view(), labels: labels.view() };
            device.launch_each(n, JoinClusters { clusters, to: joined.view_mut() })?;
            labels = joined;
        }
        let clusters = ClustersArguments { vertices, near: near.view(), labels: labels.view() };
        let mut votes = device.zeros::<u32>(count)?;
        let mut chosen: Option<Buffer<u32>> = None;
        for _ in 0..options.casts {
            let mut next = device.unspecified::<u32>(count)?;
            array::fill(&mut next, NONE)?;
            let from = chosen.as_ref().map_or(BufferView::empty(), Buffer::view);
            device.launch_each(n, NextOfClusters { clusters, from, to: next.view_mut() })?;
            let planes = self.all()?;
            let kernel = CastFromClusters { faces, planes, chosen: next.view(), votes: votes.view_mut() };
            device.launch(tiles(count as u32), kernel)?;
            chosen = Some(next);
        }
        let mut inside = device.unspecified::<u32>(n as usize)?;
        let mut counts = device.zeros::<u32>(COUNTS)?;
        let planes = self.all()?;
        let kernel = DecideFaces {
            faces,
            planes,
            clusters,
            marks: marks.view(),
            votes: votes.view(),
            inside: inside.view_mut(),
            counts: counts.view_mut(),
        };
        device.launch(tiles(n), kernel)?;
        let counts = counts.read()?;
        Ok(FacesInside { inside, single: counts[0], disputed: counts[1] })
    }
}
