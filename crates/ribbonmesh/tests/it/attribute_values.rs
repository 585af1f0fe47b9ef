//! Attributes of every type: making, moving, arithmetic.
use ribbonmesh::device::Pod;
use ribbonmesh::glam::{DVec2, DVec3, IVec2, IVec3, UVec2, UVec3, Vec2, Vec3, Vec4};
use ribbonmesh::{
    Attribute, Device, Edge, Element, Error, Face, MeshOptions, Scalar, StaticMesh, Value, Vertex,
};
use ribbonmesh_suite::{Random, size, suite};
use std::fmt::Debug;

/// A random permutation of triangles, with `n` vertices of which some may be isolated.
fn mesh(device: &Device, n: u32) -> StaticMesh {
    let mut random = Random(n as u64 + 1);
    let faces: Vec<[u32; 3]> = (0..n / 2).map(|_| [(); 3].map(|()| random.below(n))).collect();
    StaticMesh::new(device, n as usize, &faces, &MeshOptions { patch_size: 64, ..MeshOptions::default() })
        .expect("a mesh")
}
const SIZES: [u32; 7] = [0, 1, 5, 1023, 1024, 1025, 9001];

/// Values of some type, made of random numbers.
fn values<T>(n: usize, make: impl Fn(&mut dyn FnMut() -> i32) -> T) -> Vec<T> {
    let mut random = Random(7);
    let mut number = || random.below(2001) as i32 - 1000;
    (0..n).map(|_| make(&mut number)).collect()
}

/// Input order, order of the ids, fill, copies.
fn moves<E: Element, T: Pod + PartialEq + Debug + Send + Sync>(
    mesh: &StaticMesh,
    order: Option<Vec<u32>>,
    data: &[T],
) {
    let mut a = Attribute::<E, T>::from_input(mesh, data).expect("an attribute");
    assert_eq!(a.len(), data.len());
    assert_eq!(a.is_empty(), data.is_empty());
    assert!(a.belongs_to(mesh));
    assert_eq!(a.download().expect("values"), data);
    let by_id: Vec<T> = match &order {
        Some(order) => order.iter().map(|&i| data[i as usize]).collect(),
        None => data.to_vec(),
    };
    assert_eq!(a.download_by_id().expect("values"), by_id);
    assert_eq!(a.buffer().read().expect("values"), by_id);

    let mut b = Attribute::<E, T>::zeros(mesh).expect("an attribute");
    assert!(b.download().expect("values").iter().all(|v| *v == T::zeroed()));
    b.copy_from(&a).expect("the same mesh");
    assert_eq!(b.download().expect("values"), data);
    assert_eq!(a.try_clone().and_then(|c| c.download()).expect("values"), data);
    b.upload_by_id(&by_id).expect("as many");
    assert_eq!(b.download().expect("values"), data);
    let one = data.first().copied().unwrap_or_else(T::zeroed);
    a.fill(one).expect("a launch");
    assert!(a.download().expect("values").iter().all(|v| *v == one));
    let c = Attribute::<E, T>::filled(mesh, one).and_then(|c| c.download()).expect("values");
    assert!(c.len() == data.len() && c.iter().all(|v| *v == one));

    let swapped: Attribute<E, u32> = b.map_host(|v| (v == one) as u32).expect("values");
    let expected: Vec<u32> = data.iter().map(|v| (*v == one) as u32).collect();
    assert_eq!(swapped.download().expect("values"), expected);
    let zipped: Attribute<E, f64> =
        b.zip_host(&swapped, |v, s| if v == one { s as f64 } else { -1.5 }).expect("values");
    let expected: Vec<f64> = data.iter().map(|v| if *v == one { 1.0 } else { -1.5 }).collect();
    assert_eq!(zipped.download().expect("values"), expected);
}

macro_rules! every_type {
    ($m:ident) => {
        $m!(f32, |n| n() as f32 / 8.0);
        $m!(f64, |n| n() as f64 / 8.0);
        $m!(u32, |n| n() as u32);
        $m!(i32, |n| n());
        $m!(Vec2, |n| Vec2::new(n() as f32, n() as f32 / 4.0));
        $m!(Vec3, |n| Vec3::new(n() as f32, n() as f32, n() as f32 / 4.0));
        $m!(Vec4, |n| Vec4::new(n() as f32, n() as f32, n() as f32, n() as f32));
        $m!(DVec2, |n| DVec2::new(n() as f64, n() as f64));
        $m!(DVec3, |n| DVec3::new(n() as f64, n() as f64, n() as f64));
        $m!(UVec2, |n| UVec2::new(n() as u32, n() as u32));
        $m!(UVec3, |n| UVec3::new(n() as u32, n() as u32, n() as u32));
        $m!(IVec2, |n| IVec2::new(n(), n()));
        $m!(IVec3, |n| IVec3::new(n(), n(), n()));
    };
}

