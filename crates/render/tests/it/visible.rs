//! The faces that samples show, against plain code in double precision.
use ribbonmesh::Device;
use ribbonmesh_mesh::{TriangleMesh, shapes};
use ribbonmesh_render::glam::{DMat3, DVec2, DVec3};
use ribbonmesh_render::{
    Camera, Colormap, Colouring, Image, Lens, Parts, Projection, Range, RenderError, Scene, Style, Up, View,
    Visibility,
};
use ribbonmesh_suite::suite;

/// How near to a side, in samples, either answer is right: corners are on steps of a 256th.
const SIDE: f64 = 0.01;
/// The part of a distance by which either of two faces may be the nearer one.
const NEAR: f64 = 1e-5;

/// A camera and the samples of a picture.
struct Eye {
    turn: DMat3,
    origin: DVec3,
    perspective: bool,
    half: DVec2,
    size: [usize; 2],
}
impl Eye {
    fn new(camera: &Camera, style: &Style) -> Self {
        let back = (camera.eye - camera.target).normalize();
        let right = camera.up.cross(back).normalize();
        let (perspective, half, origin) = match camera.projection {
            Projection::Orthographic { height } => (false, height / 2.0, camera.target),
            Projection::Perspective { field_of_view } => {
                (true, (field_of_view.to_radians() / 2.0).tan(), camera.eye)
            }
        };
        let aspect = f64::from(style.width) / f64::from(style.height);
        let turn = DMat3::from_cols(right, back.cross(right), back).transpose();
        let size = [style.width, style.height].map(|n| (n * style.samples) as usize);
        Self { turn, origin, perspective, half: DVec2::new(half * aspect, half), size }
    }
    /// The place among the samples, and the distance.
    fn place(&self, p: DVec3) -> (DVec2, f64) {
        let p = self.turn * (p - self.origin);
        let at = if self.perspective { p.truncate() / -p.z } else { p.truncate() } / self.half;
        let size = DVec2::new(self.size[0] as f64, self.size[1] as f64);
        ((DVec2::ONE + at * DVec2::new(1.0, -1.0)) / 2.0 * size, -p.z)
    }
    /// How far a sample is within a face, in samples, and the distance of the face there; none for a face
    /// without area.
    fn hit(&self, corners: [DVec3; 3], at: DVec2) -> Option<(f64, f64)> {
        let [(a, away_a), (b, away_b), (c, away_c)] = corners.map(|p| self.place(p));
        let area = (b - a).perp_dot(c - a);
        let mut within = f64::INFINITY;
        let mut shares = [0.0; 3];
        for (share, (p, q)) in shares.iter_mut().zip([(b, c), (c, a), (a, b)]) {
            let side = (q - p).perp_dot(at - p) * area.signum();
            within = within.min(side / p.distance(q));
            *share = side / area.abs();
        }
        let aways = [away_a, away_b, away_c];
        let sum = |of: fn(f64) -> f64| (0..3).map(|i| shares[i] * of(aways[i])).sum::<f64>();
        let away = if self.perspective { 1.0 / sum(|away| 1.0 / away) } else { sum(|away| away) };
        (area != 0.0 && area.is_finite()).then_some((within, away))
    }
    /// Samples whose middles are in the box around a face.
    fn around(&self, corners: [DVec3; 3]) -> impl Iterator<Item = [usize; 2]> + use<> {
        let places = corners.map(|p| self.place(p).0);
        let low = places.into_iter().fold(DVec2::INFINITY, DVec2::min) - 1.0;
        let high = places.into_iter().fold(DVec2::NEG_INFINITY, DVec2::max) + 1.0;
        let span = |low: f64, high: f64, n: usize| low.max(0.0) as usize..(high.max(0.0) as usize).min(n);
        let (xs, ys) = (span(low.x, high.x, self.size[0]), span(low.y, high.y, self.size[1]));
        ys.flat_map(move |y| xs.clone().map(move |x| [x, y]))
    }
}

/// The face that each sample sees, in double precision.
fn plain(scene: &Scene<'_>, eye: &Eye) -> Visibility {
    let [width, height] = eye.size;
    let (mut faces, mut away) =
        (vec![Visibility::NOTHING; width * height], vec![f64::INFINITY; width * height]);
    for (face, vertices) in scene.faces.iter().enumerate() {
        let corners = vertices.map(|v| scene.positions[v as usize]);
        for [x, y] in eye.around(corners) {
            let hit = eye.hit(corners, DVec2::new(x as f64 + 0.5, y as f64 + 0.5));
            let at = y * width + x;
            if let Some((within, found)) = hit
                && within >= 0.0
                && found < away[at]
            {
                (faces[at], away[at]) = (face as u32, found);
            }
        }
    }
    Visibility { width, height, faces, distances: away.iter().map(|x| *x as f32).collect() }
}

