//! Textures from another mesh.
use crate::oracle::coordinates;
use crate::{mesh, sheet};
use glam::{DVec2, DVec3};
use ribbonmesh::{Device, Error};
use ribbonmesh_mesh::{ColourSpace, Column, Role, TriangleMesh, shapes};
use ribbonmesh_suite::{size, suite};
use ribbonmesh_unwrap::{BakeError, BakeOptions, Quantity, Texture, UnwrapOptions, bake, unwrap};

fn baked(device: &Device, source: &TriangleMesh, target: &TriangleMesh, of: Quantity) -> Texture {
    let options =
        BakeOptions { quantity: of, resolution: size(128, 32), dilate: 3, ..BakeOptions::default() };
    bake(device, source, target, &options).expect("a texture")
}
/// A column of the source, linear in space.
fn linear(p: DVec3) -> [f64; 2] {
    [1.0 + p.x - 2.0 * p.y + 0.5 * p.z, p.z - p.x]
}
fn with_linear(mut mesh: TriangleMesh) -> TriangleMesh {
    let values: Vec<[f64; 2]> = mesh.positions.iter().map(|p| linear(*p)).collect();
    mesh.vertices_mut().insert("linear", values).expect("a row for each");
    mesh
}
fn named(name: &str) -> Quantity {
    Quantity::Column(name.to_owned())
}
/// The point in space of a texel's centre, if a face has it, by plain loops.
fn point(mesh: &TriangleMesh, flat: &[[DVec2; 3]], at: DVec2) -> Option<DVec3> {
    flat.iter().zip(&mesh.faces).find_map(|([a, b, c], face)| {
        let whole = (*b - *a).perp_dot(*c - *a);
        let weights = [(*c - *b).perp_dot(at - *b), (*a - *c).perp_dot(at - *c), (*b - *a).perp_dot(at - *a)];
        let inside = whole > 0.0 && weights.iter().all(|w| *w >= 0.0);
        inside.then(|| (0..3).map(|k| mesh.positions[face[k] as usize] * weights[k] / whole).sum())
    })
}

