//! The arrangement of triangles: parts of faces that meet in common vertices and edges, or not at all.
use crate::arrange::cut::{Divided, Part, divide};
use crate::arrange::grid::Grid;
use crate::arrange::meetings::Meetings;
use crate::arrange::pair::widest;
use crate::arrange::places::Places;
use crate::arrange::points::{Made, Points, Soup};
use crate::arrange::pool::GRAIN;
use crate::arrange::tasks::{Task, Tasks};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

/// No task.
pub(crate) const NONE: u32 = u32::MAX;
/// Tasks that one thread does one after the other.
const TOGETHER: usize = 8;

/// Triangles cut along everything that meets them.
///
/// The parts of faces have numbers. A face that meets no other one is a part with the face's number; parts of
/// other faces follow from the number of faces on. Of faces that coincide, common parts are listed once.
/// Faces without area have none.
#[derive(Debug)]
pub(crate) struct Arrangement {
    pub(crate) grid: Grid,
    /// The faces of the input, with one vertex for each place where faces meet.
    pub(crate) faces: Vec<[u32; 3]>,
    /// For each face, in bits, the sides that are no edges as long as it is whole: what meets there is known.
    pub(crate) settled: Vec<u8>,
    /// Points that are not vertices: their numbers follow those of the vertices.
    pub(crate) made: Vec<Made>,
    /// Whether each face is a part.
    pub(crate) whole: Vec<bool>,
    /// The parts of faces that meet others.
    pub(crate) cut: Vec<Part>,
    /// Faces of which these parts are parts, too: each part has a range of them.
    pub(crate) others: Vec<(u32, bool)>,
    /// Number of faces that meet others.
    pub(crate) faces_cut: usize,
}

impl Arrangement {
    pub(crate) fn points(&self) -> Points<'_> {
        Soup { grid: &self.grid, faces: &self.faces }.with(&self.made)
    }
    /// The number of points.
    pub(crate) fn point_count(&self) -> usize {
        self.grid.points.len() + self.made.len()
    }
    /// The number above all parts.
    pub(crate) fn end(&self) -> u32 {
        (self.faces.len() + self.cut.len()) as u32
    }
    /// Whether a number is a face that is one part.
    pub(crate) fn is_whole(&self, part: u32) -> bool {
        self.whole.get(part as usize) == Some(&true)
    }
    /// Whether a number is a part.
    pub(crate) fn is_part(&self, part: u32) -> bool {
        self.is_whole(part) || self.of_cut(part).is_some()
    }
    fn of_cut(&self, part: u32) -> Option<&Part> {
        self.cut.get((part as usize).checked_sub(self.faces.len())?)
    }
    /// The numbers of all parts, ascending.
    pub(crate) fn parts(&self) -> impl ParallelIterator<Item = u32> + '_ {
        let of_cut = (self.faces.len() as u32..self.end()).into_par_iter().with_min_len(GRAIN);
        let whole = (0..self.faces.len() as u32)
            .into_par_iter()
            .with_min_len(GRAIN)
            .filter(|&face| self.whole[face as usize]);
        whole.chain(of_cut)
    }
    /// The corners of a part, in the orientation of its face.
    pub(crate) fn corners(&self, part: u32) -> [u32; 3] {
        match self.of_cut(part) {
            Some(part) => part.corners,
            None => self.faces[part as usize],
        }
    }
    /// Whether what meets a side of a part is known.
    pub(crate) fn is_settled(&self, part: u32, side: usize) -> bool {
        self.settled.get(part as usize).is_some_and(|sides| sides >> side & 1 == 1)
    }
    /// The face of a part.
    pub(crate) fn face(&self, part: u32) -> u32 {
        self.of_cut(part).map_or(part, |part| part.face)
    }
    /// Other faces of which a part is one, too, and whether with the same orientation.
    pub(crate) fn others(&self, part: u32) -> &[(u32, bool)] {
        self.of_cut(part).map_or(&[], |part| &self.others[part.others[0] as usize..part.others[1] as usize])
    }
}

