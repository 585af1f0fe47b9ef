//! Building and searching a bounding volume hierarchy, host side.
use crate::array;
use crate::array::kernels::ordered::{from_ordered, ordered};
use crate::bvh::aabb::Aabb;
use crate::bvh::kernels::prepare::{
    Centres, Codes, ExamineVertices, FACTS, LARGEST, LEAST, NOT_FINITE, OUT_OF_RANGE, SMALLEST, scale,
};
use crate::bvh::kernels::query::{
    CODE_BITS, ClosestPoints, ClosestToArrays, ClosestToArraysTogether, ExaminePoints,
    NOT_FINITE as NO_POINT, POINTS, PointCodes, PointsArguments, PointsWithin, ResultsArguments, WITHOUT,
    WORDS,
};
use crate::bvh::kernels::tree::{GrowTree, PartsArguments, TreeArguments};
use crate::bvh::morton::KEY_BITS;
use crate::bvh::together::TOGETHER;
use crate::bvh::view::{BvhViewArguments, Closest};
use crate::device::glam::DVec3;
use crate::device::{Quad, Vec3, tiles};
use crate::{Attribute, Buffer, Device, DeviceKind, Error, Op, Result, StaticMesh, Vertex};
use std::sync::Arc;

/// Most faces: their numbers have 29 bits in a node, and three times as many words have 32-bit indices.
const MOST_FACES: usize = 400_000_000;

/// The ratio of the box around all faces to the box around nearly all of them from which on Morton codes use
/// the latter.
pub(super) const FAR_SMALLER: f32 = 64.0;

/// A bounding volume hierarchy over triangles.
///
/// Any triangles are accepted: degenerate triangles count as segments or points, and duplicates are kept. The
/// tree has its own copy of the coordinates: 116 bytes per face. Copies share it.
#[derive(Clone)]
pub struct Bvh {
    device: Device,
    pub(super) arrays: Arc<Arrays>,
    root: u32,
    height: u32,
    pub(super) scale: f32,
    exact: bool,
}

/// Points from which on [`Bvh::closest_to_arrays`] looks for them along a curve.
const FEW: usize = 1 << 14;

/// Closest points, an array for each result, by [`Bvh::closest_to_arrays`].
pub struct ClosestArrays {
    /// The closest points.
    pub points: Buffer<Vec3>,
    /// The face of each, as in [`Closest::face`].
    pub faces: Buffer<u32>,
    /// Unit normals of the faces, as in [`Closest::normal`].
    pub normals: Buffer<Vec3>,
    /// Distances.
    pub distances: Buffer<f32>,
    /// The weights of the corners of the faces: not negative, 1 in all.
    pub weights: Buffer<Vec3>,
    /// The first point without a finite distance, because its square overflows.
    pub without: Option<usize>,
}

pub(super) struct Arrays {
    pub nodes: Buffer<Quad>,
    pub triangles: Buffer<Quad>,
    pub places: Buffer<u32>,
}

/// Memory of the construction.
pub(super) struct Grown {
    /// Morton codes, ascending.
    pub keys: Buffer<u64>,
    /// The face of each code.
    pub order: Buffer<u32>,
    /// A word for each node, 0.
    pub meetings: Buffer<u32>,
}

/// The order of points along a curve through the box around them, in which neighbours are near each other:
/// for searches in a tree, of many points that come in any order. Waits.
/// # Errors
/// [`Error::PointNotFinite`]; [`Error::TooMany`]; out of memory; errors of the driver.
pub fn along_curve(points: &Buffer<Vec3>) -> Result<Buffer<u32>> {
    let count = counted(points)?;
    let found = examined(points, count)?;
    match found.read_range(NO_POINT as usize, 1)?[0] {
        0 => order_of(points, &found, count),
        point => Err(Error::PointNotFinite { point: !point as usize }),
    }
}
/// Runs [`ExaminePoints`].
fn examined(points: &Buffer<Vec3>, count: u32) -> Result<Buffer<u32>> {
    let mut found = points.device().zeros::<u32>(WORDS)?;
    let kernel = ExaminePoints { points: points.view(), n: count, found: found.view_mut() };
    points.device().launch(tiles(count), kernel)?;
    Ok(found)
}
/// The order of points along a curve through the box that was found.
fn order_of(points: &Buffer<Vec3>, found: &Buffer<u32>, count: u32) -> Result<Buffer<u32>> {
    let device = points.device();
    let mut order = device.unspecified::<u32>(points.len())?;
    let mut keys = device.unspecified::<u64>(points.len())?;
    let kernel = PointCodes {
        points: points.view(),
        found: found.view(),
        keys: keys.view_mut(),
        order: order.view_mut(),
    };
    device.launch_each(count, kernel)?;
    array::sort_pairs(&mut keys, &mut order, CODE_BITS)?;
    Ok(order)
}

