//! Surfaces for measuring distances: triangles with their tree.
use crate::array::{self, kernels::ordered::from_ordered};
use crate::bvh::Bvh;
use crate::bvh::aabb::Aabb;
use crate::bvh::hierarchy::FAR_SMALLER;
use crate::bvh::kernels::distance::{
    AreasBeforeTiles, AreasOfAll, AreasOfTiles, AroundCorners, AroundPoints, FirstCorners, LookAtFaces,
    MarkFirstCorners, SampleSurface, TakeFirst,
};
use crate::bvh::kernels::extent::BOX;
use crate::device::{Vec3, tiles};
use crate::{Buffer, Device, Error, Result};
use ribbonmesh_mesh::BoundingBox;

/// The ratio of other coordinates to a surface's own from which on its tree is scaled by the others.
const FAR: f32 = 1e15;
/// Faces of which [`around_most`] gets a vertex.
const LOOKS: usize = 4096;

/// A box around nearly all faces, given vertices of some of them: a few vertices very far away do not count.
/// `None` if it has no size.
fn around_most(seen: &[Vec3]) -> Option<Aabb> {
    // all but two hundredths at either end
    let rest = seen.len() / 50;
    let ends = |axis: usize| {
        let mut all: Vec<f32> = seen.iter().map(|p| p[axis]).collect();
        let last = all.len().checked_sub(1 + rest)?;
        let low = *all.select_nth_unstable_by(rest, f32::total_cmp).1;
        Some((low, *all.select_nth_unstable_by(last, f32::total_cmp).1))
    };
    let [x, y, z] = [ends(0)?, ends(1)?, ends(2)?];
    let (lo, hi) = (Vec3::new(x.0, y.0, z.0), Vec3::new(x.1, y.1, z.1));
    let room = 4.0 * (hi - lo).max_element();
    (room > 0.0 && room.is_finite()).then(|| Aabb { lo: lo - room, hi: hi + room })
}

/// The extent of triangles on a device.
pub struct Extent {
    /// The box around all finite positions; infinite the wrong way round without one.
    all: Aabb,
    /// The same of the vertices that have a face.
    used: Aabb,
    /// The box around nearly all faces.
    pub(super) most: Option<Aabb>,
}
impl Extent {
    /// Measures triangles, three indices each. Waits once.
    /// # Errors
    /// Out of memory; errors of the driver.
    pub fn of(positions: &Buffer<Vec3>, corners: &Buffer<u32>) -> Result<Self> {
        let (device, n, faces) = (positions.device(), positions.len() as u32, corners.len() / 3);
        let step = faces.div_ceil(LOOKS).max(1);
        let (looks, at) = (faces.div_ceil(step), 2 * BOX);
        let mut found = device.zeros::<u32>(at as usize + 3 * looks)?;
        let points = positions.view();
        device.launch(tiles(n), AroundPoints { points, n, found: found.view_mut() })?;
        let n = corners.len() as u32;
        let kernel = AroundCorners { points, corners: corners.view(), n, found: found.view_mut() };
        device.launch(tiles(n), kernel)?;
        let (step, corners) = (step as u32, corners.view());
        let kernel = LookAtFaces { points, corners, step, at, found: found.view_mut() };
        device.launch_each(looks as u32, kernel)?;
        let found = found.read()?;
        let bounds = |words: &[u32]| {
            let end = |i: usize| if words[i] == 0 { f32::INFINITY } else { from_ordered(!words[i]) };
            let corner = |i: usize| Vec3::new(end(i), end(i + 1), end(i + 2));
            Aabb { lo: corner(0), hi: -corner(3) }
        };
        let (all, rest) = found.split_at(BOX as usize);
        let (used, seen) = rest.split_at(BOX as usize);
        let seen: Vec<Vec3> = seen.as_chunks().0.iter().map(|p| Vec3::from(p.map(f32::from_bits))).collect();
        Ok(Self { all: bounds(all), used: bounds(used), most: around_most(&seen) })
    }
    /// The largest absolute coordinate of a vertex that has a face.
    pub fn reach(&self) -> f32 {
        reach(&self.used)
    }
    /// The box around the vertices that have a face; empty without one.
    pub fn bounds(&self) -> BoundingBox {
        let Aabb { lo, hi } = self.used;
        if lo.cmple(hi).all() {
            BoundingBox { low: lo.as_dvec3(), high: hi.as_dvec3() }
        } else {
            BoundingBox::EMPTY
        }
    }
    /// Whether a tree may be made by cells of the box around most faces instead of that around all positions.
    fn is_narrow(&self) -> bool {
        let Some(most) = self.most else { return false };
        let [side, narrow] = [self.all.union(most), most].map(|Aabb { lo, hi }| (hi - lo).max_element());
        // NaN counts as far larger
        side.is_nan() || narrow.is_nan() || side > FAR_SMALLER * narrow
    }
}
/// The largest absolute coordinate of a box; 0 of an empty one.
fn reach(of: &Aabb) -> f32 {
    let most = of.lo.abs().max(of.hi.abs()).max_element();
    if most.is_finite() { most } else { 0.0 }
}

