//! Hops by breadth-first search, and distances along edges by going over all of them until nothing changes, in `f64`.
#![allow(dead_code)]
use ribbonmesh::glam::Vec3;

/// Hops from the nearest source; `u32::MAX` where no path leads.
pub fn hops(n: usize, faces: &[[u32; 3]], sources: &[u32]) -> Vec<u32> {
    let mut hops = vec![u32::MAX; n];
    for &s in sources {
        hops[s as usize] = 0;
    }
    for level in 0.. {
        let mut found = false;
        for f in faces {
            if f.iter().any(|&v| hops[v as usize] == level) {
                for &v in f {
                    if hops[v as usize] == u32::MAX {
                        hops[v as usize] = level + 1;
                        found = true;
                    }
                }
            }
        }
        if !found {
            return hops;
        }
    }
    hops
}

/// Distances along edges.
pub fn along_edges(x: &[Vec3], faces: &[[u32; 3]], sources: &[u32]) -> Vec<f64> {
    let mut distances = vec![f64::INFINITY; x.len()];
    for &s in sources {
        distances[s as usize] = 0.0;
    }
    loop {
        let before = distances.clone();
        for f in faces {
            for (a, b) in [(0, 1), (1, 0), (1, 2), (2, 1), (2, 0), (0, 2)] {
                let (a, b) = (f[a] as usize, f[b] as usize);
                let length = x[a].as_dvec3().distance(x[b].as_dvec3());
                distances[b] = distances[b].min(distances[a] + length);
            }
        }
        if before == distances {
            return distances;
        }
    }
}
