//! A surface on the host, while its connectivity changes.
use super::values::{ROW_OF_ZEROS, Rows};
use glam::{DVec3, Vec3};
use ribbonmesh::TriangleMesh;
use ribbonmesh::device::NONE;
use ribbonmesh::mesh::{Sides, UnionFind};
use ribbonmesh_solid::intersections::intersections_of_some;
use rustc_hash::FxHashMap;

/// A surface on the host: positions, the rows of columns, and the component of each vertex.
#[derive(Clone, Default)]
pub struct Shape {
    pub x: Vec<Vec3>,
    pub faces: Vec<[u32; 3]>,
    /// The face that each face was, by its number there; [`NONE`] for new ones.
    pub of: Vec<u32>,
    /// The rows of columns, with one value for each vertex.
    pub rows: Rows,
    /// The label of each vertex; [`NONE`] for new ones.
    pub labels: Vec<u32>,
    /// The id on the device of each vertex that is unchanged; [`NONE`] for others.
    pub ids: Vec<u32>,
}

/// Measured properties of a component.
#[derive(Clone, Copy, Debug, Default)]
pub struct Measured {
    pub volume: f64,
    pub area: f64,
    pub faces: u64,
}

impl Shape {
    /// The surface as a mesh without columns.
    pub fn mesh(&self) -> TriangleMesh {
        TriangleMesh::from_f32(self.x.iter().map(|p| p.to_array()), self.faces.clone())
    }
    /// The vertices of this surface at the same positions as those of a mesh that was made of it.
    pub fn vertices_at(&self, mesh: &TriangleMesh) -> Vec<Option<u32>> {
        let bits = |p: Vec3| p.to_array().map(f32::to_bits);
        let mut old = FxHashMap::default();
        for (v, p) in (0_u32..).zip(&self.x) {
            old.entry(bits(*p)).or_insert(v);
        }
        mesh.points().iter().map(|p| old.get(&bits(*p)).copied()).collect()
    }
    /// Takes over a mesh that was made of this surface: vertices that come from a vertex of this surface keep
    /// its rows and label; the others get the means of the rows around them, and no label. `faces` says which
    /// face of this surface each face is.
    pub fn replaced_by(&self, mesh: &TriangleMesh, from: &[Option<u32>], faces: &[Option<u32>]) -> Self {
        let of = faces.iter().map(|face| face.map_or(NONE, |f| self.of[f as usize])).collect();
        let x = mesh.points();
        let labels = from.iter().map(|from| from.map_or(NONE, |v| self.labels[v as usize])).collect();
        let mut ids: Vec<u32> = from.iter().map(|from| from.map_or(NONE, |v| self.ids[v as usize])).collect();
        // one of several copies is the vertex itself
        let mut seen = vec![false; self.x.len()];
        for (id, v) in ids.iter_mut().zip(from).filter_map(|(id, v)| Some((id, (*v)?))) {
            if std::mem::replace(&mut seen[v as usize], true) {
                *id = NONE;
            }
        }
        let row_of = |row: &Vec<[f32; 4]>| {
            from.iter().map(|from| from.map_or(ROW_OF_ZEROS, |v| row[v as usize])).collect()
        };
        let mut shape = Self {
            x,
            faces: mesh.faces.clone(),
            of,
            rows: self.rows.iter().map(row_of).collect(),
            labels,
            ids,
        };
        shape.fill_rows(from.iter().map(Option::is_some).collect());
        shape
    }
    /// Gives vertices without rows the means of the vertices around them, beginning next to vertices that
    /// have rows.
    fn fill_rows(&mut self, mut known: Vec<bool>) {
        if self.rows.is_empty() {
            return;
        }
        let mut left: Vec<u32> = (0..self.x.len() as u32).filter(|v| !known[*v as usize]).collect();
        while !left.is_empty() {
            let mut around: FxHashMap<u32, Vec<u32>> = left.iter().map(|v| (*v, vec![])).collect();
            for &[a, b, c] in &self.faces {
                for [v, u] in [[a, b], [b, c], [c, a], [b, a], [c, b], [a, c]] {
                    if known[u as usize]
                        && let Some(list) = around.get_mut(&v)
                    {
                        list.push(u);
                    }
                }
            }
            let before = left.len();
            left.retain(|v| {
                let list = &around[v];
                for row in &mut self.rows {
                    let mean = |i: usize| {
                        list.iter().map(|u| row[*u as usize][i]).sum::<f32>() / list.len().max(1) as f32
                    };
                    row[*v as usize] = std::array::from_fn(mean);
                }
                list.is_empty()
            });
            around.iter().filter(|(_, list)| !list.is_empty()).for_each(|(v, _)| known[*v as usize] = true);
            if left.len() == before {
                break;
            }
        }
    }
    /// The pairs of faces that intersect, after changes. `before` are the pairs of faces that intersected
    /// before, by the numbers that faces had then. Searches only for pairs with a face that has changed.
    pub fn intersecting_pairs(&self, before: &[[u32; 2]]) -> Vec<[u32; 2]> {
        let changed: Vec<bool> = (0..self.faces.len()).map(|face| !self.is_unchanged(face)).collect();
        let mut pairs = intersections_of_some(&self.x, &self.faces, |face| changed[face as usize]);
        let unchanged = || (0_u32..).zip(&self.of).filter(|(face, _)| !changed[*face as usize]);
        let mut now = vec![NONE; unchanged().map(|(_, of)| *of as usize + 1).max().unwrap_or_default()];
        unchanged().for_each(|(face, of)| now[*of as usize] = face);
        let number = |face: u32| now.get(face as usize).copied().unwrap_or(NONE);
        let stay = before.iter().map(|pair| pair.map(number));
        pairs.extend(stay.filter(|pair| !pair.contains(&NONE)).map(|[a, b]| [a.min(b), a.max(b)]));
        pairs.sort_unstable();
        pairs
    }
    /// The component of each vertex, numbered by their first vertices, and the number of components; [`NONE`]
    /// for a vertex without a face.
    pub fn components(&self) -> (Vec<u32>, usize) {
        Self::components_of(self.x.len(), &self.faces)
    }
    /// As [`Shape::components`], for given triangles.
    pub fn components_of(vertices: usize, faces: &[[u32; 3]]) -> (Vec<u32>, usize) {
        let mut components = UnionFind::new(vertices);
        components.join_faces(faces);
        let mut used = vec![false; vertices];
        faces.iter().flatten().for_each(|&v| used[v as usize] = true);
        let mut numbers = vec![NONE; vertices];
        let mut count = 0;
        let of = (0..vertices as u32).map(|v| {
            let root = components.root(v) as usize;
            if numbers[root] == NONE && used[v as usize] {
                numbers[root] = count;
                count += 1;
            }
            numbers[root]
        });
        (of.collect(), count as usize)
    }
    /// The faces around vertices and across sides.
    pub fn sides(&self) -> Sides {
        Sides::of(self.x.len(), &self.faces)
    }
    /// The starts of the sides with no face across.
    pub fn ends(&self) -> Vec<u32> {
        self.sides().open().map(|(f, side)| self.faces[f as usize][side]).collect()
    }
    /// Measures each of `count` components.
    pub fn measure(&self, component: &[u32], count: usize) -> Vec<Measured> {
        let mut all = vec![Measured::default(); count];
        for face in &self.faces {
            let [a, b, c] = face.map(|v| self.x[v as usize].as_dvec3());
            let n = (b - a).cross(c - a);
            let of = &mut all[component[face[0] as usize] as usize];
            of.volume += a.dot(n) / 6.0;
            of.area += 0.5 * n.length();
            of.faces += 1;
        }
        all
    }
    /// Keeps some vertices with their faces; faces have either all of their vertices kept, or none.
    pub fn keep(&mut self, kept: impl Fn(u32) -> bool) {
        let mut numbers = vec![NONE; self.x.len()];
        let mut vertices = vec![];
        for v in (0..self.x.len() as u32).filter(|v| kept(*v)) {
            numbers[v as usize] = vertices.len() as u32;
            vertices.push(v as usize);
        }
        let kept = |face: &[u32; 3]| numbers[face[0] as usize] != NONE;
        self.of =
            (self.of.iter().zip(&self.faces)).filter(|(_, face)| kept(face)).map(|(of, _)| *of).collect();
        self.faces.retain(kept);
        self.faces.as_flattened_mut().iter_mut().for_each(|v| *v = numbers[*v as usize]);
        self.x = vertices.iter().map(|v| self.x[*v]).collect();
        self.labels = vertices.iter().map(|v| self.labels[*v]).collect();
        self.ids = vertices.iter().map(|v| self.ids[*v]).collect();
        self.rows.iter_mut().for_each(|row| *row = vertices.iter().map(|v| row[*v]).collect());
    }
    /// Appends another surface with the same number of rows to this one.
    pub fn append(&mut self, other: Self) {
        let first = self.x.len() as u32;
        self.faces.extend(other.faces.iter().map(|face| face.map(|v| first + v)));
        self.of.extend(other.of);
        self.x.extend(other.x);
        self.labels.extend(other.labels);
        self.ids.extend(other.ids);
        self.rows.iter_mut().zip(other.rows).for_each(|(row, other)| row.extend(other));
    }
    /// Whether a face is one of those that there were before, with the same vertices.
    pub fn is_unchanged(&self, face: usize) -> bool {
        self.of[face] != NONE && self.faces[face].iter().all(|v| self.ids[*v as usize] != NONE)
    }
    /// Adds a copy of a vertex.
    pub fn copy_vertex(&mut self, v: u32) -> u32 {
        let v = v as usize;
        self.x.push(self.x[v]);
        self.labels.push(self.labels[v]);
        self.ids.push(NONE);
        self.rows.iter_mut().for_each(|row| row.push(row[v]));
        self.x.len() as u32 - 1
    }
    /// Moves the vertices of some faces towards the middles of these faces, `times` times: topological noise
    /// (Chentanez and others 2016, section 3.3, equations 1 to 4).
    pub fn relax(&mut self, faces: &[u32], times: u32) {
        for _ in 0..times {
            let mut sums: FxHashMap<u32, (DVec3, f64)> = FxHashMap::default();
            for &face in faces {
                let [i, j, k] = self.faces[face as usize];
                for [i, j, k] in [[i, j, k], [j, k, i], [k, i, j]] {
                    let [p, q, r] = [i, j, k].map(|v| self.x[v as usize].as_dvec3());
                    let sum = sums.entry(i).or_default();
                    *sum = (sum.0 + 0.5 * p + 0.25 * (q + r), sum.1 + 1.0);
                }
            }
            for (v, (sum, weight)) in sums {
                self.x[v as usize] = (sum / weight).as_vec3();
                self.ids[v as usize] = NONE;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ribbonmesh::mesh::shapes;

    #[test]
    fn pairs_after_changes_are_those_of_all_faces() {
        // two spheres that meet, of which one loses some vertices, and of which some are moved
        let sphere = shapes::icosphere(3).expect("small");
        let mut shape = Shape::default();
        for by in [Vec3::ZERO, Vec3::new(1.2, 0.1, 0.2)] {
            let x: Vec<Vec3> = sphere.points().iter().map(|p| *p + by).collect();
            let of = (0..sphere.faces.len() as u32).collect();
            let labels = vec![0; x.len()];
            shape.append(Shape {
                ids: labels.clone(),
                x,
                faces: sphere.faces.clone(),
                of,
                rows: vec![],
                labels,
            });
        }
        shape.of = (0..shape.faces.len() as u32).collect();
        let all = |shape: &Shape| intersections_of_some(&shape.x, &shape.faces, |_| true);
        let before = all(&shape);
        assert!(before.len() > 50);
        assert_eq!(shape.intersecting_pairs(&before), before);
        // other components, so that faces get other numbers
        let more = shape.clone();
        let mut changed = shape.clone();
        changed.append(more);
        let first = shape.x.len() as u32;
        changed.of = (0..changed.faces.len() as u32).collect();
        let before = all(&changed);
        changed.keep(|v| v >= first);
        for (v, x) in changed.x.iter_mut().enumerate().filter(|(v, _)| v.is_multiple_of(9)) {
            *x *= 1.05;
            changed.ids[v] = NONE;
        }
        let copy = changed.copy_vertex(3);
        changed.faces[0][1] = copy;
        changed.faces.push([5, 70, 640]);
        changed.of.push(NONE);
        let after = changed.intersecting_pairs(&before);
        assert!(after.len() > 50);
        assert_eq!(after, all(&changed));
    }
}
