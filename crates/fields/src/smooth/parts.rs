//! Parts of a surface: sets of faces that share vertices. Each part keeps its own volume.
use crate::smooth::StepReport;
use ribbonmesh::TriangleMesh;
use ribbonmesh::device::NONE;
use ribbonmesh::glam::{DVec3, Vec3};

/// The part of each vertex, numbered from 0 in the order of the vertices, or [`NONE`] for a vertex without a
/// face; and the number of parts. Nearly linear.
fn parts_of(vertices: usize, faces: &[u32]) -> (Vec<u32>, usize) {
    let mut root: Vec<u32> = (0..vertices as u32).collect();
    let find = |root: &mut [u32], mut v: u32| {
        while root[v as usize] != v {
            let above = root[root[v as usize] as usize];
            root[v as usize] = above;
            v = above;
        }
        v
    };
    for &[a, b, c] in faces.as_chunks().0 {
        for (a, b) in [(a, b), (b, c)] {
            let (a, b) = (find(&mut root, a), find(&mut root, b));
            root[a.max(b) as usize] = a.min(b);
        }
    }
    let mut part = vec![NONE; vertices];
    faces.iter().for_each(|&v| part[v as usize] = 0);
    let mut count = 0;
    for v in 0..vertices {
        if part[v] == NONE {
            continue;
        }
        let first = find(&mut root, v as u32) as usize;
        // the root is the first vertex of its part
        if first == v {
            part[v] = count;
            count += 1;
        } else {
            part[v] = part[first];
        }
    }
    (part, count as usize)
}

/// The parts of a surface that has several of them, or vertices without a face.
pub struct Parts {
    faces: Vec<u32>,
    part: Vec<u32>,
    count: usize,
}
impl Parts {
    /// Finds the parts of faces, three vertices for each; `None` if all vertices are one part.
    pub fn of(vertices: usize, faces: Vec<u32>) -> Option<Self> {
        let (part, count) = parts_of(vertices, &faces);
        (count > 1 || part.contains(&NONE)).then_some(Self { faces, part, count })
    }
    /// The mean of the vertices of each part.
    fn centres(&self, x: &[Vec3]) -> Vec<DVec3> {
        let mut sums = vec![(DVec3::ZERO, 0.0); self.count];
        for (&part, p) in self.part.iter().zip(x) {
            if let Some((sum, count)) = sums.get_mut(part as usize) {
                *sum += p.as_dvec3();
                *count += 1.0;
            }
        }
        sums.into_iter().map(|(sum, count)| sum / count).collect()
    }
    /// The volume that each part encloses.
    pub fn volumes(&self, x: &[Vec3]) -> Vec<f64> {
        self.around(x, &self.centres(x))
    }
    fn around(&self, x: &[Vec3], centres: &[DVec3]) -> Vec<f64> {
        let mut volumes = vec![0.0; self.count];
        for face in self.faces.as_chunks::<3>().0 {
            let part = self.part[face[0] as usize] as usize;
            let [a, b, c] = face.map(|v| x[v as usize].as_dvec3() - centres[part]);
            volumes[part] += a.dot(b.cross(c)) / 6.0;
        }
        volumes
    }
    /// Scales each part about its centre so that it encloses the volume of before. A part that has no volume,
    /// or has turned inside out, keeps its size.
    pub fn restore(&self, x: &mut [Vec3], before: &[f64], step: &mut StepReport) {
        let centres = self.centres(x);
        let after = self.around(x, &centres);
        step.volume = Some((before.iter().sum(), after.iter().sum()));
        let factor = |(before, after): (&f64, &f64)| {
            let factor = (before / after).cbrt() as f32;
            if factor.is_finite() && factor > 0.0 { factor } else { 1.0 }
        };
        let factors: Vec<f32> = before.iter().zip(&after).map(factor).collect();
        for (&part, p) in self.part.iter().zip(x) {
            if let Some(&factor) = factors.get(part as usize) {
                let centre = centres[part as usize].as_vec3();
                *p = centre + (*p - centre) * factor;
            }
        }
    }
}

/// Measure of how much of a surface is left after smoothing: see [`Shrinkage::between`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Shrinkage {
    /// The total area before and after, in squared units of the positions.
    pub area: [f64; 2],
    /// Number of parts that share no vertex.
    pub parts: usize,
    /// Number of parts that have less than a hundredth of their area left.
    pub collapsed: usize,
}
impl Shrinkage {
    /// The part of its area below which a part has collapsed.
    const LEFT: f64 = 0.01;

    /// Compares a mesh before and after its vertices have moved. Nearly linear, on the host.
    pub fn between(before: &TriangleMesh, after: &TriangleMesh) -> Self {
        let (part, count) = parts_of(before.positions.len(), before.faces.as_flattened());
        let mut areas = vec![[0.0; 2]; count];
        for face in &before.faces {
            for (mesh, area) in [before, after].into_iter().zip(&mut areas[part[face[0] as usize] as usize]) {
                let [a, b, c] = face.map(|v| mesh.positions[v as usize]);
                *area += 0.5 * (b - a).cross(c - a).length();
            }
        }
        let collapsed = areas.iter().filter(|[before, after]| *after < Self::LEFT * before).count();
        let sum = |i: usize| areas.iter().map(|area| area[i]).sum();
        Self { area: [sum(0), sum(1)], parts: count, collapsed }
    }
}

#[cfg(test)]
mod tests {
    use super::parts_of;
    use ribbonmesh::device::NONE;

    #[test]
    fn parts_share_vertices() {
        let faces = [4, 5, 6, 0, 2, 1, 7, 6, 9];
        let (part, count) = parts_of(10, &faces);
        assert_eq!((part, count), (vec![0, 0, 0, NONE, 1, 1, 1, 1, NONE, 1], 2));
    }
}
