//! Plain code that looks at texture coordinates.
use glam::DVec2;
use ribbonmesh_mesh::TriangleMesh;
use std::collections::HashMap;

/// The texture coordinates of each face.
pub fn coordinates(mesh: &TriangleMesh) -> Vec<[DVec2; 3]> {
    let all = mesh.corners().get::<[f32; 2]>("texcoord").expect("the column");
    let point = |p: [f32; 2]| DVec2::from(p.map(f64::from));
    all.chunks_exact(3).map(|face| [point(face[0]), point(face[1]), point(face[2])]).collect()
}
/// Twice the area of a triangle, exact in sign for coordinates in single precision.
pub fn twice([a, b, c]: [DVec2; 3]) -> f64 {
    (b - a).perp_dot(c - a)
}
/// The chart of each face: faces with a common edge on the texture.
pub fn charts(flat: &[[DVec2; 3]]) -> Vec<usize> {
    let key = |p: DVec2| [p.x.to_bits(), p.y.to_bits()];
    let mut sides: HashMap<[[u64; 2]; 2], usize> = HashMap::new();
    let mut parent: Vec<usize> = (0..flat.len()).collect();
    fn root(parent: &mut [usize], mut x: usize) -> usize {
        while parent[x] != x {
            x = parent[x];
        }
        x
    }
    for (f, face) in flat.iter().enumerate() {
        for k in 0..3 {
            let (a, b) = (key(face[k]), key(face[(k + 1) % 3]));
            let other = *sides.entry(if a < b { [a, b] } else { [b, a] }).or_insert(f);
            let (a, b) = (root(&mut parent, other), root(&mut parent, f));
            parent[a.max(b)] = a.min(b);
        }
    }
    (0..flat.len()).map(|f| root(&mut parent, f)).collect()
}
/// Calls `f` with the texels whose centres are strictly within a triangle.
fn texels(side: usize, face: [DVec2; 3], mut f: impl FnMut(usize, usize)) {
    let face = face.map(|p| p * side as f64);
    let low = face[0].min(face[1]).min(face[2]).floor();
    let high = face[0].max(face[1]).max(face[2]).ceil();
    for y in low.y as usize..(high.y as usize).min(side) {
        for x in low.x as usize..(high.x as usize).min(side) {
            let p = DVec2::new(x as f64 + 0.5, y as f64 + 0.5);
            if (0..3).all(|k| (face[(k + 1) % 3] - face[k]).perp_dot(p - face[k]) > 1e-9) {
                f(x, y);
            }
        }
    }
}
/// Draws all triangles: the chart of each texel. Panics where two triangles cover one.
pub fn drawn(name: &str, side: usize, flat: &[[DVec2; 3]], charts: &[usize]) -> Vec<Option<usize>> {
    let mut faces = vec![None; side * side];
    for (f, face) in flat.iter().enumerate() {
        texels(side, *face, |x, y| {
            if let Some(other) = faces[y * side + x].replace(f) {
                panic!("{name}: faces {other} and {f} overlap at {x} {y}");
            }
        });
    }
    faces.into_iter().map(|face| face.map(|f: usize| charts[f])).collect()
}
/// Whether texels of different charts are at least so many texels apart, and so many halves from the border.
pub fn are_apart(side: usize, drawn: &[Option<usize>], padding: usize) -> bool {
    let apart = |x: usize, y: usize| {
        let Some(chart) = drawn[y * side + x] else { return true };
        let near = |v: usize| v.saturating_sub(padding)..(v + padding + 1).min(side);
        near(y).all(|v| near(x).all(|u| drawn[v * side + u].is_none_or(|other| other == chart)))
    };
    (0..side).all(|y| (0..side).all(|x| apart(x, y)))
}
/// Checks the result of any mesh: coordinates in the square, nothing turned over, nothing twice.
pub fn check(name: &str, mesh: &TriangleMesh, side: usize) {
    let flat = coordinates(mesh);
    assert_eq!(flat.len(), mesh.faces.len(), "{name}");
    for (f, face) in flat.iter().enumerate() {
        assert!(face.iter().all(|p| p.min_element() >= 0.0 && p.max_element() <= 1.0), "{name}: {face:?}");
        assert!(twice(*face) >= 0.0, "{name}: face {f} is turned over");
    }
    drawn(name, side, &flat, &charts(&flat));
}
/// Singular values of the map of a face to the plane, of unit scale.
pub fn singular_values(corners: [glam::DVec3; 3], flat: [DVec2; 3]) -> [f64; 2] {
    let (u, v) = (corners[1] - corners[0], corners[2] - corners[0]);
    let (p, q) = (flat[1] - flat[0], flat[2] - flat[0]);
    // eigenvalues of the plane's metric relative to that of space
    let (e, f, g) = (u.dot(u), u.dot(v), v.dot(v));
    let (a, b, c) = (p.dot(p), p.dot(q), q.dot(q));
    let determinant = e * g - f * f;
    let half = 0.5 * (a * g - 2.0 * b * f + c * e) / determinant;
    let root = (half * half - (a * c - b * b) / determinant).max(0.0).sqrt();
    [(half + root).sqrt(), (half - root).max(0.0).sqrt()]
}
