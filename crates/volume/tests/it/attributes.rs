//! Attributes of volumes.
use crate::common::{self, Random};
use ribbonmesh::device::{Edge, Face, Vertex};
use ribbonmesh::glam::{DVec3, Vec3};
use ribbonmesh::{Attribute, Device, DeviceScalar, Error, MeshOptions, StaticMesh};
use ribbonmesh_mesh::shapes::torus;
use ribbonmesh_volume::{
    Cell, CellList, Relation, VolumeAttribute, VolumeElement, VolumeError, VolumeMesh, VolumeOptions, shapes,
};

fn mesh(device: &Device) -> VolumeMesh {
    let (x, cells) = shapes::mixed_grid([7, 5, 6]).expect("a size");
    VolumeMesh::new(device, &x, &cells, &VolumeOptions::default()).expect("a mesh")
}
/// Values of every size and sign.
fn values(n: usize, seed: u64) -> Vec<f32> {
    let mut random = Random(seed);
    let mut unit = || random.below(1 << 20) as f32 / (1 << 19) as f32 - 1.0;
    (0..n).map(|i| unit() * [1.0, 1e-6, 1e6, 3.0][i % 4]).collect()
}
/// Every reduction of an attribute of a kind is compared with the host's.
fn check<E: VolumeElement>(mesh: &VolumeMesh, n: usize) {
    let (a, b) = (values(n, 1), values(n, 2));
    let of = |values: &[f32]| VolumeAttribute::<E, f32>::from_values(mesh, values).expect("memory");
    let (x, y) = (of(&a), of(&b));
    assert_eq!((x.len(), x.is_empty()), (n, n == 0));
    assert_eq!(x.download().expect("memory"), a);
    let scale: f64 = a.iter().map(|&v| f64::from(v.abs())).sum();
    let close = |found: f64, expected: f64, size: f64| assert!((found - expected).abs() <= 1e-12 * size);
    close(x.sum().expect("memory"), a.iter().map(|&v| f64::from(v)).sum(), scale);
    let products = || a.iter().zip(&b).map(|(&p, &q)| f64::from(p) * f64::from(q));
    close(x.dot(&y).expect("memory"), products().sum(), products().map(f64::abs).sum());
    let squares: f64 = a.iter().map(|&v| f64::from(v) * f64::from(v)).sum();
    close(x.norm2().expect("memory"), squares.sqrt(), squares.sqrt());
    let (low, high) = (a.iter().copied().reduce(f32::min), a.iter().copied().reduce(f32::max));
    assert_eq!((x.min().expect("memory"), x.max().expect("memory")), (low, high));
    let place =
        |value: Option<f32>| value.and_then(|value| a.iter().position(|&v| v == value)).map(|i| i as u32);
    assert_eq!(x.argmin().expect("memory").map(|found| found.id), place(low));
    assert_eq!(x.argmax().expect("memory").map(|found| found.id), place(high));
    let scalar = || DeviceScalar::<f64>::new(mesh.device(), 0.0).expect("memory");
    // into device memory: the same bits
    let (mut sum, mut dot) = (scalar(), scalar());
    x.sum_into(&mut sum).expect("memory");
    x.dot_into(&y, &mut dot).expect("memory");
    assert_eq!(sum.read().expect("memory").to_bits(), x.sum().expect("memory").to_bits());
    assert_eq!(dot.read().expect("memory").to_bits(), x.dot(&y).expect("memory").to_bits());
}

