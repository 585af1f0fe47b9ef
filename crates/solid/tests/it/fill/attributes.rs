//! Tests of the attributes of fillings.

use crate::fill::common::{fill_all, without};
use glam::{DVec3, Vec2, Vec3};
use ribbonmesh_mesh::{ColourSpace, Column, Policy, Role, TriangleMesh, shapes};
use ribbonmesh_solid::fill::{FillOptions, Method};

/// A sphere without a cap, with a column of each kind.
fn sphere() -> TriangleMesh {
    let mut mesh = without(shapes::icosphere(3).expect("small"), |p| p.z > 0.6);
    let heights: Vec<f32> = mesh.positions.iter().map(|p| p.z as f32).collect();
    let reds: Vec<[u8; 3]> = mesh.positions.iter().map(|p| [200, (100.0 + 50.0 * p.z) as u8, 255]).collect();
    let sides: Vec<u16> = mesh.positions.iter().map(|p| if p.x > 0.0 { 7 } else { 9 }).collect();
    let normals: Vec<Vec3> = mesh.positions.iter().map(|p| p.as_vec3().normalize()).collect();
    let mut columns = mesh.vertices_mut();
    columns.insert("height", heights).expect("rows");
    columns.insert_column(Column::with_role("colour", Role::Colour(ColourSpace::Srgb), reds)).expect("rows");
    columns.insert("side", sides).expect("rows");
    columns.insert_column(Column::with_role("normal", Role::Normal, normals)).expect("rows");
    let scratch = vec![1_u8; columns.as_ref().rows()];
    columns.insert_column(Column::new("scratch", scratch).with_policy(Policy::Drop)).expect("rows");

    let place = |v: u32| mesh.positions[v as usize];
    let east = |face: &[u32; 3]| face.map(place).iter().sum::<DVec3>().x > 0.0;
    let labels: Vec<u8> = mesh.faces.iter().map(|face| if east(face) { 1 } else { 2 }).collect();
    let of_corners: Vec<u32> = mesh.faces.as_flattened().to_vec();
    let coordinates: Vec<Vec2> = of_corners.iter().map(|&v| place(v).truncate().as_vec2()).collect();
    let normals: Vec<Vec3> = of_corners.iter().map(|&v| place(v).as_vec3().normalize()).collect();
    mesh.faces_of_mut().insert("label", labels).expect("rows");
    let mut columns = mesh.corners_mut();
    columns.insert("vertex", of_corners).expect("rows");
    columns.insert_column(Column::with_role("uv", Role::TextureCoordinate(0), coordinates)).expect("rows");
    columns.insert_column(Column::with_role("normal", Role::Normal, normals)).expect("rows");
    mesh.edges = vec![mesh.sides()[3], mesh.sides()[5]];
    mesh.edges_of_mut().insert("crease", vec![1_u8, 2]).expect("rows");
    mesh
}