suite! {
    /// A function that is linear in space is itself on the texture.
    fn linear_functions(device) {
        let mut target = sheet(6, |x, y| DVec3::new(x, y, 0.3 * x - 0.2 * y));
        unwrap(device, &mut target, &UnwrapOptions { resolution: 128, ..UnwrapOptions::default() }).expect("charts");
        // another net of the same plane, that is larger
        let source = with_linear(sheet(9, |x, y| {
            let (x, y) = (1.2 * x - 0.1, 1.2 * y - 0.1);
            DVec3::new(x, y, 0.3 * x - 0.2 * y)
        }));
        let texture = baked(device, &source, &target, named("linear"));
        assert_eq!(texture.width, 2);
        let (flat, side) = (coordinates(&target), texture.side as usize);
        let mut seen = 0;
        for i in 0..side * side {
            let at = (DVec2::new((i % side) as f64, (i / side) as f64) + 0.5) / side as f64;
            let Some(point) = point(&target, &flat, at) else {
                assert!(texture.covered[i] < 2, "{i}");
                continue;
            };
            seen += 1;
            assert_eq!(texture.covered[i], 2, "{i}");
            for (k, expected) in linear(point).into_iter().enumerate() {
                assert!((f64::from(texture.values[2 * i + k]) - expected).abs() < 1e-4, "{i}: {expected}");
            }
        }
        assert!(seen > side * side / 3);
        assert_eq!(texture.counts()[0], seen);
    }
    /// Texels near charts have values, those farther away none.
    fn dilated(device) {
        let mut target = sheet(3, |x, y| DVec3::new(x, y, 0.0));
        // a square in the middle of the texture
        let flat = target.faces.as_flattened().iter().map(|&v| {
            let p = target.positions[v as usize];
            [0.25 + 0.5 * p.x as f32, 0.25 + 0.5 * p.y as f32]
        }).collect();
        let column = Column::with_role::<[f32; 2]>("texcoord", Role::TextureCoordinate(0), flat);
        target.corners_mut().insert_column(column).expect("a row for each");
        let source = with_linear(target.clone());
        let options = BakeOptions { quantity: named("linear"), resolution: 32, dilate: 3, distance: None };
        let texture = bake(device, &source, &target, &options).expect("a texture");
        let outside = |v: usize| (7.5 - v as f64).max(v as f64 + 0.5 - 24.0).max(0.0);
        for i in 0..32 * 32 {
            let away = DVec2::new(outside(i % 32), outside(i / 32)).length();
            let expected = if away == 0.0 { 2 } else { u32::from(away <= 3.0) };
            assert_eq!(texture.covered[i], expected, "{} {}", i % 32, i / 32);
            let at = DVec2::new((i % 32) as f64 + 0.5, (i / 32) as f64 + 0.5).clamp(DVec2::splat(8.0), DVec2::splat(24.0));
            let p = (at - 8.0) / 16.0;
            let value = if expected > 0 { linear(p.extend(0.0))[0] } else { 0.0 };
            assert!((f64::from(texture.values[2 * i]) - value).abs() < 1e-4, "{i}");
        }
    }
    /// Normals of a sphere are directions of its points; in tangent space of the same mesh, they point up.
    fn normals(device) {
        let mut ball = shapes::icosphere(4).expect("small");
        unwrap(device, &mut ball, &UnwrapOptions { resolution: 128, ..UnwrapOptions::default() }).expect("charts");
        let (flat, texture) = (coordinates(&ball), baked(device, &ball, &ball, Quantity::Normal));
        let up = baked(device, &ball, &ball, Quantity::TangentNormal);
        let side = texture.side as usize;
        for i in (0..side * side).step_by(7) {
            let at = (DVec2::new((i % side) as f64, (i / side) as f64) + 0.5) / side as f64;
            let Some(point) = point(&ball, &flat, at) else { continue };
            let found = |texture: &Texture| DVec3::from([0, 1, 2].map(|k| f64::from(texture.values[3 * i + k])));
            assert!(found(&texture).distance(point.normalize()) < 0.02, "{i}");
            assert!(found(&up).distance(DVec3::Z) < 1e-3, "{i}: {}", found(&up));
        }
    }
    /// A tilted source has another normal in the tangent space of a flat target.
    fn tangent_space(device) {
        let mut target = sheet(2, |x, y| DVec3::new(x, y, 0.0));
        let flat = target.faces.as_flattened().iter().map(|&v| {
            let p = target.positions[v as usize];
            // the first coordinate runs along y, the second against x
            [p.y as f32, 1.0 - p.x as f32]
        }).collect();
        let column = Column::with_role::<[f32; 2]>("texcoord", Role::TextureCoordinate(0), flat);
        target.corners_mut().insert_column(column).expect("a row for each");
        let source = sheet(2, |x, y| DVec3::new(x, y, 0.1 * x));
        let texture = baked(device, &source, &target, Quantity::TangentNormal);
        let normal = DVec3::new(-0.1, 0.0, 1.0).normalize();
        let expected = DVec3::new(normal.y, -normal.x, normal.z);
        for texel in texture.values.chunks_exact(3) {
            let found = DVec3::new(f64::from(texel[0]), f64::from(texel[1]), f64::from(texel[2]));
            assert!(found.distance(expected) < 1e-5, "{found} {expected}");
        }
    }
    /// Colours of bytes are parts of 255; texels too far from the source get nothing.
    fn colours(device) {
        let mut target = sheet(2, |x, y| DVec3::new(x, y, 0.0));
        unwrap(device, &mut target, &UnwrapOptions { resolution: 32, ..UnwrapOptions::default() }).expect("charts");
        let mut source = mesh(target.positions.clone(), target.faces[..4].to_vec());
        let colours = Column::with_role("color", Role::Colour(ColourSpace::Srgb), vec![[255_u8, 51, 0]; 4]);
        source.faces_of_mut().insert_column(colours).expect("a row for each");
        let options = BakeOptions { resolution: 32, distance: Some(0.1), ..BakeOptions::default() };
        let texture = bake(device, &source, &target, &options).expect("a texture");
        let [within, _] = texture.counts();
        assert!(within > 0);
        for (texel, state) in texture.values.chunks_exact(3).zip(&texture.covered) {
            let expected = if *state > 0 { [1.0, 0.2, 0.0] } else { [0.0; 3] };
            assert!((0..3).all(|k| (texel[k] - expected[k]).abs() < 1e-6), "{texel:?}");
        }
        let far = BakeOptions { distance: None, ..options };
        assert!(bake(device, &source, &target, &far).expect("a texture").counts()[0] > within);
    }
}

#[test]
fn refusals() {
    let device = Device::cpu();
    let plain = sheet(1, |x, y| DVec3::new(x, y, 0.0));
    let mut target = plain.clone();
    unwrap(&device, &mut target, &UnwrapOptions::default()).expect("charts");
    let refusal = |source: &TriangleMesh, target: &TriangleMesh, options: &BakeOptions| {
        bake(&device, source, target, options).expect_err("refused")
    };
    let of = |quantity| BakeOptions { quantity, ..BakeOptions::default() };
    let error = refusal(&plain, &plain, &of(Quantity::Normal));
    assert!(matches!(error, BakeError::Coordinates), "{error}");
    let error = refusal(&plain, &target, &of(Quantity::Colour));
    assert!(matches!(error, BakeError::Colours), "{error}");
    let error = refusal(&target, &target, &of(named("height")));
    assert!(error.to_string().contains("texcoord"), "{error}");
    let error = refusal(&mesh(vec![], vec![]), &target, &of(Quantity::Normal));
    assert!(matches!(error, BakeError::Library(Error::NoFaces { what: "the source" })), "{error}");
    let wrong = BakeOptions { resolution: 0, ..of(Quantity::Normal) };
    let error = refusal(&plain, &target, &wrong);
    assert!(matches!(error, BakeError::Library(Error::Option { option: "resolution", .. })), "{error}");
}
