//! Meshes to try things on.
use ribbonmesh_mesh::TriangleMesh;
use ribbonmesh_mesh::shapes::{self, ShapeError};
use ribbonmesh_suite::forms::beside;

fn flat(faces: Vec<[u32; 3]>, n: usize) -> TriangleMesh {
    let place = |i: usize| [(i as f32).cos(), (i as f32).sin(), (i * i % 7) as f32];
    TriangleMesh::from_f32((0..n).map(place), faces)
}

/// Small manifolds, closed and with boundary, with several components, with vertices without faces.
/// # Errors
/// None.
pub fn manifolds() -> Result<Vec<(&'static str, TriangleMesh)>, ShapeError> {
    let mut isolated = shapes::grid(5, 2)?;
    isolated.positions.resize(isolated.positions.len() + 3, [9.0; 3].into());
    Ok(vec![
        ("one face", flat(vec![[0, 1, 2]], 3)),
        ("two faces", flat(vec![[0, 1, 2], [0, 2, 3]], 4)),
        ("three faces around an edge path", flat(vec![[0, 1, 2], [0, 2, 3], [0, 3, 4]], 5)),
        ("tetrahedron", flat(vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]], 4)),
        ("open tetrahedron", flat(vec![[0, 2, 1], [0, 1, 3], [1, 2, 3]], 4)),
        ("bipyramid", flat(vec![[0, 1, 3], [1, 2, 3], [2, 0, 3], [1, 0, 4], [2, 1, 4], [0, 2, 4]], 5)),
        (
            "octahedron",
            flat(
                vec![[0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4], [1, 0, 5], [2, 1, 5], [3, 2, 5], [0, 3, 5]],
                6,
            ),
        ),
        ("icosphere", shapes::icosphere(2)?),
        ("torus", shapes::torus(9, 1)?),
        ("grid", shapes::grid(8, 1)?),
        ("grid and vertices without faces", isolated),
        ("icosphere and grid", beside(shapes::icosphere(1)?, shapes::grid(4, 3)?)),
    ])
}

/// Meshes that make it hard: a vertex of valence `n`, inside of a surface and on the boundary; a double cone;
/// slivers; many tiny components; an annulus one face wide.
/// # Errors
/// None.
pub fn adversaries(n: u32) -> Result<Vec<(&'static str, TriangleMesh)>, ShapeError> {
    let circle = |i: u32| {
        let angle = i as f32 / n as f32 * std::f32::consts::TAU;
        [angle.cos(), angle.sin(), 0.0]
    };
    let rim: Vec<[f32; 3]> = (0..n).map(circle).collect();
    let with = |tops: &[[f32; 3]], faces: Vec<[u32; 3]>| {
        TriangleMesh::from_f32(rim.iter().chain(tops).copied(), faces)
    };
    let up = |i: u32| [i, (i + 1) % n, n];
    let down = |i: u32| [(i + 1) % n, i, n + 1];
    let fan = (0..n - 1).map(up).collect();
    let cone = (0..n).map(up).collect();
    let double = (0..n).flat_map(|i| [up(i), down(i)]).collect();
    let mut slivers = shapes::grid(20, 4)?;
    slivers.positions.iter_mut().for_each(|p| p[1] = (p[1] as f32 * 1e-5).into());
    let tiny = (0..200).try_fold(flat(vec![], 0), |all, i| {
        let part = match i % 4 {
            0 => flat(vec![[0, 1, 2]], 3),
            1 => flat(vec![[0, 1, 2], [0, 2, 3]], 4),
            2 => flat(vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]], 4),
            _ => shapes::icosphere(0)?,
        };
        Ok(beside(all, part))
    })?;
    let m = 40u32;
    let ring = (0..m).flat_map(|i| {
        let j = (i + 1) % m;
        [[2 * i, 2 * j, 2 * i + 1], [2 * j, 2 * j + 1, 2 * i + 1]]
    });
    Ok(vec![
        ("fan", with(&[[0.0; 3]], fan)),
        ("cone", with(&[[0.0, 0.0, 1.0]], cone)),
        ("double cone", with(&[[0.0, 0.0, 1.0], [0.0, 0.0, -1.0]], double)),
        ("slivers", slivers),
        ("tiny components", tiny),
        ("annulus", flat(ring.collect(), 2 * m as usize)),
    ])
}