/// Cuts faces along all that meets them. `pairs` are all pairs of faces that intersect; `settled` has for
/// each face the sides that are no edges of whole faces. `None` if what meets a face contradicts itself,
/// which exact predicates exclude.
pub(crate) fn arrange(
    grid: Grid,
    faces: Vec<[u32; 3]>,
    settled: Vec<u8>,
    pairs: &[[u32; 2]],
) -> Option<Arrangement> {
    let soup = Soup { grid: &grid, faces: &faces };
    let has_area = |&[a, b, c]: &[u32; 3]| {
        a != b && b != c && c != a && widest([a, b, c].map(|v| grid.points[v as usize])).is_some()
    };
    let flat: Vec<bool> = faces.par_iter().with_min_len(GRAIN).map(|face| !has_area(face)).collect();
    let has_area = |pair: &[u32; 2]| pair.iter().all(|&f| !flat[f as usize]);
    let pairs: Vec<[u32; 2]> = pairs.iter().copied().filter(has_area).collect();
    let (mut made, meetings) = Meetings::new(soup, &pairs);
    let tasks = Tasks::new(faces.len(), &pairs, meetings);
    let first = grid.points.len() as u32;
    let shared = first + made.len() as u32;
    // one number for each place
    let mut places = Places::default();
    let list: Vec<u32> = vertices(soup, tasks.faces()).into_iter().chain(first..shared).collect();
    let least = places.add(soup.with(&made), &list, first);
    let divided = divide_all(soup, &made, &tasks, &least)?;
    let mut parts = Parts::new(divided, shared, &mut made);
    let end = first + made.len() as u32;
    if end > shared {
        let least = places.add(soup.with(&made), &(shared..end).collect::<Vec<u32>>(), shared);
        parts.merge(&least);
    }
    let whole = tasks
        .of_face
        .par_iter()
        .with_min_len(GRAIN)
        .zip(flat)
        .map(|(&task, flat)| task == NONE && !flat)
        .collect();
    let (Parts { cut, others }, faces_cut) = (parts, tasks.faces().len());
    drop(tasks);
    Some(Arrangement { grid, faces, settled, made, whole, cut, others, faces_cut })
}

/// The vertices of some faces, ascending.
fn vertices(soup: Soup<'_>, faces: &[u32]) -> Vec<u32> {
    let mut has = vec![false; soup.grid.points.len()];
    let corners = faces.iter().flat_map(|&face| soup.faces[face as usize]);
    corners.for_each(|vertex| has[vertex as usize] = true);
    (0..has.len() as u32).filter(|&vertex| has[vertex as usize]).collect()
}

/// Divides the faces of all tasks, of some that follow each other together. `None` if one contradicts itself.
fn divide_all(
    soup: Soup<'_>,
    made: &[Made],
    tasks: &Tasks<'_>,
    least: &FxHashMap<u32, u32>,
) -> Option<Vec<Divided>> {
    let some = |first: usize| {
        let (mut divided, mut task) = (Divided::default(), Task::default());
        for number in first..tasks.count().min(first + TOGETHER) {
            tasks.task(number, least, &mut task);
            divide(soup, made, &task, &mut divided)?;
        }
        Some(divided)
    };
    let divided = (0..tasks.count().div_ceil(TOGETHER)).into_par_iter().map(|i| some(i * TOGETHER));
    divided.collect::<Vec<Option<Divided>>>().into_iter().collect()
}

/// The parts of all tasks.
struct Parts {
    cut: Vec<Part>,
    others: Vec<(u32, bool)>,
}

impl Parts {
    /// The parts in the order of tasks. New points follow those before them, from number `first` on.
    fn new(mut divided: Vec<Divided>, first: u32, made: &mut Vec<Made>) -> Self {
        let before = made.len();
        let mut others = vec![];
        // for each list of parts its first one, and how far its new points and its lists of others move
        let mut starts: Vec<[u32; 3]> = Vec::with_capacity(divided.len());
        let mut count = 0;
        for of in &mut divided {
            starts.push([count, (made.len() - before) as u32, others.len() as u32]);
            count += of.parts.len() as u32;
            made.append(&mut of.made);
            others.append(&mut of.others);
        }
        let part = |i: u32| {
            let list = starts.partition_point(|start| start[0] <= i) - 1;
            let [start, of_points, of_others] = starts[list];
            let part = divided[list].parts[(i - start) as usize];
            let number = |p| if p < first { p } else { p + of_points };
            Part {
                corners: part.corners.map(number),
                others: part.others.map(|place| place + of_others),
                ..part
            }
        };
        let cut = (0..count).into_par_iter().with_min_len(GRAIN).map(part).collect();
        divided.into_par_iter().for_each(drop);
        Self { cut, others }
    }
    /// Gives points at one place one number.
    fn merge(&mut self, least: &FxHashMap<u32, u32>) {
        let one = |point: u32| least.get(&point).copied().unwrap_or(point);
        self.cut.par_iter_mut().with_min_len(GRAIN).filter(|_| !least.is_empty()).for_each(|part| {
            part.corners = part.corners.map(one);
        });
    }
}
