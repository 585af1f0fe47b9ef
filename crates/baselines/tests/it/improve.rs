//! Splits and collapses of the paper on grid-free tracking: the results are closed, manifold, and within the
//! lengths.
use crate::common;
use crate::suite;
use ribbonmesh::glam::Vec3;
use ribbonmesh::{Error, MeshOptions, StaticMesh};
use ribbonmesh_baselines::IndexedSurface;
use ribbonmesh_mesh::shapes;

/// Faces by vertices, without the vertices that have no face.
fn used(x: &[Vec3], faces: &[[u32; 3]]) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let mut of = vec![u32::MAX; x.len()];
    let mut kept = vec![];
    let mut number = |v: u32| {
        if of[v as usize] == u32::MAX {
            of[v as usize] = kept.len() as u32;
            kept.push(x[v as usize]);
        }
        of[v as usize]
    };
    let faces = faces.iter().map(|face| face.map(&mut number)).collect();
    (kept, faces)
}
fn lengths(x: &[Vec3], faces: &[[u32; 3]]) -> [f32; 2] {
    let sides = faces.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
    sides.fold([f32::MAX, 0.0], |[least, most], [a, b]| {
        let l = x[a as usize].distance(x[b as usize]);
        [least.min(l), most.max(l)]
    })
}
fn volume(x: &[Vec3], faces: &[[u32; 3]]) -> f64 {
    let of = |&[a, b, c]: &[u32; 3]| {
        let [a, b, c] = [a, b, c].map(|v| x[v as usize].as_dvec3());
        a.dot(b.cross(c)) / 6.0
    };
    faces.iter().map(of).sum()
}

suite! {
    fn long_edges_are_split(device) {
        let shape = shapes::bumpy_sphere(4, 1).expect("small");
        let [_, longest] = lengths(&shape.points(), &shape.faces);
        // some edges, nearly all, and all several times
        for limit in [0.8, 0.4, 0.15] {
            let mut surface = IndexedSurface::new(device, &shape.points(), &shape.faces, 120).expect("memory");
            let done = surface.split(limit * longest).expect("room");
            let (x, faces) = surface.read().expect("faces");
            assert!(done.edges > 0 && done.passes > 1, "{done:?}");
            // one new vertex and two new faces for each edge
            assert_eq!(x.len(), shape.positions.len() + done.edges as usize);
            assert_eq!(faces.len(), shape.faces.len() + 2 * done.edges as usize);
            let mesh = StaticMesh::new(device, x.len(), &faces, &MeshOptions::default()).expect("an oriented manifold");
            assert_eq!(2 * mesh.edges(), 3 * faces.len(), "closed");
            assert!((volume(&x, &faces) / volume(&shape.points(), &shape.faces) - 1.0).abs() < 1e-5, "flat");
            let [_, most] = lengths(&x, &faces);
            assert!(most <= limit * longest, "{most}");
        }
    }
    fn short_edges_are_collapsed(device) {
        let shape = shapes::bumpy_sphere(4, 2).expect("small");
        let [_, longest] = lengths(&shape.points(), &shape.faces);
        for limit in [0.5, 0.9, 2.0] {
            let mut surface = IndexedSurface::new(device, &shape.points(), &shape.faces, 1).expect("memory");
            let done = surface.collapse(limit * longest).expect("memory");
            let (x, faces) = surface.read().expect("faces");
            assert_eq!(faces.len() + 2 * done.edges as usize, shape.faces.len());
            let (x, faces) = used(&x, &faces);
            let mesh = StaticMesh::new(device, x.len(), &faces, &MeshOptions::default()).expect("an oriented manifold");
            assert_eq!(x.len() + faces.len(), mesh.edges() + 2, "a sphere");
            assert!(done.edges > 0, "{done:?}");
            if done.passes < 30 && limit < 1.0 {
                let [least, _] = lengths(&x, &faces);
                assert!(least >= limit * longest, "{least}: {done:?}");
            }
        }
    }
    fn what_is_refused(device) {
        let shape = shapes::icosphere(1).expect("small");
        let outside = IndexedSurface::new(device, &shape.points()[..5], &shape.faces, 2).err().expect("an index");
        assert!(matches!(outside, Error::IndexOutOfRange { face: 0, .. }), "{outside}");
        let mut surface = IndexedSurface::new(device, &shape.points(), &shape.faces, 1).expect("memory");
        let full = surface.split(0.1).expect_err("no room");
        assert!(matches!(full, Error::TooMany { what: "vertices", .. }), "{full}");
        assert_eq!(surface.split(10.0).err().map(|_| ()), Some(()), "the room is asked for before the work");
    }
}
