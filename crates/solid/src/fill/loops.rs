//! Boundary loops.
use crate::fill::FillError;
use crate::fill::around::{Around, NONE, before, behind, start};
use crate::fill::surroundings::Surroundings;
use crate::repair::Violation;
use glam::DVec3;
use ribbonmesh_mesh::MeshError;
use rustc_hash::{FxHashMap, FxHashSet};

/// A boundary loop, in the direction of the faces that fill it.
#[derive(Clone)]
pub(crate) struct Loop {
    /// Its vertices, each once.
    pub vertices: Vec<u32>,
    /// The face across the side from each vertex to the next.
    pub across: Vec<u32>,
}

/// All boundary loops of a mesh, numbered as in the part around its boundary.
pub(crate) struct Loops {
    /// The loops in the order of their first vertices; a copy counts as the vertex from which it was made.
    pub loops: Vec<Loop>,
    /// Vertices that were split: the vertex of the part of each copy. Copies are numbered after its vertices.
    pub copies: Vec<u32>,
    /// The faces with these copies; `None` without copies.
    pub faces: Option<Vec<[u32; 3]>>,
    /// The corners at the vertices of the loops.
    pub around: Around,
}

/// The faces at a vertex between two sides of the boundary.
pub(crate) struct Fan {
    /// The side of the boundary that begins at the vertex, as an index into the list of all.
    out: u32,
    /// The side of the boundary that ends there.
    into: u32,
    corners: Vec<u32>,
}

/// Finds the boundary loops of a mesh that is an oriented manifold, except that boundary loops may touch each
/// other and themselves at vertices.
///
/// Where several fans meet at a vertex, a loop continues from a fan to the next one counterclockwise, along
/// the gap between them, so that holes that touch at a vertex are several. A loop that then passes a vertex
/// twice would close surfaces that touch only there: such a vertex is split, and each fan gets its own copy.
pub(crate) fn loops(part: &Surroundings) -> Result<Loops, FillError> {
    let Surroundings { sides, several_fans, violations, .. } = part;
    let (positions, faces) = (&part.mesh.positions, &part.mesh.faces);
    let around = Around::of(positions.len(), faces, sides);
    let fans_of = |&(v, _): &(u32, u32)| if v == NONE { None } else { fans(v, faces, sides, &around) };
    let fans: Vec<Option<Vec<Fan>>> = several_fans.iter().map(fans_of).collect();
    if violations.total() > violations.nonmanifold_vertices.count || fans.iter().any(Option::is_none) {
        let mut violations = violations.clone();
        let closed = several_fans.iter().zip(&fans).filter(|(_, fans)| fans.is_none()).map(|(v, _)| *v);
        let closed: Vec<(u32, u32)> = closed.collect();
        let list = &mut violations.nonmanifold_vertices;
        list.count = closed.len() as u64;
        list.first.retain(|violation| {
            matches!(violation, Violation::NonManifoldVertex { vertex, .. } if closed.iter().any(|(_, v)| v == vertex))
        });
        if let (true, Some(&(v, vertex))) = (list.first.is_empty(), closed.first()) {
            let corners = if v == NONE { &[] } else { around.corners(v) };
            let faces = corners.iter().map(|&corner| part.corner(corner) / 3).collect();
            list.first.push(Violation::NonManifoldVertex { vertex, faces });
        }
        return Err(FillError::NotManifold(Box::new(violations)));
    }
    let fans: Vec<(u32, Vec<Fan>)> =
        several_fans.iter().map(|(v, _)| *v).zip(fans.into_iter().flatten()).collect();
    if let Some(v) = sides.iter().map(|&side| start(faces, side)).find(|&v| !finite(positions, v)) {
        return Err(MeshError::NotFinite { vertex: part.vertex(v) as usize }.into());
    }

    // the index of the side that begins where a side ends
    let mut begins = vec![NONE; around.rows()];
    for (place, &side) in (0..).zip(sides) {
        if let Some(row) = around.row(start(faces, side)) {
            begins[row] = place;
        }
    }
    let end = |place: u32| start(faces, behind(sides[place as usize]));
    let follows = |place: u32| around.row(end(place)).map_or(NONE, |row| begins[row]);
    let mut next: Vec<u32> = (0..sides.len() as u32).map(follows).collect();
    for (vertex, fans) in &fans {
        for (a, b) in turns(*vertex, fans, sides, positions, faces) {
            next[a as usize] = b;
        }
    }
    let mut walks = walk(&next);
    let mut split: FxHashSet<u32> = FxHashSet::default();
    loop {
        // a loop may still pass several copies of a split vertex
        let twice = walks.iter().flat_map(|walk| repeated(walk, sides, faces));
        let before = split.len();
        split.extend(twice.collect::<Vec<_>>());
        if split.len() == before {
            break;
        }
        for (_, fans) in fans.iter().filter(|(vertex, _)| split.contains(vertex)) {
            fans.iter().for_each(|fan| next[fan.into as usize] = fan.out);
        }
        walks = walk(&next);
    }
    let mut copies = vec![];
    let mut changed: Option<Vec<[u32; 3]>> = None;
    for (vertex, fans) in fans.iter().filter(|(vertex, _)| split.contains(vertex)) {
        // the fan with the first corner keeps the vertex
        for fan in &fans[1..] {
            let copy = (positions.len() + copies.len()) as u32;
            copies.push(*vertex);
            let corners = changed.get_or_insert_with(|| faces.to_vec()).as_flattened_mut();
            fan.corners.iter().for_each(|&corner| corners[corner as usize] = copy);
        }
    }
    limit_vertices(part.whole + copies.len())?;
    let now = changed.as_deref().unwrap_or(faces);
    let around = match changed {
        None => around,
        Some(_) => Around::of(positions.len() + copies.len(), now, sides),
    };
    let input = |v: u32| (v as usize).checked_sub(positions.len()).map_or(v, |copy| copies[copy]);
    let mut loops: Vec<(u32, Loop)> = walks
        .into_iter()
        .map(|walk| {
            let walk: Vec<u32> = walk.into_iter().map(|place| sides[place as usize]).collect();
            // against the direction of the sides
            let vertices: Vec<u32> = walk.iter().rev().map(|&side| start(now, side)).collect();
            let n = walk.len();
            let across = (0..n).map(|i| walk[(2 * n - 2 - i) % n] / 3).collect();
            let first = vertices.iter().map(|&v| input(v)).min().unwrap_or(NONE);
            (first, Loop { vertices, across })
        })
        .collect();
    loops.sort_by_key(|(first, _)| *first);
    let loops = loops.into_iter().map(|(_, boundary)| boundary).collect();
    Ok(Loops { loops, copies, faces: changed, around })
}

