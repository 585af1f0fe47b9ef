//! Cuts of thin necks.
use super::shape::Shape;
use glam::Vec3;
use ribbonmesh::device::NONE;
use ribbonmesh::mesh::Sides;
use rustc_hash::{FxHashMap, FxHashSet};

/// Part of the distance to the mean of their neighbours on their side by which the vertices at a cut move, so
/// that the two new faces are apart.
const APART: f32 = 0.3;
/// Most faces around a vertex that a walk passes.
const MOST: usize = 1 << 20;

/// The surface, with the index that walks around its vertices need.
struct Fans<'s> {
    shape: &'s mut Shape,
    /// The face that has a side from the first vertex to the second one.
    sides: FxHashMap<[u32; 2], u32>,
}

/// The cuts of a surface.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Necks {
    /// The number of cuts.
    pub cuts: u64,
    /// Whether the component of a new face may have an area of at most the least one: of no other component
    /// is it less than before.
    pub small: bool,
}

/// Cuts a closed surface along each cycle of three edges that is not a face and has an edge shorter than
/// `shortest`, and closes both sides with a face: the surface parts there, or loses a handle. The corners of
/// all such cycles are among the vertices `at`. Linear, with little work for faces that are not near one.
pub fn cut_necks(shape: &mut Shape, at: &[u32], shortest: f32, least_area: f64) -> Necks {
    let short = short_edges(shape, at, shortest);
    if short.is_empty() {
        return Necks::default();
    }
    let near = Surroundings::of(shape, &short);
    let mut edges = near.in_cycles(shape.x.len(), short);
    // the shortest first
    edges.sort_by(|p, q| {
        let length = |[a, b]: [u32; 2]| shape.x[a as usize].distance_squared(shape.x[b as usize]);
        length(*p).total_cmp(&length(*q)).then(p.cmp(q))
    });
    // the stars of all vertices that may be in a cycle
    let stars: FxHashSet<u32> = (edges.as_flattened().iter())
        .flat_map(|v| near.corners(*v))
        .flat_map(|v| near.sides.around(v))
        .map(|face| near.list[*face as usize])
        .collect();
    let mut fans = Fans { sides: FxHashMap::default(), shape };
    stars.into_iter().for_each(|face| fans.insert(face));
    let mut new = vec![];
    for edge in edges {
        new.extend(fans.cycle(edge).and_then(|cycle| fans.cut(cycle)));
    }
    let small = new.iter().flatten().any(|face| fans.is_small_at(*face, least_area));
    Necks { cuts: new.len() as u64, small }
}

/// The edges between some vertices below a length, the lesser end first.
fn short_edges(shape: &Shape, at: &[u32], shortest: f32) -> Vec<[u32; 2]> {
    let mut marks = vec![false; shape.x.len()];
    at.iter().for_each(|v| marks[*v as usize] = true);
    let short = |&[a, b]: &[u32; 2]| {
        a < b
            && marks[a as usize]
            && marks[b as usize]
            && shape.x[a as usize].distance_squared(shape.x[b as usize]) < shortest * shortest
    };
    shape.faces.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]).filter(short).collect()
}

/// The faces within two rings of some edges.
struct Surroundings {
    /// Their numbers, ascending.
    list: Vec<u32>,
    /// Their corners.
    faces: Vec<[u32; 3]>,
    /// Their neighbours around and across, by places in the list.
    sides: Sides,
}
impl Surroundings {
    fn of(shape: &Shape, edges: &[[u32; 2]]) -> Self {
        let mut marks = vec![false; shape.x.len()];
        edges.as_flattened().iter().for_each(|v| marks[*v as usize] = true);
        let meets = |marks: &[bool], face: &[u32; 3]| face.iter().any(|v| marks[*v as usize]);
        let inner: Vec<[u32; 3]> = shape.faces.iter().filter(|face| meets(&marks, face)).copied().collect();
        inner.as_flattened().iter().for_each(|v| marks[*v as usize] = true);
        let (list, faces): (Vec<u32>, Vec<[u32; 3]>) =
            (0..).zip(shape.faces.iter().copied()).filter(|(_, face)| meets(&marks, face)).unzip();
        Self { sides: Sides::of(shape.x.len(), &faces), list, faces }
    }
    /// The corners of the faces at a vertex.
    fn corners(&self, v: u32) -> impl Iterator<Item = u32> {
        self.sides.around(v).iter().flat_map(|f| self.faces[*f as usize])
    }
    /// Those of some edges between `vertices` vertices whose ends have a common neighbour in addition to the
    /// opposite vertices.
    fn in_cycles(&self, vertices: usize, mut edges: Vec<[u32; 2]>) -> Vec<[u32; 2]> {
        // the last edge, by its place, of which each vertex is a neighbour of the first end, and opposite
        let mut marks = vec![[NONE; 2]; vertices];
        let mut place = 0;
        edges.retain(|&[a, b]| {
            for &face in self.sides.around(a) {
                let corners = self.faces[face as usize];
                for v in corners {
                    marks[v as usize][0] = place;
                    if corners.contains(&b) {
                        marks[v as usize][1] = place;
                    }
                }
            }
            marks[a as usize][0] = NONE;
            marks[b as usize][0] = NONE;
            let is_third = |c: u32| marks[c as usize][0] == place && marks[c as usize][1] != place;
            let found = self.corners(b).any(is_third);
            place += 1;
            found
        });
        edges
    }
}