/// A surface for [`distance`](crate::bvh::distance): a tree for closest points, vertices, and areas for
/// random points.
pub struct SampledSurface {
    bvh: Bvh,
    /// The vertices that have a face, as the faces in the order of the tree first have them.
    vertices: Buffer<Vec3>,
    /// Area of the first triangles of the tree, each included.
    areas: Buffer<f64>,
    area: f64,
    around: BoundingBox,
}

impl SampledSurface {
    /// The surface of `faces`, each three indices of `positions`. Vertices without a face do not belong to
    /// the surface. Linear in the faces.
    /// # Errors
    /// [`Error::NoFaces`]; as [`Bvh::new`].
    pub fn new(device: &Device, positions: &[Vec3], faces: &[[u32; 3]]) -> Result<Self> {
        Self::beside(device, positions, faces, 0.0)
    }
    /// The largest absolute coordinate of a vertex that has a face. Linear.
    pub fn reach(positions: &[Vec3], faces: &[[u32; 3]]) -> f32 {
        let used = faces.as_flattened().iter().filter_map(|&v| positions.get(v as usize));
        used.fold(0.0, |most: f32, p| most.max(p.abs().max_element()))
    }
    /// As [`SampledSurface::new`], to be measured from points of another surface of this
    /// [`reach`](Self::reach). Where it is more than 10¹⁵ times its own, squared distances would overflow:
    /// its tree is scaled for the other's coordinates then. All other trees are the same as from
    /// [`SampledSurface::new`].
    /// # Errors
    /// As [`SampledSurface::new`].
    pub fn beside(device: &Device, positions: &[Vec3], faces: &[[u32; 3]], other: f32) -> Result<Self> {
        let (positions, corners) = (device.upload(positions)?, device.upload(faces.as_flattened())?);
        let extent = Extent::of(&positions, &corners)?;
        let tree = || Bvh::from_buffers(&positions, &corners);
        Self::with_tree(&positions, &corners, &extent, other, tree)
    }
    /// As [`SampledSurface::beside`] of triangles on a device, with the tree by [`Bvh::from_buffers`] where
    /// there is no need for another.
    pub(crate) fn with_tree(
        positions: &Buffer<Vec3>,
        corners: &Buffer<u32>,
        extent: &Extent,
        other: f32,
        tree: impl FnOnce() -> Result<Bvh>,
    ) -> Result<Self> {
        if corners.is_empty() {
            return Err(Error::NoFaces { what: "the surface" });
        }
        let far = FAR * extent.reach();
        let reach = if other.is_finite() && other > far { other } else { 0.0 };
        // vertices without a face must not scale the tree
        let bvh = if self::reach(&extent.all) > far {
            let is_far = |p: &Vec3| p.is_finite() && p.abs().max_element() > far;
            let near = |p: Vec3| if is_far(&p) { Vec3::ZERO } else { p };
            let near: Vec<Vec3> = positions.read()?.into_iter().map(near).collect();
            Bvh::reaching(&positions.device().upload(&near)?, corners, reach, extent.most)?
        } else if reach > 0.0 || extent.is_narrow() {
            Bvh::reaching(positions, corners, reach, extent.most)?
        } else {
            tree()?
        };
        let (areas, of_tiles) = areas_of(&bvh, positions, corners)?;
        let vertices = vertices_of(&bvh, positions, corners)?;
        let area = of_tiles.read_range(of_tiles.len() - 1, 1)?[0];
        Ok(Self { bvh, vertices, areas, area, around: extent.bounds() })
    }
    /// The tree.
    pub fn bvh(&self) -> &Bvh {
        &self.bvh
    }
    /// The positions of its vertices, sorted spatially.
    pub fn vertices(&self) -> &Buffer<Vec3> {
        &self.vertices
    }
    /// The largest absolute coordinate of its vertices.
    pub fn own_reach(&self) -> f32 {
        self.around.low.abs().max(self.around.high.abs()).max_element() as f32
    }
    /// The area of the surface, in squared units of the positions. Duplicate faces count each time.
    pub fn area(&self) -> f64 {
        self.area
    }
    /// The diagonal of the bounding box, in the units of the positions.
    pub fn diagonal(&self) -> f64 {
        self.around.diagonal()
    }
    /// `n` random points, uniform by area: one in each of `n` parts of equal area. The same seed gives the
    /// same points; machines agree up to rounding. No points if the surface has no area.
    /// # Errors
    /// Out of memory; errors of the driver.
    pub fn sample(&self, n: u32, seed: u64) -> Result<Buffer<Vec3>> {
        let device = self.bvh.device();
        let n = if self.area > 0.0 { n } else { 0 };
        let mut points = device.unspecified(n as usize)?;
        let kernel = SampleSurface {
            bvh: self.bvh.view(),
            areas: self.areas.view(),
            seed,
            n,
            points: points.view_mut(),
        };
        device.launch(tiles(n), kernel)?;
        Ok(points)
    }
}

