//! The oracle: what a pass did must be what its operations do, one by one, and all that could be done.
use super::choice::{Choice, Filling, Naming};
use super::filled::{Hole, Node, Triangles, fillings, from_least, lives, valid};
use super::state::State;
use super::surface::{edge, sides};
use ribbonmesh::device::NONE;
use ribbonmesh::dynamic::PassReport;
use std::collections::{BTreeMap, BTreeSet, HashMap};

macro_rules! ensure { ($condition:expr, $($text:tt)*) => { if !$condition { return Err(format!($($text)*)); } } }

/// Checks one pass, the operation with number `serial`:
/// - cavities of executed seeds have no face in common, and each is filled as the operation fills it;
/// - all else is as before, elements that survive have their ids and their tags, new ones new tags;
/// - each seed that was meant and not executed has a face that the pass has changed, or its cavity may not be
///   filled so.
/// # Errors
/// A description of the first mistake.
pub fn check_pass(
    before: &State,
    after: &State,
    choice: &Choice,
    serial: u32,
    report: &PassReport,
) -> Result<(), String> {
    after.check()?;
    let kind = choice.naming.seed();
    let meant: Vec<u32> =
        (0..choice.priority.len() as u32).filter(|s| choice.means(*s) && lives(before, kind, *s)).collect();
    let done = |seed: u32| after.executed[seed as usize] == serial;
    let mut owner: HashMap<u32, u32> = HashMap::new();
    let mut holes = Vec::new();
    let mut executed = 0;
    for &seed in &meant {
        let hole = Hole::new(before, choice, seed);
        if done(seed) {
            executed += 1;
            for &f in &hole.faces {
                let other = owner.insert(f, seed);
                ensure!(other.is_none(), "seeds {seed} and {other:?} have both changed face {f}");
            }
        }
        holes.push(hole);
    }
    let marked = after.executed.iter().filter(|s| **s == serial).count();
    ensure!(marked == executed, "{marked} executed, {executed} of those that were meant");
    ensure!(
        report.executed == executed as u64,
        "{} executed by the report, {executed} found",
        report.executed
    );

    let mut made: HashMap<u32, Vec<u32>> = HashMap::new();
    for f in after.surface.faces.keys() {
        let tag = after.tags[2][*f as usize];
        if tag.x == serial {
            made.entry(tag.y >> 12).or_default().push(*f);
        }
    }
    let mut check = Check { before, after, choice, serial, owner: &owner, made, used: BTreeSet::new() };
    for hole in holes.iter().filter(|hole| done(hole.seed)) {
        check.filled(&hole.clone().with_loop(before, choice))?;
    }
    check.faces()?;
    check.edges()?;
    check.vertices()?;

    let mut blocked = 0;
    for hole in holes.iter().filter(|hole| !done(hole.seed)) {
        if hole.faces.iter().any(|f| owner.contains_key(f)) {
            continue;
        }
        // which faces have the label of the first one may have changed with any of the faces around
        let corners = || hole.faces.iter().flat_map(|f| before.surface.faces[f]);
        let mut around = corners().flat_map(|v| before.surface.of_vertex(v));
        if matches!(choice.naming, Naming::User(_)) && around.any(|f| owner.contains_key(f)) {
            continue;
        }
        blocked += 1;
        let hole = &hole.clone().with_loop(before, choice);
        let mut all = fillings(before, choice, hole).peekable();
        let possible = all.peek().is_some()
            && all.all(|filling| {
                valid(&before.surface, hole, &filling) && valid(&after.surface, hole, &filling)
            });
        // a cavity may have been rejected for a hole next to it that became part of a larger one later in the
        // pass
        let beside = || {
            let faces = hole.around.iter().flatten().flat_map(|v| before.surface.of_vertex(*v));
            faces.into_iter().any(|f| owner.contains_key(f))
        };
        ensure!(
            !possible || matches!(choice.filling, Filling::Nothing | Filling::FanWithin) && beside(),
            "the cavity at seed {} could have been filled, and was not: {report:?}",
            hole.seed
        );
    }
    let rejected: u32 = report.rejected.iter().sum();
    let most = meant.len() - executed;
    ensure!(
        (blocked..=most).contains(&(rejected as usize)),
        "{rejected} rejected by the report; {blocked} at least, {most} at most"
    );
    Ok(())
}

