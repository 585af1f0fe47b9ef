//! Attributes of every element and type, through every format that holds them.

use crate::common::{accept, again, losses, refuse, tetrahedron, written};
use glam::{DVec3, Vec2, Vec3};
use proptest::prelude::*;
use ribbonmesh_io::{Format, Loss, PlyEncoding, ReadErrorKind, TriangleMesh, WriteOptions, read, write};
use ribbonmesh_mesh::{ColourSpace, Column, Element, NONE, Precision, Role, Scalar, Scalars, TextureOrigin};

const SRGB: Role = Role::Colour(ColourSpace::Srgb);

/// Rows of numbers of a type, made of a seed.
fn column(name: &str, scalar: Scalar, width: usize, rows: usize, seed: u32) -> Column {
    let number = |i: usize| (i as u32 + 1).wrapping_mul(seed | 1);
    let all = 0..rows * width;
    let scalars = match scalar {
        Scalar::U8 => Scalars::U8(all.map(|i| number(i) as u8).collect()),
        Scalar::I8 => Scalars::I8(all.map(|i| number(i) as i8).collect()),
        Scalar::U16 => Scalars::U16(all.map(|i| number(i) as u16).collect()),
        Scalar::I16 => Scalars::I16(all.map(|i| number(i) as i16).collect()),
        Scalar::U32 => Scalars::U32(all.map(number).collect()),
        Scalar::I32 => Scalars::I32(all.map(|i| number(i) as i32).collect()),
        Scalar::U64 => Scalars::U64(all.map(|i| number(i).into()).collect()),
        Scalar::I64 => Scalars::I64(all.map(|i| number(i).into()).collect()),
        Scalar::F32 => Scalars::F32(all.map(|i| number(i) as f32 / 7.0).collect()),
        Scalar::F64 => Scalars::F64(all.map(|i| f64::from(number(i)) / 7.0).collect()),
    };
    Column::from_scalars(name, Role::Custom, width, scalars).unwrap()
}

fn insert(mesh: &mut TriangleMesh, element: Element, column: Column) {
    mesh.attributes_mut(element).insert_column(column).unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn ply_holds_every_type_of_every_element(
        seed in any::<u32>(),
        kinds in prop::collection::vec((0..10_usize, 1..=4_usize, 0..4_usize), 1..8),
    ) {
        let mut mesh = tetrahedron();
        mesh.edges = vec![[2, 0], [0, 1], [3, 3]];
        for (number, (scalar, width, element)) in kinds.into_iter().enumerate() {
            let element = [Element::Vertex, Element::Face, Element::Corner, Element::Edge][element];
            let rows = mesh.attributes(element).rows();
            let scalar = match Scalar::ALL[scalar] {
                Scalar::U64 | Scalar::I64 => Scalar::F64,
                scalar => scalar,
            };
            insert(&mut mesh, element, column(&format!("a{number}"), scalar, width, rows, seed));
        }
        for ply_encoding in [PlyEncoding::Ascii, PlyEncoding::Little, PlyEncoding::Big] {
            let options = WriteOptions { ply_encoding, ..Default::default() };
            let loaded = accept(Format::Ply, written(&mesh, Format::Ply, &options));
            prop_assert_eq!(loaded.notes, Default::default());
            prop_assert_eq!(&loaded.mesh, &mesh);
        }
        prop_assert!(losses(&mesh, Format::Ply).is_empty());
    }

    #[test]
    fn glb_holds_small_types_of_vertices_and_corners(
        seed in any::<u32>(),
        kinds in prop::collection::vec((0..5_usize, 1..=4_usize, any::<bool>()), 1..6),
    ) {
        let mut mesh = tetrahedron();
        for (number, (scalar, width, corners)) in kinds.into_iter().enumerate() {
            let element = if corners { Element::Corner } else { Element::Vertex };
            let rows = mesh.attributes(element).rows();
            let scalar = [Scalar::U8, Scalar::I8, Scalar::U16, Scalar::I16, Scalar::F32][scalar];
            insert(&mut mesh, element, column(&format!("a{number}"), scalar, width, rows, seed));
        }
        let found = again(&mesh, Format::Glb);
        prop_assert_eq!((&found.positions, &found.faces), (&mesh.positions, &mesh.faces));
        for element in [Element::Vertex, Element::Corner] {
            for column in mesh.attributes(element) {
                prop_assert_eq!(found.attributes(element).column(column.name()), Some(column));
            }
        }
        prop_assert!(losses(&mesh, Format::Glb).is_empty());
    }
}

