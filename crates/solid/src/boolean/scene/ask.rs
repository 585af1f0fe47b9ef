//! Questions about faces of a scene: near others, crossed by rays, wound around points.
use crate::arrange::Hit;
use crate::boolean::kernels::WHOLE;
use crate::boolean::kernels::result::{MarkNear, MarkTouching, MeetBoxes};
use crate::boolean::kernels::sets::FindLargest;
use crate::boolean::scene::{Corners, Listed, Scene, Stated};
use crate::inside::{InsideOptions, InsideTest};
use crate::intersections::{Triangles, intersections_among, self_intersections};
use crate::repair::{pairs, rows, set};
use glam::Vec3;
use ribbonmesh::{Buffer, Result, array};
use ribbonmesh_mesh::BoundingBox;

impl Scene {
    /// For each of some sets, by the faces that stand for them, the corners of the largest face.
    pub(crate) fn largest(&self, sets: &[u32]) -> Result<Vec<[Vec3; 3]>> {
        let n = self.count();
        let mut largest = self.device.zeros::<u64>(n as usize)?;
        let find = FindLargest {
            points: self.points.view(),
            faces: self.faces.view().wide(),
            kinds: self.kinds.view(),
            roots: self.roots.view(),
            largest: largest.view_mut(),
        };
        self.device.launch_each(n, find)?;
        let found = array::gather(&largest, &self.device.upload(sets)?)?.read()?;
        let faces: Vec<u32> = found.into_iter().map(|found| !(found as u32)).collect();
        self.corners(&self.device.upload(&faces)?)
    }
    /// How often each mesh is wound around points, rounded, for each point a row: generalised winding
    /// numbers.
    pub(crate) fn windings(&self, points: &[Vec3]) -> Result<Vec<i32>> {
        let (points, meshes) = (self.device.upload(points)?, self.starts.count());
        let mut numbers = vec![0; points.len() * meshes];
        for mesh in 0..meshes {
            let [first, n] = self.range(mesh);
            let own = rows(&self.faces, &array::numbers(&self.device, first..first + n)?)?;
            let mut test = InsideTest::new(Triangles { positions: &self.points, faces: &own })?;
            let found = test.winding(&points, InsideOptions::default().beta)?.read()?;
            for (row, winding) in numbers.chunks_exact_mut(meshes).zip(found) {
                row[mesh] = winding.round() as i32;
            }
        }
        Ok(numbers)
    }
    /// For each ray along +x from a box the faces that it may cross. `like` gives the place in a list for a
    /// face that meets others, and for the face that stands for a set.
    pub(crate) fn hits(&self, boxes: &[BoundingBox], like: impl Fn(u32) -> u32) -> Result<Vec<Vec<Hit>>> {
        let device = &self.device;
        let rays: Vec<[[f32; 3]; 2]> = boxes
            .iter()
            .map(|around| {
                let low = around.low.to_array().map(|x| (x as f32).next_down());
                let [_, y, z] = around.high.to_array().map(|x| (x as f32).next_up());
                [low, [self.largest, y, z]]
            })
            .collect();
        let (rays, n) = (device.upload(&rays)?, boxes.len() as u32);
        let mut starts = device.unspecified::<u32>(boxes.len())?;
        let mut found = device.zeros::<u32>(0)?;
        let meet = |starts: &mut Buffer<u32>, found: &mut Buffer<u32>| {
            let (bvh, boxes, kinds) = (self.tree.view(), rays.view(), self.kinds.view());
            let (starts, found) = (starts.view_mut(), found.view_mut());
            device.launch_each(n, MeetBoxes { bvh, boxes, kinds, starts, found })
        };
        meet(&mut starts, &mut found)?;
        let total = array::exclusive_scan(&mut starts)?;
        let mut hits = vec![vec![]; boxes.len()];
        if total == 0 {
            return Ok(hits);
        }
        found = device.unspecified(total as usize)?;
        meet(&mut starts, &mut found)?;
        let (kinds, roots) =
            (array::gather(&self.kinds, &found)?.read()?, array::gather(&self.roots, &found)?.read()?);
        let (faces, corners, starts) = (found.read()?, self.corners(&found)?, starts.read()?);
        let end = |ray: usize| starts.get(ray + 1).map_or(faces.len(), |&end| end as usize);
        for (ray, hits) in hits.iter_mut().enumerate() {
            for i in starts[ray] as usize..end(ray) {
                let like = like(if kinds[i] == WHOLE { roots[i] } else { faces[i] });
                hits.push(Hit { mesh: self.starts.of(faces[i]), like, corners: corners[i] });
            }
        }
        Ok(hits)
    }
    /// Faces of the result whose boxes meet those of triangles, each with its state; and their vertices with
    /// positions.
    pub(crate) fn near(&self, triangles: &[[Vec3; 3]]) -> Result<(Stated, Listed)> {
        let triangles: Vec<Corners> = triangles.iter().map(|t| t.map(|p| p.to_array())).collect();
        let triangles = self.device.upload(&triangles)?;
        let mut near = self.device.zeros::<u32>(self.count() as usize)?;
        let mark = MarkNear {
            bvh: self.tree.view(),
            triangles: triangles.view(),
            states: self.states.view(),
            near: near.view_mut(),
        };
        self.device.launch_each(triangles.len() as u32, mark)?;
        let list = array::select(&near)?;
        Ok((pairs(&list, &self.states)?, self.listed(&list)?))
    }
    /// Faces of the result with one of some vertices, each with its state; and their vertices.
    pub(crate) fn touching(&self, vertices: &[u32]) -> Result<(Stated, Vec<[u32; 3]>)> {
        let (device, n) = (&self.device, self.count());
        let mut used = device.zeros::<u32>(self.vertices() as usize)?;
        set(&mut used, vertices, &vec![1; vertices.len()])?;
        let mut near = device.unspecified::<u32>(n as usize)?;
        let mark = MarkTouching {
            faces: self.faces.view().wide(),
            states: self.states.view(),
            used: used.view(),
            near: near.view_mut(),
        };
        device.launch_each(n, mark)?;
        let list = array::select(&near)?;
        let vertices = rows(&self.faces, &list)?;
        Ok((pairs(&list, &self.states)?, vertices.read()?.as_chunks().0.to_vec()))
    }
    /// Triangles on the device.
    pub(crate) fn uploaded(&self, triangles: &[[Vec3; 3]]) -> Result<Uploaded> {
        let positions = self.device.upload(triangles.as_flattened())?;
        let faces = array::count_up(&self.device, positions.len() as u32)?;
        Ok(Uploaded { positions, faces })
    }
    /// The pairs of triangles that intersect.
    pub(crate) fn pairs_of(&self, triangles: &Uploaded) -> Result<Vec<[u32; 2]>> {
        self_intersections(triangles.all())?.pairs.read()
    }
    /// The pairs of a triangle and a face of the result that intersect.
    pub(crate) fn pairs_with(&self, triangles: &Uploaded) -> Result<Vec<[u32; 2]>> {
        intersections_among(&self.tree, self.triangles(), &self.states, triangles.all())?.read()
    }
}

/// Triangles on a device without common vertices.
pub(crate) struct Uploaded {
    positions: Buffer<Vec3>,
    faces: Buffer<u32>,
}
impl Uploaded {
    fn all(&self) -> Triangles<'_> {
        Triangles { positions: &self.positions, faces: &self.faces }
    }
}
