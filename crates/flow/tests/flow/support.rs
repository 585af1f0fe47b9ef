//! Grids as plain code has them, and meshes.
use ribbonmesh::Device;
use ribbonmesh::glam::{DVec3, Vec3};
use ribbonmesh::mesh::shapes;
use ribbonmesh_flow::{FlowOptions, Motion, Obstacle, PoissonOptions, Side};
use ribbonmesh_mesh::TriangleMesh;
use ribbonmesh_suite::Random;

pub const WALLS: [[Side; 2]; 3] = [[Side::Wall; 2]; 3];
pub const GIVEN: [[Side; 2]; 3] = [[Side::Inflow; 2]; 3];

/// Coordinates below a size, x fastest.
pub fn all(n: [u32; 3]) -> impl Iterator<Item = [u32; 3]> {
    let [nx, ny, nz] = n;
    (0..nz).flat_map(move |k| (0..ny).flat_map(move |j| (0..nx).map(move |i| [i, j, k])))
}
pub fn index(n: [u32; 3], [i, j, k]: [u32; 3]) -> usize {
    (i + n[0] * (j + n[1] * k)) as usize
}
pub fn nodes(n: [u32; 3]) -> usize {
    n.iter().map(|n| n + 1).product::<u32>() as usize
}
/// The place of a face.
pub fn face(n: [u32; 3], d: usize, at: [u32; 3]) -> usize {
    d * nodes(n) + index(n.map(|n| n + 1), at)
}
/// The faces of component `d`.
pub fn faces(n: [u32; 3], d: usize) -> impl Iterator<Item = [u32; 3]> {
    let mut sizes = n;
    sizes[d] += 1;
    all(sizes)
}
/// The middle of a face.
pub fn middle(edge: f64, d: usize, at: [u32; 3]) -> DVec3 {
    edge * DVec3::from_array([0, 1, 2].map(|a| f64::from(at[a]) + if a == d { 0.0 } else { 0.5 }))
}
/// The cell beyond one.
pub fn beyond(at: [u32; 3], a: usize) -> [u32; 3] {
    let mut at = at;
    at[a] += 1;
    at
}
/// Values of faces by a function of the component and the face.
pub fn of_faces(n: [u32; 3], of: impl Fn(usize, [u32; 3]) -> f32) -> Vec<f32> {
    let mut values = vec![0.0; 3 * nodes(n)];
    for d in 0..3 {
        for at in faces(n, d) {
            values[face(n, d, at)] = of(d, at);
        }
    }
    values
}
/// A number from -1 to 1.
pub fn random(numbers: &mut Random) -> f32 {
    numbers.below(1 << 20) as f32 / (1 << 19) as f32 - 1.0
}
pub fn options(cells: [u32; 3], sides: [[Side; 2]; 3]) -> FlowOptions {
    let edge = 1.0 / cells[0] as f32;
    let pressure = PoissonOptions { tolerance: 1e-6, ..PoissonOptions::default() };
    FlowOptions { cells, edge, sides, pressure, ..FlowOptions::default() }
}
pub fn obstacle(device: &Device, mesh: &TriangleMesh, motion: Motion) -> Obstacle {
    Obstacle::new(device, &mesh.points(), &mesh.faces, motion).expect("a closed mesh")
}
pub fn sphere(centre: DVec3, radius: f64) -> TriangleMesh {
    let mut sphere = shapes::icosphere(4).expect("small");
    sphere.positions.iter_mut().for_each(|p| *p = centre + radius * *p);
    sphere
}
/// A prism along z over a polygon in the order of its angles, from -1 to 2.
pub fn prism(corners: &[[f64; 2]]) -> TriangleMesh {
    let n = corners.len() as u32;
    let level = |z: f64| corners.iter().map(move |[x, y]| DVec3::new(*x, *y, z));
    let middle = |z: f64| level(z).sum::<DVec3>() / f64::from(n);
    let positions: Vec<DVec3> = level(-1.0).chain(level(2.0)).chain([middle(-1.0), middle(2.0)]).collect();
    let mut faces = vec![];
    for i in 0..n {
        let j = (i + 1) % n;
        faces.extend([[i, j, n + j], [i, n + j, n + i], [j, i, 2 * n], [n + i, n + j, 2 * n + 1]]);
    }
    TriangleMesh::new(positions, faces)
}
pub fn cylinder(centre: [f64; 2], radius: f64) -> TriangleMesh {
    let corner = |i: u32| {
        let (sin, cos) = (std::f64::consts::TAU * f64::from(i) / 512.0).sin_cos();
        [centre[0] + radius * cos, centre[1] + radius * sin]
    };
    prism(&(0..512).map(corner).collect::<Vec<_>>())
}
pub fn boxed(low: [f64; 2], high: [f64; 2]) -> TriangleMesh {
    prism(&[low, [high[0], low[1]], high, [low[0], high[1]]])
}
/// Fractions of faces between cells whose middles are outside of something: 0 or 1.
pub fn voxels(n: [u32; 3], edge: f64, inside: impl Fn(DVec3) -> bool) -> Vec<f32> {
    let solid =
        |at: [u32; 3]| inside(edge * (Vec3::new(at[0] as f32, at[1] as f32, at[2] as f32).as_dvec3() + 0.5));
    of_faces(n, |d, at| {
        let mut below = at;
        below[d] = at[d].saturating_sub(1);
        let mut above = at;
        above[d] = at[d].min(n[d] - 1);
        if solid(below) || solid(above) { 0.0 } else { 1.0 }
    })
}
