//! Small pieces of a surface.
use super::graph::Graph;
use super::sphere::{Bound, Sphere};
use glam::Vec3;
use rayon::prelude::*;

/// The most triangles of a meshlet.
pub const MOST_TRIANGLES: usize = 128;
/// The most vertices of a meshlet, whose triangles name them by one byte.
pub const MOST_VERTICES: usize = 128;

/// A meshlet while levels are made.
#[derive(Debug)]
pub struct Meshlet {
    /// By vertices of the input.
    pub triangles: Vec<[u32; 3]>,
    /// Around its triangles.
    pub around: Sphere,
    /// Of the group that made it.
    pub own: Bound,
    /// That group; [`None`]: the input.
    pub made_by: Option<u32>,
}

/// Distinct vertices in ascending order.
pub fn vertices(triangles: &[[u32; 3]]) -> Vec<u32> {
    let mut all = triangles.as_flattened().to_vec();
    all.sort_unstable();
    all.dedup();
    all
}

/// Divides triangles into meshlets that are connected where that is possible. Where they are not, neighbours
/// in the order of triangles come together.
pub fn split(triangles: &[[u32; 3]]) -> Vec<Vec<[u32; 3]>> {
    if triangles.is_empty() {
        return vec![];
    }
    let sides = |(f, &[a, b, c]): (usize, &[u32; 3])| {
        [[a, b], [b, c], [c, a]].map(|[a, b]| (u64::from(a.min(b)) << 32 | u64::from(a.max(b)), f as u32))
    };
    let mut all: Vec<_> = triangles.par_iter().enumerate().flat_map_iter(sides).collect();
    all.par_sort_unstable();
    let shared = all.windows(2).filter(|two| two[0].0 == two[1].0);
    let pairs: Vec<_> = shared.map(|two| ([two[0].1, two[1].1], 1)).collect();
    drop(all);
    let graph = Graph::new(triangles.len(), &pairs);
    drop(pairs);
    let parts = graph.parts(triangles.len().div_ceil(MOST_TRIANGLES));
    let part = |part: Vec<u32>| part.into_iter().map(|f| triangles[f as usize]).collect::<Vec<_>>();
    parts.into_par_iter().map(part).flat_map_iter(small).collect()
}

/// Halves what has too many vertices.
fn small(triangles: Vec<[u32; 3]>) -> Vec<Vec<[u32; 3]>> {
    if vertices(&triangles).len() <= MOST_VERTICES {
        return vec![triangles];
    }
    let (first, second) = triangles.split_at(triangles.len() / 2);
    [first, second].into_iter().flat_map(|half| small(half.to_vec())).collect()
}

/// The sphere of triangles.
pub fn sphere(triangles: &[[u32; 3]], positions: &[Vec3]) -> Sphere {
    let points: Vec<_> = vertices(triangles).into_iter().map(|v| positions[v as usize]).collect();
    Sphere::around(&points, &[])
}

#[cfg(test)]
mod tests {
    use super::*;
    use ribbonmesh_mesh::shapes;

    #[test]
    fn meshlets_are_full_and_have_all_triangles() {
        let mesh = shapes::bumpy_sphere(5, 1).expect("small");
        let parts = split(&mesh.faces);
        let limits =
            |part: &Vec<[u32; 3]>| part.len() <= MOST_TRIANGLES && vertices(part).len() <= MOST_VERTICES;
        assert!(parts.iter().all(limits) && parts.len() == 160, "{}", parts.len());
        let mut all = parts.concat();
        let mut known = mesh.faces;
        all.sort_unstable();
        known.sort_unstable();
        assert!(all == known);
    }
    #[test]
    fn triangles_without_neighbours_have_three_vertices_each() {
        let apart: Vec<[u32; 3]> = (0..100).map(|f| [3 * f, 3 * f + 1, 3 * f + 2]).collect();
        let parts = split(&apart);
        assert!(parts.iter().all(|part| vertices(part).len() <= MOST_VERTICES));
        assert_eq!(parts.concat(), apart);
        assert_eq!(split(&[]), Vec::<Vec<[u32; 3]>>::new());
    }
}
