//! Solver: a surface, and tests of points.
use crate::inside::kernels::{
    Border, Cast, CheckPoints, EdgeSums, FACES, FacesArguments, FlagBorder, Heights, ListBorder, NodeMoments,
    NumberEdges, POINTS, WindingNear, WindingOfAll, both,
};
use crate::inside::moments::WORDS;
pub use crate::intersections::Triangles;
use glam::Vec3;
use ribbonmesh::bvh::Bvh;
use ribbonmesh::device::Quad;
use ribbonmesh::{Buffer, Device, Error, Result, Surface, array};

/// Bits by which the numbers of edges are sorted. Where two edges are alike in them, both may be taken for
/// edges of the border.
const KEY_BITS: u32 = 40;

/// A surface for tests which points are inside. The triangles are arbitrary: with holes, degenerate,
/// unwelded.
///
/// Memory on the device: the tree (116 bytes per face), and 96 bytes per face from the first call of
/// [`winding`](Self::winding) on.
pub struct InsideTest<'a> {
    triangles: Triangles<'a>,
    bvh: Bvh,
    moments: Option<Buffer<Quad>>,
}

/// Crossings of the ray along +x from each point.
pub struct Crossings {
    /// The crossings out of the surface minus those into it, by the orientation of faces: the winding number
    /// if the surface is closed and consistently oriented.
    pub winding: Buffer<f32>,
    /// 1 if the number of crossings is odd, else 0.
    pub odd: Buffer<u32>,
}

impl<'a> InsideTest<'a> {
    /// Builds the tree.
    /// # Errors
    /// As [`Bvh::from_buffers`].
    pub fn new(triangles: Triangles<'a>) -> Result<Self> {
        Ok(Self::with_tree(triangles, Bvh::from_buffers(triangles.positions, triangles.faces)?))
    }
    /// Takes the tree of these triangles: that of [`Bvh::from_buffers`].
    pub fn with_tree(triangles: Triangles<'a>, bvh: Bvh) -> Self {
        Self { triangles, bvh, moments: None }
    }
    /// Takes the tree of a surface ([`Surface::tree`]).
    /// # Errors
    /// As [`Surface::tree`].
    pub fn of_surface(surface: &'a Surface) -> Result<Self> {
        let triangles = surface.triangles();
        let triangles = Triangles { positions: triangles.positions(), faces: triangles.faces() };
        Ok(Self { triangles, bvh: surface.tree()?.clone(), moments: None })
    }
    /// The tree of the triangles.
    pub fn tree(&self) -> &Bvh {
        &self.bvh
    }
    /// The device.
    pub fn device(&self) -> &Device {
        self.bvh.device()
    }
    fn faces(&self) -> FacesArguments<'a> {
        let Triangles { positions, faces } = self.triangles;
        FacesArguments { positions: positions.view(), vertices: faces.view().wide() }
    }
    /// Refuses points that kernels cannot take; waits.
    fn check(&self, points: &Buffer<Vec3>) -> Result<u32> {
        checked_points(self.device(), points)
    }
    /// Computes the generalised winding number of the surface around each point (Jacobson, Kavan and
    /// Sorkine-Hornung 2013): the solid angle of the surface, oriented, as a part of the full one. Faces of a
    /// node of the tree that is farther away than `beta` of its radii count together, by their moments of
    /// order 0 to 2 (Barill and others 2018). `beta` is at least 1; a larger one is more accurate and slower,
    /// see `docs/apps/inside.md`. The first call computes the moments.
    /// # Errors
    /// [`Error::Option`] for another `beta`; [`Error::PointNotFinite`] names the first such point;
    /// [`Error::OtherDevice`]; [`Error::TooMany`]; out of memory; errors of the driver.
    pub fn winding(&mut self, points: &Buffer<Vec3>, beta: f32) -> Result<Buffer<f32>> {
        if !(beta >= 1.0 && beta.is_finite()) {
            let expected = "a finite number, 1 or above";
            return Err(Error::Option { option: "beta", value: beta.to_string(), expected });
        }
        let n = self.check(points)?;
        let moments = match self.moments.take() {
            Some(moments) => moments,
            None => moments_of(&self.bvh)?,
        };
        let moments = self.moments.insert(moments);
        let mut numbers = self.bvh.device().unspecified::<f32>(points.len())?;
        let kernel = WindingNear {
            bvh: self.bvh.view(),
            moments: moments.view(),
            points: points.view(),
            beta,
            numbers: numbers.view_mut(),
        };
        self.bvh.device().launch(n.div_ceil(POINTS), kernel)?;
        Ok(numbers)
    }
    /// Computes the same by the solid angles of all faces, in double precision: points times faces.
    /// # Errors
    /// As [`Self::winding`].
    pub fn winding_of_all(&self, points: &Buffer<Vec3>) -> Result<Buffer<f32>> {
        let n = self.check(points)?;
        let mut numbers = self.device().unspecified::<f32>(points.len())?;
        let kernel =
            WindingOfAll { bvh: self.bvh.view(), points: points.view(), numbers: numbers.view_mut() };
        self.device().launch(n.div_ceil(POINTS), kernel)?;
        Ok(numbers)
    }
    /// Follows a ray from each point p along +x, exactly: as if it began at p + (ε, ε², ε³), for an ε smaller
    /// than every number. So a point on the surface is inside if the point from which the ray begins is, and
    /// each point is in exactly one of several volumes that fill space. Rays give correct results only if the
    /// surface [is closed](Self::is_closed).
    /// # Errors
    /// As [`Self::winding`].
    pub fn cast(&self, points: &Buffer<Vec3>) -> Result<Crossings> {
        let n = self.check(points)?;
        let mut winding = self.device().unspecified::<f32>(points.len())?;
        let mut odd = self.device().unspecified::<u32>(points.len())?;
        let kernel = Cast {
            bvh: self.bvh.view(),
            faces: self.faces(),
            points: points.view(),
            sums: winding.view_mut(),
            odd: odd.view_mut(),
        };
        self.device().launch(n.div_ceil(POINTS), kernel)?;
        Ok(Crossings { winding, odd })
    }
    /// Whether each edge has an even number of faces, so that all rays from a point cross the surface the
    /// same number of times, modulo two. Edges between the same positions count as one. Compares sums of
    /// hashes: a surface that is not closed is mistaken for a closed one with a probability of 2⁻⁶⁴. Waits.
    /// # Errors
    /// Out of memory; errors of the driver.
    pub fn is_closed(&self) -> Result<bool> {
        Ok(self.edge_sums()?[0] == 0)
    }
    /// Whether each edge has as many faces in one direction as in the other, so that all winding numbers are
    /// whole, and change only across faces. As [`Self::is_closed`]; a mistake has a probability of at most
    /// 2⁻⁶². Waits.
    /// # Errors
    /// Out of memory; errors of the driver.
    pub fn is_cycle(&self) -> Result<bool> {
        Ok(self.edge_sums()?[1] == 0)
    }
    /// The border of the faces: edges that have more faces in one direction than in the other. Winding
    /// numbers change across faces by whole numbers, and elsewhere only because of the border. Waits.
    /// # Errors
    /// [`Error::TooMany`]; out of memory; errors of the driver.
    pub(crate) fn border(&self) -> Result<Buffer<Border>> {
        let (device, faces, n) = (self.device(), self.faces(), 3 * self.bvh.faces());
        let mut keys = device.unspecified::<u64>(n)?;
        let mut order = device.unspecified::<u32>(n)?;
        let number = NumberEdges { faces, keys: keys.view_mut(), order: order.view_mut() };
        device.launch_each(n as u32, number)?;
        array::sort_pairs(&mut keys, &mut order, KEY_BITS)?;
        let mut flags = device.unspecified::<u32>(n)?;
        let flag = FlagBorder { faces, keys: keys.view(), order: order.view(), flags: flags.view_mut() };
        device.launch_each(n as u32, flag)?;
        let places = array::select(&flags)?;
        let mut border = device.unspecified::<Border>(places.len())?;
        let list = ListBorder {
            faces,
            keys: keys.view(),
            order: order.view(),
            list: places.view(),
            border: border.view_mut(),
        };
        device.launch_each(places.len() as u32, list)?;
        Ok(border)
    }
    /// The exclusive or of the numbers of all edges, and their sum with signs by direction.
    fn edge_sums(&self) -> Result<[u64; 2]> {
        let n = self.bvh.faces() as u32;
        let mut sums = self.device().zeros::<[u64; 2]>(n.div_ceil(FACES) as usize)?;
        let kernel = EdgeSums { faces: self.faces(), n, sums: sums.view_mut() };
        self.device().launch(n.div_ceil(FACES), kernel)?;
        Ok(sums.read()?.into_iter().fold([0; 2], both))
    }
}

