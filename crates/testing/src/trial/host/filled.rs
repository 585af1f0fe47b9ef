//! Cavities and their possible fillings by definition: only from lists of triangles.
use super::choice::{Choice, Filling, Naming};
use super::state::State;
use super::surface::{Surface, edge, one_path, opposite, sides};
use crate::trial::trial::STRIP;
use ribbonmesh::device::{ElementKind, NONE};
use ribbonmesh::dynamic::templates::ThesisTemplate as Template;
use std::collections::{BTreeMap, BTreeSet};

/// A vertex of a filling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Node {
    /// One that was there.
    Old(u32),
    /// The n-th new one.
    New(u32),
}
use Node::{New, Old};

/// Triangles, each from its least vertex on.
pub type Triangles = BTreeSet<[Node; 3]>;

/// A triangle from its least vertex on.
pub fn from_least<V: Copy + Ord>([a, b, c]: [V; 3]) -> [V; 3] {
    [[a, b, c], [b, c, a], [c, a, b]].into_iter().min().unwrap_or([a, b, c])
}

/// Deleted faces, and what is around them.
#[derive(Clone, Debug)]
pub struct Hole {
    pub seed: u32,
    pub faces: BTreeSet<u32>,
    /// The vertices of the loop in order; `None` if it is not one simple loop around a disc, or was not
    /// looked for.
    pub around: Option<Vec<u32>>,
}

/// Whether a seed lives, in the sense that a cavity can be there.
pub fn lives(state: &State, kind: ElementKind, seed: u32) -> bool {
    match kind {
        ElementKind::Vertex => state.surface.around.contains_key(&seed),
        ElementKind::Edge => state.edges.get(seed as usize).is_some_and(|ends| ends[0] != NONE),
        ElementKind::Face => state.surface.faces.contains_key(&seed),
    }
}

/// The faces that have one of these vertices, one of these edges, or are among these.
fn faces_with(s: &Surface, vertices: &[u32], edges: &[[u32; 2]], faces: &[u32]) -> BTreeSet<u32> {
    let of_vertices = vertices.iter().flat_map(|v| s.of_vertex(*v)).copied();
    let of_edges = edges.iter().flat_map(|[a, b]| s.of_edge(*a, *b));
    of_vertices.chain(of_edges).chain(faces.iter().copied()).collect()
}

/// The neighbours of a vertex.
fn ring(s: &Surface, v: u32) -> Vec<u32> {
    let corners = s.of_vertex(v).iter().flat_map(|f| s.faces[f]);
    corners.filter(|u| *u != v).collect()
}

/// The faces of the cavity at a living seed.
fn named(state: &State, choice: &Choice, seed: u32) -> BTreeSet<u32> {
    let s = &state.surface;
    let ends = || state.edges[seed as usize];
    let corners = || s.faces[&seed];
    let edges_at = |v: u32| ring(s, v).into_iter().map(|u| [v, u]).collect::<Vec<_>>();
    let edges_of = |f: [u32; 3]| sides(f).map(|(a, b)| [a, b]);
    let alike =
        |faces: Vec<u32>, label: u32| faces.into_iter().filter(|f| choice.label(*f) == label).collect();
    match choice.naming {
        Naming::Template(Template::V) => faces_with(s, &[seed], &[], &[]),
        Naming::Template(Template::VE) => faces_with(s, &[seed], &edges_at(seed), &[]),
        Naming::Template(Template::VF) => faces_with(s, &[seed], &[], s.of_vertex(seed)),
        Naming::Template(Template::VV) => {
            let mut all = ring(s, seed);
            all.push(seed);
            faces_with(s, &all, &[], &[])
        }
        Naming::Template(Template::E) => faces_with(s, &[], &[ends()], &[]),
        Naming::Template(Template::EV) => faces_with(s, &ends(), &[ends()], &[]),
        Naming::Template(Template::EF) => {
            let [a, b] = ends();
            faces_with(s, &[], &[], &s.of_edge(a, b).collect::<Vec<_>>())
        }
        Naming::Template(Template::F) => [seed].into(),
        Naming::Template(Template::FV) => faces_with(s, &corners(), &[], &[seed]),
        Naming::Template(Template::FE) => faces_with(s, &[], &edges_of(corners()), &[seed]),
        Naming::Template(Template::FF) => {
            let across = sides(corners()).into_iter().filter_map(|(a, b)| s.sides.get(&(b, a)).copied());
            faces_with(s, &[], &[], &across.chain([seed]).collect::<Vec<_>>())
        }
        Naming::User(ElementKind::Vertex) => {
            let faces = s.of_vertex(seed).to_vec();
            let label = choice.label(faces[0]);
            alike(faces, label)
        }
        Naming::User(ElementKind::Edge) => strip(s, ends()).0,
        Naming::User(ElementKind::Face) => {
            let across = sides(corners()).into_iter().filter_map(|(a, b)| s.sides.get(&(b, a)).copied());
            alike(across.chain([seed]).collect(), choice.label(seed))
        }
    }
}

