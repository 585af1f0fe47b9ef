//! Attributes and double precision through the commands.
use crate::common::{Folder, mesh};
use ribbonmesh::glam::DVec3;
use ribbonmesh_mesh::shapes;
use ribbonmesh_mesh::{ColourSpace, Column, Precision, Role, TriangleMesh};

/// A sphere as a survey gives it, in millimetres far from the origin, with columns of all elements.
fn survey() -> TriangleMesh {
    let mut mesh = mesh(shapes::bumpy_sphere(2, 1).expect("small"));
    mesh.precision = Precision::Double;
    for position in &mut mesh.positions {
        *position = (*position * 1e4).round() / 1e3 + DVec3::new(431_234.567, 5_812_345.001, 98.765);
    }
    mesh.edges = vec![[0, 1], [5, 2]];
    let (vertices, faces) = (mesh.positions.len(), mesh.faces.len());
    let colours: Vec<[u8; 3]> = (0..vertices).map(|i| [i as u8, 7, 9]).collect();
    let role = Role::Colour(ColourSpace::Srgb);
    let mut of_vertices = mesh.vertices_mut();
    of_vertices.insert_column(Column::with_role("colour", role, colours)).expect("a row each");
    of_vertices.insert("id", (0..vertices as u32).collect()).expect("a row each");
    mesh.faces_of_mut().insert("label", (0..faces as i16).collect()).expect("a row each");
    let corners = (0..3 * faces).map(|i| [i as f32, 0.5]).collect();
    mesh.corners_mut()
        .insert_column(Column::with_role("texcoord", Role::TextureCoordinate(0), corners))
        .expect("a row each");
    mesh.edges_of_mut().insert("crease", vec![1.5_f64, 2.5]).expect("a row each");
    mesh
}

/// Whether one mesh has all columns of the other with the same values; it may have more.
fn kept(before: &TriangleMesh, after: &TriangleMesh) {
    use ribbonmesh_mesh::Element::{Corner, Edge, Face, Vertex};
    for element in [Vertex, Face, Corner, Edge] {
        for column in before.attributes(element) {
            assert_eq!(after.attributes(element).column(column.name()), Some(column));
        }
    }
    assert_eq!((&before.faces, &before.edges), (&after.faces, &after.edges));
    assert_eq!(after.precision, Precision::Double);
}

#[test]
fn commands_that_keep_connectivity_keep_everything() {
    let folder = Folder::new();
    let before = survey();
    folder.mesh("a.ply", &before);
    for line in ["normals", "curvature", "geodesic --source 3", "repair"] {
        folder.succeed(format!("{line} a.ply -o b.ply").split_whitespace());
        let after = folder.read("b.ply");
        kept(&before, &after);
        assert_eq!(after.positions, before.positions, "{line}");
    }
    folder.succeed(["convert", "a.ply", "b.ply", "--ascii"]);
    assert_eq!(folder.read("b.ply").positions, before.positions);
    kept(&before, &folder.read("b.ply"));
    for line in ["smooth --time-step 0.5h2", "denoise --noise 0.1"] {
        folder.succeed(format!("{line} a.ply -o b.ply").split_whitespace());
        let after = folder.read("b.ply");
        kept(&before, &after);
        let way = before.positions.iter().zip(&after.positions).map(|(a, b)| a.distance(*b));
        let (least, most) = way.fold((f64::INFINITY, 0.0_f64), |(l, m), d| (l.min(d), m.max(d)));
        assert!(most > 0.01 && most < 5.0 && least < 1.0, "{line}: {least} to {most}");
    }
}

#[test]
fn smoothing_far_away_is_smoothing_at_the_origin() {
    let folder = Folder::new();
    let mut near = mesh(shapes::bumpy_sphere(3, 1).expect("small"));
    folder.mesh("near.ply", &near);
    let offset = DVec3::new(4e5, 5e6, 100.0);
    near.precision = Precision::Double;
    near.positions.iter_mut().for_each(|position| *position += offset);
    folder.mesh("far.ply", &near);
    for name in ["near", "far"] {
        folder.succeed(format!("smooth {name}.ply -o {name}_smooth.ply").split_whitespace());
    }
    let [near, far] = ["near_smooth.ply", "far_smooth.ply"].map(|name| folder.read(name));
    for (a, b) in near.positions.iter().zip(&far.positions) {
        assert!((*b - offset).distance(*a) < 1e-5, "{a}, {b}");
    }
}

