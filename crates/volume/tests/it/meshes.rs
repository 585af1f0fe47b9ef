//! Meshes of every class.
use ribbonmesh::glam::Vec3;
use ribbonmesh_suite::Random;
use ribbonmesh_volume::{CellKind, CellList, shapes};

pub struct Case {
    pub name: &'static str,
    pub x: Vec<Vec3>,
    pub cells: CellList,
}
fn case(name: &'static str, (x, cells): (Vec<Vec3>, CellList)) -> Case {
    Case { name, x, cells }
}
fn random_points(n: usize, seed: u64) -> Vec<Vec3> {
    let mut random = Random(seed);
    let mut unit = || random.below(1 << 24) as f32 / (1 << 24) as f32;
    (0..n).map(|_| Vec3::new(unit(), unit(), unit())).collect()
}

/// Mueller-Roemer 2020, figure 3.5.
pub fn two_tetrahedra() -> (Vec<Vec3>, CellList) {
    let x = vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z, -Vec3::Z];
    (x, CellList::tetrahedra(&[[0, 1, 2, 3], [0, 2, 1, 4]]))
}
/// Random vertices, in which nothing fits.
fn soup(vertices: u32, n: usize) -> (Vec<Vec3>, CellList) {
    let mut random = Random(7);
    let mut cells = CellList::new();
    for i in 0..n {
        let mut own: Vec<u32> = Vec::new();
        let kind = [CellKind::Tetrahedron, CellKind::Pyramid, CellKind::Wedge, CellKind::Hexahedron][i % 4];
        while own.len() < kind.vertices().expect("a number") {
            let vertex = random.below(vertices);
            if !own.contains(&vertex) {
                own.push(vertex);
            }
        }
        cells.push(kind, &own);
    }
    (random_points(vertices as usize, 3), cells)
}
/// Tetrahedra around an edge: rows with many candidates, and edges with many faces.
pub fn around_an_edge(n: u32) -> (Vec<Vec3>, CellList) {
    let mut x = vec![Vec3::ZERO, Vec3::Z];
    x.extend((0..n).map(|i| {
        let (y, x) = (i as f32 / n as f32 * std::f32::consts::TAU).sin_cos();
        Vec3::new(x, y, 0.5)
    }));
    let cells: Vec<[u32; 4]> = (0..n).map(|i| [0, 2 + i, 2 + (i + 1) % n, 1]).collect();
    (x, CellList::tetrahedra(&cells))
}
/// A prism over a pentagon: 10 vertices, 7 faces.
fn pentagonal_prism() -> (Vec<Vec3>, CellList) {
    let x = (0..10)
        .map(|i| {
            let (y, x) = ((i % 5) as f32 / 5.0 * std::f32::consts::TAU).sin_cos();
            Vec3::new(x, y, (i / 5) as f32)
        })
        .collect();
    let mut cells = CellList::new();
    let mut faces = vec![vec![4, 3, 2, 1, 0], vec![5, 6, 7, 8, 9]];
    faces.extend((0..5).map(|i| vec![i, (i + 1) % 5, (i + 1) % 5 + 5, i + 5]));
    cells.push_polyhedron(&faces);
    (x, cells)
}
fn shuffled((x, cells): (Vec<Vec3>, CellList)) -> (Vec<Vec3>, CellList) {
    let mut random = Random(11);
    let mut order: Vec<u32> = (0..x.len() as u32).collect();
    for i in (1..order.len()).rev() {
        order.swap(i, random.below(i as u32 + 1) as usize);
    }
    let mut moved = x.clone();
    order.iter().zip(&x).for_each(|(&to, &from)| moved[to as usize] = from);
    let mut list = CellList::new();
    for cell in (0..cells.len()).rev() {
        let (kind, words) = cells.cell(cell);
        list.push(kind, &words.iter().map(|&v| order[v as usize]).collect::<Vec<_>>());
    }
    (moved, list)
}
/// A mesh with unusual features: faces without cells, a face of three cells, a duplicate, cells that share
/// only an edge or a vertex, vertices of nothing.
pub fn unusual() -> (Vec<Vec3>, CellList) {
    let (mut x, mut cells) = two_tetrahedra();
    x.extend(random_points(12, 5));
    cells.push(CellKind::Tetrahedron, &[0, 1, 2, 5]);
    cells.push(CellKind::Tetrahedron, &[1, 2, 0, 3]);
    cells.push(CellKind::Tetrahedron, &[0, 3, 6, 7]);
    cells.push(CellKind::Tetrahedron, &[4, 8, 9, 10]);
    cells.push_face(&[1, 2, 3]);
    cells.push_face(&[11, 3, 12, 13]);
    cells.push_face(&[13, 12, 3, 11]);
    (x, cells)
}

pub fn all() -> Vec<Case> {
    vec![
        case("two tetrahedra", two_tetrahedra()),
        case("a Kuhn grid", shapes::kuhn_grid([3, 2, 4]).expect("a size")),
        case("a shuffled Kuhn grid", shuffled(shapes::kuhn_grid([3, 3, 3]).expect("a size"))),
        case("hexahedra", shapes::hexahedral_grid([4, 3, 2]).expect("a size")),
        case("shuffled hexahedra", shuffled(shapes::hexahedral_grid([3, 3, 3]).expect("a size"))),
        case("mixed cells", shapes::mixed_grid([5, 4, 3]).expect("a size")),
        case("a soup", soup(60, 80)),
        case("tetrahedra around an edge", around_an_edge(300)),
        case("a polyhedron", pentagonal_prism()),
        case("unusual", unusual()),
        case("nothing", (Vec::new(), CellList::new())),
        case("vertices alone", (random_points(3, 1), CellList::new())),
    ]
}
