//! Meshes with positions, with patches and without.
use ribbonmesh::glam::Vec3;
use ribbonmesh::ring::Ring;
use ribbonmesh::{Attribute, Buffer, Device, FlatTopology, MeshOptions, StaticMesh, Vertex};
use ribbonmesh_mesh::shapes;
use ribbonmesh_suite::{Random, cases, meshes};

/// A mesh with positions, on a device.
pub struct Model {
    pub name: String,
    pub x: Vec<Vec3>,
    pub mesh: StaticMesh,
    pub positions: Attribute<Vertex, Vec3>,
    pub ring: Ring,
    pub topology: FlatTopology,
    pub by_input: Buffer<Vec3>,
}
impl Model {
    pub fn new(device: &Device, name: &str, x: Vec<Vec3>, faces: &[[u32; 3]], patch_size: u32) -> Self {
        let options = MeshOptions { patch_size, ..MeshOptions::default() };
        let mesh = StaticMesh::new(device, x.len(), faces, &options).expect("a mesh");
        let positions = Attribute::from_input(&mesh, &x).expect("positions");
        let ring = Ring::new(&mesh).expect("a ring");
        let topology = FlatTopology::new(device, x.len(), faces).expect("a topology");
        let by_input = device.upload(&x).expect("memory");
        let name = format!("{name}, patches of {patch_size}");
        Self { name, x, mesh, positions, ring, topology, by_input }
    }
}

pub fn random_positions(n: usize, seed: u64) -> Vec<Vec3> {
    let mut random = Random(seed);
    let mut unit = || random.below(1 << 24) as f32 / (1 << 23) as f32 - 1.0;
    (0..n).map(|_| Vec3::new(unit(), unit(), unit())).collect()
}

/// Calls `check` with shapes, meshes of every class and soups, in patches of several sizes.
pub fn each(device: &Device, check: impl Fn(&Model)) {
    let mut shuffled = shapes::bumpy_sphere(4, 2).expect("small");
    shapes::shuffle(&mut shuffled, 9);
    let all = [
        ("bumpy sphere", shapes::bumpy_sphere(4, 1).expect("small")),
        ("shuffled bumpy sphere", shuffled),
        ("torus knot", shapes::torus_knot(2, 3, 12, 200).expect("small")),
        ("grid", shapes::grid(40, 1).expect("small")),
        ("mobius", shapes::mobius(60, 5).expect("small")),
    ];
    for (name, shape) in cases(all) {
        for size in cases([100, 16, 2048]) {
            check(&Model::new(device, name, shape.points(), &shape.faces, size));
        }
    }
    for (i, case) in (1..).zip(meshes::all()) {
        for size in cases([16, 512]) {
            check(&Model::new(device, &case.name, random_positions(case.vertices, i), &case.faces, size));
        }
    }
    for seed in cases(0..40) {
        let mut random = Random(seed);
        let case = meshes::soup(1 + random.below(80), random.below(200), seed);
        let x = random_positions(case.vertices, seed);
        check(&Model::new(device, &case.name, x, &case.faces, 16 + random.below(80)));
    }
}