#[test]
fn what_ply_has_no_type_for_becomes_floating_point() {
    let mut mesh = tetrahedron();
    mesh.vertices_mut().insert("id", vec![1_u64 << 53, 0, 1, 2]).unwrap();
    assert!(losses(&mesh, Format::Ply).is_empty());
    assert_eq!(again(&mesh, Format::Ply).vertices().get::<f64>("id").unwrap()[0], 9_007_199_254_740_992.0);
    mesh.vertices_mut().insert("id", vec![(1_u64 << 53) + 1, 0, 1, 2]).unwrap();
    let expected = Loss::Rounded { element: Element::Vertex, name: "id".into() };
    assert_eq!(losses(&mesh, Format::Ply), [expected]);
}

/// A tetrahedron whose texture has a seam at vertex 0.
fn with_seam() -> TriangleMesh {
    let mut mesh = tetrahedron();
    let mut values: Vec<Vec2> =
        mesh.faces.as_flattened().iter().map(|&v| Vec2::new(v as f32 / 4.0, 0.5)).collect();
    values[3] = Vec2::new(1.0, 0.5);
    insert(&mut mesh, Element::Corner, Column::with_role("texcoord", Role::TextureCoordinate(0), values));
    mesh
}

/// The mesh with texture coordinates that begin at the bottom; in GLB they begin at the top.
fn upright(mut mesh: TriangleMesh) -> TriangleMesh {
    if std::mem::take(&mut mesh.tables.texture_origin) == TextureOrigin::Top {
        for element in [Element::Vertex, Element::Corner] {
            if let Ok(values) = mesh.attributes_mut(element).get_mut::<Vec2>("texcoord") {
                values.iter_mut().for_each(|value| value.y = 1.0 - value.y);
            }
        }
    }
    mesh
}

#[test]
fn seams_survive() {
    let mesh = with_seam();
    for format in [Format::Obj, Format::Ply, Format::Glb] {
        assert_eq!(upright(again(&mesh, format)), mesh, "{format}");
        assert!(losses(&mesh, format).is_empty());
    }
    let expected = Loss::Attribute { element: Element::Corner, name: "texcoord".into() };
    assert_eq!(losses(&mesh, Format::Off), [expected]);
}

#[test]
fn coordinates_without_seams_belong_to_vertices() {
    let mut mesh = tetrahedron();
    let values = vec![Vec2::new(0.25, 1.0), Vec2::X, Vec2::Y, Vec2::ZERO];
    insert(&mut mesh, Element::Vertex, Column::with_role("texcoord", Role::TextureCoordinate(0), values));
    for format in [Format::Obj, Format::Ply, Format::Off, Format::Glb] {
        assert_eq!(upright(again(&mesh, format)), mesh, "{format}");
    }
}

/// The mesh with the columns of its vertices in the order of their names; formats have an order of their own.
fn sorted(mut mesh: TriangleMesh) -> TriangleMesh {
    let mut columns: Vec<Column> = mesh.vertices().iter().cloned().collect();
    columns.sort_by(|a, b| a.name().cmp(b.name()));
    mesh.vertices_mut().retain(|_| false);
    columns.into_iter().for_each(|column| insert(&mut mesh, Element::Vertex, column));
    mesh
}

