//! A tree of triangles that change.
use crate::bvh::hierarchy::{Arrays, Bvh, Grown};
use crate::bvh::kernels::tree::{
    ExistingFaces, FACTS, NO_NUMBER, PartsArguments, ROUNDED, RefitTree, TreeArguments,
};
use crate::bvh::view::BvhViewArguments;
use crate::device::{Vec3, tiles};
use crate::{Buffer, Error, Result};
use std::sync::Arc;

/// A bounding volume hierarchy over triangles that change: [`RefitBvh::refit`] fits the boxes anew, and keeps
/// the order of the triangles. That takes one launch and no wait, and moves about a quarter of the bytes of a
/// new tree.
///
/// Results of searches do not depend on how old the order is. Their time does: make a new tree when faces are
/// far from where they were, or when most of them are gone.
///
/// 128 bytes per face.
pub struct RefitBvh {
    tree: Bvh,
    grown: Grown,
    facts: Buffer<u32>,
}

impl RefitBvh {
    /// The tree of `faces`, each three indices of `positions`. A face with a vertex that does not exist is
    /// left out: no search finds it. Waits.
    /// # Errors
    /// As [`Bvh::from_buffers`], but for vertices that do not exist.
    pub fn new(positions: &Buffer<Vec3>, faces: &Buffer<u32>) -> Result<Self> {
        let device = positions.device();
        if !faces.device().same(device) {
            return Err(Error::OtherDevice { what: "the buffer of faces" });
        }
        let mut existing = device.unspecified::<u32>(faces.len())?;
        if !positions.is_empty() && faces.len().is_multiple_of(3) {
            let (of, vertices) = (faces.view().wide(), positions.len().min(u32::MAX as usize) as u32);
            let kernel = ExistingFaces { faces: of, vertices, to: existing.view_mut().wide() };
            device.launch_each((faces.len() / 3) as u32, kernel)?;
        }
        let (tree, grown) = Bvh::grown(positions, &existing, 0.0, None)?;
        let mut this = Self { tree, grown, facts: device.zeros(FACTS)? };
        this.refit(positions, faces)?;
        Ok(this)
    }
    /// Number of faces, with those that are left out.
    pub fn faces(&self) -> usize {
        self.tree.faces()
    }
    /// Fits the boxes to faces that have changed: as many as before, on the same device. A face with a vertex
    /// that does not exist, such as [`NONE`](crate::device::NONE), is left out. So is one with a coordinate
    /// that is not finite; [`RefitBvh::check`] finds that out. Does not wait.
    /// # Errors
    /// [`Error::OtherDevice`]; [`Error::Length`]; out of memory; errors of the driver.
    pub fn refit(&mut self, positions: &Buffer<Vec3>, faces: &Buffer<u32>) -> Result<()> {
        let n = self.tree.faces();
        let device = self.tree.device().clone();
        for (what, of) in [("the buffer of positions", positions.device()), ("the faces", faces.device())] {
            if !of.same(&device) {
                return Err(Error::OtherDevice { what });
            }
        }
        if faces.len() != 3 * n {
            return Err(Error::Length { what: "indices of faces", expected: 3 * n, found: faces.len() });
        }
        self.facts.clear()?;
        let scale = self.tree.scale;
        let Some(Arrays { nodes, triangles, places }) = Arc::get_mut(&mut self.tree.arrays) else {
            return Err(Error::Invalid("a tree that is shared cannot be changed".into()));
        };
        let parts = PartsArguments {
            positions: positions.view(),
            faces: faces.view().wide(),
            keys: self.grown.keys.view(),
            order: self.grown.order.view(),
            scale,
        };
        // the root and the places stay as they are
        let mut root = device.unspecified::<u32>(2)?;
        let tree = TreeArguments {
            nodes: nodes.view_mut(),
            triangles: triangles.view_mut(),
            places: places.view_mut(),
            meetings: self.grown.meetings.view_mut(),
            root: root.view_mut(),
        };
        device.launch(tiles(n as u32), RefitTree { parts, tree, facts: self.facts.view_mut() })
    }
    /// Whether the tree's corners of triangles are exactly the corners that it was fitted to, as
    /// [`Bvh::is_exact`]. `positions` and `faces` are those that it was fitted to. Waits.
    /// # Errors
    /// [`Error::NotFinite`] names a vertex of a face; [`Error::Invalid`] for other positions or faces; errors
    /// of the driver.
    pub fn check(&self, positions: &Buffer<Vec3>, faces: &Buffer<u32>) -> Result<bool> {
        let facts = self.facts.read()?;
        let face = match facts[NO_NUMBER as usize] {
            0 => return Ok(facts[ROUNDED as usize] == 0),
            face => !face as usize,
        };
        for vertex in faces.read_range(3 * face, 3)? {
            let vertex = vertex as usize;
            if vertex < positions.len() && !positions.read_range(vertex, 1)?[0].is_finite() {
                return Err(Error::NotFinite { vertex });
            }
        }
        Err(Error::Invalid("a tree was fitted to other faces".into()))
    }
    /// The tree as an argument of kernels, which get a [`crate::bvh::BvhView`].
    pub fn view(&self) -> BvhViewArguments<'_> {
        self.tree.view()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Device;
    use crate::bvh::aabb::Aabb;
    use crate::bvh::copied::Copied;
    use crate::device::NONE;
    use ribbonmesh_mesh::shapes;

