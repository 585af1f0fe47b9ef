//! Division of the faces of one plane by all that meets them.
use crate::arrange::pair::{axis, widest};
use crate::arrange::points::{Form, Made, Plane, Points, Soup};
use crate::arrange::tasks::Task;
use crate::arrange::triangulate::triangulate;
use glam::DVec3;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use std::cmp::Ordering;

/// A part of a face.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    /// Its corners, in the orientation of the face.
    pub(crate) corners: [u32; 3],
    /// The face of which it is a part.
    pub(crate) face: u32,
    /// Other faces of which it is a part, too, as the range of a list.
    pub(crate) others: [u32; 2],
}

/// The parts of the faces of some tasks, and points that no face knew. The new point `i` has the number of
/// all points before, plus `i`.
#[derive(Debug, Default)]
pub(crate) struct Divided {
    pub(crate) parts: Vec<Part>,
    /// Faces of which parts are parts, too, and whether with the same orientation.
    pub(crate) others: Vec<(u32, bool)>,
    pub(crate) made: Vec<Made>,
}

/// A segment, by places of points in the list, with the points within it.
struct Line {
    ends: [u32; 2],
    plane: Plane,
    on: Vec<u32>,
    low: DVec3,
    high: DVec3,
}

struct Sheet<'a> {
    soup: Soup<'a>,
    shared: &'a [Made],
    made: Vec<Made>,
    /// A face in the plane.
    face: u32,
    /// Axis of the projection.
    axis: usize,
    /// The points on the sheet.
    list: Vec<u32>,
    lines: Vec<Line>,
}

/// Adds the parts of the faces of a task. `None` if what meets them contradicts itself, which exact
/// predicates exclude.
pub(crate) fn divide(soup: Soup<'_>, shared: &[Made], task: &Task, divided: &mut Divided) -> Option<()> {
    let first = soup.faces[*task.faces.first()? as usize];
    let along = widest(first.map(|v| soup.grid.points[v as usize]))?;
    let face = task.faces[0];
    let mut sheet =
        Sheet { soup, shared, made: vec![], face, axis: axis(along), list: vec![], lines: vec![] };
    // tasks are many: their lists should not grow
    let (faces, points, segments) = (task.faces.len(), task.points.len(), task.segments.len());
    sheet.list.reserve(3 * faces + points);
    sheet.lines.reserve(3 * faces + segments);
    let mut places = FxHashMap::with_capacity_and_hasher(3 * faces + points, FxBuildHasher);
    let corners = task.faces.iter().flat_map(|&f| soup.faces[f as usize]);
    for point in corners.chain(task.points.iter().copied()) {
        places.entry(point).or_insert_with(|| {
            sheet.list.push(point);
            sheet.list.len() as u32 - 1
        });
    }
    // edges first: a segment along an edge is then not listed twice
    let mut known: FxHashSet<[u32; 2]> =
        FxHashSet::with_capacity_and_hasher(3 * faces + segments, FxBuildHasher);
    let mut edges: Vec<[u32; 3]> = Vec::with_capacity(faces);
    let mut line_of: FxHashMap<[u32; 2], u32> = FxHashMap::with_capacity_and_hasher(3 * faces, FxBuildHasher);
    for &face in &task.faces {
        let v = soup.faces[face as usize];
        let mut of_face = [0; 3];
        for (i, line) in of_face.iter_mut().enumerate() {
            let (a, b) = (v[i], v[(i + 1) % 3]);
            let edge = [a.min(b), a.max(b)];
            let ends = edge.map(|v| places[&v]);
            *line = *line_of.entry(edge).or_insert_with(|| {
                known.insert([ends[0].min(ends[1]), ends[0].max(ends[1])]);
                sheet.line(ends, Plane::Beside(edge, sheet.axis as u8))
            });
        }
        edges.push(of_face);
    }
    let of_edges = sheet.lines.len();
    for segment in &task.segments {
        let [a, b] = segment.ends.map(|p| places[&p]);
        if a != b && known.insert([a.min(b), a.max(b)]) {
            sheet.line([a, b], Plane::Face(segment.by));
        }
    }
    for place in 0..sheet.list.len() as u32 {
        sheet.put_on_lines(place, &[]);
    }
    sheet.cross(if task.faces.len() == 1 { of_edges } else { 0 });
    let pieces = sheet.pieces();
    let triangles = triangulate(sheet.points(), sheet.axis, &sheet.list, &sheet.known(), &pieces)?;
    sheet.parts(task, &edges, &triangles, divided);
    divided.made.append(&mut sheet.made);
    Some(())
}

