//! Which faces are divided together, and by what.
use crate::arrange::arrangement::NONE;
use crate::arrange::meetings::Meetings;
use crate::arrange::rows::Rows;
use ribbonmesh_mesh::UnionFind;
use rustc_hash::FxHashMap;

/// A segment in which a face meets another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Segment {
    pub(crate) ends: [u32; 2],
    /// The face that meets it there.
    pub(crate) by: u32,
}

/// Faces in one plane that overlap, or one face; with the points and segments on them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Task {
    pub(crate) faces: Vec<u32>,
    pub(crate) points: Vec<u32>,
    pub(crate) segments: Vec<Segment>,
}

/// All tasks of dividing faces that meet others.
pub(crate) struct Tasks<'a> {
    pairs: &'a [[u32; 2]],
    meetings: Meetings,
    /// The faces of each task, ascending.
    faces: Rows<u32>,
    /// The pairs of each task, and which of its faces it has.
    met: Rows<(u32, u32)>,
    /// For each face its task.
    pub(crate) of_face: Vec<u32>,
}

impl<'a> Tasks<'a> {
    /// The tasks of `count` faces of which some pairs meet, ascending by their first faces.
    pub(crate) fn new(count: usize, pairs: &'a [[u32; 2]], meetings: Meetings) -> Self {
        let mut of_face = vec![NONE; count];
        pairs.as_flattened().iter().for_each(|&face| of_face[face as usize] = 0);
        let hit: Vec<u32> = (0..count as u32).filter(|&face| of_face[face as usize] != NONE).collect();
        (0..).zip(&hit).for_each(|(i, &face)| of_face[face as usize] = i);
        // faces that overlap in a plane are one task
        let mut sets = UnionFind::new(hit.len());
        let flat = pairs.iter().enumerate().filter(|of| meetings.is_flat(of.0));
        for &[a, b] in flat.map(|of| of.1) {
            sets.join(of_face[a as usize], of_face[b as usize]);
        }
        // numbers of the sets in the order of their first faces
        let (mut number, mut tasks) = (vec![NONE; hit.len()], 0);
        for (i, &face) in hit.iter().enumerate() {
            let root = sets.root(i as u32) as usize;
            if root == i {
                number[i] = tasks;
                tasks += 1;
            }
            of_face[face as usize] = number[root];
        }
        let task = |face: u32| of_face[face as usize];
        let faces = Rows::new(tasks as usize, hit.iter().map(|&face| (task(face), face)));
        let of_pair = |(i, &[a, b]): (u32, &[u32; 2])| [(task(a), (i, 0)), (task(b), (i, 1))];
        let met = Rows::new(tasks as usize, (0..).zip(pairs).flat_map(of_pair));
        Self { pairs, meetings, faces, met, of_face }
    }
    /// Their number.
    pub(crate) fn count(&self) -> usize {
        self.faces.count()
    }
    /// The faces of all tasks.
    pub(crate) fn faces(&self) -> &[u32] {
        self.faces.items()
    }
    /// Makes `task` a task, with the least of the points at one place for each of its points.
    pub(crate) fn task(&self, number: usize, least: &FxHashMap<u32, u32>, task: &mut Task) {
        let one = |point: &u32| if least.is_empty() { *point } else { *least.get(point).unwrap_or(point) };
        let Task { faces, points, segments } = task;
        faces.clear();
        points.clear();
        segments.clear();
        faces.extend(self.faces.row(number));
        for &(pair, k) in self.met.row(number) {
            let of_pair = self.meetings.of(pair as usize);
            points.extend(of_pair.iter().map(one));
            if let (false, [a, b]) = (self.meetings.is_flat(pair as usize), of_pair) {
                let ends = [one(a), one(b)];
                if ends[0] != ends[1] {
                    segments.push(Segment { ends, by: self.pairs[pair as usize][1 - k as usize] });
                }
            }
        }
        points.sort_unstable();
        points.dedup();
    }
}