suite! {
    /// Reductions of attributes of every kind of elements.
    fn reductions(device) {
        let mesh = mesh(device);
        check::<Vertex>(&mesh, mesh.vertices());
        check::<Edge>(&mesh, mesh.edges());
        check::<Face>(&mesh, mesh.faces());
        check::<Cell>(&mesh, mesh.cells());
        let nothing = VolumeMesh::new(device, &[], &CellList::new(), &VolumeOptions::default()).expect("a mesh");
        check::<Cell>(&nothing, 0);
    }
    /// The same bits as for the static mesh, for the same values.
    fn bits_of_the_static_mesh(device) {
        let surface = torus(24, 1).expect("a torus");
        let n = surface.positions.len();
        let patches = StaticMesh::new(device, n, &surface.faces, &MeshOptions::default()).expect("a mesh");
        let points = VolumeMesh::new(device, &vec![Vec3::ZERO; n], &CellList::new(), &VolumeOptions::default()).expect("points");
        let [a, b] = [3, 4].map(|seed| Attribute::<Vertex, f32>::from_input(&patches, &values(n, seed)).expect("memory"));
        let [x, y] = [&a, &b].map(|attribute| {
            let values = attribute.download_by_id().expect("memory");
            VolumeAttribute::<Vertex, f32>::from_values(&points, &values).expect("memory")
        });
        assert_eq!(x.sum().expect("memory").to_bits(), a.sum().expect("memory").to_bits());
        assert_eq!(x.dot(&y).expect("memory").to_bits(), a.dot(&b).expect("memory").to_bits());
        assert_eq!(x.norm2().expect("memory").to_bits(), a.norm2().expect("memory").to_bits());
        assert_eq!(x.argmin().expect("memory"), a.argmin().expect("memory"));
    }
    /// Vectors and whole numbers.
    fn types(device) {
        let mesh = mesh(device);
        let n = mesh.cells();
        let vectors: Vec<Vec3> = (0..n).map(|i| Vec3::new(i as f32, 1.0, -(i as f32))).collect();
        let x = VolumeAttribute::<Cell, Vec3>::from_values(&mesh, &vectors).expect("memory");
        let total = (n * (n - 1) / 2) as f64;
        assert_eq!(x.sum().expect("memory"), DVec3::new(total, n as f64, -total));
        assert_eq!(x.max().expect("memory"), Some(Vec3::new((n - 1) as f32, 1.0, 0.0)));
        let numbers: Vec<u32> = (0..n as u32).rev().collect();
        let x = VolumeAttribute::<Cell, u32>::from_values(&mesh, &numbers).expect("memory");
        assert_eq!(x.sum().expect("memory"), (n * (n - 1) / 2) as u64);
        assert_eq!(x.argmin().expect("memory").map(|found| (found.id, found.value)), Some((n as u32 - 1, 0)));
        // volumes of cells, without a copy
        let expected: f64 = mesh.volumes().expect("memory").read().expect("memory").iter().sum();
        let volumes = mesh.volumes().expect("memory");
        let volumes = VolumeAttribute::<Cell, f64>::from_buffer(&mesh, volumes).expect("as many");
        assert!(expected > 100.0 && (volumes.sum().expect("memory") - expected).abs() < 1e-9);
    }
    /// Attributes stay with their mesh, whatever happens to its positions and relations; attributes of other
    /// meshes are refused.
    fn meshes_and_lengths(device) {
        let (mut mesh, other) = (mesh(device), mesh(device));
        let ones = vec![1.0_f32; mesh.cells()];
        let mut x = VolumeAttribute::<Cell, f32>::from_values(&mesh, &ones).expect("memory");
        let y = VolumeAttribute::<Cell, f32>::zeros(&other).expect("memory");
        let refused = |error: VolumeError| assert!(matches!(error, VolumeError::Device(Error::OtherMesh { .. })), "{error}");
        refused(x.dot(&y).expect_err("another mesh"));
        refused(x.copy_from(&y).expect_err("another mesh"));
        assert!(x.belongs_to(&mesh) && !x.belongs_to(&other));
        mesh.smooth(1).expect("memory");
        let cf = mesh.relation(Relation::CF).expect("memory").try_clone().expect("memory");
        mesh.replace_operator(Relation::CF, cf).expect("the same");
        mesh.forget_relations();
        let z = x.try_clone().expect("memory");
        assert!(z.belongs_to(&mesh));
        assert_eq!(x.dot(&z).expect("memory"), mesh.cells() as f64);
        x.copy_from(&VolumeAttribute::zeros(&mesh).expect("memory")).expect("the same mesh");
        assert_eq!(x.max().expect("memory"), Some(0.0));
        let error = VolumeAttribute::<Edge, f32>::from_values(&mesh, &ones).expect_err("another length");
        assert!(error.to_string().contains("values of edges"), "{error}");
        let buffer = device.zeros::<f32>(3).expect("memory");
        let error = VolumeAttribute::<Face, f32>::from_buffer(&mesh, buffer).expect_err("another length");
        assert!(error.to_string().contains("values of faces"), "{error}");
        assert!(x.upload(&[0.0]).is_err());
        assert!(mesh.subdivide().is_ok_and(|finer| !x.belongs_to(&finer)));
        let elsewhere = Device::cpu_with_threads(1).expect("a device").zeros::<f32>(mesh.cells()).expect("memory");
        let error = VolumeAttribute::<Cell, f32>::from_buffer(&mesh, elsewhere).expect_err("another device");
        assert!(matches!(error, VolumeError::Device(Error::OtherDevice { .. })), "{error}");
    }
}

/// With one thread, several, and on the GPU.
#[test]
fn the_same_bits_on_every_machine() {
    let on = |device: &Device| {
        let mesh = mesh(device);
        let of = |seed| {
            VolumeAttribute::<Edge, f32>::from_values(&mesh, &values(mesh.edges(), seed)).expect("memory")
        };
        let (x, y) = (of(5), of(6));
        [x.sum(), x.dot(&y), x.norm2()].map(|found| found.expect("memory").to_bits())
    };
    let one = on(&Device::cpu_with_threads(1).expect("a device"));
    assert_eq!(one, on(&Device::cpu_with_threads(3).expect("a device")));
    if let Some(gpu) = common::cuda() {
        assert_eq!(one, on(&gpu));
    }
}
