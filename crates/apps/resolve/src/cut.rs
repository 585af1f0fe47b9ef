//! What is deleted.
use crate::clusters::{Cluster, clusters, drop_ears};
use glam::{DVec3, Vec3};
use ribbonmesh::Result;
use ribbonmesh_inside::InsideTest;
use ribbonmesh_mesh::{Sides, TriangleMesh};

/// Faces of a cluster that are asked whether they are inside (w of the paper).
const ASKED: usize = 9;
/// A cluster of at most this many faces that deletion has cut off is deleted, too.
pub(crate) const CRUMB: usize = 12;
/// How far in front of a face its outside is asked for, in lengths of its shortest edge.
const BEFORE: f64 = 0.05;

/// The faces of a mesh that are cut out, since they or others near them intersect.
pub(crate) struct Cut<'m> {
    mesh: &'m TriangleMesh,
    origin: DVec3,
    cut: Vec<bool>,
    sides: &'m Sides,
}

/// The faces that stay.
pub(crate) struct Kept {
    /// Ascending.
    pub faces: Vec<u32>,
    /// Number of those that do not, since they are inside.
    pub inside: usize,
}

impl<'m> Cut<'m> {
    /// Those of some pairs.
    pub fn new(mesh: &'m TriangleMesh, origin: DVec3, pairs: &[[u32; 2]], sides: &'m Sides) -> Self {
        let mut cut = vec![false; mesh.faces.len()];
        pairs.iter().flatten().for_each(|&face| cut[face as usize] = true);
        Self { mesh, origin, cut, sides }
    }
    /// What is left: without ears, crumbs, and what is inside. `test` is one of the mesh around its origin.
    pub fn kept(&self, test: &InsideTest<'_>) -> Result<Kept> {
        let mut kept: Vec<bool> = self.cut.iter().map(|cut| !cut).collect();
        drop_ears(self.sides, &mut kept);
        let inside = self.take_out_inside(test, &mut kept)?;
        let faces = (0..self.mesh.faces.len() as u32).filter(|&f| kept[f as usize]).collect();
        Ok(Kept { faces, inside })
    }
    /// Cuts more: faces at the vertices of new faces that intersect others, and old faces that they intersect. Pairs are of faces
    /// `left`, or new ones with greater numbers, whose vertices `vertices` lists, as far as they are old.
    pub fn more<I: Iterator<Item = u32>>(
        &mut self,
        pairs: &[[u32; 2]],
        left: &[u32],
        vertices: impl Fn(u32) -> I,
    ) {
        let mut near = vec![false; self.mesh.positions.len()];
        let mut grown = false;
        for &face in pairs.iter().flatten() {
            match left.get(face as usize) {
                Some(&old) => grown |= !std::mem::replace(&mut self.cut[old as usize], true),
                None => vertices(face).for_each(|v| near[v as usize] = true),
            }
        }
        grown |= self.grow(&near);
        if !grown {
            // what is near went as ears or crumbs: a ring more everywhere
            let mut near = vec![false; self.mesh.positions.len()];
            for (face, _) in self.mesh.faces.iter().zip(&self.cut).filter(|(_, cut)| **cut) {
                face.iter().for_each(|&v| near[v as usize] = true);
            }
            self.grow(&near);
        }
    }
    /// Cuts the faces with a vertex of some. Whether there were any.
    fn grow(&mut self, near: &[bool]) -> bool {
        let mut grown = false;
        for (face, cut) in self.mesh.faces.iter().zip(&mut self.cut) {
            if !*cut && face.iter().any(|&v| near[v as usize]) {
                (*cut, grown) = (true, true);
            }
        }
        grown
    }

    /// Takes out the clusters whose outside is inside of the volume, and those that are crumbs. The number of faces inside.
    fn take_out_inside(&self, test: &InsideTest<'_>, kept: &mut [bool]) -> Result<usize> {
        let Self { mesh, origin, .. } = *self;
        let mut clusters = clusters(self.sides, kept);
        clusters.retain(|Cluster { faces, open, beyond }| {
            let crumb = *open && !beyond && faces.len() <= CRUMB;
            if crumb {
                faces.iter().for_each(|&face| kept[face as usize] = false);
            }
            // what no cut touches is as the rest of it, beyond
            let far = *beyond && !open;
            !crumb && !far
        });
        // faces all over each cluster, and a point before each
        let corners = |face: u32| mesh.faces[face as usize].map(|v| mesh.positions[v as usize] - origin);
        let asked = |Cluster { faces, .. }: &Cluster| -> Vec<u32> {
            let step = faces.len().div_ceil(ASKED);
            faces.iter().skip(step / 2).step_by(step).copied().collect()
        };
        let lists: Vec<Vec<u32>> = clusters.iter().map(asked).collect();
        let before = |&face: &u32| {
            let [a, b, c] = corners(face);
            let shortest = a.distance(b).min(b.distance(c)).min(c.distance(a));
            ((a + b + c) / 3.0 + BEFORE * shortest * (b - a).cross(c - a).normalize_or_zero()).as_vec3()
        };
        let points: Vec<Vec3> = lists.iter().flatten().map(before).collect();
        let winding = test.cast(&test.device().upload(&points)?)?.winding.read()?;
        let mut winding = winding.into_iter();
        let mut inside = 0;
        for (Cluster { faces, .. }, list) in clusters.iter().zip(&lists) {
            let votes = winding.by_ref().take(list.len()).filter(|w| *w != 0.0).count();
            if 2 * votes > list.len() {
                faces.iter().for_each(|&face| kept[face as usize] = false);
                inside += faces.len();
            }
        }
        Ok(inside)
    }
}
