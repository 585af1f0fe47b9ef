//! Surfaces for measuring distances: triangles with their tree.
mod merged;

use crate::bvh::Bvh;
use crate::bvh::kernels::distance::SampleSurface;
use crate::device::{Vec3, tiles};
use crate::{Buffer, Device, Error, Result};
use merged::Merged;
use std::borrow::Cow;

/// A surface for [`distance`](crate::bvh::distance): a tree for closest points, vertices, and areas for random points.
///
/// Where coordinates differ so much in size that single precision takes many faces for one point, as in a mesh with a vertex
/// at 10³⁰, the tree has one face in their place. Distances are the same up to rounding, and are found as fast as in other meshes.
pub struct SampledSurface {
    bvh: Bvh,
    /// The vertices that have a face, as the faces in the order of the tree first have them.
    vertices: Buffer<Vec3>,
    /// Area of the first triangles of the tree, each included.
    areas: Buffer<f64>,
    area: f64,
    corners: [Vec3; 2],
}

impl SampledSurface {
    /// The surface of `faces`, each three indices of `positions`. Vertices without a face do not belong to the surface.
    /// Builds the tree on the device and sums areas on the host; linear in the faces.
    /// # Errors
    /// [`Error::NoFaces`]; as [`Bvh::new`].
    pub fn new(device: &Device, positions: &[Vec3], faces: &[[u32; 3]]) -> Result<Self> {
        Self::beside(device, positions, faces, &[])
    }
    /// As [`SampledSurface::new`], to be measured from points of a surface with the vertices `others`: where these are more than
    /// 10¹⁵ times as far from the origin as its own, its tree sees it from there, so that a search does not look at all of
    /// it. Other trees are those of [`SampledSurface::new`].
    /// # Errors
    /// As [`SampledSurface::new`].
    pub fn beside(device: &Device, positions: &[Vec3], faces: &[[u32; 3]], others: &[Vec3]) -> Result<Self> {
        let largest =
            |positions: &[Vec3]| positions.iter().fold(0.0, |most: f32, p| most.max(p.abs().max_element()));
        let others = largest(others);
        let reach = if others.is_finite() && others > 1e15 * largest(positions) { others } else { 0.0 };
        if faces.is_empty() {
            return Err(Error::NoFaces { what: "the surface" });
        }
        let merged = Merged::of(positions, faces, reach);
        let needed = merged.as_ref().map(|merged| merged.needed.iter().map(|&f| faces[f as usize]).collect());
        let in_tree: Cow<'_, [[u32; 3]]> = needed.map_or(Cow::Borrowed(faces), Cow::Owned);
        let corners = device.upload(in_tree.as_flattened())?;
        let bvh = Bvh::reaching(&device.upload(positions)?, &corners, reach)?;
        let area_of = |face: &[u32; 3]| {
            let [a, b, c] = face.map(|v| positions[v as usize].as_dvec3());
            0.5 * (b - a).cross(c - a).length()
        };
        // where a face stands for others, it has their area, too
        let mut all_areas = merged.as_ref().map(|_| vec![0.0; in_tree.len()]);
        if let (Some(merged), Some(all)) = (&merged, &mut all_areas) {
            merged.stands_in.iter().zip(faces).for_each(|(&at, face)| all[at as usize] += area_of(face));
        }
        let mut seen = vec![false; positions.len()];
        let (mut vertices, mut areas, mut area) = (vec![], Vec::with_capacity(in_tree.len()), 0.0);
        let mut corners = [Vec3::INFINITY, Vec3::NEG_INFINITY];
        let mut see = |face: &[u32; 3]| {
            for v in face.map(|v| v as usize) {
                if !std::mem::replace(&mut seen[v], true) {
                    vertices.push(positions[v]);
                    corners = [corners[0].min(positions[v]), corners[1].max(positions[v])];
                }
            }
        };
        for number in bvh.order()? {
            let face = &in_tree[number as usize];
            area += all_areas.as_ref().map_or_else(|| area_of(face), |all| all[number as usize]);
            areas.push(area);
            see(face);
        }
        if merged.is_some() {
            faces.iter().for_each(see);
        }
        let (vertices, areas) = (device.upload(&vertices)?, device.upload(&areas)?);
        Ok(Self { bvh, vertices, areas, area, corners })
    }
    /// The tree.
    pub fn bvh(&self) -> &Bvh {
        &self.bvh
    }
    /// The positions of its vertices, sorted spatially.
    pub fn vertices(&self) -> &Buffer<Vec3> {
        &self.vertices
    }
    /// The area of the surface, in squared units of the positions. Duplicate faces count each time.
    pub fn area(&self) -> f64 {
        self.area
    }
    /// The diagonal of the bounding box, in the units of the positions.
    pub fn diagonal(&self) -> f64 {
        (self.corners[1].as_dvec3() - self.corners[0].as_dvec3()).length()
    }
    /// `n` random points, uniform by area: one in each of `n` parts of equal area. The same seed gives the same points;
    /// machines agree up to rounding. No points if the surface has no area.
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
