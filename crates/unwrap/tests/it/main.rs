//! Tests on both machines, against plain code.
mod baking;
mod charts;
mod conformal;
mod cuts;
mod disks;
mod hostile;
mod oracle;
mod refusals;

use glam::DVec3;
use ribbonmesh_mesh::{Precision, TriangleMesh};
use ribbonmesh_suite::Random;

/// A mesh in double precision.
fn mesh(positions: Vec<DVec3>, faces: Vec<[u32; 3]>) -> TriangleMesh {
    let mut mesh = TriangleMesh::new(positions, faces);
    mesh.precision = Precision::Double;
    mesh
}
/// Random points.
fn points(n: usize, seed: u64) -> Vec<DVec3> {
    let mut random = Random(seed);
    let mut unit = || f64::from(random.below(1 << 24)) / f64::from(1 << 23) - 1.0;
    (0..n).map(|_| DVec3::new(unit(), unit(), unit())).collect()
}
/// A regular net of n times n squares, each two triangles, lifted from the unit square.
fn sheet(n: u32, lift: impl Fn(f64, f64) -> DVec3) -> TriangleMesh {
    let at = |i: u32| f64::from(i) / f64::from(n);
    let positions = (0..(n + 1) * (n + 1)).map(|i| lift(at(i % (n + 1)), at(i / (n + 1)))).collect();
    let square = |i: u32| {
        let v = i / n * (n + 1) + i % n;
        [[v, v + 1, v + n + 2], [v, v + n + 2, v + n + 1]]
    };
    mesh(positions, (0..n * n).flat_map(square).collect())
}
/// Leaves vertices without faces out.
fn compact(mesh: &mut TriangleMesh) {
    let mut places = vec![u32::MAX; mesh.positions.len()];
    let mut kept = vec![];
    for v in mesh.faces.as_flattened_mut() {
        let place = &mut places[*v as usize];
        if *place == u32::MAX {
            *place = kept.len() as u32;
            kept.push(mesh.positions[*v as usize]);
        }
        *v = *place;
    }
    mesh.positions = kept;
}