#[test]
fn normals_are_computed_anew_where_vertices_move() {
    let folder = Folder::new();
    folder.mesh("a.ply", &mesh(shapes::bumpy_sphere(3, 1).expect("small")));
    folder.succeed(["normals", "a.ply", "-o", "b.ply"]);
    folder.succeed(["smooth", "b.ply", "-o", "c.ply", "--time-step", "5h2"]);
    folder.succeed(["normals", "c.ply", "-o", "d.ply"]);
    let normals =
        |name: &str| folder.read(name).vertices().get::<[f32; 3]>("normal").expect("normals").to_vec();
    let (old, moved, right) = (normals("b.ply"), normals("c.ply"), normals("d.ply"));
    let off = |a: &[[f32; 3]]| {
        let pairs = a.iter().flatten().zip(right.iter().flatten());
        pairs.map(|(x, y)| (x - y).abs()).fold(0.0, f32::max)
    };
    assert!(off(&moved) < 1e-4 && off(&old) > 0.05, "{} {}", off(&moved), off(&old));
}

#[test]
fn what_is_left_out_where_vertices_move_is_told() {
    let folder = Folder::new();
    let mut before = survey();
    let corners = vec![[0.0_f32, 0.0, 1.0]; 3 * before.faces.len()];
    before
        .corners_mut()
        .insert_column(Column::with_role("normal", Role::Normal, corners))
        .expect("a row each");
    folder.mesh("a.ply", &before);
    assert!(folder.read("a.ply").corners().with_role(Role::Normal).is_some(), "the file has it");
    let note = "note: the corner attribute \"normal\" is left out";
    for line in ["smooth", "denoise --fixed-boundary --iterations 3"] {
        let ran = folder.succeed(format!("{line} a.ply -o b.ply --report r.json").split_whitespace());
        assert!(ran.err.contains(note), "{line}: {ran:?}");
        assert_eq!(folder.json("r.json")["notes"].as_array().map(Vec::len), Some(1), "{line}");
        assert!(folder.read("b.ply").corners().with_role(Role::Normal).is_none(), "{line}");
    }
    // normals of vertices replace those of corners
    let ran = folder.succeed(["normals", "a.ply", "-o", "b.ply"]);
    assert!(!ran.err.contains("note"), "{ran:?}");
    let after = folder.read("b.ply");
    assert!(after.corners().with_role(Role::Normal).is_none());
    assert!(after.vertices().with_role(Role::Normal).is_some());
}

#[test]
fn attributes_follow_where_triangles_change() {
    let folder = Folder::new();
    let mut before = survey();
    // without seams, so that edges may change
    let corners = before.faces.iter().flatten().map(|v| [*v as f32, 0.5]).collect();
    let column = Column::with_role("texcoord", Role::TextureCoordinate(0), corners);
    before.corners_mut().insert_column(column).expect("a row each");
    folder.mesh("a.ply", &before);
    for line in ["remesh --target-length 0.8x", "simplify --ratio 0.5", "delaunay"] {
        let ran = folder.succeed(format!("{line} a.ply -o b.ply").split_whitespace());
        let note = "note: the edge attribute \"crease\" is left out: edges have changed";
        // there is nothing to flip
        assert_eq!(ran.err.contains(note), line != "delaunay", "{line}: {ran:?}");
        let after = folder.read("b.ply");
        assert_eq!(after.precision, Precision::Double);
        let far = after.positions.iter().map(|p| p.distance(before.positions[0])).fold(0.0, f64::max);
        assert!(far < 40.0, "{line}: {far}");
        // each vertex has the id of one that is near, and its colour is between those around
        let ids = after.vertices().get::<u32>("id").expect("ids");
        let colours = after.vertices().get::<[u8; 3]>("colour").expect("colours");
        for ((p, &id), colour) in after.positions.iter().zip(ids).zip(colours) {
            assert!(p.distance(before.positions[id as usize]) < 6.0, "{line}: {p} and {id}");
            assert_eq!(colour[1..], [7, 9], "{line}");
        }
        assert_eq!(after.faces_of().get::<i16>("label").expect("labels").len(), after.faces.len());
        assert_eq!(
            after.corners().get::<[f32; 2]>("texcoord").expect("corners").len(),
            3 * after.faces.len()
        );
        if line == "delaunay" {
            assert_eq!((&after.positions, ids[7]), (&before.positions, 7));
        }
    }
}

#[test]
fn glb_in_and_out() {
    let folder = Folder::new();
    let mut before = mesh(shapes::icosphere(2).expect("small"));
    let corners = (0..3 * before.faces.len()).map(|i| [i as f32 / 1000.0, 0.5]).collect();
    let column = Column::with_role("texcoord", Role::TextureCoordinate(0), corners);
    before.corners_mut().insert_column(column).expect("a row each");
    folder.mesh("a.ply", &before);
    for (from, to) in [("a.ply", "b.glb"), ("b.glb", "c.obj"), ("c.obj", "d.glb"), ("d.glb", "e.ply")] {
        let ran = folder.succeed(["convert", from, to]);
        assert!(!ran.err.contains("note"), "{from} to {to}: {ran:?}");
        let mut after = folder.read(to);
        // all of them at half of the height, wherever that begins
        after.tables.texture_origin = before.tables.texture_origin;
        assert_eq!(after, before, "{from} to {to}");
    }
    folder.succeed(["repair", "b.glb", "--check"]);
}
