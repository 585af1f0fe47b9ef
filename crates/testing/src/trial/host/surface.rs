//! A surface as a list of triangles.
use ribbonmesh::device::NONE;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Triangles by id, and what follows from them.
#[derive(Clone, Debug, Default)]
pub struct Surface {
    /// Living triangles.
    pub faces: BTreeMap<u32, [u32; 3]>,
    /// The face of each side, by where it begins and ends.
    pub sides: HashMap<(u32, u32), u32>,
    /// The faces of each vertex, ascending.
    pub around: HashMap<u32, Vec<u32>>,
}

/// The three sides of a triangle.
pub fn sides<V: Copy>([a, b, c]: [V; 3]) -> [(V, V); 3] {
    [(a, b), (b, c), (c, a)]
}

/// An edge by its ends.
pub fn edge<V: Ord>((a, b): (V, V)) -> (V, V) {
    if a < b { (a, b) } else { (b, a) }
}

impl Surface {
    /// The surface of faces by id, `NONE` for faces that do not exist.
    pub fn new(faces: &[[u32; 3]]) -> Self {
        let mut surface = Self::default();
        for (id, &face) in (0..).zip(faces).filter(|(_, f)| f[0] != NONE) {
            surface.faces.insert(id, face);
            for side in sides(face) {
                surface.sides.insert(side, id);
                surface.around.entry(side.0).or_default().push(id);
            }
        }
        surface
    }
    /// The faces of a vertex.
    pub fn of_vertex(&self, v: u32) -> &[u32] {
        self.around.get(&v).map_or(&[], Vec::as_slice)
    }
    /// The one or two faces of the edge between two vertices.
    pub fn of_edge(&self, a: u32, b: u32) -> impl Iterator<Item = u32> {
        [(a, b), (b, a)].into_iter().filter_map(|side| self.sides.get(&side).copied())
    }
    /// The edges by their ends, each with the number of its faces.
    pub fn edges(&self) -> BTreeMap<(u32, u32), u32> {
        let mut edges = BTreeMap::new();
        for side in self.faces.values().flat_map(|&f| sides(f)) {
            *edges.entry(edge(side)).or_default() += 1;
        }
        edges
    }
    /// Vertices with faces − edges + faces.
    pub fn euler(&self) -> i64 {
        self.around.len() as i64 - self.edges().len() as i64 + self.faces.len() as i64
    }
    /// Checks that it is an oriented manifold, without degenerate faces, without two faces on the same
    /// vertices.
    /// # Errors
    /// A description of the first mistake.
    pub fn check(&self) -> Result<(), String> {
        if self.sides.len() != 3 * self.faces.len() {
            return Err("two faces have the same side".into());
        }
        let mut seen = BTreeSet::new();
        for (id, &face) in &self.faces {
            let mut sorted = face;
            sorted.sort_unstable();
            if sorted[0] == sorted[1] || sorted[1] == sorted[2] {
                return Err(format!("face {id} has a vertex twice"));
            }
            if !seen.insert(sorted) {
                return Err(format!("face {id} has the vertices of another one"));
            }
        }
        match self.around.keys().find(|v| !self.one_fan(**v)) {
            Some(v) => Err(format!("the faces at vertex {v} are not one fan")),
            None => Ok(()),
        }
    }
    /// Whether the faces of a vertex are one fan.
    pub fn one_fan(&self, v: u32) -> bool {
        let link: Vec<_> = self.of_vertex(v).iter().map(|f| opposite(self.faces[f], v)).collect();
        one_path(&link)
    }
}

/// The side of a face across from one of its vertices.
pub fn opposite<V: Copy + PartialEq>(face: [V; 3], v: V) -> (V, V) {
    let [s0, s1, s2] = sides(face);
    if face[0] == v {
        s1
    } else if face[1] == v {
        s2
    } else {
        s0
    }
}

/// Whether sides make one path or one cycle.
pub fn one_path<V: Copy + Ord>(link: &[(V, V)]) -> bool {
    let next: BTreeMap<V, V> = link.iter().copied().collect();
    let ends: BTreeSet<V> = link.iter().map(|l| l.1).collect();
    if next.len() != link.len() || ends.len() != link.len() {
        return link.is_empty();
    }
    let Some(&(first, _)) = link.iter().find(|l| !ends.contains(&l.0)).or(link.first()) else { return true };
    let (mut at, mut n) = (first, 0);
    while let Some(&to) = next.get(&at) {
        n += 1;
        at = to;
        if at == first {
            break;
        }
    }
    n == link.len()
}
