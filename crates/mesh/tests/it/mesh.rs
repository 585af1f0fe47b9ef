//! Attributes, selections and local origins.

use glam::{DVec3, UVec3, Vec2, Vec3};
use ribbonmesh_mesh::{
    ColourSpace, Column, ColumnError, Element, MeshError, Policy, Precision, Role, Scalar, Scalars,
    TriangleMesh,
};

/// Two triangles with a column of every element that says where its rows come from.
fn square() -> TriangleMesh {
    let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
    let mut mesh = TriangleMesh::from_f32(corners, vec![[0, 1, 2], [0, 2, 3]]);
    mesh.edges = vec![[0, 1], [2, 0]];
    mesh.vertices_mut().insert("v", vec![0_u8, 1, 2, 3]).unwrap();
    mesh.faces_of_mut().insert("f", vec![10_i64, 11]).unwrap();
    let corners = (0..6).map(|i| Vec2::new(i as f32, 0.5)).collect();
    mesh.corners_mut().insert::<Vec2>("c", corners).unwrap();
    mesh.edges_of_mut().insert("e", vec![100.5_f64, 101.5]).unwrap();
    mesh
}

#[test]
fn columns_are_typed() {
    let mut mesh = square();
    mesh.vertices_mut().insert("normal", vec![Vec3::Z; 4]).unwrap();
    assert_eq!(mesh.vertices().get::<[f32; 3]>("normal").unwrap()[3], [0.0, 0.0, 1.0]);
    mesh.vertices_mut().get_mut::<Vec3>("normal").unwrap()[0] = Vec3::X;
    assert_eq!(mesh.vertices().get::<Vec3>("normal").unwrap()[0], Vec3::X);
    let error = mesh.vertices().get::<DVec3>("normal").unwrap_err();
    assert_eq!(error.to_string(), "the vertex attribute \"normal\" is of type f32 × 3, not f64 × 3");
    let error = mesh.vertices().get::<u8>("w").unwrap_err();
    assert_eq!(error.to_string(), "there is no vertex attribute \"w\"; there are v, normal");
    let error = mesh.corners_mut().insert("c", vec![UVec3::ONE; 5]).unwrap_err();
    let expected = ColumnError::Length { element: Element::Corner, name: "c".into(), expected: 6, found: 5 };
    assert_eq!(error, expected);
    assert_eq!(mesh.corners().get::<Vec2>("c").unwrap().len(), 6, "the old column stays");
}

#[test]
fn columns_keep_their_order() {
    let mut mesh = square();
    for name in ["b", "a", "c"] {
        mesh.vertices_mut().insert(name, vec![0_i8; 4]).unwrap();
    }
    mesh.vertices_mut().insert("a", vec![1.0_f32; 4]).unwrap();
    let names = |mesh: &TriangleMesh| mesh.vertices().iter().map(|c| c.name().to_owned()).collect::<Vec<_>>();
    assert_eq!(names(&mesh), ["v", "b", "a", "c"]);
    assert_eq!(mesh.vertices().column("a").unwrap().scalar(), Scalar::F32);
    assert_eq!(mesh.vertices_mut().remove("b").unwrap().rows(), 4);
    assert_eq!(names(&mesh), ["v", "a", "c"]);
    assert!(mesh.vertices_mut().remove("b").is_none());
}

#[test]
fn policies_follow_meanings() {
    let policy = |role, scalar| Role::policy(role, scalar);
    assert_eq!(policy(Role::Normal, Scalar::F32), Policy::Recompute);
    assert_eq!(policy(Role::Colour(ColourSpace::Srgb), Scalar::U8), Policy::Interpolate);
    assert_eq!(policy(Role::TextureCoordinate(1), Scalar::F32), Policy::Interpolate);
    assert_eq!(policy(Role::Material, Scalar::U32), Policy::Nearest);
    assert_eq!(policy(Role::Custom, Scalar::I16), Policy::Nearest);
    assert_eq!(policy(Role::Custom, Scalar::F64), Policy::Interpolate);
    assert_eq!(Column::new("a", vec![0_u8]).with_policy(Policy::Drop).policy(), Policy::Drop);
}

#[test]
fn faces_are_selected_with_their_rows() {
    let mut mesh = square();
    mesh.select_faces(&[1, 1, 0]).unwrap();
    assert_eq!(mesh.faces, [[0, 2, 3], [0, 2, 3], [0, 1, 2]]);
    assert_eq!(mesh.faces_of().get::<i64>("f").unwrap(), [11, 11, 10]);
    let corners: Vec<f32> = mesh.corners().get::<Vec2>("c").unwrap().iter().map(|c| c.x).collect();
    assert_eq!(corners, [3.0, 4.0, 5.0, 3.0, 4.0, 5.0, 0.0, 1.0, 2.0]);
    let before = mesh.clone();
    let error = mesh.select_faces(&[0, 3]).unwrap_err();
    assert_eq!(error, MeshError::Row { element: Element::Face, index: 3, count: 3 });
    assert_eq!(mesh, before);
}

#[test]
fn vertices_are_selected_and_faces_follow() {
    let mut mesh = square();
    mesh.select_vertices(&[3, 2, 0, 2]).unwrap();
    assert_eq!(mesh.faces, [[2, 1, 0]]);
    assert_eq!(mesh.vertices().get::<u8>("v").unwrap(), [3, 2, 0, 2]);
    assert_eq!(mesh.faces_of().get::<i64>("f").unwrap(), [11]);
    assert_eq!((&mesh.edges[..], mesh.edges_of().get::<f64>("e").unwrap()), (&[[1, 2]][..], &[101.5][..]));
    mesh.check().unwrap();
}