#[test]
fn colours_and_normals_survive() {
    let normals = Column::with_role("normal", Role::Normal, vec![Vec3::Z; 4]);
    let colours = Column::with_role("colour", SRGB, vec![Vec3::new(0.1, 0.5, 1.0); 4]);
    let bytes = Column::with_role("colour", SRGB, vec![[1_u8, 2, 3, 4]; 4]);
    for (colours, formats) in
        [(colours, vec![Format::Obj, Format::Ply, Format::Off]), (bytes, vec![Format::Ply, Format::Off])]
    {
        let mut mesh = tetrahedron();
        insert(&mut mesh, Element::Vertex, normals.clone());
        insert(&mut mesh, Element::Vertex, colours);
        for format in formats {
            assert_eq!(sorted(again(&mesh, format)), sorted(mesh.clone()), "{format}");
            assert!(losses(&mesh, format).is_empty(), "{format}");
        }
        let linear = again(&mesh, Format::Glb);
        assert_eq!(linear.vertices().column("colour").unwrap().role(), Role::Colour(ColourSpace::Linear));
        assert_eq!(losses(&mesh, Format::Glb).len(), 1);
        insert(&mut mesh, Element::Vertex, linear.vertices().column("colour").unwrap().clone());
        assert_eq!(sorted(again(&mesh, Format::Glb)), sorted(mesh));
    }
    let mut mesh = tetrahedron();
    insert(&mut mesh, Element::Face, Column::with_role("colour", SRGB, vec![[9_u8, 8, 7]; 4]));
    assert_eq!(again(&mesh, Format::Off), mesh);
    assert_eq!(again(&mesh, Format::Ply), mesh);
}

#[test]
fn surveys_lose_nothing() {
    let mut mesh = tetrahedron();
    mesh.precision = Precision::Double;
    for (i, position) in mesh.positions.iter_mut().enumerate() {
        *position = DVec3::new(431_234.567, 5_812_345.001, 98.765) + *position * 0.001 * i as f64;
    }
    for format in [Format::Obj, Format::Ply, Format::Off] {
        assert_eq!(again(&mesh, format), mesh, "{format}");
    }
    assert_eq!(losses(&mesh, Format::Stl), [Loss::Positions]);
    let found = again(&mesh, Format::Glb);
    let origin = mesh.local_origin();
    let rounded: Vec<DVec3> = mesh.points_around(origin).iter().map(|p| origin + p.as_dvec3()).collect();
    assert_eq!((found.positions, found.precision), (rounded, Precision::Double));
    assert_eq!(losses(&mesh, Format::Glb), [Loss::Positions]);
}

#[test]
fn precision_of_text_is_that_of_its_decimals() {
    let precision =
        |x: &str| accept(Format::Obj, format!("v {x} 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")).mesh.precision;
    for single in
        ["0.1", "1e-3", "0.123456791", "1.17549435e-38", "123456", "16777216", "-0.33333334", "1e30"]
    {
        assert_eq!(precision(single), Precision::Single, "{single}");
    }
    for double in ["431234.567", "0.3333333333", "16777217", "5812345.001", "1.000000001e-3"] {
        assert_eq!(precision(double), Precision::Double, "{double}");
    }
}

#[test]
fn groups_objects_and_materials_of_obj() {
    let text = "mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3\no house\ng wall front\nusemtl brick\ns 1\nf 1 2 3 4\nusemtl \
                glass\ns off\nf 1 2 3\nusemtl brick\nf 1 3 4\n";
    let mesh = accept(Format::Obj, text).mesh;
    let faces = mesh.faces_of();
    assert_eq!(faces.get::<u32>("material").unwrap(), [NONE, 0, 0, 1, 0]);
    assert_eq!(faces.get::<u32>("smoothing").unwrap(), [0, 1, 1, 0, 0]);
    assert_eq!(faces.get::<u32>("object").unwrap(), [NONE, 0, 0, 0, 0]);
    let names: Vec<&str> = mesh.tables.materials.iter().map(|m| m.name.as_str()).collect();
    assert_eq!((names, &mesh.tables.groups[..]), (vec!["brick", "glass"], &["wall front".to_owned()][..]));
    assert_eq!(again(&mesh, Format::Obj), mesh);
    assert!(losses(&mesh, Format::Obj).is_empty());
    let in_ply = again(&mesh, Format::Ply);
    assert_eq!(in_ply.faces_of().get::<u32>("material").unwrap(), [NONE, 0, 0, 1, 0]);
    assert!(losses(&mesh, Format::Ply).contains(&Loss::Names { what: "materials", count: 2 }));
}

