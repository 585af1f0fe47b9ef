//! The arrangement of triangles: parts of faces that meet in common vertices and edges, or not at all.
use crate::arrange::cut::{Divided, Part, Segment, Task, divide};
use crate::arrange::grid::Grid;
use crate::arrange::pair::{Common, Meeting, Name, meet, widest};
use crate::arrange::points::{Made, Points, Soup};
use rayon::prelude::*;
use ribbonmesh_mesh::UnionFind;
use rustc_hash::FxHashMap;

/// No task.
const NONE: u32 = u32::MAX;

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
    /// Number of faces that meet others.
    pub(crate) faces_cut: usize,
}

impl Arrangement {
    pub(crate) fn points(&self) -> Points<'_> {
        Points { soup: Soup { grid: &self.grid, faces: &self.faces }, shared: &self.made, own: &[] }
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
        let of_cut = self.faces.len() as u32..self.end();
        let whole = (0..self.faces.len() as u32).into_par_iter().filter(|&face| self.whole[face as usize]);
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
        self.of_cut(part).map_or(&[], |part| &part.others)
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
    let flat: Vec<bool> = faces.par_iter().map(|face| !has_area(face)).collect();
    let pairs: Vec<[u32; 2]> =
        pairs.iter().copied().filter(|pair| pair.iter().all(|&f| !flat[f as usize])).collect();
    let meetings: Vec<Meeting> = pairs.par_iter().map(|&[a, b]| meet(soup, a, b)).collect();
    let (mut made, names) = name(soup, &meetings);
    let (mut tasks, task_of) = tasks(&faces, &pairs, &meetings, &names);
    meetings.into_par_iter().for_each(drop);
    drop(names);
    let shared = made.len();
    // one number for each place
    let least = merge_places(soup, &made, &tasks);
    let one = |point: u32| least.get(&point).copied().unwrap_or(point);
    tasks.par_iter_mut().filter(|_| !least.is_empty()).for_each(|task| {
        task.points.iter_mut().for_each(|point| *point = one(*point));
        task.points.sort_unstable();
        task.points.dedup();
        task.segments.iter_mut().for_each(|segment| segment.ends = segment.ends.map(one));
        task.segments.retain(|segment| segment.ends[0] != segment.ends[1]);
    });
    let divided: Vec<Option<Divided>> = tasks.par_iter().map(|task| divide(soup, &made, task)).collect();
    let mut divided: Vec<Divided> = divided.into_iter().collect::<Option<_>>()?;
    let first = (grid.points.len() + shared) as u32;
    let offset = |own: &mut Divided| {
        let offset = (made.len() - shared) as u32;
        made.append(&mut own.made);
        offset
    };
    let offsets: Vec<u32> = divided.iter_mut().map(offset).collect();
    let parts = divided.into_par_iter().zip(offsets).flat_map_iter(|(of, offset)| {
        let number = move |p| if p < first { p } else { p + offset };
        of.parts.into_iter().map(move |part| Part { corners: part.corners.map(number), ..part })
    });
    let mut cut: Vec<Part> = parts.collect();
    if made.len() > shared {
        let least = merge_places(soup, &made, &tasks);
        let one = |point: u32| least.get(&point).copied().unwrap_or(point);
        cut.par_iter_mut().for_each(|part| part.corners = part.corners.map(one));
    }
    // lists of tasks go on all threads, since they are many
    let faces_cut = tasks.into_par_iter().map(|task| task.faces.len()).sum();
    let whole = task_of.par_iter().zip(flat).map(|(&task, flat)| task == NONE && !flat).collect();
    Some(Arrangement { grid, faces, settled, made, whole, cut, faces_cut })
}

/// The numbers of the points of meetings, one after the other.
struct Names {
    starts: Vec<u32>,
    numbers: Vec<u32>,
}
impl Names {
    fn of(&self, meeting: usize) -> &[u32] {
        &self.numbers[self.starts[meeting] as usize..self.starts[meeting + 1] as usize]
    }
}

/// The points that are not vertices, in the order in which meetings name them first, and the number of each
/// point of each meeting.
fn name(soup: Soup<'_>, meetings: &[Meeting]) -> (Vec<Made>, Names) {
    let mut starts = vec![0];
    starts.extend(meetings.iter().scan(0, |sum, meeting| {
        *sum += meeting.points.len() as u32;
        Some(*sum)
    }));
    let points: Vec<Common> =
        meetings.par_iter().flat_map_iter(|meeting| meeting.points.iter().copied()).collect();
    let mut named: Vec<(Name, u32)> = (points.par_iter().zip(0..points.len() as u32))
        .filter(|(point, _)| !matches!(point.name, Name::Vertex(_)))
        .map(|(point, at)| (point.name, at))
        .collect();
    named.par_sort_unstable();
    // for each point the first place where its name is
    let mut first_at = vec![NONE; points.len()];
    for same in named.chunk_by(|a, b| a.0 == b.0) {
        same.iter().for_each(|of| first_at[of.1 as usize] = same[0].1);
    }
    let vertices = soup.grid.points.len() as u32;
    let (mut forms, mut numbers) = (vec![], Vec::with_capacity(points.len()));
    for (at, point) in (0..).zip(&points) {
        let number = match point.name {
            Name::Vertex(v) => v,
            _ if first_at[at as usize] != at => numbers[first_at[at as usize] as usize],
            _ => {
                forms.extend(point.form);
                vertices + forms.len() as u32 - 1
            }
        };
        numbers.push(number);
    }
    (forms.into_par_iter().map(|form| soup.make(form)).collect(), Names { starts, numbers })
}