/// Refuses more vertices than there are numbers.
pub(crate) fn limit_vertices(vertices: usize) -> Result<(), MeshError> {
    MeshError::at_most("vertices", vertices, u64::from(u32::MAX))
}

fn finite(positions: &[DVec3], v: u32) -> bool {
    positions[v as usize].is_finite()
}

/// The fans of a vertex, by their first corners; `None` if a fan has no boundary.
pub(crate) fn fans(vertex: u32, faces: &[[u32; 3]], sides: &[u32], around: &Around) -> Option<Vec<Fan>> {
    let corners = around.corners(vertex);
    // the corner at the vertex whose side leads to each neighbour
    let to: FxHashMap<u32, u32> =
        corners.iter().map(|&corner| (start(faces, behind(corner)), corner)).collect();
    let place = |side: u32| sides.binary_search(&side).ok().map(|place| place as u32);
    let mut fans = vec![];
    for &corner in corners {
        let Some(out) = place(corner) else { continue };
        let mut fan = Fan { out, into: NONE, corners: vec![corner] };
        let mut at = corner;
        fan.into = loop {
            let side = before(at);
            if let Some(place) = place(side) {
                break place;
            }
            at = *to.get(&start(faces, side))?;
            fan.corners.push(at);
        };
        fans.push(fan);
    }
    fans.sort_by_key(|fan| fan.corners.iter().copied().min());
    let walked: usize = fans.iter().map(|fan| fan.corners.len()).sum();
    (walked == corners.len() && fans.len() > 1).then_some(fans)
}

/// Finds which side of the boundary follows which at a vertex of several fans: the last side of a fan is
/// followed by the first one of the next fan, counterclockwise.
pub(crate) fn turns(
    vertex: u32,
    fans: &[Fan],
    sides: &[u32],
    positions: &[DVec3],
    faces: &[[u32; 3]],
) -> Vec<(u32, u32)> {
    let at = |v: u32| positions[v as usize];
    let corners = fans.iter().flat_map(|fan| &fan.corners);
    let normal = corners.map(|&corner| {
        let [a, b, c] = faces[corner as usize / 3].map(at);
        (b - a).cross(c - a)
    });
    let normal = normal.sum::<DVec3>().try_normalize().unwrap_or(DVec3::Z);
    let (x, y) = normal.any_orthonormal_pair();
    let angle = |fan: &Fan| {
        let way = at(start(faces, behind(sides[fan.out as usize]))) - at(vertex);
        way.dot(y).atan2(way.dot(x))
    };
    let mut order: Vec<&Fan> = fans.iter().collect();
    order.sort_by(|a, b| angle(a).total_cmp(&angle(b)));
    let next = order.iter().cycle().skip(1);
    order.iter().zip(next).map(|(a, b)| (a.into, b.out)).collect()
}

/// The cycles of a permutation.
fn walk(next: &[u32]) -> Vec<Vec<u32>> {
    let mut seen = vec![false; next.len()];
    let mut cycles = vec![];
    for first in 0..next.len() as u32 {
        let mut cycle = vec![];
        let mut at = first;
        while at != NONE && !seen[at as usize] {
            seen[at as usize] = true;
            cycle.push(at);
            at = next[at as usize];
        }
        if !cycle.is_empty() {
            cycles.push(cycle);
        }
    }
    cycles
}

/// The vertices that a cycle passes more than once.
fn repeated(walk: &[u32], sides: &[u32], faces: &[[u32; 3]]) -> Vec<u32> {
    let mut seen: FxHashSet<u32> = FxHashSet::default();
    let passed = walk.iter().map(|&place| start(faces, sides[place as usize]));
    passed.filter(|&v| !seen.insert(v)).collect()
}
