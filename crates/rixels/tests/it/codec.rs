//! Rixels against the picture that they are of.
use crate::support::{Shape, looking};
use ribbonmesh::Device;
use ribbonmesh::glam::{DVec3, DVec4, Vec3};
use ribbonmesh::mesh::shapes::bumpy_sphere;
use ribbonmesh_rixels::{Depth, Header, Options, Painter, Picture, RixelError, Rixels, Values, View, encode};
use ribbonmesh_suite::suite;

const DEPTHS: [Depth; 4] = [Depth::Linear16, Depth::Linear32, Depth::Window16, Depth::Window32];

fn view(size: [u32; 2], far: f64, parallel: bool) -> View {
    let aspect = f64::from(size[0]) / f64::from(size[1]);
    let projection = if parallel {
        View::parallel(far * aspect, far, 0.1, 2.0 * far)
    } else {
        View::perspective(0.7, aspect, 0.1, 2.0 * far)
    };
    looking(far * DVec3::new(0.2, 0.3, 1.0).normalize(), DVec3::Y, projection, size)
}

/// The depth of a distance, in double precision.
fn window(view: &View, away: f64) -> f64 {
    let p = view.projection() * DVec4::new(0.0, 0.0, -away, 1.0);
    (p.z / p.w + 1.0) / 2.0
}

fn check(rixels: &Rixels, picture: &Picture, view: &View) {
    let header = *rixels.header();
    let seen: Vec<usize> =
        (0..picture.faces.len()).filter(|i| picture.faces[*i] != Picture::NOTHING).collect();
    assert_eq!((header.width, header.height), (view.width(), view.height()));
    assert_eq!(header.count as usize, seen.len());
    let finite = || seen.iter().map(|i| picture.values[*i]).filter(|value| value.is_finite());
    let low = finite().reduce(f32::min).unwrap_or_default();
    let high = finite().reduce(f32::max).unwrap_or_default();
    assert_eq!((header.minimum, header.maximum), (low, high));
    let near = seen.iter().map(|i| picture.distances[*i]).reduce(f32::min).unwrap_or_default();
    let far = seen.iter().map(|i| picture.distances[*i]).reduce(f32::max).unwrap_or_default();
    assert_eq!((header.nearest, header.farthest), (near, far));

    let pixels: Vec<_> = rixels.pixels().collect();
    assert_eq!(pixels.len(), seen.len());
    for (pixel, i) in pixels.iter().zip(&seen) {
        assert_eq!((pixel.y * view.width() + pixel.x) as usize, *i);
        let value = picture.values[*i];
        match pixel.value {
            None => assert!(!value.is_finite()),
            Some(found) => {
                let step = (f64::from(high) - f64::from(low)) / 65_534.0;
                let off = (f64::from(found) - f64::from(value)).abs();
                assert!(off <= 0.51 * step + 1e-7 * f64::from(value.abs()), "{off} {step}");
            }
        }
        let away = f64::from(picture.distances[*i]);
        let (expected, slack) = match header.depth {
            Depth::Linear16 => (away, 0.51 * f64::from(far - near) / 65_535.0 + 2e-7 * away),
            Depth::Linear32 => (away, 0.0),
            Depth::Window16 => (window(view, away), 0.51 / 65_535.0),
            Depth::Window32 => (window(view, away), 2e-6),
        };
        let off = (f64::from(pixel.depth) - expected).abs();
        assert!(off <= slack, "{:?}: {} instead of {expected}", header.depth, pixel.depth);
    }
    // moved with the view that they were made with, pixels stay where they are
    for (point, pixel) in rixels.points(view).expect("points").zip(&pixels) {
        let p = view.projection() * (view.view() * point.place.extend(1.0));
        let at = |x: f64, n: u32| (x / p.w + 1.0) / 2.0 * f64::from(n) - 0.5;
        let off = (at(p.x, view.width()) - f64::from(pixel.x))
            .abs()
            .max((at(p.y, view.height()) - f64::from(pixel.y)).abs());
        assert!(off < 1e-6, "{off}");
    }
}

/// The bytes that the parts must have, each rounded up to 8.
fn sizes(header: &Header) -> [usize; 3] {
    let (pixels, count) = ((header.width * header.height) as usize, header.count as usize);
    let places = if 32 * count < pixels { 4 * count } else { 4 * pixels.div_ceil(32) };
    let depths = 8 + count * header.depth.bits() as usize / 8;
    [places, 2 * count, depths].map(|bytes| bytes.next_multiple_of(8))
}

fn sphere(device: &Device) -> (Shape, Vec<f32>) {
    let shape = Shape::of(device, &bumpy_sphere(5, 2).expect("a sphere"));
    let values = shape.points.iter().map(|p| (9.0 * p.x).sin() + p.y).collect();
    (shape, values)
}