#[test]
fn every_column_goes_on() {
    let mesh = sphere();
    let (old, old_faces) = (mesh.positions.len(), mesh.faces.len());
    for method in Method::ALL {
        let options = FillOptions { method, ..FillOptions::default() };
        let (filled, report) = fill_all(&mesh, &options);
        assert_eq!(report.columns_dropped, ["vertex.scratch"]);
        filled.check().expect("a row for each element");
        assert_eq!(filled.edges, mesh.edges);
        let names: Vec<&str> = filled.vertices().iter().map(Column::name).collect();
        assert_eq!(names, ["height", "colour", "side", "normal"]);
        let column = |name| (mesh.vertices().column(name), filled.vertices().column(name));
        for name in names {
            let (Some(a), Some(b)) = column(name) else { panic!("{name} is gone") };
            assert_eq!(b.scalars().bytes()[..a.scalars().bytes().len()], *a.scalars().bytes(), "{name}");
        }
        // all vertices of the loop are at about the same height
        let heights = &filled.vertices().get::<f32>("height").expect("heights")[old..];
        assert!(heights.iter().all(|z| (0.5..0.7).contains(z)), "{heights:?}");
        let colours = &filled.vertices().get::<[u8; 3]>("colour").expect("colours")[old..];
        assert!(colours.iter().all(|c| c[0] == 200 && (124..136).contains(&c[1]) && c[2] == 255));
        assert_eq!(heights.is_empty(), method == Method::Flat);
        let sides = filled.vertices().get::<u16>("side").expect("sides");
        let normals = filled.vertices().get::<Vec3>("normal").expect("normals");
        for v in old..filled.positions.len() {
            let place = filled.positions[v];
            assert!(place.x.abs() < 0.2 || (sides[v] == 7) == (place.x > 0.0));
            assert!(normals[v].dot(place.as_vec3().normalize()) > 0.98, "{place} {}", normals[v]);
        }
        // labels continue from their side; few do on long flat triangles, since some reach from side to side
        let labels = filled.faces_of().get::<u8>("label").expect("labels");
        let place = |v: u32| filled.positions[v as usize];
        for (face, &label) in filled.faces.iter().zip(labels).skip(old_faces) {
            let middle = face.map(place).iter().sum::<DVec3>() / 3.0;
            assert!(method == Method::Flat || middle.x.abs() < 0.2 || (label == 1) == (middle.x > 0.0));
        }
        let vertices = filled.corners().get::<u32>("vertex").expect("corners");
        let uv = filled.corners().get::<Vec2>("uv").expect("coordinates");
        let normals = filled.corners().get::<Vec3>("normal").expect("normals");
        for (corner, &v) in filled.faces.as_flattened().iter().enumerate().skip(3 * old_faces) {
            // coordinates continue: they are the x and y of the position, within the loop
            assert!((vertices[corner] as usize) < old);
            assert!(uv[corner].distance(place(v).truncate().as_vec2()) < 0.3, "{} {}", uv[corner], place(v));
            assert!(normals[corner].dot(place(v).as_vec3().normalize()) > 0.9);
        }
        assert!(uv.iter().all(|uv| uv.is_finite()));
    }
}

#[test]
fn charts_are_not_mixed() {
    // texture coordinates of the east are about (0, 0), and of the west about (10, 10)
    let mut mesh = without(shapes::icosphere(3).expect("small"), |p| p.z > 0.6);
    let place = |v: u32| mesh.positions[v as usize];
    let chart =
        |face: &[u32; 3]| if face.iter().map(|&v| place(v).x).sum::<f64>() > 0.0 { 0.0 } else { 10.0 };
    let of = |face: &[u32; 3]| face.map(|v| place(v).truncate().as_vec2() + Vec2::splat(chart(face)));
    let coordinates: Vec<Vec2> = mesh.faces.iter().flat_map(of).collect();
    let column = Column::with_role("uv", Role::TextureCoordinate(0), coordinates);
    mesh.corners_mut().insert_column(column).expect("rows");
    for method in Method::ALL {
        let (filled, _) = fill_all(&mesh, &FillOptions { method, ..FillOptions::default() });
        let uv = filled.corners().get::<Vec2>("uv").expect("coordinates");
        let mut charts = [0, 0];
        for corners in uv.chunks(3).skip(mesh.faces.len()) {
            let west = corners[0].x > 5.0;
            charts[usize::from(west)] += 1;
            assert!(corners.iter().all(|uv| uv.is_finite() && (uv.x > 5.0) == west), "{corners:?}");
        }
        assert!(charts.iter().all(|count| *count > 0), "{charts:?}");
    }
}

#[test]
fn coordinates_that_a_face_lacks_stay_its_own() {
    let mut mesh = without(shapes::icosphere(2).expect("small"), |p| p.z > 0.6);
    let place = |v: u32| mesh.positions[v as usize].truncate().as_vec2();
    let mut coordinates: Vec<Vec2> = mesh.faces.as_flattened().iter().map(|&v| place(v)).collect();
    // a face far from the hole has none
    let low = |face: &&[u32; 3]| face.iter().all(|&v| mesh.positions[v as usize].z < -0.5);
    let lacks = mesh.faces.iter().position(|face| low(&face)).expect("a face below");
    coordinates[3 * lacks..3 * lacks + 3].fill(Vec2::NAN);
    let column = Column::with_role("uv", Role::TextureCoordinate(0), coordinates);
    mesh.corners_mut().insert_column(column).expect("rows");
    let (filled, _) = fill_all(&mesh, &FillOptions::default());
    let uv = filled.corners().get::<Vec2>("uv").expect("coordinates");
    assert_eq!(uv.iter().filter(|uv| uv.is_nan()).count(), 3);
}