/// The expected result of the operations for one component.
trait Reference: Scalar + Debug {
    fn of(v: i32) -> Self;
    fn reference(op: &str, a: Self, x: Self, y: Self) -> Self;
}
macro_rules! reference { ($($t:ident |$l:ident, $r:ident| $add:expr, $sub:expr, $mul:expr;)*) => { $(
    impl Reference for $t {
        fn of(v: i32) -> Self {
            v as $t
        }
        fn reference(op: &str, a: $t, x: $t, y: $t) -> $t {
            let add = |$l: $t, $r: $t| $add;
            let sub = |$l: $t, $r: $t| $sub;
            let mul = |$l: $t, $r: $t| $mul;
            match op {
                "add" => add(y, x),
                "sub" => sub(y, x),
                "mul" => mul(y, x),
                "min" => if x < y { x } else { y },
                "max" => if x > y { x } else { y },
                "scale" => mul(a, y),
                "axpy" => add(y, mul(a, x)),
                _ => panic!("{op}"),
            }
        }
    }
)* } }
reference! {
    f32 |a, b| a + b, a - b, a * b;
    f64 |a, b| a + b, a - b, a * b;
    u32 |a, b| a.wrapping_add(b), a.wrapping_sub(b), a.wrapping_mul(b);
    i32 |a, b| a.wrapping_add(b), a.wrapping_sub(b), a.wrapping_mul(b);
}
fn arithmetic<T: Value>(mesh: &StaticMesh, x: &[T], y: &[T])
where
    T::Scalar: Reference,
{
    let a = T::Scalar::of(3);
    let scalars = |v: &[T]| -> Vec<T::Scalar> {
        v.iter().flat_map(|v| (0..T::WIDTH).map(|c| component(v, c)).collect::<Vec<_>>()).collect()
    };
    let ax = Attribute::<Vertex, T>::from_input(mesh, x).expect("an attribute");
    for op in ["add", "sub", "mul", "min", "max", "scale", "axpy"] {
        let mut ay = Attribute::<Vertex, T>::from_input(mesh, y).expect("an attribute");
        match op {
            "add" => ay.add(&ax),
            "sub" => ay.sub(&ax),
            "mul" => ay.mul(&ax),
            "min" => ay.min_with(&ax),
            "max" => ay.max_with(&ax),
            "scale" => ay.scale(a),
            _ => ay.axpy(a, &ax),
        }
        .expect("the same mesh");
        let expected: Vec<T::Scalar> =
            scalars(x).into_iter().zip(scalars(y)).map(|(x, y)| T::Scalar::reference(op, a, x, y)).collect();
        assert_eq!(scalars(&ay.download().expect("values")), expected, "{op}");
    }
}
fn component<T: Value>(v: &T, c: usize) -> T::Scalar {
    let size = size_of::<T::Scalar>();
    bytemuck::pod_read_unaligned(&bytemuck::bytes_of(v)[c * size..(c + 1) * size])
}

suite! {
    fn values_move(device) {
        for n in SIZES.into_iter().step_by(size(1, 5)) {
            let mesh = mesh(device, n);
            let vertices = mesh.vertex_inputs().read().expect("ids");
            let faces = mesh.face_inputs().read().expect("ids");
            macro_rules! one { ($t:ident, $make:expr) => {
                moves::<Vertex, $t>(&mesh, Some(vertices.clone()), &values(mesh.vertices(), $make));
                moves::<Edge, $t>(&mesh, None, &values(mesh.edges(), $make));
                moves::<Face, $t>(&mesh, Some(faces.clone()), &values(mesh.faces(), $make));
            } }
            every_type!(one);
        }
    }
    fn types_of_ones_own(device) {
        for n in [5, 1500] {
            let mesh = mesh(device, n);
            let vertices = mesh.vertex_inputs().read().expect("ids");
            let small = values(mesh.vertices(), |n| [n(), n(), n(), n(), n()]);
            moves::<Vertex, [i32; 5]>(&mesh, Some(vertices), &small);
            moves::<Edge, [f64; 7]>(&mesh, None, &values(mesh.edges(), |n| [n() as f64 / 3.0; 7]));
        }
    }
    fn arithmetic_on_every_type(device) {
        for n in SIZES.into_iter().step_by(size(1, 5)) {
            let mesh = mesh(device, n);
            macro_rules! one { ($t:ident, $make:expr) => {
                let x: Vec<$t> = values(2 * mesh.vertices(), $make);
                let (x, y) = x.split_at(mesh.vertices());
                arithmetic(&mesh, x, y);
            } }
            every_type!(one);
        }
    }
    fn the_number_beside_a_nan(device) {
        let mesh = mesh(device, 3);
        let mut a = Attribute::<Vertex, f32>::from_input(&mesh, &[f32::NAN, 1.0, f32::NAN]).expect("values");
        let b = Attribute::<Vertex, f32>::from_input(&mesh, &[2.0, f32::NAN, f32::NAN]).expect("values");
        a.min_with(&b).expect("the same mesh");
        let found = a.download().expect("values");
        assert!(found[0] == 2.0 && found[1] == 1.0 && found[2].is_nan(), "{found:?}");
    }
    fn refusals(device) {
        let (a, b) = (mesh(device, 40), mesh(device, 40));
        let elsewhere = Device::cpu_with_threads(1).and_then(|d| a.to_device(&d)).expect("a copy");
        let mut x = Attribute::<Vertex, f32>::zeros(&a).expect("an attribute");
        let y = Attribute::<Vertex, f32>::zeros(&b).expect("an attribute");
        let z = Attribute::<Vertex, f32>::zeros(&elsewhere).expect("an attribute");
        assert!(x.belongs_to(&a) && !x.belongs_to(&b) && !x.belongs_to(&elsewhere));
        assert!(matches!(x.upload(&[0.0; 39]), Err(Error::Length { expected: 40, found: 39, .. })));
        assert!(matches!(x.upload_by_id(&[0.0; 41]), Err(Error::Length { expected: 40, found: 41, .. })));
        assert!(matches!(Attribute::<Face, f32>::from_input(&a, &[1.0]), Err(Error::Length { expected: 20, .. })));
        assert!(matches!(x.add(&y), Err(Error::OtherMesh { .. })));
        assert!(matches!(x.copy_from(&y), Err(Error::OtherMesh { .. })));
        assert!(matches!(x.dot(&y), Err(Error::OtherMesh { .. })));
        assert!(matches!(x.axpy(1.0, &z), Err(Error::OtherDevice { .. })));
        assert!(matches!(x.zip_host(&z, |a, b| a + b), Err(Error::OtherDevice { .. })));
    }
}