#[test]
fn files_of_materials_go_along() {
    let folder = tempfile::tempdir().unwrap();
    let [from, to] = ["from", "to"].map(|name| {
        std::fs::create_dir(folder.path().join(name)).unwrap();
        folder.path().join(name)
    });
    let text = "mtllib a.mtl\nmtllib ../b.mtl\nv 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 3\n";
    std::fs::write(from.join("mesh.obj"), text).unwrap();
    std::fs::write(from.join("a.mtl"), "newmtl brick\n").unwrap();
    std::fs::write(folder.path().join("b.mtl"), "secret").unwrap();
    let loaded = read(from.join("mesh.obj")).unwrap();
    assert_eq!(loaded.notes.libraries_missing, ["../b.mtl"]);
    let write_to = |name: &str| write(to.join(name), &loaded.mesh, &WriteOptions::default()).unwrap();
    assert!(write_to("mesh.obj").is_empty());
    assert_eq!(std::fs::read(to.join("a.mtl")).unwrap(), b"newmtl brick\n");
    assert!(write_to("again.obj").is_empty(), "the same file is there");
    std::fs::write(to.join("a.mtl"), "other").unwrap();
    assert_eq!(write_to("third.obj"), [Loss::Library { name: "a.mtl".into() }]);
    assert_eq!(std::fs::read(to.join("a.mtl")).unwrap(), b"other");
    assert_eq!(write_to("mesh.ply"), [Loss::Materials { count: 1 }]);
}

#[test]
fn attribute_indices_that_no_line_has_are_refused() {
    for corner in ["1/2", "1//2", "1/-2", "1/0"] {
        let text = format!("v 0 0 0\nv 1 0 0\nv 1 1 0\nvt 0 0\nvn 0 0 1\nf {corner} 2/1/1 3/1/1\n");
        let error = refuse(Format::Obj, text);
        assert!(matches!(error.kind, ReadErrorKind::AttributeIndexOutOfRange { rows: 1, .. }), "{error}");
    }
}

#[test]
fn corners_without_a_value_stay_so() {
    let text = "v 0 0 0\nv 1 0 0\nv 1 1 0\nvt 0.5 0.25\nvt 1 1\nf 1/1 2/2 3/1\nf 3 2/1 1\n";
    let loaded = accept(Format::Obj, text);
    let corners = loaded.mesh.corners().get::<Vec2>("texcoord").unwrap();
    assert!(corners[3].is_nan() && corners[5].is_nan());
    assert_eq!(corners[4], Vec2::new(0.5, 0.25));
    let text = String::from_utf8(written(&loaded.mesh, Format::Obj, &WriteOptions::default())).unwrap();
    assert!(text.ends_with("f 1/1 2/2 3/1\nf 3 2/1 1\n"), "{text}");
}

#[test]
fn headers_attributes_and_names_of_stl() {
    let mut mesh = tetrahedron();
    let mut bytes = written(&mesh, Format::Stl, &WriteOptions::default());
    bytes[..80].copy_from_slice(&[b'x'; 80]);
    bytes[84 + 48..84 + 50].copy_from_slice(&7_u16.to_le_bytes());
    let loaded = accept(Format::Stl, &bytes).mesh;
    assert_eq!(loaded.faces_of().get::<u16>("attribute").unwrap(), [7, 0, 0, 0]);
    assert_eq!(loaded.tables.remarks[0].text, [b'x'; 80]);
    assert_eq!(written(&loaded, Format::Stl, &WriteOptions::default()), bytes);
    insert(&mut mesh, Element::Face, Column::with_role("object", Role::Object, vec![0_u32, 0, 1, 1]));
    mesh.tables.objects = vec!["a b".into(), "c".into()];
    let options = WriteOptions { stl_encoding: ribbonmesh_io::StlEncoding::Ascii, ..Default::default() };
    let found = accept(Format::Stl, written(&mesh, Format::Stl, &options)).mesh;
    assert_eq!(found.tables.objects, mesh.tables.objects);
    assert_eq!(found.faces_of().get::<u32>("object").unwrap(), [0, 0, 1, 1]);
}
