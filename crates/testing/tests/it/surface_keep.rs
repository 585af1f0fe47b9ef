//! Applications that keep triangles: what they change, and that everything else stays.
use ribbonmesh::Surface;
use ribbonmesh::glam::{DVec3, Vec3};
use ribbonmesh::{Attribute, Device, Error, MeshOptions, Vertex};
use ribbonmesh_fields::curvature::{Area, CurvatureOptions, curvature};
use ribbonmesh_fields::denoise::{DenoiseOptions, Denoiser, denoise};
use ribbonmesh_fields::geodesic::{GeodesicOptions, Order, geodesic};
use ribbonmesh_fields::normals::{NormalOptions, Weight, vertex_normals};
use ribbonmesh_fields::smooth::{SmoothOptions, SmoothReport, Smoother, smooth};
use ribbonmesh_mesh::shapes;
use ribbonmesh_mesh::{ColourSpace, Column, Element, Policy, Precision, Role, TriangleMesh};
use ribbonmesh_patches::{Geodesic, curvatures_of, normals_of};
use ribbonmesh_remeshing::delaunay::{DelaunayOptions, delaunay};
use ribbonmesh_remeshing::remesh::{RemeshOptions, remesh};
use ribbonmesh_remeshing::simplify::{SimplifyOptions, Target, simplify};
use ribbonmesh_suite::suite;

const ALL: [Element; 4] = [Element::Vertex, Element::Face, Element::Corner, Element::Edge];

/// A shuffled sphere, a vertex without a face, and columns of every element that stay when vertices move.
fn with_columns() -> TriangleMesh {
    let mut mesh = shapes::bumpy_sphere(4, 1).expect("small");
    shapes::add_noise(&mut mesh, 0.1, 2);
    shapes::shuffle(&mut mesh, 3);
    mesh.positions.push(DVec3::new(3.0, 0.0, 0.0));
    let (vertices, faces) = (mesh.positions.len(), mesh.faces.len());
    mesh.edges = mesh.sides().into_iter().step_by(5).collect();
    let edges = mesh.edges.len();
    let colour = (0..vertices).map(|v| [v as u8, 7, 9]).collect::<Vec<_>>();
    let colour = Column::with_role("colour", Role::Colour(ColourSpace::Srgb), colour);
    mesh.vertices_mut().insert_column(colour).expect("rows");
    mesh.vertices_mut().insert("exact", (0..vertices).map(|v| v as f64 / 3.0).collect()).expect("rows");
    mesh.faces_of_mut().insert("label", (0..faces as i16).collect()).expect("rows");
    let uv = (0..3 * faces).map(|c| [c as f32, 0.5]).collect::<Vec<_>>();
    mesh.corners_mut().insert_column(Column::with_role("uv", Role::TextureCoordinate(0), uv)).expect("rows");
    mesh.edges_of_mut().insert("crease", (0..edges as u32).collect()).expect("rows");
    mesh
}

fn surface_of(device: &Device, mesh: &TriangleMesh) -> Surface {
    let options = MeshOptions { patch_size: 100, ..MeshOptions::default() };
    Surface::new(device, mesh, &options).expect("a mesh")
}

/// The result of an application, in which every column of the mesh before is as it was, except for those
/// named; and the names of the columns of vertices that it has beyond those.
fn kept<'a>(before: &TriangleMesh, after: &'a TriangleMesh, but: &[(Element, &str)]) -> Vec<&'a str> {
    after.check().expect("rows fit");
    assert_eq!((&after.faces, &after.edges), (&before.faces, &before.edges));
    for element in ALL {
        for column in before.attributes(element).iter().filter(|c| !but.contains(&(element, c.name()))) {
            assert_eq!(after.attributes(element).column(column.name()), Some(column), "{element}");
        }
        let found = after.attributes(element).iter().count();
        assert!(element == Element::Vertex || found <= before.attributes(element).iter().count());
    }
    let names = after.vertices().iter().map(Column::name);
    names.filter(|name| before.vertices().column(name).is_none()).collect()
}

/// Vectors that are equal except for rounding.
fn near(found: &[Vec3], expected: &[Vec3]) {
    assert_eq!(found.len(), expected.len());
    for (v, (a, b)) in found.iter().zip(expected).enumerate() {
        assert!((*a - *b).length() <= 1e-5 * b.length(), "vertex {v}: {a}, not {b}");
    }
}

