//! Simplification that collapses one edge at a time, always the cheapest: Garland and Heckbert's algorithm as
//! published, with lists, global coordinates and a heap. For closed surfaces.
use ribbonmesh::glam::{DMat3, DVec3};
use ribbonmesh_suite::Checked;
use std::cmp::{Ordering, Reverse};
use std::collections::{BTreeSet, BinaryHeap};

/// p·Ap + 2 b·p + c.
#[derive(Clone, Copy)]
struct Quadric {
    a: DMat3,
    b: DVec3,
    c: f64,
}
impl Quadric {
    fn plane(n: DVec3, d: f64, weight: f64) -> Self {
        let a = DMat3::from_cols(n * n.x, n * n.y, n * n.z);
        Self { a: a * weight, b: n * d * weight, c: d * d * weight }
    }
    fn plus(self, other: Self) -> Self {
        Self { a: self.a + other.a, b: self.b + other.b, c: self.c + other.c }
    }
    fn at(&self, p: DVec3) -> f64 {
        (p.dot(self.a * p) + 2.0 * self.b.dot(p) + self.c).max(0.0)
    }
}

struct Candidate {
    cost: f64,
    ends: [usize; 2],
    place: DVec3,
    /// Versions of the ends when the edge was priced.
    versions: [u32; 2],
}
impl PartialEq for Candidate {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}
impl Eq for Candidate {}
impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Candidate {
    fn cmp(&self, other: &Self) -> Ordering {
        self.cost.total_cmp(&other.cost).then(self.ends.cmp(&other.ends))
    }
}

struct Greedy {
    x: Vec<DVec3>,
    quadrics: Vec<Quadric>,
    versions: Vec<u32>,
    faces: Vec<Option<[usize; 3]>>,
    of_vertex: Vec<BTreeSet<usize>>,
}
impl Greedy {
    fn neighbours(&self, v: usize) -> BTreeSet<usize> {
        let corners = self.of_vertex[v].iter().flat_map(|&f| self.faces[f].expect("a living face"));
        corners.filter(|&u| u != v).collect()
    }
    fn price(&self, a: usize, b: usize) -> Candidate {
        let q = self.quadrics[a].plus(self.quadrics[b]);
        let middle = 0.5 * (self.x[a] + self.x[b]);
        let mut places = vec![self.x[a], self.x[b], middle];
        // the least error, where the planes determine it
        let size = q.a.x_axis.x + q.a.y_axis.y + q.a.z_axis.z;
        if q.a.determinant() > 1e-9 * size * size * size {
            let p = -(q.a.inverse() * q.b);
            if p.distance(middle) < 3.0 * self.x[a].distance(self.x[b]) {
                places.push(p);
            }
        }
        let place =
            places.into_iter().min_by(|p, r| q.at(*p).total_cmp(&q.at(*r))).expect("four places at most");
        Candidate { cost: q.at(place), ends: [a, b], place, versions: [self.versions[a], self.versions[b]] }
    }
    fn allowed(&self, [a, b]: [usize; 2], place: DVec3) -> bool {
        let common = self.neighbours(a).intersection(&self.neighbours(b)).count();
        if common != 2 {
            return false;
        }
        [a, b].into_iter().all(|end| {
            self.of_vertex[end].iter().all(|&f| {
                let face = self.faces[f].expect("a living face");
                if face.contains(&a) && face.contains(&b) {
                    return true;
                }
                let normal = |t: [DVec3; 3]| (t[1] - t[0]).cross(t[2] - t[0]);
                let before = normal(face.map(|v| self.x[v]));
                let after = normal(face.map(|v| if v == end { place } else { self.x[v] }));
                before.dot(after) > 0.25 * before.length() * after.length()
            })
        })
    }
    fn collapse(&mut self, [a, b]: [usize; 2], place: DVec3) {
        for f in self.of_vertex[b].clone() {
            let face = self.faces[f].expect("a living face");
            if face.contains(&a) {
                for v in face {
                    self.of_vertex[v].remove(&f);
                }
                self.faces[f] = None;
            } else {
                self.faces[f] = Some(face.map(|v| if v == b { a } else { v }));
                self.of_vertex[a].insert(f);
            }
        }
        self.of_vertex[b].clear();
        self.x[a] = place;
        self.quadrics[a] = self.quadrics[a].plus(self.quadrics[b]);
        self.versions[a] += 1;
        self.versions[b] += 1;
    }
}

/// The closed surface, simplified to at most `target` faces.
pub fn simplified(mesh: &Checked, target: usize) -> Checked {
    let n = mesh.positions.len();
    let mut greedy = Greedy {
        x: mesh.positions.iter().map(|p| p.as_dvec3()).collect(),
        quadrics: vec![Quadric::plane(DVec3::ZERO, 0.0, 0.0); n],
        versions: vec![0; n],
        faces: mesh.faces.iter().map(|f| Some(f.map(|v| v as usize))).collect(),
        of_vertex: vec![BTreeSet::new(); n],
    };
    for (f, face) in mesh.faces.iter().enumerate() {
        let [a, b, c] = face.map(|v| greedy.x[v as usize]);
        let (unit, area) = ((b - a).cross(c - a).normalize(), 0.5 * (b - a).cross(c - a).length());
        for v in face.map(|v| v as usize) {
            greedy.of_vertex[v].insert(f);
            greedy.quadrics[v] = greedy.quadrics[v].plus(Quadric::plane(unit, -unit.dot(a), area / 3.0));
        }
    }
    let mut heap = BinaryHeap::new();
    for v in 0..n {
        for u in greedy.neighbours(v).into_iter().filter(|&u| u > v) {
            heap.push(Reverse(greedy.price(v, u)));
        }
    }
    let mut living = mesh.faces.len();
    while living > target {
        let Some(Reverse(Candidate { ends, place, versions, .. })) = heap.pop() else { break };
        if versions != ends.map(|v| greedy.versions[v]) || !greedy.allowed(ends, place) {
            continue;
        }
        greedy.collapse(ends, place);
        living -= 2;
        for u in greedy.neighbours(ends[0]) {
            heap.push(Reverse(greedy.price(ends[0], u)));
        }
    }
    let mut news = vec![None; n];
    let mut positions = vec![];
    let faces = greedy.faces.iter().flatten().map(|face| {
        face.map(|v| {
            *news[v].get_or_insert_with(|| {
                positions.push(greedy.x[v].as_vec3());
                positions.len() as u32 - 1
            })
        })
    });
    let faces = faces.collect();
    Checked::new(positions, faces)
}
