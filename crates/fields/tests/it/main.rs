//! Tests of the crate, a module for each of its own.
mod curvature;
mod denoise;
mod geodesic;
mod no_self_intersections;
mod normals;
mod smooth;

use ribbonmesh_mesh::{TriangleMesh, shapes};

/// Shapes with and without a boundary, one of them in a random order, one that cannot be oriented.
fn all_shapes() -> Vec<(&'static str, TriangleMesh)> {
    let mut shuffled = shapes::bumpy_sphere(4, 2).expect("small");
    shapes::shuffle(&mut shuffled, 9);
    vec![
        ("bumpy sphere", shapes::bumpy_sphere(4, 1).expect("small")),
        ("shuffled bumpy sphere", shuffled),
        ("torus", shapes::torus(40, 1).expect("small")),
        ("torus knot", shapes::torus_knot(2, 3, 12, 200).expect("small")),
        ("grid", shapes::grid(40, 1).expect("small")),
        ("mobius", shapes::mobius(60, 5).expect("small")),
    ]
}

/// Moves the vertices along their normals at random; `size` is a part of the mean edge length.
fn noisy(mut shape: TriangleMesh, size: f64) -> TriangleMesh {
    shapes::add_noise(&mut shape, size, 3);
    shape
}
/// All shapes with noise.
fn noisy_shapes() -> Vec<(&'static str, TriangleMesh)> {
    all_shapes().into_iter().map(|(name, shape)| (name, noisy(shape, 0.1))).collect()
}

/// The Stanford dragon, where it was downloaded.
fn dragon() -> Option<TriangleMesh> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/meshes");
    let folder = std::env::var("RIBBONMESH_MESHES").unwrap_or_else(|_| folder.to_owned());
    let path = std::path::Path::new(&folder).join("dragon.ply");
    if !path.exists() {
        println!("skipped: no {}", path.display());
        return None;
    }
    Some(ribbonmesh_io::read(&path).expect("a readable mesh").mesh)
}