impl Fans<'_> {
    fn insert(&mut self, face: u32) {
        let [a, b, c] = self.shape.faces[face as usize];
        for side in [[a, b], [b, c], [c, a]] {
            self.sides.insert(side, face);
        }
    }
    fn third(&self, face: u32, [a, b]: [u32; 2]) -> u32 {
        self.shape.faces[face as usize].into_iter().find(|v| *v != a && *v != b).unwrap_or(a)
    }
    /// The vertices around the start of a side, counterclockwise, beginning with its end.
    fn around(&self, [v, first]: [u32; 2]) -> Vec<u32> {
        let (mut around, mut w) = (vec![first], first);
        while let Some(&face) = self.sides.get(&[v, w])
            && around.len() < MOST
        {
            w = self.third(face, [v, w]);
            if w == first {
                break;
            }
            around.push(w);
        }
        around
    }
    /// A cycle of three edges through an edge that is not a face, if there is one.
    fn cycle(&self, [a, b]: [u32; 2]) -> Option<[u32; 3]> {
        let [left, right] = [[a, b], [b, a]].map(|side| self.sides.get(&side).copied());
        let opposite = [self.third(left?, [a, b]), self.third(right?, [a, b])];
        let of_b: FxHashSet<u32> = self.around([b, a]).into_iter().collect();
        let c = self.around([a, b]).into_iter().find(|c| of_b.contains(c) && !opposite.contains(c))?;
        Some([a, b, c])
    }
    /// The faces left of the cycle at `v`, where it comes from `before` and continues to `after`.
    fn left(&self, [before, v, after]: [u32; 3]) -> Option<Vec<u32>> {
        let (mut faces, mut w) = (vec![], after);
        loop {
            let face = *self.sides.get(&[v, w])?;
            faces.push(face);
            w = self.third(face, [v, w]);
            if w == before {
                return Some(faces);
            }
            if w == after || faces.len() > MOST {
                return None;
            }
        }
    }
    /// Whether a face's component may have an area of at most this: false if its indexed faces have more.
    fn is_small_at(&self, face: u32, area: f64) -> bool {
        let (mut seen, mut front, mut sum) = (FxHashSet::from_iter([face]), vec![face], 0.0);
        while let Some(face) = front.pop() {
            let corners = self.shape.faces[face as usize];
            let [p, q, r] = corners.map(|v| self.shape.x[v as usize].as_dvec3());
            sum += 0.5 * (q - p).cross(r - p).length();
            // sums in other orders differ by less
            if sum > area * 1.001 {
                return false;
            }
            let [a, b, c] = corners;
            let across = [[b, a], [c, b], [a, c]].into_iter().filter_map(|side| self.sides.get(&side));
            front.extend(across.filter(|face| seen.insert(**face)));
        }
        true
    }
    /// Cuts along a cycle, and closes both sides by two new faces.
    fn cut(&mut self, cycle: [u32; 3]) -> Option<[u32; 2]> {
        let [a, b, c] = cycle;
        let all: Option<Vec<Vec<u32>>> =
            [[c, a, b], [a, b, c], [b, c, a]].map(|v| self.left(v)).into_iter().collect();
        let left = all?;
        let new = cycle.map(|v| self.shape.copy_vertex(v));
        let mut faces: Vec<u32> = left.iter().flatten().copied().collect();
        faces.sort_unstable();
        faces.dedup();
        for &face in &faces {
            let [p, q, r] = self.shape.faces[face as usize];
            for side in [[p, q], [q, r], [r, p]] {
                self.sides.remove(&side);
            }
        }
        for (at, (old, new)) in left.iter().zip(cycle.into_iter().zip(new)) {
            for &face in at {
                let corners = &mut self.shape.faces[face as usize];
                corners.iter_mut().filter(|v| **v == old).for_each(|v| *v = new);
            }
        }
        let first = self.shape.faces.len() as u32;
        self.shape.faces.extend([[a, b, c], [new[1], new[0], new[2]]]);
        self.shape.of.extend([NONE; 2]);
        faces.extend([first, first + 1]);
        // the right side of the cycle keeps its vertices
        faces.into_iter().for_each(|face| self.insert(face));
        for ring in [cycle, new] {
            let ways = [0, 1, 2].map(|i| self.way([ring[i], ring[(i + 1) % 3]], ring));
            for (v, way) in ring.into_iter().zip(ways) {
                self.shape.x[v as usize] += APART * way;
                self.shape.ids[v as usize] = NONE;
            }
        }
        Some([first, first + 1])
    }
    /// The vector to the mean of the neighbours that are not at the cut.
    fn way(&self, [v, first]: [u32; 2], ring: [u32; 3]) -> Vec3 {
        let around = self.around([v, first]);
        let others = around.into_iter().filter(|u| !ring.contains(u)).map(|u| self.shape.x[u as usize]);
        let (sum, count) = others.fold((Vec3::ZERO, 0.0), |(sum, count), p| (sum + p, count + 1.0));
        if count > 0.0 { sum / count - self.shape.x[v as usize] } else { Vec3::ZERO }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ribbonmesh::StaticMesh;
    use ribbonmesh::{Device, MeshOptions};

    /// The vertices of an hourglass.
    const ALL: [u32; 9] = [0, 1, 2, 3, 4, 5, 6, 7, 8];

    /// Two tetrahedra's tips joined by a neck of three thin edges: an octahedron stretched along z, with a
    /// waist.
    fn hourglass() -> Shape {
        let ring = |z: f32, r: f32| {
            (0..3).map(move |i| {
                let angle = i as f32 * std::f32::consts::TAU / 3.0;
                Vec3::new(r * angle.cos(), r * angle.sin(), z)
            })
        };
        let x: Vec<Vec3> = ring(-1.0, 1.0).chain(ring(0.0, 0.01)).chain(ring(1.0, 1.0)).collect();
        let mut faces = vec![[0, 2, 1], [6, 7, 8]];
        for layer in [0, 3] {
            for i in 0..3 {
                let [a, b] = [layer + i, layer + (i + 1) % 3];
                faces.extend([[a, b, b + 3], [a, b + 3, a + 3]]);
            }
        }
        let labels = vec![0; x.len()];
        let of = vec![NONE; faces.len()];
        Shape { ids: labels.clone(), x, faces, of, rows: vec![], labels }
    }

    #[test]
    fn a_waist_is_cut() {
        let mut shape = hourglass();
        let before = shape.measure(&[0; 9], 1)[0].volume;
        assert!(before > 0.0);
        // the waist is elsewhere
        assert_eq!(cut_necks(&mut shape, &[0, 1, 2, 6, 7, 8], 0.1, 20.0), Necks::default());
        // each half has an area of about 8
        let mut small = shape.clone();
        assert_eq!(cut_necks(&mut small, &ALL, 0.1, 20.0), Necks { cuts: 1, small: true });
        assert_eq!(cut_necks(&mut shape, &ALL, 0.1, 1.0), Necks { cuts: 1, small: false });
        let (component, count) = shape.components();
        assert_eq!((count, shape.x.len(), shape.faces.len()), (2, 12, 16));
        let mesh = StaticMesh::new(&Device::cpu(), shape.x.len(), &shape.faces, &MeshOptions::default());
        assert!(mesh.is_ok_and(|mesh| mesh.edges() == 24));
        let all = shape.measure(&component, count);
        assert!(all.iter().all(|part| part.volume > 0.3 * before && part.faces == 8), "{all:?}");
        // each half is on its own side
        assert!(shape.x.iter().zip(&component).all(|(p, c)| (p.z > 0.0) == (*c == component[6])));
        assert_eq!(cut_necks(&mut shape, &(0..12).collect::<Vec<u32>>(), 0.1, 20.0), Necks::default());
    }
    #[test]
    fn nothing_else_is_cut() {
        let mut shape = hourglass();
        // no short edge
        assert_eq!(cut_necks(&mut shape, &ALL, 0.001, 20.0), Necks::default());
        // a tetrahedron has no cycle but its faces
        let x = vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z];
        let faces = vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
        let mut tetrahedron = Shape {
            x,
            of: vec![NONE; faces.len()],
            faces,
            rows: vec![],
            labels: vec![0; 4],
            ids: vec![0; 4],
        };
        assert_eq!(cut_necks(&mut tetrahedron, &[0, 1, 2, 3], 10.0, 20.0), Necks::default());
    }
}