struct Check<'c> {
    before: &'c State,
    after: &'c State,
    choice: &'c Choice,
    serial: u32,
    /// The executed seed of each changed face.
    owner: &'c HashMap<u32, u32>,
    /// The new faces of each executed seed.
    made: HashMap<u32, Vec<u32>>,
    /// Sides of loops that fillings have.
    used: BTreeSet<(u32, u32)>,
}
impl Check<'_> {
    /// The vertex as a part of the filling at a seed.
    fn node(&self, seed: u32, v: u32) -> Node {
        let tag = self.after.tags[0][v as usize];
        if tag.x == self.serial && tag.y >> 12 == seed { Node::New(tag.y & 0xFFF) } else { Node::Old(v) }
    }
    /// The filling of an executed cavity is one of the fillings that it may have.
    fn filled(&mut self, hole: &Hole) -> Result<(), String> {
        let seed = hole.seed;
        let mut found = Triangles::new();
        let mut numbers = BTreeSet::new();
        for f in self.made.get(&seed).map_or(&[][..], Vec::as_slice) {
            let face = self.after.surface.faces[f];
            ensure!(
                numbers.insert(self.after.tags[2][*f as usize].y),
                "two new faces have the same tag, one is {f}"
            );
            found.insert(from_least(face.map(|v| self.node(seed, v))));
            self.used.extend(sides(face));
        }
        let mut all = fillings(self.before, self.choice, hole);
        let good = all.any(|filling| filling == found && filling.len() == numbers.len());
        ensure!(good, "the cavity at seed {seed}, {hole:?}, was filled with {found:?}");
        Ok(())
    }
    fn faces(&self) -> Result<(), String> {
        let (before, after) = (self.before, self.after);
        for (f, face) in &before.surface.faces {
            if !self.owner.contains_key(f) {
                let same = after.surface.faces.get(f) == Some(face);
                ensure!(
                    same,
                    "face {f}, which no cavity had, is {:?}, not {face:?}",
                    after.surface.faces.get(f)
                );
                let tags = [before, after].map(|state| state.tags[2][*f as usize]);
                ensure!(tags[0] == tags[1], "the tag of face {f} is {}, not {}", tags[1], tags[0]);
            }
        }
        for f in after.surface.faces.keys() {
            let kept = before.surface.faces.contains_key(f) && !self.owner.contains_key(f);
            let tag = after.tags[2][*f as usize];
            ensure!(kept || tag.x == self.serial, "the new face {f} has the old tag {tag}");
        }
        Ok(())
    }
    fn edges(&self) -> Result<(), String> {
        let (before, after) = (self.before, self.after);
        let mut kept = BTreeSet::new();
        for (e, &[a, b]) in before.edges.iter().enumerate().filter(|(_, ends)| ends[0] != NONE) {
            let seeds: Vec<Option<u32>> =
                before.surface.of_edge(a, b).map(|f| self.owner.get(&f).copied()).collect();
            let survives = match seeds[..] {
                [None] | [None, _] | [_, None] => true,
                [Some(x), Some(y)] if x == y => false,
                _ => self.used.contains(&(a, b)) || self.used.contains(&(b, a)),
            };
            if survives {
                kept.insert(e);
                let ends = after.edges[e];
                let same = ends[0] != NONE && edge((ends[0], ends[1])) == edge((a, b));
                ensure!(same, "edge {e}, which survives, is {ends:?}, not {a}-{b}");
                let tags = [before, after].map(|state| state.tags[1][e]);
                ensure!(tags[0] == tags[1], "the tag of edge {e} is {}, not {}", tags[1], tags[0]);
            }
        }
        let mut news = BTreeMap::new();
        for (e, ends) in
            after.edges.iter().enumerate().filter(|(e, ends)| ends[0] != NONE && !kept.contains(e))
        {
            let tag = after.tags[1][e];
            ensure!(tag.x == self.serial, "the new edge {e} {ends:?} has the old tag {tag}");
            let other = news.insert((tag.x, tag.y), e);
            ensure!(other.is_none(), "edges {e} and {other:?} have the same tag");
        }
        Ok(())
    }
    fn vertices(&self) -> Result<(), String> {
        let (before, after) = (self.before, self.after);
        let inner: BTreeSet<u32> = {
            let all = before.surface.around.iter();
            let gone = all.filter(|(_, faces)| {
                let first = self.owner.get(&faces[0]);
                first.is_some() && faces.iter().all(|f| self.owner.get(f) == first)
            });
            gone.map(|(v, _)| *v).collect()
        };
        for v in 0..after.vertices.len() as u32 {
            let (was, is) = (before.vertices.get(v as usize) == Some(&true), after.vertices[v as usize]);
            let (had, has) = (before.surface.around.contains_key(&v), after.surface.around.contains_key(&v));
            let tag = after.tags[0][v as usize];
            let new = tag.x == self.serial;
            let same = was && tag == before.tags[0][v as usize];
            let good = match (was, had) {
                // without faces: nothing happens to it
                (true, false) => is && !has && same,
                (false, _) => !is || new,
                // it stays, unless all its faces were in one cavity
                (true, true) => (!is && !has) || has && same || (inner.contains(&v) && new),
            };
            ensure!(
                good,
                "vertex {v}: lived {was}, with faces {had}; lives {is}, with faces {has}, tag {tag}"
            );
        }
        // each new vertex once
        let mut news = BTreeMap::new();
        for (v, tag) in (0u32..).zip(&after.tags[0]).filter(|(v, _)| after.vertices[*v as usize]) {
            let other = news.insert((tag.x, tag.y), v);
            ensure!(other.is_none(), "vertices {v} and {other:?} have the tag {tag}");
        }
        Ok(())
    }
}