/// The faces of a strip, and whether it meets itself, so that a face is named twice.
fn strip(s: &Surface, [a, b]: [u32; 2]) -> (BTreeSet<u32>, bool) {
    let (mut all, mut twice) = (BTreeSet::new(), false);
    for (turn, side) in [(0, (a, b)), (1, (b, a))] {
        let mut side = side;
        for k in 0..STRIP {
            let Some(&f) = s.sides.get(&side) else { break };
            twice |= !all.insert(f);
            let [_, next, prev] = sides_from(s.faces[&f], side);
            let (x, y) = if k & 1 == turn { next } else { prev };
            side = (y, x);
        }
    }
    (all, twice)
}
/// The sides of a face from one of them on.
fn sides_from(face: [u32; 3], first: (u32, u32)) -> [(u32, u32); 3] {
    let [x, y, z] = sides(face);
    if x == first {
        [x, y, z]
    } else if y == first {
        [y, z, x]
    } else {
        [z, x, y]
    }
}

impl Hole {
    /// The cavity at a living seed, its loop not looked for.
    pub fn new(state: &State, choice: &Choice, seed: u32) -> Self {
        Self { seed, faces: named(state, choice, seed), around: None }
    }
    /// With its loop.
    pub fn with_loop(mut self, state: &State, choice: &Choice) -> Self {
        let twice = choice.naming == Naming::User(ElementKind::Edge)
            && strip(&state.surface, state.edges[self.seed as usize]).1;
        self.around = if twice { None } else { loop_around(&state.surface, &self.faces) };
        self
    }
    /// Its vertices that are not on the loop.
    pub fn inner_vertices(&self, s: &Surface) -> BTreeSet<u32> {
        let around: BTreeSet<u32> = self.around.iter().flatten().copied().collect();
        let all = self.faces.iter().flat_map(|f| s.faces[f]);
        all.filter(|v| !around.contains(v)).collect()
    }
    /// The sides of the loop, each with whether no face is on its other side.
    pub fn sides(&self, s: &Surface) -> Vec<((u32, u32), bool)> {
        let around = self.around.as_deref().unwrap_or(&[]);
        let n = around.len();
        let sides = (0..n).map(|i| (around[i], around[(i + 1) % n]));
        sides.map(|(a, b)| ((a, b), !s.sides.contains_key(&(b, a)))).collect()
    }
}

fn loop_around(s: &Surface, faces: &BTreeSet<u32>) -> Option<Vec<u32>> {
    let all: Vec<_> = faces.iter().flat_map(|f| sides(s.faces[f])).collect();
    let own: BTreeSet<_> = all.iter().copied().collect();
    let outer: Vec<_> = all.iter().copied().filter(|(a, b)| !own.contains(&(*b, *a))).collect();
    let next: BTreeMap<u32, u32> = outer.iter().copied().collect();
    if outer.is_empty() || next.len() != outer.len() {
        return None;
    }
    let first = outer[0].0;
    let mut around = vec![first];
    let mut at = next[&first];
    while at != first {
        around.push(at);
        at = *next.get(&at)?;
        if around.len() > outer.len() {
            return None;
        }
    }
    let vertices: BTreeSet<u32> = faces.iter().flat_map(|f| s.faces[f]).collect();
    let edges: BTreeSet<_> = all.iter().copied().map(edge).collect();
    let euler = vertices.len() as i64 - edges.len() as i64 + faces.len() as i64;
    (around.len() == outer.len() && euler == 1).then_some(around)
}