/// Samples whose face is another one are near a side, or both faces are equally far. Returns their number.
fn check(scene: &Scene<'_>, eye: &Eye, seen: &Visibility, expected: &Visibility) -> usize {
    assert_eq!([seen.width, seen.height], eye.size);
    let mut others = 0;
    for i in 0..seen.faces.len() {
        let at = DVec2::new((i % seen.width) as f64 + 0.5, (i / seen.width) as f64 + 0.5);
        let corners = |face: u32| scene.faces[face as usize].map(|v| scene.positions[v as usize]);
        let hit = |face: u32| match face {
            Visibility::NOTHING => (f64::NEG_INFINITY, f64::INFINITY),
            face => eye.hit(corners(face), at).unwrap_or((0.0, f64::INFINITY)),
        };
        let (found, right) = (seen.faces[i], expected.faces[i]);
        let ((within, away), (sure, nearest)) = (hit(found), hit(right));
        let what =
            format!("sample {at}: face {found} at {away}, {within} within; {right} at {nearest}, {sure}");
        if found != right {
            others += 1;
            let beside = found == Visibility::NOTHING || within > -SIDE;
            let no_nearer = away <= nearest + NEAR * nearest.abs().max(1.0) || sure < SIDE;
            assert!(beside && no_nearer && (found != Visibility::NOTHING || sure < SIDE), "{what}");
        }
        if within > SIDE && found != Visibility::NOTHING {
            let apart = (f64::from(seen.distances[i]) - away).abs();
            // steep faces change much within a step
            assert!(apart < 2e-3 * away.abs().max(1.0), "{what}: {}", seen.distances[i]);
        }
    }
    others
}

/// The mean difference of channels, and the share of pixels that differ by more than 4 of 255.
fn difference(a: &Image, b: &Image) -> [f64; 2] {
    let apart =
        |(p, q): (&[u8; 4], &[u8; 4])| (0..4).map(|k| f64::from(p[k].abs_diff(q[k]))).fold(0.0, f64::max);
    let all: Vec<f64> = a.pixels().iter().zip(b.pixels()).map(apart).collect();
    let n = all.len() as f64;
    [all.iter().sum::<f64>() / n, all.iter().filter(|x| **x > 4.0).count() as f64 / n]
}

fn meshes() -> Vec<TriangleMesh> {
    let far = DVec3::new(5e6, -4e5, 300.0);
    let mut away = shapes::bumpy_sphere(3, 2).expect("small");
    away.positions.iter_mut().for_each(|p| *p += far);
    let mut tiny = shapes::torus_knot(2, 3, 12, 120).expect("small");
    tiny.positions.iter_mut().for_each(|p| *p *= 1e-30);
    vec![shapes::bumpy_sphere(4, 1).expect("small"), shapes::icosphere(1).expect("small"), away, tiny]
}

