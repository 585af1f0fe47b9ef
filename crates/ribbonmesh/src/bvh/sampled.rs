//! Surfaces for measuring distances: triangles with their tree.
use crate::bvh::Bvh;
use crate::bvh::aabb::Aabb;
use crate::bvh::hierarchy::FAR_SMALLER;
use crate::bvh::kernels::distance::SampleSurface;
use crate::device::{Vec3, tiles};
use crate::{Buffer, Device, Error, Result};
use ribbonmesh_mesh::BoundingBox;

/// The ratio of other coordinates to a surface's own from which on its tree is scaled by the others.
const FAR: f32 = 1e15;
/// Faces of which [`around_most`] looks at a vertex.
const LOOKS: usize = 4096;

/// A box around nearly all faces: a few vertices very far away do not count. `None` if it has no size.
pub(super) fn around_most(positions: &[Vec3], faces: &[[u32; 3]]) -> Option<Aabb> {
    let seen = faces.iter().step_by(faces.len().div_ceil(LOOKS).max(1));
    let seen: Vec<Vec3> = seen.filter_map(|face| positions.get(face[0] as usize).copied()).collect();
    let ends = |axis: usize| {
        let mut all: Vec<f32> = seen.iter().map(|p| p[axis]).collect();
        all.sort_unstable_by(f32::total_cmp);
        // all but two hundredths at either end
        let rest = all.len() / 50;
        Some((*all.get(rest)?, *all.get(all.len() - 1 - rest)?))
    };
    let [x, y, z] = [ends(0)?, ends(1)?, ends(2)?];
    let (lo, hi) = (Vec3::new(x.0, y.0, z.0), Vec3::new(x.1, y.1, z.1));
    let room = 4.0 * (hi - lo).max_element();
    (room > 0.0 && room.is_finite()).then(|| Aabb { lo: lo - room, hi: hi + room })
}

/// Whether a tree may be made by cells of this box instead of the box around all positions.
fn is_narrow(most: Option<Aabb>, positions: &[Vec3]) -> bool {
    let Some(most) = most else { return false };
    let all = positions.iter().fold(most, |all, p| all.union(Aabb { lo: *p, hi: *p }));
    let [side, narrow] = [all, most].map(|Aabb { lo, hi }| (hi - lo).max_element());
    // NaN counts as far larger
    side.is_nan() || narrow.is_nan() || side > FAR_SMALLER * narrow
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
    /// the surface. Builds the tree on the device and sums areas on the host; linear in the faces.
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
        let tree = || Bvh::new(device, positions, faces);
        Self::with_tree(device, positions, faces, other, tree)
    }
    /// As [`SampledSurface::beside`], with the tree by [`Bvh::from_buffers`] where there is no need for
    /// another.
    pub(crate) fn with_tree(
        device: &Device,
        positions: &[Vec3],
        faces: &[[u32; 3]],
        other: f32,
        tree: impl FnOnce() -> Result<Bvh>,
    ) -> Result<Self> {
        if faces.is_empty() {
            return Err(Error::NoFaces { what: "the surface" });
        }
        let far = FAR * Self::reach(positions, faces);
        // vertices without a face must not scale the tree
        let is_far = |p: &Vec3| p.is_finite() && p.abs().max_element() > far;
        let in_tree = positions.iter().any(is_far).then(|| {
            let near = |p: &Vec3| if is_far(p) { Vec3::ZERO } else { *p };
            positions.iter().map(near).collect::<Vec<_>>()
        });
        let reach = if other.is_finite() && other > far { other } else { 0.0 };
        let most = around_most(positions, faces);
        let bvh = if in_tree.is_none() && reach == 0.0 && !is_narrow(most, positions) {
            tree()?
        } else {
            let x = device.upload(in_tree.as_deref().unwrap_or(positions))?;
            Bvh::reaching(&x, &device.upload(faces.as_flattened())?, reach, most)?
        };
        let mut seen = vec![false; positions.len()];
        let (mut vertices, mut areas, mut area) = (vec![], Vec::with_capacity(faces.len()), 0.0);
        let mut around = BoundingBox::EMPTY;
        for face in bvh.order()? {
            let face = faces[face as usize];
            let [a, b, c] = face.map(|v| positions[v as usize].as_dvec3());
            area += 0.5 * (b - a).cross(c - a).length();
            areas.push(area);
            for v in face.map(|v| v as usize) {
                if !std::mem::replace(&mut seen[v], true) {
                    vertices.push(positions[v]);
                    around = around.with(positions[v].as_dvec3());
                }
            }
        }
        let (vertices, areas) = (device.upload(&vertices)?, device.upload(&areas)?);
        Ok(Self { bvh, vertices, areas, area, around })
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