impl Bvh {
    /// The tree of `faces`, each three indices of `positions`. Linear in the faces.
    /// # Errors
    /// [`Error::NotFinite`], [`Error::IndexOutOfRange`], [`Error::TooMany`]; out of memory; errors of the
    /// driver.
    pub fn new(device: &Device, positions: &[Vec3], faces: &[[u32; 3]]) -> Result<Self> {
        Self::from_buffers(&device.upload(positions)?, &device.upload(faces.as_flattened())?)
    }
    /// The tree of a mesh: faces by their ids.
    /// # Errors
    /// [`Error::OtherDevice`], [`Error::OtherMesh`]; as [`Bvh::new`], with the vertex by its id.
    pub fn from_mesh(mesh: &StaticMesh, positions: &Attribute<Vertex, Vec3>) -> Result<Self> {
        let what = "the attribute of positions";
        if !positions.device().same(mesh.device()) {
            return Err(Error::OtherDevice { what });
        }
        if !positions.belongs_to(mesh) {
            return Err(Error::OtherMesh { what });
        }
        Self::from_buffers(positions.buffer(), mesh.query(Op::FV)?.values())
    }
    /// The tree of faces on a device, each three indices of `positions`.
    /// # Errors
    /// [`Error::OtherDevice`]; [`Error::Length`] if the number of indices is not a multiple of three; as
    /// [`Bvh::new`].
    pub fn from_buffers(positions: &Buffer<Vec3>, faces: &Buffer<u32>) -> Result<Self> {
        Self::reaching(positions, faces, 0.0, None)
    }
    /// As [`Bvh::from_buffers`], with coordinates scaled for points up to `reach` from the origin where that
    /// is more than the largest coordinate: squared distances of such points do not overflow. `most` is a box
    /// around nearly all faces: where it is far smaller than the box around all, Morton codes name the cells
    /// of this box, and faces outside of it get the nearest ones.
    pub(crate) fn reaching(
        positions: &Buffer<Vec3>,
        faces: &Buffer<u32>,
        reach: f32,
        most: Option<Aabb>,
    ) -> Result<Self> {
        Ok(Self::grown(positions, faces, reach, most)?.0)
    }
    /// As [`Bvh::reaching`], with the memory of the construction that boxes are fitted anew with.
    pub(super) fn grown(
        positions: &Buffer<Vec3>,
        faces: &Buffer<u32>,
        reach: f32,
        most: Option<Aabb>,
    ) -> Result<(Self, Grown)> {
        let device = positions.device();
        if !faces.device().same(device) {
            return Err(Error::OtherDevice { what: "the buffer of faces" });
        }
        if !faces.len().is_multiple_of(3) {
            let expected = faces.len().next_multiple_of(3);
            return Err(Error::Length { what: "indices of faces", expected, found: faces.len() });
        }
        let n = faces.len() / 3;
        let limit = MOST_FACES as u64;
        for (what, count) in [("faces", n), ("vertices", positions.len())] {
            if count > MOST_FACES {
                return Err(Error::TooMany { what, count: count as u64, limit });
            }
        }
        let (vertices, corners) = (positions.view(), faces.view().wide::<[u32; 3]>());
        let mut facts = device.zeros::<u32>(FACTS)?;
        let mut centres = device.unspecified::<Vec3>(n)?;
        let count = positions.len() as u32;
        device.launch(
            tiles(count),
            ExamineVertices { positions: vertices, n: count, facts: facts.view_mut() },
        )?;
        let kernel = Centres {
            positions: vertices,
            faces: corners,
            n: n as u32,
            facts: facts.view_mut(),
            centres: centres.view_mut(),
        };
        device.launch(tiles(n as u32), kernel)?;
        let mut found = facts.read()?;
        refuse(&found, positions.len(), faces)?;
        if let Some(most) = most
            && narrow(&mut found, most)
        {
            facts.write(&found)?;
        }

        let mut keys = device.unspecified::<u64>(n)?;
        let mut order = device.unspecified::<u32>(n)?;
        let kernel = Codes {
            centres: centres.view(),
            n: n as u32,
            facts: facts.view(),
            keys: keys.view_mut(),
            order: order.view_mut(),
        };
        device.launch(tiles(n as u32), kernel)?;
        drop(centres);
        array::sort_pairs(&mut keys, &mut order, KEY_BITS)?;

        let inner = n.saturating_sub(1);
        // floats that are not negative have the order of their bits
        let scale = scale(found[LARGEST as usize].max(reach.max(0.0).to_bits()));
        let mut nodes = device.unspecified::<Quad>(4 * inner)?;
        let mut triangles = device.unspecified::<Quad>(3 * n)?;
        let mut places = device.unspecified::<u32>(n)?;
        let mut meetings = device.zeros::<u32>(inner)?;
        let mut root = device.zeros::<u32>(2)?;
        let parts = PartsArguments {
            positions: vertices,
            faces: corners,
            keys: keys.view(),
            order: order.view(),
            scale,
        };
        let tree = TreeArguments {
            nodes: nodes.view_mut(),
            triangles: triangles.view_mut(),
            places: places.view_mut(),
            meetings: meetings.view_mut(),
            root: root.view_mut(),
        };
        device.launch(tiles(n as u32), GrowTree { parts, tree })?;
        let root = root.read()?;
        let [root, height] = [root[0], root[1]];
        let exact = is_exact(scale, !found[LEAST as usize]);
        let arrays = Arc::new(Arrays { nodes, triangles, places });
        let bvh = Self { device: device.clone(), arrays, root, height, scale, exact };
        Ok((bvh, Grown { keys, order, meetings }))
    }
    /// The tree of the same triangles with positions multiplied by `factor`, a power of two; shares the
    /// memory. None where single precision does not hold the scale of the two together.
    pub fn scaled(&self, factor: f32) -> Option<Self> {
        let scale = self.scale / factor;
        (scale.is_normal() && scale.recip().is_normal()).then(|| Self { scale, ..self.clone() })
    }
    /// The tree as an argument of kernels, which get a [`crate::bvh::BvhView`].
    pub fn view(&self) -> BvhViewArguments<'_> {
        BvhViewArguments {
            nodes: self.arrays.nodes.view(),
            triangles: self.arrays.triangles.view(),
            places: self.arrays.places.view(),
            root: self.root,
            scale: self.scale,
            unscale: 1.0 / self.scale,
        }
    }
    /// Whether the tree's corners of triangles are exactly the corners that it was made of. Otherwise
    /// coordinates below 10⁻³⁸ of the largest one were rounded.
    pub fn is_exact(&self) -> bool {
        self.exact
    }
    /// The device that holds the tree.
    pub fn device(&self) -> &Device {
        &self.device
    }
    /// Number of faces.
    pub fn faces(&self) -> usize {
        self.arrays.places.len()
    }
    /// All of it: nodes, triangles, and the triangle of each face.
    #[cfg(test)]
    pub(super) fn read(&self) -> Result<(Vec<Quad>, Vec<Quad>, Vec<u32>)> {
        Ok((self.arrays.nodes.read()?, self.arrays.triangles.read()?, self.arrays.places.read()?))
    }
    /// Number of nodes on the longest path from the root to a triangle, as if every leaf had a single
    /// triangle.
    pub fn height(&self) -> u32 {
        self.height
    }
    /// Bytes on the device.
    pub fn bytes(&self) -> usize {
        self.arrays.nodes.bytes() + self.arrays.triangles.bytes() + self.arrays.places.bytes()
    }
    /// Bytes that the construction must read and write, the lower bound for its time; see
    /// `docs/architecture.md`.
    pub fn build_bytes(&self) -> u64 {
        /// Bytes that each face needs: examined, coded, sorted in eight passes, arranged.
        const PER_FACE: u64 = 60 + 24 + 8 * 32 + 60 + 52 + 108;
        PER_FACE * self.faces() as u64
    }
    /// The closest point of the surface to each of `points`, see [`crate::bvh::BvhView::closest`]. `seeds`,
    /// if given, has a face for each point, ideally near it, see [`crate::bvh::BvhView::closest_from`]. One
    /// launch.
    ///
    /// On a GPU searches are faster if consecutive points are near each other in space.
    /// # Errors
    /// [`Error::OtherDevice`]; [`Error::Length`] unless there is a seed for each point; [`Error::TooMany`];
    /// out of memory; errors of the driver.
    pub fn closest(&self, points: &Buffer<Vec3>, seeds: Option<&Buffer<u32>>) -> Result<Buffer<Closest>> {
        let mut found = self.device.unspecified(points.len())?;
        self.closest_into(points, seeds, &mut found)?;
        Ok(found)
    }
    /// As [`Bvh::closest`], into an existing buffer.
    /// # Errors
    /// As [`Bvh::closest`]; [`Error::Length`] unless the buffer has the length of `points`.
    pub fn closest_into(
        &self,
        points: &Buffer<Vec3>,
        seeds: Option<&Buffer<u32>>,
        found: &mut Buffer<Closest>,
    ) -> Result<()> {
        let places = seeds.map_or((&self.device, points.len()), |seeds| (seeds.device(), seeds.len()));
        let n = self.prepare(points, found, places)?;
        let kernel = ClosestPoints {
            bvh: self.view(),
            points: points.view(),
            seeds: seeds.map_or(crate::device::BufferView::empty(), Buffer::view),
            found: found.view_mut(),
        };
        self.device.launch(n.div_ceil(POINTS), kernel)
    }
    /// As [`Bvh::closest`], with an array for each result. Points are taken minus `origin`, and closest
    /// points given plus it. Many points are looked for along a curve, so that they may come in any order;
    /// the results do not depend on it. Waits once.
    /// # Errors
    /// [`Error::PointNotFinite`]; as [`Bvh::closest`].
    pub fn closest_to_arrays(&self, points: &Buffer<Vec3>, origin: DVec3) -> Result<ClosestArrays> {
        // on a GPU the threads of a warp wait for each other in any case
        let together = points.len() >= FEW && self.device.kind() == DeviceKind::Cuda;
        self.closest_to_arrays_by(points, origin, together)
    }
    /// As [`Bvh::closest_to_arrays`], for neighbours together or for each point alone.
    fn closest_to_arrays_by(
        &self,
        points: &Buffer<Vec3>,
        origin: DVec3,
        together: bool,
    ) -> Result<ClosestArrays> {
        let (device, n) = (&self.device, points.len());
        let mut to = ClosestArrays {
            points: device.unspecified(n)?,
            faces: device.unspecified(n)?,
            normals: device.unspecified(n)?,
            distances: device.unspecified(n)?,
            weights: device.unspecified(n)?,
            without: None,
        };
        let count = self.check_points(points)?;
        let mut found = examined(points, count)?;
        let order = if n < FEW { device.unspecified(0)? } else { order_of(points, &found, count)? };
        let bvh = self.view();
        let of = PointsArguments { points: points.view(), origin: origin.to_array(), order: order.view() };
        let results = ResultsArguments {
            points: to.points.view_mut(),
            faces: to.faces.view_mut(),
            normals: to.normals.view_mut(),
            distances: to.distances.view_mut(),
            weights: to.weights.view_mut(),
        };
        let found_of = found.view_mut();
        if together {
            let kernel = ClosestToArraysTogether { bvh, of, to: results, found: found_of };
            device.launch(count.div_ceil(TOGETHER), kernel)?;
        } else {
            let kernel = ClosestToArrays { bvh, of, to: results, found: found_of };
            device.launch(count.div_ceil(POINTS), kernel)?;
        }
        let found = found.read()?;
        let first = |word: u32| (found[word as usize] != 0).then_some(!found[word as usize] as usize);
        match first(NO_POINT) {
            Some(point) => Err(Error::PointNotFinite { point }),
            None => Ok(ClosestArrays { without: first(WITHOUT), ..to }),
        }
    }
    /// As [`Bvh::closest`], but without a result for points farther than `radius` from the surface, see
    /// [`crate::bvh::BvhView::closest_within`]. `radius` is at least 0, in the units of the positions.
    /// # Errors
    /// As [`Bvh::closest`].
    pub fn closest_within(&self, points: &Buffer<Vec3>, radius: f32) -> Result<Buffer<Closest>> {
        let mut found = self.device.unspecified(points.len())?;
        let n = self.prepare(points, &found, (&self.device, points.len()))?;
        let kernel =
            PointsWithin { bvh: self.view(), points: points.view(), radius, found: found.view_mut() };
        self.device.launch(n.div_ceil(POINTS), kernel)?;
        Ok(found)
    }
    /// Checks that all belong together; the number of points.
    fn prepare(
        &self,
        points: &Buffer<Vec3>,
        found: &Buffer<Closest>,
        seeds: (&Device, usize),
    ) -> Result<u32> {
        let n = self.check_points(points)?;
        let others = [
            ("the buffer of results", found.device(), found.len()),
            ("the buffer of seeds", seeds.0, seeds.1),
        ];
        for (what, device, len) in others {
            if !device.same(&self.device) {
                return Err(Error::OtherDevice { what });
            }
            if len != n as usize {
                return Err(Error::Length { what, expected: n as usize, found: len });
            }
        }
        Ok(n)
    }
    /// Checks points; their number.
    fn check_points(&self, points: &Buffer<Vec3>) -> Result<u32> {
        if !points.device().same(&self.device) {
            return Err(Error::OtherDevice { what: "the buffer of points" });
        }
        counted(points)
    }
}
/// The number of points; results take two words each, of 32-bit indices.
fn counted(points: &Buffer<Vec3>) -> Result<u32> {
    let (count, limit) = (points.len() as u64, i32::MAX as u64);
    if count > limit {
        return Err(Error::TooMany { what: "points", count, limit });
    }
    Ok(count as u32)
}