suite! {
    /// Each sample, and the picture with fields, edges and colours of faces, whose pixels have nine samples.
    fn as_in_double_precision(device) {
        for (k, mesh) in meshes().iter().enumerate() {
            let values: Vec<f32> = (0..mesh.positions.len()).map(|v| (v % 97) as f32).collect();
            let colours: Vec<_> = (0..mesh.faces.len()).map(|f| [(f * 7) as u8, (f * 3) as u8, 90]).collect();
            let range = Range { min: 0.0, max: 96.0 };
            let scalar = Colouring::Scalar { values: &values, map: Colormap::Viridis, range };
            for (lens, colouring, edges) in [
                (Lens::Orthographic, scalar, 1.0),
                (Lens::Perspective, Colouring::Faces(&colours), 0.0),
                (Lens::Perspective, Colouring::Normals, 0.5),
            ] {
                let scene = Scene::new(&mesh.positions, &mesh.faces).coloured(colouring).standing(Up::Z);
                let style = Style { width: 60, height: 45, edges, ..Style::default() };
                let camera = Camera::fit(&scene, View::ISO, lens, &style).expect("a camera");
                let eye = Eye::new(&camera, &style);
                let seen = Visibility::new(device, &scene, &camera, &style).expect("a picture");
                let expected = plain(&scene, &eye);
                let others = check(&scene, &eye, &seen, &expected);
                let picture = scene.render(device, &camera, &style).expect("a picture");
                assert!(picture == scene.shade(&camera, &style, &seen).expect("a picture"));
                let by_plain = scene.shade(&camera, &style, &expected).expect("a picture");
                let [mean, more] = difference(&picture, &by_plain);
                println!("mesh {k}: {others} other samples of {}; {mean:.4}, {more:.5}", seen.faces.len());
                assert!(others < seen.faces.len() / 500 && mean < 0.1 && more < 0.01, "{mean}, {more}");
            }
        }
    }
    /// A picture beyond the painter's greatest, in tiles: the same as its parts.
    fn in_tiles(device) {
        let mesh = shapes::bumpy_sphere(3, 1).expect("small");
        let scene = Scene::new(&mesh.positions, &mesh.faces);
        let style = Style { width: 1500, height: 8, samples: 3, ..Style::default() };
        for lens in [Lens::Orthographic, Lens::Perspective] {
            let camera = Camera::fit(&scene, View::ISO, lens, &style).expect("a camera");
            // a part of the sphere across the whole picture
            let camera = match camera.projection {
                Projection::Orthographic { height } => {
                    Camera { projection: Projection::Orthographic { height: height / 80.0 }, ..camera }
                }
                Projection::Perspective { .. } => {
                    Camera { projection: Projection::Perspective { field_of_view: 0.4 }, ..camera }
                }
            };
            let eye = Eye::new(&camera, &style);
            let seen = Visibility::new(device, &scene, &camera, &style).expect("a picture");
            let expected = plain(&scene, &eye);
            let others = check(&scene, &eye, &seen, &expected);
            let there = seen.faces.iter().filter(|face| **face != Visibility::NOTHING).count();
            assert!(others < 100 && 3 * there > seen.faces.len(), "{others} others, {there} seen");
        }
    }
    /// Faces that are drawn part by part, and rows that are shaded some at a time.
    fn in_parts(device) {
        for mesh in meshes() {
            let scene = Scene::new(&mesh.positions, &mesh.faces).coloured(Colouring::Normals);
            let style = Style { width: 90, height: 60, samples: 2, ..Style::default() };
            for lens in [Lens::Orthographic, Lens::Perspective] {
                let camera = Camera::fit(&scene, View::ISO, lens, &style).expect("a camera");
                let finite = |face: &&[u32; 3]| face.iter().all(|&v| mesh.positions[v as usize].is_finite());
                let found = Camera::fit_points::<RenderError>(Up::Y, View::ISO, lens, &style, |visit| {
                    let corners = mesh.faces.iter().filter(finite).flatten();
                    corners.for_each(|&v| visit(mesh.positions[v as usize]));
                    Ok(())
                });
                assert_eq!(found.expect("a camera"), camera);
                let mut parts = Parts::new::<RenderError>(device, &camera, &style, |visit| {
                    mesh.positions.iter().for_each(|&p| visit(p));
                    Ok(())
                })
                .expect("a picture");
                for faces in mesh.faces.chunks(mesh.faces.len() / 3 + 1) {
                    parts.add(&Scene::new(&mesh.positions, faces)).expect("a part");
                }
                let seen = parts.visibility();
                assert!(seen == Visibility::new(device, &scene, &camera, &style).expect("a picture"));
                let whole = scene.shade(&camera, &style, &seen).expect("a picture");
                let mut image = Image::new(90, 60, [0; 4]);
                for [first, end] in [[0, 7], [7, 50], [50, 60]] {
                    let mut of_rows = seen.clone();
                    // no other row asks which face it is
                    let samples = 360 * first as usize..360 * end as usize;
                    for (i, face) in of_rows.faces.iter_mut().enumerate() {
                        let here = samples.contains(&i) || *face == Visibility::NOTHING;
                        *face = if here { *face } else { Visibility::NOTHING - 1 };
                    }
                    let rows = scene.shade_rows(&camera, &style, &of_rows, first..end).expect("rows");
                    image.paste(&rows, [0, first]);
                }
                assert!(image == whole);
            }
        }
    }
    /// On the GPU: the same picture as on the CPU, bit by bit.
    fn same_on_all_machines(device) {
        let cpu = Device::cpu();
        for mesh in meshes() {
            let scene = Scene::new(&mesh.positions, &mesh.faces).coloured(Colouring::Normals);
            let style = Style { width: 160, height: 120, edges: 1.0, ..Style::default() };
            for lens in [Lens::Orthographic, Lens::Perspective] {
                let camera = Camera::fit(&scene, View { azimuth: 20.0, elevation: 10.0 }, lens, &style);
                let camera = camera.expect("a camera");
                let [a, b] = [device, &cpu].map(|on| scene.render(on, &camera, &style).expect("a picture"));
                assert!(a == b);
            }
        }
    }
}

#[test]
fn samples_that_do_not_fit_are_refused() {
    let mesh = shapes::icosphere(1).expect("small");
    let scene = Scene::new(&mesh.positions, &mesh.faces);
    let style = Style { width: 8, height: 4, samples: 2, ..Style::default() };
    let camera = Camera::fit(&scene, View::ISO, Lens::Perspective, &style).expect("a camera");
    let seen = Visibility::new(&Device::cpu(), &scene, &camera, &style).expect("a picture");
    let refused = |seen: &Visibility| scene.shade(&camera, &style, seen).expect_err("no picture").to_string();
    let mut wrong = seen.clone();
    wrong.faces[7] = 80;
    assert_eq!(refused(&wrong), "a sample shows face 80 of 80 faces");
    wrong.faces.pop();
    assert!(refused(&wrong).contains("faces of samples: 127 values where 128"));
    let turned = Visibility { width: 8, height: 16, ..seen };
    assert!(refused(&turned).contains("samples across"));
    let rows = scene.shade_rows(&camera, &style, &turned, 0..5).expect_err("no rows").to_string();
    assert!(rows.contains("samples across"), "{rows}");
    let seen = Visibility { width: 16, height: 8, ..turned };
    let rows = scene.shade_rows(&camera, &style, &seen, 2..5).expect_err("no rows").to_string();
    assert_eq!(rows, "rows: 5 values where 4 are expected");
}