/// The number of points that kernels can take; waits.
/// # Errors
/// [`Error::OtherDevice`]; [`Error::TooMany`]; [`Error::PointNotFinite`]; errors of the driver.
pub fn checked_points(device: &Device, points: &Buffer<Vec3>) -> Result<u32> {
    if !points.device().same(device) {
        return Err(Error::OtherDevice { what: "the buffer of points" });
    }
    let limit = i32::MAX as u64;
    if points.len() as u64 > limit {
        return Err(Error::TooMany { what: "points", count: points.len() as u64, limit });
    }
    let n = points.len() as u32;
    let mut wrong = device.zeros::<u32>(1)?;
    device.launch_each(n, CheckPoints { points: points.view(), wrong: wrong.view_mut() })?;
    match wrong.read()?[0] {
        0 => Ok(n),
        wrong => Err(Error::PointNotFinite { point: !wrong as usize }),
    }
}

/// Computes the moments of all nodes, from the lowest up: one launch for each height. They depend only on the
/// tree.
fn moments_of(bvh: &Bvh) -> Result<Buffer<Quad>> {
    let (device, nodes) = (bvh.device(), bvh.faces().saturating_sub(1));
    let mut moments = device.zeros::<Quad>(WORDS as usize * nodes)?;
    let mut heights = device.unspecified::<u32>(nodes)?;
    let kernel = Heights { bvh: bvh.view(), to: heights.view_mut() };
    device.launch_each(nodes as u32, kernel)?;
    let by_height = array::group_by(&heights, bvh.height() + 1)?;
    drop(heights);
    let starts = by_height.starts().read()?;
    // nodes of height 0 are within leaves
    for of_height in starts.windows(2).skip(1) {
        let (first, n) = (of_height[0], of_height[1] - of_height[0]);
        let kernel = NodeMoments {
            bvh: bvh.view(),
            list: by_height.places().view(),
            first,
            moments: moments.view_mut(),
        };
        device.launch_each(n, kernel)?;
    }
    Ok(moments)
}