/// Positions as single precision, in the order of the input.
fn points(mesh: &TriangleMesh) -> Vec<Vec3> {
    mesh.points_around(mesh.local_origin())
}

/// A normal of every vertex and of every corner, and a number of vertices that is to be computed anew.
fn with_stale_columns() -> TriangleMesh {
    let mut mesh = with_columns();
    let (vertices, corners) = (mesh.positions.len(), 3 * mesh.faces.len());
    let normals = |n: usize| Column::with_role("n", Role::Normal, vec![Vec3::Z; n]);
    mesh.vertices_mut().insert_column(normals(vertices)).expect("rows");
    mesh.corners_mut().insert_column(normals(corners)).expect("rows");
    let shape = Column::new("shape", vec![1.0_f32; vertices]).with_policy(Policy::Recompute);
    mesh.vertices_mut().insert_column(shape).expect("rows");
    mesh
}

fn noted(surface: &Surface) -> Vec<(Element, &str)> {
    surface.notes().iter().map(|note| (note.element, note.name.as_str())).collect()
}

suite! {
    fn columns_and_positions_without_patches(device) {
        let mesh = with_columns();
        let mut surface = surface_of(device, &mesh);
        let places = surface.triangles().vertex_places().and_then(|places| places.try_clone()).expect("memory");
        surface.insert_of_vertices("place", Role::Custom, &places).expect("a value per vertex");
        let mut to = surface.triangles().positions().read().expect("memory");
        to.iter_mut().for_each(|p| *p = *p * 2.0 + Vec3::X);
        surface.move_to(device.upload(&to).expect("memory")).expect("a position per vertex");
        assert!(surface.have_patches().is_err(), "none are made");
        let after = surface.download().expect("memory");
        assert_eq!(kept(&mesh, &after, &[]), ["place"]);
        assert!(after.vertices().get::<u32>("place").expect("a column").iter().copied().eq(0..mesh.positions.len() as u32));
        let doubled: Vec<Vec3> = mesh.points().into_iter().map(|p| p * 2.0 + Vec3::X).collect();
        assert_eq!(points(&after), doubled);

        // the same with patches
        let (patches, x) = surface.patches().expect("patches");
        let x = x.buffer().try_clone().expect("memory");
        let inputs = patches.vertex_inputs().try_clone().expect("memory");
        surface.insert_of_vertices("place", Role::Custom, &inputs).expect("a value per vertex");
        surface.move_to(x).expect("a position per vertex");
        assert!(surface.have_patches().is_ok(), "they stay");
        let after = surface.download().expect("memory");
        assert!(after.vertices().get::<u32>("place").expect("a column").iter().copied().eq(0..mesh.positions.len() as u32));
        assert_eq!(points(&after), doubled);

        // taken away, in the order of the output
        let taken = surface.take_of_vertices::<u32>("place").and_then(|values| values.read()).expect("a column");
        assert!(taken.into_iter().eq(0..mesh.positions.len() as u32));
        assert!(surface.take_of_vertices::<u32>("place").is_err(), "it is gone");
        let mut plain = surface_of(device, &mesh);
        plain.insert_owned_of_vertices("place", Role::Custom, places).expect("a value per vertex");
        assert!(plain.take_of_vertices::<f32>("place").is_err(), "another type");
        let taken = plain.take_of_vertices::<u32>("place").and_then(|values| values.read()).expect("a column");
        assert!(taken.into_iter().eq(0..mesh.positions.len() as u32));

        let n = mesh.positions.len();
        let short = device.zeros::<Vec3>(3).expect("memory");
        let error = surface.insert_of_vertices("short", Role::Custom, &short).expect_err("too few");
        assert!(matches!(error, Error::Length { expected, found: 3, .. } if expected == n), "{error}");
        let error = surface.move_to(short).expect_err("too few");
        assert!(matches!(error, Error::Length { expected, found: 3, .. } if expected == n), "{error}");
        let elsewhere = || Device::cpu_with_threads(1).expect("a thread").zeros::<Vec3>(n).expect("memory");
        let error = surface.insert_of_vertices("other", Role::Custom, &elsewhere()).expect_err("elsewhere");
        assert!(matches!(error, Error::OtherDevice { .. }), "{error}");
        assert!(matches!(surface.move_to(elsewhere()), Err(Error::OtherDevice { .. })));
    }
    fn smoothing(device) {
        let (mesh, options) = (with_columns(), SmoothOptions { steps: 2, ..SmoothOptions::default() });
        let mut surface = surface_of(device, &mesh);
        let report = smooth(&mut surface, &options).expect("smoothed");
        assert_eq!((report.steps.len(), report.converged()), (2, true));
        let after = surface.download().expect("memory");
        assert_eq!(kept(&mesh, &after, &[]), [""; 0]);

        let mut fresh = surface_of(device, &mesh);
        let (patches, x) = fresh.patches().expect("patches");
        let mut expected = x.try_clone().expect("memory");
        // who chose the solver says why
        let of_patches = Smoother::new(patches, &options).and_then(|mut s| s.smooth(&mut expected)).expect("smoothed");
        assert_eq!(SmoothReport { reason: report.reason, ..of_patches }, report);
        assert_eq!(points(&after), expected.download().expect("memory"));
        assert!(after.positions.iter().zip(&mesh.positions).filter(|(a, b)| a != b).count() > 1000);
        assert_eq!(after.positions.last(), mesh.positions.last(), "a vertex without a face stays");
    }
    fn denoising(device) {
        let (mesh, options) = (with_columns(), DenoiseOptions { iterations: Some(2), ..DenoiseOptions::default() });
        let mut surface = surface_of(device, &mesh);
        let report = denoise(&mut surface, &options).expect("denoised");
        let after = surface.download().expect("memory");
        assert_eq!(kept(&mesh, &after, &[]), [""; 0]);

        let mut fresh = surface_of(device, &mesh);
        let (patches, x) = fresh.patches().expect("patches");
        let mut expected = Attribute::<Vertex, Vec3>::zeros(patches).expect("memory");
        let mut denoiser = Denoiser::new(patches, &options).expect("rings");
        let with_patches = denoiser.denoise(x, &mut expected).expect("denoised");
        assert_eq!((with_patches.method, with_patches.iterations), (report.method, report.iterations));
        near(&points(&after), &expected.download().expect("memory"));
        assert!(after.positions.iter().zip(&mesh.positions).filter(|(a, b)| a != b).count() > 1000);
    }
    fn normals(device) {
        let mesh = with_stale_columns();
        for weight in Weight::ALL {
            let mut surface = surface_of(device, &mesh);
            let report = vertex_normals(&mut surface, &NormalOptions { weight }).expect("normals");
            assert_eq!((report.vertices, report.without_normal), (mesh.positions.len(), 1));
            let after = surface.download().expect("memory");
            assert_eq!(kept(&mesh, &after, &[(Element::Vertex, "n"), (Element::Corner, "n")]), ["normal"]);
            assert!(after.vertices().column("n").is_none() && after.corners().column("n").is_none());
            assert_eq!(after.vertices().with_role(Role::Normal).map(Column::name), Some("normal"));
            assert_eq!(after.positions, mesh.positions);

            assert!(surface.have_patches().is_err(), "none are made");
            let (patches, x) = surface.patches().expect("patches");
            let expected = normals_of(patches, x, weight).and_then(|n| n.download()).expect("normals");
            near(after.vertices().get::<Vec3>("normal").expect("a column"), &expected);
        }
    }
    /// Normals that were to be computed at the download are the same as normals that were computed since.
    fn normals_after_smoothing(device) {
        let mesh = with_stale_columns();
        let mut surface = surface_of(device, &mesh);
        smooth(&mut surface, &SmoothOptions::default()).expect("smoothed");
        let between = surface.download().expect("memory");
        assert_eq!(between.vertices().get::<[f32; 3]>("n").expect("computed"), between.vertex_normals());
        vertex_normals(&mut surface, &NormalOptions { weight: Weight::Max }).expect("normals");
        let after = surface.download().expect("memory");
        assert!(after.vertices().column("n").is_none());
        let (patches, x) = surface.patches().expect("patches");
        let expected = normals_of(patches, x, Weight::Max).and_then(|n| n.download()).expect("normals");
        near(after.vertices().get::<Vec3>("normal").expect("a column"), &expected);
        // and after vertices have moved again they are computed at the download
        smooth(&mut surface, &SmoothOptions::default()).expect("smoothed");
        let last = surface.download().expect("memory");
        assert_eq!(last.vertices().get::<[f32; 3]>("normal").expect("computed"), last.vertex_normals());
        assert_eq!(surface.vertices_mut().map(|mut v| v.remove("normal")).ok(), Some(true));
        assert!(surface.download().expect("memory").vertices().column("normal").is_none());
    }
    fn curvatures(device) {
        let mut mesh = with_columns();
        // one of them is there already, and of another type
        let vertices = mesh.positions.len();
        mesh.vertices_mut().insert("vertex_area", vec![7_u8; vertices]).expect("rows");
        for area in Area::ALL {
            let mut surface = surface_of(device, &mesh);
            let report = curvature(&mut surface, &CurvatureOptions { area }).expect("curvatures");
            assert_eq!((report.isolated_vertices, report.boundary_vertices, report.euler_characteristic), (1, 0, 2));
            assert!((report.total_defect - report.gauss_bonnet()).abs() < 1e-3, "{report:?}");
            let after = surface.download().expect("memory");
            let new = kept(&mesh, &after, &[(Element::Vertex, "vertex_area")]);
            assert_eq!(new, ["gaussian_curvature", "mean_curvature", "geodesic_curvature", "angle_defect"]);
            assert_eq!(after.positions, mesh.positions);

            let (patches, x) = surface.patches().expect("patches");
            let found = curvatures_of(patches, x, area).expect("curvatures");
            for (name, expected) in [
                ("gaussian_curvature", &found.gaussian),
                ("mean_curvature", &found.mean),
                ("geodesic_curvature", &found.geodesic),
                ("angle_defect", &found.defect),
                ("vertex_area", &found.area),
            ] {
                let expected = expected.download().expect("values");
                let found = after.vertices().get::<f32>(name).expect("a column");
                let most = expected.iter().fold(0.0_f32, |most, value| most.max(value.abs()));
                for (v, (a, b)) in found.iter().zip(&expected).enumerate() {
                    assert!((a - b).abs() <= 2e-5 * most, "{name} of vertex {v}: {a}, not {b}");
                }
            }
        }
    }
    fn distances(device) {
        // by many threads, as on patches
        let options = GeodesicOptions { order: Order::Distance, ..GeodesicOptions::default() };
        let mesh = with_columns();
        let sources = [5, 700];
        let mut surface = surface_of(device, &mesh);
        let report = geodesic(&mut surface, &sources, &options).expect("distances");
        assert_eq!((report.sources, report.unreachable), (2, 1));
        let after = surface.download().expect("memory");
        assert_eq!(kept(&mesh, &after, &[]), ["distance"]);
        assert_eq!(after.positions, mesh.positions);
        let (patches, x) = surface.patches().expect("patches");
        let mut solver = Geodesic::new(patches, x).expect("a ring");
        solver.run(&sources, &options).expect("distances");
        let expected = solver.distances().and_then(|d| d.download()).expect("distances");
        let found = after.vertices().get::<f32>("distance").expect("a column");
        assert_eq!(found, expected);
        assert_eq!((found[5], found[700], found[mesh.positions.len() - 1]), (0.0, 0.0, f32::INFINITY));
    }
    /// Sources are indices in the downloaded arrays, also where triangles have changed and there are no
    /// patches yet.
    fn distances_after_triangles_have_changed(device) {
        type Change = fn(&mut Surface);
        let changes: [Change; 2] = [
            |surface| drop(remesh(surface, &RemeshOptions::default()).expect("a manifold")),
            |surface| {
                let options = SimplifyOptions { target: Some(Target::Ratio(0.3)), ..SimplifyOptions::default() };
                drop(simplify(surface, &options).expect("a manifold"));
            },
        ];
        for change in changes {
            let mut surface = surface_of(device, &with_columns());
            change(&mut surface);
            let before = surface.download().expect("memory");
            geodesic(&mut surface, &[17], &GeodesicOptions::default()).expect("distances");
            let after = surface.download().expect("memory");
            assert!(after.positions == before.positions, "the order of vertices");
            assert_eq!(after.vertices().get::<f32>("distance").expect("a column")[17], 0.0);
            // and the same after flips, which keep vertices where they are
            delaunay(&mut surface, &DelaunayOptions::default()).expect("a manifold");
            assert!(surface.download().expect("memory").positions == before.positions, "the order after flips");
            vertex_normals(&mut surface, &NormalOptions::default()).expect("normals");
            curvature(&mut surface, &CurvatureOptions::default()).expect("curvatures");
        }
    }
    fn stale_columns_go_where_vertices_move(device) {
        let mesh = with_stale_columns();
        let gone = [(Element::Vertex, "n"), (Element::Corner, "n"), (Element::Vertex, "shape")];
        type Move = fn(&mut Surface);
        let moves: [Move; 2] = [
            |surface| drop(smooth(surface, &SmoothOptions::default()).expect("smoothed")),
            |surface| drop(denoise(surface, &DenoiseOptions { iterations: Some(3), ..DenoiseOptions::default() }).expect("denoised")),
        ];
        for change in moves {
            let mut surface = surface_of(device, &mesh);
            change(&mut surface);
            assert_eq!(noted(&surface), [(Element::Vertex, "shape"), (Element::Corner, "n")]);
            let after = surface.download().expect("memory");
            kept(&mesh, &after, &gone);
            assert!(after.vertices().column("shape").is_none() && after.corners().column("n").is_none());
            assert_eq!(after.vertices().get::<[f32; 3]>("n").expect("computed"), after.vertex_normals());
        }
        // nothing moves
        let mut surface = surface_of(device, &mesh);
        smooth(&mut surface, &SmoothOptions { steps: 0, ..SmoothOptions::default() }).expect("nothing");
        denoise(&mut surface, &DenoiseOptions { iterations: Some(0), ..DenoiseOptions::default() }).expect("nothing");
        assert_eq!(surface.download().expect("memory"), mesh);
    }
    fn what_does_not_move_stays_exact(device) {
        let mut mesh = shapes::grid(30, 1).expect("small");
        let far = DVec3::new(467_123.125, 5_412_987.25, 312.0);
        for (i, p) in mesh.positions.iter_mut().enumerate() {
            *p = far + *p / 3.0 + DVec3::Z * (1e-3 * (i % 7) as f64);
        }
        mesh.precision = Precision::Double;
        let mut surface = surface_of(device, &mesh);
        let (patches, _) = surface.patches().expect("patches");
        let flags = patches.boundary::<Vertex>().and_then(|flags| flags.read()).expect("flags");
        let places = patches.vertex_inputs().read().expect("places");
        let options = SmoothOptions { boundary: ribbonmesh_fields::smooth::Boundary::Fixed, ..SmoothOptions::default() };
        smooth(&mut surface, &options).expect("smoothed");
        denoise(&mut surface, &DenoiseOptions { fixed_boundary: true, iterations: Some(3), ..DenoiseOptions::default() }).expect("denoised");
        let after = surface.download().expect("memory").positions;
        let mut moved = 0;
        for (id, &place) in places.iter().enumerate() {
            let (a, b) = (after[place as usize], mesh.positions[place as usize]);
            assert!(flags[id] == 0 || a == b, "vertex {place}");
            assert!(a.distance(b) < 0.02, "vertex {place}");
            moved += u32::from(a != b);
        }
        assert!(moved > 500, "{moved}");
    }
    fn errors_leave_the_surface_as_it_was(device) {
        let mesh = with_stale_columns();
        let mut surface = surface_of(device, &mesh);
        let refused = |result: ribbonmesh::Result<()>| assert!(matches!(result, Err(Error::Option { .. })), "{result:?}");
        refused(smooth(&mut surface, &SmoothOptions { tolerance: 2.0, ..SmoothOptions::default() }).map(drop));
        refused(denoise(&mut surface, &DenoiseOptions { scale: 0.0, ..DenoiseOptions::default() }).map(drop));
        refused(geodesic(&mut surface, &[0], &GeodesicOptions { tolerance: 1.0, ..GeodesicOptions::default() }).map(drop));
        refused(geodesic(&mut surface, &[u32::MAX], &GeodesicOptions::default()).map(drop));
        refused(geodesic(&mut surface, &[], &GeodesicOptions::default()).map(drop));
        assert_eq!(surface.download().expect("memory"), mesh);
    }
    fn columns_by_role(device) {
        let mut mesh = with_stale_columns();
        let faces = mesh.faces.len();
        let material = Column::with_role("material", Role::Material, vec![0_u32; faces]);
        mesh.faces_of_mut().insert_column(material).expect("rows");
        let mut surface = surface_of(device, &mesh);
        surface.retain(Element::Face, |_, role| role != Role::Material);
        surface.retain(Element::Corner, |name, _| name == "n");
        surface.retain(Element::Edge, |_, _| false);
        let after = surface.download().expect("memory");
        let names = |element| after.attributes(element).iter().map(Column::name).collect::<Vec<_>>();
        assert_eq!(ALL.map(names), [vec!["colour", "exact", "n", "shape"], vec!["label"], vec!["n"], vec![]]);
    }
}