/// Checks that a mesh is the same after compaction, by the tags of its elements, and has no deleted elements.
/// # Errors
/// A description of the first mistake.
pub fn check_compaction(before: &State, after: &State) -> Result<(), String> {
    after.check()?;
    ensure!(after.vertices.iter().all(|lives| *lives), "a deleted vertex is left");
    ensure!(after.edges.iter().all(|ends| ends[0] != NONE), "a deleted edge is left");
    ensure!(after.surface.faces.len() == after.faces.len(), "a deleted face is left");
    let tagged = |state: &State| -> Content {
        let of = |kind: usize, i: u32| state.tags[kind][i as usize].to_array();
        let vertices = (0u32..).zip(&state.vertices).filter(|(_, lives)| **lives).map(|(v, _)| of(0, v));
        let edges = (0u32..).zip(&state.edges).filter(|(_, ends)| ends[0] != NONE);
        let faces = state.surface.faces.iter();
        Content {
            vertices: vertices.collect(),
            edges: edges.map(|(e, [a, b])| (of(1, e), edge((of(0, *a), of(0, *b))))).collect(),
            faces: faces.map(|(f, face)| (of(2, *f), from_least(face.map(|v| of(0, v))))).collect(),
        }
    };
    ensure!(tagged(before) == tagged(after), "elements or their tags have changed");
    Ok(())
}

/// A mesh by the tags of its elements.
#[derive(PartialEq)]
struct Content {
    vertices: BTreeSet<Tag>,
    edges: BTreeSet<(Tag, (Tag, Tag))>,
    faces: BTreeSet<(Tag, [Tag; 3])>,
}
type Tag = [u32; 2];