/// Puts a box into what the kernels found, instead of the box around the centres, if it is far smaller.
fn narrow(facts: &mut [u32], most: Aabb) -> bool {
    let scale = scale(facts[LARGEST as usize]);
    let [lo, hi] = [most.lo, most.hi].map(|corner| corner * scale);
    let ends = [lo, -hi].map(|end| end.to_array().map(|x| !ordered(x)));
    let words = &mut facts[SMALLEST as usize..][..6];
    let end = |i: usize| from_ordered(!words[i]);
    let side = (0..3).map(|axis| -end(axis + 3) - end(axis)).fold(0.0, f32::max);
    let narrower = side > FAR_SMALLER * (hi - lo).max_element();
    if narrower {
        words.copy_from_slice(ends.as_flattened());
    }
    narrower
}

/// Whether no coordinate loses digits when it is multiplied by a power of two, given the bits of the smallest
/// one but 0.
fn is_exact(scale: f32, least: u32) -> bool {
    let exponent = |bits: u32| (bits >> 23 & 0xff) as i32;
    // the exponent after the multiplication, where 1 is that of the smallest normal numbers
    scale >= 1.0 || exponent(least) + exponent(scale.to_bits()) - 127 >= 1
}

/// The error about what the kernels found wrong.
fn refuse(facts: &[u32], vertices: usize, faces: &Buffer<u32>) -> Result<()> {
    let [not_finite, out_of_range] = [NOT_FINITE, OUT_OF_RANGE].map(|fact| facts[fact as usize]);
    if out_of_range != 0 {
        let face = !out_of_range as usize;
        let corners = faces.read_range(3 * face, 3)?;
        let vertex = corners.into_iter().find(|&v| v as usize >= vertices).unwrap_or_default();
        return Err(Error::IndexOutOfRange { face, vertex, vertices });
    }
    if not_finite != 0 {
        return Err(Error::NotFinite { vertex: !not_finite as usize });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use ribbonmesh_mesh::shapes;

    #[test]
    fn points_find_the_same_together_as_alone() {
        let device = Device::cpu_with_threads(1).expect("a thread");
        let mut torus = shapes::torus(24, 1).expect("small");
        shapes::shuffle(&mut torus, 1);
        let x = torus.points();
        for faces in [&torus.faces[..0], &torus.faces[..1], &torus.faces[..4], &torus.faces] {
            let bvh = Bvh::new(&device, &x, faces).expect("a tree");
            // far from the surface, where neighbours search together, and at it
            let place =
                |i: usize| if i < 100 { Vec3::new(9.0 + 0.01 * i as f32, 0.0, 0.3) } else { 1.01 * x[i] };
            let points: Vec<Vec3> = (0..300).map(place).collect();
            let points = device.upload(&points).expect("memory");
            let search = |together| bvh.closest_to_arrays_by(&points, DVec3::X, together).expect("results");
            let [alone, together] = [false, true].map(search);
            assert_eq!(alone.faces.read().expect("faces"), together.faces.read().expect("faces"));
            assert_eq!(alone.points.read().expect("points"), together.points.read().expect("points"));
            assert_eq!(alone.distances.read().expect("results"), together.distances.read().expect("results"));
            assert_eq!(alone.weights.read().expect("weights"), together.weights.read().expect("weights"));
            assert_eq!(alone.without, together.without);
        }
    }
}
