//! Columns that follow when triangles change.
use ribbonmesh::device::{ColumnView, ColumnViewMut, tiles};
use ribbonmesh::glam::{DVec3, Vec3};
use ribbonmesh::surface::{Located, Surface};
use ribbonmesh::{Device, MeshOptions, Vertex};
use ribbonmesh_mesh::shapes;
use ribbonmesh_mesh::{ColourSpace, Column, Element, Policy, Role, TriangleMesh};
use ribbonmesh_remeshing::delaunay::{DelaunayOptions, delaunay};
use ribbonmesh_remeshing::remesh::{Length, RemeshOptions, remesh};
use ribbonmesh_remeshing::simplify::{SimplifyOptions, Target, simplify};
use ribbonmesh_suite::suite;
use ribbonmesh_testing::primitives::follow::GreatestNear;

type Change = fn(&mut Surface);

/// Each application that changes triangles.
const CHANGES: [(&str, Change); 4] = [
    ("remesh", |surface| {
        let options = RemeshOptions { length: Length::Mean(0.7), ..RemeshOptions::default() };
        remesh(surface, &options).expect("a manifold");
    }),
    ("remesh with projection", |surface| {
        let options = RemeshOptions { length: Length::Mean(1.3), project: true, ..RemeshOptions::default() };
        remesh(surface, &options).expect("a manifold");
    }),
    ("simplify", |surface| {
        let options = SimplifyOptions { target: Some(Target::Ratio(0.3)), ..SimplifyOptions::default() };
        simplify(surface, &options).expect("a manifold");
    }),
    ("delaunay", |surface| {
        let report = delaunay(surface, &DelaunayOptions::default()).expect("a manifold");
        assert!(report.flips > 0);
    }),
];

fn changed(device: &Device, mesh: &TriangleMesh, change: Change) -> (TriangleMesh, Surface) {
    let mut surface = Surface::new(device, mesh, &MeshOptions::default()).expect("a mesh");
    change(&mut surface);
    let after = surface.download().expect("memory");
    after.check().expect("rows fit");
    (after, surface)
}

/// A torus along random diagonals, with linear functions of the place as columns.
fn with_linear_columns() -> TriangleMesh {
    let mut mesh = shapes::torus(50, 1).expect("small");
    let x: Vec<DVec3> = mesh.positions.clone();
    let corners: Vec<DVec3> = mesh.faces.iter().flatten().map(|&v| x[v as usize]).collect();
    let byte = |p: &DVec3| (127.0 + 60.0 * p.x).round() as u8;
    let mut vertices = mesh.vertices_mut();
    vertices.insert("place", x.iter().map(|p| p.as_vec3()).collect::<Vec<_>>()).expect("rows");
    vertices.insert("exact", x.iter().map(|p| 2.0 * p.x - p.y).collect::<Vec<f64>>()).expect("rows");
    let colour = x.iter().map(|p| [byte(p), 7, 255 - byte(p)]).collect::<Vec<_>>();
    vertices
        .insert_column(Column::with_role("colour", Role::Colour(ColourSpace::Srgb), colour))
        .expect("rows");
    let signed = Column::new("signed", x.iter().map(|p| (1e4 * p.z) as i16).collect::<Vec<_>>());
    vertices.insert_column(signed.with_policy(Policy::Interpolate)).expect("rows");
    let label = Column::new("label", x.iter().map(|p| (p.x > 0.0) as u32 + 10).collect::<Vec<u32>>());
    vertices.insert_column(label).expect("rows");
    let going = Column::new("going", vec![1_u8; x.len()]).with_policy(Policy::Drop);
    vertices.insert_column(going).expect("rows");
    let uv = corners.iter().map(|p| [p.x as f32, p.z as f32]).collect::<Vec<_>>();
    mesh.corners_mut().insert_column(Column::with_role("uv", Role::TextureCoordinate(0), uv)).expect("rows");
    let side = |f: &[u32; 3]| (f.iter().map(|&v| x[v as usize].x).sum::<f64>() > 0.0) as u16;
    let sides = mesh.faces.iter().map(side).collect::<Vec<_>>();
    mesh.faces_of_mut().insert("side", sides).expect("rows");
    mesh
}

