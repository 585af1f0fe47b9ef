//! Faces at vertices that a flow has lost.
use super::error::TrackError;
use super::phases::Living;
use super::tracker::Tracker;
use crate::region::TakeMarked;
use glam::{IVec3, Vec3};
use ribbonmesh::device::{ElementKind, tiles};
use ribbonmesh::{Buffer, Error, array};
use ribbonmesh_mesh::UnionFind;
use std::collections::HashMap;

/// Greatest distance of the middles of two faces that are linked, in lengths of edges.
const REACH: f32 = 2.5;

/// Faces that are to be deleted.
pub(super) struct Lost {
    /// The faces with a lost vertex, as indices among those that are not deleted.
    pub faces: Vec<u32>,
    /// Pairs of them, one for each two parts of the surface that are near each other, so that their holes may
    /// be joined.
    pub links: Vec<[u32; 2]>,
}

impl Tracker {
    /// The faces with a lost vertex. Components without any other vertex are dying instead. Waits.
    pub(super) fn at_lost(
        &self,
        living: &Living,
        lost: &Buffer<u32>,
        dying: &mut Vec<u32>,
    ) -> Result<Lost, TrackError> {
        let expected = self.mesh.ids(ElementKind::Vertex) as usize;
        if lost.len() != expected {
            return Err(Error::Length { what: "lost vertices", expected, found: lost.len() }.into());
        }
        let (faces, n) = (living.faces.view().wide(), living.faces.len() / 3);
        let mut taken = self.device().unspecified::<u32>(n)?;
        let take = TakeMarked { faces, marks: lost.view(), taken: taken.view_mut() };
        self.device().launch(tiles(n as u32), take)?;
        let mut at = array::select(&taken)?.read()?;
        let Some(labels) = self.values.labels.as_ref().filter(|_| !at.is_empty()) else {
            return Ok(Lost { faces: vec![], links: vec![] });
        };
        let (labels, lost, faces) = (labels.buffer().read()?, lost.read()?, living.faces.read()?);
        let corners = |face: u32| faces.as_chunks::<3>().0[face as usize];
        let mut stays = vec![false; self.components.all.len()];
        for &v in &faces {
            stays[labels[v as usize] as usize] |= lost[v as usize] == 0;
        }
        at.retain(|face| stays[labels[corners(*face)[0] as usize] as usize]);
        let vanish = (0..).zip(&stays).filter(|(_, stays)| !**stays).map(|(label, _)| label);
        let vanish: Vec<u32> = vanish.filter(|label| !dying.contains(label)).collect();
        dying.extend(vanish);
        let x = self.values.x.buffer().read()?;
        let of: Vec<[u32; 3]> = at.iter().map(|face| corners(*face)).collect();
        let links = links(&of, |v| x[v as usize], REACH * self.length);
        Ok(Lost { links: links.into_iter().map(|pair| pair.map(|i| at[i])).collect(), faces: at })
    }
}

/// Pairs of faces, by their indices, whose middles are at most `reach` apart: one for each two parts that are
/// near each other, where parts are connected by vertices, or by pairs before. Linear in the number of faces
/// and of those near each other.
fn links(faces: &[[u32; 3]], place: impl Fn(u32) -> Vec3, reach: f32) -> Vec<[usize; 2]> {
    let mut first: HashMap<u32, u32> = HashMap::new();
    let mut parts = UnionFind::new(faces.len());
    for (i, face) in (0..).zip(faces) {
        for v in face {
            parts.join(*first.entry(*v).or_insert(i), i);
        }
    }
    let middle = |face: &[u32; 3]| face.map(&place).iter().sum::<Vec3>() / 3.0;
    let mut cells: HashMap<IVec3, Vec<usize>> = HashMap::new();
    let mut links = vec![];
    for (i, face) in faces.iter().enumerate() {
        let at = middle(face);
        let cell = (at / reach).floor().as_ivec3();
        for offset in 0..27 {
            let offset = IVec3::new(offset % 3, offset / 3 % 3, offset / 9) - IVec3::ONE;
            for &j in cells.get(&cell.saturating_add(offset)).into_iter().flatten() {
                if parts.root(i as u32) != parts.root(j as u32) && middle(&faces[j]).distance(at) <= reach {
                    parts.join(i as u32, j as u32);
                    links.push([j, i]);
                }
            }
        }
        cells.entry(cell).or_default().push(i);
    }
    links
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_that_are_near_are_linked_once() {
        // strips of faces along x, at these heights
        let (mut places, mut faces) = (vec![], vec![]);
        for height in [0.0, 0.9, 1.7, 9.0] {
            let base = places.len() as u32;
            places.extend((0..20_u8).map(|i| Vec3::new(f32::from(i) / 2.0, f32::from(i % 2), height)));
            faces.extend((0..18).map(|i| [base + i, base + i + 1, base + i + 2]));
        }
        let found = links(&faces, |v| places[v as usize], 1.0);
        let strips: Vec<[usize; 2]> = found.iter().map(|pair| pair.map(|face| face / 18)).collect();
        assert_eq!(strips, [[0, 1], [1, 2]]);
        assert_eq!(links(&faces, |v| places[v as usize], 0.5), [[0; 2]; 0]);
        // one part has no link with itself
        assert_eq!(links(&faces[..18], |v| places[v as usize], 1.0), [[0; 2]; 0]);
    }
}
