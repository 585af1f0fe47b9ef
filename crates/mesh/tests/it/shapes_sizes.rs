//! Seeds, sizes that cannot be, and the large ones.

use ribbonmesh_mesh::TriangleMesh;
use ribbonmesh_mesh::shapes::*;

#[test]
fn seeds_decide() {
    assert_eq!(bumpy_sphere(3, 7).unwrap(), bumpy_sphere(3, 7).unwrap());
    assert_eq!(torus(20, 7).unwrap(), torus(20, 7).unwrap());
    assert_eq!(grid(20, 7).unwrap(), grid(20, 7).unwrap());
    assert_ne!(bumpy_sphere(3, 7).unwrap().positions, bumpy_sphere(3, 8).unwrap().positions);
    assert_ne!(torus(20, 7).unwrap().faces, torus(20, 8).unwrap().faces);
    assert_ne!(grid(20, 7).unwrap().positions, grid(20, 8).unwrap().positions);
}

#[test]
fn shuffling_keeps_the_set_of_triangles() {
    let shape = bumpy_sphere(3, 1).unwrap();
    let mut shuffled = shape.clone();
    shuffle(&mut shuffled, 5);
    assert_ne!(shuffled.positions, shape.positions);
    let triangles = |shape: &TriangleMesh| {
        let corner = |&vertex: &u32| shape.positions[vertex as usize].to_array().map(f64::to_bits);
        let mut all: Vec<Vec<[u64; 3]>> =
            shape.faces.iter().map(|face| face.iter().map(corner).collect()).collect();
        all.sort();
        all
    };
    assert_eq!(triangles(&shuffled), triangles(&shape));
    let mut again = shape.clone();
    shuffle(&mut again, 5);
    assert_eq!(again, shuffled);
    shuffle(&mut again, 6);
    assert_ne!(again, shuffled);
}

#[test]
fn shuffling_leaves_nothing_in_place_to_speak_of() {
    let mut shape = grid(100, 1).unwrap();
    let before = shape.positions.clone();
    shuffle(&mut shape, 1);
    let same = before.iter().zip(&shape.positions).filter(|(old, new)| old == new).count();
    assert!(same < 12, "{same} of 10000 vertices stayed");
}

#[test]
fn shuffling_takes_nothing_and_bad_indices() {
    let mut empty = TriangleMesh::default();
    shuffle(&mut empty, 1);
    assert_eq!(empty, TriangleMesh::default());
    let mut odd = TriangleMesh::from_f32(vec![[0.0; 3]], vec![[0, 9, 0]]);
    shuffle(&mut odd, 1);
    assert_eq!(odd.faces, [[0, 9, 0]]);
}

#[test]
fn sizes_that_are_too_small_are_refused() {
    let too_small =
        |shape: Result<TriangleMesh, ShapeError>| matches!(shape, Err(ShapeError::TooSmall { .. }));
    assert!(too_small(grid(1, 0)) && too_small(grid(0, 0)));
    assert!(too_small(torus(3, 0)) && too_small(torus(0, 0)));
    assert!(too_small(mobius(2, 2)) && too_small(mobius(3, 1)));
    assert!(too_small(torus_knot(2, 3, 2, 9)) && too_small(torus_knot(2, 3, 9, 2)));
}

#[test]
fn sizes_that_are_too_large_are_refused() {
    let too_large =
        |shape: Result<TriangleMesh, ShapeError>| matches!(shape, Err(ShapeError::TooLarge { .. }));
    let most = u32::MAX;
    assert!(too_large(icosphere(14)) && too_large(icosphere(most)) && too_large(bumpy_sphere(most, 0)));
    assert!(too_large(grid(most, 0)) && too_large(grid(30_000, 0)));
    assert!(too_large(torus(most, 0)) && too_large(mobius(most, most)));
    assert!(too_large(torus_knot(2, 3, most, most)));
}

#[test]
fn windings_with_a_common_divisor_are_refused() {
    for (p, q) in [(0, 1), (1, 0), (0, 0), (2, 4), (6, 9)] {
        assert_eq!(torus_knot(p, q, 8, 64), Err(ShapeError::NotAKnot { p, q }));
    }
}

#[test]
fn subdivision_refuses_bad_indices() {
    let shape = TriangleMesh::from_f32(vec![[0.0; 3]; 3], vec![[0, 1, 2], [0, 1, 3]]);
    assert_eq!(subdivide(&shape), Err(ShapeError::IndexOutOfRange { face: 1, index: 3, vertices: 3 }));
}