#[test]
fn rebuilding_copies_and_turning_swaps() {
    let mut mesh = square();
    mesh.rebuild(&[0, 1, 2, 3, 0], &[(1, [4, 2, 3]), (0, [0, 1, 2])]).unwrap();
    assert_eq!(mesh.faces, [[4, 2, 3], [0, 1, 2]]);
    assert_eq!(mesh.vertices().get::<u8>("v").unwrap(), [0, 1, 2, 3, 0]);
    assert_eq!(mesh.edges, [[0, 1], [2, 0]]);
    assert!(mesh.turn_face(0) && !mesh.turn_face(2));
    assert_eq!(mesh.faces[0], [4, 3, 2]);
    let corners: Vec<f32> = mesh.corners().get::<Vec2>("c").unwrap().iter().map(|c| c.x).collect();
    assert_eq!(corners, [3.0, 5.0, 4.0, 0.0, 1.0, 2.0]);
    mesh.check().unwrap();
    let before = mesh.clone();
    let error = mesh.rebuild(&[0], &[(0, [0, 0, 1])]).unwrap_err();
    assert_eq!(error, MeshError::FaceIndex { face: 0, index: 1, vertices: 1 });
    assert_eq!(mesh, before);
}

#[test]
fn what_does_not_fit_is_found() {
    let mut mesh = square();
    mesh.positions.pop();
    assert_eq!(mesh.check(), Err(MeshError::FaceIndex { face: 1, index: 3, vertices: 3 }));
    mesh.faces.pop();
    assert!(matches!(
        mesh.check(),
        Err(MeshError::Column(ColumnError::Length { expected: 3, found: 4, .. }))
    ));
    mesh.edges.push([0, 9]);
    assert_eq!(mesh.check(), Err(MeshError::EdgeIndex { edge: 2, index: 9, vertices: 3 }));
}

#[test]
fn sides_are_listed_once() {
    let mut mesh = square();
    mesh.faces.push([1, 1, 0]);
    assert_eq!(mesh.sides(), [[0, 1], [0, 2], [0, 3], [1, 2], [2, 3]]);
}

#[test]
fn single_precision_needs_no_origin() {
    let mesh = square();
    assert_eq!(mesh.local_origin(), DVec3::ZERO);
    assert_eq!(mesh.points_around(DVec3::ZERO), mesh.points());
    let far = TriangleMesh::new(vec![DVec3::splat(1e6), DVec3::splat(1e6 + 0.25)], vec![]);
    assert_eq!((far.precision, far.local_origin()), (Precision::Double, DVec3::ZERO));
}

#[test]
fn surveys_keep_millimetres_around_their_origin() {
    let place = |i: usize| DVec3::new(431_234.567, 5_812_345.001, 98.7) + DVec3::splat(i as f64 * 0.777);
    let mut mesh = TriangleMesh::new((0..200).map(place).collect(), vec![[0, 1, 2]]);
    let origin = mesh.local_origin();
    assert!(origin != DVec3::ZERO && (origin * 8.0).fract() == DVec3::ZERO);
    let mut points = mesh.points_around(origin);
    for (point, position) in points.iter().zip(&mesh.positions) {
        assert!((origin + point.as_dvec3()).distance(*position) < 1e-5);
    }
    let before = mesh.positions.clone();
    points[7] += Vec3::X;
    mesh.move_points_around(origin, &points).unwrap();
    let moved: Vec<usize> = (0..200).filter(|&i| mesh.positions[i] != before[i]).collect();
    assert_eq!(moved, [7], "the others stay bit for bit");
    assert!((mesh.positions[7].x - before[7].x - 1.0).abs() < 1e-5);
    assert_eq!(
        mesh.move_points_around(origin, &points[1..]),
        Err(MeshError::Points { expected: 200, found: 199 })
    );
}

#[test]
fn numbers_are_gathered_and_copied() {
    let mut values = Scalars::U16(vec![1, 2, 3, 4]);
    values.push_copy(1, 2);
    values.push_zeros(1);
    assert_eq!(values, Scalars::U16(vec![1, 2, 3, 4, 3, 4, 0]));
    values.remove(0, 2);
    values.truncate(4);
    assert!(values.append_rows(&Scalars::U16(vec![7, 8, 9, 10]), 2, &[1, 5]));
    assert_eq!(values, Scalars::U16(vec![3, 4, 3, 4, 9, 10, 0, 0]));
    assert!(!values.append(&Scalars::I16(vec![1])));
    let sides = [Scalars::F32(vec![1.0, 2.0]), Scalars::F32(vec![3.0, 4.0])];
    assert_eq!(Scalars::interleaved(&sides), Some(Scalars::F32(vec![1.0, 3.0, 2.0, 4.0])));
    assert_eq!(Scalars::interleaved(&[Scalars::F32(vec![1.0]), Scalars::U8(vec![1])]), None);
    assert!(Column::from_scalars("a", Role::Custom, 2, Scalars::U8(vec![1, 2, 3])).is_none());
    for scalar in Scalar::ALL {
        assert_eq!(Scalars::with_capacity(scalar, 3).bytes().len(), 0);
        assert_eq!(scalar.size() * 8, scalar.name()[1..].parse::<usize>().unwrap());
    }
}
