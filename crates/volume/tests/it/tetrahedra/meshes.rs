//! Shared parts of the tests: surfaces, and functions on them.
use ribbonmesh::glam::DVec3;
use ribbonmesh::{Device, FlatTopology, MeshOptions, Surface, Topology, TriangleMesh};
use ribbonmesh_mesh::shapes;
use ribbonmesh_volume::tetrahedra::{CellSize, Tetrahedra, TetrahedraOptions, tetrahedralize};

pub fn surface(device: &Device, mesh: &TriangleMesh) -> Surface {
    Surface::new(device, mesh, &MeshOptions::default()).expect("a surface")
}
pub fn fill(device: &Device, mesh: &TriangleMesh, size: CellSize) -> Tetrahedra {
    tetrahedralize(&surface(device, mesh), &TetrahedraOptions::new(size)).expect("tetrahedra")
}
/// A box of twelve triangles.
pub fn cuboid(low: DVec3, high: DVec3) -> TriangleMesh {
    let at = |i: u32| {
        let of = |axis: usize| if i >> axis & 1 == 1 { high[axis] } else { low[axis] };
        DVec3::new(of(0), of(1), of(2))
    };
    let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let faces = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    TriangleMesh::new((0..8).map(at).collect(), faces)
}
/// Several meshes as one.
pub fn together(meshes: &[TriangleMesh]) -> TriangleMesh {
    let (mut positions, mut faces): (Vec<DVec3>, Vec<[u32; 3]>) = (vec![], vec![]);
    for mesh in meshes {
        let first = positions.len() as u32;
        positions.extend(&mesh.positions);
        faces.extend(mesh.faces.iter().map(|face| face.map(|v| first + v)));
    }
    TriangleMesh::new(positions, faces)
}
pub fn moved(mesh: &TriangleMesh, change: impl Fn(DVec3) -> DVec3) -> TriangleMesh {
    let mut moved = mesh.clone();
    moved.positions.iter_mut().for_each(|p| *p = change(*p));
    moved
}
/// Surfaces of every kind, with their names and approximate thickness.
pub fn all() -> Vec<(&'static str, TriangleMesh, f64)> {
    let turn = |p: DVec3| DVec3::new(p.x + 0.3 * p.y, p.y - 0.21 * p.z, p.z + 0.17 * p.x);
    let torus = shapes::torus(40, 1).expect("a torus");
    let thickness = torus.positions.iter().fold(0.0_f64, |most, p| most.max(p.z)) * 2.0;
    vec![
        ("sphere", shapes::icosphere(4).expect("a sphere"), 2.0),
        ("bumpy sphere", shapes::bumpy_sphere(5, 3).expect("a sphere"), 1.6),
        ("torus", torus, thickness),
        ("knot", shapes::torus_knot(2, 3, 32, 400).expect("a knot"), 0.2),
        ("cube", cuboid(DVec3::ZERO, DVec3::ONE), 1.0),
        ("slanted box", moved(&cuboid(DVec3::ZERO, DVec3::new(1.0, 0.7, 1.3)), turn), 0.7),
        ("flat box", moved(&cuboid(DVec3::ZERO, DVec3::new(1.0, 1.0, 0.2)), turn), 0.2),
    ]
}
/// Numbers of elements, parts and defects.
pub fn topology(device: &Device, mesh: &TriangleMesh) -> Topology {
    FlatTopology::new(device, mesh.positions.len(), &mesh.faces).expect("a mesh").topology().expect("memory")
}