suite! {
    fn round_trip(device) {
        let (shape, values) = sphere(device);
        let values = device.upload(&values).expect("memory");
        let scene = shape.scene(Values::OfVertices(&values));
        let mut painter = Painter::new(device);
        let mut lists = 0;
        // a picture that is full, one that is nearly empty, odd sizes, pictures that grow and shrink
        for (size, far) in [
            ([64, 64], 1.3),
            ([257, 101], 3.0),
            ([640, 480], 3.0),
            ([300, 200], 40.0),
            ([1, 1], 3.0),
            ([5, 3], 500.0),
        ] {
            for parallel in [false, true] {
                let view = view(size, far, parallel);
                let picture = painter.paint(&scene, &view).expect("a picture");
                for depth in DEPTHS {
                    let rixels = painter.encode(&scene, &view, &Options { depth }).expect("rixels");
                    check(rixels, &picture, &view);
                    assert_eq!(rixels.parts().map(<[u8]>::len), sizes(rixels.header()));
                    assert_eq!(rixels.parts().concat(), rixels.bytes());
                    lists += usize::from(rixels.header().sparse);
                    // as received
                    let unknown = Header { nearest: 0.0, farthest: 0.0, sparse: false, ..*rixels.header() };
                    let received = Rixels::from_parts(unknown, rixels.parts()).expect("the same");
                    assert_eq!(&received, rixels);
                }
            }
        }
        assert!(lists > 4, "{lists} lists");
    }
    fn nothing_to_see(device) {
        let shape = Shape::new(device, vec![Vec3::ZERO; 3], vec![]);
        let view = view([33, 7], 2.0, false);
        let rixels = encode(device, &shape.scene(Values::Plain), &view, &Options::default()).expect("rixels");
        assert_eq!((rixels.count(), rixels.bytes()), (0, &[0; 8][..]));
        assert_eq!(rixels.points(&view).expect("points").count(), 0);
        let numbers = [f32::NAN, f32::INFINITY, 1e38];
        let points = numbers.map(|x| Vec3::new(x, 0.5, x)).to_vec();
        let shape = Shape::new(device, points, vec![[0, 1, 2], [1, 1, 2], [2, 2, 2]]);
        let rixels = encode(device, &shape.scene(Values::Plain), &view, &Options::default()).expect("rixels");
        assert_eq!(rixels.count(), 0);
    }
    /// Ranges that overflow, and ranges of one number.
    fn extreme_values(device) {
        let corners = [[-3.0, -3.0, 0.0], [3.0, -3.0, 0.0], [0.0, 3.0, 0.0]].map(Vec3::from_array);
        let shape = Shape::new(device, corners.to_vec(), vec![[0, 1, 2]]);
        let view = view([40, 40], 2.0, false);
        let mut painter = Painter::new(device);
        let (wide, narrow) = ([f32::MIN, f32::MAX, 0.0], [-1e-45, 1e-45, 0.0]);
        for numbers in [wide, narrow, [5.0; 3], [f32::NAN; 3], [-0.0, 0.0, 0.0]] {
            let values = device.upload(&numbers).expect("memory");
            let scene = shape.scene(Values::OfVertices(&values));
            let picture = painter.paint(&scene, &view).expect("a picture");
            let rixels = painter.encode(&scene, &view, &Options::default()).expect("rixels");
            let Header { minimum, maximum, .. } = *rixels.header();
            let step = (f64::from(maximum) - f64::from(minimum)) / 65_534.0;
            let seen = picture.values.iter().zip(&picture.faces).filter(|(_, face)| **face == 0);
            for (pixel, (value, _)) in rixels.pixels().zip(seen) {
                let off = pixel.value.map(|found| (f64::from(found) - f64::from(*value)).abs());
                assert_eq!(off.is_none(), numbers[0].is_nan());
                assert!(off.unwrap_or_default() <= 0.51 * step + 1e-44, "{numbers:?}: {pixel:?} {value}");
            }
        }
    }
    fn wrong_parts(device) {
        let (shape, _) = sphere(device);
        for far in [3.0, 60.0] {
            let view = view([200, 100], far, false);
            let rixels = encode(device, &shape.scene(Values::Plain), &view, &Options::default()).expect("rixels");
            let (header, parts) = (*rixels.header(), rixels.parts());
            for part in 0..3 {
                let mut short = parts;
                short[part] = &parts[part][..parts[part].len() - 8];
                let error = Rixels::from_parts(header, short).expect_err("short");
                assert!(matches!(error, RixelError::Part { part: at, .. } if at == part + 1), "{error}");
            }
            for count in [header.count - 1, header.count + 1, u32::MAX] {
                let wrong = Header { count, ..header };
                assert!(matches!(Rixels::from_parts(wrong, parts), Err(RixelError::Part { .. })));
            }
            let ones = vec![255; parts[0].len()];
            let error = Rixels::from_parts(header, [&ones, parts[1], parts[2]]).expect_err("too many places");
            assert!(matches!(error, RixelError::Part { part: 1, .. }), "{error}");
            let none = Header { width: 0, ..header };
            assert!(matches!(Rixels::from_parts(none, parts), Err(RixelError::Size { .. })));
        }
    }
}