/// The task of a face of a pair, the pair, and which of its faces it is.
type Met = (u32, u32, u32);

/// The tasks of dividing faces that meet others, and the task of each face.
fn tasks(
    faces: &[[u32; 3]],
    pairs: &[[u32; 2]],
    meetings: &[Meeting],
    names: &Names,
) -> (Vec<Task>, Vec<u32>) {
    let mut task_of = vec![NONE; faces.len()];
    let mut hit: Vec<u32> = pairs.par_iter().flatten_iter().copied().collect();
    hit.par_sort_unstable();
    hit.dedup();
    hit.iter().enumerate().for_each(|(i, &face)| task_of[face as usize] = i as u32);
    // faces that overlap in a plane are one task
    let mut sets = UnionFind::new(hit.len());
    for ([a, b], meeting) in pairs.iter().zip(meetings) {
        if meeting.flat {
            sets.join(task_of[*a as usize], task_of[*b as usize]);
        }
    }
    // numbers of the sets in the order of their first faces
    let roots = sets.roots();
    let (mut number, mut count) = (vec![NONE; hit.len()], 0);
    let mut of_task: Vec<(u32, u32)> = Vec::with_capacity(hit.len());
    for (i, &face) in hit.iter().enumerate() {
        if roots[i] as usize == i {
            number[i] = count;
            count += 1;
        }
        let task = number[roots[i] as usize];
        of_task.push((task, face));
        task_of[face as usize] = task;
    }
    of_task.par_sort_unstable();
    let of_pair =
        |(i, pair): (usize, &[u32; 2])| [0, 1].map(|k| (task_of[pair[k] as usize], i as u32, k as u32));
    let mut met: Vec<Met> = pairs.par_iter().enumerate().flat_map_iter(of_pair).collect();
    met.par_sort_unstable();
    let task = |(faces, met): (&[(u32, u32)], &[Met])| {
        let mut task = Task { faces: faces.iter().map(|of| of.1).collect(), ..Task::default() };
        for &(_, i, k) in met {
            let names = names.of(i as usize);
            task.points.extend(names);
            if let (false, &[a, b]) = (meetings[i as usize].flat, names) {
                task.segments.push(Segment { ends: [a, b], by: pairs[i as usize][1 - k as usize] });
            }
        }
        task.points.sort_unstable();
        task.points.dedup();
        task
    };
    let faces: Vec<&[(u32, u32)]> = of_task.chunk_by(|a, b| a.0 == b.0).collect();
    let met: Vec<&[Met]> = met.chunk_by(|a, b| a.0 == b.0).collect();
    // every face of a pair is in a task
    (faces.into_par_iter().zip(met).map(task).collect(), task_of)
}

/// Points at one place, of those that were made and the vertices of faces that meet others: for each but the
/// least the number of the least.
fn merge_places(soup: Soup<'_>, made: &[Made], tasks: &[Task]) -> FxHashMap<u32, u32> {
    let points = Points { soup, shared: made, own: &[] };
    let corners = |&face: &u32| soup.faces[face as usize];
    let mut list: Vec<u32> =
        tasks.par_iter().flat_map_iter(|task| task.faces.iter().flat_map(corners)).collect();
    let first = points.vertices();
    list.extend(first..first + made.len() as u32);
    list.par_sort_unstable();
    list.dedup();
    let mut spans: Vec<(f64, f64, u32)> = list
        .par_iter()
        .map(|&point| {
            let place = points.place(point);
            (place.at.x - place.error, place.at.x + place.error, point)
        })
        .collect();
    spans.par_sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.2.cmp(&b.2)));
    let near = |a: u32, b: u32| {
        let (p, q) = (points.place(a), points.place(b));
        (p.at - q.at).abs().cmple(glam::DVec3::splat(p.error + q.error)).all()
    };
    // pairs of points whose bounds overlap
    let pairs: Vec<[u32; 2]> = (0..spans.len())
        .into_par_iter()
        .flat_map_iter(|i| {
            let (_, high, a) = spans[i];
            let after = spans[i + 1..].iter().take_while(move |span| span.0 <= high);
            after.map(move |span| [a, span.2]).filter(|&[a, b]| a.max(b) >= first && near(a, b))
        })
        .filter(|&[a, b]| points.same(a, b))
        .collect();
    let mut least: FxHashMap<u32, u32> = FxHashMap::default();
    let root = |least: &FxHashMap<u32, u32>, mut point: u32| {
        while let Some(&next) = least.get(&point) {
            point = next;
        }
        point
    };
    for [a, b] in pairs {
        let (a, b) = (root(&least, a), root(&least, b));
        if a != b {
            least.insert(a.max(b), a.min(b));
        }
    }
    let all: Vec<u32> = least.keys().copied().collect();
    all.into_iter().map(|point| (point, root(&least, point))).collect()
}