suite! {
    fn by_a_function_of_the_user(device) {
        let mut mesh = shapes::torus(40, 1).expect("small");
        // a vertex without faces keeps its value
        mesh.positions.insert(0, DVec3::new(5.0, 0.0, 0.0));
        mesh.faces.iter_mut().flatten().for_each(|v| *v += 1);
        let height: Vec<f32> = mesh.positions.iter().map(|p| (4.0 * p.z).round() as f32).collect();
        mesh.vertices_mut().insert("height", height).expect("rows");
        let rule = |located: Located<'_>, from: ColumnView<'_, Vertex, f32>, to: ColumnViewMut<'_, Vertex, f32>| {
            let n = located.vertices;
            located.device.launch(tiles(n), GreatestNear { n, at: located.at, faces: located.faces, from, to })
        };
        let mut surface = Surface::new(device, &mesh, &MeshOptions::default()).expect("a mesh");
        assert!(surface.follow_by("width", rule).is_err());
        assert!(surface.follow_by::<u32>("height", |_, _, _| Ok(())).is_err());
        surface.follow_by("height", rule).expect("a column of numbers");
        remesh(&mut surface, &RemeshOptions { length: Length::Mean(0.7), ..RemeshOptions::default() }).expect("a manifold");
        let after = surface.download().expect("memory");
        let new = after.vertices().get::<f32>("height").expect("follows");
        // whole numbers stay whole: nothing was interpolated
        assert!(new.iter().all(|x| x.fract() == 0.0));
        let above = new.iter().zip(&after.positions).filter(|(x, p)| f64::from(**x) >= 4.0 * p.z - 0.6).count();
        assert!(above as f64 > 0.99 * new.len() as f64, "{above} of {}", new.len());
        let alone = after.positions.iter().position(|p| p.x == 5.0).expect("stays");
        assert_eq!(new[alone], 0.0);
        // the rule stays with the column
        simplify(&mut surface, &SimplifyOptions { target: Some(Target::Ratio(0.5)), ..SimplifyOptions::default() })
            .expect("a manifold");
        let after = surface.download().expect("memory");
        assert!(after.vertices().get::<f32>("height").expect("follows").iter().all(|x| x.fract() == 0.0));
    }
    fn values_are_those_of_the_place(device) {
        let mesh = with_linear_columns();
        for (name, change) in CHANGES {
            let (after, surface) = changed(device, &mesh, change);
            let x = &after.positions;
            // vertices leave the polyhedron a little where they are smoothed without projection
            let most = 0.05;
            let get = after.vertices();
            for (v, place) in get.get::<Vec3>("place").expect("follows").iter().enumerate() {
                assert!(place.as_dvec3().distance(x[v]) < most, "{name}: vertex {v} at {}: {place}", x[v]);
            }
            for (v, exact) in get.get::<f64>("exact").expect("follows").iter().enumerate() {
                assert!((exact - (2.0 * x[v].x - x[v].y)).abs() < 3.0 * most, "{name}: vertex {v}: {exact}");
            }
            for (v, [r, g, b]) in get.get::<[u8; 3]>("colour").expect("follows").iter().enumerate() {
                let wanted = 127.0 + 60.0 * x[v].x;
                assert!((f64::from(*r) - wanted).abs() < 1.5 + 60.0 * most && *g == 7, "{name}: vertex {v}: {r} {wanted}");
                assert!(r.abs_diff(255 - b) <= 1, "{name}: vertex {v}: {r} {b}");
            }
            for (v, z) in get.get::<i16>("signed").expect("follows").iter().enumerate() {
                assert!((f64::from(*z) - 1e4 * x[v].z).abs() < 2.0 + 1e4 * most, "{name}: vertex {v}: {z}");
            }
            assert!(get.get::<u32>("label").expect("follows").iter().all(|label| [10, 11].contains(label)), "{name}");
            let uv = after.corners().get::<[f32; 2]>("uv").expect("follows");
            for (c, [u, w]) in uv.iter().enumerate() {
                let p = x[after.faces[c / 3][c % 3] as usize];
                let off = (f64::from(*u) - p.x).abs().max((f64::from(*w) - p.z).abs());
                assert!(off < most, "{name}: corner {c}: {off}");
            }
            // without a seam, the corners of a vertex have one value
            let mut of_vertex = vec![None; x.len()];
            for (c, value) in uv.iter().enumerate() {
                let v = after.faces[c / 3][c % 3] as usize;
                assert_eq!(*of_vertex[v].get_or_insert(*value), *value, "{name}: corners of vertex {v}");
            }
            let sides = after.faces_of().get::<u16>("side").expect("follows");
            let middle = |f: &[u32; 3]| f.iter().map(|&v| x[v as usize].x).sum::<f64>() / 3.0;
            let clear = |f: &[u32; 3]| middle(f).abs() > 0.15;
            for (f, side) in after.faces.iter().zip(sides).filter(|(f, _)| clear(f)) {
                assert_eq!(*side != 0, middle(f) > 0.0, "{name}: face {f:?}");
            }
            if name == "delaunay" {
                assert_eq!(after.positions, mesh.positions);
                assert_eq!(get.get::<Vec3>("place").ok(), mesh.vertices().get::<Vec3>("place").ok());
            }
            let gone: Vec<_> = surface.notes().iter().map(|note| (note.element, note.name.as_str())).collect();
            assert_eq!(gone, [(Element::Vertex, "going")], "{name}");
        }
    }
    fn the_same_on_both_machines(device) {
        let mesh = with_linear_columns();
        let [delaunay] = [CHANGES[3].1];
        let one = changed(&Device::cpu(), &mesh, delaunay).0;
        let other = changed(device, &mesh, delaunay).0;
        let uv = |mesh: &TriangleMesh| -> Vec<[f32; 2]> { mesh.corners().get::<[f32; 2]>("uv").expect("follows").to_vec() };
        if one.faces == other.faces {
            let (one, other) = (uv(&one), uv(&other));
            let off = one.iter().zip(&other).map(|(a, b)| (a[0] - b[0]).abs().max((a[1] - b[1]).abs()));
            assert!(off.fold(0.0, f32::max) < 1e-5);
        }
    }
    fn one_after_the_other(device) {
        let mesh = with_linear_columns();
        let mut surface = Surface::new(device, &mesh, &MeshOptions::default()).expect("a mesh");
        for (name, change) in CHANGES.iter().take(3) {
            change(&mut surface);
            let after = surface.download().expect("memory");
            let place = after.vertices().get::<Vec3>("place").expect("follows");
            let off = place.iter().zip(&after.positions).map(|(p, x)| p.as_dvec3().distance(*x));
            assert!(off.fold(0.0, f64::max) < 0.1, "after {name}");
        }
        let (patches, _) = surface.patches().expect("patches");
        patches.validate().expect("a good mesh");
        // patches renumber: columns follow
        let after = surface.download().expect("memory");
        let place = after.vertices().get::<Vec3>("place").expect("follows");
        let off = place.iter().zip(&after.positions).map(|(p, x)| p.as_dvec3().distance(*x));
        assert!(off.fold(0.0, f64::max) < 0.1, "after patches have been made");
    }
    fn normals_are_computed_anew(device) {
        let mut mesh = shapes::bumpy_sphere(4, 1).expect("small");
        let normals = mesh.vertex_normals();
        mesh.vertices_mut().insert_column(Column::with_role("normal", Role::Normal, normals)).expect("rows");
        let corner_normals: Vec<Vec3> = mesh.faces.iter().flatten().map(|&v| mesh.positions[v as usize].as_vec3().normalize()).collect();
        mesh.corners_mut().insert_column(Column::with_role("normal", Role::Normal, corner_normals)).expect("rows");
        for (name, change) in CHANGES.iter().take(3) {
            let (after, surface) = changed(device, &mesh, *change);
            assert_eq!(after.vertices().get::<[f32; 3]>("normal").expect("computed"), after.vertex_normals(), "{name}");
            let of_corners = after.corners().get::<Vec3>("normal").expect("interpolated");
            assert!(of_corners.iter().all(|n| (n.length() - 1.0).abs() < 1e-5), "{name}");
            assert_eq!(surface.notes(), [], "{name}");
        }
    }
    fn vertices_without_faces_keep_their_values(device) {
        let mut mesh = shapes::bumpy_sphere(3, 1).expect("small");
        mesh.positions.insert(0, DVec3::new(5.0, 0.0, 0.0));
        mesh.faces.iter_mut().flatten().for_each(|v| *v += 1);
        mesh.positions.push(DVec3::new(6.0, 0.0, 0.0));
        let x: Vec<f32> = mesh.positions.iter().map(|p| p.x as f32).collect();
        mesh.vertices_mut().insert("x", x).expect("rows");
        for (name, change) in CHANGES.iter().take(3) {
            let (after, _) = changed(device, &mesh, *change);
            let x = after.vertices().get::<f32>("x").expect("follows");
            for wanted in [5.0, 6.0] {
                let v = after.positions.iter().position(|p| p.x == f64::from(wanted)).expect("stays");
                assert_eq!(x[v], wanted, "{name}");
            }
        }
    }
    fn an_error_leaves_the_surface_as_it_was(device) {
        let mesh = with_linear_columns();
        let mut surface = Surface::new(device, &mesh, &MeshOptions::default()).expect("a mesh");
        let bad = RemeshOptions { length: Length::Absolute(-1.0), ..RemeshOptions::default() };
        remesh(&mut surface, &bad).expect_err("no length");
        assert_eq!(surface.download().expect("memory"), mesh);
    }
}
