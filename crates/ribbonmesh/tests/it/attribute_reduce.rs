//! Reductions of attributes against plain loops.
use ribbonmesh::glam::{DVec3, I64Vec3, IVec3, U64Vec2, UVec2, Vec2, Vec3, Vec4};
use ribbonmesh::{Attribute, Device, Extremum, MeshOptions, StaticMesh, Vertex};
use ribbonmesh_suite::{Random, size, suite};

/// Vertices alone, and a few faces, so that ids are not the input's indices.
fn mesh(device: &Device, n: usize) -> StaticMesh {
    let faces: Vec<[u32; 3]> = (0..n as u32 / 4).rev().map(|i| [4 * i, 4 * i + 2, 4 * i + 3]).collect();
    StaticMesh::new(device, n, &faces, &MeshOptions::default()).expect("a mesh")
}
const SIZES: [usize; 8] = [0, 1, 127, 1023, 1024, 1025, 5000, 150_000];

fn close(found: f64, expected: f64, magnitude: f64) {
    assert!((found - expected).abs() <= 1e-12 * magnitude, "{found} {expected}");
}

/// The first of the smallest (`sign` 1) or greatest (-1), NaN passed over, in the order of the ids.
fn extreme<T: PartialOrd + Copy>(values: &[T], greatest: bool) -> Option<Extremum<T>> {
    let mut best: Option<Extremum<T>> = None;
    for (id, &value) in (0..).zip(values) {
        #[allow(clippy::eq_op)]
        let number = value == value;
        if number && best.is_none_or(|b| if greatest { value > b.value } else { value < b.value }) {
            best = Some(Extremum { id, value });
        }
    }
    best
}