/// The areas of the first triangles of a tree, each included; and of its tiles, with that of all last. Does
/// not wait.
fn areas_of(
    bvh: &Bvh,
    positions: &Buffer<Vec3>,
    corners: &Buffer<u32>,
) -> Result<(Buffer<f64>, Buffer<f64>)> {
    let (device, n) = (bvh.device(), bvh.faces() as u32);
    let mut areas = device.unspecified::<f64>(n as usize)?;
    let mut of_tiles = device.unspecified::<f64>(tiles(n) as usize + 1)?;
    let (points, corners) = (positions.view(), corners.view());
    let (sums, ends) = (areas.view_mut(), of_tiles.view_mut());
    let kernel = AreasOfTiles { bvh: bvh.view(), points, corners, n, areas: sums, tiles: ends };
    device.launch(tiles(n), kernel)?;
    device.launch(1, AreasBeforeTiles { tiles: of_tiles.view_mut(), n: tiles(n) })?;
    device.launch_each(n, AreasOfAll { tiles: of_tiles.view(), areas: areas.view_mut() })?;
    Ok((areas, of_tiles))
}

/// The positions of the vertices that have a face, as the faces in the order of a tree first have them. Waits
/// once.
fn vertices_of(bvh: &Bvh, positions: &Buffer<Vec3>, corners: &Buffer<u32>) -> Result<Buffer<Vec3>> {
    let (device, n) = (bvh.device(), bvh.faces() as u32);
    let mut first = device.zeros::<u32>(positions.len())?;
    let (tree, corners) = (bvh.view(), corners.view());
    device.launch_each(n, FirstCorners { bvh: tree, corners, first: first.view_mut() })?;
    let (first, mut ranks) = (first.view(), device.unspecified::<u32>(3 * n as usize)?);
    device.launch_each(n, MarkFirstCorners { bvh: tree, corners, first, marks: ranks.view_mut() })?;
    let count = array::scan_counts(&mut ranks)?;
    let mut vertices = device.unspecified::<Vec3>(count as usize)?;
    let (points, ranks, to) = (positions.view(), ranks.view(), vertices.view_mut());
    device.launch_each(n, TakeFirst { bvh: tree, corners, first, ranks, points, to })?;
    Ok(vertices)
}