/// The fillings that an operation may give a cavity, of which it takes one; empty if it is rejected.
pub fn fillings<'a>(
    state: &'a State,
    choice: &'a Choice,
    hole: &'a Hole,
) -> impl Iterator<Item = Triangles> + 'a {
    (0..).map_while(move |i| filling(state, choice, hole, i))
}
/// The i-th of them.
fn filling(state: &State, choice: &Choice, hole: &Hole, i: usize) -> Option<Triangles> {
    let s = &state.surface;
    let around = hole.around.as_ref()?;
    let of_loop = matches!(choice.filling, Filling::FanOfLoop | Filling::SplitVertex);
    if i >= if of_loop { around.len() } else { 1 } {
        return None;
    }
    let (n, loop_sides) = (around.len(), hole.sides(s));
    let inner = hole.inner_vertices(s);
    let at = |i: usize| around[i % n];
    let fan = |sides: &[((u32, u32), bool)], apex: Node| -> Triangles {
        let others = sides.iter().filter(|((a, b), _)| Old(*a) != apex && Old(*b) != apex);
        others.map(|((a, b), _)| from_least([Old(*a), Old(*b), apex])).collect()
    };
    Some(match choice.filling {
        Filling::Nothing => Triangles::new(),
        Filling::Fan => fan(&loop_sides, New(0)),
        Filling::FanWithin => {
            let within: Vec<_> = loop_sides.iter().copied().filter(|(_, open)| !open).collect();
            fan(&within, New(0))
        }
        Filling::FanOfLoop => fan(&loop_sides, Old(at(i))),
        Filling::Flip => {
            let ends = state.edges[hole.seed as usize];
            let across: Vec<usize> = (0..n).filter(|i| !ends.contains(&around[*i])).collect();
            let (&[i, _], 4) = (across.as_slice(), n) else { return None };
            fan(&loop_sides, Old(at(i)))
        }
        Filling::Split => {
            let [a, b] = state.edges[hole.seed as usize];
            let others: Vec<_> =
                loop_sides.iter().copied().filter(|(side, _)| edge(*side) != edge((a, b))).collect();
            fan(&others, New(0))
        }
        Filling::Collapse => {
            let [a, b] = state.edges[hole.seed as usize];
            let of_boundary = s.of_edge(a, b).count() == 1;
            if inner.iter().any(|v| *v != a && *v != b) {
                return None;
            }
            let to = match (around.contains(&a), around.contains(&b)) {
                (false, false) => New(0),
                (true, false) => Old(a),
                (false, true) => Old(b),
                (true, true) if of_boundary && n > 3 => Old(a),
                (true, true) => return None,
            };
            let joined =
                hole.faces.iter().map(|f| s.faces[f].map(|v| if v == a || v == b { to } else { Old(v) }));
            joined.filter(|[x, y, z]| x != y && y != z && z != x).map(from_least).collect()
        }
        Filling::SplitVertex if inner.len() == 1 => split(around, i),
        Filling::CollapseFace if inner.len() == 3 => fan(&loop_sides, New(0)),
        Filling::SplitVertex | Filling::CollapseFace => return None,
    })
}

/// Two new vertices, an edge between them: the first one is joined with half of the loop from `first` on.
fn split(around: &[u32], first: usize) -> Triangles {
    let n = around.len();
    let at = |i: usize| Old(around[(first + i) % n]);
    let half = n / 2;
    let mut all: Triangles =
        (0..n).map(|i| from_least([at(i), at(i + 1), New(u32::from(i >= half))])).collect();
    all.insert(from_least([New(0), at(half), New(1)]));
    all.insert(from_least([New(1), at(0), New(0)]));
    all
}

/// Whether a surface with this cavity filled like this is a surface, without two edges between the same
/// vertices and without two faces on the same three.
pub fn valid(s: &Surface, hole: &Hole, filling: &Triangles) -> bool {
    let own: BTreeSet<_> = hole.faces.iter().flat_map(|f| sides(s.faces[f])).collect();
    let outside = |a: u32, b: u32| s.sides.contains_key(&(a, b)) && !own.contains(&(a, b));
    let of_loop: BTreeSet<(u32, u32)> = hole.sides(s).iter().map(|(side, _)| *side).collect();
    let mut seen = BTreeSet::new();
    let mut links: BTreeMap<Node, Vec<(Node, Node)>> =
        of_loop.iter().map(|(v, _)| (Old(*v), vec![])).collect();
    for &face in filling {
        for v in face {
            links.entry(v).or_default().push(opposite(face, v));
        }
        for side in sides(face) {
            if side.0 == side.1 || !seen.insert(side) {
                return false;
            }
            if let (Old(a), Old(b)) = side {
                let chord = !of_loop.contains(&(a, b));
                if chord && (outside(a, b) || outside(b, a) || of_loop.contains(&(b, a))) {
                    return false;
                }
            }
        }
        if let [Old(a), Old(b), Old(c)] = face {
            let turned = [(b, a), (c, b), (a, c)]
                .map(|(x, y)| s.sides.get(&(x, y)).filter(|f| !hole.faces.contains(f)));
            if turned[0].is_some() && turned[0] == turned[1] && turned[1] == turned[2] {
                return false;
            }
        }
    }
    links.into_iter().all(|(v, mut link)| {
        if let Old(v) = v {
            let others = s.of_vertex(v).iter().filter(|f| !hole.faces.contains(f));
            link.extend(others.map(|f| opposite(s.faces[f], v)).map(|(a, b)| (Old(a), Old(b))));
        }
        one_path(&link)
    })
}