suite! {
    fn floats(device) {
        for n in SIZES.into_iter().take(size(8, 7)) {
            let (mesh, mut random) = (mesh(device, n), Random(n as u64));
            let mut data = || -> Vec<f32> { (0..n).map(|_| random.below(1 << 20) as f32 / 4096.0 - 100.3).collect() };
            let (x, y) = (data(), data());
            let ax = Attribute::<Vertex, f32>::from_input(&mesh, &x).expect("an attribute");
            let ay = Attribute::<Vertex, f32>::from_input(&mesh, &y).expect("an attribute");
            let magnitude: f64 = x.iter().map(|v| v.abs() as f64).sum();
            close(ax.sum().expect("a sum"), x.iter().map(|&v| v as f64).sum(), magnitude);
            let squares: f64 = x.iter().map(|&v| v as f64 * v as f64).sum();
            close(ax.norm2().expect("a norm"), squares.sqrt(), squares.sqrt());
            let dot: f64 = x.iter().zip(&y).map(|(&a, &b)| a as f64 * b as f64).sum();
            close(ax.dot(&ay).expect("a product"), dot, squares + 1.0);
            let by_id = ax.download_by_id().expect("values");
            assert_eq!(ax.argmin().expect("a minimum"), extreme(&by_id, false));
            assert_eq!(ax.argmax().expect("a maximum"), extreme(&by_id, true));
            assert_eq!(ax.min().expect("a minimum"), extreme(&by_id, false).map(|f| f.value));
            assert_eq!(ax.max().expect("a maximum"), extreme(&by_id, true).map(|f| f.value));

            let d: Vec<f64> = x.iter().map(|&v| v as f64 / 3.0).collect();
            let ad = Attribute::<Vertex, f64>::from_input(&mesh, &d).expect("an attribute");
            close(ad.sum().expect("a sum"), d.iter().sum(), magnitude);
            close(ad.dot(&ad).expect("a product"), d.iter().map(|v| v * v).sum(), squares);
            assert_eq!(ad.argmax().expect("a maximum"), extreme(&ad.download_by_id().expect("values"), true));
        }
    }
    fn integers(device) {
        for n in SIZES.into_iter().take(size(8, 7)) {
            let (mesh, mut random) = (mesh(device, n), Random(n as u64 + 9));
            // large ones, so that 32 bits would not do
            let u: Vec<u32> = (0..n).map(|_| u32::MAX - random.below(9)).collect();
            let i: Vec<i32> = (0..n).map(|_| i32::MIN + random.below(9) as i32).collect();
            let au = Attribute::<Vertex, u32>::from_input(&mesh, &u).expect("an attribute");
            let ai = Attribute::<Vertex, i32>::from_input(&mesh, &i).expect("an attribute");
            assert_eq!(au.sum().expect("a sum"), u.iter().map(|&v| v as u64).sum::<u64>());
            assert_eq!(ai.sum().expect("a sum"), i.iter().map(|&v| v as i64).sum::<i64>());
            let (u, i) = (au.download_by_id().expect("values"), ai.download_by_id().expect("values"));
            // many ties
            assert_eq!(au.argmin().expect("a minimum"), extreme(&u, false));
            assert_eq!(au.argmax().expect("a maximum"), extreme(&u, true));
            assert_eq!(ai.argmin().expect("a minimum"), extreme(&i, false));
            assert_eq!(ai.argmax().expect("a maximum"), extreme(&i, true));
            let squares = i.iter().map(|&v| v as f64 * v as f64).sum::<f64>();
            close(ai.dot(&ai).expect("a product"), squares, squares);
            let squares = u.iter().map(|&v| v as f64 * v as f64).sum::<f64>();
            close(au.dot(&au).expect("a product"), squares, squares);
        }
    }
    fn vectors(device) {
        for n in [0, 1, 1025, 7000] {
            let (mesh, mut random) = (mesh(device, n), Random(n as u64 + 3));
            let mut f = || random.below(4001) as f32 - 2000.0;
            let v2: Vec<Vec2> = (0..n).map(|_| Vec2::new(f(), f())).collect();
            let v3: Vec<Vec3> = (0..n).map(|_| Vec3::new(f(), f(), f())).collect();
            let v4: Vec<Vec4> = (0..n).map(|_| Vec4::new(f(), f(), f(), f())).collect();
            // integers: exact in any order
            macro_rules! check { ($t:ident $data:ident $wide:expr, $zero:expr) => {
                let a = Attribute::<Vertex, $t>::from_input(&mesh, &$data).expect("an attribute");
                assert_eq!(a.sum().expect("a sum"), $data.iter().fold($zero, |s, v| s + $wide(*v)));
                assert_eq!(a.min().expect("a minimum"), $data.iter().copied().reduce(|a, b| a.min(b)));
                assert_eq!(a.max().expect("a maximum"), $data.iter().copied().reduce(|a, b| a.max(b)));
            } }
            check!(Vec2 v2 |v: Vec2| v.as_dvec2(), ribbonmesh::glam::DVec2::ZERO);
            check!(Vec3 v3 |v: Vec3| v.as_dvec3(), DVec3::ZERO);
            check!(Vec4 v4 |v: Vec4| v.as_dvec4(), ribbonmesh::glam::DVec4::ZERO);
            let d3: Vec<DVec3> = v3.iter().map(|v| v.as_dvec3()).collect();
            check!(DVec3 d3 |v: DVec3| v, DVec3::ZERO);
            let i3: Vec<IVec3> = v3.iter().map(|v| v.as_ivec3()).collect();
            check!(IVec3 i3 |v: IVec3| v.as_i64vec3(), I64Vec3::ZERO);
            let u2: Vec<UVec2> = v2.iter().map(|v| v.as_ivec2().as_uvec2()).collect();
            check!(UVec2 u2 |v: UVec2| v.as_u64vec2(), U64Vec2::ZERO);
            let a = Attribute::<Vertex, Vec3>::from_input(&mesh, &v3).expect("an attribute");
            let squares: f64 = d3.iter().map(|v| v.dot(*v)).sum();
            assert_eq!(a.norm2().expect("a norm"), squares.sqrt());
        }
    }
    fn not_a_number(device) {
        let n = 3000;
        let mesh = mesh(device, n);
        let mut by_id: Vec<f32> = (0..n).map(|i| if i % 3 == 0 { f32::NAN } else { (i % 50) as f32 }).collect();
        let mut a = Attribute::<Vertex, f32>::zeros(&mesh).expect("an attribute");
        a.upload_by_id(&by_id).expect("as many");
        assert_eq!(a.argmin().expect("a minimum"), Some(Extremum { id: 50, value: 0.0 }));
        assert_eq!(a.argmin().expect("a minimum"), extreme(&by_id, false));
        assert_eq!(a.argmax().expect("a maximum"), Some(Extremum { id: 49, value: 49.0 }));
        assert!(a.sum().expect("a sum").is_nan() && a.norm2().expect("a norm").is_nan());
        by_id.fill(f32::NAN);
        a.upload_by_id(&by_id).expect("as many");
        assert_eq!((a.argmin().expect("nothing"), a.min().expect("nothing")), (None, None));
        // infinities are numbers
        by_id[2000] = f32::INFINITY;
        a.upload_by_id(&by_id).expect("as many");
        assert_eq!(a.argmin().expect("a minimum"), Some(Extremum { id: 2000, value: f32::INFINITY }));
        let v = Attribute::<Vertex, Vec2>::filled(&mesh, Vec2::new(1.0, f32::NAN)).expect("an attribute");
        assert_eq!(v.min().expect("nothing"), None);
        // of both zeros the first
        let mut zeros = vec![0.0f32; n];
        zeros[7] = -0.0;
        a.upload_by_id(&zeros).expect("as many");
        assert_eq!(a.argmin().expect("a minimum").map(|f| f.id), Some(0));
    }
    fn the_same_bits_as_on_one_thread(device) {
        let n = size(100_000, 20_001);
        let mut random = Random(5);
        let x: Vec<f32> = (0..n).map(|_| (random.next() as f32 / 1e9).exp() - 3.0).collect();
        let sums = |device: &Device| {
            let a = Attribute::<Vertex, f32>::from_input(&mesh(device, n), &x).expect("an attribute");
            (a.sum().expect("a sum").to_bits(), a.norm2().expect("a norm").to_bits())
        };
        let first = sums(device);
        assert_eq!(first, sums(device));
        assert_eq!(first, sums(&Device::cpu_with_threads(1).expect("a thread")));
    }
}