    /// Whether the tree finds, for each face, the faces whose boxes meet its box, and no others.
    fn compare(tree: &RefitBvh, x: &[Vec3], faces: &[[u32; 3]]) {
        let copied = Copied::new(&tree.tree).expect("memory");
        let view = copied.view();
        let corners = |face: usize| faces[face].map(|v| x[v as usize]);
        let living: Vec<usize> = (0..faces.len()).filter(|&f| faces[f][0] != NONE).collect();
        for &face in &living {
            let mut found = vec![];
            view.meeting(corners(face), |other| found.push(other as usize));
            found.sort_unstable();
            let meets = |&other: &usize| Aabb::of(corners(other)).meets(&Aabb::of(corners(face)));
            assert!(found.into_iter().eq(living.iter().copied().filter(meets)), "face {face}");
        }
    }
    #[test]
    fn refitted_trees_find_what_comparing_all_boxes_finds() {
        let device = Device::cpu_with_threads(2).expect("threads");
        let mut torus = shapes::torus(24, 1).expect("small");
        shapes::shuffle(&mut torus, 1);
        let mut x = torus.points();
        for n in [1, 4, 5, torus.faces.len()] {
            let mut faces = torus.faces[..n].to_vec();
            faces[n / 2] = [NONE; 3];
            let upload = |faces: &[[u32; 3]]| device.upload(faces.as_flattened()).expect("memory");
            let mut tree = RefitBvh::new(&device.upload(&x).expect("memory"), &upload(&faces)).expect("tree");
            compare(&tree, &x, &faces);
            for round in 0..4_u32 {
                for (i, p) in x.iter_mut().enumerate() {
                    let turn = (i as u32).wrapping_mul(2_654_435_761).wrapping_add(round) as f32;
                    *p += Vec3::new(turn.sin(), turn.cos(), (2.0 * turn).sin()) * 0.2;
                }
                for i in (round as usize..n).step_by(3) {
                    faces[i] = if faces[i][0] == NONE { torus.faces[i] } else { [NONE; 3] };
                }
                let (points, corners) = (device.upload(&x).expect("memory"), upload(&faces));
                tree.refit(&points, &corners).expect("as many faces");
                assert!(tree.check(&points, &corners).expect("finite"));
                compare(&tree, &x, &faces);
            }
        }
    }
    #[test]
    fn faces_without_numbers_are_named_and_rounding_is_told() {
        let device = Device::cpu_with_threads(1).expect("a thread");
        let faces = device.upload(&[0, 1, 2, 2, 1, 3]).expect("memory");
        let mut x = vec![Vec3::ZERO, Vec3::X * 4.0, Vec3::Y, Vec3::Z];
        let mut tree = RefitBvh::new(&device.upload(&x).expect("memory"), &faces).expect("a tree");
        x[2].y = 1e-45;
        let points = device.upload(&x).expect("memory");
        tree.refit(&points, &faces).expect("as many faces");
        assert!(!tree.check(&points, &faces).expect("finite"));
        x[3].x = f32::INFINITY;
        let points = device.upload(&x).expect("memory");
        tree.refit(&points, &faces).expect("as many faces");
        assert!(matches!(tree.check(&points, &faces), Err(Error::NotFinite { vertex: 3 })));
        let fewer = device.upload(&[0, 1, 2]).expect("memory");
        assert!(matches!(tree.refit(&points, &fewer), Err(Error::Length { expected: 6, found: 3, .. })));
        // nothing at all
        let nothing = device.zeros::<u32>(0).expect("memory");
        let points = device.upload(&[Vec3::ZERO]).expect("memory");
        let mut tree = RefitBvh::new(&points, &nothing).expect("a tree");
        tree.refit(&points, &nothing).expect("as many faces");
    }
}