impl Sheet<'_> {
    fn points(&self) -> Points<'_> {
        Points { soup: self.soup, shared: self.shared, own: &self.made }
    }
    fn turn(&self, [a, b]: [u32; 2], c: u32) -> i32 {
        let [a, b, c] = [a, b, c].map(|place| self.list[place as usize]);
        self.points().turn(self.axis, a, b, c)
    }
    /// A new segment; its number.
    fn line(&mut self, ends: [u32; 2], plane: Plane) -> u32 {
        let [a, b] = ends.map(|place| self.points().place(self.list[place as usize]));
        let error = DVec3::splat(a.error.max(b.error));
        let (low, high) = (a.at.min(b.at) - error, a.at.max(b.at) + error);
        self.lines.push(Line { ends, plane, on: vec![], low, high });
        self.lines.len() as u32 - 1
    }
    /// Lists a point with each segment within which it is, aside from some where it is listed already.
    fn put_on_lines(&mut self, place: u32, listed: &[usize]) {
        let point = self.list[place as usize];
        let near = self.points().place(point);
        let (low, high) = (near.at - near.error, near.at + near.error);
        let on: Vec<usize> = (0..self.lines.len())
            .filter(|i| !listed.contains(i))
            .filter(|&i| {
                let line = &self.lines[i];
                !line.ends.contains(&place)
                    && low.cmple(line.high).all()
                    && high.cmpge(line.low).all()
                    && (self.is_known_on(point, line) || self.turn(line.ends, place) == 0)
                    && self.is_between(line.ends, place)
            })
            .collect();
        on.into_iter().for_each(|i| self.lines[i].on.push(place));
    }
    /// Whether the definition of a point of this sheet says that it is on the line of a segment.
    fn is_known_on(&self, point: u32, line: &Line) -> bool {
        match (self.points().made(point), line.plane) {
            (None, Plane::Face(by)) => self.soup.faces[by as usize].contains(&point),
            (None, Plane::Beside(edge, _)) => edge.contains(&point),
            (Some(made), plane) => match (made.form, plane) {
                (Form::Cut(edge, _), Plane::Beside(of_line, _)) if edge == of_line => true,
                (Form::Cut(_, by), plane) => by == plane,
                (Form::Corner(planes), plane) => planes.contains(&plane),
            },
        }
    }
    /// Whether a point on the line of a segment is between its ends.
    fn is_between(&self, ends: [u32; 2], place: u32) -> bool {
        let points = self.points();
        let [a, b, p] = [ends[0], ends[1], place].map(|place| self.list[place as usize]);
        let (axis, order) = self.direction(ends);
        points.compare(axis, a, p) == order && points.compare(axis, p, b) == order
    }
    /// An axis along which the ends of a segment differ, and the order of its ends.
    fn direction(&self, ends: [u32; 2]) -> (usize, Ordering) {
        let points = self.points();
        let [a, b] = ends.map(|place| self.list[place as usize]);
        let way = (points.place(b).at - points.place(a).at).abs();
        let first = way.max_position();
        let found = [0, 1, 2].map(|k| (first + k) % 3).into_iter().find_map(|axis| {
            let order = points.compare(axis, a, b);
            (order != Ordering::Equal).then_some((axis, order))
        });
        found.unwrap_or((first, Ordering::Less))
    }
    /// Finds the points at which segments cross, from segment `from` on, and lists them.
    fn cross(&mut self, from: usize) {
        for s in from..self.lines.len() {
            for t in s + 1..self.lines.len() {
                if self.do_cross(s, t) {
                    self.add_crossing(s, t);
                }
            }
        }
    }
    /// Whether two segments cross at a point that is on no list of both.
    fn do_cross(&self, s: usize, t: usize) -> bool {
        let (a, b) = (&self.lines[s], &self.lines[t]);
        if !(a.low.cmple(b.high).all() && b.low.cmple(a.high).all())
            || a.ends.iter().any(|p| b.ends.contains(p) || b.on.contains(p))
            || b.ends.iter().any(|p| a.on.contains(p))
            || a.on.iter().any(|p| b.on.contains(p))
        {
            return false;
        }
        self.turn(a.ends, b.ends[0]) * self.turn(a.ends, b.ends[1]) < 0
            && self.turn(b.ends, a.ends[0]) * self.turn(b.ends, a.ends[1]) < 0
    }
    fn add_crossing(&mut self, s: usize, t: usize) {
        let form = match (self.lines[s].plane, self.lines[t].plane) {
            (Plane::Beside(edge, _), plane) | (plane, Plane::Beside(edge, _)) => Form::Cut(edge, plane),
            (first, second) => Form::Corner([Plane::Face(self.face), first, second]),
        };
        let place = self.list.len() as u32;
        let number = self.points().vertices() as usize + self.shared.len() + self.made.len();
        self.made.push(self.soup.make(form));
        self.list.push(number as u32);
        self.lines[s].on.push(place);
        self.lines[t].on.push(place);
        self.put_on_lines(place, &[s, t]);
    }
    /// For each point in bits on which of the first 64 segments it is.
    fn known(&self) -> Vec<u64> {
        let mut known = vec![0; self.list.len()];
        for (i, line) in self.lines.iter().take(64).enumerate() {
            line.ends.iter().chain(&line.on).for_each(|&place| known[place as usize] |= 1 << i);
        }
        known
    }
    /// The parts of all segments between the points on them, each once.
    fn pieces(&mut self) -> Vec<[u32; 2]> {
        let count = self.lines.len() + self.lines.iter().map(|line| line.on.len()).sum::<usize>();
        let mut pieces: FxHashSet<[u32; 2]> = FxHashSet::with_capacity_and_hasher(count, FxBuildHasher);
        let mut all = Vec::with_capacity(count);
        for i in 0..self.lines.len() {
            let ends = self.lines[i].ends;
            let mut on = std::mem::take(&mut self.lines[i].on);
            let (axis, order) = self.direction(ends);
            let points = self.points();
            on.sort_unstable_by(|&a, &b| {
                let found = points.compare(axis, self.list[a as usize], self.list[b as usize]);
                if order == Ordering::Less { found } else { found.reverse() }
            });
            let mut last = ends[0];
            for &next in on.iter().chain([&ends[1]]) {
                let piece = [last.min(next), last.max(next)];
                if pieces.insert(piece) {
                    all.push(piece);
                }
                last = next;
            }
            self.lines[i].on = on;
        }
        all
    }
    /// Adds the triangles that are part of a face.
    fn parts(&self, task: &Task, edges: &[[u32; 3]], triangles: &[[u32; 3]], divided: &mut Divided) {
        // new points of this sheet come after those of others
        let (first, before) =
            (self.points().vertices() + self.shared.len() as u32, divided.made.len() as u32);
        let numbered = |p: u32| if p < first { p } else { p + before };
        let name = |corners: [u32; 3]| corners.map(|place| numbered(self.list[place as usize]));
        if let [face] = task.faces[..] {
            let [a, b, c] = self.soup.faces[face as usize];
            let up = self.points().turn(self.axis, a, b, c) > 0;
            let part = |&corners: &[u32; 3]| {
                let [p, q, r] = name(corners);
                Part { corners: if up { [p, q, r] } else { [p, r, q] }, face, others: [0; 2] }
            };
            return divided.parts.extend(triangles.iter().map(part));
        }
        // the first face of which each triangle is a part, and the others
        let mut found = vec![(None::<Part>, Vec::<(u32, bool)>::new()); triangles.len()];
        for (&face, lines) in task.faces.iter().zip(edges) {
            let v = self.soup.faces[face as usize];
            let [a, b, c] = v;
            let up = self.points().turn(self.axis, a, b, c);
            let inside: Vec<bool> =
                (0..self.list.len() as u32).map(|place| self.is_in(v, up, lines, place)).collect();
            for (corners, (part, others)) in triangles.iter().zip(&mut found) {
                if !corners.iter().all(|&place| inside[place as usize]) {
                    continue;
                }
                let [p, q, r] = name(*corners);
                match part {
                    None => {
                        let corners = if up > 0 { [p, q, r] } else { [p, r, q] };
                        *part = Some(Part { corners, face, others: [0; 2] });
                    }
                    Some(part) => {
                        let [s, t, u] = part.corners;
                        let counterclockwise = [[s, t, u], [t, u, s], [u, s, t]].contains(&[p, q, r]);
                        others.push((face, counterclockwise == (up > 0)));
                    }
                }
            }
        }
        for (part, mut others) in found {
            let Some(part) = part else { continue };
            let start = divided.others.len() as u32;
            divided.others.append(&mut others);
            divided.parts.push(Part { others: [start, divided.others.len() as u32], ..part });
        }
    }
    /// Whether a point of the plane is in a face, or on its edge.
    fn is_in(&self, corners: [u32; 3], up: i32, lines: &[u32; 3], place: u32) -> bool {
        let point = self.list[place as usize];
        let near = self.points().place(point);
        let bounds = lines.map(|i| &self.lines[i as usize]);
        let low = bounds[0].low.min(bounds[1].low);
        let high = bounds[0].high.max(bounds[1].high);
        if !((near.at - near.error).cmple(high).all() && (near.at + near.error).cmpge(low).all()) {
            return false;
        }
        (0..3).all(|i| {
            let (a, b) = (corners[i], corners[(i + 1) % 3]);
            let line = bounds[i];
            point == a
                || point == b
                || line.on.contains(&place)
                || self.points().turn(self.axis, a, b, point) * up > 0
        })
    }
}
