//! Normals by atomics, compared with normals of patches and with a plain loop.
use ribbonmesh::glam::{DVec3, Vec3};
use ribbonmesh::{Attribute, Error, MeshOptions, StaticMesh};
use ribbonmesh_baselines::{IndexedTriangles, atomic_normals, hard_wired_normals};
use ribbonmesh_fields::normals::Weight;
use ribbonmesh_mesh::shapes;
use ribbonmesh_patches::normals_of;
use ribbonmesh_suite::suite;

/// Weighted as Max 1999 does, in double precision; `None` if the faces cancel each other except for rounding.
fn plain(x: &[Vec3], faces: &[[u32; 3]]) -> Vec<Option<DVec3>> {
    let mut sums = vec![(DVec3::ZERO, 0.0); x.len()];
    for f in faces {
        let p = f.map(|v| x[v as usize].as_dvec3());
        for i in 0..3 {
            let (a, b) = (p[(i + 1) % 3] - p[i], p[(i + 2) % 3] - p[i]);
            let term = a.cross(b) / (a.length_squared() * b.length_squared());
            let (sum, size) = &mut sums[f[i] as usize];
            *sum += term;
            *size += term.length();
        }
    }
    let unit = |(sum, size): (DVec3, f64)| {
        (size == 0.0 || sum.length() > 1e-4 * size).then(|| sum.normalize_or_zero())
    };
    sums.into_iter().map(unit).collect()
}

suite! {
    fn three_ways(device) {
        let mut sphere = shapes::bumpy_sphere(4, 1).expect("small");
        shapes::shuffle(&mut sphere, 3);
        for shape in [sphere, shapes::grid(30, 1).expect("small"), shapes::mobius(40, 5).expect("small")] {
            let mut x: Vec<Vec3> = shape.points();
            // an isolated vertex
            x.push(Vec3::ONE);
            let expected = plain(&x, &shape.faces);
            let close = |normals: &[Vec3], of: &str| {
                assert_eq!(normals.len(), expected.len());
                for (v, (n, e)) in normals.iter().zip(&expected).enumerate() {
                    let Some(e) = e else { continue };
                    assert!((n.as_dvec3() - *e).length() < 1e-5, "{of}, vertex {v}: {n} {e}");
                }
            };
            let triangles = IndexedTriangles::new(device, &x, &shape.faces).expect("triangles");
            let mut normals = triangles.normals().expect("memory");
            for _ in 0..2 {
                hard_wired_normals(&triangles, &mut normals).expect("normals");
                close(&normals.read().expect("normals"), "hard-wired");
            }
            let mesh = StaticMesh::new(device, x.len(), &shape.faces, &MeshOptions { patch_size: 100, ..MeshOptions::default() });
            let mesh = mesh.expect("a mesh");
            let positions = Attribute::from_input(&mesh, &x).expect("positions");
            let mut normals = Attribute::filled(&mesh, Vec3::NAN).expect("memory");
            atomic_normals(&mesh, &positions, &mut normals).expect("normals");
            close(&normals.download().expect("normals"), "atomic");
            let fused = normals_of(&mesh, &positions, Weight::Max).expect("normals");
            close(&fused.download().expect("normals"), "fused");
        }
    }
    fn refusals(device) {
        let x = [Vec3::ZERO, Vec3::X, Vec3::Y];
        let wrong = IndexedTriangles::new(device, &x, &[[0, 1, 2], [0, 3, 1]]);
        assert!(matches!(wrong, Err(Error::IndexOutOfRange { face: 1, vertex: 3, vertices: 3 })));
        let triangles = IndexedTriangles::new(device, &x, &[[0, 1, 2]]).expect("triangles");
        let mut short = device.zeros(2).expect("memory");
        assert!(matches!(hard_wired_normals(&triangles, &mut short), Err(Error::Length { .. })));
        let mesh = || StaticMesh::new(device, 3, &[[0, 1, 2]], &MeshOptions::default()).expect("a mesh");
        let (a, b) = (mesh(), mesh());
        let positions = Attribute::from_input(&a, &x).expect("positions");
        let mut normals = Attribute::zeros(&b).expect("memory");
        assert!(matches!(atomic_normals(&a, &positions, &mut normals), Err(Error::OtherMesh { .. })));
    }
}
