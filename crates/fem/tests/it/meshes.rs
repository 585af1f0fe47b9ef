//! Meshes that are regular, and meshes that are not.
use crate::common::Random;
use ribbonmesh::Device;
use ribbonmesh::glam::Vec3;
use ribbonmesh_fem::Space;
use ribbonmesh_volume::{SimplexMesh, shapes};

pub struct Tets {
    pub name: &'static str,
    pub x: Vec<Vec3>,
    pub cells: Vec<[u32; 4]>,
}
impl Tets {
    pub fn mesh(&self, device: &Device) -> SimplexMesh {
        SimplexMesh::tetrahedra(device, &self.x, &self.cells).expect(self.name)
    }
}
/// A grid in the unit cube.
pub fn kuhn(n: [u32; 3]) -> Tets {
    let (mut x, list) = shapes::kuhn_grid(n).expect("a size");
    let size = Vec3::new(n[0] as f32, n[1] as f32, n[2] as f32);
    x.iter_mut().for_each(|x| *x /= size);
    let cells = (0..list.len()).map(|c| list.cell(c).1.try_into().expect("four")).collect();
    Tets { name: "a Kuhn grid", x, cells }
}
/// Whether a point is on the boundary of the unit cube.
pub fn on_cube(x: Vec3) -> bool {
    x.to_array().iter().any(|&x| x == 0.0 || x == 1.0)
}
/// A grid whose inner vertices are moved, vertices numbered in no order, cells begun at any of their
/// vertices.
pub fn jittered(n: [u32; 3]) -> Tets {
    let Tets { mut x, mut cells, .. } = kuhn(n);
    let mut random = Random(5);
    let unit = |random: &mut Random| random.below(1 << 20) as f32 / (1 << 19) as f32 - 1.0;
    let step = 0.2 / n.into_iter().max().unwrap_or(1) as f32;
    for x in x.iter_mut().filter(|x| !on_cube(**x)) {
        *x += step * Vec3::new(unit(&mut random), unit(&mut random), unit(&mut random));
    }
    let mut order: Vec<u32> = (0..x.len() as u32).collect();
    for i in (1..order.len()).rev() {
        order.swap(i, random.below(i as u32 + 1) as usize);
    }
    let mut moved = x.clone();
    order.iter().zip(&x).for_each(|(&to, &from)| moved[to as usize] = from);
    for cell in &mut cells {
        *cell = cell.map(|v| order[v as usize]);
        // even permutations keep the orientation
        for _ in 0..random.below(3) {
            cell[1..].rotate_left(1);
        }
        if random.below(2) == 1 {
            cell.swap(0, 1);
            cell.swap(2, 3);
        }
    }
    Tets { name: "a jittered grid", x: moved, cells }
}
pub fn two() -> Tets {
    let x = vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z, -Vec3::Z];
    Tets { name: "two tetrahedra", x, cells: vec![[0, 1, 2, 3], [0, 2, 1, 4]] }
}
/// Tetrahedra around an edge: rows with more columns than shared memory holds.
pub fn around(n: u32) -> Tets {
    let mut x = vec![Vec3::ZERO, Vec3::Z];
    x.extend((0..n).map(|i| {
        let (y, x) = (i as f32 / n as f32 * std::f32::consts::TAU).sin_cos();
        Vec3::new(x, y, 0.5)
    }));
    let cells = (0..n).map(|i| [0, 2 + i, 2 + (i + 1) % n, 1]).collect();
    Tets { name: "tetrahedra around an edge", x, cells }
}
/// Two parts, and a vertex of nothing.
pub fn apart() -> Tets {
    let mut all = kuhn([2, 1, 1]);
    let first = all.x.len() as u32;
    all.x.extend(two().x.iter().map(|x| *x + Vec3::splat(4.0)));
    all.cells.extend(two().cells.iter().map(|c| c.map(|v| first + v)));
    all.x.push(Vec3::splat(-3.0));
    Tets { name: "two parts", ..all }
}
pub fn all() -> Vec<Tets> {
    vec![two(), kuhn([2, 2, 1]), kuhn([3, 2, 4]), jittered([3, 4, 3]), around(90), apart()]
}
/// Hexahedra of the unit cube; inner vertices moved if `bent`.
pub fn hexes(device: &Device, n: [u32; 3], bent: bool) -> Space<'static> {
    let (mut x, list) = shapes::hexahedral_grid(n).expect("a size");
    let size = Vec3::new(n[0] as f32, n[1] as f32, n[2] as f32);
    x.iter_mut().for_each(|x| *x /= size);
    if bent {
        let mut random = Random(9);
        let mut unit = || random.below(1 << 20) as f32 / (1 << 19) as f32 - 1.0;
        for x in x.iter_mut().filter(|x| !on_cube(**x)) {
            *x += 0.15 / size * Vec3::new(unit(), unit(), unit());
        }
    }
    let cells: Vec<[u32; 8]> = (0..list.len()).map(|c| list.cell(c).1.try_into().expect("eight")).collect();
    Space::hexahedra(device, &x, &cells).expect("a space")
}
