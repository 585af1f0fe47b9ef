//! The components of a surface, and their history.
use super::shape::{Measured, Shape};
use glam::Vec3;
use ribbonmesh::device::NONE;
use rustc_hash::FxHashMap;

/// One component.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Component {
    /// Its number, which never changes.
    pub id: u32,
    /// The enclosed volume at the end of the step before.
    pub volume: f64,
    /// The volume that it should enclose: see
    /// [`TrackOptions::correct_volume`](crate::TrackOptions::correct_volume).
    pub expected: f64,
}

/// All components, by label.
#[derive(Clone, Debug, Default)]
pub struct Components {
    pub all: Vec<Component>,
    /// The next id.
    pub next: u32,
}

/// Components that were born, merged or died.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    pub born: Vec<u32>,
    pub merged: Vec<[u32; 2]>,
    pub died: Vec<u32>,
}

impl Components {
    /// Numbers the components of a surface, and returns the label of each vertex; [`NONE`] for those without
    /// a face.
    pub fn begin(&mut self, x: &[Vec3], faces: &[[u32; 3]]) -> Vec<u32> {
        let labels = vec![NONE; x.len()];
        let ids = labels.clone();
        let of = vec![NONE; faces.len()];
        let mut shape = Shape { x: x.to_vec(), faces: faces.to_vec(), of, rows: vec![], labels, ids };
        self.follow(&mut shape);
        shape.labels
    }
    /// Labels the components of a surface anew, and reports what became of the ones before.
    ///
    /// A component is followed to the new component that has most of its surviving vertices. Of several that
    /// are followed to the same one, the component with most vertices there keeps its id, and the others have
    /// merged into it. A component without remaining vertices has died; a new component to which none is
    /// followed is born.
    pub fn follow(&mut self, shape: &mut Shape) -> Changes {
        let (component, count) = shape.components();
        let mut votes: FxHashMap<[u32; 2], u32> = FxHashMap::default();
        for (label, to) in shape.labels.iter().zip(&component).filter(|(label, _)| **label != NONE) {
            *votes.entry([*label, *to]).or_default() += 1;
        }
        let changes = self.follow_votes(votes.into_iter().collect(), &shape.measure(&component, count));
        shape.labels = component;
        changes
    }
    /// As [`Components::follow`], from the numbers of vertices by earlier label and present component, of
    /// which the measures are known.
    pub fn follow_votes(&mut self, mut votes: Vec<([u32; 2], u32)>, measured: &[Measured]) -> Changes {
        let count = measured.len();
        votes.sort_unstable();
        let mut goes = vec![(0, NONE); self.all.len()];
        for ([label, to], votes) in votes {
            if let Some(best) = goes.get_mut(label as usize)
                && votes > best.0
            {
                *best = (votes, to);
            }
        }
        // the label that keeps its id in each component
        let mut keeps = vec![(0, NONE); count];
        for (label, &(votes, to)) in goes.iter().enumerate().filter(|(_, (_, to))| *to != NONE) {
            if votes > keeps[to as usize].0 {
                keeps[to as usize] = (votes, label as u32);
            }
        }
        let mut changes = Changes::default();
        let alone = |to: u32| goes.iter().filter(|(_, other)| *other == to).count() == 1;
        let mut all = Vec::with_capacity(count);
        for (to, (&(_, label), measured)) in keeps.iter().zip(measured).enumerate() {
            let volume = measured.volume;
            match self.all.get(label as usize) {
                Some(old) => {
                    let expected = if alone(to as u32) { old.expected + volume - old.volume } else { volume };
                    all.push(Component { id: old.id, volume, expected });
                }
                None => {
                    changes.born.push(self.next);
                    all.push(Component { id: self.next, volume, expected: volume });
                    self.next += 1;
                }
            }
        }
        for (label, &(_, to)) in goes.iter().enumerate() {
            let id = self.all[label].id;
            if to == NONE {
                changes.died.push(id);
            } else if keeps[to as usize].1 != label as u32 {
                changes.merged.push([id, all[to as usize].id]);
            }
        }
        self.all = all;
        changes
    }
}

impl Changes {
    /// Adds later changes.
    pub fn add(&mut self, later: Self) {
        // a component that is born and dies in one step is not reported
        let (gone, died): (Vec<u32>, Vec<u32>) =
            later.died.into_iter().partition(|id| self.born.contains(id));
        self.born.retain(|id| !gone.contains(id));
        self.born.extend(later.born);
        self.merged.extend(later.merged);
        self.died.extend(died);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    /// Tetrahedra with these labels.
    fn tetrahedra(labels: &[[u32; 4]]) -> Shape {
        let mut shape = Shape::default();
        for (i, labels) in (0_u32..).zip(labels) {
            let at = Vec3::new(3.0 * i as f32, 0.0, 0.0);
            shape.x.extend([Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z].map(|p| p + at));
            shape.labels.extend(labels);
            shape.ids.extend([NONE; 4]);
            shape.of.extend([NONE; 4]);
            let faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
            shape.faces.extend(faces.map(|face: [u32; 3]| face.map(|v| v + 4 * i)));
        }
        shape
    }

    #[test]
    fn ids_follow_vertices() {
        let mut components = Components::default();
        let first = components.follow(&mut tetrahedra(&[[NONE; 4]; 3]));
        assert_eq!((&first.born[..], first.merged.len(), first.died.len()), (&[0, 1, 2][..], 0, 0));
        // 0 and 1 merge, with more vertices of 1; 2 parts; no component dies
        let mut shape = tetrahedra(&[[0, 1, 1, NONE], [2, 2, 2, 2], [2, NONE, NONE, NONE]]);
        let second = components.follow(&mut shape);
        assert_eq!((&second.born[..], &second.merged[..], second.died.len()), (&[3][..], &[[0, 1]][..], 0));
        assert_eq!(components.all.iter().map(|c| c.id).collect::<Vec<_>>(), [1, 2, 3]);
        assert_eq!(shape.labels, [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2]);
        let third = components.follow(&mut tetrahedra(&[[2; 4]]));
        assert_eq!(third.died, [1, 2]);
        let mut sum = second;
        sum.add(third);
        assert_eq!((sum.born.len(), &sum.died[..]), (1, &[1, 2][..]));
        assert!((components.all[0].volume - 1.0 / 6.0).abs() < 1e-6);
    }
}
